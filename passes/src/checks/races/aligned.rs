//! What the alignment that accesses promise says of two that meet.
//!
//! **What**: `*(int4 *)(row + m * n + 8 * i)` is sixteen bytes at an address that is a multiple of
//! sixteen, though nothing in `m * n` shows it: a load or store at another address is undefined in
//! LLVM, and a fault on a GPU (PTX ISA 6.4.1). Two such accesses to one object touch the same
//! sixteen bytes, or none in common.
//! **Method**: the accesses of a site lie around an *anchor*, a place in their object whose address
//! is a multiple of a power of two. Where two sites meet, the distance of their anchors is a
//! multiple of the smaller power, and less than their bytes reach: of a few such distances, often
//! zero alone, one is the case.
//! **Sound because** a thread that does one of the site's accesses did the access that promises: it
//! is the first of them, or stands before them in the same region under the same predicate; and
//! both anchors are counted from one start, the object's, wherever that is. That the start is a
//! multiple itself, as allocations begin, is stated only to find a run ([`residues`]).
//! A promise that no launch keeps, as of a forgotten factor (`*(float4 *)(out + tid)`), is none to
//! go by ([`is_kept`]).
//! **Misses**: promises under another predicate, in another region, or of what comes later.
//! **Assumes**: accesses are at the addresses that they promise ([`Assumption::Aligned`]).

use heddle_diagnostics::Assumption;
use heddle_ir::{BinOp, ExprId, ExprKind, Kernel, OpId, Special, ValueFrom, sign_extend};

use heddle_solver::Budget;
use rustc_hash::FxHashSet;

use super::site::Site;
use crate::engine::instance::{FrameId, Instance, Placement};
use crate::engine::parting::state_together;
use crate::engine::settle::{Seek, Settled, settle};
use crate::facts::analysis::Analysis;
use crate::facts::launch::Extent;
use crate::facts::thread::Thread;

/// So many distances, at most, are stated one by one.
const MOST_DISTANCES: i128 = 7;

/// The accesses of a site around a place of which something is promised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    /// The offset in the object that the place is counted from, in bytes.
    from: ExprId,
    /// How far the place lies beyond that offset, in bytes.
    after: i128,
    /// The address of the place is a multiple of this, a power of two.
    by: i128,
    /// The bytes that the accesses touch begin and end so far from the place, at most.
    reach: [i128; 2],
}

impl Anchor {
    /// The anchor of a site of one object, where its accesses have one.
    pub(super) fn of(analysis: &Analysis<'_>, site: &Site) -> Option<Anchor> {
        let Analysis { kernel, order, aligned, .. } = analysis;
        if aligned.is_empty() {
            return None;
        }
        let (from, _) = offset(kernel, site.op)?;
        let mut reach: Option<[i128; 2]> = None;
        for &(op, _) in &site.members {
            let (same, after) = offset(kernel, op)?;
            let size = kernel.exprs.as_const(kernel.access(op)?.size)?;
            let end = after + i128::try_from(size).ok()?;
            if same != from {
                return None;
            }
            reach = Some(reach.map_or([after, end], |[a, b]| [a.min(after), b.max(end)]));
        }
        let object = kernel.access(site.op)?.address.object;
        // Whoever does one of the accesses did this one.
        let is_done = |op: OpId| {
            let stand = |op: OpId| (kernel[op].pred, order.chain(op));
            let is_first = |&(it, _): &(OpId, i128)| it == op || order.before(op, it);
            stand(op) == stand(site.op) && site.members.iter().all(is_first)
        };
        let promised = |op: &OpId| {
            let access = kernel.access(*op).filter(|it| it.address.object == object)?;
            let (of, after) = offset(kernel, *op)?;
            (of == from && is_done(*op)).then_some((i128::from(access.align), after))
        };
        // The first of those that promise most.
        let (by, after) = aligned.iter().filter_map(promised).rev().max_by_key(|it| it.0)?;
        let reach = reach?.map(|it| it - after);
        Some(Anchor { from, after, by, reach })
    }
}

/// An offset as another one and a constant.
fn offset(kernel: &Kernel, op: OpId) -> Option<(ExprId, i128)> {
    let exprs = &kernel.exprs;
    let whole = kernel.access(op)?.address.offset;
    if let ExprKind::Binary(BinOp::Add, _, from, constant) = exprs[whole].kind
        && let Some(constant) = exprs.as_const(constant)
    {
        return Some((from, sign_extend(constant, exprs.width(whole))));
    }
    Some((whole, 0))
}

/// States which distances two anchors may have whose sites meet in one object, where
/// these are few.
pub(super) fn state_distance(
    instance: &mut Instance<'_>,
    [(a, frame_a), (b, frame_b)]: [(Anchor, FrameId); 2],
) {
    let step = a.by.min(b.by);
    // The place of `a` is less than this before and after that of `b`.
    let before = a.reach[1] - b.reach[0];
    let after = b.reach[1] - a.reach[0];
    let (first, last) = ((-before).div_euclid(step) + 1, (after - 1).div_euclid(step));
    if last - first >= MOST_DISTANCES {
        return;
    }
    let [at_a, at_b] = [(a, frame_a), (b, frame_b)].map(|(it, at)| instance.at(at, it.from));
    let pool = &mut instance.pool;
    let mut one_of = pool.falsity();
    for steps in first..=last {
        let distance = pool.signed(steps * step + b.after - a.after, 64);
        let there = pool.add(at_b, distance);
        let equal = pool.eq(at_a, there);
        one_of = pool.or(one_of, equal);
    }
    instance.state(one_of);
    instance.rely_on(Assumption::Aligned);
}

/// Whether some launch may keep what a site promises. `found` says that two threads were found that
/// meet, of which one does not keep it: where the place follows from the thread's number alone,
/// that is so in each such launch. Else two threads next to each other, in one block or in two,
/// must be able to do the access in one iteration as it promises; or never both do it.
pub(super) fn is_kept(
    analysis: &Analysis<'_>,
    (site, anchor): (&Site, Anchor),
    found: bool,
    budget: &Budget,
) -> bool {
    if found && !depends_on_launch(analysis, anchor.from) {
        return false;
    }
    let can = |(placement, along): (Placement, u8), promised: bool| {
        let settled = settle(analysis, placement, Seek::Any, budget, |instance| {
            let frames = state_together(instance, analysis.order.chain(site.op));
            instance.state_placement();
            frames.iter().for_each(|frame| instance.state_executed(site.op, *frame));
            state_neighbours(instance, placement, along);
            if promised {
                let [one, two] = frames.map(|frame| instance.at(frame, anchor.from));
                let distance = instance.pool.sub(one, two);
                let fact = is_multiple(instance, distance, anchor.by);
                instance.state(fact);
            }
        });
        !matches!(settled, Settled::Holds(_))
    };
    let along = [Placement::SameBlock, Placement::DifferentBlocks]
        .into_iter()
        .flat_map(|placement| [(placement, 0), (placement, 1)]);
    along.into_iter().all(|neighbours| can(neighbours, true) || !can(neighbours, false))
}

/// Whether anything but the numbers of thread and block, and what is given of the launch, has a say
/// in a value.
fn depends_on_launch(analysis: &Analysis<'_>, value: ExprId) -> bool {
    let Analysis { kernel, launch, .. } = analysis;
    let (mut seen, mut work) = (FxHashSet::default(), vec![value]);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match kernel[id].kind.value_from() {
            ValueFrom::Operands => kernel.exprs.for_each_operand(id, |it| work.push(it)),
            ValueFrom::Var(var) => work.extend([kernel[var].init, kernel[var].next]),
            ValueFrom::Exit(_, value) => work.push(value),
            ValueFrom::Launch => {
                let is_known = if let ExprKind::Param(index) = kernel[id].kind {
                    launch.arg(index).is_some()
                } else if let ExprKind::Special(special) = kernel[id].kind {
                    match special {
                        Special::Tid(_) | Special::Ctaid(_) | Special::LaneId => true,
                        Special::Ntid(d) => is_given(&launch.block, d),
                        Special::Nctaid(d) => is_given(&launch.grid, d),
                        Special::GlobalOffset(_)
                        | Special::WarpId
                        | Special::ClusterCtaRank
                        | Special::ClusterNctaRank
                        | Special::DynamicSharedSize => false,
                    }
                } else {
                    false
                };
                if !is_known {
                    return true;
                }
            }
            ValueFrom::Result(..) | ValueFrom::Nothing | ValueFrom::Analysis(_) => return true,
        }
    }
    false
}

fn is_given(sizes: &[Extent; 3], d: u8) -> bool {
    sizes.get(usize::from(d)).is_some_and(|it| it.known().is_some())
}

/// States that the second thread is the one after the first in a dimension: in its block, or its
/// like in the next.
fn state_neighbours(instance: &mut Instance<'_>, placement: Placement, along: u8) {
    let across = placement.is_across();
    for d in 0..3 {
        let threads = [Thread::One, Thread::Two];
        let tids = threads.map(|thread| instance.tid(thread, d));
        let blocks = threads.map(|thread| instance.ctaid(thread, d));
        let is_next = d == along;
        for ([one, two], is_next) in [(tids, is_next && !across), (blocks, is_next && across)] {
            let pool = &mut instance.pool;
            let step = pool.constant(u128::from(is_next), pool.width(one));
            let next = pool.add(one, step);
            let fact = pool.eq(two, next);
            instance.state(fact);
        }
    }
}

/// That a number of bytes is a multiple of a power of two.
fn is_multiple(instance: &mut Instance<'_>, bytes: ExprId, by: i128) -> ExprId {
    let pool = &mut instance.pool;
    let rest = pool.signed(by - 1, 64);
    let rest = pool.binary(BinOp::And, bytes, rest);
    let zero = pool.constant(0, 64);
    pool.eq(rest, zero)
}

/// That the places are at multiples from where their object starts, too: what a run should have.
pub(super) fn residues(instance: &mut Instance<'_>, anchors: &[(Anchor, FrameId)]) -> Vec<ExprId> {
    let residue = |&(anchor, frame): &(Anchor, FrameId)| {
        let from = instance.at(frame, anchor.from);
        let after = instance.pool.signed(anchor.after, 64);
        let place = instance.pool.add(from, after);
        is_multiple(instance, place, anchor.by)
    };
    anchors.iter().map(residue).collect()
}
