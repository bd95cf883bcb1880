//! Could release and acquire order the two accesses of a race? Asked before anything is called
//! racy.
//!
//! **What**: something that might put the two accesses in an order which the race passes do not
//! follow, if there is any.
//! **Method**: one thread would have to release after its access (a fence and then an atomic or
//! volatile write, or such a write that releases), the other to acquire before its own, both with a
//! scope that includes the other, directly or through other threads that acquire and then release.
//! What one releases the next must be able to read: the two words may be the same. Between blocks,
//! one of the steps must be of memory that blocks share, at the scope of the device (or of the
//! cluster, where the launch has clusters).
//! **Sound because**: `None` is answered only if no chain of such steps (PTX ISA, sections 8.8 and
//! 8.9) leads from one access to the other, in either direction, whatever the values are. An answer
//! of `Some` makes no proof: it only turns `refuted` into `unknown`, unless a run is found whose
//! own synchronization leaves the two unordered ([`close_by_run`], `heddle_interp`'s causality).
//! **Misses**: whether the steps happen in the run at hand, so that a race beside working
//! synchronization may be left undecided. It never says that two accesses are ordered
//! ([`super::locks`] and [`super::ticket`] do, for what they know).
//! **Assumes**: nothing.

pub(super) mod missing;
mod observed;

use heddle_diagnostics::{Confirmation, Finding, Obligation, Obligations, Reason, Refutation};
use heddle_ir::{
    Access, AccessKind, Barrier, BarrierAction, CmpOp, ExprId, ExprKind, Kernel, MemoryOrder, Op,
    OpId, Orders, Scope, Space, UnOp,
};

use rustc_hash::{FxHashMap, FxHashSet};

use self::missing::missing;
use super::finding::race;
use super::flags::Flags;
use super::flags::excluded::is_excluded;
use super::pair::Candidate;
use super::said::with_advice;
use crate::engine::cx::Cx;
use crate::engine::instance::Placement;
use crate::engine::replay::Want;
use crate::engine::shown::show;
use crate::facts::thread::Thread;
use crate::facts::uniformity::Varies;

/// What else could order the two accesses of a candidate, where something could: synchronization
/// that the race passes do not follow.
pub(super) fn may_be_ordered(
    cx: &Cx<'_>,
    flags: &Flags,
    candidate: &mut Candidate<'_>,
) -> Option<OpId> {
    let kernel = cx.kernel;
    let mut found = None;
    kernel.for_each_op(|op, _| {
        let orders = match kernel[op].kind.effects().orders {
            Some(Orders::Barrier(barrier)) => match barrier {
                Barrier::Named { action, count, .. } => {
                    !candidate.placement.is_across()
                        && (count.is_some() || *action == BarrierAction::Arrive)
                }
                Barrier::Mbarrier { .. } => true,
                // Those that count by their place have been asked about.
                Barrier::Cluster { .. } => !cx.analysis.order.regular().cluster,
                Barrier::Block { .. } | Barrier::Warp { .. } | Barrier::Grid => false,
            },
            Some(Orders::NotModelled) => true,
            // Chains of accesses and fences are searched below. Copies order nothing of the
            // threads.
            Some(Orders::Access(..) | Orders::Fence(..) | Orders::Copies) | None => false,
        };
        if orders {
            found = found.or(Some(op));
        }
    });
    let search = Search::of(cx, candidate.placement);
    let [a, b] = candidate.ops;
    found
        .or_else(|| search.observed([a, b]))
        .or_else(|| {
            let excluded = |pair| is_excluded(flags, candidate, Thread::One, pair);
            search.handed_over(a, b, excluded)
        })
        .or_else(|| {
            let excluded = |pair| is_excluded(flags, candidate, Thread::Two, pair);
            search.handed_over(b, a, excluded)
        })
        .or_else(|| search.is_flag([a, b]))
}

/// Refutes the obligation of a candidate that something might order, where the interpreter finds a
/// run in which it does not: what the run synchronizes is followed there. Else gives it up for the
/// reason.
pub(super) fn close_by_run(
    cx: &Cx<'_>,
    flags: &Flags,
    candidate: &mut Candidate<'_>,
    by: OpId,
    (obligations, obligation, reason): (&mut Obligations, Obligation, Reason),
) -> Option<Finding> {
    let told = unordered_run(cx, flags, candidate, by);
    match told.as_ref().and_then(Refutation::of) {
        Some(refutation) => obligations.refute(obligation, refutation),
        None => obligations.give_up(obligation, reason),
    }
    told
}

fn unordered_run(
    cx: &Cx<'_>,
    flags: &Flags,
    candidate: &mut Candidate<'_>,
    by: OpId,
) -> Option<Finding> {
    let is_followed = match cx.kernel[by].kind.effects().orders {
        Some(Orders::Fence(..) | Orders::Access(..)) | None => true,
        Some(Orders::Barrier(_) | Orders::Copies | Orders::NotModelled) => false,
    };
    // Lanes that run in step are ordered by more than the run follows.
    if !is_followed || !cx.options.replay || cx.options.warp_sync {
        return None;
    }
    let want = Want::Unordered(candidate.ops, candidate.placement);
    let model = candidate.model.clone();
    let shown = show(cx, &mut candidate.instance, model, want);
    if shown.confirmation != Confirmation::Confirmed {
        return None;
    }
    let lack = missing(cx, flags, candidate, None).unwrap_or_else(|| IN_THE_RUN.to_owned());
    let told = race(cx, candidate, &shown);
    Some(with_advice(cx, candidate, told, Some(lack)))
}

const IN_THE_RUN: &str = "in this run no release with its acquire, and no barrier, comes between \
                          the two; locks, flags and counters that the program does not set are \
                          zero at the start";

/// Kernels with more strong accesses than this have all of them taken to meet each other: a bound
/// on work, on the side of `unknown`.
const MOST_STRONG: usize = 32;

struct Search<'a, 'k> {
    cx: &'a Cx<'k>,
    /// The two threads are of different blocks.
    across: bool,
    /// How much guards may vary that keep parts of a pattern from being done: threads that a
    /// barrier brings together may do parts for each other.
    keeps: Varies,
}

/// A write that releases what the first access did.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Released {
    by: OpId,
    reach: Scope,
    /// That has left the block.
    left: bool,
    /// By the thread of the first access, or for it; else by one that has acquired it.
    direct: bool,
}

impl<'a, 'k> Search<'a, 'k> {
    fn of(cx: &'a Cx<'k>, placement: Placement) -> Search<'a, 'k> {
        let keeps = |op: &Op| match op.kind.effects().orders {
            Some(Orders::Barrier(barrier)) => match barrier {
                Barrier::Block { .. } | Barrier::Warp { .. } | Barrier::Named { .. } => {
                    Varies::ByBlock
                }
                Barrier::Cluster { .. } | Barrier::Grid | Barrier::Mbarrier { .. } => Varies::Never,
            },
            Some(Orders::Access(..) | Orders::Fence(..) | Orders::Copies | Orders::NotModelled)
            | None => Varies::ByThread,
        };
        let keeps = cx.kernel.ops.values().map(keeps).min().unwrap_or(Varies::ByThread);
        Search { cx, across: placement.is_across(), keeps }
    }
}

impl Search<'_, '_> {
    /// What might release after `from`, if that might reach something that acquires before `to`:
    /// directly, or through other threads that acquire and then release.
    /// `excluded` says of a write and a read that the one does not hand over to the other directly.
    fn handed_over(
        &self,
        from: OpId,
        to: OpId,
        mut excluded: impl FnMut([OpId; 2]) -> bool,
    ) -> Option<OpId> {
        let strong: Vec<OpId> = self
            .cx
            .kernel
            .ops
            .keys()
            .filter(|op| self.strong(*op, Scope::Warp).is_some())
            .collect();
        let mut told = None;
        let mut released = Vec::new();
        let mut acquired = FxHashSet::default();
        for &op in &strong {
            for reach in self.reaches() {
                if let Some(by) = self.releases(Some(from), op, reach) {
                    told = told.or(Some(by));
                    released.push((op, reach));
                }
                if self.acquires(op, Some(to), reach) {
                    acquired.insert((op, reach));
                }
            }
        }
        if strong.len() > MOST_STRONG {
            return told.filter(|_| !acquired.is_empty());
        }
        // Each release that has got what `from` did, with its reach, and whether that has left the
        // block.
        let mut work: Vec<Released> = released
            .into_iter()
            .map(|(by, reach)| Released { by, reach, left: !self.across, direct: true })
            .collect();
        let mut seen: FxHashSet<Released> = work.iter().copied().collect();
        // What a thread that has acquired may release later.
        let passed_on = |acquire: OpId, reach: Scope| {
            let mut later = Vec::new();
            if self.acquires(acquire, None, reach) {
                for &next in strong.iter().filter(|next| self.may_follow(acquire, **next)) {
                    let reaches = self.reaches().into_iter();
                    let out = reaches.filter(|reach| self.releases(None, next, *reach).is_some());
                    later.extend(out.map(|reach| (next, reach)));
                }
            }
            later
        };
        let mut relays = FxHashMap::default();
        for &acquire in &strong {
            for reach in self.reaches() {
                relays.insert((acquire, reach), passed_on(acquire, reach));
            }
        }
        while let Some(Released { by: release, reach, left, direct }) = work.pop() {
            for &acquire in strong.iter().filter(|it| self.may_meet(release, **it)) {
                for to_reach in self.reaches() {
                    let leaves = reach.min(to_reach) >= self.outside() && !self.is_own(release);
                    let left = left || leaves;
                    if left
                        && acquired.contains(&(acquire, to_reach))
                        && !(direct && excluded([release, acquire]))
                    {
                        return told;
                    }
                    for &(next, next_reach) in &relays[&(acquire, to_reach)] {
                        let next = Released { by: next, reach: next_reach, left, direct: false };
                        if seen.insert(next) {
                            work.push(next);
                        }
                    }
                }
            }
        }
        None
    }

    /// Whether what one access writes may be what the other reads.
    fn may_meet(&self, a: OpId, b: OpId) -> bool {
        let kernel = self.cx.kernel;
        let (Some(x), Some(y)) = (kernel.access(a), kernel.access(b)) else { return false };
        if !kernel.may_alias(x.address.object, y.address.object) {
            return false;
        }
        let constant = |id: ExprId| kernel.exprs.as_const(id);
        let range = |it: &Access| Some((constant(it.address.offset)?, constant(it.size)?));
        match (range(x), range(y)) {
            (Some((a, size_of_a)), Some((b, size_of_b)))
                if x.address.object == y.address.object =>
            {
                a < b.saturating_add(size_of_b) && b < a.saturating_add(size_of_a)
            }
            _ => true,
        }
    }

    /// Whether no other block sees what an access does.
    fn is_own(&self, op: OpId) -> bool {
        let kernel = self.cx.kernel;
        let is_shared = |it: &Access| kernel[it.address.object].space == Space::Shared;
        kernel.access(op).is_some_and(is_shared) && !kernel.maps_to_blocks()
    }

    /// What a hand-over may reach: threads of the same warp, of the same block, or of others.
    fn reaches(&self) -> [Scope; 3] {
        [Scope::Warp, Scope::Block, self.outside()]
    }

    /// The scope that may be enough between blocks: those of one cluster, where there are any.
    fn outside(&self) -> Scope {
        let cluster = self.cx.kernel.launch.cluster.unwrap_or([1; 3]);
        if cluster == [1; 3] { Scope::Device } else { Scope::Cluster }
    }

    /// The scope that two strong accesses need not to race.
    fn needed(&self) -> Scope {
        if self.across { self.outside() } else { Scope::Block }
    }

    /// A fence, where both are strong accesses to something that decides who does what: the flag
    /// itself. `ld.volatile` and `st.volatile` are relaxed by the PTX ISA (section 8.4), and no
    /// race.
    fn is_flag(&self, ops: [OpId; 2]) -> Option<OpId> {
        let kernel = self.cx.kernel;
        let needed = self.needed();
        let fence = self.fences(needed, MemoryOrder::AcqRel).next()?;
        let object = self.strong(ops[0], needed)?.address.object;
        self.strong(ops[1], needed)?;
        let mut work: Vec<ExprId> = kernel.ops.values().map(|op| op.pred).collect();
        work.extend(kernel.loops.values().flat_map(|it| [it.pred, it.cont]));
        let decides =
            |op| self.strong(op, needed).is_some_and(|access| access.address.object == object);
        self.follow(work, decides).then_some(fence)
    }

    /// Whether some expressions are computed from the result of such an operation, be it by way of
    /// lanes that exchange values, or of memory that is stored to and read.
    fn follow(&self, mut work: Vec<ExprId>, is_one: impl Fn(OpId) -> bool) -> bool {
        let kernel = self.cx.kernel;
        let mut seen = FxHashSet::default();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let ExprKind::Result(op, _) = kernel[id].kind {
                if is_one(op) {
                    return true;
                }
                // What was given to a vote, a shuffle or a reduction, or stored where this is read,
                // decides too.
                kernel[op].for_each_expr(|operand| work.push(operand));
                if let Some(read) = kernel.access(op) {
                    let stores = kernel.ops.values().filter(|it| {
                        let effects = it.kind.effects();
                        effects.writes().any(|to| to.place.may_be(kernel, read.address.object))
                    });
                    stores.for_each(|it| it.for_each_expr(|operand| work.push(operand)));
                }
            }
            if let ExprKind::Var(var) = kernel[id].kind {
                work.extend([kernel[var].init, kernel[var].next]);
            }
            kernel.exprs.for_each_operand(id, |operand| work.push(operand));
        }
        false
    }

    /// Whether a write may release what was before it, with this reach: by itself, or by a fence
    /// between it and `from`, where that is given. What does.
    fn releases(&self, from: Option<OpId>, write: OpId, reach: Scope) -> Option<OpId> {
        let access = self.strong(write, reach).filter(|access| access.writes())?;
        let after = |op: OpId| from.is_none_or(|from| self.may_follow(from, op));
        let by_itself = match access.order {
            Some((MemoryOrder::Release | MemoryOrder::AcqRel, _)) => true,
            Some((MemoryOrder::SeqCst, _)) => from.is_some() || self.is_strict(access),
            Some((MemoryOrder::Relaxed | MemoryOrder::Acquire, _)) | None => false,
        };
        if by_itself && after(write) {
            return Some(write);
        }
        self.fences(reach, MemoryOrder::Release)
            .find(|fence| after(*fence) && self.may_follow(*fence, write))
    }

    /// The same for a read that acquires, before `to`. Where that access itself is volatile or
    /// atomic, many a program goes without the second fence, and reading the flag is believed to
    /// do.
    fn acquires(&self, read: OpId, to: Option<OpId>, reach: Scope) -> bool {
        let Some(access) = self.strong(read, reach).filter(|access| access.reads()) else {
            return false;
        };
        let before = |op: OpId| to.is_none_or(|to| self.may_follow(op, to));
        let needs_fence = to.is_none_or(|to| self.strong(to, self.needed()).is_none());
        let by_itself = match access.order {
            Some((MemoryOrder::Acquire | MemoryOrder::AcqRel, _)) => true,
            Some((MemoryOrder::SeqCst, _)) => to.is_some() || self.is_strict(access),
            Some((MemoryOrder::Relaxed | MemoryOrder::Release, _)) | None => false,
        };
        ((by_itself || !needs_fence) && before(read))
            || self
                .fences(reach, MemoryOrder::Acquire)
                .any(|fence| self.may_follow(read, fence) && before(fence))
    }

    /// Whether the strongest order is the program's own. LLVM gives it to CUDA's `atomicCAS` too,
    /// which by its documentation passes nothing on from one thread to the next; at the ends of a
    /// chain it counts all the same.
    fn is_strict(&self, access: &Access) -> bool {
        let compares = matches!(access.kind, AccessKind::Atomic(op, _) if op.compares());
        self.cx.kernel.target.opencl || !compares
    }

    /// An atomic or volatile access that reaches threads in this scope.
    fn strong(&self, op: OpId, reach: Scope) -> Option<&Access> {
        let access = self.cx.kernel.access(op)?;
        let wide = access.order.is_some_and(|(_, scope)| scope >= reach);
        (wide || access.volatile).then_some(access)
    }

    /// Fences that may go one way, or both.
    fn fences(&self, reach: Scope, way: MemoryOrder) -> impl Iterator<Item = OpId> {
        let kernel = self.cx.kernel;
        kernel.ops.iter().filter_map(move |(op, it)| match it.kind.effects().orders {
            Some(Orders::Fence(order, scope, _)) => {
                let other_way = matches!(
                    (way, order),
                    (MemoryOrder::Release, MemoryOrder::Acquire)
                        | (MemoryOrder::Acquire, MemoryOrder::Release)
                );
                (scope >= reach && !other_way).then_some(op)
            }
            Some(
                Orders::Barrier(_) | Orders::Access(..) | Orders::Copies | Orders::NotModelled,
            )
            | None => None,
        })
    }

    /// Whether a thread that does one operation may do the other after it, or another thread for
    /// it.
    fn may_follow(&self, earlier: OpId, later: OpId) -> bool {
        let order = &self.cx.analysis.order;
        let kernel = self.cx.kernel;
        let repeated = !order.chain(earlier).is_empty()
            && order.chain(earlier).first() == order.chain(later).first();
        if repeated {
            return true;
        }
        let guard = |op: OpId| match order.chain(op).first() {
            Some(outermost) => kernel[*outermost].pred,
            None => kernel[op].pred,
        };
        order.before(earlier, later) && !self.exclude([earlier, later].map(guard))
    }

    /// Whether two predicates plainly do not hold together, of one thread or of those that may do
    /// parts for it: one has a conjunct that is the other's negated.
    fn exclude(&self, predicates: [ExprId; 2]) -> bool {
        let (kernel, uniformity) = (self.cx.kernel, &self.cx.analysis.uniformity);
        let [one, two] = predicates.map(|it| kernel.exprs.conjuncts(it));
        let kept = |it: &&ExprId| uniformity.variation(**it).varies <= self.keeps;
        one.iter().filter(kept).any(|a| two.iter().any(|b| are_negated(kernel, *a, *b)))
    }
}

/// Whether one of two conditions is plainly the other's opposite.
fn are_negated(kernel: &Kernel, a: ExprId, b: ExprId) -> bool {
    let pool = &kernel.exprs;
    let opposite = |a: ExprId, b: ExprId| match (&pool[a].kind, &pool[b].kind) {
        (ExprKind::Unary(UnOp::Not, inner), _) => *inner == b,
        (ExprKind::Cmp(CmpOp::Slt, x, y), ExprKind::Cmp(CmpOp::Sle, u, v))
        | (ExprKind::Cmp(CmpOp::Ult, x, y), ExprKind::Cmp(CmpOp::Ule, u, v)) => (x, y) == (v, u),
        _ => false,
    };
    opposite(a, b) || opposite(b, a)
}
