//! What results of atomic counters tell: which of two threads came first, and that a block was the
//! last.
//!
//! **What**: facts about the values that two threads got from one counter, and about two accesses
//! that the counter puts in an order. Two idioms. *Slots*: results of additions to one counter are
//! apart by what was added. *The last block* (the reduction with `__threadfence` of CUDA's
//! programming guide): one thread of each block takes a ticket after a fence; the block with the
//! highest ticket goes on, after a second fence, and reads what the others wrote. It may also set
//! the counter back for the next launch.
//! **Method**: a counter is an object to which all writes are additions of constants to aligned
//! words of one size, at a scope that includes every thread which may add. For the last block there
//! is one such addition, of one, done by the first thread of each block at most once. Other writes
//! to it are allowed where the solver finds that only the block with the highest ticket does them.
//! **Sound because**: words of one size at multiples of that size have no byte in common, so each
//! addition reads what the additions before it left, and without a wrap-around the ranges that they
//! add are disjoint. The highest ticket, one less than the number of blocks, is read only after all
//! other blocks have added, as each adds once: hence nobody adds after a write that only this block
//! does, and that write changes no ticket. (If one did, take the first such write whose own ticket
//! does not come from another such write: all blocks have added before it.) A block with a lower
//! ticket wrote before, by release and acquire through the counter (PTX ISA, section 8.9). A fence
//! and the atomic are such a pattern only if one thread does both; with a barrier between them,
//! both fences must be sequentially consistent, as `__threadfence` is: then their order cannot be
//! the other one, against the order in which the counter was read. The addition itself comes before
//! what the last block does after its own: it is observed there, and observation followed by
//! program order or barriers is causality order (section 8.9.5), without a fence. OpenCL has no
//! such rule; there the addition must release and acquire itself.
//! **Misses**: other patterns; a pair that they may order is left undecided, never called racy.
//! **Assumes**: the counter starts at zero and does not wrap around; each answer names it. No
//! counter is taken for one where the program gives it another value to start with.

use heddle_diagnostics::Assumption;
use heddle_ir::{
    Access, AccessKind, AtomicOp, BinOp, CastOp, CmpOp, ExprId, ExprKind, NoWrap, OpId, Scope,
    Space,
};
use heddle_solver::Budget;

use super::hand_over::{access, barrier_between, guard, handed_over};
use super::word::{is_common, needed_scope, word_size, writes_to};
use crate::engine::instance::{Instance, Placement, Ticket};
use crate::facts::launch::Extent;
use crate::facts::order::only_first_thread;
use crate::facts::thread::Thread;
use crate::facts::uniformity::Varies;

/// States what the results of atomics, as far as the instance has looked at them, tell of the two
/// threads, and of the two accesses where these are given.
pub(super) fn state_tickets(instance: &mut Instance<'_>, ops: Option<[OpId; 2]>, budget: &Budget) {
    if let Some(ops) = ops
        && instance.placement == Placement::DifferentBlocks
    {
        let mut counted: Vec<(OpId, ExprId)> =
            instance.tickets().iter().map(|it| (it.op, it.id)).collect();
        counted.sort_unstable();
        counted.dedup();
        for (op, id) in counted {
            state_last_block(instance, ops, op, id, budget);
        }
    }
    let tickets = instance.tickets().to_vec();
    for (index, one) in tickets.iter().enumerate() {
        for two in &tickets[..index] {
            state_slots(instance, one, two);
        }
    }
}

/// Results of two additions to one counter are apart by at least what the first of them added, if
/// nothing else changes the counter.
fn state_slots(instance: &mut Instance<'_>, one: &Ticket, two: &Ticket) {
    let threads = [one, two].map(|it| instance.thread(it.frame));
    let Some(others) = are_two(instance, threads) else { return };
    let kernel = instance.analysis.kernel;
    let [x, y] = [one, two].map(|it| access(instance, it.op));
    // Another object is another counter.
    if x.address.object != y.address.object
        || !is_common(kernel, x.address.object, instance.placement)
    {
        return;
    }
    let (Some(added_by_one), Some(added_by_two)) =
        (counter_step(instance, one.op, x), counter_step(instance, two.op, y))
    else {
        return;
    };
    let fills = [(one, added_by_one), (two, added_by_two)]
        .map(|(it, step)| fills_counter(instance, it, step));
    let [Some(one_fills), Some(two_fills)] = fills else { return };
    // Where all additions together fill it, the last of them ends at what the counter cannot hold.
    let at_the_end = u128::from(one_fills || two_fills);
    let mut given = others;
    for it in [one, two] {
        let executed = instance.at(it.frame, kernel[it.op].pred);
        given = instance.pool.and(given, executed);
    }
    let offsets =
        [(one, x), (two, y)].map(|(it, access)| instance.at(it.frame, access.address.offset));
    let same = instance.pool.eq(offsets[0], offsets[1]);
    let given = instance.pool.and(given, same);
    let width = instance.pool.width(one.value);
    let wide = if at_the_end == 0 { width } else { 2 * width };
    let [first, second] = [one, two].map(|it| instance.pool.cast(CastOp::Zext, it.value, wide));
    let ends =
        [(one, first, added_by_one), (two, second, added_by_two)].map(|(it, value, step)| {
            let highest = heddle_ir::mask(u128::MAX, width) - step + at_the_end;
            let highest = instance.pool.constant(highest, width);
            let no_wrap = instance.pool.cmp(CmpOp::Ule, it.value, highest);
            let fact = instance.pool.implies(given, no_wrap);
            instance.state(fact);
            let step = instance.pool.constant(step, wide);
            instance.pool.binary_flagged(BinOp::Add, NoWrap::UNSIGNED, value, step)
        });
    let before = instance.pool.cmp(CmpOp::Ule, ends[0], second);
    let after = instance.pool.cmp(CmpOp::Ule, ends[1], first);
    let apart = instance.pool.or(before, after);
    let fact = instance.pool.implies(given, apart);
    instance.state(fact);
    instance.rely_on(Assumption::CountersStartAtZero);
}

/// A counter that this many additions do not fill is taken not to wrap around.
const ADDITIONS: u128 = 1 << 20;

/// Whether all additions of the launch fill the counter exactly; `None` where an assumption that it
/// does not wrap around may leave no run: what the launch adds to it is known, and too much; or it
/// is not known, and takes few additions to be so.
fn fills_counter(instance: &Instance<'_>, ticket: &Ticket, step: u128) -> Option<bool> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let object = access(instance, ticket.op).address.object;
    let writes = writes_to(kernel, object)?;
    let added = |it: &Access| match &it.kind {
        AccessKind::Atomic(AtomicOp::Add, operands) => {
            operands.first().and_then(|it| kernel.exprs.as_const(*it))
        }
        AccessKind::Atomic(AtomicOp::IncWrap, _) => Some(1),
        AccessKind::Atomic(..) | AccessKind::Load | AccessKind::Store(_) => None,
    };
    let highest = heddle_ir::mask(u128::MAX, instance.pool.width(ticket.value));
    // What the kernel sets it to may be anything in its lower half ([`starts_low`]).
    let is_set = writes.iter().any(|(_, it)| added(it).is_none());
    let room = if is_set { highest / 2 } else { highest };
    let steps = writes.iter().filter_map(|(op, it)| Some((*op, added(it)?)));
    let largest = steps.clone().map(|(_, step)| step).fold(step, u128::max);
    let known = |sizes: [Extent; 3]| -> Option<u128> {
        sizes.iter().map(|it| it.known().map(u128::from)).product()
    };
    let blocks = match kernel[object].space {
        Space::Shared => Some(1),
        Space::Global | Space::Generic | Space::Constant | Space::Local => {
            known(analysis.launch.grid)
        }
    };
    let threads = known(analysis.launch.block).zip(blocks);
    let together = threads.and_then(|(threads, blocks)| {
        steps.clone().try_fold(0u128, |sum, (op, step)| {
            let rounds = analysis.order.chain(op).iter().map(|of| {
                let trips = analysis.trips(*of)?;
                Some(u128::from(trips.last) + 1)
            });
            let rounds: Option<u128> = rounds.product();
            let times = threads.saturating_mul(blocks).saturating_mul(rounds?);
            Some(sum.saturating_add(times.saturating_mul(step)))
        })
    });
    let together = together.unwrap_or(ADDITIONS.saturating_mul(largest));
    (together <= room.saturating_add(1)).then_some(together > room)
}

/// The condition under which two of the threads are not one: the first thread of a block may itself
/// be one of the two. `None` where they always are one.
fn are_two(instance: &mut Instance<'_>, [one, two]: [Thread; 2]) -> Option<ExprId> {
    let is_leader = |it: Thread| matches!(it, Thread::LeaderOfOne | Thread::LeaderOfTwo);
    let one_block =
        instance.placement != Placement::DifferentBlocks || one.member() == two.member();
    match (is_leader(one), is_leader(two)) {
        _ if one == two => None,
        (true, true) if one_block => None,
        (false, true) if one_block => {
            let first = is_first(instance, one);
            Some(instance.pool.not(first))
        }
        (true, false) if one_block => {
            let first = is_first(instance, two);
            Some(instance.pool.not(first))
        }
        _ => Some(instance.pool.truth()),
    }
}

/// That a thread is the first of its block.
fn is_first(instance: &mut Instance<'_>, thread: Thread) -> ExprId {
    let zero = instance.pool.constant(0, 32);
    let mut first = instance.pool.truth();
    for d in [0, 1, 2] {
        let tid = instance.tid(thread, d);
        let here = instance.pool.eq(tid, zero);
        first = instance.pool.and(first, here);
    }
    first
}

/// What an atomic adds to a counter that the kernel changes in no other way than by adding
/// constants, but for setting it, in shared memory, before a barrier.
fn counter_step(instance: &Instance<'_>, atomic: OpId, access: &Access) -> Option<u128> {
    let kernel = instance.analysis.kernel;
    let object = access.address.object;
    if !kernel[object].initial.may_be_zeros() {
        return None;
    }
    let needed = needed_scope(instance.analysis, object, instance.placement);
    let size = word_size(kernel, access)?;
    let step = |access: &Access| {
        let (_, scope) = access.order?;
        if word_size(kernel, access) != Some(size) || scope < needed {
            return None;
        }
        match &access.kind {
            AccessKind::Atomic(AtomicOp::Add, operands) => {
                let value = kernel.exprs.as_const(*operands.first()?)?;
                let width = kernel.exprs.width(operands[0]);
                (value > 0 && value < 1 << (width - 1)).then_some(value)
            }
            AccessKind::Atomic(AtomicOp::IncWrap, operands) => {
                let operand = *operands.first()?;
                let limit = kernel.exprs.as_const(operand)?;
                let highest = heddle_ir::mask(u128::MAX, kernel.exprs.width(operand));
                (limit == highest).then_some(1)
            }
            AccessKind::Atomic(..) | AccessKind::Load | AccessKind::Store(_) => None,
        }
    };
    let own = step(access)?;
    let shared = kernel[object].space == Space::Shared;
    let sets = |op: OpId, other: &Access| {
        let order = &instance.analysis.order;
        shared
            && starts_low(instance, other)
            && order.chain(op).is_empty()
            && order.before(op, atomic)
            && barrier_between(instance, op, atomic)
    };
    let writes = writes_to(kernel, object)?;
    let counts = writes.iter().all(|(op, it)| step(it).is_some() || sets(*op, it));
    counts.then_some(own)
}

/// Whether a write leaves a counter at a value that is not already high: what would be taken not to
/// wrap around would do so at once.
fn starts_low(instance: &Instance<'_>, write: &Access) -> bool {
    let pool = &instance.analysis.kernel.exprs;
    let low = |value: &ExprId| match pool.as_const(*value) {
        Some(value_at_start) => value_at_start >> (pool.width(*value) - 1) == 0,
        None => true,
    };
    match &write.kind {
        AccessKind::Store(values) => !values.is_empty() && values.iter().all(low),
        AccessKind::Atomic(AtomicOp::Exchange, operands) => operands.iter().all(low),
        AccessKind::Atomic(..) | AccessKind::Load => false,
    }
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
    let Some(last) = last_ticket(instance) else { return };
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
            let last = last_ticket(instance)?;
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
    let writes = writes_to(kernel, object)?;
    let resets: Vec<OpId> =
        writes.into_iter().map(|(op, _)| op).filter(|op| *op != atomic).collect();
    let mut last_only = |op: &OpId| only_by_last(instance, *op, atomic, id, budget);
    resets.iter().all(&mut last_only).then_some(counts)
}

/// Whether an operation is done only by threads of the block that took the highest ticket.
fn only_by_last(
    instance: &mut Instance<'_>,
    op: OpId,
    atomic: OpId,
    id: ExprId,
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
    let Some(last) = last_ticket(&mut apart) else { return false };
    let highest = apart.pool.eq(ticket, last);
    let took_highest = apart.pool.and(took, highest);
    let another = apart.pool.not(took_highest);
    match apart.ask(&[another], budget).held() {
        Some(held) => {
            instance.rely_on_all(&held);
            true
        }
        None => false,
    }
}

/// One less than the number of blocks, in 32 bits; nothing where there may be more of them.
fn last_ticket(instance: &mut Instance<'_>) -> Option<ExprId> {
    let most: u128 =
        instance.analysis.launch.grid.iter().map(|size| u128::from(size.limit())).product();
    if most > 1 << 32 {
        return None;
    }
    let mut blocks = instance.pool.constant(1, 32);
    for d in [0, 1, 2] {
        let size = instance.grid_size(d);
        blocks = instance.pool.binary_flagged(BinOp::Mul, NoWrap::UNSIGNED, blocks, size);
    }
    let one = instance.pool.constant(1, 32);
    Some(instance.pool.sub(blocks, one))
}
