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

use crate::bytes::Bytes;
use crate::shadow::{Cell, GRANULE, PENDING, Part, Record, WROTE};
use crate::turn::Turn;

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

impl Turn<'_, '_> {
    /// Checks and records a plain access, and gives its bytes. `None` if it did nothing.
    #[inline]
    pub(crate) fn quick(
        &self,
        address: usize,
        size: usize,
        record: Record,
        write: bool,
    ) -> Option<Bytes> {
        if address & (GRANULE - 1) != 0 || size & (GRANULE - 1) != 0 || size > MOST || size == 0 {
            return None;
        }
        let (thread, block, stride) = (self.thread(), self.block(), self.checks.shared.stride);
        let shared = address.wrapping_sub(block.shared) < stride;
        let region = if shared { &self.checks.shared.region } else { &self.host.memory.global };
        if !region.has(address) || !region.has(address + size - 1) {
            return None;
        }
        let known = Known {
            own: thread.number + 1,
            first: block.number * self.grid.threads_per_block + 1,
            threads: self.grid.threads_per_block,
            floor: thread.facts.floor_in(shared),
            more: thread.facts.warp_floor > thread.facts.floor_in(shared)
                || thread.facts.knows.is_some(),
        };
        let _held = self.host.hold_range(address, size, shared)?;
        let cells = (address..address + size).step_by(GRANULE);
        let mut there = [Cell::default(); MOST / GRANULE];
        for (at, cell) in cells.clone().zip(&mut there) {
            *cell = region.get(at)?;
            if !clear(cell, &known, write, shared) {
                return None;
            }
        }
        // It is recorded as `Turn::check` does.
        for (at, cell) in cells.zip(&there) {
            if write {
                region.set(at, Cell { write: record, ..Cell::default() });
            } else if known.covers(cell.read) {
                region.set_record(at, Part::Read, record);
            } else if known.covers(cell.other) {
                region.set_record(at, Part::Other, record);
            }
        }
        // SAFETY: both ends are in one memory of the launch, and no cell says that its bytes belong
        // to nothing: such a mark is of no thread that the running one knows.
        Some(unsafe { Bytes::new(address, size) })
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
