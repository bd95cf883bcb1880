//! What a kernel does to each memory object, over the whole of it.
//!
//! An access to an unknown object, and an opaque operation, count for every object they may be.

use crate::order::{Level, Regular, orders_otherwise};
use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{AccessKind, AsyncCopy, Barrier, Kernel, ObjectId, ObjectKind, OpKind, Space};

#[derive(Clone, Copy, Default, Debug)]
struct Use {
    written: bool,
    /// Accessed other than by plain loads and stores.
    special: bool,
    atomic: bool,
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
        kernel.for_each_op(|op, _| match &kernel[op].kind {
            OpKind::Access(access) => {
                let plain = access.order.is_none() && !access.volatile;
                let atomic = matches!(access.kind, AccessKind::Atomic(..));
                it.mark(kernel, access.address.object, |it| {
                    it.written |= access.writes();
                    it.special |= atomic || !plain;
                    it.atomic |= atomic;
                });
            }
            OpKind::AsyncCopy(AsyncCopy { destination, mbarrier, .. }) => {
                for at in [Some(destination), mbarrier.as_ref()].into_iter().flatten() {
                    it.mark(kernel, at.object, |it| {
                        it.written = true;
                        it.special = true;
                    });
                }
            }
            OpKind::Barrier(Barrier::Mbarrier { address, .. }) => {
                it.mark(kernel, address.object, |it| {
                    it.written = true;
                    it.special = true;
                });
            }
            OpKind::Opaque(opaque) => {
                for at in &opaque.touches.writes {
                    it.mark(kernel, at.object, |it| {
                        it.written = true;
                        it.special = true;
                    });
                }
                for space in &opaque.touches.writes_spaces {
                    it.mark_space(kernel, *space, |it| {
                        it.written = true;
                        it.special = true;
                    });
                }
            }
            OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Exit(_) => {}
        });
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

    fn mark(&mut self, kernel: &Kernel, object: ObjectId, set: impl Fn(&mut Use)) {
        for id in kernel.objects.keys() {
            if may_alias(kernel, object, id) {
                set(&mut self.of[id]);
            }
        }
    }

    fn mark_space(&mut self, kernel: &Kernel, space: Space, set: impl Fn(&mut Use)) {
        for (id, object) in &kernel.objects {
            if object.space.may_be(space) {
                set(&mut self.of[id]);
            }
        }
    }
}

/// Whether two objects may be the same memory: the same one, or one of them unknown and the other of its
/// space. A thread's own memory is nobody else's.
pub fn may_alias(kernel: &Kernel, a: ObjectId, b: ObjectId) -> bool {
    let (x, y) = (&kernel[a], &kernel[b]);
    let unknown = x.kind == ObjectKind::Unknown || y.kind == ObjectKind::Unknown;
    a == b || (unknown && x.space.may_be(y.space))
}
