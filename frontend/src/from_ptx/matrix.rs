//! `wmma` on halves (PTX ISA 9.7.14.4) as the intrinsics that LLVM selects it for: which bytes of a
//! tile an instruction touches is said of those.
//!
//! **Does not**: other types than `.f16` and, for results, `.f32`; these stay inline assembly.

use super::function::Writer;
use heddle_ptx::matrix::{Element, Known};
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{Instruction, Operand};

impl Writer<'_> {
    /// `wmma.load`, `wmma.store` and `wmma.mma`.
    pub(super) fn matrix(&mut self, it: &Instruction) -> Option<()> {
        // Words that only intrinsics have.
        if it.opcode.split('.').any(|word| word == "stride" || word.starts_with('p')) {
            return None;
        }
        let known = Known::parse(&it.opcode)?;
        let (brings, gets) = known.words();
        let operands: Vec<&Operand> = it.operands.iter().map(|(_, it)| it).collect();
        let fits = |parts: &[Operand], words: u32| parts.len() == words as usize;
        match (known, &operands[..]) {
            (Known::Tile(tile), [Operand::Vector(parts), at, stride @ ..])
                if !tile.store && fits(parts, gets) =>
            {
                let of = Part::of(tile.part, tile.element, tile.sizes)?;
                let (pointer, number) = self.tile(at, &it.opcode)?;
                let (step, stride) = self.stride(stride)?;
                let types = vec![of.ty; parts.len()].join(", ");
                let call = format!(
                    "call {{ {types} }} @llvm.nvvm.wmma.{}.load.{}.{}{step}.{}.p{number}\
                     ({pointer}{stride}) #0",
                    shape(tile.sizes),
                    ["a", "b", "c"][tile.part],
                    layout(tile.in_columns),
                    of.word
                );
                self.parts(parts, of.ty, &call)
            }
            (Known::Tile(tile), [at, Operand::Vector(parts), stride @ ..])
                if tile.store && fits(parts, brings) =>
            {
                let of = Part::of(tile.part, tile.element, tile.sizes)?;
                let (pointer, number) = self.tile(at, &it.opcode)?;
                let values = self.given_parts(parts, of.ty)?;
                let (step, stride) = self.stride(stride)?;
                self.line(&format!(
                    "call void @llvm.nvvm.wmma.{}.store.d.{}{step}.{}.p{number}\
                     ({pointer}, {values}{stride}) #0",
                    shape(tile.sizes),
                    layout(tile.in_columns),
                    of.word
                ));
                Some(())
            }
            (
                Known::Product(product),
                [Operand::Vector(d), Operand::Vector(a), Operand::Vector(b), Operand::Vector(c)],
            ) if product.tiles && !product.saturates => {
                let parts = [a, b, c, d];
                if !(0..4).all(|n| fits(parts[n], product.words(n))) {
                    return None;
                }
                let of = |n: usize| Part::of(n, product.elements[n], product.sizes);
                let (result, sum) = (of(3)?, of(2)?);
                let (a, b) = (self.given_parts(a, of(0)?.ty)?, self.given_parts(b, of(1)?.ty)?);
                let c = self.given_parts(c, sum.ty)?;
                let types = vec![result.ty; d.len()].join(", ");
                let [a_layout, b_layout] = product.in_columns.map(layout);
                let call = format!(
                    "call {{ {types} }} @llvm.nvvm.wmma.{}.mma.{a_layout}.{b_layout}.{}.{}\
                     ({a}, {b}, {c}) #0",
                    shape(product.sizes),
                    result.word,
                    sum.word
                );
                self.parts(d, result.ty, &call)
            }
            _ => None,
        }
    }

    /// The address of a tile, and the number of its space.
    fn tile(&mut self, at: &Operand, opcode: &str) -> Option<(String, u32)> {
        let named = opcode.split('.').find_map(|word| match word {
            "global" => Some((heddle_ptx::Space::Global, 1)),
            "shared" | "shared::cta" => Some((heddle_ptx::Space::SharedBlock, 3)),
            _ => None,
        });
        let (space, number) = named.unwrap_or((heddle_ptx::Space::Generic, 0));
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

/// What one register of a fragment is: its type in IR, and the word in an intrinsic's name.
#[derive(Clone, Copy)]
struct Part {
    ty: &'static str,
    word: &'static str,
}

impl Part {
    fn of(part: usize, element: Element, sizes: [u32; 3]) -> Option<Part> {
        match element {
            _ if ![[16, 16, 16], [8, 32, 16], [32, 8, 16]].contains(&sizes) => None,
            Element::F16 => Some(Part { ty: "<2 x half>", word: "f16" }),
            Element::F32 if part >= 2 => Some(Part { ty: "float", word: "f32" }),
            Element::F32
            | Element::BF16
            | Element::TF32
            | Element::F64
            | Element::S8
            | Element::U8
            | Element::S32 => None,
        }
    }
}

fn shape([m, n, k]: [u32; 3]) -> String {
    format!("m{m}n{n}k{k}")
}

fn layout(in_columns: bool) -> &'static str {
    if in_columns { "col" } else { "row" }
}
