//! Barrier divergence: each barrier is reached by all threads that it waits for or by none, per
//! loop iteration.
//!
//! **What**: a block barrier is reached by all threads of the block; a grid barrier by all threads
//! of all blocks; a cluster barrier by all threads of the cluster's blocks.
//! **Method**: the first place where two threads part is one of few (`engine/parting.rs`). A
//! decision that is uniform cannot part them; for the others the solver is asked for two threads:
//! of one block, and where the barrier waits for other blocks, of two. Under
//! [`BarrierModel::ExitedOk`] a thread that has returned parts from nobody at a barrier of the
//! block or the cluster; where that alone saves the barrier, the early return is reported as a
//! warning (HD0203). A grid barrier counts the threads that the launch has: whoever returned is
//! missed there.
//! **Sound because**: threads that agree pairwise on every decision execute the same instances.
//! Barriers by number that are met at different places are left to the trace of the block's warps
//! ([`crate::checks::named_barriers`]).
//! **Misses**: barriers of parts of a block (named barriers with a count, barrier objects), which
//! are another pass's; lanes that wait for lanes in a kernel without a block barrier.
//! **False alarms**: a condition that is uniform for a reason outside the kernel, or through memory
//! that changes; the replay does not show these, and the answer is `unknown`.
//! **Assumes**: loads behave as the race checks demand ([`crate::facts::uniformity`]); what the
//! answer names.

use heddle_diagnostics::{
    Assumption, Code, Evidence, Finding, Findings, Method, Obligations, Property, Reason, Verdict,
};
use heddle_ir::{Barrier, Ending, OpId, OpKind, Waits};
use heddle_solver::Model;

use crate::checks::exchanges;
use crate::checks::named_barriers::Named;
use crate::checks::pass::Pass;
use crate::engine::answer::UnknownReason;
use crate::engine::cx::Cx;
use crate::engine::instance::{FrameId, Instance, Placement};
use crate::engine::not_modelled;
use crate::engine::parting::{Decision, Returned, agreed, ends_in_the_middle, state_parting};
use crate::engine::premises::Premises;
use crate::engine::replay::Want;
use crate::engine::settle::{Failing, Seek, Settled, settle};
use crate::engine::shown::{Shown, show};
use crate::engine::witness::iterations;
use crate::facts::journal::Note;
use crate::facts::launch::BarrierModel;
use crate::facts::order::{implies, waits_for_block};
use crate::facts::uniformity::Varies;

/// The pass.
#[derive(Debug)]
pub(crate) struct BarrierDivergence;

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

enum Outcome<'a> {
    Together(Evidence),
    /// Threads part only by returning, and the barrier does not wait for those that returned.
    Excused(Box<Parted<'a>>, Evidence),
    Parted(Box<Parted<'a>>),
    Open(UnknownReason),
}

struct Parted<'a> {
    instance: Instance<'a>,
    model: Model,
    frames: [FrameId; 2],
    decision: Decision,
    /// Whether the two threads are of one block.
    placement: Placement,
    /// The thread that is missing has returned.
    returned: Option<OpId>,
}

/// Which two threads are asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    placement: Placement,
    returned: Returned,
}

impl Divergence {
    /// Asks about every barrier that waits for a whole block.
    fn find(cx: &Cx<'_>) -> Divergence {
        let mut it = Divergence {
            obligations: Obligations::new(Property::BarrierDivergence, Premises::of_control(cx)),
            findings: Vec::new(),
        };
        let mut barriers = Vec::new();
        cx.kernel.for_each_op(|op, _| {
            if waits_for_block(&cx.kernel[op].kind) {
                barriers.push(op);
            }
            let effects = cx.kernel[op].kind.effects();
            if let (Some(Waits::NotModelled), Some(name)) = (effects.waits, effects.not_modelled) {
                let at = cx.places.op(cx.kernel, op);
                it.obligations.leave_open(not_modelled::reason(name, "be a barrier", at));
            }
        });
        it.doubt_ends(cx, &barriers);
        if !barriers.is_empty() {
            exchanges::rely_on(cx, &mut it.obligations, || cx.shared::<Named>().orders());
        }
        let outcomes = cx.answers("barriers", &barriers, |op| vec![*op], |op| ask_barrier(cx, *op));
        let parting: Vec<OpId> = (barriers.iter().zip(&outcomes))
            .filter(|(_, outcome)| matches!(outcome, Outcome::Parted(_)))
            .map(|(op, _)| *op)
            .collect();
        for (op, outcome) in barriers.into_iter().zip(outcomes) {
            it.record(cx, op, outcome, &parting);
        }
        it.obligations.all_listed();
        it
    }

    /// Threads may end in the middle of the text (`exit` in inline PTX) while the predicates of
    /// later barriers still hold. Where such a barrier waits for all threads the answer is open;
    /// where it does not wait for those that have ended, the answer names that assumption.
    fn doubt_ends(&mut self, cx: &Cx<'_>, barriers: &[OpId]) {
        let ends = ends_in_the_middle(cx.kernel, barriers);
        let Some(end) = ends.first() else { return };
        let is_awaited = |op: &OpId| {
            cx.kernel[*op].kind == OpKind::Barrier(Barrier::Grid)
                || excused(cx, *op) == Returned::Awaited
        };
        if barriers.iter().any(is_awaited) {
            let text = "a thread may end here, and then does not come to a later barrier that waits for it";
            let at = cx.places.op(cx.kernel, *end);
            self.obligations.leave_open(Reason::new(Code::Undecided, text).at(at));
        } else {
            self.obligations.assume(Assumption::ExitedThreadsNotAwaited);
        }
    }

    /// `parting` are the barriers at which threads part.
    fn record(&mut self, cx: &Cx<'_>, op: OpId, outcome: Outcome<'_>, parting: &[OpId]) {
        let obligation = self.obligations.open();
        let place = cx.places.op(cx.kernel, op);
        match outcome {
            Outcome::Together(by) => self.obligations.discharge(obligation, by),
            Outcome::Open(why) => {
                let text = format!(
                    "could not tell whether all threads of the block reach this barrier: {}",
                    why.why
                );
                self.obligations.give_up(obligation, Reason::new(why.code, text).at(place));
            }
            Outcome::Excused(parted, evidence) => {
                // Who has to pass such a barrier first hangs there.
                let hangs = |at: &OpId, returned: OpId| {
                    let [guard, pred] = [returned, *at].map(|it| cx.kernel[it].pred);
                    cx.analysis.order.before(*at, returned) && implies(cx.kernel, guard, pred)
                };
                let returns =
                    parted.returned.is_none_or(|it| !parting.iter().any(|at| hangs(at, it)));
                self.findings.extend(returns.then(|| early_return(cx, op, &parted)));
                self.obligations.discharge(obligation, evidence);
            }
            Outcome::Parted(_)
                if goes_by_number(cx, op) && cx.shared::<Named>().wrong(cx).is_some() =>
            {
                let text = "threads meet at barriers by their number, and a barrier is wrong";
                let told = cx.shared::<Named>().wrong(cx);
                let reason = told.unwrap_or(Reason::new(Code::Undecided, text));
                self.obligations.give_up(obligation, reason);
            }
            Outcome::Parted(mut parted) => {
                let model = parted.model.clone();
                let shown = show(cx, &mut parted.instance, model, Want::Divergence(op));
                let told = divergence(cx, op, &parted, &shown);
                let reason = |why: &str, through: &str| {
                    let text = format!(
                        "threads of the block may part at this barrier{through}; the run that was tried does not show it ({why})"
                    );
                    Reason::new(Code::Undecided, text).at(place)
                };
                let told = shown.close(&mut self.obligations, obligation, told, reason);
                self.findings.extend(told);
            }
        }
    }
}

impl Parted<'_> {
    fn rests_on_guesses(&self) -> bool {
        self.instance.rests_on_guesses()
    }

    fn has_large_numbers(&self) -> bool {
        self.instance.has_large_parameter(&self.model)
    }
}

/// Whether a barrier goes by its number, so that threads may meet there from different places.
fn goes_by_number(cx: &Cx<'_>, op: OpId) -> bool {
    matches!(cx.kernel[op].kind, OpKind::Barrier(Barrier::Named { .. }))
}

/// Why it is not known that each grid barrier is reached by all blocks or by none.
pub(crate) fn grid_barrier_in_doubt(cx: &Cx<'_>) -> Option<Reason> {
    let is_grid = |op: &OpId| matches!(cx.kernel[*op].kind, OpKind::Barrier(Barrier::Grid));
    cx.kernel.ops.keys().filter(is_grid).find_map(|op| {
        let code = match ask_barrier(cx, op) {
            Outcome::Together(_) | Outcome::Excused(..) => return None,
            Outcome::Parted(parted) if !parted.rests_on_guesses() => Code::BarrierDivergence,
            Outcome::Parted(_) | Outcome::Open(_) => Code::Undecided,
        };
        let text = "blocks may wait here for others that do not come (barrier-divergence)";
        Some(Reason::new(code, text).at(cx.places.op(cx.kernel, op)))
    })
}

/// What a barrier waits for beyond the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    Block,
    /// The blocks of a cluster.
    Cluster,
    Grid,
}

impl Reach {
    fn of(cx: &Cx<'_>, op: OpId) -> Reach {
        let several = cx.launch.grid.iter().any(|size| size.known() != Some(1));
        match cx.kernel[op].kind.effects().waits {
            Some(Waits::Grid) if several => Reach::Grid,
            Some(Waits::Cluster) if several => match cx.kernel.launch.cluster {
                Some([1, 1, 1]) => Reach::Block,
                Some(_) | None => Reach::Cluster,
            },
            Some(
                Waits::Grid
                | Waits::Cluster
                | Waits::Block
                | Waits::Counted
                | Waits::Lanes
                | Waits::Phase
                | Waits::OwnCopies
                | Waits::Registers
                | Waits::NotModelled,
            )
            | None => Reach::Block,
        }
    }
}

fn ask_barrier<'a>(cx: &'a Cx<'_>, op: OpId) -> Outcome<'a> {
    if goes_by_number(cx, op)
        && !cx.analysis.order.regular().numbered
        && cx.shared::<Named>().waits_for_ended(cx)
    {
        return Outcome::Together(cx.shared::<Named>().evidence());
    }
    let within = match ask_within(cx, op) {
        Outcome::Parted(parted) => return Outcome::Parted(parted),
        Outcome::Open(why) => return Outcome::Open(why),
        Outcome::Together(by) => (None, by),
        Outcome::Excused(parted, by) => (Some(parted), by),
    };
    match (ask_across(cx, op), within) {
        (Outcome::Together(across), (None, within)) => Outcome::Together(within.and(&across)),
        (Outcome::Together(across), (Some(parted), within)) => {
            Outcome::Excused(parted, within.and(&across))
        }
        (found, _) => found,
    }
}

/// Asks about threads of different blocks, where the barrier waits for these too.
fn ask_across<'a>(cx: &'a Cx<'_>, op: OpId) -> Outcome<'a> {
    let (returned, placement) = match Reach::of(cx, op) {
        Reach::Block => return Outcome::Together(Evidence::unconditional(Method::Uniform)),
        Reach::Cluster => (excused(cx, op), Placement::SameCluster),
        Reach::Grid => (Returned::Awaited, Placement::DifferentBlocks),
    };
    let is_open = placement == Placement::SameCluster && cx.kernel.launch.cluster.is_none();
    let asked = Asked { placement, returned };
    let uniformity = &cx.analysis.uniformity;
    let agree = |id| uniformity.variation(id).varies == Varies::Never;
    let mut by = on_the_way(cx, op);
    let open = Decision::open(&cx.analysis, op, agree);
    if returned == Returned::Excused && !open.is_empty() {
        by = by.and(&Evidence::new(Method::Uniform, [Assumption::ExitedThreadsNotAwaited]));
    }
    for decision in open {
        match ask_decision(cx, op, decision, asked) {
            Outcome::Together(evidence) => by = evidence.and(&by),
            Outcome::Parted(_) if is_open => {
                let why = "whether blocks are of one cluster is not known; give `__cluster_dims__`";
                return Outcome::Open(UnknownReason::undecided(why));
            }
            found @ (Outcome::Excused(..) | Outcome::Parted(_) | Outcome::Open(_)) => {
                return found;
            }
        }
    }
    Outcome::Together(by)
}

/// Asks about threads of one block.
fn ask_within<'a>(cx: &'a Cx<'_>, op: OpId) -> Outcome<'a> {
    let returned = excused(cx, op);
    let asked = Asked { placement: Placement::SameBlock, returned };
    let uniformity = &cx.analysis.uniformity;
    let mut by = on_the_way(cx, op);
    let (mut warning, mut far) = (None, None);
    for decision in Decision::open(&cx.analysis, op, |id| uniformity.block_uniform(id)) {
        match ask_decision(cx, op, decision, asked) {
            Outcome::Together(evidence) => by = evidence.and(&by),
            // A run with numbers of every day may show another decision, and be replayed.
            Outcome::Parted(parted) if parted.has_large_numbers() && far.is_none() => {
                far = Some(parted);
                continue;
            }
            Outcome::Parted(parted) => return Outcome::Parted(parted),
            found @ (Outcome::Excused(..) | Outcome::Open(_)) => {
                return far.map_or(found, Outcome::Parted);
            }
        }
        let strict = Asked { returned: Returned::Awaited, ..asked };
        if returned == Returned::Excused
            && warning.is_none()
            && let Outcome::Parted(mut parted) = ask_decision(cx, op, decision, strict)
        {
            parted.returned = return_of(cx, op);
            if parted.returned.is_some() {
                warning = Some(parted);
            }
        }
    }
    if let Some(parted) = far {
        return Outcome::Parted(parted);
    }
    match warning {
        // A lane on its way to its return may wait for lanes that wait here.
        Some(_) if !cx.analysis.order.regular().warp && !cx.shared::<Named>().orders() => {
            let why = "a thread returns, but may wait for other lanes of its warp before that";
            Outcome::Open(UnknownReason::undecided(why))
        }
        Some(parted) => {
            let relies = [Assumption::ExitedThreadsNotAwaited];
            let returned = Evidence::new(Method::ReturnedExcused, relies);
            Outcome::Excused(parted, returned.and(&by))
        }
        None => Outcome::Together(by),
    }
}

/// That decisions on the way to a barrier are the same for all threads.
fn on_the_way(cx: &Cx<'_>, op: OpId) -> Evidence {
    let text = "decisions on the way that no value tells apart are uniform";
    cx.analysis.journal.note(|| Note::Text(text.to_owned()));
    agreed(&cx.analysis, op, [])
}

/// Whether a barrier does without threads that returned. A grid barrier does not: it counts the
/// threads of the launch.
fn excused(cx: &Cx<'_>, op: OpId) -> Returned {
    let counts_all = matches!(cx.kernel[op].kind, OpKind::Barrier(Barrier::Grid));
    match cx.launch.barriers {
        BarrierModel::ExitedOk if !counts_all => Returned::Excused,
        BarrierModel::ExitedOk | BarrierModel::Strict => Returned::Awaited,
    }
}

/// Asks for two threads that are in the same iterations and then decide differently, the first of
/// which goes on to execute the barrier.
fn ask_decision<'a>(cx: &'a Cx<'_>, op: OpId, decision: Decision, asked: Asked) -> Outcome<'a> {
    let Asked { placement, returned } = asked;
    let budget = &cx.options.budget;
    cx.analysis.journal.note(|| Note::Text(decision.words().to_owned()));
    let settled = settle(&cx.analysis, placement, Seek::Run, budget, |instance| {
        state_parting(instance, op, decision, returned)
    });
    match settled {
        Settled::Holds(held) => Outcome::Together(held.evidence_by(Method::TwoThreads)),
        Settled::Open(why) => Outcome::Open(why),
        Settled::Fails(failing) => {
            let Failing { instance, model, made: frames } = *failing;
            let parted = Parted { instance, model, frames, decision, placement, returned: None };
            Outcome::Parted(Box::new(parted))
        }
    }
}

/// The return that a missing thread may have taken: the last one before the barrier in the order of
/// the tree, or the first one after it.
fn return_of(cx: &Cx<'_>, op: OpId) -> Option<OpId> {
    let (mut before, mut after) = (None, None);
    cx.kernel.for_each_op(|it, _| {
        if cx.kernel[it].kind == OpKind::Exit(Ending::Return) {
            match cx.analysis.order.before(it, op) {
                true => before = Some(it),
                false => after = after.or(Some(it)),
            }
        }
    });
    before.or(after)
}

fn divergence(cx: &Cx<'_>, op: OpId, parted: &Parted<'_>, shown: &Shown) -> Finding {
    let kernel = cx.kernel;
    let mut witness = shown.run.witness(&parted.instance);
    let chain = cx.analysis.order.chain(op);
    let shared = parted.decision.together(&cx.analysis, op);
    witness.iterations =
        iterations(&parted.instance, &shown.model, [chain, &chain[..shared]], parted.frames);
    let [one, two] = witness.threads;
    let whole = match (parted.placement, Reach::of(cx, op)) {
        (Placement::SameCluster, _) => "the cluster",
        (Placement::DifferentBlocks | Placement::DifferentClusters, _) => "the grid",
        (
            Placement::SameBlock
            | Placement::SameWarp
            | Placement::SameThread
            | Placement::DifferentWarps,
            _,
        ) => "the block",
    };
    let (message, missing) = match parted.decision {
        Decision::Execute => (
            format!("not all threads of {whole} reach this barrier"),
            format!("{two} does not execute it"),
        ),
        Decision::Enter(_) => (
            format!("not all threads of {whole} enter the loop around this barrier"),
            format!("{two} does not enter the loop"),
        ),
        Decision::Continue(_) => (
            format!(
                "threads of {whole} run the loop around this barrier a different number of times"
            ),
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
        .help(format!("move the barrier out to where all threads of {whole} come by, or make the condition the same for all of them"))
        .witness(witness, shown.confirmation.clone())
}

/// The leaf that makes the decision differ between threads.
fn blame(cx: &Cx<'_>, op: OpId, decision: Decision) -> Option<(heddle_diagnostics::Place, String)> {
    let kernel = cx.kernel;
    let chain = cx.analysis.order.chain(op);
    let expr = decision.condition(&cx.analysis, op);
    let leaf = cx.analysis.uniformity.variation(expr).because?;
    if let heddle_ir::ExprKind::Result(from, _) = kernel[leaf].kind {
        let place = cx.places.op(kernel, from);
        let why = "the condition depends on this value, which may differ by thread";
        return Some((place, why.to_owned()));
    }
    match decision {
        Decision::Enter(depth) | Decision::Continue(depth) => Some((
            cx.places.origin(kernel, kernel[chain[depth]].origin),
            "how often this loop runs depends on the thread".to_owned(),
        )),
        Decision::Execute => None,
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
