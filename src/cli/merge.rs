//! `heddle merge`: the records of several parts of a run as one report, in any form and with the
//! exit code of one run. What is decided about findings is decided here as it is in one run; what
//! the parts decided stays.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use heddle_diagnostics::render::clean;
use heddle_diagnostics::{Code, Finding, Report, SourceMap, part, source};
use heddle_driver::Visible;

use super::codes::USAGE;
use super::emit;
use super::output::OutputArgs;
use super::policy::PolicyArgs;

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  heddle check -p build/ --shard 1/2 --format record=1.json    on one machine
  heddle check -p build/ --shard 2/2 --format record=2.json    on another
  heddle merge 1.json 2.json --format sarif=heddle.sarif       as of one run

A part that is missing, or there twice, is bad input. Exit codes are those of `heddle check`: 0 proved, \
1 refuted, 2 bad input, 3 unknown, 4 internal error.")]
pub(super) struct MergeArgs {
    /// Records that `check --format record=FILE` wrote, all parts of one run or of runs over
    /// different files
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    #[command(flatten)]
    policy: PolicyArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Reads, puts together, prints, and gives the exit code.
pub(super) fn run(arguments: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let decided = arguments.policy.of_finished();
    let mut inputs = arguments.records.clone();
    inputs.extend(decided.iter().flat_map(|(_, read)| read.iter().cloned()));
    if !emit::are_sound(&arguments.output, &inputs) {
        return Ok(USAGE);
    }
    let policy = match decided.map(|(policy, _)| policy) {
        Ok(policy) => policy,
        Err(message) => {
            let _unheard = writeln!(io::stderr(), "error: {}", clean(&message));
            return Ok(USAGE);
        }
    };
    emit::emit(&policy.apply(merged(&arguments.records)?), &arguments.output, out)
}

/// The report of all records. One that cannot be read is a finding, and so is what is missing
/// without it.
fn merged(records: &[PathBuf]) -> anyhow::Result<Report> {
    let here = std::env::current_dir()?;
    let sources = Arc::new(SourceMap::guarded(&here));
    let (mut parts, mut findings) = (Vec::new(), Vec::new());
    for path in records {
        let name = path.display().to_string();
        let read = source::read_text(path)
            .map_err(|error| format!("this record cannot be read: {error}"))
            .and_then(|text| part::read(&name, &text, &sources).map_err(|error| error.to_string()));
        match read {
            Ok(part) => parts.push(part),
            Err(why) => {
                let finding = Finding::new(Code::BadInput, format!("{name}: {why}"));
                findings.push(finding.help(
                    "let `heddle check --format record=FILE` of this version write it again",
                ));
            }
        }
    }
    // A record names files, and nobody here has compiled them.
    let named: Vec<_> = sources.files().into_iter().map(|it| sources.path(it)).collect();
    Visible::of_folder(&here).admit(&named, &sources);
    Ok(part::merge(sources, parts, findings))
}
