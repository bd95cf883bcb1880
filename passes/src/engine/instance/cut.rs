//! Index arithmetic of 64 bits that is cut to 32, as `int i = get_global_id(0)` and
//! `i += get_global_size(0)` have it.
//!
//! **What**: the low half of sums, differences, products and left shifts of widened numbers,
//! computed in 32 bits.
//! **Method**: the same operators over the numbers before they were widened. A flag says that the
//! sum of 64 bits stays in its range, which is nothing of the one of 32: only ids and sizes of the
//! grid have flags there too, as they stay below 2^31, which answers name. All else is computed in
//! 32 bits only where runs that wrap around are left out
//! ([`heddle_diagnostics::Assumption::CutIndexInSignedRange`]), and has the flags of that.
//! **Sound because** the low bits of these operators depend on the low bits of their operands
//! alone.
//! **Misses**: what is computed from numbers of 64 bits, and divisions.
//! **Assumes**: what [`super::wrap`] records.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, NoWrap, mask, sign_extend};

use super::{FrameId, Instance, WrapAround};

/// What numbers are cut to.
const WIDTH: u8 = 32;

/// Most operators and operands of one such sum.
const MOST_PARTS: usize = 64;

impl Instance<'_> {
    /// An expression of the kernel, cut to a width if it is wider.
    pub(super) fn cut(&mut self, frame: FrameId, id: ExprId, width: u8) -> ExprId {
        if self.pool.width(id) <= width {
            return self.at(frame, id);
        }
        let low = self.narrow_numbers(id, width).map(|_| self.low_half(frame, id));
        if let (Some(low), Some(_)) = (low, self.computed_from(id, width)) {
            return low;
        }
        let wide = self.at(frame, id);
        let cut = self.pool.cast(CastOp::Trunc, wide, width);
        self.cuts.extend(low.map(|low| (cut, low)));
        cut
    }

    /// Whether the kernel computes an expression in more bits than those which are used of it.
    pub(super) fn is_cut(&self, of: ExprId, width: u8) -> bool {
        let kernel = self.analysis.kernel;
        let computed = if let ExprKind::Var(var) = kernel[of].kind { kernel[var].next } else { of };
        matches!(kernel[computed].kind, ExprKind::Cast(CastOp::Trunc, _))
            || kernel.exprs.width(computed) > width
    }

    /// What a cut expression is computed from, where none of the kernel's own flags is left in how
    /// [`Instance::cut`] computes it.
    pub(super) fn computed_from(&self, wide: ExprId, width: u8) -> Option<Vec<ExprId>> {
        let numbers = self.narrow_numbers(wide, width)?;
        (self.wrap == WrapAround::Excluded || self.is_linear_throughout(wide)).then_some(numbers)
    }

    /// Whether each operator of it computes a part of an id or of the size of the grid.
    fn is_linear_throughout(&self, wide: ExprId) -> bool {
        let mut work = vec![wide];
        while let Some(at) = work.pop() {
            if let ExprKind::Binary(op, _, a, b) = self.analysis.kernel[at].kind {
                if !self.is_linear(at, op, (a, b)) {
                    return false;
                }
                work.extend([a, b]);
            }
        }
        true
    }

    fn is_linear(&self, whole: ExprId, op: BinOp, (a, b): (ExprId, ExprId)) -> bool {
        let is_part = self.analysis.global_ids().contains(&whole) || self.linear_index(op, a, b);
        is_part && self.analysis.linear_index_fits()
    }

    /// What an expression that is cut to a width is computed from, if that is nothing but constants
    /// and numbers that were widened, and by nothing but sums, differences, products and left
    /// shifts.
    fn narrow_numbers(&self, wide: ExprId, width: u8) -> Option<Vec<ExprId>> {
        if width != WIDTH || self.pool.width(wide) <= WIDTH {
            return None;
        }
        let exprs = &self.analysis.kernel.exprs;
        let is_shift = |by| by < u128::from(WIDTH);
        let (mut work, mut parts, mut numbers) = (vec![wide], 0, Vec::new());
        while let Some(at) = work.pop() {
            parts += 1;
            if parts > MOST_PARTS {
                return None;
            }
            if let Some((_, number)) = self.widened(at) {
                numbers.push(number);
            } else if let ExprKind::Binary(op, _, a, b) = exprs[at].kind
                && let BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl = op
                && (op != BinOp::Shl || self.narrow_constant(b).is_some_and(is_shift))
            {
                work.extend([a, b]);
            } else if self.narrow_constant(at).is_none() {
                return None;
            }
        }
        Some(numbers)
    }

    /// The number before it was widened, and how.
    fn widened(&self, id: ExprId) -> Option<(CastOp, ExprId)> {
        let exprs = &self.analysis.kernel.exprs;
        let ExprKind::Cast(op @ (CastOp::Zext | CastOp::Sext), inner) = exprs[id].kind else {
            return None;
        };
        (exprs.width(inner) <= WIDTH).then_some((op, inner))
    }

    /// A constant that is a number of 32 bits, with a sign or without.
    fn narrow_constant(&self, id: ExprId) -> Option<u128> {
        let exprs = &self.analysis.kernel.exprs;
        let value = exprs.as_const(id)?;
        let number = sign_extend(value, exprs.width(id));
        (-(1 << (WIDTH - 1))..1 << WIDTH).contains(&number).then(|| mask(value, WIDTH))
    }

    /// The low half of what [`Instance::narrow_numbers`] knows.
    fn low_half(&mut self, frame: FrameId, wide: ExprId) -> ExprId {
        if let Some(value) = self.narrow_constant(wide) {
            return self.pool.constant(value, WIDTH);
        }
        if let Some((op, inner)) = self.widened(wide) {
            let number = self.at(frame, inner);
            return match self.pool.width(number) == WIDTH {
                true => number,
                false => self.pool.cast(op, number, WIDTH),
            };
        }
        let ExprKind::Binary(op, _, a, b) = self.analysis.kernel[wide].kind else {
            unreachable!("`narrow_numbers` has looked at every part")
        };
        let (x, y) = (self.low_half(frame, a), self.low_half(frame, b));
        let flags = match self.is_linear(wide, op, (a, b)) {
            true => self.linear_flags(op, (x, y), wide, (a, b)),
            false => self.in_range(op, NoWrap::NONE, (x, y), wide),
        };
        self.pool.binary_flagged(op, flags, x, y)
    }
}
