//! Barrier divergence: each block barrier is reached by all threads of the block or by none, per loop iteration.
//!
//! **Misses**: barriers of parts of a block (named barriers with a count, barrier objects), which are another pass's.
//! **False alarms**: a condition that is uniform for a reason outside the kernel, or through memory that
//! changes; the replay does not show these, and the answer is `unknown`.
//! **Relies on**: loads behave as the race checks demand ([`crate::uniformity`]).
//!
//! Method: the first place where two threads part is the predicate of the barrier, the predicate of a loop around
//! it, or the continue predicate of one; up to there they are in the same iterations. A decision that is
//! uniform cannot part them; for the others the solver is asked for two threads. Under
//! [`BarrierModel::ExitedOk`] a thread that has returned parts from nobody; where that alone saves the barrier, the early return is
//! reported as a warning (HD0203).

use heddle_diagnostics::{
    Assumption, Code, Confirmation, Finding, Findings, Obligations, Property, Reason, Refutation,
    Verdict,
};
use heddle_ir::{
    Barrier, BarrierAction, ClusterAction, Ending, ExprId, Item, LoopId, OpId, OpKind,
};
use heddle_solver::{Answer, Model};

use crate::cx::Cx;
use crate::instance::{FrameId, Instance, Placement, Thread};
use crate::launch::BarrierModel;
use crate::pass::Pass;
use crate::question::Doubt;
use crate::replay::{Want, replay};
use crate::witness::{Run, iterations};

/// The pass.
#[derive(Debug)]
pub struct BarrierDivergence;

impl Pass for BarrierDivergence {
    fn property(&self) -> Property {
        Property::BarrierDivergence
    }

    fn summary(&self) -> &'static str {
        "each block barrier is reached by all threads of the block or by none, per loop iteration"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::BarrierDivergence, Code::EarlyReturnBeforeBarrier]
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        let Divergence { obligations, findings } = Divergence::find(cx);
        findings.into_iter().for_each(|finding| out.push(finding));
        obligations.conclude()
    }
}

/// What the pass found.
#[derive(Debug)]
struct Divergence {
    /// One obligation per barrier.
    obligations: Obligations,
    findings: Vec<Finding>,
}

/// A decision on the way to a barrier.
#[derive(Clone, Copy, Debug)]
enum Decision {
    /// Whether to enter the loop at this depth of the barrier's chain.
    Enter(usize),
    /// Whether to run another iteration of it.
    Continue(usize),
    /// Whether to execute the barrier.
    Execute,
}

enum Outcome<'a> {
    Together(&'static str),
    Parted(Box<Parted<'a>>),
    Open(Doubt),
}

struct Parted<'a> {
    instance: Instance<'a>,
    model: Model,
    frames: [FrameId; 2],
    decision: Decision,
    /// The thread that is missing has returned.
    returned: Option<OpId>,
}

impl Divergence {
    /// Asks about every barrier that waits for a whole block.
    fn find(cx: &Cx<'_>) -> Divergence {
        let mut it = Divergence {
            obligations: Obligations::new(Property::BarrierDivergence),
            findings: Vec::new(),
        };
        let mut barriers = Vec::new();
        cx.kernel.for_each_op(|op, _| {
            if waits_for_block(&cx.kernel[op].kind) {
                barriers.push(op);
            }
            if let OpKind::Opaque(opaque) = &cx.kernel[op].kind
                && opaque.may_synchronize
            {
                let text = format!("`{}` is not modelled and may be a barrier", opaque.name);
                it.obligations.doubt(
                    Reason::new(Code::UnmodelledInstruction, text).at(cx.places.op(cx.kernel, op)),
                );
            }
        });
        for assumption in cx.launch.assumptions(cx.kernel) {
            it.obligations.assume(assumption);
        }
        let outcomes = cx.answers(&barriers, |op| ask_barrier(cx, *op));
        for (op, outcome) in barriers.into_iter().zip(outcomes) {
            it.record(cx, op, outcome);
        }
        it.obligations.all_listed();
        it
    }

    fn record(&mut self, cx: &Cx<'_>, op: OpId, outcome: Outcome<'_>) {
        let obligation = self.obligations.open();
        let place = cx.places.op(cx.kernel, op);
        match outcome {
            Outcome::Together(by) => self.obligations.discharge(obligation, by),
            Outcome::Open(doubt) => {
                let text = format!(
                    "could not tell whether all threads of the block reach this barrier: {}",
                    doubt.why
                );
                self.obligations.give_up(obligation, Reason::new(doubt.code, text).at(place));
            }
            Outcome::Parted(parted) if parted.returned.is_some() => {
                self.findings.push(early_return(cx, op, &parted));
                self.obligations.assume(Assumption::ExitedThreadsNotAwaited);
                self.obligations.discharge(obligation, "returned threads are not waited for");
            }
            Outcome::Parted(mut parted) => {
                let run = Run::of(&mut parted.instance, &parted.model);
                let confirmation = replay(cx, &run, Want::Divergence(op)).confirmation;
                let found = divergence(cx, op, &parted, &run, confirmation.clone());
                let guessed = parted.rests_on_guesses();
                match (confirmation, guessed, Refutation::of(&found)) {
                    (Confirmation::Confirmed, _, Some(refutation))
                    | (_, false, Some(refutation)) => {
                        self.obligations.refute(obligation, refutation);
                        self.findings.push(found);
                    }
                    (confirmation, ..) => {
                        let why = confirmation.reason().unwrap_or("no run shows it");
                        let text = format!(
                            "threads of the block may part at this barrier, through values that are not followed ({why})"
                        );
                        self.obligations
                            .give_up(obligation, Reason::new(Code::Undecided, text).at(place));
                    }
                }
            }
        }
    }
}

impl Parted<'_> {
    fn rests_on_guesses(&self) -> bool {
        self.instance.rests_on_guesses()
    }
}

/// Whether a barrier waits for every thread of the block.
fn waits_for_block(kind: &OpKind) -> bool {
    let OpKind::Barrier(barrier) = kind else { return false };
    match barrier {
        Barrier::Block { .. } | Barrier::Grid => true,
        Barrier::Named { action: BarrierAction::Sync, count, .. } => count.is_none(),
        Barrier::Cluster { action, .. } => *action != ClusterAction::Arrive,
        Barrier::Named { .. } | Barrier::Warp { .. } | Barrier::Mbarrier { .. } => false,
    }
}

fn ask_barrier<'a>(cx: &'a Cx<'_>, op: OpId) -> Outcome<'a> {
    let kernel = cx.kernel;
    let uniformity = &cx.analysis.uniformity;
    let chain = cx.analysis.order.chain(op);
    let mut decisions = Vec::new();
    for (depth, &of) in chain.iter().enumerate() {
        if !uniformity.block_uniform(kernel[of].pred) {
            decisions.push(Decision::Enter(depth));
        }
        if !uniformity.block_uniform(kernel[of].cont) {
            decisions.push(Decision::Continue(depth));
        }
    }
    if !uniformity.block_uniform(kernel[op].pred) {
        decisions.push(Decision::Execute);
    }
    let mut by = "uniform";
    let mut warning = None;
    for decision in decisions {
        match ask_decision(cx, op, decision, cx.launch.barriers) {
            Outcome::Together(method) => by = method,
            found => return found,
        }
        if cx.launch.barriers == BarrierModel::ExitedOk
            && warning.is_none()
            && let Outcome::Parted(mut parted) =
                ask_decision(cx, op, decision, BarrierModel::Strict)
        {
            parted.returned = last_return_before(cx, op);
            if parted.returned.is_some() {
                warning = Some(parted);
            }
        }
    }
    match warning {
        Some(parted) => Outcome::Parted(parted),
        None => Outcome::Together(by),
    }
}

/// Asks for two threads that are in the same iterations and then decide differently, the first of which goes
/// on to execute the barrier.
fn ask_decision<'a>(
    cx: &'a Cx<'_>,
    op: OpId,
    decision: Decision,
    model: BarrierModel,
) -> Outcome<'a> {
    let mut doubt = Doubt::undecided("no answer");
    // Where sizes are open, an index that wraps around 2^32 is not what a person looks for.
    for no_wrap in [false, true] {
        match ask_exactly(cx, op, decision, model, no_wrap) {
            (Answer::Unsat(_), ..) if no_wrap => return Outcome::Together("no wrap-around"),
            (Answer::Unsat(_), ..) => return Outcome::Together("two threads"),
            (Answer::Unknown(why), ..) => doubt = Doubt::of_solver(&why),
            (Answer::Sat(_), ..) if !no_wrap && !cx.launch.closed => {}
            (Answer::Sat(model), instance, frames) => {
                return Outcome::Parted(Box::new(Parted {
                    instance,
                    model,
                    frames,
                    decision,
                    returned: None,
                }));
            }
        }
    }
    Outcome::Open(doubt)
}

fn ask_exactly<'a>(
    cx: &'a Cx<'_>,
    op: OpId,
    decision: Decision,
    model: BarrierModel,
    no_wrap: bool,
) -> (Answer, Instance<'a>, [FrameId; 2]) {
    let kernel = cx.kernel;
    let mut instance = Instance::new(&cx.analysis, Placement::SameBlock, no_wrap);
    let chain = cx.analysis.order.chain(op);
    let together = match decision {
        Decision::Enter(depth) => depth,
        Decision::Continue(depth) => depth + 1,
        Decision::Execute => chain.len(),
    };
    let mut frames = [instance.root(Thread::One), instance.root(Thread::Two)];
    for &of in &chain[..together] {
        let k = instance.iteration_symbol(of, None);
        frames = frames.map(|frame| instance.enter(frame, of, k));
    }
    for frame in frames {
        for (depth, &of) in chain[..together].iter().enumerate() {
            instance.state_in_iteration(frame, together - depth, of);
        }
    }
    let parting = match decision {
        Decision::Enter(depth) => kernel[chain[depth]].pred,
        Decision::Continue(depth) => kernel[chain[depth]].cont,
        Decision::Execute => kernel[op].pred,
    };
    let [goes, stays] = frames.map(|frame| instance.at(frame, parting));
    let stays = instance.pool.not(stays);
    instance.state(goes);
    instance.state(stays);
    // The first thread goes on to execute the barrier, in a later iteration of the loop it continues.
    let mut first = frames[0];
    if let Decision::Continue(depth) = decision {
        let of = chain[depth];
        let outside = instance.outer(first, 1);
        let now = instance.iteration(first, of);
        let later = instance.iteration_symbol(of, Some(Thread::One));
        if let Some(now) = now {
            let after = instance.pool.ult(now, later);
            instance.state(after);
        }
        first = instance.enter(outside, of, later);
    }
    for &of in &chain[together..] {
        let k = instance.iteration_symbol(of, Some(Thread::One));
        first = instance.enter(first, of, k);
    }
    instance.state_executed(op, first);
    instance.state_placement();
    for (frame, other) in [(frames[0], Thread::One), (frames[1], Thread::Two)] {
        let endings = endings_before(&mut instance, op, decision, frame, Ending::Trap);
        for ended in endings {
            let not = instance.pool.not(ended);
            instance.state(not);
        }
        if other == Thread::Two && model == BarrierModel::ExitedOk {
            for ended in endings_before(&mut instance, op, decision, frame, Ending::Return) {
                let not = instance.pool.not(ended);
                instance.state(not);
            }
        }
    }
    let answer = instance.ask(&[], &cx.options.budget);
    (answer, instance, [first, frames[1]])
}

/// For each ending that a thread passes between the last point where it was with the others and the decision:
/// that it took it.
fn endings_before(
    instance: &mut Instance<'_>,
    op: OpId,
    decision: Decision,
    frame: FrameId,
    ending: Ending,
) -> Vec<ExprId> {
    let kernel = instance.analysis.kernel;
    let chain: Vec<LoopId> = instance.analysis.order.chain(op).to_vec();
    let body = |depth: usize| match depth {
        0 => &kernel.body.items,
        _ => &kernel[chain[depth - 1]].body.items,
    };
    let items: &[Item] = match decision {
        Decision::Enter(depth) => {
            let items = body(depth);
            let at = items.iter().position(|it| *it == Item::Loop(chain[depth]));
            &items[..at.unwrap_or(items.len())]
        }
        // A thread that does not continue has run all of the iteration.
        Decision::Continue(depth) => body(depth + 1),
        Decision::Execute => {
            let items = body(chain.len());
            let at = items.iter().position(|it| *it == Item::Op(op));
            &items[..at.unwrap_or(items.len())]
        }
    };
    let mut all = Vec::new();
    endings(instance, items, frame, None, ending, &mut all);
    all
}

fn endings(
    instance: &mut Instance<'_>,
    items: &[Item],
    frame: FrameId,
    given: Option<ExprId>,
    ending: Ending,
    all: &mut Vec<ExprId>,
) {
    let kernel = instance.analysis.kernel;
    for item in items {
        match *item {
            Item::Op(op) if kernel[op].kind == OpKind::Exit(ending) => {
                let mut ended = instance.at(frame, kernel[op].pred);
                if let Some(given) = given {
                    ended = instance.pool.and(given, ended);
                }
                all.push(ended);
            }
            Item::Op(_) => {}
            Item::Loop(inner) if has_ending(kernel, inner, ending) => {
                let entered = instance.at(frame, kernel[inner].pred);
                let given = match given {
                    Some(given) => instance.pool.and(given, entered),
                    None => entered,
                };
                // A thread ends in the last iteration it runs.
                let last = instance.last_iteration(frame, inner);
                let inside = instance.enter(frame, inner, last);
                endings(instance, &kernel[inner].body.items, inside, Some(given), ending, all);
            }
            Item::Loop(_) => {}
        }
    }
}

fn has_ending(kernel: &heddle_ir::Kernel, of: LoopId, ending: Ending) -> bool {
    kernel[of].body.items.iter().any(|item| match *item {
        Item::Op(op) => kernel[op].kind == OpKind::Exit(ending),
        Item::Loop(inner) => has_ending(kernel, inner, ending),
    })
}

/// The return that a missing thread took: the last one before the barrier in the order of the tree.
fn last_return_before(cx: &Cx<'_>, op: OpId) -> Option<OpId> {
    let mut last = None;
    cx.kernel.for_each_op(|it, _| {
        if cx.kernel[it].kind == OpKind::Exit(Ending::Return) && cx.analysis.order.before(it, op) {
            last = Some(it);
        }
    });
    last
}

fn divergence(
    cx: &Cx<'_>,
    op: OpId,
    parted: &Parted<'_>,
    run: &Run,
    confirmation: Confirmation,
) -> Finding {
    let kernel = cx.kernel;
    let mut witness = run.witness(&parted.instance);
    let chain = cx.analysis.order.chain(op);
    let shared = match parted.decision {
        Decision::Enter(depth) => depth,
        Decision::Continue(depth) => depth + 1,
        Decision::Execute => chain.len(),
    };
    witness.iterations =
        iterations(&parted.instance, &parted.model, [chain, &chain[..shared]], parted.frames);
    let [one, two] = witness.threads;
    let (message, missing) = match parted.decision {
        Decision::Execute => (
            "not all threads of the block reach this barrier",
            format!("{two} does not execute it"),
        ),
        Decision::Enter(_) => (
            "not all threads of the block enter the loop around this barrier",
            format!("{two} does not enter the loop"),
        ),
        Decision::Continue(_) => (
            "threads of the block run the loop around this barrier a different number of times",
            format!("{two} has left the loop"),
        ),
    };
    let mut finding = Finding::new(Code::BarrierDivergence, message)
        .kernel(kernel.display_name.as_str())
        .label(cx.places.op(kernel, op), format!("{one} waits here, and {missing}"));
    if let Some((place, text)) = blame(cx, op, parted.decision) {
        finding = finding.secondary(place, text);
    }
    finding
        .help("move the barrier out to where all threads of the block come by, or make the condition the same for all of them")
        .witness(witness, confirmation)
}

/// The leaf that makes the decision differ between threads.
fn blame(cx: &Cx<'_>, op: OpId, decision: Decision) -> Option<(heddle_diagnostics::Place, String)> {
    let kernel = cx.kernel;
    let chain = cx.analysis.order.chain(op);
    let expr = match decision {
        Decision::Enter(depth) => kernel[chain[depth]].pred,
        Decision::Continue(depth) => kernel[chain[depth]].cont,
        Decision::Execute => kernel[op].pred,
    };
    let leaf = cx.analysis.uniformity.variation(expr).because?;
    match kernel[leaf].kind {
        heddle_ir::ExprKind::Result(from, _) => {
            let place = cx.places.op(kernel, from);
            Some((
                place,
                "the condition depends on this value, which may differ by thread".to_owned(),
            ))
        }
        _ => match decision {
            Decision::Enter(depth) | Decision::Continue(depth) => Some((
                cx.places.origin(kernel, kernel[chain[depth]].origin),
                "how often this loop runs depends on the thread".to_owned(),
            )),
            Decision::Execute => None,
        },
    }
}

fn early_return(cx: &Cx<'_>, op: OpId, parted: &Parted<'_>) -> Finding {
    let kernel = cx.kernel;
    let mut finding =
        Finding::new(Code::EarlyReturnBeforeBarrier, "some threads return before this barrier")
            .kernel(kernel.display_name.as_str())
            .label(cx.places.op(kernel, op), "the others wait here");
    if let Some(returned) = parted.returned {
        finding = finding.secondary(cx.places.op(kernel, returned), "a thread may return here");
    }
    finding
        .note("from sm_70 a barrier does not wait for threads that have returned; before that, and in OpenCL, it is undefined")
        .help("keep the threads alive up to the barrier and guard the work instead")
}
