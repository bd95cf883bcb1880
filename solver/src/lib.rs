//! Decides whether predicates over IR expressions can hold together: the questions of the race engine.
//!
//! See [`Query`] for what a question means, [`decide`] for how it is answered.

#![forbid(unsafe_code)]

mod model;
mod query;

pub use model::{Model, Value};
pub use query::{Answer, Budget, Method, Query, Why};

use heddle_ir::ExprPool;

/// A decision procedure. The embedded one and any second opinion are called through this.
pub trait Backend {
    /// Its name, for reports.
    fn name(&self) -> &'static str;

    /// Answers a query over expressions of `pool`.
    fn decide(&self, pool: &ExprPool, query: &Query, budget: &Budget) -> Answer;
}

/// The decision procedure of this crate; needs nothing installed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Backend for Embedded {
    fn name(&self) -> &'static str {
        "embedded"
    }

    fn decide(&self, pool: &ExprPool, query: &Query, budget: &Budget) -> Answer {
        decide(pool, query, budget)
    }
}

/// Answers a query over expressions of `pool`, cheapest method first.
pub fn decide(pool: &ExprPool, query: &Query, _budget: &Budget) -> Answer {
    let mut model = Model::new();
    if model.confirm(pool, &query.facts, &query.relevant) && query.ranges.is_empty() {
        return Answer::Sat(model);
    }
    Answer::Unknown(Why::TooHard)
}
