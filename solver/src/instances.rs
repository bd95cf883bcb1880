//! Small instances: the query with launch sizes and parameters fixed to a few values.
//!
//! **Answers** only that a model exists: a small instance of a race is a race. Products of symbols,
//! hopeless for bits in full, become products by constants. Two kinds take turns: all sizes fixed,
//! which makes the witness small, and only those that make the query non-linear, which finds races
//! that need an odd launch.

use heddle_ir::{BinOp, ExprId, ExprKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::{self, Found, Values};
use crate::model::{Model, is_leaf};
use crate::problem::{Problem, Simplified, leaves_of};
use crate::query::Budget;
use crate::ranges::Known;

/// Values to try for a leaf, after those the query names.
const TRIED: [u128; 9] = [2, 4, 1, 3, 16, 64, 7, 1024, u128::MAX];

/// A leaf and the values it is fixed to, in turn.
type Size = (ExprId, Vec<u128>);

/// The instances of one problem, and how far they were tried.
pub(crate) struct Instances<'a> {
    budget: &'a Budget,
    plans: Vec<Vec<(ExprId, u128)>>,
    tried: usize,
    /// What the instances so far cost; one that is too large or too hard costs several.
    spent: u32,
}

/// What an instance costs that fills the clause budget, or spends its conflicts, where the others
/// cost one.
const COST_OF_LARGE: u32 = 6;
const COST_OF_HARD: u32 = 3;

impl<'a> Instances<'a> {
    pub(crate) fn of(problem: &Problem, budget: &'a Budget) -> Instances<'a> {
        let Sizes { all, factors } = sizes(problem);
        let mut plans: Vec<Vec<(ExprId, u128)>> = Vec::new();
        let rounds = all.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
        for round in 0..rounds {
            for (sizes, skew) in
                [(&all, 0), (&factors, 0), (&factors, 1), (&all, 1), (&factors, -1)]
            {
                // Skewed, sizes also differ from each other, one way and the other.
                let value = |at: usize, values: &[u128]| {
                    let index =
                        (round as isize + skew * at as isize).rem_euclid(values.len() as isize);
                    values[index as usize]
                };
                let plan: Vec<(ExprId, u128)> = sizes
                    .iter()
                    .enumerate()
                    .map(|(at, (leaf, values))| (*leaf, value(at, values)))
                    .collect();
                if !plan.is_empty() && !plans.contains(&plan) {
                    plans.push(plan);
                }
            }
        }
        Instances { budget, plans, tried: 0, spent: 0 }
    }

    /// The first model that is accepted, among the instances up to the n-th.
    pub(crate) fn search(
        &mut self,
        problem: &Problem,
        upto: u32,
        accept: &mut impl FnMut(&Problem, &Values) -> Option<Model>,
    ) -> Option<Model> {
        let end = self.plans.len().min(upto.min(self.budget.instances) as usize);
        while self.tried < end && self.spent < self.budget.instances && !self.budget.fuel.is_empty()
        {
            let plan = &self.plans[self.tried];
            self.tried += 1;
            let mut instance = problem.clone();
            if !fix(&mut instance, plan) {
                continue;
            }
            let clauses = self.budget.clauses / 4;
            let conflicts = self.budget.instance_conflicts;
            self.spent += match bits::search(&mut instance, &[], clauses, conflicts) {
                Found::Model(values) => match accept(&instance, &values) {
                    Some(model) => return Some(model),
                    None => 1,
                },
                Found::Nothing => 1,
                Found::TooHard => COST_OF_HARD,
                Found::TooLarge => COST_OF_LARGE,
            };
        }
        None
    }
}

/// Fixes leaves one after the other, each to the value wanted or, where that is impossible, to the
/// nearest that ranges allow. `false` where nothing is left.
fn fix(instance: &mut Problem, plan: &[(ExprId, u128)]) -> bool {
    for &(leaf, value) in plan {
        let known = instance.ranges.of(&instance.pool, leaf);
        let value = Known::constant(value.clamp(known.lo, known.hi), known.width);
        if instance.ranges.bound(&instance.pool, leaf, &value, 0).is_err() {
            return false;
        }
    }
    instance.simplify() == Simplified::Open
}

struct Sizes {
    /// What the query names and what makes it non-linear; where there is neither, the widest leaf
    /// that is divided.
    all: Vec<Size>,
    /// What makes it non-linear.
    factors: Vec<Size>,
}

fn sizes(problem: &Problem) -> Sizes {
    let shape = Shape::of(problem);
    let mut all: Vec<Size> = problem
        .small
        .iter()
        .filter(|(leaf, _)| shape.leaves.contains(leaf))
        .map(|(leaf, values)| (*leaf, values.iter().copied().chain(TRIED).collect()))
        .collect();
    let mut factors: Vec<Size> = Vec::new();
    for leaf in shape.linearising(problem) {
        let named = all.iter().find(|(it, _)| *it == leaf);
        let size = named.cloned().unwrap_or((leaf, TRIED.to_vec()));
        if named.is_none() {
            all.push(size.clone());
        }
        factors.push(size);
    }
    if all.is_empty() {
        let mut ranges = problem.ranges.clone();
        let widest = shape.divided.into_iter().max_by_key(|&it| ranges.of(&problem.pool, it).hi);
        all.extend(widest.map(|leaf| (leaf, vec![u128::MAX, 0, 1 << 16])));
    }
    Sizes { all, factors }
}

/// Where the unknowns of a problem stand.
#[derive(Default)]
struct Shape {
    leaves: FxHashSet<ExprId>,
    /// Factors of products of unknowns; a divisor and a shift amount count as both factors.
    products: Vec<[ExprId; 2]>,
    /// Leaves under a division, in order.
    divided: Vec<ExprId>,
}

impl Shape {
    fn of(problem: &Problem) -> Shape {
        let mut shape = Shape::default();
        let pool = &problem.pool;
        let mut seen = FxHashSet::default();
        let mut stack: Vec<ExprId> = problem.facts.clone();
        stack.extend(problem.ranges.assumed().iter().map(|(expr, _)| *expr));
        while let Some(expr) = stack.pop() {
            if !seen.insert(expr) {
                continue;
            }
            let kind = &pool[expr].kind;
            if is_leaf(kind) {
                shape.leaves.insert(expr);
                continue;
            }
            if let ExprKind::Binary(op, _, a, b) = *kind {
                let unknown = |expr: ExprId| pool.as_const(expr).is_none();
                match op {
                    BinOp::Mul if unknown(a) && unknown(b) => shape.products.push([a, b]),
                    BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem | BinOp::Shl
                        if unknown(b) =>
                    {
                        shape.products.push([b, b]);
                    }
                    BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                        shape.divided.extend(leaves_of(pool, a));
                    }
                    _ => {}
                }
            }
            pool.for_each_operand(expr, |operand| stack.push(operand));
        }
        shape.divided.sort();
        shape.divided.dedup();
        shape
    }

    /// Leaves that, once fixed, leave no product of unknowns: of each product the side with the
    /// fewest still free, and of those the one in most products.
    fn linearising(&self, problem: &Problem) -> Vec<ExprId> {
        let sides = |side: &ExprId| {
            let mut leaves: Vec<ExprId> = leaves_of(&problem.pool, *side).into_iter().collect();
            leaves.sort();
            leaves
        };
        let products: Vec<[Vec<ExprId>; 2]> =
            self.products.iter().map(|[a, b]| [sides(a), sides(b)]).collect();
        let mut uses: FxHashMap<ExprId, usize> = FxHashMap::default();
        for leaf in products.iter().flatten().flatten() {
            *uses.entry(*leaf).or_default() += 1;
        }
        let mut chosen: Vec<ExprId> = Vec::new();
        for product in &products {
            let best = product
                .iter()
                .map(|side| side.iter().filter(|it| !chosen.contains(it)).copied().collect())
                .min_by_key(|free: &Vec<ExprId>| {
                    let used: usize = free.iter().map(|leaf| uses[leaf]).sum();
                    (free.len(), usize::MAX - used)
                });
            chosen.extend(best.into_iter().flatten());
        }
        chosen
    }
}
