//! Locks that several readers share: a word that counts them, or holds a writer's value.
//!
//! **What**: which compare-and-swaps let a reader in (`atomicCAS(l, n, n + 1)`), and which
//! additions let it out (`atomicSub(l, 1)`).
//! **Method**: the number that a reader expects is asked about for any launch: where the
//! compare-and-swap is done it is neither a value that writers store, nor the one before zero.
//! Writers go in by a compare-and-swap from zero.
//! **Sound because**: only who is in as a reader, once each, counts down, and each counts up by one
//! first; so the word is at least as large as there are readers inside, as it never wraps around to
//! zero. Hence it is zero only without readers. A writer goes in at zero only; while it is in, the
//! word is what writers store, which no reader expects, and no reader is there to count down. So
//! writers are alone. In coherence order only read-modify-writes stand between the end of one
//! section and the beginning of the next writer's, and between the end of a writer's and the
//! beginning of each reader's up to the next writer: each of these acquires reads from the release
//! through them (PTX ISA, section 8.9.2). Two readers are not ordered by it.
//! **Misses**: readers that count up first and look then; writers that leave by an addition.
//! **Assumes**: nothing.

use heddle_ir::{Access, AccessKind, AtomicOp, BinOp, ExprId, ExprKind, Kernel, OpId, mask};
use heddle_solver::Budget;

use crate::engine::answer::Held;
use crate::engine::instance::{Instance, Placement};
use crate::engine::settle::{Seek, Settled, settle};
use crate::facts::analysis::Analysis;
use crate::facts::thread::Thread;

/// What a compare-and-swap expects that stores one more.
pub(super) fn expected_by_reader(kernel: &Kernel, access: &Access) -> Option<ExprId> {
    let AccessKind::Atomic(AtomicOp::CompareExchange, operands) = &access.kind else { return None };
    let [expected, stored] = operands[..] else { return None };
    let ExprKind::Binary(BinOp::Add, _, a, b) = kernel[stored].kind else { return None };
    let one = |id: ExprId| kernel.exprs.as_const(id) == Some(1);
    let next = a == expected && one(b) || b == expected && one(a);
    (next && kernel.exprs.as_const(expected).is_none()).then_some(expected)
}

/// Whether an access counts down by one.
pub(super) fn counts_down(kernel: &Kernel, access: &Access) -> bool {
    let AccessKind::Atomic(op, operands) = &access.kind else { return false };
    let Some(&by) = operands.first() else { return false };
    let (value, width) = (kernel.exprs.as_const(by), kernel.exprs.width(by));
    match op {
        AtomicOp::Add => value == Some(mask(u128::MAX, width)),
        AtomicOp::Sub => value == Some(1),
        AtomicOp::Exchange
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Nand
        | AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::IncWrap
        | AtomicOp::DecWrap
        | AtomicOp::CompareExchange
        | AtomicOp::CompareExchangeWeak
        | AtomicOp::FAdd
        | AtomicOp::FSub
        | AtomicOp::FMin
        | AtomicOp::FMax => false,
    }
}

/// That readers go in neither at a writer's value nor at the one before zero, where this is what
/// writers store.
pub(super) fn keep_out(
    analysis: &Analysis<'_>,
    reader: OpId,
    expected: ExprId,
    of_writers: &[u128],
    budget: &Budget,
) -> Option<Held> {
    let meet = |instance: &mut Instance<'_>| {
        instance.state_placement();
        let chain = analysis.order.chain(reader);
        let frame = chain.iter().fold(instance.root(Thread::One), |at, of| {
            let round = instance.iteration_symbol(*of, Some(Thread::One));
            instance.enter(at, *of, round)
        });
        instance.state_executed(reader, frame);
        let value = instance.at(frame, expected);
        let width = instance.pool.width(value);
        let mut taken = instance.pool.falsity();
        for number in of_writers.iter().copied().chain([u128::MAX]) {
            let number = instance.pool.constant(mask(number, width), width);
            let same = instance.pool.eq(value, number);
            taken = instance.pool.or(taken, same);
        }
        instance.state(taken);
    };
    match settle(analysis, Placement::SameThread, Seek::Any, budget, meet) {
        Settled::Holds(held) => Some(held),
        Settled::Fails(_) | Settled::Open(_) => None,
    }
}
