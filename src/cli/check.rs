//! `heddle check`: findings, then a summary.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use heddle_diagnostics::render::{clean, one_line};
use heddle_driver::config::Config;
use heddle_driver::project::{NOT_ALLOWED, Project};
use heddle_driver::{self as driver, CheckOptions, Outcome};
use heddle_frontend::compile::Compiler;

use super::codes::USAGE;
use super::emit;
use super::keep::KeepArgs;
use super::output::OutputArgs;
use super::policy::{self, Known, PolicyArgs};
use super::project::ProjectArgs;
use super::sources::{SourceArgs, pass_on, sources};
use super::table::TableArgs;
use super::watch;
use super::why::WhyArgs;
use super::written;

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

impl CheckArgs {
    fn check_options(&self) -> CheckOptions {
        let CheckArgs { sources, project: _, how, keep: _, why: _, policy: _, output: _ } = self;
        how.on_top_of(CheckOptions {
            compile: sources.compile_options(),
            kernels: sources.kernels.clone(),
            ..CheckOptions::default()
        })
    }
}

/// Checks, prints, and gives the exit code.
pub(super) fn run(
    arguments: CheckArgs,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let output = arguments.output.clone();
    if !emit::are_sound(&output, &arguments.sources.files) {
        return Ok(USAGE);
    }
    match outcome(arguments, compiler, Known::Accepted, &output.files())? {
        Ok(outcome) => emit::emit(&outcome.report, &output, out),
        Err(code) => Ok(code),
    }
}

/// Checks; or the exit code, where the configuration cannot be read, or one of the outputs is a
/// file that the check reads.
pub(super) fn outcome(
    mut arguments: CheckArgs,
    compiler: &dyn Compiler,
    known: Known,
    outputs: &[PathBuf],
) -> anyhow::Result<Result<Outcome, u8>> {
    let quiet = arguments.output.quiet;
    let (mut options, config) = match options(&mut arguments, known) {
        Ok(decided) => decided,
        Err(message) => {
            let _unheard = writeln!(io::stderr(), "error: {}", clean(&message));
            return Ok(Err(USAGE));
        }
    };
    let project = arguments.project.project(&arguments.sources);
    let mut inputs = arguments.sources.files.clone();
    inputs.extend(arguments.policy.inputs(&config, known));
    inputs.extend(project.iter().flat_map(Project::inputs));
    if !written::can_be(outputs, &inputs) {
        return Ok(Err(USAGE));
    }
    options.cache = match arguments.keep.open().and_then(|it| arguments.why.open().map(|()| it)) {
        Ok(cache) => cache,
        Err(error) => {
            let _unheard = writeln!(io::stderr(), "error: {}", clean(&format!("{error:#}")));
            return Ok(Err(USAGE));
        }
    };
    options.profile = arguments.keep.profile();
    options.why = arguments.why.wanted();
    let whole = arguments.sources.files.is_empty() && !arguments.project.is_part();
    if !quiet {
        policy::warn(&config, config.absent());
        policy::note(&config, &config.not_allowed());
    }
    let project = project.map(|it| policy::project_without_excluded(&config, it, whole, quiet));
    if let (Some(project), false) = (&project, quiet) {
        tell_not_allowed(project);
    }
    let sources = match &project {
        Some(project) => project.sources(),
        None => policy::without_excluded(&config, sources(&arguments.sources)?, quiet),
    };
    let outcome = watch::watched(!quiet, |progress| match project {
        Some(project) => driver::check_project(project, &options, compiler, progress),
        None => driver::check(&sources, &options, compiler, progress),
    })?;
    if whole && !quiet && options.kernels.is_empty() {
        let kernels = outcome.report.kernels().iter();
        let kernels: Vec<_> = kernels.map(|it| (&*it.symbol, &*it.name)).collect();
        policy::warn(&config, &config.idle_rules(&kernels));
    }
    inputs.iter().for_each(|it| outcome.report.sources().was_read(it));
    if !arguments.why.tell(options.why.as_deref(), outcome.report.sources()) {
        return Ok(Err(USAGE));
    }
    arguments.keep.tell(options.cache.as_deref(), options.profile.as_deref(), &outcome);
    if !quiet {
        pass_on(&outcome.warnings);
    }
    Ok(Ok(outcome))
}

/// The options of a check under its `heddle.toml`, and that file, which also says what is left out.
/// Arguments for clang that the file gives are added to those of the command line.
///
/// # Errors
/// A file that cannot be read, for the user.
fn options(arguments: &mut CheckArgs, known: Known) -> Result<(CheckOptions, Config), String> {
    let start = arguments.sources.files.first().cloned();
    let start = start.or_else(|| arguments.project.place().map(Path::to_owned));
    let config = arguments.policy.config(start.as_deref())?;
    let is_project = arguments.project.place().is_some();
    arguments.sources.under(&config, is_project);
    let mut options = arguments.check_options();
    config.lay_under(&mut options, &|name| arguments.how.gives(name))?;
    options.policy = arguments.policy.policy(&config, known)?;
    Ok((options, config))
}

/// Says which options of the build clang does not get because a project may not give them.
fn tell_not_allowed(project: &Project) {
    for (option, count) in project.not_allowed() {
        let units = if count == 1 { "unit" } else { "units" };
        let _unheard = writeln!(
            io::stderr(),
            "note: `{}` of {count} {units} is left out: {NOT_ALLOWED}",
            one_line(option)
        );
    }
}
