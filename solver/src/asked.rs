//! Answers to questions that were asked before: of template instances, of accesses that share their
//! place.
//!
//! **What**: [`Asked`] keeps the answer to a query under the query itself, and gives it where the
//! same one is asked again, of another kernel too.
//! **Method**: what is compared is all that the answer is computed from: the nodes of the problem
//! that is made of a query, its facts, bounds and sizes, and the counts of the budget.
//! **Sound because** equal problems have equal answers, and keys are compared, not their hashes. A
//! model is confirmed on the query that asks.
//! **Promises**: the answers, and what they cost of the fuel, are those without it, in whatever
//! order questions come: an answer is given only where the fuel would have lasted, and takes what
//! it cost the first time.
//! **Does not**: keep what ended for lack of fuel or time.

use std::sync::{Arc, Mutex, PoisonError};

use heddle_ir::{ExprId, ExprKind, ExprPool, PureId};
use rustc_hash::FxHashMap;

use crate::model::{Entry, Model};
use crate::problem::Problem;
use crate::query::{Answer, Budget, Method, Query, Why};

/// Nodes of questions that are kept, at most; then all are forgotten.
const MOST_NODES: usize = 400_000;

/// What was asked, shared by its copies; by default nothing is kept.
#[derive(Clone, Default)]
pub struct Asked {
    kept: Option<Arc<Mutex<Kept>>>,
}

#[derive(Debug, Default)]
struct Kept {
    answers: FxHashMap<Question, Settled>,
    nodes: usize,
}

/// All that an answer depends on.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct Question {
    nodes: Vec<(ExprKind, u8)>,
    functions: Vec<(PureId, String)>,
    facts: Vec<ExprId>,
    leaves: Vec<ExprId>,
    ranges: Vec<(ExprId, u128, u128)>,
    small: Vec<(ExprId, Vec<u128>)>,
    counts: [u64; 6],
    is_limited: bool,
}

/// An answer, over the problem's own leaves and functions, and what it cost.
#[derive(Clone, Debug)]
struct Settled {
    answer: Kind,
    cost: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    Unsat(Method),
    /// A value of each leaf, in their order, and the entries of functions.
    Sat(Vec<u128>, Vec<(Entry, u128)>),
    Unknown(Why),
}

impl Asked {
    /// One that keeps answers.
    pub fn kept() -> Asked {
        Asked { kept: Some(Arc::default()) }
    }

    /// What is kept under, if anything is.
    pub(crate) fn question(
        &self,
        query: &Query,
        problem: &Problem,
        budget: &Budget,
    ) -> Option<Question> {
        if self.kept.is_none() || !query.relevant.is_empty() {
            return None;
        }
        let local: FxHashMap<ExprId, ExprId> = problem.leaves.iter().copied().collect();
        let of_range = |&(leaf, low, high): &(ExprId, u128, u128)| {
            local.get(&leaf).map(|&leaf| (leaf, low, high))
        };
        let Budget {
            cases,
            pivots,
            instances,
            instance_conflicts,
            conflicts,
            clauses,
            units: _,
            ref fuel,
            asked: _,
        } = *budget;
        let mut functions: Vec<(PureId, String)> = problem
            .functions
            .keys()
            .map(|&local| (local, problem.pool.function_name(local).to_owned()))
            .collect();
        functions.sort();
        Some(Question {
            nodes: problem.pool.iter().map(|(_, it)| (it.kind.clone(), it.width)).collect(),
            functions,
            facts: problem.facts.clone(),
            leaves: problem.leaves.iter().map(|&(_, local)| local).collect(),
            ranges: query.ranges.iter().filter_map(of_range).collect(),
            small: problem.small.clone(),
            counts: [
                cases.into(),
                pivots,
                instances.into(),
                instance_conflicts,
                conflicts,
                clauses,
            ],
            is_limited: fuel.is_limited(),
        })
    }

    /// The answer, where this was asked before and the fuel lasts.
    pub(crate) fn answer(
        &self,
        question: &Question,
        (pool, query): (&ExprPool, &Query),
        problem: &Problem,
        budget: &Budget,
    ) -> Option<Answer> {
        let kept = self.kept.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let Settled { answer, cost } = kept.answers.get(question)?.clone();
        drop(kept);
        if budget.fuel.left() <= cost {
            return None;
        }
        let answer = match answer {
            Kind::Unsat(by) => Answer::Unsat(by),
            Kind::Unknown(why) => Answer::Unknown(why),
            Kind::Sat(values, entries) => {
                let mut model = Model::new();
                for (&(leaf, _), value) in problem.leaves.iter().zip(values) {
                    model.set_leaf(leaf, value);
                }
                for (entry, value) in entries {
                    let function = problem.functions[&entry.function];
                    model.set_entry(Entry { function, ..entry }, value);
                }
                if !model.confirm(pool, &query.facts, &query.relevant) {
                    return None;
                }
                Answer::Sat(model)
            }
        };
        budget.fuel.take(cost);
        Some(answer)
    }

    /// Keeps an answer, and what of the fuel it took.
    pub(crate) fn keep(&self, question: Question, problem: &Problem, answer: &Answer, cost: u64) {
        let Some(kept) = &self.kept else { return };
        let answer = match answer {
            Answer::Unsat(by) => Kind::Unsat(*by),
            Answer::Unknown(why @ (Why::TooLarge | Why::TooHard)) => Kind::Unknown(why.clone()),
            Answer::Unknown(
                Why::OutOfFuel
                | Why::OutOfTime
                | Why::Malformed(_)
                | Why::ModelRejected
                | Why::External(_),
            ) => return,
            Answer::Sat(model) => {
                let value = |&(leaf, _): &(ExprId, ExprId)| model.value(leaf).unwrap_or(0);
                let values = problem.leaves.iter().map(value).collect();
                let local: FxHashMap<PureId, PureId> =
                    problem.functions.iter().map(|(&local, &of)| (of, local)).collect();
                let entry = |(entry, value): (&Entry, u128)| {
                    Some((Entry { function: *local.get(&entry.function)?, ..entry.clone() }, value))
                };
                let Some(entries) = model.entries().map(entry).collect() else { return };
                Kind::Sat(values, entries)
            }
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.nodes += question.nodes.len();
        if kept.nodes > MOST_NODES {
            *kept = Kept { nodes: question.nodes.len(), ..Kept::default() };
        }
        kept.answers.insert(question, Settled { answer, cost });
    }
}

/// Says nothing of what is kept: whoever compares budgets by their text, as the cache of answers
/// does, must not tell them apart by it.
impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asked").finish_non_exhaustive()
    }
}

/// What was asked before makes no answer another one.
impl PartialEq for Asked {
    fn eq(&self, _: &Asked) -> bool {
        true
    }
}

impl Eq for Asked {}
