//! How strong an access is, what it orders by itself, and how two fences go together.
//!
//! **Promises**: what counts as strong, as ordering, or as leaving memory as it was, is that for
//! each execution of the access (PTX ISA, sections 8.4 to 8.9). **Does not**: look at what stands
//! around an access.

use heddle_ir::{Access, AccessKind, AtomicOp, ExprId, Kernel, MemoryOrder, Scope};

/// How one side of a hand-over is fenced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fenced {
    /// One thread does the fence and the access to the flag, or that orders by itself.
    pub in_thread: bool,
    /// The fence is sequentially consistent.
    pub strict: bool,
}

impl Fenced {
    /// By the access to the flag itself.
    pub(crate) const BY_ITSELF: Fenced = Fenced { in_thread: true, strict: false };

    /// Whether a release and an acquire so done make an order: each by one thread, or both fences
    /// sequentially consistent.
    pub(crate) fn goes_with(self, other: Fenced) -> bool {
        self.in_thread && other.in_thread || self.strict && other.strict
    }
}

/// Whether an access orders by itself, in one way. The strongest order is what LLVM gives to CUDA's
/// `atomicCAS`, which orders nothing by its documentation; of loads and stores, and in OpenCL, it
/// is the program's.
pub(crate) fn orders_by_itself(kernel: &Kernel, access: &Access, way: MemoryOrder) -> bool {
    let strict = kernel.target.opencl || !matches!(access.kind, AccessKind::Atomic(..));
    access.order.is_some_and(|(order, _)| {
        order == way || order == MemoryOrder::AcqRel || strict && order == MemoryOrder::SeqCst
    })
}

/// What a read-modify-write stores, beside what it read.
pub(crate) enum Stored {
    /// Just that.
    AsRead,
    /// A number, in some executions at least.
    Constant(u128),
    /// Anything.
    Other,
}

/// What a read-modify-write with these operands stores.
pub(crate) fn written_by(kernel: &Kernel, atomic: AtomicOp, operands: &[ExprId]) -> Stored {
    let constant = |index: usize| operands.get(index).and_then(|it| kernel.exprs.as_const(*it));
    match atomic {
        AtomicOp::Add | AtomicOp::Sub | AtomicOp::Or | AtomicOp::Xor if constant(0) == Some(0) => {
            Stored::AsRead
        }
        AtomicOp::Exchange => constant(0).map_or(Stored::Other, Stored::Constant),
        AtomicOp::CompareExchange | AtomicOp::CompareExchangeWeak => {
            match (constant(0), constant(1)) {
                (Some(expected), Some(new)) if expected == new => Stored::AsRead,
                (_, Some(new)) => Stored::Constant(new),
                (_, None) => Stored::Other,
            }
        }
        AtomicOp::Add
        | AtomicOp::Sub
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Nand
        | AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::IncWrap
        | AtomicOp::DecWrap
        | AtomicOp::FAdd
        | AtomicOp::FSub
        | AtomicOp::FMin
        | AtomicOp::FMax => Stored::Other,
    }
}

/// Whether an access is an atomic that leaves what it finds: a read by other means.
pub(crate) fn leaves_as_read(kernel: &Kernel, access: &Access) -> bool {
    match &access.kind {
        AccessKind::Atomic(atomic, operands) => {
            matches!(written_by(kernel, *atomic, operands), Stored::AsRead)
        }
        AccessKind::Load | AccessKind::Store(_) => false,
    }
}

/// Whether an access is strong at a scope: atomic, or volatile, which is relaxed at system scope.
pub(crate) fn is_strong(access: &Access, scope: Scope) -> bool {
    match access.order {
        Some((_, of)) => of >= scope,
        None => access.volatile,
    }
}
