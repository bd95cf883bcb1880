//! `heddle instrument`: race checks put into LLVM IR, and the plan by which they are.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgGroup, Args};

use super::args::SourceArgs;
use super::{USAGE, check};
use heddle_driver::dynamic::{Checks, instrumented};

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("input").arg("files").required(true)))]
pub(super) struct InstrumentArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// Where the instrumented IR goes; standard output if not said
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the plan instead of the IR: each access, and whether it is checked
    #[arg(long)]
    plan: bool,
    /// Check all accesses, also where no race was proved
    #[arg(long)]
    all: bool,
}

/// Instruments, writes, and gives the exit code.
pub(super) fn run(arguments: InstrumentArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let sources = check::sources(&arguments.sources)?;
    let [source] = &sources[..] else {
        let _unheard = writeln!(io::stderr(), "error: one file is instrumented at a time");
        return Ok(USAGE);
    };
    let checks = if arguments.all { Checks::All } else { Checks::Unproved };
    let made = match instrumented(source, &arguments.sources.compile_options(), checks)? {
        Ok(made) => made,
        Err(finding) => {
            let _unheard = writeln!(io::stderr(), "error: {}", finding.message);
            return Ok(USAGE);
        }
    };
    let text = if arguments.plan {
        made.plans.iter().map(ToString::to_string).collect()
    } else {
        made.text
    };
    match &arguments.output {
        Some(path) => {
            std::fs::write(path, text)
                .with_context(|| format!("`{}` cannot be written", path.display()))?;
        }
        None => out.write_all(text.as_bytes())?,
    }
    Ok(0)
}
