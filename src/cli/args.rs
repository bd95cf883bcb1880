//! The command line, declared: the commands, each with the arguments that its file declares.

use clap::{Parser, Subcommand};

use super::barriers::BarriersArgs;
use super::baseline::BaselineArgs;
use super::check::CheckArgs;
use super::explain::ExplainArgs;
use super::gpu_check::GpuCheckArgs;
use super::instrument::InstrumentArgs;
use super::lift::LiftArgs;
use super::litmus::LitmusArgs;
use super::manual::{CompletionsArgs, ManualArgs};
use super::merge::MergeArgs;
use super::progress::ProgressArgs;
use super::run::RunArgs;
use super::units::UnitsArgs;

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
    Merge(MergeArgs),
    /// Show the named barriers and barrier objects of a kernel: who takes part in which use, and
    /// what is at odds
    Barriers(BarriersArgs),
    /// List the device units of a project, with what clang gets of each command
    Units(UnitsArgs),
    /// Say what a finding code means, with an example and its repair
    Explain(ExplainArgs),
    /// List the passes of `check`
    Passes,
    /// Say which forward-progress guarantee a litmus test or a kernel needs
    Progress(ProgressArgs),
    /// Say which outcomes of a small program the PTX memory model allows, and whether it races
    Litmus(LitmusArgs),
    /// Put race checks into LLVM IR, or print the plan by which they are put
    Instrument(InstrumentArgs),
    /// Run a kernel on this machine under race checks
    Run(RunArgs),
    /// Say whether runs on this machine's GPU work, and which of their checks do
    GpuCheck(GpuCheckArgs),
    /// Print the manual page, for `man -l -`
    Manual(ManualArgs),
    /// Print what a shell completes `heddle` by
    Completions(CompletionsArgs),
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
