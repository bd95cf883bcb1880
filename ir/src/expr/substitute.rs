//! Expressions with other expressions in the place of symbols.
//!
//! **Promise**: the result is what the machine computes of the expression, wrap-around included,
//! once each symbol has the value of what stands for it. Flags are gone wherever they stand, but
//! below what is `kept`. **Does not**: look into what a loop computes ([`ExprKind::Exit`]).

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ExprId, ExprKind, ExprPool, NoWrap};

impl ExprPool {
    /// The expression with `of` in the place of its keys, without what flags promise. Of `kept`,
    /// what has none of the keys below stays as it is.
    pub fn substituted(
        &mut self,
        id: ExprId,
        of: &FxHashMap<ExprId, ExprId>,
        kept: &FxHashSet<ExprId>,
    ) -> ExprId {
        // What each expression becomes, and whether a key is below.
        let mut done: FxHashMap<ExprId, (ExprId, bool)> = FxHashMap::default();
        let mut work = vec![id];
        while let Some(&at) = work.last() {
            if done.contains_key(&at) {
                work.pop();
                continue;
            }
            let (before, mut has_key) = (work.len(), false);
            self.for_each_operand(at, |it| match done.get(&it) {
                Some((_, below)) => has_key |= *below,
                None => work.push(it),
            });
            if work.len() > before {
                continue;
            }
            work.pop();
            let new = match of.get(&at) {
                Some(other) => (*other, true),
                None if !has_key && kept.contains(&at) => (at, false),
                None => (self.rebuilt(at, &|it| done[&it].0), has_key),
            };
            done.insert(at, new);
        }
        done[&id].0
    }

    /// The expression with other operands, and with wrap-around.
    pub(crate) fn rebuilt(&mut self, at: ExprId, new: &dyn Fn(ExprId) -> ExprId) -> ExprId {
        let width = self.width(at);
        match self[at].kind.clone() {
            ExprKind::Binary(op, _, a, b) => self.binary_flagged(op, NoWrap::NONE, new(a), new(b)),
            ExprKind::Unary(op, a) => self.unary(op, new(a)),
            ExprKind::Cmp(op, a, b) => self.cmp(op, new(a), new(b)),
            ExprKind::Select(c, a, b) => self.select(new(c), new(a), new(b)),
            ExprKind::Cast(op, a) => self.cast(op, new(a), width),
            ExprKind::Pure(function, args) => {
                let name = self.function_name(function).to_owned();
                let args: Vec<ExprId> = args.iter().map(|it| new(*it)).collect();
                self.pure(&name, &args, width)
            }
            ExprKind::Exit(..)
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
    use crate::{BinOp, Special};

    #[test]
    fn keys_go_and_flags_stay_only_where_they_are_kept() {
        let mut pool = ExprPool::default();
        let x = pool.special(Special::Tid(0));
        let n = pool.param(0, 32);
        let (one, two) = (pool.constant(1, 32), pool.constant(2, 32));
        let sum = pool.binary_flagged(BinOp::Add, NoWrap::BOTH, n, one);
        let product = pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, x, sum);
        let of = [(x, two)].into_iter().collect();
        let kept = [sum, product].into_iter().collect();
        let expected = pool.mul(two, sum);
        assert_eq!(pool.substituted(product, &of, &kept), expected);
        let plain = pool.add(n, one);
        let expected = pool.mul(two, plain);
        assert_eq!(pool.substituted(product, &of, &FxHashSet::default()), expected);
    }

    #[test]
    fn arguments_of_functions_are_looked_into() {
        let mut pool = ExprPool::default();
        let x = pool.special(Special::Tid(0));
        let two = pool.constant(2, 32);
        let value = pool.pure("in.32", &[x], 32);
        let expected = pool.pure("in.32", &[two], 32);
        let of = [(x, two)].into_iter().collect();
        assert_eq!(pool.substituted(value, &of, &FxHashSet::default()), expected);
    }
}
