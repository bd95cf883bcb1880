//! Lists of OpenCL events become arguments: `wait_group_events(2, list)` is a call with two events.
//!
//! A list stands in a variable of the thread whose address the call takes, so that the variable
//! could not become a value, and nobody could tell which copies are waited for.
//!
//! **Promises**: the new call, [`WAIT`] and the number of events, stands where the old one stood,
//! and gets what the list held there. **Does not**: look into lists whose length is no constant, or
//! is above [`MOST_EVENTS`]; those calls stay as they are.

use crate::mangled::unmangled;
use heddle_llvm::{Module, Spot, Value};

/// What the names of the new functions begin with.
pub(crate) const WAIT: &str = "heddle.wait_group_events.";

/// Longer lists are left as they are.
const MOST_EVENTS: u64 = 64;

/// Whether any call was changed.
pub(super) fn spread_lists(module: &mut Module) -> bool {
    let mut event: Option<Spot> = None;
    let mut waits: Vec<(Spot, u32)> = Vec::new();
    for inst in module.functions().flat_map(heddle_llvm::Function::instructions) {
        let Some(name) = inst.called_function().map(heddle_llvm::Function::name) else { continue };
        match unmangled(&name) {
            Some("async_work_group_copy" | "async_work_group_strided_copy") => {
                event = event.or_else(|| inst.arguments().last().copied().map(Value::spot));
            }
            Some("wait_group_events") => {
                let count = inst.arguments().first().copied().and_then(Value::const_int);
                let count = count.and_then(|it| u64::try_from(it).ok());
                if let Some(count) = count.filter(|it| *it <= MOST_EVENTS) {
                    waits.push((inst.spot(), count as u32));
                }
            }
            Some(_) | None => {}
        }
    }
    let Some(event) = event else { return false };
    for (call, count) in &waits {
        module.call_with_listed(*call, &format!("{WAIT}{count}"), 1, event, *count);
    }
    !waits.is_empty()
}
