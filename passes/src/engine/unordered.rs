//! States in a two-thread instance that no barrier lies between two operations.
//!
//! **What**: two accesses are ordered if an instance of a barrier stands between them that the
//! thread of the later access executes, and the thread of the earlier one too or returned before
//! it.
//! **Method**: for each barrier instance between the two, a fact says that it is not executed. Of
//! the later thread's instances its own predicate decides. Instances in loops that only the earlier
//! thread is in count too if the later thread has been in the same iterations: where no thread may
//! return, barrier-divergence says so of all threads.
//! **Sound because**: a thread that a barrier does without has returned, or returns without waiting
//! anywhere. What the earlier thread did before is done when it has returned, and the barrier waits
//! for that. What the *later* thread does on its way to a return is ordered by no barrier that it
//! does not execute; so where threads do something there (`timely` in `regular.rs`), a barrier of
//! the earlier thread counts only if its conditions are the same for the block.
//! **Misses**: nothing that is ordered by barriers, except in such kernels those of the earlier
//! thread's own loops under conditions that vary by thread, and accesses that stand after a loop
//! but are done before its end; such a pair may be called unordered.
//! **Assumes**: barriers are uniform (barrier-divergence decides that); that the end of a thread
//! orders what it did before barriers that complete after it, which the answer names where it is
//! used.

use heddle_diagnostics::Assumption;
use heddle_ir::{Barrier, ExprId, Item, Kernel, ObjectId, OpId, Orders, Place};

use super::instance::{FrameId, Instance};
use crate::facts::analysis::Analysis;
use crate::facts::launch::BarrierModel;
use crate::facts::order::{Level, ProgramOrder, Relation, flag, implies, is_return, may_return};
use crate::facts::thread::Thread;

/// States in the instance what must hold for no barrier to lie between `a` in the first frame
/// and `b` in the second, given how their iterations relate. The frames are inside all loops of
/// their operation.
pub(crate) fn state_unordered(
    instance: &mut Instance<'_>,
    a: (OpId, FrameId),
    b: (OpId, FrameId),
    relation: Relation,
    level: Level,
) {
    let Analysis { kernel, order, .. } = instance.analysis;
    let excuses = match level {
        // No thread has returned there (`regular.rs`).
        Level::Grid | Level::Cluster => false,
        Level::Block => instance.analysis.launch.barriers == BarrierModel::ExitedOk,
        Level::Warp => true,
    };
    let may_return = excuses && may_return(kernel);
    let timely = order.regular().timely;
    let pair = [a.0, b.0];
    let mut walk = Walk { order, kernel, instance, level, pair, may_return, timely, first: a };
    match relation {
        Relation::Same => {
            let depth = order.common(a.0, b.0, level);
            let (i, j) = (order.index(a.0, depth), order.index(b.0, depth));
            if i == j {
                return;
            }
            let (earlier, later) = if i < j { (a, b) } else { (b, a) };
            walk.first = earlier;
            walk.after(earlier, later, depth);
            walk.before(later, depth);
            let (i, j) = (i.min(j), i.max(j));
            let items = &walk.items(earlier.0, depth)[i + 1..j];
            let frames = [earlier, later].map(|side| walk.outer(side, depth));
            walk.none_of_first(items, frames[0], None);
            walk.none_of_second(items, frames[1], None);
        }
        Relation::Apart { depth, first, distance } => {
            let (earlier, later) = if first == Thread::One { (a, b) } else { (b, a) };
            walk.first = earlier;
            let inner = depth + 1;
            walk.after(earlier, later, inner);
            walk.before(later, inner);
            let items = walk.items(earlier.0, inner);
            let (i, j) = (order.index(earlier.0, inner), order.index(later.0, inner));
            let frame = walk.outer(earlier, inner);
            walk.none_of_first(&items[i + 1..], frame, None);
            let frame = walk.outer(later, inner);
            walk.none_of_second(&items[..j], frame, None);
            if distance > 1 {
                walk.none_in_next(earlier, inner, None);
                walk.none_in_last(later, inner);
            }
        }
    }
}

/// Whose instance of a barrier is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// The thread of the earlier access.
    First,
    /// The thread of the later access.
    Second,
}

struct Walk<'w, 'i, 'a> {
    order: &'w ProgramOrder,
    kernel: &'a Kernel,
    instance: &'i mut Instance<'a>,
    level: Level,
    pair: [OpId; 2],
    /// Threads may return early, and the barriers do without them.
    may_return: bool,
    /// No thread does anything between leaving others behind at a barrier and its return.
    timely: bool,
    /// The earlier access.
    first: (OpId, FrameId),
}

impl<'a> Walk<'_, '_, 'a> {
    /// The region at `depth` on the way to an operation.
    fn items(&self, op: OpId, depth: usize) -> &'a [Item] {
        match depth {
            0 => &self.kernel.body.items,
            _ => &self.kernel[self.order.chain(op)[depth - 1]].body.items,
        }
    }

    /// The frame of an operation, cut to its outermost `depth` loops.
    fn outer(&self, side: (OpId, FrameId), depth: usize) -> FrameId {
        self.instance.outer(side.1, self.order.chain(side.0).len() - depth)
    }

    /// No barrier from the earlier access to the end of the loops around it that are inside
    /// `depth`, and that the later thread has been in as well.
    fn after(&mut self, side: (OpId, FrameId), later: (OpId, FrameId), depth: usize) {
        let chain = self.order.chain(side.0);
        if chain.len() <= depth {
            return;
        }
        let entered = if !self.timely {
            let agree = |id| self.instance.analysis.uniformity.block_uniform(id);
            let deeper = &chain[depth..];
            let same_trips = deeper.iter().all(|of| agree(self.kernel[*of].cont))
                && deeper[1..].iter().all(|of| agree(self.kernel[*of].pred));
            if !same_trips {
                return;
            }
            // The iterations of the loop are the same for all that enter it.
            let frame = self.outer(later, depth);
            Some(self.instance.at(frame, self.kernel[chain[depth]].pred))
        } else {
            None
        };
        for inner in (depth + 1..=chain.len()).rev() {
            let frame = self.outer(side, inner);
            let items = self.items(side.0, inner);
            let index = self.order.index(side.0, inner);
            self.none_of_first(&items[index + 1..], frame, entered);
            self.none_in_next(side, inner, entered);
        }
    }

    /// No barrier from the start of the loops around the later access that are inside `depth` to
    /// it.
    fn before(&mut self, side: (OpId, FrameId), depth: usize) {
        for inner in (depth + 1..=self.order.chain(side.0).len()).rev() {
            let frame = self.outer(side, inner);
            let items = self.items(side.0, inner);
            let index = self.order.index(side.0, inner);
            self.none_of_second(&items[..index], frame, None);
            self.none_in_last(side, inner);
        }
    }

    /// No barrier in the earlier thread's next iteration, if there is one.
    fn none_in_next(&mut self, side: (OpId, FrameId), inner: usize, given: Option<ExprId>) {
        let of = self.order.chain(side.0)[inner - 1];
        let frame = self.outer(side, inner);
        let there_is = self.instance.at(frame, self.kernel[of].cont);
        let given = self.all_of(given, there_is);
        self.none_in_iteration(Side::First, side, inner, 1, given);
    }

    /// No barrier in the later thread's iteration before this one, if there is one.
    fn none_in_last(&mut self, side: (OpId, FrameId), inner: usize) {
        let of = self.order.chain(side.0)[inner - 1];
        let frame = self.outer(side, inner);
        let Some(k) = self.instance.iteration(frame, of) else { return };
        let zero = self.instance.pool.constant(0, 32);
        let there_is = self.instance.pool.ne(k, zero);
        self.none_in_iteration(Side::Second, side, inner, -1, there_is);
    }

    fn none_in_iteration(
        &mut self,
        whose: Side,
        side: (OpId, FrameId),
        inner: usize,
        delta: i64,
        there_is: ExprId,
    ) {
        let of = self.order.chain(side.0)[inner - 1];
        if !self.order.has_separator(of, self.level)
            || self.instance.pool.as_const(there_is) == Some(0)
        {
            return;
        }
        let frame = self.outer(side, inner);
        let outside = self.outer(side, inner - 1);
        let Some(k) = self.instance.iteration(frame, of) else { return };
        let other = self.instance.shift_iteration(k, delta);
        let other = self.instance.enter(outside, of, other);
        let items = &self.kernel[of].body.items;
        match whose {
            Side::First => self.none_of_first(items, other, Some(there_is)),
            Side::Second => self.none_of_second(items, other, Some(there_is)),
        }
    }

    /// No barrier of these items is executed by the earlier thread and by the later one with it, if
    /// `given`.
    fn none_of_first(&mut self, items: &[Item], frame: FrameId, given: Option<ExprId>) {
        self.none_in(Side::First, items, frame, given);
    }

    /// No barrier of these items is executed by the later thread, if `given`.
    fn none_of_second(&mut self, items: &[Item], frame: FrameId, given: Option<ExprId>) {
        self.none_in(Side::Second, items, frame, given);
    }

    fn none_in(&mut self, whose: Side, items: &[Item], frame: FrameId, given: Option<ExprId>) {
        for item in items {
            match *item {
                Item::Op(op) if self.order.separates(self.kernel, op, self.level) => {
                    self.not_executed(whose, op, frame, given);
                }
                Item::Op(_) => {}
                Item::Loop(inner) if self.order.has_separator(inner, self.level) => {
                    let it = &self.kernel[inner];
                    if self.parts(whose, it.pred) {
                        continue;
                    }
                    let entered = self.instance.at(frame, it.pred);
                    let given = self.all_of(given, entered);
                    // The first iteration is the one that every thread which enters runs.
                    let first = self.instance.pool.constant(0, 32);
                    let inside = self.instance.enter(frame, inner, first);
                    self.none_in(whose, &it.body.items, inside, Some(given));
                }
                Item::Loop(_) => {}
            }
        }
    }

    /// Whether the later thread may have taken another way than the earlier one, on its way to a
    /// return.
    fn parts(&self, whose: Side, condition: ExprId) -> bool {
        whose == Side::First
            && !self.timely
            && !self.instance.analysis.uniformity.block_uniform(condition)
    }

    fn all_of(&mut self, given: Option<ExprId>, condition: ExprId) -> ExprId {
        match given {
            Some(given) => self.instance.pool.and(given, condition),
            None => condition,
        }
    }

    fn not_executed(&mut self, whose: Side, op: OpId, frame: FrameId, given: Option<ExprId>) {
        if self.parts(whose, self.kernel[op].pred) {
            return;
        }
        let mut executed = self.instance.at(frame, self.kernel[op].pred);
        if let Some(given) = given {
            executed = self.instance.pool.and(given, executed);
        }
        let Some(executed) = barrier_counts(self.instance, op, frame, executed, self.pair) else {
            return;
        };
        if self.instance.pool.as_const(executed) != Some(0) && self.rests_on_return(whose, op) {
            self.instance.rely_on(Assumption::ExitsOrder);
        }
        let fact = self.instance.pool.not(executed);
        self.instance.state(fact);
    }

    /// Whether the thread of the earlier access may have returned before this barrier, so that its
    /// end is what orders the two.
    fn rests_on_return(&self, whose: Side, op: OpId) -> bool {
        let pred = self.kernel[op].pred;
        let chain = self.order.chain(op);
        let conditions = chain.iter().map(|of| self.kernel[*of].pred).chain([pred]);
        let agree = |id| self.instance.analysis.uniformity.block_uniform(id);
        let first = self.first.0;
        let of_first: Vec<ExprId> = self
            .order
            .chain(first)
            .iter()
            .map(|of| self.kernel[*of].pred)
            .chain([self.kernel[first].pred])
            .collect();
        let same_trips = chain.iter().all(|of| agree(self.kernel[*of].cont));
        let together = conditions
            .into_iter()
            .all(|id| agree(id) || of_first.iter().any(|guard| implies(self.kernel, *guard, id)));
        // `asm("exit;")` ends threads of which no condition of what follows tells.
        let ends_between = || {
            let mut ends = self.kernel.ops.keys().filter(|it| is_return(self.kernel, *it));
            ends.any(|it| {
                !agree(self.kernel[it].pred)
                    && self.order.before(first, it)
                    && self.order.before(it, op)
            })
        };
        whose == Side::Second && self.may_return && (!(same_trips && together) || ends_between())
    }
}

/// That a barrier which is executed orders the two operations: its flags cover the memory of both,
/// and its mask names both threads. `None` for what is no barrier of the whole block or of a warp.
pub(crate) fn barrier_counts(
    instance: &mut Instance<'_>,
    op: OpId,
    frame: FrameId,
    executed: ExprId,
    pair: [OpId; 2],
) -> Option<ExprId> {
    match instance.analysis.kernel[op].kind.effects().orders {
        Some(Orders::Barrier(Barrier::Block { orders, .. })) => {
            Some(covered(instance, executed, frame, *orders, pair))
        }
        Some(Orders::Barrier(Barrier::Warp { mask, orders })) => {
            let mut executed = covered(instance, executed, frame, *orders, pair);
            let mask = instance.at(frame, *mask);
            let mask = instance.pool.resize(mask, 32);
            // Rows that a warp touches are touched by any of its lanes.
            let kernel = instance.analysis.kernel;
            if pair.iter().any(|op| kernel.access(*op).is_some_and(|it| it.by_warp)) {
                let all = instance.pool.constant(u128::from(u32::MAX), 32);
                let whole = instance.pool.eq(mask, all);
                executed = instance.pool.and(executed, whole);
            }
            for thread in [Thread::One, Thread::Two] {
                let lane = instance.lane(thread);
                let bit = instance.pool.binary(heddle_ir::BinOp::LShr, mask, lane);
                let named = instance.pool.cast(heddle_ir::CastOp::Trunc, bit, 1);
                executed = instance.pool.and(executed, named);
            }
            Some(executed)
        }
        Some(Orders::Barrier(Barrier::Named { .. } | Barrier::Cluster { .. } | Barrier::Grid)) => {
            Some(executed)
        }
        // No operation that separates is one of these; nothing may be concluded from one that is.
        Some(
            Orders::Barrier(Barrier::Mbarrier { .. })
            | Orders::Fence(..)
            | Orders::Access(..)
            | Orders::Copies
            | Orders::NotModelled,
        )
        | None => None,
    }
}

/// That a barrier which is executed, of the whole block, orders what is done to an object. `None`
/// for what is none.
pub(crate) fn barrier_covers(
    instance: &mut Instance<'_>,
    op: OpId,
    frame: FrameId,
    executed: ExprId,
    object: ObjectId,
) -> Option<ExprId> {
    match instance.analysis.kernel[op].kind.effects().orders {
        Some(Orders::Barrier(Barrier::Block { orders, .. })) => {
            Some(covers(instance, executed, frame, *orders, &[object]))
        }
        Some(Orders::Barrier(Barrier::Named { .. } | Barrier::Cluster { .. } | Barrier::Grid)) => {
            Some(executed)
        }
        Some(
            Orders::Barrier(Barrier::Warp { .. } | Barrier::Mbarrier { .. })
            | Orders::Fence(..)
            | Orders::Access(..)
            | Orders::Copies
            | Orders::NotModelled,
        )
        | None => None,
    }
}

/// That the flags of a barrier cover the memory of both operations, besides what is given. Flags
/// that differ by thread promise nothing: one side may release what the other does not acquire.
fn covered(
    instance: &mut Instance<'_>,
    given: ExprId,
    frame: FrameId,
    flags: ExprId,
    pair: [OpId; 2],
) -> ExprId {
    let mut objects = Vec::new();
    for op in pair {
        for touch in instance.analysis.kernel[op].kind.effects().touches {
            let Place::At(at) = touch.place else { continue };
            objects.push(at.object);
        }
    }
    covers(instance, given, frame, flags, &objects)
}

/// The same for the memory of these objects.
fn covers(
    instance: &mut Instance<'_>,
    given: ExprId,
    frame: FrameId,
    flags: ExprId,
    objects: &[ObjectId],
) -> ExprId {
    let Analysis { kernel, uniformity, .. } = instance.analysis;
    if !uniformity.block_uniform(flags) {
        return instance.pool.falsity();
    }
    let flags = instance.at(frame, flags);
    let mut all = given;
    for object in objects {
        let bits = flag(kernel, *object);
        let bits = instance.pool.constant(u128::from(bits), 32);
        let kept = instance.pool.and(flags, bits);
        let covered = instance.pool.eq(kept, bits);
        all = instance.pool.and(all, covered);
    }
    all
}
