//! `heddle check`: findings, then a summary.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::Context;
use heddle_diagnostics::render::clean;
use heddle_frontend::compile::Compiler;

use super::args::{CheckArgs, SourceArgs};
use super::policy::{self, Known};
use super::{USAGE, emit, watch};
use heddle_driver::project::{NOT_ALLOWED, Project};
use heddle_driver::{self as driver, Outcome, Source};

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
    match outcome(arguments, compiler, Known::Accepted)? {
        Ok(outcome) => emit::emit(&outcome.report, &output, out),
        Err(code) => Ok(code),
    }
}

/// Checks; or the exit code, where the configuration cannot be read.
pub(super) fn outcome(
    mut arguments: CheckArgs,
    compiler: &dyn Compiler,
    known: Known,
) -> anyhow::Result<Result<Outcome, u8>> {
    let quiet = arguments.output.quiet;
    let (mut options, config) = match policy::options(&mut arguments, known) {
        Ok(decided) => decided,
        Err(message) => {
            let _unheard = writeln!(io::stderr(), "error: {}", clean(&message));
            return Ok(Err(USAGE));
        }
    };
    options.cache = match arguments.keep.open().and_then(|it| arguments.why.open().map(|()| it)) {
        Ok(cache) => cache,
        Err(error) => {
            let _unheard = writeln!(io::stderr(), "error: {}", clean(&format!("{error:#}")));
            return Ok(Err(USAGE));
        }
    };
    options.profile = arguments.keep.profile();
    options.why = arguments.why.wanted();
    let project = arguments.project.project(&arguments.sources);
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
    arguments.why.tell(options.why.as_deref(), outcome.report.sources())?;
    arguments.keep.tell(options.cache.as_deref(), options.profile.as_deref(), &outcome);
    if !quiet {
        pass_on(&outcome.warnings);
    }
    Ok(Ok(outcome))
}

/// Says which options of the build clang does not get because a project may not give them.
fn tell_not_allowed(project: &Project) {
    for (option, count) in project.not_allowed() {
        let units = if count == 1 { "unit" } else { "units" };
        let _unheard = writeln!(
            io::stderr(),
            "note: `{option}` of {count} {units} is left out: {NOT_ALLOWED}"
        );
    }
}

/// What clang warned about, as it said it.
pub(super) fn pass_on(warnings: &[String]) {
    for text in warnings {
        let _unheard = writeln!(io::stderr(), "{}", clean(text.trim_end()));
    }
}

/// The files named on the command line, each once, by whichever of its names it was named first;
/// standard input is read here.
pub(super) fn sources(arguments: &SourceArgs) -> anyhow::Result<Vec<Source>> {
    let (mut sources, mut named) = (Vec::new(), BTreeSet::new());
    for path in &arguments.files {
        if !named.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            continue;
        }
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).context("standard input cannot be read")?;
            sources.push(Source::Text { name: "<stdin>".to_owned(), bytes, language: None });
        } else {
            sources.push(Source::File(path.clone()));
        }
    }
    Ok(sources)
}
