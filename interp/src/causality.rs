//! Finds two accesses that nothing in the run itself orders: no barrier, and no release that an
//! acquire got to see.
//!
//! **What**: of a pair of operations, two conflicting accesses of a run with no causality order
//! between them, by the memory model of PTX (ISA 7.5 and later, chapter 8).
//! **Method**: vector clocks over the threads that are compared. A fence or a release takes what
//! its thread knows; a strong write puts that into the word with the narrower of the two scopes,
//! and read-modify-writes add to it; a strong read hears it; a fence or an acquire after that makes
//! the thread know it, if the narrowest of the scopes on the way includes both threads. Barriers
//! share what a block or the lanes of a warp know. The first block may be stopped after some
//! accesses of the pair, and the other one runs then.
//! **Sound because**: the run is one interleaving of the program's steps, which the model allows,
//! with each read taking the newest value and fences that are sequentially consistent in the order
//! of the run. In this execution the clocks know each order that the model has, and some more: all
//! fences go both ways, each release and acquire counts as a fence for all words, mixed sizes and
//! weak neighbours are not told apart, and a barrier of a block is taken for one of all its
//! threads. So what they do not order is not ordered, and a conflict of which one is weak is a data
//! race. Two strong accesses are left alone.
//! **Misses**: races that this interleaving orders; pairs of threads that are not compared; runs
//! with grid barriers, barriers of clusters, copies or accesses at unknown places.
//! **Assumes**: nothing.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use heddle_ir::{Barrier, Kernel, MemoryOrder, ObjectId, ObjectKind, OpId, OpKind, Scope, Space};
use rustc_hash::FxHashMap;

use crate::conflict::{Conflict, Party};
use crate::journal::{
    AccessClass, AccessEvent, BarrierEvent, CopyEvent, Moment, ThreadAccess, Visitor,
};
use crate::launch::Launch;
use crate::pair::{Pair, Placed, Stored, leave_different_values};

/// Where any two threads may be the ones, all of a run are compared if they are not more.
const MOST_COMPARED: usize = 64;
/// The number of accesses of the pair that are remembered.
const MOST_REMEMBERED: usize = 4096;

/// A thread: its block, and its number there.
type Who = ([u32; 3], u32);

/// How many accesses of each compared thread are known to come before.
type Clock = Vec<u32>;

/// The clocks that warps have handed on, by scope and warp; a warp is named by its first thread.
/// Threads of one warp share an entry: `Thread`, the only scope that tells them apart, reaches no
/// other thread.
type Told = BTreeMap<(Scope, Who), Clock>;

/// What a byte of memory hands on.
#[derive(Default, Debug)]
struct Word {
    told: Told,
    /// When that changed.
    since: u64,
}

/// What a thread knows.
#[derive(Clone, Default, Debug)]
struct Known {
    clock: Clock,
    /// What it knew at its last fence or release of each scope.
    released: Vec<(Scope, Clock)>,
    /// What it has read, and not acquired.
    heard: Told,
    /// Of each byte that the thread has read: which state of its two words, and at which scope. A
    /// thread that waits reads the same state over and over again, and learns nothing new by it.
    read: FxHashMap<Byte, ([u64; 2], Scope)>,
}

/// An access of a compared thread.
#[derive(Debug)]
struct Record {
    by: usize,
    /// Its number among the thread's accesses, from one.
    number: u32,
    strong: bool,
    object: ObjectId,
    party: Party,
}

/// A byte, of one block where it is in shared memory.
type Byte = (ObjectId, Option<[u32; 3]>, u64);

/// Looks for a pair in a run.
#[derive(Debug)]
pub(crate) struct Causality<'k> {
    kernel: &'k Kernel,
    launch: &'k Launch,
    pair: Pair,
    compared: Vec<Who>,
    /// An operation of the pair is strong: who reads what it wrote comes after it.
    is_observed: bool,
    known: FxHashMap<Who, Known>,
    words: FxHashMap<Byte, Word>,
    /// The same of writes that are observed without a fence.
    observed: FxHashMap<Byte, Word>,
    /// How often words have changed.
    changes: u64,
    /// Fences that are sequentially consistent.
    strict: Told,
    records: Vec<Record>,
    /// What was found.
    pub(crate) found: Option<Conflict>,
    /// A block barrier was passed without a thread of the block.
    pub(crate) leaves_behind: bool,
    /// The first block, and how many accesses of the pair its compared threads do before it stops.
    stop: Option<([u32; 3], u32)>,
    /// Something happened that is not followed.
    is_blind: bool,
}

impl<'k> Causality<'k> {
    /// Looks for a pair in a run of these blocks; the first may stop after a number of accesses of
    /// it.
    pub(crate) fn new(
        kernel: &'k Kernel,
        launch: &'k Launch,
        pair: Pair,
        blocks: &[[u32; 3]],
        stop_after: Option<u32>,
    ) -> Causality<'k> {
        let of_block = |block: &[u32; 3]| {
            let block = *block;
            (0..launch.shape.threads()).map(move |thread| (block, thread))
        };
        let all = blocks.len().saturating_mul(launch.shape.threads() as usize);
        let compared: Vec<Who> = match pair.threads {
            Some(threads) => threads.to_vec(),
            None if all <= MOST_COMPARED => blocks.iter().flat_map(of_block).collect(),
            None => Vec::new(),
        };
        let is_strong =
            |op: &OpId| kernel.access(*op).is_none_or(|it| it.volatile || it.order.is_some());
        Causality {
            kernel,
            launch,
            pair,
            is_blind: compared.is_empty(),
            compared,
            is_observed: pair.ops.is_none_or(|ops| ops.iter().any(is_strong)),
            known: FxHashMap::default(),
            words: FxHashMap::default(),
            observed: FxHashMap::default(),
            changes: 0,
            strict: Told::default(),
            records: Vec::new(),
            found: None,
            leaves_behind: false,
            stop: blocks.first().copied().zip(stop_after),
        }
    }

    /// Whether the run may go on with the next block: the first one has only been stopped.
    pub(crate) fn goes_on(&self) -> bool {
        self.found.is_none() && !self.is_blind
    }

    fn clock(&self, who: Who) -> Clock {
        self.known.get(&who).map(|it| it.clock.clone()).unwrap_or_default()
    }

    /// The first thread of a thread's warp.
    fn warp(&self, (block, thread): Who) -> Who {
        (block, thread - thread % self.launch.shape.warp_size.unwrap_or(1).max(1))
    }

    fn learn(&mut self, who: Who, clock: &Clock) {
        if clock.iter().any(|it| *it > 0) {
            join(&mut self.known.entry(who).or_default().clock, clock);
        }
    }

    /// A fence, or an access that acquires: what was heard is known.
    fn acquire(&mut self, who: Who, scope: Scope) {
        let Some(Known { clock: own, heard, .. }) = self.known.get_mut(&who) else { return };
        for (&(reach, from), clock) in &*heard {
            if self.launch.in_scope(reach.min(scope), from, who) {
                join(own, clock);
            }
        }
    }

    /// A fence, or an access that releases: what is known goes with later writes.
    fn release(&mut self, who: Who, scope: Scope) {
        let clock = self.clock(who);
        let released = &mut self.known.entry(who).or_default().released;
        match released.iter_mut().find(|(of, _)| *of == scope) {
            Some((_, known)) => join(known, &clock),
            None => released.push((scope, clock)),
        }
    }

    /// A fence that is sequentially consistent comes after those before it in the run.
    fn strict_fence(&mut self, who: Who, scope: Scope) {
        let warp = self.warp(who);
        let own = &mut self.known.entry(who).or_default().clock;
        for (&(reach, from), clock) in &self.strict {
            if self.launch.in_scope(reach.min(scope), from, who) {
                join(own, clock);
            }
        }
        tell(&mut self.strict, (scope, warp), own);
    }

    fn bytes(&self, at: &Moment<'_>, object: ObjectId, of: &ThreadAccess) -> Vec<Byte> {
        let block = (self.kernel[object].space == Space::Shared).then_some(at.block);
        (0..of.size).map(|byte| (object, block, of.offset.wrapping_add(byte))).collect()
    }

    fn hear(&mut self, who: Who, bytes: &[Byte], scope: Scope) {
        let known = self.known.entry(who).or_default();
        for byte in bytes {
            let all = [self.words.get(byte), self.observed.get(byte)];
            let now = (all.map(|it| it.map_or(0, |it| it.since)), scope);
            if known.read.insert(*byte, now) == Some(now) {
                continue;
            }
            let [word, observed] = all.map(|it| it.map(|it| &it.told));
            for (&(reach, from), clock) in word.into_iter().flatten() {
                tell(&mut known.heard, (reach.min(scope), from), clock);
            }
            for (&(reach, from), clock) in observed.into_iter().flatten() {
                if self.launch.in_scope(reach.min(scope), from, who) {
                    join(&mut known.clock, clock);
                }
            }
        }
    }

    /// A strong write: read-modify-writes add to what is there.
    fn write(&mut self, who: Who, bytes: &[Byte], scope: Scope, adds: bool) {
        let warp = self.warp(who);
        let known = self.known.entry(who).or_default();
        let (clock, released) = (known.clock.clone(), known.released.clone());
        for byte in bytes {
            if !adds {
                self.words.remove(byte);
                self.observed.remove(byte);
            }
            self.changes += 1;
            for (reach, clock) in &released {
                let word = self.words.entry(*byte).or_default();
                tell(&mut word.told, ((*reach).min(scope), warp), clock);
                word.since = self.changes;
            }
            if self.is_observed {
                let word = self.observed.entry(*byte).or_default();
                tell(&mut word.told, (scope, warp), &clock);
                word.since = self.changes;
            }
        }
    }

    /// Whether an access is unordered with an earlier one; remembers it.
    fn compare(&mut self, record: Record) {
        let clock = self.clock(self.compared[record.by]);
        let race = self.records.iter().find(|earlier| {
            let known = clock.get(earlier.by).copied().unwrap_or(0);
            earlier.by != record.by && earlier.number > known && self.conflict(earlier, &record)
        });
        if let Some(earlier) = race {
            let parties = [earlier.party.clone(), record.party.clone()];
            let [a, b] = &parties;
            let same_value = a.class == AccessClass::Write
                && b.class == AccessClass::Write
                && a.written.is_some()
                && (a.offset, a.size, &a.written) == (b.offset, b.size, &b.written);
            let byte = a.offset.max(b.offset);
            self.found = Some(Conflict { parties, object: record.object, byte, same_value });
        }
        if self.records.len() >= MOST_REMEMBERED {
            self.records.drain(..MOST_REMEMBERED / 2);
        }
        self.records.push(record);
    }

    fn conflict(&self, earlier: &Record, later: &Record) -> bool {
        let (a, b) = (&earlier.party, &later.party);
        let ops = [a.op, b.op];
        let wanted = self.pair.ops.is_none_or(|[one, two]| ops == [one, two] || ops == [two, one]);
        let one_memory = earlier.object == later.object
            && (self.kernel[later.object].space != Space::Shared || a.block == b.block);
        let meet =
            a.offset < b.offset.wrapping_add(b.size) && b.offset < a.offset.wrapping_add(a.size);
        let writes = [a, b].iter().any(|it| it.class != AccessClass::Read);
        let stored = [a, b].map(|it| Stored {
            class: it.class,
            bytes: (it.offset, it.size),
            written: it.written.as_deref(),
        });
        wanted
            && one_memory
            && meet
            && writes
            && !(earlier.strong && later.strong)
            && self.pair.placed.is_none_or(|it| self.are_placed(it, a, b))
            && (!self.pair.values_differ || leave_different_values(stored))
    }

    fn are_placed(&self, placed: Placed, a: &Party, b: &Party) -> bool {
        let one_block = a.block == b.block;
        let one_warp = self.launch.in_scope(Scope::Warp, (a.block, a.thread), (b.block, b.thread));
        match placed {
            Placed::OneBlock => one_block,
            Placed::OneWarp => one_warp,
            Placed::TwoWarps => one_block && !one_warp,
            Placed::TwoBlocks => !one_block,
        }
    }
}

/// The later of two clocks, component by component.
fn join(into: &mut Clock, from: &Clock) {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    for (own, other) in into.iter_mut().zip(from) {
        *own = (*own).max(*other);
    }
}

/// Adds what a thread hands on at a scope to what it has handed on before.
fn tell(all: &mut Told, by: (Scope, Who), clock: &Clock) {
    if clock.iter().any(|it| *it > 0) {
        join(all.entry(by).or_default(), clock);
    }
}

impl Visitor for Causality<'_> {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        if matches!(self.kernel[event.object].space, Space::Constant | Space::Local) {
            return ControlFlow::Continue(());
        }
        self.is_blind |= self.kernel[event.object].kind == ObjectKind::Unknown;
        let access = self.kernel.access(at.op);
        let volatile = access.is_some_and(|it| it.volatile);
        let order = access.and_then(|it| it.order).map(|(order, _)| order);
        let adds = matches!(event.class, AccessClass::Atomic(_));
        let scope = match event.atomic {
            Some(scope) if !volatile => Some(scope),
            None if !volatile && !adds => None,
            Some(_) | None => Some(Scope::System),
        };
        let (reads, writes) = (event.class != AccessClass::Write, event.class != AccessClass::Read);
        let acquires =
            matches!(order, Some(MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst));
        let releases =
            matches!(order, Some(MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst));
        for (index, it) in event.threads.iter().enumerate() {
            let who = (at.block, it.thread);
            let handed_on = !(self.words.is_empty() && self.observed.is_empty());
            let bytes = match scope.is_some() || writes && handed_on {
                true => self.bytes(at, event.object, it),
                false => Vec::new(),
            };
            if let (Some(scope), Some(MemoryOrder::SeqCst)) = (scope, order) {
                self.strict_fence(who, scope);
            }
            if let Some(scope) = scope.filter(|_| reads) {
                self.hear(who, &bytes, scope);
                if acquires {
                    self.acquire(who, scope);
                }
            }
            if let Some(by) = self.compared.iter().position(|it| *it == who) {
                let clock = &mut self.known.entry(who).or_default().clock;
                join(clock, &vec![0; by + 1]);
                clock[by] += 1;
                let number = clock[by];
                if self.pair.ops.is_none_or(|ops| ops.contains(&at.op)) {
                    if let Some((block, left)) = &mut self.stop
                        && *block == at.block
                    {
                        *left = left.saturating_sub(1);
                    }
                    let party = Party {
                        op: at.op,
                        block: at.block,
                        thread: it.thread,
                        tid: self.launch.shape.thread_index(it.thread),
                        iterations: at.iterations.to_vec(),
                        class: event.class,
                        offset: it.offset,
                        size: it.size,
                        written: event.written(index),
                        interval: match self.kernel[event.object].space {
                            Space::Shared => at.shared_interval,
                            Space::Global | Space::Generic | Space::Constant | Space::Local => {
                                at.global_interval
                            }
                        },
                    };
                    let strong = scope.is_some();
                    self.compare(Record { by, number, strong, object: event.object, party });
                }
            }
            match scope.filter(|_| writes) {
                Some(scope) => {
                    if releases {
                        self.release(who, scope);
                    }
                    self.write(who, &bytes, scope, adds);
                }
                None if writes => {
                    for byte in &bytes {
                        self.words.remove(byte);
                        self.observed.remove(byte);
                    }
                }
                None => {}
            }
        }
        if self.is_blind {
            self.found = None;
        }
        let stops = self.stop.is_some_and(|(block, left)| block == at.block && left == 0);
        match self.is_blind || self.found.is_some() || stops {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn fence(&mut self, at: &Moment<'_>, threads: &[u32]) -> ControlFlow<()> {
        let OpKind::Fence { order, scope, proxy: _ } = self.kernel[at.op].kind else {
            return ControlFlow::Continue(());
        };
        for &thread in threads {
            let who = (at.block, thread);
            if order != MemoryOrder::Release {
                self.acquire(who, scope);
            }
            if order == MemoryOrder::SeqCst {
                self.strict_fence(who, scope);
            }
            if order != MemoryOrder::Acquire {
                self.release(who, scope);
            }
        }
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, _: &Moment<'_>, _: &[u32]) -> ControlFlow<()> {
        self.is_blind = true;
        ControlFlow::Break(())
    }

    fn access_in_cluster(
        &mut self,
        _: &Moment<'_>,
        _: &AccessEvent<'_>,
        _: &[u32],
    ) -> ControlFlow<()> {
        self.is_blind = true;
        ControlFlow::Break(())
    }

    fn copy_issued(&mut self, _: &Moment<'_>, _: &CopyEvent) -> ControlFlow<()> {
        self.is_blind = true;
        ControlFlow::Break(())
    }

    fn barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        self.leaves_behind |= event.threads.len() < self.launch.shape.threads() as usize;
        let OpKind::Barrier(barrier) = &self.kernel[at.op].kind else {
            self.is_blind = true;
            return ControlFlow::Break(());
        };
        match barrier {
            Barrier::Block { .. } | Barrier::Named { .. } => {}
            Barrier::Warp { .. }
            | Barrier::Grid
            | Barrier::Cluster { .. }
            | Barrier::Mbarrier { .. } => {
                self.is_blind = true;
                return ControlFlow::Break(());
            }
        }
        let all: Vec<u32> = (0..self.launch.shape.threads()).collect();
        self.share(at.block, &all);
        ControlFlow::Continue(())
    }

    fn warp_barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        self.share(at.block, event.threads);
        ControlFlow::Continue(())
    }
}

impl Causality<'_> {
    /// What one of some threads knows, all of them know.
    fn share(&mut self, block: [u32; 3], threads: &[u32]) {
        let mut all = Clock::new();
        for &thread in threads {
            if let Some(it) = self.known.get(&(block, thread)) {
                join(&mut all, &it.clock);
            }
        }
        for &thread in threads {
            self.learn((block, thread), &all);
        }
    }
}
