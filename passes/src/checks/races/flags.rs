//! Flags: words by which one thread tells another that something is done, with the fences that make
//! it an order.
//!
//! **What**: facts about two accesses that a flag puts in an order: one thread makes its access and
//! then releases the flag, the other acquires the flag and then makes its own. Both may leave their
//! part to the first thread of their block, with a barrier in between. How the place of the flag
//! and the place of the data relate is left to the solver: both are expressions of the two threads.
//! **Method**: `F` is the place that a read `R` of the second side reads, and `v` its value. Of the
//! writes to the flag's object, *good* ones release what the first side did before; all others
//! write constants. Stated is that the accesses are ordered where `v` is neither zero nor one of
//! these constants, the second side has executed `R` and acquires, and the first side executes a
//! good write to `F`, and releases in each one that it executes there. It is asked beforehand that
//! no two threads execute good writes to one place.
//! **Sound because**: `R` takes its value from the start, from a good write or from another one, or
//! from read-modify-writes that hand one of these on unchanged. The start and the other ones write
//! other values than `v`. So a good write to `F` is the source, by a thread of the first side's
//! own, as no other thread executes one there; and all of those come after the first access. Write
//! and read are morally strong: atomic at a scope that includes both sides, or volatile, which is
//! relaxed at system scope in PTX (PTX ISA, section 8.4), and of one aligned word. Hence the
//! release pattern synchronizes with the acquire pattern (section 8.9.4), and barriers, program
//! order and synchronization compose (section 8.9.5). A fence and the access to the flag are a
//! pattern only if one thread does both; with a barrier between them both fences must be
//! sequentially consistent: then the second side's fence cannot come first, as the read would
//! precede the write that it reads from. OpenCL (API, section 3.3.6) has the same of atomics of one
//! scope and of accesses to the flag's own memory, with fences that go one way, by one thread;
//! read-modify-writes go on with the release sequence, and barriers with the flags of that memory
//! are release and acquire among the work-items of a group.
//! In loops a thread may write a place in several rounds; `flags/rounds.rs` says which of them the
//! value can come from.
//! **Misses**: several writers of one place, fences in loops other than the one that polls and
//! those around the write.
//! **Assumes**: global memory that is polled is zero at the start; a flag in shared memory must be
//! set before a barrier. Volatile accesses are compiled to volatile ones. Each is named.

mod counters;
pub(super) mod excluded;
mod rounds;
mod sides;
pub(super) mod words;

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{ExprId, Family, MemoryOrder, OpId, Orders, Scope, Space};
use heddle_solver::Budget;
use rustc_hash::FxHashMap;

use self::counters::state_counts;
use self::rounds::{from_earlier_rounds, stored};
use self::sides::{Acquired, Way, acquired, released, writer};
use self::words::{Word, Write, words};
use super::hand_over::access;
use super::ticket::state_tickets;
use super::word::word_size;
use crate::engine::answer::Held;
use crate::engine::cx::Cx;
use crate::engine::instance::{FrameId, Instance, Placement};
use crate::engine::settle::{Seek, Settled, settle};
use crate::engine::written::{self, Reading, state_unwritten};
use crate::facts::analysis::Analysis;
use crate::facts::journal::Note;
use crate::facts::order::flag;
use crate::facts::strength::is_strong;
use crate::facts::thread::Thread;
use crate::facts::uniformity::Varies;

/// The flags of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    words: Vec<Word>,
    /// Pairs of writes that no two threads do to one place.
    apart: FxHashMap<(OpId, OpId), Held>,
    /// Reads of shared memory whose place is sure to have been set to a constant before.
    set_before: FxHashMap<OpId, Held>,
}

/// The first of two volatile accesses of a block's threads that are both of a flag: no race in
/// PTX.
pub(crate) fn on_a_flag(cx: &Cx<'_>, ops: [OpId; 2]) -> Option<OpId> {
    let is_volatile = |op: &OpId| cx.kernel.access(*op).is_some_and(|it| it.volatile);
    let flags = || Flags::of(&cx.analysis, &cx.options.budget);
    let is_held =
        ops.iter().all(is_volatile) && flags().held(cx, ops, Placement::SameBlock).is_some();
    is_held.then_some(ops[0])
}

/// Writes of a word, from the side of one access.
struct Sorted {
    /// Those that release what was done before, each with how.
    good: Vec<(OpId, Vec<Way>)>,
    /// What all others write.
    others: Vec<u128>,
}

impl Flags {
    /// Finds the words that may be flags, and asks which writes to them never meet.
    pub(crate) fn of(analysis: &Analysis<'_>, budget: &Budget) -> Flags {
        let kernel = analysis.kernel;
        let target = &kernel.target;
        // The model that is applied is OpenCL's, or that of sm_70 and later.
        let is_modelled = target.opencl || target.family == Family::Nvptx && target.sm >= 70;
        if !is_modelled || analysis.order.ends_untold() {
            return Flags::default();
        }
        let words: Vec<Word> =
            kernel.objects.keys().flat_map(|object| words(kernel, object)).collect();
        let hands_over = kernel.ops.values().any(|it| match it.kind.effects().orders {
            Some(Orders::Fence(..)) => true,
            Some(Orders::Access(order, _)) => order != MemoryOrder::Relaxed,
            Some(Orders::Barrier(_) | Orders::Copies | Orders::NotModelled) | None => false,
        });
        let (mut apart, mut set_before) = (FxHashMap::default(), FxHashMap::default());
        for word in &words {
            if kernel[word.object].space == Space::Shared {
                let shown = word.reads.iter().filter_map(|read| {
                    Some((*read, set_before_read(analysis, word, *read, budget)?))
                });
                set_before.extend(shown);
            }
            let placements: &[Placement] = match kernel[word.object].space {
                Space::Shared => &[Placement::SameBlock],
                Space::Global | Space::Generic | Space::Constant | Space::Local => {
                    &[Placement::SameBlock, Placement::DifferentBlocks]
                }
            };
            let may_release = |write: &&Write| {
                let once = analysis.order.chain(write.op).is_empty();
                (once || hands_over && stored(kernel, write.op).is_some())
                    && write.constant != Some(0)
            };
            let writes = word.writes.iter().filter(may_release);
            let writes: Vec<OpId> = writes.map(|it| it.op).collect();
            for (index, &one) in writes.iter().enumerate() {
                for &two in &writes[index..] {
                    let all =
                        placements.iter().map(|it| never_meet(analysis, *it, [one, two], budget));
                    let all: Option<Vec<Held>> = all.collect();
                    if let Some(held) = all.and_then(|all| all.into_iter().reduce(Held::and)) {
                        apart.insert((one, two), held);
                    }
                }
            }
        }
        Flags { words, apart, set_before }
    }

    /// States, for each flag that may order the two accesses, when it does.
    pub(super) fn state(&self, instance: &mut Instance<'_>, ops: [OpId; 2], frames: [FrameId; 2]) {
        for word in &self.words {
            if ops.iter().any(|op| word.has(*op)) {
                continue;
            }
            for first in [Thread::One, Thread::Two] {
                let at = first.index();
                let earlier = (ops[at], frames[at]);
                let later = (ops[1 - at], frames[1 - at]);
                self.state_order(instance, word, earlier, later);
            }
        }
    }

    /// Why two accesses to a flag are no race, where one is volatile and the other volatile or
    /// atomic, and what is read decides who does what and nothing else. Volatile accesses to data
    /// are left to the race checks: who writes them means an order that they do not have. And why
    /// two accesses that make a barrier of the grid are none.
    pub(super) fn held(&self, cx: &Cx<'_>, ops: [OpId; 2], placement: Placement) -> Option<Held> {
        let kernel = cx.kernel;
        let grid = &cx.analysis.order.regular().grid;
        if ops.iter().all(|op| grid.own.contains(op)) {
            return Some(Held::of(heddle_solver::Method::Simplification, &grid.relies));
        }
        let scope = match placement {
            Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
                Scope::Device
            }
            Placement::SameBlock
            | Placement::SameWarp
            | Placement::SameThread
            | Placement::DifferentWarps => Scope::Block,
        };
        let [one, two] = ops.map(|op| kernel.access(op));
        let (one, two) = (one?, two?);
        let word = self.words.iter().find(|it| ops.iter().all(|op| it.has(*op)))?;
        let fits = word.controls_only && is_strong(one, scope) && is_strong(two, scope);
        let relies = BTreeSet::from([Assumption::VolatileIsRelaxed]);
        let held = fits.then(|| Held::of(heddle_solver::Method::Simplification, &relies));
        if let Some(held) = &held {
            let text = || [placement.words(), ": accesses to a flag, ", &held.words()].concat();
            cx.analysis.journal.note(|| Note::Text(text()));
        }
        held
    }

    /// That what was read comes from no write but a good one: it is none of the constants that the
    /// others write, nor what the word holds at the start.
    fn not_from_others(
        &self,
        instance: &mut Instance<'_>,
        word: &Word,
        acquired: &Acquired,
        (read, others): (OpId, &[u128]),
    ) -> Option<ExprId> {
        let mut excluded = others.to_vec();
        if instance.analysis.kernel[word.object].space == Space::Shared {
            instance.rely_on_all(self.set_before.get(&read)?);
        } else {
            excluded.push(0);
            instance.rely_on(Assumption::PolledMemoryStartsAtZero);
        }
        let width = instance.pool.width(acquired.value);
        let mut fresh = instance.pool.truth();
        for value in excluded {
            let value = instance.pool.constant(heddle_ir::mask(value, width), width);
            let differs = instance.pool.ne(acquired.value, value);
            fresh = instance.pool.and(fresh, differs);
        }
        Some(fresh)
    }

    fn state_order(
        &self,
        instance: &mut Instance<'_>,
        word: &Word,
        earlier: (OpId, FrameId),
        later: (OpId, FrameId),
    ) {
        // What stands between may be by a thread of another block, but in shared memory.
        let own = instance.analysis.kernel[word.object].space == Space::Shared;
        let scope = match (instance.placement, word.has_chains && !own) {
            (
                Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters,
                _,
            )
            | (_, true) => Scope::Device,
            (
                Placement::SameBlock
                | Placement::SameWarp
                | Placement::SameThread
                | Placement::DifferentWarps,
                false,
            ) => Scope::Block,
        };
        let kernel = instance.analysis.kernel;
        let space = kernel[word.object].space;
        let common = space != Space::Shared || !instance.placement.is_across();
        // What is ordered in OpenCL is the memory that the flag is in, of which images are none.
        let memory = |object| flag(kernel, object);
        let in_space = |op: OpId| {
            kernel.access(op).is_some_and(|it| memory(it.address.object) == memory(word.object))
        };
        let in_order = !kernel.target.opencl || in_space(earlier.0) && in_space(later.0);
        if !in_order || !common || !word.all_strong(instance.analysis.kernel, scope) {
            return;
        }
        state_counts(instance, word, earlier, later, scope);
        for by_first in [false, true] {
            let all = self.sorted(instance, word, earlier, by_first, scope);
            for (Sorted { good, others }, &read) in
                all.iter().flat_map(|it| word.reads.iter().map(move |read| (it, read)))
            {
                for acquired in acquired(instance, read, later, scope) {
                    let Some(fresh) =
                        self.not_from_others(instance, word, &acquired, (read, others))
                    else {
                        continue;
                    };
                    state_values(instance, word, &acquired);
                    state_source(instance, good, &acquired, fresh);
                    self.state_ways(instance, good, (earlier, by_first), &acquired, fresh);
                    let volatile = word.uses_volatile(instance.analysis.kernel);
                    if let Some(assumption) = volatile {
                        instance.rely_on(assumption);
                    }
                }
            }
        }
    }

    /// The ways to take some writes of a word for good ones: all that release, or one of them with
    /// those that are not constant. No two threads do good writes to one place, and all others are
    /// constant.
    fn sorted(
        &self,
        instance: &mut Instance<'_>,
        word: &Word,
        earlier: (OpId, FrameId),
        by_first: bool,
        scope: Scope,
    ) -> Vec<Sorted> {
        let mut releasing: Vec<(&Write, Vec<Way>)> = Vec::new();
        let mut others = Vec::new();
        for write in &word.writes {
            let ways = match write.constant {
                Some(0) => Vec::new(),
                Some(_) | None => released(instance, earlier, write.op, by_first, scope),
            };
            match (ways.is_empty(), write.constant) {
                (true, Some(value)) => others.push(value),
                (true, None) => return Vec::new(),
                (false, _) => releasing.push((write, ways)),
            }
        }
        let constants = releasing.iter().filter(|(write, _)| write.constant.is_some()).count();
        let alone =
            (0..releasing.len()).filter(|at| constants > 1 && releasing[*at].0.constant.is_some());
        let mut all = Vec::new();
        for only in std::iter::once(None).chain(alone.map(Some)) {
            let mut sorted = Sorted { good: Vec::new(), others: others.clone() };
            for (at, (write, ways)) in releasing.iter().enumerate() {
                match write.constant {
                    Some(value) if only.is_some_and(|only| only != at) => sorted.others.push(value),
                    Some(_) | None => sorted.good.push((write.op, ways.clone())),
                }
            }
            if !sorted.good.is_empty() && self.relies_on_apart(instance, &sorted.good) {
                all.push(sorted);
            }
        }
        all
    }

    /// Whether no two threads do good writes to one place; the instance relies on it then.
    fn relies_on_apart(&self, instance: &mut Instance<'_>, good: &[(OpId, Vec<Way>)]) -> bool {
        let mut all = Vec::new();
        for (index, (one, _)) in good.iter().enumerate() {
            for (two, _) in &good[index..] {
                let held = self.apart.get(&(*one, *two)).or_else(|| self.apart.get(&(*two, *one)));
                let Some(held) = held else { return false };
                all.push(held);
            }
        }
        all.into_iter().for_each(|held| instance.rely_on_all(held));
        true
    }

    fn state_ways(
        &self,
        instance: &mut Instance<'_>,
        good: &[(OpId, Vec<Way>)],
        (earlier, by_first): ((OpId, FrameId), bool),
        acquired: &Acquired,
        fresh: ExprId,
    ) {
        let frames: Option<Vec<FrameId>> =
            good.iter().map(|(write, _)| writer(instance, earlier, *write, by_first)).collect();
        let Some(frames) = frames else { return };
        let mut before = instance.pool.falsity();
        for ((write, _), frame) in good.iter().zip(&frames) {
            let source = from_earlier_rounds(instance, *write, *frame, acquired);
            before = instance.pool.or(before, source);
        }
        for way in &acquired.ways {
            let (mut some, mut all) = (instance.pool.falsity(), instance.pool.truth());
            for ((write, released), frame) in good.iter().zip(&frames) {
                let here = writes_here(instance, *write, *frame, acquired.offset);
                some = instance.pool.or(some, here);
                let mut ordered = instance.pool.falsity();
                for release in released {
                    if release.fenced.goes_with(way.fenced) {
                        let given = conjunction(instance, &release.given);
                        ordered = instance.pool.or(ordered, given);
                    }
                }
                let ordered = instance.pool.implies(here, ordered);
                all = instance.pool.and(all, ordered);
            }
            let read = conjunction(instance, &acquired.given);
            let acquires = conjunction(instance, &way.given);
            let parts = [fresh, read, acquires, some, all];
            let taken = conjunction(instance, &parts);
            let fact = instance.pool.implies(taken, before);
            instance.state(fact);
        }
    }
}

/// States that what is read from global memory is what some write stores, or zero, where all writes
/// are of constants.
fn state_values(instance: &mut Instance<'_>, word: &Word, acquired: &Acquired) {
    let constants: Option<Vec<u128>> = word.writes.iter().map(|it| it.constant).collect();
    let Some(mut constants) = constants else { return };
    if instance.analysis.kernel[word.object].space == Space::Shared {
        return;
    }
    constants.push(0);
    let width = instance.pool.width(acquired.value);
    let mut one_of = instance.pool.falsity();
    for value in constants {
        let value = instance.pool.constant(heddle_ir::mask(value, width), width);
        let same = instance.pool.eq(acquired.value, value);
        one_of = instance.pool.or(one_of, same);
    }
    let read = conjunction(instance, &acquired.given);
    let fact = instance.pool.implies(read, one_of);
    instance.rely_on(Assumption::PolledMemoryStartsAtZero);
    instance.state(fact);
}

/// States that a value which comes from a good write has one: some thread executes it, so that what
/// its predicate says of the launch holds.
fn state_source(
    instance: &mut Instance<'_>,
    good: &[(OpId, Vec<Way>)],
    acquired: &Acquired,
    fresh: ExprId,
) {
    let analysis = instance.analysis;
    let root = instance.root(Thread::One);
    let mut some = instance.pool.falsity();
    for (write, _) in good {
        let mut parts = analysis.kernel.exprs.conjuncts(analysis.kernel[*write].pred);
        parts.retain(|it| {
            analysis.scopes.home(*it).is_none()
                && analysis.uniformity.variation(*it).varies == Varies::Never
        });
        let parts = instance.all_at(root, &parts);
        let possible = conjunction(instance, &parts);
        some = instance.pool.or(some, possible);
    }
    let read = conjunction(instance, &acquired.given);
    let read = instance.pool.and(read, fresh);
    let fact = instance.pool.implies(read, some);
    instance.state(fact);
}

/// That no two threads of a placement do two writes, in any rounds of the loops around them, to one
/// place.
fn never_meet(
    analysis: &Analysis<'_>,
    placement: Placement,
    [one, two]: [OpId; 2],
    budget: &Budget,
) -> Option<Held> {
    let meet = |instance: &mut Instance<'_>| {
        instance.state_placement();
        let places = [(one, Thread::One), (two, Thread::Two)].map(|(op, thread)| {
            let frame = analysis.order.chain(op).iter().fold(instance.root(thread), |at, of| {
                let round = instance.iteration_symbol(*of, Some(thread));
                instance.enter(at, *of, round)
            });
            instance.state_executed(op, frame);
            let offset = access(instance, op).address.offset;
            instance.at(frame, offset)
        });
        let same = instance.pool.eq(places[0], places[1]);
        instance.state(same);
        // Places that tickets give.
        state_tickets(instance, None, budget);
    };
    match settle(analysis, placement, Seek::Any, budget, meet) {
        Settled::Holds(held) => Some(held),
        Settled::Fails(_) | Settled::Open(_) => None,
    }
}

fn conjunction(instance: &mut Instance<'_>, parts: &[ExprId]) -> ExprId {
    let truth = instance.pool.truth();
    parts.iter().fold(truth, |all, part| instance.pool.and(all, *part))
}

/// That the thread of a frame executes a write there, to a place.
fn writes_here(instance: &mut Instance<'_>, write: OpId, frame: FrameId, place: ExprId) -> ExprId {
    let kernel = instance.analysis.kernel;
    let executed = instance.at(frame, kernel[write].pred);
    let offset = access(instance, write).address.offset;
    let offset = instance.at(frame, offset);
    let here = instance.pool.eq(offset, place);
    instance.pool.and(executed, here)
}

/// That a place of shared memory has been set to a constant before it is read, with a barrier in
/// between: it holds anything at the start.
fn set_before_read(
    analysis: &Analysis<'_>,
    word: &Word,
    read: OpId,
    budget: &Budget,
) -> Option<Held> {
    let kernel = analysis.kernel;
    let sets =
        |write: &&Write| write.constant.is_some() && analysis.order.chain(write.op).is_empty();
    let sets: Vec<OpId> = word.writes.iter().filter(sets).map(|it| it.op).collect();
    let mut writes = written::writes_to(kernel, word.object);
    writes.retain(|it| sets.contains(&it.op));
    let size = u64::try_from(word_size(kernel, kernel.access(read)?)?).ok()?;
    if writes.is_empty() {
        return None;
    }
    let unset = |instance: &mut Instance<'_>| {
        instance.state_placement();
        let frame = analysis.order.chain(read).iter().fold(instance.root(Thread::One), |at, of| {
            let round = instance.iteration_symbol(*of, Some(Thread::One));
            instance.enter(at, *of, round)
        });
        instance.state_executed(read, frame);
        let place = access(instance, read).address.offset;
        let start = instance.at(frame, place);
        state_unwritten(instance, Reading { op: read, frame, start, size }, &writes);
    };
    match settle(analysis, Placement::SameBlock, Seek::Any, budget, unset) {
        Settled::Holds(held) => Some(held),
        Settled::Fails(_) | Settled::Open(_) => None,
    }
}
