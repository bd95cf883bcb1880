//! `heddle progress synth`: all tests of a size.

use std::io::{self, Write};
use std::ops::ControlFlow;

use super::Exit;
use super::check::unknown_criterion;
use crate::model::{Criterion, UNFAIR};
use crate::synth::{
    Constraints, Found, Progress, Request, Selection, Shard, Summary, columns, synthesise,
};

/// The arguments of [`synth`].
#[derive(Clone, Debug)]
pub struct SynthArguments {
    /// Number of threads.
    pub threads: usize,
    /// Number of instructions over all threads.
    pub instructions: usize,
    /// Which set of constraints.
    pub constraints: Constraints,
    /// Keep one of the tests that differ by the order of their threads only.
    pub rename_threads: bool,
    /// Keep one of the tests with equal minimal automata.
    pub irredundant: bool,
    /// A criterion: only tests that distinguish it.
    pub distinguish: Option<String>,
    /// A criterion: only tests that an implementation of it must pass.
    pub conformance: Option<String>,
    /// Write the paper's Table 4 of the set.
    pub table: bool,
    /// Write each test that is wanted, with its verdicts.
    pub list: bool,
    /// `i/n`: only part `i` of `n`, from 0.
    pub shard: Option<String>,
    /// How many workers.
    pub workers: usize,
}

/// Enumerates, and writes the tests that are wanted, the numbers, and the table.
///
/// `progress` is called after each piece of work; the caller draws the bar.
///
/// # Errors
/// When `out` cannot be written to.
pub fn synth(
    arguments: &SynthArguments,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(Progress),
) -> io::Result<Exit> {
    let (selection, shard) = match (selection(arguments), shard(arguments.shard.as_deref())) {
        (Ok(selection), Ok(shard)) => (selection, shard),
        (Err(message), _) | (_, Err(message)) => {
            writeln!(out, "{message}")?;
            return Ok(Exit::Usage);
        }
    };
    let request = Request {
        threads: arguments.threads,
        instructions: arguments.instructions,
        constraints: arguments.constraints,
        rename_threads: arguments.rename_threads,
        irredundant: arguments.irredundant,
        shard,
        workers: arguments.workers,
    };
    let mut selected = 0u64;
    let mut written = Ok(());
    let mut each = |found: &Found| {
        if !selection.wants(found.verdicts) {
            return ControlFlow::Continue(());
        }
        selected += 1;
        if arguments.list {
            written = write_test(found, out);
        }
        if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let summary = match synthesise(&request, &mut each, progress) {
        Ok(summary) => summary,
        Err(unsupported) => {
            writeln!(out, "error: {unsupported}")?;
            return Ok(Exit::Usage);
        }
    };
    written?;
    write_summary(arguments, &summary, selection, selected, out)?;
    Ok(Exit::Proved)
}

fn selection(arguments: &SynthArguments) -> Result<Selection, String> {
    let named = |name: &String| match Criterion::named(name) {
        Some(criterion) if criterion.model == UNFAIR => {
            Err("error: each test of the set fails under unfair; ask for another model".to_owned())
        }
        Some(criterion) => Ok(criterion),
        None => Err(unknown_criterion(name)),
    };
    match (&arguments.distinguish, &arguments.conformance) {
        (None, None) => Ok(Selection::All),
        (Some(name), None) => named(name).map(Selection::Distinguish),
        (None, Some(name)) => named(name).map(Selection::Conformance),
        (Some(_), Some(_)) => {
            Err("error: ask for distinguishing or for conformance tests, one at a time".to_owned())
        }
    }
}

fn shard(text: Option<&str>) -> Result<Option<Shard>, String> {
    let Some(text) = text else { return Ok(None) };
    let parts = text.split_once('/');
    let shard = parts.and_then(|(index, count)| {
        Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? })
    });
    match shard {
        Some(shard) if shard.index < shard.count => Ok(Some(shard)),
        Some(_) | None => {
            Err(format!("error: `{text}` is not a shard; write `i/n` with i from 0 to n - 1"))
        }
    }
}

fn write_test(found: &Found, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "// verdicts: {}", found.verdicts.letters())?;
    writeln!(out, "{}", found.candidate.test())
}

fn write_summary(
    arguments: &SynthArguments,
    summary: &Summary,
    selection: Selection,
    selected: u64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let SynthArguments { threads, instructions, constraints, shard, .. } = arguments;
    let part = shard.as_ref().map_or(String::new(), |shard| format!(", shard {shard}"));
    if arguments.list {
        let names: Vec<_> = columns().iter().map(ToString::to_string).collect();
        writeln!(out, "// verdicts, in order: {}", names.join(", "))?;
    }
    writeln!(
        out,
        "// ({threads},{instructions}) {} constraints{part}: {} tests of {} candidates, hash {:032x}",
        constraints.name(),
        summary.tests,
        summary.candidates,
        summary.hash
    )?;
    match selection {
        Selection::All => {}
        Selection::Distinguish(criterion) => {
            writeln!(out, "// {selected} tests distinguish {criterion}")?;
        }
        Selection::Conformance(criterion) => {
            writeln!(out, "// {selected} conformance tests of {criterion}")?;
        }
    }
    if arguments.table {
        write!(out, "\n{}", summary.table().text())?;
    }
    Ok(())
}
