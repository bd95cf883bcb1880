//! Where the time of a check goes: how long each question took, for whoever asks.
//!
//! **Promises**: what is asked and answered does not depend on whether anyone measures.
//! **Does not**: add up to the time on the clock: questions are asked on several threads.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use heddle_diagnostics::Place;

/// What was measured; shared by all kernels of a run.
#[derive(Debug, Default)]
pub struct Profile(Mutex<Vec<Spent>>);

/// One question, or what else a pass did.
#[derive(Clone, Debug)]
pub struct Spent {
    /// The kernel's name in its source.
    pub kernel: String,
    /// What it was about: `races`, `bounds`, `the rest of …`.
    pub what: String,
    /// The operations that it is about.
    pub at: Vec<Place>,
    /// Time on the clock of one thread.
    pub took: Duration,
}

impl Profile {
    /// Does a piece of work and writes down how long it took.
    pub(crate) fn measure<T>(&self, spent: impl FnOnce() -> Spent, work: impl FnOnce() -> T) -> T {
        let since = Instant::now();
        let result = work();
        let took = since.elapsed();
        self.add(Spent { took, ..spent() });
        result
    }

    pub(crate) fn add(&self, spent: Spent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(spent);
    }

    /// What the questions about a kernel have taken so far, together.
    pub(crate) fn of_kernel(&self, kernel: &str) -> Duration {
        let spent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spent.iter().filter(|it| it.kernel == kernel).map(|it| it.took).sum()
    }

    /// The most expensive ones, the first of them the longest.
    pub fn longest(&self, count: usize) -> Vec<Spent> {
        let mut spent = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        spent.sort_by_key(|it| std::cmp::Reverse(it.took));
        spent.truncate(count);
        spent
    }
}
