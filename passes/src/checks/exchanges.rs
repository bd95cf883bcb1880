//! Lanes that wait for lanes, for the checks of both kinds of barriers and of forward progress.
//!
//! **Promises**: where a lane may wait in a shuffle, a vote or an election for one that does not
//! come, the obligations cannot be proved. **Does not**: decide a property of its own; kernels
//! without barriers and polls are not asked.

use heddle_diagnostics::{Code, Obligations, Reason};
use heddle_ir::OpId;

use crate::engine::cx::Cx;
use crate::engine::regular::{exchanges_are_met, unmet_warp_barrier};

/// Adds what is relied on where lanes come together, or a reason where they may not. Warp barriers
/// count unless the trace of the block's warps has `followed` them.
pub(super) fn rely_on(cx: &Cx<'_>, obligations: &mut Obligations, followed: impl FnOnce() -> bool) {
    match exchanges_are_met(&cx.analysis) {
        Ok(relies) => relies.into_iter().for_each(|it| obligations.assume(it)),
        Err(op) => obligations.leave_open(reason(cx, op)),
    }
    if let Some(op) = unmet_warp_barrier(&cx.analysis)
        && !followed()
    {
        obligations.leave_open(reason(cx, op));
    }
}

fn reason(cx: &Cx<'_>, op: OpId) -> Reason {
    let text = "a lane may wait here for lanes that its mask names and that do not come";
    Reason::new(Code::Undecided, text).at(cx.places.op(cx.kernel, op))
}
