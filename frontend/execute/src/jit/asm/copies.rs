//! Asynchronous copies of inline PTX: `cp.async` and, of one dimension, `cp.async.bulk` (9.7.9).

use super::Body;
use heddle_ir::AtomicOp;
use heddle_runtime::abi::{Combine, Combined};

use heddle_ptx::registers::Slots as _;
use heddle_ptx::{BulkCompletion, BulkCopy, BulkKind, Instruction, Role, Type, TypeKind};

impl Body<'_> {
    pub(super) fn copy(&mut self, it: &Instruction) -> Option<()> {
        let (target, source) = (self.pointer(it, Role::Address)?, self.pointer(it, Role::Source)?);
        let size = self.operand(it.operand(Role::Size)?, 32)?;
        let filled = match it.operand(Role::SourceSize) {
            Some(operand) => self.operand(operand, 32)?,
            None => size.clone(),
        };
        if it.operand(Role::IgnoreSource).is_some() {
            return None;
        }
        self.line(&format!(
            "call void @__heddle_copy(ptr {target}, ptr {source}, i32 {size}, i32 {filled})"
        ));
        Some(())
    }

    /// A bulk copy or reduction. Tensors and byte masks are refused.
    pub(super) fn bulk_copy(&mut self, it: &Instruction, copy: BulkCopy) -> Option<()> {
        let BulkCopy { kind, destination: _, source: _, completion, tensor, multicast } = copy;
        let how = match kind {
            BulkKind::Copy => 0,
            BulkKind::Reduce(Some((op, ty))) => how(op, ty)?,
            BulkKind::Reduce(None) => return None,
        };
        if tensor.is_some() || it.operand(Role::ByteMask).is_some() {
            return None;
        }
        let (target, source) = (self.pointer(it, Role::Address)?, self.pointer(it, Role::Source)?);
        let size = self.operand(it.operand(Role::Size)?, 32)?;
        let object = match completion {
            BulkCompletion::Mbarrier => self.pointer(it, Role::Mbarrier)?,
            BulkCompletion::Group => "null".to_owned(),
        };
        if multicast {
            let blocks = self.operand(it.operand(Role::Multicast)?, 16)?;
            let blocks = self.resized(&blocks, 16, 32, false);
            self.line(&format!(
                "call void @__heddle_multicast(ptr {target}, ptr {source}, i32 {size}, ptr {object}, i32 {blocks})"
            ));
            return Some(());
        }
        self.line(&format!(
            "call void @__heddle_bulk(ptr {target}, ptr {source}, i32 {size}, ptr {object}, i32 {how})"
        ));
        Some(())
    }
}

/// How a reduction combines elements, as the runtime takes it.
fn how(op: AtomicOp, ty: Type) -> Option<u32> {
    let element = match (ty.kind, ty.bits) {
        (TypeKind::Unsigned | TypeKind::Bits, 32) => Combined::U32,
        (TypeKind::Unsigned | TypeKind::Bits, 64) => Combined::U64,
        (TypeKind::Signed, 32) => Combined::S32,
        (TypeKind::Signed, 64) => Combined::S64,
        (TypeKind::Float, 16) => Combined::F16,
        (TypeKind::OtherFloat, 16) => Combined::BF16,
        (TypeKind::Float, 32) => Combined::F32,
        (TypeKind::Float, 64) => Combined::F64,
        _ => return None,
    };
    let op = match op {
        AtomicOp::Add | AtomicOp::FAdd => Combine::Add,
        AtomicOp::SMin | AtomicOp::UMin | AtomicOp::FMin => Combine::Min,
        AtomicOp::SMax | AtomicOp::UMax | AtomicOp::FMax => Combine::Max,
        AtomicOp::IncWrap => Combine::Increment,
        AtomicOp::DecWrap => Combine::Decrement,
        AtomicOp::And => Combine::And,
        AtomicOp::Or => Combine::Or,
        AtomicOp::Xor => Combine::Xor,
        _ => return None,
    };
    Some(op.number() | element.number() << 8)
}
