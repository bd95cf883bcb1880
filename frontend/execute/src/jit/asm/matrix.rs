//! Matrix instructions of inline PTX (9.7.14): registers are laid side by side for the runtime, and
//! taken back.

use super::Body;
use heddle_ptx::matrix::{Known, Unit, unit};
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{Instruction, Operand};

impl Body<'_> {
    pub(super) fn matrix(&mut self, it: &Instruction) -> Option<()> {
        let known = Known::parse(&it.opcode)?;
        let (brings, gets) = known.words();
        // In the order written: results first, but for stores, which have an address there.
        let mut operands: Vec<&Operand> = it.operands.iter().map(|(_, operand)| operand).collect();
        let results = (gets > 0).then(|| operands.remove(0));
        let mut memory = None;
        if let Known::Tile(_) = known {
            let at = operands.iter().position(|it| matches!(it, Operand::Address(_)))?;
            let address = self.operand(operands.remove(at), 64)?;
            memory = Some(self.value(&format!("inttoptr i64 {address} to ptr")));
        }
        self.next += 1;
        let n = self.next;
        self.line(&format!("%in{n} = alloca [{} x i32]", brings.max(1)));
        self.line(&format!("%out{n} = alloca [{} x i32]", gets.max(1)));
        let mut next = 0;
        let mut stride = known.stride().to_string();
        for operand in operands {
            if next == brings {
                // What comes after the fragment is the stride.
                stride = self.operand(operand, 32)?;
                continue;
            }
            for part in parts(operand) {
                let bits = self.bits(part);
                let value = self.operand(part, bits)?;
                let at = self.value(&format!("getelementptr i32, ptr %in{n}, i32 {next}"));
                self.line(&format!("store i{bits} {value}, ptr {at}, align 4"));
                next += bits / 32;
            }
        }
        if next != brings {
            return None;
        }
        let call =
            super::super::matrix::call(&known, (memory.as_deref().unwrap_or("null"), &stride));
        let call = call.replace("%in", &format!("%in{n}")).replace("%out", &format!("%out{n}"));
        self.line(&call);
        let mut next = 0;
        for part in results.into_iter().flat_map(parts) {
            let bits = self.bits(part);
            let at = self.value(&format!("getelementptr i32, ptr %out{n}, i32 {next}"));
            let value = self.value(&format!("load i{bits}, ptr {at}, align 4"));
            self.set(part, bits, &value)?;
            next += bits / 32;
        }
        (next == gets).then_some(())
    }

    /// The width of a register: 64 for doubles and addresses, else 32.
    fn bits(&self, operand: &Operand) -> u32 {
        let own = match operand {
            Operand::Asm(n) => self.width_of(*n),
            Operand::Reg(id) => self.asm.regs.get(id.0).map(|it| u32::from(it.ty.bits)),
            Operand::Address(_) => Some(64),
            Operand::Int(_)
            | Operand::Float { .. }
            | Operand::Special(_)
            | Operand::Not(_)
            | Operand::Vector(_)
            | Operand::Sink
            | Operand::Label(_)
            | Operand::Symbol(_) => None,
        };
        if own == Some(64) { 64 } else { 32 }
    }

    fn width_of(&self, operand: usize) -> Option<u32> {
        let ty = match operand.checked_sub(self.outputs()) {
            None => super::results(&self.signature.result).get(operand).cloned(),
            Some(index) => self.signature.params.get(index).cloned(),
        };
        ty.map(|it| super::bits_of(&it))
    }
}

fn parts(operand: &Operand) -> Vec<&Operand> {
    match operand {
        Operand::Vector(parts) => parts.iter().collect(),
        one => vec![one],
    }
}

/// Whether an instruction is one of a matrix in a warp's registers: its class says what it touches,
/// its name what it computes.
pub(super) fn is_matrix(it: &Instruction) -> bool {
    unit(&it.opcode) == Some(Unit::Warp)
}
