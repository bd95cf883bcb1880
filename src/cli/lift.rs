//! `heddle lift`: the predicated IR of each kernel, as text that parses back, or as MLIR.

use std::io::Write;

use clap::{ArgGroup, Args, ValueEnum};
use heddle_diagnostics::render::{Colour, human};
use heddle_frontend::compile::Compiler;

use super::sources::{SourceArgs, pass_on, sources};
use super::watch;
use heddle_driver::{self as driver, CheckOptions};

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("input").arg("files").required(true)))]
pub(super) struct LiftArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// The form: the text that is read back, or MLIR in the dialect of `docs/heddle.irdl`
    #[arg(long, value_name = "FORM", default_value = "text")]
    emit: LiftForm,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum LiftForm {
    Text,
    Mlir,
}

/// Lifts, prints, and gives the exit code: 0, or that of the findings.
pub(super) fn run(
    arguments: LiftArgs,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let sources = sources(&arguments.sources)?;
    let options = CheckOptions {
        compile: arguments.sources.compile_options(),
        kernels: arguments.sources.kernels.clone(),
        ..CheckOptions::default()
    };
    let outcome =
        watch::watched(true, |progress| driver::lift(&sources, &options, compiler, progress))?;
    pass_on(&outcome.warnings);
    let text = match arguments.emit {
        LiftForm::Text => {
            let kernels: Vec<_> = outcome.kernels.iter().map(heddle_ir::print_kernel).collect();
            kernels.join("\n")
        }
        LiftForm::Mlir => heddle_ir::print_mlir(&outcome.kernels),
    };
    out.write_all(text.as_bytes())?;
    let report = &outcome.report;
    if report.findings().next().is_none() {
        return Ok(0);
    }
    let options = human::Options { colour: Colour::Never, ..human::Options::default() };
    let _unheard = std::io::stderr().write_all(human::report(report, options).as_bytes());
    Ok(report.exit_code().number())
}
