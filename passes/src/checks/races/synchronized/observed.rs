//! Is one access of a race to a flag itself, by a thread that has read there what the other wrote?
//!
//! **What**: `while (atomicAdd(flag, 0) != 1); *flag = 0;` beside `atomicExch(flag, 1)` of another
//! thread: the plain store comes after the exchange, as the read before it has got its value.
//! **Method**: the write is strong and in no loop, and a strong read of the same word stands before
//! the other access and decides whether that is done. An update in a loop polls itself or tries to
//! take a lock: it may come at any time.
//! **Sound because** observation followed by program order or barriers is causality order in PTX
//! (section 8.9.5), without a fence; in OpenCL the write has to release and the read to acquire.
//! What is told here only turns `refuted` into `unknown`, unless a run shows the two unordered.
//! **Misses**: whether the read got just that value, by itself or by way of updates, so that a race
//! may be left undecided.

use heddle_ir::{Access, ExprId, MemoryOrder, OpId};

use super::Search;
use crate::checks::races::word::are_members_apart;

impl Search<'_, '_> {
    /// The read by which one of the two accesses may be known to come after the other.
    pub(super) fn observed(&self, [a, b]: [OpId; 2]) -> Option<OpId> {
        [(a, b), (b, a)].into_iter().find_map(|(write, later)| self.observed_by(write, later))
    }

    fn observed_by(&self, write: OpId, later: OpId) -> Option<OpId> {
        let kernel = self.cx.kernel;
        let written = self.strong(write, self.needed()).filter(|it| it.writes())?;
        let is_there = |op: OpId| {
            let meets = |it: &Access| {
                it.address.object == written.address.object
                    && !are_members_apart(kernel, it, written)
            };
            kernel.access(op).is_some_and(meets) && self.may_meet(write, op)
        };
        let order = &self.cx.analysis.order;
        // An update in a loop polls, or tries to take a lock, and goes on trying.
        if !is_there(later) || !order.chain(write).is_empty() {
            return None;
        }
        let weak = |order: Option<MemoryOrder>, way: MemoryOrder| {
            kernel.target.opencl
                && !matches!(order, Some(it) if it == way || it >= MemoryOrder::AcqRel)
        };
        if weak(written.order.map(|it| it.0), MemoryOrder::Release) {
            return None;
        }
        let mut reads =
            kernel.ops.keys().filter(|read| is_there(*read) && order.before(*read, later));
        reads.find(|read| {
            let strong = self.strong(*read, self.needed()).filter(|it| it.reads());
            strong.is_some_and(|it| !weak(it.order.map(|it| it.0), MemoryOrder::Acquire))
                && self.may_decide(*read, later)
        })
    }

    /// Whether a read may decide that an operation is done, be it by way of memory or of lanes.
    fn may_decide(&self, read: OpId, later: OpId) -> bool {
        let kernel = self.cx.kernel;
        let around = self.cx.analysis.order.chain(later);
        let mut work: Vec<ExprId> = vec![kernel[later].pred];
        work.extend(around.iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]));
        // A loop that polls decides what comes after it.
        let polls = self.cx.analysis.order.chain(read).last().map(|of| kernel[*of].cont);
        work.extend(polls);
        self.follow(work, |op| op == read)
    }
}
