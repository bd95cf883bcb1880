//! What a kernel does to each memory object, over the whole of it.
//!
//! An access to an unknown object, and an opaque operation, count for every object they may be.

use crate::order::{Level, Regular, orders_otherwise};
use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{AccessKind, Kernel, ObjectId, Place, Touch, TouchedBy};

#[derive(Clone, Copy, Default, Debug)]
struct Use {
    written: bool,
    /// Accessed other than by plain loads and stores.
    special: bool,
    atomic: bool,
}

impl Use {
    fn of(touch: &Touch<'_>) -> Use {
        let Touch { place: _, reads: _, writes: written, by } = *touch;
        match by {
            TouchedBy::Access(access) => {
                let plain = access.order.is_none() && !access.volatile;
                let atomic = matches!(access.kind, AccessKind::Atomic(..));
                Use { written, special: atomic || !plain, atomic }
            }
            TouchedBy::Copy | TouchedBy::BarrierObject | TouchedBy::NotModelled => {
                Use { written, special: written, atomic: false }
            }
        }
    }

    fn add(&mut self, other: Use) {
        let Use { written, special, atomic } = other;
        self.written |= written;
        self.special |= special;
        self.atomic |= atomic;
    }
}

/// A summary per object.
#[derive(Debug)]
pub struct MemoryUse {
    of: SecondaryMap<ObjectId, Use>,
    ordered_otherwise: bool,
}

impl MemoryUse {
    /// Computes it.
    pub fn of(kernel: &Kernel, regular: &Regular) -> MemoryUse {
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
    pub fn written(&self, object: ObjectId) -> bool {
        self.of[object].written
    }

    /// Whether all its accesses are plain loads and stores.
    pub fn only_plain(&self, object: ObjectId) -> bool {
        !self.of[object].special
    }

    /// Whether threads of a block may be ordered other than by barriers of the block and of warps.
    pub fn ordered_otherwise(&self) -> bool {
        self.ordered_otherwise
    }

    /// Whether an atomic may touch it.
    pub fn atomics(&self, object: ObjectId) -> bool {
        self.of[object].atomic
    }

    fn mark(&mut self, kernel: &Kernel, place: &Place<'_>, of: Use) {
        for id in kernel.objects.keys().filter(|id| place.may_be(kernel, *id)) {
            self.of[id].add(of);
        }
    }
}
