//! Runs a [`Pipeline`] over one module of IR: checks, LLVM's passes, instrumentation, in the order
//! given.
//!
//! **Promises**: a check never changes the module; with `verify_each` LLVM's verifier looks at it
//! after each step that may. What LLVM refuses is an error with LLVM's words, and the module is
//! then not handed out. **Does not**: read files or print.

use std::time::{Duration, Instant};

use heddle_diagnostics::{Code, ExitCode, Finding, Report, SourceMap};
use heddle_frontend::compile::ClangProcess;
use heddle_llvm::Module;

use crate::dynamic::instrumented;
use crate::options::CheckOptions;
use crate::pipeline::{Pipeline, Step};
use crate::progress::Progress;
use crate::run::check;
use crate::source::Source;

/// What came of a pipeline.
#[derive(Debug)]
pub struct Transformed {
    /// The module at the end; none where a step failed.
    pub module: Option<Module>,
    /// What each check said, in order. What was wrong with the input is a report of its own.
    pub reports: Vec<Report>,
    /// How long each step took, in order, by its text.
    pub times: Vec<(String, Duration)>,
}

impl Transformed {
    /// How the process ends: the gravest of the reports, in the order of [`Report::exit_code`];
    /// proved where none is.
    pub fn exit_code(&self) -> ExitCode {
        let rank = |code: &ExitCode| match code {
            ExitCode::Proved => 0,
            ExitCode::Unknown => 1,
            ExitCode::Refuted => 2,
            ExitCode::Input => 3,
            ExitCode::Fault => 4,
        };
        let codes = self.reports.iter().map(Report::exit_code);
        codes.max_by_key(rank).unwrap_or(ExitCode::Proved)
    }
}

/// Runs the steps over the module in `bytes` (IR text or bitcode), which messages call `name`.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn transform(
    name: &str,
    bytes: &[u8],
    pipeline: &Pipeline,
    base: &CheckOptions,
    verify_each: bool,
) -> anyhow::Result<Transformed> {
    let mut done = Transformed { module: None, reports: Vec::new(), times: Vec::new() };
    let started = Instant::now();
    let mut module = match Module::parse(bytes, name).and_then(|it| it.verify().map(|()| it)) {
        Ok(module) => module,
        Err(why) => {
            done.reports.push(refused(format!("{name}: this is no valid LLVM IR: {why}"))?);
            return Ok(done);
        }
    };
    done.times.push(("read".to_owned(), started.elapsed()));
    // The user's own text as long as it is what the module says, so that findings have its lines.
    let mut source = Source::Text {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
        language: Some(heddle_frontend::Language::Ir),
    };
    for (number, step) in (1..).zip(&pipeline.0) {
        let started = Instant::now();
        let after = apply(step, &mut module, name, &source, base)?;
        done.times.push((step.to_string(), started.elapsed()));
        match after {
            After::Said(report) => {
                done.reports.push(*report);
                continue;
            }
            After::Changed => {}
            After::Replaced(by) => module = by,
            After::Failed(finding) => {
                done.reports.push(report_of(*finding)?);
                return Ok(done);
            }
        }
        if verify_each && let Err(why) = module.verify() {
            let message = format!("LLVM's verifier rejects the module after `{step}`: {why}");
            done.reports.push(report_of(Finding::new(Code::InternalError, message))?);
            return Ok(done);
        }
        // Findings point into the module as it is printed now.
        let name = format!("<{name} after step {number}>");
        source = Source::Text {
            name,
            bytes: module.text().into_bytes(),
            language: Some(heddle_frontend::Language::Ir),
        };
    }
    done.module = Some(module);
    Ok(done)
}

/// What a step did.
enum After {
    /// It looked at the module.
    Said(Box<Report>),
    /// It changed the module in place.
    Changed,
    /// It made another.
    Replaced(Module),
    /// It could not be done.
    Failed(Box<Finding>),
}

fn apply(
    step: &Step,
    module: &mut Module,
    name: &str,
    source: &Source,
    base: &CheckOptions,
) -> anyhow::Result<After> {
    Ok(match step {
        Step::Check { .. } => {
            let options = step.options(base)?;
            let sources = std::slice::from_ref(source);
            let done = check(sources, &options, &ClangProcess, &Progress::default())?;
            After::Said(Box::new(done.report))
        }
        Step::Instrument(checks) => {
            match instrumented(
                source,
                &base.compile,
                &ClangProcess,
                *checks,
                &[],
                &SourceMap::default(),
            )? {
                Ok(made) => match Module::parse(made.text.as_bytes(), name) {
                    Ok(module) => After::Replaced(module),
                    Err(why) => {
                        let message = format!("the instrumented module is not read back: {why}");
                        After::Failed(Box::new(Finding::new(Code::InternalError, message)))
                    }
                },
                Err(finding) => After::Failed(Box::new(finding)),
            }
        }
        Step::Llvm(text) => match module.run_passes(text) {
            Ok(()) => After::Changed,
            Err(why) => {
                let help = "`heddle passes` lists Heddle's passes, `opt-22 -print-passes` LLVM's";
                let finding = Finding::new(Code::BadInput, format!("`-passes={text}`: {why}"));
                After::Failed(Box::new(finding.help(help)))
            }
        },
    })
}

fn refused(message: String) -> anyhow::Result<Report> {
    report_of(Finding::new(Code::BadInput, message.trim_end()))
}

fn report_of(finding: Finding) -> anyhow::Result<Report> {
    let base = std::env::current_dir()?;
    Ok(Report::new(std::sync::Arc::new(SourceMap::new(base)), Vec::new(), vec![finding]))
}
