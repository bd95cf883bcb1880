//! Conjunctions and disjunctions of predicates that stay small.
//!
//! The expression pool folds what two handles show at once. Control flow gives more than that: the conditions that
//! meet at a join share most of what led to them, and one often starts with the opposite of the other. Both functions
//! here look at the conjuncts of their operands. What they return is equal to the plain `and`/`or` for every value.

use heddle_ir::{BinOp, ExprId, ExprKind, ExprPool};

/// More conjuncts than this are not compared with each other.
const LIMIT: usize = 32;

/// `a & b`, without what `a` already says.
pub(super) fn both(pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
    let (left, mut right) = (conjuncts(pool, a), conjuncts(pool, b));
    if left.len() + right.len() > LIMIT {
        return pool.and(a, b);
    }
    for &known in &left {
        let opposite = pool.not(known);
        if right.contains(&opposite) {
            return pool.falsity();
        }
        right.retain(|&c| c != known);
    }
    right.into_iter().fold(a, |all, c| pool.and(all, c))
}

/// `a | b`, with what both say taken out, and `x | (!x & y)` as `x | y`.
pub(super) fn either(pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
    let (mut left, mut right) = (conjuncts(pool, a), conjuncts(pool, b));
    if left.len() + right.len() > LIMIT {
        return pool.or(a, b);
    }
    let common: Vec<ExprId> = left.iter().copied().filter(|c| right.contains(c)).collect();
    left.retain(|c| !common.contains(c));
    right.retain(|c| !common.contains(c));
    let (only_left, only_right) = (single(&left), single(&right));
    if let Some(x) = only_left {
        let opposite = pool.not(x);
        right.retain(|&c| c != opposite);
    }
    if let Some(x) = only_right {
        let opposite = pool.not(x);
        left.retain(|&c| c != opposite);
    }
    let (x, y) = (conjunction(pool, &left), conjunction(pool, &right));
    let rest = if pool.not(x) == y { pool.truth() } else { pool.or(x, y) };
    let shared = conjunction(pool, &common);
    pool.and(shared, rest)
}

fn single(terms: &[ExprId]) -> Option<ExprId> {
    match terms {
        [only] => Some(*only),
        _ => None,
    }
}

/// The disjunction of all of these; false of none.
pub(super) fn any(pool: &mut ExprPool, all: impl IntoIterator<Item = ExprId>) -> ExprId {
    let mut terms: Vec<ExprId> = all.into_iter().collect();
    // Neighbours first: arms of one branch stand next to each other.
    while terms.len() > 1 {
        let pairs = terms.chunks(2).map(|pair| match *pair {
            [a, b] => either(pool, a, b),
            _ => pair[0],
        });
        terms = pairs.collect();
    }
    terms.pop().unwrap_or_else(|| pool.falsity())
}

fn conjunction(pool: &mut ExprPool, terms: &[ExprId]) -> ExprId {
    let truth = pool.truth();
    terms.iter().fold(truth, |all, &c| pool.and(all, c))
}

/// The operands of a tree of `and`s, in order.
fn conjuncts(pool: &ExprPool, of: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut work = vec![of];
    while let Some(at) = work.pop() {
        match pool[at].kind {
            ExprKind::Binary(BinOp::And, _, a, b) if found.len() + work.len() <= LIMIT => {
                work.push(b);
                work.push(a);
            }
            ExprKind::Const(1) => {}
            _ if found.contains(&at) => {}
            _ => found.push(at),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> (ExprPool, ExprId, ExprId, ExprId) {
        let mut pool = ExprPool::new();
        let (a, b, c) = (pool.param(0, 1), pool.param(1, 1), pool.param(2, 1));
        (pool, a, b, c)
    }

    #[test]
    fn a_short_circuit_is_a_disjunction() {
        let (mut pool, a, b, p) = three();
        let (na, nb) = (pool.not(a), pool.not(b));
        let direct = both(&mut pool, p, na);
        let second = both(&mut pool, p, a);
        let second = both(&mut pool, second, nb);
        let joined = either(&mut pool, direct, second);
        let expected = pool.or(na, nb);
        assert_eq!(joined, pool.and(p, expected));
    }

    #[test]
    fn arms_of_nested_branches_join_to_the_outer_predicate() {
        let (mut pool, a, b, p) = three();
        let (na, nb) = (pool.not(a), pool.not(b));
        let (pa, pna) = (both(&mut pool, p, a), both(&mut pool, p, na));
        let (pab, panb) = (both(&mut pool, pa, b), both(&mut pool, pa, nb));
        assert_eq!(any(&mut pool, [pab, panb, pna]), p);
        assert_eq!(any(&mut pool, [pna, pab, panb]), p);
    }

    #[test]
    fn what_is_known_is_not_said_twice() {
        let (mut pool, a, b, _) = three();
        let ab = both(&mut pool, a, b);
        assert_eq!(both(&mut pool, ab, a), ab);
        let na = pool.not(a);
        assert_eq!(both(&mut pool, ab, na), pool.falsity());
    }
}
