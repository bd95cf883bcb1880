//! What questions about the pairs of a kernel may cost.
//!
//! **What**: [`UnitsLeft`] hands each pair of groups its [`Effort`]: one share for questions that a
//! proof rests on, a smaller one for those of which only a run is wanted.
//! **Method**: a property of which one pair is open or raced cannot be proved by the others
//! ([`Open`]). Questions about it look for a run ([`Budget::for_a_run`]), and all of them together
//! get a part of what the kernel may cost. All pairs are looked at with small shares first: a pair
//! that takes more waits until the others are known, as one of them may leave the property open.
//! **Sound because** a budget decides whether there is an answer, never which.
//! **Misses**: a race that only a long search shows once another pair of its property is open.

use heddle_solver::{Budget, Why};

use crate::engine::instance::Placement;

/// Pairs of groups that are asked about at once, before the next ones get their share: of
/// [`SHARES`] they do not cost more together than the kernel may.
pub(super) const PAIRS_AT_A_TIME: usize = 4;

/// One pair of groups may cost what the kernel may, divided by this.
const SHARES: u64 = 4;

/// At the first look a pair may cost what the kernel may, divided by this.
const FIRST_SHARES: u64 = 32;

/// All first looks may cost what the kernel may, divided by this.
const OF_FIRST: u64 = 2;

/// All questions of which only a run is wanted may cost what the kernel may, divided by this.
const OF_RUNS: u64 = 8;

/// Units of work that the pairs of a kernel have left.
#[derive(Clone, Debug)]
pub(super) struct UnitsLeft {
    at_first: u64,
    proofs: u64,
    runs: u64,
}

/// What the questions of one pair of groups may cost.
#[derive(Debug)]
pub(super) struct Effort {
    proof: Share,
    run: Share,
}

/// A budget with units of its own, where fuel is not limited.
#[derive(Debug)]
pub(super) struct Share {
    pub(super) budget: Budget,
    /// Its own units at first; zero if it has none.
    given: u64,
    /// Whether it has units of its own.
    has_own: bool,
}

/// Whether a pair is looked at for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// With a small share.
    First,
    /// With the rest, where the first was not enough.
    Second,
}

/// Of which properties a proof is no longer possible: a pair of theirs was left open, or raced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) warp: bool,
    pub(super) block: bool,
    pub(super) grid: bool,
}

impl UnitsLeft {
    /// At first.
    pub(super) fn of(budget: &Budget) -> UnitsLeft {
        UnitsLeft { at_first: budget.units, proofs: budget.units, runs: budget.units / OF_RUNS }
    }

    /// What one pair may cost at a look.
    pub(super) fn effort(&self, budget: &Budget, look: Look) -> Effort {
        let most = self.at_first / SHARES;
        let of_proof = match look {
            Look::First => {
                let others = self.at_first - self.at_first / OF_FIRST;
                self.proofs.saturating_sub(others).min(self.at_first / FIRST_SHARES)
            }
            Look::Second => self.proofs.min(most),
        };
        Effort {
            proof: Share::of(budget, of_proof),
            run: Share::of(&budget.for_a_run(), self.runs.min(most / OF_RUNS)),
        }
    }

    /// Takes out what a pair has spent.
    pub(super) fn take(&mut self, effort: &Effort) {
        self.proofs = self.proofs.saturating_sub(effort.proof.spent());
        self.runs = self.runs.saturating_sub(effort.run.spent());
    }
}

impl Effort {
    /// The budget of a question about threads that are placed so.
    pub(super) fn of(&self, open: Open, placement: Placement) -> &Budget {
        let is_open = match placement {
            Placement::SameWarp | Placement::SameThread => open.warp,
            Placement::DifferentWarps => open.block,
            Placement::SameBlock => open.warp && open.block,
            Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
                open.grid
            }
        };
        if is_open { &self.run.budget } else { &self.proof.budget }
    }

    /// Whether questions that a proof rests on have spent their share, where each pair has one.
    pub(super) fn wants_more(&self) -> bool {
        self.proof.has_own && self.proof.budget.fuel.is_empty()
    }

    /// Why nothing is answered any more, if that is so.
    pub(super) fn is_spent(&self) -> Option<Why> {
        self.run.budget.spent().and(self.proof.budget.spent())
    }
}

impl Share {
    /// So many units of its own, where fuel is not limited.
    pub(super) fn of(budget: &Budget, units: u64) -> Share {
        let has_own = !budget.fuel.is_limited();
        Share { budget: budget.with_units(units), given: if has_own { units } else { 0 }, has_own }
    }

    /// The units that were spent of its own.
    pub(super) fn spent(&self) -> u64 {
        self.given.saturating_sub(self.budget.fuel.left())
    }
}
