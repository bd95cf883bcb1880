//! What is kept of the runs of a proof: one to show, the first with each race, and the accesses
//! that no run tells.

use std::collections::{BTreeMap, BTreeSet};

use heddle_interp::Unknown;
use heddle_ir::OpId;
use heddle_trace::{Race, RaceKind};

use super::super::drive::Outcome;

/// Uses of barriers in the run that is shown, at most.
const SHOWN: usize = 48;

/// What tells a race from others of which something else may be said: the accesses, how they meet,
/// whether the threads are in one block, one warp and one lane, and whether they write the same.
type Kind = ([u32; 2], RaceKind, [bool; 3], bool);

fn kind(outcome: &Outcome, race: &Race) -> Kind {
    let [one, two] = race.witness.map(|it| {
        let strand = outcome.trace.strands[it.strand.0 as usize];
        (strand.block, strand.warp, it.lane)
    });
    let same = [one.0 == two.0, one.1 == two.1, one.2 == two.2];
    (race.sources, race.kind, same, race.is_benign)
}

/// Runs that are right.
#[derive(Default)]
pub(super) struct KeptRuns {
    shown: Option<Outcome>,
    racy: Vec<Outcome>,
    kinds: BTreeSet<Kind>,
    blurred: BTreeMap<OpId, Unknown>,
    last_is_racy: bool,
}

impl KeptRuns {
    /// Takes a run; gives it back if its barriers are wrong.
    pub(super) fn add(&mut self, outcome: Outcome) -> Option<Outcome> {
        if !outcome.is_clean() {
            return Some(outcome);
        }
        self.blurred.extend(outcome.blurred.clone());
        let before = self.kinds.len();
        self.kinds.extend(outcome.races.list.iter().map(|race| kind(&outcome, race)));
        self.last_is_racy = self.kinds.len() > before;
        if self.last_is_racy {
            self.racy.push(outcome);
            return None;
        }
        if !outcome.races.list.is_empty() {
            return None;
        }
        let uses = |it: &Outcome| it.trace.generations.len();
        let shows_more = |it: &Outcome| uses(it) < uses(&outcome) && uses(&outcome) <= SHOWN;
        if self.shown.as_ref().is_none_or(shows_more) {
            self.shown = Some(outcome);
        }
        None
    }

    /// How many accesses of a kind no run tells.
    pub(super) fn open(&self, is_of_kind: &dyn Fn(OpId) -> bool) -> usize {
        self.blurred.keys().filter(|op| is_of_kind(**op)).count()
    }

    /// The value that the run taken last stands for.
    pub(super) fn name(&mut self, param: u32, value: u64) {
        if self.last_is_racy
            && let Some(racy) = self.racy.last_mut()
        {
            racy.given = vec![(param, u128::from(value))];
        }
    }

    /// Takes all of others, those of greater values.
    pub(super) fn take_over(&mut self, others: KeptRuns) {
        let KeptRuns { shown, racy, blurred, kinds: _, last_is_racy: _ } = others;
        self.blurred.extend(blurred);
        for outcome in racy.into_iter().chain(shown) {
            self.add(outcome);
        }
    }

    /// The runs that are kept; each has all accesses that are not told.
    pub(super) fn outcomes(self) -> Vec<Outcome> {
        let KeptRuns { shown, racy, blurred, kinds: _, last_is_racy: _ } = self;
        let keep = |outcome: Outcome| Outcome { blurred: blurred.clone(), ..outcome };
        let shown = shown.filter(|_| racy.is_empty());
        racy.into_iter().chain(shown).map(keep).collect()
    }
}
