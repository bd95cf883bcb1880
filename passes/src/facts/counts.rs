//! Loop counters: which cannot wrap around while their loop runs, and bounds of values from the
//! launch.
//!
//! **What**: no-wrap flags for a counter, and a number that no thread's iterations exceed, as a
//! value. **Method**: flags come from a test `v < bound` or `v + step < bound`.
//! **Sound because**: a flag holds for the addition of each iteration that went on: the value was
//! below the bound, and bound and step together are within the width.
//! **Misses**: loops whose end depends on memory.
//! **Assumes**: nothing of its own.

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, LoopId, NoWrap, Special, UnOp, VarId, mask,
};

use rustc_hash::FxHashSet;

use super::evolution::Evolution;
use super::launch::Launch;

/// A bound on the iterations of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TripLimit {
    /// No iteration has a higher number; the first is zero.
    pub last: u32,
    /// Every thread that enters runs all of them.
    pub exact: bool,
}

/// A bound, and what it takes for granted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Limited {
    pub limit: TripLimit,
    pub relies: BTreeSet<Assumption>,
}

/// Whether a counter of 32 bits or fewer starts at zero or above, steps up in each iteration, and
/// never leaves its signed range. Then iteration `k` has a value of at least `k`, and `k` is below
/// 2^31. A counter that the loop's test does not look at may leave its range unseen, whatever its
/// flags promise.
pub(crate) fn counts_below_2_31(
    kernel: &Kernel,
    launch: &Launch,
    evolution: impl Fn(VarId) -> Evolution,
    of: LoopId,
) -> bool {
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
    kernel[of].vars.iter().any(|&var| match evolution(var) {
        Evolution::Add(step, flags) => {
            kernel[var].width <= 32
                && flags.signed
                && decides(kernel, of, var)
                && positive(step)
                && upper(kernel, launch, step) <= most
                && upper(kernel, launch, kernel[var].init) <= most
        }
        Evolution::Invariant
        | Evolution::ShiftLeft(..)
        | Evolution::Double(..)
        | Evolution::ShiftRight(_)
        | Evolution::ShiftRightSigned(_)
        | Evolution::HalveSigned(_)
        | Evolution::HalveUnsigned(_)
        | Evolution::Toggle(_)
        | Evolution::Reflect(_)
        | Evolution::Cycle { .. }
        | Evolution::LedIn { .. }
        | Evolution::Rotate
        | Evolution::Rounds(..)
        | Evolution::Lag(_)
        | Evolution::Unknown => false,
    })
}

/// Whether each iteration that goes on has computed with the variable to decide that, in the test
/// itself or in the address of what it reads.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed need not look at it")]
fn decides(kernel: &Kernel, of: LoopId, var: VarId) -> bool {
    let mut work = vec![kernel[of].cont];
    let mut seen = FxHashSet::default();
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        match kernel[at].kind {
            ExprKind::Var(it) if it == var => return true,
            // Both hold if their conjunction does.
            ExprKind::Binary(BinOp::And, _, a, b) if kernel.exprs.width(at) == 1 => {
                work.extend([a, b]);
            }
            ExprKind::Binary(_, _, a, b) | ExprKind::Cmp(_, a, b)
                if kernel.exprs.width(at) > 1 || matches!(kernel[at].kind, ExprKind::Cmp(..)) =>
            {
                work.extend([a, b]);
            }
            // Of a conjunction that does not hold, one side alone may have been looked at.
            ExprKind::Unary(_, a)
                if kernel.exprs.width(at) > 1 || matches!(kernel[a].kind, ExprKind::Cmp(..)) =>
            {
                work.push(a);
            }
            ExprKind::Cast(_, a) if kernel.exprs.width(a) > 1 => work.push(a),
            ExprKind::Result(op, _) => {
                work.extend(kernel.access(op).map(|access| access.address.offset));
            }
            _ => {}
        }
    }
    false
}

/// The flags of a counter's addition, with those that the test of its loop implies: a counter that
/// is below `bound` when a step is added cannot wrap if `bound` and the step are small enough.
pub(crate) fn counter_flags(kernel: &Kernel, launch: &Launch, var: VarId, step: ExprId) -> NoWrap {
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

/// Parts of an expression that are looked at for a bound; what is used twice counts twice.
const MOST_PARTS: u32 = 512;

/// A bound on a value, read as unsigned: from its width, the launch, and the arguments given.
pub(crate) fn upper(kernel: &Kernel, launch: &Launch, expr: ExprId) -> u128 {
    upper_within(kernel, launch, expr, &mut { MOST_PARTS })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed has no bound but its width")]
fn upper_within(kernel: &Kernel, launch: &Launch, expr: ExprId, left: &mut u32) -> u128 {
    let width = kernel.exprs.width(expr);
    let most = mask(u128::MAX, width);
    let Some(fewer) = left.checked_sub(1) else { return most };
    *left = fewer;
    let mut of = |id| upper_within(kernel, launch, id, left);
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
        ExprKind::Cast(CastOp::Trunc, a) => of(a).min(most),
        ExprKind::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz, _) => u128::from(width),
        ExprKind::Binary(BinOp::UMax, _, a, b) => of(a).max(of(b)),
        // No bit above the highest of either.
        ExprKind::Binary(BinOp::Or | BinOp::Xor, _, a, b) => {
            u128::MAX.checked_shr((of(a) | of(b)).leading_zeros()).unwrap_or(0)
        }
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
        ExprKind::Binary(BinOp::URem, _, a, b) => match kernel.exprs.as_const(b) {
            Some(by) if by > 0 => of(a).min(by - 1),
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
