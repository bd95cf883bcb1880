//! Random and corpus queries, answered by the embedded procedure and by Z3: they must not disagree.
//!
//! Nothing else links Z3, so it is behind the cargo feature `z3`. Without the feature, as in `cargo
//! test --workspace`, the one test here builds this file with it and runs it; where there is no Z3,
//! that fails and says what to install. More seeds of a family: `HEDDLE_SEEDS=0..10000 cargo test
//! -p heddle-solver --features z3 --test z3_agrees on_random_races`.

#[cfg(feature = "z3")]
mod queries;
#[cfg(feature = "z3")]
mod random;

#[cfg(not(feature = "z3"))]
#[test]
fn this_file_with_z3() {
    // The folder that this test was built into, so that little is built twice.
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let run = std::process::Command::new(env!("CARGO"))
        .args(["test", "--package", "heddle-solver", "--features", "z3", "--test", "z3_agrees"])
        .arg("--target-dir")
        .arg(target.expect("it is inside the target folder"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&run.stdout);
    let complaints = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success() && said.contains("5 passed"),
        "Z3 disagrees, or is not there: `make test-deps` installs it (Debian's libz3-dev)\n{said}\n{complaints}"
    );
}

#[cfg(feature = "z3")]
mod agrees {
    use std::ops::Range;

    use heddle_solver::{Answer, Backend, Budget, Embedded, Z3, smt_lib};

    use crate::queries;
    use crate::random::{self, any, explain, races};

    /// Compares two answers; what one leaves open is no disagreement. Says whether both settled it.
    fn agree(ours: &Answer, theirs: &Answer) -> Result<bool, ()> {
        match (ours, theirs) {
            (Answer::Unsat(_), Answer::Unsat(_)) | (Answer::Sat(_), Answer::Sat(_)) => Ok(true),
            (Answer::Unsat(_), Answer::Sat(_)) | (Answer::Sat(_), Answer::Unsat(_)) => Err(()),
            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => Ok(false),
        }
    }

    fn compare(seeds: Range<u64>, make: impl Fn(u64) -> random::Case) {
        // What neither settles soon is no test of agreement.
        let budget = Budget { conflicts: 500, ..Budget::default() };
        let seeds = random::seeds(seeds);
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
        compare(300_000..301_000, |seed| any(seed, true));
    }

    #[test]
    fn on_random_races() {
        compare(400_000..401_000, races::case);
    }

    #[test]
    fn on_random_races_of_real_widths() {
        // Products of 64 bits cost Z3 most.
        compare(500_000..500_100, races::wide);
    }

    #[test]
    fn on_the_corpus() {
        // Z3 leaves the symbolic products open; a small budget keeps this to seconds.
        let budget = Budget { conflicts: 50, ..Budget::default() };
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

    /// Files that `heddle check --smt` wrote, by a list of their paths: `tests/why.rs` runs this. A
    /// script of each status stands for them where nobody gives any.
    #[test]
    fn on_written_files() {
        let list = std::env::var_os("HEDDLE_SMT_FILES");
        let read = |path: &str| std::fs::read_to_string(path).expect("the file is there");
        let scripts: Vec<(String, String)> = match list {
            Some(list) => {
                let list = std::fs::read_to_string(list).expect("the list is there");
                list.lines().map(|path| (path.to_owned(), read(path))).collect()
            }
            None => {
                let cases = queries::all().into_iter().take(20);
                let script = |case: queries::Case| {
                    let ours = Embedded.decide(&case.pool, &case.query, &Budget::default());
                    (case.name.to_string(), smt_lib(&case.pool, &case.query, Some(&ours)))
                };
                cases.map(script).collect()
            }
        };
        let mut settled = 0;
        for (name, script) in &scripts {
            let solver = z3::Solver::new();
            let mut params = z3::Params::new();
            params.set_u32("rlimit", 20_000_000);
            solver.set_params(&params);
            solver.from_string(script.as_str());
            assert_eq!(
                solver.get_assertions().is_empty(),
                !script.contains("(assert "),
                "{name} is not read"
            );
            let expected = match solver.check() {
                z3::SatResult::Sat => "(set-info :status sat)",
                z3::SatResult::Unsat => "(set-info :status unsat)",
                z3::SatResult::Unknown => continue,
            };
            let open = script.contains("(set-info :status unknown)");
            assert!(open || script.contains(expected), "{name}: Z3 says {expected}");
            settled += usize::from(!open);
        }
        assert!(settled * 2 > scripts.len(), "only {settled} of {}", scripts.len());
    }
}
