//! Walks through all candidates of a size that no look at the text alone rules out.
//!
//! What the text alone rules out: locations not numbered by first use; an exchange with no branch
//! of another thread on its location; a branch on a location that no other thread touches; a branch
//! on a location that nobody sets to one, whose two outcomes cannot both happen because memory
//! starts at zero; no jump backwards, hence no cycle. The rest needs the transition system.

use super::candidate::{Candidate, MOST_THREADS};
use crate::axb::{Branch, Instruction};

/// A piece of the space: candidates that begin with the same instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    lengths: Vec<u8>,
    prefix: Vec<Instruction>,
}

/// The ways to share instructions among threads, each with at least one, in order.
pub fn splits(threads: usize, instructions: usize) -> Vec<Vec<u8>> {
    if threads == 0 || instructions < threads {
        return Vec::new();
    }
    if threads == 1 {
        return vec![vec![instructions as u8]];
    }
    let first_lengths = 1..=instructions - (threads - 1);
    let with_first = |first: usize| {
        splits(threads - 1, instructions - first).into_iter().map(move |rest| {
            let mut split = vec![first as u8];
            split.extend(rest);
            split
        })
    };
    first_lengths.flat_map(with_first).collect()
}

/// The pieces of the space of a size, in order. Their candidates, one piece after the other, are
/// all candidates in order.
pub fn units(threads: usize, instructions: usize) -> Vec<Unit> {
    let depth = if instructions < 6 { 2 } else { 3 };
    let mut units = Vec::new();
    for lengths in splits(threads, instructions) {
        let mut walk = Walk::new(&lengths, depth.min(instructions));
        walk.down(0, Known::default(), &mut |candidate, _| {
            let prefix = candidate.code().into_iter().flatten().take(depth).collect();
            units.push(Unit { lengths: lengths.clone(), prefix });
        });
    }
    units
}

impl Unit {
    /// Calls `visit` with each candidate of the unit that its text does not rule out, in order.
    pub fn candidates(&self, mut visit: impl FnMut(&Candidate)) {
        let instructions = self.lengths.iter().map(|length| *length as usize).sum();
        let mut walk = Walk::new(&self.lengths, instructions);
        let mut known = Known::default();
        for (position, instruction) in self.prefix.iter().enumerate() {
            known = walk.take(position, *instruction, known);
        }
        walk.down(self.prefix.len(), known, &mut |candidate, known| {
            if known.may_be_a_test(candidate.threads()) {
                visit(candidate);
            }
        });
    }
}

/// What the instructions so far do, as sets of locations.
#[derive(Clone, Copy, Default)]
struct Known {
    touched: [u8; MOST_THREADS],
    branched: [u8; MOST_THREADS],
    exchanged: [u8; MOST_THREADS],
    set_to_one: u8,
    locations: u8,
    jumps_back: bool,
}

impl Known {
    /// The locations in `sets`, less those of `thread`.
    fn others(sets: &[u8; MOST_THREADS], thread: usize, threads: usize) -> u8 {
        (0..threads).filter(|other| *other != thread).fold(0, |all, other| all | sets[other])
    }

    fn may_be_a_test(&self, threads: usize) -> bool {
        let branched = self.branched.iter().fold(0, |all, set| all | set);
        self.jumps_back
            && branched & !self.set_to_one == 0
            && (0..threads).all(|thread| {
                self.exchanged[thread] & !Self::others(&self.branched, thread, threads) == 0
                    && self.branched[thread] & !Self::others(&self.touched, thread, threads) == 0
            })
    }

    /// How many locations still want an instruction of the last thread.
    fn wanted(&self, threads: usize) -> u32 {
        let last = threads - 1;
        let mut wanted = 0;
        for thread in 0..last {
            wanted |= self.exchanged[thread] & !Self::others(&self.branched, thread, threads);
            wanted |= self.branched[thread] & !Self::others(&self.touched, thread, threads);
        }
        wanted.count_ones()
    }
}

struct Walk {
    candidate: Candidate,
    /// How many positions are filled in.
    depth: usize,
    /// Thread, counter and length at each position.
    places: Vec<(usize, u8, u8)>,
}

impl Walk {
    fn new(lengths: &[u8], depth: usize) -> Self {
        let places = lengths.iter().enumerate().flat_map(|(thread, length)| {
            (0..*length).map(move |counter| (thread, counter, *length))
        });
        Self { candidate: Candidate::blank(lengths), depth, places: places.collect() }
    }

    fn take(&mut self, position: usize, instruction: Instruction, mut known: Known) -> Known {
        self.candidate.set(position, instruction);
        let (thread, counter, _) = self.places[position];
        let location = 1 << instruction.location;
        known.touched[thread] |= location;
        known.locations = known.locations.max(instruction.location + 1);
        if let Some(value) = instruction.exchange {
            known.exchanged[thread] |= location;
            known.set_to_one |= location * value;
        }
        if let Some(branch) = instruction.branch {
            known.branched[thread] |= location;
            known.jumps_back |= branch.target <= counter;
        }
        known
    }

    fn down(&mut self, position: usize, known: Known, visit: &mut impl FnMut(&Candidate, &Known)) {
        if position == self.depth {
            visit(&self.candidate, &known);
            return;
        }
        let threads = self.candidate.threads();
        let (thread, counter, length) = self.places[position];
        let last = thread + 1 == threads;
        if last && known.wanted(threads) as usize > self.places.len() - position {
            return;
        }
        // A location that only the last thread touches is of no use to anybody.
        let locations = if last { known.locations } else { known.locations + 1 };
        for location in 0..locations.min(8) {
            let exchange_is_read =
                !last || Known::others(&known.branched, thread, threads) >> location & 1 == 1;
            let mut go = |walk: &mut Self, exchange, branch| {
                let taken = walk.take(position, Instruction { location, exchange, branch }, known);
                walk.down(position + 1, taken, visit);
            };
            let branches = (0..2u8).flat_map(|value| {
                let targets = (0..=length).filter(|target| *target != counter + 1);
                targets.map(move |target| Some(Branch { value, target }))
            });
            for branch in branches.clone() {
                go(self, None, branch);
            }
            if !exchange_is_read {
                continue;
            }
            for value in 0..2 {
                go(self, Some(value), None);
                for branch in branches.clone() {
                    go(self, Some(value), branch);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_in_order() {
        assert_eq!(splits(2, 4), [vec![1, 3], vec![2, 2], vec![3, 1]]);
        assert_eq!(splits(3, 4), [vec![1, 1, 2], vec![1, 2, 1], vec![2, 1, 1]]);
        assert!(splits(3, 2).is_empty());
    }

    #[test]
    fn candidates_come_in_order_and_once() {
        let mut last: Option<Candidate> = None;
        let mut count = 0u32;
        for unit in units(2, 3) {
            unit.candidates(|candidate| {
                assert!(last.is_none_or(|last| last < *candidate), "{candidate:?}");
                last = Some(*candidate);
                count += 1;
            });
        }
        assert!(count > 1000, "{count}");
    }
}
