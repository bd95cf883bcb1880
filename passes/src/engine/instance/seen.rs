//! What is seen to hold at a glance: values that a run might well have, put into an expression.
//!
//! Asking the solver whether something can hold costs a thousand times as much as looking whether
//! it does for large arguments and the first thread of a block. Who only wants to know that it
//! cannot need not ask where it does.
//!
//! **Promises**: what is seen can hold, together with all that is stated: each value is in its
//! range, and each fact was evaluated. **Does not**: search. What is not seen may hold all the
//! same.

use heddle_ir::{ExprId, ExprKind, Special, mask};
use heddle_solver::{Model, Value};
use rustc_hash::FxHashSet;

use super::Instance;

/// What is tried: values of what has no range, as far as they fit.
const TRIED: [u128; 3] = [i32::MAX as u128, i64::MAX as u128, 1];

impl Instance<'_> {
    /// Whether some values are at hand for which `expr` and all facts hold.
    pub(crate) fn is_seen(&self, expr: ExprId) -> bool {
        let leaves = self.leaves(expr);
        TRIED.into_iter().any(|value| {
            let model = self.sample(&leaves, value);
            let holds = |it: &ExprId| model.evaluate(&self.pool, *it) == Value::Known(1);
            let ranged = self.ranges().iter().all(|&(leaf, low, high)| {
                model.value(leaf).is_some_and(|it| low <= it && it <= high)
            });
            ranged && holds(&expr) && self.facts().iter().all(holds)
        })
    }

    /// The largest block there is along x and one thread of it; what has no range gets `value`.
    fn sample(&self, leaves: &[ExprId], value: u128) -> Model {
        let mut model = Model::new();
        for &leaf in leaves {
            model.set_leaf(leaf, mask(value, self.pool.width(leaf)));
        }
        for &(leaf, low, high) in self.ranges() {
            let largest = matches!(self.pool[leaf].kind, ExprKind::Special(Special::Ntid(0)));
            model.set_leaf(leaf, if largest { high } else { low });
        }
        model
    }

    /// What an expression and the facts are made of.
    fn leaves(&self, expr: ExprId) -> Vec<ExprId> {
        let mut work: Vec<ExprId> = self.facts().to_vec();
        work.push(expr);
        let (mut seen, mut leaves) = (FxHashSet::default(), Vec::new());
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.pool[id].kind {
                ExprKind::Const(_) => {}
                ExprKind::Special(_)
                | ExprKind::Param(_)
                | ExprKind::Base(_)
                | ExprKind::Var(_)
                | ExprKind::Exit(..)
                | ExprKind::Result(..)
                | ExprKind::Undef(_)
                | ExprKind::Sym(_) => leaves.push(id),
                ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cmp(..)
                | ExprKind::Select(..)
                | ExprKind::Cast(..)
                | ExprKind::Pure(..) => {
                    self.pool.for_each_operand(id, |operand| work.push(operand));
                }
            }
        }
        leaves
    }
}
