//! What a check is given: the kernel, the launch, the analyses, the user's options, and what other
//! checks of the same kernel have worked out.
//!
//! **Promises**: nothing here depends on the number of threads or on timing. **Does not**: know the
//! checks.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use heddle_ir::Kernel;
use rayon::prelude::*;

use super::known::analyse;
use super::options::Options;
use super::place::Places;
use super::shared::SharedResults;
use crate::facts::analysis::Analysis;
use crate::facts::launch::Launch;

/// Operations that all replays of a kernel may execute together; where they are spent, the rest get
/// a few each.
const REPLAY_STEPS: u64 = 5_000_000;

/// What several checks need of a kernel, worked out once.
pub(crate) trait Shared: Any + Send + Sync {
    /// Works it out.
    fn find(cx: &Cx<'_>) -> Self;
}

/// The context of the checks of one kernel.
#[derive(Debug)]
pub struct Cx<'k> {
    /// The kernel.
    pub kernel: &'k Kernel,
    /// The launch.
    pub launch: &'k Launch,
    /// The analyses.
    pub(crate) analysis: Analysis<'k>,
    /// Where things are in the source.
    pub places: &'k Places,
    /// What the user asks for.
    pub options: &'k Options,
    shared: SharedResults,
    allowed: u64,
    replay_steps: AtomicU64,
}

impl<'k> Cx<'k> {
    /// Analyses the kernel.
    pub fn new(
        kernel: &'k Kernel,
        launch: &'k Launch,
        options: &'k Options,
        places: &'k Places,
    ) -> Cx<'k> {
        let analysis = analyse(kernel, launch);
        let allowed = options.budget.fuel.left();
        Cx {
            kernel,
            launch,
            analysis,
            places,
            options,
            shared: SharedResults::default(),
            allowed,
            replay_steps: AtomicU64::new(REPLAY_STEPS.min(allowed)),
        }
    }

    /// What several checks of the kernel need; worked out when first asked for.
    pub(crate) fn shared<T: Shared>(&self) -> Arc<T> {
        self.shared.of(|| T::find(self))
    }

    /// The answers to questions, in their order, whatever the number of threads.
    pub(crate) fn answers<Q: Sync, A: Send>(
        &self,
        questions: &[Q],
        answer: impl Fn(&Q) -> A + Send + Sync,
    ) -> Vec<A> {
        match self.options.budget.fuel.is_limited() {
            true => questions.iter().map(answer).collect(),
            false => questions.par_iter().map(answer).collect(),
        }
    }

    /// Steps of a part of the check that runs the kernel instead of asking about it: `most`, or as
    /// many as there were units of fuel at first. What such a part costs is not taken from the
    /// fuel.
    pub(crate) fn allowed(&self, most: u64) -> u64 {
        self.allowed.min(most)
    }

    /// The steps that replays of this kernel may still take. Passes run one after the other, and so
    /// do their replays: what is left does not depend on timing.
    pub(crate) fn replay_steps_left(&self) -> u64 {
        self.replay_steps.load(Ordering::Relaxed)
    }

    /// Says that a replay took so many.
    pub(crate) fn replay_took(&self, steps: u64) {
        self.replay_steps.fetch_sub(steps.min(self.replay_steps_left()), Ordering::Relaxed);
    }
}
