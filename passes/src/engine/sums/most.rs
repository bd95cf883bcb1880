//! The largest value that an expression has by its form.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, Kernel, UnOp, mask};

/// How deep an expression is looked into.
const DEPTH: u32 = 16;

/// An upper bound of an expression's unsigned value.
pub(super) fn most(kernel: &Kernel, id: ExprId) -> u128 {
    most_within(kernel, id, DEPTH)
}

fn most_within(kernel: &Kernel, id: ExprId, depth: u32) -> u128 {
    let width = kernel.exprs.width(id);
    let all = mask(u128::MAX, width);
    let Some(depth) = depth.checked_sub(1) else { return all };
    let most = |id: ExprId| most_within(kernel, id, depth);
    let constant = |id: ExprId| kernel.exprs.as_const(id);
    let bound = match kernel[id].kind {
        ExprKind::Const(value) => value,
        ExprKind::Cast(CastOp::Zext, a) => most(a),
        ExprKind::Cast(CastOp::Trunc, a) => most(a).min(all),
        ExprKind::Select(_, a, b) => most(a).max(most(b)),
        ExprKind::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz, _) => u128::from(width),
        ExprKind::Binary(op, _, a, b) => match op {
            BinOp::And | BinOp::UMin => most(a).min(most(b)),
            BinOp::UMax => most(a).max(most(b)),
            // A sum or product that may wrap around may be anything.
            BinOp::Add => most(a).checked_add(most(b)).filter(|it| *it <= all).unwrap_or(all),
            BinOp::Mul => most(a).checked_mul(most(b)).filter(|it| *it <= all).unwrap_or(all),
            BinOp::Or | BinOp::Xor => {
                let bits = u128::BITS - most(a).max(most(b)).leading_zeros();
                if bits == u128::BITS { u128::MAX } else { (1 << bits) - 1 }
            }
            BinOp::LShr => match constant(b).and_then(|it| u32::try_from(it).ok()) {
                Some(by) => most(a).checked_shr(by).unwrap_or(0),
                None => most(a),
            },
            BinOp::URem => match constant(b) {
                Some(by) if by > 0 => most(a).min(by - 1),
                Some(_) | None => all,
            },
            BinOp::UDiv => match constant(b) {
                Some(by) if by > 0 => most(a) / by,
                Some(_) | None => all,
            },
            BinOp::Sub
            | BinOp::SDiv
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::AShr
            | BinOp::SMin
            | BinOp::SMax => all,
        },
        ExprKind::Cmp(..)
        | ExprKind::Cast(CastOp::Sext, _)
        | ExprKind::Unary(..)
        | ExprKind::Special(_)
        | ExprKind::Param(_)
        | ExprKind::Base(_)
        | ExprKind::Var(_)
        | ExprKind::Exit(..)
        | ExprKind::Result(..)
        | ExprKind::Undef(_)
        | ExprKind::Sym(_)
        | ExprKind::Pure(..) => all,
    };
    bound.min(all)
}
