//! The short way through the checks, for accesses that meet nothing new: almost all of them.
//! Compiled code has it inlined; it comes here where several workers share a shadow, and each cell
//! takes a lock.
//!
//! A plain access to whole cells, where what was there before is the thread's own, or of the block
//! and below its floor, is checked and recorded with a few comparisons. Everything else goes the
//! long way (`detect`).
//!
//! **Promises**: it records exactly what the long way would; where it cannot tell that there is
//! nothing to say, it has changed nothing that the long way reads.

use crate::block::Thread;
use crate::shadow::{Cell, GRANULE, PENDING, Record, WROTE};
use crate::worker::Worker;

/// Bytes of an access that may take the short way.
const MOST: usize = 16;

/// What of the past a thread knows without looking further.
struct Known {
    own: u32,
    first: u32,
    threads: u32,
    floor: u32,
    /// It knows more than this: of its warp, or of single threads.
    more: bool,
}

impl Known {
    /// Whether an access is none, the thread's own, or of its block before the last barrier. Marks
    /// in place of threads are of no block.
    fn covers(&self, past: Record) -> bool {
        past.thread == 0
            || (past.info & PENDING == 0
                && (past.thread == self.own
                    || (past.thread.wrapping_sub(self.first) < self.threads
                        && past.clock < self.floor)))
    }
}

impl Worker {
    /// Checks and records a plain access. `false` if it did nothing.
    #[inline]
    pub(crate) fn quick(
        &mut self,
        thread: &Thread,
        address: usize,
        size: usize,
        record: Record,
        write: bool,
    ) -> bool {
        if address & (GRANULE - 1) != 0 || size & (GRANULE - 1) != 0 || size > MOST || size == 0 {
            return false;
        }
        // SAFETY: a fiber runs.
        let (block, memory) = unsafe { (&*self.block, &*self.memory) };
        let shared = address.wrapping_sub(block.shared) < self.shared.stride;
        let region = if shared { &self.shared.region } else { &memory.global };
        let (Some(first), Some(_)) = (region.cell(address), region.cell(address + size - 1)) else {
            return false;
        };
        let known = Known {
            own: thread.number + 1,
            first: block.number * self.threads_per_block + 1,
            threads: self.threads_per_block,
            floor: thread.facts.floor_in(shared),
            more: thread.facts.warp_floor > thread.facts.floor_in(shared)
                || thread.facts.knows.is_some(),
        };
        let Some(_held) = self.hold_range(address, size, shared) else { return false };
        for n in 0..size / GRANULE {
            // SAFETY: the cells of a range inside the region.
            if !clear(unsafe { &*first.add(n) }, &known, write, shared) {
                return false;
            }
        }
        for n in 0..size / GRANULE {
            // SAFETY: as above.
            note(unsafe { &mut *first.add(n) }, &known, record, write);
        }
        true
    }
}

/// Whether an access to the cell has nothing to say.
#[inline]
fn clear(cell: &Cell, known: &Known, write: bool, shared: bool) -> bool {
    if write {
        known.covers(cell.write) && known.covers(cell.read) && known.covers(cell.other)
    } else {
        known.covers(cell.write)
            && (!shared || cell.write.is_some())
            && cell.other.info & WROTE == 0
            && (!known.more || (known.covers(cell.read) && known.covers(cell.other)))
    }
}

/// Records it, as [`Worker::check`] does.
#[inline]
fn note(cell: &mut Cell, known: &Known, record: Record, write: bool) {
    if write {
        *cell = Cell { write: record, ..Cell::default() };
    } else if known.covers(cell.read) {
        cell.read = record;
    } else if known.covers(cell.other) {
        cell.other = record;
    }
}
