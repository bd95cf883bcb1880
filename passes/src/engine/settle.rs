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
//! that leave the signed range at one place and the unsigned range at another one. Where only the
//! first is shown, it is kept: it is the answer unless a run without any wrap-around is found, for
//! which little is spent then. Where no run without is found, and none is excluded, the question is
//! open: a run with such numbers convinces no reader.
//! What a loop inside adds up to is a product of counts, which may make a question too hard that
//! does not need it: such a question is asked with any number in its place first.
//! Where a question that is not excluded rests on a loop variable without a recurrence, invariants
//! of such variables are looked for, and it is asked again with those that hold.
//! **Sound because**: [`Held`] has one origin, the instance that was asked, which records each
//! assumption where it is made.
//! **Misses**: an assumption is named where it was available to a proof, even if the proof did not
//! need it.
//! **Assumes**: what the answer names.

use std::cell::RefCell;

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

/// Of a violation that was seen in a run that wraps around, and may be in no other.
const ONLY_WRAPPING: &str = "a run in which index arithmetic wraps around has it, and whether one \
    without does was not found out in the work allowed";

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
    let question =
        Question { analysis, placement, excuse, budget, state, excused: RefCell::default() };
    let ask = |wrap, found| question.ask(wrap, found);
    let fails = |mut instance: Instance<'a>, made, model| {
        // Where only runs that leave a range are left, a better one is not worth much.
        let quick = question.excused.borrow().is_some().then(|| budget.divided(QUICK));
        let smaller = match seek {
            Seek::Run => instance.smaller_model(&model, quick.as_ref().unwrap_or(budget)),
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
    let mut wraps = false;
    let exact = match exact {
        Asked::Held(held) => return Settled::Holds(held),
        Asked::Sat(model) => {
            let failing = fails(instance, made, model);
            wraps = failing.instance.wraps_around(&failing.model);
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
    if let Some(held) = question.excused.take() {
        return Settled::Holds(held);
    }
    let (instance, made, again) = ask(WrapAround::Excluded, found);
    match again {
        Asked::Held(held) => Settled::Holds(held),
        Asked::Sat(model) => Settled::Fails(Box::new(fails(instance, made, model))),
        Asked::Unknown(_) if wraps && excuse == Excuse::WrapsAround => {
            Settled::Open(UnknownReason::left(ONLY_WRAPPING))
        }
        Asked::Unknown(_) => exact,
    }
}

/// What is settled.
struct Question<'a, 'q, S> {
    analysis: &'a Analysis<'a>,
    placement: Placement,
    excuse: Excuse,
    budget: &'q Budget,
    state: S,
    /// That no run is left without those that leave the signed range, where some are left without
    /// those that leave the unsigned range, or that could not be told.
    excused: RefCell<Option<Held>>,
}

/// How a question is asked: which runs are left out, with which invariants, and whether what loops
/// inside add up to is followed.
#[derive(Clone, Copy)]
struct Asking<'f> {
    wrap: WrapAround,
    found: Option<&'f Tiers>,
    follows_rounds: bool,
}

impl<'a, S> Question<'a, '_, S> {
    /// Asks without what loops inside add up to first, where there are such.
    fn ask<X>(&self, wrap: WrapAround, found: Option<&Tiers>) -> (Instance<'a>, X, Asked)
    where
        S: Fn(&mut Instance<'a>) -> X,
    {
        let ask = |follows_rounds| {
            let how = Asking { wrap, found, follows_rounds };
            let mut explain = |it: &mut Instance<'a>, model: &Model| self.explained(how, it, model);
            self.ask_as(how, self.budget, &mut explain)
        };
        if self.analysis.has_rounds() {
            let without = ask(false);
            if matches!(without.2, Asked::Held(_)) {
                return without;
            }
        }
        ask(true)
    }

    /// That a question whose model wraps around is excluded in all runs that count.
    fn explained<X>(
        &self,
        how: Asking<'_>,
        instance: &mut Instance<'a>,
        model: &Model,
    ) -> Option<Held>
    where
        S: Fn(&mut Instance<'a>) -> X,
    {
        let may_be_excused = match self.excuse {
            Excuse::Nothing => false,
            Excuse::WrapsAround => instance.wraps_around(model),
            Excuse::LeavesSignedRange => instance.could_leave_range(),
        };
        if how.wrap != WrapAround::Happens
            || !may_be_excused
            || !instance.may_stay_in_range(self.budget)
        {
            return None;
        }
        let quick = self.budget.divided(QUICK);
        let without = |wrap| {
            let (_, _, asked) = self.ask_as(Asking { wrap, ..how }, &quick, &mut |_, _| None);
            asked.held()
        };
        let held = without(WrapAround::Excluded)?;
        let is_all = self.excuse == Excuse::LeavesSignedRange
            || without(WrapAround::ExcludedUnsigned).is_some();
        if is_all {
            return Some(held);
        }
        self.excused.replace(Some(held));
        None
    }

    fn ask_as<X>(
        &self,
        how: Asking<'_>,
        budget: &Budget,
        explain: &mut Explain<'_, Instance<'a>>,
    ) -> (Instance<'a>, X, Asked)
    where
        S: Fn(&mut Instance<'a>) -> X,
    {
        let Asking { wrap, found, follows_rounds } = how;
        let work = || {
            let mut instance = Instance::new(self.analysis, self.placement, wrap);
            instance.follows_rounds = follows_rounds;
            found.into_iter().for_each(|it| instance.take(it));
            let made = (self.state)(&mut instance);
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
        let rest = if follows_rounds { "" } else { ", whatever loops inside add up to" };
        let question = || ([self.placement.words(), ", ", text(), rest].concat(), Vec::new());
        self.analysis.journal.within(question, work, |(_, _, asked)| Some(asked.words()))
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
