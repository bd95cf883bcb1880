//! Decides whether predicates over IR expressions can hold together: the questions of the race engine.
//!
//! See [`Query`] for what a question means, [`decide`] for how it is answered.

#![forbid(unsafe_code)]

mod algebra;
mod bits;
mod decide;
#[cfg(feature = "z3")]
mod external;
mod instances;
mod model;
mod problem;
mod query;
mod ranges;
mod rewrite;

pub use decide::decide;
#[cfg(feature = "z3")]
pub use external::Z3;
pub use model::{Entry, Model, Value};
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
