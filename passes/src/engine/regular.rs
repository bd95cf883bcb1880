//! Which barriers are met where they stand: by all threads that they wait for, at one place in the
//! text.
//!
//! The same goes for block barriers and returns: a thread that leaves a loop with barriers and
//! returns afterwards is excused by the barriers, but what it does between is done while the others
//! are still in the loop, although it stands after the loop. Kernels with such threads are not
//! *timely*.
//!
//! **What**: a warp barrier waits for the lanes of its mask that execute one with the same mask,
//! and `bar.sync ID` for the threads at the same number, wherever these stand. Program order
//! ([`crate::facts::order`]) goes by places. It may count such barriers only if each is executed by
//! all threads that it waits for, in the same iterations and with the same operand.
//! **Method**: for each barrier, the decisions on the way to it that are not uniform are asked of
//! two threads ([`super::parting`]), the second named by the first one's mask, which it is in a
//! ballot only if it voted for it; then whether their masks can differ. For block barriers only
//! returns that stand before the decision count as an excuse.
//! **Sound because**: if every barrier of a kind is met where it stands, all threads that wait for
//! each other pass the same sequence of instances, so that the n-th of one meets the n-th of the
//! other. If one is not, none of the kind counts, because a barrier elsewhere may take part in any
//! of them.
//! **Misses**: what the solver cannot tell counts as irregular. Order through a third lane, and
//! barriers that meet from different places, are left to the trace of the block's warps
//! (the check of named barriers).
//! **Assumes**: a lane executes warp barriers only with masks that name it (else the program is
//! undefined).

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{
    Barrier, BinOp, CastOp, CrossLane, CrossLaneKind, Ending, ExprId, ExprKind, Kernel, OpId,
    OpKind, Waits,
};
use heddle_solver::Budget;

use super::grid_barriers::grid_barriers;
use super::instance::{FrameId, Instance, Placement, WrapAround};
use super::parting::{Decision, Returned, state_parting, state_together};
use crate::facts::analysis::Analysis;
use crate::facts::launch::BarrierModel;
use crate::facts::order::{Regular, barrier_of, may_return, waits_for_block};
use crate::facts::thread::Thread;
use crate::facts::uniformity::Varies;

/// What is, as far as it can be told.
pub(super) fn regular(analysis: &Analysis<'_>) -> Regular {
    let mut it = Regular::possible(analysis.kernel);
    let excuses = analysis.launch.barriers == BarrierModel::ExitedOk;
    let may_leave = excuses && may_return(analysis.kernel);
    for (op, kind) in analysis.kernel.ops.iter().map(|(op, it)| (op, &it.kind)) {
        match barrier_of(kind) {
            Some(Barrier::Warp { mask, orders: _ }) if it.warp => {
                let held = warp_is_met(analysis, op, *mask);
                it.warp = held.is_some();
                it.relies.extend(held.into_iter().flatten());
            }
            Some(Barrier::Named { id, .. }) if it.numbered => {
                let held = number_is_met(analysis, op, *id);
                it.numbered = held.is_some();
                it.relies.extend(held.into_iter().flatten());
            }
            Some(
                Barrier::Warp { .. }
                | Barrier::Named { .. }
                | Barrier::Block { .. }
                | Barrier::Cluster { .. }
                | Barrier::Grid
                | Barrier::Mbarrier { .. },
            )
            | None => {}
        }
        if may_leave && it.timely && waits_for_block(kind) {
            let held = block_is_met(analysis, op);
            it.timely = held.is_some();
            it.relies.extend(held.into_iter().flatten());
        }
    }
    it.cluster &= cluster_is_met(analysis);
    it.grid = grid_barriers(analysis);
    it
}

/// Whether no thread may have returned where others are at the barrier of their cluster: then all
/// of the cluster execute the same instances of it, as barrier-divergence shows. Where the kernel
/// has returns that threads do not take alike, each barrier must be one that the whole grid comes
/// to alike, before all of these.
fn cluster_is_met(analysis: &Analysis<'_>) -> bool {
    let Analysis { kernel, order, uniformity, .. } = analysis;
    let alike = |op: OpId| {
        let around = order.chain(op).iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
        let mut conditions = around.chain([kernel[op].pred]);
        conditions.all(|id| uniformity.variation(id).varies == Varies::Never)
    };
    let is_return = |op: &OpId| kernel[*op].kind.effects().ends == Some(Ending::Return);
    let returns: Vec<OpId> = kernel.ops.keys().filter(is_return).filter(|op| !alike(*op)).collect();
    let is_barrier =
        |op: &OpId| matches!(barrier_of(&kernel[*op].kind), Some(Barrier::Cluster { .. }));
    returns.is_empty()
        || kernel.ops.keys().filter(is_barrier).all(|barrier| {
            let looped = |it: OpId| {
                let around = order.chain(it).first();
                around.is_some() && around == order.chain(barrier).first()
            };
            alike(barrier) && !returns.iter().any(|it| order.before(*it, barrier) || looped(*it))
        })
}

/// What one question may cost. Only a proof counts, so no instances are tried.
fn budget() -> Budget {
    Budget { instances: 0, conflicts: 4_000, ..Budget::default() }
}

/// What was taken for granted, where it holds.
type Met = Option<BTreeSet<Assumption>>;

fn warp_is_met(analysis: &Analysis<'_>, op: OpId, mask: ExprId) -> Met {
    analysis.launch.warp_size?;
    let mut met = lanes_are_met(analysis, op, mask)?;
    // The mask is of lanes that gave it to each other in the same rounds.
    if let Some((of, lanes)) = exchange_of(analysis.kernel, mask) {
        match lanes.mask {
            Some(named) => met.extend(exchange_is_met(analysis, of, Some(named))?),
            None if analysis.order.chain(of).is_empty() => {}
            None => return None,
        }
    }
    Some(met)
}

/// The exchange of lanes whose result a mask is.
fn exchange_of(kernel: &Kernel, mask: ExprId) -> Option<(OpId, &CrossLane)> {
    let ExprKind::Result(of, 0) = kernel[mask].kind else { return None };
    let OpKind::CrossLane(lanes) = &kernel[of].kind else { return None };
    Some((of, lanes))
}

/// Whether each lane that a mask names comes to where lanes wait for each other, with one mask.
fn lanes_are_met(analysis: &Analysis<'_>, op: OpId, mask: ExprId) -> Met {
    let kernel = analysis.kernel;
    let one_value = |id| analysis.uniformity.variation(id).varies <= Varies::ByWarp;
    let of_mask = exchange_of(kernel, mask);
    let mut met = never(analysis, op, Placement::SameWarp, one_value, |instance, decision| {
        let [first, second] = state_parting(instance, op, decision, Returned::ExcusedBefore);
        state_named(instance, first, mask);
        // The lanes that are active somewhere, or whose predicate holds in a ballot, are there.
        let together = decision.together(analysis, op);
        if let Some((of, lanes)) = of_mask
            && matches!(lanes.kind, CrossLaneKind::ActiveMask | CrossLaneKind::Ballot)
            && analysis.order.chain(op)[..together].starts_with(analysis.order.chain(of))
        {
            let there = instance.outer(second, together - analysis.order.chain(of).len());
            for holds in std::iter::once(kernel[of].pred).chain(lanes.args.iter().copied()) {
                let holds = instance.at(there, holds);
                instance.state(holds);
            }
        }
    })?;
    // Lanes that match each other, or are active together, have one mask.
    let one_mask = of_mask.is_some_and(|(_, lanes)| {
        matches!(lanes.kind, CrossLaneKind::MatchAny | CrossLaneKind::ActiveMask)
    });
    if !one_mask && !one_value(mask) {
        met.extend(masks_agree(analysis, op, mask)?);
    }
    Some(met)
}
/// Whether lanes that execute the barrier together, the second named by the first one's mask, have
/// one mask.
fn masks_agree(analysis: &Analysis<'_>, op: OpId, mask: ExprId) -> Met {
    let mut instance = Instance::new(analysis, Placement::SameWarp, WrapAround::Happens);
    let frames = state_together(&mut instance, analysis.order.chain(op));
    for frame in frames {
        instance.state_executed(op, frame);
    }
    instance.state_placement();
    state_named(&mut instance, frames[0], mask);
    let [one, two] = frames.map(|frame| instance.at(frame, mask));
    let differ = instance.pool.ne(one, two);
    let held = instance.ask(&[differ], &budget()).held()?;
    Some(held.relies().clone())
}

/// States that the mask in the first thread's frame names the second thread.
fn state_named(instance: &mut Instance<'_>, first: FrameId, mask: ExprId) {
    let mask = instance.at(first, mask);
    let mask = instance.pool.resize(mask, 32);
    let lane = instance.lane(Thread::Two);
    let bit = instance.pool.binary(BinOp::LShr, mask, lane);
    let named = instance.pool.cast(CastOp::Trunc, bit, 1);
    instance.state(named);
}

/// Whether lanes that exchange values, vote or elect come together: whoever waits there waits for
/// no lane that its mask names and that is elsewhere, at a barrier of the block for instance.
///
/// # Errors
/// An operation of which that cannot be told.
pub(crate) fn exchanges_are_met(analysis: &Analysis<'_>) -> Result<BTreeSet<Assumption>, OpId> {
    let mut relies = BTreeSet::new();
    for (op, it) in &analysis.kernel.ops {
        if it.kind.effects().waits != Some(Waits::Lanes) {
            continue;
        }
        let OpKind::CrossLane(CrossLane { mask, .. }) = &it.kind else { continue };
        relies.extend(exchange_is_met(analysis, op, *mask).ok_or(op)?);
    }
    Ok(relies)
}

/// A warp barrier, where these are not all met where they stand.
pub(crate) fn unmet_warp_barrier(analysis: &Analysis<'_>) -> Option<OpId> {
    let is_one =
        |op: &OpId| matches!(barrier_of(&analysis.kernel[*op].kind), Some(Barrier::Warp { .. }));
    let unmet = !analysis.order.regular().warp;
    analysis.kernel.ops.keys().find(is_one).filter(|_| unmet)
}

fn exchange_is_met(analysis: &Analysis<'_>, op: OpId, mask: Option<ExprId>) -> Met {
    let kernel = analysis.kernel;
    let uniformity = &analysis.uniformity;
    let one_value = |id| uniformity.variation(id).varies <= Varies::ByWarp;
    let Some(mask) = mask else {
        // The forms before `_sync` wait for nobody; those of OpenCL are for all of a sub-group.
        let together = Decision::open(analysis, op, one_value).is_empty();
        return (together || !kernel.target.opencl).then(BTreeSet::new);
    };
    if analysis.launch.warp_size.is_none() {
        return Decision::open(analysis, op, |id| uniformity.block_uniform(id))
            .is_empty()
            .then(BTreeSet::new);
    }
    lanes_are_met(analysis, op, mask)
}

fn block_is_met(analysis: &Analysis<'_>, op: OpId) -> Met {
    let agree = |id| analysis.uniformity.block_uniform(id);
    never(analysis, op, Placement::SameBlock, agree, |instance, decision| {
        state_parting(instance, op, decision, Returned::ExcusedBefore);
    })
}

fn number_is_met(analysis: &Analysis<'_>, op: OpId, id: ExprId) -> Met {
    let agree = |id| analysis.uniformity.block_uniform(id);
    let returned = match analysis.launch.barriers {
        BarrierModel::ExitedOk => Returned::ExcusedBefore,
        BarrierModel::Strict => Returned::Awaited,
    };
    if !agree(id) {
        return None;
    }
    never(analysis, op, Placement::SameBlock, agree, |instance, decision| {
        state_parting(instance, op, decision, returned);
    })
}

/// Whether what is stated of a decision holds for none on the way to a barrier.
fn never(
    analysis: &Analysis<'_>,
    op: OpId,
    placement: Placement,
    agree: impl Fn(ExprId) -> bool,
    state: impl Fn(&mut Instance<'_>, Decision),
) -> Met {
    let mut all = BTreeSet::new();
    for decision in Decision::open(analysis, op, agree) {
        let mut instance = Instance::new(analysis, placement, WrapAround::Happens);
        state(&mut instance, decision);
        let held = instance.ask(&[], &budget()).held()?;
        all.extend(held.relies().iter().cloned());
    }
    Some(all)
}
