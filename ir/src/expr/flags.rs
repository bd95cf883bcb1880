//! Expressions without what their flags promise.
//!
//! **Promise**: the result computes the same numbers where the promises hold, and what the machine
//! computes where they do not. **Does not**: bring back what was simplified by a promise before.

use rustc_hash::FxHashMap;

use super::{ExprId, ExprKind, ExprPool, NoWrap};

impl ExprPool {
    /// The expression with wrap-around in each of its operators.
    pub fn without_flags(&mut self, id: ExprId) -> ExprId {
        let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut work = vec![id];
        while let Some(&at) = work.last() {
            if done.contains_key(&at) {
                work.pop();
                continue;
            }
            let before = work.len();
            self.for_each_operand(at, |it| {
                if !done.contains_key(&it) {
                    work.push(it);
                }
            });
            if work.len() == before {
                work.pop();
                let plain = self.rebuilt_without_flags(at, &done);
                done.insert(at, plain);
            }
        }
        done[&id]
    }

    fn rebuilt_without_flags(&mut self, at: ExprId, done: &FxHashMap<ExprId, ExprId>) -> ExprId {
        let width = self.width(at);
        match self[at].kind.clone() {
            ExprKind::Binary(op, _, a, b) => {
                self.binary_flagged(op, NoWrap::NONE, done[&a], done[&b])
            }
            ExprKind::Unary(op, a) => self.unary(op, done[&a]),
            ExprKind::Cmp(op, a, b) => self.cmp(op, done[&a], done[&b]),
            ExprKind::Select(c, a, b) => self.select(done[&c], done[&a], done[&b]),
            ExprKind::Cast(op, a) => self.cast(op, done[&a], width),
            // What a loop or a function makes of it is a leaf here.
            ExprKind::Exit(..)
            | ExprKind::Pure(..)
            | ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_) => at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BinOp, CastOp, Special};

    #[test]
    fn flags_go_wherever_they_stand() {
        let mut pool = ExprPool::default();
        let (x, three) = (pool.special(Special::Tid(0)), pool.constant(3, 32));
        let build = |pool: &mut ExprPool, flags| {
            let sum = pool.binary_flagged(BinOp::Add, flags, x, three);
            let product = pool.binary_flagged(BinOp::Mul, flags, sum, x);
            pool.cast(CastOp::Trunc, product, 8)
        };
        let flagged = build(&mut pool, NoWrap::BOTH);
        let plain = build(&mut pool, NoWrap::NONE);
        assert_ne!(flagged, plain);
        assert_eq!(pool.without_flags(flagged), plain);
        assert_eq!(pool.without_flags(plain), plain);
    }
}
