//! Z3 as a second opinion, behind the same trait as the embedded procedure (cargo feature `z3`).
//!
//! Reads the query as SMT-LIB ([`smt_lib`]), poison included, and shares nothing with the embedded
//! layers but the evaluator that confirms models: what the differential tests compare against.
//! **Needs** `libz3` on the system. Budget: conflicts are turned into Z3's resource units.

use heddle_ir::{ExprId, ExprKind, ExprPool};
use rustc_hash::FxHashSet;
use z3::ast::BV;
use z3::{Params, SatResult, Solver};

use crate::answer::{Answer, Method, Why};
use crate::model::{Entry, Model, Value, is_leaf};
use crate::query::{Budget, Query};
use crate::smt::smt_lib;

/// Z3's resource units for a conflict of our own solver, roughly.
const UNITS_PER_CONFLICT: u64 = 2_000;

/// Z3, as installed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z3;

impl crate::Backend for Z3 {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn decide(&self, pool: &ExprPool, query: &Query, budget: &Budget) -> Answer {
        let solver = Solver::new_for_logic("QF_UFBV").unwrap_or_default();
        let mut params = Params::new();
        let units = budget.conflicts.saturating_mul(UNITS_PER_CONFLICT);
        params.set_u32("rlimit", u32::try_from(units).unwrap_or(u32::MAX));
        solver.set_params(&params);
        let script = smt_lib(pool, query, None);
        solver.from_string(script.as_str());
        // A script that is not read leaves nothing to refute.
        if !query.facts.is_empty() && solver.get_assertions().is_empty() {
            return Answer::Unknown(Why::External("the script was not read".to_owned()));
        }
        match solver.check() {
            SatResult::Unsat => Answer::Unsat(Method::External),
            SatResult::Unknown => {
                let words = solver.get_reason_unknown().unwrap_or_default();
                Answer::Unknown(Why::External(words))
            }
            SatResult::Sat => confirmed(pool, &solver, query),
        }
    }
}

fn confirmed(pool: &ExprPool, solver: &Solver, query: &Query) -> Answer {
    let Some(found) = solver.get_model() else {
        return Answer::Unknown(Why::External("no model".to_owned()));
    };
    let number = |expr: ExprId| {
        let width = u32::from(pool.width(expr));
        let word = BV::new_const(expr.to_string(), width);
        let part = |high: u32, low: u32| {
            let value = found.eval(&word.extract(high, low), true);
            value.and_then(|it| it.as_u64()).map_or(0, u128::from)
        };
        if width > 64 { part(width - 1, 64) << 64 | part(63, 0) } else { part(width - 1, 0) }
    };
    let mut model = Model::new();
    for expr in under(pool, query) {
        match &pool[expr].kind {
            ExprKind::Const(_) => {}
            kind if is_leaf(kind) => model.set_leaf(expr, number(expr)),
            ExprKind::Pure(function, args) => {
                let known = |arg: &ExprId| match model.evaluate(pool, *arg) {
                    Value::Known(value) => Some((pool.width(*arg), value)),
                    Value::Poison => None,
                };
                // At poison a function has no entry.
                if let Some(at) = args.iter().map(known).collect() {
                    let entry = Entry { function: *function, width: pool.width(expr), at };
                    model.set_entry(entry, number(expr));
                }
            }
            _ => {}
        }
    }
    if model.confirm(pool, &query.facts, &query.relevant) {
        Answer::Sat(model)
    } else {
        Answer::Unknown(Why::ModelRejected)
    }
}

/// All expressions of a query, operands first.
fn under(pool: &ExprPool, query: &Query) -> Vec<ExprId> {
    let roots = query.facts.iter().chain(query.ranges.iter().map(|(leaf, ..)| leaf));
    let (mut seen, mut order) = (FxHashSet::default(), Vec::new());
    let mut stack: Vec<_> = roots.map(|root| (*root, false)).collect();
    while let Some((expr, ready)) = stack.pop() {
        if ready {
            order.push(expr);
        } else if seen.insert(expr) {
            stack.push((expr, true));
            pool.for_each_operand(expr, |operand| stack.push((operand, false)));
        }
    }
    order
}
