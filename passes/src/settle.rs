//! From a question about two threads to an answer that says what it relies on.
//!
//! **What**: [`settle`] asks whether the facts of a question can hold together, as they are. Where
//! they can, but only in runs whose index arithmetic on open sizes and arguments wraps around, it
//! asks again without such runs.
//! **Method**: the second question takes sums, differences, products and left shifts that open
//! numbers reach to stay in the signed range of their width ([`Instance::in_range`]); it is asked
//! only if the model of the first one wraps somewhere, signed and unsigned, so that a run without
//! any wrap-around is never explained away, and only if some run is left.
//! **Sound because**: [`Held`] has no public fields and one origin, the instance that was asked,
//! which records each assumption where it is made; [`Held::evidence`] is the only way to discharge
//! an obligation with it.
//! **Misses**: an assumption is named where it was available to a proof, even if the proof did not
//! need it.
//! **Assumes**: what the answer names.

use std::collections::BTreeSet;

use heddle_diagnostics::{Assumption, Evidence, Method};
use heddle_solver::{Budget, Method as SolvedBy, Model, Why};

use crate::analysis::Analysis;
use crate::instance::{Instance, Placement, WrapAround};
use crate::question::Doubt;

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
        let by = match self.by {
            SolvedBy::Simplification => Method::Simplification,
            SolvedBy::Algebra => Method::Algebra,
            SolvedBy::Bits => Method::Bits,
            SolvedBy::External => Method::External,
        };
        self.evidence_by(by)
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
    /// What was shown, if the facts cannot hold together.
    pub(crate) fn held(self) -> Option<Held> {
        match self {
            Asked::Held(held) => Some(held),
            Asked::Sat(_) | Asked::Unknown(_) => None,
        }
    }
}

/// What a question was settled as.
#[derive(Debug)]
pub(crate) enum Settled<'a, X> {
    /// The violation cannot happen.
    Holds(Held),
    /// A model shows it.
    Fails(Box<Failing<'a, X>>),
    /// Could not be told, and why.
    Open(Doubt),
}

/// A model of a violation.
#[derive(Debug)]
pub(crate) struct Failing<'a, X> {
    pub(crate) instance: Instance<'a>,
    pub(crate) model: Model,
    /// What the question has made: frames, offsets.
    pub(crate) made: X,
}

/// Which model is wanted of what fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seek {
    /// One that a person can follow: small numbers where there are such.
    Run,
    /// Any, as nothing will be made of it.
    Any,
}

/// Settles a question; `state` states its facts in an instance.
pub(crate) fn settle<'a, X>(
    analysis: &'a Analysis<'a>,
    placement: Placement,
    seek: Seek,
    budget: &Budget,
    state: impl Fn(&mut Instance<'a>) -> X,
) -> Settled<'a, X> {
    let ask = |wrap| {
        let mut instance = Instance::new(analysis, placement, wrap);
        let made = state(&mut instance);
        let asked = instance.ask(&[], budget);
        (instance, made, asked)
    };
    let fails = |mut instance: Instance<'a>, made, model| {
        let smaller = match seek {
            Seek::Run => instance.smaller_model(budget),
            Seek::Any => None,
        };
        Failing { model: smaller.unwrap_or(model), instance, made }
    };
    let (instance, made, exact) = ask(WrapAround::Happens);
    let excusable = instance.could_leave_range() && instance.may_stay_in_range();
    let exact = match exact {
        Asked::Held(held) => return Settled::Holds(held),
        Asked::Sat(model) => {
            let failing = fails(instance, made, model);
            let wraps = failing.instance.wraps_around(&failing.model);
            let fails = Settled::Fails(Box::new(failing));
            if !wraps {
                return fails;
            }
            fails
        }
        Asked::Unknown(why) => Settled::Open(Doubt::of_solver(&why)),
    };
    if !excusable {
        return exact;
    }
    let (instance, made, again) = ask(WrapAround::Excluded);
    match again {
        Asked::Held(held) => Settled::Holds(held),
        Asked::Sat(model) => Settled::Fails(Box::new(fails(instance, made, model))),
        Asked::Unknown(_) => exact,
    }
}
