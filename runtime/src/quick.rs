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
use crate::shadow::{Cell, CellAt, GRANULE, PENDING, Part, Record, WROTE};
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
            first: block.number * self.grid.shape.threads() + 1,
            threads: self.grid.shape.threads(),
            floor: thread.facts.floor_in(shared),
            more: thread.facts.warp_floor > thread.facts.floor_in(shared)
                || thread.facts.knows.is_some(),
        };
        let _held = self.host.hold_range(address, size, shared)?;
        let cells = (address..address + size).step_by(GRANULE);
        for at in cells.clone() {
            if !clear(region.at(at)?, &known, write, shared) {
                return None;
            }
        }
        // It is recorded as `Turn::check` does.
        for cell in cells.filter_map(|at| region.at(at)) {
            if write {
                cell.set(Cell { write: record, ..Cell::default() });
            } else if known.covers(cell.record(Part::Read)) {
                cell.set_record(Part::Read, record);
            } else if known.covers(cell.record(Part::Other)) {
                cell.set_record(Part::Other, record);
            }
        }
        // SAFETY: both ends are in one memory of the launch, and no cell says that its bytes belong
        // to nothing: such a mark is of no thread that the running one knows.
        Some(unsafe { Bytes::new(address, size) })
    }
}

/// Whether an access to the cell has nothing to say.
#[inline]
fn clear(cell: CellAt<'_>, known: &Known, write: bool, shared: bool) -> bool {
    let covers = |part: Part| known.covers(cell.record(part));
    if write {
        covers(Part::Write) && covers(Part::Read) && covers(Part::Other)
    } else {
        let last = cell.record(Part::Write);
        known.covers(last)
            && (!shared || last.is_some())
            && cell.record(Part::Other).info & WROTE == 0
            && (!known.more || (covers(Part::Read) && covers(Part::Other)))
    }
}
