//! `heddle units`: the device units of a project, with what clang gets of each command and what it
//! does not get.

use std::borrow::Cow;
use std::io::Write;

use clap::{ArgGroup, Args};
use heddle_diagnostics::render::{Colour, human, one_line};
use heddle_diagnostics::{Report, SourceMap};
use heddle_frontend::Language;

use super::codes::USAGE;
use super::project::ProjectArgs;
use super::sources::SourceArgs;
use heddle_driver::Unit;

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("input").arg("database").required(true)))]
pub(super) struct UnitsArgs {
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    project: ProjectArgs,
}

/// Prints them; what cannot be read is shown as `check` shows it, and makes the exit code 2.
pub(super) fn run(arguments: &UnitsArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let Some(project) = arguments.project.project(&arguments.sources) else { return Ok(USAGE) };
    for unit in &project.units {
        out.write_all(listed(unit).as_bytes())?;
    }
    let sources = SourceMap::new(std::env::current_dir()?);
    let report = Report::new(sources.into(), Vec::new(), project.findings);
    out.write_all(
        human::report(
            &report,
            human::Options { colour: Colour::Never, ..human::Options::default() },
        )
        .as_bytes(),
    )?;
    Ok(if report.loose_findings().is_empty() { 0 } else { USAGE })
}

fn listed(unit: &Unit) -> String {
    let Unit { path: _, shown, language, compile, dropped } = unit;
    let target = match language {
        Language::Cuda => format!("CUDA, {}", compile.arch),
        Language::OpenCl => format!("OpenCL, {}", compile.opencl_target.triple()),
        Language::Ir => "LLVM IR".to_owned(),
        Language::Ptx => "PTX".to_owned(),
        Language::Mlir => "MLIR".to_owned(),
    };
    let mut text = one_line(&format!("{shown} ({target})")) + "\n";
    if let Some(directory) = &compile.directory {
        text += &format!("  in        {}\n", one_line(&directory.display().to_string()));
    }
    let arguments = compile.clang_args.iter().map(|it| it.to_string_lossy());
    let arguments = arguments.map(quoted).collect::<Vec<_>>().join(" ");
    text += &format!("  clang     {}\n", one_line(&arguments));
    for it in dropped {
        text += &format!("  left out  {}\n", one_line(&format!("{}: {}", it.argument, it.reason)));
    }
    text
}

/// As a shell takes it for one word, and as it is where that does.
fn quoted(argument: Cow<'_, str>) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+./,:@%^".contains(c);
    match !argument.is_empty() && argument.chars().all(plain) {
        true => argument.into_owned(),
        false => shlex::try_quote(&argument).map_or_else(|_| argument.to_string(), Cow::into_owned),
    }
}
