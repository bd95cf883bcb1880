//! Floats (PTX ISA 9.7.3, 9.7.9), by the opcode.
//!
//! Results are the host's: rounded to nearest, denormals kept where the device would flush them
//! (`.ftz`), and exact to the last bits where the device approximates (`.approx`): see
//! [`is_exact`]. Other roundings, saturation and packed types are refused.

use super::Slots;
use crate::{Instruction, Logic, Operand, Role};

/// Functions of floats, in whatever keeps its registers in slots.
pub trait Floats: Slots {
    /// A function of floats, or a conversion from or to them; its bits are in `dest`.
    fn float(&mut self, it: &Instruction) -> Option<()> {
        let words: Vec<&str> = it.opcode.split('.').collect();
        let (&name, modifiers) = words.split_first()?;
        let types: Vec<&str> = modifiers.iter().copied().filter(is_type).collect();
        let others = modifiers.iter().filter(|it| !is_type(it));
        if name == "cvt" {
            return self.convert(it, &types, &others.copied().collect::<Vec<_>>());
        }
        if name == "setp" {
            let holds = self.float_compare(it)?;
            let logic = others.copied().find_map(|it| match it {
                "and" => Some(Logic::And),
                "or" => Some(Logic::Or),
                "xor" => Some(Logic::Xor),
                _ => None,
            });
            return self.answer(it, &holds, logic);
        }
        if others.clone().any(|it| !["rn", "ftz", "approx", "full"].contains(it)) {
            return None;
        }
        let (ty, bits) = float_type(types.first()?)?;
        let roles = [Role::Value, Role::Second, Role::Third];
        let mut given = Vec::new();
        for operand in roles.into_iter().filter_map(|role| it.operand(role)) {
            given.push(self.float_operand(operand, ty, bits)?);
        }
        let call = |body: &mut Self, f: &str| {
            let args: Vec<_> = given.iter().map(|it| format!("{ty} {it}")).collect();
            body.value(&format!("call {ty} @llvm.{f}.f{bits}({})", args.join(", ")))
        };
        let value = match (name, &given[..]) {
            ("add", [a, b]) => self.value(&format!("fadd {ty} {a}, {b}")),
            ("sub", [a, b]) => self.value(&format!("fsub {ty} {a}, {b}")),
            ("mul", [a, b]) => self.value(&format!("fmul {ty} {a}, {b}")),
            ("div", [a, b]) => self.value(&format!("fdiv {ty} {a}, {b}")),
            ("neg", [a]) => self.value(&format!("fneg {ty} {a}")),
            ("rcp", [a]) => self.value(&format!("fdiv {ty} 1.0, {a}")),
            ("fma" | "mad", [_, _, _]) => call(self, "fma"),
            ("min", [_, _]) => call(self, "minimumnum"),
            ("max", [_, _]) => call(self, "maximumnum"),
            ("abs", [_]) => call(self, "fabs"),
            ("sqrt", [_]) => call(self, "sqrt"),
            ("ex2", [_]) => call(self, "exp2"),
            ("lg2", [_]) => call(self, "log2"),
            ("sin", [_]) => call(self, "sin"),
            ("cos", [_]) => call(self, "cos"),
            ("rsqrt", [_]) => {
                let root = call(self, "sqrt");
                self.value(&format!("fdiv {ty} 1.0, {root}"))
            }
            _ => return None,
        };
        self.set_float(it.operand(Role::Dest)?, ty, bits, &value)
    }

    /// `setp` on floats.
    fn float_compare(&mut self, it: &Instruction) -> Option<String> {
        let words: Vec<&str> = it.opcode.split('.').collect();
        let (ty, bits) = float_type(words.last()?)?;
        let condition = match *words.get(1)? {
            "eq" => "oeq",
            "ne" => "one",
            "lt" => "olt",
            "le" => "ole",
            "gt" => "ogt",
            "ge" => "oge",
            "equ" => "ueq",
            "neu" => "une",
            "ltu" => "ult",
            "leu" => "ule",
            "gtu" => "ugt",
            "geu" => "uge",
            "num" => "ord",
            "nan" => "uno",
            _ => return None,
        };
        let a = self.float_operand(it.operand(Role::Value)?, ty, bits)?;
        let b = self.float_operand(it.operand(Role::Second)?, ty, bits)?;
        Some(self.value(&format!("fcmp {condition} {ty} {a}, {b}")))
    }

    /// An operand as a float of a type of IR.
    fn float_operand(&mut self, operand: &Operand, ty: &str, bits: u32) -> Option<String> {
        let value = match operand {
            Operand::Float { width, .. } if u32::from(*width) != bits => return None,
            other => self.operand(other, bits)?,
        };
        Some(self.value(&format!("bitcast i{bits} {value} to {ty}")))
    }

    /// Writes a float of a type of IR into a register.
    fn set_float(&mut self, dest: &Operand, ty: &str, bits: u32, value: &str) -> Option<()> {
        let bits_of = self.value(&format!("bitcast {ty} {value} to i{bits}"));
        self.set(dest, bits, &bits_of)
    }

    /// The whole number that a float is rounded to.
    fn whole(&mut self, how: &str, ty: &str, bits: u32, value: &str) -> Option<String> {
        let function = match how {
            "rni" => "roundeven",
            "rzi" => "trunc",
            "rmi" => "floor",
            "rpi" => "ceil",
            _ => return None,
        };
        Some(self.value(&format!("call {ty} @llvm.{function}.f{bits}({ty} {value})")))
    }

    /// `cvt.rn.f32.s32`, `cvt.rzi.s32.f32`, `cvt.f64.f32`, `cvt.rn.f32.f64`.
    fn convert(&mut self, it: &Instruction, types: &[&str], how: &[&str]) -> Option<()> {
        let &[to, from] = types else { return None };
        let (source, dest) = (it.operand(Role::Value)?, it.operand(Role::Dest)?);
        let whole = ["rni", "rzi", "rmi", "rpi"];
        if how.iter().any(|it| !["rn", "ftz"].contains(it) && !whole.contains(it)) {
            return None;
        }
        let rounding = how.iter().copied().find(|it| whole.contains(it));
        match (float_type(to), float_type(from)) {
            (Some((ty, bits)), None) => {
                let (letter, width) = integer_type(from)?;
                let value = self.operand(source, width)?;
                let verb = if letter == 's' { "sitofp" } else { "uitofp" };
                let value = self.value(&format!("{verb} i{width} {value} to {ty}"));
                self.set_float(dest, ty, bits, &value)
            }
            (None, Some((ty, bits))) => {
                let (letter, width) = integer_type(to)?;
                let mut value = self.float_operand(source, ty, bits)?;
                if rounding? != "rzi" {
                    value = self.whole(rounding?, ty, bits, &value)?;
                }
                let verb = if letter == 's' { "fptosi" } else { "fptoui" };
                value = self.value(&format!(
                    "call i{width} @llvm.{verb}.sat.i{width}.f{bits}({ty} {value})"
                ));
                // NaN is zero, or the highest bit alone (PTX ISA 9.7.9.21).
                if bits == 64 || width == 64 {
                    let nan = self.float_operand(source, ty, bits)?;
                    let nan = self.value(&format!("fcmp uno {ty} {nan}, {nan}"));
                    let highest = 1u64 << (width - 1);
                    value = self
                        .value(&format!("select i1 {nan}, i{width} {highest}, i{width} {value}"));
                }
                // The register of a narrow type is filled as the type says.
                let room = self.width(dest)?.max(width);
                let value = self.resized(&value, width, room, letter == 's');
                self.set(dest, room, &value)
            }
            (Some((ty, bits)), Some((_, own_bits))) if bits == own_bits => {
                let value = self.float_operand(source, ty, bits)?;
                let value = self.whole(rounding?, ty, bits, &value)?;
                self.set_float(dest, ty, bits, &value)
            }
            (Some((ty, bits)), Some((own, own_bits))) if rounding.is_none() && bits != own_bits => {
                let value = self.float_operand(source, own, own_bits)?;
                let verb = if bits > own_bits { "fpext" } else { "fptrunc" };
                let value = self.value(&format!("{verb} {own} {value} to {ty}"));
                self.set_float(dest, ty, bits, &value)
            }
            _ => None,
        }
    }
}

impl<T: Slots> Floats for T {}

/// Whether IEEE 754 says what comes out, bit by bit: no flush of denormals, no approximation.
pub fn is_exact(opcode: &str) -> bool {
    !opcode.split('.').any(|it| matches!(it, "ftz" | "approx" | "full"))
}

fn is_type(word: &&str) -> bool {
    float_type(word).is_some() || integer_type(word).is_some() || word.starts_with("bf16")
}

fn float_type(word: &str) -> Option<(&'static str, u32)> {
    match word {
        "f16" => Some(("half", 16)),
        "f32" => Some(("float", 32)),
        "f64" => Some(("double", 64)),
        _ => None,
    }
}

fn integer_type(word: &str) -> Option<(char, u32)> {
    let letter = word.chars().next().filter(|it| ['s', 'u', 'b'].contains(it))?;
    Some((letter, word[1..].parse().ok()?))
}
