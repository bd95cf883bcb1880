//! Runs for small values of arguments that nobody gave: what goes wrong for one of them is a refutation; that nothing does
//! proves nothing, and the reason says for which values that was seen.
//!
//! **Does not** try values where conditions on the arguments are assumed: they might not hold.

use std::collections::BTreeSet;

use heddle_diagnostics::{Code, Reason};
use heddle_interp::{Launch, Stop, Unknown};

use super::drive::{Outcome, drive};
use super::{Named, finding, launch};
use crate::cx::Cx;

/// The values that are tried, from zero.
const VALUES: u128 = 9;
/// Arguments that may lack a value.
const ARGUMENTS: usize = 3;

/// Tries small values; `stop` is what the run without them came to.
pub(super) fn sample(cx: &Cx<'_>, base: &Launch, stop: &Stop, named: &mut Named) {
    let reason = finding::stopped(cx, stop);
    named.stop = Some(reason.clone());
    if !cx.launch.assumptions.is_empty() {
        return;
    }
    let mut open = BTreeSet::new();
    for value in 0..VALUES {
        match run(cx, base, &mut open, value) {
            None => return,
            Some(outcome) if outcome.is_clean() => named.samples.push(outcome),
            Some(outcome) => {
                named.outcomes.push(outcome);
                named.stop = None;
                return;
            }
        }
    }
    let names: Vec<_> =
        open.iter().map(|it| cx.kernel.params[*it as usize].name.as_str()).collect();
    let flags: Vec<_> = names.iter().map(|name| format!("`--arg {name}=…`")).collect();
    let text = format!(
        "the barriers are right for {} = 0 to {}, and were not followed for other values; give {}",
        names.join(" = "),
        VALUES - 1,
        flags.join(" ")
    );
    let checked = Reason::new(Code::Undecided, text);
    named.stop = Some(match reason.place {
        Some(place) => checked.at(place),
        None => checked,
    });
}

/// A run with one value for all arguments that turn out to lack one. None where more than those lack.
fn run(cx: &Cx<'_>, base: &Launch, open: &mut BTreeSet<u32>, value: u128) -> Option<Outcome> {
    loop {
        let mut given = base.clone();
        for index in open.iter() {
            given.args[*index as usize] = Some(value);
        }
        match drive(cx.kernel, &given, &[launch::only_block(base)], cx.options.warp_sync) {
            Ok(mut outcome) => {
                outcome.given = open.iter().map(|index| (*index, value)).collect();
                return Some(outcome);
            }
            Err(Stop::Unknown { origin: Unknown::Param(index), .. })
                if open.len() < ARGUMENTS && (index as usize) < given.args.len() =>
            {
                if !open.insert(index) {
                    return None;
                }
            }
            Err(_) => return None,
        }
    }
}
