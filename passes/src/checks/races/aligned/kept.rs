//! Whether a promise of alignment can be kept.
//!
//! **What**: `*(float4 *)(out + tid)`, where a factor of four was forgotten, promises what no run
//! with two threads next to each other keeps. To go by it would prove what every run breaks.
//! **Method**: two threads that meet at a distance which the promise excludes, and whose place
//! follows from their numbers alone; or threads next to each other, of which one never keeps it.
//! **Sound because** a promise that is given up takes nothing from a question but an assumption.
//! **Misses**: promises that each launch breaks in another way, by threads that are not next to
//! each other, or that no question tells: the answer names that addresses are aligned.
//! **Assumes**: nothing.

use std::sync::{Mutex, PoisonError};

use heddle_ir::{ExprId, ExprKind, OpId, Special, ValueFrom};
use heddle_solver::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Anchor, is_multiple};
use crate::checks::races::site::Site;
use crate::engine::instance::{Instance, Placement};
use crate::engine::parting::state_together;
use crate::engine::settle::{Seek, Settled, settle};
use crate::facts::analysis::Analysis;
use crate::facts::launch::Extent;
use crate::facts::thread::Thread;

/// Work for the promises of one kernel, where questions have work of their own.
const UNITS: u64 = 10_000_000;

/// What is known of the promises of a kernel's sites. Each is looked at once, with work of its own:
/// a question that comes late gets the answer of the first.
#[derive(Debug)]
pub(in crate::checks::races) struct Promises {
    budget: Budget,
    known: Mutex<FxHashMap<(OpId, ExprId, i128), bool>>,
}

impl Promises {
    pub(in crate::checks::races) fn new(budget: &Budget) -> Promises {
        Promises { budget: budget.with_units(UNITS), known: Mutex::default() }
    }

    /// Whether some launch may keep what a site promises. `found` says that two threads were
    /// found that meet, of which one does not keep it: where the place follows from the thread's
    /// number alone, that is so in each such launch. Else neighbours must be able to keep it.
    /// Nothing where the work for the kernel was spent before that was told.
    pub(in crate::checks::races) fn is_kept(
        &self,
        analysis: &Analysis<'_>,
        (site, anchor): (&Site, Anchor),
        found: bool,
    ) -> Option<bool> {
        if found && !depends_on_launch(analysis, anchor.from) {
            return Some(false);
        }
        let key = (site.op, anchor.from, anchor.by);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = known().get(&key).copied() {
            return Some(kept);
        }
        let kept = neighbours_keep(analysis, site, anchor, &self.budget)?;
        known().insert(key, kept);
        Some(kept)
    }
}

/// Whether two threads next to each other, in one block or in two, can do the access in one
/// iteration as it promises, or never both do it. Nothing where the work was spent.
fn neighbours_keep(
    analysis: &Analysis<'_>,
    site: &Site,
    anchor: Anchor,
    budget: &Budget,
) -> Option<bool> {
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
        match settled {
            Settled::Holds(_) => Some(false),
            Settled::Fails(_) => Some(true),
            Settled::Open(_) => budget.spent().is_none().then_some(true),
        }
    };
    let along = [Placement::SameBlock, Placement::DifferentBlocks]
        .into_iter()
        .flat_map(|placement| [(placement, 0), (placement, 1)]);
    for neighbours in along {
        if !can(neighbours, true)? && can(neighbours, false)? {
            return Some(false);
        }
    }
    Some(true)
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
