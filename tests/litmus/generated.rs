//! Generated litmus tests ([`crate::families`]), checked as kernels: none that the model gives a
//! race is proved.
//!
//! By default a part of them is checked. `HEDDLE_LITMUS=all` checks all of the first two families
//! and 2,000 of the last, and prints how many of each kind are told apart.

use std::collections::BTreeMap;
use std::io::Write;

use heddle_litmus::program::{Instruction, Statement};
use heddle_litmus::{Limits, Test, answer, parse};
use rayon::prelude::*;

use crate::families::{drawn, hand_over, section};
use crate::kernels::{Said, ask, kernel};

/// Tests of one source.
const AT_A_TIME: usize = 32;

/// What the model says of a test's races.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Model {
    /// None, whatever the flag holds at the start.
    RaceFree,
    /// None where the flag is zero at the start.
    RaceFreeFromZero,
    /// No execution ends, whatever the flag holds at the start.
    Endless,
    Racy,
}

/// `None` where the test is too large, or ends from another start only.
fn model(text: &str) -> Option<(Test, Model)> {
    let limits = Limits { runs: 500, candidates: 3_000 };
    let test = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut cut = test.clone();
    for thread in &mut cut.threads {
        thread.body = unended(&thread.body);
    }
    let found = answer(&cut, limits).ok()?;
    if !found.races.is_empty() {
        return Some((test, Model::Racy));
    }
    let (mut ends, mut races) = (found.executions > 0, false);
    for start in [1, 2] {
        let other = Test { init: vec![("f".to_owned(), start)], ..cut.clone() };
        let other = answer(&other, limits).ok()?;
        ends |= other.executions > 0;
        races |= !other.races.is_empty();
    }
    let model = match (races, ends) {
        (true, _) => Model::RaceFreeFromZero,
        (false, true) => Model::RaceFree,
        (false, false) => Model::Endless,
    };
    Some((test, model))
}

/// A body in which what follows an `until` is done if it holds: so a thread that polls for ever has
/// an execution too.
fn unended(body: &[Statement]) -> Vec<Statement> {
    let until = body.iter().position(|it| matches!(it.instruction, Instruction::Until(_)));
    let Some(at) = until else { return body.to_vec() };
    let Instruction::Until(guard) = &body[at].instruction else { return body.to_vec() };
    let rest = &body[at + 1..];
    if rest.iter().any(|it| matches!(it.instruction, Instruction::Barrier { .. })) {
        return body.to_vec();
    }
    let rest = Statement {
        line: body[at].line,
        instruction: Instruction::If(guard.clone(), unended(rest)),
    };
    body[..at].iter().cloned().chain([rest]).collect()
}

/// What is said of tests, by what the model says, and those that are told apart wrongly.
fn judge(texts: &[String]) -> (BTreeMap<(Model, Said), usize>, Vec<String>) {
    let tests: Vec<(Test, Model)> = texts.par_iter().filter_map(|text| model(text)).collect();
    let judged: Vec<(Model, Said, String)> = tests
        .chunks(AT_A_TIME)
        .flat_map(|some| {
            let said = ask(&some.iter().map(|(test, _)| test).collect::<Vec<_>>());
            let told = some.iter().zip(said).map(|((test, model), said)| {
                (*model, said, format!("{model:?}, {said:?}\n{test}{}", kernel(test, 0)))
            });
            told.collect::<Vec<_>>()
        })
        .collect();
    let mut counts = BTreeMap::new();
    let mut wrong = Vec::new();
    let shown = std::env::var("HEDDLE_LITMUS_SHOW").unwrap_or_default();
    for (model, said, text) in judged {
        *counts.entry((model, said)).or_default() += 1;
        let is_wrong = match said {
            Said::Proved => model == Model::Racy,
            Said::Refuted => model == Model::RaceFree,
            Said::Unknown => false,
        };
        if !shown.is_empty() && text.starts_with(&shown) {
            let _unheard = writeln!(std::io::stderr(), "{text}");
        }
        if is_wrong {
            wrong.push(text);
        }
    }
    (counts, wrong)
}

fn checked(name: &str, texts: &[String]) {
    let (counts, wrong) = judge(texts);
    let shown: Vec<String> =
        counts.iter().map(|((model, said), count)| format!("{model:?} {said:?} {count}")).collect();
    let _unheard = writeln!(std::io::stderr(), "{name}: {}", shown.join(", "));
    let some = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} tests are told apart wrongly:\n{some}", wrong.len());
    let proved = counts.iter().filter(|((_, said), _)| *said == Said::Proved).map(|it| it.1);
    let proved: usize = proved.sum();
    assert!(proved * 20 > texts.len(), "{name}: {proved} of {} are proved", texts.len());
}

fn is_long() -> bool {
    std::env::var("HEDDLE_LITMUS").is_ok_and(|it| it == "all")
}

#[test]
fn no_racy_hand_over_is_proved() {
    let all: Vec<String> = (0..).map_while(hand_over).collect();
    let step = if is_long() { 1 } else { 151 };
    let texts: Vec<String> = all.into_iter().step_by(step).collect();
    checked("hand-over", &texts);
}

#[test]
fn no_racy_section_is_proved() {
    let all: Vec<String> = (0..).map_while(section).collect();
    let step = if is_long() { 67 } else { 607 };
    let texts: Vec<String> = all.into_iter().step_by(step).collect();
    checked("sections", &texts);
}

#[test]
fn no_racy_drawn_test_is_proved() {
    let count = if is_long() { 2_000 } else { 96 };
    let texts: Vec<String> = (0..count).map(drawn).collect();
    checked("drawn", &texts);
}
