//! What is said of values on the way of a thread: by what the program assumes or asserts, and by
//! how its subscripts are written.
//!
//! **Sound because** a thread that executes an operation has met what stands before it, and meets
//! what stands after it where nothing in between may keep it or end it. An assumption that does
//! not hold there is no run; what subscripts claim is stated by who names that it is taken for
//! granted (`checks/races/ruled_out.rs`).
//! **Misses**: what stands in another iteration, or in a loop that the operation is not in.

use heddle_ir::{Ending, ExprId, Item, OpId, OpKind, Special};
use heddle_progress::kernel::untold_ends;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{FrameId, Instance};
use crate::facts::invariants::claim;

impl Instance<'_> {
    /// What the program itself assumes or asserts on the way to an operation, and where the thread
    /// comes after it without fail.
    pub(super) fn state_assumptions(&mut self, event: OpId, frame: FrameId) {
        for (op, it) in &self.analysis.kernel.ops {
            let (OpKind::Assume(condition) | OpKind::Assert { condition, message: _ }) = it.kind
            else {
                continue;
            };
            if let Some(fact) = self.on_the_way((op, condition), event, frame) {
                self.of_program.push(fact);
                self.state(fact);
            }
        }
    }

    /// What subscripts claim on the way to an operation, if that is to count. Not of what comes
    /// after it: another thread may end the launch before.
    pub(crate) fn subscripts(&mut self, event: OpId, frame: FrameId) -> Vec<ExprId> {
        let analysis = self.analysis;
        let before = analysis.subscripts.iter().filter(|op| analysis.order.before(**op, event));
        let claims = before.filter_map(|op| {
            let condition = claim(analysis.kernel, *op)?.condition;
            self.on_the_way((*op, condition), event, frame)
        });
        claims.collect()
    }

    /// What subscripts claim, said of the last thread of the block instead of this one: blocks of
    /// which it holds fit the arrays.
    pub(crate) fn subscripts_of_last(&mut self, event: OpId, frame: FrameId) -> Vec<ExprId> {
        let thread = self.thread(frame);
        let mut last = FxHashMap::default();
        for d in 0..3 {
            let tid = self.tid(thread, d);
            let size = self.special(frame, Special::Ntid(d));
            let one = self.pool.constant(1, 32);
            if self.pool.as_const(tid).is_none() {
                last.insert(tid, self.pool.sub(size, one));
            }
        }
        let claimed = self.subscripts(event, frame);
        let kept = FxHashSet::default();
        claimed.into_iter().map(|it| self.pool.substituted(it, &last, &kept)).collect()
    }

    /// That the thread did not trap before it comes to an operation.
    pub(crate) fn untrapped(&mut self, event: OpId, frame: FrameId) -> Vec<ExprId> {
        let analysis = self.analysis;
        let falsity = self.pool.falsity();
        let traps = analysis.kernel.ops.iter().filter(|(op, it)| {
            it.kind == OpKind::Exit(Ending::Trap) && analysis.order.before(*op, event)
        });
        traps.filter_map(|(op, _)| self.on_the_way((op, falsity), event, frame)).collect()
    }

    /// That a condition holds at an operation if the thread executes it, where that is on the way
    /// to an event.
    fn on_the_way(
        &mut self,
        (op, condition): (OpId, ExprId),
        event: OpId,
        frame: FrameId,
    ) -> Option<ExprId> {
        let kernel = self.analysis.kernel;
        let chain = self.analysis.order.chain(event);
        let around = self.analysis.order.chain(op);
        if !chain.starts_with(around) || !self.is_met(op, event) {
            return None;
        }
        let frame = self.outer(frame, chain.len() - around.len());
        let executed = self.at(frame, kernel[op].pred);
        let holds = self.at(frame, condition);
        Some(self.pool.implies(executed, holds))
    }

    /// Whether a thread that executes an event has met an operation, or will: it stands before the
    /// event, or nothing is in between that may keep the thread for ever, or ends it. The loops
    /// around the operation are around the event, too.
    fn is_met(&self, op: OpId, event: OpId) -> bool {
        let kernel = self.analysis.kernel;
        let order = &self.analysis.order;
        let chain = order.chain(op);
        let depth = chain.len();
        let (own, from) = (order.index(op, depth), order.index(event, depth));
        if own <= from {
            return true;
        }
        let region = chain.last().map_or(&kernel.body, |of| &kernel[*of].body);
        // The predicate of an operation says so itself where a return keeps the thread from it.
        let ends = |end: OpId, how: Ending| match how {
            Ending::Return => untold_ends(kernel, &|it| it == Item::Op(op)).contains(&end),
            Ending::Trap => true,
        };
        region.items[from..own].iter().all(|item| match *item {
            Item::Loop(_) => false,
            Item::Op(between) => {
                let effects = kernel[between].kind.effects();
                effects.waits.is_none() && !effects.ends.is_some_and(|it| ends(between, it))
            }
        })
    }
}
