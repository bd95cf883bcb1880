//! A finding that an earlier run had, as a baseline keeps it.
//!
//! **Does not**: say whether a run has it still; [`policy`](crate::policy) does.

use serde::{Deserialize, Serialize};

use crate::code::Code;

/// A finding of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Known {
    /// The file it was in, from the folder of the baseline; in a report, as it shows files.
    pub(crate) file: String,
    /// The kernel.
    pub(crate) kernel: String,
    /// The kind.
    pub(crate) code: Code,
    /// What identifies it.
    pub(crate) fingerprint: String,
    /// Its first line.
    pub(crate) message: String,
}
