//! A failure is a schedule that can be replayed: it starts at the start, comes back to where its
//! cycle began, and is as fair as the model asks.

use heddle_progress::axb::{Axb, Test, parse};
use heddle_progress::model::{Criterion, Fairness};
use heddle_progress::oracle::{Lasso, Move, Oracle};
use heddle_progress::system::{System, explore};

fn replay(system: &System, from: u32, moves: &[Move]) -> u32 {
    moves.iter().fold(from, |state, step| {
        assert_eq!(step.state, state, "each step starts where the last one ended");
        assert_eq!(system.next(state, step.thread), step.next, "the step is one of the system");
        step.next
    })
}

fn check(system: &System, criterion: Criterion, lasso: &Lasso) {
    let start = replay(system, 0, &lasso.prefix);
    assert!(!lasso.cycle.is_empty());
    assert_eq!(replay(system, start, &lasso.cycle), start, "the cycle closes");
    let spinning = lasso.spinning();
    assert!(lasso.guaranteed.is_subset(spinning), "the schedule is fair to the guaranteed threads");
    assert_eq!(criterion.model.at(lasso.view), lasso.guaranteed);
    for step in &lasso.cycle {
        assert_eq!(system.live(step.state), lasso.view.live);
        assert!(lasso.component.binary_search(&step.state).is_ok());
    }
    if criterion.fairness == Fairness::Strong && !lasso.guaranteed.is_empty() {
        // No step of a guaranteed thread leaves the states that the schedule may visit.
        for state in &lasso.component {
            for thread in lasso.guaranteed.iter() {
                assert!(lasso.component.binary_search(&system.next(*state, thread)).is_ok());
            }
        }
    }
}

fn check_test(test: &Test) -> usize {
    let explored = explore(&Axb::new(test), 100_000).expect("small tests");
    let mut oracle = Oracle::of(&explored.system);
    let mut lassos = 0;
    for criterion in Criterion::all() {
        let failure = oracle.failure(&explored.system, criterion);
        assert_eq!(failure.is_none(), oracle.verdict(criterion).passes(), "{criterion}\n{test}");
        if let Some(lasso) = failure {
            check(&explored.system, criterion, &lasso);
            lassos += 1;
        }
    }
    lassos
}

#[test]
fn lassos_of_own_tests_replay() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/progress");
    let mut lassos = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of tests") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "axb") {
            let text = std::fs::read_to_string(&path).expect("a readable test");
            lassos += check_test(&parse(&text).expect("a test"));
        }
    }
    assert!(lassos > 50, "{lassos} lassos");
}

#[test]
fn lassos_of_published_tests_replay() {
    let Some(tests) = crate::published::tests() else { return };
    let lassos: usize = tests.iter().map(|published| check_test(&published.test)).sum();
    assert!(lassos > 1000, "{lassos} lassos");
}
