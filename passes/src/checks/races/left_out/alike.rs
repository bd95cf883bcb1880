//! Whether the four warps of a warpgroup issue matrix products, and wait for them, alike.
//!
//! **What**: [`unlike`] is a product, a commit or a wait that one thread of a warpgroup executes
//! and another one does not.
//! **Method**: two threads of one warpgroup, in the same iterations of all loops around: the solver
//! looks for values under which a condition of the operation, or of a loop around it, holds for one
//! of them alone. What depends on memory, or on what other threads do, is not asked about.
//! **Sound because**: who is in the first iteration with another, and goes on alike in each, is
//! with the other in all.
//! **Misses**: what memory decides; there it is taken for granted that warps agree
//! ([`heddle_diagnostics::Assumption::OperandsAsDescribed`]).
//! **Assumes**: nothing.

use heddle_ir::{AsyncMechanism, BinOp, ExprId, ExprKind, Kernel, LoopId, OpId, OpKind};
use heddle_solver::Budget;
use rustc_hash::FxHashSet;

use crate::engine::answer::Asked;
use crate::engine::instance::{Instance, Placement, WrapAround};
use crate::facts::analysis::Analysis;
use crate::facts::phases::WARPGROUP;
use crate::facts::thread::Thread;

/// What one question may cost.
const CONFLICTS: u64 = 2_000;

/// An operation that warps of a warpgroup do not do alike.
pub(super) fn unlike(analysis: &Analysis<'_>) -> Option<OpId> {
    let kernel = analysis.kernel;
    let mut asked = FxHashSet::default();
    let mut ops = kernel.ops.keys().filter(|op| is_of_products(kernel, *op));
    ops.find(|op| {
        let key = (kernel[*op].pred, analysis.order.chain(*op).to_vec());
        asked.insert(key) && differs(analysis, *op)
    })
}

fn is_of_products(kernel: &Kernel, op: OpId) -> bool {
    let of_products = matches!(
        kernel[op].kind,
        OpKind::AsyncCommit(AsyncMechanism::Matrix)
            | OpKind::AsyncWait { mechanism: AsyncMechanism::Matrix, .. }
    );
    of_products || kernel.is_of_warpgroup(op)
}

fn differs(analysis: &Analysis<'_>, op: OpId) -> bool {
    let kernel = analysis.kernel;
    let chain = analysis.order.chain(op);
    let mut instance = Instance::new(analysis, Placement::SameBlock, WrapAround::Happens);
    instance.state_placement();
    let groups = [Thread::One, Thread::Two].map(|thread| {
        let linear = instance.linear_tid(thread);
        let size = instance.pool.constant(u128::from(WARPGROUP), 32);
        instance.pool.binary(BinOp::UDiv, linear, size)
    });
    let same = instance.pool.eq(groups[0], groups[1]);
    instance.state(same);
    let mut frames = [instance.root(Thread::One), instance.root(Thread::Two)];
    let mut unequal = instance.pool.falsity();
    let mut compare = |instance: &mut Instance<'_>, frames: [_; 2], condition: ExprId| {
        if is_computed(kernel, condition) {
            let [one, two] = frames.map(|frame| instance.at(frame, condition));
            let differ = instance.pool.ne(one, two);
            unequal = instance.pool.or(unequal, differ);
        }
    };
    for &of in chain {
        let k = instance.iteration_symbol(of, None);
        compare(&mut instance, frames, kernel[of].pred);
        frames = frames.map(|frame| instance.enter(frame, of, k));
        compare(&mut instance, frames, kernel[of].cont);
    }
    compare(&mut instance, frames, kernel[op].pred);
    instance.state_executed(op, frames[0]);
    instance.state(unequal);
    let budget = Budget { instances: 0, conflicts: CONFLICTS, ..Budget::default() };
    matches!(instance.ask(&[], &budget), Asked::Sat(_))
}

/// Whether a condition is computed from what a thread is and what the launch gives.
fn is_computed(kernel: &Kernel, condition: ExprId) -> bool {
    let mut seen = FxHashSet::default();
    let mut ends: FxHashSet<LoopId> = FxHashSet::default();
    let mut work = vec![condition];
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match kernel[id].kind {
            ExprKind::Result(..) | ExprKind::Undef(_) | ExprKind::Pure(..) | ExprKind::Sym(_) => {
                return false;
            }
            ExprKind::Var(var) => work.extend([kernel[var].init, kernel[var].next]),
            ExprKind::Exit(of, value) => {
                work.push(value);
                if ends.insert(of) {
                    work.push(kernel[of].cont);
                }
            }
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..) => kernel.exprs.for_each_operand(id, |it| work.push(it)),
        }
    }
    true
}
