//! The verdicts of one test under each criterion, in two bytes.

use std::sync::LazyLock;

use crate::model::{Criterion, Model};
use crate::oracle::Oracle;

static COLUMNS: LazyLock<Vec<Criterion>> = LazyLock::new(Criterion::all);

/// The criteria, in the order of the bits of [`Verdicts`].
pub fn columns() -> &'static [Criterion] {
    &COLUMNS
}

/// Which criteria of [`columns`] a test passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Verdicts(u16);

impl Verdicts {
    /// The verdicts for the system that the oracle has read.
    pub fn of(oracle: &mut Oracle) -> Self {
        let passes = columns()
            .iter()
            .enumerate()
            .map(|(bit, criterion)| u16::from(oracle.verdict(*criterion).passes()) << bit);
        Self(passes.fold(0, |all, bit| all | bit))
    }

    /// Whether the test passes.
    pub fn passes(self, criterion: Criterion) -> bool {
        let bit = columns().iter().position(|column| *column == criterion);
        bit.is_some_and(|bit| self.0 >> bit & 1 == 1)
    }

    /// Whether the test terminates under weak fairness to the threads of the model.
    pub fn weak(self, model: Model) -> bool {
        self.passes(model.weak())
    }

    /// Whether the test terminates under strong fairness to the threads of the model.
    pub fn strong(self, model: Model) -> bool {
        self.passes(model.strong())
    }

    /// One letter per criterion of [`columns`]: `P` or `F`.
    pub fn letters(self) -> String {
        (0..columns().len()).map(|bit| if self.0 >> bit & 1 == 1 { 'P' } else { 'F' }).collect()
    }
}
