//! Critical sections: accesses that a spin lock keeps apart, with the fences that publish what they did.
//!
//! A lock is a word that the kernel changes in two ways only: *acquire* (`atomicCAS(l, 0, 1)` or `atomicExch(l, 1)`,
//! which succeeds where it reads zero) and *release* (an atomic that stores zero, by a thread that acquired the lock in the same
//! stretch of code and has not released it since). So at most one thread holds it at a time, and only the holder releases it.
//! If each section has a fence behind its acquire and one before its release, or these have that order themselves,
//! whoever acquires the lock comes after all earlier holders (PTX ISA, sections 8.8 and 8.9: release and acquire patterns
//! over morally strong accesses).
//!
//! **Promises**: two accesses are ordered in every run in which the two locks that [`Locks::keep_apart`] gives are one word.
//! **Relies on**: nobody outside the kernel changes the lock while it runs; its value at the start does not matter.
//! **Does not**: read the order that LLVM gives `cmpxchg seq_cst`: that is CUDA's `atomicCAS`, which orders
//! nothing by its documentation. Nor know ticket locks, locks that one thread takes for its block, or release by plain stores.

use heddle_ir::{
    Access, AccessKind, AtomicOp, CmpOp, ExprId, ExprKind, Item, Kernel, LoopId, ObjectId, OpId,
    OpKind, Order, Region, Scope, Space, UnOp,
};

use crate::analysis::Analysis;
use crate::instance::{FrameId, Instance, Placement};
use crate::memory::may_alias;
use crate::order::{Level, Relation, implies};

/// The critical sections of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    sections: Vec<Section>,
}

/// From an acquire to the release behind it, in one region of the loop tree.
#[derive(Debug)]
struct Section {
    lock: ObjectId,
    /// The lock's place in its object, the same at acquire and release.
    offset: ExprId,
    /// The loops around both.
    chain: Vec<LoopId>,
    /// Index of the acquire in the region.
    from: usize,
    /// What guards inside contain: that the acquire succeeded, or that its loop was entered.
    entered: ExprId,
    /// The acquire orders what follows, by itself.
    acquires: bool,
    /// For whom acquire and release are atomic.
    scope: Scope,
    release: Option<Release>,
}

#[derive(Clone, Copy, Debug)]
struct Release {
    at: usize,
    pred: ExprId,
    /// It orders what was before, by itself.
    releases: bool,
}

impl Locks {
    /// Finds the locks that are used as such everywhere.
    pub(crate) fn of(analysis: &Analysis<'_>) -> Locks {
        let kernel = analysis.kernel;
        let acquired = |op: &heddle_ir::Op| match &op.kind {
            OpKind::Access(access) if role(kernel, access) == Some(Role::Acquire) => {
                Some(access.address.object)
            }
            _ => None,
        };
        let mut objects: Vec<ObjectId> = kernel.ops.values().filter_map(acquired).collect();
        objects.sort_unstable();
        objects.dedup();
        let sections = objects.into_iter().filter_map(|lock| sections_of(analysis, lock));
        Locks { sections: sections.flatten().collect() }
    }

    /// Where both accesses are inside sections of one lock that order them: the two places of the lock, as each
    /// thread computes it. The accesses are ordered where the places are equal.
    pub(crate) fn keep_apart(
        &self,
        instance: &mut Instance<'_>,
        ops: [OpId; 2],
        frames: [FrameId; 2],
    ) -> Vec<[ExprId; 2]> {
        let mut places = Vec::new();
        let analysis = instance.analysis;
        for one in &self.sections {
            for two in &self.sections {
                let needed = self.needed(analysis, one.lock, instance.placement);
                if one.lock == two.lock
                    && one.publishes(analysis, ops[0], needed)
                    && two.publishes(analysis, ops[1], needed)
                    && self.of_lock(one.lock).all(|it| it.hands_on(analysis, needed))
                {
                    places.push([
                        instance.at(frames[0], one.offset),
                        instance.at(frames[1], two.offset),
                    ]);
                }
            }
        }
        places
    }

    fn of_lock(&self, lock: ObjectId) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(move |it| it.lock == lock)
    }

    /// The scope that fences and atomics must have. Holders of other blocks may come in between.
    fn needed(&self, analysis: &Analysis<'_>, lock: ObjectId, placement: Placement) -> Scope {
        let one_block = analysis.launch.grid.iter().all(|size| size.known() == Some(1));
        let own = analysis.kernel[lock].space == Space::Shared || one_block;
        match placement {
            Placement::SameBlock | Placement::SameWarp | Placement::DifferentWarps if own => {
                Scope::Block
            }
            Placement::SameBlock
            | Placement::SameWarp
            | Placement::DifferentWarps
            | Placement::DifferentBlocks => Scope::Device,
        }
    }
}

impl Section {
    /// Whether the section passes on what it got: its acquire comes before its release for everybody in the scope.
    fn hands_on(&self, analysis: &Analysis<'_>, needed: Scope) -> bool {
        let Some(release) = self.release else { return self.scope >= needed };
        let fenced = self.has_fence(analysis, self.from, release.at, release.pred, needed);
        self.scope >= needed && (fenced || (self.acquires && release.releases))
    }

    /// Whether an access is inside, behind the acquire's fence and before the release's.
    fn publishes(&self, analysis: &Analysis<'_>, op: OpId, needed: Scope) -> bool {
        let kernel = analysis.kernel;
        let depth = self.chain.len();
        if !analysis.order.chain(op).starts_with(&self.chain) {
            return false;
        }
        let at = analysis.order.index(op, depth);
        let guard = match region(kernel, &self.chain).items[at] {
            Item::Op(op) => kernel[op].pred,
            Item::Loop(inner) => kernel[inner].pred,
        };
        let entered = holds(kernel, guard, self.entered);
        let acquired = self.acquires || self.has_fence(analysis, self.from, at, guard, needed);
        let released = self.release.is_none_or(|it| {
            at < it.at && (it.releases || self.has_fence(analysis, at, it.at, it.pred, needed))
        });
        self.from < at && entered && acquired && released
    }

    /// Whether who does something guarded like this does a fence between two places of the region.
    fn has_fence(
        &self,
        analysis: &Analysis<'_>,
        from: usize,
        to: usize,
        guard: ExprId,
        needed: Scope,
    ) -> bool {
        let kernel = analysis.kernel;
        let items = &region(kernel, &self.chain).items;
        items.get(from + 1..to).unwrap_or_default().iter().any(|item| match *item {
            Item::Op(op) => {
                matches!(
                    kernel[op].kind,
                    OpKind::Fence { order: Order::AcqRel | Order::SeqCst, scope, proxy: None }
                        if scope >= needed
                ) && holds(kernel, guard, kernel[op].pred)
            }
            Item::Loop(_) => false,
        })
    }
}

/// What an access does to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Acquire,
    Release,
}

/// What an atomic is, if its object is a lock that is free at zero.
fn role(kernel: &Kernel, access: &Access) -> Option<Role> {
    let constant = |id: ExprId| kernel.exprs.as_const(id);
    let (expected, stored) = match &access.kind {
        AccessKind::Atomic(AtomicOp::CompareExchange, operands) => {
            (Some(constant(operands[0])?), constant(operands[1])?)
        }
        AccessKind::Atomic(AtomicOp::Exchange, operands) => (None, constant(operands[0])?),
        AccessKind::Store(values) if access.order.is_some() && values.len() == 1 => {
            return (constant(values[0])? == 0).then_some(Role::Release);
        }
        AccessKind::Atomic(..) | AccessKind::Load | AccessKind::Store(_) => return None,
    };
    match (expected, stored) {
        (None | Some(0), 1..) => Some(Role::Acquire),
        (None | Some(1..), 0) => Some(Role::Release),
        (Some(0), 0) | (Some(1..), 1..) => None,
    }
}

/// The sections of a lock; none if it is used as anything else.
fn sections_of(analysis: &Analysis<'_>, lock: ObjectId) -> Option<Vec<Section>> {
    let kernel = analysis.kernel;
    let mut sections: Vec<Section> = Vec::new();
    let mut acquires = Vec::new();
    let mut others = Vec::new();
    for (op, it) in &kernel.ops {
        match &it.kind {
            OpKind::Access(access) if may_alias(kernel, access.address.object, lock) => {
                if !access.writes() {
                    continue;
                }
                if access.address.object != lock {
                    return None;
                }
                match role(kernel, access) {
                    Some(Role::Acquire) => {
                        acquires.push(op);
                        sections.push(section(analysis, op, access)?);
                    }
                    Some(Role::Release) | None => others.push((op, access)),
                }
            }
            OpKind::Opaque(opaque) if !opaque.touches.is_nothing() => return None,
            OpKind::AsyncCopy(copy) if may_alias(kernel, copy.destination.object, lock) => {
                return None;
            }
            OpKind::Access(_)
            | OpKind::Opaque(_)
            | OpKind::AsyncCopy(_)
            | OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Exit(_) => {}
        }
    }
    for (op, access) in others {
        if sets_before(analysis, lock, op, &acquires) {
            continue;
        }
        if role(kernel, access) != Some(Role::Release) {
            return None;
        }
        let at = analysis.order.index(op, analysis.order.chain(op).len());
        let (order, scope) = access.order?;
        let section = sections
            .iter_mut()
            .filter(|it| {
                it.chain == analysis.order.chain(op)
                    && it.from < at
                    && it.offset == access.address.offset
                    && holds(kernel, kernel[op].pred, it.entered)
            })
            .max_by_key(|it| it.from)?;
        if section.release.is_some() {
            return None;
        }
        let releases = matches!(order, Order::Release | Order::AcqRel);
        section.release = Some(Release { at, pred: kernel[op].pred, releases });
        section.scope = section.scope.min(scope);
    }
    Some(sections)
}

/// Whether a write gives a lock of the block its first value: once, with a barrier behind it.
fn sets_before(analysis: &Analysis<'_>, lock: ObjectId, write: OpId, acquires: &[OpId]) -> bool {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    kernel[lock].space == Space::Shared
        && order.chain(write).is_empty()
        && acquires.iter().all(|op| {
            order.before(write, *op)
                && order.obviously_ordered(kernel, write, *op, Relation::Same, Level::Block)
        })
}

/// The section that an acquire opens: behind the loop that repeats it until it succeeds, or where its success is
/// asked for.
fn section(analysis: &Analysis<'_>, op: OpId, access: &Access) -> Option<Section> {
    let kernel = analysis.kernel;
    let (order, scope) = access.order?;
    let chain = analysis.order.chain(op);
    let opened = |chain: &[LoopId], entered| Section {
        lock: access.address.object,
        offset: access.address.offset,
        chain: chain.to_vec(),
        from: analysis.order.index(op, chain.len()),
        entered,
        acquires: matches!(order, Order::Acquire | Order::AcqRel),
        scope,
        release: None,
    };
    if let Some((&repeats, around)) = chain.split_last()
        && kernel.exprs.as_const(kernel[op].pred) == Some(1)
        && ends_at_success(kernel, kernel[repeats].cont, op)
        && analysis.scopes.home(access.address.offset) != Some(repeats)
    {
        return Some(opened(around, kernel[repeats].pred));
    }
    let succeeded = kernel.exprs.iter().find(|(id, _)| is_success(kernel, *id, op))?.0;
    Some(opened(chain, succeeded))
}

/// Whether a loop goes on only where the acquire failed.
fn ends_at_success(kernel: &Kernel, goes_on: ExprId, op: OpId) -> bool {
    match kernel[goes_on].kind {
        ExprKind::Unary(UnOp::Not, inner) => is_success(kernel, inner, op),
        _ => false,
    }
}

/// Whether an expression says that the acquire read zero.
fn is_success(kernel: &Kernel, id: ExprId, op: OpId) -> bool {
    match kernel[id].kind {
        ExprKind::Cmp(CmpOp::Eq, a, b) => {
            kernel[a].kind == ExprKind::Result(op, 0) && kernel.exprs.as_const(b) == Some(0)
        }
        _ => false,
    }
}

/// Whether who meets a guard plainly meets a condition.
fn holds(kernel: &Kernel, guard: ExprId, condition: ExprId) -> bool {
    kernel.exprs.as_const(condition) == Some(1) || implies(kernel, guard, condition)
}

fn region<'k>(kernel: &'k Kernel, chain: &[LoopId]) -> &'k Region {
    match chain.last() {
        Some(innermost) => &kernel[*innermost].body,
        None => &kernel.body,
    }
}
