//! Which values of an instance are made up: a model that needs them may be no run of the kernel.

use std::collections::BTreeSet;

use heddle_ir::{ExprId, ExprKind, ValueFrom};
use rustc_hash::FxHashSet;

use super::{Instance, Meaning};

impl Instance<'_> {
    /// Whether what was stated rests on values that are made up.
    pub(crate) fn rests_on_guesses(&self) -> bool {
        !self.guesses().is_empty()
    }

    /// The values that what was stated rests on and that are not computed but arbitrary, in the
    /// kernel's expressions: read from memory that the kernel writes, without a recurrence, or from
    /// other threads. What memory holds when the kernel starts is arbitrary in earnest, and no
    /// guess.
    pub(crate) fn guesses(&self) -> BTreeSet<ExprId> {
        let mut seen = FxHashSet::default();
        let mut guesses = BTreeSet::new();
        let mut work: Vec<ExprId> = self.facts().to_vec();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.pool[id].kind.value_from() {
                ValueFrom::Analysis(symbol) => match self.meaning(symbol) {
                    Meaning::Leaf(of, _) => _ = guesses.insert(of),
                    Meaning::Tid(..)
                    | Meaning::Ctaid(..)
                    | Meaning::ClusterRank(_)
                    | Meaning::Iteration(..)
                    | Meaning::Member => {}
                },
                ValueFrom::Operands
                    if matches!(self.pool[id].kind, ExprKind::Pure(..))
                        && !self.initial.contains(&id)
                        && self.reads().iter().any(|read| read.value == id) =>
                {
                    let of = self.reads().iter().filter(|read| read.value == id);
                    guesses.extend(of.map(|read| read.of));
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
        guesses
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
}
