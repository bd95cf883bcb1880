//! Order that sequentially consistent fences make across barriers: the idiom of grid barriers and
//! of the last block.
//!
//! A thread of a block fences (F1) before a barrier, and another does an atomic after it; a thread
//! of another block reads what the atomic wrote, and after a barrier there yet another one fences
//! (F2). A release or acquire pattern has its fence and its atomic in one thread (PTX ISA 8.8), so
//! this is none; but all `fence.sc` are in one order (section 8.10.3). Were F2 before F1 there, the
//! read would come before the atomic by causality, which it cannot, having read from it.
//!
//! **Promises**: order is made of fences that are `fence.sc` for the whole grid on both sides, and
//! of nothing else; OpenCL has none.
//! **Misses**: barriers among a part of a block's threads.

use crate::clock::Knowledge;

/// What such fences mean for a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScFences {
    /// What its last one carries on; none since the last barrier if it is in the block's already.
    carries: Option<Knowledge>,
    /// What it, or a thread that it met at a barrier, has read of others' and not fenced.
    pub(crate) heard: Knowledge,
}

impl ScFences {
    /// The thread fences: what it knows now is carried on.
    pub(crate) fn fence(&mut self, knows: &Knowledge) {
        self.carries.get_or_insert_default().join(knows);
    }

    /// What an atomic of the thread carries: what it fenced itself, and what each thread of its
    /// block did before the last barrier.
    pub(crate) fn carried(&self, before_barrier: &Knowledge) -> Knowledge {
        let mut all = before_barrier.clone();
        if let Some(own) = &self.carries {
            all.join(own);
        }
        all
    }

    /// What it has fenced since the last barrier, which it now leaves to its block.
    pub(crate) fn hand_over(&mut self) -> Option<Knowledge> {
        self.carries.take()
    }

    /// What the thread comes to know by a fence.
    pub(crate) fn learned(&mut self) -> Knowledge {
        std::mem::take(&mut self.heard)
    }
}
