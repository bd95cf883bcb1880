//! Is one access of a race to a flag itself, by a thread that has read there what the other wrote?
//!
//! **What**: `while (atomicAdd(flag, 0) != 1); *flag = 0;` beside `atomicExch(flag, 1)` of another
//! thread: the plain store comes after the exchange, as the read before it has got its value.
//! **Method**: the write is strong, and a strong read of the same object stands before the other
//! access and decides whether, or when, that is done: by a loop that polls, or by a guard.
//! **Sound because** observation followed by program order or barriers is causality order in PTX
//! (section 8.9.5), without a fence; in OpenCL the write has to release and the read to acquire.
//! What is told here only turns `refuted` into `unknown`.
//! **Misses**: whether the read got just that value. Reads that decide nothing observe what came
//! before them by chance, and leave a race one.

use heddle_ir::{OpId, Order};

use super::Search;

impl Search<'_, '_> {
    /// The read by which one of the two accesses may be known to come after the other.
    pub(super) fn observed(&self, [a, b]: [OpId; 2]) -> Option<OpId> {
        [(a, b), (b, a)].into_iter().find_map(|(write, later)| self.observed_by(write, later))
    }

    fn observed_by(&self, write: OpId, later: OpId) -> Option<OpId> {
        let kernel = self.cx.kernel;
        let written = self.strong(write, self.needed()).filter(|it| it.writes())?;
        let object = written.address.object;
        let is_there = |op: OpId| kernel.access(op).is_some_and(|it| it.address.object == object);
        if !is_there(later) {
            return None;
        }
        let weak = |order: Option<Order>, way: Order| {
            kernel.target.opencl && !matches!(order, Some(it) if it == way || it >= Order::AcqRel)
        };
        if weak(written.order.map(|it| it.0), Order::Release) {
            return None;
        }
        let order = &self.cx.analysis.order;
        kernel.ops.keys().filter(|read| is_there(*read) && order.before(*read, later)).find(
            |read| {
                let strong = self.strong(*read, self.needed()).filter(|it| it.reads());
                strong.is_some_and(|it| !weak(it.order.map(|it| it.0), Order::Acquire))
                    && self.decides(*read, later)
            },
        )
    }
}
