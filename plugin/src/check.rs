//! Checks the host's module and tells the host what was found.

use std::path::Path;

use heddle_diagnostics::render::place_text;
use heddle_diagnostics::{Code, Finding, Place, Report};
use heddle_driver::config::Config;
use heddle_driver::{CheckOptions, Progress, Source, check};
use heddle_frontend::compile::ClangProcess;
use heddle_lift::prepare::kernels;
use heddle_llvm::{Function, HostModule, Inst};

use crate::level::Level;
use crate::message::{Levels, proved_text, text_of};
use crate::options::{ConfigPlace, Options};
use crate::tell::report_to_host;

/// What messages call the module, where it has no better name.
const MODULE: &str = "<module>";

/// Whether there is anything to check: the target is a GPU that is read, and there is a kernel.
pub(crate) fn concerns(module: &HostModule) -> bool {
    let triple = module.triple();
    (triple.starts_with("nvptx") || triple.starts_with("spir")) && kernels::first(module).is_some()
}

/// Checks a copy of the module and hands the findings to the host: remarks first, errors last, with
/// their number, since some hosts (opt) end at the first error.
///
/// # Panics
/// By a fault of ours; who calls catches it.
pub(crate) fn check_module(module: &HostModule, options: &Options) {
    assert!(!options.panic, "this failure was asked for");
    let Some(Decided { options, levels, wrong }) = decided(module, options) else { return };
    let source = Source::Host { name: MODULE.to_owned(), bitcode: module.to_bitcode() };
    let outcome = check(&[source], &options, &ClangProcess, &Progress::default());
    let report = match outcome {
        Ok(outcome) => outcome.report,
        Err(error) => return report_fault(module, &format!("{error:#}")),
    };
    let Some(fallback) = kernels::first(module) else { return };
    let mut told: Vec<(Level, Function<'_>, &Finding)> = Vec::new();
    for finding in report.loose_findings().iter().chain(&wrong) {
        told.push((levels.level(finding), fallback, finding));
    }
    for kernel in report.kernels() {
        let function = module.function(&kernel.symbol).unwrap_or(fallback);
        if let Some(text) = proved_text(kernel) {
            report_to_host(function, None, Level::Passed, "Proved", &text);
        }
        told.extend(kernel.findings.iter().map(|it| (levels.level(it), function, it)));
    }
    told.sort_by_key(|(level, _, _)| match level {
        Level::Off | Level::Remark | Level::Passed => 0,
        Level::Warning => 1,
        Level::Error => 2,
    });
    let errors = told.iter().filter(|(level, _, _)| *level == Level::Error).count();
    for (level, kernel, finding) in told {
        let (function, at) = place_in(module, &report, kernel, finding.place());
        let mut text = text_of(&report, finding);
        // A place without an instruction, such as that of a comment, is known to the text alone.
        if let (None, Some(place @ Place::Source(_))) = (at, finding.place()) {
            text.push_str(&format!("; at {}", place_text(report.sources(), place)));
        }
        if level == Level::Error && errors > 1 {
            text.push_str(&format!("; one of {errors} errors"));
        }
        report_to_host(function, at, level, &finding.code.to_string(), &text);
    }
}

/// How a module is checked: what the options say, under the project's file.
struct Decided {
    options: CheckOptions,
    levels: Levels,
    /// What is wrong with the file.
    wrong: Vec<Finding>,
}

/// `None` where the project leaves the file out. A file that cannot be read is told, and the check
/// goes on without it.
fn decided(module: &HostModule, asked: &Options) -> Option<Decided> {
    let source = module.source_file_name();
    let source = Path::new(&source);
    let path = match &asked.config {
        ConfigPlace::Nearest => Config::find(source),
        ConfigPlace::At(path) => Some(path.clone()),
        ConfigPlace::Nowhere => None,
    };
    let mut wrong = Vec::new();
    let mut refused = |why: String| {
        let finding = Finding::new(Code::BadInput, why);
        wrong.push(finding.help("this module is checked without it"));
    };
    let read = path.map_or(Ok(Config::default()), |path| Config::read(&path));
    let config = read.unwrap_or_else(|why| {
        refused(why);
        Config::default()
    });
    if config.excludes(source) {
        return None;
    }
    let mut options = asked.check.clone();
    if let Err(why) = config.lay_under(&mut options, &|name| asked.given.contains(name)) {
        refused(why);
    }
    match asked.decisions.under(&config) {
        Ok(policy) => options.policy = policy,
        Err(why) => refused(why),
    }
    let levels = Levels::of(asked, asked.decisions.fail_on.or(config.fail_on));
    Some(Decided { options, levels, wrong })
}

/// Tells the host of a fault of ours.
pub(crate) fn report_fault(module: &HostModule, detail: &str) {
    let Some(function) = kernels::first(module) else { return };
    let text = format!(
        "{}: Heddle failed and says nothing about this module: {detail}; help: this is not your kernel's fault: \
         please report it, with the input and the command line",
        Code::InternalError
    );
    report_to_host(function, None, Level::Warning, &Code::InternalError.to_string(), &text);
}

/// The function and the instruction of the host's module that a place means: the instruction of
/// that number, or the first that debug info puts on that line and column.
fn place_in<'m>(
    module: &'m HostModule,
    report: &Report,
    kernel: Function<'m>,
    place: Option<&Place>,
) -> (Function<'m>, Option<Inst<'m>>) {
    match place {
        None => (kernel, None),
        Some(Place::Instruction(at)) => {
            let function = module.function(&at.function).unwrap_or(kernel);
            (function, function.instructions().nth(at.ordinal as usize))
        }
        Some(Place::Source(at)) => {
            let sources = report.sources();
            let meant = |inst: &Inst<'_>| {
                inst.location(module).is_some_and(|found| {
                    (found.line, found.column) == (at.line, at.column)
                        && sources.add(found.path()) == at.file
                })
            };
            let own = kernel.instructions().find(meant);
            let elsewhere = || module.functions().flat_map(Function::instructions).find(meant);
            match own.or_else(elsewhere) {
                Some(inst) => (inst.block().function(), Some(inst)),
                None => (kernel, None),
            }
        }
    }
}
