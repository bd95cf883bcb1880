//! Predicates as constraints. Disjunctions become clauses, each alternative in a scope of its own.

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, UnOp};

use super::{Reader, Scope};
use crate::algebra::poly::Poly;

impl Reader<'_> {
    /// Adds what a predicate says to the open scope. What cannot be read is left out.
    pub(in crate::algebra) fn literal(&mut self, expr: ExprId, truth: bool) {
        if self.is_at_limit() {
            return;
        }
        self.depth += 1;
        match self.pool[expr].kind {
            ExprKind::Const(value) if (value == 1) == truth => {}
            ExprKind::Const(_) => self.zero(Poly::constant(1)),
            ExprKind::Unary(UnOp::Not, a) => self.literal(a, !truth),
            ExprKind::Binary(BinOp::And, _, a, b) if truth => {
                self.literal(a, true);
                self.literal(b, true);
            }
            ExprKind::Binary(BinOp::Or, _, a, b) if !truth => {
                self.literal(a, false);
                self.literal(b, false);
            }
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b) => {
                self.alternatives(&[&[(a, truth)], &[(b, truth)]]);
            }
            ExprKind::Binary(BinOp::Xor, _, a, b) => {
                self.alternatives(&[&[(a, true), (b, !truth)], &[(a, false), (b, truth)]]);
            }
            ExprKind::Select(c, a, b) => {
                self.alternatives(&[&[(c, true), (a, truth)], &[(c, false), (b, truth)]]);
            }
            ExprKind::Cmp(op, a, b) => {
                // Nothing is learnt from what has no reading.
                let _ = self.comparison(op, a, b, truth);
            }
            _ => {
                if let Some(value) = self.integer(expr, false)
                    && let Some(apart) = value.add_constant(-i128::from(truth))
                {
                    self.zero(apart);
                }
            }
        }
        self.depth -= 1;
    }

    fn alternatives(&mut self, alternatives: &[&[(ExprId, bool)]]) {
        let mut clause = Vec::new();
        for conjunction in alternatives {
            self.scopes.push(Scope::default());
            for &(expr, truth) in *conjunction {
                self.literal(expr, truth);
            }
            clause.extend(self.scopes.pop().map(|scope| scope.facts));
        }
        // One without content holds always.
        self.facts().clauses.push(clause);
    }

    fn comparison(&mut self, op: CmpOp, a: ExprId, b: ExprId, truth: bool) -> Option<()> {
        let (op, a, b) = match (op, truth) {
            (op, true) | (op @ CmpOp::Eq, false) => (op, a, b),
            (CmpOp::Ult, false) => (CmpOp::Ule, b, a),
            (CmpOp::Ule, false) => (CmpOp::Ult, b, a),
            (CmpOp::Slt, false) => (CmpOp::Sle, b, a),
            (CmpOp::Sle, false) => (CmpOp::Slt, b, a),
        };
        match op {
            CmpOp::Eq => {
                let apart = self.difference(a, b)?;
                let facts = self.facts();
                if truth { facts.zero.push(apart) } else { facts.nonzero.push(apart) }
            }
            CmpOp::Ult | CmpOp::Ule | CmpOp::Slt | CmpOp::Sle => {
                let signed = matches!(op, CmpOp::Slt | CmpOp::Sle);
                let strict = matches!(op, CmpOp::Ult | CmpOp::Slt);
                let (x, y) = (self.integer(a, signed)?, self.integer(b, signed)?);
                self.nonneg(y.sub(&x)?.add_constant(-i128::from(strict))?);
            }
        }
        Some(())
    }

    /// `a - b`, zero exactly where they are equal.
    fn difference(&mut self, a: ExprId, b: ExprId) -> Option<Poly> {
        let apart = self.congruent(a)?.sub(&self.congruent(b)?)?;
        let modulus = 1i128 << self.pool.width(a);
        match self.range(&apart) {
            // No other multiple of the modulus is within reach.
            (Some(lo), Some(hi)) if lo > -modulus && hi < modulus => Some(apart),
            _ => {
                let signed = !self.known(a).is_nonneg() && !self.known(b).is_nonneg();
                self.integer(a, signed)?.sub(&self.integer(b, signed)?)
            }
        }
    }
}
