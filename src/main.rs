//! The `heddle` binary: hands its arguments to [`heddle_cli::cli`] and ends with the exit code that
//! comes back.
//!
//! clang is linked in: starting a compiler takes longer than checking a kernel.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle_cli::cli::run(std::env::args_os(), &heddle_clang::Embedded)
}
