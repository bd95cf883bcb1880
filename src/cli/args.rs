//! The command line, declared: what `--help` says and what the commands get.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use heddle_frontend::CompileOptions;
use heddle_frontend::compile::OpenClTarget;
use heddle_passes::PASSES;
use heddle_passes::launch::BarrierModel;
use heddle_solver::Budget;

use super::progress::ProgressArgs;
use super::project::ProjectArgs;
use heddle_driver::{Argument, CheckOptions, LaunchOptions, Replay, Size};

/// Verifies GPU kernels: proves that they have no data race and no divergent barrier, or shows the run that has one
#[derive(Parser, Debug)]
#[command(name = "heddle", version, after_help = EXAMPLES, disable_help_subcommand = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  heddle check reduce.cu                          any launch, any arguments
  heddle check reduce.cu --block 256 --grid 64    this launch
  heddle check --block 16,16 --arg n=1024 matmul.cl
  heddle check --assume 'n % 16 == 0' matmul.cu
  heddle check k.cu -- -Iinclude -DTILE=32        arguments for clang
  heddle check -p build/                          a project, by its compile_commands.json
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
    /// Check the kernels of CUDA, OpenCL or LLVM IR files
    Check(CheckArgs),
    /// Print the predicated IR that the checks read
    Lift(LiftArgs),
    /// List the device units of a project, with what clang gets of each command
    Units(super::units::UnitsArgs),
    /// Say what a finding code means, with an example and its repair
    Explain(ExplainArgs),
    /// List the passes of `check`
    Passes,
    /// Say which forward-progress guarantee a litmus test needs
    Progress(ProgressArgs),
    /// Put race checks into LLVM IR, or print the plan by which they are put
    Instrument(super::instrument::InstrumentArgs),
    /// Run a kernel on this machine under race checks
    Run(super::run::RunArgs),
}

#[derive(Args, Debug)]
#[command(
    after_help = "A launch that is not said comes from the code (`__launch_bounds__`, `reqd_work_group_size`); \
    what is still open is any size that the target allows, and any argument values.\n\
    Exit codes: 0 proved, 1 refuted, 2 bad input, 3 unknown, 4 internal error.",
    group(ArgGroup::new("input").args(["files", "database"]).required(true).multiple(true))
)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) sources: SourceArgs,
    #[command(flatten)]
    pub(super) project: ProjectArgs,
    #[command(flatten)]
    pub(super) launch: LaunchArgs,
    #[command(flatten)]
    pub(super) method: MethodArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("input").arg("files").required(true)))]
pub(super) struct LiftArgs {
    #[command(flatten)]
    pub(super) sources: SourceArgs,
}

#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    /// A number (`HD0101`) or a name (`intra-block-race`); without one, all codes are listed
    pub(super) code: Option<String>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(super) struct SourceArgs {
    /// `.cu`, `.cl`, `.ll` or `.bc` files; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Take these kernels only, by source name or symbol; `*` and `?` stand for other characters (repeatable)
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
    /// Arguments for clang, behind `--`
    #[arg(last = true, value_name = "CLANG ARGS")]
    clang_args: Vec<OsString>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Launch")]
pub(super) struct LaunchArgs {
    /// Blocks in the grid: `64`, `8,8`, or `any`
    #[arg(long, value_name = "SIZE")]
    grid: Option<Size>,
    /// Threads in a block: `256`, `16,16`, or `any`
    #[arg(long, value_name = "SIZE")]
    block: Option<Size>,
    /// The value of a kernel argument: `n=1024`, `n=-3`, `n=0x400` (repeatable)
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<Argument>,
    /// Take a condition for granted: `n % 16 == 0 && blockDim.x <= 256` (repeatable)
    #[arg(long = "assume", value_name = "CONDITION")]
    assumptions: Vec<String>,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES")]
    dynamic_shared: Option<u64>,
    /// Threads in a warp, where the target leaves it open
    #[arg(long, value_name = "N", value_parser = warp_size)]
    warp_size: Option<u32>,
    /// What a block barrier waits for: all threads, or all that have not returned
    /// [default: exited-ok for CUDA from sm_70, else strict]
    #[arg(long, value_name = "MODEL")]
    barrier_model: Option<BarrierChoice>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Method")]
pub(super) struct MethodArgs {
    /// Run these passes only, separated by commas; `heddle passes` lists them
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = pass_name)]
    passes: Vec<String>,
    /// Several threads that store the same value: a note, or a race
    #[arg(long, value_name = "LEVEL", default_value = "note")]
    benign: BenignChoice,
    /// Work that one question may cost, as a multiple of the default
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = budget_factor)]
    budget: f64,
    /// Where the run that refutes a property is tried before it is told
    #[arg(long, value_name = "WHERE", default_value = "interp")]
    replay: ReplayChoice,
    /// As `--replay=none`
    #[arg(long, conflicts_with = "replay")]
    no_replay: bool,
    /// Take the threads of a warp to run in step, where named barriers are checked
    #[arg(long)]
    warp_sync: bool,
    /// Threads that work at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// How findings are shown
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
    /// Colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColourChoice,
    /// Findings only: no summary, no progress, no warnings of clang
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Like rustc's, with the source, and a summary
    Human,
    /// One line per finding, for editors
    Short,
    /// One JSON document, for programs
    Json,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BarrierChoice {
    /// All threads of the block
    Strict,
    /// All threads of the block that have not returned
    ExitedOk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReplayChoice {
    /// In the interpreter
    Interp,
    /// There, and as native code under race checks, as `heddle run` does
    Jit,
    /// Nowhere; the run is then unconfirmed
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BenignChoice {
    Note,
    Error,
}

impl SourceArgs {
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
        let CheckArgs { sources, project: _, launch, method, output: _ } = self;
        CheckOptions {
            compile: sources.compile_options(),
            kernels: sources.kernels.clone(),
            launch: launch.options(),
            benign_is_error: match method.benign {
                BenignChoice::Note => false,
                BenignChoice::Error => true,
            },
            budget: scaled(method.budget),
            passes: method.passes.clone(),
            replay: method.replay(),
            warp_sync: method.warp_sync,
            jobs: method.jobs,
        }
    }
}

impl MethodArgs {
    fn replay(&self) -> Replay {
        match self.replay {
            _ if self.no_replay => Replay::None,
            ReplayChoice::Interp => Replay::Interpreter,
            ReplayChoice::Jit => Replay::Jit,
            ReplayChoice::None => Replay::None,
        }
    }
}

impl LaunchArgs {
    fn options(&self) -> LaunchOptions {
        LaunchOptions {
            grid: self.grid,
            block: self.block,
            args: self.args.clone(),
            assumptions: self.assumptions.clone(),
            dynamic_shared: self.dynamic_shared,
            barriers: self.barrier_model.map(|choice| match choice {
                BarrierChoice::Strict => BarrierModel::Strict,
                BarrierChoice::ExitedOk => BarrierModel::ExitedOk,
            }),
            warp_size: self.warp_size,
        }
    }
}

fn warp_size(text: &str) -> Result<u32, String> {
    let size = text.parse().ok().filter(|size: &u32| size.is_power_of_two() && *size <= 128);
    size.ok_or_else(|| "a warp has 1, 2, 4, … or 128 threads".to_owned())
}

fn pass_name(text: &str) -> Result<String, String> {
    if PASSES.iter().any(|pass| pass.name() == text) {
        return Ok(text.to_owned());
    }
    let names: Vec<_> = PASSES.iter().map(|pass| pass.name()).collect();
    Err(format!("the passes are {}", names.join(", ")))
}

fn budget_factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| *factor > 0.0 && *factor <= 1e6);
    factor.ok_or_else(|| "give a number above 0 and up to 1000000, as in `4` or `0.5`".to_owned())
}

/// The default budget, each count times `factor` and at least one.
fn scaled(factor: f64) -> Budget {
    let Budget { cases, pivots, instances, instance_conflicts, conflicts, clauses } =
        Budget::default();
    let small = |count: u32| (f64::from(count) * factor).max(1.0) as u32;
    let large = |count: u64| (count as f64 * factor).max(1.0) as u64;
    Budget {
        cases: small(cases),
        pivots: large(pivots),
        instances: small(instances),
        instance_conflicts: large(instance_conflicts),
        conflicts: large(conflicts),
        clauses: large(clauses),
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

    #[test]
    fn a_budget_grows_with_its_factor() {
        assert_eq!(scaled(1.0), Budget::default());
        assert_eq!(scaled(2.0).conflicts, 2 * Budget::default().conflicts);
        assert_eq!(scaled(1e-9).cases, 1);
    }
}
