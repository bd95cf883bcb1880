//! Outcomes, races, and which axiom forbids what.

use std::collections::{BTreeMap, BTreeSet};

use crate::candidate::{Candidate, Registers, Wanted, each_candidate};
pub use crate::candidate::{Limits, TooLarge};
use crate::program::{Axiom, Comparison, Condition, Expectation, Place, Test};
use crate::trace::Kind;

/// How an execution may end: each register, and each location with the values that it may hold. It
/// holds more than one where writes that race are last.
pub type Outcome = BTreeMap<Place, BTreeSet<u64>>;

/// Two instructions that race in some execution.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Race {
    /// The location.
    pub location: String,
    /// Thread and line of each.
    pub sides: [(usize, usize); 2],
}

/// What becomes of an expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The expectation's line.
    pub line: usize,
    /// What was expected.
    pub expectation: Expectation,
    /// What is.
    pub found: Found,
    /// Whether they agree.
    pub holds: bool,
}

/// What is the case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Some execution has it.
    Allowed,
    /// None has it.
    Forbidden(Why),
    /// The locations with races.
    Races(Vec<String>),
}

/// Why no execution has an outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// No candidate has these values.
    NoCandidate,
    /// Each of these axioms forbids it alone: without it, some candidate would be an execution.
    Each(Vec<Axiom>),
    /// These forbid it together: some candidate violates them and no other.
    Together(Vec<Axiom>),
}

/// The answer for a test.
#[derive(Clone, Debug)]
pub struct Answer {
    /// All outcomes of executions.
    pub outcomes: BTreeSet<Outcome>,
    /// All pairs of instructions that race in some execution.
    pub races: BTreeSet<Race>,
    /// Executions that keep all axioms.
    pub executions: usize,
    /// The expectations of the test.
    pub judged: Vec<Judged>,
}

impl Answer {
    /// Whether all expectations hold.
    pub fn holds(&self) -> bool {
        self.judged.iter().all(|it| it.holds)
    }

    /// Whether some execution ends like this. Places that are not said may hold anything.
    pub fn allows(&self, ended: &BTreeMap<Place, u64>) -> bool {
        let is_like = |outcome: &Outcome| {
            let holds = |(place, value): (&Place, &u64)| {
                outcome.get(place).is_none_or(|values| values.contains(value))
            };
            ended.iter().all(holds)
        };
        self.outcomes.iter().any(is_like)
    }

    /// The locations that have races.
    pub fn racy(&self) -> Vec<String> {
        let all: BTreeSet<&String> = self.races.iter().map(|race| &race.location).collect();
        all.into_iter().cloned().collect()
    }
}

/// Answers for a test.
///
/// # Errors
/// Where it has more candidate executions than the limits allow.
pub fn answer(test: &Test, limits: Limits) -> Result<Answer, TooLarge> {
    let names: Vec<String> = test.locations().into_iter().collect();
    let mut answer = Answer {
        outcomes: BTreeSet::new(),
        races: BTreeSet::new(),
        executions: 0,
        judged: Vec::new(),
    };
    each_candidate(test, limits, Wanted::Consistent, &|_| true, &mut |it| {
        answer.executions += 1;
        answer.outcomes.insert(outcome(it, &names));
        answer.races.extend(it.frame.races(it.cause).into_iter().map(|(a, b)| {
            let side = |at: usize| {
                let event = &it.frame.events[at];
                (event.thread.unwrap_or_default(), event.line)
            };
            let mut sides = [side(a), side(b)];
            sides.sort_unstable();
            Race { location: names[it.frame.events[a].location].clone(), sides }
        }));
    })?;
    for (line, expectation) in &test.expectations {
        let (found, holds) = match expectation {
            Expectation::Allowed(condition) => {
                let found = judge(test, limits, &names, &answer, condition)?;
                let holds = found == Found::Allowed;
                (found, holds)
            }
            Expectation::Forbidden(condition, by) => {
                let found = judge(test, limits, &names, &answer, condition)?;
                let holds = match (&found, by) {
                    (Found::Forbidden(_), None) => true,
                    (Found::Forbidden(Why::Each(axioms) | Why::Together(axioms)), Some(by)) => {
                        axioms.contains(by)
                    }
                    (Found::Forbidden(Why::NoCandidate), Some(_)) => false,
                    (Found::Allowed | Found::Races(_), _) => false,
                };
                (found, holds)
            }
            Expectation::Race(locations) => {
                let found = answer.racy();
                let holds = found == *locations;
                (Found::Races(found), holds)
            }
        };
        answer.judged.push(Judged { line: *line, expectation: expectation.clone(), found, holds });
    }
    Ok(answer)
}

fn judge(
    test: &Test,
    limits: Limits,
    names: &[String],
    answer: &Answer,
    condition: &Condition,
) -> Result<Found, TooLarge> {
    if answer.outcomes.iter().any(|outcome| meets(outcome, condition)) {
        return Ok(Found::Allowed);
    }
    let mut violations: BTreeSet<Vec<Axiom>> = BTreeSet::new();
    let fits = |registers: &Registers<'_>| {
        condition.0.iter().all(|(place, comparison, value)| match place {
            Place::Register(thread, name) => registers
                .get(*thread)
                .and_then(|it| it.get(name))
                .is_some_and(|it| comparison.holds(*it, *value)),
            Place::Location(_) => true,
        })
    };
    let values: BTreeSet<u64> = condition.0.iter().map(|(_, _, value)| *value).collect();
    each_candidate(test, limits, Wanted::Any(&values), &fits, &mut |it| {
        if meets(&outcome(it, names), condition) {
            violations.insert(it.violated.to_vec());
        }
    })?;
    let alone: Vec<Axiom> = violations.iter().filter(|it| it.len() == 1).map(|it| it[0]).collect();
    let why = match violations.into_iter().min_by_key(Vec::len) {
        None => Why::NoCandidate,
        Some(_) if !alone.is_empty() => Why::Each(alone),
        Some(fewest) => Why::Together(fewest),
    };
    Ok(Found::Forbidden(why))
}

/// Whether an outcome may be one that a condition describes.
fn meets(outcome: &Outcome, condition: &Condition) -> bool {
    let holds = |place: &Place, comparison: Comparison, value: u64| {
        let values = outcome.get(place);
        values.is_some_and(|values| values.iter().any(|it| comparison.holds(*it, value)))
    };
    condition.0.iter().all(|(place, comparison, value)| holds(place, *comparison, *value))
}

fn outcome(candidate: &Candidate<'_>, names: &[String]) -> Outcome {
    let mut outcome = Outcome::new();
    for (thread, registers) in candidate.registers.iter().enumerate() {
        for (name, value) in *registers {
            outcome.insert(Place::Register(thread, name.clone()), BTreeSet::from([*value]));
        }
    }
    let events = &candidate.frame.events;
    for (at, event) in events.iter().enumerate() {
        let is_write = match event.kind {
            Kind::Init | Kind::Write => true,
            Kind::Read | Kind::Fence { .. } | Kind::Barrier { .. } => false,
        };
        let is_last = (0..events.len()).all(|later| !candidate.coherence.has(at, later));
        if is_write && is_last {
            let place = Place::Location(names[event.location].clone());
            outcome.entry(place).or_default().insert(event.value);
        }
    }
    outcome
}
