//! A finding that an earlier run had, as a baseline keeps it.
//!
//! **Does not**: say whether a run has it still; [`policy`](crate::policy) does.

use serde::{Deserialize, Serialize};

use crate::code::Code;

/// A finding of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Known {
    /// The file it was in, from the folder of the baseline; in a report, as it shows files.
    pub file: String,
    /// The kernel.
    pub kernel: String,
    /// The kind.
    pub code: Code,
    /// What identifies it.
    pub fingerprint: String,
    /// Its first line.
    pub message: String,
}
