//! Which thread runs next.
//!
//! Threads switch where they synchronize, at atomics and volatile loads, and when they have run
//! long. What can run is a set; a [`Schedule`] takes from it. All choices come from one seed, so a
//! run is repeated by giving it again.
//!
//! **Does not**: cut a thread between two plain accesses: the checks find a race without meeting
//! it.

use std::collections::{BinaryHeap, VecDeque};
use std::fmt;
use std::str::FromStr;

/// In which order threads run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// By number, each until it waits.
    RoundRobin,
    /// The last first.
    Reverse,
    /// Any of those that can run, with equal chance.
    Random,
    /// By random priorities that change at few random points: finds a bug of depth d with a chance
    /// that is known (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of
    /// finding bugs", ASPLOS 2010).
    Priorities,
}

impl Schedule {
    /// All of them.
    pub const ALL: [Schedule; 4] =
        [Schedule::RoundRobin, Schedule::Reverse, Schedule::Random, Schedule::Priorities];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Schedule::RoundRobin => "round-robin",
            Schedule::Reverse => "reverse",
            Schedule::Random => "random",
            Schedule::Priorities => "priorities",
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(text: &str) -> Result<Schedule, String> {
        let named = Schedule::ALL.into_iter().find(|it| it.name() == text);
        let names: Vec<_> = Schedule::ALL.iter().map(|it| it.name()).collect();
        named.ok_or_else(|| format!("the schedules are {}", names.join(", ")))
    }
}

/// A small generator of numbers (SplitMix64, Steele et al., OOPSLA 2014): the same on each machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_bits()) * u128::from(bound)) >> 64) as u64
    }
}

/// A thread that can run: its block's slot and its number there.
pub type Runnable = (u32, u32);

/// The threads that can run.
#[derive(Debug)]
pub(crate) struct Ready {
    schedule: Schedule,
    random: Random,
    queue: VecDeque<Runnable>,
    by_priority: BinaryHeap<(u64, Runnable)>,
    /// Below all random priorities, and falling: for threads that yield or are demoted.
    lowest: u64,
    taken: u64,
    changes: Vec<u64>,
}

/// How far apart priority changes are, at most, in threads taken.
const HORIZON: u64 = 4096;

impl Ready {
    pub(crate) fn new(schedule: Schedule, seed: u64) -> Ready {
        let mut random = Random::new(seed);
        let changes = (0..8).map(|_| random.below(HORIZON)).collect();
        Ready {
            schedule,
            random,
            queue: VecDeque::new(),
            by_priority: BinaryHeap::new(),
            lowest: u64::MAX / 2,
            taken: 0,
            changes,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.queue.len() + self.by_priority.len()
    }

    /// A thread that was started or woken.
    pub(crate) fn add(&mut self, thread: Runnable) {
        match self.schedule {
            Schedule::RoundRobin | Schedule::Reverse | Schedule::Random => {
                self.queue.push_back(thread);
            }
            Schedule::Priorities => {
                let priority = u64::MAX / 2 + self.random.next_bits() / 2;
                self.by_priority.push((priority, thread));
            }
        }
    }

    /// A thread that gave way: all others that can run go first.
    pub(crate) fn add_behind(&mut self, thread: Runnable) {
        match self.schedule {
            Schedule::RoundRobin | Schedule::Random => self.queue.push_back(thread),
            Schedule::Reverse => self.queue.push_front(thread),
            Schedule::Priorities => {
                self.lowest -= 1;
                self.by_priority.push((self.lowest, thread));
            }
        }
    }

    pub(crate) fn take(&mut self) -> Option<Runnable> {
        self.taken += 1;
        match self.schedule {
            Schedule::RoundRobin => self.queue.pop_front(),
            Schedule::Reverse => self.queue.pop_back(),
            Schedule::Random => {
                let count = self.queue.len() as u64;
                let index = if count > 1 { self.random.below(count) as usize } else { 0 };
                self.queue.swap_remove_back(index)
            }
            Schedule::Priorities => {
                if self.changes.contains(&(self.taken % HORIZON))
                    && let Some((_, demoted)) = self.by_priority.pop()
                {
                    self.add_behind(demoted);
                }
                self.by_priority.pop().map(|(_, thread)| thread)
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.queue.clear();
        self.by_priority.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(schedule: Schedule, seed: u64) -> Vec<u32> {
        let mut ready = Ready::new(schedule, seed);
        (0..16).for_each(|n| ready.add((0, n)));
        std::iter::from_fn(|| ready.take()).map(|(_, n)| n).collect()
    }

    #[test]
    fn a_seed_gives_one_order_and_each_thread_once() {
        for schedule in Schedule::ALL {
            for seed in 0..20 {
                let order = drained(schedule, seed);
                assert_eq!(order, drained(schedule, seed));
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..16).collect::<Vec<_>>(), "{schedule} {seed}");
            }
        }
        assert_eq!(drained(Schedule::Reverse, 0)[0], 15);
        assert_ne!(drained(Schedule::Random, 1), drained(Schedule::Random, 2));
    }
}
