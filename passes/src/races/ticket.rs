//! What results of atomic counters tell: which of two threads came first, and that a block was the last.
//!
//! Two idioms. **Slots**: results of additions to one counter are apart by what was added. **The last block**
//! (CUDA's `threadFenceReduction` sample): one thread of each block takes a ticket behind a fence; the block whose
//! ticket is the highest possible one goes on, behind a second fence, and reads what the others wrote. A block with a lower
//! ticket wrote before, by release and acquire through the counter (PTX ISA, section 8.9).
//!
//! **Promises**: each fact holds in every run in which the counter starts at zero and does not wrap.
//! **Does not**: know other patterns; a pair they may order is left undecided, never called racy.

use heddle_ir::{
    Access, AccessKind, AtomicOp, BinOp, CmpOp, ExprId, ExprKind, NoWrap, OpId, OpKind, Order,
    Scope, Space, Special,
};

use crate::instance::{Instance, Placement, Thread, Ticket};
use crate::memory::may_alias;
use crate::order::{Level, Relation, implies};

/// States what the results of atomics, as far as the instance has looked at them, tell of the two threads, and of the two
/// accesses where these are given.
pub(super) fn state_tickets(instance: &mut Instance<'_>, ops: Option<[OpId; 2]>) {
    if let Some(ops) = ops
        && instance.placement == Placement::DifferentBlocks
    {
        let tickets = instance.tickets().to_vec();
        for ticket in tickets {
            state_last_block(instance, ops, ticket);
        }
    }
    let tickets = instance.tickets().to_vec();
    for (index, one) in tickets.iter().enumerate() {
        for two in &tickets[..index] {
            if instance.thread(one.frame) != instance.thread(two.frame) {
                state_slots(instance, one, two);
            }
        }
    }
}

/// Results of two additions to one counter are apart by at least what the first of them added, if nothing
/// else changes the counter.
fn state_slots(instance: &mut Instance<'_>, one: &Ticket, two: &Ticket) {
    let sides = [one, two].map(|it| {
        let access = access(instance, it.op);
        let step = counter_step(instance, it.op, access)?;
        let executed = instance.at(it.frame, instance.analysis.kernel[it.op].pred);
        let offset = instance.at(it.frame, access.address.offset);
        let width = instance.pool.width(it.value);
        let highest = heddle_ir::mask(u128::MAX, width) - step;
        let highest = instance.pool.constant(highest, width);
        let no_wrap = instance.pool.cmp(CmpOp::Ule, it.value, highest);
        instance.state(no_wrap);
        let step = instance.pool.constant(step, width);
        let end = instance.pool.binary_flagged(BinOp::Add, NoWrap::UNSIGNED, it.value, step);
        Some((access.address.object, executed, offset, it.value, end))
    });
    let [Some(x), Some(y)] = sides else { return };
    // A counter in shared memory is another one in each block.
    let shared = instance.analysis.kernel[x.0].space != Space::Global;
    if shared && instance.placement == Placement::DifferentBlocks {
        return;
    }
    if x.0 != y.0 || instance.pool.width(x.3) != instance.pool.width(y.3) {
        return;
    }
    let same = instance.pool.eq(x.2, y.2);
    let both = instance.pool.and(x.1, y.1);
    let given = instance.pool.and(same, both);
    let before = instance.pool.cmp(CmpOp::Ule, x.4, y.3);
    let after = instance.pool.cmp(CmpOp::Ule, y.4, x.3);
    let apart = instance.pool.or(before, after);
    let fact = instance.pool.implies(given, apart);
    instance.state(fact);
    instance.relies_on_counters = true;
}

/// What an atomic adds to a counter that the kernel changes in no other way than by adding constants, but for
/// setting it, in shared memory, before a barrier.
fn counter_step(instance: &Instance<'_>, atomic: OpId, access: &Access) -> Option<u128> {
    let kernel = instance.analysis.kernel;
    let step = |access: &Access| match &access.kind {
        AccessKind::Atomic(AtomicOp::Add, operands) => {
            let value = kernel.exprs.as_const(*operands.first()?)?;
            let width = kernel.exprs.width(operands[0]);
            (value > 0 && value < 1 << (width - 1)).then_some(value)
        }
        AccessKind::Atomic(AtomicOp::IncWrap, operands) => {
            let limit = kernel.exprs.as_const(*operands.first()?)?;
            (limit == u128::from(u32::MAX)).then_some(1)
        }
        AccessKind::Atomic(..) | AccessKind::Load | AccessKind::Store(_) => None,
    };
    let own = step(access)?;
    let shared = kernel[access.address.object].space == Space::Shared;
    let sets = |op: OpId| {
        let order = &instance.analysis.order;
        shared
            && order.chain(op).is_empty()
            && order.before(op, atomic)
            && barrier_between(instance, op, atomic)
    };
    let counts = |op: OpId, other: &Access| !other.writes() || step(other).is_some() || sets(op);
    only_changed_by(instance, access, counts).then_some(own)
}

/// Whether every access that may touch an atomic's object passes a test, and nothing else may touch it.
fn only_changed_by(
    instance: &Instance<'_>,
    access: &Access,
    allowed: impl Fn(OpId, &Access) -> bool,
) -> bool {
    let kernel = instance.analysis.kernel;
    kernel.ops.iter().all(|(id, op)| match &op.kind {
        OpKind::Access(other) => {
            !may_alias(kernel, other.address.object, access.address.object) || allowed(id, other)
        }
        OpKind::Opaque(opaque) => opaque.touches.is_nothing(),
        OpKind::AsyncCopy(_) => false,
        OpKind::Barrier(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Exit(_) => true,
    })
}

/// The last-block idiom, with the ticket that the leader of the reading block took.
fn state_last_block(instance: &mut Instance<'_>, ops: [OpId; 2], ticket: Ticket) {
    let analysis = instance.analysis;
    let (writer, reader) = match instance.thread(ticket.frame) {
        Thread::LeaderOfOne => (Thread::Two, Thread::One),
        Thread::LeaderOfTwo => (Thread::One, Thread::Two),
        Thread::One | Thread::Two => return,
    };
    let access = access(instance, ticket.op);
    let once = analysis.order.chain(ticket.op).is_empty()
        && only_thread_zero(instance, analysis.kernel[ticket.op].pred);
    if analysis.kernel[access.address.object].space != Space::Global {
        return;
    }
    let Some(counts) = counts_blocks(instance, ticket.op, access) else { return };
    if !once {
        return;
    }
    let root = instance.root(writer.leader());
    let theirs = instance.at(root, ticket.id);
    let took = instance.at(root, analysis.kernel[ticket.op].pred);
    let [own_offset, their_offset] =
        [ticket.frame, root].map(|frame| instance.at(frame, access.address.offset));
    let one_counter = instance.pool.eq(own_offset, their_offset);
    let given = instance.pool.and(counts, one_counter);
    let blocks = block_count(instance);
    for result in [theirs, ticket.value] {
        let low = instance.pool.ult(result, blocks);
        let fact = instance.pool.implies(given, low);
        instance.state(fact);
    }
    let differ = instance.pool.ne(theirs, ticket.value);
    let both = instance.pool.and(given, took);
    let fact = instance.pool.implies(both, differ);
    instance.state(fact);
    instance.relies_on_counters = true;
    let [write, read] = [writer, reader].map(|thread| ops[thread.index()]);
    let Some(released_by_leader) = released(instance, write, ticket.op) else { return };
    let Some(acquired_by_leader) = acquired(instance, ticket.op, read) else { return };
    let earlier = instance.pool.ult(theirs, ticket.value);
    let mut ordered = instance.pool.and(both, earlier);
    for (thread, by_leader) in [(writer, released_by_leader), (reader, acquired_by_leader)] {
        if by_leader {
            let zero = instance.pool.constant(0, 32);
            for d in [0, 1, 2] {
                let tid = instance.tid(thread, d);
                let first = instance.pool.eq(tid, zero);
                ordered = instance.pool.and(ordered, first);
            }
        }
    }
    let fact = instance.pool.not(ordered);
    instance.state(fact);
}

/// Whether the atomic is the only one to change its object and adds one, so that its results number the
/// blocks; where it wraps at a limit, the condition that the limit is not below the highest number.
fn counts_blocks(instance: &mut Instance<'_>, atomic: OpId, access: &Access) -> Option<ExprId> {
    let AccessKind::Atomic(op, operands) = &access.kind else { return None };
    let operand = *operands.first()?;
    let same = |id, other: &Access| !other.writes() || id == atomic;
    if !only_changed_by(instance, access, same) || instance.pool.width(operand) != 32 {
        return None;
    }
    match op {
        AtomicOp::Add if instance.pool.as_const(operand) == Some(1) => Some(instance.pool.truth()),
        AtomicOp::IncWrap => {
            let root = instance.root(Thread::One);
            let limit = instance.at(root, operand);
            let blocks = block_count(instance);
            let one = instance.pool.constant(1, 32);
            let last = instance.pool.sub(blocks, one);
            Some(instance.pool.cmp(CmpOp::Ule, last, limit))
        }
        _ => None,
    }
}

fn block_count(instance: &mut Instance<'_>) -> ExprId {
    let mut blocks = instance.pool.constant(1, 32);
    for d in [0, 1, 2] {
        let size = instance.grid_size(d);
        blocks = instance.pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, blocks, size);
    }
    blocks
}

/// Whether a predicate plainly holds for the first thread of a block at most.
fn only_thread_zero(instance: &Instance<'_>, pred: ExprId) -> bool {
    let kernel = instance.analysis.kernel;
    let zero_in = |d: u8| {
        kernel.exprs.iter().any(|(id, expr)| match expr.kind {
            ExprKind::Cmp(CmpOp::Eq, a, b) => {
                kernel[a].kind == ExprKind::Special(Special::Tid(d))
                    && kernel.exprs.as_const(b) == Some(0)
                    && implies(kernel, pred, id)
            }
            _ => false,
        })
    };
    (0..3).all(|d| instance.analysis.launch.block[d as usize].known() == Some(1) || zero_in(d))
}

/// Whether a fence stands between a write and the block's ticket, and what it takes: `Some(true)` if the
/// write must be by the leader itself, `Some(false)` if a barrier brings it there.
fn released(instance: &Instance<'_>, write: OpId, ticket: OpId) -> Option<bool> {
    let analysis = instance.analysis;
    let brought = barrier_between(instance, write, ticket);
    let fence = fences(instance).find(|fence| {
        let between = analysis.order.before(write, *fence) && analysis.order.before(*fence, ticket);
        between && executed_with(instance, *fence, if brought { write } else { ticket }, ticket)
    })?;
    // Behind the barrier the leader's own fence does; before it each writer needs one.
    let early = barrier_between(instance, fence, ticket);
    let by_leader =
        implies(analysis.kernel, analysis.kernel[ticket].pred, analysis.kernel[fence].pred);
    match (brought, early) {
        (false, _) => Some(true),
        (true, true)
            if implies(analysis.kernel, guard(instance, write), analysis.kernel[fence].pred) =>
        {
            Some(false)
        }
        (true, false) if by_leader && barrier_between(instance, write, fence) => Some(false),
        (true, _) => Some(true),
    }
}

/// The same for the ticket and a read behind it.
fn acquired(instance: &Instance<'_>, ticket: OpId, read: OpId) -> Option<bool> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let fence = fences(instance).find(|fence| {
        let between = analysis.order.before(ticket, *fence) && analysis.order.before(*fence, read);
        between && executed_with(instance, *fence, ticket, read)
    })?;
    let by_leader = implies(kernel, kernel[ticket].pred, kernel[fence].pred);
    let by_reader = implies(kernel, guard(instance, read), kernel[fence].pred);
    let spread = (by_leader && barrier_between(instance, fence, read))
        || (by_reader && barrier_between(instance, ticket, fence));
    Some(!spread)
}

/// Fences of the device or wider, outside all loops.
fn fences<'i>(instance: &'i Instance<'_>) -> impl Iterator<Item = OpId> + 'i {
    let analysis = instance.analysis;
    analysis.kernel.ops.iter().filter_map(move |(op, it)| match it.kind {
        OpKind::Fence { order: Order::AcqRel | Order::SeqCst, scope, proxy: None }
            if scope >= Scope::Device && analysis.order.chain(op).is_empty() =>
        {
            Some(op)
        }
        _ => None,
    })
}

/// Whether who does one of two operations does the fence too.
fn executed_with(instance: &Instance<'_>, fence: OpId, one: OpId, other: OpId) -> bool {
    let kernel = instance.analysis.kernel;
    [one, other].into_iter().any(|op| implies(kernel, guard(instance, op), kernel[fence].pred))
        || kernel.exprs.as_const(kernel[fence].pred) == Some(1)
}

/// The predicate of an operation, or of the outermost loop around it.
fn guard(instance: &Instance<'_>, op: OpId) -> ExprId {
    let kernel = instance.analysis.kernel;
    match instance.analysis.order.chain(op).first() {
        Some(outermost) => kernel[*outermost].pred,
        None => kernel[op].pred,
    }
}

fn barrier_between(instance: &Instance<'_>, a: OpId, b: OpId) -> bool {
    let analysis = instance.analysis;
    analysis.order.obviously_ordered(analysis.kernel, a, b, Relation::Same, Level::Block)
}

fn access<'k>(instance: &Instance<'k>, op: OpId) -> &'k Access {
    instance.analysis.kernel.access(op).expect("a ticket is the result of an access")
}
