//! Copies of the whole work-group, and waits for them: all work-items come to each together, with
//! the same arguments (OpenCL C 3.0, 6.15.11).
//!
//! **What**: one obligation for each such operation.
//! **Method**: as for a barrier, the places at which two work-items may part on the way to it
//! (`engine/parting.rs`) are few, and each that is not uniform is a question. An argument that is
//! not uniform is one more: can two work-items come to it in the same iterations with different
//! values?
//! **Sound because**: work-items that agree pairwise on every decision execute the same instances,
//! and those that agree pairwise on every argument have the same.
//! **Misses**: nothing; what is left open keeps the property unknown.
//! **Assumes**: what [`crate::facts::uniformity`] does.

use heddle_diagnostics::{Code, Confirmation, Evidence, Finding, Method, Obligations, Reason};
use heddle_ir::{AsyncCopy, ExprId, OpId, OpKind, Strided};
use heddle_solver::Model;

use crate::engine::answer::{Held, UnknownReason};
use crate::engine::cx::Cx;
use crate::engine::instance::{Instance, Placement};
use crate::engine::parting::{
    Decision, Returned, agreed, ends_in_the_middle, state_parting, state_together,
};
use crate::engine::replay::Want;
use crate::engine::settle::{Failing, Seek, Settled, settle};
use crate::engine::shown::show;

/// How two work-items differ at an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Differs {
    /// One of them does not come to it.
    Reach,
    /// This argument is another one.
    Argument(&'static str),
}

enum Outcome<'a> {
    Alike(Evidence),
    Differ(Box<(Instance<'a>, Model)>, Differs),
    Open(UnknownReason),
}

/// Asks about all of them; the findings.
pub(super) fn check(cx: &Cx<'_>, ops: &[OpId], obligations: &mut Obligations) -> Vec<Finding> {
    if let Some(end) = ends_in_the_middle(cx.kernel, ops).first() {
        let text = "a work-item may end here, and then does not come to a copy of the work-group";
        let at = cx.places.op(cx.kernel, *end);
        obligations.leave_open(Reason::new(Code::Undecided, text).at(at));
    }
    let outcomes = cx.answers("copies", ops, |op| vec![*op], |op| ask(cx, *op));
    let mut findings = Vec::new();
    for (op, outcome) in ops.iter().zip(outcomes) {
        let obligation = obligations.open();
        let place = cx.places.op(cx.kernel, *op);
        match outcome {
            Outcome::Alike(by) => obligations.discharge(obligation, by),
            Outcome::Open(why) => {
                let text = format!(
                    "could not tell whether all work-items come to {} with the same arguments: {}",
                    name(cx, *op),
                    why.why
                );
                obligations
                    .give_up(obligation, why.as_cause_of(Reason::new(why.code, text).at(place)));
            }
            Outcome::Differ(found, how) => {
                let (mut instance, model) = *found;
                let shown = show(cx, &mut instance, model, Want::Divergence(*op));
                let told = finding(cx, *op, how, &shown.run.witness(&instance))
                    .witness(shown.run.witness(&instance), shown.confirmation.clone());
                let reason = |why: &str, through: &str| {
                    let text = format!(
                        "work-items may not come to {} alike{through}; the run that was tried does not show it ({why})",
                        name(cx, *op)
                    );
                    Reason::new(Code::Undecided, text).at(place.clone())
                };
                if shown.confirmation == Confirmation::Confirmed {
                    findings.extend(shown.close(obligations, obligation, told, reason));
                } else {
                    obligations.give_up(obligation, reason("it was not met there", ""));
                }
            }
        }
    }
    findings
}

fn name(cx: &Cx<'_>, op: OpId) -> &'static str {
    match matches!(cx.kernel[op].kind, OpKind::EventWait(_)) {
        true => "this wait for copies",
        false => "this copy of the work-group",
    }
}

/// The arguments of such an operation, with what they are called.
fn arguments(cx: &Cx<'_>, op: OpId) -> Vec<(&'static str, ExprId)> {
    if let OpKind::EventWait(events) = &cx.kernel[op].kind {
        return events.iter().map(|it| ("list of events", *it)).collect();
    }
    let OpKind::AsyncCopy(copy) = &cx.kernel[op].kind else { return Vec::new() };
    let AsyncCopy {
        mechanism: _,
        destination,
        source,
        size,
        read: _,
        mbarrier: _,
        event,
        strided,
        combines: _,
    } = copy;
    let mut all = vec![
        ("destination", destination.offset),
        ("source", source.offset),
        ("number of elements", *size),
    ];
    all.extend(event.map(|it| ("event", it)));
    if let Some(Strided { of_source: _, count: _, each: _, apart }) = strided {
        all.push(("stride", *apart));
    }
    all
}

fn ask<'a>(cx: &'a Cx<'_>, op: OpId) -> Outcome<'a> {
    let chain = cx.analysis.order.chain(op);
    let agree = |id: ExprId| cx.analysis.uniformity.block_uniform(id);
    let arguments = arguments(cx, op);
    let mut by = agreed(&cx.analysis, op, arguments.iter().map(|it| it.1));
    let budget = &cx.options.budget;
    let mut conclude = |settled: Settled<'a, ()>, how: Differs| match settled {
        Settled::Holds(held) => {
            by = evidence(held).and(&by);
            None
        }
        Settled::Open(why) => Some(Outcome::Open(why)),
        Settled::Fails(failing) => {
            let Failing { instance, model, made: () } = *failing;
            Some(Outcome::Differ(Box::new((instance, model)), how))
        }
    };
    for decision in Decision::open(&cx.analysis, op, agree) {
        let settled = settle(&cx.analysis, Placement::SameBlock, Seek::Run, budget, |instance| {
            _ = state_parting(instance, op, decision, Returned::Awaited);
        });
        if let Some(found) = conclude(settled, Differs::Reach) {
            return found;
        }
    }
    for (what, argument) in arguments {
        if agree(argument) {
            continue;
        }
        let settled = settle(&cx.analysis, Placement::SameBlock, Seek::Run, budget, |instance| {
            let frames = state_together(instance, chain);
            instance.state_placement();
            let values = frames.map(|frame| {
                instance.state_executed(op, frame);
                instance.at(frame, argument)
            });
            let differ = instance.pool.ne(values[0], values[1]);
            instance.state(differ);
        });
        if let Some(found) = conclude(settled, Differs::Argument(what)) {
            return found;
        }
    }
    Outcome::Alike(by)
}

fn evidence(held: Held) -> Evidence {
    held.evidence_by(Method::TwoThreads)
}

fn finding(cx: &Cx<'_>, op: OpId, how: Differs, witness: &heddle_diagnostics::Witness) -> Finding {
    let [one, two] = witness.threads;
    let name = name(cx, op);
    let (message, label) = match how {
        Differs::Reach => (
            format!("not all work-items of the work-group come to {name}"),
            format!("{one} comes here, and {two} does not"),
        ),
        Differs::Argument(what) => (
            format!("work-items of the work-group come to {name} with a different {what}"),
            format!("the {what} of {one} is not that of {two}"),
        ),
    };
    Finding::new(Code::CollectiveCopy, message)
        .kernel(cx.kernel.display_name.as_str())
        .label(cx.places.op(cx.kernel, op), label)
        .help("let all work-items of the work-group come here, with the same arguments: the copy is one of the whole work-group")
}
