//! What is asked, and how much work an answer may cost.
//!
//! **Meaning of a query.** A value is wanted for each leaf, and a table for each pure function, so
//! that every fact is one. Operators are total, as `heddle_ir` says. A no-wrap flag that does not
//! hold makes the value *poison*; poison spreads to every user, except that a `select` ignores the
//! arm it does not take, and that on one bit `0 & poison` is 0 and `1 | poison` is 1. A fact that
//! is poison is not met. Hence the assumption of every `Unsat`: where a flag is evaluated, it
//! holds.

use heddle_ir::ExprId;
use smallvec::SmallVec;

use crate::answer::Why;
use crate::cache::QueryCache;
use crate::fuel::Fuel;

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
    pub cache: QueryCache,
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
            cache: QueryCache::default(),
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
            ref cache,
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
            cache: cache.clone(),
        }
    }
}
