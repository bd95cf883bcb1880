//! What results of atomic counters tell: which of two threads came first, and that a block was
//! the last.
//!
//! **What**: facts about the values that two threads got from one counter ([`super::reserved`]),
//! and about two accesses that the counter puts in an order: *the last block* (the reduction with
//! `__threadfence` of CUDA's programming guide). One thread of each block takes a ticket after a
//! fence; the block with the highest ticket goes on, after a second fence, and reads what the
//! others wrote. It may also set the counter back for the next launch.
//! **Method**: all additions to the counter are one, of one, at a scope that includes every
//! thread which may add, done by the first thread of each block at most once. Other writes to it
//! are allowed where the solver finds that only the block with the highest ticket does them.
//! Where each row of blocks has a counter of its own, as the solver finds, its blocks are those
//! that count.
//! **Sound because**: the highest ticket, one less than the number of blocks, is read only after
//! all other blocks have added, as each adds once: hence nobody adds after a write that only this
//! block does, and that write changes no ticket. (If one did, take the first such write whose own
//! ticket does not come from another such write: all blocks have added before it.) A block with a
//! lower ticket wrote before, by release and acquire through the counter (PTX ISA, section 8.9).
//! A fence and the atomic are such a pattern only if one thread does both; with a barrier between
//! them, both fences must be sequentially consistent, as `__threadfence` is: then their order
//! cannot be the other one, against the order in which the counter was read. The addition itself
//! comes before what the last block does after its own: it is observed there, and observation
//! followed by program order or barriers is causality order (section 8.9.5), without a fence.
//! OpenCL has no such rule; there the addition must release and acquire itself.
//! **Misses**: other patterns; a pair that they may order is left undecided, never called racy.
//! **Assumes**: the counter starts at zero and does not wrap around; each answer names it. No
//! counter is taken for one where the program gives it another value to start with.

use heddle_diagnostics::Assumption;
use heddle_ir::{
    AccessKind, AtomicOp, BinOp, CmpOp, ExprId, ExprKind, NoWrap, OpId, Scope, Special, ValueFrom,
};
use heddle_solver::Budget;

use super::hand_over::{access, guard, handed_over};
use super::reserved::{is_first, state_slots};
use super::winners::state_winners;
use super::word::{is_common, word_size, writes_to_word};
use crate::engine::instance::{Instance, Placement};
use crate::facts::order::only_first_thread;
use crate::facts::thread::Thread;
use crate::facts::uniformity::Varies;

/// States what the results of atomics, as far as the instance has looked at them, tell of the two
/// threads, and of the two accesses where these are given.
pub(super) fn state_tickets(instance: &mut Instance<'_>, ops: Option<[OpId; 2]>, budget: &Budget) {
    if let Some(ops) = ops
        && instance.placement.is_across()
    {
        let mut counted: Vec<(OpId, ExprId)> =
            instance.tickets().iter().map(|it| (it.op, it.id)).collect();
        counted.sort_unstable();
        counted.dedup();
        for (op, id) in counted {
            state_last_block(instance, ops, op, id, budget);
        }
    }
    state_slots(instance, budget);
    state_winners(instance);
}

/// The last-block idiom, with an atomic that numbers the blocks.
fn state_last_block(
    instance: &mut Instance<'_>,
    ops: [OpId; 2],
    atomic: OpId,
    id: ExprId,
    budget: &Budget,
) {
    let analysis = instance.analysis;
    let Some(counts) = numbers_blocks(instance, atomic, id, budget) else { return };
    instance.rely_on(Assumption::CountersStartAtZero);
    let offset = access(instance, atomic).address.offset;
    let leaders = [Thread::One, Thread::Two].map(|it| instance.root(it.leader()));
    let tickets = leaders.map(|frame| instance.at(frame, id));
    let took = leaders.map(|frame| instance.at(frame, analysis.kernel[atomic].pred));
    let places = leaders.map(|frame| instance.at(frame, offset));
    let one_counter = instance.pool.eq(places[0], places[1]);
    let mut both = instance.pool.and(counts, one_counter);
    for it in took {
        both = instance.pool.and(both, it);
    }
    let Some(last) = last_ticket(instance, atomic, budget) else { return };
    for (index, thread) in [Thread::One, Thread::Two].into_iter().enumerate() {
        let low = instance.pool.cmp(CmpOp::Ule, tickets[index], last);
        let given = instance.pool.and(counts, took[index]);
        let fact = instance.pool.implies(given, low);
        instance.state(fact);
        state_own_ticket(instance, thread, atomic, id);
    }
    let differ = instance.pool.ne(tickets[0], tickets[1]);
    let fact = instance.pool.implies(both, differ);
    instance.state(fact);
    for writer in [Thread::One, Thread::Two] {
        let reader = if writer == Thread::One { Thread::Two } else { Thread::One };
        let [write, read] = [writer, reader].map(|thread| ops[thread.index()]);
        let earlier = instance.pool.ult(tickets[writer.index()], tickets[reader.index()]);
        let ordered = instance.pool.and(both, earlier);
        for by_first in handed_over(instance, write, atomic, read) {
            let mut ordered = ordered;
            for (thread, by_first) in [writer, reader].into_iter().zip(by_first) {
                if by_first {
                    let first = is_first(instance, thread);
                    ordered = instance.pool.and(ordered, first);
                }
            }
            let fact = instance.pool.not(ordered);
            instance.state(fact);
        }
    }
}

/// A thread that takes a ticket where only the first of a block does is that one, and got what it
/// got.
fn state_own_ticket(instance: &mut Instance<'_>, thread: Thread, atomic: OpId, id: ExprId) {
    let analysis = instance.analysis;
    let frames = [thread, thread.leader()].map(|it| instance.root(it));
    let took = frames.map(|frame| instance.at(frame, analysis.kernel[atomic].pred));
    let tickets = frames.map(|frame| instance.at(frame, id));
    let same = instance.pool.eq(tickets[0], tickets[1]);
    let fact = instance.pool.and(same, took[1]);
    let fact = instance.pool.implies(took[0], fact);
    instance.state(fact);
}

/// Whether the results of an atomic number the blocks from zero, each block having one at most;
/// where it wraps at a limit, the condition that the limit is not below the highest number.
fn numbers_blocks(
    instance: &mut Instance<'_>,
    atomic: OpId,
    id: ExprId,
    budget: &Budget,
) -> Option<ExprId> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let it = access(instance, atomic);
    let AccessKind::Atomic(op, operands) = &it.kind else { return None };
    let operand = *operands.first()?;
    let object = it.address.object;
    let (_, scope) = it.order?;
    let numbers = is_common(kernel, object, Placement::DifferentBlocks)
        && kernel[object].initial.may_be_zeros()
        && scope >= Scope::Device
        && word_size(kernel, it).is_some()
        && instance.pool.width(operand) == 32
        && kernel[id].kind == ExprKind::Result(atomic, 0)
        && analysis.order.chain(atomic).is_empty()
        && only_first_thread(kernel, analysis.launch, kernel[atomic].pred);
    if !numbers {
        return None;
    }
    let counts = match op {
        AtomicOp::Add if instance.pool.as_const(operand) == Some(1) => instance.pool.truth(),
        // All blocks must wrap at one limit, those that are neither thread's among them.
        AtomicOp::IncWrap if analysis.uniformity.variation(operand).varies == Varies::Never => {
            let limit = instance.at(instance.root(Thread::One), operand);
            let last = last_ticket(instance, atomic, budget)?;
            instance.pool.cmp(CmpOp::Ule, last, limit)
        }
        AtomicOp::Add
        | AtomicOp::IncWrap
        | AtomicOp::Exchange
        | AtomicOp::Sub
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Nand
        | AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::DecWrap
        | AtomicOp::CompareExchange
        | AtomicOp::CompareExchangeWeak
        | AtomicOp::FAdd
        | AtomicOp::FSub
        | AtomicOp::FMin
        | AtomicOp::FMax => return None,
    };
    let writes = writes_to_word(kernel, it)?;
    let resets: Vec<OpId> =
        writes.into_iter().map(|(op, _)| op).filter(|op| *op != atomic).collect();
    // The last block of a row may set back no counter but its own.
    let many = !resets.is_empty() && !counters_of(instance, atomic, budget).is_empty();
    let mut last_only = |op: &OpId| only_by_last(instance, (*op, many), (atomic, id), budget);
    resets.iter().all(&mut last_only).then_some(counts)
}

/// Whether an operation is done only by threads of the block that took the highest ticket; where
/// there are many counters, to the one that it took it from.
fn only_by_last(
    instance: &mut Instance<'_>,
    (op, many): (OpId, bool),
    (atomic, id): (OpId, ExprId),
    budget: &Budget,
) -> bool {
    let analysis = instance.analysis;
    if !analysis.order.before(atomic, op) {
        return false;
    }
    let mut apart = instance.of_other_threads(Placement::DifferentBlocks);
    let frame = apart.root(Thread::One);
    let done = apart.at(frame, guard(instance, op));
    apart.state(done);
    state_own_ticket(&mut apart, Thread::One, atomic, id);
    let leader = apart.root(Thread::LeaderOfOne);
    let (ticket, took) = (apart.at(leader, id), apart.at(leader, analysis.kernel[atomic].pred));
    let Some(last) = last_ticket(&mut apart, atomic, budget) else { return false };
    let highest = apart.pool.eq(ticket, last);
    let took_highest = apart.pool.and(took, highest);
    let mut another = apart.pool.not(took_highest);
    if many {
        let [write, counter] = [op, atomic].map(|op| access(instance, op));
        let is_word = write.size == counter.size
            && write.address.object == counter.address.object
            && analysis.order.chain(op).is_empty();
        if !is_word {
            return false;
        }
        let place = apart.at(frame, write.address.offset);
        let own = apart.at(leader, counter.address.offset);
        let elsewhere = apart.pool.ne(place, own);
        another = apart.pool.or(another, elsewhere);
    }
    match apart.ask(&[another], budget).held() {
        Some(held) => {
            instance.rely_on_all(&held);
            true
        }
        None => false,
    }
}

/// One less than the number of blocks that add to one counter, in 32 bits; nothing where there may
/// be more of them.
fn last_ticket(instance: &mut Instance<'_>, atomic: OpId, budget: &Budget) -> Option<ExprId> {
    let own = counters_of(instance, atomic, budget);
    let shared: Vec<u8> = [0, 1, 2].into_iter().filter(|d| !own.contains(d)).collect();
    let grid = &instance.analysis.launch.grid;
    let most: u128 = shared.iter().map(|d| u128::from(grid[usize::from(*d)].limit())).product();
    if most > 1 << 32 {
        return None;
    }
    let mut blocks = instance.pool.constant(1, 32);
    for d in shared {
        let size = instance.grid_size(d);
        blocks = instance.pool.binary_flagged(BinOp::Mul, NoWrap::UNSIGNED, blocks, size);
    }
    let one = instance.pool.constant(1, 32);
    Some(instance.pool.sub(blocks, one))
}

/// The dimensions of the grid in which blocks that differ have counters of their own: where a
/// counter is chosen by the number of the block in them, and no two choose one.
fn counters_of(instance: &mut Instance<'_>, atomic: OpId, budget: &Budget) -> Vec<u8> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let place = access(instance, atomic).address.offset;
    let mut numbers: Vec<(u8, ExprId)> = Vec::new();
    let mut fixed = true;
    kernel.exprs.for_each_below(place, |id| match kernel[id].kind.value_from() {
        ValueFrom::Launch => {
            if let ExprKind::Special(Special::Ctaid(d)) = kernel[id].kind {
                numbers.push((d, id));
            } else {
                fixed &= analysis.uniformity.variation(id).varies == Varies::Never;
            }
        }
        ValueFrom::Operands => {}
        ValueFrom::Var(_)
        | ValueFrom::Exit(..)
        | ValueFrom::Result(..)
        | ValueFrom::Nothing
        | ValueFrom::Analysis(_) => fixed = false,
    });
    if !fixed || numbers.is_empty() {
        return Vec::new();
    }
    let mut apart = instance.of_other_threads(Placement::DifferentBlocks);
    let frames = [Thread::One, Thread::Two].map(|it| apart.root(it));
    let places = frames.map(|frame| apart.at(frame, place));
    let one_counter = apart.pool.eq(places[0], places[1]);
    let mut differ = apart.pool.falsity();
    for (_, number) in &numbers {
        let [one, two] = frames.map(|frame| apart.at(frame, *number));
        let other = apart.pool.ne(one, two);
        differ = apart.pool.or(differ, other);
    }
    apart.state_placement();
    match apart.ask(&[one_counter, differ], budget).held() {
        Some(held) => {
            instance.rely_on_all(&held);
            numbers.into_iter().map(|(d, _)| d).collect()
        }
        None => Vec::new(),
    }
}
