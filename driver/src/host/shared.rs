//! Pointers of a launch that lead to one allocation.
//!
//! **What**: a kernel in which what is accessed through one of them is accessed through the other.
//! **Method**: each access of the one object becomes an access of the other, at the offset plus the
//! distance of the two in bytes.
//! **Sound because** both pointers are the same address, but for these bytes, at this launch; what
//! two objects are to a check is then one object.
//! **Misses**: objects that other operations than loads, stores and atomics name, and distances
//! that the kernel's parameters do not say.
//! **Assumes**: what [`heddle_frontend::host`] does.

use std::borrow::Cow;

use heddle_ir::{ExprKind, Kernel, ObjectId, ObjectKind, Op, OpKind, Place, Space};
use heddle_passes::launch::{HostFacts, SharedMemory};

/// The kernel as this launch runs it.
pub(crate) fn joined<'k>(kernel: &'k Kernel, host: &HostFacts) -> Cow<'k, Kernel> {
    let mut joined = Cow::Borrowed(kernel);
    for SharedMemory { one, other, by } in &host.pointers.shared {
        let (Some(by), into, from) = (by, *one, *other) else { continue };
        if !can_join(kernel, from) {
            continue;
        }
        let kernel = joined.to_mut();
        let Kernel { ops, exprs, objects, .. } = kernel;
        for op in ops.values_mut() {
            if let OpKind::Access(access) = &mut op.kind
                && access.address.object == from
            {
                access.address.object = into;
                access.address.offset = exprs.add(access.address.offset, *by);
            }
        }
        objects[into].read_only &= objects[from].read_only;
        join_pointees(kernel, into, from);
        forget_written(kernel);
    }
    joined
}

/// Where pointers lead that the kernel may write is not known.
fn forget_written(kernel: &mut Kernel) {
    let writes = |op: &Op, table| {
        op.kind.effects().writes().any(|touch| match touch.place {
            Place::At(at) => at.object == table,
            Place::Anywhere(space) => space.may_be(Space::Global),
        })
    };
    // What pointers lead to that lie in unknown memory is unknown in turn.
    loop {
        let unknown = kernel.objects.iter().find(|(_, it)| {
            it.kind.table().is_some_and(|table| {
                kernel.objects[table].kind == ObjectKind::Unknown
                    || kernel.ops.values().any(|op| writes(op, table))
            })
        });
        let Some((object, _)) = unknown else { return };
        kernel.objects[object].kind = ObjectKind::Unknown;
    }
}

/// What pointers lead to that were read from one object is what those lead to that are read from
/// the other.
fn join_pointees(kernel: &mut Kernel, into: ObjectId, from: ObjectId) {
    let of = |kernel: &Kernel, table: ObjectId| {
        let found = kernel.objects.iter().find(|(_, it)| it.kind == ObjectKind::Pointee(table));
        found.map(|(object, _)| object)
    };
    let Some(led_to) = of(kernel, from) else { return };
    let Some(known) = of(kernel, into) else {
        kernel.objects[led_to].kind = ObjectKind::Pointee(into);
        return;
    };
    for op in kernel.ops.values_mut() {
        if let OpKind::Access(access) = &mut op.kind
            && access.address.object == led_to
        {
            access.address.object = known;
        }
    }
}

/// Whether the kernel may write what an object has. Two of which it writes neither cannot race.
pub(super) fn is_written(kernel: &Kernel, object: ObjectId) -> bool {
    kernel.ops.values().any(|op| {
        op.kind.effects().writes().any(|touch| match touch.place {
            Place::At(at) => kernel.may_alias(at.object, object),
            Place::Anywhere(_) => true,
        })
    })
}

/// The pairs that [`joined`] leaves apart.
pub(super) fn left(kernel: &Kernel, host: &HostFacts) -> Vec<SharedMemory> {
    let is_left = |it: &&SharedMemory| it.by.is_none() || !can_join(kernel, it.other);
    host.pointers.shared.iter().filter(is_left).copied().collect()
}

/// Whether nothing but loads, stores and atomics names an object.
fn can_join(kernel: &Kernel, object: ObjectId) -> bool {
    let is_base = |kind: &ExprKind| matches!(kind, ExprKind::Base(of) if *of == object);
    let looked_at = kernel.exprs.iter().any(|(_, it)| is_base(&it.kind));
    let by_others = kernel.ops.values().any(|op| {
        let mut names = false;
        op.for_each_object(|it| names |= it == object);
        names && !matches!(op.kind, OpKind::Access(_))
    });
    !looked_at && !by_others
}
