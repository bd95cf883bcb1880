//! What a pass is given: the kernel, the launch, the analyses, the user's options.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use heddle_ir::Kernel;
use heddle_solver::Budget;
use rayon::prelude::*;

use crate::analysis::Analysis;
use crate::launch::{Launch, LaunchRequest};
use crate::named_barriers::Named;
use crate::place::Places;
use crate::progress::ProgressOptions;
use crate::races::Races;
use crate::replay::KERNEL_STEPS;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The launch.
    pub request: LaunchRequest,
    /// Stores of one value by several threads count as races.
    pub benign_is_error: bool,
    /// Work that one question may cost. From a limited purse questions are asked one after the
    /// other.
    pub budget: Budget,
    /// Names of the passes to run; all if empty.
    pub selected: Vec<String>,
    /// Replay witnesses.
    pub replay: bool,
    /// Lanes of a warp run in step, as nothing promises since sm_70.
    pub warp_sync: bool,
    /// How forward progress is checked.
    pub progress: ProgressOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            request: LaunchRequest::default(),
            benign_is_error: false,
            budget: Budget::default(),
            selected: Vec::new(),
            replay: true,
            warp_sync: false,
            progress: ProgressOptions::default(),
        }
    }
}

/// The context of the passes over one kernel.
#[derive(Debug)]
pub struct Cx<'k> {
    /// The kernel.
    pub kernel: &'k Kernel,
    /// The launch.
    pub launch: &'k Launch,
    /// The analyses.
    pub analysis: Analysis<'k>,
    /// Where things are in the source.
    pub places: &'k Places,
    /// What the user asks for.
    pub options: &'k Options,
    races: OnceLock<Races>,
    named: OnceLock<Named>,
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
        let analysis = Analysis::new(kernel, launch);
        let allowed = options.budget.purse.left();
        Cx {
            kernel,
            launch,
            analysis,
            places,
            options,
            races: OnceLock::new(),
            named: OnceLock::new(),
            allowed,
            replay_steps: AtomicU64::new(KERNEL_STEPS.min(allowed)),
        }
    }

    /// What a run of the kernel's warps says of its barriers; made when first asked for.
    pub fn named(&self) -> &Named {
        self.named.get_or_init(|| Named::find(self))
    }

    /// The answers to questions, in their order, whatever the number of threads.
    pub(crate) fn answers<Q: Sync, A: Send>(
        &self,
        questions: &[Q],
        answer: impl Fn(&Q) -> A + Send + Sync,
    ) -> Vec<A> {
        match self.options.budget.purse.is_limited() {
            true => questions.iter().map(answer).collect(),
            false => questions.par_iter().map(answer).collect(),
        }
    }

    /// Steps of a part of the check that runs the kernel instead of asking about it: `most`, or as
    /// many as the purse had units at first. What such a part costs is not taken from the purse.
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

    /// What the race passes found; worked out when first asked for, together for all three.
    pub fn races(&self) -> &Races {
        self.races.get_or_init(|| Races::find(self))
    }
}
