//! What touches memory and stands in no pair of accesses: copies, barrier objects, stores to
//! constants, what is not modelled.
//!
//! **What**: the reasons why pairs of accesses do not say all, each with the properties that it
//! leaves open.
//! **Method**: the effects of each operation. Copies that are over by no
//! wait for groups, and barrier objects are left to the trace of
//! the block's warps (`named_barriers`) where it came to an end; what is not modelled is left open
//! always.
//! **Sound because**: the match over [`TouchedBy`] lists all ways to touch memory, and what is no
//! access has a reason here unless the trace has compared it.
//! **Misses**: nothing; where the trace stopped, an access that shares an object with a barrier
//! object is left open unless both are at constant places that do not meet, or a block barrier
//! plainly lies between them.
//! **Assumes**: a barrier object is in shared memory, so that threads of other blocks use it only
//! where addresses reach other blocks of the cluster (`in_cluster`).

mod alike;
mod fenced;
mod in_cluster;

use heddle_diagnostics::{Among, Code, Property, Reason};
use heddle_ir::{
    Access, AccessKind, Address, Barrier, Kernel, MbarrierAction, ObjectKind, Op, OpId, OpKind,
    Place, Space, Touch, TouchedBy,
};
use heddle_trace::BARRIER_OBJECT_BYTES;

use self::alike::unlike;
use self::fenced::unfenced_write;
use self::in_cluster::met_in_cluster;
use super::copies::is_followed;
use super::site::meets_other_blocks;
use crate::checks::named_barriers::Named;
use crate::engine::cx::Cx;
use crate::engine::not_modelled;
use crate::facts::order::Level;
use crate::facts::phases::{Fault, is_on_object};

/// Something that pairs of accesses do not stand for.
pub(super) struct LeftOut {
    pub(super) reason: Reason,
    /// It leaves open whether threads of one block race.
    within_block: bool,
    /// It leaves open whether threads of different blocks race.
    across_blocks: bool,
}

impl LeftOut {
    /// All of a kernel, in the order of its text.
    pub(super) fn of(cx: &Cx<'_>) -> Vec<LeftOut> {
        let mut all: Vec<LeftOut> = unalike(cx).into_iter().collect();
        let on_objects: Vec<OpId> =
            cx.kernel.ops.keys().filter(|op| is_on_object(cx.kernel, *op)).collect();
        cx.kernel.for_each_op(|op, _| {
            let effects = cx.kernel[op].kind.effects();
            let found = effects.touches.iter().find_map(|touch| match touch.by {
                TouchedBy::NotModelled => {
                    Some(of_what_is_not_modelled(cx, op, effects.not_modelled?))
                }
                TouchedBy::Copy => copy(cx, op).or_else(|| unfenced(cx, op)),
                TouchedBy::Access(access) => stored_constant(cx, op, access)
                    .or_else(|| object_as_data(cx, op, access, &on_objects)),
                // Seen from the accesses that may meet it.
                TouchedBy::BarrierObject => None,
            });
            all.extend(found);
        });
        all.extend(met_in_cluster(cx));
        all
    }

    /// Whether it keeps a property from being proved.
    pub(super) fn leaves_open(&self, property: Property) -> bool {
        match property.races_among() {
            Some(Among::Grid) => self.across_blocks,
            Some(Among::Warp | Among::Block) => self.within_block,
            None => false,
        }
    }
}

fn of_what_is_not_modelled(cx: &Cx<'_>, op: OpId, name: &str) -> LeftOut {
    let reason = not_modelled::reason(name, "touch memory", cx.places.op(cx.kernel, op));
    LeftOut { reason, within_block: true, across_blocks: true }
}

/// A copy whose ways to its end are not followed (`copies` has the others).
fn copy(cx: &Cx<'_>, op: OpId) -> Option<LeftOut> {
    if is_followed(cx, op) {
        return beside_atomics(cx, op);
    }
    let text = not_followed(cx, op);
    let reason = Reason::new(Code::UnmodelledInstruction, text).at(cx.places.op(cx.kernel, op));
    let meets = meets_other_blocks(cx.kernel, op);
    let alone = cx.launch.grid.iter().all(|size| size.known() == Some(1));
    let within_block = !is_compared(cx, op);
    Some(LeftOut { reason, within_block, across_blocks: meets && !alone })
}

/// A reduction in bulk of what threads change by atomics: whether the two are atomic to each other,
/// which go different ways to memory, is not settled here.
fn beside_atomics(cx: &Cx<'_>, op: OpId) -> Option<LeftOut> {
    let kernel = cx.kernel;
    let OpKind::AsyncCopy(copy) = &kernel[op].kind else { return None };
    let object = copy.destination.object;
    let is_beside = |it: OpId| {
        kernel.access(it).is_some_and(|access| {
            let is_atomic = matches!(access.kind, AccessKind::Atomic(..)) || access.order.is_some();
            is_atomic && kernel.may_alias(access.address.object, object)
        })
    };
    (copy.combines && kernel.ops.keys().any(is_beside)).then(|| {
        let name = &kernel[object].name;
        let text = format!(
            "`{name}` is changed by reductions in bulk and by atomics of threads, which are not known to be atomic to each other"
        );
        let reason = Reason::new(Code::Undecided, text).at(cx.places.op(kernel, op));
        LeftOut { reason, within_block: true, across_blocks: true }
    })
}

/// A matrix product, or a wait for one, that is not for all of a warpgroup.
fn unalike(cx: &Cx<'_>) -> Option<LeftOut> {
    let op = unlike(&cx.analysis)?;
    let text = "the warps of a warpgroup do not all do this, and a matrix product and the wait for it are for all four";
    let reason = Reason::new(Code::Undecided, text).at(cx.places.op(cx.kernel, op));
    Some(LeftOut { reason, within_block: true, across_blocks: false })
}

/// An operand of a matrix product that a thread may have written without a fence of the two ways to
/// memory.
fn unfenced(cx: &Cx<'_>, op: OpId) -> Option<LeftOut> {
    let write = unfenced_write(&cx.analysis, op)?;
    let line = cx.places.op(cx.kernel, write).line();
    let line = line.map(|line| format!(" at line {line}")).unwrap_or_default();
    let text = format!(
        "no `fence.proxy.async` was found between the write{line} and the barrier that hands it to this matrix product"
    );
    let reason = Reason::new(Code::Undecided, text).at(cx.places.op(cx.kernel, op));
    Some(LeftOut { reason, within_block: true, across_blocks: false })
}

/// Why a copy is not followed to its end, in words.
pub(crate) fn not_followed(cx: &Cx<'_>, copy: OpId) -> String {
    if cx.kernel.is_operand(copy) && is_known_operand(cx.kernel, copy) {
        let text = "when this product has read its operands is not followed: no `tcgen05.commit` after it, by the same thread, is for a phase that is known";
        return text.to_owned();
    }
    if cx.kernel.is_operand(copy) {
        let text = "the descriptor of an operand of this matrix product was not followed to an object in shared memory";
        return text.to_owned();
    }
    let text = "what an asynchronous copy touches was not followed to its end";
    let known = [cx.flat(), Some(&cx.analysis)].into_iter().flatten();
    let Some(Fault { at, why }) = known.filter_map(|it| it.phases().why_not(copy)).next() else {
        return text.to_owned();
    };
    match cx.places.op(cx.kernel, *at).line() {
        Some(line) if *at != copy => format!("{text}: {why} (line {line})"),
        Some(_) | None => format!("{text}: {why}"),
    }
}

/// Whether where an operand lies is known, so that when it is read is not.
fn is_known_operand(kernel: &Kernel, copy: OpId) -> bool {
    matches!(&kernel[copy].kind, OpKind::AsyncCopy(copy)
        if kernel[copy.source.object].kind != ObjectKind::Unknown)
}

/// Whether the trace has compared a copy with all that it may meet within a block: the trace knows
/// where the copy goes, and nothing that may touch the same memory was left out of it because its
/// place is not known.
pub(crate) fn is_compared(cx: &Cx<'_>, copy: OpId) -> bool {
    let kernel = cx.kernel;
    let named = cx.shared::<Named>();
    let parts = kernel[copy].kind.effects().touches;
    let meets = |other: &Touch<'_>| {
        parts.iter().any(|part| match part.place {
            Place::At(at) => (part.writes || other.writes) && other.place.may_be(kernel, at.object),
            Place::Anywhere(_) => true,
        })
    };
    // Of a copy, the trace knows the place in shared memory in any case.
    let is_known = |it: &Op, touch: &Touch<'_>| match touch.place {
        Place::At(at) => {
            matches!(it.kind, OpKind::AsyncCopy(_)) && kernel[at.object].space == Space::Shared
        }
        Place::Anywhere(_) => false,
    };
    let is_unseen = |(op, it): (OpId, &Op)| {
        let mut touches = it.kind.effects().touches.into_iter();
        op != copy
            && !named.settles(op)
            && touches.any(|touch| !is_known(it, &touch) && meets(&touch))
    };
    let is_followed =
        named.settles(copy) || named.is_settled() && !meets_other_blocks(kernel, copy);
    is_followed && !kernel.ops.iter().any(is_unseen)
}

/// A store to constant memory, which no pair has, as nothing may write there.
fn stored_constant(cx: &Cx<'_>, op: OpId, access: &Access) -> Option<LeftOut> {
    let object = &cx.kernel[access.address.object];
    let is_one = access.writes() && object.space == Space::Constant;
    is_one.then(|| {
        let text = format!("`{}` is constant, and what stores to it do is undefined", object.name);
        let reason = Reason::new(Code::Undecided, text).at(cx.places.op(cx.kernel, op));
        LeftOut { reason, within_block: true, across_blocks: true }
    })
}

/// An access that may meet a barrier object, which operations on it change, where the trace has not
/// compared the two.
fn object_as_data(cx: &Cx<'_>, op: OpId, access: &Access, on_objects: &[OpId]) -> Option<LeftOut> {
    let kernel = cx.kernel;
    let meets = |place: &Place<'_>| match place {
        Place::At(at) => {
            kernel.may_alias(at.object, access.address.object) && !apart(kernel, at, access)
        }
        Place::Anywhere(_) => place.may_be(kernel, access.address.object),
    };
    let is_object = |other: OpId| {
        kernel[other].kind.effects().touches.iter().any(|touch| match touch.by {
            TouchedBy::BarrierObject => meets(&touch.place),
            TouchedBy::Access(_) | TouchedBy::Copy | TouchedBy::NotModelled => false,
        })
    };
    let order = &cx.analysis.order;
    let is_ordered = |other: OpId| {
        // What copies do to an object when they end comes at any time after their issue.
        let mut chains = [op, other].map(|it| order.chain(it)).into_iter();
        if ends_later(kernel, other) && !(chains.all(|it| it.is_empty()) && order.before(op, other))
        {
            return false;
        }
        let mut relations = order.relations(op, other, Level::Block).into_iter();
        relations.all(|it| order.obviously_ordered(kernel, op, other, it, Level::Block))
    };
    // The objects of rings are at known places, which this was asked about.
    let known = || [Some(&cx.analysis), cx.flat()].into_iter().flatten().map(|it| it.phases());
    let is_compared =
        |other: &OpId| known().any(|it| it.clear.contains(&op) && it.followed.contains(other));
    let mut others =
        on_objects.iter().copied().filter(|other| is_object(*other) && !is_compared(other));
    if others.all(is_ordered) || cx.shared::<Named>().is_settled() {
        return None;
    }
    let name = &kernel[access.address.object].name;
    let text = format!(
        "this may touch a barrier object in `{name}`, and was not compared with operations on that"
    );
    let reason = Reason::new(Code::Undecided, text).at(cx.places.op(kernel, op));
    Some(LeftOut { reason, within_block: true, across_blocks: false })
}

/// Whether an operation changes a barrier object once copies have ended.
fn ends_later(kernel: &Kernel, op: OpId) -> bool {
    match &kernel[op].kind {
        OpKind::AsyncCopy(_) => true,
        OpKind::Barrier(Barrier::Mbarrier { action, address: _ }) => {
            matches!(action, MbarrierAction::CopiesArrive { .. } | MbarrierAction::ProductsArrive)
        }
        OpKind::Barrier(
            Barrier::Block { .. }
            | Barrier::Warp { .. }
            | Barrier::Named { .. }
            | Barrier::Cluster { .. }
            | Barrier::Grid,
        )
        | OpKind::Access(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Claim(_)
        | OpKind::Assert { .. }
        | OpKind::Exit(_)
        | OpKind::Registers(_)
        | OpKind::Opaque(_) => false,
    }
}

/// Whether a barrier object and an access are at constant places of one object that do not meet.
fn apart(kernel: &Kernel, object: &Address, access: &Access) -> bool {
    let constant = |expr| kernel.exprs.as_const(expr);
    let places = (constant(object.offset), constant(access.address.offset), constant(access.size));
    let (Some(start), Some(offset), Some(size)) = places else { return false };
    object.object == access.address.object
        && (offset.saturating_add(size) <= start
            || start.saturating_add(BARRIER_OBJECT_BYTES.into()) <= offset)
}
