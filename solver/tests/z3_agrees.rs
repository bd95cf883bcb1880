//! Random and corpus queries, answered by the embedded procedure and by Z3: they must not disagree.
#![cfg(feature = "z3")]

mod queries;
mod random;

use heddle_solver::{Answer, Backend, Budget, Embedded, Z3};
use random::{any, explain, races};

/// Compares two answers; what one leaves open is no disagreement. Says whether both settled it.
fn agree(ours: &Answer, theirs: &Answer) -> Result<bool, ()> {
    match (ours, theirs) {
        (Answer::Unsat(_), Answer::Unsat(_)) | (Answer::Sat(_), Answer::Sat(_)) => Ok(true),
        (Answer::Unsat(_), Answer::Sat(_)) | (Answer::Sat(_), Answer::Unsat(_)) => Err(()),
        (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => Ok(false),
    }
}

fn compare(seeds: std::ops::Range<u64>, make: impl Fn(u64) -> random::Case) {
    // What neither settles soon is no test of agreement.
    let budget = Budget { conflicts: 500, ..Budget::default() };
    let mut settled = 0;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let case = make(seed);
        let ours = Embedded.decide(&case.pool, &case.query, &budget);
        let theirs = Z3.decide(&case.pool, &case.query, &budget);
        match agree(&ours, &theirs) {
            Ok(both) => settled += u64::from(both),
            Err(()) => panic!("Z3 says {theirs:?}\n{}", explain(seed, &case, &ours)),
        }
    }
    assert!(settled * 10 >= count * 8, "only {settled} of {count} settled by both");
}

#[test]
fn on_random_operators_with_functions() {
    compare(300_000..301_500, |seed| any(seed, true));
}

#[test]
fn on_random_races() {
    compare(400_000..401_500, races::case);
}

#[test]
fn on_random_races_of_real_widths() {
    compare(500_000..500_800, races::wide);
}

#[test]
fn on_the_corpus() {
    // Z3 leaves the symbolic products open; a small budget keeps this to seconds.
    let budget = Budget { conflicts: 200, ..Budget::default() };
    let mut settled = 0;
    for case in queries::all() {
        let ours = Embedded.decide(&case.pool, &case.query, &Budget::default());
        assert_eq!(ours.is_unsat(), case.expected == queries::Expected::Unsat, "{}", case.name);
        let theirs = Z3.decide(&case.pool, &case.query, &budget);
        match agree(&ours, &theirs) {
            Ok(both) => settled += u32::from(both),
            Err(()) => panic!("{}: {}: {ours:?} against {theirs:?}", case.family, case.name),
        }
    }
    assert!(settled >= 60, "only {settled} settled by both");
}
