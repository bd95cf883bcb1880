//! `heddle progress kernel.cu`: what a kernel needs, for one launch.

use std::io::{self, Write};

use heddle_ir::Kernel;

use super::check::Question;
use super::{Exit, Output};
use crate::blocks::Blocks;
use crate::kernel::{KernelLaunch, Polls, TakenForGranted, lift};
use crate::model::Criterion;

/// The arguments of [`kernel`].
#[derive(Clone, Debug)]
pub struct KernelArguments<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The launch that is followed.
    pub launch: KernelLaunch,
    /// The criterion whose failure to show.
    pub explain: Option<Criterion>,
    /// A criterion that is taken for granted: a failure under it is the exit [`Exit::Refuted`].
    pub assume: Option<Criterion>,
    /// What the caller takes for granted besides, of this kernel: lines of the answer.
    pub granted: Vec<String>,
    /// What to write.
    pub output: Output,
    /// The largest transition system to build, in states.
    pub state_limit: usize,
}

/// Answers for one kernel.
///
/// # Errors
/// When `out` cannot be written to.
pub fn kernel(arguments: &KernelArguments<'_>, out: &mut dyn Write) -> io::Result<Exit> {
    let KernelArguments { kernel, launch, explain, assume, granted, output, state_limit } =
        arguments;
    let name = kernel.display_name.as_str();
    let polls = Polls::of(kernel);
    if polls.waiting().next().is_none() && polls.grid_barriers.is_empty() {
        writeln!(out, "{name}: needs nothing: no loop waits for another block")?;
        return Ok(Exit::Proved);
    }
    let unknown = |reason: String, out: &mut dyn Write| {
        writeln!(out, "unknown: {name}: {reason}")?;
        Ok(Exit::Unknown)
    };
    let lifted = match lift(kernel, &polls, launch) {
        Ok(lifted) => lifted,
        Err(refusal) => {
            let span = refusal.origin.and_then(|origin| kernel[origin].span);
            let line = span.map_or(String::new(), |span| format!("line {}: ", span.line));
            return unknown(format!("{line}{}", refusal.reason), out);
        }
    };
    let blocks = match Blocks::new(&lifted.program) {
        Ok(blocks) => blocks,
        Err(stop) => return unknown(stop.to_string(), out),
    };
    let question = Question {
        program: &blocks,
        input: name,
        title: name,
        head: format!(
            "{name}: {} blocks of {} threads, {} locations",
            launch.shape.blocks(),
            launch.shape.threads(),
            lifted.program.locations.len()
        ),
        explain: *explain,
        assume: *assume,
        output: *output,
        state_limit: *state_limit,
    };
    let exit = question.answer(out)?;
    if *output == Output::Text && exit != Exit::Unknown {
        writeln!(out, "\nholds for {} blocks; taken for granted:", launch.shape.blocks())?;
        for fact in TakenForGranted::ALL {
            writeln!(out, "  {fact}")?;
        }
        for fact in granted {
            writeln!(out, "  {fact}")?;
        }
    }
    Ok(exit)
}
