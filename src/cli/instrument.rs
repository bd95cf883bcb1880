//! `heddle instrument`: race checks put into LLVM IR, as IR or as PTX, and the plan by which they
//! are.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use heddle_diagnostics::SourceMap;
use heddle_diagnostics::render::{clean, one_line};

use super::codes::USAGE;
use super::sources::{SourceArgs, sources};
use super::written;
use heddle_driver::dynamic::{Checks, Plan, instrumented, planned, planned_ptx};
use heddle_frontend::compile::Compiler;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  heddle instrument k.cu -o k.ll                       the checks as calls\n  \
    heddle instrument k.cu --plan                        which access is checked\n  \
    heddle instrument k.cu --ptx --arch sm_90 -o k.ptx   code for a GPU\n\n\
    The PTX has the kernels under their names, with their parameters, and the variable `__heddle_launch`, which the host \
    fills before a launch (docs/dynamic.md). Exit codes: 0 written, 2 bad input.",
    group(ArgGroup::new("input").arg("files").required(true))
)]
pub(super) struct InstrumentArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// Where the IR, the plan or the PTX goes; standard output if not said
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the plan instead of the IR: each access, and whether it is checked
    #[arg(long)]
    plan: bool,
    /// Write PTX for a GPU of `--arch` (sm_70 or later), with the device library linked in
    #[arg(long, conflicts_with = "plan")]
    ptx: bool,
    /// Check every access, also those that were proved to race with none
    #[arg(long)]
    all: bool,
}

/// Instruments, writes, and gives the exit code.
pub(super) fn run(
    arguments: InstrumentArgs,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    if !written::can_be(&arguments.output, &arguments.sources.files) {
        return Ok(USAGE);
    }
    let sources = sources(&arguments.sources)?;
    let [source] = &sources[..] else {
        let _unheard = writeln!(io::stderr(), "error: one file is instrumented at a time");
        return Ok(USAGE);
    };
    let checks = if arguments.all { Checks::All } else { Checks::Unproved };
    let compile = arguments.sources.compile_options();
    let (kernels, read) = (&arguments.sources.kernels[..], SourceMap::default());
    let text = if arguments.plan {
        let plans = planned(source, &compile, compiler, checks, kernels, &read)?;
        plans.map(|it| it.iter().map(shown).collect())
    } else if arguments.ptx {
        planned_ptx(source, &compile, compiler, checks, kernels, &read)?.map(|(code, plans)| {
            told(&plans);
            code.ptx
        })
    } else {
        instrumented(source, &compile, compiler, checks, kernels, &read)?.map(|it| {
            told(&it.plans);
            it.text
        })
    };
    let text = match text {
        Ok(text) => text,
        Err(finding) => {
            let _unheard = writeln!(io::stderr(), "error: {}", one_line(&finding.message));
            return Ok(USAGE);
        }
    };
    match &arguments.output {
        Some(path) => {
            if !written::put(path, text.as_bytes(), &read) {
                return Ok(USAGE);
            }
        }
        None => out.write_all(text.as_bytes())?,
    }
    Ok(0)
}

/// A plan as it is printed.
fn shown(plan: &Plan) -> String {
    clean(&Plan { kernel: one_line(&plan.kernel), ..plan.clone() }.to_string())
}

/// What a module that leaves accesses out rests on, for whoever launches it.
fn told(plans: &[Plan]) {
    for Plan { kernel, rests_on, sites: _ } in plans {
        for assumption in rests_on {
            let line = format!("note: what is left out of `{kernel}` rests on: {assumption}");
            let _unheard = writeln!(io::stderr(), "{}", one_line(&line));
        }
    }
}
