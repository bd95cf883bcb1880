//! When two tests say the same: equal minimal automata.
//!
//! A transition system is read as a deterministic automaton over thread ids whose states show the
//! set of live threads. Two tests with equal minimal automata allow the same sequences of steps
//! with the same terminations, so no model whose `F` depends on steps and terminations only, and
//! no fairness, tells them apart. The converse does not hold, and is not wanted: equal verdicts
//! under the models of today are not a reason to drop a test.

use rustc_hash::FxHashMap;

use super::candidate::Candidate;
use crate::system::System;

/// The minimal automaton, its states numbered breadth first, as bytes. Equal bytes, equal automata.
pub fn automaton(system: &System) -> Vec<u8> {
    let classes = classes(system);
    let order: Vec<usize> = (0..system.threads()).collect();
    number(system, &classes, &order)
}

/// The least of the automata over all orders of the threads: equal for tests that differ by the
/// names of their threads only.
pub fn renamed_automaton(system: &System) -> Vec<u8> {
    let classes = classes(system);
    let orders = orders(system.threads()).into_iter();
    orders.map(|order| number(system, &classes, &order)).min().expect("at least one order")
}

/// Whether no other order of the threads makes a lower candidate. Exactly one of the candidates
/// that differ by thread order, or several equal ones, are lowest.
pub fn has_lowest_thread_order(candidate: &Candidate) -> bool {
    orders(candidate.threads()).iter().all(|order| *candidate <= candidate.reordered(order))
}

/// The coarsest partition that agrees with live sets and steps (Moore's algorithm).
fn classes(system: &System) -> Vec<u32> {
    let states = system.states();
    let mut classes: Vec<u32> =
        (0..states).map(|state| u32::from(system.live(state as u32).bits())).collect();
    let mut count = 0;
    loop {
        let mut numbers: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        let refined: Vec<u32> = (0..states as u32)
            .map(|state| {
                let next = system
                    .live(state)
                    .iter()
                    .map(|thread| classes[system.next(state, thread) as usize]);
                let fresh = numbers.len() as u32;
                *numbers.entry((classes[state as usize], next.collect())).or_insert(fresh)
            })
            .collect();
        let refined_count = numbers.len();
        classes = refined;
        if refined_count == count {
            return classes;
        }
        count = refined_count;
    }
}

/// The quotient, with `order[t]` as thread `t`, its classes numbered breadth first.
fn number(system: &System, classes: &[u32], order: &[usize]) -> Vec<u8> {
    let mut numbers = vec![u16::MAX; classes.len()];
    let mut representatives = vec![0u32];
    numbers[classes[0] as usize] = 0;
    let mut bytes = vec![system.threads() as u8];
    let mut position = 0;
    while position < representatives.len() {
        let state = representatives[position];
        let live = system.live(state);
        let mut bits = 0u16;
        for (renamed, thread) in order.iter().enumerate() {
            bits |= u16::from(live.contains(*thread)) << renamed;
        }
        bytes.extend(bits.to_le_bytes());
        for thread in order.iter().filter(|thread| live.contains(**thread)) {
            let next = system.next(state, *thread);
            let class = classes[next as usize] as usize;
            if numbers[class] == u16::MAX {
                numbers[class] = representatives.len() as u16;
                representatives.push(next);
            }
            bytes.extend(numbers[class].to_le_bytes());
        }
        position += 1;
    }
    bytes
}

/// All orders of `count` threads.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in orders(count - 1) {
        for position in 0..count {
            let mut order = shorter.clone();
            order.insert(position, count - 1);
            all.push(order);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axb::{Axb, parse};
    use crate::system::explore;

    fn system(text: &str) -> System {
        explore(&Axb::new(&parse(text).expect("a test")), 1000).expect("small").system
    }

    #[test]
    fn values_and_detours_do_not_matter() {
        let plain = system("thread\n store x = 1\nthread\n L: load x, if 0 goto L\n");
        let other = system("thread\n store x = 7\nthread\n L: exch x = 0, if 0 goto L\n");
        assert_eq!(automaton(&plain), automaton(&other));
        let turned = system("thread\n L: load x, if 0 goto L\nthread\n store x = 1\n");
        assert_ne!(automaton(&plain), automaton(&turned));
        assert_eq!(renamed_automaton(&plain), renamed_automaton(&turned));
    }

    #[test]
    fn one_step_more_matters() {
        let plain = system("thread\n store x = 1\nthread\n L: load x, if 0 goto L\n");
        let longer =
            system("thread\n store y = 1\n store x = 1\nthread\n L: load x, if 0 goto L\n");
        assert_ne!(automaton(&plain), automaton(&longer));
    }

    #[test]
    fn all_orders_once() {
        let mut all = orders(4);
        assert_eq!(all.len(), 24);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 24);
    }
}
