//! Who is inside a critical section: the thread that holds the lock, or all threads of its block
//! or warp.
//!
//! **What**: whether an access comes after the acquire of a section and before its release, and
//! which fences stand on the way ([`Section::publishing`]).
//! **Method**: of the thread's own section, the guard of the access contains that the acquire
//! succeeded, and fences stand between in the text. Of a section of the block's first thread, a
//! barrier that certainly lies between separates the access from the acquire, and from the
//! release; the condition under which the first thread takes the lock is part of the guard of the
//! access, beside that it is the first. Both threads are then of different blocks. The same holds
//! of the first lane, barriers of its warp, and threads of different warps.
//! **Sound because**: the first thread holds the lock from its acquire to its release, so the
//! barriers put the accesses of the whole block between the two. Barriers are in causality order,
//! which is transitive (PTX ISA, section 8.9.5), so a fence by the first thread after its acquire,
//! and one before its release, are a pattern of that thread. Where the thread that makes the access
//! does the fence instead, fence and atomic are of two threads, and no pattern. Then both fences
//! must be sequentially consistent: say `A` is the fence after the first access, `B` the one before
//! the second. If `B` came first in fence order, the later holder's acquire would precede the
//! earlier holder's release in causality order, and so in coherence order, in which it comes
//! after. So `A` comes first, and synchronizes with `B`.
//! **Misses**: fences in loops inside of the section, conditions of the first thread that differ
//! from those of the access, locks that are tried once for a block.
//! **Assumes**: barriers are uniform, as the race properties name.

use heddle_ir::{
    CmpOp, ExprId, ExprKind, Item, Kernel, MemoryOrder, OpId, Orders, Proxy, Scope, Space, Special,
};

use super::{Needed, Section, holds, region};
use crate::engine::instance::{Instance, Placement};
use crate::facts::analysis::Analysis;
use crate::facts::launch::Launch;
use crate::facts::order::{Level, Relation, implies, only_first_thread};
use crate::facts::uniformity::{Varies, bits_of_lane};

/// How one end of a section is fenced.
#[derive(Clone, Copy, Debug, Default)]
struct Fenced {
    /// By the thread that does the atomic.
    in_thread: bool,
    /// By sequentially consistent fences, of whatever thread.
    strict: bool,
}

impl Fenced {
    fn goes_with(self, other: Fenced) -> bool {
        self.in_thread && other.in_thread || self.strict && other.strict
    }

    fn or(self, other: Fenced) -> Fenced {
        Fenced { in_thread: self.in_thread || other.in_thread, strict: self.strict || other.strict }
    }
}

/// How an access is between the two ends of a section; in no way if it is not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Publishing {
    acquired: Fenced,
    released: Fenced,
}

impl Publishing {
    /// Whether two accesses in sections of one lock are in order, whichever comes first.
    pub(super) fn goes_with(&self, other: &Publishing) -> bool {
        self.released.goes_with(other.acquired) && other.released.goes_with(self.acquired)
    }
}

/// Both ends are done by the thread that makes the access.
const BY_ITSELF: Fenced = Fenced { in_thread: true, strict: false };

impl Section {
    /// How an access is inside.
    pub(super) fn publishing(
        &self,
        instance: &Instance<'_>,
        op: OpId,
        needed: Needed,
    ) -> Publishing {
        let analysis = instance.analysis;
        if !analysis.order.chain(op).starts_with(&self.chain) {
            return Publishing::default();
        }
        if self.publishes(analysis, op, needed) {
            return Publishing { acquired: BY_ITSELF, released: BY_ITSELF };
        }
        let of = |level| self.of_group(analysis, op, needed, level);
        match instance.placement {
            Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
                of(Level::Block).or_else(|| of(Level::Warp)).unwrap_or_default()
            }
            Placement::DifferentWarps => of(Level::Warp).unwrap_or_default(),
            Placement::SameBlock | Placement::SameWarp | Placement::SameThread => {
                Publishing::default()
            }
        }
    }

    /// Whether an access is inside, after the acquire's fence and before the release's, by the
    /// thread that holds the lock.
    fn publishes(&self, analysis: &Analysis<'_>, op: OpId, needed: Needed) -> bool {
        let (at, guard) = self.place(analysis, op);
        let entered = holds(analysis.kernel, guard, self.entered);
        let fence = |way, from, to, guard| {
            let wanted = FenceFor { op: Some(op), way, scope: needed.scope };
            self.has_fence(analysis, from, to, guard, wanted)
        };
        let acquired =
            needed.by_itself && self.acquires || fence(MemoryOrder::Acquire, self.from, at, guard);
        let released = self.release.is_none_or(|it| {
            let by_itself = needed.by_itself && it.releases;
            at < it.at && (by_itself || fence(MemoryOrder::Release, at, it.at, it.pred))
        });
        self.from < at && entered && acquired && released
    }

    /// How an access is inside the section of its block's or its warp's first thread.
    fn of_group(
        &self,
        analysis: &Analysis<'_>,
        op: OpId,
        needed: Needed,
        level: Level,
    ) -> Option<Publishing> {
        let (kernel, order) = (analysis.kernel, &analysis.order);
        let (at, guard) = self.place(analysis, op);
        let in_step = order.common(self.acquire, op, level) == self.chain.len();
        let agreed = [Some(self.offset), self.bit]
            .into_iter()
            .flatten()
            .all(|it| analysis.uniformity.variation(it).varies <= agreed_by(level));
        if !in_step || !agreed || !self.entered_for(analysis, guard, level) || at <= self.from {
            return None;
        }
        let between = |a, b| order.obviously_ordered(kernel, a, b, Relation::Same, level);
        if !between(self.acquire, op) {
            return None;
        }
        let by_itself = |is: bool| Fenced { in_thread: needed.by_itself && is, strict: false };
        let mut acquired = by_itself(self.acquires);
        let wanted = |way| FenceFor { op: Some(op), way, scope: needed.scope };
        for (fence, strict) in self.fences(analysis, self.from, at, wanted(MemoryOrder::Acquire)) {
            let pred = kernel[fence].pred;
            if holds(kernel, self.entered, pred) && between(fence, op) {
                acquired = acquired.or(Fenced { in_thread: true, strict });
            }
            if holds(kernel, guard, pred) && between(self.acquire, fence) {
                acquired = acquired.or(Fenced { in_thread: false, strict });
            }
        }
        let Some(release) = self.release else {
            return Some(Publishing {
                acquired,
                released: Fenced { in_thread: true, strict: true },
            });
        };
        if at >= release.at || !between(op, release.op) {
            return None;
        }
        let mut released = by_itself(release.releases);
        for (fence, strict) in self.fences(analysis, at, release.at, wanted(MemoryOrder::Release)) {
            let pred = kernel[fence].pred;
            if holds(kernel, release.pred, pred) && between(op, fence) {
                released = released.or(Fenced { in_thread: true, strict });
            }
            if holds(kernel, guard, pred) && between(fence, release.op) {
                released = released.or(Fenced { in_thread: false, strict });
            }
        }
        Some(Publishing { acquired, released })
    }

    /// Whether the first thread of a block or warp takes the lock where a thread of it meets a
    /// guard.
    fn entered_for(&self, analysis: &Analysis<'_>, guard: ExprId, level: Level) -> bool {
        let (kernel, launch) = (analysis.kernel, analysis.launch);
        let of_warp = level == Level::Warp;
        let is_of_first = |part: ExprId| match of_warp {
            true => names_first_lane(kernel, launch, part),
            false => names_first(kernel, part),
        };
        let met = |part: ExprId| {
            analysis.uniformity.variation(part).varies <= agreed_by(level)
                && implies(kernel, guard, part)
        };
        let parts = kernel.exprs.conjuncts(self.entered);
        let by_one = match of_warp {
            true => parts.iter().any(|it| is_of_first(*it)),
            false => only_first_thread(kernel, launch, self.entered),
        };
        by_one && parts.into_iter().all(|it| is_of_first(it) || met(it))
    }

    /// The index of an access in the section's region, and its guard there.
    fn place(&self, analysis: &Analysis<'_>, op: OpId) -> (usize, ExprId) {
        let kernel = analysis.kernel;
        let at = analysis.order.index(op, self.chain.len());
        let guard = match region(kernel, &self.chain).items[at] {
            Item::Op(op) => kernel[op].pred,
            Item::Loop(inner) => kernel[inner].pred,
        };
        (at, guard)
    }

    /// Whether who does something guarded like this does a fence between two places of the region.
    fn has_fence(
        &self,
        analysis: &Analysis<'_>,
        from: usize,
        to: usize,
        guard: ExprId,
        wanted: FenceFor,
    ) -> bool {
        let kernel = analysis.kernel;
        let mut fences = self.fences(analysis, from, to, wanted);
        fences.any(|(fence, _)| holds(kernel, guard, kernel[fence].pred))
    }

    /// Whether the section passes on what it got: its acquire comes before its release for
    /// everybody in the scope. In OpenCL, a fence one way and then one the other way are as good as
    /// one that goes both ways.
    pub(super) fn hands_on(&self, analysis: &Analysis<'_>, needed: Needed) -> bool {
        let Some(release) = self.release.filter(|_| !self.shared) else {
            return self.scope >= needed.scope;
        };
        let fence = |way, from, to| {
            let wanted = FenceFor { op: None, way, scope: needed.scope };
            self.has_fence(analysis, from, to, release.pred, wanted)
        };
        let in_turn = || {
            let mut between = self.from + 1..release.at;
            between.any(|at| {
                fence(MemoryOrder::Acquire, self.from, at)
                    && fence(MemoryOrder::Release, at - 1, release.at)
            })
        };
        let fenced = fence(MemoryOrder::AcqRel, self.from, release.at)
            || analysis.kernel.target.opencl && in_turn();
        let by_itself = needed.by_itself && self.acquires && release.releases;
        self.scope >= needed.scope && (fenced || by_itself)
    }

    /// Fences between two places of the region that go both ways at a scope; with each, whether
    /// it is sequentially consistent, which counts for other threads in PTX alone. In OpenCL one
    /// that goes the way which is wanted is enough, and one for global memory, where the lock and
    /// what is accessed lie there.
    fn fences<'a>(
        &self,
        analysis: &'a Analysis<'_>,
        from: usize,
        to: usize,
        wanted: FenceFor,
    ) -> impl Iterator<Item = (OpId, bool)> + use<'a> {
        let kernel = analysis.kernel;
        let is_global = |op: OpId| {
            kernel.access(op).is_some_and(|it| kernel[it.address.object].space == Space::Global)
        };
        let is_opencl = kernel.target.opencl;
        let is_kept_global = match wanted.op {
            Some(op) => is_global(op),
            None => kernel.objects.values().all(|it| it.space != Space::Shared),
        };
        let global_is_enough = is_opencl && is_kept_global && is_global(self.acquire);
        let items = region(kernel, &self.chain).items.get(from + 1..to).unwrap_or_default();
        items.iter().filter_map(move |item| {
            let Item::Op(op) = *item else { return None };
            let Some(Orders::Fence(order, scope, proxy)) = kernel[op].kind.effects().orders else {
                return None;
            };
            let is_of_all =
                proxy.is_none() || global_is_enough && proxy == Some(Proxy::OpenclGlobal);
            let both_ways = matches!(order, MemoryOrder::AcqRel | MemoryOrder::SeqCst);
            let goes = both_ways || is_opencl && order == wanted.way;
            let strict = order == MemoryOrder::SeqCst && !is_opencl;
            (is_of_all && goes && scope >= wanted.scope).then_some((op, strict))
        })
    }
}

/// What a fence is wanted for.
#[derive(Clone, Copy)]
struct FenceFor {
    /// An access inside; none where the section hands on what others did.
    op: Option<OpId>,
    /// The way that it has to go.
    way: MemoryOrder,
    scope: Scope,
}

/// How far a value may vary on which the threads of a block or warp agree.
fn agreed_by(level: Level) -> Varies {
    match level {
        Level::Warp => Varies::ByWarp,
        Level::Block | Level::Cluster | Level::Grid => Varies::ByBlock,
    }
}

/// Whether a condition is that the lane is the first of its warp, which each warp has.
fn names_first_lane(kernel: &Kernel, launch: &Launch, part: ExprId) -> bool {
    let ExprKind::Cmp(CmpOp::Eq, index, zero) = kernel[part].kind else { return false };
    let is_lane = if kernel[index].kind == ExprKind::Special(Special::LaneId) {
        launch.warp_size == Some(32)
    } else {
        bits_of_lane(kernel, launch, index) == Some((0, 31))
    };
    is_lane && kernel.exprs.as_const(zero) == Some(0)
}

/// Whether a condition is that an index of the thread is zero.
fn names_first(kernel: &Kernel, part: ExprId) -> bool {
    let ExprKind::Cmp(CmpOp::Eq, index, zero) = kernel[part].kind else { return false };
    matches!(kernel[index].kind, ExprKind::Special(Special::Tid(_)))
        && kernel.exprs.as_const(zero) == Some(0)
}
