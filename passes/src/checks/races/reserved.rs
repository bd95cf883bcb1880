//! What additions to a counter reserve: ranges of numbers that no other addition to it gets.
//!
//! **What**: facts about the values that two threads got from one counter, and about what the
//! counter holds later. *Slots*: additions to one counter, with results `p` and `q`, of `a` and
//! `b`, reserve `[p, p + a)` and `[q, q + b)`, which are disjoint. *Counts*: a load of a counter in
//! shared memory, after a barrier after an addition, gives at least where that addition's range
//! ends, and at most what all additions of the block together can come to.
//! **Method**: a counter is a word of an object to which all writes, but those of other members of
//! its elements, are additions to aligned words of one size, at a scope that includes every thread
//! which may add. What is added is a constant, or a length: a value that is not negative in any
//! thread which adds it, as the solver finds for each such addition, with what is known there.
//! **Sound because**: words of one size at multiples of that size have no byte in common, so each
//! addition reads what the additions before it left. They are in one order, and the later of two
//! reads at least the sum of what the earlier read and added, as nothing is taken away in between
//! and nothing wraps around. A length of zero reserves nothing. A negative length would give others
//! what is taken already, and would be no wrap-around in the sense of the assumption: one that is
//! not excluded makes the object no counter.
//! **Misses**: lengths that are not negative for a reason outside the kernel, as differences of row
//! pointers; counters that are set back; counts in global memory and in loops that also add.
//! **Assumes**: the counter starts at zero and does not wrap around; each answer names it. No
//! counter is taken for one where the program gives it another value to start with, or where what
//! is added leaves no run that does not wrap around.

mod room;

use heddle_diagnostics::Assumption;
use heddle_ir::{Access, AccessKind, AtomicOp, BinOp, CastOp, CmpOp, ExprId, NoWrap, OpId, Space};
use heddle_solver::Budget;
use rustc_hash::FxHashMap;

use self::room::{constant_step, is_addition, is_filled, rounds, threads_of_a_block};
use super::hand_over::{access, barrier_between};
use super::word::{is_common, needed_scope, word_size, writes_to_word};
use crate::engine::answer::Held;
use crate::engine::instance::{FrameId, Instance, Placement, Read, Ticket};
use crate::engine::sums::state_sums;
use crate::facts::analysis::Analysis;
use crate::facts::thread::Thread;

/// What an addition adds to a counter.
#[derive(Clone, Copy)]
enum Step {
    Constant(u128),
    /// A value of the kernel that is not negative.
    Length(ExprId),
}

/// What is known of additions: for each the step, if its object is a counter for it.
struct Counters<'b> {
    budget: &'b Budget,
    /// Whether what an addition adds is a length, with what showing that took for granted.
    lengths: FxHashMap<OpId, Option<Held>>,
    /// Whether all additions fill the counter of one of them.
    filled: FxHashMap<OpId, Option<bool>>,
}

/// States what the results of atomics, as far as the instance has looked at them, tell of the two
/// threads.
pub(super) fn state_slots(instance: &mut Instance<'_>, budget: &Budget) {
    let mut counters =
        Counters { budget, lengths: FxHashMap::default(), filled: FxHashMap::default() };
    let tickets = instance.tickets().to_vec();
    for (index, one) in tickets.iter().enumerate() {
        state_highest(instance, &mut counters, one);
        for two in &tickets[..index] {
            state_apart(instance, &mut counters, one, two);
        }
    }
    state_counts(instance, &mut counters);
}

/// The result of an addition is at most what all others can come to; said of the two threads alone,
/// so that answers do not rest on it for nothing.
fn state_highest(instance: &mut Instance<'_>, counters: &mut Counters<'_>, ticket: &Ticket) {
    let analysis = instance.analysis;
    let it = access(instance, ticket.op);
    let thread = instance.thread(ticket.frame);
    if !thread.is_member() || !is_common(analysis.kernel, it.address.object, Placement::SameBlock) {
        return;
    }
    let Some(Step::Constant(step)) = counters.step(instance, ticket.op, it) else { return };
    let most = writes_to_word(analysis.kernel, it).and_then(|it| most_held(analysis, &it));
    let width = instance.pool.width(ticket.value);
    let Some(most) = most.filter(|it| *it <= heddle_ir::mask(u128::MAX, width)) else { return };
    let Some(highest) = most.checked_sub(step) else { return };
    let executed = instance.executed_in(ticket.frame, ticket.op);
    let given = instance.and_is_there(executed, instance.thread(ticket.frame));
    let highest = instance.pool.constant(highest, width);
    let bounded = instance.pool.cmp(CmpOp::Ule, ticket.value, highest);
    let fact = instance.pool.implies(given, bounded);
    instance.state(fact);
    instance.rely_on(Assumption::CountersStartAtZero);
}

/// Results of two additions to one counter are apart by at least what the first of them added, if
/// nothing else changes the counter.
fn state_apart(
    instance: &mut Instance<'_>,
    counters: &mut Counters<'_>,
    one: &Ticket,
    two: &Ticket,
) {
    let kernel = instance.analysis.kernel;
    let [x, y] = [one, two].map(|it| access(instance, it.op));
    // Another object is another counter.
    if x.address.object != y.address.object
        || !is_common(kernel, x.address.object, instance.placement)
    {
        return;
    }
    let Some(others) = are_two(instance, one, two) else { return };
    let steps = [(one, x), (two, y)].map(|(it, access)| counters.step(instance, it.op, access));
    let [Some(added_by_one), Some(added_by_two)] = steps else { return };
    let fills = [one, two].map(|it| counters.is_filled(instance, it.op));
    let [Some(one_fills), Some(two_fills)] = fills else { return };
    // Where all additions together fill it, the last of them ends at what the counter cannot hold.
    let at_the_end = u128::from(one_fills || two_fills);
    let mut given = others;
    for it in [one, two] {
        let executed = instance.executed_in(it.frame, it.op);
        given = instance.pool.and(given, executed);
        given = instance.and_is_there(given, instance.thread(it.frame));
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
            let step = added(instance, it.frame, step, width);
            let highest = instance.pool.constant(heddle_ir::mask(u128::MAX, width), width);
            let before = instance.pool.sub(highest, step);
            let end = instance.pool.constant(at_the_end, width);
            let limit = instance.pool.add(before, end);
            let no_wrap = instance.pool.cmp(CmpOp::Ule, it.value, limit);
            let fact = instance.pool.implies(given, no_wrap);
            instance.state(fact);
            let step = instance.pool.cast(CastOp::Zext, step, wide);
            instance.pool.binary_flagged(BinOp::Add, NoWrap::UNSIGNED, value, step)
        });
    let before = instance.pool.cmp(CmpOp::Ule, ends[0], second);
    let after = instance.pool.cmp(CmpOp::Ule, ends[1], first);
    let apart = instance.pool.or(before, after);
    let fact = instance.pool.implies(given, apart);
    instance.state(fact);
    instance.rely_on(Assumption::CountersStartAtZero);
}

/// What is added in a frame.
fn added(instance: &mut Instance<'_>, frame: FrameId, step: Step, width: u8) -> ExprId {
    match step {
        Step::Constant(value) => instance.pool.constant(value, width),
        Step::Length(value) => instance.at(frame, value),
    }
}

/// What loads of counters tell that come after additions to them.
fn state_counts(instance: &mut Instance<'_>, counters: &mut Counters<'_>) {
    let reads: Vec<Read> = instance.reads().to_vec();
    for read in reads.iter().filter(|it| instance.analysis.kernel[it.object].space == Space::Shared)
    {
        state_most(instance, read);
        for ticket in instance.tickets().to_vec() {
            state_counted(instance, counters, &ticket, read);
        }
    }
}

/// A count is at least where the range ends that an addition before it reserved.
fn state_counted(
    instance: &mut Instance<'_>,
    counters: &mut Counters<'_>,
    ticket: &Ticket,
    read: &Read,
) {
    let analysis = instance.analysis;
    let it = access(instance, ticket.op);
    let threads = [ticket.frame, read.frame].map(|frame| instance.thread(frame));
    let in_one_block =
        !instance.placement.is_across() || threads[0].member() == threads[1].member();
    if it.address.object != read.object
        || !in_one_block
        || !comes_after(analysis, ticket.op, read)
        || instance.pool.width(ticket.value) != instance.pool.width(read.value)
        || !barrier_between(instance, ticket.op, read.op)
    {
        return;
    }
    let Some(step) = counters.step(instance, ticket.op, it) else { return };
    if counters.is_filled(instance, ticket.op) != Some(false) {
        return;
    }
    let executed = instance.executed_in(ticket.frame, ticket.op);
    let looked = instance.executed_in(read.frame, read.op);
    let place = instance.at(ticket.frame, it.address.offset);
    let same = instance.pool.eq(place, read.offset);
    let mut given = instance.pool.and(executed, looked);
    given = instance.pool.and(given, same);
    for thread in threads {
        given = instance.and_is_there(given, thread);
    }
    let width = instance.pool.width(ticket.value);
    let step = added(instance, ticket.frame, step, width);
    let left = instance.pool.sub(read.value, step);
    let enough = instance.pool.cmp(CmpOp::Ule, step, read.value);
    let counted = instance.pool.cmp(CmpOp::Ule, ticket.value, left);
    let both = instance.pool.and(enough, counted);
    let fact = instance.pool.implies(given, both);
    instance.state(fact);
    instance.rely_on(Assumption::CountersStartAtZero);
}

/// Whether an access is of a whole word of a counter and not in a loop with an addition, which
/// comes before it.
fn comes_after(analysis: &Analysis<'_>, addition: OpId, read: &Read) -> bool {
    let kernel = analysis.kernel;
    let [added, looked] = [addition, read.op].map(|op| kernel.access(op));
    let (Some(added), Some(looked)) = (added, looked) else { return false };
    let [outer_of_added, outer_of_looked] =
        [addition, read.op].map(|op| analysis.order.chain(op).first());
    let in_one_loop = outer_of_added.is_some() && outer_of_added == outer_of_looked;
    !in_one_loop
        && analysis.order.before(addition, read.op)
        && kernel.exprs.as_const(looked.size) == kernel.exprs.as_const(added.size)
        && kernel[read.op].results.len() == 1
}

fn state_all_most(instance: &mut Instance<'_>) {
    for read in instance.reads().to_vec() {
        if instance.analysis.kernel[read.object].space == Space::Shared {
            state_most(instance, &read);
        }
    }
}

/// A count is at most what all threads of the block together can add, and what the counter was set
/// to before.
fn state_most(instance: &mut Instance<'_>, read: &Read) {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let Some(writes) = writes_to_word(kernel, access(instance, read.op)) else { return };
    let additions: Vec<OpId> =
        writes.iter().filter(|(_, it)| is_addition(it)).map(|(op, _)| *op).collect();
    let in_order = additions.iter().all(|op| {
        counter_step(instance, *op, access(instance, *op), &mut |_, _| false).is_some()
            && comes_after(analysis, *op, read)
            && barrier_between(instance, *op, read.op)
    });
    let Some(most) = most_held(analysis, &writes).filter(|_| in_order && !additions.is_empty())
    else {
        return;
    };
    let width = instance.pool.width(read.value);
    if most > heddle_ir::mask(u128::MAX, width) {
        return;
    }
    let looked = instance.executed_in(read.frame, read.op);
    let looked = instance.and_is_there(looked, instance.thread(read.frame));
    let most = instance.pool.constant(most, width);
    let bounded = instance.pool.cmp(CmpOp::Ule, read.value, most);
    let fact = instance.pool.implies(looked, bounded);
    instance.state(fact);
    instance.rely_on(Assumption::CountersStartAtZero);
}

/// What threads of a block, of the grid for a counter in global memory, add in all, and the highest
/// number that the counter is set to before; `None` where it is not known.
fn most_held(analysis: &Analysis<'_>, writes: &[(OpId, &Access)]) -> Option<u128> {
    let kernel = analysis.kernel;
    let own = writes.iter().all(|(_, it)| kernel[it.address.object].space == Space::Shared);
    let blocks = analysis.launch.grid.iter().try_fold(1u128, |all, it| {
        if own { Some(1) } else { it.known().map(|it| all * u128::from(it)) }
    });
    let threads = threads_of_a_block(analysis).checked_mul(blocks?)?;
    let (mut start, mut added) = (0, 0u128);
    for (op, access) in writes {
        match &access.kind {
            AccessKind::Store(values) => {
                for value in values {
                    start = kernel.exprs.as_const(*value)?.max(start);
                }
            }
            AccessKind::Atomic(AtomicOp::Add | AtomicOp::IncWrap, _) => {
                let times = threads.checked_mul(rounds(analysis, *op)?)?;
                added = added.checked_add(times.checked_mul(constant_step(kernel, access)?)?)?;
            }
            AccessKind::Atomic(..) | AccessKind::Load => return None,
        }
    }
    start.checked_add(added)
}

/// The condition under which two additions are not one: those that the two threads exchange with
/// may themselves be among the two. `None` where they always are one.
pub(super) fn are_two(instance: &mut Instance<'_>, one: &Ticket, two: &Ticket) -> Option<ExprId> {
    let threads = [one, two].map(|it| instance.thread(it.frame));
    let in_one_block =
        !instance.placement.is_across() || threads[0].member() == threads[1].member();
    let both_members = threads.iter().all(|it| it.is_member());
    let same_thread =
        threads[0] == threads[1] || (both_members && instance.placement == Placement::SameThread);
    if one.op != two.op || !in_one_block || (both_members && !same_thread) {
        return Some(instance.pool.truth());
    }
    let mut differ = instance.pool.falsity();
    if !same_thread {
        for d in [0, 1, 2] {
            let [a, b] = threads.map(|it| instance.tid(it, d));
            let apart = instance.pool.ne(a, b);
            differ = instance.pool.or(differ, apart);
        }
    }
    for &of in instance.analysis.order.chain(one.op) {
        let rounds = [one, two].map(|it| instance.iteration(it.frame, of));
        if let [Some(a), Some(b)] = rounds {
            let apart = instance.pool.ne(a, b);
            differ = instance.pool.or(differ, apart);
        }
    }
    (instance.pool.as_const(differ) != Some(0)).then_some(differ)
}

/// That a thread is the first of its block.
pub(super) fn is_first(instance: &mut Instance<'_>, thread: Thread) -> ExprId {
    let zero = instance.pool.constant(0, 32);
    let mut first = instance.pool.truth();
    for d in [0, 1, 2] {
        let tid = instance.tid(thread, d);
        let here = instance.pool.eq(tid, zero);
        first = instance.pool.and(first, here);
    }
    first
}

impl Counters<'_> {
    fn is_filled(&mut self, instance: &Instance<'_>, atomic: OpId) -> Option<bool> {
        let budget = self.budget;
        *self
            .filled
            .entry(atomic)
            .or_insert_with(|| is_filled(instance, atomic, &state_all_most, budget))
    }

    /// What an atomic adds, if its object is a counter for it.
    fn step(&mut self, instance: &mut Instance<'_>, atomic: OpId, it: &Access) -> Option<Step> {
        let mut relied = Vec::new();
        let step = counter_step(instance, atomic, it, &mut |op, value| {
            let shown = self.lengths.entry(op);
            let held = shown.or_insert_with(|| length(instance, op, value, self.budget));
            relied.extend(held.clone());
            held.is_some()
        })?;
        relied.iter().for_each(|held| instance.rely_on_all(held));
        Some(step)
    }
}

/// What an atomic adds to a counter that the kernel changes in no other way than by adding
/// constants and lengths, but for setting it, in shared memory, before a barrier.
fn counter_step(
    instance: &Instance<'_>,
    atomic: OpId,
    access: &Access,
    is_length: &mut dyn FnMut(OpId, ExprId) -> bool,
) -> Option<Step> {
    let kernel = instance.analysis.kernel;
    let object = access.address.object;
    if !kernel[object].initial.may_be_zeros() {
        return None;
    }
    let needed = needed_scope(instance.analysis, object, instance.placement);
    let size = word_size(kernel, access)?;
    let mut step = |op: OpId, access: &Access| {
        let (_, scope) = access.order?;
        if word_size(kernel, access) != Some(size) || scope < needed {
            return None;
        }
        match &access.kind {
            AccessKind::Atomic(AtomicOp::Add, operands) => {
                let operand = *operands.first()?;
                let width = kernel.exprs.width(operand);
                match kernel.exprs.as_const(operand) {
                    Some(value) => {
                        let is_positive = value > 0 && value < 1 << (width - 1);
                        is_positive.then_some(Step::Constant(value))
                    }
                    None => {
                        (width >= 32 && is_length(op, operand)).then_some(Step::Length(operand))
                    }
                }
            }
            AccessKind::Atomic(AtomicOp::IncWrap, operands) => {
                let operand = *operands.first()?;
                let limit = kernel.exprs.as_const(operand)?;
                let highest = heddle_ir::mask(u128::MAX, kernel.exprs.width(operand));
                (limit == highest).then_some(Step::Constant(1))
            }
            AccessKind::Atomic(..) | AccessKind::Load | AccessKind::Store(_) => None,
        }
    };
    let own = step(atomic, access)?;
    let shared = kernel[object].space == Space::Shared;
    let sets = |op: OpId, other: &Access| {
        let order = &instance.analysis.order;
        shared
            && starts_low(instance, other)
            && order.chain(op).is_empty()
            && order.before(op, atomic)
            && barrier_between(instance, op, atomic)
    };
    let writes = writes_to_word(kernel, access)?;
    let counts = writes.iter().all(|(op, it)| sets(*op, it) || step(*op, it).is_some());
    counts.then_some(own)
}

/// Whether what an addition adds is never negative, in any thread and round: what showing that
/// took for granted.
fn length(instance: &Instance<'_>, addition: OpId, value: ExprId, budget: &Budget) -> Option<Held> {
    let mut alone = instance.of_other_threads(Placement::SameThread);
    let mut frame = alone.root(Thread::One);
    for &of in instance.analysis.order.chain(addition) {
        let k = alone.iteration_symbol(of, None);
        frame = alone.enter(frame, of, k);
    }
    alone.state_executed(addition, frame);
    state_sums(&mut alone, &[(frame, value)]);
    let value = alone.at(frame, value);
    state_all_most(&mut alone);
    let width = alone.pool.width(value);
    let zero = alone.pool.constant(0, width);
    let negative = alone.pool.cmp(CmpOp::Slt, value, zero);
    alone.ask(&[negative], budget).held()
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
