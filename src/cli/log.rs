//! `HEDDLE_LOG`: what a command does and how long each part of it took, on standard error.
//!
//! A line for each part as it ends: the seconds since the start, the parts around it on the same
//! operating system thread, and the time that it was at work (`time.busy`):
//! sources that are read and passes by `info`, questions by `debug`, queries of the solver by
//! `trace`.
//!
//! **Promises**: what is answered does not depend on it; where it is not set, nothing is written.
//! **Does not**: add up: questions are asked on several threads.

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// The variable of the environment.
const VARIABLE: &str = "HEDDLE_LOG";

/// Has parts written that are at least as large as the environment asks for.
///
/// # Errors
/// It asks for something else.
pub(super) fn start() -> Result<(), String> {
    let Some(asked) = std::env::var_os(VARIABLE).filter(|it| !it.is_empty()) else {
        return Ok(());
    };
    let asked = asked.to_string_lossy();
    let level = match asked.as_ref() {
        "off" => return Ok(()),
        "info" => LevelFilter::INFO,
        "debug" => LevelFilter::DEBUG,
        "trace" => LevelFilter::TRACE,
        other => {
            return Err(format!("{VARIABLE} is `off`, `info`, `debug` or `trace`, not `{other}`"));
        }
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_span_events(FmtSpan::CLOSE)
        .with_target(false)
        .with_timer(tracing_subscriber::fmt::time::uptime())
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .try_init()
        .map_err(|error| format!("{VARIABLE}: {error}"))
}
