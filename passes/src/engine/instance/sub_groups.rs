//! The numbers of sub-groups, and of work-items in them.
//!
//! **What**: which sub-group of its work-group a work-item is in (`get_sub_group_id`).
//! **Method**: where the size of a warp is said, along the linear index, as lanes are. Else two
//! work-items of one work-group differ in one of the two numbers.
//! **Sound because** each work-item is in one sub-group of its work-group, and has a number of its
//! own there (OpenCL API, section 3.2.2). `%warpid` promises nothing like that (PTX ISA, section
//! 10.5), and is any number.
//! **Misses**: how many sub-groups there are where their size is open.
//! **Assumes**: nothing.

use heddle_ir::{BinOp, ExprId, ExprKind, Family, Special};

use super::{FrameId, Instance, Placement};
use crate::facts::thread::Thread;

impl Instance<'_> {
    /// The number of a thread's warp in its block.
    pub(super) fn warp_number(&mut self, frame: FrameId) -> ExprId {
        if let (true, Some(size)) = (self.counts_sub_groups(), self.analysis.launch.warp_size) {
            let linear = self.linear_tid(self.thread(frame));
            let size = self.pool.constant(u128::from(size), 32);
            return self.pool.binary(BinOp::UDiv, linear, size);
        }
        let id = self.pool.special(Special::WarpId);
        self.leaf(frame, id)
    }

    /// Whether the number of a warp is one of its block, for as long as the block runs.
    fn counts_sub_groups(&self) -> bool {
        self.analysis.kernel.target.family == Family::Spirv
    }

    /// What the numbers of the two threads are to each other, where they are not computed.
    pub(super) fn state_sub_groups(&mut self) {
        if !self.counts_sub_groups() || self.analysis.launch.warp_size.is_some() {
            return;
        }
        let numbers = [Special::LaneId, Special::WarpId];
        let [other_lane, other_group] = numbers.map(|it| self.differ_in(it));
        let facts = match (self.placement, other_lane, other_group) {
            (Placement::SameBlock, Some(lane), Some(group)) => vec![self.pool.or(lane, group)],
            (Placement::SameWarp, lane, group) => {
                let same_group = group.map(|it| self.pool.not(it));
                lane.into_iter().chain(same_group).collect()
            }
            (Placement::DifferentWarps, _, group) => group.into_iter().collect(),
            (
                Placement::SameBlock
                | Placement::SameThread
                | Placement::DifferentBlocks
                | Placement::SameCluster
                | Placement::DifferentClusters,
                _,
                _,
            ) => Vec::new(),
        };
        facts.into_iter().for_each(|it| self.state(it));
    }

    /// That the two threads differ in a number, if the kernel reads it.
    fn differ_in(&mut self, number: Special) -> Option<ExprId> {
        let mut all = self.analysis.kernel.exprs.iter();
        all.find(|(_, it)| it.kind == ExprKind::Special(number))?;
        let [a, b] = [Thread::One, Thread::Two].map(|it| self.special(self.root(it), number));
        let same = self.pool.eq(a, b);
        Some(self.pool.not(same))
    }
}
