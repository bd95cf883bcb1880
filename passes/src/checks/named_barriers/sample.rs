//! Runs for small values of arguments that nobody gave: what goes wrong for one of them is a
//! refutation. If nothing does and there is one such argument, [`super::induction`] tries to prove
//! the others; else the reason says for which values that was seen.
//!
//! **Does not** refute by values where conditions on the arguments are given, or the program
//! assumes something: they might not hold.

use std::collections::BTreeSet;

use heddle_diagnostics::{Code, Reason};
use heddle_interp::{Launch, Stop, Unknown};
use heddle_ir::{Op, OpKind, ParamKind};
use heddle_trace::{AccessKind, Race};

use super::drive::{Outcome, STEPS, drive};
use super::induction::{self, Gap};
use super::{Named, finding};
use crate::engine::cx::Cx;

/// The values that are tried, from zero.
const VALUES: u128 = 9;
/// The values that are tried of arguments that guards compare with.
const LARGE: [u128; 2] = [64, 1024];
/// Arguments that may lack a value.
const ARGUMENTS: usize = 3;

/// Tries small values for one block; `stop` is what the run without them came to. Where the index
/// of the block matters and is not known, that is the answer.
pub(super) fn sample(
    cx: &Cx<'_>,
    base: &Launch,
    block: Option<[u32; 3]>,
    stop: &Stop,
    named: &mut Named,
) -> Option<Stop> {
    let reason = finding::stopped(cx, stop);
    named.stop = Some(reason.clone());
    // What is said of the arguments might not hold for a value that is tried: then it proves what
    // it is worth, and refutes nothing.
    let may_refute = may_be_any(cx);
    let mut open = BTreeSet::new();
    for value in 0..VALUES {
        match run(cx, base, block, &mut open, value) {
            Err(Some(stop @ Stop::Unknown { origin: Unknown::Special(_), .. })) => {
                return Some(stop);
            }
            Err(Some(stop)) => {
                named.stop = Some(finding::stopped(cx, &stop));
                return None;
            }
            Err(None) => return None,
            Ok(outcome) if outcome.is_clean() => {
                if may_refute && !outcome.is_undefined {
                    named.samples.push(outcome);
                }
            }
            Ok(outcome) if may_refute && !outcome.is_undefined => {
                named.outcomes.push(outcome);
                named.stop = None;
                return None;
            }
            Ok(_) => return None,
        }
    }
    let mut tried = u64::try_from(VALUES).unwrap_or(0);
    let mut why = String::new();
    if let [param] = open.iter().copied().collect::<Vec<_>>()[..] {
        match induction::prove(cx, base, block, param) {
            Ok(proof) => {
                named.samples.clear();
                named.outcomes.extend(proof.outcomes);
                named.assumes.extend(proof.assumes);
                named.stop = None;
                return None;
            }
            Err(Gap { wrong: Some(_), .. }) if !may_refute => return None,
            Err(Gap { wrong: Some(wrong), .. }) => {
                named.outcomes.push(*wrong);
                named.stop = None;
                return None;
            }
            Err(Gap { checked, why: gap, wrong: None }) => {
                tried = tried.max(checked);
                why = format!(" ({gap})");
            }
        }
    }
    let names: Vec<_> =
        open.iter().map(|it| cx.kernel.params[*it as usize].name.as_str()).collect();
    let flags: Vec<_> = names.iter().map(|name| format!("`--arg {name}=…`")).collect();
    let text = format!(
        "the barriers are right for {} = 0 to {}, and were not followed for other values{why}; give {}",
        names.join(" = "),
        tried - 1,
        flags.join(" ")
    );
    let checked = Reason::new(Code::Undecided, text);
    named.stop = Some(match reason.place {
        Some(place) => checked.at(place),
        None => checked,
    });
    None
}

/// Whether a size or an argument may have any value: neither is a condition on them given, nor does
/// the program assume something of them. That a loop of an assembly ends is no such assumption.
pub(super) fn may_be_any(cx: &Cx<'_>) -> bool {
    let is_open = |condition| cx.kernel.exprs.as_const(condition).is_none();
    let assumes = |op: &Op| matches!(op.kind, OpKind::Assume(condition) if is_open(condition));
    cx.launch.conditions().next().is_none() && !cx.kernel.ops.values().any(assumes)
}

/// Runs with values for the arguments of guards, where an access that a guard may keep from
/// happening would race: the race of such a run is one. They prove nothing.
pub(super) fn past_guards(cx: &Cx<'_>, base: &Launch, named: &mut Named) {
    let is_open = |it: &Outcome| it.would_race && it.given.is_empty();
    let Some(outcome) = named.outcomes.iter().find(|it| is_open(it)) else { return };
    if !may_be_any(cx) || outcome.blocks.len() != 1 {
        return;
    }
    let block = outcome.blocks[0].unwrap_or_default();
    let width = |index: u32| match cx.kernel.params[index as usize].kind {
        ParamKind::Scalar { width, .. } => Some(width),
        ParamKind::Field { .. } | ParamKind::Pointer(_) => None,
    };
    let guards = |it: &Outcome| -> BTreeSet<u32> {
        let of_argument =
            |why: &Unknown| if let Unknown::Param(index) = why { Some(*index) } else { None };
        it.perhaps.values().filter_map(of_argument).filter(|it| width(*it).is_some()).collect()
    };
    for value in LARGE {
        let mut open = guards(outcome);
        let mut given = base.clone();
        let number = |index: u32| if width(index) < Some(32) { 1 } else { value };
        for _ in 0..ARGUMENTS {
            for index in &open {
                given.args[*index as usize] = Some(number(*index));
            }
            let steps = cx.allowed(STEPS);
            let run = drive(cx.kernel, &given, &[Some(block)], cx.options.warp_sync, steps);
            let Ok(mut run) = run else { break };
            let more: BTreeSet<u32> = guards(&run).difference(&open).copied().collect();
            // Whether stores at two places write one value was not asked.
            let one_place = |it: &Race| it.sources[0] == it.sources[1];
            run.races.list.retain(|it| it.accesses != [AccessKind::Write; 2] || one_place(it));
            let races = run.races.list.iter().any(|it| !it.is_benign);
            if run.is_clean() && races && !run.is_undefined {
                run.given = open.iter().map(|index| (*index, number(*index))).collect();
                named.samples.push(run);
                return;
            }
            if more.is_empty() {
                break;
            }
            open.extend(more);
        }
    }
}

/// A run with one value for all arguments that turn out to lack one, or what else it lacks; nothing
/// where more than those lack.
fn run(
    cx: &Cx<'_>,
    base: &Launch,
    block: Option<[u32; 3]>,
    open: &mut BTreeSet<u32>,
    value: u128,
) -> Result<Outcome, Option<Stop>> {
    loop {
        let mut given = base.clone();
        for index in open.iter() {
            given.args[*index as usize] = Some(value);
        }
        match drive(cx.kernel, &given, &[block], cx.options.warp_sync, cx.allowed(STEPS)) {
            Ok(mut outcome) => {
                outcome.given = open.iter().map(|index| (*index, value)).collect();
                return Ok(outcome);
            }
            Err(Stop::Unknown { origin: Unknown::Param(index), .. })
                if open.len() < ARGUMENTS && (index as usize) < given.args.len() =>
            {
                if !open.insert(index) {
                    return Err(None);
                }
            }
            Err(stop) => return Err(Some(stop)),
        }
    }
}
