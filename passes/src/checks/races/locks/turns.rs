//! Words that count whose turn it is: semaphores of split-K and stream-K, and ticket locks.
//!
//! **What**: sections like those of locks, from a wait until a word holds the thread's turn to the
//! write of the next turn to it.
//! **Method**: all writes to the object store one more than a turn, or add one, by a thread that
//! has waited in a loop of its own until the word at this place held that turn. That no two threads
//! wait at one place for the same turn is asked for any launch, with what tickets tell.
//! **Sound because**: a turn is read from the start or from the one thread that had the turn
//! before, as no other write stores that value; an addition of one finds the turn of its thread, as
//! nobody else writes before the next. Who goes back from the thread with one turn to the thread
//! that it reads from comes to one that reads the start, because each has written after it read,
//! and causality has no cycles. The start is one value, so one thread reads it, and all turns at
//! the place are one chain. Each is handed on by release and acquire like a lock, so all sections
//! at one place are in order. What is in a section is the same as for locks (`locks/held.rs`).
//! Wrap-around of the turn makes no difference: turns are compared as they are stored.
//! **Misses**: waits and writes in a loop over tiles, turns that are set back by the last, waits by
//! read-modify-writes.
//! **Assumes**: nothing of its own; what tickets rest on is named.

use heddle_ir::{
    Access, AccessKind, AtomicOp, BinOp, CmpOp, ExprId, ExprKind, Item, Kernel, LoopId, ObjectId,
    OpId, Order, UnOp,
};
use heddle_solver::Budget;

use super::{Release, Section, holds, strength};
use crate::checks::races::hand_over::access;
use crate::checks::races::ticket::state_tickets;
use crate::checks::races::word::{word_size, writes_to};
use crate::engine::answer::Held;
use crate::engine::instance::{Instance, Placement};
use crate::engine::settle::{Seek, Settled, settle};
use crate::facts::analysis::Analysis;
use crate::facts::thread::Thread;

/// Objects with more writes than this are not taken for semaphores.
const MOST_WRITES: usize = 4;

/// A wait, and the write of the next turn.
struct Turn {
    /// What is waited for.
    turn: ExprId,
    section: Section,
    write: OpId,
}

/// The sections of an object whose words count turns, and what was shown of them.
pub(super) fn turns_of(
    analysis: &Analysis<'_>,
    object: ObjectId,
    budget: &Budget,
) -> Option<(Vec<Section>, Held)> {
    let writes = writes_to(analysis.kernel, object)?;
    if writes.is_empty() || writes.len() > MOST_WRITES {
        return None;
    }
    let turns: Option<Vec<Turn>> =
        writes.iter().map(|(op, access)| turn(analysis, *op, access)).collect();
    let turns = turns?;
    let mut held = Held::at_once();
    for (index, one) in turns.iter().enumerate() {
        // A wait that two writes come after is not one turn.
        if turns[..index].iter().any(|it| it.section.from == one.section.from) {
            return None;
        }
        for two in &turns[index..] {
            for placement in [Placement::SameBlock, Placement::DifferentBlocks] {
                held = held.and(never_the_same(analysis, placement, [one, two], budget)?);
            }
        }
    }
    Some((turns.into_iter().map(|it| it.section).collect(), held))
}

/// The turn after which a write outside of all loops is done.
fn turn(analysis: &Analysis<'_>, write: OpId, access: &Access) -> Option<Turn> {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let size = word_size(kernel, access).filter(|size| [4, 8].contains(size))?;
    let (released, scope) = strength(kernel, access)?;
    if !order.chain(write).is_empty() {
        return None;
    }
    let at = order.index(write, 0);
    let mut before = kernel.body.items.get(..at)?.iter().enumerate().rev();
    let (from, polls, (read, turn)) = before.find_map(|(from, item)| {
        let Item::Loop(of) = *item else { return None };
        let found = wait(analysis, of, access)?;
        Some((from, of, found))
    })?;
    let looked = kernel.access(read)?;
    let (acquired, read_scope) = strength(kernel, looked)?;
    let entered = kernel[polls].pred;
    let fits = word_size(kernel, looked) == Some(size)
        && holds(kernel, kernel[write].pred, entered)
        && stores_next(kernel, access, turn);
    let release = Release {
        op: write,
        at,
        pred: kernel[write].pred,
        releases: matches!(released, Order::Release | Order::AcqRel),
    };
    let section = Section {
        lock: access.address.object,
        offset: access.address.offset,
        acquire: read,
        chain: Vec::new(),
        from,
        entered,
        acquires: matches!(acquired, Order::Acquire | Order::AcqRel),
        scope: scope.min(read_scope),
        release: Some(release),
    };
    fits.then_some(Turn { turn, section, write })
}

/// The read of a loop that goes on until the word which an access writes holds a turn, and that
/// turn.
fn wait(analysis: &Analysis<'_>, of: LoopId, access: &Access) -> Option<(OpId, ExprId)> {
    let kernel = analysis.kernel;
    let ExprKind::Unary(UnOp::Not, same) = kernel[kernel[of].cont].kind else { return None };
    let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[same].kind else { return None };
    let outside = |id: ExprId| analysis.scopes.home(id) != Some(of);
    [(a, b), (b, a)].into_iter().find_map(|(found, turn)| {
        let ExprKind::Result(read, 0) = kernel[found].kind else { return None };
        let looked = kernel.access(read).filter(|it| matches!(it.kind, AccessKind::Load))?;
        let fits = analysis.order.chain(read) == [of]
            && kernel.exprs.as_const(kernel[read].pred) == Some(1)
            && looked.address.object == access.address.object
            && looked.address.offset == access.address.offset
            && outside(looked.address.offset)
            && outside(turn);
        fits.then_some((read, turn))
    })
}

/// Whether a write makes the next turn of one.
fn stores_next(kernel: &Kernel, access: &Access, turn: ExprId) -> bool {
    let constant = |id: ExprId| kernel.exprs.as_const(id);
    match &access.kind {
        AccessKind::Store(values) => {
            let [value] = values[..] else { return false };
            if let Some(turn) = constant(turn) {
                let next = heddle_ir::mask(turn.wrapping_add(1), kernel.exprs.width(value));
                return constant(value) == Some(next);
            }
            let ExprKind::Binary(BinOp::Add, _, a, b) = kernel[value].kind else { return false };
            a == turn && constant(b) == Some(1) || b == turn && constant(a) == Some(1)
        }
        AccessKind::Atomic(AtomicOp::Add, operands) => {
            operands.first().is_some_and(|it| constant(*it) == Some(1))
        }
        AccessKind::Atomic(..) | AccessKind::Load => false,
    }
}

/// That no two threads of a placement go on at one place with the same turn.
fn never_the_same(
    analysis: &Analysis<'_>,
    placement: Placement,
    turns: [&Turn; 2],
    budget: &Budget,
) -> Option<Held> {
    let meet = |instance: &mut Instance<'_>| {
        instance.state_placement();
        let sides = [(turns[0], Thread::One), (turns[1], Thread::Two)].map(|(it, thread)| {
            let frame = instance.root(thread);
            // Of all that go on with the turn, also of those that write none.
            let entered = instance.at(frame, it.section.entered);
            instance.state(entered);
            let place = access(instance, it.write).address.offset;
            (instance.at(frame, place), instance.at(frame, it.turn))
        });
        let [(one, first), (two, second)] = sides;
        let here = instance.pool.eq(one, two);
        instance.state(here);
        let same = instance.pool.eq(first, second);
        instance.state(same);
        state_tickets(instance, None, budget);
    };
    match settle(analysis, placement, Seek::Any, budget, meet) {
        Settled::Holds(held) => Some(held),
        Settled::Fails(_) | Settled::Open(_) => None,
    }
}
