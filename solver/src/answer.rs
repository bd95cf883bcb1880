//! What an answer is: a proof, a model, or why there is neither.

use crate::model::Model;

/// The answer to a [`Query`](crate::Query).
#[derive(Clone, Debug)]
pub enum Answer {
    /// No values meet all facts.
    Unsat(Method),
    /// These do; checked by evaluating every fact.
    Sat(Model),
    /// Could not be told.
    Unknown(Why),
}

impl Answer {
    /// Whether this is a proof that no values meet all facts.
    pub fn is_unsat(&self) -> bool {
        match self {
            Answer::Unsat(_) => true,
            Answer::Sat(_) | Answer::Unknown(_) => false,
        }
    }

    /// The model, if there is one.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }
}

/// What settled a query as unsatisfiable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// Rewriting and ranges.
    Simplification,
    /// Integer reasoning over polynomials, where nothing wraps.
    Algebra,
    /// The embedded SAT solver, on the bits.
    Bits,
    /// Another solver, which [`Backend`](crate::Backend) calls.
    External,
}

/// Why a query was left open.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// The encoding needs more clauses than [`Budget::clauses`](crate::Budget::clauses).
    TooLarge,
    /// The SAT solver spent [`Budget::conflicts`](crate::Budget::conflicts).
    TooHard,
    /// [`Budget::fuel`](crate::Budget::fuel) is empty.
    OutOfFuel,
    /// The time that [`Budget::fuel`](crate::Budget::fuel) was given is over.
    OutOfTime,
    /// The query is not one: what is wrong with it.
    Malformed(String),
    /// A model was found that evaluation does not confirm; a fault of ours.
    ModelRejected,
    /// Another solver gave up, in its words.
    External(String),
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::TooLarge => f.write_str("the query has too many bits for the clause budget"),
            Why::TooHard => f.write_str("the solver spent its conflict budget"),
            Why::OutOfFuel => f.write_str("the work allowed for one kernel is spent"),
            Why::OutOfTime => f.write_str("the time allowed for one kernel is over"),
            Why::Malformed(what) => write!(f, "malformed query: {what}"),
            Why::ModelRejected => f.write_str("a model did not survive evaluation"),
            Why::External(words) => write!(f, "the external solver gave up: {words}"),
        }
    }
}
