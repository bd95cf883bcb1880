//! Comparisons with the smaller or larger of two numbers, as in the bound of a tile that is cut at
//! the end of an array: `j < min(first + 8, n)`.
//!
//! **What**: a comparison that says something of both numbers, as two comparisons.
//! **Method**: `a < min(x, y)` is `a < x` and `a < y`; `max(x, y) < b` is `x < b` and `y < b`. The
//! smaller one is an operator or a choice by the comparison of the two.
//! **Sound because** both are the same for all values. Where one of the numbers is poison, so is
//! the comparison, and the two that stand for it are poison or false.
//! **Misses**: `min(x, y) < b`, which says that one of two holds.
//! **Assumes**: nothing.

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind};

use super::Instance;

impl Instance<'_> {
    /// `a op b`.
    pub(super) fn compared(&mut self, op: CmpOp, a: ExprId, b: ExprId) -> ExprId {
        if let Some([x, y]) = self.extremes(op, b, true) {
            let (x, y) = (self.compared(op, a, x), self.compared(op, a, y));
            return self.pool.and(x, y);
        }
        if let Some([x, y]) = self.extremes(op, a, false) {
            let (x, y) = (self.compared(op, x, b), self.compared(op, y, b));
            return self.pool.and(x, y);
        }
        self.pool.cmp(op, a, b)
    }

    /// The two numbers of which a value is the smaller, or the larger, in the sign of a comparison.
    fn extremes(&self, op: CmpOp, value: ExprId, smaller: bool) -> Option<[ExprId; 2]> {
        let signed = match op {
            CmpOp::Slt | CmpOp::Sle => true,
            CmpOp::Ult | CmpOp::Ule => false,
            CmpOp::Eq => return None,
        };
        if let ExprKind::Binary(of, _, x, y) = self.pool[value].kind {
            let meant = match (signed, smaller) {
                (true, true) => BinOp::SMin,
                (true, false) => BinOp::SMax,
                (false, true) => BinOp::UMin,
                (false, false) => BinOp::UMax,
            };
            return (of == meant).then_some([x, y]);
        }
        let ExprKind::Select(by, x, y) = self.pool[value].kind else { return None };
        let ExprKind::Cmp(by, low, high) = self.pool[by].kind else { return None };
        let in_sign = match by {
            CmpOp::Slt | CmpOp::Sle => signed,
            CmpOp::Ult | CmpOp::Ule => !signed,
            CmpOp::Eq => false,
        };
        let chosen = if smaller { [x, y] } else { [y, x] };
        (in_sign && [low, high] == chosen).then_some([x, y])
    }
}
