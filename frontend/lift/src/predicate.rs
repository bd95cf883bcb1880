//! Conjunctions and disjunctions of predicates that stay small.
//!
//! The expression pool folds what two handles show at once. Control flow gives more than that: the
//! conditions that meet at a join share most of what led to them, and one often starts with the
//! opposite of the other. Both functions here look at the conjuncts of their operands. What they
//! return is equal to the plain `and`/`or` for every value.

use heddle_ir::{BinOp, ExprId, ExprKind, ExprPool, UnOp};

/// More conjuncts than this are not compared with each other.
const LIMIT: usize = 32;

/// `a & b`, without what `a` already says.
pub(super) fn both(pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
    let (left, right) = (conjuncts(pool, a), conjuncts(pool, b));
    if left.len() + right.len() > LIMIT {
        return pool.and(a, b);
    }
    let mut all = a;
    for term in right {
        let rest = given(pool, &left, term, DEPTH);
        all = pool.and(all, rest);
    }
    all
}

/// How deep into a term the known conjuncts are looked for.
const DEPTH: u32 = 6;

/// `term`, where all of `known` hold.
fn given(pool: &mut ExprPool, known: &[ExprId], term: ExprId, depth: u32) -> ExprId {
    if known.contains(&term) {
        return pool.truth();
    }
    let opposite = pool.not(term);
    if known.contains(&opposite) {
        return pool.falsity();
    }
    if depth == 0 || pool.width(term) != 1 {
        return term;
    }
    match pool[term].kind {
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or), _, x, y) => {
            let (left, right) =
                (given(pool, known, x, depth - 1), given(pool, known, y, depth - 1));
            if (left, right) == (x, y) { term } else { pool.binary(op, left, right) }
        }
        ExprKind::Unary(UnOp::Not, x) => {
            let inner = given(pool, known, x, depth - 1);
            if inner == x { term } else { pool.not(inner) }
        }
        _ => term,
    }
}

/// `e == k`, where a choice between constants is a choice between truths.
pub(super) fn equals(pool: &mut ExprPool, e: ExprId, k: ExprId, depth: u32) -> ExprId {
    if let (ExprKind::Select(c, a, b), true) = (&pool[e].kind, depth > 0) {
        let (c, a, b) = (*c, *a, *b);
        if chooses_constants(pool, a) || chooses_constants(pool, b) {
            let (x, y) = (equals(pool, a, k, depth - 1), equals(pool, b, k, depth - 1));
            return match (pool.as_const(x), pool.as_const(y)) {
                (None, Some(0)) => both(pool, c, x),
                (Some(0), None) => {
                    let not = pool.not(c);
                    both(pool, not, y)
                }
                _ => pool.select(c, x, y),
            };
        }
    }
    pool.eq(e, k)
}

/// Whether a call by the address `e` calls the function at `k`: of an address that is chosen among
/// functions, the choice says so. Two functions that the linker merged do the same, and count as
/// two.
pub(super) fn is_callee(pool: &mut ExprPool, e: ExprId, k: ExprId, depth: u32) -> ExprId {
    let symbol = |it: ExprId| pool.as_function_address(it);
    if let (Some(chosen), Some(asked)) = (symbol(e), symbol(k)) {
        let is_it = chosen == asked;
        return pool.constant(u128::from(is_it), 1);
    }
    match pool[e].kind {
        ExprKind::Select(c, a, b) if depth > 0 => {
            let (a, b) = (is_callee(pool, a, k, depth - 1), is_callee(pool, b, k, depth - 1));
            pool.select(c, a, b)
        }
        _ => pool.eq(e, k),
    }
}

fn chooses_constants(pool: &ExprPool, e: ExprId) -> bool {
    match pool[e].kind {
        ExprKind::Const(_) => true,
        ExprKind::Select(_, a, b) => pool.as_const(a).is_some() || pool.as_const(b).is_some(),
        _ => false,
    }
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
    let rest = if opposite(pool, x, y, DEPTH) { pool.truth() } else { pool.or(x, y) };
    let shared = conjunction(pool, &common);
    pool.and(shared, rest)
}

/// Whether one is the complement of the other, as far as their form shows.
fn opposite(pool: &mut ExprPool, x: ExprId, y: ExprId, depth: u32) -> bool {
    if pool.not(x) == y {
        return true;
    }
    let parts = |pool: &ExprPool, e: ExprId| match pool[e].kind {
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or), _, a, b) => Some((op, a, b)),
        _ => None,
    };
    let (Some((one, a, b)), Some((other, c, d))) = (parts(pool, x), parts(pool, y)) else {
        return false;
    };
    if one == other || depth == 0 {
        return false;
    }
    let mut agree = |a, c, b, d| opposite(pool, a, c, depth - 1) && opposite(pool, b, d, depth - 1);
    agree(a, c, b, d) || agree(a, d, b, c)
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
    fn a_choice_of_constants_is_asked_by_its_conditions() {
        let (mut pool, a, b, _) = three();
        let (na, nb) = (pool.not(a), pool.not(b));
        let [one, two, three] = [1, 2, 3].map(|c| pool.constant(c, 32));
        let inner = pool.select(b, two, three);
        let choice = pool.select(a, one, inner);
        assert_eq!(equals(&mut pool, choice, one, 8), a);
        assert_eq!(equals(&mut pool, choice, two, 8), pool.and(na, b));
        let third = equals(&mut pool, choice, three, 8);
        assert_eq!(third, pool.and(na, nb));
        // What is left when none of the three is taken.
        let mut none = pool.truth();
        for k in [one, two, three] {
            let taken = equals(&mut pool, choice, k, 8);
            let not = pool.not(taken);
            none = both(&mut pool, none, not);
        }
        assert_eq!(none, pool.falsity());
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
