//! What is kept of the runs of a proof: one to show, the first with races, and the accesses that no
//! run tells.

use std::collections::BTreeMap;

use heddle_interp::Unknown;
use heddle_ir::OpId;

use super::super::drive::Outcome;

/// Uses of barriers in the run that is shown, at most.
const SHOWN: usize = 48;

/// Runs that are right.
#[derive(Default)]
pub(super) struct Books {
    shown: Option<Outcome>,
    racy: Option<Outcome>,
    blurred: BTreeMap<OpId, Unknown>,
    last_is_racy: bool,
}

impl Books {
    /// Takes a run; gives it back if its barriers are wrong.
    pub(super) fn add(&mut self, outcome: Outcome) -> Option<Outcome> {
        if !outcome.is_clean() {
            return Some(outcome);
        }
        self.blurred.extend(outcome.blurred.clone());
        let harms = |it: &Outcome| it.races.list.iter().any(|race| !race.is_benign);
        let races = !outcome.races.list.is_empty();
        let first = self.racy.as_ref().is_none_or(|it| !harms(it) && harms(&outcome));
        self.last_is_racy = races && first;
        if self.last_is_racy {
            self.racy = Some(outcome);
            return None;
        }
        let uses = |it: &Outcome| it.trace.generations.len();
        let shows_more = |it: &Outcome| uses(it) < uses(&outcome) && uses(&outcome) <= SHOWN;
        if self.shown.as_ref().is_none_or(shows_more) {
            self.shown = Some(outcome);
        }
        None
    }

    /// The value that the run taken last stands for.
    pub(super) fn name(&mut self, param: u32, value: u64) {
        if self.last_is_racy
            && let Some(racy) = &mut self.racy
        {
            racy.given = vec![(param, u128::from(value))];
        }
    }

    /// Takes all of others, those of greater values.
    pub(super) fn take_over(&mut self, others: Books) {
        let Books { shown, racy, blurred, last_is_racy: _ } = others;
        self.blurred.extend(blurred);
        for outcome in [racy, shown].into_iter().flatten() {
            self.add(outcome);
        }
    }

    /// The runs that are kept; each has all accesses that are not told.
    pub(super) fn outcomes(self) -> Vec<Outcome> {
        let Books { shown, racy, blurred, last_is_racy: _ } = self;
        let keep = |outcome: Outcome| Outcome { blurred: blurred.clone(), ..outcome };
        let shown = shown.filter(|_| racy.is_none());
        racy.into_iter().chain(shown).map(keep).collect()
    }
}
