//! Barriers. Block barriers count intervals and report divergence; warp barriers count per thread. Named barriers
//! in which the whole block takes part, and the barriers of clusters of one block, are block barriers. Other
//! named barriers, split cluster barriers and barrier objects make threads run at different paces: not
//! executed here, and said so.

use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_ir::{Barrier, BarrierAction, ClusterAction, ExprId, OpId, Reduction, Space};
use smallvec::SmallVec;

use super::{Done, Halt, Machine, Threads};
use crate::column::Range;
use crate::journal::{BarrierEvent, Divergence};
use crate::launch::BarrierModel;
use crate::stop::{Cause, Stop, Unknown, Use};

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
                let threads = u128::from(self.launch.threads());
                let counts = match count {
                    Some(count) => self.barrier_operand(id, *count, active)?,
                    None => vec![threads],
                };
                let whole_block = *action == BarrierAction::Sync
                    && active.len() as u128 == threads
                    && counts.iter().all(|it| *it == threads)
                    && numbers.iter().all(|it| *it == numbers[0]);
                if !whole_block {
                    return unsupported(id, "a named barrier of a part of the block");
                }
                self.reduce(id, *reduce, active, range);
                self.block_barrier(id, active, (true, true))
            }
            Barrier::Warp { mask } => self.warp_barrier(id, *mask, active),
            Barrier::Cluster { action: ClusterAction::Sync, order: _, aligned: _ }
                if self.launch.cluster == [1; 3] =>
            {
                self.block_barrier(id, active, (true, true))
            }
            Barrier::Cluster { .. } => unsupported(id, "blocks of a cluster are not run together"),
            Barrier::Grid => {
                self.block_barrier(id, active, (true, true))?;
                self.grid_interval += 1;
                // What the other blocks wrote before it is not there when blocks run one after the other.
                let blocks: u64 = self.launch.grid.iter().map(|it| u64::from(*it)).product();
                if blocks > 1 {
                    let cause = self.cause(Unknown::Op(id));
                    self.clobber_space(Space::Global, cause);
                }
                Ok(())
            }
            Barrier::Mbarrier { .. } => unsupported(id, "barrier objects have no model here yet"),
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
        let must_come = |thread: &u32| match self.launch.barriers {
            BarrierModel::Strict => true,
            BarrierModel::ExitedOk => !self.exited[*thread as usize],
        };
        let mut arrived = active.iter().peekable();
        let missing: Vec<u32> = (0..self.launch.threads())
            .filter(|thread| arrived.next_if_eq(&thread).is_none() && must_come(thread))
            .collect();
        if !missing.is_empty() {
            let divergence = Divergence {
                op: id,
                block: self.block,
                iterations: self.iterations.clone(),
                arrived: active.to_vec(),
                missing,
            };
            self.tell(id, |visitor, _| visitor.divergence(&divergence))?;
        }
        let (orders_shared, orders_global) = orders;
        let event = BarrierEvent { threads: active, orders_shared, orders_global };
        self.tell(id, |visitor, at| visitor.barrier(at, &event))?;
        self.shared_interval += u32::from(orders_shared);
        self.global_interval += u32::from(orders_global);
        Ok(())
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
        let (mut ones, mut unknown) = (0u128, Cause::KNOWN);
        for &thread in active.iter() {
            match column.get(thread) {
                Ok(bit) => ones += bit,
                Err(cause) => unknown = unknown.or(cause),
            }
        }
        let all_known = unknown.is_known();
        let zeros = active.iter().any(|thread| column.get(*thread) == Ok(0));
        let value = match reduction {
            Reduction::And if zeros => Ok(0),
            Reduction::Or if ones > 0 => Ok(1),
            _ if !all_known => Err(unknown),
            Reduction::Popc => Ok(ones),
            Reduction::And => Ok(1),
            Reduction::Or => Ok(0),
        };
        let kernel = self.kernel;
        if let Some(&width) = kernel[id].results.first() {
            let mut builder = self.results_builder(id, width, active, range);
            active.iter().for_each(|thread| builder.set(*thread, value));
            self.values.set_results(id, SmallVec::from_iter([Rc::new(builder.finish())]));
        }
    }

    fn warp_barrier(&mut self, id: OpId, mask: ExprId, active: &Threads) -> Done {
        let Some(lanes) = self.launch.warp_size else {
            return unsupported(id, "the size of a warp is not known");
        };
        let masks = self.barrier_operand(id, mask, active)?;
        let mut groups: BTreeMap<(u32, u128), Vec<u32>> = BTreeMap::new();
        for (index, &thread) in active.iter().enumerate() {
            let mask = masks[index.min(masks.len() - 1)];
            if mask >> (thread % lanes) & 1 == 1 {
                groups.entry((thread / lanes, mask)).or_default().push(thread);
            }
        }
        for threads in groups.values() {
            self.tell(id, |visitor, at| visitor.warp_barrier(at, threads))?;
            threads.iter().for_each(|thread| self.warp_intervals[*thread as usize] += 1);
        }
        Ok(())
    }
}

pub(super) fn unsupported(op: OpId, why: &str) -> Done {
    Err(Stop::Unsupported { op, why: why.to_owned() }.into())
}
