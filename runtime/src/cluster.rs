//! Clusters: blocks that are there together, with a barrier of their own, and that reach each
//! other's shared memory.
//!
//! The blocks of a cluster have neighbouring slots, in the order of their ranks, and start and
//! leave together: so the shared memory of a block can be told from its slot for as long as any
//! block of its cluster runs.
//!
//! **Promises**: the barrier waits for all threads of the cluster that have not ended (PTX ISA
//! 9.7.13.4). An access to the shared memory of a block that has ended is reported, and so is one
//! that nothing orders before that block's end.
//! **Does not**: tell the scope `.cluster` of fences and atomics from `.gpu`.

use std::collections::BTreeMap;

use heddle_semantics::{ClusterPhases, Clusters, index_of, number_of};

use crate::block::{Block, Pause, State, Thread};
use crate::clock::Knowledge;
use crate::event::Event;
use crate::launch::Launch;
use crate::memory::BadLayout;
use crate::worker::Worker;

/// How blocks make clusters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    clusters: Clusters,
    /// Blocks of a cluster.
    pub(crate) size: usize,
}

/// Blocks of a cluster at most (CUDA C++ Programming Guide: 8, and 16 where a kernel asks for it).
const MOST_BLOCKS: usize = 16;
/// Clocks that threads may still take until they arrive, once the first one has.
const SLACK: u32 = 1024;

impl Shape {
    /// Of a launch.
    ///
    /// # Errors
    /// The grid is not made of whole clusters, or they are too large.
    pub(crate) fn of(launch: &Launch) -> Result<Shape, BadLayout> {
        let (dims, grid) = (launch.cluster.map(|it| it.max(1)), launch.grid);
        let text = |[x, y, z]: [u32; 3]| format!("{x},{y},{z}");
        if (0..3).any(|axis| !grid[axis].is_multiple_of(dims[axis])) {
            return Err(BadLayout(format!(
                "a grid of {} blocks is not made of clusters of {}",
                text(grid),
                text(dims)
            )));
        }
        let size = dims.iter().map(|it| *it as usize).product();
        if size > MOST_BLOCKS {
            return Err(BadLayout(format!(
                "a cluster of {} has more than {MOST_BLOCKS} blocks",
                text(dims)
            )));
        }
        Ok(Shape { clusters: Clusters { grid, cluster: dims }, size })
    }

    /// The number of the cluster that a block belongs to.
    pub(crate) fn cluster_of(&self, block: u32) -> u32 {
        let index = self.clusters.cluster_of(index_of(block, self.clusters.grid));
        number_of(index, self.clusters.clusters())
    }

    /// The number of the block of a rank in a cluster.
    fn block(&self, cluster: u32, rank: u32) -> u32 {
        let cluster = index_of(cluster, self.clusters.clusters());
        number_of(self.clusters.block(cluster, rank), self.clusters.grid)
    }

    /// What a block's threads see of its cluster, by the numbers of [`crate::abi::Special`] from
    /// `ClusterX` on.
    pub(crate) fn ids(&self, block: [u32; 3]) -> [u32; 13] {
        let of = self.clusters;
        let [ax, ay, az] = of.cluster_of(block);
        let [nx, ny, nz] = of.clusters();
        let [ix, iy, iz] = of.index_in_cluster(block);
        let [cx, cy, cz] = of.cluster;
        [ax, ay, az, nx, ny, nz, ix, iy, iz, cx, cy, cz, of.rank(block)]
    }
}

/// The barrier of one cluster, and who reached into whose shared memory.
#[derive(Debug, Default)]
pub(crate) struct Cluster {
    phases: ClusterPhases,
    /// Those that published, with their clocks.
    arrivals: Vec<(u32, u32)>,
    /// Some arrival published nothing, or was above the ceiling.
    uneven: bool,
    /// Clocks of arrivals are below; threads go on from it.
    ceiling: u32,
    published: Knowledge,
    /// What the phase before published.
    over: Knowledge,
    /// A thread that ended without having arrived in this phase.
    absent: Option<u32>,
}

/// The last time that a thread of another block reached into a block's shared memory: its clock,
/// its site, and whether it wrote.
pub(crate) type Visits = BTreeMap<u32, (u32, u32, bool)>;

impl Worker {
    /// Starts the clusters for which all slots are free.
    pub(crate) fn fill_clusters(&mut self, clusters: u64) {
        let size = self.shape.size;
        for group in 0..self.blocks.len() / size {
            if self.exhausted || !self.is_free(group) {
                continue;
            }
            let at = self.next_block;
            self.next_block = at + 1;
            self.exhausted = self.next_block >= clusters;
            let cluster = match &self.launch.blocks {
                Some(some) => some[at as usize],
                None => at as u32,
            };
            self.clusters[group] = Cluster::default();
            for rank in 0..size {
                self.start_block(group * size + rank, self.shape.block(cluster, rank as u32));
            }
        }
    }

    fn is_free(&self, group: usize) -> bool {
        let size = self.shape.size;
        self.blocks[group * size..][..size].iter().all(Option::is_none)
    }

    /// Whether another block, or cluster, could start.
    pub(crate) fn has_room(&self) -> bool {
        match self.shape.size {
            1 => self.blocks[..self.at_once].iter().any(Option::is_none),
            size => (0..self.blocks.len() / size).any(|group| self.is_free(group)),
        }
    }

    /// The slot of the block that has an address in its shared memory, if it is of the running
    /// thread's cluster.
    pub(crate) fn slot_of(&self, address: usize) -> Option<usize> {
        // SAFETY: a fiber runs.
        let own = unsafe { (*self.thread).slot } as usize;
        let offset = address.wrapping_sub(self.shared.region.base);
        let slot = offset / self.shared.stride;
        let near = slot / self.shape.size == own / self.shape.size;
        (offset < self.shared.region.len && near).then_some(slot)
    }

    /// An address of shared memory as one of the block of that rank (PTX ISA 9.7.9, `mapa`); zero
    /// if there is none.
    pub(crate) fn mapped(&self, address: usize, rank: u32) -> usize {
        let Some(slot) = self.slot_of(address).filter(|_| (rank as usize) < self.shape.size) else {
            return 0;
        };
        let to = slot / self.shape.size * self.shape.size + rank as usize;
        address - self.shared.start(slot) + self.shared.start(to)
    }

    /// The rank of the block that an address of shared memory belongs to.
    pub(crate) fn rank_of(&self, address: usize) -> u32 {
        self.slot_of(address).map_or(0, |slot| (slot % self.shape.size) as u32)
    }

    /// The block that has an address in its shared memory, the running one for any other; none if
    /// that block has ended.
    pub(crate) fn owner(&mut self, address: usize) -> Option<*mut Block> {
        match self.slot_of(address) {
            Some(slot) => self.blocks[slot].as_deref_mut().map(|it| &raw mut *it),
            None => Some(self.block),
        }
    }

    /// Notes that the running thread reaches into the shared memory of another block.
    pub(crate) fn visit(&mut self, slot: usize, write: bool) {
        // SAFETY: a fiber runs.
        let thread = unsafe { &*self.thread };
        let seen = (thread.facts.clock, thread.facts.site, write);
        if let Some(block) = self.blocks[slot].as_deref_mut() {
            block.visits.insert(thread.number, seen);
        }
    }

    /// An access to shared memory of a block of the cluster that has ended.
    pub(crate) fn report_ended(&mut self, address: usize, size: usize, write: bool) {
        // SAFETY: a fiber runs.
        let thread = unsafe { &*self.thread };
        let (site, number) = (thread.facts.site, thread.number);
        let what = self.bytes(address, size);
        let event = Event::EndedBlock { site, write, has_ended: true };
        self.outcome.events.add(event, [number; 2], || (what, Vec::new()));
        self.outcome.finished = false;
    }

    /// A thread of a block ends: what it knows of visits is ordered before the block's end. Those
    /// that nobody knows of when the last one ends are reported.
    pub(crate) fn settle_visits(&mut self, block: &mut Block, index: u32) {
        let knows = block.threads[index as usize].facts.knows.as_deref();
        let of = self.threads_per_block;
        if let Some(knows) = knows {
            block
                .visits
                .retain(|&thread, &mut (clock, ..)| !knows.covers(thread, thread / of, clock));
        }
        if block.live > 0 {
            return;
        }
        for (thread, (_, site, write)) in std::mem::take(&mut block.visits) {
            let event = Event::EndedBlock { site, write, has_ended: false };
            let owner = block.threads[index as usize].number;
            self.outcome.events.add(event, [thread, owner], Default::default);
        }
    }

    /// A thread arrives at the barrier of its cluster.
    pub(crate) fn arrive_at_cluster(&mut self, publishes: bool) {
        // SAFETY: a fiber runs; the worker is the only one that looks at its block.
        let thread = unsafe { &mut *self.thread };
        thread.waits_at = thread.facts.site;
        let group = thread.slot as usize / self.shape.size;
        if thread.between.is_some() {
            return self.cluster_order(thread, false);
        }
        if self.clusters[group].phases.arrived == 0 {
            let highest = self.threads_of(group).map(|it| it.facts.clock).max().unwrap_or(0);
            self.clusters[group].ceiling = highest + SLACK;
        }
        let cluster = &mut self.clusters[group];
        thread.between = Some(cluster.phases.arrive(1));
        let clock = thread.facts.clock;
        cluster.uneven |= !publishes || clock >= cluster.ceiling;
        if publishes {
            if let Some(knows) = thread.facts.knows.as_deref() {
                cluster.published.join(knows);
            }
            cluster.arrivals.push((thread.number, clock));
        } else if let Some(fenced) = thread.fenced.as_deref() {
            // What came before a fence of the cluster or wider.
            cluster.published.join(&fenced.1);
        }
        thread.facts.clock = cluster.ceiling.max(clock + 1);
        self.settle_cluster(group);
    }

    /// A thread waits for its cluster to have arrived. Whether it has to.
    pub(crate) fn wait_for_cluster(&mut self) -> Option<Pause> {
        // SAFETY: as above.
        let (thread, block) = unsafe { (&mut *self.thread, &mut *self.block) };
        thread.waits_at = thread.facts.site;
        let group = thread.slot as usize / self.shape.size;
        let Some(phase) = thread.between.take() else {
            self.cluster_order(thread, true);
            return None;
        };
        let cluster = &self.clusters[group];
        if cluster.phases.is_over(phase) {
            thread.facts.knows.get_or_insert_default().join(&cluster.over);
            block.has_knowledge = true;
            return None;
        }
        thread.state = State::Cluster;
        block.halted += 1;
        Some(Pause::Wait)
    }

    fn cluster_order(&mut self, thread: &Thread, waits: bool) {
        let event = Event::ClusterOrder { site: thread.facts.site, waits };
        self.outcome.events.add(event, [thread.number; 2], Default::default);
    }

    fn threads_of(&self, group: usize) -> impl Iterator<Item = &Thread> {
        let size = self.shape.size;
        self.blocks[group * size..][..size].iter().flatten().flat_map(|block| &block.threads)
    }

    /// A thread of a cluster has ended: its arrival is not counted any more, and is not waited for.
    pub(crate) fn leave_cluster(&mut self, slot: usize, number: u32, between: Option<u32>) {
        let group = slot / self.shape.size;
        let cluster = &mut self.clusters[group];
        if between != Some(cluster.phases.phase) {
            cluster.absent.get_or_insert(number);
        }
        cluster.phases.leave(between, 1);
        cluster.uneven = true;
        self.settle_cluster(group);
    }

    fn settle_cluster(&mut self, group: usize) {
        let size = self.shape.size;
        let blocks = self.blocks[group * size..][..size].iter().flatten();
        let live: u32 = blocks.map(|block| block.live).sum();
        let cluster = &mut self.clusters[group];
        if !cluster.phases.is_full(live) {
            return;
        }
        self.idle = 0;
        let mut over = std::mem::take(&mut cluster.published);
        let slots = group * size..group * size + size;
        if cluster.uneven {
            cluster.arrivals.iter().for_each(|&(thread, clock)| over.learn_thread(thread, clock));
        } else {
            for block in self.blocks[slots.clone()].iter().flatten() {
                over.learn_block(block.number, cluster.ceiling);
            }
        }
        let absent = cluster.absent.take();
        let mut phases = cluster.phases;
        phases.advance();
        *cluster = Cluster { phases, over, ..Cluster::default() };
        // Who has ended will not arrive in the next phase either.
        cluster.absent = absent;
        cluster.uneven = absent.is_some();
        let mut first = None;
        for block in self.blocks[slots].iter_mut().flatten() {
            for thread in block.threads.iter_mut().filter(|it| it.state == State::Cluster) {
                first.get_or_insert((thread.waits_at, thread.number));
                thread.facts.knows.get_or_insert_default().join(&cluster.over);
                thread.state = State::Ready;
                block.halted -= 1;
                block.has_knowledge = true;
                self.ready.add((thread.slot, thread.index));
            }
        }
        if let (Some(absent), Some((barrier, number))) = (absent, first) {
            let event = Event::EarlyReturn { barrier };
            self.outcome.events.add(event, [number, absent], Default::default);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_of_one_cluster_and_has_one_rank_there() {
        let shape = Shape { clusters: Clusters { grid: [4, 6, 2], cluster: [2, 3, 1] }, size: 6 };
        let mut seen = [false; 48];
        for cluster in 0..8 {
            for rank in 0..6 {
                let block = shape.block(cluster, rank);
                assert_eq!(shape.cluster_of(block), cluster);
                let index = [block % 4, block / 4 % 6, block / 24];
                let ids = shape.ids(index);
                assert_eq!((ids[12], ids[3..6].to_vec()), (rank, vec![2, 2, 2]));
                assert!(!std::mem::replace(&mut seen[block as usize], true));
            }
        }
        assert!(seen.iter().all(|it| *it));
    }
}
