//! The loop that runs a grid: blocks come and go, fibers are resumed, waits are resolved.
//!
//! Up to [`Launch::resident`] blocks are there at a time; the next one starts when one is done. All
//! runs on the calling thread: a run is repeated exactly from its seed. When nothing can run,
//! `stuck` says who waits for whom, and the block is given up.
//!
//! **Invariant**: no reference into the worker is held while a fiber runs; entry points reach it by
//! `current`.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use heddle_semantics::{Warps, index_of};

use crate::block::{Block, BlockOf, Pause, State, Thread};
use crate::clock::Release;
use crate::cluster::{Cluster, Shape};
use crate::facts::{IDS, Span};
use crate::fibers::Fibers;
use crate::grid::Presence;
use crate::launch::{Code, Launch, Outcome, Program};
use crate::memory::{BadLayout, Memory, Shared};
use crate::observed::Observed;
use crate::schedule::Ready;
use crate::shadow::Cell as ShadowCell;
use crate::spread::Spread;

pub(crate) struct Worker {
    pub(crate) launch: Launch,
    pub(crate) threads_per_block: u32,
    pub(crate) program: *const Program,
    pub(crate) memory: *mut Memory,
    pub(crate) arguments: *const u8,
    pub(crate) shared: Shared,
    pub(crate) shared_bytes: usize,
    pub(crate) blocks: Vec<Option<Box<Block>>>,
    pub(crate) ready: Ready,
    pub(crate) outcome: Outcome,
    /// Releases that atomics carry, by address and block.
    pub(crate) releases: std::collections::BTreeMap<(usize, u32), Release>,
    pub(crate) observed: Observed,
    pub(crate) splits: Vec<[ShadowCell; 4]>,
    /// Yields since something changed.
    pub(crate) idle: u64,
    /// Lanes that ask which others are with them.
    pub(crate) asking: u32,
    /// Bytes before an atomic operation.
    pub(crate) before: u64,
    pub(crate) mbarriers: std::collections::BTreeMap<usize, crate::copies::Object>,
    pub(crate) thread: *mut Thread,
    pub(crate) block: *mut Block,
    pub(crate) start: Instant,
    pub(crate) spread: Option<Arc<Spread>>,
    pub(crate) shape: Shape,
    /// By the number of the first slot, divided by the blocks of a cluster.
    pub(crate) clusters: Vec<Cluster>,
    pub(crate) presence: Presence,
    /// Resumptions when a thread ended last.
    pub(crate) last_end: u64,
    /// The next block, or cluster, to start.
    pub(crate) next_block: u64,
    /// All blocks have been started.
    pub(crate) exhausted: bool,
    /// Blocks that are done, for the next to take their place.
    #[allow(clippy::vec_box, reason = "boxes move between here and the slots")]
    spare: Vec<Box<Block>>,
    pub(crate) fibers: Fibers,
    /// Blocks that are started without waiting for others to end.
    pub(crate) at_once: usize,
    pub(crate) stopped: bool,
    /// Where the frames of threads without stacks are.
    pub(crate) frames: (usize, usize),
    /// The thread without a stack that ran long last, by its number plus one, and how often in a
    /// row.
    pub(crate) long: (u32, u32),
}

thread_local! {
    static CURRENT: Cell<*mut Worker> = const { Cell::new(std::ptr::null_mut()) };
}

/// The worker whose fiber runs on this thread.
pub(crate) fn current() -> *mut Worker {
    CURRENT.get()
}

/// Runs a grid to its end, in this process.
///
/// # Errors
/// As [`crate::run`].
///
/// # Safety
/// As [`crate::run`].
pub(crate) unsafe fn run_here(
    program: &Program,
    launch: &Launch,
    memory: &mut Memory,
    arguments: &[u8],
) -> Result<Outcome, BadLayout> {
    let apart = !program.cooperative && launch.cluster.iter().all(|it| *it <= 1);
    if launch.threads > 1 && apart {
        // SAFETY: the caller's promise.
        return unsafe { crate::spread::run(program, launch, memory, arguments) };
    }
    // SAFETY: as above.
    unsafe { run_on(program, launch, memory, arguments, None) }
}

/// Runs the blocks of a grid, or those that this worker gets of it.
///
/// # Safety
/// As [`crate::run`].
pub(crate) unsafe fn run_on(
    program: &Program,
    launch: &Launch,
    memory: *mut Memory,
    arguments: &[u8],
    spread: Option<Arc<Spread>>,
) -> Result<Outcome, BadLayout> {
    let threads: u64 = launch.block.iter().map(|&n| u64::from(n)).product();
    let blocks: u64 = launch.grid.iter().map(|&n| u64::from(n)).product();
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
    let shape = Shape::of(launch)?;
    let mut launch = launch.clone();
    if let Some(some) = launch.blocks.as_mut().filter(|_| shape.size > 1) {
        some.iter_mut().for_each(|it| *it = shape.cluster_of(*it));
        some.sort_unstable();
        some.dedup();
    }
    // Blocks, or clusters of them.
    let units = blocks / shape.size as u64;
    let runs = launch.blocks.as_ref().map_or(units, |it| it.len() as u64);
    let there = u64::from(launch.resident.max(1)) / shape.size as u64;
    let resident = match program.code {
        Code::Fibers(_) => there.min(runs).max(1) as usize * shape.size,
        Code::Stackless(_) => 1,
    };
    let shared_bytes = program.shared_bytes + launch.dynamic_shared as usize;
    let shared = Shared::new(resident, shared_bytes)?;
    let together = program.communicates || program.cooperative || shape.size > 1;
    let mut worker = Worker {
        threads_per_block: threads as u32,
        program,
        memory,
        arguments: arguments.as_ptr(),
        shared,
        shared_bytes,
        blocks: (0..resident).map(|_| None).collect(),
        ready: Ready::new(launch.schedule, launch.seed),
        launch,
        shape,
        clusters: (0..resident / shape.size).map(|_| Cluster::default()).collect(),
        presence: Presence::default(),
        last_end: 0,
        outcome: Outcome { finished: true, ..Outcome::default() },
        releases: Default::default(),
        observed: Observed::default(),
        splits: Vec::new(),
        idle: 0,
        asking: 0,
        before: 0,
        mbarriers: Default::default(),
        thread: std::ptr::null_mut(),
        block: std::ptr::null_mut(),
        start: Instant::now(),
        spread,
        next_block: 0,
        exhausted: false,
        spare: Vec::new(),
        fibers: Fibers::new(program.stack_bytes),
        at_once: if together { resident } else { 1 },
        stopped: false,
        frames: (0, 0),
        long: (0, 0),
    };
    crate::apart::watch_thread();
    let (outer, used) = (CURRENT.replace(&raw mut worker), crate::fibers::processor_time());
    let done = match program.code {
        Code::Fibers(_) => drive(&raw mut worker, runs),
        Code::Stackless(code) => crate::stackless::drive(&raw mut worker, code, runs),
    };
    CURRENT.set(outer);
    done?;
    let mut outcome = std::mem::take(&mut worker.outcome);
    drop(worker);
    outcome.processor = crate::fibers::processor_time().saturating_sub(used);
    Ok(outcome)
}

/// Resumes fibers until all blocks are done.
fn drive(worker: *mut Worker, blocks: u64) -> Result<(), BadLayout> {
    loop {
        // SAFETY: the worker outlives this call, and no other reference to it is held while no
        // fiber runs.
        let at = unsafe { &mut *worker };
        at.fill(blocks);
        while let Some((slot, index)) = at.ready.take() {
            let Some(block) = at.blocks[slot as usize].as_deref_mut() else { continue };
            let thread = &mut block.threads[index as usize];
            if thread.state == State::Done {
                continue;
            }
            thread.state = State::Ready;
            at.outcome.switches += 1;
            let fiber = match thread.fiber {
                Some(fiber) => fiber,
                None => {
                    let (fiber, ends) = at.fibers.take()?;
                    (thread.fiber, thread.stack) = (Some(fiber), ends);
                    fiber
                }
            };
            at.thread = thread;
            at.block = block;
            let fibers = &raw mut at.fibers;
            // SAFETY: the references above are not used again before the fiber comes back, and it
            // is this worker's.
            let pause = unsafe { Fibers::resume(fibers, fiber) };
            let at_once = at.at_once;
            at.after(slot, index, pause);
            if at.blocks[slot as usize].is_none() || at.at_once != at_once {
                at.fill(blocks);
            }
            if at.outcome.switches % 1024 == 0 && at.start.elapsed() > at.launch.limits.time {
                at.unfinished();
            }
            if at.stopped || at.is_called_off() {
                at.abandon();
                return Ok(());
            }
            if at.ready.len() == 0 {
                break;
            }
        }
        if at.ready.len() > 0 {
            continue;
        }
        if at.blocks.iter().all(Option::is_none) && at.exhausted {
            return Ok(());
        }
        if at.has_room() && !at.exhausted {
            continue;
        }
        at.resolve_stuck();
    }
}

impl Worker {
    /// Whether threads have no stacks.
    pub(crate) fn is_stackless(&self) -> bool {
        self.frames.1 > 0
    }

    /// How the threads of a block make warps; each is one where the target has none.
    pub(crate) fn warps(&self) -> Warps {
        Warps { size: self.launch.warp_size.max(1), threads: self.threads_per_block }
    }

    /// The numbers of the block that runs.
    pub(crate) fn block_of(&self, block: &Block) -> BlockOf {
        let first_thread = block.number * self.threads_per_block;
        BlockOf { number: block.number, first_thread, warps: self.warps() }
    }

    /// Starts blocks in the slots that are free. Blocks that do not communicate follow each other,
    /// which keeps the memory that is touched small; but those that run long without end may wait
    /// for another one after all.
    fn fill(&mut self, blocks: u64) {
        if self.shape.size > 1 {
            return self.fill_clusters(blocks);
        }
        for slot in 0..self.at_once {
            if self.blocks[slot].is_none()
                && !self.exhausted
                && let Some(number) = self.next_number(blocks)
            {
                self.start_block(slot, number);
            }
        }
    }

    /// The number of the next block, of so many that there are.
    pub(crate) fn next_number(&mut self, blocks: u64) -> Option<u32> {
        let at = match &self.spread {
            Some(spread) => spread.next(),
            None => self.next_block,
        };
        self.next_block = at + 1;
        self.exhausted = self.next_block >= blocks;
        if at >= blocks {
            return None;
        }
        match &self.launch.blocks {
            Some(some) => some.get(at as usize).copied(),
            None => Some(at as u32),
        }
    }

    /// Where a block is in the grid.
    pub(crate) fn index_of(&self, number: u32) -> [u32; 3] {
        index_of(number, self.launch.grid)
    }

    /// The shared memory of a slot, as a block finds it: nobody has written it.
    pub(crate) fn clear_shared(&mut self, slot: usize) -> usize {
        let shared = self.shared.start(slot);
        self.shared.region.clear(shared, self.shared.stride);
        let end = (shared + self.shared_bytes).next_multiple_of(4);
        self.shared.region.forbid(end, shared + self.shared.stride - end);
        // SAFETY: the slot's shared memory. Garbage shows a read of what nobody wrote better than
        // zeros do.
        unsafe { std::ptr::write_bytes(shared as *mut u8, 0xa5, self.shared_bytes) };
        // SAFETY: the program outlives the run.
        for pair in unsafe { &*self.program }.shared.windows(2) {
            let gap = (pair[0].address + pair[0].len).next_multiple_of(4);
            self.shared.region.forbid(shared + gap, pair[1].address.saturating_sub(gap));
        }
        shared
    }

    pub(crate) fn start_block(&mut self, slot: usize, number: u32) {
        let (shared, index) = (self.clear_shared(slot), self.index_of(number));
        let mut block = match self.spare.pop() {
            Some(mut block) => {
                block.restart(number, index, shared);
                block
            }
            None => Box::new(Block::new(
                number,
                index,
                shared,
                self.launch.block,
                self.launch.warp_size,
            )),
        };
        let first = block.threads[0].facts.own;
        for thread in &mut block.threads {
            thread.slot = slot as u32;
            self.set_facts(thread, index, shared, first);
            self.ready.add((slot as u32, thread.index));
        }
        self.presence.live += u64::from(self.threads_per_block);
        self.blocks[slot] = Some(block);
    }

    /// Sets what compiled code sees of a thread of a block that starts.
    pub(crate) fn set_facts(
        &self,
        thread: &mut Thread,
        index: [u32; 3],
        shared: usize,
        first: u32,
    ) {
        let facts = &mut thread.facts;
        (facts.first, facts.threads) = (first, self.threads_per_block);
        facts.shared = Span::of(&self.shared.region, shared, self.shared.stride);
        facts.global = match &self.spread {
            // SAFETY: the memory outlives the run.
            None => unsafe { (*self.memory).span() },
            Some(_) => Span::NONE,
        };
        facts.idle = &raw const self.idle;
        let ids: &mut [u32; IDS] = &mut facts.ids;
        ids[..3].copy_from_slice(&thread.tid);
        ids[3..6].copy_from_slice(&self.launch.block);
        ids[6..9].copy_from_slice(&index);
        ids[9..12].copy_from_slice(&self.launch.grid);
        (ids[12], ids[13]) = (thread.lane, thread.warp);
        (ids[14], ids[15]) = (self.launch.dynamic_shared, self.launch.warp_size);
        ids[16..19].copy_from_slice(&self.launch.offset);
        ids[19..].copy_from_slice(&self.shape.ids(index));
    }

    /// What a fiber that came back wants.
    fn after(&mut self, slot: u32, index: u32, pause: Pause) {
        match pause {
            Pause::Yield => {
                self.at_once = self.blocks.len();
                self.idle += 1;
                self.ready.add_behind((slot, index));
                if self.asking > 0 && self.idle > 4 * self.ready.len() as u64 {
                    self.settle_all_asking();
                }
                if self.idle > self.launch.limits.idle.max(64 * self.ready.len() as u64) {
                    self.spins();
                }
            }
            Pause::Wait => self.settle_asking(slot, index),
            Pause::End | Pause::Return => {
                self.retire(slot, index, pause == Pause::Return);
                self.settle_asking(slot, index);
            }
        }
    }

    /// A thread is done: its fiber goes back, and what waited for it is looked at again.
    fn retire(&mut self, slot: u32, index: u32, returned: bool) {
        self.idle = 0;
        self.last_end = self.outcome.switches;
        let Some(mut block) = self.blocks[slot as usize].take() else { return };
        let thread = &mut block.threads[index as usize];
        thread.state = State::Done;
        self.outcome.accesses += thread.facts.accesses;
        match thread.fiber.take() {
            Some(fiber) if returned => self.fibers.give_back(fiber),
            Some(fiber) => self.fibers.reset(fiber),
            None => {}
        }
        let (number, between) = (thread.number, thread.between.take());
        block.live -= 1;
        self.presence.live -= 1;
        self.note_return(&mut block, index);
        self.settle_visits(&mut block, index);
        if block.live == 0 {
            self.presence.ended += 1;
            let shared = block.shared..block.shared + self.shared.stride;
            self.releases.retain(|(address, _), _| !shared.contains(address));
            self.mbarriers.retain(|address, _| !shared.contains(address));
            self.observed.forget(shared);
            self.spare.push(block);
            self.leave_cluster(slot as usize, number, between);
            return;
        }
        if block.halted > 0 {
            self.settle_barriers(&mut block);
            let warp = block.threads[index as usize].warp;
            self.settle_lanes(&mut block, warp);
        }
        self.blocks[slot as usize] = Some(block);
        self.leave_cluster(slot as usize, number, between);
        self.settle_grid();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// Bytes of packed arguments at most (CUDA C++ Programming Guide: 32,764).
pub(crate) const MOST_ARGUMENTS: usize = 32 << 10;

/// Loop iterations that a thread may make in one go.
pub(crate) const FUEL: u64 = 1 << 16;
