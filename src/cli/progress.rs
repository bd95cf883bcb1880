//! `heddle progress`: which forward-progress guarantee a litmus test or a kernel needs to
//! terminate, and all tests of a size.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use heddle_diagnostics::render::{clean, one_line};
use heddle_diagnostics::source::read_text;
use heddle_driver::{Argument, Size};
use heddle_frontend::compile::Compiler;
use heddle_progress::cli::{self, CheckArguments, EmissionArguments, Exit, Output, SynthArguments};
use heddle_progress::emit::Layout;
use heddle_progress::synth::Constraints;

use super::waits::{self, Asked};
use super::watch::Line;

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(super) struct ProgressArgs {
    #[command(subcommand)]
    command: Option<ProgressCommand>,
    #[command(flatten)]
    test: TestArgs,
}

#[derive(Subcommand, Debug)]
enum ProgressCommand {
    /// Enumerate all tests of a size
    Synth(SynthArgs),
}

#[derive(Args, Debug)]
struct TestArgs {
    /// A test of exchange-and-branch instructions, `.axb`; or the kernels of a `.cu`, `.cl`, `.ll`,
    /// `.bc`, `.ptx` or `.mlir` file
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Blocks of the grid that is followed, for kernels [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    blocks: Option<u32>,
    /// Threads of each block, for kernels [default: 64]
    #[arg(long, value_name = "SIZE")]
    block: Option<Size>,
    /// The value of a kernel argument: `n=1024` (repeatable)
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<Argument>,
    /// Show how it fails to terminate under this model, such as `strong-obe`
    #[arg(long, value_name = "MODEL")]
    explain: Option<String>,
    /// Take this model for granted: a failure under it is exit code 1
    #[arg(long, value_name = "MODEL")]
    assume: Option<String>,
    /// Draw the transition system instead
    #[arg(long, value_name = "FORM", conflicts_with = "emit")]
    draw: Option<DrawChoice>,
    /// Write the test as a program in this language instead, such as `cuda`
    #[arg(long, value_name = "LANGUAGE")]
    emit: Option<String>,
    /// Instances of the test in the program that `--emit` writes, spread over neighbouring blocks
    #[arg(long, value_name = "N", requires = "emit", conflicts_with = "chunked")]
    round_robin: Option<u32>,
    /// The same, with all blocks of a thread together
    #[arg(long, value_name = "N", requires = "emit")]
    chunked: Option<u32>,
    /// The largest transition system to build, in states
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    state_limit: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DrawChoice {
    /// Graphviz
    Dot,
    /// A picture
    Svg,
}

#[derive(Args, Debug)]
struct SynthArgs {
    /// Threads of a test
    threads: usize,
    /// Instructions of a test, over all threads
    instructions: usize,
    /// Which constraints a test must meet
    #[arg(long, value_name = "SET", default_value = "paper")]
    constraints: ConstraintsChoice,
    /// Keep one of the tests that differ by the order of their threads only
    #[arg(long)]
    rename_threads: bool,
    /// Keep one of the tests with equal minimal automata
    #[arg(long)]
    irredundant: bool,
    /// Only tests that distinguish this model from weaker ones
    #[arg(long, value_name = "MODEL")]
    distinguish: Option<String>,
    /// Only tests that an implementation of this model must pass
    #[arg(long, value_name = "MODEL", conflicts_with = "distinguish")]
    conformance: Option<String>,
    /// Write the table of verdicts
    #[arg(long)]
    table: bool,
    /// Write each test
    #[arg(long)]
    list: bool,
    /// Only part `i` of `n`, from 0
    #[arg(long, value_name = "i/n")]
    shard: Option<String>,
    /// Threads that work at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ConstraintsChoice {
    /// As the paper states them
    Paper,
    /// As the archived model has them
    Archived,
}

/// Answers, prints, and gives the exit code.
pub(super) fn run(
    arguments: ProgressArgs,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let mut text = Vec::new();
    let exit = match arguments.command {
        Some(ProgressCommand::Synth(arguments)) => synth(arguments, &mut text)?,
        None => test(arguments.test, compiler, &mut text)?,
    };
    let text = clean(&String::from_utf8_lossy(&text));
    match exit {
        Exit::Proved | Exit::Refuted | Exit::Unknown => out.write_all(text.as_bytes())?,
        Exit::Usage => io::stderr().write_all(text.as_bytes())?,
    }
    Ok(exit.code())
}

fn test(arguments: TestArgs, compiler: &dyn Compiler, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let TestArgs {
        file,
        blocks,
        block,
        args,
        explain,
        assume,
        draw,
        emit,
        round_robin,
        chunked,
        state_limit,
    } = arguments;
    let output = match draw {
        Some(DrawChoice::Dot) => Output::Dot,
        Some(DrawChoice::Svg) => Output::Svg,
        None => Output::Text,
    };
    let of_kernels = blocks.is_some() || block.is_some() || !args.is_empty();
    if let Some(file) = file.as_ref().filter(|it| of_kernels || is_kernel_file(it)) {
        let asked = Asked { file, blocks, block, args, explain, assume, output, state_limit };
        return waits::run(asked, compiler, out);
    }
    let Some(file) = file else {
        writeln!(
            out,
            "error: no test is given; name an `.axb` file, or see `heddle progress --help`"
        )?;
        return Ok(Exit::Usage);
    };
    let input = one_line(&file.display().to_string());
    let text = match read_text(&file) {
        Ok(text) => text,
        Err(error) => {
            writeln!(out, "error: {input}: the test cannot be read: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    let exit = match emit {
        Some(language) => {
            let layout = match (round_robin, chunked) {
                (Some(instances), _) => Layout::RoundRobin { instances },
                (None, Some(instances)) => Layout::Chunked { instances },
                (None, None) => Layout::Plain,
            };
            cli::emission(&EmissionArguments { input, text, language, layout }, out)
        }
        None => {
            cli::check(&CheckArguments { input, text, explain, assume, output, state_limit }, out)
        }
    };
    exit.context("the answer could not be written")
}

/// Whether a file has kernels, and not a test.
fn is_kernel_file(file: &Path) -> bool {
    file.extension().is_some_and(|it| {
        ["cu", "cl", "ll", "bc", "ptx", "mlir", "mlirbc"].iter().any(|known| it == *known)
    })
}

fn synth(arguments: SynthArgs, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let SynthArgs {
        threads,
        instructions,
        constraints,
        rename_threads,
        irredundant,
        distinguish,
        conformance,
        table,
        list,
        shard,
        jobs,
    } = arguments;
    let constraints = match constraints {
        ConstraintsChoice::Paper => Constraints::Paper,
        ConstraintsChoice::Archived => Constraints::Archived,
    };
    let asked = SynthArguments {
        threads,
        instructions,
        constraints,
        rename_threads,
        irredundant,
        distinguish,
        conformance,
        table,
        list,
        shard,
        workers: jobs.max(1),
    };
    let shown = Line::new();
    let exit =
        cli::synth(&asked, out, &mut |now| shown.set("tests of the size", now.done, now.units));
    exit.context("the answer could not be written")
}
