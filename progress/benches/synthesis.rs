//! Times the enumeration: `cargo bench -p heddle-progress`.
//!
//! One line per size and set of constraints, one worker, verdicts for all models. `-- large` adds
//! the sizes that take up to a minute; `-- T I [workers]` times one size.

#![expect(clippy::print_stdout, reason = "the table is the point")]

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use heddle_progress::model::{LOBE, OBE};
use heddle_progress::synth::{Constraints, Request, synthesise};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let numbers: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    println!(
        "{:<6} {:<9} {:>12} {:>9} {:>11} {:>11} {:>9}  hash",
        "size", "set", "candidates", "tests", "strong obe", "strong lobe", "time"
    );
    if let [threads, instructions, workers @ ..] = &numbers[..] {
        let workers = workers.first().copied().unwrap_or(1);
        for constraints in Constraints::EACH {
            time(*threads, *instructions, constraints, workers);
        }
        return;
    }
    let mut total = Duration::ZERO;
    for (threads, instructions) in [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4)] {
        for constraints in Constraints::EACH {
            total += time(threads, instructions, constraints, 1);
        }
    }
    println!("all five sizes, both sets: {:.3} s", total.as_secs_f64());
    if arguments.iter().any(|argument| argument == "large") {
        for (threads, instructions) in [(2, 5), (3, 5)] {
            for constraints in Constraints::EACH {
                time(threads, instructions, constraints, 1);
            }
        }
    }
}

fn time(threads: usize, instructions: usize, constraints: Constraints, workers: usize) -> Duration {
    let request = Request {
        threads,
        instructions,
        constraints,
        rename_threads: false,
        irredundant: false,
        shard: None,
        workers,
    };
    let start = Instant::now();
    let summary = synthesise(&request, &mut |_| ControlFlow::Continue(()), &mut |_| {})
        .expect("a size that is supported");
    let elapsed = start.elapsed();
    let table = summary.table();
    let count = |criterion| table.distinguishing(criterion).expect("a model of the table");
    println!(
        "({threads},{instructions})  {:<9} {:>12} {:>9} {:>11} {:>11} {:>7.3} s  {:032x}",
        constraints.name(),
        summary.candidates,
        summary.tests,
        count(OBE.strong()),
        count(LOBE.strong()),
        elapsed.as_secs_f64(),
        summary.hash
    );
    elapsed
}
