//! Blocks of a cluster: which share one, and which of it a block is.
//!
//! **What**: blocks are in one cluster where their indices, divided by its size in each dimension,
//! agree; the rank of a block counts what is left over, x fastest (PTX ISA, `%cluster_ctarank`).
//! Where the size of clusters is not known, two blocks of one differ in rank, and ranks are below
//! the number of its blocks.
//! **Assumes**: nothing. A launch whose grid is not made of whole clusters is refused.

use heddle_ir::cranelift_entity::EntityRef;
use heddle_ir::{BinOp, ExprId, NoWrap, Special};

use super::{FrameId, Instance, Meaning};
use crate::facts::thread::Thread;

impl Instance<'_> {
    /// That the blocks of the two threads are in one cluster.
    pub(super) fn in_one_cluster(&mut self) -> ExprId {
        if self.analysis.kernel.launch.cluster.is_some() {
            return self.clusters_agree();
        }
        let ranks = [Thread::One, Thread::Two].map(|it| self.cluster_rank(self.root(it)));
        let blocks = self.pool.special(Special::ClusterNctaRank);
        let mut all = self.pool.ne(ranks[0], ranks[1]);
        for rank in ranks {
            let below = self.pool.ult(rank, blocks);
            all = self.pool.and(all, below);
        }
        all
    }

    /// That the indices of the two threads' clusters agree, whose size is known.
    pub(super) fn clusters_agree(&mut self) -> ExprId {
        let mut all = self.pool.truth();
        for (d, size) in (0u8..).zip(self.analysis.kernel.launch.cluster.unwrap_or([1; 3])) {
            let size = self.pool.constant(u128::from(size), 32);
            let [one, two] = [Thread::One, Thread::Two].map(|thread| {
                let ctaid = self.ctaid(thread, d);
                self.pool.binary(BinOp::UDiv, ctaid, size)
            });
            let same = self.pool.eq(one, two);
            all = self.pool.and(all, same);
        }
        all
    }

    /// Which block of its cluster a thread is in.
    pub(crate) fn cluster_rank(&mut self, frame: FrameId) -> ExprId {
        let Some(cluster) = self.analysis.kernel.launch.cluster else {
            let id = self.pool.special(Special::ClusterCtaRank);
            if id.index() < self.analysis.kernel.exprs.len() {
                return self.leaf(frame, id);
            }
            let of = self.placement.is_across().then(|| self.thread(frame).member());
            let meaning = Meaning::ClusterRank(of);
            return match self.ids.get(&meaning) {
                Some(&known) => known,
                None => self.symbol(meaning, 32),
            };
        };
        let thread = self.thread(frame);
        let mut rank = self.pool.constant(0, 32);
        for d in [2u8, 1, 0] {
            let size = self.pool.constant(u128::from(cluster[usize::from(d)]), 32);
            let ctaid = self.ctaid(thread, d);
            let inside = self.pool.binary(BinOp::URem, ctaid, size);
            let scaled = self.pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, rank, size);
            rank = self.pool.binary_flagged(BinOp::Add, NoWrap::BOTH, scaled, inside);
        }
        rank
    }

    /// How many blocks a cluster has.
    pub(super) fn cluster_size(&mut self) -> ExprId {
        match self.analysis.kernel.launch.cluster {
            Some(size) => {
                let blocks = size.iter().map(|it| u128::from(*it)).product();
                self.pool.constant(blocks, 32)
            }
            None => self.pool.special(Special::ClusterNctaRank),
        }
    }
}
