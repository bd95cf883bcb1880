//! Integers and predicates (PTX ISA 9.7.1, 9.7.2, 9.7.8); `floats` has the rest.

use super::Slots;
use super::floats::Floats;
use crate::{Comparison, Half, Instruction, Logic, Operand, PureOp, Role, Type, TypeKind};

/// Functions of integers, in whatever keeps its registers in slots.
pub trait Integers: Slots + Floats {
    /// A function of its operands, put into `dest`.
    fn pure(&mut self, it: &Instruction, op: PureOp, ty: Type) -> Option<()> {
        let bits = u32::from(ty.bits) * u32::from(ty.lanes);
        let (value, bits) = match op {
            PureOp::Uninterpreted => return self.float(it),
            PureOp::Compare(comparison, logic) => return self.compare(it, comparison, logic, ty),
            PureOp::Move => return self.moved(it, bits),
            PureOp::Mul(Half::Wide) | PureOp::Mad(Half::Wide) => {
                (self.integer(it, op, bits, ty.kind)?, bits * 2)
            }
            PureOp::PopCount | PureOp::LeadingZeros => {
                let count = self.integer(it, op, bits, ty.kind)?;
                (self.resized(&count, bits, 32, false), 32)
            }
            PureOp::Convert(_) => {
                // The register of a narrow type is filled as the type says.
                let dest = it.operand(Role::Dest)?;
                let room = self.width(dest)?.max(bits);
                let value = self.integer(it, op, bits, ty.kind)?;
                (self.resized(&value, bits, room, ty.kind == TypeKind::Signed), room)
            }
            _ => (self.integer(it, op, bits, ty.kind)?, bits),
        };
        self.set(it.operand(Role::Dest)?, bits, &value)
    }

    /// `mov`, which packs and unpacks where one side is a vector: the first element is the lowest.
    fn moved(&mut self, it: &Instruction, bits: u32) -> Option<()> {
        let (to, from) = (it.operand(Role::Dest)?, it.operand(Role::Value)?);
        match (to, from) {
            (Operand::Vector(_), Operand::Vector(_)) => None,
            (Operand::Vector(parts), one) => {
                let each = bits / u32::try_from(parts.len()).ok().filter(|it| *it > 0)?;
                let whole = self.operand(one, bits)?;
                for (n, part) in (0..).zip(parts) {
                    let by = n * each;
                    let value = self.value(&format!("lshr i{bits} {whole}, {by}"));
                    let value = self.resized(&value, bits, each, false);
                    self.set(part, each, &value)?;
                }
                Some(())
            }
            (one, Operand::Vector(parts)) => {
                let each = bits / u32::try_from(parts.len()).ok().filter(|it| *it > 0)?;
                let mut whole = "0".to_owned();
                for (n, part) in (0..).zip(parts) {
                    let value = self.operand(part, each)?;
                    let value = self.resized(&value, each, bits, false);
                    let by = n * each;
                    let value = self.value(&format!("shl i{bits} {value}, {by}"));
                    whole = self.value(&format!("or i{bits} {whole}, {value}"));
                }
                self.set(one, bits, &whole)
            }
            (one, other) => {
                let value = self.operand(other, bits)?;
                self.set(one, bits, &value)
            }
        }
    }

    /// `setp` on integers.
    fn compare(
        &mut self,
        it: &Instruction,
        comparison: Comparison,
        logic: Option<Logic>,
        ty: Type,
    ) -> Option<()> {
        let sign = if ty.kind == TypeKind::Signed { "s" } else { "u" };
        let word = match comparison {
            Comparison::Eq => "eq".to_owned(),
            Comparison::Ne => "ne".to_owned(),
            Comparison::Lt => format!("{sign}lt"),
            Comparison::Le => format!("{sign}le"),
            Comparison::Gt => format!("{sign}gt"),
            Comparison::Ge => format!("{sign}ge"),
        };
        let bits = u32::from(ty.bits);
        let a = self.operand(it.operand(Role::Value)?, bits)?;
        let b = self.operand(it.operand(Role::Second)?, bits)?;
        let holds = self.value(&format!("icmp {word} i{bits} {a}, {b}"));
        self.answer(it, &holds, logic)
    }

    /// What an operation of integers gives, where it is known exactly.
    fn integer(
        &mut self,
        it: &Instruction,
        op: PureOp,
        bits: u32,
        kind: TypeKind,
    ) -> Option<String> {
        let signed = kind == TypeKind::Signed;
        let is_moved = matches!(op, PureOp::Move | PureOp::Select);
        if matches!(kind, TypeKind::Float | TypeKind::OtherFloat) && !is_moved {
            return None;
        }
        if let PureOp::Convert(from) = op {
            let own = u32::from(from.bits);
            let value = self.operand(it.operand(Role::Value)?, own)?;
            let integers = !matches!(from.kind, TypeKind::Float | TypeKind::OtherFloat);
            return integers
                .then(|| self.resized(&value, own, bits, from.kind == TypeKind::Signed));
        }
        let a = self.operand(it.operand(Role::Value)?, bits)?;
        let sign = if signed { "s" } else { "u" };
        let two = |body: &mut Self, f: &str| {
            let b = body.operand(it.operand(Role::Second)?, bits)?;
            Some(body.value(&format!("{f} i{bits} {a}, {b}")))
        };
        let call = |body: &mut Self, f: &str, more: &str| {
            Some(body.value(&format!("call i{bits} @llvm.{f}.i{bits}(i{bits} {a}{more})")))
        };
        match op {
            // An address is the same number in each space that it is in.
            PureOp::ConvertAddress { .. } => Some(a),
            PureOp::Add => two(self, "add"),
            PureOp::Sub => two(self, "sub"),
            PureOp::Mul(Half::Low) => two(self, "mul"),
            PureOp::Mul(half) => self.product(it, half, bits, signed),
            PureOp::And => two(self, "and"),
            PureOp::Or => two(self, "or"),
            PureOp::Xor => two(self, "xor"),
            PureOp::Div => two(self, if signed { "sdiv" } else { "udiv" }),
            PureOp::Rem => two(self, if signed { "srem" } else { "urem" }),
            PureOp::Not => Some(self.value(&format!("xor i{bits} {a}, -1"))),
            PureOp::Neg => Some(self.value(&format!("sub i{bits} 0, {a}"))),
            PureOp::Abs => call(self, "abs", ", i1 false"),
            PureOp::Min | PureOp::Max => {
                let b = self.operand(it.operand(Role::Second)?, bits)?;
                let which = if op == PureOp::Min { "min" } else { "max" };
                call(self, &format!("{sign}{which}"), &format!(", i{bits} {b}"))
            }
            PureOp::PopCount => call(self, "ctpop", ""),
            PureOp::LeadingZeros => call(self, "ctlz", ", i1 false"),
            PureOp::Reverse => call(self, "bitreverse", ""),
            PureOp::Shl | PureOp::Shr => self.shift(it, &a, bits, op == PureOp::Shl, signed),
            PureOp::Mad(Half::Low) => {
                let product = two(self, "mul")?;
                let c = self.operand(it.operand(Role::Third)?, bits)?;
                Some(self.value(&format!("add i{bits} {product}, {c}")))
            }
            PureOp::Mad(half) => {
                let product = self.product(it, half, bits, signed)?;
                let bits = if half == Half::Wide { bits * 2 } else { bits };
                let c = self.operand(it.operand(Role::Third)?, bits)?;
                Some(self.value(&format!("add i{bits} {product}, {c}")))
            }
            PureOp::Select => {
                let b = self.operand(it.operand(Role::Second)?, bits)?;
                let p = self.operand(it.operand(Role::Predicate)?, 1)?;
                Some(self.value(&format!("select i1 {p}, i{bits} {a}, i{bits} {b}")))
            }
            PureOp::Funnel { left, clamp } => self.funnel(it, &a, left, clamp),
            PureOp::BitExtract => self.extract(it, &a, bits, signed),
            PureOp::BitInsert => self.insert(it, &a, bits),
            PureOp::Lop3 => self.by_table(it, &a, bits),
            PureOp::Permute => self.permute(it, &a),
            PureOp::Move
            | PureOp::Compare(..)
            | PureOp::Convert(_)
            | PureOp::IsSpace(_)
            | PureOp::MapToBlock
            | PureOp::BlockRank
            | PureOp::Uninterpreted => None,
        }
    }

    /// `shf`: the upper half of both shifted left, or the lower half of both shifted right.
    fn funnel(&mut self, it: &Instruction, low: &str, left: bool, clamp: bool) -> Option<String> {
        let high = self.operand(it.operand(Role::Second)?, 32)?;
        let by = self.operand(it.operand(Role::Third)?, 32)?;
        let verb = if left { "fshl" } else { "fshr" };
        let shifted =
            self.value(&format!("call i32 @llvm.{verb}.i32(i32 {high}, i32 {low}, i32 {by})"));
        if !clamp {
            return Some(shifted);
        }
        let all = self.value(&format!("icmp ugt i32 {by}, 31"));
        let other = if left { low } else { &high };
        Some(self.value(&format!("select i1 {all}, i32 {other}, i32 {shifted}")))
    }

    /// The low eight bits of a count, and the count limited to `most`, in `bits` bits.
    fn count(
        &mut self,
        it: &Instruction,
        role: Role,
        most: u32,
        bits: u32,
    ) -> Option<(String, String)> {
        let count = self.operand(it.operand(role)?, 32)?;
        let count = self.value(&format!("and i32 {count}, 255"));
        let cut = self.value(&format!("call i32 @llvm.umin.i32(i32 {count}, i32 {most})"));
        let cut = self.resized(&cut, 32, bits, false);
        Some((count, cut))
    }

    /// `bfe` (9.7.1): what lies above the number is its sign, or zero.
    fn extract(&mut self, it: &Instruction, a: &str, bits: u32, signed: bool) -> Option<String> {
        let most = bits - 1;
        let (start, cut) = self.count(it, Role::Second, most, bits)?;
        let verb = if signed { "ashr" } else { "lshr" };
        let mut low = self.value(&format!("{verb} i{bits} {a}, {cut}"));
        if !signed {
            let past = self.value(&format!("icmp ugt i32 {start}, {most}"));
            low = self.value(&format!("select i1 {past}, i{bits} 0, i{bits} {low}"));
        }
        let (length, cut) = self.count(it, Role::Third, bits, bits)?;
        let above = self.value(&format!("sub i{bits} {bits}, {cut}"));
        let above = self
            .value(&format!("call i{bits} @llvm.umin.i{bits}(i{bits} {above}, i{bits} {most})"));
        let high = self.value(&format!("shl i{bits} {low}, {above}"));
        let part = self.value(&format!("{verb} i{bits} {high}, {above}"));
        let none = self.value(&format!("icmp eq i32 {length}, 0"));
        Some(self.value(&format!("select i1 {none}, i{bits} 0, i{bits} {part}")))
    }

    /// `bfi` (9.7.1).
    fn insert(&mut self, it: &Instruction, a: &str, bits: u32) -> Option<String> {
        let into = self.operand(it.operand(Role::Second)?, bits)?;
        let most = bits - 1;
        let (start, at) = self.count(it, Role::Third, most, bits)?;
        let (length, cut) = self.count(it, Role::Fourth, most, bits)?;
        let ones = self.value(&format!("shl i{bits} -1, {cut}"));
        let all = self.value(&format!("icmp ugt i32 {length}, {most}"));
        let keep = self.value(&format!("select i1 {all}, i{bits} 0, i{bits} {ones}"));
        let mask = self.value(&format!("xor i{bits} {keep}, -1"));
        let mask = self.value(&format!("shl i{bits} {mask}, {at}"));
        let past = self.value(&format!("icmp ugt i32 {start}, {most}"));
        let mask = self.value(&format!("select i1 {past}, i{bits} 0, i{bits} {mask}"));
        let new = self.value(&format!("shl i{bits} {a}, {at}"));
        let new = self.value(&format!("and i{bits} {new}, {mask}"));
        let keep = self.value(&format!("xor i{bits} {mask}, -1"));
        let old = self.value(&format!("and i{bits} {into}, {keep}"));
        Some(self.value(&format!("or i{bits} {old}, {new}")))
    }

    /// `lop3`: the disjunction of the rows of its truth table.
    fn by_table(&mut self, it: &Instruction, a: &str, bits: u32) -> Option<String> {
        let Operand::Int(table) = it.operand(Role::Table)? else { return None };
        let b = self.operand(it.operand(Role::Second)?, bits)?;
        let c = self.operand(it.operand(Role::Third)?, bits)?;
        let mut result = "0".to_owned();
        for row in (0..8u32).filter(|row| table >> row & 1 == 1) {
            let mut term = "-1".to_owned();
            for (bit, operand) in [(4, a), (2, &b), (1, &c)] {
                let literal = match row & bit {
                    0 => self.value(&format!("xor i{bits} {operand}, -1")),
                    _ => operand.to_owned(),
                };
                term = self.value(&format!("and i{bits} {term}, {literal}"));
            }
            result = self.value(&format!("or i{bits} {result}, {term}"));
        }
        Some(result)
    }

    /// `prmt` with a selector that is known.
    fn permute(&mut self, it: &Instruction, a: &str) -> Option<String> {
        let &Operand::Int(selector) = it.operand(Role::Third)? else { return None };
        let b = self.operand(it.operand(Role::Second)?, 32)?;
        let mut result = "0".to_owned();
        for byte in 0..4u32 {
            let from = u32::try_from(selector >> (4 * byte) & 15).ok()?;
            let word = if from & 4 == 0 { a } else { &b };
            // To the top, and down again: with copies of the sign, where the selector says so.
            let value = self.value(&format!("shl i32 {word}, {}", 24 - 8 * (from & 3)));
            let value = match from & 8 {
                0 => self.value(&format!("lshr i32 {value}, 24")),
                _ => {
                    let sign = self.value(&format!("ashr i32 {value}, 31"));
                    self.value(&format!("and i32 {sign}, 255"))
                }
            };
            let value = self.value(&format!("shl i32 {value}, {}", 8 * byte));
            result = self.value(&format!("or i32 {result}, {value}"));
        }
        Some(result)
    }

    /// The upper half of a product, or all of it.
    fn product(&mut self, it: &Instruction, half: Half, bits: u32, signed: bool) -> Option<String> {
        let wide = bits * 2;
        let mut factors = Vec::new();
        for role in [Role::Value, Role::Second] {
            let value = self.operand(it.operand(role)?, bits)?;
            factors.push(self.resized(&value, bits, wide, signed));
        }
        let all = self.value(&format!("mul i{wide} {}, {}", factors[0], factors[1]));
        match half {
            Half::Wide => Some(all),
            Half::High => {
                let high = self.value(&format!("lshr i{wide} {all}, {bits}"));
                Some(self.resized(&high, wide, bits, false))
            }
            Half::Low => Some(self.resized(&all, wide, bits, false)),
        }
    }

    /// A shift by at most the width: more gives what all bits shifted out give.
    fn shift(
        &mut self,
        it: &Instruction,
        a: &str,
        bits: u32,
        left: bool,
        signed: bool,
    ) -> Option<String> {
        let by = self.operand(it.operand(Role::Second)?, 32)?;
        let most = bits - 1;
        let cut = self.value(&format!("call i32 @llvm.umin.i32(i32 {by}, i32 {most})"));
        let cut = self.resized(&cut, 32, bits, false);
        let verb = match (left, signed) {
            (true, _) => "shl",
            (false, true) => "ashr",
            (false, false) => "lshr",
        };
        let shifted = self.value(&format!("{verb} i{bits} {a}, {cut}"));
        if verb == "ashr" {
            return Some(shifted);
        }
        let out = self.value(&format!("icmp ugt i32 {by}, {most}"));
        Some(self.value(&format!("select i1 {out}, i{bits} 0, i{bits} {shifted}")))
    }
}

impl<T: Slots> Integers for T {}
