//! The loop that runs a grid: blocks come and go, fibers are resumed, waits are resolved.
//!
//! Up to [`Launch::resident`] blocks are there at a time; the next one starts when one is done. All runs on the calling
//! thread: a run is repeated exactly from its seed. When nothing can run, `stuck` says who waits for whom, and the block
//! is given up.
//!
//! **Invariant**: no reference into the worker is held while a fiber runs; entry points reach it by `current`.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use corosensei::CoroutineResult;
use corosensei::stack::{DefaultStack, Stack};
use heddle_diagnostics::Place;

use crate::block::{Block, BlockOf, Fiber, Pause, State, Thread};
use crate::clock::Release;
use crate::event::{Event, Events};
use crate::memory::{BadLayout, Memory, Shared, Variable};
use crate::schedule::{Ready, Schedule};
use crate::shadow::Cell as ShadowCell;
use crate::spread::Spread;

/// A place in the kernel that instrumented code names by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where.
    pub place: Place,
    /// What happens there in a word or two: `write`, `atomic`, `barrier`.
    pub what: String,
}

/// A kernel, compiled.
#[derive(Clone, Debug)]
pub struct Program {
    /// Takes the address of the packed arguments.
    pub entry: unsafe extern "C" fn(*const u8),
    /// Sites by number; number 0 is no site.
    pub sites: Vec<Site>,
    /// Variables in shared memory, by offset. Dynamic shared memory comes last and has no size here.
    pub shared: Vec<Variable>,
    /// Bytes of static shared memory; dynamic shared memory starts here.
    pub shared_bytes: usize,
    /// Bytes of stack that the kernel's own variables take.
    pub stack_bytes: usize,
    /// Whether the code calls the checks.
    pub checked: bool,
}

/// How a kernel is launched.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes.
    pub dynamic_shared: u32,
    /// Threads of a warp; 0 where the target has none.
    pub warp_size: u32,
    /// Barriers wait for threads that have returned, too.
    pub strict_barriers: bool,
    /// Who runs next.
    pub schedule: Schedule,
    /// What all choices come from.
    pub seed: u64,
    /// Only these blocks of the grid, by number; all of them if not said.
    pub blocks: Option<Vec<u32>>,
    /// Blocks that are there at the same time.
    pub resident: u32,
    /// Operating system threads. More than one where blocks do not communicate, by atomics, fences or volatile accesses.
    pub threads: u32,
    /// When to give up.
    pub limits: Limits,
}

/// When a run is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Visits in a row without any change of memory until it is a livelock.
    pub idle: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(60), idle: 1 << 20 }
    }
}

/// What a run gave, beside the buffers.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What was met.
    pub events: Events,
    /// What the kernel printed.
    pub printed: String,
    /// Checked accesses.
    pub accesses: u64,
    /// Times that a fiber was resumed.
    pub switches: u64,
    /// Whether all threads returned by themselves.
    pub finished: bool,
    /// The run is to be made again, on one thread and with memory as it was; this outcome says nothing else.
    pub again: bool,
}

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
    pub(crate) splits: Vec<[ShadowCell; 4]>,
    /// Yields since something changed.
    pub(crate) idle: u64,
    /// Bytes before an atomic operation.
    pub(crate) before: u64,
    pub(crate) mbarriers: std::collections::BTreeMap<usize, crate::copies::Object>,
    pub(crate) thread: *mut Thread,
    pub(crate) block: *mut Block,
    pub(crate) start: Instant,
    pub(crate) spread: Option<Arc<Spread>>,
    next_block: u64,
    /// All blocks have been started.
    exhausted: bool,
    /// Blocks that are done, for the next to take their place.
    #[allow(clippy::vec_box, reason = "boxes move between here and the slots")]
    spare: Vec<Box<Block>>,
    stacks: Vec<DefaultStack>,
    stack_size: usize,
    pub(crate) stopped: bool,
}

thread_local! {
    static CURRENT: Cell<*mut Worker> = const { Cell::new(std::ptr::null_mut()) };
}

/// The worker whose fiber runs on this thread.
pub(crate) fn current() -> *mut Worker {
    CURRENT.get()
}

/// Runs a grid to its end. `arguments` are packed as the program's entry reads them.
///
/// # Errors
/// The launch is larger than what can be told apart, or there is no memory for it.
///
/// # Safety
/// `program.entry` is code that calls the entry points of [`crate::abi`], and reads `arguments` in bounds.
pub unsafe fn run(
    program: &Program,
    launch: &Launch,
    memory: &mut Memory,
    arguments: &[u8],
) -> Result<Outcome, BadLayout> {
    if launch.threads > 1 {
        // SAFETY: the caller's promise.
        return unsafe { crate::spread::run(program, launch, memory, arguments) };
    }
    // SAFETY: as above.
    unsafe { run_on(program, launch, memory, arguments, None) }
}

/// Runs the blocks of a grid, or those that this worker gets of it.
///
/// # Safety
/// As [`run`].
pub(crate) unsafe fn run_on(
    program: &Program,
    launch: &Launch,
    memory: *mut Memory,
    arguments: &[u8],
    spread: Option<Arc<Spread>>,
) -> Result<Outcome, BadLayout> {
    let threads: u64 = launch.block.iter().map(|&n| u64::from(n)).product();
    let blocks: u64 = launch.grid.iter().map(|&n| u64::from(n)).product();
    let runs = launch.blocks.as_ref().map_or(blocks, |it| it.len() as u64);
    if threads == 0 || blocks == 0 || threads > 1024 {
        return Err(BadLayout(format!(
            "a block has 1 to 1024 threads, and this launch has {threads}"
        )));
    }
    if threads * blocks >= u64::from(u32::MAX) - 2 {
        return Err(BadLayout(format!(
            "{blocks} blocks of {threads} threads are more than 2^32 threads; launch fewer"
        )));
    }
    let resident = u64::from(launch.resident.max(1)).min(runs).max(1) as usize;
    let shared_bytes = program.shared_bytes + launch.dynamic_shared as usize;
    let shared = Shared::new(resident, shared_bytes)?;
    let mut worker = Worker {
        launch: launch.clone(),
        threads_per_block: threads as u32,
        program,
        memory,
        arguments: arguments.as_ptr(),
        shared,
        shared_bytes,
        blocks: (0..resident).map(|_| None).collect(),
        ready: Ready::new(launch.schedule, launch.seed),
        outcome: Outcome { finished: true, ..Outcome::default() },
        releases: Default::default(),
        splits: Vec::new(),
        idle: 0,
        before: 0,
        mbarriers: Default::default(),
        thread: std::ptr::null_mut(),
        block: std::ptr::null_mut(),
        start: Instant::now(),
        spread,
        next_block: 0,
        exhausted: false,
        spare: Vec::new(),
        stacks: Vec::new(),
        stack_size: (program.stack_bytes + (64 << 10)).next_multiple_of(4096),
        stopped: false,
    };
    let outer = CURRENT.replace(&raw mut worker);
    let done = drive(&raw mut worker, runs);
    CURRENT.set(outer);
    done?;
    Ok(std::mem::take(&mut worker.outcome))
}

/// Resumes fibers until all blocks are done.
fn drive(worker: *mut Worker, blocks: u64) -> Result<(), BadLayout> {
    loop {
        // SAFETY: the worker outlives this call, and no other reference to it is held while no fiber runs.
        let at = unsafe { &mut *worker };
        at.fill(blocks)?;
        while let Some((slot, index)) = at.ready.take() {
            let Some(block) = at.blocks[slot as usize].as_deref_mut() else { continue };
            let thread = &mut block.threads[index as usize];
            if thread.state == State::Done {
                continue;
            }
            thread.state = State::Ready;
            at.outcome.switches += 1;
            let Some(fiber) = thread.fiber.as_mut().map(|fiber| &raw mut *fiber) else { continue };
            at.thread = thread;
            at.block = block;
            // SAFETY: the fiber is in its thread, which nothing moves while it runs; the references above are not used
            // again before it comes back.
            let result = unsafe { (*fiber).resume(()) };
            at.after(slot, index, result);
            if at.blocks[slot as usize].is_none() {
                at.fill(blocks)?;
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
        if at.blocks.iter().any(Option::is_none) && !at.exhausted {
            continue;
        }
        at.resolve_stuck();
    }
}

impl Worker {
    /// The numbers of the block that runs.
    pub(crate) fn block_of(&self, block: &Block) -> BlockOf {
        BlockOf {
            number: block.number,
            first_thread: block.number * self.threads_per_block,
            threads: self.threads_per_block,
            warp_size: self.launch.warp_size.max(1),
        }
    }

    /// Starts blocks in the slots that are free.
    fn fill(&mut self, blocks: u64) -> Result<(), BadLayout> {
        for slot in 0..self.blocks.len() {
            if self.blocks[slot].is_none() && !self.exhausted {
                let at = match &self.spread {
                    Some(spread) => spread.next(),
                    None => self.next_block,
                };
                self.next_block = at + 1;
                self.exhausted = self.next_block >= blocks;
                if at >= blocks {
                    continue;
                }
                let at = at as u32;
                let number = match &self.launch.blocks {
                    Some(some) => some[at as usize],
                    None => at,
                };
                self.start_block(slot, number)?;
            }
        }
        Ok(())
    }

    fn start_block(&mut self, slot: usize, number: u32) -> Result<(), BadLayout> {
        let [x, y, _] = self.launch.grid;
        let shared = self.shared.start(slot);
        self.shared.region.clear(shared, self.shared.stride);
        let end = (shared + self.shared_bytes).next_multiple_of(4);
        self.shared.region.forbid(end, shared + self.shared.stride - end);
        // SAFETY: the slot's shared memory. Garbage shows a read of what nobody wrote better than zeros do.
        unsafe { std::ptr::write_bytes(shared as *mut u8, 0xa5, self.shared_bytes) };
        // SAFETY: the program outlives the run.
        for pair in unsafe { &*self.program }.shared.windows(2) {
            let gap = (pair[0].address + pair[0].len).next_multiple_of(4);
            self.shared.region.forbid(shared + gap, pair[1].address.saturating_sub(gap));
        }
        let index = [number % x, number / x % y, number / x / y];
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
        for thread in &mut block.threads {
            let stack = self.stack()?;
            thread.stack = (stack.limit().get(), stack.base().get());
            let (entry, arguments) = {
                // SAFETY: as above.
                let program = unsafe { &*self.program };
                (program.entry, self.arguments)
            };
            thread.fiber = Some(Fiber::with_stack(stack, move |yielder, ()| {
                // SAFETY: the worker that resumes this fiber is the current one, and its thread is this one.
                unsafe {
                    (*(*current()).thread).yielder = yielder;
                    entry(arguments);
                }
            }));
            thread.slot = slot as u32;
            self.ready.add((slot as u32, thread.index));
        }
        self.blocks[slot] = Some(block);
        Ok(())
    }

    fn stack(&mut self) -> Result<DefaultStack, BadLayout> {
        match self.stacks.pop() {
            Some(stack) => Ok(stack),
            None => DefaultStack::new(self.stack_size).map_err(|error| {
                BadLayout(format!("no stack of {} bytes for a thread: {error}", self.stack_size))
            }),
        }
    }

    /// What a fiber that came back wants.
    fn after(&mut self, slot: u32, index: u32, result: CoroutineResult<Pause, ()>) {
        match result {
            CoroutineResult::Yield(Pause::Yield) => {
                self.idle += 1;
                self.ready.add_behind((slot, index));
                if self.idle > self.launch.limits.idle.max(64 * self.ready.len() as u64) {
                    self.livelock();
                }
            }
            CoroutineResult::Yield(Pause::Wait) => {}
            CoroutineResult::Yield(Pause::End) | CoroutineResult::Return(()) => {
                self.retire(slot, index)
            }
        }
    }

    /// A thread is done: its stack goes back, and what waited for it is looked at again.
    fn retire(&mut self, slot: u32, index: u32) {
        self.idle = 0;
        let Some(mut block) = self.blocks[slot as usize].take() else { return };
        let thread = &mut block.threads[index as usize];
        thread.state = State::Done;
        self.recycle(&mut block.threads[index as usize]);
        block.live -= 1;
        self.note_return(&mut block, index);
        if block.live == 0 {
            self.releases.retain(|(address, _), _| {
                !(block.shared..block.shared + self.shared.stride).contains(address)
            });
            self.mbarriers.retain(|address, _| {
                !(block.shared..block.shared + self.shared.stride).contains(address)
            });
            self.spare.push(block);
            return;
        }
        if block.halted > 0 {
            self.settle_barriers(&mut block);
            let warp = block.threads[index as usize].warp;
            self.settle_lanes(&mut block, warp);
        }
        self.blocks[slot as usize] = Some(block);
    }

    fn recycle(&mut self, thread: &mut Thread) {
        if let Some(mut fiber) = thread.fiber.take() {
            if !fiber.done() {
                // SAFETY: the frames on it are the kernel's and an entry point's, which own nothing.
                unsafe { fiber.force_reset() };
            }
            self.stacks.push(fiber.into_stack());
        }
    }

    /// Ends all threads of a block where they are.
    pub(crate) fn give_up(&mut self, slot: usize) {
        self.outcome.finished = false;
        if let Some(mut block) = self.blocks[slot].take() {
            for thread in &mut block.threads {
                thread.state = State::Done;
                self.recycle(thread);
            }
        }
    }

    /// Ends everything.
    fn abandon(&mut self) {
        self.ready.clear();
        (0..self.blocks.len()).for_each(|slot| self.give_up(slot));
    }

    /// The time limit was reached.
    pub(crate) fn unfinished(&mut self) {
        let notes = self.whereabouts(None);
        let site = self.some_site();
        self.outcome.events.add(Event::Unfinished { site }, [0; 2], || (String::new(), notes));
        self.stopped = true;
    }

    fn livelock(&mut self) {
        let notes = self.whereabouts(None);
        let site = self.some_site();
        self.outcome.events.add(Event::Livelock { site }, [0; 2], || (String::new(), notes));
        self.stopped = true;
    }

    fn some_site(&self) -> u32 {
        let threads = self.blocks.iter().flatten().flat_map(|block| &block.threads);
        threads.filter(|it| it.state == State::Ready).map(|it| it.site).max().unwrap_or(0)
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
pub(crate) const FUEL: u32 = 1 << 16;
