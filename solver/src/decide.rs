//! The order of the methods, and the one place where an answer is made.
//!
//! **Promises**: `Sat` only with a model that meets every fact and range of the query when
//! evaluated; `Unsat` only from a layer that says what it can prove in its head.

use heddle_ir::ExprPool;

use crate::algebra::{self, Effort};
use crate::answer::{Answer, Method, Why};
use crate::bits::{self, Found, Values};
use crate::instances::Instances;
use crate::model::{Entry, Model, Value};
use crate::problem::{Problem, Simplified};
use crate::query::{Budget, Query};
use crate::recall;
use crate::signs;

/// Small instances tried before the dearer proofs.
const FIRST_INSTANCES: u32 = 3;

/// Size and conflicts of a first look at the bits.
const QUICK_CLAUSES: u64 = 20_000;
const QUICK_CONFLICTS: u64 = 150;

/// Answers a query over expressions of `pool`, cheapest method first.
pub fn decide(pool: &ExprPool, query: &Query, budget: &Budget) -> Answer {
    let _span = tracing::trace_span!("query", facts = query.facts.len()).entered();
    if let Some(why) = budget.spent() {
        return Answer::Unknown(why);
    }
    let mut problem = match Problem::import(pool, query) {
        Ok(problem) => Problem { fuel: budget.fuel.clone(), ..problem },
        Err(why) => return Answer::Unknown(why),
    };
    let question = recall::question(query, &problem, budget);
    if let Some(question) = &question
        && let Some(answer) = recall::answer(question, (pool, query), &problem, budget)
    {
        return answer;
    }
    let before = budget.fuel.left();
    let answer = match settle(pool, query, &mut problem, budget) {
        // What stopped the last search was the fuel, not the limits of this question.
        Answer::Unknown(why) => Answer::Unknown(budget.spent().unwrap_or(why)),
        answer => answer,
    };
    // An answer that took the last of the fuel would have taken more.
    if let (Some(question), None) = (question, budget.spent()) {
        let cost = before - budget.fuel.left();
        recall::keep(&budget.cache, question, &problem, &answer, cost);
    }
    answer
}

/// The layers, one after the other. Without fuel they do nothing, so an answer given then is
/// none.
fn settle(pool: &ExprPool, query: &Query, problem: &mut Problem, budget: &Budget) -> Answer {
    if problem.simplify() == Simplified::Contradiction {
        return Answer::Unsat(Method::Simplification);
    }
    if algebra::refutes(problem, Effort::Quick, budget) {
        return Answer::Unsat(Method::Algebra);
    }
    let mut instances = Instances::of(problem, budget);
    let mut confirmed =
        |instance: &Problem, values: &Values| confirm(pool, query, instance, values);
    if let Some(model) = instances.search(problem, FIRST_INSTANCES, &mut confirmed) {
        return Answer::Sat(model);
    }
    // What is small in bits is settled there sooner than by linear programs.
    match bits::search(problem, &[], QUICK_CLAUSES.min(budget.clauses), QUICK_CONFLICTS) {
        Found::Nothing => return Answer::Unsat(Method::Bits),
        Found::Model(values) => {
            if let Some(model) = confirm(pool, query, problem, &values) {
                return Answer::Sat(model);
            }
        }
        Found::TooLarge | Found::TooHard => {}
    }
    if signs::refutes(problem, budget) || algebra::refutes(problem, Effort::Full, budget) {
        return Answer::Unsat(Method::Algebra);
    }
    if let Some(model) = instances.search(problem, budget.instances, &mut confirmed) {
        return Answer::Sat(model);
    }
    search_bits(pool, query, problem, budget)
}

/// The search in full. A model that poison spoils is looked for again with the facts as they came.
fn search_bits(pool: &ExprPool, query: &Query, problem: &mut Problem, budget: &Budget) -> Answer {
    let original = problem.original_with_eliminated();
    for also in [&[][..], &original] {
        match bits::search(problem, also, budget.clauses, budget.conflicts) {
            Found::Nothing => return Answer::Unsat(Method::Bits),
            Found::TooLarge => return Answer::Unknown(Why::TooLarge),
            Found::TooHard => return Answer::Unknown(Why::TooHard),
            Found::Model(values) => {
                if let Some(model) = confirm(pool, query, problem, &values) {
                    return Answer::Sat(model);
                }
            }
        }
    }
    Answer::Unknown(Why::ModelRejected)
}

/// The values as a model of the query, where they are one.
fn confirm(pool: &ExprPool, query: &Query, problem: &Problem, values: &Values) -> Option<Model> {
    let mut local = Model::new();
    for &(leaf, value) in &values.leaves {
        local.set_leaf(leaf, value);
    }
    for (entry, value) in &values.entries {
        if !local.set_entry(entry.clone(), *value) {
            return None;
        }
    }
    for &(leaf, term) in problem.eliminated.iter().rev() {
        if let Value::Known(value) = local.evaluate(&problem.pool, term) {
            local.set_leaf(leaf, value);
        }
    }
    let mut model = Model::new();
    for &(leaf, copy) in &problem.leaves {
        model.set_leaf(leaf, local.value(copy).unwrap_or(0));
    }
    for (entry, value) in &values.entries {
        let function = problem.functions[&entry.function];
        model.set_entry(Entry { function, ..entry.clone() }, *value);
    }
    let in_range = |(leaf, lo, hi): &(_, u128, u128)| {
        let value = model.value(*leaf).unwrap_or(0);
        *lo <= value && value <= *hi
    };
    let ranged = query.ranges.iter().all(in_range);
    (ranged && model.confirm(pool, &query.facts, &query.relevant)).then_some(model)
}
