//! How often a loop can run, and which counters cannot wrap around while it does.
//!
//! **What**: a number that no thread's iterations exceed, for a loop; no-wrap flags for a counter.
//! **Method**: the test of iterations 0, 1, 2, … as long as it folds to a constant; else that of
//! iterations 1, 2, 4, … until no thread can go on there. Flags come from a test `v < bound` or
//! `v + step < bound`.
//! **Sound because** a thread that reaches the limit fails its test there, whatever it does
//! elsewhere: the test need not be monotone, and values at iterations that no thread reaches can
//! only keep a limit from being found. A flag holds for the addition of each iteration that went
//! on: the value was below the bound, and bound and step together are within the width.
//! **Misses**: loops whose end depends on an open parameter or on memory.
//! **Assumes**: nothing of its own.

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, LoopId, NoWrap, Special, ValueFrom, VarId, mask,
};
use heddle_solver::Budget;

use crate::analysis::Analysis;
use crate::evolution::Evolution;
use crate::instance::{FrameId, Instance, Placement, Thread, WrapAround};
use crate::launch::Launch;

/// A bound on the iterations of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TripLimit {
    /// No iteration has a higher number; the first is zero.
    pub last: u32,
    /// Every thread that enters runs all of them.
    pub exact: bool,
}

/// Loops that count by shifting are over after at most this many iterations, whatever their bound.
const SHIFTED: u32 = 66;
/// Powers of two that a loop's limit is looked for among.
const PROBES: u32 = 17;
/// Other loops are followed this far.
const COUNTED: u32 = 256;

/// The limit of each loop, where one is found.
pub fn trip_limits(analysis: &Analysis<'_>) -> SecondaryMap<LoopId, Option<TripLimit>> {
    let mut limits = SecondaryMap::new();
    for of in analysis.kernel.loops.keys() {
        limits[of] = limit(analysis, of);
    }
    limits
}

fn limit(analysis: &Analysis<'_>, of: LoopId) -> Option<TripLimit> {
    let kernel = analysis.kernel;
    let shifts = kernel[of].vars.iter().any(|var| match analysis.evolution(*var) {
        Evolution::ShiftLeft(..)
        | Evolution::Double(..)
        | Evolution::ShiftRight(_)
        | Evolution::ShiftRightSigned(_)
        | Evolution::HalveSigned(_) => true,
        Evolution::Invariant
        | Evolution::Add(..)
        | Evolution::Toggle(_)
        | Evolution::Reflect(_)
        | Evolution::Cycle { .. }
        | Evolution::Rotate
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
            Some(0) => return Some(TripLimit { last: j, exact }),
            Some(_) => {}
            None if !shifts => return probed(&mut instance, frame, of),
            None => {
                exact = false;
                if !instance.is_seen(goes_on) && instance.ask(&[goes_on], &budget).held().is_some()
                {
                    return Some(TripLimit { last: j, exact });
                }
            }
        }
    }
    None
}

/// A limit of a loop whose number of iterations differs by thread: the first power of two in whose
/// iteration no thread can go on.
fn probed(instance: &mut Instance<'_>, frame: FrameId, of: LoopId) -> Option<TripLimit> {
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
        let ends = instance.pool.as_const(goes_on) == Some(0)
            || !instance.is_seen(goes_on) && instance.ask(&[goes_on], &budget).held().is_some();
        ends.then_some(TripLimit { last, exact: false })
    })
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

/// Whether a counter of 32 bits or fewer starts at zero or above, steps up in each iteration, and
/// never leaves its signed range. Then iteration `k` has a value of at least `k`, and `k` is below
/// 2^31.
pub(crate) fn counts_below_2_31(analysis: &Analysis<'_>, of: LoopId) -> bool {
    let kernel = analysis.kernel;
    let size = |id: ExprId| match kernel.exprs.as_const(id) {
        Some(value) => value > 0 && value < 1 << 31,
        None => {
            let kind = &kernel[id].kind;
            matches!(kind, ExprKind::Special(Special::Ntid(_) | Special::Nctaid(_)))
        }
    };
    // Sizes are positive, and products and sums of them that fit are too.
    let positive = |id: ExprId| {
        if let ExprKind::Binary(BinOp::Mul | BinOp::Add, _, a, b) = kernel[id].kind {
            size(a) && size(b)
        } else {
            size(id)
        }
    };
    let most = u128::from(u32::MAX >> 1);
    kernel[of].vars.iter().any(|&var| match analysis.evolution(var) {
        Evolution::Add(step, flags) => {
            kernel[var].width <= 32
                && flags.signed
                && positive(step)
                && upper(kernel, analysis.launch, step) <= most
                && upper(kernel, analysis.launch, kernel[var].init) <= most
        }
        Evolution::Invariant
        | Evolution::ShiftLeft(..)
        | Evolution::Double(..)
        | Evolution::ShiftRight(_)
        | Evolution::ShiftRightSigned(_)
        | Evolution::HalveSigned(_)
        | Evolution::Toggle(_)
        | Evolution::Reflect(_)
        | Evolution::Cycle { .. }
        | Evolution::Rotate
        | Evolution::Lag(_)
        | Evolution::Unknown => false,
    })
}

/// The flags of a counter's addition, with those that the test of its loop implies: a counter that
/// is below `bound` when a step is added cannot wrap if `bound` and the step are small enough.
pub fn counter_flags(kernel: &Kernel, launch: &Launch, var: VarId, step: ExprId) -> NoWrap {
    let it = &kernel[var];
    let mut flags = NoWrap::NONE;
    let most = mask(u128::MAX, it.width);
    let most_signed = most >> 1;
    let step = upper(kernel, launch, step);
    let start = upper(kernel, launch, it.init);
    let mut tests = vec![kernel[it.of].cont];
    while let Some(test) = tests.pop() {
        if let ExprKind::Binary(BinOp::And, _, a, b) = kernel[test].kind {
            tests.extend([a, b]);
        }
        let ExprKind::Cmp(op @ (CmpOp::Ult | CmpOp::Slt), counter, bound) = kernel[test].kind
        else {
            continue;
        };
        // `ext(v) < bound`, at more bits: what mixed widths make of `v < bound`.
        let widened = if let ExprKind::Cast(how, inner) = kernel[counter].kind {
            (how != CastOp::Trunc).then_some((inner, how == CastOp::Sext))
        } else {
            None
        };
        let (counter, signed) = widened.unwrap_or((counter, op == CmpOp::Slt));
        let own = kernel[counter].kind == ExprKind::Var(var);
        let next = counter == it.next;
        let most = if signed { most_signed } else { most };
        let bound = upper(kernel, launch, bound).min(most);
        let fits =
            bound.saturating_add(step) <= most && (own || start.saturating_add(step) <= most);
        if (own || next) && fits {
            flags.signed |= signed;
            flags.unsigned |= !signed;
        }
    }
    flags
}

/// A bound on a value, read as unsigned: from its width, the launch, and the arguments given.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed has no bound but its width")]
fn upper(kernel: &Kernel, launch: &Launch, expr: ExprId) -> u128 {
    let width = kernel.exprs.width(expr);
    let most = mask(u128::MAX, width);
    let of = |id| upper(kernel, launch, id);
    match kernel[expr].kind {
        ExprKind::Const(value) => value,
        ExprKind::Param(index) => launch.arg(index).unwrap_or(most),
        ExprKind::Special(Special::Ntid(d)) => u128::from(launch.block[d as usize].limit()),
        ExprKind::Special(Special::Nctaid(d)) => u128::from(launch.grid[d as usize].limit()),
        ExprKind::Special(Special::Tid(d)) => {
            u128::from(launch.block[d as usize].limit().saturating_sub(1))
        }
        ExprKind::Special(Special::Ctaid(d)) => {
            u128::from(launch.grid[d as usize].limit().saturating_sub(1))
        }
        ExprKind::Cast(CastOp::Zext, a) => of(a),
        ExprKind::Binary(BinOp::Add, _, a, b) => clamp(of(a).checked_add(of(b)), most),
        ExprKind::Binary(BinOp::Mul, _, a, b) => clamp(of(a).checked_mul(of(b)), most),
        ExprKind::Binary(BinOp::LShr, _, a, b) => {
            let by = kernel.exprs.as_const(b).unwrap_or(0).min(127);
            of(a) >> by
        }
        ExprKind::Binary(BinOp::UDiv, _, a, b) => match kernel.exprs.as_const(b) {
            Some(by) if by > 0 => of(a) / by,
            _ => most,
        },
        ExprKind::Binary(BinOp::URem, _, _, b) => match kernel.exprs.as_const(b) {
            Some(by) if by > 0 => by - 1,
            _ => most,
        },
        ExprKind::Binary(BinOp::And | BinOp::UMin, _, a, b) => of(a).min(of(b)),
        ExprKind::Select(_, a, b) => of(a).max(of(b)),
        _ => most,
    }
}

/// Nothing is known of a value that may have wrapped.
fn clamp(value: Option<u128>, most: u128) -> u128 {
    value.filter(|value| *value <= most).unwrap_or(most)
}
