//! Barriers. Block barriers count intervals and report divergence; warp barriers count per thread.
//! Named barriers in which the whole block takes part, and barriers of a cluster whose wait follows
//! its arrival at once, are block barriers; after one of the latter nothing is known of what other
//! blocks of the cluster may have written. Other named barriers, split cluster barriers and barrier
//! objects make threads run at different paces: not executed here, and said so.
//!
//! A warp barrier is passed where all lanes of its mask that have not exited execute it together.
//! Lanes that meet from different places run at different paces too, so the run stops there: what
//! it met before is what happens.
//!
//! Where a barrier does not wait for threads that have returned, a thread that is missing may yet
//! return. The divergence is then reported only when the thread comes to another barrier, or to the
//! end of the kernel. The end is a return too if threads return inside the loop around the barrier,
//! as either may be the one that is written.

use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_ir::{
    Barrier, BarrierAction, ClusterAction, Ending, ExprId, Item, ObjectId, ObjectKind, Op, OpId,
    OpKind, Place, Reduction, Remote, Space, TouchedBy,
};
use heddle_semantics::{BarrierModel, reduced};
use smallvec::SmallVec;

use super::{Done, Halt, Machine, Threads};
use crate::column::Range;
use crate::journal::{BarrierEvent, Divergence};
use crate::stop::{Stop, Unknown, Use};

impl Machine<'_> {
    pub(super) fn barrier(
        &mut self,
        id: OpId,
        barrier: &Barrier,
        active: &Threads,
        range: Range,
    ) -> Done {
        match barrier {
            Barrier::Block { aligned: _, orders, reduce } => {
                let flags = self.barrier_operand(id, *orders, active)?;
                // What not all of them order is not ordered.
                let flags = flags.iter().fold(u128::MAX, |all, it| all & it);
                self.reduce(id, *reduce, active, range);
                self.block_barrier(id, active, (flags & 1 != 0, flags & 2 != 0))
            }
            Barrier::Named { action, id: number, count, aligned: _, reduce } => {
                let numbers = self.barrier_operand(id, *number, active)?;
                let threads = u128::from(self.launch.shape.threads());
                let counts = match count {
                    Some(count) => self.barrier_operand(id, *count, active)?,
                    None => vec![threads],
                };
                let gone = self.exited.iter().filter(|it| **it).count();
                let whole_block = *action == BarrierAction::Sync
                    && (active.len() + gone) as u128 == threads
                    && (gone == 0 || self.launch.barriers == BarrierModel::ExitedOk)
                    && counts.iter().all(|it| *it == threads)
                    && numbers.iter().all(|it| *it == numbers[0]);
                if !whole_block {
                    return unsupported(id, "a named barrier of a part of the block");
                }
                self.reduce(id, *reduce, active, range);
                self.block_barrier(id, active, (true, true))
            }
            Barrier::Warp { mask, orders } => {
                let flags = self.barrier_operand(id, *orders, active)?;
                let flags = flags.iter().fold(u128::MAX, |all, it| all & it);
                self.warp_barrier(id, *mask, active, (flags & 1 != 0, flags & 2 != 0))
            }
            Barrier::Cluster { .. } if !self.plan.cluster_arrivals_wait => {
                unsupported(id, "the halves of a cluster's barrier stand apart")
            }
            // Nothing is done before the wait.
            Barrier::Cluster { action: ClusterAction::Arrive, order: _, aligned: _ } => Ok(()),
            Barrier::Cluster { .. } => {
                self.block_barrier(id, active, (true, true))?;
                self.cluster_interval += 1;
                if self.launch.shape.cluster != [1; 3] {
                    self.forget_what_others_write(id);
                }
                Ok(())
            }
            Barrier::Grid => {
                self.awaited_barrier(id, active, (true, true), BarrierModel::Strict)?;
                self.grid_interval += 1;
                // What the other blocks wrote before it is not there when blocks run one after the
                // other.
                if self.launch.shape.grid.iter().any(|size| *size > 1) {
                    let cause = self.cause(Unknown::Op(id));
                    self.clobber_space(Space::Global, cause);
                }
                Ok(())
            }
            Barrier::Mbarrier { .. } => unsupported(id, "barrier objects have no model here yet"),
        }
    }

    /// What other blocks of the cluster may have written before a barrier is not there when blocks
    /// run one after the other.
    fn forget_what_others_write(&mut self, id: OpId) {
        let cause = self.cause(Unknown::Op(id));
        let kernel = self.kernel;
        let is_own = |object: ObjectId| {
            kernel[object].space == Space::Shared && kernel[object].kind != ObjectKind::Unknown
        };
        for op in kernel.ops.values() {
            for touch in op.kind.effects().writes() {
                let object = match (touch.by, touch.place) {
                    (TouchedBy::Access(access), Place::At(at)) => {
                        match Remote::of(kernel, access) {
                            Some(remote) => remote.object,
                            None if is_own(at.object) => continue,
                            None => at.object,
                        }
                    }
                    (TouchedBy::Copy | TouchedBy::BarrierObject, Place::At(at)) => at.object,
                    (TouchedBy::NotModelled, _) | (_, Place::Anywhere(_)) => {
                        self.clobber_space(Space::Generic, cause);
                        continue;
                    }
                };
                self.clobber(object, cause);
            }
        }
    }

    /// The values of an operand, one per thread, all known.
    fn barrier_operand(
        &mut self,
        id: OpId,
        operand: ExprId,
        active: &Threads,
    ) -> Result<Vec<u128>, Halt> {
        let column = self.get(operand);
        if let Some(value) = column.as_uniform() {
            return Ok(vec![value]);
        }
        let mut values = Vec::with_capacity(active.len());
        for &thread in active.iter() {
            match column.get(thread) {
                Ok(value) => values.push(value),
                Err(cause) => return Err(self.unknown(Use::Barrier(id), thread, cause)),
            }
        }
        Ok(values)
    }

    fn block_barrier(&mut self, id: OpId, active: &Threads, orders: (bool, bool)) -> Done {
        self.awaited_barrier(id, active, orders, self.launch.barriers)
    }

    fn awaited_barrier(
        &mut self,
        id: OpId,
        active: &Threads,
        orders: (bool, bool),
        model: BarrierModel,
    ) -> Done {
        self.report_missing_at(active)?;
        let must_come = |thread: &u32| match model {
            BarrierModel::Strict => true,
            BarrierModel::ExitedOk => !self.exited[*thread as usize],
        };
        let mut arrived = active.iter().peekable();
        let mut missing: Vec<u32> = (0..self.launch.shape.threads())
            .filter(|thread| arrived.next_if_eq(&thread).is_none() && must_come(thread))
            .collect();
        if !missing.is_empty() {
            let divergence = Divergence {
                op: id,
                block: self.block,
                iterations: self.iterations.clone(),
                arrived: active.to_vec(),
                missing: missing.clone(),
            };
            let returns = |op: &Op| op.kind == OpKind::Exit(Ending::Return);
            match model {
                BarrierModel::ExitedOk if self.kernel.ops.values().any(returns) => {
                    self.miss(divergence);
                }
                BarrierModel::ExitedOk | BarrierModel::Strict => {
                    self.tell(id, |visitor, _| visitor.divergence(&divergence))?;
                }
            }
        }
        let (orders_shared, orders_global) = orders;
        missing.retain(|thread| !self.exited[*thread as usize]);
        let event =
            BarrierEvent { threads: active, missing: &missing, orders_shared, orders_global };
        self.tell(id, |visitor, at| visitor.barrier(at, &event))?;
        self.shared_interval += u32::from(orders_shared);
        self.global_interval += u32::from(orders_global);
        Ok(())
    }

    /// Keeps a divergence until it is known whether those missing return.
    fn miss(&mut self, divergence: Divergence) {
        let known = |it: &Divergence| (it.op, &it.missing) == (divergence.op, &divergence.missing);
        if !self.missed.iter().any(known) {
            self.missed.push(divergence);
        }
    }

    /// Threads that were missing elsewhere are at a barrier.
    fn report_missing_at(&mut self, arrived: &[u32]) -> Done {
        let here = |thread: &u32| arrived.binary_search(thread).is_ok();
        while let Some(index) = self.missed.iter().position(|it| it.missing.iter().any(here)) {
            let divergence = self.missed.remove(index);
            self.tell(divergence.op, |visitor, _| visitor.divergence(&divergence))?;
        }
        Ok(())
    }

    /// Threads that were missing have come to the end of the kernel.
    pub(super) fn report_missing(&mut self) -> Done {
        let kernel = self.kernel;
        let is_return = |op: OpId| kernel[op].kind == OpKind::Exit(Ending::Return);
        for divergence in std::mem::take(&mut self.missed) {
            let around = kernel.body.items.iter().filter_map(|item| match *item {
                Item::Op(_) => None,
                Item::Loop(of) => Some(of),
            });
            let mut around =
                around.filter(|of| kernel.any_inside(&kernel[*of].body, &|op| op == divergence.op));
            // In some of these loops either end may be the one that is written as a return.
            let is_told = kernel.returns_written;
            if !is_told && around.any(|of| kernel.any_inside(&kernel[of].body, &is_return)) {
                continue;
            }
            self.tell(divergence.op, |visitor, _| visitor.divergence(&divergence))?;
        }
        Ok(())
    }

    /// Threads that have returned are missed nowhere, but, in IR that does not tell which returns
    /// are written, where those that came return with them, in the same iterations.
    pub(super) fn forgive(&mut self, returned: &[u32]) {
        let together = |it: &u32| returned.binary_search(it).is_ok();
        let is_told = self.kernel.returns_written;
        for divergence in &mut self.missed {
            let is_here = divergence.iterations == self.iterations;
            if !is_told && is_here && divergence.arrived.iter().any(together) {
                continue;
            }
            divergence.missing.retain(|thread| returned.binary_search(thread).is_err());
        }
        self.missed.retain(|it| !it.missing.is_empty());
    }

    /// The reduced predicate of those that came.
    fn reduce(
        &mut self,
        id: OpId,
        reduce: Option<(Reduction, ExprId)>,
        active: &Threads,
        range: Range,
    ) {
        let Some((reduction, predicate)) = reduce else { return };
        let column = self.get(predicate);
        let value = reduced(reduction, active.iter().map(|thread| column.get(*thread)));
        let kernel = self.kernel;
        if let Some(&width) = kernel[id].results.first() {
            let mut builder = self.results_builder(id, width, active, range);
            active.iter().for_each(|thread| builder.set(*thread, value));
            self.values.set_results(id, SmallVec::from_iter([Rc::new(builder.finish())]));
        }
    }

    fn warp_barrier(
        &mut self,
        id: OpId,
        mask: ExprId,
        active: &Threads,
        (orders_shared, orders_global): (bool, bool),
    ) -> Done {
        let Some(warps) = self.launch.shape.warps() else {
            return unsupported(id, "the size of a warp is not known");
        };
        let masks = self.barrier_operand(id, mask, active)?;
        let mut groups: BTreeMap<(u32, u128), Vec<u32>> = BTreeMap::new();
        for (index, &thread) in active.iter().enumerate() {
            let mask = masks[index.min(masks.len() - 1)];
            if mask >> warps.lane(thread) & 1 == 0 {
                return unsupported(
                    id,
                    "a lane waits at a warp barrier whose mask does not name it",
                );
            }
            groups.entry((warps.warp(thread), mask)).or_default().push(thread);
        }
        for ((warp, mask), threads) in &groups {
            let mut awaited = warps.threads_of(*warp).filter(|thread| {
                mask >> warps.lane(*thread) & 1 == 1 && !self.exited[*thread as usize]
            });
            if awaited.any(|thread| threads.binary_search(&thread).is_err()) {
                return unsupported(id, "lanes of its mask are at another place");
            }
        }
        for threads in groups.values() {
            let event = BarrierEvent { threads, missing: &[], orders_shared, orders_global };
            self.tell(id, |visitor, at| visitor.warp_barrier(at, &event))?;
            threads.iter().for_each(|thread| self.warp_intervals[*thread as usize] += 1);
        }
        Ok(())
    }
}

pub(super) fn unsupported(op: OpId, why: &str) -> Done {
    Err(Stop::Unsupported { op, why: why.to_owned() }.into())
}
