//! The command line, declared: what `--help` says and what the commands get.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use heddle_driver::CheckOptions;
use heddle_driver::config::Config;
use heddle_frontend::CompileOptions;
use heddle_frontend::compile::OpenClTarget;

use super::keep::KeepArgs;
use super::policy::{BaselineArgs, PolicyArgs};
use super::progress::ProgressArgs;
use super::project::ProjectArgs;
use super::table::TableArgs;
use super::why::WhyArgs;

/// Verifies GPU kernels: proves that they have no data race and no divergent barrier, or shows the
/// run that has one
#[derive(Parser, Debug)]
#[command(name = "heddle", version, after_help = EXAMPLES, disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  heddle check reduce.cu                          as the file launches it
  heddle check reduce.cu --block 256 --grid 64    this launch
  heddle check --block 16,16 --arg n=1024 matmul.cl
  heddle check --assume 'n % 16 == 0' matmul.cu
  heddle check k.cu -- -Iinclude -DTILE=32        arguments for clang
  heddle check -p build/                          a project, by its commands
  heddle check k.cu --format sarif=heddle.sarif --format github
  heddle check k.cu -W HD0103=error --fail-on refuted
  heddle explain HD0101                           what a finding means
  heddle lift k.cu                                the IR that is checked

Exit codes of `check`:
  0  each property of each kernel is proved
  1  a property is refuted: some run violates it, and is shown
  2  the command line or an input is wrong
  3  a property is unknown: the reason is shown
  4  Heddle itself failed
Where several apply, 4 goes before 2 before 1 before 3.";

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Check the kernels of CUDA, OpenCL, LLVM IR, PTX or MLIR files
    Check(CheckArgs),
    /// Write down what is found now, so that later checks count new findings only
    Baseline(BaselineArgs),
    /// Print `heddle.h`, with which kernels say their launch
    Header,
    /// Print the predicated IR that the checks read
    Lift(LiftArgs),
    /// Put the records of several parts of a run together
    Merge(super::merge::MergeArgs),
    /// Show the named barriers and barrier objects of a kernel: who takes part in which use, and
    /// what is at odds
    Barriers(BarriersArgs),
    /// List the device units of a project, with what clang gets of each command
    Units(super::units::UnitsArgs),
    /// Say what a finding code means, with an example and its repair
    Explain(ExplainArgs),
    /// List the passes of `check`
    Passes,
    /// Say which forward-progress guarantee a litmus test or a kernel needs
    Progress(ProgressArgs),
    /// Say which outcomes of a small program the PTX memory model allows, and whether it races
    Litmus(super::litmus::LitmusArgs),
    /// Put race checks into LLVM IR, or print the plan by which they are put
    Instrument(super::instrument::InstrumentArgs),
    /// Run a kernel on this machine under race checks
    Run(super::run::RunArgs),
    /// Say whether runs on this machine's GPU work, and which of their checks do
    GpuCheck(super::gpu_check::GpuCheckArgs),
    /// Print the manual page, for `man -l -`
    Manual(super::manual::ManualArgs),
    /// Print what a shell completes `heddle` by
    Completions(super::manual::CompletionsArgs),
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  heddle check k.cu                              as the file launches it\n  \
    heddle check k.cu --block 256 --grid any       blocks of 256 threads\n  \
    heddle check k.cu --arg n=1024 --assume 'm % 16 == 0'\n  \
    heddle check k.cu -- -Iinclude -DTILE=32       arguments for clang\n  \
    heddle check -p build/ --cache .heddle         a project, what changed in it\n\n\
    A launch that is not said comes from the code (`__launch_bounds__`, `reqd_work_group_size`, \
    the constants of `kernel<<<grid, block>>>` in the same file); what is still open is any size that the target allows, and any argument values. \
    `--block any --grid any` opens all.\n\
    What a project says for all runs is in its heddle.toml. `// heddle: allow(HD0103) reason` at an access accepts a \
    finding; it stays in the report and counts no more.\n\
    Exit codes: 0 proved, 1 refuted, 2 bad input, 3 unknown, 4 internal error.",
    group(ArgGroup::new("input").args(["files", "database"]).required(true).multiple(true))
)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) sources: SourceArgs,
    #[command(flatten)]
    pub(super) project: ProjectArgs,
    #[command(flatten)]
    pub(super) how: TableArgs<true>,
    #[command(flatten)]
    pub(super) keep: KeepArgs,
    #[command(flatten)]
    pub(super) why: WhyArgs,
    #[command(flatten)]
    pub(super) policy: PolicyArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("input").arg("files").required(true)))]
pub(super) struct LiftArgs {
    #[command(flatten)]
    pub(super) sources: SourceArgs,
    /// The form: the text that is read back, or MLIR in the dialect of `docs/heddle.irdl`
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(super) emit: LiftForm,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LiftForm {
    Text,
    Mlir,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("input").arg("files").required(true)))]
pub(super) struct BarriersArgs {
    #[command(flatten)]
    pub(super) sources: SourceArgs,
    #[command(flatten)]
    pub(super) how: TableArgs<true>,
    /// Draw them into this file instead, as a picture
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
}

impl BarriersArgs {
    pub(super) fn check_options(&self) -> CheckOptions {
        let mut options = self.how.on_top_of(CheckOptions {
            compile: self.sources.compile_options(),
            kernels: self.sources.kernels.clone(),
            ..CheckOptions::default()
        });
        if options.passes.is_empty() {
            options.passes = vec!["named-barriers".to_owned()];
        }
        options
    }
}

#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    /// A number (`HD0101`) or a name (`intra-block-race`); without one, all codes are listed
    pub(super) code: Option<String>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(super) struct SourceArgs {
    /// `.cu`, `.cl`, `.ll`, `.bc`, `.ptx` or `.mlir` files; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Take these kernels only, by source name or symbol; `*` and `?` stand for other characters
    /// (repeatable)
    #[arg(long = "kernel", value_name = "NAME")]
    pub(super) kernels: Vec<String>,
    /// Compile CUDA for this NVIDIA architecture [default: sm_80, or what the build's command says]
    #[arg(long, value_name = "sm_XX")]
    pub(super) arch: Option<String>,
    /// Compile CUDA against this toolkit instead of the built-in headers
    #[arg(long, value_name = "DIR")]
    cuda_path: Option<PathBuf>,
    /// Compile OpenCL for this target
    #[arg(long, value_name = "TARGET", default_value = "spirv64")]
    target: TargetChoice,
    /// Arguments for clang, after `--`
    #[arg(last = true, value_name = "CLANG ARGS")]
    clang_args: Vec<OsString>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// How findings are shown: human, short, json, jsonl, sarif, github, junit or record; with
    /// `=FILE`, written to this file (repeatable: `--format sarif=heddle.sarif --format github`)
    /// [default: human]
    #[arg(long = "format", value_name = "FORMAT[=FILE]")]
    pub(super) formats: Vec<Output>,
    /// Write what would go to standard output to this file
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColourChoice,
    /// Findings only: no summary, no progress, no warnings of clang
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Like rustc's, with the source, and a summary
    Human,
    /// One line per finding, for editors
    Short,
    /// One JSON document, for programs
    Json,
    /// A JSON object per line, finding and verdict
    Jsonl,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// JUnit XML: a test case per kernel and property
    Junit,
    /// Everything, for `heddle merge`
    Record,
}

/// One `--format`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) format: Format,
    /// Standard output where there is none.
    pub(super) file: Option<PathBuf>,
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Output, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err("there is no file after `=`".to_owned()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        let format = Format::from_str(name, false).map_err(|_| {
            let names: Vec<_> = Format::value_variants()
                .iter()
                .filter_map(|it| Some(it.to_possible_value()?.get_name().to_owned()))
                .collect();
            format!("the formats are {}, each with or without `=FILE`", names.join(", "))
        })?;
        Ok(Output { format, file })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColourChoice {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetChoice {
    Spirv64,
    Nvptx64,
}

impl SourceArgs {
    /// Adds what a project's file says. The architecture is for files alone: a project's commands
    /// name theirs.
    pub(super) fn under(&mut self, config: &Config, is_project: bool) {
        let Config { arch, cuda_path, clang_args, .. } = config;
        if !is_project {
            self.arch = self.arch.take().or_else(|| arch.clone());
        }
        self.cuda_path = self.cuda_path.take().or_else(|| cuda_path.clone());
        self.clang_args.splice(0..0, clang_args.iter().map(OsString::from));
    }

    pub(super) fn compile_options(&self) -> CompileOptions {
        let defaults = CompileOptions::default();
        CompileOptions {
            arch: self.arch.clone().unwrap_or(defaults.arch),
            cuda_path: self.cuda_path.clone(),
            clang_args: self.clang_args.clone(),
            opencl_target: match self.target {
                TargetChoice::Spirv64 => OpenClTarget::Spirv64,
                TargetChoice::Nvptx64 => OpenClTarget::Nvptx64,
            },
            ..defaults
        }
    }
}

impl CheckArgs {
    pub(super) fn check_options(&self) -> CheckOptions {
        let CheckArgs { sources, project: _, how, keep: _, why: _, policy: _, output: _ } = self;
        how.on_top_of(CheckOptions {
            compile: sources.compile_options(),
            kernels: sources.kernels.clone(),
            ..CheckOptions::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }
}
