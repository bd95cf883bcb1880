//! Loops that look for a free place, as an insertion into a hash table does.
//!
//! **What**: a compare-and-swap that expects a constant, at another place in each iteration, of
//! memory that nothing else writes, is none that waits for others.
//! **Sound because**: a place changes only by such an operation, and only from that constant. Where
//! the operation finds it, the loop ends; whatever else it finds stays for good. So the loop waits
//! for no change by another thread.
//! **Misses**: a table that is full ends no such loop, whoever runs: that is not waiting.
//! **Assumes**: distinct pointer arguments are distinct memory.

use heddle_ir::cranelift_entity::EntitySet;
use heddle_ir::{
    Access, AccessKind, AtomicOp, BinOp, CmpOp, ExprId, ExprKind, Kernel, LoopId, OpId, Place,
    TouchedBy, UnOp,
};

use super::flow::Flow;

/// Distances of elements whose members are told apart.
const STRIDES: [u128; 5] = [8, 16, 32, 64, 128];

/// Whether an access that a loop's end depends on only looks for a free place.
pub(super) fn is_probe(flow: &Flow<'_>, of: LoopId, op: OpId) -> bool {
    let kernel = flow.kernel;
    let Some(access) = kernel.access(op) else { return false };
    let Some(expected) = expected(kernel, access) else { return false };
    let is_constant = |id: ExprId| kernel.exprs.as_const(id) == Some(expected);
    let is_such = |other: OpId| {
        let effects = kernel[other].kind.effects();
        effects.writes().all(|touch| match (touch.place, touch.by) {
            (Place::At(at), TouchedBy::Access(it)) => {
                let is_one = at.object == access.address.object;
                is_one && are_members_apart(kernel, access, it)
                    || is_one
                        && it.size == access.size
                        && self::expected(kernel, it) == Some(expected)
            }
            (
                Place::At(_) | Place::Anywhere(_),
                TouchedBy::Access(_)
                | TouchedBy::Copy
                | TouchedBy::BarrierObject
                | TouchedBy::NotModelled,
            ) => false,
        })
    };
    let goes_on = kernel.exprs.conjuncts(kernel[of].cont);
    goes_on.into_iter().any(|it| is_denied(kernel, it, op, &is_constant))
        && moves(kernel, of, access.address.offset)
        && flow.writers_of(access.address.object).all(is_such)
}

/// Whether a condition holds only where the result of an operation is not a constant.
fn is_denied(
    kernel: &Kernel,
    condition: ExprId,
    op: OpId,
    is_constant: &dyn Fn(ExprId) -> bool,
) -> bool {
    let ExprKind::Unary(UnOp::Not, inner) = kernel[condition].kind else { return false };
    let (mut seen, mut work) = (EntitySet::new(), vec![inner]);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match kernel[id].kind {
            ExprKind::Binary(BinOp::Or, _, a, b) => work.extend([a, b]),
            ExprKind::Cmp(CmpOp::Eq, a, b) => {
                let is_result = |it: ExprId| kernel[it].kind == ExprKind::Result(op, 0);
                if is_result(a) && is_constant(b) || is_result(b) && is_constant(a) {
                    return true;
                }
            }
            ExprKind::Const(_)
            | ExprKind::Base(_)
            | ExprKind::Sym(_)
            | ExprKind::Undef(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Cast(..)
            | ExprKind::Select(..)
            | ExprKind::Pure(..) => {}
        }
    }
    false
}

/// The constant that a compare-and-swap expects.
fn expected(kernel: &Kernel, access: &Access) -> Option<u128> {
    let AccessKind::Atomic(AtomicOp::CompareExchange, operands) = &access.kind else {
        return None;
    };
    let [expected, _] = operands.as_slice() else { return None };
    kernel.exprs.as_const(*expected)
}

/// Whether a loop changes a variable that a place is computed from, by adding a constant.
fn moves(kernel: &Kernel, of: LoopId, offset: ExprId) -> bool {
    let mut found = false;
    kernel.exprs.for_each_below(offset, |id| {
        let ExprKind::Var(var) = kernel[id].kind else { return };
        found |= kernel[var].of == of && steps(kernel, again(kernel, of, kernel[var].next), id);
    });
    found
}

/// A value for the next iteration, where there is one.
fn again(kernel: &Kernel, of: LoopId, next: ExprId) -> ExprId {
    let ExprKind::Select(over, _, value) = kernel[next].kind else { return next };
    let is_not_over = |it: ExprId| kernel[it].kind == ExprKind::Unary(UnOp::Not, over);
    match kernel.exprs.conjuncts(kernel[of].cont).into_iter().any(is_not_over) {
        true => value,
        false => next,
    }
}

/// Whether a value is that of a variable and a constant that is not zero, in a table that may begin
/// anew: under a mask or a remainder.
#[expect(clippy::wildcard_enum_match_arm, reason = "other operators are no steps")]
fn steps(kernel: &Kernel, next: ExprId, var: ExprId) -> bool {
    let ExprKind::Binary(op, _, a, b) = kernel[next].kind else { return false };
    if matches!(op, BinOp::And | BinOp::URem | BinOp::SRem) {
        return steps(kernel, a, var) || op == BinOp::And && steps(kernel, b, var);
    }
    let is_step = |id: ExprId| kernel.exprs.as_const(id).is_some_and(|it| it != 0);
    match op {
        BinOp::Add => a == var && is_step(b) || b == var && is_step(a),
        BinOp::Sub => a == var && is_step(b),
        _ => false,
    }
}

/// Whether two accesses are of different members of the elements of one array.
fn are_members_apart(kernel: &Kernel, one: &Access, other: &Access) -> bool {
    let size = |it: &Access| kernel.exprs.as_const(it.size);
    let (Some(one_size), Some(other_size)) = (size(one), size(other)) else { return false };
    STRIDES.iter().any(|stride| {
        let start = |it: &Access| residue(kernel, it.address.offset, *stride);
        let (Some(a), Some(b)) = (start(one), start(other)) else { return false };
        // Neither goes on into the next element.
        let fits = a + one_size <= *stride && b + other_size <= *stride;
        fits && (a + one_size <= b || b + other_size <= a)
    })
}

/// A value modulo a power of two, where the expression tells it.
#[expect(clippy::wildcard_enum_match_arm, reason = "other operators tell none")]
fn residue(kernel: &Kernel, id: ExprId, stride: u128) -> Option<u128> {
    if let Some(value) = kernel.exprs.as_const(id) {
        return Some(value % stride);
    }
    let ExprKind::Binary(op, _, a, b) = kernel[id].kind else { return None };
    match op {
        BinOp::Add => Some((residue(kernel, a, stride)? + residue(kernel, b, stride)?) % stride),
        BinOp::Mul => {
            let factor = |it: ExprId| kernel.exprs.as_const(it);
            [a, b].into_iter().filter_map(factor).any(|it| it % stride == 0).then_some(0)
        }
        BinOp::Shl => {
            let by = kernel.exprs.as_const(b)?;
            (by < 64 && 1_u128 << by >= stride).then_some(0)
        }
        _ => None,
    }
}
