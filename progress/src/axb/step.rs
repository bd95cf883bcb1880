//! What a step of an AXB test does: the front end of [`crate::system`] for litmus tests.

use super::{Instruction, Test};
use crate::rules::{Rule, Rules};
use crate::system::{Action, Program, Stop};
use crate::threads::ThreadSet;

/// A test as a program that can be stepped.
#[derive(Clone, Copy, Debug)]
pub struct Axb<'a> {
    test: &'a Test,
    rules: Rules,
}

/// Program counters and memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AxbState {
    /// The next instruction of each thread; the number of its instructions at its end.
    pub counters: Vec<u8>,
    /// The value of each location.
    pub memory: Vec<u8>,
}

impl<'a> Axb<'a> {
    /// The test with its meaning.
    pub fn new(test: &'a Test) -> Self {
        Self::with_rules(test, Rules::ALL)
    }

    /// The test under a mutant of its meaning.
    pub fn with_rules(test: &'a Test, rules: Rules) -> Self {
        Self { test, rules }
    }

    fn instruction(&self, state: &AxbState, thread: usize) -> Instruction {
        self.test.threads[thread][state.counters[thread] as usize]
    }

    /// Whether the instruction jumps, having found `old` and left `new`.
    fn jumps(&self, instruction: Instruction, old: u8, new: u8) -> bool {
        instruction.branch.is_some_and(|branch| {
            let seen = if self.rules.holds(Rule::BranchComparesOldValue) { old } else { new };
            (seen == branch.value) == self.rules.holds(Rule::BranchOnEqual)
        })
    }
}

impl Program for Axb<'_> {
    type State = AxbState;

    fn threads(&self) -> usize {
        self.test.threads.len()
    }

    fn initial(&self) -> Result<AxbState, Stop> {
        let value = u8::from(!self.rules.holds(Rule::MemoryStartsAtZero));
        Ok(AxbState {
            counters: vec![0; self.test.threads.len()],
            memory: vec![value; self.test.locations.len()],
        })
    }

    fn live(&self, state: &AxbState) -> ThreadSet {
        let counters = state.counters.iter().zip(&self.test.threads).enumerate();
        counters.fold(ThreadSet::EMPTY, |live, (thread, (counter, code))| {
            if (*counter as usize) < code.len() { live.with(thread) } else { live }
        })
    }

    fn step(&self, state: &AxbState, thread: usize) -> Result<AxbState, Stop> {
        let instruction = self.instruction(state, thread);
        let location = instruction.location as usize;
        let old = state.memory[location];
        let mut after = state.clone();
        let branch = instruction.branch;
        if let Some(value) = instruction.exchange {
            let writes = self.rules.holds(Rule::ExchangeWrites)
                && (self.rules.holds(Rule::ExchangeIsUnconditional)
                    || branch.is_none_or(|branch| branch.value == old));
            if writes {
                after.memory[location] = value;
            }
            if !self.rules.holds(Rule::OneLocationPerStep) {
                let neighbour = (location + 1) % after.memory.len();
                after.memory[neighbour] = value;
            }
        }
        after.counters[thread] = match branch {
            Some(branch) if self.jumps(instruction, old, after.memory[location]) => branch.target,
            Some(_) | None => state.counters[thread] + 1,
        };
        Ok(after)
    }

    fn action(&self, state: &AxbState, thread: usize) -> Action {
        let instruction = self.instruction(state, thread);
        let location = &self.test.locations[instruction.location as usize];
        let seen = state.memory[instruction.location as usize];
        let text = match (instruction.exchange, instruction.branch) {
            (Some(value), Some(_)) => format!("exch {location} = {value}, saw {seen}"),
            (Some(value), None) => format!("store {location} = {value}"),
            (None, _) => format!("load {location}, saw {seen}"),
        };
        let place = format!("instruction {}", state.counters[thread]);
        Action { location: location.clone(), text, place }
    }

    fn describe(&self, state: &AxbState) -> String {
        let counters = state.counters.iter().zip(&self.test.threads).map(|(counter, code)| {
            if *counter as usize == code.len() { "end".to_owned() } else { counter.to_string() }
        });
        let memory = state.memory.iter().zip(&self.test.locations);
        let memory = memory.map(|(value, location)| format!("{location}={value}"));
        let join = |parts: Vec<String>| parts.join(" ");
        format!("{} | {}", join(counters.collect()), join(memory.collect()))
    }
}
