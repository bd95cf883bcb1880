//! The exit codes that do not come from a report.

/// What the process ends with when the command line or the input is wrong.
pub(crate) const USAGE: u8 = 2;
/// What it ends with by our own fault.
pub(crate) const FAULT: u8 = 4;
