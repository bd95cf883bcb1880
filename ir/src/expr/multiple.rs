//! Whether a value is plainly a multiple of a number.
//!
//! **Promises**: where it says so, it is one, modulo 2 to the power of the width. **Does not**: ask
//! anything that the expression does not show.

use super::{BinOp, CastOp, ExprId, ExprKind, ExprPool};

/// Parts of an expression that are looked at for a factor; what is used twice counts twice.
const MOST_PARTS: u32 = 512;

impl ExprPool {
    /// Whether the value is plainly a multiple of `n`, modulo 2 to the power of its width where `n`
    /// is itself a power of two; for other `n` only constants are.
    pub fn is_multiple_of(&self, id: ExprId, n: u128) -> bool {
        self.is_multiple_within(id, n, &mut { MOST_PARTS })
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not listed is not known to be a multiple"
    )]
    fn is_multiple_within(&self, id: ExprId, n: u128, left: &mut u32) -> bool {
        let Some(fewer) = left.checked_sub(1) else { return false };
        *left = fewer;
        let power = n.is_power_of_two();
        let mut is = |id: ExprId| self.is_multiple_within(id, n, left);
        match &self[id].kind {
            ExprKind::Const(value) => value % n == 0,
            _ if n == 1 => true,
            _ if !power => false,
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor, _, a, b) => {
                is(*a) && is(*b)
            }
            ExprKind::Binary(BinOp::Mul | BinOp::And, _, a, b) => is(*a) || is(*b),
            ExprKind::Binary(BinOp::Shl, _, a, b) => {
                is(*a) || self.as_const(*b).is_some_and(|by| by >= u128::from(n.trailing_zeros()))
            }
            ExprKind::Select(_, a, b) => is(*a) && is(*b),
            ExprKind::Cast(CastOp::Zext | CastOp::Sext, a) => is(*a),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of an expression over one parameter.
    fn value(pool: &ExprPool, id: ExprId, param: u128) -> u128 {
        match pool[id].kind {
            ExprKind::Const(it) => it,
            ExprKind::Param(_) => param,
            ExprKind::Binary(op, _, a, b) => {
                let [a, b] = [a, b].map(|it| value(pool, it, param));
                crate::fold_binary(op, a, b, pool.width(id))
            }
            ExprKind::Unary(op, a) => crate::fold_unary(op, value(pool, a, param), pool.width(id)),
            ref other => panic!("no such expression is built here: {other:?}"),
        }
    }

    #[test]
    fn what_is_called_a_multiple_is_one_for_each_number() {
        let ops =
            [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Shl];
        let (mut multiples, mut masked) = (0, 0);
        for (first, second) in ops.into_iter().flat_map(|it| ops.map(|other| (it, other))) {
            for (c, d) in (0..16_u128).flat_map(|it| (0..16_u128).map(move |other| (it, other))) {
                let mut pool = ExprPool::new();
                let (param, c, d) = (pool.param(0, 4), pool.constant(c, 4), pool.constant(d, 4));
                let inner = pool.binary(first, param, c);
                let whole = pool.binary(second, inner, d);
                for n in [2, 4, 8] {
                    if pool.is_multiple_of(whole, n) {
                        assert!(
                            (0..16).all(|it| value(&pool, whole, it).is_multiple_of(n)),
                            "{first} {second}"
                        );
                        multiples += 1;
                        masked += u32::from(second == BinOp::And);
                    }
                }
            }
        }
        assert!(multiples > 1_000 && masked > 100, "{multiples} and {masked}");
    }
}
