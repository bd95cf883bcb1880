//! The verdicts and sizes of the published tests, against the oracle.
//!
//! The data is not part of the repository; where it is absent the test says so and passes.
//! `tests/suite/models.rs` and `tests/suite/mutants.rs` need no data.

use heddle_progress::axb::Axb;
use heddle_progress::model::{Criterion, Model};
use heddle_progress::oracle::Oracle;
use heddle_progress::system::explore;

#[test]
fn all_verdicts_and_sizes_agree() {
    let Some(tests) = crate::published::tests() else { return };
    assert_eq!(tests.len(), 483);
    let mut verdicts = 0;
    for crate::published::Published { test, expected, states, transitions, memories } in &tests {
        let explored = explore(&Axb::new(test), 10_000).expect("published tests are small");
        assert_eq!(explored.system.states(), *states, "{test}");
        assert_eq!(explored.system.transitions(), *transitions, "{test}");
        let mut distinct: Vec<_> = explored.states.iter().map(|state| &state.memory).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), *memories, "{test}");
        let mut oracle = Oracle::of(&explored.system);
        for (name, pass) in expected {
            let criterion = criterion(name);
            assert_eq!(oracle.verdict(criterion).passes(), *pass, "{criterion}\n{test}");
            verdicts += 1;
        }
    }
    assert_eq!(verdicts, 4830);
}

fn criterion(published: &str) -> Criterion {
    match published {
        "WEAK_FAIR" => Model::named("fair").expect("a model").weak(),
        "STRONG_FAIR" => Model::named("fair").expect("a model").strong(),
        name => match name.strip_suffix("_STRONG") {
            Some(model) => Model::named(model).expect("a model").strong(),
            None => Model::named(name).expect("a model").weak(),
        },
    }
}
