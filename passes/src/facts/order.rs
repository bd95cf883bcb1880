//! Where barriers stand between operations: barrier intervals of the loop tree.
//!
//! All threads that a barrier waits for execute the same instances of it in the same order, so two
//! operations by different threads are ordered iff a barrier instance lies between them in the
//! lock-step order of the tree. For a pair of operations this module lists the ways in which their
//! iterations can relate ([`Relation`]): in loops that have a barrier the same iteration,
//! neighbouring ones, or further apart; in loops without, any. For each way it states what must
//! hold for no barrier to lie in between.
//!
//! **Promises**: the relations cover all pairs of iterations; each stated fact holds whenever the
//! pair is unordered.
//! **Does not**: decide whether barriers are uniform (barrier-divergence does), nor know other ways
//! to order threads: named barriers, barrier objects, atomics.

mod fresh;
mod regular;

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{
    Barrier, BarrierAction, ClusterAction, CmpOp, Ending, ExprId, ExprKind, Item, Kernel, LoopId,
    ObjectId, ObjectKind, OpId, OpKind, Orders, Space, Special, Target, Waits,
};
use rustc_hash::FxHashSet;

use crate::facts::launch::Launch;
use crate::facts::thread::Thread;

pub(crate) use self::regular::{GridBarriers, Regular, barrier_of};

/// Whom a barrier must reach to order the two threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Level {
    /// Threads of different blocks: only a barrier of the grid.
    Grid,
    /// Threads of different blocks of one cluster: barriers of the cluster too.
    Cluster,
    /// Threads of one block.
    Block,
    /// Threads of one warp: warp barriers too.
    Warp,
}

/// How the iterations of two operations relate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Relation {
    /// The same iteration of every common loop that has a barrier.
    Same,
    /// The same of the first `depth` such loops; of the next, the one of `first` is `distance` (1,
    /// or 2 for two or more) iterations before the other's.
    Apart {
        /// Common loops in which the iterations are the same.
        depth: usize,
        /// Whose iteration comes first.
        first: Thread,
        /// 1, or 2 for two or more.
        distance: u32,
    },
}

impl Relation {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Relation::Same => "in the same iteration of each loop with a barrier",
            Relation::Apart { first: Thread::One, distance: 1, .. } => {
                "the second access one iteration later"
            }
            Relation::Apart { first: Thread::One, .. } => {
                "the second access two or more iterations later"
            }
            Relation::Apart { distance: 1, .. } => "the first access one iteration later",
            Relation::Apart { .. } => "the first access two or more iterations later",
        }
    }
}

/// Positions of operations and barriers.
#[derive(Debug)]
pub(crate) struct ProgramOrder {
    /// Which barriers count by their place.
    regular: Regular,
    /// Index of the operation's ancestor item in each region on the way to it, from the root.
    position: SecondaryMap<OpId, Vec<u32>>,
    chain: SecondaryMap<OpId, Vec<LoopId>>,
    with_block_barrier: FxHashSet<LoopId>,
    with_warp_barrier: FxHashSet<LoopId>,
    with_cluster_barrier: FxHashSet<LoopId>,
    with_grid_barrier: FxHashSet<LoopId>,
    /// A number per barrier-free stretch of a region; operations of one number have no barrier
    /// between them.
    segment: SecondaryMap<OpId, u32>,
    segments: u32,
    fresh_in_interval: FxHashSet<OpId>,
    fresh_in_kernel: FxHashSet<OpId>,
    sole_stores: SecondaryMap<OpId, Option<OpId>>,
    /// How many of the loops around a load, outermost first, are around writes too, where its value
    /// is settled.
    settled: SecondaryMap<OpId, Option<usize>>,
    otherwise: bool,
    ends_untold: bool,
}

/// Whether an operation is a barrier at this level, for accesses to this space.
pub(crate) fn separates(kernel: &Kernel, op: OpId, level: Level) -> bool {
    let Some(Orders::Barrier(barrier)) = kernel[op].kind.effects().orders else { return false };
    let in_block = matches!(level, Level::Block | Level::Warp);
    match barrier {
        Barrier::Grid => true,
        Barrier::Block { .. } => in_block,
        // `bar.sync id` without a count waits for the whole block.
        Barrier::Named { action: BarrierAction::Sync, count: None, .. } => in_block,
        Barrier::Cluster { action: ClusterAction::Sync, order, .. } => {
            in_block && *order != heddle_ir::MemoryOrder::Relaxed
        }
        Barrier::Warp { .. } => level == Level::Warp,
        Barrier::Named { .. } | Barrier::Cluster { .. } | Barrier::Mbarrier { .. } => false,
    }
}

impl ProgramOrder {
    /// Computes it, with the barriers that count by their place.
    pub(crate) fn of(kernel: &Kernel, regular: Regular) -> ProgramOrder {
        let mut order = ProgramOrder {
            regular,
            position: SecondaryMap::new(),
            chain: SecondaryMap::new(),
            with_block_barrier: FxHashSet::default(),
            with_warp_barrier: FxHashSet::default(),
            with_cluster_barrier: FxHashSet::default(),
            with_grid_barrier: FxHashSet::default(),
            segment: SecondaryMap::new(),
            segments: 0,
            fresh_in_interval: FxHashSet::default(),
            fresh_in_kernel: FxHashSet::default(),
            sole_stores: SecondaryMap::new(),
            settled: SecondaryMap::new(),
            otherwise: false,
            ends_untold: ends_untold(kernel),
        };
        order.otherwise = orders_otherwise(kernel, &order.regular, Level::Block);
        order.place(kernel, &kernel.body.items, &mut Vec::new(), &mut Vec::new());
        order.number_segments(kernel, &kernel.body.items, 0);
        order.find_fresh(kernel);
        order
    }

    /// Which barriers count by their place.
    pub(crate) fn regular(&self) -> &Regular {
        &self.regular
    }

    /// Whether an operation is a barrier that counts at this level.
    pub(crate) fn separates(&self, kernel: &Kernel, op: OpId, level: Level) -> bool {
        self.regular.separates(kernel, op, level)
    }

    /// The loops around an operation, outermost first.
    pub(crate) fn chain(&self, op: OpId) -> &[LoopId] {
        &self.chain[op]
    }

    /// Whether the operation comes first in the order of the tree.
    pub(crate) fn before(&self, a: OpId, b: OpId) -> bool {
        self.position[a] < self.position[b]
    }

    /// The index, in a region around an operation, of the item that is it or has it inside; `depth`
    /// is how many loops are around the region.
    pub(crate) fn index(&self, op: OpId, depth: usize) -> usize {
        self.position[op][depth] as usize
    }

    /// Whether a block barrier is inside the loop.
    pub(crate) fn has_barrier(&self, of: LoopId) -> bool {
        self.with_block_barrier.contains(&of)
    }

    pub(crate) fn has_separator(&self, of: LoopId, level: Level) -> bool {
        match level {
            Level::Grid => self.with_grid_barrier.contains(&of),
            Level::Cluster => self.with_cluster_barrier.contains(&of),
            Level::Block => self.with_block_barrier.contains(&of),
            Level::Warp => self.with_warp_barrier.contains(&of),
        }
    }

    /// Whether the thread that does a load has plainly not written the object since the last
    /// barrier. Then the load reads what memory held when the interval began: a write by another
    /// thread would race with it.
    pub(crate) fn fresh_in_interval(&self, load: OpId) -> bool {
        self.fresh_in_interval.contains(&load)
    }

    /// Whether the block of the thread that does a load has plainly not written the object before.
    /// Then the load reads what memory held when the kernel began: a write by another block would
    /// race with it.
    pub(crate) fn fresh_in_kernel(&self, load: OpId) -> bool {
        self.fresh_in_kernel.contains(&load)
    }

    /// The one store of the kernel to what a load of shared memory reads, where it is done once in
    /// the load's round of the loops around it, at the same constant place, and a barrier brings it
    /// to the load.
    pub(crate) fn sole_store(&self, load: OpId) -> Option<OpId> {
        self.sole_stores[load]
    }

    /// The loops in whose iterations a load of shared memory reads one value at one place, by all
    /// threads of the block and however many barriers are in between: those that it shares with
    /// writes. `None` where a write may come after it, or without a barrier.
    pub(crate) fn settled(&self, load: OpId) -> Option<&[LoopId]> {
        self.settled[load].map(|depth| &self.chain[load][..depth])
    }

    /// Whether threads may end (`exit` in inline PTX) and predicates of what follows in the text
    /// hold for them all the same: then one that holds does not say that something is done.
    pub(crate) fn ends_untold(&self) -> bool {
        self.ends_untold
    }

    /// The number of the barrier-free stretch an operation is in, per iteration of the loops with
    /// barriers around it.
    pub(crate) fn segment(&self, op: OpId) -> u32 {
        self.segment[op]
    }

    /// How many common loops of the two have a barrier, outermost first.
    pub(crate) fn common(&self, a: OpId, b: OpId, level: Level) -> usize {
        let both = self.chain[a].iter().zip(&self.chain[b]);
        both.take_while(|(x, y)| x == y && self.has_separator(**x, level)).count()
    }

    /// All ways in which the iterations of `a` by the first thread and `b` by the second relate.
    /// Where both are the same operation, ways that exchange the threads are listed once.
    pub(crate) fn relations(&self, a: OpId, b: OpId, level: Level) -> Vec<Relation> {
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
                        (Level::Cluster, &mut self.with_cluster_barrier),
                        (Level::Block, &mut self.with_block_barrier),
                        (Level::Warp, &mut self.with_warp_barrier),
                    ] {
                        if self.regular.separates(kernel, op, level) {
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
                    if self.separates(kernel, op, Level::Block) {
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

    /// Whether an unconditional barrier plainly lies between the two, `a` by the first thread.
    pub(crate) fn obviously_ordered(
        &self,
        kernel: &Kernel,
        a: OpId,
        b: OpId,
        relation: Relation,
        level: Level,
    ) -> bool {
        let bits = |op: OpId| match kernel.access(op) {
            Some(access) => flag(kernel, access.address.object),
            None => LOCAL_AND_GLOBAL,
        };
        let bits = bits(a) | bits(b);
        // Where threads may return, the guard of the later access says nothing of the earlier
        // thread, whose end then orders the two: that is for the question to state. Where they do
        // something on the way, neither guard does.
        let may_return = may_return(kernel);
        let timely = self.regular.timely;
        // A thread may end on the way of which no condition tells, by `asm("exit;")`.
        let goes_on = |item: &&Item| match **item {
            Item::Op(op) => !is_return(kernel, op),
            Item::Loop(inner) => {
                !kernel.any_inside(&kernel[inner].body, &|op| is_return(kernel, op))
            }
        };
        let certain = |items: &[Item], guards: &[ExprId]| {
            items.iter().take_while(goes_on).any(|item| match *item {
                Item::Op(op) if self.separates(kernel, op, level) => {
                    let pred = kernel[op].pred;
                    let surely = kernel.exprs.as_const(pred) == Some(1)
                        || guards.iter().any(|guard| implies(kernel, *guard, pred));
                    surely && is_for_all_lanes(kernel, op) && orders(kernel, op, bits) == Some(true)
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
                let (low, high) = (i.min(j), i.max(j));
                let guards = [guard(items, low), guard(items, high)];
                let known = match (timely, may_return) {
                    (false, _) => &[][..],
                    (true, true) => &guards[..1],
                    (true, false) => &guards[..],
                };
                low != high && certain(&items[low + 1..high], known)
            }
            Relation::Apart { depth, first, distance } => {
                let items = region(depth + 1);
                let (earlier, later) = if first == Thread::One { (a, b) } else { (b, a) };
                let (i, j) = (index(earlier, depth + 1), index(later, depth + 1));
                let of_first = timely.then(|| guard(items, i));
                certain(&items[i + 1..], of_first.as_slice())
                    || !may_return
                        && (distance > 1 && certain(items, &[])
                            || certain(&items[..j], &[guard(items, j)]))
            }
        }
    }
}

/// Whether anything but the barriers known at a level may order threads: barriers of a part of a
/// block, barriers of the grid or of a cluster, the end of a thread that others have left behind,
/// fences, ordered atomics, copies, or what is not modelled.
pub(crate) fn orders_otherwise(kernel: &Kernel, regular: &Regular, known: Level) -> bool {
    let otherwise = kernel.ops.iter().any(|(op, it)| match it.kind.effects().orders {
        None | Some(Orders::Barrier(Barrier::Block { .. })) => false,
        Some(Orders::Barrier(Barrier::Cluster { .. })) => true,
        Some(Orders::Barrier(_)) => {
            !regular.separates(kernel, op, known) || separates(kernel, op, Level::Grid)
        }
        Some(Orders::Access(order, _)) => order != heddle_ir::MemoryOrder::Relaxed,
        Some(Orders::Fence(..) | Orders::Copies | Orders::NotModelled) => true,
    });
    otherwise || !regular.timely
}

/// Whether a barrier waits for all lanes of the warp, if it is one for lanes.
pub(crate) fn is_for_all_lanes(kernel: &Kernel, op: OpId) -> bool {
    match kernel[op].kind.effects().orders {
        Some(Orders::Barrier(Barrier::Warp { mask, orders: _ })) => {
            kernel.exprs.as_const(*mask) == Some(u128::from(u32::MAX))
        }
        Some(
            Orders::Barrier(
                Barrier::Block { .. }
                | Barrier::Named { .. }
                | Barrier::Cluster { .. }
                | Barrier::Grid
                | Barrier::Mbarrier { .. },
            )
            | Orders::Fence(..)
            | Orders::Access(..)
            | Orders::Copies
            | Orders::NotModelled,
        )
        | None => true,
    }
}

/// Whether a predicate holds, by its syntax, for the first thread of a block at most.
pub(crate) fn only_first_thread(kernel: &Kernel, launch: &Launch, pred: ExprId) -> bool {
    let zero_in = |d: u8| {
        kernel.exprs.iter().any(|(id, expr)| {
            let ExprKind::Cmp(CmpOp::Eq, a, b) = expr.kind else { return false };
            kernel[a].kind == ExprKind::Special(Special::Tid(d))
                && kernel.exprs.as_const(b) == Some(0)
                && implies(kernel, pred, id)
        })
    };
    (0..3).all(|d| launch.block[d as usize].known() == Some(1) || zero_in(d))
}

/// Whether one predicate is plainly part of another: the other, or one of its conjuncts.
pub(crate) fn implies(kernel: &Kernel, guard: ExprId, pred: ExprId) -> bool {
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

/// Whether a barrier orders accesses to memory that needs these of OpenCL's flags. `None` where the
/// barrier's flags are not constant.
pub(crate) fn orders(kernel: &Kernel, op: OpId, bits: u32) -> Option<bool> {
    let flags = match kernel[op].kind.effects().orders {
        Some(Orders::Barrier(barrier)) => match barrier {
            Barrier::Block { orders, .. } | Barrier::Warp { orders, mask: _ } => {
                kernel.exprs.as_const(*orders)?
            }
            Barrier::Named { .. }
            | Barrier::Cluster { .. }
            | Barrier::Grid
            | Barrier::Mbarrier { .. } => return Some(true),
        },
        Some(Orders::Fence(..) | Orders::Access(..) | Orders::Copies | Orders::NotModelled)
        | None => return Some(false),
    };
    Some(flags & u128::from(bits) == u128::from(bits))
}

/// `CLK_LOCAL_MEM_FENCE` and `CLK_GLOBAL_MEM_FENCE`.
const LOCAL_AND_GLOBAL: u32 = 3;
/// OpenCL's flag of global memory.
pub(crate) const GLOBAL: u32 = 2;

/// The bits of OpenCL's fence flags that an object needs (OpenCL C, section 6.15.8). An image is
/// what a field of a parameter stands for: OpenCL has no pointers there.
pub(crate) fn flag(kernel: &Kernel, object: ObjectId) -> u32 {
    let object = &kernel[object];
    match object.space {
        Space::Global if matches!(object.kind, ObjectKind::ParamField(..)) => match kernel.target {
            Target { opencl: true, .. } => 4,
            Target { opencl: false, .. } => 2,
        },
        Space::Shared => 1,
        Space::Global | Space::Constant => 2,
        Space::Local => 0,
        Space::Generic => 3,
    }
}

fn ends_untold(kernel: &Kernel) -> bool {
    let matters = |item: Item| match item {
        Item::Op(op) => {
            let effects = kernel[op].kind.effects();
            !effects.touches.is_empty() || effects.orders.is_some()
        }
        Item::Loop(_) => false,
    };
    may_return(kernel) && !heddle_progress::kernel::untold_ends(kernel, &matters).is_empty()
}

/// Whether threads of the kernel may return before others.
pub(crate) fn may_return(kernel: &Kernel) -> bool {
    kernel.ops.keys().any(|op| is_return(kernel, op))
}

/// Whether an operation is a return.
pub(crate) fn is_return(kernel: &Kernel, op: OpId) -> bool {
    kernel[op].kind.effects().ends == Some(Ending::Return)
}

/// Whether a barrier waits for every thread of the block.
pub(crate) fn waits_for_block(kind: &OpKind) -> bool {
    kind.effects().waits.is_some_and(Waits::for_whole_block)
}
