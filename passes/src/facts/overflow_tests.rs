//! Sums and products of which the program asks whether they wrapped around.
//!
//! **What**: for each operator, whether a comparison of the kernel tests it for overflow: a sum or
//! a difference with one of its own operands (`s = a + b; s < a`), a result with the same in more
//! bits (`__builtin_mul_overflow`), a product that is divided again (`p = a * b; p / a != b`).
//! **Method**: the shapes of comparisons, through casts.
//! **Sound because**: nothing is proved from it. It only says which operators keep their
//! wrap-around where a question is asked again without it: those runs are what the test is for.
//! **Misses**: tests of other shapes.
//! **Assumes**: nothing.

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, Kernel};

/// The operators that are tested.
pub(crate) fn overflow_tests(kernel: &Kernel) -> SecondaryMap<ExprId, bool> {
    let mut found = SecondaryMap::new();
    for (_, expr) in kernel.exprs.iter() {
        let ExprKind::Cmp(op, a, b) = expr.kind else { continue };
        for (one, other) in [(a, b), (b, a)] {
            for tested in tested(kernel, op, one, other).into_iter().flatten() {
                found[tested] = true;
            }
        }
    }
    found
}

/// What a comparison of `one` with `other` tests of `one`.
fn tested(kernel: &Kernel, op: CmpOp, one: ExprId, other: ExprId) -> [Option<ExprId>; 2] {
    let (one, whole) = (without_casts(kernel, one), without_casts(kernel, other));
    let ExprKind::Binary(operator, _, a, b) = kernel[one].kind else { return [None; 2] };
    let is_own = |it: ExprId| [a, b].iter().any(|own| without_casts(kernel, *own) == it);
    let by_itself = matches!(operator, BinOp::Add | BinOp::Sub) && op != CmpOp::Eq && is_own(whole);
    let wider = op == CmpOp::Eq
        && kernel.exprs.width(whole) > kernel.exprs.width(one)
        && operands(kernel, whole, operator)
            .is_some_and(|all| all.iter().all(|it| is_own(without_casts(kernel, *it))));
    let divides = matches!(operator, BinOp::UDiv | BinOp::SDiv);
    let product = Some(without_casts(kernel, a)).filter(|it| {
        let by = without_casts(kernel, b);
        let factors = operands(kernel, *it, BinOp::Mul).filter(|_| divides);
        factors.is_some_and(|all| all.iter().any(|it| without_casts(kernel, *it) == by))
    });
    [(by_itself || wider).then_some(one), product]
}

fn operands(kernel: &Kernel, at: ExprId, operator: BinOp) -> Option<[ExprId; 2]> {
    let ExprKind::Binary(op, _, a, b) = kernel[at].kind else { return None };
    (op == operator).then_some([a, b])
}

fn without_casts(kernel: &Kernel, mut at: ExprId) -> ExprId {
    while let ExprKind::Cast(_, inner) = kernel[at].kind {
        at = inner;
    }
    at
}
