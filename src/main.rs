//! The `heddle` binary: hands its arguments to [`heddle_cli::cli`] and ends with the exit code that
//! comes back.
//!
//! clang is linked in: starting a compiler takes longer than checking a kernel. A run over several
//! sources starts this binary again for each of them, as a worker that compiles one source.

use std::process::ExitCode;

fn main() -> ExitCode {
    if heddle_clang::worker::is_asked() {
        return heddle_clang::worker::serve();
    }
    heddle_cli::cli::run(std::env::args_os(), &heddle_clang::Guarded)
}
