//! Small instances: the query with launch sizes and parameters fixed to a few small values.
//!
//! **Answers** only that a model exists: a small instance of a race is a race. Products of symbols,
//! hopeless for bits in full, become products by constants.

use heddle_ir::{BinOp, ExprId, ExprKind};
use rustc_hash::FxHashSet;

use crate::bits::{self, Found};
use crate::model::is_leaf;
use crate::problem::{Problem, Simplified, leaves_of};
use crate::query::Budget;
use crate::ranges::Known;

/// Values to try for a leaf that the query gives none for.
const TRIED: [u128; 8] = [2, 4, 1, 3, 8, 16, 32, 0];

/// The first model among small instances, with the problem it is a model of.
pub(crate) fn search(
    problem: &Problem,
    budget: &Budget,
    mut accept: impl FnMut(&Problem, &bits::Values) -> bool,
) -> bool {
    let sizes = sizes(problem);
    if sizes.is_empty() {
        return false;
    }
    let mut seen = FxHashSet::default();
    let mut tried = 0;
    let most = sizes.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let rounds = (0..most).flat_map(|at| [(at, 0), (at, 1)]);
    for (at, skew) in rounds {
        if tried >= budget.instances {
            return false;
        }
        // Round by round the n-th value of each; skewed, so that sizes also differ from each other.
        let chosen: Vec<u128> = sizes
            .iter()
            .enumerate()
            .map(|(leaf, (_, values))| values[(at + skew * leaf) % values.len()])
            .collect();
        if !seen.insert(chosen.clone()) {
            continue;
        }
        tried += 1;
        let mut instance = problem.clone();
        let leaves: Vec<ExprId> = sizes.iter().map(|(leaf, _)| *leaf).collect();
        if !fix(&mut instance, &leaves, &chosen) {
            continue;
        }
        if let Found::Model(values) =
            bits::search(&mut instance, &[], budget.clauses / 4, budget.instance_conflicts)
            && accept(&instance, &values)
        {
            return true;
        }
    }
    false
}

/// Fixes leaves one after the other, each to the value wanted or, where that is impossible, to the
/// nearest that ranges allow. `false` where nothing is left.
fn fix(instance: &mut Problem, leaves: &[ExprId], chosen: &[u128]) -> bool {
    for (&leaf, &value) in leaves.iter().zip(chosen) {
        let known = instance.ranges.of(&instance.pool, leaf);
        let value = Known::constant(value.clamp(known.lo, known.hi), known.width);
        if instance.ranges.bound(&instance.pool, leaf, &value, 0).is_err() {
            return false;
        }
    }
    instance.simplify() == Simplified::Open
}

/// The leaves to fix: those the query names, then those that make it non-linear.
fn sizes(problem: &Problem) -> Vec<(ExprId, Vec<u128>)> {
    let mut mentioned = FxHashSet::default();
    let mut nonlinear = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<ExprId> = problem.facts.clone();
    stack.extend(problem.ranges.assumed().iter().map(|(expr, _)| *expr));
    let pool = &problem.pool;
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        let kind = &pool[expr].kind;
        if is_leaf(kind) {
            mentioned.insert(expr);
            continue;
        }
        if let ExprKind::Binary(op, _, a, b) = kind {
            let unknown = |expr: &ExprId| pool.as_const(*expr).is_none();
            match op {
                BinOp::Mul if unknown(a) && unknown(b) => nonlinear.push((*a, *b)),
                BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem | BinOp::Shl
                    if unknown(b) =>
                {
                    nonlinear.push((*b, *b));
                }
                _ => {}
            }
        }
        pool.for_each_operand(expr, |operand| stack.push(operand));
    }
    let mut sizes: Vec<(ExprId, Vec<u128>)> = problem
        .small
        .iter()
        .filter(|(leaf, values)| mentioned.contains(leaf) && !values.is_empty())
        .cloned()
        .collect();
    for (a, b) in nonlinear {
        let fixed = |leaves: &FxHashSet<ExprId>| {
            leaves.iter().all(|leaf| sizes.iter().any(|(it, _)| it == leaf))
        };
        let (left, right) = (leaves_of(pool, a), leaves_of(pool, b));
        if fixed(&left) || fixed(&right) {
            continue;
        }
        // One constant factor is enough; the simpler one.
        let (small, other) = if left.len() <= right.len() { (left, right) } else { (right, left) };
        let mut missing: Vec<ExprId> =
            small.into_iter().filter(|leaf| !sizes.iter().any(|(it, _)| it == leaf)).collect();
        if missing.is_empty() {
            missing = other.into_iter().collect();
        }
        missing.sort();
        sizes.extend(missing.into_iter().map(|leaf| (leaf, TRIED.to_vec())));
    }
    sizes
}
