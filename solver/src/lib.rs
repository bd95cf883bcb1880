//! Decides whether predicates over IR expressions can hold together: the questions of the race
//! engine.
//!
//! [`Query`] says what a question means, [`decide()`] answers it. An answer is a proof that nothing
//! meets the facts ([`Answer::Unsat`]), a model that meets them, checked by evaluation
//! ([`Answer::Sat`]), or [`Answer::Unknown`] with the reason. Answers are deterministic: budgets
//! count work, not seconds. What was asked before is not computed again ([`QueryCache`]).
//!
//! # Layers, cheapest first
//! | Layer | Proves | Finds models | Misses |
//! |---|---|---|---|
//! | `problem`, `rewrite`, `ranges` | contradictions of ranges, known bits and equal terms | no | what needs two facts at once |
//! | `algebra`, quick | mixed-radix splits, bounds, divisibility, a few cases | no | bit tricks |
//! | `instances` | nothing | yes, with sizes fixed to small values | races of large launches only |
//! | `signs` | what algebra does, for each sign of signed divisors | no | divisors of many unknowns |
//! | `algebra`, full | the same with linear programs over monomials and all cases | no | bit tricks |
//! | `bits` | anything within the budget | yes | products of two unknown wide words |
//!
//! # Assumptions of an answer
//! - Operators do not overflow where they are flagged and evaluated; see [`Query`] for the exact
//!   meaning.
//! - A pure function of one name and signature is one function for both threads.
//! - What [`heddle_ir::ExprKind::Exit`] refers to is not looked into: it is a leaf, by its handle.
//!
//! # Trust
//! `Sat` rests on the folders of `heddle_ir` alone. `Unsat` rests on the layer named in [`Method`];
//! each is tested against trial of every value at small widths, and against Z3 (feature `z3`).

#![forbid(unsafe_code)]

mod algebra;
mod answer;
mod bits;
mod cache;
mod congruence;
mod decide;
#[cfg(feature = "z3")]
mod external;
mod fuel;
mod instances;
mod model;
mod problem;
mod query;
mod ranges;
mod recall;
mod rewrite;
mod signs;
mod smt;

pub use answer::{Answer, Method, Why};
pub use cache::QueryCache;
pub use congruence::Congruence;
pub use decide::decide;
#[cfg(feature = "z3")]
pub use external::Z3;
pub use fuel::Fuel;
pub use model::{Entry, Model, Value};
pub use query::{Budget, Query};
pub use smt::smt_lib;

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
