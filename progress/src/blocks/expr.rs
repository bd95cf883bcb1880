//! Expressions over registers: unsigned integers with wrap-around at a stated width. Operators have
//! the values of the IR's; what those leave open (a division by zero) has none here.

use heddle_ir::{AtomicOp, BinOp, CmpOp, fold_binary, fold_cmp, mask};
use heddle_semantics::updated;

/// A register of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(pub u32);

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Constant(u64),
    /// What a register holds.
    Register(Register),
    /// An operation on two values of `bits` bits (1 to 64).
    Binary {
        /// Which operation.
        operator: Operator,
        /// The width at which it wraps and at which signed operations look for the sign.
        bits: u8,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// The first value if the condition is not zero, else the second.
    Select(Box<[Expr; 3]>),
}

/// An operation on two values. Comparisons give 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; undefined for a zero divisor.
    UnsignedDiv,
    /// Unsigned remainder; undefined for a zero divisor.
    UnsignedRem,
    /// Signed quotient, towards zero; undefined for a zero divisor.
    SignedDiv,
    /// Signed remainder, with the sign of the dividend; undefined for a zero divisor.
    SignedRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left; undefined from the width on.
    ShiftLeft,
    /// Shift to the right that fills with zeros; undefined from the width on.
    ShiftRight,
    /// Shift to the right that fills with the sign; undefined from the width on.
    SignedShiftRight,
    /// Whether both are equal.
    Equal,
    /// Whether they differ.
    NotEqual,
    /// Unsigned less-than.
    Less,
    /// Unsigned at-most.
    AtMost,
    /// Signed less-than.
    SignedLess,
    /// Signed at-most.
    SignedAtMost,
    /// The smaller, unsigned.
    Min,
    /// The larger, unsigned.
    Max,
    /// The smaller, signed.
    SignedMin,
    /// The larger, signed.
    SignedMax,
    /// One more, and zero from the right operand on (CUDA's `atomicInc`).
    WrapIncrement,
    /// One less, and the right operand at zero and above itself (CUDA's `atomicDec`).
    WrapDecrement,
    /// Complement of the bitwise and.
    Nand,
}

impl From<Register> for Expr {
    fn from(register: Register) -> Self {
        Self::Register(register)
    }
}

impl From<u64> for Expr {
    fn from(value: u64) -> Self {
        Self::Constant(value)
    }
}

impl Expr {
    /// An operation at 32 bits.
    pub fn binary(operator: Operator, left: impl Into<Self>, right: impl Into<Self>) -> Self {
        Self::wide(operator, 32, left, right)
    }

    /// An operation at `bits` bits.
    pub fn wide(
        operator: Operator,
        bits: u8,
        left: impl Into<Self>,
        right: impl Into<Self>,
    ) -> Self {
        let (left, right) = (Box::new(left.into()), Box::new(right.into()));
        Self::Binary { operator, bits, left, right }
    }

    /// The value, or why it has none.
    pub(super) fn value(&self, registers: &[u64]) -> Result<u64, String> {
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Register(register) => Ok(registers[register.0 as usize]),
            Self::Binary { operator, bits, left, right } => {
                operator.apply(*bits, left.value(registers)?, right.value(registers)?)
            }
            Self::Select(parts) => {
                let [condition, yes, no] = &**parts;
                if condition.value(registers)? != 0 { yes } else { no }.value(registers)
            }
        }
    }

    /// Calls `visit` with each register it reads.
    pub(super) fn registers(&self, visit: &mut dyn FnMut(Register)) {
        match self {
            Self::Constant(_) => {}
            Self::Register(register) => visit(*register),
            Self::Binary { left, right, .. } => {
                left.registers(visit);
                right.registers(visit);
            }
            Self::Select(parts) => parts.iter().for_each(|part| part.registers(visit)),
        }
    }
}

impl Operator {
    /// The result at `bits` bits, or why there is none.
    pub(super) fn apply(self, bits: u8, left: u64, right: u64) -> Result<u64, String> {
        let [a, b] = [left, right].map(|it| mask(u128::from(it), bits));
        let defined = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let shift = || defined(b < u128::from(bits), "a shift by the width or more");
        let divisor = || defined(b != 0, "a division by zero");
        let fold = |op: BinOp| fold_binary(op, a, b, bits);
        let compare = |op: CmpOp| u128::from(fold_cmp(op, a, b, bits));
        let atomic = |op: AtomicOp| match updated::<String>(op, Ok(a), |_| Ok(b), bits) {
            Some(new) => new,
            None => Err("an atomic on floats".to_owned()),
        };
        let result = match self {
            Self::Add => fold(BinOp::Add),
            Self::Sub => fold(BinOp::Sub),
            Self::Mul => fold(BinOp::Mul),
            Self::UnsignedDiv => divisor().map(|()| fold(BinOp::UDiv))?,
            Self::UnsignedRem => divisor().map(|()| fold(BinOp::URem))?,
            Self::SignedDiv => divisor().map(|()| fold(BinOp::SDiv))?,
            Self::SignedRem => divisor().map(|()| fold(BinOp::SRem))?,
            Self::And => fold(BinOp::And),
            Self::Or => fold(BinOp::Or),
            Self::Xor => fold(BinOp::Xor),
            Self::ShiftLeft => shift().map(|()| fold(BinOp::Shl))?,
            Self::ShiftRight => shift().map(|()| fold(BinOp::LShr))?,
            Self::SignedShiftRight => shift().map(|()| fold(BinOp::AShr))?,
            Self::Equal => compare(CmpOp::Eq),
            Self::NotEqual => 1 - compare(CmpOp::Eq),
            Self::Less => compare(CmpOp::Ult),
            Self::AtMost => compare(CmpOp::Ule),
            Self::SignedLess => compare(CmpOp::Slt),
            Self::SignedAtMost => compare(CmpOp::Sle),
            Self::Min => fold(BinOp::UMin),
            Self::Max => fold(BinOp::UMax),
            Self::SignedMin => fold(BinOp::SMin),
            Self::SignedMax => fold(BinOp::SMax),
            Self::WrapIncrement => atomic(AtomicOp::IncWrap)?,
            Self::WrapDecrement => atomic(AtomicOp::DecWrap)?,
            Self::Nand => atomic(AtomicOp::Nand)?,
        };
        Ok(result as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_wrap_and_sign() {
        let apply = |operator: Operator, left, right| operator.apply(8, left, right);
        assert_eq!(apply(Operator::Add, 255, 2), Ok(1));
        assert_eq!(apply(Operator::Sub, 0, 1), Ok(255));
        assert_eq!(apply(Operator::SignedLess, 255, 0), Ok(1));
        assert_eq!(apply(Operator::Less, 255, 0), Ok(0));
        assert_eq!(apply(Operator::SignedShiftRight, 0x80, 1), Ok(0xc0));
        assert_eq!(apply(Operator::SignedMin, 255, 1), Ok(255));
        assert_eq!(apply(Operator::SignedDiv, 249, 2), Ok(253));
        assert_eq!(apply(Operator::SignedRem, 249, 2), Ok(255));
        assert_eq!(apply(Operator::WrapIncrement, 2, 2), Ok(0));
        assert_eq!(apply(Operator::WrapDecrement, 0, 2), Ok(2));
        assert_eq!(apply(Operator::Nand, 3, 6), Ok(0xfd));
        assert!(apply(Operator::UnsignedDiv, 1, 0).is_err());
        assert!(apply(Operator::ShiftLeft, 1, 8).is_err());
        assert_eq!(Operator::Add.apply(64, u64::MAX, 1), Ok(0));
    }
}
