//! From sources and options to a report: compile, read, lift, check, in parallel over files and
//! then over kernels.
//!
//! ```text
//! Source ── load ──► kernels ── bind (arguments, assumptions) ──► heddle_passes::check ──► Report
//! ```
//!
//! **Promises**: the same sources and options give the same report, whatever the number of jobs.
//! Bad input is a finding HD0901 and a fault of ours a finding HD0999; neither stops the rest.
//! Options that fit no kernel are bad input, and then nothing is checked. **Does not**: print, read
//! standard input, or exit; link a compiler: who calls brings one (the binary has clang inside, the
//! plugin lives in one and needs none).

#![forbid(unsafe_code)]

mod ahead;
mod bind;
pub mod cache;
pub mod config;
mod contracts;
mod decisions;
pub mod dynamic;
mod fault;
mod home;
mod host;
mod infer;
mod ir_lines;
mod kept;
mod launches;
mod limits;
mod load;
mod names;
mod options;
pub mod pipeline;
mod progress;
pub mod project;
mod rules;
mod run;
mod sizes;
mod source;
pub mod table;
pub mod transform;
mod trouble;
mod visible;

pub use decisions::Decisions;
pub use heddle_passes::named_barriers::{Cell, Chart, Part, Row};
pub use options::{
    Argument, BadOption, CheckOptions, Host, LaunchOptions, LaunchRule, Replay, ResourceLimit,
    Size, global_offset, known_offset,
};
pub use progress::Progress;
pub use source::{Dropped, Source, Unit};
pub use visible::Visible;

use std::time::Duration;

use heddle_diagnostics::Report;
use heddle_diagnostics::policy::Policy;
use heddle_frontend::compile::Compiler;
use heddle_ir::Kernel;

use project::Project;
use run::{About, Asked, Goal, run};

/// Everything a run has to say.
#[derive(Debug)]
pub struct Outcome {
    /// Verdicts and findings.
    pub report: Report,
    /// The kernels that were lifted, in the order of the sources.
    pub kernels: Vec<Kernel>,
    /// The barriers of the kernels, where [`charts()`] was asked for.
    pub charts: Vec<Chart>,
    /// What clang warned about, in the order of the sources.
    pub warnings: Vec<String>,
    /// How long each part took: the sources in their order, then the kernels. Not for output that
    /// must not change.
    pub timings: Vec<Timing>,
}

/// How long a part of a run took.
#[derive(Clone, Debug)]
pub struct Timing {
    /// `read` (compiled and lifted) or `checked`.
    pub stage: &'static str,
    /// The source or the kernel.
    pub name: String,
    /// How long.
    pub took: Duration,
    /// Whether it was known from an earlier run.
    pub known: bool,
}

/// Checks the kernels of all sources. `compiler` compiles those that are source text.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn check(
    sources: &[Source],
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    let asked = Asked { sources, options, compiler, progress };
    Ok(decided(run(asked, About::default(), Goal::Check)?, options))
}

/// Applies what is decided about findings.
fn decided(outcome: Outcome, options: &CheckOptions) -> Outcome {
    let partial = !options.kernels.is_empty() || !options.passes.is_empty();
    let policy = Policy { partial: partial || options.policy.partial, ..options.policy.clone() };
    Outcome { report: policy.apply(outcome.report), ..outcome }
}

/// Checks the units of a project.
///
/// # Errors
/// As [`check`].
pub fn check_project(
    project: Project,
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    let sources = &project.sources()[..];
    let Project { units: _, mut scope, findings } = project;
    scope.identity = kept::identity(&scope.identity, options);
    let about = About { scope: Some(scope), findings };
    let asked = Asked { sources, options, compiler, progress };
    Ok(decided(run(asked, about, Goal::Check)?, options))
}

/// Lifts the kernels of all sources, and checks nothing: the report has no verdicts.
///
/// # Errors
/// As [`check`].
pub fn lift(
    sources: &[Source],
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    run(Asked { sources, options, compiler, progress }, About::default(), Goal::Lift)
}

/// Checks the kernels, and charts the barriers of those whose threads meet at barriers of their
/// own.
///
/// # Errors
/// As [`check`].
pub fn charts(
    sources: &[Source],
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    run(Asked { sources, options, compiler, progress }, About::default(), Goal::Draw)
}
