//! The cache of queries: what was asked before, and what it was settled as.
//!
//! **Promises**: questions are compared, not their hashes. **Does not**: say what a question is
//! made of, nor when an answer may be given again; `recall` does.

use std::sync::{Arc, Mutex, PoisonError};

use heddle_ir::{ExprId, ExprKind, PureId};
use rustc_hash::FxHashMap;

use crate::answer::{Method, Why};
use crate::model::Entry;

/// Nodes of questions that are kept, at most; then all are forgotten.
const MOST_NODES: usize = 400_000;

/// Queries and their answers, shared by its copies; by default nothing is kept.
#[derive(Clone, Default)]
pub struct QueryCache {
    kept: Option<Arc<Mutex<Kept>>>,
}

#[derive(Debug, Default)]
struct Kept {
    answers: FxHashMap<Question, Settled>,
    nodes: usize,
}

/// All that an answer depends on.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct Question {
    pub(crate) nodes: Vec<(ExprKind, u8)>,
    pub(crate) functions: Vec<(PureId, String)>,
    pub(crate) facts: Vec<ExprId>,
    pub(crate) leaves: Vec<ExprId>,
    pub(crate) ranges: Vec<(ExprId, u128, u128)>,
    pub(crate) small: Vec<(ExprId, Vec<u128>)>,
    pub(crate) counts: [u64; 6],
    pub(crate) is_limited: bool,
}

/// An answer, over the problem's own leaves and functions, and what it cost.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    pub(crate) answer: Kind,
    pub(crate) cost: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Unsat(Method),
    /// A value of each leaf, in their order, and the entries of functions.
    Sat(Vec<u128>, Vec<(Entry, u128)>),
    Unknown(Why),
}

impl QueryCache {
    /// One that keeps answers.
    pub fn kept() -> QueryCache {
        QueryCache { kept: Some(Arc::default()) }
    }

    /// Whether anything is kept.
    pub(crate) fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// What a question was settled as.
    pub(crate) fn find(&self, question: &Question) -> Option<Settled> {
        let kept = self.kept.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        kept.answers.get(question).cloned()
    }

    /// Keeps what a question was settled as.
    pub(crate) fn insert(&self, question: Question, settled: Settled) {
        let Some(kept) = &self.kept else { return };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.nodes += question.nodes.len();
        if kept.nodes > MOST_NODES {
            *kept = Kept { nodes: question.nodes.len(), ..Kept::default() };
        }
        kept.answers.insert(question, settled);
    }
}

/// Says nothing of what is kept: whoever compares budgets by their text, as the cache of answers
/// does, must not tell them apart by it.
impl std::fmt::Debug for QueryCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueryCache").finish_non_exhaustive()
    }
}

/// What was asked before makes no answer another one.
impl PartialEq for QueryCache {
    fn eq(&self, _: &QueryCache) -> bool {
        true
    }
}

impl Eq for QueryCache {}
