//! One of several: who finds a word as it was at the start, and changes it.
//!
//! **What**: facts about the results of two read-modify-writes of one word, by exchange or by
//! compare-and-swap: where both change the word, they do not both find a value that no write to it
//! stores. So of all that do `atomicCAS(&claimed, 0, 1)` one alone gets zero, if nothing sets it
//! back.
//! **Method**: all writes to the word are listed, and store constants, or values of which the
//! solver shows that no thread stores what is expected there: a slot of a hash table is empty until
//! a key is in it, and no key is the empty one. Stores in shared memory that come before both
//! read-modify-writes, with a barrier in between, are part of the start.
//! **Sound because**: the read-modify-writes are atomic at a scope that includes all threads which
//! may use the word, and of one aligned word. A value that no write stores is read from the start.
//! The two are in one coherence order, and the later one reads what comes directly before it there
//! (PTX ISA, atomicity axiom, section 8.10.3): the earlier one, or a write after that one, neither
//! of which stores the value. That holds of a word that races as well.
//! **Misses**: words that are set back, values that are expected and not constant, weak
//! compare-and-swaps, which may fail for no reason, and single bits of a word.
//! **Assumes**: nothing of what the word holds at the start; where a value is not constant, what
//! the question about it relies on, and what the loads that it is read by take for granted.

use heddle_ir::{AccessKind, AtomicOp, CmpOp, ExprId, OpId, Space, mask};
use heddle_solver::Budget;

use super::hand_over::{access, barrier_between};
use super::reserved::are_two;
use super::word::{is_common, needed_scope, word_size, writes_to_word};
use crate::engine::alone::alone_at;
use crate::engine::instance::{Instance, Ticket};
use crate::facts::loads::relies_for;

/// Conflicts of the question whether a number is ever stored.
const CONFLICTS: u64 = 2_000;

/// States it of all read-modify-writes that the instance has looked at.
pub(super) fn state_winners(instance: &mut Instance<'_>) {
    let tickets = instance.tickets().to_vec();
    for (index, one) in tickets.iter().enumerate() {
        for two in &tickets[..index] {
            state_pair(instance, one, two);
        }
    }
}

/// What a read-modify-write changes, if it is one that is followed here.
enum Change {
    /// Whatever it finds.
    Always,
    /// What it expects.
    Expected(u128),
}

fn state_pair(instance: &mut Instance<'_>, one: &Ticket, two: &Ticket) {
    let kernel = instance.analysis.kernel;
    let [x, y] = [one, two].map(|it| access(instance, it.op));
    if x.address.object != y.address.object
        || !is_common(kernel, x.address.object, instance.placement)
    {
        return;
    }
    let [Some(first), Some(second)] = [one, two].map(|it| change(instance, it.op)) else { return };
    let Some(stored) = stored(instance, [one.op, two.op], expected(&first, &second)) else {
        return;
    };
    let Some(mut given) = are_two(instance, one, two) else { return };
    let width = instance.pool.width(one.value);
    if instance.pool.width(two.value) != width {
        return;
    }
    for it in [one, two] {
        let executed = instance.executed_in(it.frame, it.op);
        given = instance.pool.and(given, executed);
        given = instance.and_is_there(given, instance.thread(it.frame));
    }
    let offsets =
        [(one, x), (two, y)].map(|(it, access)| instance.at(it.frame, access.address.offset));
    let pool = &mut instance.pool;
    let same = pool.eq(offsets[0], offsets[1]);
    given = pool.and(given, same);
    let alike = pool.cmp(CmpOp::Eq, one.value, two.value);
    given = pool.and(given, alike);
    for (it, change) in [(one, first), (two, second)] {
        if let Change::Expected(value) = change {
            let value = pool.constant(mask(value, width), width);
            let found = pool.eq(it.value, value);
            given = pool.and(given, found);
        }
    }
    // Both found one value: some write has stored it.
    let mut by_some = pool.falsity();
    for value in stored {
        let value = pool.constant(mask(value, width), width);
        let found = pool.eq(one.value, value);
        by_some = pool.or(by_some, found);
    }
    let fact = pool.implies(given, by_some);
    instance.state(fact);
}

/// What both find, where they find the same and one of them expects a constant.
fn expected(one: &Change, two: &Change) -> Option<u128> {
    [one, two].into_iter().find_map(|it| match it {
        Change::Expected(value) => Some(*value),
        Change::Always => None,
    })
}

fn change(instance: &Instance<'_>, op: OpId) -> Option<Change> {
    let AccessKind::Atomic(atomic, operands) = &access(instance, op).kind else { return None };
    if *atomic == AtomicOp::Exchange {
        return Some(Change::Always);
    }
    let expected = instance.analysis.kernel.exprs.as_const(*operands.first()?)?;
    (*atomic == AtomicOp::CompareExchange).then_some(Change::Expected(expected))
}

/// The constants that are written to the word of two read-modify-writes, where all writes are to
/// whole words, of constants, or of what is never the value that is `found`: those that may come
/// after the first of the two.
fn stored(instance: &mut Instance<'_>, ops: [OpId; 2], found: Option<u128>) -> Option<Vec<u128>> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let [x, y] = ops.map(|op| access(instance, op));
    let object = x.address.object;
    let size = word_size(kernel, x)?;
    let needed = needed_scope(analysis, object, instance.placement);
    let mut writes = writes_to_word(kernel, x)?;
    writes.extend(writes_to_word(kernel, y)?);
    let mut all = Vec::new();
    for (op, it) in writes {
        if word_size(kernel, it) != Some(size) {
            return None;
        }
        let value = match &it.kind {
            AccessKind::Store(values) if values.len() == 1 => {
                let is_start = kernel[object].space == Space::Shared
                    && analysis.order.chain(op).is_empty()
                    && ops.iter().all(|later| {
                        analysis.order.before(op, *later) && barrier_between(instance, op, *later)
                    });
                if is_start {
                    continue;
                }
                values[0]
            }
            AccessKind::Atomic(AtomicOp::Exchange, operands) => *operands.first()?,
            AccessKind::Atomic(AtomicOp::CompareExchange, operands) => *operands.get(1)?,
            AccessKind::Store(_) | AccessKind::Load | AccessKind::Atomic(..) => return None,
        };
        let is_atomic = matches!(it.kind, AccessKind::Atomic(..));
        if is_atomic && it.order.is_none_or(|(_, scope)| scope < needed) {
            return None;
        }
        match kernel.exprs.as_const(value) {
            Some(value) => all.push(value),
            None => state_never_stored(instance, op, value, found?)?,
        }
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}

/// Shows that no thread stores a number by an operation, whatever it reads; the answer relies on
/// what that takes. `None` where it may.
fn state_never_stored(
    instance: &mut Instance<'_>,
    op: OpId,
    value: ExprId,
    number: u128,
) -> Option<()> {
    let analysis = instance.analysis;
    let (mut alone, frame) = alone_at(analysis, op);
    let written = alone.at(frame, value);
    let width = alone.pool.width(written);
    let number = alone.pool.constant(mask(number, width), width);
    let same = alone.pool.eq(written, number);
    alone.state(same);
    let budget = Budget { instances: 0, conflicts: CONFLICTS, ..Budget::default() };
    let held = alone.ask(&[], &budget).held()?;
    instance.rely_on_all(&held);
    // What the value is read from may be written by others.
    relies_for(analysis, op, [value]).into_iter().for_each(|it| instance.rely_on(it));
    Some(())
}
