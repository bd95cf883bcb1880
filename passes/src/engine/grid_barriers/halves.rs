//! Barriers of the grid whose counter turns its highest bit once all blocks have been there, as
//! those of cooperative groups do.
//!
//! **What**: places where the first thread of each block adds one to a word, that of one block
//! 2^(w-1) less the number of the other blocks, and waits until the highest bit is not what the
//! addition found.
//! **Sound because**: all additions of a round are 2^(w-1) together, and those of some blocks are
//! less, as there are fewer blocks than that. So the bit turns when the last of a round adds, and
//! no block has begun the next round then: by induction each block finds the bit of its round, and
//! its wait ends after all additions of it. The next turn takes the addition of the block that
//! waits.
//! **Misses**: other choices of the one block than the first of a grid of one dimension.
//! **Assumes**: as [`super`].

use heddle_ir::{
    AccessKind, AtomicOp, BinOp, CmpOp, ExprId, ExprKind, Kernel, OpId, Special, UnOp,
};

use super::Site;
use super::sum::{Sum, Sums};
use crate::facts::analysis::Analysis;

/// Whether an atomic adds one for each block but the first of the grid, and what is missing to
/// 2^(w-1) for that.
pub(super) fn adds_its_part(analysis: &Analysis<'_>, op: OpId) -> bool {
    let kernel = analysis.kernel;
    let Some(AccessKind::Atomic(AtomicOp::Add, operands)) = kernel.access(op).map(|it| &it.kind)
    else {
        return false;
    };
    let Some(&amount) = operands.first() else { return false };
    let ExprKind::Select(condition, first, other) = kernel[amount].kind else { return false };
    let width = kernel.exprs.width(amount);
    let (condition, first, other) =
        if let ExprKind::Unary(UnOp::Not, inner) = kernel[condition].kind {
            (inner, other, first)
        } else {
            (condition, first, other)
        };
    if !is_first_block(kernel, condition) {
        return false;
    }
    let sums = Sums { kernel, scopes: &analysis.scopes, launch: analysis.launch };
    let missing = || {
        let others = sums.blocks(width)?.minus(&Sum::constant(1, width))?;
        Sum::constant(1 << (width - 1), width).minus(&others)
    };
    let is_line = analysis.launch.grid[1..].iter().all(|it| it.known() == Some(1));
    let read = sums.read(first);
    is_line && kernel.exprs.as_const(other) == Some(1) && read.is_some() && read == missing()
}

fn is_first_block(kernel: &Kernel, condition: ExprId) -> bool {
    let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[condition].kind else { return false };
    kernel[a].kind == ExprKind::Special(Special::Ctaid(0)) && kernel.exprs.as_const(b) == Some(0)
}

/// Whether the wait of a place goes on while the highest bit is what the addition has found.
pub(super) fn waits_for_turn(kernel: &Kernel, site: Site) -> bool {
    let is_result = |id: ExprId, of: OpId| kernel[id].kind == ExprKind::Result(of, 0);
    let is_difference = |id: ExprId| {
        let ExprKind::Binary(BinOp::Xor, _, a, b) = kernel[id].kind else { return false };
        is_result(a, site.add) && is_result(b, site.read)
            || is_result(b, site.add) && is_result(a, site.read)
    };
    let is_highest = |id: ExprId| {
        let ExprKind::Binary(BinOp::And, _, a, b) = kernel[id].kind else { return false };
        let highest = 1_u128 << (kernel.exprs.width(id) - 1);
        is_difference(a) && kernel.exprs.as_const(b) == Some(highest)
            || is_difference(b) && kernel.exprs.as_const(a) == Some(highest)
    };
    let is_zero = |id: ExprId| kernel.exprs.as_const(id) == Some(0);
    let compared = |id: ExprId, wanted: CmpOp| {
        let ExprKind::Cmp(op, a, b) = kernel[id].kind else { return None };
        (op == wanted).then_some([a, b])
    };
    let cont = site.waits_while;
    let bit_is_zero = compared(cont, CmpOp::Eq).is_some_and(|[a, b]| is_highest(a) && is_zero(b));
    // The difference is not negative.
    let is_not_negative =
        compared(cont, CmpOp::Sle).is_some_and(|[a, b]| is_zero(a) && is_difference(b));
    bit_is_zero || is_not_negative
}
