//! Sizes of a launch that are quotients, as the host computes them: `gridDim.x == n / blockDim.x`.
//!
//! **What**: a condition of the launch that makes something a quotient says that it, times the
//! divisor, is at most the dividend, and what is missing there is less than the divisor. So
//! `blockIdx.x * blockDim.x + threadIdx.x` is below `n`.
//! **Method**: for each conjunct that is an equality with a quotient by what is no constant, that
//! is stated without division, in twice the width.
//! **Sound because** `(a / d) * d <= a` for whole numbers with `d` above zero and `a` not below it;
//! two factors of some bits have a product of twice as many. The bits that a conversion to a
//! narrower type cuts off a quotient make it no larger; then only that is stated.
//! **Misses**: quotients that are added up, or chosen from.
//! **Assumes**: nothing.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind};

use super::Instance;

/// Widest numbers that are multiplied: expressions have at most twice as many bits.
const WIDEST: u8 = 64;

impl Instance<'_> {
    /// States what a condition of the launch says of quotients.
    pub(super) fn state_quotients(&mut self, condition: ExprId) {
        for part in self.pool.conjuncts(condition) {
            let ExprKind::Cmp(CmpOp::Eq, a, b) = self.pool[part].kind else { continue };
            for (size, quotient) in [(a, b), (b, a)] {
                if let Some(fact) = self.between_multiples(size, quotient) {
                    self.state(fact);
                }
            }
        }
    }

    /// Of a size which equals this, if that is a quotient: where it lies between the multiples of
    /// the divisor.
    fn between_multiples(&mut self, size: ExprId, quotient: ExprId) -> Option<ExprId> {
        let (mut at, mut is_whole) = (quotient, true);
        while let ExprKind::Cast(by @ (CastOp::Zext | CastOp::Trunc), from) = self.pool[at].kind {
            is_whole &= by == CastOp::Zext;
            at = from;
        }
        let ExprKind::Binary(op @ (BinOp::UDiv | BinOp::SDiv), _, dividend, divisor) =
            self.pool[at].kind
        else {
            return None;
        };
        let width = self.pool.width(size).max(self.pool.width(at));
        if width > WIDEST || self.pool.as_const(divisor).is_some() {
            return None;
        }
        let signed = op == BinOp::SDiv;
        let (below, at_most, extend) = match signed {
            true => (CmpOp::Slt, CmpOp::Sle, CastOp::Sext),
            false => (CmpOp::Ult, CmpOp::Ule, CastOp::Zext),
        };
        let zero = self.pool.constant(0, self.pool.width(divisor));
        let mut counts = self.pool.cmp(below, zero, divisor);
        if signed {
            // A quotient above zero is of a dividend above zero.
            let quotient = if at == quotient { size } else { at };
            let zero = self.pool.constant(0, self.pool.width(quotient));
            let positive = self.pool.cmp(CmpOp::Slt, zero, quotient);
            counts = self.pool.and(counts, positive);
        }
        let size = self.pool.cast(CastOp::Zext, size, 2 * width);
        let [dividend, divisor] =
            [dividend, divisor].map(|it| self.pool.cast(extend, it, 2 * width));
        let product = self.pool.mul(size, divisor);
        let mut fits = self.pool.cmp(at_most, product, dividend);
        if is_whole {
            let next = self.pool.add(product, divisor);
            let is_below = self.pool.cmp(below, dividend, next);
            fits = self.pool.and(fits, is_below);
        }
        Some(self.pool.implies(counts, fits))
    }
}
