//! Each rule of the semantics matters: a mutant without it contradicts a test of the repository.
//!
//! The tests are those of `tests/progress/*.axb`, whose heads say which criteria they pass and how
//! large their transition systems are.

use std::path::Path;

use heddle_progress::axb::{Axb, Test, parse};
use heddle_progress::model::{
    Criterion, FAIR, HSA, HSA_OBE, LOBE, LOBE_LIVE, Model, OBE, UNFAIR, View,
};
use heddle_progress::oracle::Oracle;
use heddle_progress::rules::{Rule, Rules};
use heddle_progress::system::explore;
use heddle_progress::threads::ThreadSet;

struct Expectation {
    file: String,
    test: Test,
    passes: Vec<Criterion>,
    size: String,
}

fn expectations() -> Vec<Expectation> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/progress");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of tests")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "axb"))
        .collect();
    files.sort();
    files.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Expectation {
    let text = std::fs::read_to_string(path).expect("a readable test");
    let file = path.file_name().expect("a name").to_string_lossy().into_owned();
    let head = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_else(|| panic!("{file}: no line `{key}`")).trim().to_owned()
    };
    let named = |name| Criterion::named(name).unwrap_or_else(|| panic!("{file}: `{name}`"));
    let passes = head("// passes:");
    let passes = passes.split_whitespace().filter(|name| *name != "nothing").map(named).collect();
    let test = parse(&text).unwrap_or_else(|error| panic!("{file}:{error}"));
    Expectation { size: head("// size:"), passes, test, file }
}

/// The criteria of [`Criterion::all`] with one model exchanged for another.
fn criteria(replaced: &[(Model, Model)]) -> Vec<(Criterion, Criterion)> {
    let all = Criterion::all().into_iter();
    let replace = |mut criterion: Criterion| {
        if let Some((_, by)) = replaced.iter().find(|(model, _)| *model == criterion.model) {
            criterion.model = *by;
        }
        criterion
    };
    all.map(|criterion| (criterion, replace(criterion))).collect()
}

/// The first contradiction between a mutant and what the tests say.
fn contradiction(rules: Rules, replaced: &[(Model, Model)]) -> Option<String> {
    for Expectation { file, test, passes, size } in expectations() {
        let explored = explore(&Axb::with_rules(&test, rules), 100_000).expect("small tests");
        let system = &explored.system;
        let found = format!("{} states, {} transitions", system.states(), system.transitions());
        if found != size {
            return Some(format!("{file}: {found} instead of {size}"));
        }
        let mut oracle = Oracle::with_rules(rules);
        oracle.read(system);
        for (criterion, asked) in criteria(replaced) {
            let verdict = oracle.verdict(asked);
            if verdict.passes() != passes.contains(&criterion) {
                return Some(format!("{file}: {criterion} answers {}", verdict.name()));
            }
        }
    }
    None
}

#[test]
fn the_semantics_contradicts_nothing() {
    assert_eq!(contradiction(Rules::ALL, &[]), None);
}

#[test]
fn each_rule_is_needed() {
    let mut unnoticed = Vec::new();
    for rule in Rule::EACH {
        match contradiction(Rules::ALL.without(rule), &[]) {
            Some(contradiction) => println!("without {rule:?}: {contradiction}"),
            None => unnoticed.push(rule),
        }
    }
    assert!(unnoticed.is_empty(), "no test notices the loss of {unnoticed:?}");
}

#[test]
fn each_model_is_needed() {
    // A model exchanged for any other one is noticed, so no two models are the same by accident.
    let models = [UNFAIR, HSA, OBE, HSA_OBE, LOBE_LIVE, LOBE, FAIR];
    for model in models {
        for other in models.into_iter().filter(|other| *other != model) {
            let noticed = contradiction(Rules::ALL, &[(model, other)]);
            assert!(noticed.is_some(), "{model:?} as {other:?} goes unnoticed");
        }
    }
}

#[test]
fn slips_in_the_models_are_noticed() {
    let slip = |guaranteed| Model { name: "slip", summary: "a slip", guaranteed };
    let lowest_ever = |View { live, .. }: View| live.intersection(ThreadSet::one(0));
    let started_now_lowest = |View { live, started }: View| started.intersection(live).lowest();
    let below_highest = |View { live, started }: View| {
        let highest = started.up_to_highest().len();
        live.intersection(ThreadSet::first(highest.saturating_sub(1)))
    };
    for (model, mutant) in [
        (HSA, slip(started_now_lowest)),
        (HSA, slip(lowest_ever)),
        (OBE, slip(started_now_lowest)),
        (LOBE, slip(below_highest)),
    ] {
        let noticed = contradiction(Rules::ALL, &[(model, mutant)]);
        assert!(noticed.is_some(), "a slip in {model:?} goes unnoticed");
    }
}
