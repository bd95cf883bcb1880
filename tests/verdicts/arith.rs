//! Arithmetic of C's integers and real numbers, and what is undefined in it.
//!
//! **Promises**: a result is C's, or the operation is undefined ([`Undefined`]); unsigned results
//! that wrapped around are told apart, for assumptions that exclude them.

use crate::code::{Function, Kind, Value};
use crate::syntax::{BinOp, IntTy};

/// The run has no meaning from here on, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Undefined(pub(crate) &'static str);

/// The low bits, extended by the type's sign.
pub(crate) fn extend(bits: u64, ty: IntTy) -> u64 {
    let shift = 64 - u32::from(ty.bits);
    if ty.signed { (((bits << shift) as i64) >> shift) as u64 } else { bits << shift >> shift }
}

fn wide(bits: u64, ty: IntTy) -> i128 {
    if ty.signed { i128::from(bits as i64) } else { i128::from(bits) }
}

/// An operation that is no comparison. The flag: the unsigned result wrapped around.
pub(crate) fn integer(
    op: BinOp,
    ty: IntTy,
    a: u64,
    b: u64,
    mask_shifts: bool,
) -> Result<(u64, bool), Undefined> {
    let (x, y) = (wide(a, ty), wide(b, ty));
    let exact = match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        // Beyond 2^127 it is negative, and so counts as wrapped.
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div | BinOp::Rem => {
            if y == 0 {
                return Err(Undefined("division by zero"));
            }
            if op == BinOp::Div { x / y } else { x % y }
        }
        BinOp::And => return Ok((extend(a & b, ty), false)),
        BinOp::Or => return Ok((extend(a | b, ty), false)),
        BinOp::Xor => return Ok((extend(a ^ b, ty), false)),
        BinOp::Shl | BinOp::Shr => {
            let width = u64::from(ty.bits);
            let amount = if mask_shifts { b & (width - 1) } else { b };
            if amount >= width {
                return Err(Undefined("a shift past the width"));
            }
            if op == BinOp::Shr { x >> amount } else { x << amount }
        }
        _ => return Err(Undefined("an operator")),
    };
    let result = extend(exact as u64, ty);
    let wrapped = wide(result, ty) != exact;
    if wrapped && ty.signed {
        return Err(Undefined("signed overflow"));
    }
    Ok((result, wrapped))
}

pub(crate) fn compare(op: BinOp, order: Option<std::cmp::Ordering>) -> bool {
    let Some(order) = order else { return op == BinOp::Ne };
    match op {
        BinOp::Lt => order.is_lt(),
        BinOp::Le => order.is_le(),
        BinOp::Gt => order.is_gt(),
        BinOp::Ge => order.is_ge(),
        BinOp::Eq => order.is_eq(),
        _ => order.is_ne(),
    }
}

/// A real number as 64 bits.
pub(crate) fn real(bits: u64, is_float: bool) -> f64 {
    if is_float { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

pub(crate) fn bits_of(value: f64, is_float: bool) -> u64 {
    if is_float { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

pub(crate) fn arithmetic(op: BinOp, a: u64, b: u64, is_float: bool) -> u64 {
    let (x, y) = (real(a, is_float), real(b, is_float));
    // One operation on `float` is exact in `double` and then rounded once more, which changes
    // nothing.
    let result = match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        _ => x / y,
    };
    bits_of(result, is_float)
}

pub(crate) fn to_integer(bits: u64, is_float: bool, ty: IntTy) -> Result<u64, Undefined> {
    let value = real(bits, is_float).trunc();
    let low = if ty.signed { -(2f64.powi(i32::from(ty.bits) - 1)) } else { 0.0 };
    let high = 2f64.powi(i32::from(ty.bits) - i32::from(ty.signed));
    if !(low..high).contains(&value) {
        return Err(Undefined("a number that does not fit"));
    }
    Ok(if ty.signed { value as i64 as u64 } else { value as u64 })
}

pub(crate) fn truth(kind: Kind, value: Value) -> bool {
    match kind {
        Kind::Float => real(value.bits, true) != 0.0,
        Kind::Double => real(value.bits, false) != 0.0,
        Kind::Int(_) | Kind::Pointer => value.bits != 0,
    }
}

pub(crate) fn function(function: Function, ty: IntTy, a: u64, b: u64) -> Result<u64, Undefined> {
    let less = wide(a, ty) < wide(b, ty);
    Ok(match function {
        Function::Min => {
            if less {
                a
            } else {
                b
            }
        }
        Function::Max => {
            if less {
                b
            } else {
                a
            }
        }
        Function::Abs if a as i64 == i64::from(i32::MIN) => {
            return Err(Undefined("the absolute value of the least number"));
        }
        Function::Abs => (a as i64).unsigned_abs(),
        Function::Popcount => u64::from((a as u32).count_ones()),
        Function::FirstSet => match a as u32 {
            0 => 0,
            a => u64::from(a.trailing_zeros()) + 1,
        },
        Function::LeadingZeros => u64::from((a as u32).leading_zeros()),
    })
}
