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
        let is_read = |special: Special| {
            let mut all = self.analysis.kernel.exprs.iter();
            all.any(|(_, it)| it.kind == ExprKind::Special(special))
        };
        if !is_read(Special::LaneId) && !is_read(Special::WarpId) {
            return;
        }
        let roots = [Thread::One, Thread::Two].map(|it| self.root(it));
        let [a, b] = roots.map(|it| self.special(it, Special::LaneId));
        let same_lane = self.pool.eq(a, b);
        let [a, b] = roots.map(|it| self.special(it, Special::WarpId));
        let same_group = self.pool.eq(a, b);
        let [other_lane, other_group] = [same_lane, same_group].map(|it| self.pool.not(it));
        match self.placement {
            Placement::SameBlock => {
                let differ = self.pool.or(other_lane, other_group);
                self.state(differ);
            }
            Placement::SameWarp => {
                self.state(same_group);
                self.state(other_lane);
            }
            Placement::DifferentWarps => self.state(other_group),
            Placement::SameThread
            | Placement::DifferentBlocks
            | Placement::SameCluster
            | Placement::DifferentClusters => {}
        }
    }
}
