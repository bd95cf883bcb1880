//! The `heddle` binary: hands its arguments to [`heddle::cli`] and ends with the exit code that comes back.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle::cli::run(std::env::args_os())
}
