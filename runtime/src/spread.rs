//! Blocks that do not communicate, spread over the cores.
//!
//! Each operating system thread has a worker of its own with its own fibers and shared memory;
//! blocks are handed out one by one. The shadow of global memory is common to all, cell by cell
//! under a lock.
//!
//! **Promises**: a run that meets nothing is the same as on one thread. As soon as anything is met,
//! or something needs one thread (output, bytes accessed one by one), all workers stop and the run
//! is [`crate::Outcome::again`]: to be made anew on one thread, so that what is reported depends on
//! the seed alone. **Does not**: find out whether blocks communicate; the caller knows the code.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::event::Event;
use crate::launch::{Launch, Outcome, Program};
use crate::memory::{BadLayout, Memory};
use crate::worker::{Worker, run_on};

/// Locks of shadow cells; as many as make two workers rarely want the same.
const LOCKS: usize = 1024;
/// Bytes of data, as a power of two, whose cells have one lock.
const LINE: u32 = 8;

#[repr(align(64))]
struct Lock(AtomicBool);

/// What the workers of a run have in common.
pub(crate) struct Spread {
    next: AtomicU64,
    stop: AtomicBool,
    locks: Vec<Lock>,
}

/// A lock that is held, where one is needed.
pub(crate) struct Held(*const Lock);

impl Drop for Held {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the locks live as long as the run.
            unsafe { (*self.0).0.store(false, Ordering::Release) };
        }
    }
}

impl Spread {
    fn new() -> Spread {
        Spread {
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            locks: (0..LOCKS).map(|_| Lock(AtomicBool::new(false))).collect(),
        }
    }

    /// The next block that nobody has.
    pub(crate) fn next(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn lock(&self, address: usize) -> Held {
        let lock = &self.locks[(address >> LINE) % LOCKS];
        while lock.0.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        Held(lock)
    }
}

impl Worker {
    /// The lock of the cell of an address; none is needed for shared memory, or on one thread.
    #[inline]
    pub(crate) fn hold(&self, address: usize, shared: bool) -> Held {
        match &self.spread {
            Some(spread) if !shared => spread.lock(address),
            Some(_) | None => Held(std::ptr::null()),
        }
    }

    /// The lock of all cells of a range, where they have one in common.
    #[inline]
    pub(crate) fn hold_range(&self, address: usize, size: usize, shared: bool) -> Option<Held> {
        let one =
            shared || self.spread.is_none() || address >> LINE == (address + size - 1) >> LINE;
        one.then(|| self.hold(address, shared))
    }

    /// Something is to be done that takes one thread: if there are more, the run is to be made
    /// again.
    pub(crate) fn alone(&mut self) {
        if self.spread.is_some() {
            self.outcome.again = true;
        }
    }

    /// Whether this worker is to stop: it has met something, or another one has.
    pub(crate) fn is_called_off(&mut self) -> bool {
        let Some(spread) = &self.spread else { return false };
        let Outcome { events, printed, again, .. } = &self.outcome;
        if *again || !events.0.is_empty() || !printed.is_empty() {
            spread.stop.store(true, Ordering::Relaxed);
        }
        spread.stop.load(Ordering::Relaxed)
    }
}

/// What a worker is started with.
#[derive(Clone, Copy)]
struct Job<'a> {
    program: &'a Program,
    launch: &'a Launch,
    memory: *mut Memory,
    arguments: &'a [u8],
}

// SAFETY: workers touch the memory cell by cell under a lock, and its bytes as the kernel says;
// nothing else changes it.
unsafe impl Send for Job<'_> {}

/// Runs a grid on several threads.
///
/// # Safety
/// As [`crate::run`].
pub(crate) unsafe fn run(
    program: &Program,
    launch: &Launch,
    memory: &mut Memory,
    arguments: &[u8],
) -> Result<Outcome, BadLayout> {
    let spread = std::sync::Arc::new(Spread::new());
    let job = Job { program, launch, memory, arguments };
    let outcomes: Vec<Result<Outcome, BadLayout>> = std::thread::scope(|scope| {
        let start = |_| {
            let spread = spread.clone();
            scope.spawn(move || {
                let job = job;
                let Job { program, launch, memory, arguments } = job;
                // SAFETY: the caller's promise.
                unsafe { run_on(program, launch, memory, arguments, Some(spread)) }
            })
        };
        let workers: Vec<_> = (0..launch.threads.max(1)).map(start).collect();
        let lost = |_| Err(BadLayout("a thread of the run was lost".to_owned()));
        workers.into_iter().map(|it| it.join().unwrap_or_else(lost)).collect()
    });
    let mut total = Outcome { finished: true, ..Outcome::default() };
    for outcome in outcomes {
        let Outcome { events, printed, accesses, switches, processor, finished, again, died: _ } =
            outcome?;
        total.events.join(events);
        total.printed.push_str(&printed);
        total.accesses += accesses;
        total.switches += switches;
        total.processor += processor;
        total.finished &= finished;
        total.again |= again;
    }
    let late = |event: &Event| matches!(event, Event::Unfinished { .. });
    total.again |= !total.printed.is_empty() || !total.events.0.keys().all(late);
    Ok(total)
}
