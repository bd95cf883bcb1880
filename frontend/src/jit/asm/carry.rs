//! Extended precision of inline PTX: a hidden register takes the carry from one instruction to the
//! next (9.7.2).
//!
//! **Does not**: carry from one template to another: what adds a carry must have an instruction
//! before it that sets one.

use super::Body;
use crate::ptx::{Instruction, Role};
use crate::registers::Slots as _;

/// Whether an instruction sets the carry, and whether it adds it.
fn uses(opcode: &str) -> Option<(bool, bool)> {
    let (name, rest) = opcode.split_once('.')?;
    let sets = rest.split('.').any(|it| it == "cc");
    let adds = matches!(name, "addc" | "subc" | "madc");
    (adds || sets && matches!(name, "add" | "sub" | "mad")).then_some((sets, adds))
}

impl Body<'_> {
    pub(super) fn is_carry(it: &Instruction) -> bool {
        uses(&it.opcode).is_some()
    }

    /// Arithmetic with a carry.
    pub(super) fn carry(&mut self, it: &Instruction, at: usize) -> Option<()> {
        let (sets, adds) = uses(&it.opcode)?;
        let set_before = self.asm.instructions[..at]
            .iter()
            .any(|it| matches!(uses(&it.opcode), Some((true, _))));
        if adds && !set_before {
            return None;
        }
        let (bits, signed) = match it.opcode.rsplit('.').next()? {
            "u32" | "b32" => (32, false),
            "s32" => (32, true),
            "u64" | "b64" => (64, false),
            "s64" => (64, true),
            _ => return None,
        };
        let wide = 2 * bits;
        let mut given = Vec::new();
        for role in [Role::Value, Role::Second, Role::Third] {
            if let Some(operand) = it.operand(role) {
                given.push(self.operand(operand, bits)?);
            }
        }
        let mut terms = given.clone();
        if it.opcode.starts_with("mad") {
            let [a, b, c] = [0, 1, 2].map(|n| given.get(n).cloned());
            let (a, b) =
                (self.resized(&a?, bits, wide, signed), self.resized(&b?, bits, wide, signed));
            let mut product = self.value(&format!("mul i{wide} {a}, {b}"));
            if it.opcode.contains(".hi") {
                product = self.value(&format!("lshr i{wide} {product}, {bits}"));
            }
            terms = vec![self.resized(&product, wide, bits, false), c?];
        }
        let [a, b] = &terms[..] else { return None };
        let (a, b) = (self.resized(a, bits, wide, false), self.resized(b, bits, wide, false));
        let verb = if it.opcode.starts_with("sub") { "sub" } else { "add" };
        let mut result = self.value(&format!("{verb} i{wide} {a}, {b}"));
        if adds {
            let carry = self.value("load i1, ptr %carry");
            let carry = self.resized(&carry, 1, wide, false);
            result = self.value(&format!("{verb} i{wide} {result}, {carry}"));
        }
        if sets {
            let high = self.value(&format!("lshr i{wide} {result}, {bits}"));
            let carry = self.resized(&high, wide, 1, false);
            self.line(&format!("store i1 {carry}, ptr %carry"));
        }
        let result = self.resized(&result, wide, bits, false);
        self.set(it.operand(Role::Dest)?, bits, &result)
    }
}
