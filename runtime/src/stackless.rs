//! Blocks whose threads have no stacks: each is a coroutine that stops at the block's barriers, in
//! a frame beside the others'.
//!
//! All threads of a block go to their next barrier, one after the other; then the barrier is done,
//! and they go on. Where one is not at the barrier of the others, or an entry point would have it
//! wait elsewhere, or anything is met, the run is [`crate::Outcome::again`]: to be made anew on
//! fibers, which know what to do. All runs on one fiber of its own, so that it can be left in the
//! middle of a thread.
//!
//! **Promises**: a run that is not to be made again computes and finds what it would on fibers, by
//! number. **Relies on**: the code's blocks do not communicate, and its threads at barriers of the
//! whole block alone; so one clock does for all of them.
//!
//! **Invariant**: there is one set of facts, which is made that of the thread whose turn it is by
//! compiled code; entry points call `settle_turn` before they look at the thread.

use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult};

use heddle_semantics::counted;

use crate::abi::{self, BarrierAction};
use crate::block::{Block, Pause};
use crate::memory::BadLayout;
use crate::pages::{map, unmap};
use crate::schedule::Schedule;
use crate::worker::Worker;

/// Gives the bytes of a thread's frame.
pub type FrameBytes = unsafe extern "C" fn() -> u64;

/// Lets all threads of a block run to their next barrier. Arguments, facts, frames and the bytes of
/// each, a row of ids for each thread, the first thread, the step to the next, and how many. Gives
/// whether not all are at one place.
pub type Round =
    unsafe extern "C" fn(*const u8, *mut u8, *mut u8, u64, *const Row, u64, i64, u64) -> u64;

/// A kernel as coroutines.
#[derive(Clone, Copy, Debug)]
pub struct Stackless {
    /// Bytes of a frame.
    pub frame_bytes: FrameBytes,
    /// Starts all threads.
    pub start: Round,
    /// Goes on with all threads.
    pub resume: Round,
}

/// What is a thread's own among ids: its place in the block, the block's size in x, lane and warp.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Row([u32; 8]);

/// What `here` of the facts is when a thread has returned.
const RETURNED: u64 = u64::MAX;
/// Times in a row that one thread may come to the end of its fuel.
const PATIENCE: u32 = 64;

/// The frames of a block's threads.
#[derive(Debug)]
struct Frames {
    base: *mut u8,
    stride: usize,
    len: usize,
}

impl Frames {
    fn new(bytes: usize, threads: usize) -> Result<Frames, BadLayout> {
        // An odd number of lines of the cache, so that the frames do not want the same ones.
        let stride = (bytes.max(1).div_ceil(64) | 1) * 64;
        let len = stride * threads;
        let base = map(None, len).map_err(|error| {
            BadLayout(format!("no {len} bytes for the frames of {threads} threads: {error}"))
        })?;
        Ok(Frames { base, stride, len })
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        unmap(self.base, self.len);
    }
}

/// What a round is called with; frames and rows outlive it.
#[derive(Clone, Copy)]
struct Turns {
    code: Stackless,
    frames: *mut u8,
    stride: u64,
    rows: *const Row,
    count: u64,
    reverse: bool,
}

impl Turns {
    /// One round of all threads; whether not all are at one place.
    ///
    /// # Safety
    /// The facts are set, and the threads are at a barrier or, for `start`, nowhere yet.
    unsafe fn round(&self, which: Round, arguments: *const u8, facts: *mut u8) -> bool {
        let Turns { code: _, frames, stride, rows, count, reverse } = *self;
        let (from, step) = if reverse { (count - 1, -1) } else { (0, 1) };
        // SAFETY: the caller's promise; rows and frames are of so many threads.
        let differs = unsafe { which(arguments, facts, frames, stride, rows, from, step, count) };
        differs != 0
    }
}

/// Runs blocks until there are no more, or the run is to be made again.
pub(crate) fn drive(worker: *mut Worker, code: Stackless, blocks: u64) -> Result<(), BadLayout> {
    // SAFETY: the worker outlives this call; references to it are not used while the fiber runs.
    let at = unsafe { &mut *worker };
    let threads = at.threads_per_block as usize;
    // SAFETY: it takes nothing, and gives a number.
    let bytes = unsafe { (code.frame_bytes)() } as usize;
    let frames = Frames::new(bytes, threads)?;
    at.frames = (frames.base as usize, frames.base as usize + frames.len);
    let mut block = Block::new(0, [0; 3], 0, at.launch.block, at.launch.warp_size);
    let row = |it: &crate::block::Thread| {
        let [x, y, z] = it.tid;
        Row([x, y, z, at.launch.block[0], it.lane, it.warp, 0, 0])
    };
    let rows: Vec<Row> = block.threads.iter().map(row).collect();
    let reverse = match at.launch.schedule {
        Schedule::Reverse => true,
        Schedule::RoundRobin | Schedule::Random | Schedule::Priorities => false,
    };
    let turns = Turns {
        code,
        frames: frames.base,
        stride: frames.stride as u64,
        rows: rows.as_ptr(),
        count: threads as u64,
        reverse,
    };
    // SAFETY: as above.
    let size = unsafe { (*at.program).stack_bytes } + (256 << 10);
    let stack = DefaultStack::new(size.next_multiple_of(4096))
        .map_err(|error| BadLayout(format!("no stack of {size} bytes for the threads: {error}")))?;
    let ends = (stack.limit().get(), stack.base().get());
    let block = &raw mut block;
    let mut fiber: Coroutine<(), Pause, Result<(), BadLayout>, _> =
        Coroutine::with_stack(stack, move |yielder, ()| {
            // SAFETY: the block outlives the fiber, and is the worker's as long as it runs.
            unsafe {
                (*worker).block = block;
                (*worker).thread = &raw mut (&mut (*block).threads)[0];
                (*(*worker).thread).yielder = yielder;
                (*(*worker).thread).stack = ends;
                run_blocks(worker, &turns, blocks)
            }
        });
    match fiber.resume(()) {
        CoroutineResult::Return(done) => done,
        CoroutineResult::Yield(_) => {
            // SAFETY: what is on the stack are the kernel's frames, entry points', and
            // `run_blocks`, which own nothing.
            unsafe { fiber.force_reset() };
            at.outcome.again = !at.stopped;
            let _called_off = at.is_called_off();
            Ok(())
        }
    }
}

/// # Safety
/// The worker has a thread and a block, and is the current one; this runs on a fiber that may be
/// left where it is.
unsafe fn run_blocks(worker: *mut Worker, turns: &Turns, blocks: u64) -> Result<(), BadLayout> {
    loop {
        // SAFETY: nothing else uses the worker before a round starts.
        let at = unsafe { &mut *worker };
        let Some(number) = at.next_number(blocks) else { break };
        at.prepare_block(number);
        let (arguments, facts) = (at.arguments, at.facts());
        // SAFETY: the facts are set for a block that starts.
        let mut differs = unsafe { turns.round(turns.code.start, arguments, facts.cast()) };
        loop {
            // SAFETY: as above; the round is over.
            let at = unsafe { &mut *worker };
            at.outcome.switches += turns.count;
            // SAFETY: the facts are those of the worker's thread.
            let here = unsafe { (*facts).here };
            if differs {
                at.outcome.again = true;
            }
            if at.is_met() || at.is_called_off() {
                at.outcome.again |= !at.stopped;
                return Ok(());
            }
            if here == RETURNED {
                break;
            }
            at.pass_barrier(here);
            if (at.outcome.switches / turns.count).is_multiple_of(64) {
                at.look_at_time();
            }
            // SAFETY: all threads are at the barrier that was passed.
            differs = unsafe { turns.round(turns.code.resume, arguments, facts.cast()) };
        }
        at.look_at_time();
    }
    // SAFETY: as above.
    unsafe { (*worker).outcome.accesses += (*(*worker).facts()).accesses };
    Ok(())
}

impl Worker {
    fn facts(&mut self) -> *mut crate::facts::Facts {
        // SAFETY: a block runs.
        unsafe { &raw mut (*self.thread).facts }
    }

    /// Whether there is anything that takes fibers to tell.
    fn is_met(&self) -> bool {
        let crate::Outcome { events, printed, again, .. } = &self.outcome;
        *again || self.stopped || !events.0.is_empty() || !printed.is_empty()
    }

    /// The one slot, made ready for a block.
    fn prepare_block(&mut self, number: u32) {
        let shared = self.clear_shared(0);
        let accesses = {
            // SAFETY: the block is the worker's, and no thread runs.
            let (thread, block) = unsafe { (&mut *self.thread, &mut *self.block) };
            let accesses = thread.facts.accesses;
            block.number = number;
            block.index = self.index_of(number);
            block.shared = shared;
            thread.number = number * self.threads_per_block;
            thread.facts = crate::facts::Facts::new(thread.number);
            thread.copies.clear();
            accesses
        };
        // SAFETY: as above.
        let (thread, block) = unsafe { (&mut *self.thread, &*self.block) };
        self.set_facts(thread, block.index, shared, thread.number + 1);
        thread.facts.accesses = accesses;
    }

    /// What completes a barrier at which all threads of the block are.
    fn pass_barrier(&mut self, here: u64) {
        let count = self.threads_per_block;
        // SAFETY: a block runs, and no thread of it does now.
        let facts = unsafe { &mut (*self.thread).facts };
        let how = here as u32;
        let set = std::mem::take(&mut facts.set);
        let (mut shared, mut global) = (true, true);
        facts.result = match BarrierAction::from_number(how & 0xff) {
            Some(BarrierAction::SyncSome) => {
                (shared, global) = (how >> 8 & 1 != 0, how >> 8 & 2 != 0);
                0
            }
            Some(action) => action.reduction().map_or(0, |it| counted(it, set, count)),
            None => 0,
        };
        facts.clock += 1;
        if global {
            facts.floor = facts.clock;
        }
        if shared {
            facts.shared_floor = facts.clock;
        }
        if shared && global {
            facts.warp_floor = facts.clock;
        }
        facts.fuel = crate::worker::FUEL;
    }

    fn look_at_time(&mut self) {
        if self.start.elapsed() > self.launch.limits.time {
            self.late();
        }
    }

    /// The time limit was reached, by threads that run as they should.
    fn late(&mut self) {
        // SAFETY: a block runs.
        let (site, number) = unsafe { ((*self.thread).facts.site, (*self.block).number) };
        let notes = vec![format!(
            "threads of block {number} run near {}; blocks before it have ended",
            self.place(site)
        )];
        let event = crate::event::Event::Unfinished { site, other: site };
        self.outcome.events.add(event, [0; 2], || (String::new(), notes));
        self.stopped = true;
    }

    /// Makes the thread that whose turn it is, before anything looks at more of it than its facts.
    /// `false` if threads have stacks, and are what they are.
    pub(crate) fn settle_turn(&mut self) -> bool {
        if !self.is_stackless() {
            return false;
        }
        // SAFETY: a thread runs.
        let thread = unsafe { &mut *self.thread };
        thread.number = thread.facts.own - 1;
        thread.index = thread.facts.own - thread.facts.first;
        (thread.lane, thread.warp) = (thread.facts.ids[12], thread.facts.ids[13]);
        thread.tid.copy_from_slice(&thread.facts.ids[..3]);
        true
    }

    /// Whether an access is of those that order threads, or wait for another: with one clock for
    /// all they cannot be made.
    pub(crate) fn takes_fibers(&self, flags: u32) -> bool {
        let relaxed = abi::Order::from_number(flags >> 2 & 3) == Some(abi::Order::Relaxed);
        let waits = flags & 3 == 0;
        flags & (abi::ATOMIC | abi::VOLATILE) != 0 && (waits || !relaxed)
    }

    /// A thread without a stack has run long. Whether it may go on.
    pub(crate) fn goes_on(&mut self) -> bool {
        // SAFETY: a thread runs.
        let own = unsafe { (*self.thread).facts.own };
        self.long = match self.long {
            (who, times) if who == own => (own, times + 1),
            _ => (own, 1),
        };
        self.look_at_time();
        self.long.1 < PATIENCE && !self.stopped
    }
}
