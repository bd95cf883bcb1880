//! What is asked, how much work an answer may cost, and what an answer is.
//!
//! **Meaning of a query.** A value is wanted for each leaf, and a table for each pure function, so
//! that every fact is one. Operators are total, as `heddle_ir` says. A no-wrap flag that does not
//! hold makes the value *poison*; poison spreads to every user, except that a `select` ignores the
//! arm it does not take, and that on one bit `0 & poison` is 0 and `1 | poison` is 1. A fact that
//! is poison is not met. Hence the assumption of every `Unsat`: where a flag is evaluated, it
//! holds.

use heddle_ir::ExprId;
use smallvec::SmallVec;

use crate::asked::Asked;
use crate::fuel::Fuel;
use crate::model::Model;

/// A question: can all facts hold at once?
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Predicates, all of which must hold.
    pub facts: Vec<ExprId>,
    /// Unsigned bounds on leaves, both ends included. They are facts as well.
    pub ranges: Vec<(ExprId, u128, u128)>,
    /// Leaves that name the size of an instance (launch sizes, parameters), with the values to try
    /// first in the search for a model. Never limits what is searched afterwards.
    pub small: Vec<(ExprId, SmallVec<[u128; 4]>)>,
    /// Expressions whose value the caller will ask the model for.
    pub relevant: Vec<ExprId>,
}

/// How much work one answer may cost. All are counts, so an answer does not depend on the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Cases of disjunctions and conditionals that algebra may look at, in one reading of the
    /// query.
    pub cases: u32,
    /// Pivots of the linear programs in one reading of the query, all cases together; one that
    /// touches many entries counts more.
    pub pivots: u64,
    /// Small instances tried in the search for a model.
    pub instances: u32,
    /// Conflicts of the SAT solver on one small instance.
    pub instance_conflicts: u64,
    /// Conflicts of the SAT solver on the full query; on one of many clauses, proportionally fewer.
    pub conflicts: u64,
    /// Clauses of one encoding.
    pub clauses: u64,
    /// Units of work that all questions about one kernel cost together, where nobody gives fuel:
    /// what is one is said at [`Fuel`]. Who asks divides it.
    pub units: u64,
    /// What this answer and others may cost together.
    pub fuel: Fuel,
    /// What was asked before.
    pub asked: Asked,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            cases: 200,
            pivots: 20_000,
            instances: 24,
            instance_conflicts: 1_000,
            conflicts: 16_000,
            clauses: 100_000,
            units: 100_000_000,
            fuel: Fuel::default(),
            asked: Asked::default(),
        }
    }
}

impl Budget {
    /// Why nothing is answered any more, if that is so.
    pub fn spent(&self) -> Option<Why> {
        match (self.fuel.is_late(), self.fuel.is_empty()) {
            (true, _) => Some(Why::OutOfTime),
            (false, true) => Some(Why::OutOfFuel),
            (false, false) => None,
        }
    }

    /// The same with so many units of its own, until the same time. Where the fuel is limited it
    /// stays shared: questions are asked one after the other then.
    pub fn with_units(&self, units: u64) -> Budget {
        match self.fuel.is_limited() {
            true => self.clone(),
            false => Budget { fuel: self.fuel.apart(units), ..self.clone() },
        }
    }

    /// For a question of which only an example is wanted, as nothing rests any more on there being
    /// none: small instances are searched as before, proofs and the search at large get an eighth.
    pub fn for_a_run(&self) -> Budget {
        let Budget { instances, instance_conflicts, clauses, .. } = *self;
        Budget { instances, instance_conflicts, clauses, ..self.divided(8) }
    }

    /// A part of it: each count divided, and at least one. What all cost together is the same.
    pub fn divided(&self, by: u32) -> Budget {
        let Budget {
            cases,
            pivots,
            instances,
            instance_conflicts,
            conflicts,
            clauses,
            units,
            ref fuel,
            ref asked,
        } = *self;
        let small = |count: u32| (count / by).max(1);
        let large = |count: u64| (count / u64::from(by)).max(1);
        Budget {
            cases: small(cases),
            pivots: large(pivots),
            instances: small(instances),
            instance_conflicts: large(instance_conflicts),
            conflicts: large(conflicts),
            clauses: large(clauses),
            units,
            fuel: fuel.clone(),
            asked: asked.clone(),
        }
    }
}

/// The answer to a [`Query`].
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
    /// Another solver behind [`Backend`](crate::Backend).
    External,
}

/// Why a query was left open.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// The encoding needs more clauses than [`Budget::clauses`].
    TooLarge,
    /// The SAT solver spent [`Budget::conflicts`].
    TooHard,
    /// [`Budget::fuel`] is empty.
    OutOfFuel,
    /// The time that [`Budget::fuel`] was given is over.
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
