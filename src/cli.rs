//! The commands of the `heddle` binary: arguments in, text on standard output, an exit code out.
//!
//! Standard output carries the answer and nothing else; progress, clang's warnings and faults of
//! ours go to standard error. What goes out depends on the sources and the options, and for colours
//! on the terminal.
//!
//! Floors, from the ground up: options that several commands share (`sources`, `output`, `policy`
//! and the like), and what several do with them (`emit`, `watch`, `written`); the commands, each
//! with its own arguments; the command line that lists them (`args`).
//!
//! **Does not**: decide anything; [`heddle_driver`] does the work, `heddle_diagnostics` renders it.

mod args;
mod barriers;
mod baseline;
mod chart_svg;
mod chart_text;
mod check;
mod codes;
mod emit;
mod explain;
mod gpu_check;
mod header;
mod instrument;
mod keep;
mod lift;
mod list;
mod litmus;
mod log;
mod manual;
mod merge;
mod output;
mod policy;
mod progress;
mod project;
mod run;
mod sources;
mod table;
mod units;
mod waits;
mod watch;
mod why;
mod written;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use heddle_diagnostics::render::{clean, one_line};
use heddle_frontend::compile::Compiler;

use args::{Cli, Command};
pub(crate) use codes::{FAULT, USAGE};
pub(crate) use emit::rendered;
pub(crate) use output::Format;
pub(crate) use table::TableArgs;

/// Runs the command that the arguments name, and gives the exit code. `compiler` compiles sources:
/// which one is the binary's choice, since a compiler in the process is a hundred megabytes that a
/// plugin must not have.
pub fn run(arguments: impl IntoIterator<Item = OsString>, compiler: &dyn Compiler) -> ExitCode {
    report_panics_in_one_line();
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        // Help and version are no errors, and go to standard output.
        Err(message) => {
            let code = if message.use_stderr() { USAGE } else { 0 };
            let shown = message.print();
            return ExitCode::from(if shown.is_ok() { code } else { FAULT });
        }
    };
    if let Err(message) = log::start() {
        return refused(&message);
    }
    match &cli.command {
        // What runs and instruments walks types and constants, which nest as deep as they like, as
        // checks do, which have threads of their own.
        Command::Run(_) | Command::Instrument(_) => std::thread::scope(|scope| {
            let large = std::thread::Builder::new().stack_size(STACK);
            match large.spawn_scoped(scope, || done(cli.command, compiler)) {
                Ok(work) => work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(error) => refused(&format!(
                    "no thread to work with: {error}; raise the limit on memory (`ulimit -v`)"
                )),
            }
        }),
        Command::Check(_)
        | Command::Baseline(_)
        | Command::Header
        | Command::Lift(_)
        | Command::Barriers(_)
        | Command::Explain(_)
        | Command::GpuCheck(_)
        | Command::Units(_)
        | Command::Merge(_)
        | Command::Manual(_)
        | Command::Completions(_)
        | Command::Litmus(_)
        | Command::Passes
        | Command::Progress(_) => done(cli.command, compiler),
    }
}

/// The stack of a run: reserved, and used only where a module nests deeply.
const STACK: usize = 256 << 20;

/// Does what the command says, and gives the exit code.
fn done(command: Command, compiler: &dyn Compiler) -> ExitCode {
    let mut out = io::stdout().lock();
    let done = match command {
        Command::Check(arguments) => check::run(arguments, compiler, &mut out),
        Command::Baseline(arguments) => baseline::run(arguments, compiler, &mut out),
        Command::Header => header::run(&mut out),
        Command::Lift(arguments) => lift::run(arguments, compiler, &mut out),
        Command::Barriers(arguments) => barriers::run(&arguments, compiler, &mut out),
        Command::Explain(arguments) => explain::run(&arguments, &mut out),
        Command::Instrument(arguments) => instrument::run(arguments, compiler, &mut out),
        Command::Run(arguments) => run::run(arguments, compiler, &mut out),
        Command::GpuCheck(arguments) => gpu_check::run(&arguments, compiler, &mut out),
        Command::Units(arguments) => units::run(&arguments, &mut out),
        Command::Merge(arguments) => merge::run(&arguments, &mut out),
        Command::Manual(arguments) => manual::manual(&arguments, Cli::command(), &mut out),
        Command::Completions(arguments) => {
            manual::completions(&arguments, Cli::command(), &mut out)
        }
        Command::Litmus(arguments) => litmus::run(&arguments, &mut out),
        Command::Passes => list::run(&mut out),
        Command::Progress(arguments) => progress::run(arguments, compiler, &mut out),
    };
    let done = done.and_then(|code| out.flush().map(|()| code).map_err(anyhow::Error::from));
    match done {
        Ok(code) => ExitCode::from(code),
        // Whoever read our output has enough of it, as in `heddle check k.cu | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::from(FAULT),
        Err(error) => {
            let _unheard = writeln!(io::stderr(), "heddle: {}", clean(&format!("{error:#}")));
            ExitCode::from(FAULT)
        }
    }
}

/// Says what is wrong with the environment, and gives the exit code for that.
pub fn refused(message: &str) -> ExitCode {
    let _unheard = writeln!(io::stderr(), "error: {}", clean(message));
    ExitCode::from(USAGE)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|it| it.kind() == io::ErrorKind::BrokenPipe)
}

/// A panic in a pass is caught and becomes a finding; the place in our source goes to standard
/// error, on one line. With `RUST_BACKTRACE` the usual message is left as it is.
fn report_panics_in_one_line() {
    if std::env::var_os("RUST_BACKTRACE").is_some() {
        return;
    }
    std::panic::set_hook(Box::new(|info| {
        let text = info.payload_as_str().unwrap_or("a panic without a message");
        let at = info.location().map(|at| format!(" at {at}")).unwrap_or_default();
        let _unheard = writeln!(io::stderr(), "heddle: internal error{at}: {}", one_line(text));
    }));
}
