//! `heddle progress test.axb`: verdicts, requirement and a failing schedule of one test.

use std::io::{self, Write};

use super::Exit;
use crate::axb::{Axb, Test, parse};
use crate::draw::{Picture, dot, svg};
use crate::model::{Criterion, MODELS};
use crate::oracle::Oracle;
use crate::report;
use crate::requirement::Requirement;
use crate::system::{Explored, Program, explore};

/// The arguments of [`check`].
#[derive(Clone, Debug)]
pub struct CheckArguments {
    /// What to call the input in messages, such as its path.
    pub input: String,
    /// The text of the test.
    pub text: String,
    /// The criterion whose failure to show, such as `strong-obe`. Without it, the one that tells
    /// most about the requirement.
    pub explain: Option<String>,
    /// A criterion that is taken for granted: a failure under it is the exit
    /// [`Exit::Refuted`], and is the one that is shown.
    pub assume: Option<String>,
    /// What to write.
    pub output: Output,
    /// The largest transition system to build, in states.
    pub state_limit: usize,
}

/// What [`check`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The verdict table, the requirement and a lasso.
    Text,
    /// The transition system in the dot language.
    Dot,
    /// The transition system as an SVG document.
    Svg,
}

/// Answers for one test.
///
/// # Errors
/// When `out` cannot be written to.
pub fn check(arguments: &CheckArguments, out: &mut dyn Write) -> io::Result<Exit> {
    let test = match parse(&arguments.text) {
        Ok(test) => test,
        Err(error) => {
            writeln!(out, "error: {}:{error}", arguments.input)?;
            return Ok(Exit::Usage);
        }
    };
    let named = |flag: &Option<String>| match flag {
        None => Ok(None),
        Some(name) => Criterion::named(name).map(Some).ok_or_else(|| unknown_criterion(name)),
    };
    let (explain, assume) = match (named(&arguments.explain), named(&arguments.assume)) {
        (Ok(explain), Ok(assume)) => (explain, assume),
        (Err(message), _) | (_, Err(message)) => {
            writeln!(out, "{message}")?;
            return Ok(Exit::Usage);
        }
    };
    let program = Axb::new(&test);
    let explored = match explore(&program, arguments.state_limit) {
        Ok(explored) => explored,
        Err(stop) => {
            writeln!(out, "unknown: {}: {stop}", arguments.input)?;
            return Ok(Exit::Unknown);
        }
    };
    let mut oracle = Oracle::of(&explored.system);
    let requirement = Requirement::of(&mut oracle);
    let shown = explain.or(assume).or_else(|| requirement.telling_failure());
    let failure =
        shown.and_then(|criterion| Some((criterion, oracle.failure(&explored.system, criterion)?)));
    match arguments.output {
        Output::Text => {
            write_text(&test, &program, &explored, &mut oracle, &requirement, out)?;
            if let Some((criterion, lasso)) = &failure {
                let text = report::failure(&program, &explored, *criterion, lasso);
                write!(out, "\n{text}")?;
            } else if let Some(criterion) = shown {
                writeln!(out, "\nterminates under {criterion}")?;
            }
        }
        Output::Dot | Output::Svg => {
            let mut title =
                if test.name.is_empty() { arguments.input.clone() } else { test.name.clone() };
            if let Some((criterion, _)) = &failure {
                title += &format!(": does not terminate under {criterion}");
            }
            let failure = failure.as_ref().map(|(_, lasso)| lasso);
            let picture = Picture { program: &program, explored: &explored, title, failure };
            let text = if arguments.output == Output::Dot { dot(&picture) } else { svg(&picture) };
            write!(out, "{text}")?;
        }
    }
    let refuted = assume.is_some_and(|criterion| !oracle.verdict(criterion).passes());
    Ok(if refuted { Exit::Refuted } else { Exit::Proved })
}

/// The message for a name that is no criterion, with those that are.
pub(super) fn unknown_criterion(name: &str) -> String {
    let names: Vec<_> = MODELS.iter().map(|model| model.name).collect();
    format!(
        "error: `{name}` is not a model; write one of {}, with `strong-` before it for strong fairness",
        names.join(", ")
    )
}

fn write_text<P: Program>(
    test: &Test,
    program: &P,
    explored: &Explored<P::State>,
    oracle: &mut Oracle,
    requirement: &Requirement,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = if test.name.is_empty() { "test" } else { &test.name };
    writeln!(
        out,
        "{name}: {} threads, {} instructions, {} locations; {} states, {} transitions\n",
        program.threads(),
        test.instructions(),
        test.locations.len(),
        explored.system.states(),
        explored.system.transitions()
    )?;
    writeln!(out, "{}", report::verdict_table(oracle))?;
    write!(out, "{}", report::requirement_line(requirement))
}
