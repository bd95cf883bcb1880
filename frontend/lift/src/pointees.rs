//! Pointers that lie in memory of the host: `rows[i][j]`, the arguments of batched kernels.
//!
//! **What**: accesses through such pointers get an object of their own for each object that
//! pointers are read from, in place of one that may be any.
//! **Sound because** that pointers in memory lead to buffers of their own is an assumption, which
//! answers name. It says nothing of pointers that the kernel writes itself, and nothing of other
//! addresses: if one access of the kernel is through those, or may touch anything, all stay what
//! they were.
//! Where pointers lead to pointers, nothing is written that any of them lead to.
//! **Misses**: lists and trees whose nodes are written, pointers in shared memory, and copies.

use heddle_ir::{
    Initial, Kernel, Object, ObjectId, ObjectKind, OpId, OpKind, Place, Shape, Space, TouchedBy,
};

/// Pointers that lead to pointers are followed so far.
const MOST_LEVELS: usize = 6;

/// Gives what pointers in memory lead to objects of its own, where all such accesses are known.
pub(super) fn separate_pointees(kernel: &mut Kernel) {
    let before = kernel.objects.clone();
    let mut moved: Vec<(OpId, ObjectId)> = Vec::new();
    for _ in 0..MOST_LEVELS {
        let Some(Through { known, is_all }) = through_memory(kernel) else { break };
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
fn through_memory(kernel: &Kernel) -> Option<Through> {
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
                Some((_, table)) => through.known.push((op, table)),
                None => through.is_all = false,
            }
        }
    }
    Some(through)
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
