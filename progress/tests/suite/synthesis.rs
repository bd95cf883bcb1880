//! The enumeration against the definition written down naively, the published sets, and itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use heddle_progress::axb::{Axb, Branch, Instruction, Test};
use heddle_progress::model::{Criterion, Fairness, MODELS, OBE};
use heddle_progress::oracle::Oracle;
use heddle_progress::requirement::is_weaker;
use heddle_progress::synth::{
    Candidate, Constraints, Explorer, Found, Request, Selection, Shard, Summary, Verdicts,
    automaton, splits, synthesise,
};
use heddle_progress::system::explore;

fn request(threads: usize, instructions: usize, constraints: Constraints) -> Request {
    Request {
        threads,
        instructions,
        constraints,
        rename_threads: false,
        irredundant: false,
        shard: None,
        workers: 1,
    }
}

fn run(request: &Request) -> (Summary, Vec<Found>) {
    let mut found = Vec::new();
    let mut each = |test: &Found| {
        found.push(*test);
        ControlFlow::Continue(())
    };
    let summary = synthesise(request, &mut each, &mut |_| {}).expect("a size that is supported");
    (summary, found)
}

/// The constraints as the definitions say them, with no thought of speed.
mod naive {
    use super::*;

    /// All threads of a length over `locations` locations.
    fn threads(length: u8, locations: u8) -> Vec<Vec<Instruction>> {
        let mut all = vec![vec![]];
        for counter in 0..length {
            let mut longer = Vec::new();
            for thread in &all {
                for instruction in instructions(counter, length, locations) {
                    let mut thread: Vec<Instruction> = thread.clone();
                    thread.push(instruction);
                    longer.push(thread);
                }
            }
            all = longer;
        }
        all
    }

    fn instructions(counter: u8, length: u8, locations: u8) -> Vec<Instruction> {
        let mut all = Vec::new();
        for location in 0..locations {
            for exchange in [None, Some(0), Some(1)] {
                for value in [0, 1] {
                    for target in 0..=length {
                        // A branch to the next instruction is none; its value is fixed to zero.
                        let branches = target != counter + 1;
                        if branches || (value == 0 && exchange.is_some()) {
                            let branch = branches.then_some(Branch { value, target });
                            all.push(Instruction { location, exchange, branch });
                        }
                    }
                }
            }
        }
        all
    }

    /// Each test of the set whose locations are numbered by first use.
    pub(super) fn tests(threads_: u8, count: u8, constraints: Constraints) -> BTreeSet<Candidate> {
        let mut tests = BTreeSet::new();
        for split in splits(threads_ as usize, count as usize) {
            // Each location is touched by two threads, so at most half as many as instructions.
            let choices: Vec<_> = split.iter().map(|length| threads(*length, count / 2)).collect();
            let mut code = Vec::new();
            product(&choices, &mut code, &mut |code| {
                let test = Test::new("", code.to_vec());
                if is_canonical(&test) && satisfies(&test, constraints) {
                    tests.insert(Candidate::of(&test).expect("small"));
                }
            });
        }
        tests
    }

    fn product(
        choices: &[Vec<Vec<Instruction>>],
        code: &mut Vec<Vec<Instruction>>,
        visit: &mut impl FnMut(&[Vec<Instruction>]),
    ) {
        let Some((first, rest)) = choices.split_first() else { return visit(code) };
        for thread in first {
            code.push(thread.clone());
            product(rest, code, visit);
            code.pop();
        }
    }

    fn is_canonical(test: &Test) -> bool {
        let mut used = 0;
        test.threads.iter().flatten().all(|instruction| {
            let fits = instruction.location <= used;
            used = used.max(instruction.location + 1);
            fits
        })
    }

    fn satisfies(test: &Test, constraints: Constraints) -> bool {
        let others = |thread: usize| {
            let threads = test.threads.iter().enumerate();
            threads.filter(move |(other, _)| *other != thread).flat_map(|(_, code)| code)
        };
        let influences = test.threads.iter().enumerate().all(|(thread, code)| {
            code.iter().all(|one| {
                let touches = |other: &&Instruction| other.location == one.location;
                let read = || others(thread).filter(touches).any(|other| other.branch.is_some());
                let touched = || others(thread).any(|other| other.location == one.location);
                (one.exchange.is_none() || read()) && (one.branch.is_none() || touched())
            })
        });
        influences && behaves(test, constraints)
    }

    fn behaves(test: &Test, constraints: Constraints) -> bool {
        let explored = explore(&Axb::new(test), 100_000).expect("small");
        let states = &explored.states;
        let system = &explored.system;
        if !system.has_cycle() {
            return false;
        }
        // From each state all threads can end: grow the set of states that can, from the ends.
        let mut can: Vec<bool> =
            (0..states.len()).map(|state| system.live(state as u32).is_empty()).collect();
        for _ in 0..states.len() {
            for state in 0..states.len() {
                let next = |thread| system.next(state as u32, thread) as usize;
                can[state] |= system.live(state as u32).iter().any(|thread| can[next(thread)]);
            }
        }
        let each_outcome = test.threads.iter().enumerate().all(|(thread, code)| {
            code.iter().enumerate().all(|(position, one)| {
                let seen: Vec<u8> = states
                    .iter()
                    .filter(|state| state.counters[thread] as usize == position)
                    .map(|state| state.memory[one.location as usize])
                    .collect();
                let both = one.branch.is_none_or(|branch| {
                    seen.contains(&branch.value) && seen.iter().any(|value| *value != branch.value)
                });
                let changes = one.exchange.is_none_or(|value| seen.iter().any(|old| *old != value));
                both && (constraints == Constraints::Paper || changes)
            })
        });
        can.iter().all(|can| *can) && each_outcome
    }
}

#[test]
fn the_naive_definition_gives_the_same_tests() {
    for constraints in Constraints::EACH {
        for (threads, instructions) in [(2, 2), (2, 3), (3, 3)] {
            let (_, found) = run(&request(threads, instructions, constraints));
            let found: BTreeSet<_> = found.iter().map(|found| found.candidate).collect();
            let naive = naive::tests(threads as u8, instructions as u8, constraints);
            assert_eq!(found, naive, "({threads},{instructions}) {constraints:?}");
        }
    }
}

#[test]
fn counts_are_as_documented() {
    let expected = [
        ((2, 2), 8, 8),
        ((2, 3), 176, 162),
        ((2, 4), 6946, 6610),
        ((3, 3), 60, 60),
        ((3, 4), 4260, 4146),
    ];
    for ((threads, instructions), paper, archived) in expected {
        for (constraints, tests) in Constraints::EACH.into_iter().zip([paper, archived]) {
            let (summary, found) = run(&request(threads, instructions, constraints));
            assert_eq!(summary.tests, tests, "({threads},{instructions}) {constraints:?}");
            assert!(found.windows(2).all(|pair| pair[0].candidate < pair[1].candidate));
        }
    }
}

#[test]
fn a_test_that_distinguishes_strong_obe_exists() {
    let (summary, found) = run(&request(2, 4, Constraints::Paper));
    assert_eq!(summary.table().distinguishing(OBE.strong()), Some(51));
    let selection = Selection::Distinguish(OBE.strong());
    let first = found.iter().find(|found| selection.wants(found.verdicts)).expect("51 of them");
    let system = explore(&Axb::new(&first.candidate.test()), 1000).expect("small").system;
    let mut oracle = Oracle::of(&system);
    for (name, passes) in
        [("fair", false), ("strong-hsa", false), ("strong-obe", true), ("strong-fair", true)]
    {
        let criterion = Criterion::named(name).expect("a criterion");
        assert_eq!(oracle.verdict(criterion).passes(), passes, "{name}");
    }
}

#[test]
fn published_tests_are_among_them() {
    let Some(tests) = crate::published::tests() else { return };
    let mut found: BTreeMap<(usize, usize), BTreeSet<Candidate>> = BTreeMap::new();
    let mut published: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for test in tests.iter().map(|published| &published.test) {
        let size = (test.threads.len(), test.instructions());
        let set = found.entry(size).or_insert_with(|| {
            let (_, found) = run(&request(size.0, size.1, Constraints::Paper));
            found.iter().map(|found| found.candidate).collect()
        });
        let as_given: Vec<usize> = (0..size.0).collect();
        let candidate = Candidate::of(test).expect("small").reordered(&as_given);
        assert!(set.contains(&candidate), "not enumerated:\n{test}");
        *published.entry(size).or_default() += 1;
    }
    // The two smallest published sets are complete.
    assert_eq!(published[&(2, 2)], found[&(2, 2)].len());
    assert_eq!(published[&(2, 3)], found[&(2, 3)].len());
}

#[test]
fn fast_systems_are_those_of_the_definition() {
    let mut explorer = Explorer::default();
    let mut oracle = Oracle::default();
    for (threads, instructions) in [(2, 3), (3, 3), (2, 4)] {
        let (_, found) = run(&request(threads, instructions, Constraints::Paper));
        for found in found {
            let test = found.candidate.test();
            let system = explore(&Axb::new(&test), 10_000).expect("small").system;
            explorer.explore(&found.candidate);
            assert_eq!(*explorer.system(), system, "{test}");
            oracle.read(&system);
            assert_eq!(Verdicts::of(&mut oracle), found.verdicts, "{test}");
        }
    }
}

#[test]
fn stronger_models_pass_more() {
    for (threads, instructions) in [(2, 4), (3, 3), (3, 4)] {
        let (summary, _) = run(&request(threads, instructions, Constraints::Paper));
        for verdicts in summary.verdicts.keys() {
            for model in MODELS {
                assert!(!verdicts.weak(*model) || verdicts.strong(*model), "{model:?}");
                for other in MODELS.iter().filter(|other| is_weaker(*model, **other) == Some(true))
                {
                    for fairness in [Fairness::Weak, Fairness::Strong] {
                        let passes = |model| verdicts.passes(Criterion { model, fairness }) as u8;
                        assert!(passes(*model) <= passes(*other), "{fairness} {model:?} {other:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn equal_automata_have_equal_verdicts() {
    let mut explorer = Explorer::default();
    for (threads, instructions) in [(2, 3), (2, 4), (3, 4)] {
        let (_, found) = run(&request(threads, instructions, Constraints::Paper));
        let mut verdicts = BTreeMap::new();
        for found in &found {
            explorer.explore(&found.candidate);
            let known = verdicts.entry(automaton(explorer.system())).or_insert(found.verdicts);
            assert_eq!(*known, found.verdicts, "{}", found.candidate.test());
        }
        let irredundant =
            Request { irredundant: true, ..request(threads, instructions, Constraints::Paper) };
        assert_eq!(run(&irredundant).1.len(), verdicts.len());
    }
}

#[test]
fn one_of_the_tests_that_differ_by_thread_order_is_kept() {
    let all = request(3, 4, Constraints::Paper);
    let (_, found) = run(&all);
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let least = |candidate: &Candidate| {
        orders.iter().map(|order| candidate.reordered(order)).min().expect("six orders")
    };
    let expected: BTreeSet<_> = found.iter().map(|found| least(&found.candidate)).collect();
    let (_, kept) = run(&Request { rename_threads: true, ..all });
    assert_eq!(kept.iter().map(|found| found.candidate).collect::<BTreeSet<_>>(), expected);
    assert_eq!(kept.len(), expected.len());
}

#[test]
fn workers_and_shards_do_not_change_the_result() {
    let all = request(2, 4, Constraints::Archived);
    let (summary, found) = run(&all);
    let (by_three, found_by_three) = run(&Request { workers: 3, ..all });
    assert_eq!(summary, by_three);
    assert_eq!(found, found_by_three);
    let (mut tests, mut hash) = (0, 0u128);
    for index in 0..5 {
        let (part, _) = run(&Request { shard: Some(Shard { index, count: 5 }), ..all });
        tests += part.tests;
        hash = hash.wrapping_add(part.hash);
    }
    assert_eq!((tests, hash), (summary.tests, summary.hash));
}

#[test]
fn a_caller_can_stop() {
    for workers in [1, 3] {
        let request = Request { workers, ..request(2, 4, Constraints::Paper) };
        let mut seen = 0;
        let mut each = |_: &Found| {
            seen += 1;
            if seen == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let summary = synthesise(&request, &mut each, &mut |_| {}).expect("supported");
        assert!(summary.stopped);
        assert_eq!((seen, summary.tests), (10, 10));
    }
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    for (threads, instructions) in [(0, 0), (3, 2), (7, 8), (2, 9)] {
        let request = request(threads, instructions, Constraints::Paper);
        let mut each = |_: &Found| ControlFlow::Continue(());
        assert!(synthesise(&request, &mut each, &mut |_| {}).is_err());
    }
}

#[test]
fn a_candidate_is_its_test() {
    let (_, found) = run(&request(3, 4, Constraints::Paper));
    for found in found {
        let test: Test = found.candidate.test();
        assert_eq!(Candidate::of(&test), Some(found.candidate));
    }
}
