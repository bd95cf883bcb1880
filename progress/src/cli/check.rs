//! `heddle progress test.axb`: verdicts, requirement and a failing schedule of one test.

use std::io::{self, Write};

use super::Exit;
use crate::axb::{Axb, parse};
use crate::draw::{Picture, dot, svg};
use crate::model::{Criterion, MODELS};
use crate::oracle::Oracle;
use crate::report;
use crate::requirement::Requirement;
use crate::system::{Program, explore};

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
    let name = if test.name.is_empty() { "test" } else { &test.name };
    let question = Question {
        program: &program,
        input: &arguments.input,
        title: if test.name.is_empty() { &arguments.input } else { &test.name },
        head: format!(
            "{name}: {} threads, {} instructions, {} locations",
            program.threads(),
            test.instructions(),
            test.locations.len()
        ),
        explain,
        assume,
        output: arguments.output,
        state_limit: arguments.state_limit,
    };
    question.answer(out)
}

/// A program, and what is asked of it.
pub(super) struct Question<'a, P> {
    pub(super) program: &'a P,
    /// What the input is called where it cannot be followed.
    pub(super) input: &'a str,
    /// The title of a drawing.
    pub(super) title: &'a str,
    /// The first line, up to the size of the transition system.
    pub(super) head: String,
    pub(super) explain: Option<Criterion>,
    pub(super) assume: Option<Criterion>,
    pub(super) output: Output,
    pub(super) state_limit: usize,
}

impl<P: Program> Question<'_, P> {
    pub(super) fn answer(&self, out: &mut dyn Write) -> io::Result<Exit> {
        let program = self.program;
        let explored = match explore(program, self.state_limit) {
            Ok(explored) => explored,
            Err(stop) => {
                writeln!(out, "unknown: {}: {stop}", self.input)?;
                return Ok(Exit::Unknown);
            }
        };
        let mut oracle = Oracle::of(&explored.system);
        let requirement = Requirement::of(&mut oracle);
        let shown = self.explain.or(self.assume).or_else(|| requirement.telling_failure());
        let failure = shown
            .and_then(|criterion| Some((criterion, oracle.failure(&explored.system, criterion)?)));
        match self.output {
            Output::Text => {
                let (states, transitions) =
                    (explored.system.states(), explored.system.transitions());
                writeln!(out, "{}; {states} states, {transitions} transitions\n", self.head)?;
                writeln!(out, "{}", report::verdict_table(&mut oracle))?;
                write!(out, "{}", report::requirement_line(&requirement))?;
                if let Some((criterion, lasso)) = &failure {
                    let text = report::failure(program, &explored, *criterion, lasso);
                    write!(out, "\n{text}")?;
                } else if let Some(criterion) = shown {
                    writeln!(out, "\nterminates under {criterion}")?;
                }
            }
            Output::Dot | Output::Svg => {
                let mut title = self.title.to_owned();
                if let Some((criterion, _)) = &failure {
                    title += &format!(": does not terminate under {criterion}");
                }
                let failure = failure.as_ref().map(|(_, lasso)| lasso);
                let picture = Picture { program, explored: &explored, title, failure };
                let text = if self.output == Output::Dot { dot(&picture) } else { svg(&picture) };
                write!(out, "{text}")?;
            }
        }
        let refuted = self.assume.is_some_and(|criterion| !oracle.verdict(criterion).passes());
        Ok(if refuted { Exit::Refuted } else { Exit::Proved })
    }
}

/// The message for a name that is no criterion, with those that are.
pub(super) fn unknown_criterion(name: &str) -> String {
    let names: Vec<_> = MODELS.iter().map(|model| model.name).collect();
    format!(
        "error: `{name}` is not a model; write one of {}, with `strong-` before it for strong fairness",
        names.join(", ")
    )
}
