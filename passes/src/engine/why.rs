//! How each verdict came about, for whoever asks (`heddle check --why`).
//!
//! **What**: the explanations of all kernels of a run, as lines; `explain.rs` makes them.
//! **Promises**: nothing here depends on a check, so that the options can name it.

use std::sync::{Mutex, PoisonError};

use heddle_diagnostics::Place;

use crate::facts::journal::Journal;

/// Where explanations are written down; shared by all kernels of a run.
#[derive(Debug, Default)]
pub struct Why {
    scripts: bool,
    told: Mutex<Vec<Explained>>,
}

/// How the verdicts about one kernel under one launch came about.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The kernel's name in its module.
    pub symbol: String,
    /// The kernel's name in its source.
    pub kernel: String,
    /// What is said of the launch, and what else each answer takes for granted.
    pub launch: Vec<String>,
    /// The questions, in their order.
    pub steps: Vec<Step>,
    /// What came of them.
    pub verdicts: Vec<Step>,
    /// The queries as SMT-LIB, in their order, where they are wanted.
    pub scripts: Vec<String>,
}

/// One line, and what belongs to it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line.
    pub text: String,
    /// What it is about, in words where there are some, and where that is.
    pub at: Vec<(String, Place)>,
    /// What came of it, if it is a question.
    pub outcome: Option<String>,
    /// What belongs to it.
    pub inside: Vec<Step>,
}

impl Why {
    /// One that also keeps each query as SMT-LIB.
    pub fn with_scripts() -> Why {
        Why { scripts: true, ..Why::default() }
    }

    /// What a check writes into.
    pub(crate) fn journal(&self) -> Journal {
        Journal::kept(self.scripts)
    }

    /// What was told, in no order: kernels are checked in any.
    pub fn told(&self) -> Vec<Explained> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what is told.
    pub(crate) fn add(&self, explained: Explained) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).push(explained);
    }
}
