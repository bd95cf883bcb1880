//! Loops that go on until a counter is equal to a limit: how many iterations there are at most.
//!
//! **What**: a thread in iteration `k` of a loop whose test fails where `x == limit`, with `x` in
//! steps of one or minus one: `k` is at most the distance from the first `x` to the limit.
//! **Method**: the conjuncts of the test are looked through for such an inequality.
//! **Sound because** each iteration before `k` had an `x` other than the limit. In steps of one,
//! modulo 2 to the power of the width, `x` is equal to the limit in iteration `limit - x`, counted
//! from zero, and in none before; so `k` is no larger, and smaller where `x` differs in iteration
//! `k` too. This is arithmetic modulo that power, and needs neither a sign nor that the counter
//! stays in range.
//! **Misses**: steps of other sizes, which may go past the limit, and limits that the loop or
//! memory changes.
//! **Assumes**: nothing of its own.

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, LoopId, UnOp, ValueFrom, mask};
use rustc_hash::FxHashSet;

use super::{FrameId, Instance};
use crate::facts::evolution::Evolution;

/// An inequality that each iteration has which goes on.
struct Unequal {
    /// That it is not.
    equal: ExprId,
    /// The side that steps.
    counter: ExprId,
    limit: ExprId,
    /// By minus one.
    down: bool,
}

impl Instance<'_> {
    /// What holds of iteration `k` of a loop, other than the first, and that it is not past the one
    /// in which a counter meets its limit.
    pub(super) fn within_equal_end(
        &mut self,
        outside: FrameId,
        of: LoopId,
        k: ExprId,
        holds: ExprId,
    ) -> ExprId {
        let mut all = holds;
        for Unequal { equal, counter, limit, down } in self.unequal(of) {
            let zero = self.pool.constant(0, 32);
            let first = self.enter(outside, of, zero);
            let [from, to] = [counter, limit].map(|it| self.at(first, it));
            let (from, to) = if down { (to, from) } else { (from, to) };
            let distance = self.pool.sub(to, from);
            let width = self.pool.width(distance).max(32);
            let (most, number) = (self.pool.resize(distance, width), self.pool.resize(k, width));
            let within = self.pool.cmp(CmpOp::Ule, number, most);
            all = self.pool.and(all, within);
            // So it is below, unless the test fails in iteration `k` itself.
            let inside = self.enter(outside, of, k);
            let is_last = self.at(inside, equal);
            let below = self.pool.ult(number, most);
            let fact = self.pool.or(is_last, below);
            all = self.pool.and(all, fact);
        }
        all
    }

    fn unequal(&self, of: LoopId) -> Vec<Unequal> {
        let kernel = self.analysis.kernel;
        let (mut found, mut work) = (Vec::new(), vec![kernel[of].cont]);
        while let Some(test) = work.pop() {
            if let ExprKind::Binary(BinOp::And, _, a, b) = kernel[test].kind
                && kernel.exprs.width(test) == 1
            {
                work.extend([a, b]);
            }
            let ExprKind::Unary(UnOp::Not, equal) = kernel[test].kind else { continue };
            let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[equal].kind else { continue };
            for (counter, limit) in [(a, b), (b, a)] {
                if let Some(down) = self.steps_by_one(of, counter)
                    && self.is_fixed(limit)
                {
                    found.push(Unequal { equal, counter, limit, down });
                }
            }
        }
        found
    }

    /// Whether an expression is a variable of the loop, or one and a constant, that goes in steps
    /// of one: whether down.
    fn steps_by_one(&self, of: LoopId, counter: ExprId) -> Option<bool> {
        let kernel = self.analysis.kernel;
        let is_constant = |id: ExprId| kernel.exprs.as_const(id).is_some();
        let moved = if let ExprKind::Binary(BinOp::Add, _, a, b) = kernel[counter].kind {
            [(a, b), (b, a)].into_iter().find(|it| is_constant(it.1)).map(|it| it.0)
        } else {
            None
        };
        let ExprKind::Var(var) = kernel[moved.unwrap_or(counter)].kind else { return None };
        if kernel[var].of != of {
            return None;
        }
        let Evolution::Add(step, _) = self.analysis.evolution(var) else { return None };
        // A wider step is cut to the variable's width.
        let width = kernel[var].width;
        let step = mask(kernel.exprs.as_const(step)?, width);
        (step == 1).then_some(false).or((step == mask(u128::MAX, width)).then_some(true))
    }

    /// Whether an expression is made of what the launch gives alone, so that it is the same in each
    /// iteration.
    fn is_fixed(&self, expr: ExprId) -> bool {
        let kernel = self.analysis.kernel;
        let mut seen = FxHashSet::default();
        let mut work = vec![expr];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match kernel[id].kind.value_from() {
                ValueFrom::Launch | ValueFrom::Operands => {
                    kernel.exprs.for_each_operand(id, |operand| work.push(operand));
                }
                ValueFrom::Var(_)
                | ValueFrom::Exit(..)
                | ValueFrom::Result(..)
                | ValueFrom::Nothing
                | ValueFrom::Analysis(_) => return false,
            }
        }
        true
    }
}
