//! One thing to tell the user about a kernel, as a value.
//!
//! A finding holds everything any renderer shows: the message, the numbered accesses, other places,
//! notes, what would help, the witness and whether its replay confirmed it. Messages are lower
//! case, without a full stop, with backticks round code, and understandable alone.
//!
//! **Promises**: [`Findings`] keeps insertion order; sorting and merging happen once, in the
//! report.
//! **Does not**: render or print.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::acceptance::Acceptance;
use crate::code::{Code, Severity};
use crate::span::Place;
use crate::witness::{Confirmation, Witness};

/// A place with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What happens there, such as ``write of `s[6]` by thread (6,0,0)``.
    pub text: String,
}

impl Label {
    /// From a place and the words.
    pub fn new(place: impl Into<Place>, text: impl Into<String>) -> Label {
        Label { place: place.into(), text: text.into() }
    }
}

/// One diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind.
    pub code: Code,
    /// The code's own severity, or the one the user asked for.
    pub severity: Severity,
    /// The kernel's readable name; `None` for what belongs to no kernel (bad input).
    pub kernel: Option<Arc<str>>,
    /// The first line.
    pub message: String,
    /// The accesses, or the barrier: shown as (1), (2), … in this order when there are several.
    pub labels: Vec<Label>,
    /// Which label is where the finding is: an index into `labels`, 0 unless set. For a race the
    /// write; of two writes the one that comes first in the text.
    pub primary: usize,
    /// Other places that help to understand.
    pub secondary: Vec<Label>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What would make it right.
    pub helps: Vec<String>,
    /// A run that shows it.
    pub witness: Option<Witness>,
    /// What replaying the witness showed; `None` where there is nothing to replay.
    pub confirmation: Option<Confirmation>,
    /// Why it does not count; `None` where it does.
    pub accepted: Option<Acceptance>,
}

impl Finding {
    /// A finding with its code's severity and nothing but a message.
    pub fn new(code: Code, message: impl Into<String>) -> Finding {
        Finding {
            code,
            severity: code.severity(),
            kernel: None,
            message: message.into(),
            labels: Vec::new(),
            primary: 0,
            secondary: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            witness: None,
            confirmation: None,
            accepted: None,
        }
    }

    /// Says which kernel it is about.
    #[must_use]
    pub fn kernel(mut self, name: impl Into<Arc<str>>) -> Finding {
        self.kernel = Some(name.into());
        self
    }

    /// Adds the next numbered access.
    #[must_use]
    pub fn label(mut self, place: impl Into<Place>, text: impl Into<String>) -> Finding {
        self.labels.push(Label::new(place, text));
        self
    }

    /// Says that the finding is at the label with this index, from 0.
    #[must_use]
    pub fn primary(mut self, index: usize) -> Finding {
        self.primary = index;
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn secondary(mut self, place: impl Into<Place>, text: impl Into<String>) -> Finding {
        self.secondary.push(Label::new(place, text));
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Finding {
        self.notes.push(text.into());
        self
    }

    /// Adds what would make it right.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Finding {
        self.helps.push(text.into());
        self
    }

    /// Adds the run that shows it, and what its replay said.
    #[must_use]
    pub fn witness(mut self, witness: Witness, confirmation: Confirmation) -> Finding {
        self.witness = Some(witness);
        self.confirmation = Some(confirmation);
        self
    }

    /// Where the finding is: the place of its primary label.
    pub fn place(&self) -> Option<&Place> {
        self.labels.get(self.primary).map(|label| &label.place)
    }
}

/// What passes report into.
#[derive(Clone, Debug, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// None yet.
    pub fn new() -> Findings {
        Findings::default()
    }

    /// Adds one.
    pub fn push(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    /// In the order they came.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.0.iter()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The list itself.
    pub fn into_vec(self) -> Vec<Finding> {
        self.0
    }
}

impl Extend<Finding> for Findings {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, findings: I) {
        self.0.extend(findings);
    }
}

impl IntoIterator for Findings {
    type Item = Finding;
    type IntoIter = std::vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Findings {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
