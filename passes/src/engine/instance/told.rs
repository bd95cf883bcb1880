//! What the first thread of a block tells the others through shared memory.
//!
//! **What**: what a load of shared memory read, where the one store to it is done by the first
//! thread of the block, or with one value by all, in the load's rounds of the loops around the
//! store: the value that the first thread has there.
//! **Method**: [`crate::facts::order::ProgramOrder::sole_store`] finds the store. The first thread
//! does it where each part of its predicate holds for that thread by itself, or is one for the
//! block and part of the load's own predicate.
//! **Sound because**: the load comes after a barrier in the same round, which all threads of the
//! block pass in that round that have not returned; where returns in a kernel are not for the whole
//! block at once, stores in loops are left out. A value of a load that is not done matters to
//! nothing. A store of a later round would race with the load.
//! **Misses**: stores by another thread, and several stores.
//! **Assumes**: barriers are uniform, as race checks do.

use heddle_ir::{Access, AccessKind, ExprId, OpId, OpKind};

use super::{FrameId, Instance, Placement};
use crate::engine::parting::returns_apart;
use crate::facts::order::{implies, only_first_thread};
use crate::facts::thread::Thread;

impl Instance<'_> {
    /// What a load of shared memory read, where the first thread of the block has stored it.
    pub(super) fn stored_by_leader(
        &mut self,
        frame: FrameId,
        load: OpId,
        width: u8,
    ) -> Option<ExprId> {
        let store = self.analysis.order.sole_store(load)?;
        let kernel = self.analysis.kernel;
        let OpKind::Access(Access { kind: AccessKind::Store(values), .. }) = &kernel[store].kind
        else {
            return None;
        };
        let leader = match self.placement {
            Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
                self.thread(frame).leader()
            }
            Placement::SameBlock
            | Placement::SameWarp
            | Placement::SameThread
            | Placement::DifferentWarps => Thread::LeaderOfOne,
        };
        let (pred, around) = (kernel[store].pred, self.analysis.order.chain(store));
        if !around.is_empty() && !returns_apart(self.analysis).is_empty() {
            return None;
        }
        let mut of_leader = self.root(leader);
        for &of in around {
            let k = self.iteration(frame, of)?;
            of_leader = self.enter(of_leader, of, k);
        }
        let uniformity = &self.analysis.uniformity;
        let alone = only_first_thread(kernel, self.analysis.launch, pred);
        if !alone && !uniformity.block_uniform(values[0]) || kernel.exprs.width(values[0]) != width
        {
            return None;
        }
        let is_done = kernel.exprs.conjuncts(pred).into_iter().all(|part| {
            let here = self.at(of_leader, part);
            let is_loads = || implies(kernel, kernel[load].pred, part);
            self.pool.as_const(here) == Some(1) || uniformity.block_uniform(part) && is_loads()
        });
        is_done.then(|| self.at(of_leader, values[0]))
    }
}
