//! Why a property could not be decided.
//!
//! **Promises**: a reason is for readers; what programs go by is its code and its [`Cause`].
//! **Does not**: decide how several are told (`unknowns.rs`).

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::span::Place;

/// Why a property could not be decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// HD0001, HD0002, HD0003 or HD0999.
    pub code: Code,
    /// A few words, lower case, without a full stop.
    pub text: String,
    /// Where.
    pub place: Option<Place>,
    /// What stood in the way: reasons with one cause are told once.
    #[serde(default, skip_serializing_if = "Cause::is_own")]
    pub cause: Cause,
    /// A condition, as `--assume` reads it, under which the property was proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved_if: Option<String>,
}

/// What stood in the way of an answer, as far as several reasons of a kernel may have it in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// Nothing that another reason has.
    #[default]
    Own,
    /// The work that all questions about one kernel may cost together is spent.
    KernelWork,
    /// The time that all questions about one kernel may take is over.
    KernelTime,
    /// One question has more bits than it may have, or cost more than it may.
    Question(String),
    /// An operation that is not modelled, and what it may do.
    NotModelled(String),
    /// Something else, in words.
    Other(String),
}

impl Cause {
    /// Whether no other reason has it.
    pub fn is_own(&self) -> bool {
        *self == Cause::Own
    }
}

impl Reason {
    /// A reason that belongs to no place.
    pub fn new(code: Code, text: impl Into<String>) -> Reason {
        Reason { code, text: text.into(), place: None, cause: Cause::Own, proved_if: None }
    }

    /// The same reason, for a cause that others may have too.
    #[must_use]
    pub fn because(self, cause: Cause) -> Reason {
        Reason { cause, ..self }
    }

    /// The same reason, at a place.
    #[must_use]
    pub fn at(self, place: impl Into<Place>) -> Reason {
        Reason { place: Some(place.into()), ..self }
    }
}
