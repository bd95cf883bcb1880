//! Whether a run keeps the order of threads that leave a loop with barriers in order to return.
//!
//! The barriers of the loop do not wait for such a thread: it has ended before they complete. What
//! it does between the loop and its return stands after the loop, and the interpreter runs it when
//! the other threads have left the loop: too late.
//!
//! **What**: after a barrier that a thread did not take part in, the thread must not read an object
//! that has been written since, nor write one that has been read or written since.
//! **Sound because** then each value that the thread reads, and each that others read, is the one
//! of the run in which the thread acts before the first barrier that it misses. Where it is to be
//! shown that a barrier waits in vain, the threads that came there get no further, so that writes
//! of those that are missing change nothing that these see.
//! **Misses**: goes by objects, not by bytes: a run in order may count as one that is not.
//! **Assumes**: nothing.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use heddle_ir::{Kernel, ObjectId, Space};
use rustc_hash::FxHashMap;

use crate::journal::{
    AccessClass, AccessEvent, BarrierEvent, Divergence, Moment, ThreadAccess, Visitor,
};
use crate::launch::Launch;

/// Watches a run, and breaks it off where it is not in order.
pub(crate) struct Timely<'k> {
    kernel: &'k Kernel,
    threads: usize,
    block: Option<u32>,
    /// Block barriers passed.
    passed: u32,
    /// By thread: the barriers passed when it took part last.
    joined: Vec<u32>,
    /// By object: the barriers passed when it was last read, and written.
    last: FxHashMap<ObjectId, [u32; 2]>,
    /// Threads that a barrier waited for in vain: they are not on their way out, and what they do
    /// has its time where it stands.
    parted: BTreeSet<u32>,
    /// Threads that a barrier of the block was passed without, and that had not ended.
    left_behind: BTreeSet<u32>,
    /// Threads that a barrier waits for in vain, in what is to be shown: it holds the others, so
    /// that what these write beforehand changes nothing of who came there.
    missing: &'k [u32],
    /// Something came too late.
    pub(crate) late: bool,
}

impl<'k> Timely<'k> {
    /// `missing` are the threads that a barrier waits for in vain, where that is to be shown.
    pub(crate) fn new(kernel: &'k Kernel, launch: &Launch, missing: &'k [u32]) -> Timely<'k> {
        Timely {
            kernel,
            threads: launch.shape.threads() as usize,
            block: None,
            passed: 0,
            joined: Vec::new(),
            last: FxHashMap::default(),
            parted: BTreeSet::new(),
            left_behind: BTreeSet::new(),
            missing,
            late: false,
        }
    }

    /// Whether a thread may yet act too late, where a run stops here.
    pub(crate) fn may_be_late(&self) -> bool {
        self.left_behind.iter().any(|it| !self.parted.contains(it))
    }

    /// The barriers of a block before order nothing in this one.
    fn start_block(&mut self, number: u32) {
        if self.block != Some(number) {
            self.block = Some(number);
            self.passed = 0;
            self.joined = vec![0; self.threads];
            self.last.clear();
            self.parted.clear();
            self.left_behind.clear();
        }
    }
}

impl Visitor for Timely<'_> {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        self.start_block(at.block_number);
        if matches!(self.kernel[event.object].space, Space::Constant | Space::Local) {
            return ControlFlow::Continue(());
        }
        let writes = event.class != AccessClass::Read;
        let last = self.last.entry(event.object).or_default();
        let newest = if writes { last[0].max(last[1]) } else { last[1] };
        let too_late = |it: &ThreadAccess| {
            let joined = self.joined[it.thread as usize];
            let only_writes = matches!(event.class, AccessClass::Write);
            let is_held = only_writes && self.missing.contains(&it.thread);
            !is_held && joined < self.passed && joined < newest && !self.parted.contains(&it.thread)
        };
        self.late = event.threads.iter().any(too_late);
        if self.late {
            return ControlFlow::Break(());
        }
        if !matches!(event.class, AccessClass::Write) {
            last[0] = self.passed;
        }
        if writes {
            last[1] = self.passed;
        }
        ControlFlow::Continue(())
    }

    fn barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        self.start_block(at.block_number);
        self.passed += 1;
        self.left_behind.extend(event.missing);
        for &thread in event.threads {
            self.joined[thread as usize] = self.passed;
        }
        ControlFlow::Continue(())
    }

    fn divergence(&mut self, divergence: &Divergence) -> ControlFlow<()> {
        self.parted.extend(&divergence.missing);
        ControlFlow::Continue(())
    }
}
