//! A condition as an answer says it: with how the signs of parameters were read, where the source
//! does not say it and it makes a difference.

use heddle_ir::{ArrayContract, ArrayRule, BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, Sign};
use rustc_hash::FxHashSet;

use super::MAX_UNSIGNED;

/// The condition as an answer says it: whether it reads a parameter as signed or as unsigned, where
/// the sign makes a difference.
pub fn condition_text(kernel: &Kernel, condition: ExprId, text: &str) -> String {
    let signed = |id: ExprId| {
        matches!(
            kernel.exprs[id].kind,
            ExprKind::Cmp(CmpOp::Slt | CmpOp::Sle, ..)
                | ExprKind::Binary(BinOp::SDiv | BinOp::SRem | BinOp::AShr, ..)
        )
    };
    // Nodes, each with whether an operator on signed numbers is above it.
    let (mut work, mut seen) = (vec![(condition, false)], FxHashSet::default());
    let (mut reads_signed, mut reads_zeros) = (false, false);
    while let Some((at, below)) = work.pop() {
        if !seen.insert((at, below)) {
            continue;
        }
        if reads_unsigned(kernel, at) {
            reads_zeros = true;
            continue;
        }
        if let Some(array) = ArrayContract::of(&kernel.exprs, at) {
            reads_signed |= array.rule != ArrayRule::Injective;
            let [low, high] = array.bounds;
            work.extend([array.count, low, high].map(|it| (it, true)));
            continue;
        }
        let is_parameter = |inner: ExprId| is_read_as_it_may_not_be(kernel, inner);
        let is_signed = if let ExprKind::Cast(CastOp::Sext, inner) = kernel.exprs[at].kind {
            is_parameter(inner)
        } else {
            below && is_parameter(at)
        };
        reads_signed |= is_signed;
        if let Some(number) = multiple(kernel, at) {
            work.push((number, below));
            continue;
        }
        let below = below || signed(at);
        kernel.exprs.for_each_operand(at, |it| work.push((it, below)));
    }
    match (reads_signed, reads_zeros) {
        (false, false) => text.to_owned(),
        (true, false) => format!("{text} (of signed numbers)"),
        (false, true) => format!("{text} (of unsigned numbers)"),
        (true, true) => {
            format!("{text} (of signed numbers, but of unsigned ones where no signed one compares)")
        }
    }
}

/// Whether this widens a parameter with zeros of which nobody says that it has no sign.
fn reads_unsigned(kernel: &Kernel, at: ExprId) -> bool {
    let ExprKind::Cast(CastOp::Zext, inner) = kernel.exprs[at].kind else { return false };
    is_read_as_it_may_not_be(kernel, inner) && kernel.exprs.width(inner) > 1
}

/// Whether this is a parameter whose sign is not known, or not the one it is read with.
fn is_read_as_it_may_not_be(kernel: &Kernel, at: ExprId) -> bool {
    let ExprKind::Param(index) = kernel.exprs[at].kind else { return false };
    match kernel.params[index as usize].sign {
        None | Some(Sign::Float) => true,
        Some(Sign::Signed) => false,
        Some(Sign::Unsigned) => kernel.exprs.width(at) > MAX_UNSIGNED,
    }
}

/// The number of which a condition says that it is a multiple of a power of two, which the sign
/// does not matter for.
fn multiple(kernel: &Kernel, condition: ExprId) -> Option<ExprId> {
    let exprs = &kernel.exprs;
    let ExprKind::Cmp(CmpOp::Eq, a, b) = exprs[condition].kind else { return None };
    let (rest, zero) = if exprs.as_const(b).is_some() { (a, b) } else { (b, a) };
    let ExprKind::Binary(BinOp::SRem, _, number, by) = exprs[rest].kind else { return None };
    let by = exprs.as_const(by)?;
    (exprs.as_const(zero) == Some(0) && by.is_power_of_two()).then_some(number)
}
