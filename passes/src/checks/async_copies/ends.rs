//! Copies that are under way when the kernel ends.
//!
//! **What**: for a copy of the whole work-group an obligation: leaving the kernel without the wait
//! is undefined (OpenCL C 3.0, 6.15.11). For a `cp.async` a warning, where a run shows it.
//! **Method**: the end of the kernel, and each return, is what comes later than the issue
//! ([`crate::engine::pending`]); the replay says whether a run gets there with the copy under way.
//! **Sound because**: the ways to an end are all listed, as to an access.
//! **Misses**: of `cp.async`, what no run showed, and kernels in which copies arrive at barrier
//! objects.
//! **Assumes**: what [`crate::engine::pending`] does.

use heddle_diagnostics::{Code, Confirmation, Finding, Obligations, Reason};
use heddle_ir::{AsyncMechanism, Barrier, Ending, MbarrierAction, OpId, OpKind};
use heddle_solver::Model;

use crate::engine::answer::{Held, UnknownReason};
use crate::engine::cx::Cx;
use crate::engine::instance::{Instance, Placement};
use crate::engine::pending::{Flight, Later, Other, coarse_ways, state_way, ways_on};
use crate::engine::replay::Want;
use crate::engine::settle::{Failing, Seek, Settled, settle};
use crate::engine::shown::{Shown, show};

enum Outcome<'a> {
    Over(Held),
    Left(Box<(Instance<'a>, Model)>),
    Open(UnknownReason),
}

/// Asks about all copies; the findings. No warning is given of a copy that was `met` while under
/// way: that is an error.
pub(super) fn check(cx: &Cx<'_>, met: &[OpId], obligations: &mut Obligations) -> Vec<Finding> {
    let kernel = cx.kernel;
    let mut copies: Vec<Flight> = Vec::new();
    let at_objects = kernel.ops.values().any(|op| {
        matches!(
            &op.kind,
            OpKind::Barrier(Barrier::Mbarrier { action: MbarrierAction::CopiesArrive { .. }, .. })
        )
    });
    kernel.for_each_op(|op, _| {
        if let OpKind::AsyncCopy(copy) = &kernel[op].kind {
            let is_asked = match copy.mechanism {
                AsyncMechanism::WorkGroupEvent => true,
                AsyncMechanism::CpAsync => !at_objects && !met.contains(&op),
                AsyncMechanism::BulkGroup
                | AsyncMechanism::BulkMbarrier
                | AsyncMechanism::Matrix
                | AsyncMechanism::Tensor => false,
            };
            let flight = Flight { copy: op, mechanism: copy.mechanism, reads: false };
            copies.extend(is_asked.then_some(flight));
        }
    });
    let about = |flight: &Flight| vec![flight.copy];
    let outcomes = cx.answers("copies", &copies, about, |flight| ask(cx, *flight));
    let mut findings: Vec<Finding> = Vec::new();
    for (flight, outcome) in copies.iter().zip(outcomes) {
        let place = cx.places.op(kernel, flight.copy);
        let is_rule = flight.mechanism == AsyncMechanism::WorkGroupEvent;
        let reason = |text: &str| {
            let text = format!(
                "could not tell whether this copy is waited for before the kernel ends: {text}"
            );
            Reason::new(Code::Undecided, text).at(place.clone())
        };
        let obligation = is_rule.then(|| obligations.open());
        let shown = match outcome {
            Outcome::Over(held) => {
                if let Some(obligation) = obligation {
                    obligations.discharge(obligation, held.evidence());
                }
                continue;
            }
            Outcome::Open(why) => {
                if let Some(obligation) = obligation {
                    obligations.give_up(obligation, why.as_cause_of(reason(&why.why)));
                }
                continue;
            }
            Outcome::Left(found) => {
                let (mut instance, model) = *found;
                let shown = show(cx, &mut instance, model, Want::Abandoned(flight.copy));
                let told = finding(cx, *flight, &instance, &shown);
                (shown, told)
            }
        };
        let (shown, told) = shown;
        let confirmed = shown.confirmation == Confirmation::Confirmed;
        match obligation {
            Some(obligation) if confirmed => {
                let told = shown.close(obligations, obligation, told, |why, _| reason(why));
                findings.extend(told);
            }
            Some(obligation) => {
                obligations.give_up(obligation, reason("the run that was tried does not show it"));
            }
            None if confirmed => findings.push(told),
            None => {}
        }
    }
    findings
}

fn ask<'a>(cx: &'a Cx<'_>, flight: Flight) -> Outcome<'a> {
    let kernel = cx.kernel;
    let mut ends = vec![Later::End];
    kernel.for_each_op(|op, _| {
        if kernel[op].kind == OpKind::Exit(Ending::Return) {
            ends.push(Later::Op(op));
        }
    });
    let mut held = Held::at_once();
    let (analysis, budget) = (&cx.analysis, &cx.options.budget);
    for end in ends {
        for coarse in coarse_ways(analysis, flight, end, Other::Itself) {
            for way in ways_on(analysis, flight, end, Other::Itself, coarse) {
                let settled =
                    settle(analysis, Placement::SameThread, Seek::Run, budget, |instance| {
                        _ = state_way(instance, flight, end, Other::Itself, &way);
                    });
                match settled {
                    Settled::Holds(by) => held = held.and(by),
                    Settled::Open(why) => return Outcome::Open(why),
                    Settled::Fails(failing) => {
                        let Failing { instance, model, made: () } = *failing;
                        return Outcome::Left(Box::new((instance, model)));
                    }
                }
            }
        }
    }
    Outcome::Over(held)
}

fn finding(cx: &Cx<'_>, flight: Flight, instance: &Instance<'_>, shown: &Shown) -> Finding {
    let kernel = cx.kernel;
    let witness = shown.run.witness(instance);
    let [one, _] = witness.threads;
    let OpKind::AsyncCopy(copy) = &kernel[flight.copy].kind else {
        return Finding::new(Code::InternalError, "a copy that is none");
    };
    let name = &kernel[copy.destination.object].name;
    let (code, message, label, help) = match flight.mechanism {
        AsyncMechanism::WorkGroupEvent => (
            Code::CopyNotWaitedFor,
            format!(
                "the kernel ends before it has waited for a copy of the work-group to `{name}`"
            ),
            "issued here, and under way at the end".to_owned(),
            "wait for its event before the end: `wait_group_events(1, &event)`",
        ),
        AsyncMechanism::CpAsync
        | AsyncMechanism::BulkGroup
        | AsyncMechanism::BulkMbarrier
        | AsyncMechanism::Matrix
        | AsyncMechanism::Tensor => (
            Code::CopyAbandoned,
            format!("a thread ends before it has waited for a copy to `{name}`"),
            format!("issued by {one}, and under way at its end"),
            "nobody uses what is copied: leave the copy out, or wait for it",
        ),
    };
    Finding::new(code, message)
        .kernel(kernel.display_name.as_str())
        .label(cx.places.op(kernel, flight.copy), label)
        .help(help)
        .witness(witness, shown.confirmation.clone())
}
