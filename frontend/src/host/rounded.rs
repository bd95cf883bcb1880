//! Quotients of whole numbers that the host computes with floats, as `ceil((float)n / 32)`.
//!
//! **What**: an integer made of `ceil`, of `floor` or of neither of a division of two integers, as
//! a division of integers.
//! **Method**: by the shape of the computation. Where the integer may be too large for the float to
//! hold, the result is an unknown, of which a fact says what it is while it is small enough.
//! **Sound because** of `p` bits of precision (24 of `float`, 53 of `double`): integers below
//! `2^p` are floats, and so are the two operands. An exact quotient `n / c` that is no integer is
//! at least `1 / c` away from each, and rounding moves it by at most `n / c * 2^-p`, which is less.
//! Rounding keeps the order, so that the quotient stays between the same integers, and one that is
//! an integer below `2^p` stays what it is. A multiple of `c = 2^k` is divided exactly up to
//! `2^(p + k)`.
//! **Misses**: products with the inverse, other functions, and what is compiled to be fast instead
//! of exact.
//! **Assumes**: the host rounds to nearest, and does not convert a float to an integer that it does
//! not fit in.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId};

use super::expressions::narrowed;
use super::reader::Reader;
use heddle_llvm::{Inst, Opcode, TypeKind, Value};

/// What is done with the part after the point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Up,
    Down,
    ToZero,
}

/// An integer that became a float.
struct Whole<'m> {
    value: Value<'m>,
    is_signed: bool,
    /// Bits of precision of the float.
    precision: u32,
}

impl<'m> Reader<'_, 'm> {
    /// What a conversion of a float to an integer gives.
    pub(super) fn rounded(&mut self, inst: Inst<'m>, width: u8, depth: usize) -> Option<ExprId> {
        let mut of = widened(inst.operand(0)?);
        let mut rounding = Rounding::ToZero;
        if let Some(by) = of.as_inst().and_then(rounds) {
            rounding = by;
            of = widened(of.as_inst()?.arguments().first().copied()?);
        }
        let division = of.as_inst().filter(|it| it.opcode() == Opcode::FDiv)?;
        // No flag allows another result than the nearest float.
        division.text().contains(&format!("fdiv {} ", division.ty().text())).then_some(())?;
        let number = whole(division.operand(0)?)?;
        let precision = precision(division.ty().kind())?.min(number.precision);
        let n = self.value(number.value, false, depth);
        let bits = self.pool.width(n);
        let largest = 1u128 << (bits - 1);
        let by = division.operand(1)?;
        let mut holds = self.pool.truth();
        let (divisor, precision, power) = match by.const_float() {
            Some(by) => {
                let is_whole = by >= 1.0 && by.fract() == 0.0 && by < largest as f64;
                let by = is_whole.then_some(by as u128)?;
                let power = by.is_power_of_two().then(|| by.trailing_zeros());
                (self.pool.constant(by, bits), precision, power)
            }
            None => {
                let by = whole(by).filter(|it| it.is_signed == number.is_signed)?;
                let precision = precision.min(by.precision);
                let divisor = self.value(by.value, false, depth);
                (self.pool.width(divisor) == bits).then_some(())?;
                let zero = self.pool.constant(0, bits);
                let order = if number.is_signed { CmpOp::Slt } else { CmpOp::Ult };
                let is_positive = self.pool.cmp(order, zero, divisor);
                let is_small = self.is_below(divisor, number.is_signed, precision);
                holds = self.pool.and(is_positive, is_small);
                (divisor, precision, None)
            }
        };
        let quotient = self.quotient(n, divisor, number.is_signed, rounding);
        let op = if number.is_signed { CastOp::Sext } else { CastOp::Zext };
        let result = match bits < width {
            true => self.pool.cast(op, quotient, width),
            false => narrowed(&mut self.pool, quotient, width),
        };
        let mut fits = self.is_below(n, number.is_signed, precision);
        if let Some(power) = power.filter(|it| *it > 0) {
            let low = self.pool.constant((1 << power) - 1, bits);
            let (rest, zero) = (self.pool.and(n, low), self.pool.constant(0, bits));
            let is_multiple = self.pool.eq(rest, zero);
            let is_small = self.is_below(n, number.is_signed, precision + power);
            let is_exact = self.pool.and(is_multiple, is_small);
            fits = self.pool.or(fits, is_exact);
        }
        holds = self.pool.and(holds, fits);
        if self.pool.as_const(holds) == Some(1) {
            return Some(result);
        }
        let unknown = self.unknown(inst.as_value(), width);
        let is_quotient = self.pool.eq(unknown, result);
        let fact = self.pool.implies(holds, is_quotient);
        self.facts.push(fact);
        Some(unknown)
    }

    /// Whether an integer has at most this number of bits.
    fn is_below(&mut self, n: ExprId, is_signed: bool, bits: u32) -> ExprId {
        let width = self.pool.width(n);
        if bits >= u32::from(width) - u32::from(is_signed) {
            return self.pool.truth();
        }
        let bound = self.pool.constant(1 << bits, width);
        if !is_signed {
            return self.pool.cmp(CmpOp::Ult, n, bound);
        }
        let zero = self.pool.constant(0, width);
        let least = self.pool.sub(zero, bound);
        let (above, below) =
            (self.pool.cmp(CmpOp::Slt, least, n), self.pool.cmp(CmpOp::Slt, n, bound));
        self.pool.and(above, below)
    }

    /// The quotient by a positive number, rounded. No step leaves the range: `n` is not zero where
    /// one is taken from it, or added.
    fn quotient(&mut self, n: ExprId, by: ExprId, is_signed: bool, rounding: Rounding) -> ExprId {
        let pool = &mut self.pool;
        let width = pool.width(n);
        let (zero, one) = (pool.constant(0, width), pool.constant(1, width));
        let (divide, order) = match is_signed {
            true => (BinOp::SDiv, CmpOp::Slt),
            false => (BinOp::UDiv, CmpOp::Ult),
        };
        let to_zero = pool.binary(divide, n, by);
        match rounding {
            Rounding::Up => {
                let less = pool.sub(n, one);
                let below = pool.binary(divide, less, by);
                let (above, is_above) = (pool.add(below, one), pool.cmp(order, zero, n));
                pool.select(is_above, above, to_zero)
            }
            Rounding::Down if is_signed => {
                let more = pool.add(n, one);
                let above = pool.binary(divide, more, by);
                let (below, is_below) = (pool.sub(above, one), pool.cmp(order, n, zero));
                pool.select(is_below, below, to_zero)
            }
            Rounding::Down | Rounding::ToZero => to_zero,
        }
    }
}

/// A float before it was made a wider one.
fn widened(mut value: Value<'_>) -> Value<'_> {
    while let Some(inst) = value.as_inst().filter(|it| it.opcode() == Opcode::FPExt)
        && let Some(of) = inst.operand(0)
    {
        value = of;
    }
    value
}

/// Which way a call rounds.
fn rounds(call: Inst<'_>) -> Option<Rounding> {
    // A source may have a function of its own by that name.
    let callee = call.called_function().filter(|it| it.is_declaration())?;
    match callee.name().as_str() {
        "llvm.ceil.f32" | "llvm.ceil.f64" | "ceil" | "ceilf" => Some(Rounding::Up),
        "llvm.floor.f32" | "llvm.floor.f64" | "floor" | "floorf" => Some(Rounding::Down),
        _ => None,
    }
}

fn whole(value: Value<'_>) -> Option<Whole<'_>> {
    let inst = widened(value).as_inst()?;
    let is_signed = match inst.opcode() {
        Opcode::SIToFP => true,
        Opcode::UIToFP => false,
        _ => return None,
    };
    let value = inst.operand(0)?;
    matches!(value.ty().kind(), TypeKind::Int(8..=64)).then_some(())?;
    Some(Whole { value, is_signed, precision: precision(inst.ty().kind())? })
}

/// Bits of precision of a float.
fn precision(ty: TypeKind<'_>) -> Option<u32> {
    match ty {
        TypeKind::Float(32) => Some(24),
        TypeKind::Float(64) => Some(53),
        _ => None,
    }
}
