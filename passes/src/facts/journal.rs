//! What was asked about a kernel and how each question was settled, written down for a person.
//!
//! **Promises**: what is asked and answered does not depend on whether anyone writes it down; where
//! nobody does, a note costs the look at an `Option`. Whoever writes asks one question after the
//! other, so the order is that of the questions.
//! **Does not**: know places or words of the source; who tells it has them (`engine/why.rs`).

use std::sync::{Mutex, PoisonError};

use heddle_ir::{ExprId, ExprPool, LoopId, OpId, VarId};
use heddle_solver::{Answer, Query, smt_lib};

/// One thing that is written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Note {
    /// Something in words.
    Text(String),
    /// Two threads are in iterations of this loop.
    Loop(LoopId),
    /// The recurrence of a loop variable was used.
    Recurrence(VarId),
    /// A value that is not followed: an arbitrary one stands for it.
    Unfollowed(ExprId),
    /// The solver was asked: how many facts and bounds, what it said, and the query as SMT-LIB
    /// where that is wanted.
    Query {
        /// Facts and bounds.
        facts: usize,
        /// What was said.
        answer: String,
        /// The script.
        script: Option<String>,
    },
    /// A question, with what was noted while it was worked on.
    Question(Question),
}

/// A question with what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Question {
    /// What was asked.
    pub text: String,
    /// The operations that it is about.
    pub about: Vec<OpId>,
    /// What came of it, where that is said here.
    pub outcome: Option<String>,
    /// On the way.
    pub notes: Vec<Note>,
}

/// The notes about one kernel; or nothing, where nobody wants them.
#[derive(Debug, Default)]
pub(crate) struct Journal(Option<Pages>);

#[derive(Debug)]
struct Pages {
    scripts: bool,
    /// Questions that are being worked on, the outermost first; the first is the kernel's own.
    open: Mutex<Vec<Question>>,
}

impl Journal {
    /// One that is written, with the scripts of all queries if they are wanted.
    pub(crate) fn kept(scripts: bool) -> Journal {
        let whole = Question { text: String::new(), about: vec![], outcome: None, notes: vec![] };
        Journal(Some(Pages { scripts, open: Mutex::new(vec![whole]) }))
    }

    /// Whether anyone writes.
    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Writes something down, once for each question.
    pub(crate) fn note(&self, note: impl FnOnce() -> Note) {
        let Some(pages) = &self.0 else { return };
        let note = note();
        pages.innermost(|question| {
            if !question.notes.contains(&note) {
                question.notes.push(note);
            }
        });
    }

    /// Writes down what the solver said.
    pub(crate) fn solved(&self, pool: &ExprPool, query: &Query, answer: &Answer) {
        let Some(pages) = &self.0 else { return };
        let said = match answer {
            Answer::Unsat(by) => format!("they exclude each other ({by:?})"),
            Answer::Sat(_) => "a model meets them".to_owned(),
            Answer::Unknown(why) => format!("open: {why}"),
        };
        let note = Note::Query {
            facts: query.facts.len() + query.ranges.len(),
            answer: said,
            script: pages.scripts.then(|| smt_lib(pool, query, Some(answer))),
        };
        pages.innermost(|question| question.notes.push(note));
    }

    /// Works on a question; what is noted meanwhile belongs to it.
    pub(crate) fn within<T>(
        &self,
        question: impl FnOnce() -> (String, Vec<OpId>),
        work: impl FnOnce() -> T,
        outcome: impl FnOnce(&T) -> Option<String>,
    ) -> T {
        let Some(pages) = &self.0 else { return work() };
        let (text, about) = question();
        pages.with(|open| open.push(Question { text, about, outcome: None, notes: vec![] }));
        let result = work();
        let outcome = outcome(&result);
        pages.with(|open| {
            if let (Some(closed), Some(outer)) = (open.pop(), open.last_mut()) {
                outer.notes.push(Note::Question(Question { outcome, ..closed }));
            }
        });
        result
    }

    /// All that was written so far, which is then forgotten.
    pub(crate) fn take(&self) -> Vec<Note> {
        let taken = |question: &mut Question| std::mem::take(&mut question.notes);
        self.0.as_ref().map(|pages| pages.innermost(taken)).unwrap_or_default()
    }
}

impl Pages {
    fn with<T>(&self, work: impl FnOnce(&mut Vec<Question>) -> T) -> T {
        work(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn innermost<T: Default>(&self, work: impl FnOnce(&mut Question) -> T) -> T {
        self.with(|open| open.last_mut().map(work).unwrap_or_default())
    }
}
