//! Sums and products of which the program asks whether they wrapped around.
//!
//! **What**: for each operator, whether a comparison of the kernel tests it for overflow: a sum or
//! a difference with one of its own terms (`s = a + b + c; s < a`), a number that is rounded with
//! itself (`(n + 255) / 256 * 256 < n`), a result with the same in more bits
//! (`__builtin_mul_overflow`), or with itself in fewer (`(int)p == p`), a product that is divided
//! again (`p = a * b; p / a != b`). And what
//! such an operator is computed from.
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
            for tested in tested(kernel, op, one, other) {
                found[tested] = true;
            }
        }
    }
    // What is tested may wrap around only if what it is computed from may be large.
    let mut work: Vec<ExprId> = found.iter().filter(|it| *it.1).map(|it| it.0).collect();
    while let Some(at) = work.pop() {
        kernel.exprs.for_each_operand(at, |operand| {
            let is_computed = matches!(
                kernel[operand].kind,
                ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Cast(..)
            );
            if is_computed && !found[operand] {
                found[operand] = true;
                work.push(operand);
            }
        });
    }
    // What a loop adds up is tested where its sum is.
    for (id, expr) in kernel.exprs.iter() {
        if let ExprKind::Var(var) = expr.kind
            && found[without_casts(kernel, kernel[var].next)]
        {
            found[id] = true;
        }
    }
    found
}

/// What a comparison of `one` with `other` tests of `one`.
fn tested(kernel: &Kernel, op: CmpOp, one: ExprId, other: ExprId) -> Vec<ExprId> {
    let are_apart = one != other;
    let (one, whole) = (without_casts(kernel, one), without_casts(kernel, other));
    if op == CmpOp::Eq && are_apart && one == whole {
        return vec![one];
    }
    let ExprKind::Binary(operator, _, a, b) = kernel[one].kind else { return Vec::new() };
    if op != CmpOp::Eq
        && let Some(parts) = terms(kernel, one, whole).or_else(|| rounding(kernel, one, whole))
    {
        return parts;
    }
    let is_own = |it: ExprId| [a, b].iter().any(|own| without_casts(kernel, *own) == it);
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
    wider.then_some(one).into_iter().chain(product).collect()
}

/// The sums and differences of which `of` consists, if `term` is one of their terms.
fn terms(kernel: &Kernel, of: ExprId, term: ExprId) -> Option<Vec<ExprId>> {
    let (parts, leaves) = parts(kernel, of, term, |op| matches!(op, BinOp::Add | BinOp::Sub))?;
    leaves.contains(&term).then_some(parts)
}

/// The operators that make `of` from `number` and constants alone.
fn rounding(kernel: &Kernel, of: ExprId, number: ExprId) -> Option<Vec<ExprId>> {
    let (parts, leaves) = parts(kernel, of, number, |_| true)?;
    let is_constant = |it: &ExprId| kernel.exprs.as_const(*it).is_some();
    (leaves.contains(&number) && leaves.iter().all(|it| *it == number || is_constant(it)))
        .then_some(parts)
}

/// More operators than this test nothing.
const MOST_PARTS: usize = 16;

/// The operators of which `of` consists down to `end` and to what else is none of those wanted, and
/// these leaves. `None` for none and for too many.
fn parts(
    kernel: &Kernel,
    of: ExprId,
    end: ExprId,
    is_wanted: impl Fn(BinOp) -> bool,
) -> Option<(Vec<ExprId>, Vec<ExprId>)> {
    let (mut parts, mut leaves, mut work) = (Vec::new(), Vec::new(), vec![of]);
    while let Some(at) = work.pop() {
        let at = without_casts(kernel, at);
        let ExprKind::Binary(op, _, a, b) = kernel[at].kind else {
            leaves.push(at);
            continue;
        };
        if at == end || !is_wanted(op) {
            leaves.push(at);
        } else if parts.len() == MOST_PARTS {
            return None;
        } else {
            parts.push(at);
            work.extend([a, b]);
        }
    }
    (!parts.is_empty()).then_some((parts, leaves))
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
