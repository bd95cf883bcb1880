//! Small instances: the query with launch sizes and parameters fixed to a few small values.
//!
//! **Answers** only that a model exists: a small instance of a race is a race. Products of symbols,
//! hopeless for bits in full, become products by constants.

use heddle_ir::{BinOp, ExprId, ExprKind};
use rustc_hash::FxHashSet;

use crate::bits::{self, Found, Values};
use crate::model::{Model, is_leaf};
use crate::problem::{Problem, Simplified, leaves_of};
use crate::query::Budget;
use crate::ranges::Known;

/// Values to try for a leaf that the query gives none for.
const TRIED: [u128; 8] = [2, 4, 1, 3, 8, 16, 32, 0];

/// The instances of one problem, and how far they were tried.
pub(crate) struct Instances<'a> {
    budget: &'a Budget,
    leaves: Vec<ExprId>,
    chosen: Vec<Vec<u128>>,
    tried: usize,
}

impl<'a> Instances<'a> {
    pub(crate) fn of(problem: &Problem, budget: &'a Budget) -> Instances<'a> {
        let sizes = sizes(problem);
        let most = sizes.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        let mut chosen: Vec<Vec<u128>> = Vec::new();
        for (at, skew) in (0..most).flat_map(|at| [(at, 0), (at, 1)]) {
            // Round by round the n-th value of each; skewed, so that sizes also differ from each other.
            let pick = |(leaf, (_, values)): (usize, &(ExprId, Vec<u128>))| {
                values[(at + skew * leaf) % values.len()]
            };
            let values: Vec<u128> = sizes.iter().enumerate().map(pick).collect();
            if !chosen.contains(&values) {
                chosen.push(values);
            }
        }
        let leaves = sizes.into_iter().map(|(leaf, _)| leaf).collect();
        Instances { budget, leaves, chosen, tried: 0 }
    }

    /// The first model that is accepted, among the instances up to the n-th.
    pub(crate) fn search(
        &mut self,
        problem: &Problem,
        upto: u32,
        accept: &mut impl FnMut(&Problem, &Values) -> Option<Model>,
    ) -> Option<Model> {
        let end = self.chosen.len().min(upto.min(self.budget.instances) as usize);
        while self.tried < end {
            let values = &self.chosen[self.tried];
            self.tried += 1;
            let mut instance = problem.clone();
            if !fix(&mut instance, &self.leaves, values) {
                continue;
            }
            let clauses = self.budget.clauses / 4;
            let conflicts = self.budget.instance_conflicts;
            if let Found::Model(values) = bits::search(&mut instance, &[], clauses, conflicts)
                && let Some(model) = accept(&instance, &values)
            {
                return Some(model);
            }
        }
        None
    }
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

/// Larger values, tried after those the query names: an instance can be too small for its race.
const LARGER: [u128; 4] = [16, 64, 1024, u128::MAX];

/// The leaves to fix: those the query names, then those that make it non-linear; where there are none,
/// the widest that is divided, at the ends of its range.
fn sizes(problem: &Problem) -> Vec<(ExprId, Vec<u128>)> {
    let mut mentioned = FxHashSet::default();
    let mut nonlinear = Vec::new();
    let mut divided = FxHashSet::default();
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
                BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                    divided.extend(leaves_of(pool, *a));
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
        .map(|(leaf, values)| (*leaf, values.iter().copied().chain(LARGER).collect()))
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
    if sizes.is_empty() {
        let mut divided: Vec<ExprId> = divided.into_iter().collect();
        divided.sort();
        let widest =
            divided.into_iter().max_by_key(|&leaf| problem.ranges.clone().of(pool, leaf).hi);
        sizes.extend(widest.map(|leaf| (leaf, vec![u128::MAX, 0, 1 << 16])));
    }
    sizes
}
