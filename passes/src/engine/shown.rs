//! What a model of a violation amounts to: its run, replayed, and whether that refutes.
//!
//! **What**: [`show`] turns a model into a run and replays it; [`Shown::close`] refutes an
//! obligation with what is told of the run, or gives it up.
//! **Method**: where the replay stopped at a value that nothing determines, as after a division by
//! zero, another model without such divisions is asked for, and its run is taken if the replay
//! confirms it. Where it did not show the violation, models of earlier iterations and of smaller
//! parameters are replayed.
//! **Sound because**: a property is refuted if the interpreter confirmed the run; or if the replay
//! could not show it for a reason of its own, and nothing in the model is made up ([`Conclusion`]);
//! too many steps are no such reason where the run takes numbers of which loops run that long, nor
//! where nothing says that a loop on the way ends.
//! **Misses**: violations whose runs need what the replay does not try.
//! **Assumes**: nothing.

use std::iter;

use heddle_diagnostics::{
    Conclusion, Confirmation, Finding, Obligation, Obligations, Reason, Refutation, Unreplayed,
};
use heddle_interp::{Limits, Party};
use heddle_ir::{Item, Kernel, LoopId, OpId};
use heddle_solver::Model;

use super::cx::{Attempt, Cx};
use super::instance::Instance;
use super::replay::{Replay, Want, may_choose_runs, replay};
use super::unfollowed::{through, unfollowed};
use super::witness::Run;
use crate::facts::order::waits_for_block;

/// Where a replay does not show a violation, models are looked for whose parameters are between
/// these: their loops run least often, or not at all; and last ones whose loops run, as what they
/// never add to may be stored without a difference.
const SMALLEST: [(u128, u128); 4] = [(0, 0), (0, 1), (0, 16), (1, 64)];

/// A model of a violation with its run.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The run.
    pub(crate) run: Run,
    /// The model that it is of.
    pub(crate) model: Model,
    /// What the replay said.
    pub(crate) confirmation: Confirmation,
    /// The two accesses that met in the replay; absent for a divergence.
    pub(crate) parties: Option<[Party; 2]>,
    /// The values that the model rests on and that are not followed, in words.
    unfollowed: Vec<String>,
    /// Whether a loop must end first of which nothing says that it does.
    after_open_loop: bool,
    /// Whether threads may have waited at different barriers on the way to two accesses.
    after_parting: bool,
}

/// Replays the run of a model.
pub(crate) fn show(cx: &Cx<'_>, instance: &mut Instance<'_>, model: Model, want: Want) -> Shown {
    let question = || ("replay of a run".to_owned(), ops_of(want));
    let said = |shown: &Shown| match &shown.confirmation {
        Confirmation::Confirmed => "the violation happens".to_owned(),
        Confirmation::Unconfirmed(why) => format!("the violation does not happen: {why}"),
        Confirmation::NotReplayed(_, why) => format!("not to its end: {why}"),
    };
    let work = || replayed(cx, instance, model, want);
    cx.analysis.journal.within(question, work, |shown| Some(said(shown)))
}

fn replayed(cx: &Cx<'_>, instance: &mut Instance<'_>, model: Model, want: Want) -> Shown {
    let unfollowed = unfollowed(cx, instance);
    let after_open_loop = after_open_loop(cx, want);
    let after_parting = is_of_memory(want) && threads_may_part(cx);
    let of = |instance: &mut Instance<'_>, model: Model, attempt: Attempt| {
        let mut run = Run::of(instance, &model);
        let Replay { confirmation, parties, memory, told } = replay(cx, &run, want, attempt);
        run.memory = memory.unwrap_or(run.memory);
        run.told = told;
        let unfollowed = unfollowed.clone();
        Shown { run, model, confirmation, parties, unfollowed, after_open_loop, after_parting }
    };
    let shown = of(instance, model, Attempt::First);
    if let Confirmation::NotReplayed(Unreplayed::Undetermined, _) = shown.confirmation
        && let Some(model) = instance.model_without_division_by_zero(&cx.other_models)
    {
        let other = of(instance, model, Attempt::First);
        if other.confirmation == Confirmation::Confirmed {
            return other;
        }
    }
    let chooses = cx.options.replay && may_choose_runs(cx.kernel, want);
    if chooses && shown.confirmation != Confirmation::Confirmed {
        let attempts = iter::once(None).chain(SMALLEST.map(Some));
        for parameters in attempts {
            if cx.replay_steps_left(Attempt::Again) == 0 {
                break;
            }
            let budget = &cx.other_models;
            let model = match parameters {
                None => instance.model_of_first_iterations(&shown.model, budget),
                Some(ends) => instance.model_of_parameters_between(ends, budget),
            };
            let Some(model) = model else { continue };
            let other = of(instance, model, Attempt::Again);
            if other.confirmation == Confirmation::Confirmed {
                return other;
            }
        }
    }
    shown
}

/// The operations that a violation is one of; of a copy that is abandoned none.
fn ops_of(want: Want) -> Vec<OpId> {
    match want {
        Want::Race(ops, _) | Want::Unordered(ops, _) | Want::OwnCopy(ops) => ops.to_vec(),
        Want::Outside(Limits { op, .. })
        | Want::End(op)
        | Want::Unwritten(op)
        | Want::Divergence(op) => vec![op],
        Want::Abandoned(_) => Vec::new(),
    }
}

/// Whether accesses are what is wanted, which barriers may order.
fn is_of_memory(want: Want) -> bool {
    match want {
        Want::Race(..) | Want::Unordered(..) | Want::OwnCopy(_) | Want::Unwritten(_) => true,
        Want::Outside(_) | Want::End(_) | Want::Divergence(_) | Want::Abandoned(_) => false,
    }
}

/// Whether threads may come to different barriers of the block, by the look of their conditions.
/// Which barriers lie between two accesses is not known of a run in which they do.
fn threads_may_part(cx: &Cx<'_>) -> bool {
    let kernel = cx.kernel;
    let differs = |id| !cx.analysis.uniformity.block_uniform(id);
    let mut barriers = kernel.ops.iter().filter(|(_, it)| waits_for_block(&it.kind));
    barriers.any(|(op, it)| {
        let around = cx.analysis.order.chain(op);
        differs(it.pred)
            || around.iter().any(|of| differs(kernel[*of].pred) || differs(kernel[*of].cont))
    })
}

/// Whether a thread comes to what is wanted only after a loop of which nothing says that it ends.
fn after_open_loop(cx: &Cx<'_>, want: Want) -> bool {
    if let Want::Abandoned(_) = want {
        return !cx.kernel.loops.keys().all(|of| cx.analysis.ends_in_time(of));
    }
    ops_of(want).into_iter().any(|op| {
        let mut left = Vec::new();
        loops_before(cx.kernel, &cx.kernel.body.items, op, &mut left);
        // A thread that is kept in a loop parts from one that passes by.
        let keeps_all = |of: LoopId| match want {
            Want::Divergence(_) => cx.analysis.uniformity.block_uniform(cx.kernel[of].pred),
            Want::Race(..)
            | Want::Unordered(..)
            | Want::OwnCopy(_)
            | Want::Outside(_)
            | Want::Unwritten(_)
            | Want::End(_)
            | Want::Abandoned(_) => true,
        };
        left.into_iter().any(|of| !cx.analysis.ends_in_time(of) && keeps_all(of))
    })
}

/// Collects the loops that a thread has left when it comes to an operation, and perhaps some of an
/// earlier iteration of the loops around it; whether the operation is there.
fn loops_before(kernel: &Kernel, items: &[Item], op: OpId, left: &mut Vec<LoopId>) -> bool {
    items.iter().any(|item| match *item {
        Item::Op(it) => it == op,
        Item::Loop(of) => {
            let before = left.len();
            let found = loops_before(kernel, &kernel[of].body.items, op, left);
            if !found {
                left.truncate(before);
                left.push(of);
            }
            found
        }
    })
}

impl Shown {
    /// Whether the run is one of numbers so large that loops over them are too long to be replayed:
    /// on the way there it may have left its objects, or run longer than loops are taken to.
    fn is_far_fetched(&self) -> bool {
        let is_large = |value: &u128| *value > 1 << 28;
        self.is_too_long() && self.run.args.iter().flatten().any(is_large)
    }

    fn is_too_long(&self) -> bool {
        matches!(self.confirmation, Confirmation::NotReplayed(Unreplayed::TooLong, _))
    }

    /// Refutes the obligation with what is told of the run, and hands that back; or gives it up for
    /// a reason, which is made of why no run shows it and of the values that are not followed.
    pub(crate) fn close(
        &self,
        obligations: &mut Obligations,
        obligation: Obligation,
        told: Finding,
        reason: impl FnOnce(&str, &str) -> Reason,
    ) -> Option<Finding> {
        let conclusion = Conclusion::of(&self.confirmation, !self.unfollowed.is_empty());
        let why = match (conclusion, Refutation::of(&told)) {
            (Conclusion::Refutes, _) if self.is_far_fetched() => {
                "it takes an argument that is negative or beyond 2^28, and more steps than a replay gets"
            }
            (Conclusion::Refutes, _) if self.after_open_loop && self.is_too_long() => {
                "it takes more steps than a replay gets, and a loop on the way need not end"
            }
            (Conclusion::Refutes, _) if self.after_parting && self.is_too_long() => {
                "it takes more steps than a replay gets, and threads may wait at different barriers"
            }
            (Conclusion::Refutes, Some(refutation)) => {
                obligations.refute(obligation, refutation);
                return Some(told);
            }
            (Conclusion::Refutes, None) => "the run could not be described",
            (Conclusion::Undecided(why), _) => why,
        };
        obligations.give_up(obligation, reason(why, &through(&self.unfollowed)));
        None
    }
}
