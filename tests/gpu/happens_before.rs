//! Happens-before of one order of steps, by vector clocks: exact, slow, and written from the
//! meaning of barriers, fences and relaxed atomics alone (PTX ISA 8.8: a fence before an atomic
//! releases, one after it acquires).

use std::collections::{BTreeMap, BTreeSet};

use heddle_runtime::abi::ATOMIC;

use crate::device::Step;
use crate::logic::Found;

type Clock = Vec<u32>;

fn join(into: &mut Clock, other: &Clock) {
    into.iter_mut().zip(other).for_each(|(a, b)| *a = (*a).max(*b));
}

/// An access that was made: thread, its own clock then, site, whether it writes, whether it is
/// atomic.
type Past = (usize, u32, u32, bool, bool);

/// All pairs of sites that race in this order of steps.
pub(crate) fn races(steps: &[(u32, u32, Step)], blocks: u32, threads: u32) -> BTreeSet<Found> {
    let count = (blocks * threads) as usize;
    let mut clocks: Vec<Clock> = (0..count)
        .map(|n| {
            let mut clock = vec![0; count];
            clock[n] = 1;
            clock
        })
        .collect();
    // What the next atomic of a thread releases; what its next fence acquires; what atomics left at
    // a place.
    let mut released: Vec<Option<Clock>> = vec![None; count];
    let mut read: Vec<Clock> = vec![vec![0; count]; count];
    let mut left: BTreeMap<(bool, u32, u32), Clock> = BTreeMap::new();
    let mut accesses: BTreeMap<(bool, u32, u32), Vec<Past>> = BTreeMap::new();
    // What those that came to a barrier knew, by block or warp.
    let mut brought: BTreeMap<(bool, usize), Clock> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for (of, thread, step) in steps {
        let n = (of * threads + thread) as usize;
        match step {
            Step::Access { word, shared, flags, site } => {
                let place = (*shared, if *shared { *of } else { 0 }, *word);
                let (write, atomic) = (flags & 3 != 0, flags & ATOMIC != 0);
                let all = accesses.entry(place).or_default();
                for &(other, clock, its_site, its_write, its_atomic) in all.iter() {
                    let harmless = !(write || its_write) || (atomic && its_atomic);
                    if !harmless && other != n && clocks[n][other] < clock {
                        let (a, b) = (other as u32, n as u32);
                        let level = match (a / threads == b / threads, a / 32 == b / 32) {
                            (true, true) => 0,
                            (true, false) => 1,
                            (false, _) => 2,
                        };
                        found.insert((level, *site.min(&its_site), *site.max(&its_site)));
                    }
                }
                all.push((n, clocks[n][n], *site, write, atomic));
                if atomic {
                    if let Some(clock) = left.get(&place) {
                        join(&mut read[n], clock);
                    }
                    if let Some(clock) = &released[n] {
                        join(left.entry(place).or_insert_with(|| vec![0; count]), clock);
                    }
                }
            }
            Step::Fence => {
                let acquired = read[n].clone();
                join(&mut clocks[n], &acquired);
                released[n] = Some(clocks[n].clone());
                clocks[n][n] += 1;
            }
            // Programs at random have none of these.
            Step::PartBarrier | Step::PartBarrierDone | Step::Store { .. } => {}
            Step::Barrier | Step::WarpBarrier => {
                let group = (*step == Step::Barrier, group_of(n, threads, *step == Step::Barrier));
                join(brought.entry(group).or_insert_with(|| vec![0; count]), &clocks[n]);
            }
            Step::BarrierDone | Step::WarpBarrierDone => {
                let whole = *step == Step::BarrierDone;
                clocks[n].clone_from(&brought[&(whole, group_of(n, threads, whole))]);
                clocks[n][n] += 1;
            }
        }
    }
    found
}

/// The block of a thread, or its warp.
fn group_of(thread: usize, threads: u32, block: bool) -> usize {
    thread / if block { threads as usize } else { 32 }
}
