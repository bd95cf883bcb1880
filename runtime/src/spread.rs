//! What workers have in common that run the blocks of one grid, which do not communicate.
//!
//! Each operating system thread has a worker of its own with its own fibers and shared memory;
//! blocks are handed out one by one. The shadow of global memory is common to all, cell by cell
//! under a lock.
//!
//! **Promises**: a run that meets nothing is the same as on one thread. As soon as anything is met,
//! or something needs one thread (output, bytes accessed one by one), all workers stop and the run
//! is [`crate::Outcome::again`]: to be made anew on one thread, so that what is reported depends on
//! the seed alone. **Does not**: start workers (`drive`), or find out whether blocks communicate;
//! the caller knows the code.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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

/// A lock that is held.
pub(crate) struct Held<'s>(&'s Lock);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Release);
    }
}

impl Spread {
    /// For a run that starts.
    pub(crate) fn new() -> Spread {
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

    /// Has all workers stop.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether all workers are to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The lock of the cell of an address.
    pub(crate) fn lock(&self, address: usize) -> Held<'_> {
        let lock = &self.locks[(address >> LINE) % LOCKS];
        while lock.0.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        Held(lock)
    }

    /// Whether all cells of a range have one lock in common.
    pub(crate) fn is_one(address: usize, size: usize) -> bool {
        address >> LINE == (address + size - 1) >> LINE
    }
}
