//! Findings that somebody has accepted: they stay in the report, and count no more.
//!
//! Accepting changes no verdict: what is refuted stays refuted, with the reason beside it, and
//! never becomes `proved`.
//!
//! **Promises**: input that could not be checked (HD0901) and faults of ours (HD0999) cannot be
//! accepted.
//! **Does not**: decide what is accepted, which [`policy`](crate::policy) does; say what that means
//! for a verdict, which `standing` does.

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::span::Place;

/// Why a finding does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
pub enum Acceptance {
    /// A comment in the source allows it: `// heddle: allow(HD0101) reason`.
    Source {
        /// What the comment gives as the reason.
        reason: String,
        /// The comment.
        place: Place,
    },
    /// It is in the baseline: an earlier run had it.
    Baseline,
    /// The user ignores its code: `-W HD0203=ignore`.
    Ignored,
}

impl Acceptance {
    /// A few words for summaries.
    pub fn words(&self) -> String {
        match self {
            Acceptance::Source { reason, place: _ } => format!("allowed in the source: {reason}"),
            Acceptance::Baseline => "known from the baseline".to_owned(),
            Acceptance::Ignored => "ignored by option".to_owned(),
        }
    }
}

/// Whether findings of this code may be accepted at all.
pub(crate) fn may_be_accepted(code: Code) -> bool {
    !matches!(code, Code::BadInput | Code::InternalError)
}
