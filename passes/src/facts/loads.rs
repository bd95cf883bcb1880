//! What a proof takes for granted of the loads behind its decisions.
//!
//! **What**: four facts about memory that the analyses use without asking. A load from memory that
//! the kernel writes gives one value to all threads that do it between the same two barriers, as a
//! store in between would race with it ([`Assumption::LoadsRaceFree`]). And memory reached through
//! one pointer of the host is not written through another ([`Assumption::DistinctPointers`]). And
//! what is fetched through a texture, or read as read-only memory, is not written at all
//! ([`Assumption::TexturesUnwritten`], [`Assumption::ReadOnlyUnwritten`]).
//! **Method**: from the expressions of a decision back through operands, loop variables and the
//! addresses of loads.
//! **Sound because**: each load that can reach the decision is met on the way; the assumption is
//! named for any one that needs it.
//! **Misses**: nothing; it may name what the proof did not need.
//! **Assumes**: nothing.

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{
    Access, AccessKind, ExprId, Kernel, ObjectId, ObjectKind, OpId, OpKind, Place, Space,
    TouchedBy, ValueFrom,
};
use rustc_hash::FxHashSet;

use crate::facts::analysis::Analysis;

/// What an answer about an operation takes for granted of loads: those that decide whether a thread
/// comes there, and those that `values` are computed from.
pub(crate) fn relies_for(
    analysis: &Analysis<'_>,
    op: OpId,
    values: impl IntoIterator<Item = ExprId>,
) -> BTreeSet<Assumption> {
    let kernel = analysis.kernel;
    let chain = analysis.order.chain(op);
    let deciding = chain.iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
    taken_for_granted(kernel, deciding.chain([kernel[op].pred]).chain(values))
}

/// What the analyses took for granted of the loads that reach these expressions.
pub(crate) fn taken_for_granted(
    kernel: &Kernel,
    decisions: impl IntoIterator<Item = ExprId>,
) -> BTreeSet<Assumption> {
    let written = written_objects(kernel);
    let mut taken = BTreeSet::new();
    if kernel.fetches && written.iter().any(|it| kernel[*it].space.may_be(Space::Global)) {
        taken.insert(Assumption::TexturesUnwritten);
    }
    // What a copy into private memory may have read.
    let mut copied = BTreeSet::new();
    if !written.is_empty() {
        copied.insert(Assumption::LoadsRaceFree);
    }
    let apart =
        |it: &ObjectId| kernel.objects.keys().any(|other| apart_by_assumption(kernel, *it, other));
    if written.iter().any(apart) {
        copied.insert(Assumption::DistinctPointers);
    }
    let mut seen = FxHashSet::default();
    let mut work: Vec<ExprId> = decisions.into_iter().collect();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match kernel[id].kind.value_from() {
            ValueFrom::Var(var) => {
                let it = &kernel[var];
                work.extend([it.init, it.next, kernel[it.of].cont]);
            }
            ValueFrom::Exit(of, value) => work.extend([value, kernel[of].cont, kernel[of].pred]),
            ValueFrom::Result(op, _) => {
                if let OpKind::Access(Access { address, kind: AccessKind::Load, .. }) =
                    &kernel[op].kind
                {
                    work.push(address.offset);
                    if kernel[address.object].space == Space::Local {
                        for it in stores_to(kernel, address.object) {
                            match it {
                                Stored::Values(values) => work.extend(values),
                                Stored::Copied => {
                                    taken.extend(copied.iter().cloned());
                                }
                            }
                        }
                        continue;
                    }
                    if kernel[address.object].read_only && writes_read_only(kernel) {
                        taken.insert(Assumption::ReadOnlyUnwritten);
                    }
                    if written.contains(&address.object) {
                        taken.insert(Assumption::LoadsRaceFree);
                    }
                    if written.iter().any(|it| apart_by_assumption(kernel, *it, address.object)) {
                        taken.insert(Assumption::DistinctPointers);
                    }
                }
                if let OpKind::CrossLane(lanes) = &kernel[op].kind {
                    work.extend(lanes.args.iter().copied());
                }
            }
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => {
                kernel.exprs.for_each_operand(id, |operand| work.push(operand));
            }
        }
    }
    taken
}

/// Whether only an assumption tells two objects apart: pointers that the host passes, of which one
/// may be the other, or lead into a variable of the program.
pub(crate) fn apart_by_assumption(kernel: &Kernel, a: ObjectId, b: ObjectId) -> bool {
    let passed = |id: ObjectId| match kernel[id].kind {
        ObjectKind::Param(_) | ObjectKind::ParamField(..) | ObjectKind::Pointee(_) => true,
        ObjectKind::Variable
        | ObjectKind::DynamicShared
        | ObjectKind::Alloca
        | ObjectKind::Unknown => false,
    };
    a != b && (passed(a) || passed(b)) && kernel[a].space.may_be(kernel[b].space)
}

/// Whether only an assumption keeps something that is written apart from something else.
pub(crate) fn tells_apart(kernel: &Kernel) -> bool {
    let touches = || {
        kernel.ops.values().flat_map(|op| op.kind.effects().touches).filter_map(|touch| {
            match (touch.by, touch.place) {
                (TouchedBy::Access(_) | TouchedBy::Copy, Place::At(at)) => {
                    Some((at.object, touch.writes))
                }
                _ => None,
            }
        })
    };
    touches()
        .filter(|(_, writes)| *writes)
        .any(|(one, _)| touches().any(|(other, _)| apart_by_assumption(kernel, one, other)))
}

/// Whether the kernel may write what it reads as read-only memory.
pub(crate) fn writes_read_only(kernel: &Kernel) -> bool {
    written_objects(kernel).iter().any(|it| may_be_read_only(kernel, *it))
}

/// Whether an object may be one that the kernel reads as read-only memory.
fn may_be_read_only(kernel: &Kernel, object: ObjectId) -> bool {
    kernel.objects.iter().filter(|(_, it)| it.read_only).any(|(id, it)| {
        let unknown = [it, &kernel[object]].iter().any(|it| it.kind == ObjectKind::Unknown);
        id == object || unknown && it.space.may_be(kernel[object].space)
    })
}

/// What is stored to private memory.
enum Stored {
    /// Values, with what decides whether and where.
    Values(Vec<ExprId>),
    /// Bytes from elsewhere.
    Copied,
}

/// What may be stored to an object.
fn stores_to(kernel: &Kernel, object: ObjectId) -> impl Iterator<Item = Stored> {
    kernel.ops.iter().filter_map(move |(id, op)| {
        op.kind.effects().writes().find(|touch| touch.place.may_be(kernel, object))?;
        let Some(access) = kernel.access(id) else { return Some(Stored::Copied) };
        let values = match &access.kind {
            AccessKind::Store(values) | AccessKind::Atomic(_, values) => values,
            AccessKind::Load => return None,
        };
        if values.is_empty() {
            return Some(Stored::Copied);
        }
        let decides = [op.pred, access.address.offset];
        Some(Stored::Values(values.iter().copied().chain(decides).collect()))
    })
}

fn written_objects(kernel: &Kernel) -> Vec<ObjectId> {
    let mut written: Vec<ObjectId> = kernel
        .ops
        .values()
        .flat_map(|op| {
            let effects = op.kind.effects();
            let objects = effects.writes().flat_map(|touch| named_objects(kernel, &touch.place));
            objects.collect::<Vec<_>>()
        })
        .collect();
    written.sort_unstable();
    written.dedup();
    written
}

/// The object of an address; all of a space where anything there may be meant.
fn named_objects(kernel: &Kernel, place: &Place<'_>) -> Vec<ObjectId> {
    match place {
        Place::At(address) => vec![address.object],
        Place::Anywhere(_) => {
            kernel.objects.keys().filter(|id| place.may_be(kernel, *id)).collect()
        }
    }
}
