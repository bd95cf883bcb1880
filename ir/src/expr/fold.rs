//! The value of each operator on known operands. Written once: the expression builder folds
//! constants with it, the interpreter runs kernels with it, the solver's bit-level circuits are
//! tested against it.
//!
//! Operands and results have zeros above their width. Inlined, so that the interpreter's loops over
//! lanes, which fix the operator, cost what the operator costs.

use super::{BinOp, CastOp, CmpOp, NoWrap, UnOp};

/// `value` with the bits above `width` cleared.
#[inline]
pub fn mask(value: u128, width: u8) -> u128 {
    if width >= 128 { value } else { value & ((1u128 << width) - 1) }
}

/// `value`, `width` bits wide, read as a signed number.
#[inline]
pub fn sign_extend(value: u128, width: u8) -> i128 {
    let shift = 128 - u32::from(width);
    ((value << shift) as i128) >> shift
}

/// The value of a unary operator at `width` bits.
#[inline]
pub fn fold_unary(op: UnOp, a: u128, width: u8) -> u128 {
    let bits = u32::from(width);
    let value = match op {
        UnOp::Not => !a,
        UnOp::Neg => a.wrapping_neg(),
        UnOp::Popcount => u128::from(a.count_ones()),
        UnOp::Clz => u128::from(a.leading_zeros() - (128 - bits)),
        UnOp::Ctz => u128::from(a.trailing_zeros().min(bits)),
        UnOp::Bitreverse => a.reverse_bits() >> (128 - bits),
    };
    mask(value, width)
}

/// The value of a binary operator at `width` bits.
#[inline]
pub fn fold_binary(op: BinOp, a: u128, b: u128, width: u8) -> u128 {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    let bits = u128::from(width);
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SDiv if sb == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        BinOp::SDiv => sa.wrapping_div(sb) as u128,
        BinOp::SRem if sb == 0 => a,
        BinOp::SRem => sa.wrapping_rem(sb) as u128,
        BinOp::Shl if b >= bits => 0,
        BinOp::Shl => a << b,
        BinOp::LShr if b >= bits => 0,
        BinOp::LShr => a >> b,
        BinOp::AShr => (sa >> b.min(bits - 1).min(127)) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::UMin => a.min(b),
        BinOp::UMax => a.max(b),
        BinOp::SMin => sa.min(sb) as u128,
        BinOp::SMax => sa.max(sb) as u128,
    };
    mask(value, width)
}

/// The truth of a comparison of operands of `width` bits.
#[inline]
pub fn fold_cmp(op: CmpOp, a: u128, b: u128, width: u8) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Slt => sign_extend(a, width) < sign_extend(b, width),
        CmpOp::Sle => sign_extend(a, width) <= sign_extend(b, width),
    }
}

/// The value of a cast from `from` to `to` bits.
#[inline]
pub fn fold_cast(op: CastOp, a: u128, from: u8, to: u8) -> u128 {
    match op {
        CastOp::Zext => a,
        CastOp::Sext => mask(sign_extend(a, from) as u128, to),
        CastOp::Trunc => mask(a, to),
    }
}

/// Whether no-wrap flags hold on these operands. Flags on operators other than `+`, `-`, `*` and
/// `<<` say nothing.
#[inline]
pub fn flags_hold(op: BinOp, flags: NoWrap, a: u128, b: u128, width: u8) -> bool {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    let result = fold_binary(op, a, b, width);
    let signed_result = sign_extend(result, width);
    let (unsigned, signed) = match op {
        BinOp::Add => (a.checked_add(b) == Some(result), sa.checked_add(sb) == Some(signed_result)),
        BinOp::Sub => (a >= b, sa.checked_sub(sb) == Some(signed_result)),
        BinOp::Mul => (a.checked_mul(b) == Some(result), sa.checked_mul(sb) == Some(signed_result)),
        BinOp::Shl => {
            let bits = u32::from(width);
            let inside = b < u128::from(bits);
            let back = |amount: u32| (result >> amount, signed_result >> amount);
            let (u, s) = if inside { back(b as u32) } else { (0, 0) };
            (inside && u == a, inside && s == sa)
        }
        BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => (true, true),
    };
    (!flags.unsigned || unsigned) && (!flags.signed || signed)
}

/// Whether a division or remainder has no value in LLVM: by zero, or of the least number by minus
/// one.
#[inline]
pub fn is_undefined_division(op: BinOp, a: u128, b: u128, width: u8) -> bool {
    match op {
        BinOp::UDiv | BinOp::URem => b == 0,
        BinOp::SDiv | BinOp::SRem => {
            b == 0 || (b == mask(u128::MAX, width) && a == 1 << (width - 1) && width > 1)
        }
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_total() {
        assert_eq!(fold_binary(BinOp::UDiv, 7, 0, 8), 0xff);
        assert_eq!(fold_binary(BinOp::URem, 7, 0, 8), 7);
        assert_eq!(fold_binary(BinOp::SDiv, 0xf9, 0, 8), 1);
        assert_eq!(fold_binary(BinOp::SDiv, 7, 0, 8), 0xff);
        assert_eq!(fold_binary(BinOp::SDiv, 0x80, 0xff, 8), 0x80);
        assert_eq!(fold_binary(BinOp::SRem, 0xf9, 4, 8), 0xfd);
    }

    #[test]
    fn shifts_by_the_width_or_more_are_zero_or_sign() {
        assert_eq!(fold_binary(BinOp::Shl, 1, 32, 32), 0);
        assert_eq!(fold_binary(BinOp::LShr, 0x8000_0000, 40, 32), 0);
        assert_eq!(fold_binary(BinOp::AShr, 0x8000_0000, 40, 32), 0xffff_ffff);
        assert_eq!(fold_binary(BinOp::AShr, u128::MAX << 127, 200, 128), u128::MAX);
    }

    #[test]
    fn counts_know_the_width() {
        assert_eq!(fold_unary(UnOp::Clz, 1, 32), 31);
        assert_eq!(fold_unary(UnOp::Clz, 0, 32), 32);
        assert_eq!(fold_unary(UnOp::Ctz, 0, 8), 8);
        assert_eq!(fold_unary(UnOp::Bitreverse, 1, 8), 0x80);
        assert_eq!(fold_unary(UnOp::Neg, 1, 4), 15);
    }
}
