//! The ring of reports, as the host sees it: taken while the kernel runs.
//!
//! **Promises**: each report is taken once, in order, and only when it is complete; its place is
//! given back at once.

#![allow(
    unsafe_code,
    reason = "the memory is shared with a device that writes while the host reads"
)]

use std::sync::atomic::{AtomicU64, Ordering};

use super::driver::Pinned;
use super::layout::{Report, Word};

/// Reports in the ring.
pub(super) const RING: usize = 1 << 12;

/// The reader's end of the ring.
#[derive(Debug)]
pub(super) struct Ring {
    reports: Pinned,
    taken: Pinned,
    count: u64,
}

impl Ring {
    /// A ring in memory for [`RING`] reports, and in that of one number.
    pub(super) fn new(reports: Pinned, taken: Pinned) -> Ring {
        Ring { reports, taken, count: 0 }
    }

    /// Where the device finds both.
    pub(super) fn addresses(&self) -> (u64, u64) {
        (self.reports.device, self.taken.device)
    }

    /// The memory, to be given back.
    pub(super) fn into_memory(self) -> [Pinned; 2] {
        [self.reports, self.taken]
    }

    /// Takes those that are complete.
    pub(super) fn take(&mut self, into: &mut Vec<Report>) {
        // One round of the ring at most: then whoever asks looks at the clock.
        for _ in 0..RING {
            let slot = self.count as usize % RING;
            // SAFETY: the memory has `RING` reports of four words, aligned, and lives as long as
            // the process; the device writes the first word last.
            let report = unsafe {
                let words = self.reports.host.cast::<AtomicU64>().add(slot * 4);
                let sequence = (*words).load(Ordering::Acquire);
                if sequence & Report::COUNTS != (self.count + 1) & Report::COUNTS {
                    return;
                }
                let word = |n: usize| (*words.add(n)).load(Ordering::Relaxed);
                Report { sequence, first: Word(word(1)), second: Word(word(2)), address: word(3) }
            };
            into.push(report);
            self.count += 1;
            // SAFETY: as above; the device only reads it.
            unsafe { (*self.taken.host.cast::<AtomicU64>()).store(self.count, Ordering::Release) };
        }
    }
}
