//! Extended precision: a hidden register takes the carry from one instruction to the next (PTX ISA
//! 9.7.2). Its slot is [`CARRY`], which the writer of the function makes.

use super::Slots;
use crate::{Instruction, Role};

/// The slot of the carry, one bit.
pub const CARRY: &str = "%.carry";

/// Whether an instruction sets or adds the carry.
pub fn carries(opcode: &str) -> bool {
    uses(opcode).is_some()
}

/// Whether an instruction sets the carry, and whether it adds it.
pub fn uses(opcode: &str) -> Option<(bool, bool)> {
    let (name, rest) = opcode.split_once('.')?;
    let sets = rest.split('.').any(|it| it == "cc");
    let adds = matches!(name, "addc" | "subc" | "madc");
    (adds || sets && matches!(name, "add" | "sub" | "mad")).then_some((sets, adds))
}

/// Arithmetic with a carry, in whatever keeps its registers in slots.
pub trait Carry: Slots {
    /// Arithmetic with a carry.
    fn with_carry(&mut self, it: &Instruction) -> Option<()> {
        let (sets, adds) = uses(&it.opcode)?;
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
            let carry = self.value(&format!("load i1, ptr {CARRY}"));
            let carry = self.resized(&carry, 1, wide, false);
            result = self.value(&format!("{verb} i{wide} {result}, {carry}"));
        }
        if sets {
            let high = self.value(&format!("lshr i{wide} {result}, {bits}"));
            let carry = self.resized(&high, wide, 1, false);
            self.line(&format!("store i1 {carry}, ptr {CARRY}"));
        }
        let result = self.resized(&result, wide, bits, false);
        self.set(it.operand(Role::Dest)?, bits, &result)
    }
}

impl<T: Slots> Carry for T {}
