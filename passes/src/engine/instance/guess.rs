//! Which values of an instance are made up: a model that needs them may be no run of the kernel.

use heddle_ir::{ExprId, ExprKind, ValueFrom};
use rustc_hash::FxHashSet;

use super::{Instance, Meaning};

impl Instance<'_> {
    /// Whether what was stated rests on values that are not computed but arbitrary: read from
    /// memory that the kernel writes, without a recurrence, or from other threads. What memory
    /// holds when the kernel starts is arbitrary in earnest, and no guess.
    pub(crate) fn rests_on_guesses(&self) -> bool {
        let mut seen = FxHashSet::default();
        let mut work: Vec<ExprId> = self.facts().to_vec();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.pool[id].kind.value_from() {
                ValueFrom::Analysis(symbol) => match self.meaning(symbol) {
                    Meaning::Leaf(..) => return true,
                    Meaning::Tid(..)
                    | Meaning::Ctaid(..)
                    | Meaning::Iteration(..)
                    | Meaning::Member => {}
                },
                ValueFrom::Operands
                    if matches!(self.pool[id].kind, ExprKind::Pure(..))
                        && !self.initial.contains(&id)
                        && self.is_read(id) =>
                {
                    return true;
                }
                ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Var(_)
                | ValueFrom::Exit(..)
                | ValueFrom::Result(..)
                | ValueFrom::Nothing => {
                    self.pool.for_each_operand(id, |operand| work.push(operand))
                }
            }
        }
        false
    }

    /// The values that memory holds at the start and that what was stated rests on.
    pub(crate) fn initial_that_matter(&self) -> FxHashSet<ExprId> {
        let mut seen = FxHashSet::default();
        let mut matter = FxHashSet::default();
        let mut work: Vec<ExprId> = self.facts().to_vec();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                if self.initial.contains(&id) {
                    matter.insert(id);
                }
                self.pool.for_each_operand(id, |operand| work.push(operand));
            }
        }
        matter
    }

    fn is_read(&self, id: ExprId) -> bool {
        self.reads().iter().any(|read| read.value == id)
    }
}
