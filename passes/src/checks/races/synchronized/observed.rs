//! Is one access of a race to a flag itself, by a thread that has read there what the other wrote?
//!
//! **What**: `while (atomicAdd(flag, 0) != 1); *flag = 0;` beside `atomicExch(flag, 1)` of another
//! thread: the plain store comes after the exchange, as the read before it has got its value.
//! **Method**: the write is strong and in no loop, and a strong read of the same word stands before
//! the other access in a loop that polls. Where the write stores a constant with which that loop goes on, or
//! the access is not done, the read has found another value.
//! **Sound because** observation followed by program order or barriers is causality order in PTX
//! (section 8.9.5), without a fence; in OpenCL the write has to release and the read to acquire.
//! What is told here only turns `refuted` into `unknown`.
//! **Misses**: whether the read got just that value; reads that are done once, under which a race
//! stays one.

use heddle_ir::{Access, AccessKind, AtomicOp, ExprId, ExprKind, OpId, Order};
use heddle_solver::{Model, Value};

use super::Search;
use crate::checks::races::flags::excluded::for_each_source;
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
        let weak = |order: Option<Order>, way: Order| {
            kernel.target.opencl && !matches!(order, Some(it) if it == way || it >= Order::AcqRel)
        };
        if weak(written.order.map(|it| it.0), Order::Release) {
            return None;
        }
        let mut reads =
            kernel.ops.keys().filter(|read| is_there(*read) && order.before(*read, later));
        reads.find(|read| {
            let strong = self.strong(*read, self.needed()).filter(|it| it.reads());
            strong.is_some_and(|it| !weak(it.order.map(|it| it.0), Order::Acquire))
                && order.chain(*read).iter().any(|of| !order.chain(later).contains(of))
                && self.decides(*read, later)
                && self.leads_on(write, *read, later)
        })
    }

    /// Whether who reads what the write leaves may come to the later access: not so who waits for a
    /// lock to be free, and reads that another has taken it.
    fn leads_on(&self, write: OpId, read: OpId, later: OpId) -> bool {
        let (kernel, order) = (self.cx.kernel, &self.cx.analysis.order);
        let stored = match kernel.access(write).map(|it| &it.kind) {
            Some(AccessKind::Store(values)) => values.first(),
            Some(AccessKind::Atomic(AtomicOp::Exchange, operands)) => operands.first(),
            Some(AccessKind::Atomic(op, operands)) if op.compares() => operands.get(1),
            Some(AccessKind::Atomic(..) | AccessKind::Load) | None => None,
        };
        let Some(value) = stored.and_then(|it| kernel.exprs.as_const(*it)) else { return true };
        let found = |condition: ExprId| self.value((read, value), condition);
        let polls = order.chain(read).iter().filter(|of| !order.chain(later).contains(of));
        let goes_on = polls.map(|of| kernel[*of].cont).any(|it| found(it) == Some(1));
        !goes_on && found(kernel[later].pred) != Some(0)
    }

    /// The value of a condition, where it rests on nothing but this read of this value.
    fn value(&self, (read, value): (OpId, u128), condition: ExprId) -> Option<u128> {
        let pool = &self.cx.kernel.exprs;
        let (mut model, mut rests_on_more) = (Model::new(), false);
        for_each_source(self.cx.kernel, std::iter::once(condition), |id, _| {
            let mut operands = 0;
            pool.for_each_operand(id, |_| operands += 1);
            match pool[id].kind == ExprKind::Result(read, 0) {
                true => model.set_leaf(id, heddle_ir::mask(value, pool.width(id))),
                // A leaf, or what the model has a value of its own for.
                false => {
                    rests_on_more |= operands == 0 && pool.as_const(id).is_none()
                        || matches!(pool[id].kind, ExprKind::Exit(..) | ExprKind::Pure(..));
                }
            }
        });
        match model.evaluate(pool, condition) {
            Value::Known(value) if !rests_on_more => Some(value),
            Value::Known(_) | Value::Poison => None,
        }
    }
}
