//! Asynchronous copies of inline PTX: `cp.async` and, of one dimension, `cp.async.bulk` (9.7.9).

use super::Body;
use crate::ptx::{BulkCompletion, BulkCopy, BulkKind, Instruction, Role};

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

    /// A bulk copy. Tensors, multicasts, byte masks and reductions are refused.
    pub(super) fn bulk_copy(&mut self, it: &Instruction, copy: BulkCopy) -> Option<()> {
        let BulkCopy { kind, destination: _, source: _, completion, tensor, multicast } = copy;
        match kind {
            BulkKind::Copy => {}
            BulkKind::Reduce(_) => return None,
        }
        if tensor.is_some() || multicast || it.operand(Role::ByteMask).is_some() {
            return None;
        }
        let (target, source) = (self.pointer(it, Role::Address)?, self.pointer(it, Role::Source)?);
        let size = self.operand(it.operand(Role::Size)?, 32)?;
        let object = match completion {
            BulkCompletion::Mbarrier => self.pointer(it, Role::Mbarrier)?,
            BulkCompletion::Group => "null".to_owned(),
        };
        self.line(&format!(
            "call void @__heddle_bulk(ptr {target}, ptr {source}, i32 {size}, ptr {object})"
        ));
        Some(())
    }
}
