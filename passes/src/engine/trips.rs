//! How often a loop can run.
//!
//! **What**: a number that no thread's iterations exceed, for a loop.
//! **Method**: the test of iterations 0, 1, 2, … as long as it folds to a constant; else that of
//! iterations 1, 2, 4, … until no thread can go on there.
//! **Sound because** a thread that reaches the limit fails its test there, whatever it does
//! elsewhere: the test need not be monotone, and values at iterations that no thread reaches can
//! only keep a limit from being found.
//! **Misses**: loops whose end depends on an open parameter or on memory.
//! **Assumes**: what an answer about the test relies on; the limit takes it along, and whoever
//! bounds an iteration by the limit relies on it ([`Limited`]).

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{ExprId, ExprKind, LoopId, Special, ValueFrom};
use heddle_solver::Budget;

use super::instance::{FrameId, Instance, Placement, WrapAround};
use crate::facts::analysis::Analysis;
use crate::facts::counts::{Limited, TripLimit};
use crate::facts::evolution::Evolution;
use crate::facts::thread::Thread;

/// Loops that count by shifting are over after at most this many iterations, whatever their bound.
const SHIFTED: u32 = 66;
/// Powers of two that a loop's limit is looked for among.
const PROBES: u32 = 17;
/// Other loops are followed this far.
const COUNTED: u32 = 256;

/// The limit of each loop, where one is found.
pub(super) fn trip_limits(analysis: &Analysis<'_>) -> SecondaryMap<LoopId, Option<Limited>> {
    let mut limits = SecondaryMap::new();
    for of in analysis.kernel.loops.keys() {
        limits[of] = limit(analysis, of);
    }
    limits
}

fn limit(analysis: &Analysis<'_>, of: LoopId) -> Option<Limited> {
    let kernel = analysis.kernel;
    let shifts = kernel[of].vars.iter().any(|var| match analysis.evolution(*var) {
        Evolution::ShiftLeft(..)
        | Evolution::Double(..)
        | Evolution::ShiftRight(_)
        | Evolution::ShiftRightSigned(_)
        | Evolution::HalveSigned(_)
        | Evolution::HalveUnsigned(_) => true,
        Evolution::Invariant
        | Evolution::Add(..)
        | Evolution::Toggle(_)
        | Evolution::Reflect(_)
        | Evolution::Cycle { .. }
        | Evolution::LedIn { .. }
        | Evolution::Rotate
        | Evolution::Rounds(..)
        | Evolution::Lag(_)
        | Evolution::Unknown => false,
    });
    let mut instance = Instance::new(analysis, Placement::SameBlock, WrapAround::Happens);
    let mut frame = instance.root(Thread::One);
    for outer in analysis.scopes.chain(analysis.scopes.parent(of)) {
        let k = instance.iteration_symbol(outer, None);
        frame = instance.enter(frame, outer, k);
    }
    // What is asked is small: a comparison of constants with a size.
    let budget = Budget { conflicts: 200, instances: 0, ..Budget::default() };
    let mut exact = true;
    for j in 0..if shifts { SHIFTED } else { COUNTED } {
        let k = instance.pool.constant(u128::from(j), 32);
        let inside = instance.enter(frame, of, k);
        let goes_on = instance.at(inside, kernel[of].cont);
        match instance.pool.as_const(goes_on) {
            Some(0) => return Some(limited(&instance, j, exact)),
            Some(_) => {}
            None if !shifts => return probed(&mut instance, frame, of),
            None => {
                exact = false;
                if ends(&mut instance, goes_on, &budget) {
                    return Some(limited(&instance, j, exact));
                }
            }
        }
    }
    None
}

/// A limit of a loop whose number of iterations differs by thread: the first power of two in whose
/// iteration no thread can go on.
fn probed(instance: &mut Instance<'_>, frame: FrameId, of: LoopId) -> Option<Limited> {
    let cont = instance.analysis.kernel[of].cont;
    // With an open parameter in the test there is no such power, and asking is in vain.
    if !closed(instance, cont) {
        return None;
    }
    let budget = Budget {
        cases: 8,
        pivots: 500,
        instances: 0,
        conflicts: 50,
        clauses: 20_000,
        ..Budget::default()
    };
    (0..PROBES).map(|power| 1 << power).find_map(|last| {
        let k = instance.pool.constant(u128::from(last), 32);
        let inside = instance.enter(frame, of, k);
        let goes_on = instance.at(inside, cont);
        let ends = instance.pool.as_const(goes_on) == Some(0) || ends(instance, goes_on, &budget);
        ends.then(|| limited(instance, last, false))
    })
}

/// Whether no thread goes on. What that takes for granted, the instance relies on from here on.
fn ends(instance: &mut Instance<'_>, goes_on: ExprId, budget: &Budget) -> bool {
    if instance.is_seen(goes_on) {
        return false;
    }
    let Some(held) = instance.ask(&[goes_on], budget).held() else { return false };
    instance.rely_on_all(&held);
    true
}

/// A limit, with all that was taken for granted on the way to it.
fn limited(instance: &Instance<'_>, last: u32, exact: bool) -> Limited {
    Limited { limit: TripLimit { last, exact }, relies: instance.relies().clone() }
}

/// Whether an expression reads no open parameter or size.
fn closed(instance: &Instance<'_>, expr: ExprId) -> bool {
    let kernel = instance.analysis.kernel;
    let launch = instance.analysis.launch;
    let mut work = vec![expr];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match kernel[id].kind.value_from() {
            ValueFrom::Launch => {
                let is_open = if let ExprKind::Param(index) = kernel[id].kind {
                    launch.arg(index).is_none()
                } else {
                    matches!(
                        kernel[id].kind,
                        ExprKind::Special(Special::Ntid(_) | Special::Nctaid(_))
                    ) && !launch.is_known()
                };
                if is_open {
                    return false;
                }
            }
            ValueFrom::Var(var) => work.push(kernel[var].init),
            ValueFrom::Result(..) | ValueFrom::Nothing => return false,
            ValueFrom::Operands | ValueFrom::Exit(..) | ValueFrom::Analysis(_) => {
                kernel.exprs.for_each_operand(id, |operand| work.push(operand));
            }
        }
    }
    true
}
