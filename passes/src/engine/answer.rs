//! What a question can come to: it cannot happen, it can, or it was left open.
//!
//! **Promises**: [`Held`] has no public fields and is made where the solver was asked, so that what
//! a proof relies on travels with it; [`Held::evidence`] is the only way to discharge an obligation
//! with it. **Does not**: ask.

use std::collections::BTreeSet;

use heddle_diagnostics::{Assumption, Cause, Code, Evidence, Method, Reason};
use heddle_solver::{Method as SolvedBy, Model, Why};

/// That the facts of a question cannot hold together, by which method, and relying on what.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use = "what holds discharges an obligation, with what it relies on"]
pub(crate) struct Held {
    by: SolvedBy,
    relies: BTreeSet<Assumption>,
}

impl Held {
    /// Nothing had to be asked.
    pub(crate) fn at_once() -> Held {
        Held { by: SolvedBy::Simplification, relies: BTreeSet::new() }
    }

    pub(crate) fn of(by: SolvedBy, relies: &BTreeSet<Assumption>) -> Held {
        Held { by, relies: relies.clone() }
    }

    /// What it relies on.
    pub(crate) fn relies(&self) -> &BTreeSet<Assumption> {
        &self.relies
    }

    /// Both hold; the method is the costlier one.
    pub(crate) fn and(self, other: Held) -> Held {
        let mut relies = self.relies;
        relies.extend(other.relies);
        Held { by: self.by.max(other.by), relies }
    }

    /// The evidence for an obligation, under the name of the solver's method.
    pub(crate) fn evidence(self) -> Evidence {
        let by = self.method();
        self.evidence_by(by)
    }

    fn method(&self) -> Method {
        match self.by {
            SolvedBy::Simplification => Method::Simplification,
            SolvedBy::Algebra => Method::Algebra,
            SolvedBy::Bits => Method::Bits,
            SolvedBy::External => Method::External,
        }
    }

    /// It holds if these do as well, which the question itself took for granted.
    pub(crate) fn given(mut self, relies: impl IntoIterator<Item = Assumption>) -> Held {
        self.relies.extend(relies);
        self
    }

    /// By which method, and relying on what, in words.
    pub(crate) fn words(&self) -> String {
        let relies: Vec<String> = self.relies.iter().map(ToString::to_string).collect();
        match relies.is_empty() {
            true => format!("cannot happen, by {}", self.method()),
            false => format!("cannot happen, by {}, if {}", self.method(), relies.join("; ")),
        }
    }

    /// The evidence for an obligation, by a method that asked the solver.
    pub(crate) fn evidence_by(self, by: Method) -> Evidence {
        Evidence::new(by, self.relies)
    }
}

/// What a question about facts as they are came to.
#[derive(Debug)]
pub(crate) enum Asked {
    /// They cannot hold together.
    Held(Held),
    /// They can.
    Sat(Model),
    /// Could not be told.
    Unknown(Why),
}

impl Asked {
    /// What it came to, in words.
    pub(crate) fn words(&self) -> String {
        match self {
            Asked::Held(held) => held.words(),
            Asked::Sat(_) => "not excluded, a model meets what is stated".to_owned(),
            Asked::Unknown(why) => format!("open: {why}"),
        }
    }

    /// What was shown, if the facts cannot hold together.
    pub(crate) fn held(self) -> Option<Held> {
        match self {
            Asked::Held(held) => Some(held),
            Asked::Sat(_) | Asked::Unknown(_) => None,
        }
    }
}

/// Why a question was left open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnknownReason {
    /// HD0002, or HD0003 where more work might have answered.
    pub(crate) code: Code,
    /// In words.
    pub(crate) why: String,
    /// What other questions may have been left open by, too.
    cause: Cause,
}

impl UnknownReason {
    /// One that no amount of work would settle.
    pub(crate) fn undecided(why: impl Into<String>) -> UnknownReason {
        UnknownReason::because(Code::Undecided, why.into())
    }

    /// One that more work might settle.
    pub(crate) fn left(why: impl Into<String>) -> UnknownReason {
        UnknownReason::because(Code::BudgetSpent, why.into())
    }

    fn because(code: Code, why: String) -> UnknownReason {
        UnknownReason { code, cause: Cause::Other(why.clone()), why }
    }

    /// A reason of a verdict whose code and cause are those of this one.
    pub(crate) fn as_cause_of(&self, reason: Reason) -> Reason {
        Reason { code: self.code, ..reason }.because(self.cause.clone())
    }

    /// What the solver says.
    pub(crate) fn of_solver(why: &Why) -> UnknownReason {
        let words = why.to_string();
        let (code, cause) = match why {
            Why::OutOfFuel => (Code::BudgetSpent, Cause::KernelWork),
            Why::OutOfTime => (Code::BudgetSpent, Cause::KernelTime),
            Why::TooHard | Why::TooLarge => (Code::BudgetSpent, Cause::Question(words.clone())),
            Why::Malformed(_) | Why::ModelRejected | Why::External(_) => {
                (Code::Undecided, Cause::Other(words.clone()))
            }
        };
        UnknownReason { code, why: words, cause }
    }
}
