//! How far a run is, for whoever watches it from another thread.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts that a run keeps up to date. They are for show: nothing depends on them.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
    stage: Mutex<&'static str>,
}

impl Progress {
    /// What is being done, such as `checking`, and how many of how many are done.
    pub fn now(&self) -> (&'static str, usize, usize) {
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        (stage, self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    pub(super) fn begin(&self, stage: &'static str, total: usize) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    pub(super) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}
