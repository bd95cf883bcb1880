//! What the blocks of a cluster do together: start, meet at their barrier, reach into each other's
//! shared memory, and end.
//!
//! **Promises**: the barrier waits for all threads of the cluster that have not ended (PTX ISA
//! 9.7.13.4). An access to the shared memory of a block that has ended is reported, and so is one
//! that nothing orders before that block's end.
//! **Does not**: tell the scope `.cluster` of fences and atomics from `.gpu`.

use crate::block::{Block, Pause, State};
use crate::cluster::{Cluster, block_of};
use crate::event::Event;
use crate::turn::Turn;
use crate::worker::Worker;

/// Clocks that threads may still take until they arrive, once the first one has.
const SLACK: u32 = 1024;

impl Turn<'_, '_> {
    /// The slot of the block that has an address in its shared memory, if it is of the thread's
    /// cluster.
    pub(crate) fn slot_of(&self, address: usize) -> Option<usize> {
        self.slot_near(self.thread().slot, address)
    }

    /// An address of shared memory as one of the block of that rank (PTX ISA 9.7.9, `mapa`); zero
    /// if there is none.
    pub(crate) fn mapped(&self, address: usize, rank: u32) -> usize {
        let size = self.grid.cluster_size();
        let Some(slot) = self.slot_of(address).filter(|_| (rank as usize) < size) else {
            return 0;
        };
        let to = slot / size * size + rank as usize;
        address - self.checks.shared.start(slot) + self.checks.shared.start(to)
    }

    /// The rank of the block that an address of shared memory belongs to.
    pub(crate) fn rank_of(&self, address: usize) -> u32 {
        self.slot_of(address).map_or(0, |slot| (slot % self.grid.cluster_size()) as u32)
    }

    /// The slot of the block that has an address in its shared memory, the thread's own for any
    /// other; none if that block has ended.
    pub(crate) fn owner(&self, address: usize) -> Option<usize> {
        let slot = self.slot_of(address).unwrap_or(self.thread().slot as usize);
        self.grid.blocks[slot].is_some().then_some(slot)
    }

    /// Notes that the thread reaches into the shared memory of another block.
    pub(crate) fn visit(&mut self, slot: usize, write: bool) {
        let thread = self.thread();
        let (number, seen) = (thread.number, (thread.facts.clock, thread.facts.site, write));
        if let Some(block) = &mut self.grid.blocks[slot] {
            block.visits.insert(number, seen);
        }
    }

    /// The thread arrives at the barrier of its cluster.
    pub(crate) fn arrive_at_cluster(&mut self, publishes: bool) {
        let group = self.thread().slot as usize / self.grid.cluster_size();
        let highest = match self.grid.clusters[group].phases.arrived {
            0 => self.grid.threads_of(group).map(|it| it.facts.clock).max(),
            _ => None,
        };
        let index = self.grid.running.1 as usize;
        let (block, cluster) = self.grid.running_block_and_cluster();
        let thread = &mut block.threads[index];
        thread.waits_at = thread.facts.site;
        if thread.between.is_some() {
            return self.cluster_order(false);
        }
        if let Some(highest) = highest {
            cluster.ceiling = highest + SLACK;
        }
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

    /// The thread waits for its cluster to have arrived. Whether it has to.
    pub(crate) fn wait_for_cluster(&mut self) -> Option<Pause> {
        let index = self.grid.running.1 as usize;
        let (block, cluster) = self.grid.running_block_and_cluster();
        let thread = &mut block.threads[index];
        thread.waits_at = thread.facts.site;
        let Some(phase) = thread.between.take() else {
            self.cluster_order(true);
            return None;
        };
        if cluster.phases.is_over(phase) {
            thread.facts.knows.get_or_insert_default().join(&cluster.over);
            block.has_knowledge = true;
            return None;
        }
        thread.state = State::Cluster;
        block.halted += 1;
        Some(Pause::Wait)
    }

    fn cluster_order(&mut self, waits: bool) {
        let (site, number) = (self.thread().facts.site, self.thread().number);
        let event = Event::ClusterOrder { site, waits };
        self.host.outcome.events.add(event, [number; 2], Default::default);
    }
}

impl Worker<'_> {
    /// Starts the clusters for which all slots are free.
    pub(crate) fn fill_clusters(&mut self, clusters: u64) {
        let size = self.grid.cluster_size();
        for group in 0..self.grid.blocks.len() / size {
            if self.grid.exhausted || !self.grid.is_free(group) {
                continue;
            }
            let at = self.grid.next_block;
            self.grid.next_block = at + 1;
            self.grid.exhausted = self.grid.next_block >= clusters;
            let cluster = match &self.host.launch.blocks {
                Some(some) => some[at as usize],
                None => at as u32,
            };
            self.grid.clusters[group] = Cluster::default();
            for rank in 0..size {
                let block = block_of(self.grid.shape.clusters(), cluster, rank as u32);
                self.start_block(group * size + rank, block);
            }
        }
    }

    /// A thread of a block ends: what it knows of visits is ordered before the block's end. Those
    /// that nobody knows of when the last one ends are reported.
    pub(crate) fn settle_visits(&mut self, block: &mut Block, index: u32) {
        let knows = block.threads[index as usize].facts.knows.as_deref();
        let of = self.grid.shape.threads();
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
            self.host.outcome.events.add(event, [thread, owner], Default::default);
        }
    }

    /// A thread of a cluster has ended: its arrival is not counted any more, and is not waited for.
    pub(crate) fn leave_cluster(&mut self, slot: usize, number: u32, between: Option<u32>) {
        let group = slot / self.grid.cluster_size();
        let cluster = &mut self.grid.clusters[group];
        if between != Some(cluster.phases.phase) {
            cluster.absent.get_or_insert(number);
        }
        cluster.phases.leave(between, 1);
        cluster.uneven = true;
        self.settle_cluster(group);
    }

    fn settle_cluster(&mut self, group: usize) {
        let size = self.grid.cluster_size();
        let blocks = self.grid.blocks[group * size..][..size].iter().flatten();
        let live: u32 = blocks.map(|block| block.live).sum();
        let cluster = &mut self.grid.clusters[group];
        if !cluster.phases.is_full(live) {
            return;
        }
        self.grid.idle = 0;
        let mut over = std::mem::take(&mut cluster.published);
        let slots = group * size..group * size + size;
        if cluster.uneven {
            cluster.arrivals.iter().for_each(|&(thread, clock)| over.learn_thread(thread, clock));
        } else {
            for block in self.grid.blocks[slots.clone()].iter().flatten() {
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
        for block in self.grid.blocks[slots].iter_mut().flatten() {
            for thread in block.threads.iter_mut().filter(|it| it.state == State::Cluster) {
                first.get_or_insert((thread.waits_at, thread.number));
                thread.facts.knows.get_or_insert_default().join(&cluster.over);
                thread.state = State::Ready;
                block.halted -= 1;
                block.has_knowledge = true;
                self.grid.ready.add((thread.slot, thread.index));
            }
        }
        if let (Some(absent), Some((barrier, number))) = (absent, first) {
            let event = Event::EarlyReturn { barrier };
            self.host.outcome.events.add(event, [number, absent], Default::default);
        }
    }
}
