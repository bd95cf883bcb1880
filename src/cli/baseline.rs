//! `heddle baseline`: what is found now, as a file that later checks count from.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use heddle_diagnostics::policy::Baseline;
use heddle_diagnostics::render::one_line;
use heddle_frontend::compile::Compiler;

use super::check::{self, CheckArgs};
use super::codes::USAGE;
use super::keep::KeepArgs;
use super::output::{ColourChoice, OutputArgs};
use super::policy::{Known, PolicyArgs};
use super::project::ProjectArgs;
use super::sources::SourceArgs;
use super::table::TableArgs;
use super::why::WhyArgs;
use super::written;

#[derive(Args, Debug)]
#[command(
    after_help = "Later runs with `--baseline FILE`, or with `baseline = \"FILE\"` in heddle.toml, count only what is not in the \
    file, and say what of it is gone.",
    group(ArgGroup::new("input").args(["files", "database"]).required(true).multiple(true))
)]
pub(super) struct BaselineArgs {
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    how: TableArgs<true>,
    #[command(flatten)]
    policy: PolicyArgs,
    /// Where it goes
    #[arg(long, short, value_name = "FILE", default_value = "heddle-baseline.json")]
    output: PathBuf,
}

/// Checks, and writes what was found into a file; the exit code is 0 unless something could not be
/// checked.
pub(super) fn run(
    arguments: BaselineArgs,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let BaselineArgs { sources, project, how, policy, output } = arguments;
    let arguments = CheckArgs {
        sources,
        project,
        how,
        why: WhyArgs::default(),
        keep: KeepArgs::default(),
        policy: policy.of_baseline(),
        output: OutputArgs {
            formats: Vec::new(),
            output: None,
            color: ColourChoice::Never,
            quiet: true,
        },
    };
    let outcome =
        match check::outcome(arguments, compiler, Known::Ignored, std::slice::from_ref(&output))? {
            Ok(outcome) => outcome,
            Err(code) => return Ok(code),
        };
    let report = outcome.report;
    let code = report.exit_code().number();
    if code != 0 {
        let shown = heddle_diagnostics::render::short::report(&report);
        let _unheard = io::stderr().write_all(shown.as_bytes());
        return Ok(code);
    }
    let baseline = Baseline::of(&report, folder_of(&output));
    if !written::put(&output, baseline.write().as_bytes(), report.sources()) {
        return Ok(USAGE);
    }
    let findings = if baseline.len() == 1 { "finding" } else { "findings" };
    writeln!(out, "{} {findings} in {}", baseline.len(), one_line(&output.display().to_string()))?;
    Ok(0)
}

/// The folder that a baseline of this name is in; the current one for what is no file.
fn folder_of(output: &Path) -> &Path {
    let is_file = std::fs::metadata(output).is_ok_and(|it| it.is_file()) || !output.exists();
    let folder = output.parent().filter(|it| is_file && !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
