//! Finds two accesses to the same byte that nothing orders.
//!
//! Two accesses conflict if they touch a common byte, are made by different threads, at least one
//! writes, they are not both atomic on the same bytes with scopes that include each other, and
//! neither a barrier of the block (for that kind of memory), nor warp barriers, nor a barrier of
//! the cluster or the grid stands between them. Shared memory of two blocks is two memories, to
//! which threads of the other blocks of a cluster may come.
//!
//! Order is happens-before: each thread knows the block barriers that it took part in, and of each
//! lane of its warp the last warp barrier that reached it, directly or through other lanes. A block
//! barrier stands between two accesses if one thread took part in it before its access and the
//! other did not: that one comes to it later, or has returned, which the barrier waited for.
//!
//! An asynchronous copy touches its bytes anew in each interval that begins before its issuer has
//! waited for it. What the issuer itself does is left to [`crate::pending`]. A copy of the whole
//! block is one operation, which each thread issues: it is before what a thread does after its own
//! wait.
//!
//! **Sound**: a conflict found is one of the run. **Misses** nothing when the pair names threads;
//! else, per byte and operation, the first [`KEPT`] threads of an interval are remembered, so that
//! a pair may be missed where more threads than that touch one byte with one operation. Does not
//! know fences, and acquire and release of atomics: what those order still counts as a conflict. Of
//! an access of more than 4096 bytes (a bulk copy) only these are looked at. Objects that may be
//! others ([`ObjectKind::Unknown`]) are left out.

mod flying;
mod seen;

use std::ops::ControlFlow;
use std::rc::Rc;

use heddle_ir::{Kernel, ObjectId, ObjectKind, OpId, Scope, Space};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::journal::{
    AccessClass, AccessEvent, BarrierEvent, CopyEvent, Moment, ThreadAccess, Visitor,
};
use crate::launch::Launch;
use crate::pair::{Pair, Placed, Stored, leave_different_values};
use flying::Flying;
use seen::{Common, Record};

/// Threads remembered per byte and operation.
const KEPT: usize = 8;
/// Of larger accesses only so many first bytes are looked at.
const LARGEST: u64 = 4096;
/// Bytes are looked up by so many at once.
const GRANULE: u64 = 8;

/// One of two accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// The operation.
    pub op: OpId,
    /// The block.
    pub block: [u32; 3],
    /// The thread's number in the block.
    pub thread: u32,
    /// The thread's index in the block.
    pub tid: [u32; 3],
    /// Iterations of the loops around the operation, outermost first, from zero.
    pub iterations: Vec<u64>,
    /// What was done.
    pub class: AccessClass,
    /// The first byte touched.
    pub offset: u64,
    /// Bytes touched.
    pub size: u64,
    /// What was written, element by element, where known.
    pub written: Option<Vec<u128>>,
    /// Block barriers passed that order this memory.
    pub interval: u32,
}

/// Two accesses that nothing orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The earlier in the run, then the later.
    pub parties: [Party; 2],
    /// The object.
    pub object: ObjectId,
    /// The first byte both touch.
    pub byte: u64,
    /// Both wrote the same known value to the same bytes.
    pub same_value: bool,
}

/// Collects conflicts of a run.
#[derive(Debug)]
pub struct ConflictFinder<'k> {
    kernel: &'k Kernel,
    launch: &'k Launch,
    pair: Pair,
    most: usize,
    found: Vec<Conflict>,
    /// By object, in the shared memory of the block of which rank, and granule.
    granules: FxHashMap<(ObjectId, u32, u64), Vec<Record>>,
    /// The cluster that runs.
    cluster: Option<[u32; 3]>,
    /// Per thread of the block and lane of its warp, the last warp barriers of that lane it knows
    /// of: those for shared and those for global memory.
    clocks: Vec<Vec<[u32; 2]>>,
    /// Per thread of the block, the block barriers for shared and for global memory up to the last
    /// it took part in.
    joined: Vec<[u32; 2]>,
    block_number: Option<u32>,
    leaves_behind: bool,
    flying: Flying,
    /// How often one of them was looked at in a new interval.
    flown: usize,
    /// Of parts of copies of the block: who has them, and which copy, by number.
    parts: FxHashMap<u64, (u32, u64)>,
    /// Copies of the block that a thread has waited for.
    waited: FxHashSet<(u32, u64)>,
}

impl<'k> ConflictFinder<'k> {
    /// Looks for a pair, and breaks the run off when it has found `most`. Of several conflicts of
    /// the same two operations the first is kept.
    pub fn new(
        kernel: &'k Kernel,
        launch: &'k Launch,
        pair: Pair,
        most: usize,
    ) -> ConflictFinder<'k> {
        ConflictFinder {
            kernel,
            launch,
            pair,
            most,
            found: Vec::new(),
            granules: FxHashMap::default(),
            cluster: None,
            clocks: Vec::new(),
            joined: Vec::new(),
            block_number: None,
            leaves_behind: false,
            flying: Flying::default(),
            flown: 0,
            parts: FxHashMap::default(),
            waited: FxHashSet::default(),
        }
    }

    /// Whether a block barrier was passed without a thread of the block.
    pub(crate) fn leaves_behind(&self) -> bool {
        self.leaves_behind
    }

    /// What was found, in the order of the run.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.found
    }

    /// The same, at the end.
    pub fn into_conflicts(self) -> Vec<Conflict> {
        self.found
    }

    fn start_block(&mut self, at: &Moment<'_>) {
        if self.block_number == Some(at.block_number) {
            return;
        }
        self.block_number = Some(at.block_number);
        let (threads, lanes) = (self.launch.shape.threads() as usize, self.warp_lanes() as usize);
        self.clocks = vec![vec![[0; 2]; lanes]; threads];
        self.joined = vec![[0; 2]; threads];
        self.flying = Flying::default();
        self.parts.clear();
        self.waited.clear();
        // Shared memory of the clusters before is gone.
        let cluster = self.launch.shape.clusters().cluster_of(at.block);
        if self.cluster.replace(cluster) != Some(cluster) {
            let kernel = self.kernel;
            self.granules.retain(|(object, ..), _| kernel[*object].space != Space::Shared);
        }
    }

    fn warp_lanes(&self) -> u32 {
        self.launch.shape.warp_size.unwrap_or(1)
    }

    fn same_warp(&self, a: u32, b: u32) -> bool {
        a / self.warp_lanes() == b / self.warp_lanes()
    }

    /// The last warp barrier of `of` for a memory that `thread`, of the same warp, knows of.
    fn clock(&self, thread: u32, of: u32, memory: usize) -> u32 {
        self.clocks[thread as usize][(of % self.warp_lanes()) as usize][memory]
    }

    /// Whether the earlier access stands before the later one whatever the schedule.
    fn ordered(&self, earlier: &Record, later: &Record) -> bool {
        let (a, b) = (&earlier.common, &later.common);
        if a.grid_interval != b.grid_interval {
            return true;
        }
        if a.cluster_interval != b.cluster_interval && self.in_one_cluster(a.block, b.block) {
            return true;
        }
        if a.block_number != b.block_number {
            return false;
        }
        let (one, two) = (earlier.at.thread, later.at.thread);
        // A copy of the whole block is over for each thread that has waited for it.
        let waited = a.group.is_some_and(|copy| self.waited.contains(&(two, copy)));
        waited
            || earlier.joined != later.joined
            || (self.same_warp(one, two) && self.clock(two, one, later.memory) > earlier.warp_clock)
    }

    /// Whether a scope seen from one of two accesses includes the other.
    fn includes(&self, scope: Scope, a: &Record, b: &Record) -> bool {
        let who = |it: &Record| (it.common.block, it.at.thread);
        self.launch.in_scope(scope, who(a), who(b))
    }

    fn in_one_cluster(&self, a: [u32; 3], b: [u32; 3]) -> bool {
        let clusters = self.launch.shape.clusters();
        clusters.cluster_of(a) == clusters.cluster_of(b)
    }

    /// Whose memory an object of a block is, by rank in the cluster.
    fn home(&self, object: ObjectId, rank: u32) -> u32 {
        if self.kernel[object].space == Space::Shared { rank } else { 0 }
    }

    fn are_placed(&self, placed: Placed, a: &Record, b: &Record) -> bool {
        let one_block = a.common.block_number == b.common.block_number;
        let one_warp = one_block && self.same_warp(a.at.thread, b.at.thread);
        match placed {
            Placed::OneBlock => one_block,
            Placed::OneWarp => one_warp,
            Placed::TwoWarps => one_block && !one_warp,
            Placed::TwoBlocks => !one_block,
        }
    }

    fn conflict(&self, earlier: &Record, later: &Record) -> bool {
        let (a, b) = (&earlier.common, &later.common);
        let one_copy = a.group.is_some() && a.group == b.group && a.block_number == b.block_number;
        let same_thread = a.block_number == b.block_number && earlier.at.thread == later.at.thread;
        let reads_only = a.class == AccessClass::Read && b.class == AccessClass::Read;
        let both_atomic = match (a.atomic, b.atomic) {
            (Some(one), Some(two)) => {
                let same_bytes =
                    (earlier.at.offset, earlier.at.size) == (later.at.offset, later.at.size);
                same_bytes
                    && (one == two || !self.kernel.target.has_strict_scopes())
                    && self.includes(one, earlier, later)
                    && self.includes(two, earlier, later)
            }
            (Some(_), None) | (None, Some(_)) | (None, None) => false,
        };
        let ops = [a.op, b.op];
        let wanted = self.pair.ops.is_none_or(|[one, two]| ops == [one, two] || ops == [two, one]);
        earlier.bytes & later.bytes != 0
            && wanted
            && self.pair.placed.is_none_or(|it| self.are_placed(it, earlier, later))
            && !same_thread
            && !one_copy
            && !reads_only
            && !both_atomic
            && !self.ordered(earlier, later)
    }

    /// The memory that an object is in (0 is shared, 1 is global), if the pair is looked for there.
    fn memory_of(&self, at: &Moment<'_>, object: ObjectId) -> Option<usize> {
        let memory = match self.kernel[object].space {
            Space::Shared => 0,
            Space::Global | Space::Generic => 1,
            Space::Constant | Space::Local => return None,
        };
        let of_pair = self.pair.ops.is_none_or(|ops| ops.contains(&at.op));
        (of_pair && self.kernel[object].kind != ObjectKind::Unknown).then_some(memory)
    }

    fn wants(&self, at: &Moment<'_>, thread: u32) -> bool {
        self.pair.threads.is_none_or(|it| it.contains(&(at.block, thread)))
    }

    /// A thread's part, as it knows the barriers now.
    fn record(
        &self,
        common: Rc<Common>,
        at: ThreadAccess,
        written: Option<Rc<[u128]>>,
        memory: usize,
    ) -> Record {
        let warp_clock = self.clock(at.thread, at.thread, memory);
        let joined = self.joined[at.thread as usize][memory];
        Record { common, at, written, memory, warp_clock, joined, bytes: 0 }
    }

    /// Compares an access with those before it, and keeps it.
    fn touch(&mut self, mut record: Record, (object, rank): (ObjectId, u32)) -> ControlFlow<()> {
        let home = self.home(object, rank);
        let (mut offset, mut left) = (record.at.offset, record.at.size.min(LARGEST));
        while left > 0 {
            let start = offset % GRANULE;
            let length = left.min(GRANULE - start);
            record.bytes = (((1u16 << length) - 1) << start) as u8;
            let granule = offset / GRANULE;
            self.check(&record, (object, home, granule));
            if self.found.len() >= self.most {
                return ControlFlow::Break(());
            }
            self.remember(record.clone(), (object, home, granule));
            offset = offset.wrapping_add(length);
            left -= length;
        }
        ControlFlow::Continue(())
    }

    fn check(&mut self, record: &Record, place: (ObjectId, u32, u64)) {
        let (object, _, granule) = place;
        let Some(list) = self.granules.get(&place) else { return };
        let wanted = |it: &&Record| {
            self.conflict(it, record) && (!self.pair.values_differ || differ(it, record))
        };
        let Some(earlier) = list.iter().find(wanted) else {
            return;
        };
        let both = earlier.bytes & record.bytes;
        let byte = granule * GRANULE + u64::from(both.trailing_zeros());
        let parties = [earlier.party(self.launch), record.party(self.launch)];
        let ops = |it: &[Party; 2]| {
            let (a, b) = (it[0].op, it[1].op);
            (a.min(b), a.max(b))
        };
        let known = |it: &Conflict| ops(&it.parties) == ops(&parties) && it.object == object;
        if self.found.iter().any(known) {
            return;
        }
        let same_value = stores_alike(earlier, record);
        self.found.push(Conflict { parties, object, byte, same_value });
    }

    fn remember(&mut self, record: Record, place: (ObjectId, u32, u64)) {
        let list = self.granules.entry(place).or_default();
        let same_op = |it: &Record| {
            let (a, b) = (&it.common, &record.common);
            (a.block_number, a.op, a.class) == (b.block_number, b.op, b.class)
        };
        let mut older = 0;
        list.retain(|it| {
            // A newer access of the same thread is ordered before less than the one it replaces.
            let covered = it.bytes & !record.bytes == 0;
            let replaced = same_op(it) && it.at.thread == record.at.thread && covered;
            // What a barrier separates from here on can meet another block only, and there one
            // thread stands for all.
            let is_older = same_op(it)
                && it.common.interval != record.common.interval
                && it.common.grid_interval == record.common.grid_interval
                && it.common.cluster_interval == record.common.cluster_interval;
            older += usize::from(is_older);
            !replaced && (!is_older || older <= KEPT)
        });
        let alike = list.iter().filter(|it| {
            same_op(it)
                && it.common.interval == record.common.interval
                && it.bytes & record.bytes == record.bytes
        });
        if self.pair.threads.is_some() || alike.count() < KEPT {
            list.push(record);
        }
    }
}

/// Whether both store the same known value to the same bytes.
fn stores_alike(a: &Record, b: &Record) -> bool {
    a.written.is_some()
        && (a.at.offset, a.at.size, &a.written) == (b.at.offset, b.at.size, &b.written)
        && [a, b].iter().all(|it| it.common.class == AccessClass::Write)
}

/// Whether two accesses are known to leave different values. What copies of two blocks bring to one
/// place was not made to be alike.
fn differ(a: &Record, b: &Record) -> bool {
    fn stored(it: &Record) -> Stored<'_> {
        Stored {
            class: it.common.class,
            bytes: (it.at.offset, it.at.size),
            written: it.written.as_deref(),
        }
    }
    [a, b].iter().any(|it| it.common.group.is_some())
        || leave_different_values([stored(a), stored(b)])
}

impl ConflictFinder<'_> {
    /// Compares the accesses of an event; `ranks` says in the memory of which blocks they are.
    fn accesses(
        &mut self,
        at: &Moment<'_>,
        event: &AccessEvent<'_>,
        ranks: Option<&[u32]>,
    ) -> ControlFlow<()> {
        self.start_block(at);
        let Some(memory) = self.memory_of(at, event.object) else {
            return ControlFlow::Continue(());
        };
        let own = self.launch.shape.clusters().rank(at.block);
        let common = Rc::new(Common::of(at, event.class, (event.atomic, event.group), memory));
        for (index, &access) in event.threads.iter().enumerate() {
            if !self.wants(at, access.thread) {
                continue;
            }
            let written = event.written(index).map(Into::into);
            let record = self.record(common.clone(), access, written, memory);
            let rank = ranks.map_or(own, |it| it[index]);
            self.touch(record, (event.object, rank))?;
        }
        ControlFlow::Continue(())
    }
}

impl Visitor for ConflictFinder<'_> {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        self.accesses(at, event, None)
    }

    fn access_in_cluster(
        &mut self,
        at: &Moment<'_>,
        event: &AccessEvent<'_>,
        ranks: &[u32],
    ) -> ControlFlow<()> {
        self.accesses(at, event, Some(ranks))
    }

    fn copy_issued(&mut self, at: &Moment<'_>, copy: &CopyEvent) -> ControlFlow<()> {
        self.start_block(at);
        self.takes_off(at, copy);
        ControlFlow::Continue(())
    }

    fn copy_done(&mut self, _: &Moment<'_>, number: u64) -> ControlFlow<()> {
        self.waited.extend(self.parts.remove(&number));
        self.flying.end(number, |_| true);
        ControlFlow::Continue(())
    }

    fn copy_read(&mut self, _: &Moment<'_>, number: u64) -> ControlFlow<()> {
        self.flying.end(number, |it| it == AccessClass::Read);
        ControlFlow::Continue(())
    }

    fn barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        self.start_block(at);
        self.leaves_behind |= event.threads.len() < self.launch.shape.threads() as usize;
        for &thread in event.threads {
            let [shared, global] = &mut self.joined[thread as usize];
            if event.orders_shared {
                *shared = at.shared_interval + 1;
            }
            if event.orders_global {
                *global = at.global_interval + 1;
            }
        }
        let orders = [event.orders_shared, event.orders_global];
        let now = [at.shared_interval, at.global_interval];
        self.fly_on(at, |memory| now[memory] + u32::from(orders[memory]))
    }

    fn warp_barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        self.start_block(at);
        let lanes = self.warp_lanes();
        let orders = [event.orders_shared, event.orders_global];
        let mut joined = vec![[0; 2]; lanes as usize];
        for &thread in event.threads {
            let own = &mut self.clocks[thread as usize];
            let now = &mut own[(thread % lanes) as usize];
            now.iter_mut().zip(orders).for_each(|(clock, it)| *clock += u32::from(it));
            for (all, one) in joined.iter_mut().zip(own.iter()) {
                *all = [all[0].max(one[0]), all[1].max(one[1])];
            }
        }
        for &thread in event.threads {
            for (own, all) in self.clocks[thread as usize].iter_mut().zip(&joined) {
                for memory in [0, 1].into_iter().filter(|it| orders[*it]) {
                    own[memory] = all[memory];
                }
            }
        }
        self.fly_on(at, |memory| [at.shared_interval, at.global_interval][memory])
    }
}
