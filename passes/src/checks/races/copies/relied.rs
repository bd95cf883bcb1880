//! What proofs about copies take for granted.
//!
//! **Does not**: say what single answers rest on; these bring it with them.

use heddle_diagnostics::Assumption;
use heddle_ir::{AsyncMechanism, Kernel, Op, OpId, OpKind};

use super::{collectives, is_followed};
use crate::engine::cx::Cx;

/// What proofs about copies take for granted.
pub(crate) fn relied_on(cx: &Cx<'_>) -> Vec<Assumption> {
    let kernel = cx.kernel;
    let is_bulk = |(op, it): (OpId, &Op)| {
        let OpKind::AsyncCopy(copy) = &it.kind else { return false };
        match copy.mechanism {
            AsyncMechanism::BulkGroup | AsyncMechanism::BulkMbarrier => is_followed(cx, op),
            AsyncMechanism::CpAsync
            | AsyncMechanism::WorkGroupEvent
            | AsyncMechanism::Matrix
            | AsyncMechanism::Tensor => false,
        }
    };
    let operands = kernel.ops.keys().any(|op| kernel.is_operand(op));
    let fenced = kernel.ops.iter().any(is_bulk).then_some(Assumption::BulkCopiesFenced);
    let together = !collectives(kernel).is_empty();
    let known = || [Some(&cx.analysis), cx.flat()].into_iter().flatten().map(|it| it.phases());
    let boxes = known().any(|it| !it.boxes.is_empty());
    fenced
        .into_iter()
        .chain(together.then_some(Assumption::CollectiveCopies))
        .chain(boxes.then_some(Assumption::TensorBoxes))
        .chain(has_tensor_memory(kernel).then_some(Assumption::TensorMemoryApart))
        .chain(operands.then_some(Assumption::OperandsAsDescribed))
        .chain(known().flat_map(|it| it.relies.iter().cloned()))
        .collect()
}

/// Whether a kernel does something with tensor memory.
fn has_tensor_memory(kernel: &Kernel) -> bool {
    kernel.ops.values().any(|op| match &op.kind {
        OpKind::AsyncCopy(copy) => copy.mechanism == AsyncMechanism::Tensor,
        OpKind::Opaque(opaque) => opaque.name.contains("tcgen05"),
        OpKind::Barrier(_)
        | OpKind::Access(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_) => false,
    })
}
