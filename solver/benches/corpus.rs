//! Times the corpus: solved, median and 90th percentile, and which method answered how many.
//!
//! `cargo bench -p heddle-solver`; with `--all` after `--`, one line per query, slowest last.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/queries/mod.rs"]
mod queries;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use heddle_solver::{Answer, Budget, Method, decide};
use queries::Expected;

/// Runs of each query; the fastest counts.
const RUNS: u32 = 5;

fn main() {
    let cases = queries::all();
    let budget = Budget::default();
    let mut rows: Vec<(Duration, String, &'static str)> = Vec::new();
    let mut by_method: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut solved = 0;
    for case in &cases {
        let mut fastest = Duration::MAX;
        let mut answer = None;
        for _ in 0..RUNS {
            let start = Instant::now();
            answer = Some(decide(&case.pool, &case.query, &budget));
            fastest = fastest.min(start.elapsed());
        }
        let (method, right) = match (&answer, case.expected) {
            (Some(Answer::Unsat(Method::Simplification)), it) => {
                ("simplification", it == Expected::Unsat)
            }
            (Some(Answer::Unsat(Method::Algebra)), it) => ("algebra", it == Expected::Unsat),
            (Some(Answer::Unsat(Method::Bits)), it) => ("bits", it == Expected::Unsat),
            (Some(Answer::Unsat(Method::External)), it) => ("external", it == Expected::Unsat),
            (Some(Answer::Sat(_)), it) => ("model", it == Expected::Sat),
            (Some(Answer::Unknown(_)) | None, _) => ("left open", true),
        };
        *by_method.entry(method).or_default() += 1;
        solved += usize::from(method != "left open");
        let name = format!("{}: {}", case.family, case.name);
        if !right {
            wrong.push(name.clone());
        }
        rows.push((fastest, name, method));
    }
    rows.sort();
    let all = std::env::args().any(|it| it == "--all");
    for (time, name, method) in &rows {
        if all || *method == "left open" {
            println!("{:9.3} ms  {method:14} {name}", time.as_secs_f64() * 1e3);
        }
    }
    for name in &wrong {
        println!("WRONG {name}");
    }
    let at =
        |part: usize| rows[(rows.len() * part / 100).min(rows.len() - 1)].0.as_secs_f64() * 1e3;
    println!(
        "{solved} of {} solved, {} wrong; median {:.3} ms, p90 {:.3} ms, slowest {:.3} ms",
        cases.len(),
        wrong.len(),
        at(50),
        at(90),
        at(100)
    );
    let counts: Vec<String> = by_method.iter().map(|(name, n)| format!("{name} {n}")).collect();
    println!("by method: {}", counts.join(", "));
}
