//! Labelled transition systems: the one thing the oracle looks at.
//!
//! A front end (AXB tests, block programs, whatever comes) implements [`Program`]; [`explore`]
//! turns it into a [`System`], a finite deterministic transition system labelled with thread ids.
//!
//! Invariants of a [`System`], which the oracle relies on:
//! - state 0 is the initial one, and each state is reachable from it;
//! - in each state exactly the live threads have a step (threads are never disabled: one that
//!   waits, polls), and a thread that has terminated stays so;
//! - the termination of a thread happens together with its last step.
//!
//! Exploration stops with a reason ([`Stop`]) at the limit or where the program cannot be
//! followed; there is no partial system.

use std::fmt;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::threads::ThreadSet;

/// What one step does, for people.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// The location the step touches, by its name in the program.
    pub location: String,
    /// The step with the value it saw, such as `load x, saw 0`.
    pub text: String,
    /// Where the step is in the program, such as a line of the source; empty when unknown.
    pub place: String,
}

/// A front end: a set of threads that step through shared memory.
pub trait Program {
    /// Program counters, registers and memory.
    type State: Clone + Eq + Hash;

    /// How many threads the program has.
    fn threads(&self) -> usize;

    /// What the program calls a thread.
    fn unit(&self) -> &'static str {
        "thread"
    }

    /// The state in which no thread has started.
    ///
    /// # Errors
    /// When the program cannot be followed to its first steps.
    fn initial(&self) -> Result<Self::State, Stop>;

    /// The threads that have not terminated in this state.
    fn live(&self, state: &Self::State) -> ThreadSet;

    /// The state after one step of a live thread.
    ///
    /// # Errors
    /// When the step cannot be followed.
    fn step(&self, state: &Self::State, thread: usize) -> Result<Self::State, Stop>;

    /// What the step of this live thread does in this state.
    fn action(&self, state: &Self::State, thread: usize) -> Action;

    /// The state in a few words, for drawings.
    fn describe(&self, state: &Self::State) -> String;
}

/// Why there is no transition system. A caller must answer `unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// More states than allowed.
    TooManyStates {
        /// The limit that was reached.
        limit: usize,
    },
    /// More threads than [`ThreadSet::CAPACITY`].
    TooManyThreads {
        /// How many the program has.
        threads: usize,
    },
    /// The program does something that is not modelled.
    Unsupported {
        /// The thread that did it.
        thread: usize,
        /// What it did, and the way out if there is one.
        reason: String,
    },
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyStates { limit } => {
                write!(f, "more than {limit} states; try fewer threads or a higher limit")
            }
            Self::TooManyThreads { threads } => {
                write!(f, "{threads} threads, at most {} are modelled", ThreadSet::CAPACITY)
            }
            Self::Unsupported { thread, reason } => write!(f, "thread {thread}: {reason}"),
        }
    }
}

impl std::error::Error for Stop {}

/// A finite deterministic transition system over thread ids. See the module for its invariants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    threads: usize,
    live: Vec<ThreadSet>,
    /// `next[state * threads + thread]`, [`System::NONE`] for a terminated thread.
    next: Vec<u32>,
}

impl System {
    /// The successor of a thread that has terminated.
    pub const NONE: u32 = u32::MAX;

    /// Empties the system and sets its number of threads, keeping the memory.
    pub fn reset(&mut self, threads: usize) {
        self.threads = threads;
        self.live.clear();
        self.next.clear();
    }

    /// Adds a state. Its successors are [`System::NONE`] until set.
    pub fn push(&mut self, live: ThreadSet) -> u32 {
        self.live.push(live);
        self.next.resize(self.live.len() * self.threads, Self::NONE);
        (self.live.len() - 1) as u32
    }

    /// Sets the state after a step of `thread` in `state`.
    pub fn set_next(&mut self, state: u32, thread: usize, next: u32) {
        self.next[state as usize * self.threads + thread] = next;
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.live.len()
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.live.iter().map(|live| live.len()).sum()
    }

    /// The threads that have not terminated in `state`.
    pub fn live(&self, state: u32) -> ThreadSet {
        self.live[state as usize]
    }

    /// The state after a step of `thread`, or [`System::NONE`] if it has terminated.
    pub fn next(&self, state: u32, thread: usize) -> u32 {
        self.next[state as usize * self.threads + thread]
    }

    /// Whether a step leads from a state back to it, at once or later.
    pub fn has_cycle(&self) -> bool {
        // Kahn's algorithm: a state is removed once nothing that is left leads to it.
        let mut incoming = vec![0u32; self.states()];
        for next in self.next.iter().filter(|next| **next != Self::NONE) {
            incoming[*next as usize] += 1;
        }
        let mut ready: Vec<u32> = if incoming.first() == Some(&0) { vec![0] } else { vec![] };
        let mut removed = 0;
        while let Some(state) = ready.pop() {
            removed += 1;
            for thread in self.live(state).iter() {
                let next = self.next(state, thread);
                incoming[next as usize] -= 1;
                if incoming[next as usize] == 0 {
                    ready.push(next);
                }
            }
        }
        removed != self.states()
    }
}

/// A transition system with what each state stands for.
#[derive(Clone, Debug)]
pub struct Explored<S> {
    /// The transition system.
    pub system: System,
    /// The program state of each state.
    pub states: Vec<S>,
}

/// Builds the transition system of a program, breadth first, threads in order.
///
/// # Errors
/// A [`Stop`] at more than `limit` states or where the program cannot be followed.
pub fn explore<P: Program>(program: &P, limit: usize) -> Result<Explored<P::State>, Stop> {
    let threads = program.threads();
    if threads > ThreadSet::CAPACITY {
        return Err(Stop::TooManyThreads { threads });
    }
    let mut system = System::default();
    system.reset(threads);
    let initial = program.initial()?;
    system.push(program.live(&initial));
    let mut states = vec![initial.clone()];
    let mut numbers: FxHashMap<P::State, u32> = FxHashMap::default();
    numbers.insert(initial, 0);
    let mut position = 0;
    while position < states.len() {
        for thread in system.live(position as u32).iter() {
            let after = program.step(&states[position], thread)?;
            let next = match numbers.get(&after) {
                Some(number) => *number,
                None => {
                    if states.len() == limit {
                        return Err(Stop::TooManyStates { limit });
                    }
                    let number = system.push(program.live(&after));
                    numbers.insert(after.clone(), number);
                    states.push(after);
                    number
                }
            };
            system.set_next(position as u32, thread, next);
        }
        position += 1;
    }
    Ok(Explored { system, states })
}
