//! Heddle's three executors (native code with checks, the lock-step interpreter that replays
//! witnesses, the one that runs warps against each other) and the evaluator of this test, against
//! each other, on the kernels that are drawn here.
//!
//! A kernel counts where the evaluator runs it to its end under several schedules, without a race
//! and without looking at what nobody wrote, and always leaves the same memory.
//!
//! **Promises**: then native code leaves the same bytes and reports nothing; the interpreter knows
//! the same bytes or does not know; both interpreters touch the same places.
//! **Does not**: run kernels whose pointers overlap, structures by value, or grids above 16 blocks.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::case::Case;
use crate::code::{Code, Kind, LeafKind};
use crate::execute::{Accesses, Inputs, Lifted, Ran, Scalar, native};
use crate::hunt::{Stock, of_runs};
use crate::lower::lower;
use crate::machine::{Argument, End, Schedule, Setup, run_with_memory};
use crate::memory::Fill;
use crate::setups::{Effort, setups};
use crate::workers::{is_worker, say};

/// Kernels of a plain test run.
const KERNELS: u64 = 400;
/// Bytes of a buffer at most.
const MOST_BYTES: i64 = 1 << 16;

/// What the evaluator says of a run that all must agree on.
struct Expected {
    inputs: Inputs,
    memory: Vec<Vec<u8>>,
}

fn scalar(kind: Kind, bits: u64) -> (String, u64) {
    match kind {
        Kind::Int(ty) if ty.signed => (format!("{}", bits as i64), cut(bits, ty.bits)),
        Kind::Int(ty) => (format!("{bits}"), cut(bits, ty.bits)),
        Kind::Float => (format!("{}", f32::from_bits(bits as u32)), bits),
        Kind::Double => (format!("{}", f64::from_bits(bits)), bits),
        Kind::Pointer => (String::new(), bits),
    }
}

fn cut(bits: u64, width: u8) -> u64 {
    if width >= 64 { bits } else { bits & ((1 << width) - 1) }
}

/// Runs a setup under several schedules; nothing where they do not agree, or it is none of those
/// that count.
fn expected(code: &Code, setup: &Setup) -> Option<Expected> {
    let mut inputs =
        Inputs { grid: setup.grid, block: setup.block, scalars: Vec::new(), buffers: Vec::new() };
    let mut pointers = Vec::new();
    for (index, (leaf, argument)) in code.leaves.iter().zip(&setup.arguments).enumerate() {
        match (leaf.kind, argument) {
            _ if leaf.name.contains('.') => return None,
            (LeafKind::Scalar(kind), Argument::Scalar(bits)) => {
                let (text, bits) = scalar(kind, *bits);
                inputs.scalars.push(Scalar { name: leaf.name.clone(), text, bits });
            }
            (LeafKind::Pointer(_), Argument::Pointer { .. }) => {
                pointers.push((leaf.name.clone(), 1 + index as u64));
            }
            _ => return None,
        }
    }
    let mut memory: Option<Vec<Vec<u8>>> = None;
    let schedules = [Schedule::Forward, Schedule::Backward, Schedule::Random(5)];
    for schedule in schedules.into_iter().chain([Schedule::Random(11)]) {
        let setup = Setup { schedule, ..setup.clone() };
        let (outcome, [mut before, mut after]) = run_with_memory(code, &setup);
        let odd = outcome.unaligned || outcome.exited_early || outcome.below || after.is_tainted;
        if outcome.end != End::Done || !outcome.races.is_empty() || odd {
            return None;
        }
        let mut left = Vec::new();
        inputs.buffers.clear();
        for (name, object) in &pointers {
            let (first, last) = after.extent(*object);
            if first < 0 || last > MOST_BYTES {
                return None;
            }
            // An empty buffer is none.
            let last = last.max(256);
            inputs.buffers.push((name.clone(), before.image(*object, last)));
            left.push(after.image(*object, last));
        }
        if memory.as_ref().is_some_and(|it| *it != left) {
            return None;
        }
        memory = Some(left);
    }
    Some(Expected { inputs, memory: memory? })
}

/// What differs from what is expected, if something does.
fn difference(expected: &Expected, got: &[Vec<Option<u8>>]) -> Option<String> {
    for ((name, _), (want, got)) in
        expected.inputs.buffers.iter().zip(expected.memory.iter().zip(got))
    {
        for (at, (want, got)) in want.iter().zip(got).enumerate() {
            if got.is_some_and(|it| it != *want) {
                return Some(format!("byte {at} of `{name}` is {got:?}, and not {want}"));
            }
        }
    }
    None
}

/// Where two interpreters do not touch the same places.
fn other_places(one: &Accesses, other: &Accesses) -> Option<String> {
    let is_open = |op: &u32| one.open.contains(op) || other.open.contains(op);
    let empty = Vec::new();
    for (key, places) in one.all.iter().chain(&other.all) {
        if is_open(&key.0) {
            continue;
        }
        let [a, b] = [one, other].map(|it| it.all.get(key).unwrap_or(&empty));
        if a != b {
            let (op, block, thread) = key;
            return Some(format!(
                "thread {thread} of block {block:?} at operation {op}: {a:?} in lock-step, {b:?} by warps, of {places:?}"
            ));
        }
    }
    None
}

/// How one kernel went, in words that are counted; and what is wrong.
fn tried(case: &Case, seed: u64, folder: &Path) -> (Vec<&'static str>, Vec<String>) {
    let Ok(code) = lower(&case.program) else { return (vec!["not lowered"], Vec::new()) };
    let effort = Effort { runs: 4, steps: 200_000, threads: 512, full: false };
    let all_run = |it: &Setup| {
        let blocks = it.grid.iter().map(|it| *it as usize).product::<usize>();
        it.resident.len() == blocks && blocks <= 16 && it.patches.is_empty()
    };
    let is_ordered = |it: &Setup| {
        let of = |it: &Argument| !matches!(it, Argument::Pointer { fill: Fill::Same(1), .. });
        it.arguments.iter().all(of)
    };
    let tried = setups(case, &code, effort, of_runs(seed), false);
    let mut counts = tried.iter().filter(|it| all_run(it) && is_ordered(it));
    let Some(expected) = counts.find_map(|it| expected(&code, it)) else {
        return (vec!["no run that counts"], Vec::new());
    };
    let (mut words, mut wrong) = (vec!["compared"], Vec::new());
    match native(case, &expected.inputs, folder, seed) {
        Ran::Ended { memory, reported } => {
            words.push("native: ran");
            wrong.extend(reported.into_iter().map(|it| format!("native: reports {it}")));
            wrong.extend(difference(&expected, &memory).map(|it| format!("native: {it}")));
        }
        // The generator mutates into what is no C, too.
        Ran::Stopped(why) if why.contains("clang finds an error") => {
            return (vec!["not compiled"], wrong);
        }
        Ran::Stopped(why) => {
            words.push("native: did not run");
            wrong.push(format!("native: {why}"));
        }
    }
    let Ok(lifted) = Lifted::new(case, &expected.inputs) else {
        words.push("not lifted");
        return (words, wrong);
    };
    let (ran, accesses) = lifted.in_lockstep(&expected.inputs);
    let ran_whole = matches!(ran, Ran::Ended { .. });
    if let Ran::Ended { memory, .. } = ran {
        words.push("lock-step: ran");
        wrong.extend(difference(&expected, &memory).map(|it| format!("lock-step: {it}")));
        if memory.iter().flatten().all(Option::is_some) {
            words.push("lock-step: knows all");
        }
    }
    if ran_whole && let Ok(other) = lifted.by_warps() {
        words.push("by warps: ran");
        wrong.extend(other_places(&accesses, &other).map(|it| format!("by warps: {it}")));
    }
    (words, wrong)
}

#[test]
fn executors_agree() {
    if is_worker() {
        return;
    }
    let plan = crate::Plan::new();
    let folder = plan.folder.join("executors");
    std::fs::create_dir_all(&folder).expect("the folder for test files is writable");
    let stock = Stock::new();
    let number = std::env::var("HEDDLE_EXECUTORS").ok().and_then(|it| it.parse().ok());
    let seeds = plan.first..plan.first + number.unwrap_or(KERNELS);
    let all: Vec<_> = seeds
        .into_par_iter()
        .map(|seed| {
            let case = stock.case(seed);
            let (words, wrong) = tried(&case, seed, &folder);
            (seed, case, words, wrong)
        })
        .collect();
    let all_seeds = all.len();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for (seed, case, words, wrong) in all {
        for word in words {
            *counts.entry(word).or_default() += 1;
        }
        if !wrong.is_empty() {
            failures.push(format!("seed {seed}: {}\n{}", wrong.join("\n"), case.text()));
        }
    }
    for (word, count) in &counts {
        say(&format!("{count:>6} {word}"));
    }
    failures.sort_by_key(String::len);
    assert!(
        failures.is_empty(),
        "{} kernels on which the executors do not agree; the shortest:\n{}",
        failures.len(),
        failures.iter().take(8).cloned().collect::<Vec<_>>().join("\n")
    );
    let of = |word| counts.get(word).copied().unwrap_or(0);
    let compared = of("compared");
    assert!(compared * 4 > all_seeds && of("not lifted") == 0, "{counts:?}");
    assert!(
        of("lock-step: ran") * 2 > compared && of("by warps: ran") * 4 > compared,
        "{counts:?}"
    );
}
