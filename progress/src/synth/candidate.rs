//! A candidate in a compact form, and its transition system, built fast.
//!
//! The meaning of a step is written here a second time, for speed; `tests/suite/synthesis.rs`
//! compares the systems with those of [`crate::axb::Axb`], state by state.

use crate::axb::{Branch, Instruction, Test};
use crate::system::System;
use crate::threads::ThreadSet;

/// The most threads a candidate may have.
pub const MOST_THREADS: usize = 6;

/// The most instructions a candidate may have, over all threads.
pub const MOST_INSTRUCTIONS: usize = 8;

/// A test: the lengths of its threads and their instructions, one after the other.
///
/// The order of candidates is that of their lengths, then of their instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Candidate {
    threads: u8,
    lengths: [u8; MOST_THREADS],
    code: [Code; MOST_INSTRUCTIONS],
}

/// An instruction in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Code(u16);

impl Code {
    const BRANCHES: u16 = 1 << 5;
    const EXCHANGES: u16 = 3 << 6;

    pub(super) fn new(instruction: Instruction) -> Self {
        let exchange = instruction.exchange.map_or(0, |value| u16::from(value) + 1);
        let branch = instruction.branch.map_or(0, |Branch { value, target }| {
            Self::BRANCHES | u16::from(value) << 4 | u16::from(target)
        });
        Self(u16::from(instruction.location) << 8 | exchange << 6 | branch)
    }

    pub(super) fn instruction(self) -> Instruction {
        let exchange = match self.0 >> 6 & 3 {
            0 => None,
            value => Some(value as u8 - 1),
        };
        let branch = (self.0 & Self::BRANCHES != 0)
            .then_some(Branch { value: (self.0 >> 4 & 1) as u8, target: (self.0 & 15) as u8 });
        Instruction { location: (self.0 >> 8) as u8, exchange, branch }
    }
}

impl Candidate {
    /// A candidate with threads of these lengths and no meaningful instructions yet.
    pub(super) fn blank(lengths: &[u8]) -> Self {
        let mut padded = [0; MOST_THREADS];
        padded[..lengths.len()].copy_from_slice(lengths);
        let code = [Code::default(); MOST_INSTRUCTIONS];
        Self { threads: lengths.len() as u8, lengths: padded, code }
    }

    /// A test in compact form, if it is small enough and its values are 0 and 1.
    pub fn of(test: &Test) -> Option<Self> {
        if test.threads.len() > MOST_THREADS || test.instructions() > MOST_INSTRUCTIONS {
            return None;
        }
        let lengths: Vec<u8> = test.threads.iter().map(|code| code.len() as u8).collect();
        let mut candidate = Self::blank(&lengths);
        for (position, instruction) in test.threads.iter().flatten().enumerate() {
            let branches = instruction.branch.is_none_or(|branch| branch.value <= 1);
            let exchanges = instruction.exchange.is_none_or(|value| value <= 1);
            if !branches || !exchanges || instruction.location > 7 {
                return None;
            }
            candidate.set(position, *instruction);
        }
        Some(candidate)
    }

    pub(super) fn set(&mut self, position: usize, instruction: Instruction) {
        self.code[position] = Code::new(instruction);
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads as usize
    }

    /// How many instructions each thread has.
    pub fn lengths(&self) -> &[u8] {
        &self.lengths[..self.threads()]
    }

    /// The positions of instructions that branch, one bit each.
    pub(super) fn branching(&self) -> u16 {
        self.positions(Code::BRANCHES)
    }

    /// The positions of instructions that exchange, one bit each.
    pub(super) fn exchanging(&self) -> u16 {
        self.positions(Code::EXCHANGES)
    }

    fn positions(&self, bits: u16) -> u16 {
        let codes = self.code.iter().enumerate();
        codes.fold(0, |set, (position, code)| set | u16::from(code.0 & bits != 0) << position)
    }

    /// The instructions of each thread.
    pub fn code(&self) -> Vec<Vec<Instruction>> {
        let mut rest = self.code.iter().map(|code| code.instruction());
        self.lengths().iter().map(|length| rest.by_ref().take(*length as usize).collect()).collect()
    }

    /// The test, with a name made of its code, the same for equal tests.
    pub fn test(&self) -> Test {
        Test::new(&self.name(), self.code())
    }

    /// A name: the instructions in hexadecimal, threads apart.
    pub fn name(&self) -> String {
        let mut rest = self.code.iter();
        let threads = self.lengths().iter().map(|length| {
            let code = rest.by_ref().take(*length as usize);
            code.map(|code| format!("{:03x}", code.0)).collect::<String>()
        });
        format!("t{}", threads.collect::<Vec<_>>().join("-"))
    }

    /// The same test with `order[t]` as thread `t`, its locations numbered by first use again.
    pub fn reordered(&self, order: &[usize]) -> Self {
        let code = self.code();
        let lengths: Vec<u8> = order.iter().map(|thread| code[*thread].len() as u8).collect();
        let mut reordered = Self::blank(&lengths);
        let mut numbers: [Option<u8>; 8] = [None; 8];
        let mut used = 0;
        let instructions = order.iter().flat_map(|thread| &code[*thread]);
        for (position, instruction) in instructions.enumerate() {
            let number = numbers[instruction.location as usize].get_or_insert_with(|| {
                used += 1;
                used - 1
            });
            reordered.set(position, Instruction { location: *number, ..*instruction });
        }
        reordered
    }

    /// A hash that depends on nothing but the test.
    pub fn hash(&self) -> u128 {
        let words = std::iter::once(u64::from(self.threads))
            .chain(self.lengths().iter().map(|length| u64::from(*length)))
            .chain(self.code.iter().map(|code| u64::from(code.0)));
        let mix = |seed: u64| {
            words.clone().fold(seed, |hash, word| {
                // The finaliser of splitmix64, a bijection that spreads each bit.
                let mut z = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(word + 1);
                z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                z ^ z >> 31
            })
        };
        u128::from(mix(1)) << 64 | u128::from(mix(2))
    }
}

/// What an instruction does to a state that is encoded as one number.
#[derive(Clone, Copy, Default)]
struct Effect {
    /// The location, as a bit of memory.
    location: u32,
    /// Kept bits of memory; the location's is zero if it is written.
    keep: u32,
    /// Written bits of memory.
    write: u32,
    /// The memory bit for which the branch is taken; any other number for no branch.
    taken_at: u32,
    /// What is added to the state when the branch is taken, and when not.
    taken: i32,
    fall: i32,
    /// Program counter after a taken branch.
    target: u8,
}

/// Which instructions showed which behaviour, one bit per position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Behaviour {
    pub(super) taken: u16,
    pub(super) not_taken: u16,
    pub(super) changed: u16,
}

/// Builds transition systems of candidates, reusing its memory.
#[derive(Clone, Default)]
pub struct Explorer {
    effects: [Effect; MOST_INSTRUCTIONS],
    /// The number of an encoded state, valid where `epoch` is the current one.
    numbers: Vec<u32>,
    epochs: Vec<u32>,
    epoch: u32,
    /// States found: the encoded state, and the counters, four bits a thread.
    found: Vec<(u32, u32)>,
    system: System,
}

impl Explorer {
    /// The transition system of the last candidate explored.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Builds the transition system of a candidate.
    pub fn explore(&mut self, candidate: &Candidate) {
        self.visit(candidate);
    }

    pub(super) fn visit(&mut self, candidate: &Candidate) -> Behaviour {
        let threads = candidate.threads();
        let size = self.prepare(candidate);
        if self.numbers.len() < size {
            self.numbers.resize(size, 0);
            self.epochs.resize(size, 0);
        }
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.epochs.fill(0);
            self.epoch = 1;
        }
        let mut starts = [0usize; MOST_THREADS];
        for thread in 1..threads {
            starts[thread] = starts[thread - 1] + candidate.lengths[thread - 1] as usize;
        }
        let live_at = |counters: u32| {
            let mut live = ThreadSet::EMPTY;
            for thread in 0..threads {
                if (counters >> (4 * thread) & 15) < u32::from(candidate.lengths[thread]) {
                    live = live.with(thread);
                }
            }
            live
        };
        let memory_mask = Self::memory_mask(candidate);
        let mut behaviour = Behaviour::default();
        self.system.reset(threads);
        self.found.clear();
        self.found.push((0, 0));
        self.system.push(live_at(0));
        self.epochs[0] = self.epoch;
        self.numbers[0] = 0;
        let mut position = 0;
        while position < self.found.len() {
            let (state, counters) = self.found[position];
            let memory = state & memory_mask;
            for thread in self.system.live(position as u32).iter() {
                let counter = counters >> (4 * thread) & 15;
                let at = starts[thread] + counter as usize;
                let effect = &self.effects[at];
                let written = memory & effect.keep | effect.write;
                let bit = 1u16 << at;
                let (moved, counters) = if memory & effect.location == effect.taken_at {
                    behaviour.taken |= bit;
                    let cleared = counters & !(15 << (4 * thread));
                    (effect.taken, cleared | u32::from(effect.target) << (4 * thread))
                } else {
                    behaviour.not_taken |= bit;
                    (effect.fall, counters + (1 << (4 * thread)))
                };
                if written != memory {
                    behaviour.changed |= bit;
                }
                let after = (state as i32 + moved) as u32 - memory + written;
                let index = after as usize;
                if self.epochs[index] != self.epoch {
                    self.epochs[index] = self.epoch;
                    self.numbers[index] = self.found.len() as u32;
                    self.found.push((after, counters));
                    self.system.push(live_at(counters));
                }
                self.system.set_next(position as u32, thread, self.numbers[index]);
            }
            position += 1;
        }
        behaviour
    }

    fn memory_mask(candidate: &Candidate) -> u32 {
        let locations = candidate.code.iter().map(|code| code.instruction().location).max();
        (2 << locations.unwrap_or(0)) - 1
    }

    /// Fills in the effects; returns how many encoded states there are at most.
    fn prepare(&mut self, candidate: &Candidate) -> usize {
        let mut stride = (Self::memory_mask(candidate) + 1) as i32;
        let mut position = 0;
        for length in candidate.lengths() {
            for counter in 0..*length {
                let instruction = candidate.code[position].instruction();
                let location = 1u32 << instruction.location;
                let (keep, write) = match instruction.exchange {
                    None => (u32::MAX, 0),
                    Some(value) => (!location, if value == 1 { location } else { 0 }),
                };
                let (taken_at, target) = match instruction.branch {
                    None => (u32::MAX, 0),
                    Some(Branch { value, target }) => {
                        (if value == 1 { location } else { 0 }, target)
                    }
                };
                let taken = (i32::from(target) - i32::from(counter)) * stride;
                self.effects[position] =
                    Effect { location, keep, write, taken_at, taken, fall: stride, target };
                position += 1;
            }
            stride *= i32::from(*length) + 1;
        }
        stride as usize
    }
}
