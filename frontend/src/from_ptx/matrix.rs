//! `wmma` on halves (PTX ISA 9.7.14.4) as the intrinsics that LLVM selects it for: which bytes of a
//! tile an instruction touches is said of those.
//!
//! **Does not**: other types than `.f16` and, for results, `.f32`; these stay inline assembly.

use super::function::Writer;
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{Instruction, Operand};

impl Writer<'_> {
    /// `wmma.load`, `wmma.store` and `wmma.mma`.
    pub(super) fn matrix(&mut self, it: &Instruction) -> Option<()> {
        let words: Vec<&str> = it.opcode.split('.').collect();
        let halves = ["a", "b"];
        let count =
            |what: &str, ty: &str| if halves.contains(&what) || ty == "f32" { 8 } else { 4 };
        let laid = |layout: &str| ["row", "col"].contains(&layout);
        let operands: Vec<&Operand> = it.operands.iter().map(|(_, it)| it).collect();
        match (&words[..], &operands[..]) {
            (
                ["wmma", "load", what, "sync", "aligned", layout, shape, space @ .., ty],
                [Operand::Vector(parts), at, stride @ ..],
            ) if ["a", "b", "c"].contains(what)
                && laid(layout)
                && parts.len() == count(what, ty)
                && (*what == "c" || *ty == "f16") =>
            {
                let part = part_type(ty, shape)?;
                let (pointer, number) = self.tile(at, space)?;
                let (step, stride) = self.stride(stride)?;
                let types = vec![part; parts.len()].join(", ");
                let call = format!(
                    "call {{ {types} }} @llvm.nvvm.wmma.{shape}.load.{what}.{layout}{step}.{ty}.\
                     p{number}({pointer}{stride}) #0"
                );
                self.parts(parts, part, &call)
            }
            (
                ["wmma", "store", "d", "sync", "aligned", layout, shape, space @ .., ty],
                [at, Operand::Vector(parts), stride @ ..],
            ) if laid(layout) && parts.len() == count("d", ty) => {
                let part = part_type(ty, shape)?;
                let (pointer, number) = self.tile(at, space)?;
                let values = self.given_parts(parts, part)?;
                let (step, stride) = self.stride(stride)?;
                self.line(&format!(
                    "call void @llvm.nvvm.wmma.{shape}.store.d.{layout}{step}.{ty}.\
                     p{number}({pointer}, {values}{stride}) #0"
                ));
                Some(())
            }
            (
                ["wmma", "mma", "sync", "aligned", a_layout, b_layout, shape, to, from],
                [Operand::Vector(d), Operand::Vector(a), Operand::Vector(b), Operand::Vector(c)],
            ) if laid(a_layout)
                && laid(b_layout)
                && [a.len(), b.len()] == [8, 8]
                && d.len() == count("d", to)
                && c.len() == count("c", from) =>
            {
                let (part, sum) = (part_type(to, shape)?, part_type(from, shape)?);
                let half = part_type("f16", shape)?;
                let (a, b) = (self.given_parts(a, half)?, self.given_parts(b, half)?);
                let c = self.given_parts(c, sum)?;
                let types = vec![part; d.len()].join(", ");
                let call = format!(
                    "call {{ {types} }} @llvm.nvvm.wmma.{shape}.mma.{a_layout}.{b_layout}.{to}.\
                     {from}({a}, {b}, {c}) #0"
                );
                self.parts(d, part, &call)
            }
            _ => None,
        }
    }

    /// The address of a tile, and the number of its space.
    fn tile(&mut self, at: &Operand, space: &[&str]) -> Option<(String, u32)> {
        let (space, number) = match space {
            [] => (heddle_ptx::Space::Generic, 0),
            ["global"] => (heddle_ptx::Space::Global, 1),
            ["shared" | "shared::cta"] => (heddle_ptx::Space::SharedBlock, 3),
            _ => return None,
        };
        let Operand::Address(address) = at else { return None };
        let pointer = self.address(address, space)?;
        // A name in another space than the instruction says has a type of its own.
        let ty = pointer.rsplit_once(' ')?.0;
        let fits = match number {
            0 => ty == "ptr",
            number => ty == format!("ptr addrspace({number})"),
        };
        fits.then_some((pointer, number))
    }

    fn stride(&mut self, given: &[&Operand]) -> Option<(&'static str, String)> {
        match given {
            [] => Some(("", String::new())),
            [stride] => Some((".stride", format!(", i32 {}", self.operand(stride, 32)?))),
            _ => None,
        }
    }

    fn given_parts(&mut self, parts: &[Operand], ty: &str) -> Option<String> {
        let mut values = Vec::new();
        for part in parts {
            let value = self.operand(part, 32)?;
            let value = self.value(&format!("bitcast i32 {value} to {ty}"));
            values.push(format!("{ty} {value}"));
        }
        Some(values.join(", "))
    }

    fn parts(&mut self, to: &[Operand], ty: &str, call: &str) -> Option<()> {
        let types = vec![ty; to.len()].join(", ");
        let whole = self.value(call);
        for (n, part) in to.iter().enumerate() {
            let value = self.value(&format!("extractvalue {{ {types} }} {whole}, {n}"));
            let value = self.value(&format!("bitcast {ty} {value} to i32"));
            self.set(part, 32, &value)?;
        }
        Some(())
    }
}

/// What one register of a fragment is in IR.
fn part_type(ty: &str, shape: &str) -> Option<&'static str> {
    match ty {
        _ if !["m16n16k16", "m8n32k16", "m32n8k16"].contains(&shape) => None,
        "f16" => Some("<2 x half>"),
        "f32" => Some("float"),
        _ => None,
    }
}
