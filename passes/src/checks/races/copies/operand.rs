//! Operands of matrix products, among the parts of copies.
//!
//! **What**: how the part of a copy that is an operand is asked about.
//! **Sound because**: an operand is asked about as far as it may reach, for a proof; for a model,
//! with what it reads for certain, and threads of two warpgroups.
//! **Misses**: threads of one warpgroup that meet an operand of its own.
//! **Assumes**: [`heddle_diagnostics::Assumption::OperandsAsDescribed`].

use heddle_ir::{BinOp, ExprId, ExprKind, OpId};
use heddle_solver::Budget;

use crate::engine::alone::alone_at;
use crate::engine::instance::Instance;
use crate::facts::analysis::Analysis;
use crate::facts::phases::WARPGROUP;
use crate::facts::thread::Thread;

/// Of an operand that reaches to the end of the line after so many others: how far it is into its
/// line, and how far that reaches from the start of the line, where it plainly begins in one.
pub(super) fn into_line(
    analysis: &Analysis<'_>,
    op: OpId,
    reach: ExprId,
) -> Option<(ExprId, ExprId)> {
    let exprs = &analysis.kernel.exprs;
    let ExprKind::Binary(BinOp::Sub, _, whole, rest) = exprs[reach].kind else { return None };
    let ExprKind::Binary(BinOp::And, _, into, mask) = exprs[rest].kind else { return None };
    let (mut instance, frame) = alone_at(analysis, op);
    let [at, mask] = [into, mask].map(|it| instance.at(frame, it));
    let beyond = instance.pool.ult(mask, at);
    instance.state(beyond);
    let budget = Budget { instances: 0, conflicts: 4_000, ..Budget::default() };
    let held = instance.ask(&[], &budget).held()?;
    // What holds only under a condition is left as it is.
    held.relies().is_empty().then_some((into, whole))
}

/// States that the two threads are of different warpgroups.
pub(super) fn state_other_warpgroup(instance: &mut Instance<'_>) {
    let [one, two] = [Thread::One, Thread::Two].map(|thread| {
        let linear = instance.linear_tid(thread);
        let size = instance.pool.constant(u128::from(WARPGROUP), 32);
        instance.pool.binary(BinOp::UDiv, linear, size)
    });
    let differ = instance.pool.ne(one, two);
    instance.state(differ);
}
