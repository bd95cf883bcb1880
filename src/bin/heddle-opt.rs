//! The `heddle-opt` binary: hands its arguments to [`heddle_cli::opt`]. It has LLVM's passes, and
//! no clang.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle_cli::opt::run(std::env::args_os())
}
