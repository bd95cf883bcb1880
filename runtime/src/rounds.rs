//! Runs blocks whose threads have no stacks, in rounds.
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
use crate::block::{Block, Pause, Thread};
use crate::event::Event;
use crate::facts::{FUEL, Facts};
use crate::launch::Outcome;
use crate::memory::BadLayout;
use crate::pages::{map, unmap};
use crate::schedule::Schedule;
use crate::stackless::{Round, Row, Stackless};
use crate::turn::{Turn, lend, turn};
use crate::worker::Worker;

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
        // SAFETY: the caller's promise; there is a row and a frame for each of `count` threads.
        let differs = unsafe { which(arguments, facts, frames, stride, rows, from, step, count) };
        differs != 0
    }
}

/// Runs blocks until there are no more, or the run is to be made again.
///
/// # Errors
/// There is no memory for the threads.
///
/// # Safety
/// The code is such as [`crate::run`] asks for.
pub(crate) unsafe fn drive(
    worker: &mut Worker<'_>,
    code: Stackless,
    blocks: u64,
) -> Result<(), BadLayout> {
    let threads = worker.grid.shape.threads() as usize;
    // SAFETY: it takes nothing, and gives a number.
    let bytes = unsafe { (code.frame_bytes)() } as usize;
    let frames = Frames::new(bytes, threads)?;
    worker.host.frames = (frames.base as usize, frames.base as usize + frames.len);
    let launch = &worker.host.launch;
    let mut block = Block::new(0, [0; 3], 0, &launch.shape);
    let row = |it: &Thread| {
        let [x, y, z] = it.tid;
        Row([x, y, z, launch.shape.block[0], it.lane, it.warp, 0, 0])
    };
    let rows: Vec<Row> = block.threads.iter().map(row).collect();
    let reverse = match launch.schedule {
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
    let size = worker.host.program.stack_bytes + (256 << 10);
    let stack = DefaultStack::new(size.next_multiple_of(4096))
        .map_err(|error| BadLayout(format!("no stack of {size} bytes for the threads: {error}")))?;
    block.threads[0].stack = (stack.limit().get(), stack.base().get());
    // Facts of the one thread stand for all; no other looks at the block.
    worker.grid.blocks[0] = Some(Box::new(block));
    worker.grid.running = (0, 0);
    let mut fiber: Coroutine<(), Pause, (), _> =
        Coroutine::with_stack(stack, move |yielder, ()| {
            turn(|turn| turn.thread_mut().yielder = yielder);
            // SAFETY: the caller's promise, and this is the fiber that the worker is lent to.
            unsafe { run_blocks(&turns, blocks) };
        });
    if let CoroutineResult::Yield(_) = lend(worker, || fiber.resume(())) {
        // SAFETY: what is on the stack are the kernel's frames, entry points', and `run_blocks`,
        // which own nothing.
        unsafe { fiber.force_reset() };
        worker.host.outcome.again = !worker.host.stopped;
        let _called_off = worker.is_called_off();
    }
    worker.grid.blocks[0] = None;
    Ok(())
}

/// # Safety
/// The code is such as [`crate::run`] asks for. The worker is lent to this thread, which runs on a
/// fiber that may be left where it is.
unsafe fn run_blocks(turns: &Turns, blocks: u64) {
    while let Some((arguments, facts)) = turn(|turn| {
        let number = turn.next_number(blocks)?;
        turn.prepare_block(number);
        Some((turn.host.arguments.as_ptr(), turn.facts()))
    }) {
        // SAFETY: the facts are set for a block that starts.
        let mut differs = unsafe { turns.round(turns.code.start, arguments, facts.cast()) };
        loop {
            match turn(|turn| turn.after_round(turns.count, differs)) {
                Next::Round => {}
                Next::Block => break,
                Next::Stop => return,
            }
            // SAFETY: all threads are at the barrier that was passed.
            differs = unsafe { turns.round(turns.code.resume, arguments, facts.cast()) };
        }
    }
    turn(|turn| turn.host.outcome.accesses += turn.thread().facts.accesses);
}

/// What comes after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Another one of the block.
    Round,
    /// The next block.
    Block,
    /// The run ends.
    Stop,
}

impl Turn<'_, '_> {
    fn facts(&mut self) -> *mut Facts {
        &raw mut self.thread_mut().facts
    }

    /// All threads of the block are at a barrier, or have returned, or `differs`.
    fn after_round(&mut self, threads: u64, differs: bool) -> Next {
        self.host.outcome.switches += threads;
        self.host.outcome.again |= differs;
        if self.is_met() || self.is_called_off() {
            self.host.outcome.again |= !self.host.stopped;
            return Next::Stop;
        }
        let here = self.thread().facts.here;
        if here == RETURNED {
            self.look_at_time();
            return Next::Block;
        }
        self.pass_barrier(here);
        if (self.host.outcome.switches / threads).is_multiple_of(64) {
            self.look_at_time();
        }
        Next::Round
    }

    /// Whether there is anything that takes fibers to tell.
    fn is_met(&self) -> bool {
        let Outcome { events, printed, again, .. } = &self.host.outcome;
        *again || self.host.stopped || !events.0.is_empty() || !printed.is_empty()
    }

    /// The one slot, made ready for a block.
    fn prepare_block(&mut self, number: u32) {
        let (shared, index) = (self.clear_shared(0), self.grid.index_of(number));
        let threads = self.grid.shape.threads();
        self.with_block(|worker, block| {
            (block.number, block.index, block.shared) = (number, index, shared);
            let thread = &mut block.threads[0];
            let accesses = thread.facts.accesses;
            thread.number = number * threads;
            thread.facts = Facts::new(thread.number);
            thread.copies.clear();
            worker.set_facts(thread, index, shared, thread.number + 1);
            thread.facts.accesses = accesses;
        });
    }

    /// What completes a barrier at which all threads of the block are.
    fn pass_barrier(&mut self, here: u64) {
        let count = self.grid.shape.threads();
        let facts = &mut self.thread_mut().facts;
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
        facts.fuel = FUEL;
    }

    fn look_at_time(&mut self) {
        if self.is_late() {
            self.late();
        }
    }

    /// The time limit was reached, by threads that run as they should.
    fn late(&mut self) {
        let (site, number) = (self.thread().facts.site, self.block().number);
        let notes = vec![format!(
            "threads of block {number} run near {}; blocks before it have ended",
            self.place(site)
        )];
        let event = Event::Unfinished { site, other: site };
        self.host.outcome.events.add(event, [0; 2], || (String::new(), notes));
        self.host.stopped = true;
    }

    /// Makes the thread the one whose turn it is, before anything looks at more of it than its
    /// facts. `false` if threads have stacks, and are what they are.
    pub(crate) fn settle_turn(&mut self) -> bool {
        if !self.is_stackless() {
            return false;
        }
        let thread = self.thread_mut();
        thread.number = thread.facts.own - 1;
        thread.index = thread.facts.own - thread.facts.first;
        (thread.lane, thread.warp) = (thread.facts.ids[12], thread.facts.ids[13]);
        thread.tid.copy_from_slice(&thread.facts.ids[..3]);
        true
    }

    /// Whether an access is of those that order threads, or wait for another: with one clock for
    /// all they cannot be made.
    pub(crate) fn takes_fibers(&self, flags: u32) -> bool {
        let relaxed =
            abi::MemoryOrder::from_number(flags >> 2 & 3) == Some(abi::MemoryOrder::Relaxed);
        let waits = flags & 3 == 0;
        flags & (abi::ATOMIC | abi::VOLATILE) != 0 && (waits || !relaxed)
    }

    /// A thread without a stack has run long. Whether it may go on.
    pub(crate) fn goes_on(&mut self) -> bool {
        let own = self.thread().facts.own;
        self.host.long = match self.host.long {
            (who, times) if who == own => (own, times + 1),
            _ => (own, 1),
        };
        self.look_at_time();
        self.host.long.1 < PATIENCE && !self.host.stopped
    }
}
