//! What a worker has: the blocks that it runs, what accesses are checked against, and the launch.
//!
//! Up to [`Launch::resident`] blocks are there at a time; the next one starts when one is done. All
//! that a worker runs, it runs on one operating system thread: a run is repeated exactly from its
//! seed.
//!
//! The files above this one say what its threads do: `detect` and `sync` by themselves, `exchange`,
//! `cluster_barrier`, `grid_barrier` and `copies` with others. What only a thread that runs may do
//! is of its [`Turn`](crate::turn::Turn); everything else is of the worker.
//!
//! **Does not**: let threads run (`drive`).

use std::collections::BTreeMap;
use std::time::Instant;

use crate::block::{Block, Pause, Thread};
use crate::bytes::Bytes;
use crate::clock::Release;
use crate::cluster::{self, Cluster, cluster_of, whole};
use crate::facts::{IDS, Span};
use crate::grid::{Grid, Presence};
use crate::launch::{Code, Launch, Outcome, Program};
use crate::memory::{BadLayout, Memory, Shared};
use crate::observed::Observed;
use crate::pending::Object;
use crate::schedule::Ready;
use crate::shadow::Cell;
use crate::spread::{Held, Spread};

/// What runs blocks on one operating system thread.
pub(crate) struct Worker<'r> {
    pub(crate) grid: Grid,
    pub(crate) checks: Checks,
    pub(crate) host: Host<'r>,
}

/// What accesses are checked against, beside the shadow of global memory.
pub(crate) struct Checks {
    pub(crate) shared: Shared,
    /// Releases that atomics carry, by address and block.
    pub(crate) releases: BTreeMap<(usize, u32), Release>,
    pub(crate) observed: Observed,
    /// Cells of single bytes, by the number that the cell of the four has.
    pub(crate) splits: Vec<[Cell; 4]>,
    /// Barrier objects by address.
    pub(crate) mbarriers: BTreeMap<usize, Object>,
    /// Bytes before an atomic operation.
    pub(crate) before: u64,
}

/// The launch, and what has come of it.
pub(crate) struct Host<'r> {
    pub(crate) program: &'r Program,
    pub(crate) launch: Launch,
    pub(crate) memory: &'r Memory,
    pub(crate) arguments: &'r [u8],
    pub(crate) outcome: Outcome,
    pub(crate) start: Instant,
    pub(crate) spread: Option<&'r Spread>,
    /// Resumptions when a thread ended last.
    pub(crate) last_end: u64,
    pub(crate) stopped: bool,
    /// Fibers of threads that have ended, and whether their threads had returned.
    pub(crate) released: Vec<(u32, bool)>,
    /// Where the frames of threads without stacks are.
    pub(crate) frames: (usize, usize),
    /// The thread without a stack that ran long last, by its number plus one, and how often in a
    /// row.
    pub(crate) long: (u32, u32),
}

impl<'r> Host<'r> {
    /// The lock of the cell of an address; none is needed for shared memory, or on one thread.
    #[inline]
    pub(crate) fn hold(&self, address: usize, shared: bool) -> Option<Held<'r>> {
        self.spread.filter(|_| !shared).map(|it| it.lock(address))
    }

    /// The lock of all cells of a range, if one is needed; `None` where they have no lock in
    /// common.
    #[inline]
    pub(crate) fn hold_range(
        &self,
        address: usize,
        size: usize,
        shared: bool,
    ) -> Option<Option<Held<'r>>> {
        let one = shared || self.spread.is_none() || Spread::is_one(address, size);
        one.then(|| self.hold(address, shared))
    }
}

/// What runs the threads of a worker.
pub(crate) trait Threads {
    /// Lets the thread that the grid says is running go on, in its turn, until it pauses.
    ///
    /// # Errors
    /// There is no memory for a thread that starts.
    fn resume(&mut self, worker: &mut Worker<'_>) -> Result<Pause, BadLayout>;

    /// The thread that this ran has ended: it has returned, or is to be ended where it is.
    fn release(&mut self, fiber: u32, returned: bool);
}

impl<'r> Worker<'r> {
    /// A worker for the blocks of a launch, or those that it gets of it, of which none is there
    /// yet; and how many blocks, or clusters, are to run.
    ///
    /// # Errors
    /// The launch is larger than what can be told apart, or there is no memory for it.
    pub(crate) fn new(
        program: &'r Program,
        launch: &Launch,
        memory: &'r Memory,
        arguments: &'r [u8],
        spread: Option<&'r Spread>,
    ) -> Result<(Worker<'r>, u64), BadLayout> {
        let threads: u64 = launch.shape.block.iter().map(|&n| u64::from(n)).product();
        let blocks: u64 = launch.shape.grid.iter().map(|&n| u64::from(n)).product();
        if threads == 0 || blocks == 0 || threads > 1024 {
            return Err(BadLayout(format!(
                "a block has 1 to 1024 threads, and this launch has {threads}"
            )));
        }
        if threads * blocks >= u64::from(crate::shadow::AWAY) - 2 {
            return Err(BadLayout(format!(
                "{blocks} blocks of {threads} threads are more than 2^31 threads; launch fewer"
            )));
        }
        let shape = whole(launch)?;
        let size = shape.clusters().size() as usize;
        let mut launch = launch.clone();
        if let Some(some) = launch.blocks.as_mut().filter(|_| size > 1) {
            some.iter_mut().for_each(|it| *it = cluster_of(shape.clusters(), *it));
            some.sort_unstable();
            some.dedup();
        }
        // Blocks, or clusters of them.
        let units = blocks / size as u64;
        let runs = launch.blocks.as_ref().map_or(units, |it| it.len() as u64);
        let there = u64::from(launch.resident.max(1)) / size as u64;
        let resident = match program.code {
            Code::Fibers(_) => there.min(runs).max(1) as usize * size,
            Code::Stackless(_) => 1,
        };
        let together = program.communicates || program.cooperative || size > 1;
        let grid = Grid {
            blocks: (0..resident).map(|_| None).collect(),
            running: (0, 0),
            ready: Ready::new(launch.schedule, launch.seed),
            shape,
            clusters: (0..resident / size).map(|_| Cluster::default()).collect(),
            presence: Presence::default(),
            idle: 0,
            asking: 0,
            next_block: 0,
            exhausted: false,
            spare: Vec::new(),
            at_once: if together { resident } else { 1 },
        };
        let shared_bytes = program.shared_bytes + launch.dynamic_shared as usize;
        let checks = Checks {
            shared: Shared::new(resident, shared_bytes)?,
            releases: BTreeMap::new(),
            observed: Observed::default(),
            splits: Vec::new(),
            mbarriers: BTreeMap::new(),
            before: 0,
        };
        let host = Host {
            program,
            launch,
            memory,
            arguments,
            outcome: Outcome { finished: true, ..Outcome::default() },
            start: Instant::now(),
            spread,
            last_end: 0,
            stopped: false,
            released: Vec::new(),
            frames: (0, 0),
            long: (0, 0),
        };
        Ok((Worker { grid, checks, host }, runs))
    }

    /// Whether threads have no stacks.
    pub(crate) fn is_stackless(&self) -> bool {
        self.host.frames.1 > 0
    }

    /// The number of the next one of `blocks` blocks.
    pub(crate) fn next_number(&mut self, blocks: u64) -> Option<u32> {
        let at = match self.host.spread {
            Some(spread) => spread.next(),
            None => self.grid.next_block,
        };
        self.grid.next_block = at + 1;
        self.grid.exhausted = self.grid.next_block >= blocks;
        if at >= blocks {
            return None;
        }
        match &self.host.launch.blocks {
            Some(some) => some.get(at as usize).copied(),
            None => Some(at as u32),
        }
    }

    /// The shared memory of a slot, as a block finds it: nobody has written it.
    pub(crate) fn clear_shared(&mut self, slot: usize) -> usize {
        let shared = &mut self.checks.shared;
        let (start, bytes) = (shared.start(slot), shared.bytes);
        shared.region.clear(start, shared.stride);
        let end = (start + bytes).next_multiple_of(4);
        shared.region.forbid(end, start + shared.stride - end);
        // SAFETY: the slot's shared memory, which lives as long as the worker. Garbage shows a read
        // of what nobody wrote better than zeros do.
        unsafe { Bytes::new(start, bytes) }.fill(0xa5);
        for pair in self.host.program.shared.windows(2) {
            let gap = (pair[0].address + pair[0].len).next_multiple_of(4);
            shared.region.forbid(start + gap, pair[1].address.saturating_sub(gap));
        }
        start
    }

    /// Starts a block in a slot that is free.
    pub(crate) fn start_block(&mut self, slot: usize, number: u32) {
        let (shared, index) = (self.clear_shared(slot), self.grid.index_of(number));
        let mut block = match self.grid.spare.pop() {
            Some(mut block) => {
                block.restart(number, index, shared);
                block
            }
            None => Box::new(Block::new(number, index, shared, &self.grid.shape)),
        };
        let first = block.threads[0].facts.own;
        for thread in &mut block.threads {
            thread.slot = slot as u32;
            self.set_facts(thread, index, shared, first);
            self.grid.ready.add((slot as u32, thread.index));
        }
        self.grid.presence.live += u64::from(self.grid.shape.threads());
        self.grid.blocks[slot] = Some(block);
    }

    /// Sets what compiled code sees of a thread of a block that starts.
    pub(crate) fn set_facts(
        &self,
        thread: &mut Thread,
        index: [u32; 3],
        shared: usize,
        first: u32,
    ) {
        let (grid, launch) = (&self.grid, &self.host.launch);
        let facts = &mut thread.facts;
        (facts.first, facts.threads) = (first, grid.shape.threads());
        facts.shared = Span::of(&self.checks.shared.region, shared, self.checks.shared.stride);
        facts.global = match &self.host.spread {
            None => self.host.memory.span(),
            Some(_) => Span::NONE,
        };
        facts.idle = &raw const grid.idle;
        let ids: &mut [u32; IDS] = &mut facts.ids;
        ids[..3].copy_from_slice(&thread.tid);
        ids[3..6].copy_from_slice(&launch.shape.block);
        ids[6..9].copy_from_slice(&index);
        ids[9..12].copy_from_slice(&launch.shape.grid);
        (ids[12], ids[13]) = (thread.lane, thread.warp);
        (ids[14], ids[15]) = (launch.dynamic_shared, launch.shape.warp_size.unwrap_or(0));
        ids[16..19].copy_from_slice(&launch.offset);
        ids[19..].copy_from_slice(&cluster::ids(grid.shape.clusters(), index));
    }

    /// The slot of the block that has an address in its shared memory, if it is of the cluster of
    /// the block in slot `own`.
    pub(crate) fn slot_near(&self, own: u32, address: usize) -> Option<usize> {
        let Shared { stride, ref region, .. } = self.checks.shared;
        let slot = address.wrapping_sub(region.base) / stride;
        let near = slot / self.grid.cluster_size() == own as usize / self.grid.cluster_size();
        (region.has(address) && near).then_some(slot)
    }

    /// Something is to be done that takes one operating system thread: if there are more, the run
    /// is to be made again.
    pub(crate) fn alone(&mut self) {
        if self.host.spread.is_some() {
            self.host.outcome.again = true;
        }
    }

    /// Whether this worker is to stop: it has met something, or another one has.
    pub(crate) fn is_called_off(&mut self) -> bool {
        let Some(spread) = self.host.spread else { return false };
        let Outcome { events, printed, again, .. } = &self.host.outcome;
        if *again || !events.0.is_empty() || !printed.is_empty() {
            spread.stop();
        }
        spread.is_stopped()
    }

    /// Whether the time limit is over.
    pub(crate) fn is_late(&self) -> bool {
        self.host.start.elapsed() > self.host.launch.limits.time
    }

    /// A line of the source, for a site.
    pub(crate) fn place(&self, site: u32) -> String {
        let site = self.host.program.sites.get(site as usize);
        match site.and_then(|it| it.place.line()) {
            Some(line) => format!("line {line}"),
            None => "a place without a line".to_owned(),
        }
    }
}
