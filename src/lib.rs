//! Heddle, a verifier for GPU kernels: the command line.
//!
//! [`cli`] has the commands of the `heddle` binary, [`opt`] is the `heddle-opt` binary: arguments
//! in, text and an exit code out. What they call, from sources and options to a report, is
//! [`heddle_driver`]: a crate of its own, so that the compiler plugin has it without clang. (The
//! library called `heddle` is the plugin: `libheddle.so`.)
//!
//! **Promises**: the report depends on the sources and the options alone, not on the number of
//! jobs, the terminal or the time; a fault in one kernel leaves the others checked. **Does not**:
//! know LLVM, or decide anything.

#![forbid(unsafe_code)]

pub mod cli;
pub mod opt;
