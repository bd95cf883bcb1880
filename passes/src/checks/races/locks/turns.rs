//! Words that say whose turn it is: semaphores of split-K and stream-K, ticket locks, and slots
//! that are full or empty.
//!
//! **What**: sections like those of locks, from a wait until a word lets the thread go on to the
//! write that gives the turn away.
//! **Method**: each write to the words, but those that leave what they find, comes after a wait by
//! its thread in the same round of the loops around both: a loop of its own that goes on until it
//! reads a value of the word that meets a condition. That no two threads go on at one place with
//! one value is asked for any launch, with what tickets tell. Sections of the same words do not
//! overlap in the text. The words are all of an object, or a member of its elements, to which the
//! writes to others do not reach ([`writes_by_part`]).
//! **Sound because**: say the writes to one place are, in coherence order, `w1`, `w2`, … Each
//! reads, in its wait, from the write before it: say the wait of the later write `b` reads from
//! `w`, and the next write after `w` is `a`. By induction the wait of `a` reads from `w`, too, so
//! `a` is by the thread of `b`, as no other goes on with that value. Sections of one thread do not
//! overlap, so that thread has written `a` before it waits for `b`, and does not read older than
//! that: `b` is `a`. A wait that no write comes after is, likewise, between its thread's own
//! writes. So all sections at the place are one chain, and each is handed on by release and acquire
//! like a lock. What is written, and what the word holds at the start, makes no difference.
//! Read-modify-writes that leave what they find hand it on. What is in a section is the same as for
//! locks (`locks/held.rs`).
//! **Misses**: waits that one of several writes comes after, and waits with a limit.
//! **Assumes**: nothing of its own; what tickets rest on is named.

use heddle_ir::{
    Access, AccessKind, ExprId, Item, LoopId, MemoryOrder, ObjectId, OpId, Scope, ValueFrom,
};
use heddle_solver::Budget;

use super::{Release, Section, Words, holds, region, sets_before, strength};
use crate::checks::races::hand_over::access;
use crate::checks::races::ticket::state_tickets;
use crate::checks::races::word::{parts, word_size, writes_to};
use crate::engine::answer::Held;
use crate::engine::instance::{Instance, Placement};
use crate::engine::settle::{Seek, Settled, settle};
use crate::facts::analysis::Analysis;
use crate::facts::strength::leaves_as_read;
use crate::facts::thread::Thread;

/// Objects with more writes than this are not taken for semaphores.
const MOST_WRITES: usize = 4;

/// A wait, and the write that gives the turn away.
struct Turn {
    /// The loop that waits.
    polls: LoopId,
    /// What it reads.
    found: ExprId,
    section: Section,
    write: OpId,
}

/// The sections of words of an object that say whose turn it is, by all writes to them, and what
/// was shown of them.
pub(super) fn turns_of(
    analysis: &Analysis<'_>,
    words: Words,
    mut writes: Vec<(OpId, &Access)>,
    budget: &Budget,
) -> Option<(Vec<Section>, Held)> {
    let kernel = analysis.kernel;
    let size = word_size(kernel, writes.first()?.1)?;
    let mut scope = Scope::System;
    for (_, access) in &writes {
        if word_size(kernel, access) != Some(size) {
            return None;
        }
        if leaves_as_read(kernel, access) {
            scope = scope.min(strength(kernel, access)?.1);
        }
    }
    writes.retain(|(_, access)| !leaves_as_read(kernel, access));
    if writes.is_empty() || writes.len() > MOST_WRITES {
        return None;
    }
    let turns: Option<Vec<Turn>> =
        writes.iter().map(|(op, access)| turn(analysis, words, *op, access)).collect();
    let mut turns = turns?;
    let mut held = Held::at_once();
    for (index, one) in turns.iter().enumerate() {
        if turns[..index].iter().any(|it| overlap(analysis, one, it)) {
            return None;
        }
        for two in &turns[index..] {
            for placement in [Placement::SameBlock, Placement::DifferentBlocks] {
                held = held.and(never_the_same(analysis, placement, [one, two], budget)?);
            }
        }
    }
    turns.iter_mut().for_each(|it| it.section.scope = it.section.scope.min(scope));
    Some((turns.into_iter().map(|it| it.section).collect(), held))
}

/// The writes to an object, apart from those that only give it its first value: those that may
/// reach the same words together.
pub(super) fn writes_by_part<'k>(
    analysis: &Analysis<'k>,
    object: ObjectId,
) -> Vec<Vec<(OpId, &'k Access)>> {
    let kernel = analysis.kernel;
    let Some(mut writes) = writes_to(kernel, object) else { return Vec::new() };
    let reads = |op: &OpId| {
        let access = kernel.access(*op);
        access.is_some_and(|it| it.address.object == object && it.reads())
    };
    let reads: Vec<OpId> = kernel.ops.keys().filter(reads).collect();
    writes.retain(|(op, _)| !sets_before(analysis, object, *op, &reads));
    parts(kernel, writes)
}

/// The turn after which a write is done.
fn turn(analysis: &Analysis<'_>, words: Words, write: OpId, access: &Access) -> Option<Turn> {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let size = word_size(kernel, access).filter(|size| [4, 8].contains(size))?;
    let (released, scope) = strength(kernel, access)?;
    let chain = order.chain(write);
    let at = order.index(write, chain.len());
    let mut before = region(kernel, chain).items.get(..at)?.iter().enumerate().rev();
    let (from, polls, (read, found)) = before.find_map(|(from, item)| {
        let Item::Loop(of) = *item else { return None };
        let found = wait(analysis, of, access)?;
        Some((from, of, found))
    })?;
    let looked = kernel.access(read)?;
    let (acquired, read_scope) = strength(kernel, looked)?;
    let entered = kernel[polls].pred;
    let fits =
        word_size(kernel, looked) == Some(size) && holds(kernel, kernel[write].pred, entered);
    let release = Release {
        op: write,
        at,
        pred: kernel[write].pred,
        releases: matches!(released, MemoryOrder::Release | MemoryOrder::AcqRel),
    };
    let section = Section {
        lock: words,
        offset: access.address.offset,
        bit: None,
        acquire: read,
        chain: chain.to_vec(),
        from,
        entered,
        acquires: matches!(acquired, MemoryOrder::Acquire | MemoryOrder::AcqRel),
        scope: scope.min(read_scope),
        release: Some(release),
        shared: false,
    };
    fits.then_some(Turn { polls, found, section, write })
}

/// The read of a loop that goes on until it likes what the word holds that an access writes, and
/// what it has read.
fn wait(analysis: &Analysis<'_>, of: LoopId, access: &Access) -> Option<(OpId, ExprId)> {
    let kernel = analysis.kernel;
    let outside = |id: ExprId| analysis.scopes.home(id) != Some(of);
    let mut read = None;
    let mut work = vec![kernel[of].cont];
    while let Some(id) = work.pop() {
        if outside(id) {
            continue;
        }
        match kernel[id].kind.value_from() {
            ValueFrom::Result(op, 0) if read.is_none_or(|(it, _)| it == op) => {
                read = Some((op, id));
            }
            ValueFrom::Operands => kernel.exprs.for_each_operand(id, |operand| work.push(operand)),
            ValueFrom::Result(..)
            | ValueFrom::Var(_)
            | ValueFrom::Exit(..)
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => return None,
        }
    }
    let (read, found) = read?;
    let looked = kernel.access(read).filter(|it| match it.kind {
        AccessKind::Load => true,
        AccessKind::Atomic(..) => leaves_as_read(kernel, it),
        AccessKind::Store(_) => false,
    })?;
    let fits = analysis.order.chain(read).last() == Some(&of)
        && kernel.exprs.as_const(kernel[read].pred) == Some(1)
        && looked.address.object == access.address.object
        && looked.address.offset == access.address.offset
        && outside(looked.address.offset);
    fits.then_some((read, found))
}

/// Whether two sections of one object overlap in the text: they begin with one wait, or one begins
/// before the other ends.
fn overlap(analysis: &Analysis<'_>, one: &Turn, two: &Turn) -> bool {
    let end = |it: &Turn| it.section.release.map_or(usize::MAX, |release| release.at);
    let (inner, outer) = match one.section.chain.len() >= two.section.chain.len() {
        true => (one, two),
        false => (two, one),
    };
    let chain = &outer.section.chain;
    if !inner.section.chain.starts_with(chain) {
        return false;
    }
    let [first, last] = match inner.section.chain.len() == chain.len() {
        true => [inner.section.from, end(inner)],
        false => [analysis.order.index(inner.write, chain.len()); 2],
    };
    first < end(outer) && outer.section.from < last
}

/// That no two threads of a placement go on at one place with the same value.
fn never_the_same(
    analysis: &Analysis<'_>,
    placement: Placement,
    turns: [&Turn; 2],
    budget: &Budget,
) -> Option<Held> {
    let kernel = analysis.kernel;
    let meet = |instance: &mut Instance<'_>| {
        instance.state_placement();
        let sides = [(turns[0], Thread::One), (turns[1], Thread::Two)].map(|(it, thread)| {
            let chain = analysis.order.chain(it.section.acquire);
            let frame = chain.iter().fold(instance.root(thread), |at, of| {
                let round = instance.iteration_symbol(*of, Some(thread));
                instance.enter(at, *of, round)
            });
            // Of all that go on with the turn, also of those that write none.
            instance.state_executed(it.section.acquire, frame);
            let waits = instance.at(frame, kernel[it.polls].cont);
            let goes_on = instance.pool.not(waits);
            instance.state(goes_on);
            let place = access(instance, it.write).address.offset;
            (instance.at(frame, place), instance.at(frame, it.found))
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
