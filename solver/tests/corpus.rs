//! Every query of the corpus gets its answer: none wrong, none left open.

mod queries;

use heddle_solver::{Answer, Budget, Value, decide};
use queries::{Expected, all};

#[test]
fn every_query_gets_its_answer() {
    let mut faults = Vec::new();
    let cases = all();
    assert!(cases.len() >= 120, "{} queries", cases.len());
    for case in &cases {
        let name = format!("{}: {}", case.family, case.name);
        match (decide(&case.pool, &case.query, &Budget::default()), case.expected) {
            (Answer::Unsat(_), Expected::Unsat) => {}
            (Answer::Sat(model), Expected::Sat) => {
                for &fact in &case.query.facts {
                    assert_eq!(model.evaluate(&case.pool, fact), Value::Known(1), "{name}");
                }
            }
            (answer, expected) => faults.push(format!("{name}: {answer:?}, not {expected:?}")),
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for case in &all() {
        let ask = || decide(&case.pool, &case.query, &Budget::default());
        let leaves: Vec<_> = case.pool.iter().map(|(expr, _)| expr).collect();
        match (ask(), ask()) {
            (Answer::Unsat(one), Answer::Unsat(two)) => assert_eq!(one, two, "{}", case.name),
            (Answer::Sat(one), Answer::Sat(two)) => {
                for leaf in leaves {
                    assert_eq!(one.value(leaf), two.value(leaf), "{}", case.name);
                }
            }
            (one, two) => panic!("{}: {one:?}, then {two:?}", case.name),
        }
    }
}
