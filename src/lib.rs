//! Heddle, a verifier for GPU kernels: the driver and the command line.
//!
//! The one place where the front end, the passes and the renderers meet:
//!
//! - [`driver`]: from sources and options to a report. What a plugin or a test calls.
//! - [`cli`]: the commands of the `heddle` binary: arguments in, text and an exit code out.
//!
//! **Promises**: the report depends on the sources and the options alone, not on the number of jobs, the terminal
//! or the time; a fault in one kernel leaves the others checked. **Does not**: know LLVM, or decide anything.

#![forbid(unsafe_code)]

pub mod cli;
pub mod driver;
