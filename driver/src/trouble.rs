//! Options that do not fit the kernels of a run, as findings.
//!
//! **Promises**: each message is there once, however many kernels an option does not fit. **Does
//! not**: know options; what fits them to kernels ([`crate::bind`], [`crate::sizes`]) does.

use std::collections::BTreeSet;

use heddle_diagnostics::{Code, Finding};

/// The findings so far, each message once.
#[derive(Default)]
pub(super) struct Trouble {
    findings: Vec<Finding>,
    said: BTreeSet<String>,
}

impl Trouble {
    pub(super) fn add(&mut self, finding: Finding) {
        if self.said.insert(finding.message.clone()) {
            self.findings.push(finding);
        }
    }

    /// Nothing, if everything fits.
    ///
    /// # Errors
    /// The findings, in the order in which they were met.
    pub(super) fn none(self) -> Result<(), Vec<Finding>> {
        if self.findings.is_empty() { Ok(()) } else { Err(self.findings) }
    }
}

/// An option that does not fit, as bad input.
pub(super) fn refused(message: impl Into<String>, help: impl Into<String>) -> Finding {
    Finding::new(Code::BadInput, message).help(help)
}
