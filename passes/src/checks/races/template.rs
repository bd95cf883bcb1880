//! Offsets that differ in one constant, as one offset with a bounded symbol: what unrolling makes.
//!
//! **What**: `s[tid * 8 + 0] … s[tid * 8 + 7]` are eight accesses and one template, `s[tid * 8 +
//! j]` with `j` below 8. One question about the template answers for all.
//! **Method**: the constant is replaced by `first + j * stride`, with the greatest common divisor
//! of the distances as stride, and everything around it is kept as it was, flags included.
//! **Sound because** for each member there is a `j` for which `first + j * stride` is its constant
//! at the constant's width, without poison: as numbers, all constants are within the width, and a
//! flag of the two new operators is claimed only where the way from the first to the last constant
//! fits. The operators around have the same operands and flags as the member's own.
//! **Misses**: constants with gaps make the template stand for more than its members. So it only
//! shows that nothing meets, and never accuses.
//! **Assumes**: nothing of its own. A sum of 32 bits and more is taken not to wrap around where its
//! members' sums are.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, Kernel, NoWrap, OpId, mask, sign_extend};

use crate::engine::instance::{FrameId, Instance};

/// What is applied to the sum with the constant, from the offset inwards.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Step {
    Cast(CastOp, u8),
    /// An operator with a constant on its right.
    Scale(BinOp, NoWrap, ExprId),
    /// Another summand.
    Plus(NoWrap, ExprId),
}

/// An offset with its constant taken out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Shape {
    steps: Vec<Step>,
    inner: ExprId,
    flags: NoWrap,
}

/// A shape, and the constants its members have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Template {
    shape: Shape,
    first: i128,
    stride: i128,
    count: u128,
}

/// The shape of an access's offset and the constant in it.
pub(crate) fn shape(kernel: &Kernel, op: OpId) -> Option<(Shape, i128)> {
    let access = kernel.access(op)?;
    let mut steps = Vec::new();
    let (inner, flags, constant) = descend(kernel, access.address.offset, &mut steps, 0)?;
    Some((Shape { steps, inner, flags }, constant))
}

/// Sums of sums deeper than this are not looked into: the search may take two ways at each.
const DEPTH: usize = 12;

#[expect(clippy::wildcard_enum_match_arm, reason = "an offset of another shape has no template")]
fn descend(
    kernel: &Kernel,
    expr: ExprId,
    steps: &mut Vec<Step>,
    depth: usize,
) -> Option<(ExprId, NoWrap, i128)> {
    if depth > DEPTH {
        return None;
    }
    let exprs = &kernel.exprs;
    match exprs[expr].kind {
        ExprKind::Binary(BinOp::Add, flags, x, y) => {
            // Wider constants are at none of the widths that addresses have.
            if let Some(c) = exprs.as_const(y).filter(|_| exprs.width(y) <= 64) {
                return Some((x, flags, sign_extend(c, exprs.width(y))));
            }
            for (into, other) in [(y, x), (x, y)] {
                let mark = steps.len();
                steps.push(Step::Plus(flags, other));
                if let Some(found) = descend(kernel, into, steps, depth + 1) {
                    return Some(found);
                }
                steps.truncate(mark);
            }
            None
        }
        ExprKind::Binary(op @ (BinOp::Mul | BinOp::Shl), flags, x, y) => {
            exprs.as_const(y)?;
            steps.push(Step::Scale(op, flags, y));
            descend(kernel, x, steps, depth + 1)
        }
        ExprKind::Cast(op, x) => {
            steps.push(Step::Cast(op, exprs.width(expr)));
            descend(kernel, x, steps, depth + 1)
        }
        _ => None,
    }
}

impl Template {
    /// The template of several constants of one shape.
    pub(crate) fn of(shape: &Shape, constants: &[i128]) -> Option<Template> {
        let (first, last) = (*constants.iter().min()?, *constants.iter().max()?);
        let stride = constants.iter().fold(0, |so_far, c| gcd(so_far, c - first));
        let count = if stride == 0 { 1 } else { ((last - first) / stride) as u128 + 1 };
        Some(Template { shape: shape.clone(), first, stride, count })
    }

    /// The offset in a frame.
    pub(crate) fn offset(&self, instance: &mut Instance<'_>, frame: FrameId) -> ExprId {
        let Template { shape, first, stride, count } = self;
        let inner = instance.at(frame, shape.inner);
        let width = instance.pool.width(inner);
        let index = instance.index_symbol(width, count - 1);
        // What the flags say must hold for each member: the way from the first constant to the last
        // may be longer than the largest signed number, but never than the largest unsigned one.
        let way = stride.unsigned_abs().checked_mul(count - 1);
        let signed = way.is_some_and(|way| way <= mask(u128::MAX, width) >> 1);
        let scale = NoWrap { signed, unsigned: true };
        // From a negative first constant, unsigned numbers pass zero.
        let sum = NoWrap { signed, unsigned: *first >= 0 };
        let stride = instance.pool.signed(*stride, width);
        let first = instance.pool.signed(*first, width);
        let scaled = instance.pool.binary_flagged(BinOp::Mul, scale, index, stride);
        let constant = instance.pool.binary_flagged(BinOp::Add, sum, scaled, first);
        let flags = instance.in_range(BinOp::Add, shape.flags, (inner, constant), shape.inner);
        let mut value = instance.pool.binary_flagged(BinOp::Add, flags, inner, constant);
        for step in shape.steps.iter().rev() {
            value = match step {
                Step::Cast(op, width) => instance.pool.cast(*op, value, *width),
                Step::Scale(op, flags, by) => instance.pool.binary_flagged(*op, *flags, value, *by),
                Step::Plus(flags, other) => {
                    let other = instance.at(frame, *other);
                    instance.pool.binary_flagged(BinOp::Add, *flags, other, value)
                }
            };
        }
        value
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
