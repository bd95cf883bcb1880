//! `heddle litmus`: which outcomes of a small program the PTX memory model allows, and whether it
//! races.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use heddle_diagnostics::render::one_line;
use heddle_diagnostics::source::read_text;
use heddle_litmus::Limits;
use heddle_litmus::cli::{self, Exit};
use heddle_litmus::emit::emit;

#[derive(Args, Debug)]
#[command(after_help = "\
A test, mp.litmus:
  litmus MP
  thread 0 block 0
    st.weak [x], 1
    fence.acq_rel.gpu
    st.relaxed.gpu [f], 1
  thread 1 block 1
    ld.relaxed.gpu r0, [f]
    fence.acq_rel.gpu
    if r0 == 1
      ld.weak r1, [x]
    end
  forbidden 1:r0 == 1 && 1:r1 == 0 by causality
  race none

Instructions (SCOPE is cta, cluster, gpu or sys; locations start at 0, or as `init x = 1` says):
  ld.MARK r, [x]             weak, volatile, relaxed.SCOPE, acquire.SCOPE
  st.MARK [x], VALUE         weak, volatile, relaxed.SCOPE, release.SCOPE
  atom.MARK.add r, [x], V    also exch, and cas with two values; relaxed, acquire, release, acq_rel
  fence.acq_rel.SCOPE        or fence.sc.SCOPE
  bar.sync N, bar.arrive N   of the threads of a block that name barrier N
  if r == 1 ... end          also !=, >=, <
  until r == 1               the read before is repeated until then
Expectations, after the threads: `allowed CONDITION`, `forbidden CONDITION` with `by AXIOM` where \
that is wanted, `race none` or `race LOCATION...`. Axioms: coherence, fence-sc, atomicity, \
no-thin-air, sc-per-location, causality.

Exit codes: 0 all expectations hold, 1 one does not, 2 bad input, 3 too large to enumerate.")]
pub(super) struct LitmusArgs {
    /// Tests, `.litmus`; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Candidate executions of a test that are looked at, at most
    #[arg(long, value_name = "N", default_value_t = Limits::default().candidates)]
    limit: usize,
    /// Write the one test as PTX for a device instead: a kernel of many instances
    #[arg(long)]
    ptx: bool,
}

/// Answers for each file, prints, and gives the exit code: that of the file that fared worst.
pub(super) fn run(arguments: &LitmusArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    if arguments.ptx {
        return ptx(&arguments.files, out);
    }
    let limits = Limits { candidates: arguments.limit, ..Limits::default() };
    let mut worst = Exit::Holds;
    for file in &arguments.files {
        let input = one_line(&file.display().to_string());
        let read = if input == "-" { io::read_to_string(io::stdin()) } else { read_text(file) };
        let mut text = Vec::new();
        let exit = match read {
            Ok(test) => cli::check(&input, &test, limits, &mut text)
                .context("the answer could not be written")?,
            Err(error) => {
                writeln!(text, "error: {input}: the test cannot be read: {error}")?;
                Exit::Usage
            }
        };
        match exit {
            Exit::Holds | Exit::Fails | Exit::Unknown => out.write_all(&text)?,
            Exit::Usage => io::stderr().write_all(&text)?,
        }
        worst = worst.max(exit);
    }
    Ok(worst.code())
}

/// Writes a test as PTX.
fn ptx(files: &[PathBuf], out: &mut dyn Write) -> anyhow::Result<u8> {
    let [file] = files else {
        writeln!(io::stderr(), "error: one test is written as PTX at a time")?;
        return Ok(Exit::Usage.code());
    };
    let input = one_line(&file.display().to_string());
    let text = match read_text(file) {
        Ok(text) => text,
        Err(error) => {
            writeln!(io::stderr(), "error: {input}: the test cannot be read: {error}")?;
            return Ok(Exit::Usage.code());
        }
    };
    match heddle_litmus::parse(&text)
        .map_err(|it| it.to_string())
        .and_then(|test| emit(&test).map_err(|why| format!(" no device can run it: {why}")))
    {
        Ok(program) => {
            out.write_all(program.ptx.as_bytes())?;
            Ok(Exit::Holds.code())
        }
        Err(why) => {
            writeln!(io::stderr(), "error: {input}:{why}")?;
            Ok(Exit::Usage.code())
        }
    }
}
