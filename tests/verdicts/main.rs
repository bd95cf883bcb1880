//! Hunts wrong verdicts: kernels drawn and mutated by seed, checked by Heddle and run by an
//! evaluator that shares no code with it.
//!
//! ```text
//! seed ─► draw, or mutate an idiom or a kernel of the corpus ─► Case ─┬─► print ─► ask (the checker) ─┐
//!                                                                     └─► lower ─► run (threads, races) ─┴─► judge ─► shrink
//! ```
//!
//! **Promises**: *proved* with a run that keeps the named assumptions and violates the property is
//! a failure; so is *refuted* where neither the run it describes nor any other that was tried
//! violates it; a fault; a check of more than 20 s. A failure is shrunk and printed as a file for
//! `tests/kernels`. Nothing here names the crates that reason (`tests/tidy.rs`); [`ask`] is the one
//! door to the checker.
//! **Does not**: try all runs, know other orders than barriers, fences and atomics, or run bulk
//! copies, clusters and matrices.
//!
//! Without variables, seeds that are fixed run (`make test`). `HEDDLE_FUZZ_SECONDS=3600` (`make
//! fuzz-verdicts`: until stopped) goes on from a seed that the clock gives, or `HEDDLE_FUZZ_SEED`,
//! and leaves failures in the folder it names.

mod arith;
mod ask;
mod builtin;
mod case;
mod code;
mod corpus;
mod draw;
mod execute;
mod executors;
mod hunt;
mod idioms;
mod judge;
mod known;
mod layout;
mod lex;
mod lower;
mod lower_expr;
mod lower_stmt;
mod machine;
mod meet;
mod memory;
mod mutate;
mod mutate_stmt;
mod order;
mod parse;
mod parse_expr;
mod parse_stmt;
mod print;
mod races;
mod random;
mod setups;
mod shrink;
mod step;
mod syntax;
mod translate;
mod workers;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use ask::Claim;
use hunt::{Found, Stock, Tally, file, of_runs, try_seed};
use setups::Effort;
use shrink::shrunk;
use workers::{Report, from_workers, say};

/// Kernels of a plain test run.
const KERNELS: u64 = 3000;
/// Kernels that one worker process takes.
const BATCH: u64 = 100;

/// What a run of this test does.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    first: u64,
    kernels: u64,
    seconds: Option<u64>,
    folder: PathBuf,
}

impl Plan {
    fn new() -> Plan {
        let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
        let seconds = number("HEDDLE_FUZZ_SECONDS");
        let clock = || {
            let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            since.map_or(0, |it| it.as_secs() << 20)
        };
        let folder = match std::env::var_os("HEDDLE_FUZZ_FOLDER") {
            Some(folder) => PathBuf::from(folder),
            None => Path::new(env!("CARGO_TARGET_TMPDIR")).join("verdicts"),
        };
        std::fs::create_dir_all(&folder).expect("the folder for test files is writable");
        Plan {
            first: number("HEDDLE_FUZZ_SEED").unwrap_or_else(|| seconds.map_or(0, |_| clock())),
            kernels: number("HEDDLE_FUZZ_KERNELS").unwrap_or(KERNELS),
            seconds,
            folder,
        }
    }

    fn effort(&self) -> Effort {
        match self.seconds {
            None => Effort { runs: 6, steps: 250_000, threads: 512, full: false },
            Some(_) => Effort { runs: 16, steps: 1_000_000, threads: 1024, full: true },
        }
    }

    /// How often the checker is asked to make one failure smaller.
    fn tries(&self) -> usize {
        if self.seconds.is_some() { 300 } else { 80 }
    }
}

#[test]
fn no_verdict_is_wrong() {
    if workers::is_worker() {
        return;
    }
    let plan = Plan::new();
    say(&format!("from seed {}; failures go to {}", plan.first, plan.folder.display()));
    let end = plan.seconds.map(|it| Instant::now() + Duration::from_secs(it));
    let mut tally = Tally::default();
    let mut shown = Instant::now();
    let batches = (0..).map(|index| plan.first + index * BATCH);
    let batches = batches.take_while(|from| match end {
        Some(end) => Instant::now() < end,
        None => *from < plan.first + plan.kernels,
    });
    from_workers(batches, BATCH, &plan, |report| {
        match report {
            Report::Done(line) => tally.add(&line),
            Report::Failed(kind) => tally.fail(&kind),
        }
        if plan.seconds.is_some() && shown.elapsed() > Duration::from_secs(10) {
            shown = Instant::now();
            say(&tally.table());
        }
    });
    say(&tally.table());
    for (why, count) in &tally.rejected {
        say(&format!("{count:>6} not accepted: {why}"));
    }
    // A generator that never meets a race, or never a proof, finds nothing.
    let share = |said| tally.answered(Claim::Block, said) * 100 / tally.kernels.max(1);
    assert!(share(0) >= 20, "only {} % of the kernels are free of races", share(0));
    assert!(share(1) >= 10, "only {} % of the kernels are refuted", share(1));
    assert!(tally.rejections() * 10 < tally.kernels, "too many kernels do not compile");
    let wrong: usize = tally.failures.values().sum();
    let shown = if wrong > 0 { smallest(&plan.folder) } else { String::new() };
    assert!(
        wrong == 0,
        "{wrong} wrong of {}; the kernels are in {}. Some of them:\n\n{shown}",
        tally.kernels,
        plan.folder.display(),
    );
}

/// Files of the folder, the smallest first, a few of them.
fn smallest(folder: &Path) -> String {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut texts: Vec<String> =
        files.filter_map(|it| std::fs::read_to_string(it.path()).ok()).collect();
    texts.sort_by_key(|it| (it.len(), it.clone()));
    texts.truncate(20);
    texts.join("\n")
}

/// The worker's side: the kernels of its seeds, if it is one.
#[test]
fn worker() {
    let Some((from, to)) = workers::seeds() else { return };
    let plan = Plan::new();
    let stock = Stock::new();
    let effort = plan.effort();
    let mut known = std::collections::BTreeSet::new();
    for seed in from..to {
        say(&format!("at {seed}"));
        let (case, judgement) = try_seed(&stock, seed, effort);
        say(&format!("done {}", hunt::Line::of(&judgement).text()));
        for failure in judgement.failures {
            let mut found = Found { seed, case: case.clone(), failure };
            let kind = found.failure.kind;
            say(&format!("failed {}", kind.text()));
            let name = format!("{kind:?}_{seed}.{}", case.extension()).replace(['(', ')'], "_");
            let path = plan.folder.join(name);
            std::fs::write(&path, file(&found)).expect("the folder is writable");
            // Once of each kind where time is short.
            if !known.insert(kind) && plan.seconds.is_none() {
                continue;
            }
            say("shrinking");
            found.case = shrunk(&case, kind, effort, of_runs(seed), plan.tries());
            let again = judge::judge(&found.case, effort, of_runs(seed));
            if let Some(failure) = again.failures.into_iter().find(|it| it.kind == kind) {
                found.failure = failure;
                std::fs::write(&path, file(&found)).expect("the folder is writable");
            }
        }
    }
    say("over");
}
