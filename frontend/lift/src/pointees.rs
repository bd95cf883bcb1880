//! Pointers that lie in memory of the host: `rows[i][j]`, the arguments of batched kernels.
//!
//! **What**: accesses through such pointers get an object of their own for each object that
//! pointers are read from, in place of one that may be any.
//! **Sound because** that pointers in memory lead to buffers of their own is an assumption, which
//! answers name. It says nothing of pointers that the kernel writes itself, and nothing of other
//! addresses: if one access of the kernel is through those, or may touch anything, all stay what
//! they were. So they do where an initialiser says that pointers lead to variables of the module,
//! and where a pointer of a structure that is passed by value is read both at a place that is
//! computed and at one that is not: it may be one and the same ([`is_named_too`]).
//! Where pointers lead to pointers, nothing is written that any of them lead to.
//! **Misses**: lists and trees whose nodes are written, pointers in shared memory, and copies.

use std::ops::Range;

use heddle_ir::{
    ExprId, ExprKind, Initial, Kernel, Object, ObjectId, ObjectKind, OpId, OpKind, Place, Shape,
    Space, TouchedBy,
};

use rustc_hash::FxHashSet;

/// Pointers that lead to pointers are followed so far.
const MOST_LEVELS: usize = 6;

/// Gives what pointers in memory lead to objects of its own, where all such accesses are known.
/// Objects of `leading` have the addresses of variables in their initialiser.
pub(super) fn separate_pointees(kernel: &mut Kernel, leading: &FxHashSet<ObjectId>) {
    let before = kernel.objects.clone();
    let mut moved: Vec<(OpId, ObjectId)> = Vec::new();
    for _ in 0..MOST_LEVELS {
        let Some(Through { known, is_all }) = through_memory(kernel, leading) else { break };
        let is_stuck = known.is_empty();
        for (op, table) in known {
            let there = kernel.objects.iter().find(|(_, it)| it.kind == ObjectKind::Pointee(table));
            let object = match there {
                Some((object, _)) => object,
                None => pointee(kernel, table),
            };
            if let OpKind::Access(access) = &mut kernel.ops[op].kind {
                moved.push((op, std::mem::replace(&mut access.address.object, object)));
            }
        }
        if is_all && no_table_is_written(kernel) {
            return;
        }
        if is_all || is_stuck {
            break;
        }
    }
    for (op, object) in moved {
        if let OpKind::Access(access) = &mut kernel.ops[op].kind {
            access.address.object = object;
        }
    }
    kernel.objects = before;
}

/// Accesses through pointers that lie in memory.
struct Through {
    /// Each with the object where its pointer lies, if that is known.
    known: Vec<(OpId, ObjectId)>,
    /// No other access is to memory that is not known.
    is_all: bool,
}

/// Finds them. `None` if something else may touch any memory.
fn through_memory(kernel: &Kernel, leading: &FxHashSet<ObjectId>) -> Option<Through> {
    let mut through = Through { known: Vec::new(), is_all: true };
    for (op, it) in &kernel.ops {
        for touch in it.kind.effects().touches {
            let at = match (touch.place, touch.by) {
                (Place::Anywhere(space), _) if space.may_be(Space::Global) => return None,
                (Place::Anywhere(_), _) => continue,
                (Place::At(at), _) if kernel[at.object].kind != ObjectKind::Unknown => continue,
                (Place::At(at), _) if kernel[at.object].space == Space::Shared => continue,
                (Place::At(at), TouchedBy::Access(_))
                    if kernel[at.object].space == Space::Global =>
                {
                    at
                }
                (Place::At(_), _) => return None,
            };
            match kernel.pointer_in_memory(at.offset) {
                Some((pointer, table))
                    if !leading.contains(&table) && !is_named_too(kernel, table, pointer) =>
                {
                    through.known.push((op, table));
                }
                Some(_) | None => through.is_all = false,
            }
        }
    }
    Some(through)
}

/// Whether a pointer that was read from a structure passed by value may be one that the kernel
/// reads at a place which is no computed one, and which leads to an object of that place therefore.
///
/// **Sound because** a place that is computed from the start of an array that is a member lies in
/// that member, and no other object is of a place there. That the index stays in the array is an
/// assumption, which answers name: the place may have been computed from the structure's start.
fn is_named_too(kernel: &Kernel, table: ObjectId, pointer: ExprId) -> bool {
    let Initial::Argument(of) = kernel[table].initial else { return false };
    let mut named = kernel.objects.values().filter_map(|it| match it.kind {
        ObjectKind::ParamField(argument, offset) if argument == of => Some(offset),
        _ => None,
    });
    match member_of(kernel, table, pointer) {
        Some(member) => named.any(|offset| member.contains(&offset)),
        None => named.next().is_some(),
    }
}

/// The bytes of the member, an array, that a pointer was read from at a place which is computed
/// from the first element of it.
fn member_of(kernel: &Kernel, table: ObjectId, pointer: ExprId) -> Option<Range<u64>> {
    let ExprKind::Result(read, _) = kernel.exprs[pointer].kind else { return None };
    let terms = kernel.terms(kernel.access(read)?.address.offset);
    let constants = terms.into_iter().filter_map(|it| kernel.exprs.as_const(it));
    let start = u64::try_from(constants.fold(0u128, u128::wrapping_add)).ok()?;
    let Shape::Struct { members } = &kernel[table].shape else { return None };
    let at = members.iter().rposition(|it| it.0 <= start)?;
    let (from, _, Shape::Array { stride, .. }) = &members[at] else { return None };
    let to = members.get(at + 1).map_or(u64::MAX, |it| it.0);
    (start - from < *stride).then_some(*from..to)
}

/// Whether the kernel writes no memory that pointers were read from, and, where such memory leads
/// to more of it, nothing that pointers lead to: nodes of a list, say, lead to each other.
fn no_table_is_written(kernel: &Kernel) -> bool {
    let tables: Vec<ObjectId> = kernel.objects.values().filter_map(|it| it.kind.table()).collect();
    let is_deep = tables.iter().any(|it| kernel[*it].kind.table().is_some());
    let may_be_written = |object: ObjectId| {
        let is_led_to = kernel[object].kind.table().is_some();
        !(tables.contains(&object) || is_deep && is_led_to)
    };
    let touches = kernel.ops.values().flat_map(|it| it.kind.effects().touches);
    touches.filter(|it| it.writes).all(|it| match it.place {
        Place::At(at) => may_be_written(at.object),
        Place::Anywhere(_) => true,
    })
}

fn pointee(kernel: &mut Kernel, table: ObjectId) -> ObjectId {
    let mut name = format!("*{}", kernel[table].name);
    while kernel.objects.values().any(|it| it.name == name) {
        name.insert(0, '*');
    }
    kernel.objects.push(Object {
        name,
        space: Space::Global,
        kind: ObjectKind::Pointee(table),
        size: None,
        shape: Shape::Bytes,
        read_only: false,
        initial: Initial::Any,
    })
}
