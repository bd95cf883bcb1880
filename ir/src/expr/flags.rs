//! Expressions without what their flags promise.
//!
//! **Promise**: the result computes the same numbers where the promises hold, and what the machine
//! computes where they do not. **Does not**: bring back what was simplified by a promise before.

use rustc_hash::FxHashMap;

use super::{ExprId, ExprKind, ExprPool};

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
                // What a function makes of it is a leaf here.
                let plain = match self[at].kind {
                    ExprKind::Pure(..) => at,
                    _ => self.rebuilt(at, &|it| done[&it]),
                };
                done.insert(at, plain);
            }
        }
        done[&id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BinOp, CastOp, NoWrap, Special};

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
