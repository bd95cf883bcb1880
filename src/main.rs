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
    if let Err(message) = heddle_clang::worker::check_limits() {
        return heddle_cli::cli::refused(&message);
    }
    report_files_that_are_too_large();
    heddle_cli::cli::run(std::env::args_os(), &heddle_clang::Guarded)
}

/// A file that grows beyond the limit of the process (`ulimit -f`) is an error of the write, as on
/// a full disk; else it would end the process in the middle of one.
#[allow(unsafe_code, reason = "the standard library has no signals")]
fn report_files_that_are_too_large() {
    // SAFETY: no handler is set, so none can do what a handler must not.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}
