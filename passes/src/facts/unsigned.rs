//! Which arguments without a sign are sizes: numbers that are counted up to, added and multiplied,
//! and not words whose bits mean something.
//!
//! **What**: for each parameter that the source declares unsigned, of 32 or 64 bits, whether it is
//! a size. One that is compared as an unsigned number, and nowhere as a signed one, counts as
//! declared so: nothing says how it is declared, as in PTX, or the source declares `int w` and
//! compares it with `unsigned x`.
//! **Method**: all uses of the parameter in expressions, through casts. A use that looks at bits
//! makes it no size: bitwise operators but with a small low mask, a shift to the right by half
//! the width or by what is no constant, counts of bits, functions, and a comparison with a number
//! from half the range on, such as `n == UINT_MAX`, or with a sum that it is part of, as in
//! `i + n < n`.
//! **Sound because**: nothing is proved from it. It only says where a question may be asked again
//! without values from half the range on, which the answer then names.
//! **Misses**: a size that is also hashed, and one that is compared only as a part of a sum.
//! **Assumes**: that debug info has the sign of the parameter, where it has one.

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, Kernel, ParamKind, Sign, UnOp};
use rustc_hash::FxHashSet;

/// The positions of parameters that are unsigned sizes.
pub(crate) fn unsigned_sizes(kernel: &Kernel) -> FxHashSet<u32> {
    let (mut signed, mut unsigned) = (FxHashSet::default(), FxHashSet::default());
    for (_, expr) in kernel.exprs.iter() {
        let ExprKind::Cmp(op, a, b) = expr.kind else { continue };
        let compared = [a, b].into_iter().filter_map(|it| parameter(kernel, it));
        match op {
            CmpOp::Slt | CmpOp::Sle => signed.extend(compared),
            CmpOp::Ult | CmpOp::Ule => unsigned.extend(compared),
            CmpOp::Eq => {}
        }
    }
    let is_unsigned = |index: &u32| {
        let param = &kernel.params[*index as usize];
        let width = match param.kind {
            ParamKind::Scalar { width } | ParamKind::Field { width, .. } => width,
            ParamKind::Pointer(_) => 0,
        };
        let is_compared = unsigned.contains(index) && !signed.contains(index);
        let is_declared = param.sign == Some(Sign::Unsigned);
        (is_declared || is_compared) && [32, 64].contains(&width)
    };
    let mut sizes: FxHashSet<u32> = (0..kernel.params.len() as u32).filter(is_unsigned).collect();
    if sizes.is_empty() {
        return sizes;
    }
    for (id, _) in kernel.exprs.iter() {
        for_each_look_at_bits(kernel, id, |operand| {
            if let Some(index) = parameter(kernel, operand) {
                sizes.remove(&index);
            }
        });
    }
    sizes
}

/// The parameter that a number is, through casts.
fn parameter(kernel: &Kernel, mut at: ExprId) -> Option<u32> {
    loop {
        match kernel[at].kind {
            ExprKind::Param(index) => return Some(index),
            ExprKind::Cast(_, inner) => at = inner,
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Base(_)
            | ExprKind::Sym(_)
            | ExprKind::Undef(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Pure(..) => return None,
        }
    }
}

/// The operands of an expression of which it looks at the bits.
fn for_each_look_at_bits(kernel: &Kernel, id: ExprId, mut look: impl FnMut(ExprId)) {
    let constant = |it: ExprId| kernel.exprs.as_const(it);
    let half = |it: ExprId| u128::from(kernel.exprs.width(it)) / 2;
    match kernel[id].kind {
        ExprKind::Const(_)
        | ExprKind::Param(_)
        | ExprKind::Special(_)
        | ExprKind::Var(_)
        | ExprKind::Exit(..)
        | ExprKind::Result(..)
        | ExprKind::Base(_)
        | ExprKind::Sym(_)
        | ExprKind::Undef(_)
        | ExprKind::Cast(..)
        | ExprKind::Select(..) => {}
        ExprKind::Unary(UnOp::Neg, _) => {}
        ExprKind::Unary(_, a) => look(a),
        ExprKind::Pure(..) => kernel.exprs.for_each_operand(id, look),
        ExprKind::Cmp(_, a, b) => {
            for (one, other) in [(a, b), (b, a)] {
                let width = kernel.exprs.width(other);
                let is_large = constant(other).is_some_and(|it| it >> (width - 1) == 1);
                if is_large && width >= 32 || is_summand(kernel, one, other) {
                    look(one);
                }
            }
        }
        ExprKind::Binary(op, _, a, b) => match op {
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax
            | BinOp::Shl => {}
            BinOp::LShr => {
                if constant(b).is_none_or(|by| by >= half(a)) {
                    look(a);
                }
            }
            BinOp::And => {
                for (one, other) in [(a, b), (b, a)] {
                    if !constant(other).is_some_and(|it| is_low_mask(it, kernel.exprs.width(a))) {
                        look(one);
                    }
                }
            }
            BinOp::AShr | BinOp::Or | BinOp::Xor => [a, b].into_iter().for_each(look),
        },
    }
}

/// Whether one is added to in the other: who compares the two asks whether the sum wraps around.
fn is_summand(kernel: &Kernel, one: ExprId, other: ExprId) -> bool {
    let ExprKind::Binary(BinOp::Add, _, a, b) = kernel[other].kind else { return false };
    a == one || b == one
}

/// Whether it masks the rest of a division by at most 2^15, or what is without that rest.
fn is_low_mask(mask: u128, width: u8) -> bool {
    let is_low = |it: u128| it < 1 << 15 && (it + 1).is_power_of_two();
    is_low(mask) || is_low(heddle_ir::mask(!mask, width))
}
