//! Which invariants hold: those that the source claims, and those that are found.
//!
//! **What**: of a set of candidates, the largest part that can be shown; with what that takes for
//! granted.
//! **Method**: Houdini. Each candidate is asked about in the first iteration, and in iteration
//! `m + 1` where all candidates hold before it, those of iteration `m` among them. What cannot be
//! shown is dropped, and the rest is asked again, until nothing is dropped. A variable without a
//! recurrence is in iteration `m + 1` what its next value is in iteration `m`.
//! **Sound because**: what is left is shown by induction along each thread: all that is taken for
//! granted of a candidate is that those hold which the thread met before
//! (`instance/invariants.rs`). What memory holds and other threads give is arbitrary in these
//! questions, so that the answers rest neither on race freedom nor on bounds. What a loop's own
//! steps promise not to do (a signed sum that overflows) is undefined in the source; bounds and
//! steps that it need not compute lose their promises.
//! **Misses**: what needs an invariant of another form; what a small budget does not show.
//! **Assumes**: what [`Shown::relies`] says.

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{ExprId, ExprKind, OpId};
use heddle_solver::{Budget, Method as SolvedBy};

use super::answer::{Asked, Held};
use super::instance::{FrameId, Goal, Instance, Placement, Positions, WrapAround};
use crate::facts::analysis::Analysis;
use crate::facts::evolution::Evolution;
use crate::facts::invariants::{Invariant, Shown, Tiers, What, candidates, claimed};
use crate::facts::thread::Thread;

/// Questions that one search may ask.
const QUESTIONS: usize = 400;

/// What the source claims, as far as it can be shown. Candidates that it does not claim may help.
pub(super) fn stated(analysis: &Analysis<'_>) -> Tiers {
    let claims = claimed(analysis.kernel);
    if claims.is_empty() {
        return Tiers::default();
    }
    let budget = budget(&Budget::default());
    let alone = tiers(analysis, &claims, &budget);
    if claims.iter().all(|it| alone.exact.all.contains(it)) {
        return alone;
    }
    let mut with = claims;
    with.extend(open(analysis));
    let with = tiers(analysis, &with, &budget);
    let claimed =
        |it: &Shown| it.all.iter().filter(|it| matches!(it.what, What::Claimed(_))).count();
    match claimed(&with.in_range) > claimed(&alone.in_range) {
        true => named(analysis, with, &budget),
        false => alone,
    }
}

/// That an invariant of the source holds, if it was shown.
pub(crate) fn shown(analysis: &Analysis<'_>, op: OpId) -> Option<Held> {
    let is_it = |it: &Invariant| it.what == What::Claimed(op);
    let Tiers { exact, in_range } = &analysis.stated;
    let tier = [exact, in_range].into_iter().find(|it| it.all.iter().any(is_it))?;
    Some(Held::of(SolvedBy::Bits, &tier.relies))
}

/// What is found of the variables without a recurrence, within what that may cost in a kernel or,
/// where this is not said, a question.
pub(super) fn found<'k>(analysis: &'k Analysis<'_>, of: &Budget) -> &'k Tiers {
    analysis.found.get_or_init(|| {
        let budget = budget(analysis.for_found.as_ref().unwrap_or(of));
        named(analysis, tiers(analysis, &open(analysis), &budget), &budget)
    })
}

/// The same without what follows from the rest.
fn named(analysis: &Analysis<'_>, Tiers { exact, in_range }: Tiers, budget: &Budget) -> Tiers {
    let positions = Positions::of(analysis.kernel);
    let search = Search { analysis, positions: &positions, budget };
    Tiers {
        exact: search.needed(exact, WrapAround::Happens),
        in_range: search.needed(in_range, WrapAround::Excluded),
    }
}

/// Whether what is stated rests on a variable without a recurrence.
pub(super) fn would_help(instance: &Instance<'_>) -> bool {
    let kernel = instance.analysis.kernel;
    let is_variable = |id| matches!(kernel.exprs[id].kind, ExprKind::Var(_));
    instance.guesses().into_iter().any(is_variable)
}

fn open(analysis: &Analysis<'_>) -> Vec<Invariant> {
    let is_open = |var| analysis.evolution(var) == Evolution::Unknown;
    candidates(analysis.kernel, &analysis.scopes, is_open)
}

fn budget(of: &Budget) -> Budget {
    Budget {
        cases: 60,
        pivots: 5_000,
        instances: 0,
        conflicts: 2_000,
        clauses: 40_000,
        ..of.clone()
    }
}

fn tiers(analysis: &Analysis<'_>, all: &[Invariant], budget: &Budget) -> Tiers {
    let positions = Positions::of(analysis.kernel);
    let search = Search { analysis, positions: &positions, budget };
    let exact = search.largest(all, WrapAround::Happens);
    let in_range = match exact.all.len() == all.len() {
        true => exact.clone(),
        false => search.largest(all, WrapAround::Excluded),
    };
    Tiers { exact, in_range }
}

struct Search<'s, 'k> {
    analysis: &'s Analysis<'k>,
    positions: &'s Positions,
    budget: &'s Budget,
}

impl<'s> Search<'s, '_> {
    /// The largest part of these that can be shown; nothing where that takes too many questions.
    fn largest(&self, all: &[Invariant], wrap: WrapAround) -> Shown {
        let mut left = all.to_vec();
        let mut questions = 0;
        loop {
            let mut relies = BTreeSet::new();
            let mut kept = Vec::new();
            for it in &left {
                questions += 2;
                if questions > QUESTIONS {
                    return Shown::default();
                }
                if let Some(more) = self.holds(it, &left, wrap) {
                    relies.extend(more);
                    kept.push(it.clone());
                }
            }
            if kept.len() == left.len() {
                return Shown { all: kept, relies };
            }
            left = kept;
        }
    }

    /// Those that do not follow from the others, so that answers name few; and all that are
    /// claimed.
    fn needed(&self, mut shown: Shown, wrap: WrapAround) -> Shown {
        for n in (0..shown.all.len()).rev() {
            let it = shown.all[n].clone();
            if matches!(it.what, What::Claimed(_)) {
                continue;
            }
            let mut others = shown.all.clone();
            others.remove(n);
            let mut instance = Instance::new(self.analysis, Placement::SameThread, wrap);
            instance.take_only(&others);
            let mut frame = instance.root(Thread::One);
            let around = self.analysis.scopes.chain(Some(it.of));
            for of in &around {
                let k = instance.iteration_symbol(*of, Some(Thread::One));
                frame = instance.enter(frame, *of, k);
            }
            for (depth, of) in around.iter().enumerate() {
                instance.state_in_iteration(frame, around.len() - depth, *of);
            }
            let holds = instance.invariant_at(frame, &it);
            let fails = instance.pool.not(holds);
            if instance.ask(&[fails], self.budget).held().is_some() {
                shown.all = others;
            }
        }
        shown
    }

    /// What it takes that an invariant holds where all hold that come before it.
    fn holds(
        &self,
        shown: &Invariant,
        all: &[Invariant],
        wrap: WrapAround,
    ) -> Option<BTreeSet<Assumption>> {
        let mut relies = BTreeSet::new();
        for later in [false, true] {
            relies.extend(self.holds_in(shown, all, wrap, later)?.relies().iter().cloned());
        }
        Some(relies)
    }

    fn holds_in(
        &self,
        shown: &Invariant,
        all: &[Invariant],
        wrap: WrapAround,
        later: bool,
    ) -> Option<Held> {
        // An assumption that leaves no run would show anything.
        if wrap == WrapAround::Excluded {
            let (mut exact, _) = self.stated(shown, all, WrapAround::Happens, later);
            if exact.could_leave_range() && !exact.may_stay_in_range(self.budget) {
                return None;
            }
        }
        let (mut instance, fails) = self.stated(shown, all, wrap, later);
        match instance.ask(&[fails], self.budget) {
            Asked::Held(held) => Some(held),
            Asked::Sat(_) | Asked::Unknown(_) => None,
        }
    }

    /// The question whether it fails in the first iteration, or in a later one.
    fn stated(
        &self,
        shown: &Invariant,
        all: &[Invariant],
        wrap: WrapAround,
        later: bool,
    ) -> (Instance<'s>, ExprId) {
        let mut instance = Instance::new(self.analysis, Placement::SameThread, wrap);
        instance.take_only(all);
        let mut outside = instance.root(Thread::One);
        let scopes = &self.analysis.scopes;
        let around = scopes.chain(scopes.parent(shown.of));
        for of in &around {
            let k = instance.iteration_symbol(*of, Some(Thread::One));
            outside = instance.enter(outside, *of, k);
        }
        let (before, frame) = self.iterations(&mut instance, outside, shown, later);
        instance.show(Goal { positions: self.positions, shown: shown.clone(), frame, before });
        // Loops around, from outside in, and the loop itself.
        for (depth, of) in around.iter().copied().chain([shown.of]).enumerate() {
            instance.state_in_iteration(frame, around.len() + 1 - depth, of);
        }
        if let Some(before) = before {
            instance.state_in_iteration(before, 1, shown.of);
        }
        instance.state_placement();
        let holds = instance.invariant_at(frame, shown);
        let fails = instance.pool.not(holds);
        (instance, fails)
    }

    /// The iteration in which it is shown, and the one before where that is not the first.
    fn iterations(
        &self,
        instance: &mut Instance<'s>,
        outside: FrameId,
        shown: &Invariant,
        later: bool,
    ) -> (Option<FrameId>, FrameId) {
        if !later {
            let zero = instance.pool.constant(0, 32);
            return (None, instance.enter(outside, shown.of, zero));
        }
        let m = instance.iteration_symbol(shown.of, Some(Thread::One));
        let before = instance.enter(outside, shown.of, m);
        let next = instance.shift_iteration(m, 1);
        (Some(before), instance.enter(outside, shown.of, next))
    }
}
