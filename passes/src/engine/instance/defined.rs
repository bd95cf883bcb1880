//! A model whose run has no division by zero.
//!
//! **What**: another model of the same facts, for a replay that stopped at a division without a
//! value.
//! **Method**: each divisor in the facts is stated not to be zero.
//! **Sound because** a model is only asked for to be replayed: more facts exclude runs, and make
//! none.
//! **Misses**: the division of the least number by minus one, and divisions outside the facts.
//! **Assumes**: nothing.

use heddle_ir::{BinOp, ExprId, ExprKind};
use heddle_solver::{Budget, Model};
use rustc_hash::FxHashSet;

use super::Instance;
use crate::engine::answer::Asked;

impl Instance<'_> {
    /// A model in which no divisor is zero; `None` where nothing is divided by what may be zero, or
    /// none was found.
    pub(crate) fn model_without_division_by_zero(&mut self, budget: &Budget) -> Option<Model> {
        let mut extra = Vec::new();
        for divisor in self.divisors() {
            let zero = self.pool.constant(0, self.pool.width(divisor));
            let differs = self.pool.ne(divisor, zero);
            if self.pool.as_const(differs).is_none() {
                extra.push(differs);
            }
        }
        if extra.is_empty() {
            return None;
        }
        match self.ask(&extra, &budget.divided(2)) {
            Asked::Sat(model) => Some(model),
            Asked::Held(_) | Asked::Unknown(_) => None,
        }
    }

    fn divisors(&self) -> Vec<ExprId> {
        let mut seen = FxHashSet::default();
        let mut work: Vec<ExprId> = self.facts().to_vec();
        let mut divisors = Vec::new();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let ExprKind::Binary(
                BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem,
                _,
                _,
                divisor,
            ) = self.pool[id].kind
            {
                divisors.push(divisor);
            }
            self.pool.for_each_operand(id, |operand| work.push(operand));
        }
        divisors.sort_unstable();
        divisors.dedup();
        divisors
    }
}
