//! Pointers that lie in memory of the host: `rows[i][j]`, the arguments of batched kernels.
//!
//! **What**: accesses through such pointers get an object of their own for each object that
//! pointers are read from, in place of one that may be any.
//! **Sound because** that pointers in memory lead to buffers of their own is an assumption, which
//! answers name. It says nothing of pointers that the kernel writes itself, and nothing of other
//! addresses: if one access of the kernel is through those, or may touch anything, all stay what
//! they were.
//! **Misses**: pointers in memory that pointers in memory lead to, pointers in shared memory, and
//! copies.

use heddle_ir::{
    Initial, Kernel, Object, ObjectId, ObjectKind, OpId, OpKind, Place, Shape, Space, TouchedBy,
};

/// Gives what pointers in memory lead to objects of its own, where all such accesses are known.
pub(super) fn separate_pointees(kernel: &mut Kernel) {
    let Some(through) = through_memory(kernel) else { return };
    for (op, table) in through {
        let known = kernel.objects.iter().find(|(_, it)| it.kind == ObjectKind::Pointee(table));
        let object = match known {
            Some((object, _)) => object,
            None => pointee(kernel, table),
        };
        if let OpKind::Access(access) = &mut kernel.ops[op].kind {
            access.address.object = object;
        }
    }
}

/// Each access through a pointer that lies in memory, with the object where it lies. `None` if
/// there is another access to memory that is not known, or if the kernel may write such pointers.
fn through_memory(kernel: &Kernel) -> Option<Vec<(OpId, ObjectId)>> {
    let mut through = Vec::new();
    let mut written = Vec::new();
    for (op, it) in &kernel.ops {
        for touch in it.kind.effects().touches {
            let at = match (touch.place, touch.by) {
                (Place::Anywhere(space), _) if space.may_be(Space::Global) => return None,
                (Place::Anywhere(_), _) => continue,
                (Place::At(at), _) if kernel[at.object].kind != ObjectKind::Unknown => {
                    written.extend(touch.writes.then_some(at.object));
                    continue;
                }
                (Place::At(at), _) if kernel[at.object].space == Space::Shared => continue,
                (Place::At(at), TouchedBy::Access(_))
                    if kernel[at.object].space == Space::Global =>
                {
                    at
                }
                (Place::At(_), _) => return None,
            };
            let (_, table) = kernel.pointer_in_memory(at.offset)?;
            through.push((op, table));
        }
    }
    through.iter().all(|(_, table)| !written.contains(table)).then_some(through)
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
