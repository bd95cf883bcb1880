//! The `heddle-opt` binary: reads IR, runs a pipeline of checks and LLVM's passes over it, writes
//! IR.
//!
//! Options are LLVM's by name and form, so that what is known of `opt` holds here: one dash,
//! `-passes=…`, `-S`, `-o`. The options of a check (`-block=256`) apply to all checks of the
//! pipeline. Findings go to standard error, IR to standard output or to a file, and the exit code
//! is that of `heddle check`.
//!
//! **Does not**: decide anything; [`heddle_driver::transform`] does the work.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use heddle_diagnostics::render::{Colour, clean};
use heddle_driver::CheckOptions;
use heddle_driver::pipeline::Pipeline;
use heddle_driver::transform::{Transformed, transform};

use crate::cli::{FAULT, Format, TableArgs, USAGE, rendered};

/// Run a pipeline of GPU checks and LLVM passes over LLVM IR
#[derive(Parser, Debug)]
#[command(name = "heddle-opt", version, after_help = AFTER, disable_help_subcommand = true)]
struct Opt {
    /// `.ll` or `.bc`; standard input if not said, or `-`
    #[arg(value_name = "FILE")]
    input: Option<PathBuf>,
    /// What to do, in order, separated by commas: checks (`heddle passes` lists them; `races`, or
    /// `heddle` for all), `instrument-races`, and LLVM's passes. Parameters in brackets:
    /// `races<block=256;grid=8>`. Without, the module is only read and written
    #[arg(long, value_name = "PIPELINE", default_value = "", hide_default_value = true)]
    passes: Pipeline,
    /// Where the module goes; standard output if not said
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the module as text instead of bitcode
    #[arg(short = 'S')]
    text: bool,
    /// Write no module
    #[arg(long)]
    disable_output: bool,
    /// Print the pipeline as it was understood, and end
    #[arg(long)]
    print_pipeline_passes: bool,
    /// Say on standard error how long each step took
    #[arg(long)]
    time_passes: bool,
    /// Run LLVM's verifier after each step that changes the module
    #[arg(long)]
    verify_each: bool,
    /// How findings are shown
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
    #[command(flatten)]
    how: TableArgs<false>,
}

const AFTER: &str = "\
Long options may be written with one dash, as in LLVM's opt.
Examples:
  heddle-opt -passes=races,barrier-divergence in.ll -disable-output
  heddle-opt '-passes=races<block=256>,default<O1>' in.ll -S -o out.ll
  heddle-opt -passes=instrument-races in.ll -S -o out.ll
Exit codes: 0 proved (or nothing was checked), 1 refuted, 2 bad input, 3 unknown, 4 internal error.";

/// Runs `heddle-opt` with these arguments, and gives the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = arguments.into_iter().enumerate();
    let arguments = arguments.map(|(n, it)| if n == 0 { it } else { with_two_dashes(it) });
    let asked = match Opt::try_parse_from(arguments) {
        Ok(asked) => asked,
        Err(message) => {
            let code = if message.use_stderr() { USAGE } else { 0 };
            let shown = message.print();
            return ExitCode::from(if shown.is_ok() { code } else { FAULT });
        }
    };
    match opt(&asked) {
        Ok(code) => ExitCode::from(code),
        Err((code, error)) => {
            let _unheard = writeln!(io::stderr(), "heddle-opt: {}", clean(&format!("{error:#}")));
            ExitCode::from(code)
        }
    }
}

/// `-passes=x` as `--passes=x`; `-S`, `-o` and `-` stay.
fn with_two_dashes(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if text.starts_with('-') && !text.starts_with("--") && text.len() > 2 => {
            format!("-{text}").into()
        }
        _ => argument,
    }
}

fn opt(asked: &Opt) -> Result<u8, (u8, anyhow::Error)> {
    let fault = |error| (FAULT, error);
    if asked.print_pipeline_passes {
        writeln!(io::stdout(), "{}", asked.passes).map_err(|error| fault(error.into()))?;
        return Ok(0);
    }
    let (name, bytes) = read(asked.input.as_deref()).map_err(|error| (USAGE, error))?;
    let base = asked.how.on_top_of(CheckOptions::default());
    let done = transform(&name, &bytes, &asked.passes, &base, asked.verify_each).map_err(fault)?;
    io::stderr()
        .write_all(findings(&done, asked.format).as_bytes())
        .map_err(|e| fault(e.into()))?;
    if asked.time_passes {
        io::stderr().write_all(times(&done.times).as_bytes()).map_err(|e| fault(e.into()))?;
    }
    if let Some(module) = &done.module
        && !asked.disable_output
    {
        let bytes = if asked.text { module.text().into_bytes() } else { module.to_bitcode() };
        write(asked, &bytes).map_err(fault)?;
    }
    Ok(done.exit_code().number())
}

fn read(input: Option<&Path>) -> anyhow::Result<(String, Vec<u8>)> {
    match input {
        Some(path) if path != Path::new("-") => {
            let bytes = std::fs::read(path)
                .with_context(|| format!("{}: the file cannot be read", path.display()))?;
            Ok((path.display().to_string(), bytes))
        }
        Some(_) | None => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).context("standard input cannot be read")?;
            Ok(("<stdin>".to_owned(), bytes))
        }
    }
}

fn write(asked: &Opt, bytes: &[u8]) -> anyhow::Result<()> {
    match &asked.output {
        Some(path) if path != Path::new("-") => heddle_diagnostics::written::replace(path, bytes)
            .with_context(|| format!("{}: the file cannot be written", path.display())),
        Some(_) | None if !asked.text && io::stdout().is_terminal() => {
            anyhow::bail!(
                "bitcode does not go to a terminal: add `-S`, `-o FILE` or `-disable-output`"
            )
        }
        Some(_) | None => Ok(io::stdout().write_all(bytes)?),
    }
}

fn findings(done: &Transformed, format: Format) -> String {
    let colour = if io::stderr().is_terminal() { Colour::Always } else { Colour::Never };
    let show = |report| rendered(report, format, colour, true);
    done.reports.iter().map(show).collect()
}

/// A line per step, and their sum, as LLVM's `-time-passes` has it: wall-clock seconds.
fn times(times: &[(String, Duration)]) -> String {
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    let mut out = String::from("===-- Pass execution timing, wall-clock seconds --===\n");
    for (name, time) in times.iter().chain([&("total".to_owned(), total)]) {
        let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(f64::MIN_POSITIVE);
        let _fits = writeln!(out, "{:10.4} ({share:5.1}%)  {name}", time.as_secs_f64());
    }
    out
}
