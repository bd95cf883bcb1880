//! Answers to questions that were asked before: of template instances, of accesses that share their
//! place.
//!
//! **What**: the answer to a query is kept under the query itself, and given where the same one is
//! asked again, of another kernel too.
//! **Method**: what is compared is all that the answer is computed from: the nodes of the problem
//! that is made of a query, its facts, bounds and sizes, and the counts of the budget.
//! **Sound because** equal problems have equal answers. A model is confirmed on the query that
//! asks.
//! **Promises**: the answers, and what they cost of the fuel, are those without it, in whatever
//! order questions come: an answer is given only where the fuel would have lasted, and takes what
//! it cost the first time.
//! **Does not**: keep what ended for lack of fuel or time.

use heddle_ir::{ExprId, ExprPool, PureId};
use rustc_hash::FxHashMap;

use crate::answer::{Answer, Why};
use crate::cache::{Kind, QueryCache, Question, Settled};
use crate::model::{Entry, Model};
use crate::problem::Problem;
use crate::query::{Budget, Query};

/// What is kept under, if anything is.
pub(crate) fn question(query: &Query, problem: &Problem, budget: &Budget) -> Option<Question> {
    if !budget.cache.is_kept() || !query.relevant.is_empty() {
        return None;
    }
    let local: FxHashMap<ExprId, ExprId> = problem.leaves.iter().copied().collect();
    let of_range =
        |&(leaf, low, high): &(ExprId, u128, u128)| local.get(&leaf).map(|&leaf| (leaf, low, high));
    let Budget {
        cases,
        pivots,
        instances,
        instance_conflicts,
        conflicts,
        clauses,
        units: _,
        ref fuel,
        cache: _,
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
        counts: [cases.into(), pivots, instances.into(), instance_conflicts, conflicts, clauses],
        is_limited: fuel.is_limited(),
    })
}

/// The answer, where this was asked before and the fuel lasts.
pub(crate) fn answer(
    question: &Question,
    (pool, query): (&ExprPool, &Query),
    problem: &Problem,
    budget: &Budget,
) -> Option<Answer> {
    let Settled { answer, cost } = budget.cache.find(question)?;
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
pub(crate) fn keep(
    cache: &QueryCache,
    question: Question,
    problem: &Problem,
    answer: &Answer,
    cost: u64,
) {
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
    cache.insert(question, Settled { answer, cost });
}
