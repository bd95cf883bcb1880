//! Which tests tell a model from others: the buckets of the paper's Table 4, and selections.
//!
//! The paper sorts a test under the first model of HSA, OBE, LOBE, fair that it passes: weakly if
//! it passes weak fairness at all, else strongly. A test *distinguishes* the model of its bucket
//! from those before it. Conformance tests of a model are those that it must pass.

use super::verdicts::Verdicts;
use crate::model::{Criterion, FAIR, Fairness, HSA, HSA_OBE, LOBE, LOBE_LIVE, Model, OBE};

/// The models of Table 4, in its order.
const TABLE_MODELS: [Model; 4] = [HSA, OBE, LOBE, FAIR];

/// The bucket of a test: the first criterion it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket(pub Criterion);

impl Bucket {
    /// The bucket of a test, or `None` for one that passes nothing.
    pub fn of(verdicts: Verdicts) -> Option<Self> {
        Self::among(&TABLE_MODELS, verdicts)
    }

    fn among(models: &[Model], verdicts: Verdicts) -> Option<Self> {
        let fairness = if verdicts.weak(FAIR) { Fairness::Weak } else { Fairness::Strong };
        let criteria = models.iter().map(|model| Criterion { model: *model, fairness });
        criteria.into_iter().find(|criterion| verdicts.passes(*criterion)).map(Self)
    }
}

/// Which tests of a size are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    All,
    /// Those in the bucket of this criterion. For HSA+OBE and LOBE-live, which the paper's table
    /// does not have, the model takes its place among the four.
    Distinguish(Criterion),
    /// Those that an implementation of this model must pass: weakly under a weak one; under a
    /// strong one those that weak fairness does not make pass.
    Conformance(Criterion),
}

impl Selection {
    /// Whether a test with these verdicts is wanted.
    pub fn wants(self, verdicts: Verdicts) -> bool {
        match self {
            Self::All => true,
            Self::Conformance(criterion) => {
                verdicts.passes(criterion)
                    && (criterion.fairness == Fairness::Weak || !verdicts.weak(FAIR))
            }
            Self::Distinguish(criterion) => {
                let models: &[Model] = match criterion.model {
                    model if model == HSA_OBE => &[HSA, OBE, HSA_OBE, LOBE, FAIR],
                    model if model == LOBE_LIVE => &[HSA, OBE, HSA_OBE, LOBE_LIVE, LOBE, FAIR],
                    _ => &TABLE_MODELS,
                };
                Bucket::among(models, verdicts) == Some(Bucket(criterion))
            }
        }
    }
}

/// The paper's Table 4: how many tests distinguish each model, and how many it must pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Number of tests per model of the table, weak and strong.
    distinguish: [[u64; 4]; 2],
    conformance: [[u64; 4]; 2],
}

impl Table {
    /// Counts `tests` tests with the same verdicts.
    pub fn add(&mut self, verdicts: Verdicts, tests: u64) {
        for (row, model) in TABLE_MODELS.into_iter().enumerate() {
            for (column, fairness) in [Fairness::Weak, Fairness::Strong].into_iter().enumerate() {
                let criterion = Criterion { model, fairness };
                if Selection::Distinguish(criterion).wants(verdicts) {
                    self.distinguish[column][row] += tests;
                }
                if Selection::Conformance(criterion).wants(verdicts) {
                    self.conformance[column][row] += tests;
                }
            }
        }
    }

    /// The number of tests that distinguish a model of the table; `None` for other models.
    pub fn distinguishing(&self, criterion: Criterion) -> Option<u64> {
        let row = TABLE_MODELS.iter().position(|model| *model == criterion.model)?;
        Some(self.distinguish[criterion.fairness as usize][row])
    }

    /// The table as text, columns as in the paper.
    pub fn text(&self) -> String {
        let mut out = String::from(
            "         weak fairness                   strong fairness\n\
             model    distinguish        conformance  distinguish        conformance\n",
        );
        for (row, model) in TABLE_MODELS.into_iter().enumerate() {
            let cell = |column: usize| {
                let count = self.distinguish[column][row];
                let total: u64 = self.distinguish[column].iter().sum();
                let percent = if total == 0 { 0.0 } else { count as f64 * 100.0 / total as f64 };
                let share = format!("({percent:.2}%)");
                format!("{count:>8} {share:<9} {:>12}", self.conformance[column][row])
            };
            out += &format!("{:<8} {}  {}\n", model.name, cell(0), cell(1));
        }
        out
    }
}
