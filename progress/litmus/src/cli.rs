//! `heddle litmus`, as a function from text to text.

use std::io::{self, Write};

use crate::answer::{Answer, Found, Limits, Outcome, TooLarge, Why, answer};
use crate::parse::parse;
use crate::program::{Axiom, Instruction, Statement, Test};

/// How the command ended. The numbers are the exit codes of all commands of Heddle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All that the test expects holds.
    Holds = 0,
    /// The test was not answered in full; what was written says why.
    Unknown = 3,
    /// Something that it expects does not hold.
    Fails = 1,
    /// The input is wrong; what was written says how.
    Usage = 2,
}

impl Exit {
    /// The process status.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Answers for the text of one test. `input` is what messages call it.
///
/// # Errors
/// When `out` cannot be written to.
pub fn check(input: &str, text: &str, limits: Limits, out: &mut dyn Write) -> io::Result<Exit> {
    let test = match parse(text) {
        Ok(test) => test,
        Err(error) => {
            writeln!(out, "error: {input}:{error}")?;
            return Ok(Exit::Usage);
        }
    };
    match answer(&test, limits) {
        Ok(found) => {
            write!(out, "{}", report(&test, &found))?;
            Ok(if found.holds() { Exit::Holds } else { Exit::Fails })
        }
        Err(TooLarge) => {
            writeln!(
                out,
                "unknown: {input}: the test has more candidate executions than are looked at; \
                 fewer reads and writes, or a higher `--limit`, would do"
            )?;
            Ok(Exit::Unknown)
        }
    }
}

/// The answer as a person reads it.
fn report(test: &Test, answer: &Answer) -> String {
    let mut text = format!(
        "{}: {} threads, {}, {}\n",
        test.name,
        test.threads.len(),
        counted(answer.executions, "execution"),
        counted(answer.outcomes.len(), "outcome"),
    );
    for outcome in &answer.outcomes {
        text += &format!("  {}\n", outcome_line(outcome));
    }
    if answer.executions == 0 {
        text += "no execution ends: some `until` never holds, or a barrier is not met\n";
    }
    if answer.races.is_empty() {
        text += "no data race\n";
    }
    for race in &answer.races {
        let side = |(thread, line): (usize, usize)| {
            let what = instruction_at(test, thread, line).map(ToString::to_string);
            format!("`{}` of thread {thread} (line {line})", what.unwrap_or_default())
        };
        let [one, two] = race.sides.map(side);
        text += &format!("data race on {}: {one} and {two}\n", race.location);
    }
    for judged in &answer.judged {
        let found = match &judged.found {
            Found::Allowed => "allowed".to_owned(),
            Found::Forbidden(why) => match why {
                Why::NoCandidate => "forbidden: no reads and writes have these values".to_owned(),
                Why::Each(axioms) => format!("forbidden by {}", names(axioms, " and, alone, by ")),
                Why::Together(axioms) => {
                    format!("forbidden by {} together", names(axioms, " and "))
                }
            },
            Found::Races(locations) if locations.is_empty() => "race none".to_owned(),
            Found::Races(locations) => format!("race {}", locations.join(" ")),
        };
        let verdict = if judged.holds { "holds" } else { "FAILS" };
        text += &format!("line {}: {}: {verdict}: {found}\n", judged.line, judged.expectation);
    }
    text
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn names(axioms: &[Axiom], and: &str) -> String {
    axioms.iter().map(|it| it.name()).collect::<Vec<_>>().join(and)
}

fn outcome_line(outcome: &Outcome) -> String {
    let value = |values: &std::collections::BTreeSet<u64>| {
        values.iter().map(u64::to_string).collect::<Vec<_>>().join(" or ")
    };
    let all = outcome.iter().map(|(place, values)| format!("{place} = {}", value(values)));
    all.collect::<Vec<_>>().join("  ")
}

fn instruction_at(test: &Test, thread: usize, line: usize) -> Option<&Instruction> {
    fn find(body: &[Statement], line: usize) -> Option<&Instruction> {
        body.iter().find_map(|statement| {
            if let Instruction::If(_, inner) = &statement.instruction {
                return find(inner, line);
            }
            (statement.line == line).then_some(&statement.instruction)
        })
    }
    find(&test.threads[thread].body, line)
}
