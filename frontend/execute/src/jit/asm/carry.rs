//! Extended precision of inline PTX.
//!
//! **Does not**: carry from one template to another: what adds a carry must have an instruction
//! before it that sets one.

use super::Body;
use heddle_ptx::Instruction;
use heddle_ptx::registers::carry::{Carry as _, carries, uses};

impl Body<'_> {
    pub(super) fn is_carry(it: &Instruction) -> bool {
        carries(&it.opcode)
    }

    /// Arithmetic with a carry that was set before.
    pub(super) fn carry(&mut self, it: &Instruction, at: usize) -> Option<()> {
        let (_, adds) = uses(&it.opcode)?;
        let before = &self.asm.instructions[..at];
        let is_set = before.iter().any(|it| matches!(uses(&it.opcode), Some((true, _))));
        if adds && !is_set {
            return None;
        }
        self.with_carry(it)
    }
}
