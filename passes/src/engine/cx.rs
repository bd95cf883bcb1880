//! What a check is given: the kernel, the launch, the analyses, the user's options, and what other
//! checks of the same kernel have worked out.
//!
//! **Promises**: nothing here depends on the number of threads, nor on timing unless the user gives
//! a limit of time. **Does not**: know the checks.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use heddle_diagnostics::Place;
use heddle_ir::{Kernel, OpId};
use heddle_solver::Budget;
use rayon::prelude::*;

use super::known::analyse;
use super::nests::analyse_flat;
use super::options::Options;
use super::place::Places;
use super::profile::Spent;
use super::shared::SharedResults;
use crate::facts::analysis::Analysis;
use crate::facts::launch::Launch;

/// Operations that all first replays of a kernel may execute together; where they are spent, the
/// rest get a few each.
const REPLAY_STEPS: u64 = 4_500_000;
/// The same for other attempts, which get none beyond.
const REPLAY_STEPS_AGAIN: u64 = 4_000_000;

/// Advice may cost what the kernel may, divided by this.
const ADVICE: u64 = 16;

/// The search for other models may cost what the kernel may, divided by this.
const OTHER_MODELS: u64 = 16;

/// Finding invariants may cost what the kernel may, divided by this.
const INVARIANTS: u64 = 4;

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
    /// Those of the kernel with nests of loops as single loops ([`super::nests`]), where it has
    /// such.
    flat: Option<Analysis<'k>>,
    /// Where things are in the source.
    pub places: &'k Places,
    /// What the user asks for.
    pub options: &'k Options,
    /// What all advice to say more may cost together. It is asked for one finding after the other.
    pub(crate) advice: Budget,
    /// What the search for other models of violations may cost together, where no replay has shown
    /// the first. They are looked for one after the other.
    pub(crate) other_models: Budget,
    shared: SharedResults,
    allowed: u64,
    replay_steps: [AtomicU64; 2],
}

/// Which of the models of a violation is replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attempt {
    /// The one that is told.
    First,
    /// Another, of smaller numbers, where no replay has shown the first.
    Again,
}

impl<'k> Cx<'k> {
    /// Analyses the kernel.
    pub fn new(
        kernel: &'k Kernel,
        launch: &'k Launch,
        options: &'k Options,
        places: &'k Places,
    ) -> Cx<'k> {
        let journal = options.why.as_ref().map(|why| why.journal()).unwrap_or_default();
        let mut analysis = analyse(kernel, launch, journal);
        analysis.for_found = Some(options.budget.with_units(options.budget.units / INVARIANTS));
        let allowed = options.budget.fuel.left();
        let advice = options.budget.with_units(options.budget.units / ADVICE);
        let other_models = options.budget.with_units(options.budget.units / OTHER_MODELS);
        Cx {
            kernel,
            launch,
            analysis,
            flat: None,
            places,
            options,
            advice,
            other_models,
            shared: SharedResults::default(),
            allowed,
            replay_steps: [REPLAY_STEPS, REPLAY_STEPS_AGAIN]
                .map(|most| AtomicU64::new(most.min(allowed))),
        }
    }

    /// The same, with the kernel in which nests of loops are single loops.
    pub(crate) fn with_flat(self, flat: Option<&'k Kernel>) -> Cx<'k> {
        let flat = flat.map(|kernel| analyse_flat(kernel, self.launch));
        Cx { flat, ..self }
    }

    /// The analyses in which a copy that completes by a barrier object is followed.
    pub(crate) fn following(&self, copy: OpId) -> &Analysis<'k> {
        let of_flat = self.flat.as_ref().filter(|it| it.phases().fill(copy).is_some());
        of_flat.filter(|_| self.analysis.phases().fill(copy).is_none()).unwrap_or(&self.analysis)
    }

    /// The analyses of the kernel with nests as single loops.
    pub(crate) fn flat(&self) -> Option<&Analysis<'k>> {
        self.flat.as_ref()
    }

    /// What several checks of the kernel need; worked out when first asked for.
    pub(crate) fn shared<T: Shared>(&self) -> Arc<T> {
        self.shared.of(|| T::find(self))
    }

    /// The answers to questions, in their order, whatever the number of threads.
    pub(crate) fn answers<Q: Sync, A: Send>(
        &self,
        what: &str,
        questions: &[Q],
        about: impl Fn(&Q) -> Vec<OpId> + Send + Sync,
        answer: impl Fn(&Q) -> A + Send + Sync,
    ) -> Vec<A> {
        let answer = |question: &Q| {
            let kernel = self.kernel.display_name.as_str();
            let _span = tracing::debug_span!("question", kernel, what).entered();
            let journal = &self.analysis.journal;
            journal.within(|| (what.to_owned(), about(question)), || answer(question), |_| None)
        };
        let measured = |question: &Q| match &self.options.profile {
            None => answer(question),
            Some(profile) => {
                let at = || about(question).into_iter().map(|op| self.places.op(self.kernel, op));
                let spent = || self.spent(what, at().collect());
                profile.measure(spent, || answer(question))
            }
        };
        match self.options.budget.fuel.is_limited() || self.analysis.journal.is_kept() {
            true => questions.iter().map(measured).collect(),
            false => questions.par_iter().map(measured).collect(),
        }
    }

    /// Something of this kernel that takes time.
    pub(crate) fn spent(&self, what: &str, at: Vec<Place>) -> Spent {
        let kernel = self.kernel.display_name.clone();
        Spent { kernel, what: what.to_owned(), at, took: Duration::ZERO }
    }

    /// Steps of a part of the check that runs the kernel instead of asking about it: `most`, or as
    /// many as there were units of fuel at first. What such a part costs is not taken from the
    /// fuel.
    pub(crate) fn allowed(&self, most: u64) -> u64 {
        if self.options.budget.fuel.is_late() { 0 } else { self.allowed.min(most) }
    }

    /// The steps that replays of this kernel may still take. Passes run one after the other, and so
    /// do their replays: what is left does not depend on timing.
    pub(crate) fn replay_steps_left(&self, attempt: Attempt) -> u64 {
        let is_late = self.options.budget.fuel.is_late();
        if is_late { 0 } else { self.replay_steps[attempt as usize].load(Ordering::Relaxed) }
    }

    /// Says that a replay took so many.
    pub(crate) fn replay_took(&self, attempt: Attempt, steps: u64) {
        let steps = steps.min(self.replay_steps_left(attempt));
        self.replay_steps[attempt as usize].fetch_sub(steps, Ordering::Relaxed);
    }
}
