//! Named barriers, barrier objects and cluster barriers of kernels whose warps play different
//! roles.
//!
//! **Misses**: nothing, for the launch it is given: the barriers of a trace that is free of
//! violations are the same in every schedule (Sharma, Bauer and Aiken, PLDI 2015). **False
//! alarms**: none: a refutation is a schedule that was replayed, and shows what it says. Of named
//! barriers each violation has one. **Unknown**: where values that are not known decide whom a
//! thread waits for, with the flag that would supply them; and where the order of a barrier
//! object's phases rests on more than its own arrivals, and no schedule that was tried shows it to
//! be wrong.
//! What an atomic reads is another value in another schedule, and is not known here.
//! **Relies on**: what data passes through shared memory is read after it was written, which the
//! race check of the same trace shows.
//!
//! Method: `drive` runs the warps of a block in the interpreter under the barriers' semantics;
//! `heddle-trace` checks that each generation is ordered after the one before, and finds the races
//! under that order. Blocks that look at their own index for it are run one by one. Where the
//! rounds depend on an argument that nobody gave, `sample` tries small values, and `induction`
//! proves all of them.

mod chart;
mod drive;
mod fault;
mod finding;
mod induction;
mod launch;
mod one_value;
mod position;
mod race;
mod sample;
mod stored;

use heddle_diagnostics::{
    Assumption, Code, Evidence, Findings, Method, Obligations, Property, Reason, Refutation,
    Verdict,
};
use heddle_interp::{Launch, Stop, Unknown};
use heddle_ir::{
    Barrier, BarrierAction, ClusterAction, CrossLaneKind, Kernel, OpId, OpKind, Space, Special,
    Waits,
};

use self::drive::{Outcome, drive};
use crate::checks::exchanges;
use crate::checks::pass::Pass;
use crate::engine::cx::{Cx, Shared};
use crate::engine::premises::Premises;

pub use self::chart::{Cell, Chart, Part, Row, chart};
pub(crate) use self::race::{report as report_races, report_samples};

/// Named barriers, barrier objects and cluster barriers.
#[derive(Debug)]
pub struct NamedBarriers;

impl Pass for NamedBarriers {
    fn property(&self) -> Property {
        Property::NamedBarriers
    }

    fn summary(&self) -> &'static str {
        "named barriers and barrier objects do not deadlock, and no use of one can be taken for another"
    }

    fn codes(&self) -> &'static [Code] {
        &[
            Code::NamedBarrierDeadlock,
            Code::BarrierRecycled,
            Code::BarrierArrivals,
            Code::BarrierPhase,
            Code::PartialWarpBarrier,
        ]
    }

    fn concerns(&self, kernel: &Kernel) -> bool {
        kernel.ops.keys().any(|op| is_concerned(kernel, op))
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        let premises = Premises::of_trace(cx).and(Assumption::InBounds);
        let mut obligations = Obligations::new(self.property(), premises);
        if cx.kernel.ops.values().any(|op| takes_registers(&op.kind)) {
            obligations.assume(Assumption::RegistersGivenBack);
        }
        if cx.options.warp_sync {
            obligations.assume(Assumption::LanesInStep);
        }
        // The trace follows warp barriers itself.
        exchanges::rely_on(cx, &mut obligations, || true);
        let named = cx.shared::<Named>();
        for assumption in &named.assumes {
            obligations.assume(assumption.clone());
        }
        if let Some(stop) = &named.stop {
            obligations.leave_open(stop.clone());
        }
        if named.outcomes.iter().any(|it| it.beside_ended && !it.exited_are_awaited) {
            obligations.assume(Assumption::ExitedThreadsNotAwaited);
        }
        for outcome in &named.outcomes {
            let (findings, unseen): (Vec<_>, Vec<_>) =
                finding::all(cx, outcome).into_iter().partition(finding::is_confirmed);
            let obligation = obligations.open();
            match findings.first().and_then(Refutation::of) {
                Some(refutation) => obligations.refute(obligation, refutation),
                None if outcome.is_clean() => {
                    obligations.discharge(obligation, Evidence::unconditional(Method::Trace))
                }
                None => obligations.give_up(obligation, finding::suspected(unseen.first())),
            }
            out.extend(findings);
            if !outcome.is_clean() {
                break;
            }
        }
        if named.by_place {
            // Who arrives waits at once, and barrier-divergence shows that all come.
            let obligation = obligations.open();
            let relies = [Assumption::UniformBarriers];
            obligations.discharge(obligation, Evidence::new(Method::Uniform, relies));
        }
        if named.stop.is_none() && (named.by_place || !named.outcomes.is_empty()) {
            obligations.all_listed();
        }
        obligations.conclude()
    }
}

/// Whether an operation is one that this pass is about; block barriers alone are not.
fn is_concerned(kernel: &Kernel, op: OpId) -> bool {
    match &kernel[op].kind {
        OpKind::Barrier(Barrier::Named { action, id, count, .. }) => {
            let is_block = *action == BarrierAction::Sync
                && count.is_none()
                && kernel.exprs.as_const(*id) == Some(0);
            !is_block
        }
        OpKind::Barrier(Barrier::Mbarrier { .. }) => true,
        OpKind::Barrier(Barrier::Cluster { action, .. }) => *action != ClusterAction::Sync,
        OpKind::Barrier(Barrier::Block { .. } | Barrier::Warp { .. } | Barrier::Grid)
        | OpKind::Access(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCopy(_)
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_)
        | OpKind::Opaque(_) => false,
    }
}

/// Whether all that this pass is about in a kernel are barriers of its cluster that all threads
/// come to alike.
fn has_cluster_barriers_by_place(cx: &Cx<'_>) -> bool {
    let is_cluster =
        |op: OpId| matches!(cx.kernel[op].kind, OpKind::Barrier(Barrier::Cluster { .. }));
    let concerned = cx.kernel.ops.keys().filter(|op| is_concerned(cx.kernel, *op));
    cx.analysis.order.regular().cluster && concerned.into_iter().all(is_cluster)
}

/// Whether threads may meet at a barrier from different places, or be ordered there through others
/// that do: a warp barrier for a part of a warp, or one that goes by a number.
fn meets_elsewhere(cx: &Cx<'_>, kind: &OpKind) -> bool {
    match kind {
        OpKind::Barrier(Barrier::Warp { mask, orders: _ }) => {
            let whole = cx.kernel.exprs.as_const(*mask) == Some(u128::from(u32::MAX));
            !whole || !cx.analysis.order.regular().warp
        }
        OpKind::Barrier(Barrier::Named { .. }) => !cx.analysis.order.regular().numbered,
        OpKind::Barrier(
            Barrier::Block { .. }
            | Barrier::Cluster { .. }
            | Barrier::Grid
            | Barrier::Mbarrier { .. },
        )
        | OpKind::Access(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCopy(_)
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_)
        | OpKind::Opaque(_) => false,
    }
}

/// Whether an operation chooses a lane, which the hardware is free to do.
fn elects(kind: &OpKind) -> bool {
    matches!(kind, OpKind::CrossLane(exchange) if exchange.kind == CrossLaneKind::Elect)
}

/// Whether a warp waits for registers that others hold (`setmaxnreg.inc`). How many there are is
/// settled when the kernel is built.
fn takes_registers(kind: &OpKind) -> bool {
    kind.effects().waits == Some(Waits::Registers)
}

/// What the trace of a kernel says; worked out once, for this pass and for the race passes.
#[derive(Debug, Default)]
pub struct Named {
    outcomes: Vec<Outcome>,
    /// Runs without fault for some values of arguments that nobody gave: their races are races, and
    /// they prove nothing.
    samples: Vec<Outcome>,
    stop: Option<Reason>,
    concerned: bool,
    /// What the runs take for granted of an argument.
    assumes: Vec<Assumption>,
    /// All blocks of the launch ran together.
    whole_grid: bool,
    /// All that the kernel has are barriers of its cluster that count by their place, as those of a
    /// block do: no run is needed where the launch is not known.
    by_place: bool,
}

/// Blocks that are run one by one at most, where their index matters.
const BLOCKS: u64 = 64;

impl Shared for Named {
    /// Runs the kernel, if it is one that this is about, or if some of its barriers may order by
    /// more than their place.
    fn find(cx: &Cx<'_>) -> Named {
        if NamedBarriers.concerns(cx.kernel) {
            let by_place = has_cluster_barriers_by_place(cx);
            if !by_place || launch::is_of_one_cluster(cx) {
                let named = Named::of_launch(cx);
                let is_wrong = named.outcomes.iter().any(|it| !it.is_clean());
                if !by_place || named.orders() || is_wrong {
                    return named;
                }
            }
            return Named { by_place, ..Named::default() };
        }
        if cx.kernel.ops.values().any(|op| meets_elsewhere(cx, &op.kind)) {
            // The other passes do without it where the run does not come to a good end.
            let named = Named::of_launch(cx);
            if named.orders() {
                return named;
            }
        }
        Named::default()
    }
}

impl Named {
    /// That all runs go as the trace does, with what that takes for granted.
    pub(crate) fn evidence(&self) -> Evidence {
        Evidence::new(Method::Trace, self.assumes.iter().cloned())
    }

    /// Whether the barriers are right even if a thread that has ended is waited for.
    pub(crate) fn waits_for_ended(&self, cx: &Cx<'_>) -> bool {
        let Ok(mut launch) = launch::concrete(cx, None) else { return false };
        launch.barriers = heddle_interp::BarrierModel::Strict;
        let steps = cx.allowed(drive::STEPS);
        self.orders()
            && self.outcomes.iter().all(|outcome| {
                let again = drive(cx.kernel, &launch, &outcome.blocks, cx.options.warp_sync, steps);
                again.is_ok_and(|it| it.is_clean())
            })
    }

    fn of_launch(cx: &Cx<'_>) -> Named {
        let mut named = Named { concerned: true, ..Named::default() };
        if cx.kernel.ops.values().any(|op| elects(&op.kind)) {
            named.assumes.push(Assumption::LowestLaneElected);
        }
        named.assumes.extend(cx.launch.without_offset(cx.kernel));
        match launch::concrete(cx, None) {
            Ok(launch) => named.run(cx, &launch),
            Err(reason) => named.try_sizes(cx, *reason),
        }
    }

    /// Tries some sizes of a block, where nobody gives one: the first whose barriers are right
    /// shows its races. Where they are right for none, the kernel is wrong. That is all that is
    /// learned.
    fn try_sizes(self, cx: &Cx<'_>, reason: Reason) -> Named {
        let mut wrong = None;
        let may_refute = sample::may_be_any(cx);
        for size in launch::sizes(cx).into_iter().filter(|_| may_refute) {
            let Ok(launch) = launch::concrete(cx, Some(size)) else { continue };
            let tried = Named { concerned: true, ..Named::default() }.run(cx, &launch);
            if tried.outcomes.iter().any(|it| !it.is_clean()) {
                wrong = wrong.or(Some(tried));
                continue;
            }
            let samples: Vec<_> = tried.outcomes.into_iter().chain(tried.samples).collect();
            if !samples.is_empty() {
                return Named { samples, stop: Some(reason), ..self };
            }
        }
        match wrong {
            Some(wrong) => Named { outcomes: wrong.outcomes, ..self },
            None => Named { stop: Some(reason), ..self },
        }
    }

    fn run(mut self, cx: &Cx<'_>, launch: &Launch) -> Named {
        self.follow(cx, launch);
        // Such a run shows a race, and nothing else.
        let is_whole = |it: &Outcome| it.overwritten.is_none();
        let (whole, rest): (Vec<_>, Vec<_>) = self.outcomes.into_iter().partition(is_whole);
        if let Some(stop) = rest.first().and_then(|it| it.overwritten.as_ref()) {
            self.stop = Some(finding::stopped(cx, stop));
        }
        self.outcomes = whole;
        self.samples.extend(rest);
        if self.orders() {
            sample::past_guards(cx, launch, &mut self);
        }
        self
    }

    fn follow(&mut self, cx: &Cx<'_>, launch: &Launch) {
        let named = self;
        let in_step = cx.options.warp_sync;
        if launch::lacks_cluster(cx, launch) {
            let text = "kernels whose blocks wait for their cluster are checked for a known cluster size; give `--cluster …`";
            named.stop = Some(Reason::new(Code::Undecided, text));
            return;
        }
        let cluster = launch::cluster(cx, launch);
        if !cluster.is_empty() && launch.shape.grid != launch.shape.cluster {
            let text = "kernels whose blocks wait for their cluster are checked for a grid of one cluster; give `--grid …`";
            named.stop = Some(Reason::new(Code::Undecided, text));
            return;
        }
        let steps = cx.allowed(drive::STEPS);
        let first = match cluster.len() {
            0 => drive(cx.kernel, launch, &[launch::only_block(launch)], in_step, steps),
            _ => drive(cx.kernel, launch, &cluster, in_step, steps),
        };
        named.whole_grid = !cluster.is_empty() && !launch::has_block_scope(cx);
        let stop = match first {
            Ok(outcome) => {
                named.outcomes.push(outcome);
                return;
            }
            Err(stop @ Stop::Unknown { origin: Unknown::Param(_), .. }) if cluster.is_empty() => {
                let block = launch::only_block(launch);
                match sample::sample(cx, launch, block, &stop, named) {
                    Some(stop) => stop,
                    None => return,
                }
            }
            Err(stop) => stop,
        };
        let by_block =
            matches!(stop, Stop::Unknown { origin: Unknown::Special(Special::Ctaid(_)), .. });
        let few = cluster.is_empty()
            && launch
                .shape
                .grid
                .iter()
                .try_fold(1, |all: u64, it| all.checked_mul(u64::from(*it)))
                .is_some_and(|all| all <= BLOCKS);
        if !(by_block && few) {
            named.stop = Some(finding::stopped(cx, &stop));
            return;
        }
        named.stop = None;
        for block in launch::blocks(launch) {
            match drive(cx.kernel, launch, &[Some(block)], in_step, steps) {
                Ok(outcome) => named.outcomes.push(outcome),
                Err(stop @ Stop::Unknown { origin: Unknown::Param(_), .. }) => {
                    sample::sample(cx, launch, Some(block), &stop, named);
                }
                Err(stop) => named.stop = Some(finding::stopped(cx, &stop)),
            }
            let is_right = named.outcomes.last().is_some_and(Outcome::is_clean);
            if named.stop.is_some() || !is_right {
                break;
            }
        }
    }

    /// Why nothing can be said of the order of accesses: a barrier is wrong, and the finding of
    /// that says all.
    pub(crate) fn wrong(&self, cx: &Cx<'_>) -> Option<Reason> {
        let outcome = self.outcomes.iter().find(|it| !it.is_clean())?;
        let finding = finding::all(cx, outcome).into_iter().next()?;
        let text = "a barrier is wrong, so that the order of accesses is not settled";
        let reason = Reason::new(finding.code, text);
        Some(match finding.place() {
            Some(place) => reason.at(place.clone()),
            None => reason,
        })
    }

    /// Whether the order of the kernel's threads is known for all schedules.
    pub(crate) fn orders(&self) -> bool {
        self.concerned
            && self.stop.is_none()
            && !self.outcomes.is_empty()
            && self.outcomes.iter().all(Outcome::is_clean)
    }

    /// Whether the trace also has the order between blocks.
    pub(crate) fn speaks_for_grid(&self) -> bool {
        self.whole_grid && !self.outcomes.is_empty()
    }

    /// Whether the trace has all of what an access does: then the races of it with others of which
    /// that holds are known, within a block.
    pub(crate) fn covers(&self, op: OpId) -> bool {
        let blurred = self.outcomes.iter().any(|it| it.blurred.contains_key(&op));
        self.orders() && !blurred
    }

    /// Whether a run got to its end, right or wrong.
    pub(crate) fn is_settled(&self) -> bool {
        self.orders() || self.outcomes.iter().any(|it| !it.is_clean())
    }

    /// Whether there is nothing left to ask of an access within a block.
    pub(crate) fn settles(&self, op: OpId) -> bool {
        self.covers(op) || self.outcomes.iter().any(|it| !it.is_clean())
    }

    /// Whether the trace has all that a kernel does to shared memory, so that nothing there is left
    /// to ask.
    pub(crate) fn covers_all_shared(&self, kernel: &Kernel) -> bool {
        let is_shared = |op: OpId| {
            kernel.access(op).is_some_and(|access| match kernel[access.address.object].space {
                Space::Shared | Space::Generic => true,
                Space::Global | Space::Constant | Space::Local => false,
            })
        };
        self.orders() && kernel.ops.keys().filter(|op| is_shared(*op)).all(|op| self.covers(op))
    }
}
