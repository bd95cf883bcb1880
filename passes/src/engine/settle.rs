//! From a question about two threads to an answer that says what it relies on.
//!
//! **What**: [`settle`] asks whether the facts of a question can hold together, as they are. Where
//! they can, but only in runs whose index arithmetic on open sizes and arguments wraps around, it
//! asks again without such runs.
//! **Method**: the second question takes sums, differences, products and left shifts that open
//! numbers reach to stay in the signed range of their width ([`Instance::in_range`]); it is asked
//! only if the model of the first one wraps somewhere, signed and unsigned, so that a run without
//! any wrap-around, where one is found first, is never explained away, and only if some run is
//! left.
//! As soon as a model is there, it is asked whether only such runs are left: with all arithmetic in
//! the signed range, and with all of it in the unsigned range. What is left out besides are runs
//! that leave the signed range at one place and the unsigned range at another one.
//! What a loop inside adds up to is a product of counts, which may make a question too hard that
//! does not need it: such a question is asked with any number in its place first.
//! Where a question that is not excluded rests on a loop variable without a recurrence, invariants
//! of such variables are looked for, and it is asked again with those that hold.
//! **Sound because**: [`Held`] has one origin, the instance that was asked, which records each
//! assumption where it is made.
//! **Misses**: an assumption is named where it was available to a proof, even if the proof did not
//! need it.
//! **Assumes**: what the answer names.

use heddle_solver::{Budget, Model};

use super::answer::{Asked, Held, UnknownReason};
use super::instance::{Explain, Instance, Placement, WrapAround};
use super::invariants::{self, would_help};
use crate::facts::analysis::Analysis;
use crate::facts::invariants::Tiers;
use crate::facts::journal::Note;

/// What a question was settled as.
#[derive(Debug)]
pub(crate) enum Settled<'a, X> {
    /// The violation cannot happen.
    Holds(Held),
    /// A model shows it.
    Fails(Box<Failing<'a, X>>),
    /// Could not be told, and why.
    Open(UnknownReason),
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

/// Which runs an assumption on index arithmetic may leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Excuse {
    /// None: what is asked is itself about numbers as the machine has them.
    Nothing,
    /// Those in which it wraps around, signed and unsigned.
    WrapsAround,
    /// Those, and those in which an unsigned value from 2^31 is an index.
    LeavesSignedRange,
}

/// The part of the budget for a look whether only runs with a wrap-around are left.
const QUICK: u32 = 16;

/// Settles a question; `state` states its facts in an instance.
pub(crate) fn settle<'a, X>(
    analysis: &'a Analysis<'a>,
    placement: Placement,
    seek: Seek,
    budget: &Budget,
    state: impl Fn(&mut Instance<'a>) -> X,
) -> Settled<'a, X> {
    settle_but(analysis, placement, seek, Excuse::WrapsAround, budget, state)
}

/// The same with other runs that may be left out.
pub(crate) fn settle_but<'a, X>(
    analysis: &'a Analysis<'a>,
    placement: Placement,
    seek: Seek,
    excuse: Excuse,
    budget: &Budget,
    state: impl Fn(&mut Instance<'a>) -> X,
) -> Settled<'a, X> {
    let asked_with = |wrap,
                      found: Option<&Tiers>,
                      rounds: bool,
                      budget: &Budget,
                      explain: &mut Explain<'_, Instance<'a>>| {
        let work = || {
            let mut instance = Instance::new(analysis, placement, wrap);
            instance.follows_rounds = rounds;
            found.into_iter().for_each(|it| instance.take(it));
            let made = state(&mut instance);
            let asked = instance.ask_or_explain(&[], budget, explain);
            note_unfollowed(&instance, &asked);
            (instance, made, asked)
        };
        let text = || match (wrap, found) {
            (WrapAround::Excluded, _) => {
                "asked without runs in which index arithmetic wraps around"
            }
            (WrapAround::ExcludedUnsigned, _) => {
                "asked without runs in which unsigned arithmetic wraps around"
            }
            (WrapAround::Happens, Some(_)) => "asked with invariants that were found of the loops",
            (WrapAround::Happens, None) => "asked as it stands",
        };
        let rest = if rounds { "" } else { ", whatever loops inside add up to" };
        let question = || ([placement.words(), ", ", text(), rest].concat(), Vec::new());
        analysis.journal.within(question, work, |(_, _, asked)| Some(asked.words()))
    };
    let ask_of = |wrap, found, rounds| {
        let mut explain = |instance: &mut Instance<'a>, model: &Model| {
            let may_be_excused = match excuse {
                Excuse::Nothing => false,
                Excuse::WrapsAround => instance.wraps_around(model),
                Excuse::LeavesSignedRange => instance.could_leave_range(),
            };
            if wrap != WrapAround::Happens || !may_be_excused {
                return None;
            }
            if !instance.may_stay_in_range(budget) {
                return None;
            }
            let quick = budget.divided(QUICK);
            let without = |wrap| {
                let (_, _, asked) = asked_with(wrap, found, rounds, &quick, &mut |_, _| None);
                match asked {
                    Asked::Held(held) => Some(held),
                    Asked::Sat(_) | Asked::Unknown(_) => None,
                }
            };
            let held = without(WrapAround::Excluded)?;
            let is_all = excuse == Excuse::LeavesSignedRange
                || without(WrapAround::ExcludedUnsigned).is_some();
            is_all.then_some(held)
        };
        asked_with(wrap, found, rounds, budget, &mut explain)
    };
    let ask = |wrap, found| {
        if analysis.has_rounds() {
            let without = ask_of(wrap, found, false);
            if matches!(without.2, Asked::Held(_)) {
                return without;
            }
        }
        ask_of(wrap, found, true)
    };
    let fails = |mut instance: Instance<'a>, made, model| {
        let smaller = match seek {
            Seek::Run => instance.smaller_model(budget),
            Seek::Any => None,
        };
        Failing { model: smaller.unwrap_or(model), instance, made }
    };
    let (mut instance, mut made, mut exact) = ask(WrapAround::Happens, None);
    let mut found = None;
    if !matches!(exact, Asked::Held(_)) && would_help(&instance) {
        found = Some(invariants::found(analysis, budget));
        if found.is_some_and(|it| !it.exact.all.is_empty()) {
            (instance, made, exact) = ask(WrapAround::Happens, found);
        }
    }
    let may_be_excused = excuse != Excuse::Nothing
        && !matches!(exact, Asked::Held(_))
        && instance.could_leave_range();
    let excusable = may_be_excused && instance.may_stay_in_range(budget);
    let exact = match exact {
        Asked::Held(held) => return Settled::Holds(held),
        Asked::Sat(model) => {
            let failing = fails(instance, made, model);
            let wraps = failing.instance.wraps_around(&failing.model);
            let fails = Settled::Fails(Box::new(failing));
            if !wraps && excuse == Excuse::WrapsAround {
                return fails;
            }
            fails
        }
        Asked::Unknown(why) => Settled::Open(UnknownReason::of_solver(&why)),
    };
    if !excusable {
        return exact;
    }
    let (instance, made, again) = ask(WrapAround::Excluded, found);
    match again {
        Asked::Held(held) => Settled::Holds(held),
        Asked::Sat(model) => Settled::Fails(Box::new(fails(instance, made, model))),
        Asked::Unknown(_) => exact,
    }
}

/// Writes down which values an answer rests on that are not followed, where it is no proof.
fn note_unfollowed(instance: &Instance<'_>, asked: &Asked) {
    let journal = &instance.analysis.journal;
    if journal.is_kept() && !matches!(asked, Asked::Held(_)) {
        for guess in instance.guesses() {
            journal.note(|| Note::Unfollowed(guess));
        }
    }
}
