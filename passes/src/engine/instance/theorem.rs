//! Facts that hold wherever what they speak of has a value.
//!
//! **What**: facts that no thread's path implies, as those of numbers of bits. They speak of
//! expressions of code that a thread need not execute, as a branch that it does not take.
//! **Method**: such a fact is asked with the others only if it has a value in each run in which
//! they hold: each operator of it with a no-wrap flag is part of something that the others cannot
//! do without.
//! **Sound because**: what code that is not executed would compute may be poison in a run of the
//! program, without anything undefined; and a fact that is poison is not met
//! ([`heddle_solver::Query`]). Stated as it is, it would exclude that run. What is poison spreads
//! to every user, except for the arm of a `select` that is not taken and one side of a conjunction
//! or disjunction; so what these hold is no part that the others cannot do without.
//! **Misses**: facts about what is only computed in such an arm or side.
//! **Assumes**: nothing.
//!
//! A fact under the predicate of an operation that computes all it speaks of is an ordinary one:
//! a predicate is false without poison where a guard around is false.

use heddle_ir::{BinOp, ExprId, ExprKind, NoWrap};
use rustc_hash::FxHashSet;

use super::Instance;

impl Instance<'_> {
    /// Adds something that holds for the two threads wherever it has a value, whether or not they
    /// execute what it speaks of.
    pub(crate) fn state_theorem(&mut self, fact: ExprId) {
        if !self.facts.contains(&fact) && !self.always_has_value(fact) {
            self.theorems.insert(fact);
        }
        self.state(fact);
    }

    /// Whether an expression has a value in each run, also of threads that do not compute it.
    pub(crate) fn always_has_value(&self, id: ExprId) -> bool {
        self.has_value(id, &FxHashSet::default())
    }

    /// The facts to ask with, and these.
    pub(super) fn facts_to_ask(&self, extra: &[ExprId]) -> Vec<ExprId> {
        let is_theorem = |it: &ExprId| self.theorems.contains(it);
        let all = || self.facts.iter().chain(extra).copied();
        if self.theorems.is_empty() {
            return all().collect();
        }
        let needed = self.needed(all().filter(|it| !is_theorem(it)));
        all().filter(|it| !is_theorem(it) || self.has_value(*it, &needed)).collect()
    }

    /// What has a value wherever all of these facts hold.
    fn needed(&self, facts: impl Iterator<Item = ExprId>) -> FxHashSet<ExprId> {
        let mut needed = FxHashSet::default();
        let mut work: Vec<ExprId> = facts.flat_map(|it| self.pool.conjuncts(it)).collect();
        while let Some(id) = work.pop() {
            if !needed.insert(id) {
                continue;
            }
            let kind = &self.pool[id].kind;
            if let ExprKind::Select(condition, ..) = *kind {
                work.push(condition);
            } else if !(self.pool.width(id) == 1
                && matches!(kind, ExprKind::Binary(BinOp::And | BinOp::Or, ..)))
            {
                self.pool.for_each_operand(id, |it| work.push(it));
            }
        }
        needed
    }

    /// Whether an expression has a value wherever these have one.
    fn has_value(&self, id: ExprId, needed: &FxHashSet<ExprId>) -> bool {
        let (mut seen, mut work) = (FxHashSet::default(), vec![id]);
        while let Some(id) = work.pop() {
            if needed.contains(&id) || !seen.insert(id) {
                continue;
            }
            if let ExprKind::Binary(_, flags, ..) = self.pool[id].kind
                && flags != NoWrap::NONE
            {
                return false;
            }
            self.pool.for_each_operand(id, |it| work.push(it));
        }
        true
    }
}
