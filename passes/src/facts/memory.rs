//! What a kernel does to each memory object, over the whole of it.
//!
//! An access to an unknown object, and an opaque operation, count for every object they may be.

use crate::facts::order::{Level, Regular, orders_otherwise};
use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{AccessKind, Kernel, ObjectId, Place, Touch, TouchedBy};

#[derive(Clone, Copy, Default, Debug)]
struct Use {
    written: bool,
    /// Accessed by atomics.
    atomic: bool,
    /// Accessed otherwise than by plain loads and stores, and by atomics.
    special: bool,
}

impl Use {
    fn of(touch: &Touch<'_>) -> Use {
        let Touch { place: _, reads: _, writes: written, by } = *touch;
        match by {
            TouchedBy::Access(access) => {
                let is_rmw = matches!(access.kind, AccessKind::Atomic(..));
                let atomic = is_rmw || access.order.is_some();
                Use { written, atomic, special: access.volatile }
            }
            TouchedBy::Copy | TouchedBy::BarrierObject | TouchedBy::NotModelled => {
                Use { written, atomic: false, special: written }
            }
        }
    }

    fn add(&mut self, other: Use) {
        let Use { written, atomic, special } = other;
        self.written |= written;
        self.atomic |= atomic;
        self.special |= special;
    }
}

/// A summary per object.
#[derive(Debug)]
pub(crate) struct MemoryUse {
    of: SecondaryMap<ObjectId, Use>,
    ordered_otherwise: bool,
}

impl MemoryUse {
    /// Computes it.
    pub(crate) fn of(kernel: &Kernel, regular: &Regular) -> MemoryUse {
        let ordered_otherwise = orders_otherwise(kernel, regular, Level::Warp);
        let mut it = MemoryUse { of: SecondaryMap::new(), ordered_otherwise };
        for op in kernel.ops.values() {
            for touch in op.kind.effects().touches {
                it.mark(kernel, &touch.place, Use::of(&touch));
            }
        }
        it
    }

    /// Whether the kernel may write it.
    pub(crate) fn written(&self, object: ObjectId) -> bool {
        self.of[object].written
    }

    /// Whether all its accesses are plain loads and stores.
    pub(crate) fn only_plain(&self, object: ObjectId) -> bool {
        !self.of[object].special && !self.of[object].atomic
    }

    /// Whether its accesses are plain loads and stores, and atomics: whatever writes it without an
    /// order races with a plain load.
    pub(crate) fn only_plain_or_atomic(&self, object: ObjectId) -> bool {
        !self.of[object].special
    }

    /// Whether threads of a block may be ordered other than by barriers of the block and of warps.
    pub(crate) fn ordered_otherwise(&self) -> bool {
        self.ordered_otherwise
    }

    fn mark(&mut self, kernel: &Kernel, place: &Place<'_>, of: Use) {
        for id in kernel.objects.keys().filter(|id| place.may_be(kernel, *id)) {
            self.of[id].add(of);
        }
    }
}
