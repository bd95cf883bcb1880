//! A query in a pool of its own, simplified until nothing changes.
//!
//! **Promises**: every model of the query is, after [`Problem::eliminated`] is taken into account,
//! a model of the problem; so an unsatisfiable problem is an unsatisfiable query. The other way
//! holds up to poison that a rewrite dropped, which is why models are confirmed on the query
//! itself.
//! **Proves**: contradictions between ranges, known bits, equal terms and single facts.
//! **Does not**: look at several facts at once beyond the ranges they imply.

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, ExprPool, PureId, UnOp};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::Why;
use crate::fuel::Fuel;
use crate::model::is_leaf;
use crate::query::Query;
use crate::ranges::{Contradiction, Known, Ranges};
use crate::rewrite::Rewriter;

/// Rounds of simplification at most; each needs a fact or a bound to have changed.
const ROUNDS: u32 = 8;

/// A query being answered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// Expressions of the problem; not those of the query.
    pub(crate) pool: ExprPool,
    /// Predicates that must hold, besides the bounds assumed in `ranges`. Conjunctions are split.
    pub(crate) facts: Vec<ExprId>,
    /// Bounds that must hold.
    pub(crate) ranges: Ranges,
    /// Leaves that an equality replaced, and by what; later ones may occur in earlier ones.
    pub(crate) eliminated: Vec<(ExprId, ExprId)>,
    /// The facts as they came, for a search that must not lose poison.
    pub(crate) original: Vec<ExprId>,
    /// Leaves of the query, and of the problem.
    pub(crate) leaves: Vec<(ExprId, ExprId)>,
    /// Pure functions of the problem's pool, and what they are in the query's.
    pub(crate) functions: FxHashMap<PureId, PureId>,
    /// Leaves that name the size of the instance, and values to try.
    pub(crate) small: Vec<(ExprId, Vec<u128>)>,
    /// What work on it comes out of.
    pub(crate) fuel: Fuel,
}

/// What simplification came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Simplified {
    /// No values meet the problem.
    Contradiction,
    /// Still open.
    Open,
}

impl Problem {
    /// Copies what a query mentions.
    pub(crate) fn import(pool: &ExprPool, query: &Query) -> Result<Problem, Why> {
        let mut problem = Problem::default();
        let mut memo = FxHashMap::default();
        for &fact in &query.facts {
            if pool.width(fact) != 1 {
                return Err(Why::Malformed(format!("{fact} is not a predicate")));
            }
            let fact = problem.copy(pool, fact, &mut memo);
            problem.facts.push(fact);
        }
        problem.original = problem.facts.clone();
        for &(leaf, lo, hi) in &query.ranges {
            if !is_leaf(&pool[leaf].kind) {
                return Err(Why::Malformed(format!("{leaf} has bounds but is not a leaf")));
            }
            let leaf = problem.copy(pool, leaf, &mut memo);
            let bound = Known::unsigned(lo, hi, problem.pool.width(leaf));
            let met = bound
                .is_some_and(|bound| problem.ranges.bound(&problem.pool, leaf, &bound, 0).is_ok());
            if !met {
                let falsity = problem.pool.falsity();
                problem.facts.push(falsity);
            }
        }
        for (leaf, values) in &query.small {
            // Leaves the facts do not mention have no bearing.
            if let Some(&local) = memo.get(leaf) {
                problem.small.push((local, values.to_vec()));
            }
        }
        Ok(problem)
    }

    fn copy(
        &mut self,
        from: &ExprPool,
        root: ExprId,
        memo: &mut FxHashMap<ExprId, ExprId>,
    ) -> ExprId {
        let mut stack = vec![(root, false)];
        while let Some((expr, ready)) = stack.pop() {
            if memo.contains_key(&expr) {
                continue;
            }
            let node = &from[expr];
            if is_leaf(&node.kind) {
                let copy = self.pool.intern(node.kind.clone(), node.width);
                if self.pool.as_const(copy).is_none() {
                    self.leaves.push((expr, copy));
                }
                memo.insert(expr, copy);
                continue;
            }
            if !ready {
                stack.push((expr, true));
                from.for_each_operand(expr, |operand| stack.push((operand, false)));
                continue;
            }
            let of = |operand: &ExprId| memo[operand];
            let pool = &mut self.pool;
            let copy = match &node.kind {
                ExprKind::Unary(op, a) => pool.unary(*op, of(a)),
                ExprKind::Binary(op, flags, a, b) => pool.binary_flagged(*op, *flags, of(a), of(b)),
                ExprKind::Cmp(op, a, b) => pool.cmp(*op, of(a), of(b)),
                ExprKind::Select(c, a, b) => pool.select(of(c), of(a), of(b)),
                ExprKind::Cast(op, a) => pool.cast(*op, of(a), node.width),
                ExprKind::Pure(function, args) => {
                    let args: Vec<ExprId> = args.iter().map(of).collect();
                    let local = pool.function(from.function_name(*function));
                    self.functions.insert(local, *function);
                    pool.intern(ExprKind::Pure(local, args.into()), node.width)
                }
                ExprKind::Const(_)
                | ExprKind::Special(_)
                | ExprKind::Param(_)
                | ExprKind::Base(_)
                | ExprKind::Var(_)
                | ExprKind::Exit(..)
                | ExprKind::Result(..)
                | ExprKind::Undef(_)
                | ExprKind::Sym(_) => unreachable!("leaves were copied above"),
            };
            memo.insert(expr, copy);
        }
        memo[&root]
    }

    /// The facts as they came, and the equalities that took leaves out of the problem.
    pub(crate) fn original_with_eliminated(&mut self) -> Vec<ExprId> {
        let mut facts = self.original.clone();
        for &(leaf, term) in &self.eliminated {
            facts.push(self.pool.eq(leaf, term));
        }
        facts
    }

    /// Simplifies until nothing changes.
    pub(crate) fn simplify(&mut self) -> Simplified {
        match self.simplify_rounds() {
            Ok(()) => Simplified::Open,
            Err(Contradiction) => Simplified::Contradiction,
        }
    }

    fn simplify_rounds(&mut self) -> Result<(), Contradiction> {
        self.flatten()?;
        for _ in 0..ROUNDS {
            if self.fuel.is_empty() {
                return Ok(());
            }
            self.fuel.take(self.pool.len() as u64);
            let changes = self.ranges.changes();
            self.assume_facts()?;
            let substitution = self.equalities();
            let before = self.facts.clone();
            let substituted = !substitution.is_empty();
            self.rewrite(substitution)?;
            self.flatten()?;
            if !substituted && self.facts == before && self.ranges.changes() == changes {
                return Ok(());
            }
        }
        self.assume_facts()
    }

    /// Bounds from facts, until they settle or a few times over.
    fn assume_facts(&mut self) -> Result<(), Contradiction> {
        for _ in 0..4 {
            let changes = self.ranges.changes();
            for &fact in &self.facts {
                self.ranges.assume(&self.pool, fact, true)?;
            }
            if self.ranges.changes() == changes {
                break;
            }
        }
        Ok(())
    }

    /// Splits conjunctions, drops what is true and what is said twice; makes orders strict.
    fn flatten(&mut self) -> Result<(), Contradiction> {
        let mut seen = FxHashSet::default();
        let mut flat = Vec::with_capacity(self.facts.len());
        let mut stack: Vec<ExprId> = self.facts.iter().rev().copied().collect();
        while let Some(fact) = stack.pop() {
            match self.pool[fact].kind {
                ExprKind::Const(0) => return Err(Contradiction),
                ExprKind::Const(_) => {}
                ExprKind::Binary(BinOp::And, _, a, b) => stack.extend([b, a]),
                ExprKind::Unary(UnOp::Not, inner) => match self.pool[inner].kind {
                    ExprKind::Binary(BinOp::Or, _, a, b) => {
                        let (a, b) = (self.pool.not(a), self.pool.not(b));
                        stack.extend([b, a]);
                    }
                    ExprKind::Binary(BinOp::And, _, a, b) => {
                        let (a, b) = (self.pool.not(a), self.pool.not(b));
                        let either = self.pool.or(a, b);
                        stack.push(either);
                    }
                    _ if seen.insert(fact) => flat.push(fact),
                    _ => {}
                },
                _ if seen.insert(fact) => flat.push(fact),
                _ => {}
            }
        }
        // A fact and its negation.
        for &fact in &flat {
            let negated = self.pool.not(fact);
            if seen.contains(&negated) {
                return Err(Contradiction);
            }
        }
        // At most, and not equal.
        for fact in &mut flat {
            let (strict, a, b) = match self.pool[*fact].kind {
                ExprKind::Cmp(CmpOp::Sle, a, b) => (CmpOp::Slt, a, b),
                ExprKind::Cmp(CmpOp::Ule, a, b) => (CmpOp::Ult, a, b),
                _ => continue,
            };
            let equal = self.pool.eq(a, b);
            let differ = self.pool.not(equal);
            if seen.contains(&differ) {
                *fact = self.pool.cmp(strict, a, b);
            }
        }
        self.facts = flat;
        Ok(())
    }

    /// Leaves that a fact says are equal to something they do not occur in.
    fn equalities(&mut self) -> FxHashMap<ExprId, ExprId> {
        let mut found: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut used: FxHashSet<ExprId> = FxHashSet::default();
        for at in 0..self.facts.len() {
            let (leaf, term) = match self.pool[self.facts[at]].kind {
                ExprKind::Cmp(CmpOp::Eq, a, b) => match self.solve_for_leaf(a, b) {
                    Some(found) => found,
                    None => continue,
                },
                ExprKind::Unary(UnOp::Not, a) if is_leaf(&self.pool[a].kind) => {
                    (a, self.pool.falsity())
                }
                _ if is_leaf(&self.pool[self.facts[at]].kind) => {
                    (self.facts[at], self.pool.truth())
                }
                _ => continue,
            };
            let inside = leaves_of(&self.pool, term);
            let circular = inside.contains(&leaf)
                || used.contains(&leaf)
                || found.contains_key(&leaf)
                || inside.iter().any(|it| found.contains_key(it));
            if circular {
                continue;
            }
            used.extend(inside);
            found.insert(leaf, term);
            self.eliminated.push((leaf, term));
        }
        found
    }

    /// `a == b` as `leaf == term`, for a leaf alone or with something added.
    fn solve_for_leaf(&mut self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        let named: Vec<ExprId> = self.small.iter().map(|(leaf, _)| *leaf).collect();
        let free = |pool: &ExprPool, expr: ExprId| {
            is_leaf(&pool[expr].kind) && pool.as_const(expr).is_none()
        };
        // Sizes of the instance stay where something else can go.
        let (x, y) = if named.contains(&a) && free(&self.pool, b) { (b, a) } else { (a, b) };
        for (x, y) in [(x, y), (y, x)] {
            if free(&self.pool, x) {
                return Some((x, y));
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            if let ExprKind::Binary(BinOp::Add, _, leaf, constant) = self.pool[x].kind
                && free(&self.pool, leaf)
                && self.pool.as_const(constant).is_some()
            {
                return Some((leaf, self.pool.sub(y, constant)));
            }
        }
        None
    }

    /// Rewrites facts and bounds under the ranges and each other.
    fn rewrite(&mut self, substitution: FxHashMap<ExprId, ExprId>) -> Result<(), Contradiction> {
        let bounds = self.ranges.assumed();
        let mut rewriter =
            Rewriter::new(&mut self.pool, &mut self.ranges, &self.facts, substitution);
        let mut facts: Vec<ExprId> = self.facts.iter().map(|&fact| rewriter.outer(fact)).collect();
        let mut kept = Vec::with_capacity(bounds.len());
        for (expr, known) in bounds {
            let expr = rewriter.outer(expr);
            match known.as_const() {
                Some(truth) if known.width == 1 => {
                    facts.push(if truth == 1 { expr } else { self_not(&mut rewriter, expr) });
                }
                _ => kept.push((expr, known)),
            }
        }
        let changes = self.ranges.changes();
        self.ranges = Ranges::resumed(changes);
        self.facts = facts;
        for (expr, known) in kept {
            self.ranges.bound(&self.pool, expr, &known, 2)?;
        }
        // Rebuilding the same bounds is no change.
        self.ranges.set_changes(changes);
        Ok(())
    }
}

fn self_not(rewriter: &mut Rewriter<'_>, expr: ExprId) -> ExprId {
    rewriter.pool.not(expr)
}

/// The free leaves of an expression.
pub(crate) fn leaves_of(pool: &ExprPool, root: ExprId) -> FxHashSet<ExprId> {
    let mut seen = FxHashSet::default();
    let mut leaves = FxHashSet::default();
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match &pool[expr].kind {
            ExprKind::Const(_) => {}
            kind if is_leaf(kind) => {
                leaves.insert(expr);
            }
            _ => pool.for_each_operand(expr, |operand| stack.push(operand)),
        }
    }
    leaves
}
