//! States in a two-thread instance that no barrier lies between two operations.

use heddle_ir::{Barrier, ExprId, Item, Kernel, OpId, OpKind};

use super::{Level, Order, Relation, flag, separates};
use crate::instance::{FrameId, Instance, Thread};

impl Order {
    /// States in the instance what must hold for no barrier to lie between `a` in the first frame and `b` in
    /// the second, given how their iterations relate. The frames are inside all loops of their operation.
    pub fn state_unordered(
        &self,
        instance: &mut Instance<'_>,
        a: (OpId, FrameId),
        b: (OpId, FrameId),
        relation: Relation,
        level: Level,
    ) {
        let kernel = instance.analysis.kernel;
        let mut walk = Walk { order: self, kernel, instance, level, pair: [a.0, b.0] };
        match relation {
            Relation::Same => {
                let depth = self.common(a.0, b.0, level);
                let (i, j) = (self.position[a.0][depth], self.position[b.0][depth]);
                if i == j {
                    return;
                }
                let (earlier, later) = if i < j { (a, b) } else { (b, a) };
                walk.after(earlier, depth);
                walk.before(later, depth);
                let (i, j) = (i.min(j) as usize, i.max(j) as usize);
                let items = &walk.items(earlier.0, depth)[i + 1..j];
                for side in [earlier, later] {
                    let frame = walk.outer(side, depth);
                    walk.none_in(items, frame, None);
                }
            }
            Relation::Apart { depth, first, distance } => {
                let (earlier, later) = if first == Thread::One { (a, b) } else { (b, a) };
                let inner = depth + 1;
                walk.after(earlier, inner);
                walk.before(later, inner);
                let items = walk.items(earlier.0, inner);
                let (i, j) = (self.position[earlier.0][inner], self.position[later.0][inner]);
                let frame = walk.outer(earlier, inner);
                walk.none_in(&items[i as usize + 1..], frame, None);
                let frame = walk.outer(later, inner);
                walk.none_in(&items[..j as usize], frame, None);
                if distance > 1 {
                    walk.none_in_iteration(earlier, inner, 1);
                    walk.none_in_iteration(later, inner, -1);
                }
            }
        }
    }
}

struct Walk<'w, 'i, 'a> {
    order: &'w Order,
    kernel: &'a Kernel,
    instance: &'i mut Instance<'a>,
    level: Level,
    pair: [OpId; 2],
}

impl<'a> Walk<'_, '_, 'a> {
    /// The region at `depth` on the way to an operation.
    fn items(&self, op: OpId, depth: usize) -> &'a [Item] {
        match depth {
            0 => &self.kernel.body.items,
            _ => &self.kernel[self.order.chain[op][depth - 1]].body.items,
        }
    }

    /// The frame of an operation, cut to its outermost `depth` loops.
    fn outer(&self, side: (OpId, FrameId), depth: usize) -> FrameId {
        self.instance.outer(side.1, self.order.chain[side.0].len() - depth)
    }

    /// No barrier from the operation to the end of the loops around it that are inside `depth`.
    fn after(&mut self, side: (OpId, FrameId), depth: usize) {
        for inner in (depth + 1..=self.order.chain[side.0].len()).rev() {
            let frame = self.outer(side, inner);
            let items = self.items(side.0, inner);
            let index = self.order.position[side.0][inner] as usize;
            self.none_in(&items[index + 1..], frame, None);
            self.none_in_iteration(side, inner, 1);
        }
    }

    /// No barrier from the start of the loops around it that are inside `depth` to the operation.
    fn before(&mut self, side: (OpId, FrameId), depth: usize) {
        for inner in (depth + 1..=self.order.chain[side.0].len()).rev() {
            let frame = self.outer(side, inner);
            let items = self.items(side.0, inner);
            let index = self.order.position[side.0][inner] as usize;
            self.none_in(&items[..index], frame, None);
            self.none_in_iteration(side, inner, -1);
        }
    }

    /// No barrier in the next iteration (`delta` 1), if there is one, or in the one before (-1).
    fn none_in_iteration(&mut self, side: (OpId, FrameId), inner: usize, delta: i64) {
        let of = self.order.chain[side.0][inner - 1];
        if !self.order.has_separator(of, self.level) {
            return;
        }
        let frame = self.outer(side, inner);
        let outside = self.outer(side, inner - 1);
        let Some(k) = self.instance.iteration(frame, of) else { return };
        let other = self.instance.shift_iteration(k, delta);
        let there_is = if delta > 0 {
            self.instance.at(frame, self.kernel[of].cont)
        } else {
            let zero = self.instance.pool.constant(0, 32);
            self.instance.pool.ne(k, zero)
        };
        if self.instance.pool.as_const(there_is) == Some(0) {
            return;
        }
        let other = self.instance.enter(outside, of, other);
        let items = &self.kernel[of].body.items;
        self.none_in(items, other, Some(there_is));
    }

    /// States that no barrier of these items is executed in the frame, if `given`.
    fn none_in(&mut self, items: &[Item], frame: FrameId, given: Option<ExprId>) {
        for item in items {
            match *item {
                Item::Op(op) if separates(self.kernel, op, self.level) => {
                    self.not_executed(op, frame, given);
                }
                Item::Op(_) => {}
                Item::Loop(inner) if self.order.has_separator(inner, self.level) => {
                    let it = &self.kernel[inner];
                    let entered = self.instance.at(frame, it.pred);
                    let given = match given {
                        Some(given) => self.instance.pool.and(given, entered),
                        None => entered,
                    };
                    // The first iteration is the one that every thread which enters runs.
                    let first = self.instance.pool.constant(0, 32);
                    let inside = self.instance.enter(frame, inner, first);
                    self.none_in(&it.body.items, inside, Some(given));
                }
                Item::Loop(_) => {}
            }
        }
    }

    fn not_executed(&mut self, op: OpId, frame: FrameId, given: Option<ExprId>) {
        let mut executed = self.instance.at(frame, self.kernel[op].pred);
        if let Some(given) = given {
            executed = self.instance.pool.and(given, executed);
        }
        match &self.kernel[op].kind {
            OpKind::Barrier(Barrier::Block { orders, .. }) => {
                let flags = self.instance.at(frame, *orders);
                for access in self.pair {
                    let OpKind::Access(it) = &self.kernel[access].kind else { continue };
                    let space = self.kernel[it.address.object].space;
                    let bits = self.instance.pool.constant(u128::from(flag(space)), 32);
                    let kept = self.instance.pool.and(flags, bits);
                    let covered = self.instance.pool.eq(kept, bits);
                    executed = self.instance.pool.and(executed, covered);
                }
            }
            OpKind::Barrier(Barrier::Warp { mask }) => {
                let mask = self.instance.at(frame, *mask);
                let mask = self.instance.pool.resize(mask, 32);
                for thread in [Thread::One, Thread::Two] {
                    let lane = self.instance.lane(thread);
                    let bit = self.instance.pool.binary(heddle_ir::BinOp::LShr, mask, lane);
                    let named = self.instance.pool.cast(heddle_ir::CastOp::Trunc, bit, 1);
                    executed = self.instance.pool.and(executed, named);
                }
            }
            _ => {}
        }
        let fact = self.instance.pool.not(executed);
        self.instance.state(fact);
    }
}
