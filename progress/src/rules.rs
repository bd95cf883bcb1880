//! The rules of the semantics, each of which can be switched off.
//!
//! The definition is [`Rules::ALL`]. Everything else is a mutant, there so that tests can show
//! that each rule matters and that a wrong implementation of it would be noticed
//! (`tests/suite/mutants.rs`). No front end and no command offers anything but [`Rules::ALL`].

/// One rule of the semantics: what it says, and what happens without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Rule {
    /// An exchange writes its value. Without: it only reads.
    ExchangeWrites,
    /// An exchange writes whatever it saw. Without: only when the comparison holds.
    ExchangeIsUnconditional,
    /// A branch compares the value before the exchange. Without: the value after it.
    BranchComparesOldValue,
    /// A branch is taken on equality. Without: on inequality.
    BranchOnEqual,
    /// Memory starts at zero. Without: at one.
    MemoryStartsAtZero,
    /// A step touches one location. Without: an exchange writes its neighbour too.
    OneLocationPerStep,
    /// A thread starts with its first step. Without: all count as started at once.
    FirstStepStarts,
    /// A thread that terminated has still started. Without: it is forgotten.
    StartedOutlivesThread,
    /// A component of one state fails only if a step leads back to it. Without: always.
    CycleHasAnEdge,
    /// A weakly fair cycle has a step of each guaranteed thread. Without: of any of them.
    EachGuaranteedThreadSteps,
    /// Only steps that stay in the component count. Without: those that leave it too.
    StepsStayInside,
    /// A cycle in which nobody is guaranteed is a failure. Without: it is not, which is how the
    /// published formulas read.
    EmptyGuaranteeFails,
    /// Under strong fairness only guaranteed threads can be relied on. Without: each one.
    OnlyGuaranteedThreadsHelp,
    /// Under strong fairness each reachable state must be able to finish. Without: the first.
    EachStateCanFinish,
    /// A state in which nobody is guaranteed owes no progress. Without: it must finish as well,
    /// so that each strong model that guarantees nobody at the start fails everything.
    EmptyGuaranteeOwesNothing,
}

impl Rule {
    /// Each rule.
    pub const EACH: [Self; 15] = [
        Self::ExchangeWrites,
        Self::ExchangeIsUnconditional,
        Self::BranchComparesOldValue,
        Self::BranchOnEqual,
        Self::MemoryStartsAtZero,
        Self::OneLocationPerStep,
        Self::FirstStepStarts,
        Self::StartedOutlivesThread,
        Self::CycleHasAnEdge,
        Self::EachGuaranteedThreadSteps,
        Self::StepsStayInside,
        Self::EmptyGuaranteeFails,
        Self::OnlyGuaranteedThreadsHelp,
        Self::EachStateCanFinish,
        Self::EmptyGuaranteeOwesNothing,
    ];
}

/// A set of rules in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules(u32);

impl Rules {
    /// The semantics.
    pub const ALL: Self = Self((1 << Rule::EACH.len()) - 1);

    /// A mutant of the semantics.
    #[must_use]
    pub const fn without(self, rule: Rule) -> Self {
        Self(self.0 & !(1 << rule as u32))
    }

    /// Whether the rule is in force.
    #[inline]
    pub const fn holds(self, rule: Rule) -> bool {
        self.0 >> rule as u32 & 1 == 1
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_can_be_switched_off_alone() {
        for rule in Rule::EACH {
            let mutant = Rules::ALL.without(rule);
            for other in Rule::EACH {
                assert_eq!(mutant.holds(other), other != rule);
            }
        }
    }
}
