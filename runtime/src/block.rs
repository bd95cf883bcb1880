//! Threads and blocks while they run.
//!
//! A thread is a fiber with its ids, its clock and what it waits for. A block has its threads, its
//! named barriers, and what it remembers of threads that returned.
//!
//! **Does not**: decide who runs (`worker`), or what completes a barrier (`sync`).

use std::collections::BTreeMap;

use corosensei::Yielder;
use heddle_semantics::{Arrivals, LaunchShape, Warps, arrivals_of_warp};

use crate::abi::{BarrierAction, Exchange, Mbarrier};
use crate::clock::Knowledge;
use crate::facts::Facts;
use crate::matrix::Work;
use crate::pending::Copies;
use crate::sc_fences::ScFences;

/// What a fiber says when it gives control back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Another may go first.
    Yield,
    /// It waits for what its state says.
    Wait,
    /// The thread ends here: `exit`, `trap`, or an access that cannot be made.
    End,
    /// The thread has returned, and the fiber is free.
    Return,
}

/// What a thread waits for, or whether it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It can run.
    Ready,
    /// It waits at a barrier of the block.
    Barrier { id: usize, action: BarrierAction, value: u32 },
    /// It waits for lanes of its warp.
    Lanes { kind: Exchange, mask: u32, value: u64, lane: u32, clamp: u32 },
    /// It waits for a phase of an mbarrier object.
    Mbarrier { address: usize, op: Mbarrier, operand: u64 },
    /// It waits for its cluster to arrive.
    Cluster,
    /// It waits at the barrier of the grid.
    Grid,
    /// It has returned.
    Done,
}

/// One GPU thread.
pub(crate) struct Thread {
    /// Its number in the grid.
    pub(crate) number: u32,
    pub(crate) index: u32,
    pub(crate) slot: u32,
    pub(crate) tid: [u32; 3],
    pub(crate) lane: u32,
    pub(crate) warp: u32,
    /// What compiled code sees of it: ids, clocks, regions.
    pub(crate) facts: Facts,
    /// What the last fence would publish: to the block, and to the grid.
    pub(crate) fenced: Option<Box<(Knowledge, Knowledge)>>,
    /// What it has released by an atomic, to the block and to the grid, by the atomic's address.
    pub(crate) released: BTreeMap<usize, (Knowledge, Knowledge)>,
    /// What atomics have read and a fence would take over: by the block it is from, and whether it
    /// reaches other blocks.
    pub(crate) unfenced: Vec<(u32, Knowledge)>,
    pub(crate) sc_fences: ScFences,
    /// The site it waits at.
    pub(crate) waits_at: u32,
    pub(crate) state: State,
    /// What it was waiting for gives it.
    pub(crate) result: u64,
    pub(crate) copies: Copies,
    /// The matrix instruction that it waits at.
    pub(crate) matrix: Option<Work>,
    /// The phase of the cluster's barrier at which it has arrived and not yet waited.
    pub(crate) between: Option<u32>,
    pub(crate) stack: (usize, usize),
    /// The fiber that runs it, if it has started.
    pub(crate) fiber: Option<u32>,
    pub(crate) yielder: *const Yielder<(), Pause>,
}

/// A barrier of the block with its arrivals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Barrier {
    /// Threads that wait, by index.
    pub(crate) waiting: Vec<u32>,
    /// Arrivals that do not wait, and what they publish.
    pub(crate) arrived: Vec<u32>,
    pub(crate) published: Knowledge,
    /// The use that has begun; none before its first arrival.
    pub(crate) open: Option<Open>,
}

/// A use of a barrier: what its first arrival expected and how many have come, and the site and the
/// thread of that arrival.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) expected: Arrivals,
    pub(crate) came: u32,
    pub(crate) site: u32,
    pub(crate) number: u32,
}

impl Open {
    /// Whether all threads of the block are expected, and not some number.
    pub(crate) fn is_for_all(&self) -> bool {
        match self.expected {
            Arrivals::All => true,
            Arrivals::Count(_) => false,
        }
    }
}

/// One block.
pub(crate) struct Block {
    /// Its number in the grid.
    pub(crate) number: u32,
    pub(crate) index: [u32; 3],
    pub(crate) threads: Vec<Thread>,
    pub(crate) live: u32,
    /// Threads that wait.
    pub(crate) halted: u32,
    pub(crate) shared: usize,
    pub(crate) barriers: Vec<Barrier>,
    /// For threads that returned: the last site, and its index.
    pub(crate) returned: Vec<(u32, u32)>,
    /// Of the barriers that went ahead without threads that had returned: the site, how many had by
    /// then, and a thread that waited.
    pub(crate) without: Vec<(u32, usize, u32)>,
    /// Whether some thread knows more than floors say.
    pub(crate) has_knowledge: bool,
    /// Some thread has fenced for the grid, or heard what an atomic of another block carries.
    pub(crate) has_sc_fences: bool,
    /// What such fences before the last barrier carry on.
    pub(crate) sc_fenced: Knowledge,
    /// Threads of other blocks that have reached into its shared memory.
    pub(crate) visits: Visits,
}

/// The last time that a thread of another block reached into a block's shared memory: its clock,
/// its site, and whether it wrote.
pub(crate) type Visits = BTreeMap<u32, (u32, u32, bool)>;

/// Barriers that a block has (PTX ISA 9.7.13: 16).
pub(crate) const BARRIERS: usize = 16;

impl Block {
    /// A block that starts, with its threads but without their fibers.
    pub(crate) fn new(number: u32, index: [u32; 3], shared: usize, shape: &LaunchShape) -> Block {
        let (threads, warps) = (shape.threads(), shape.warps_or_threads());
        let thread = |index: u32| Thread {
            number: number * threads + index,
            index,
            slot: 0,
            tid: shape.thread_index(index),
            lane: warps.lane(index),
            warp: warps.warp(index),
            facts: Facts::new(number * threads + index),
            fenced: None,
            released: BTreeMap::new(),
            unfenced: Vec::new(),
            sc_fences: ScFences::default(),
            waits_at: 0,
            state: State::Ready,
            result: 0,
            copies: Copies::default(),
            matrix: None,
            between: None,
            stack: (0, 0),
            fiber: None,
            yielder: std::ptr::null(),
        };
        Block {
            number,
            index,
            threads: (0..threads).map(thread).collect(),
            live: threads,
            halted: 0,
            shared,
            barriers: vec![Barrier::default(); BARRIERS],
            returned: Vec::new(),
            without: Vec::new(),
            has_knowledge: false,
            has_sc_fences: false,
            sc_fenced: Knowledge::default(),
            visits: Visits::new(),
        }
    }

    /// How many have come to a barrier since its last use, with whole warps if it counts such.
    pub(crate) fn came(&self, id: usize, expected: Arrivals, warps: Warps) -> u32 {
        let Barrier { waiting, arrived, .. } = &self.barriers[id];
        let of_warps = match expected {
            Arrivals::Count(count) => count.is_multiple_of(warps.size),
            Arrivals::All => false,
        };
        if !of_warps || self.live == warps.threads && warps.arrivals() == warps.threads {
            return (waiting.len() + arrived.len()) as u32;
        }
        let mut came = vec![0; warps.arrivals() as usize];
        waiting.iter().chain(arrived).for_each(|index| came[*index as usize] += 1);
        let of_warp = |warp: u32| {
            let threads = warps.threads_of(warp);
            let came = &came[threads.start as usize..threads.end as usize];
            let live = threads.filter(|it| self.lives(*it));
            let live = live.fold(0, |all, it| all | 1 << warps.lane(it));
            arrivals_of_warp(came, live, warps.size)
        };
        (0..warps.count()).map(of_warp).sum()
    }

    fn lives(&self, index: u32) -> bool {
        self.threads[index as usize].state != State::Done
    }

    /// Arrivals of all threads that have not returned, in whole warps.
    pub(crate) fn all_arrivals(&self, warps: Warps) -> u32 {
        if self.live == warps.threads {
            return warps.arrivals();
        }
        let lives = |warp: &u32| warps.threads_of(*warp).any(|it| self.lives(it));
        let alive = (0..warps.count()).filter(lives);
        alive.count() as u32 * warps.size
    }

    /// Makes another block of one that is done; its threads keep what their place in the block
    /// says.
    pub(crate) fn restart(&mut self, number: u32, index: [u32; 3], shared: usize) {
        let count = self.threads.len() as u32;
        for thread in &mut self.threads {
            thread.number = number * count + thread.index;
            thread.facts = Facts::new(thread.number);
            thread.fenced = None;
            thread.released.clear();
            thread.unfenced.clear();
            thread.sc_fences = ScFences::default();
            (thread.waits_at, thread.result) = (0, 0);
            thread.state = State::Ready;
            thread.copies.clear();
            (thread.between, thread.matrix) = (None, None);
            thread.fiber = None;
            thread.yielder = std::ptr::null();
        }
        (self.number, self.index, self.shared) = (number, index, shared);
        (self.live, self.halted) = (count, 0);
        self.barriers.iter_mut().for_each(Barrier::clear);
        self.returned.clear();
        self.without.clear();
        self.has_knowledge = false;
        self.has_sc_fences = false;
        self.sc_fenced = Knowledge::default();
        self.visits.clear();
    }
}

impl Barrier {
    fn clear(&mut self) {
        self.waiting.clear();
        self.arrived.clear();
        self.published = Knowledge::default();
        self.open = None;
    }
}

impl Thread {
    /// Everything this thread knows of, itself included, for a thread of its own block or of
    /// another one.
    pub(crate) fn knowledge(&self, block: &BlockOf, wide: bool) -> Knowledge {
        let mut all = self.facts.knows.as_deref().cloned().unwrap_or_default();
        all.learn_thread(self.number, self.facts.clock);
        if wide {
            all.learn_block(block.number, self.facts.floor);
        }
        if self.facts.warp_floor > self.facts.floor {
            for thread in block.warps.threads_of(self.warp) {
                all.learn_thread(block.first_thread + thread, self.facts.warp_floor - 1);
            }
        }
        all
    }
}

/// The numbers of a block that knowledge needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockOf {
    pub(crate) number: u32,
    pub(crate) first_thread: u32,
    pub(crate) warps: Warps,
}
