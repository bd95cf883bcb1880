//! Cases of the signs of divisors: above zero, zero, below zero.
//!
//! **Answers** only that a problem has no solution.
//! **What**: sizes are signed numbers in most programs, and what a kernel divides by them is a
//! different function for each sign. Algebra reads a signed division only where the signs are
//! known, as they are in each case.
//! **Method**: the leaves that signed divisors are made of are bounded to each sign in turn; each
//! case is simplified and looked at by algebra. The case of positive sizes comes first; where it is
//! left open no other is looked at.
//! **Sound because** the cases cover all values of a leaf, and each case is the problem with one
//! more bound.
//! **Misses**: divisors of more than [`MOST_LEAVES`] leaves of open sign; dividends of open sign.
//! **Assumes**: nothing.

use heddle_ir::{BinOp, ExprId, ExprKind, ExprPool, UnOp};
use rustc_hash::FxHashSet;

use crate::algebra::{self, Effort};
use crate::model::is_leaf;
use crate::problem::{Problem, Simplified};
use crate::query::Budget;
use crate::ranges::Known;

/// Leaves of open sign at most; each has three cases.
const MOST_LEAVES: usize = 4;

/// By how much the budget of a case is smaller than that of the question.
const PART: u32 = 8;

/// Whether the problem is refuted in each case.
pub(crate) fn refutes(problem: &Problem, budget: &Budget) -> bool {
    let OpenSigns { divisors, mut all } = open_signs(problem);
    if divisors.is_empty() || divisors.len() > MOST_LEAVES {
        return false;
    }
    if all.len() > MOST_LEAVES {
        all = divisors;
    }
    each_case(problem.clone(), &all, &budget.divided(PART))
}

/// Whether all cases of these leaves are refuted, those of the first one first.
fn each_case(mut problem: Problem, leaves: &[ExprId], budget: &Budget) -> bool {
    if budget.fuel.is_empty() {
        return false;
    }
    let Some((&leaf, others)) = leaves.split_first() else {
        return algebra::refutes(&mut problem, Effort::Quick, budget)
            || algebra::refutes(&mut problem, Effort::Full, budget);
    };
    let width = problem.pool.width(leaf);
    let most = Known::top(width);
    [(1, most.shi), (0, 0), (most.slo, -1)].into_iter().all(|(lo, hi)| {
        let mut case = problem.clone();
        let bound = Known::signed(lo, hi, width);
        let open = bound
            .is_some_and(|bound| case.ranges.bound(&case.pool, leaf, &bound, 0).is_ok())
            && case.simplify() == Simplified::Open;
        // A leaf that an equality replaced has no cases left of its own.
        !open || each_case(case, others, budget)
    })
}

/// Leaves of open sign, in order.
struct OpenSigns {
    /// Those that signed divisors are made of.
    divisors: Vec<ExprId>,
    /// And those that anything is multiplied by.
    all: Vec<ExprId>,
}

fn open_signs(problem: &Problem) -> OpenSigns {
    let pool = &problem.pool;
    let mut ranges = problem.ranges.clone();
    let mut seen = FxHashSet::default();
    let (mut divisors, mut all) = (Vec::new(), Vec::new());
    let mut work: Vec<ExprId> = problem.facts.clone();
    work.extend(problem.ranges.assumed().iter().map(|(expr, _)| *expr));
    while let Some(expr) = work.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match pool[expr].kind {
            ExprKind::Binary(BinOp::SDiv | BinOp::SRem, _, _, by) => {
                factors(pool, by, &mut divisors);
            }
            ExprKind::Binary(BinOp::Mul, ..) => factors(pool, expr, &mut all),
            _ => {}
        }
        pool.for_each_operand(expr, |operand| work.push(operand));
    }
    all.extend(&divisors);
    for found in [&mut divisors, &mut all] {
        found.sort_unstable();
        found.dedup();
        found.retain(|leaf| {
            let known = ranges.of(pool, *leaf);
            known.width > 1 && known.slo < 0 && known.shi >= 0
        });
    }
    OpenSigns { divisors, all }
}

/// The leaves of a product. A factor that stands in it several times (a square of a square) is
/// looked at once.
fn factors(pool: &ExprPool, product: ExprId, found: &mut Vec<ExprId>) {
    let mut seen = FxHashSet::default();
    let mut work = vec![product];
    while let Some(expr) = work.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match pool[expr].kind {
            ExprKind::Const(_) => {}
            ref kind if is_leaf(kind) => found.push(expr),
            ExprKind::Binary(BinOp::Mul | BinOp::Shl, _, a, b) => work.extend([a, b]),
            ExprKind::Cast(_, a) | ExprKind::Unary(UnOp::Neg, a) => work.push(a),
            _ => {}
        }
    }
}
