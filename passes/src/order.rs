//! Where barriers stand between operations: barrier intervals of the loop tree.
//!
//! All threads that a barrier waits for execute the same instances of it in the same order, so two operations
//! by different threads are ordered iff a barrier instance lies between them in the lock-step order of the tree.
//! For a pair of operations this module lists the ways in which their iterations can relate
//! ([`Relation`]): in loops that have a barrier the same iteration, neighbouring ones, or further apart; in loops without, any.
//! For each way it states what must hold for no barrier to lie in between.
//!
//! **Promises**: the relations cover all pairs of iterations; each stated fact holds whenever the pair is unordered.
//! **Does not**: decide whether barriers are uniform (barrier-divergence does), nor know other ways to order
//! threads: named barriers, barrier objects, atomics.

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{
    AccessKind, Barrier, BarrierAction, ClusterAction, ExprId, Item, Kernel, LoopId, OpId, OpKind,
    Space,
};
use rustc_hash::FxHashSet;

use crate::instance::{FrameId, Instance, Thread};
use crate::memory::may_alias;

/// Whom a barrier must reach to order the two threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// Threads of different blocks: only a barrier of the grid.
    Grid,
    /// Threads of one block.
    Block,
    /// Threads of one warp: warp barriers too.
    Warp,
}

/// How the iterations of two operations relate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// The same iteration of every common loop that has a barrier.
    Same,
    /// The same of the first `depth` such loops; of the next, the one of `first` is `distance` (1, or 2 for two
    /// or more) iterations before the other's.
    Apart {
        /// Common loops in which the iterations are the same.
        depth: usize,
        /// Whose iteration comes first.
        first: Thread,
        /// 1, or 2 for two or more.
        distance: u32,
    },
}

/// Positions of operations and barriers.
#[derive(Debug)]
pub struct Order {
    /// Index of the operation's ancestor item in each region on the way to it, from the root.
    position: SecondaryMap<OpId, Vec<u32>>,
    chain: SecondaryMap<OpId, Vec<LoopId>>,
    with_block_barrier: FxHashSet<LoopId>,
    with_warp_barrier: FxHashSet<LoopId>,
    with_grid_barrier: FxHashSet<LoopId>,
    /// A number per barrier-free stretch of a region; operations of one number have no barrier between them.
    segment: SecondaryMap<OpId, u32>,
    segments: u32,
    fresh_in_interval: FxHashSet<OpId>,
    fresh_in_kernel: FxHashSet<OpId>,
    sole_stores: SecondaryMap<OpId, Option<OpId>>,
}

/// Whether an operation is a barrier at this level, for accesses to this space.
pub fn separates(kernel: &Kernel, op: OpId, level: Level) -> bool {
    let OpKind::Barrier(barrier) = &kernel[op].kind else { return false };
    match barrier {
        Barrier::Grid => true,
        Barrier::Block { .. } => level != Level::Grid,
        // `bar.sync id` without a count waits for the whole block.
        Barrier::Named { action: BarrierAction::Sync, count: None, .. } => level != Level::Grid,
        Barrier::Cluster { action: ClusterAction::Sync, order, .. } => {
            level != Level::Grid && *order != heddle_ir::Order::Relaxed
        }
        Barrier::Warp { .. } => level == Level::Warp,
        Barrier::Named { .. } | Barrier::Cluster { .. } | Barrier::Mbarrier { .. } => false,
    }
}

impl Order {
    /// Computes it.
    pub fn of(kernel: &Kernel) -> Order {
        let mut order = Order {
            position: SecondaryMap::new(),
            chain: SecondaryMap::new(),
            with_block_barrier: FxHashSet::default(),
            with_warp_barrier: FxHashSet::default(),
            with_grid_barrier: FxHashSet::default(),
            segment: SecondaryMap::new(),
            segments: 0,
            fresh_in_interval: FxHashSet::default(),
            fresh_in_kernel: FxHashSet::default(),
            sole_stores: SecondaryMap::new(),
        };
        order.place(kernel, &kernel.body.items, &mut Vec::new(), &mut Vec::new());
        order.number_segments(kernel, &kernel.body.items, 0);
        order.find_fresh(kernel);
        order
    }

    /// The loops around an operation, outermost first.
    pub fn chain(&self, op: OpId) -> &[LoopId] {
        &self.chain[op]
    }

    /// Whether the operation comes first in the order of the tree.
    pub fn before(&self, a: OpId, b: OpId) -> bool {
        self.position[a] < self.position[b]
    }

    /// Whether a block barrier is inside the loop.
    pub fn has_barrier(&self, of: LoopId) -> bool {
        self.with_block_barrier.contains(&of)
    }

    fn has_separator(&self, of: LoopId, level: Level) -> bool {
        match level {
            Level::Grid => self.with_grid_barrier.contains(&of),
            Level::Block => self.with_block_barrier.contains(&of),
            Level::Warp => self.with_warp_barrier.contains(&of),
        }
    }

    /// Whether the thread that does a load has plainly not written the object since the last barrier. Then the
    /// load reads what memory held when the interval began: a write by another thread would race with it.
    pub fn fresh_in_interval(&self, load: OpId) -> bool {
        self.fresh_in_interval.contains(&load)
    }

    /// Whether the block of the thread that does a load has plainly not written the object before. Then the
    /// load reads what memory held when the kernel began: a write by another block would race with it.
    pub fn fresh_in_kernel(&self, load: OpId) -> bool {
        self.fresh_in_kernel.contains(&load)
    }

    /// The one store of the kernel to what a load of shared memory reads, where it is done once, at the same constant
    /// place, and a barrier brings it to the load.
    pub fn sole_store(&self, load: OpId) -> Option<OpId> {
        self.sole_stores[load]
    }

    /// The number of the barrier-free stretch an operation is in, per iteration of the loops with barriers around it.
    pub fn segment(&self, op: OpId) -> u32 {
        self.segment[op]
    }

    /// How many common loops of the two have a barrier, outermost first.
    pub fn common(&self, a: OpId, b: OpId, level: Level) -> usize {
        let both = self.chain[a].iter().zip(&self.chain[b]);
        both.take_while(|(x, y)| x == y && self.has_separator(**x, level)).count()
    }

    /// All ways in which the iterations of `a` by the first thread and `b` by the second relate. Where
    /// both are the same operation, ways that exchange the threads are listed once.
    pub fn relations(&self, a: OpId, b: OpId, level: Level) -> Vec<Relation> {
        let mut all = vec![Relation::Same];
        for depth in 0..self.common(a, b, level) {
            for distance in [1, 2] {
                all.push(Relation::Apart { depth, first: Thread::One, distance });
                if a != b {
                    all.push(Relation::Apart { depth, first: Thread::Two, distance });
                }
            }
        }
        all
    }

    fn place(
        &mut self,
        kernel: &Kernel,
        items: &[Item],
        position: &mut Vec<u32>,
        chain: &mut Vec<LoopId>,
    ) {
        for (index, item) in items.iter().enumerate() {
            position.push(index as u32);
            match *item {
                Item::Op(op) => {
                    self.position[op] = position.clone();
                    self.chain[op] = chain.clone();
                    for (level, set) in [
                        (Level::Grid, &mut self.with_grid_barrier),
                        (Level::Block, &mut self.with_block_barrier),
                        (Level::Warp, &mut self.with_warp_barrier),
                    ] {
                        if separates(kernel, op, level) {
                            set.extend(chain.iter().copied());
                        }
                    }
                }
                Item::Loop(inner) => {
                    chain.push(inner);
                    self.place(kernel, &kernel[inner].body.items, position, chain);
                    chain.pop();
                }
            }
            position.pop();
        }
    }

    fn number_segments(&mut self, kernel: &Kernel, items: &[Item], mut number: u32) {
        for item in items {
            match *item {
                Item::Op(op) => {
                    self.segment[op] = number;
                    if separates(kernel, op, Level::Block) {
                        self.segments += 1;
                        number = self.segments;
                    }
                }
                Item::Loop(inner) if self.has_barrier(inner) => {
                    self.segments += 1;
                    self.number_segments(kernel, &kernel[inner].body.items, self.segments);
                    self.segments += 1;
                    number = self.segments;
                }
                Item::Loop(inner) => {
                    self.number_segments(kernel, &kernel[inner].body.items, number)
                }
            }
        }
    }

    fn find_fresh(&mut self, kernel: &Kernel) {
        let mut loads = Vec::new();
        let mut writes = Vec::new();
        let mut opaque = false;
        kernel.for_each_op(|op, _| match &kernel[op].kind {
            OpKind::Access(access) if kernel[access.address.object].space != Space::Local => {
                if matches!(access.kind, AccessKind::Load) {
                    loads.push((op, access.address.object));
                } else {
                    writes.push((op, access.address.object));
                }
            }
            OpKind::AsyncCopy(copy) => writes.push((op, copy.destination.object)),
            OpKind::Opaque(it) => opaque |= !it.touches.is_nothing(),
            _ => {}
        });
        // A bound on work, not on soundness: past it no load is called fresh.
        if opaque || loads.len().saturating_mul(writes.len()) > 1 << 20 {
            return;
        }
        // Where threads are ordered by other means than barriers of the block, a write by another thread need not race
        // with the load, and so must not be there at all.
        let others_may_write = orders_otherwise(kernel, Level::Block);
        for &(load, object) in &loads {
            let mut to_it = writes.iter().filter(|(_, to)| may_alias(kernel, object, *to));
            if let (Some((store, _)), None) = (to_it.next(), to_it.next())
                && self.brings(kernel, *store, load)
            {
                self.sole_stores[load] = Some(*store);
            }
        }
        for (load, object) in loads {
            let writes = || writes.iter().filter(|(_, to)| may_alias(kernel, object, *to));
            let apart = |write: OpId| {
                let relations = self.relations(write, load, Level::Block);
                relations.into_iter().all(|relation| {
                    self.obviously_ordered(kernel, write, load, relation, Level::Block)
                })
            };
            if writes().all(|(write, _)| {
                apart(*write) || (!others_may_write && !self.may_precede(kernel, *write, load))
            }) {
                self.fresh_in_interval.insert(load);
            }
            let looped = |write| {
                let common = self.chain[load].first();
                common.is_some() && common == self.chain[write].first()
            };
            let late = |write| self.before(load, write) && !looped(write) && !others_may_write;
            if writes().all(|(write, _)| late(*write)) {
                self.fresh_in_kernel.insert(load);
            }
        }
    }

    /// Whether a store outside all loops and a load are of the same constant bytes of shared memory, with a
    /// barrier in between.
    fn brings(&self, kernel: &Kernel, store: OpId, load: OpId) -> bool {
        let (OpKind::Access(from), OpKind::Access(to)) = (&kernel[store].kind, &kernel[load].kind)
        else {
            return false;
        };
        let plain = [from, to].iter().all(|it| it.order.is_none());
        plain
            && matches!(&from.kind, AccessKind::Store(values) if values.len() == 1)
            && kernel[to.address.object].space == Space::Shared
            && from.address == to.address
            && from.size == to.size
            && kernel.exprs.as_const(to.address.offset).is_some()
            && kernel.exprs.as_const(to.size).is_some()
            && self.chain[store].is_empty()
            && self.before(store, load)
            && self.obviously_ordered(kernel, store, load, Relation::Same, Level::Block)
    }

    /// Whether a thread may do the write before the load with no barrier in between.
    fn may_precede(&self, kernel: &Kernel, write: OpId, load: OpId) -> bool {
        let depth = self.common(write, load, Level::Block);
        let chains = (self.chain[write].get(depth), self.chain[load].get(depth));
        // In a common loop without a barrier an earlier iteration may have written.
        let looped = chains.0.is_some() && chains.0 == chains.1;
        self.relations(write, load, Level::Block).into_iter().any(|relation| {
            let possible = match relation {
                Relation::Same => looped || self.before(write, load),
                Relation::Apart { first, .. } => first == Thread::One,
            };
            possible && !self.obviously_ordered(kernel, write, load, relation, Level::Block)
        })
    }

    /// Whether an unconditional barrier plainly lies between the two, `a` by the first thread.
    pub fn obviously_ordered(
        &self,
        kernel: &Kernel,
        a: OpId,
        b: OpId,
        relation: Relation,
        level: Level,
    ) -> bool {
        let space = |op: OpId| match &kernel[op].kind {
            OpKind::Access(access) => kernel[access.address.object].space,
            _ => Space::Generic,
        };
        let spaces = [space(a), space(b)];
        let certain = |items: &[Item], guards: &[ExprId]| {
            items.iter().any(|item| match *item {
                Item::Op(op) if separates(kernel, op, level) => {
                    let pred = kernel[op].pred;
                    let surely = kernel.exprs.as_const(pred) == Some(1)
                        || guards.iter().any(|guard| implies(kernel, *guard, pred));
                    let all_lanes = match &kernel[op].kind {
                        OpKind::Barrier(Barrier::Warp { mask }) => {
                            kernel.exprs.as_const(*mask) == Some(u128::from(u32::MAX))
                        }
                        _ => true,
                    };
                    surely
                        && all_lanes
                        && spaces.iter().all(|it| orders(kernel, op, *it) == Some(true))
                }
                Item::Op(_) | Item::Loop(_) => false,
            })
        };
        let region = |depth: usize| match depth {
            0 => &kernel.body.items,
            _ => &kernel[self.chain[a][depth - 1]].body.items,
        };
        let index = |op: OpId, depth: usize| self.position[op][depth] as usize;
        let guard = |items: &[Item], at: usize| match items[at] {
            Item::Op(op) => kernel[op].pred,
            Item::Loop(inner) => kernel[inner].pred,
        };
        match relation {
            Relation::Same => {
                let depth = self.common(a, b, level);
                let items = region(depth);
                let (i, j) = (index(a, depth), index(b, depth));
                let guards = [guard(items, i), guard(items, j)];
                let (low, high) = (i.min(j), i.max(j));
                low != high && certain(&items[low + 1..high], &guards)
            }
            Relation::Apart { depth, first, distance } => {
                let items = region(depth + 1);
                let (earlier, later) = if first == Thread::One { (a, b) } else { (b, a) };
                let (i, j) = (index(earlier, depth + 1), index(later, depth + 1));
                (distance > 1 && certain(items, &[]))
                    || certain(&items[i + 1..], &[guard(items, i)])
                    || certain(&items[..j], &[guard(items, j)])
            }
        }
    }

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

/// Whether anything but the barriers known at a level may order threads: barriers of a part of a block, barriers of
/// the grid, fences, ordered atomics, copies, or what is not modelled.
pub fn orders_otherwise(kernel: &Kernel, known: Level) -> bool {
    kernel.ops.iter().any(|(op, it)| match &it.kind {
        OpKind::Barrier(Barrier::Block { .. }) => false,
        OpKind::Barrier(_) => !separates(kernel, op, known) || separates(kernel, op, Level::Grid),
        OpKind::Fence { .. }
        | OpKind::AsyncCopy(_)
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. } => true,
        OpKind::Access(access) => match access.order {
            Some((heddle_ir::Order::Relaxed, _)) | None => false,
            Some(_) => true,
        },
        OpKind::Opaque(opaque) => opaque.may_synchronize,
        OpKind::CrossLane(_) | OpKind::Assume(_) | OpKind::Assert { .. } | OpKind::Exit(_) => false,
    })
}

/// Whether one predicate is plainly part of another: the other, or one of its conjuncts.
pub fn implies(kernel: &Kernel, guard: ExprId, pred: ExprId) -> bool {
    let mut work = vec![guard];
    while let Some(id) = work.pop() {
        if id == pred {
            return true;
        }
        if let heddle_ir::ExprKind::Binary(heddle_ir::BinOp::And, _, a, b) = kernel[id].kind {
            work.extend([a, b]);
        }
    }
    false
}

/// Whether a barrier orders accesses to a space: OpenCL's flags. `None` where the flags are not constant.
pub fn orders(kernel: &Kernel, op: OpId, space: Space) -> Option<bool> {
    let OpKind::Barrier(Barrier::Block { orders, .. }) = kernel[op].kind else {
        return Some(true);
    };
    let flags = kernel.exprs.as_const(orders)?;
    Some(flags & u128::from(flag(space)) == u128::from(flag(space)))
}

/// The bits of OpenCL's fence flags that a space needs.
fn flag(space: Space) -> u32 {
    match space {
        Space::Shared => 1,
        Space::Global | Space::Constant => 2,
        Space::Local => 0,
        Space::Generic => 3,
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
