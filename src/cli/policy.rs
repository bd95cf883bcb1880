//! What is decided about findings, on the command line and in `heddle.toml`, and what that file
//! leaves out.
//!
//! The command line counts more than the file. Conditions, arguments for clang and severities of
//! both hold together.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use heddle_diagnostics::FailOn;
use heddle_diagnostics::policy::{Levels, Policy};
use heddle_diagnostics::render::one_line;
use heddle_driver::config::Config;
use heddle_driver::project::Project;
use heddle_driver::{Decisions, Source};

#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Policy")]
pub(super) struct PolicyArgs {
    /// How serious findings of a code are: `HD0103=error`, `unknown=ignore`; the levels are ignore,
    /// note, warning and error (repeatable)
    #[arg(short = 'W', long = "severity", value_name = "CODE=LEVEL", value_parser = levels)]
    severities: Vec<Levels>,
    /// What makes the exit code other than 0 [default: unknown]
    #[arg(long, value_name = "WHEN")]
    fail_on: Option<FailOnChoice>,
    /// Only findings that are not in this file count; `heddle baseline` writes it
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Read this file [default: the first `heddle.toml` on the way up from the first file]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Read no `heddle.toml`
    #[arg(long, conflicts_with = "config")]
    no_config: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOnChoice {
    /// Nothing that is found; bad input and faults of Heddle still do
    Never,
    /// A property that is refuted at a launch that the program does
    Launched,
    /// A refuted property
    Refuted,
    /// That, or a property that is unknown
    Unknown,
    /// That, or a warning
    Warning,
}

fn levels(text: &str) -> Result<Levels, String> {
    let mut levels = Levels::default();
    levels.read(text).map_err(|error| error.to_string())?;
    Ok(levels)
}

/// Whether the findings of an earlier run are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// They count no more.
    Accepted,
    /// As if there were none.
    Ignored,
}

impl PolicyArgs {
    /// The file that holds for what starts there: the one that is named, or the first on the way
    /// up.
    ///
    /// # Errors
    /// A file that cannot be read, for the user.
    pub(super) fn config(&self, start: Option<&Path>) -> Result<Config, String> {
        let path = match &self.config {
            Some(path) => Some(path.clone()),
            None if self.no_config => None,
            // A file that is not there is told of later; the folder it would be in counts all the
            // same.
            None => start
                .filter(|it| *it != Path::new("-"))
                .and_then(Config::find)
                .or_else(|| Config::find(Path::new("."))),
        };
        path.map_or(Ok(Config::default()), |path| Config::read(&shortened(path)))
    }

    /// What is decided, under the file.
    ///
    /// # Errors
    /// A baseline that cannot be read, for the user.
    pub(super) fn policy(&self, config: &Config, known: Known) -> Result<Policy, String> {
        let decided = self.decisions();
        match known {
            Known::Accepted => decided.under(config),
            Known::Ignored => {
                Decisions { baseline: None, ..decided }.under(&config.clone().without_baseline())
            }
        }
    }

    fn decisions(&self) -> Decisions {
        let mut levels = Levels::default();
        self.severities.iter().for_each(|more| levels.extend(more));
        let fail_on = self.fail_on.map(|choice| match choice {
            FailOnChoice::Never => FailOn::Never,
            FailOnChoice::Launched => FailOn::Launched,
            FailOnChoice::Refuted => FailOn::Refuted,
            FailOnChoice::Unknown => FailOn::Unknown,
            FailOnChoice::Warning => FailOn::Warning,
        });
        Decisions { levels, fail_on, baseline: self.baseline.clone() }
    }

    /// The files that are read for it.
    pub(super) fn inputs(&self, config: &Config, known: Known) -> Vec<PathBuf> {
        let baseline = self.baseline.as_ref().or(config.baseline.as_ref());
        let baseline = baseline.filter(|_| known == Known::Accepted);
        [&config.path].into_iter().chain(baseline).cloned().collect()
    }

    /// These options in a run that writes a baseline: no finding makes it fail, and none is known.
    pub(super) fn of_baseline(self) -> PolicyArgs {
        PolicyArgs { fail_on: Some(FailOnChoice::Never), baseline: None, ..self }
    }

    /// What is decided about a report that was made elsewhere, and the files that say so.
    ///
    /// # Errors
    /// A file that cannot be read, for the user.
    pub(super) fn of_finished(&self) -> Result<(Policy, Vec<PathBuf>), String> {
        let config = self.config(None)?;
        let inputs = self.inputs(&config, Known::Accepted);
        Ok((self.policy(&config, Known::Accepted)?, inputs))
    }
}

/// A path as one would write it from here, for messages that do not depend on where the project is.
fn shortened(path: PathBuf) -> PathBuf {
    let here = std::env::current_dir().ok();
    let short = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    short.unwrap_or(path)
}

/// The sources without those that the configuration leaves out; says how many on standard error.
pub(super) fn without_excluded(config: &Config, sources: Vec<Source>, quiet: bool) -> Vec<Source> {
    let before = sources.len();
    let kept: Vec<_> = sources
        .into_iter()
        .filter(|it| match it {
            Source::File(path) => !config.excludes(path),
            Source::Text { .. } | Source::Host { .. } | Source::Unit(_) => true,
        })
        .collect();
    tell_excluded(config, before - kept.len(), quiet);
    kept
}

/// The project without the units that the configuration leaves out. `whole`: nothing else leaves
/// units out.
pub(super) fn project_without_excluded(
    config: &Config,
    mut project: Project,
    whole: bool,
    quiet: bool,
) -> Project {
    if whole && !quiet {
        let files = project.units.iter().map(|it| it.path.as_path());
        warn(config, &config.idle_exclusions(files));
    }
    let before = project.units.len();
    project.units.retain(|unit| !config.excludes(&unit.path));
    project.scope.units = project.units.iter().map(|unit| unit.shown.clone()).collect();
    tell_excluded(config, before - project.units.len(), quiet);
    project
}

/// Says what of `heddle.toml` does nothing.
pub(super) fn warn(config: &Config, warnings: &[String]) {
    tell("warning", config, warnings);
}

/// Says what of `heddle.toml` is not followed.
pub(super) fn note(config: &Config, notes: &[String]) {
    tell("note", config, notes);
}

fn tell(kind: &str, config: &Config, texts: &[String]) {
    for text in texts {
        let path = config.path.display();
        let line = one_line(&format!("{kind}: {path}: {text}"));
        let _unheard = writeln!(io::stderr(), "{line}");
    }
}

fn tell_excluded(config: &Config, count: usize, quiet: bool) {
    if count > 0 && !quiet {
        let files = if count == 1 { "file is" } else { "files are" };
        let path = one_line(&config.path.display().to_string());
        let _unheard = writeln!(io::stderr(), "{count} {files} left out by `exclude` of {path}");
    }
}
