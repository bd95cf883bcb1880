//! Critical sections: accesses that a spin lock keeps apart, with the fences that publish what they
//! did.
//!
//! **What**: pairs of accesses that are ordered in every run in which two places in an object are
//! equal, namely those of the locks that the two threads hold ([`Locks::keep_apart`]), or that the
//! first threads of their blocks hold for them.
//! **Method**: an object holds locks if each write to it, but those of other members of an array's
//! elements, is of one aligned word, all of one size, and is an *acquire* (`atomicCAS(l, 0, 1)` or
//! `atomicExch(l, 1)`, which succeeds where it reads zero; the exchange also where it reads another
//! value than the one that all acquires store) or a *release* (an atomic or volatile access that
//! stores zero, by a thread that acquired this word in the same stretch of code, in the same
//! iteration, and has not released it since). A section reaches from the first to the second. An
//! access is in a section if it stands in it in the text, and is done only where the acquire
//! succeeded. In the section of a first thread, a barrier stands between the acquire and the
//! access, and between the access and the release (`locks/held.rs`).
//! **Sound because**: a word changes from zero only by an acquire that then succeeds, and to zero
//! only by the thread whose acquire succeeded, so at most one thread holds it. What is written to
//! another word leaves it alone, because words of one size at multiples of that size have no byte
//! in common. All of these are atomics at a scope that includes every thread which may use the
//! word, so each acquire reads from the release before it, or from a chain of failed acquires that
//! it heads. Each section has a fence after its acquire and before its release, or both have that
//! order themselves, so whoever acquires the word comes after all earlier holders (PTX ISA,
//! sections 8.8 and 8.9: release and acquire patterns over morally strong accesses). The two
//! threads must mean the same word by one offset: a lock in shared memory is another one in each
//! block. OpenCL's orders are for the space of the atomic's own word, unless a fence names both
//! spaces. A weak compare-and-swap succeeded only where its second result says so; the value it
//! read may be the expected one although it wrote nothing.
//! Words that say whose turn it is are locks too (`locks/turns.rs`), and readers may share a lock
//! (`locks/readers.rs`).
//! **Misses**: locks that another thread than the first takes for its block, releases by plain
//! stores, locks beside an array in one structure or in one whose size is no power of two, and the
//! order that LLVM gives `cmpxchg seq_cst` on NVIDIA targets: that is CUDA's `atomicCAS`, which
//! orders nothing by its documentation.
//! **Assumes**: nobody outside the kernel changes the lock while it runs. Its value at the start
//! does not matter. A volatile release is relaxed at system scope, as in PTX, which is named.

mod bits;
mod held;
mod readers;
mod turns;

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{
    Access, AccessKind, AtomicOp, CmpOp, ExprId, ExprKind, Family, Kernel, LoopId, MemoryOrder,
    ObjectId, OpId, Orders, Region, Scope, Space, UnOp,
};
use heddle_solver::Budget;
use rustc_hash::FxHashMap;

use self::bits::sections_of_bits;
use self::readers::{counts_down, expected_by_reader, keep_out};
use self::turns::{turns_of, writes_by_part};
use super::word::{are_members_apart, is_common, needed_scope, word_size, writes_to};
use crate::engine::answer::Held;
use crate::engine::instance::{FrameId, Instance};
use crate::facts::analysis::Analysis;
use crate::facts::order::{GLOBAL, Level, Relation, flag, implies};

/// The critical sections of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    sections: Vec<Section>,
    /// What was shown of their words.
    shown: FxHashMap<Words, Held>,
}

/// Words of an object that are locks of one kind: all, or a member of its elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Words {
    object: ObjectId,
    /// Which of the groups of members that no write has in common.
    part: usize,
}

impl Words {
    fn all(object: ObjectId) -> Words {
        Words { object, part: 0 }
    }
}

/// From an acquire to the release after it, in one region of the loop tree.
#[derive(Debug)]
struct Section {
    lock: Words,
    /// The lock's place in its object, the same at acquire and release.
    offset: ExprId,
    /// The bit of the word that is the lock, where that is not all of it.
    bit: Option<ExprId>,
    acquire: OpId,
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
    /// Readers may be in such sections of one lock together.
    shared: bool,
}

#[derive(Clone, Copy, Debug)]
struct Release {
    op: OpId,
    at: usize,
    pred: ExprId,
    /// It orders what was before, by itself.
    releases: bool,
}

impl Locks {
    /// Finds the locks that are used as such everywhere.
    pub(crate) fn of(analysis: &Analysis<'_>, budget: &Budget) -> Locks {
        let kernel = analysis.kernel;
        let acquired = |op: OpId| {
            let access = kernel.access(op)?;
            (role(kernel, access) == Some(Role::Acquire)).then_some(access.address.object)
        };
        let mut objects: Vec<ObjectId> = kernel.ops.keys().filter_map(acquired).collect();
        objects.sort_unstable();
        objects.dedup();
        if mixes_scopes(kernel) {
            return Locks::default();
        }
        let mut locks = Locks::default();
        for lock in objects {
            if let Some((sections, held)) = sections_of(analysis, lock, budget) {
                locks.sections.extend(sections);
                locks.shown.insert(Words::all(lock), held);
            }
        }
        for object in kernel.objects.keys() {
            locks.sections.extend(sections_of_bits(analysis, object).into_iter().flatten());
            for (part, writes) in writes_by_part(analysis, object).into_iter().enumerate() {
                // The first part is all words.
                let words = Words { object, part: part + 1 };
                if let Some((sections, held)) = turns_of(analysis, words, writes, budget) {
                    locks.sections.extend(sections);
                    locks.shown.insert(words, held);
                }
            }
        }
        locks
    }

    /// Where both accesses are inside sections of one lock that order them: that the two places
    /// of the lock, as each thread computes it, are one. There the accesses are ordered.
    pub(crate) fn keep_apart(
        &self,
        instance: &mut Instance<'_>,
        ops: [OpId; 2],
        frames: [FrameId; 2],
    ) -> Vec<ExprId> {
        let mut places = Vec::new();
        let analysis = instance.analysis;
        if analysis.order.ends_untold() || ops.iter().any(|op| is_of_image(analysis.kernel, *op)) {
            return places;
        }
        for one in &self.sections {
            let object = one.lock.object;
            if !is_common(analysis.kernel, object, instance.placement) {
                continue;
            }
            let needed = Needed {
                scope: needed_scope(analysis, object, instance.placement),
                by_itself: orders_by_itself(analysis.kernel, object, ops),
            };
            let publishing = one.publishing(instance, ops[0], needed);
            for two in self.of_lock(one.lock).filter(|it| !(one.shared && it.shared)) {
                let other = two.publishing(instance, ops[1], needed);
                if publishing.goes_with(&other)
                    && self.of_lock(one.lock).all(|it| it.hands_on(analysis, needed))
                {
                    if self.of_lock(one.lock).any(|it| it.is_volatile(analysis.kernel)) {
                        instance.rely_on(Assumption::VolatileIsRelaxed);
                    }
                    if let Some(held) = self.shown.get(&one.lock) {
                        instance.rely_on_all(held);
                    }
                    places.push(is_one(instance, [one, two], frames));
                }
            }
        }
        places
    }

    fn of_lock(&self, lock: Words) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(move |it| it.lock == lock)
    }
}

/// That two threads mean the same word, and the same bit of it.
fn is_one(instance: &mut Instance<'_>, of: [&Section; 2], frames: [FrameId; 2]) -> ExprId {
    let mut same = instance.pool.truth();
    for [one, two] in [of.map(|it| Some(it.offset)), of.map(|it| it.bit)] {
        if let (Some(one), Some(two)) = (one, two) {
            let [one, two] = [instance.at(frames[0], one), instance.at(frames[1], two)];
            let equal = instance.pool.eq(one, two);
            same = instance.pool.and(same, equal);
        }
    }
    same
}

/// What must hold of a lock's atomics and fences for two accesses.
#[derive(Clone, Copy, Debug)]
struct Needed {
    /// Who must be included.
    scope: Scope,
    /// The order that an atomic itself has counts.
    by_itself: bool,
}

/// Whether the order of an atomic on the lock is one for the accesses too. In OpenCL an acquire or
/// release of local memory orders local memory, one of global memory global memory (OpenCL API,
/// section 3.3.6.2).
fn orders_by_itself(kernel: &Kernel, lock: ObjectId, ops: [OpId; 2]) -> bool {
    let memory = |object| flag(kernel, object);
    let is_of_lock =
        |op: &OpId| kernel.access(*op).is_some_and(|it| memory(it.address.object) == memory(lock));
    !kernel.target.opencl || ops.iter().all(is_of_lock)
}

impl Section {
    /// Whether the acquire or the release is strong only because it is volatile.
    fn is_volatile(&self, kernel: &Kernel) -> bool {
        let ends = [Some(self.acquire), self.release.map(|it| it.op)];
        let mut ends = ends.into_iter().flatten().filter_map(|op| kernel.access(op));
        ends.any(|it| it.order.is_none())
    }
}

/// What an access does to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Acquire,
    Release,
    /// A reader goes in, and out.
    Enter,
    Leave,
}

/// What an atomic is, if its object is a lock that is free at zero.
fn role(kernel: &Kernel, access: &Access) -> Option<Role> {
    let constant = |id: ExprId| kernel.exprs.as_const(id);
    if expected_by_reader(kernel, access).is_some() {
        return Some(Role::Enter);
    }
    if counts_down(kernel, access) {
        return Some(Role::Leave);
    }
    let (expected, stored) = match &access.kind {
        AccessKind::Atomic(op, operands) if op.compares() => {
            (Some(constant(operands[0])?), constant(operands[1])?)
        }
        AccessKind::Atomic(AtomicOp::Exchange, operands) => (None, constant(operands[0])?),
        AccessKind::Store(values) if strength(kernel, access).is_some() && values.len() == 1 => {
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

/// Whether an access is of an image of OpenCL, which needs fences of its own.
fn is_of_image(kernel: &Kernel, op: OpId) -> bool {
    kernel.target.opencl
        && kernel.access(op).is_some_and(|it| {
            let object = it.address.object;
            kernel[object].space == Space::Global && flag(kernel, object) != GLOBAL
        })
}

/// Whether atomics and fences have several scopes, and these do not include each other.
fn mixes_scopes(kernel: &Kernel) -> bool {
    let scopes = kernel.ops.values().filter_map(|op| match op.kind.effects().orders {
        Some(Orders::Access(_, scope) | Orders::Fence(_, scope, _)) => Some(scope),
        Some(Orders::Barrier(_) | Orders::Copies | Orders::NotModelled) | None => None,
    });
    let scopes: BTreeSet<Scope> = scopes.collect();
    kernel.target.has_strict_scopes() && scopes.len() > 1
}

/// Order and scope of an atomic, or of a volatile access where that is relaxed at system scope (PTX
/// ISA, section 8.4).
fn strength(kernel: &Kernel, access: &Access) -> Option<(MemoryOrder, Scope)> {
    let target = &kernel.target;
    let is_modelled = target.family == Family::Nvptx && !target.opencl && target.sm >= 70;
    let volatile =
        (access.volatile && is_modelled).then_some((MemoryOrder::Relaxed, Scope::System));
    access.order.or(volatile)
}

/// The sections of a lock; none if it is used as anything else, or if a write may reach into the
/// word beside it.
fn sections_of(
    analysis: &Analysis<'_>,
    lock: ObjectId,
    budget: &Budget,
) -> Option<(Vec<Section>, Held)> {
    let kernel = analysis.kernel;
    let writes = writes_to(kernel, lock)?;
    let held = readers_keep_out(analysis, &writes, budget)?;
    let is_acquire =
        |access: &Access| matches!(role(kernel, access), Some(Role::Acquire | Role::Enter));
    let (acquires, others): (Vec<_>, Vec<_>) =
        writes.into_iter().partition(|(_, access)| is_acquire(access));
    let size = word_size(kernel, acquires.first()?.1)?;
    let mut sections: Vec<Section> = Vec::new();
    let stored = held_value(kernel, acquires.iter().map(|(_, access)| *access));
    for (op, access) in &acquires {
        if word_size(kernel, access) != Some(size) {
            return None;
        }
        sections.push(section(analysis, *op, access, stored)?);
    }
    let acquires: Vec<OpId> = acquires.iter().map(|(op, _)| *op).collect();
    for (op, access) in others {
        let beside = |acquire: &OpId| {
            kernel.access(*acquire).is_some_and(|it| are_members_apart(kernel, it, access))
        };
        if sets_before(analysis, lock, op, &acquires) || acquires.iter().all(beside) {
            continue;
        }
        let role = role(kernel, access)?;
        let leaves = matches!(role, Role::Release | Role::Leave);
        if !leaves || word_size(kernel, access) != Some(size) {
            return None;
        }
        let at = analysis.order.index(op, analysis.order.chain(op).len());
        let (order, scope) = strength(kernel, access)?;
        let section = sections
            .iter_mut()
            .filter(|it| {
                it.chain == analysis.order.chain(op)
                    && it.shared == (role == Role::Leave)
                    && it.from < at
                    && it.offset == access.address.offset
                    && holds(kernel, kernel[op].pred, it.entered)
            })
            .max_by_key(|it| it.from)?;
        if section.release.is_some() {
            return None;
        }
        let releases =
            matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel) || is_strict(kernel, order);
        section.release = Some(Release { op, at, pred: kernel[op].pred, releases });
        section.scope = section.scope.min(scope);
    }
    Some((sections, held))
}

/// That readers which share a lock, if there are any, never go in where a writer is.
fn readers_keep_out(
    analysis: &Analysis<'_>,
    writes: &[(OpId, &Access)],
    budget: &Budget,
) -> Option<Held> {
    let kernel = analysis.kernel;
    let readers = writes.iter().filter_map(|(op, access)| {
        let expected = expected_by_reader(kernel, access)?;
        Some((*op, expected))
    });
    let readers: Vec<(OpId, ExprId)> = readers.collect();
    let mut held = Held::at_once();
    if readers.is_empty() {
        return Some(held);
    }
    let mut of_writers = Vec::new();
    for (_, access) in writes {
        if role(kernel, access) == Some(Role::Acquire) {
            // An exchange takes the lock from readers.
            let AccessKind::Atomic(AtomicOp::CompareExchange, operands) = &access.kind else {
                return None;
            };
            of_writers.push(kernel.exprs.as_const(*operands.get(1)?)?);
        }
    }
    for (op, expected) in readers {
        held = held.and(keep_out(analysis, op, expected, &of_writers, budget)?);
    }
    Some(held)
}

/// Whether an order is the strongest, and the program said so: in CUDA it is what LLVM makes of
/// `atomicCAS`.
fn is_strict(kernel: &Kernel, order: MemoryOrder) -> bool {
    order == MemoryOrder::SeqCst && kernel.target.opencl
}

/// Whether a write gives a lock of the block its first value: once, with a barrier after it.
fn sets_before(analysis: &Analysis<'_>, lock: ObjectId, write: OpId, acquires: &[OpId]) -> bool {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    kernel[lock].space == Space::Shared
        && order.chain(write).is_empty()
        && acquires.iter().all(|op| {
            order.before(write, *op)
                && order.obviously_ordered(kernel, write, *op, Relation::Same, Level::Block)
        })
}

/// The section that an acquire opens: after the loop that repeats it until it succeeds, or where
/// its success is asked for.
fn section(
    analysis: &Analysis<'_>,
    op: OpId,
    access: &Access,
    stored: Option<u128>,
) -> Option<Section> {
    let kernel = analysis.kernel;
    let (order, scope) = access.order?;
    let chain = analysis.order.chain(op);
    let opened = |chain: &[LoopId], entered| Section {
        lock: Words::all(access.address.object),
        offset: access.address.offset,
        bit: None,
        acquire: op,
        chain: chain.to_vec(),
        from: analysis.order.index(op, chain.len()),
        entered,
        acquires: matches!(order, MemoryOrder::Acquire | MemoryOrder::AcqRel)
            || is_strict(kernel, order),
        scope,
        release: None,
        shared: expected_by_reader(kernel, access).is_some(),
    };
    if let Some((&repeats, around)) = chain.split_last()
        && kernel.exprs.as_const(kernel[op].pred) == Some(1)
        && ends_at_success(kernel, kernel[repeats].cont, op, stored)
        && analysis.scopes.home(access.address.offset) != Some(repeats)
    {
        return Some(opened(around, kernel[repeats].pred));
    }
    let succeeded = kernel.exprs.iter().find(|(id, _)| is_success(kernel, *id, op, stored))?.0;
    Some(opened(chain, succeeded))
}

/// The value that all acquires of a lock store, where it is one.
fn held_value<'a>(kernel: &Kernel, acquires: impl Iterator<Item = &'a Access>) -> Option<u128> {
    let mut stored = acquires.map(|access| match &access.kind {
        AccessKind::Atomic(_, operands) => kernel.exprs.as_const(*operands.last()?),
        AccessKind::Load | AccessKind::Store(_) => None,
    });
    let first = stored.next()??;
    stored.all(|it| it == Some(first)).then_some(first)
}

/// Whether a loop goes on only where the acquire failed.
fn ends_at_success(kernel: &Kernel, goes_on: ExprId, op: OpId, stored: Option<u128>) -> bool {
    if let ExprKind::Unary(UnOp::Not, succeeded) = kernel[goes_on].kind {
        return is_success(kernel, succeeded, op, stored);
    }
    is_held(kernel, goes_on, op, stored)
}

/// Whether an expression says that an exchange found the value which all acquires store.
fn is_held(kernel: &Kernel, id: ExprId, op: OpId, stored: Option<u128>) -> bool {
    let exchanges = kernel.access(op).is_some_and(|access| match access.kind {
        AccessKind::Atomic(op, _) => op == AtomicOp::Exchange,
        AccessKind::Load | AccessKind::Store(_) => false,
    });
    let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[id].kind else { return false };
    let found = kernel[a].kind == ExprKind::Result(op, 0);
    exchanges && found && stored.is_some() && kernel.exprs.as_const(b) == stored
}

/// Whether an expression says that the acquire took the lock: it read zero, or an exchange another
/// value than the one that all acquires store; or it wrote, where it may fail for nothing.
fn is_success(kernel: &Kernel, id: ExprId, op: OpId, stored: Option<u128>) -> bool {
    let weak = kernel.access(op).is_some_and(|access| match access.kind {
        AccessKind::Atomic(op, _) => op == AtomicOp::CompareExchangeWeak,
        AccessKind::Load | AccessKind::Store(_) => false,
    });
    if weak {
        return kernel[id].kind == ExprKind::Result(op, 1);
    }
    if let ExprKind::Unary(UnOp::Not, held) = kernel[id].kind {
        return is_held(kernel, held, op, stored);
    }
    let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[id].kind else { return false };
    let found = |id: ExprId| kernel[id].kind == ExprKind::Result(op, 0);
    match kernel.access(op).and_then(|access| expected_by_reader(kernel, access)) {
        Some(expected) => found(a) && b == expected || found(b) && a == expected,
        None => found(a) && kernel.exprs.as_const(b) == Some(0),
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
