//! Values that are one of two: minimum, maximum, `select`.

use heddle_ir::{BinOp, ExprId};

use super::{Reader, Scope};
use crate::algebra::poly::Poly;
use crate::algebra::system::Facts;

impl Reader<'_> {
    /// Minimum or maximum: a bound on both sides, and equal to one of them.
    pub(super) fn extremum(
        &mut self,
        expr: ExprId,
        op: BinOp,
        a: ExprId,
        b: ExprId,
    ) -> Option<Poly> {
        let (signed, smaller) = match op {
            BinOp::SMin => (true, true),
            BinOp::SMax => (true, false),
            BinOp::UMin => (false, true),
            _ => (false, false),
        };
        let (x, y) = (self.integer(a, signed)?, self.integer(b, signed)?);
        let atom = self.value(expr, signed)?;
        if self.define(atom) {
            let value = Poly::atom(atom);
            let mut clause = Vec::new();
            for side in [&x, &y] {
                let apart = if smaller { side.sub(&value)? } else { value.sub(side)? };
                self.nonneg(apart.clone());
                clause.push(Facts { zero: vec![apart], ..Facts::default() });
            }
            self.facts().clauses.push(clause);
        }
        Some(Poly::atom(atom))
    }

    /// A conditional value: one arm or the other.
    pub(super) fn choice(&mut self, expr: ExprId, c: ExprId, a: ExprId, b: ExprId) -> Option<Poly> {
        let atom = self.value(expr, false)?;
        if self.define(atom) {
            let mut clause = Vec::new();
            for (truth, arm) in [(true, a), (false, b)] {
                self.scopes.push(Scope::default());
                self.literal(c, truth);
                if let Some(value) = self.integer(arm, false)
                    && let Some(apart) = value.sub(&Poly::atom(atom))
                {
                    self.zero(apart);
                }
                clause.extend(self.scopes.pop().map(|scope| scope.facts));
            }
            self.facts().clauses.push(clause);
        }
        Some(Poly::atom(atom))
    }
}
