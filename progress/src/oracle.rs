//! The termination oracle: does a system terminate under a model?
//!
//! The system is *unfolded* with the set of threads that have started ([`Unfolding`]), so that `F`
//! is a function of the node. Live and started threads change one way only, so inside a strongly
//! connected component both are constant, and so is `F`.
//!
//! - **Weak**: fails iff some reachable component with an inner edge has a step that stays inside
//!   for each thread of its `F`. An infinite schedule that is fair to `F` ends in one component
//!   and stays there; conversely a walk round the component that takes those steps is fair.
//! - **Strong**: passes iff from each reachable state some path of steps by guaranteed threads
//!   leads to the end of all threads, or to a state that guarantees nobody. With fairness per
//!   transition a schedule that could always still finish does finish.
//! - In both, a cycle in which `F` is empty is a failure: nothing there forbids to go round for
//!   ever. The published formulas are vacuous for an empty `F`; read literally they let `unfair`
//!   pass everything.
//!
//! **Sound and complete** for the finite systems it is given. What a front end forgets or invents
//! is the front end's claim, not the oracle's.

mod lasso;
mod unfolding;

pub use lasso::{Lasso, Move};
pub use unfolding::{Component, Unfolding};

use crate::model::{Criterion, Fairness, View};
use crate::rules::{Rule, Rules};
use crate::system::System;

/// What the oracle answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Each schedule that the model allows terminates.
    Pass,
    /// Some schedule that the model allows does not.
    Fail,
}

impl Verdict {
    /// `pass` or `fail`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
        }
    }

    /// Whether this is [`Verdict::Pass`].
    pub fn passes(self) -> bool {
        self == Self::Pass
    }

    fn fails_if(failure: bool) -> Self {
        if failure { Self::Fail } else { Self::Pass }
    }
}

/// Answers for one system. Reuse one oracle for many systems: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    rules: Rules,
    unfolding: Unfolding,
    /// `can_finish[node]` for the strong criterion asked last.
    can_finish: Vec<bool>,
}

impl Oracle {
    /// An oracle that has read `system`.
    pub fn of(system: &System) -> Self {
        let mut oracle = Self::default();
        oracle.read(system);
        oracle
    }

    /// An oracle under a mutant of its rules.
    pub fn with_rules(rules: Rules) -> Self {
        Self { rules, ..Self::default() }
    }

    /// Reads the system that the next questions are about.
    pub fn read(&mut self, system: &System) {
        self.unfolding.build(system, self.rules);
    }

    /// The system with the started threads, and its components.
    pub fn unfolding(&self) -> &Unfolding {
        &self.unfolding
    }

    /// Whether the system terminates under the criterion.
    pub fn verdict(&mut self, criterion: Criterion) -> Verdict {
        match criterion.fairness {
            Fairness::Weak => Verdict::fails_if(self.unfair_component(criterion).is_some()),
            Fairness::Strong => Verdict::fails_if(
                self.unguaranteed_cycle(criterion).is_some()
                    || self.stuck_node(criterion).is_some(),
            ),
        }
    }

    /// A schedule that the criterion allows and that does not terminate, if there is one.
    pub fn failure(&mut self, system: &System, criterion: Criterion) -> Option<Lasso> {
        match criterion.fairness {
            Fairness::Weak => {
                let component = self.unfair_component(criterion)?;
                Some(lasso::in_component(&self.unfolding, system, component, criterion.model))
            }
            Fairness::Strong => {
                if let Some(component) = self.unguaranteed_cycle(criterion) {
                    let model = criterion.model;
                    return Some(lasso::in_component(&self.unfolding, system, component, model));
                }
                let node = self.stuck_node(criterion)?;
                Some(lasso::from_stuck(&self.unfolding, system, node, criterion.model))
            }
        }
    }

    /// The first component in which a schedule may stay for ever, fair to each guaranteed thread.
    fn unfair_component(&self, criterion: Criterion) -> Option<usize> {
        let model = criterion.model;
        (0..self.unfolding.components().len()).rev().find(|index| {
            let component = &self.unfolding.components()[*index];
            if self.rules.holds(Rule::CycleHasAnEdge) && component.stepping.is_empty() {
                return false;
            }
            let stepping = if self.rules.holds(Rule::StepsStayInside) {
                component.stepping
            } else {
                component.view.live
            };
            let required = model.at(component.view);
            if required.is_empty() {
                return self.rules.holds(Rule::EmptyGuaranteeFails);
            }
            if self.rules.holds(Rule::EachGuaranteedThreadSteps) {
                required.is_subset(stepping)
            } else {
                !required.intersection(stepping).is_empty()
            }
        })
    }

    /// The first component with an inner edge that guarantees nobody.
    fn unguaranteed_cycle(&self, criterion: Criterion) -> Option<usize> {
        if !self.rules.holds(Rule::EmptyGuaranteeFails) {
            return None;
        }
        let model = criterion.model;
        let components = self.unfolding.components();
        let stays = |component: &Component| !component.stepping.is_empty();
        (0..components.len()).rev().find(|index| {
            stays(&components[*index]) && model.at(components[*index].view).is_empty()
        })
    }

    /// A node nearest to the start from which the guaranteed threads cannot finish.
    fn stuck_node(&mut self, criterion: Criterion) -> Option<u32> {
        let model = criterion.model;
        let unfolding = &self.unfolding;
        self.can_finish.clear();
        self.can_finish.resize(unfolding.nodes(), false);
        // Components come successors first, so one pass is enough for those of one node.
        for component in unfolding.components() {
            let View { live, .. } = component.view;
            let required = model.at(component.view);
            let done = live.is_empty()
                || (required.is_empty() && self.rules.holds(Rule::EmptyGuaranteeOwesNothing));
            let helpers =
                if self.rules.holds(Rule::OnlyGuaranteedThreadsHelp) { required } else { live };
            let nodes = unfolding.nodes_of(component);
            loop {
                let mut changed = false;
                for node in nodes {
                    if self.can_finish[*node as usize] {
                        continue;
                    }
                    let finishes = done
                        || helpers
                            .iter()
                            .any(|thread| self.can_finish[unfolding.next(*node, thread) as usize]);
                    if finishes {
                        self.can_finish[*node as usize] = true;
                        changed = true;
                    }
                }
                if !changed || nodes.len() == 1 {
                    break;
                }
            }
        }
        // Nodes are numbered breadth first, so the first is a nearest one.
        let asked = if self.rules.holds(Rule::EachStateCanFinish) { unfolding.nodes() } else { 1 };
        (0..asked).find(|node| !self.can_finish[*node]).map(|node| node as u32)
    }
}
