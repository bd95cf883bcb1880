//! `heddle barriers`: who takes part in which use of which barrier, as text or as a picture.
//!
//! What could not be followed is said as `heddle check` says it, on standard error. The exit code
//! is that of the check of the barriers alone.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use heddle_diagnostics::render::{Colour, human};
use heddle_driver::{self as driver, CheckOptions};
use heddle_frontend::compile::Compiler;

use super::codes::USAGE;
use super::sources::{SourceArgs, pass_on, sources};
use super::table::TableArgs;
use super::{chart_svg, chart_text, watch, written};

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("input").arg("files").required(true)))]
pub(super) struct BarriersArgs {
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    how: TableArgs<true>,
    /// Draw them into this file instead, as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl BarriersArgs {
    fn check_options(&self) -> CheckOptions {
        let mut options = self.how.on_top_of(CheckOptions {
            compile: self.sources.compile_options(),
            kernels: self.sources.kernels.clone(),
            ..CheckOptions::default()
        });
        if options.passes.is_empty() {
            options.passes = vec!["named-barriers".to_owned()];
        }
        options
    }
}

/// Follows the barriers, shows them, and gives the exit code.
pub(super) fn run(
    arguments: &BarriersArgs,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    if !written::can_be(&arguments.svg, &arguments.sources.files) {
        return Ok(USAGE);
    }
    let sources = sources(&arguments.sources)?;
    let options = arguments.check_options();
    let outcome =
        watch::watched(true, |progress| driver::charts(&sources, &options, compiler, progress))?;
    let charts = &outcome.charts;
    pass_on(&outcome.warnings);
    match &arguments.svg {
        Some(path) => {
            let picture = chart_svg::picture(charts);
            if !written::put(path, picture.as_bytes(), outcome.report.sources()) {
                return Ok(USAGE);
            }
        }
        None => {
            let texts: Vec<_> = charts.iter().map(chart_text::text).collect();
            out.write_all(texts.join("\n").as_bytes())?;
        }
    }
    let report = &outcome.report;
    let options = human::Options { colour: Colour::Never, ..human::Options::default() };
    let mut told = human::report(report, options);
    let is_elsewhere = charts.is_empty() && report.findings().next().is_none();
    if is_elsewhere {
        told.push_str("no kernel here has named barriers or barrier objects\n");
    }
    let _unheard = std::io::stderr().write_all(told.as_bytes());
    Ok(if is_elsewhere { 0 } else { report.exit_code().number() })
}
