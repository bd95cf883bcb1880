//! Executes events as the hardware would, and keeps the trace.
//!
//! The caller runs the program: it gives each event to [`Execution::perform`] in an order of its
//! choice, and lets a strand that [`Progress::Waits`] rest until [`Execution::is_over`]. One
//! schedule is enough: if nothing is violated in it, it stands for all.

mod cluster;
mod named;
mod object;
mod product;
mod standing;
mod warp;

use std::collections::BTreeMap;

use heddle_semantics::BARRIER_OBJECT_BYTES;

use crate::access::AccessKind;
use crate::clock::{Knowledge, Tick};
use crate::shape::{Footprint, Shapes};
use crate::strand::{Partition, StrandId};
use crate::sync::{ObjectName, ObjectStep, Sync};
use crate::trace::{
    AccessKey, Ending, Event, Generation, GenerationId, Interval, Membership, Name, Pending, Trace,
    Turn,
};
use crate::violation::{Stuck, Violation};

use self::cluster::Cluster;
use self::named::Named;
use self::object::Object;
use self::product::{Products, Warpgroup};
use self::warp::WarpMeeting;

pub use self::standing::Standing;

/// A wait: the event that waits.
pub type WaitId = Membership;

/// How an event went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The strand goes on.
    Goes,
    /// The strand waits.
    Waits(WaitId),
    /// Something is wrong that the execution cannot go beyond.
    Halts,
}

/// An execution under way.
#[derive(Clone, Debug)]
pub struct Execution {
    trace: Trace,
    /// Arrivals that a barrier for all threads of a block needs.
    block_arrivals: BTreeMap<u32, u32>,
    exited_are_awaited: bool,
    exited: BTreeMap<(u32, u32), u64>,
    named: BTreeMap<(u32, u32), Named>,
    objects: BTreeMap<ObjectName, Object>,
    cluster: Cluster,
    products: BTreeMap<Warpgroup, Products>,
    meetings: BTreeMap<(u32, u32, u64), WarpMeeting>,
    violations: Vec<Violation>,
}

impl Execution {
    /// Nothing has happened. `block_arrivals` are the arrivals of a whole block at a barrier;
    /// barriers for all threads wait for those that exited if `exited_are_awaited`.
    pub fn new(partition: &Partition, block_arrivals: u32, exited_are_awaited: bool) -> Execution {
        let strands = partition.strands().to_vec();
        let blocks: BTreeMap<u32, u32> =
            strands.iter().map(|strand| (strand.block, block_arrivals)).collect();
        let first = vec![Interval { known: Knowledge::default(), joint: 0 }];
        let trace = Trace {
            intervals: vec![first; strands.len()],
            events: vec![Vec::new(); strands.len()],
            strands,
            ..Trace::default()
        };
        Execution {
            cluster: Cluster::new(block_arrivals * blocks.len() as u32),
            trace,
            block_arrivals: blocks,
            exited_are_awaited,
            exited: BTreeMap::new(),
            named: BTreeMap::new(),
            objects: BTreeMap::new(),
            products: BTreeMap::new(),
            meetings: BTreeMap::new(),
            violations: Vec::new(),
        }
    }

    /// The strand does this, which comes from `source` in the caller's numbers.
    pub fn perform(&mut self, strand: StrandId, sync: Sync, source: u32) -> Progress {
        debug_assert!(!self.is_blocked(strand), "a strand that waits does nothing");
        if let Sync::Object(name, step) = sync {
            self.touch_object(strand, name, step, source);
        }
        let index = self.trace.intern(sync);
        let tick = self.trace.tick(strand);
        let event = Event { sync: index, source, generation: None };
        self.trace.events[strand.0 as usize].push(event);
        self.trace.schedule.push(Turn::Does(strand));
        let at = Membership { strand, event: tick };
        let before = self.violations.len();
        let waits = match sync {
            Sync::Named { id, expected, brings, waits, aligned } => {
                self.named(at, id, expected, brings, waits, aligned)
            }
            Sync::Object(name, step) => self.object(at, name, step),
            Sync::Cluster { step, brings } => self.cluster(at, step, brings),
            Sync::Issue | Sync::Settle => {
                self.next_interval(strand, None);
                false
            }
            Sync::Product(step) => self.product(at, step),
            Sync::Warp { lanes } => self.meet(at, lanes),
        };
        if self.violations[before..].iter().any(Violation::is_fatal) {
            return Progress::Halts;
        }
        if waits && !self.is_over(at) { Progress::Waits(at) } else { Progress::Goes }
    }

    /// An operation on a barrier object is an access of its bytes, in the interval that it ends.
    fn touch_object(&mut self, strand: StrandId, name: ObjectName, step: ObjectStep, source: u32) {
        let Some((kind, value)) = step.touches() else { return };
        let of = self.trace.strands[strand.0 as usize].lanes;
        let lanes = (0..64u8).filter(|lane| of >> lane & 1 == 1).map(|lane| (lane, name.offset));
        let lanes: Vec<(u8, u64)> = lanes.collect();
        if let Some(footprint) =
            self.trace.shapes.footprint(name.region, BARRIER_OBJECT_BYTES, &lanes)
        {
            self.trace.touch(strand, AccessKey { footprint, kind, source, value });
        }
    }

    /// The strand touches memory.
    pub fn touch(&mut self, strand: StrandId, key: AccessKey, threads: u32) {
        self.trace.commands += u64::from(threads);
        self.trace.touch(strand, key);
    }

    /// Some lanes of a warp touch memory, each `size` bytes from its offset; they are told apart by
    /// strand.
    #[expect(clippy::too_many_arguments, reason = "an access has that many parts")]
    pub fn access(
        &mut self,
        partition: &Partition,
        (block, warp): (u32, u32),
        region: u32,
        size: u64,
        lanes: &[(u8, u64)],
        kind: AccessKind,
        source: u32,
        value: u32,
    ) {
        let mask = lanes.iter().fold(0, |mask, (lane, _)| mask | 1u64 << lane);
        for strand in partition.touched(block, warp, mask) {
            let of = partition.strands()[strand.0 as usize].lanes;
            let some: Vec<(u8, u64)>;
            let mine = if mask & !of == 0 {
                lanes
            } else {
                some = lanes.iter().copied().filter(|(lane, _)| of >> lane & 1 == 1).collect();
                &some
            };
            if let Some(footprint) = self.trace.shapes.footprint(region, size, mine) {
                let key = AccessKey { footprint, kind, source, value };
                self.touch(strand, key, mine.len() as u32);
            }
        }
    }

    /// The strand issues an asynchronous access of some lanes, each `size` bytes from its offset.
    /// It is over with the phase of a barrier object that is in progress now, or by
    /// [`settle`](Execution::settle); the answer is its number, none where nothing is touched.
    pub fn issue(
        &mut self,
        strand: StrandId,
        footprint: Footprint,
        kind: AccessKind,
        source: u32,
        signals: Option<ObjectName>,
    ) -> usize {
        let object = signals.and_then(|name| self.objects.get(&name));
        let endings = object.map(Object::ending).into_iter().collect();
        let tick = self.trace.tick(strand);
        self.perform(strand, Sync::Issue, source);
        let key = AccessKey { footprint, kind, source, value: 0 };
        let together = false;
        self.trace.pending.push(Pending { issuer: strand, tick, key, together, endings });
        self.trace.commands += 1;
        self.trace.pending.len() - 1
    }

    /// An asynchronous access is one operation of all lanes of its strand.
    pub fn is_together(&mut self, number: usize) {
        self.trace.pending[number].together = true;
    }

    /// The strand waited for asynchronous accesses of its own: they are over for all that comes
    /// after.
    pub fn settle(&mut self, strand: StrandId, numbers: &[usize], source: u32) {
        self.perform(strand, Sync::Settle, source);
        let tick = self.trace.tick(strand);
        for number in numbers {
            self.trace.pending[*number].endings.push(Ending { dimension: strand.0, tick });
        }
    }

    /// Asynchronous accesses are over with the phase of a barrier object that is in progress now,
    /// too.
    pub fn ends_with(&mut self, name: ObjectName, numbers: &[usize]) {
        let Some(ending) = self.objects.get(&name).map(Object::ending) else { return };
        for number in numbers {
            self.trace.pending[*number].endings.push(ending);
        }
    }

    /// Asynchronous accesses are over for who knows that a strand is in this interval, too.
    pub fn ends_where(&mut self, strand: StrandId, tick: Tick, numbers: &[usize]) {
        for number in numbers {
            self.trace.pending[*number].endings.push(Ending { dimension: strand.0, tick });
        }
    }

    /// The table of shapes, to make footprints with.
    pub fn shapes(&mut self) -> &mut Shapes {
        &mut self.trace.shapes
    }

    /// The strand has ended; `arrivals` fewer are awaited where exited threads are not.
    pub fn exit(&mut self, strand: StrandId, arrivals: u32) {
        self.trace.schedule.push(Turn::Ends(strand, arrivals));
        let of = self.trace.strands[strand.0 as usize];
        *self.exited.entry((of.block, of.warp)).or_default() |= of.lanes;
        if !self.exited_are_awaited
            && let Some(left) = self.block_arrivals.get_mut(&of.block)
        {
            *left = left.saturating_sub(arrivals);
            self.recheck_block(of.block);
            self.leave_cluster(strand, arrivals);
        }
        self.recheck_warp(of.block, of.warp);
        self.recheck_products(self.warpgroup(strand));
    }

    /// Whether the strand waits.
    pub fn is_blocked(&self, strand: StrandId) -> bool {
        let index = strand.0 as usize;
        self.trace.events[index].len() == self.trace.intervals[index].len()
    }

    /// Whether a wait is over.
    pub fn is_over(&self, wait: WaitId) -> bool {
        self.trace.intervals[wait.strand.0 as usize].len() as Tick > wait.event + 1
    }

    /// The trace so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What is wrong so far, each pair of sources once.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The strands that wait now. If nothing else can run, they wait for ever.
    pub fn stuck(&self) -> Vec<Stuck> {
        let blocked = (0..self.trace.strands.len() as u32).map(StrandId);
        blocked.filter(|it| self.is_blocked(*it)).filter_map(|it| self.stuck_at(it)).collect()
    }

    /// The trace, and what is wrong.
    pub fn finish(self) -> (Trace, Vec<Violation>) {
        (self.trace, self.violations)
    }

    fn stuck_at(&self, strand: StrandId) -> Option<Stuck> {
        let last = self.trace.events[strand.0 as usize].last()?;
        let event = Membership { strand, event: self.trace.tick(strand) };
        let of = self.trace.strands[strand.0 as usize];
        let stuck = |name, number, arrived, expected, bytes| {
            Some(Stuck { strand, event, name, number, arrived, expected, bytes })
        };
        match self.trace.sync(last) {
            Sync::Named { id, .. } => {
                let named = self.named.get(&(of.block, id))?;
                let (number, arrived, expected) = named.standing(self.block_size(of.block));
                stuck(Name::Named { block: of.block, id }, number, arrived, expected, 0)
            }
            Sync::Object(name, _) => {
                let (number, arrived, expected, bytes) = self.objects.get(&name)?.standing();
                stuck(Name::Object(name), number, arrived, expected, bytes)
            }
            Sync::Cluster { .. } => {
                let (number, arrived, expected) = self.cluster.standing();
                stuck(Name::Cluster, number, arrived, expected, 0)
            }
            Sync::Issue | Sync::Settle => None,
            Sync::Product(_) => {
                let group = self.warpgroup(strand);
                let products = self.products.get(&group)?;
                let (_, number) = products.waiting.iter().find(|(at, _)| *at == event)?;
                let name = Name::Warpgroup { block: group.0, index: group.1 };
                let beside = self.strands_beside(strand);
                let has = |it: &&StrandId| {
                    products.committed.get(it).is_some_and(|commits| commits.len() > *number)
                };
                let arrived = beside.iter().filter(has).count() as u32;
                stuck(name, *number as u32, arrived, beside.len() as u32, 0)
            }
            Sync::Warp { lanes } => {
                let meeting = self.meetings.get(&(of.block, of.warp, lanes))?;
                let name = Name::Warp { block: of.block, warp: of.warp, lanes };
                stuck(name, 0, meeting.arrived.count_ones(), lanes.count_ones(), 0)
            }
        }
    }

    fn block_size(&self, block: u32) -> u32 {
        self.block_arrivals.get(&block).copied().unwrap_or(0)
    }

    /// The strand's interval ends, and the next begins with what it knew and `learned`.
    fn next_interval(&mut self, strand: StrandId, learned: Option<&Knowledge>) {
        let intervals = &mut self.trace.intervals[strand.0 as usize];
        let Some(Interval { mut known, mut joint }) = intervals.last().cloned() else { return };
        if let Some(learned) = learned {
            known.join(learned);
            joint = joint.max(learned.seen().get(strand.0));
        }
        intervals.push(Interval { known, joint });
    }

    /// What the strand knows at an event of its own, with all it did itself, joined into `release`.
    fn release_into(&self, at: Membership, release: &mut Knowledge) {
        release.join(&self.trace.interval(at.strand, at.event).known);
        release.raise(at.strand.0, at.event + 1);
    }

    /// As [`release_into`](Execution::release_into), without what the strand wrote.
    fn cause_into(&self, at: Membership, release: &mut Knowledge) {
        let mut known = self.trace.interval(at.strand, at.event).known.clone();
        known.raise(at.strand.0, at.event + 1);
        release.join_cause(&known);
    }

    /// Whether an event comes before another in every schedule, for all lanes of both.
    fn knows(&self, later: Membership, earlier: Membership) -> bool {
        let single = self.trace.strands[later.strand.0 as usize].lanes.count_ones() == 1;
        if later.strand == earlier.strand && single {
            return later.event > earlier.event;
        }
        self.trace.is_caused_by(earlier.strand, earlier.event, later.strand, later.event)
    }

    /// Whether each lane that does the later event does the earlier one before, or knows of it.
    fn follows(&self, later: Membership, earlier: Membership) -> bool {
        match later.strand == earlier.strand {
            true => later.event >= earlier.event,
            false => self.knows(later, earlier),
        }
    }

    fn begin_generation(&mut self, name: Name, number: u32, expected: u32) -> GenerationId {
        let generation =
            Generation { name, number, expected, arrivals: Default::default(), is_complete: false };
        self.trace.generations.push(generation);
        GenerationId(self.trace.generations.len() as u32 - 1)
    }

    fn join_generation(&mut self, generation: GenerationId, at: Membership) {
        self.trace.generations[generation.0 as usize].arrivals.push(at);
        self.belongs(at, generation);
    }

    fn belongs(&mut self, at: Membership, generation: GenerationId) {
        self.trace.events[at.strand.0 as usize][at.event as usize].generation = Some(generation);
    }

    fn source(&self, at: Membership) -> u32 {
        self.trace.events[at.strand.0 as usize][at.event as usize].source
    }

    /// Keeps a violation, unless the same two sources are known to be at odds in this way.
    fn report(&mut self, violation: Violation) {
        let key = |it: &Violation| match it {
            Violation::Recycled { earlier, later, .. } => {
                Some((0, self.source(*earlier), self.source(*later)))
            }
            Violation::EarlyPass { wait, missing, .. } => {
                Some((1, self.source(*wait), self.source(*missing)))
            }
            Violation::Lapped { wait, .. } => Some((2, self.source(*wait), 0)),
            Violation::LateExpect { expect, .. } => Some((3, self.source(*expect), 0)),
            Violation::InitUnordered { init, by, .. } => {
                Some((4, self.source(*init), self.source(*by)))
            }
            Violation::CountMismatch { .. }
            | Violation::TooMany { .. }
            | Violation::NotInitialised { .. }
            | Violation::InitInUse { .. }
            | Violation::ClusterOrder { .. } => None,
        };
        let new = key(&violation);
        if new.is_none() || !self.violations.iter().any(|it| key(it) == new) {
            self.violations.push(violation);
        }
    }
}
