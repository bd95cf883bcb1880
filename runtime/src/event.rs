//! What a run meets, merged: one entry for each pair of sites, with a count and the first example.
//!
//! **Promises**: memory is bounded by the number of sites squared, and in practice by the bugs.
//! **Does not**: say it in words; `report` does.

use std::collections::BTreeMap;

/// In place of a signal: the executor itself failed.
pub(crate) const PANIC: i32 = 0;

/// How near to each other two racing threads are.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Level {
    /// Of one warp.
    Warp,
    /// Of one block.
    Block,
    /// Of different blocks.
    Grid,
}

/// Something met, without the example: what is merged.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Event {
    /// Two accesses that nothing orders, the one with the lower site first.
    Race {
        /// Their sites.
        sites: [u32; 2],
        /// Whether each writes.
        writes: [bool; 2],
        /// Whether each is atomic.
        atomic: [bool; 2],
        /// Both store the same bytes.
        same_value: bool,
        /// How near.
        level: Level,
        /// One of them is a copy that was not waited for.
        pending: bool,
    },
    /// Threads of a block wait at different places for the same barrier.
    DifferentBarriers {
        /// The places.
        sites: [u32; 2],
    },
    /// A thread went past a barrier that others of its block waited at.
    Skipped {
        /// The barrier.
        barrier: u32,
        /// Where both ended.
        end: u32,
    },
    /// A barrier went ahead without threads that had returned.
    EarlyReturn {
        /// The barrier.
        barrier: u32,
    },
    /// A barrier that a block does not have.
    NoSuchBarrier {
        /// Where it is named.
        site: u32,
    },
    /// Two arrivals of one use of a named barrier name different counts.
    ArrivalCounts {
        /// The first arrival, and the other.
        sites: [u32; 2],
    },
    /// No thread of the block can go on.
    Deadlock {
        /// Where a thread waits.
        site: u32,
        /// Where another one waits; the same if all wait at one place.
        other: u32,
        /// Some wait for arrivals at a named barrier or a barrier object, and not for their block
        /// alone.
        arrivals: bool,
    },
    /// Blocks wait at the grid's barrier for blocks that never come.
    GridDeadlock {
        /// Where a thread waits.
        site: u32,
    },
    /// A thread arrives at its cluster's barrier a second time, or waits there without having
    /// arrived.
    ClusterOrder {
        /// Where.
        site: u32,
        /// It waits.
        waits: bool,
    },
    /// An access to the shared memory of a block that has ended, or that may have: nothing orders
    /// the two.
    EndedBlock {
        /// The access.
        site: u32,
        /// Whether it writes.
        write: bool,
        /// It came after the end.
        has_ended: bool,
    },
    /// A call by a pointer that leads to no function.
    BadCall {
        /// The call.
        site: u32,
    },
    /// The stack of a thread is used up.
    StackUsedUp {
        /// Where it was seen last.
        site: u32,
    },
    /// Threads run, and wait for what nobody writes: no thread changes anything any more.
    Spin {
        /// Where one of them is.
        site: u32,
    },
    /// The time limit was reached.
    Unfinished {
        /// Where a thread is.
        site: u32,
        /// Where another one is; the same if all are at one place.
        other: u32,
    },
    /// An access to bytes that belong to nothing.
    OutOfBounds {
        /// The access.
        site: u32,
        /// Whether it writes.
        write: bool,
    },
    /// A read of shared memory that no thread has written.
    Uninitialised {
        /// The read.
        site: u32,
    },
    /// An access at an address that is no multiple of what it needs.
    Misaligned {
        /// The access.
        site: u32,
        /// Whether it writes.
        write: bool,
    },
    /// An access beyond the end of an array of the thread's own.
    OutOfArray {
        /// The access.
        site: u32,
        /// Whether it writes.
        write: bool,
    },
    /// The native code ended its process.
    Died {
        /// Where its thread was seen last.
        site: u32,
        /// By which signal; 0 where the executor itself failed.
        signal: i32,
    },
    /// The kernel ended itself.
    Trap {
        /// Where.
        site: u32,
        /// By an assertion or a trap of its own.
        asserted: bool,
    },
}

impl Event {
    /// Whether it is an error, and no hint: another seed need not be tried.
    pub fn is_error(&self) -> bool {
        match self {
            Event::Race { same_value, .. } => !same_value,
            Event::EarlyReturn { .. } | Event::Uninitialised { .. } => false,
            Event::DifferentBarriers { .. }
            | Event::Skipped { .. }
            | Event::NoSuchBarrier { .. }
            | Event::ArrivalCounts { .. }
            | Event::Deadlock { .. }
            | Event::GridDeadlock { .. }
            | Event::ClusterOrder { .. }
            | Event::EndedBlock { .. }
            | Event::BadCall { .. }
            | Event::StackUsedUp { .. }
            | Event::Spin { .. }
            | Event::Unfinished { .. }
            | Event::OutOfBounds { .. }
            | Event::Misaligned { .. }
            | Event::OutOfArray { .. }
            | Event::Died { .. }
            | Event::Trap { .. } => true,
        }
    }
}

/// The first time something was met, and how often it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Met {
    /// How often.
    pub count: u64,
    /// The threads: numbers in the grid.
    pub threads: [u32; 2],
    /// The bytes in the source's words, or the kernel's own message.
    pub what: String,
    /// Further facts: who waits where.
    pub notes: Vec<String>,
    /// The seed of the run that met it first, where there were several.
    pub seed: Option<u64>,
}

/// Everything met in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events(pub BTreeMap<Event, Met>);

impl Events {
    /// Adds one; the example is only made for the first of its kind.
    pub(crate) fn add(
        &mut self,
        event: Event,
        threads: [u32; 2],
        example: impl FnOnce() -> (String, Vec<String>),
    ) {
        match self.0.get_mut(&event) {
            Some(met) => met.count += 1,
            None => {
                let (what, notes) = example();
                self.0.insert(event, Met { count: 1, threads, what, notes, seed: None });
            }
        }
    }

    /// Joins another run's, of that seed.
    pub fn join_seed(&mut self, mut other: Events, seed: u64) {
        other.0.values_mut().for_each(|met| met.seed = Some(seed));
        self.join(other);
    }

    /// Joins those of another part of the run.
    pub(crate) fn join(&mut self, other: Events) {
        for (event, met) in other.0 {
            match self.0.get_mut(&event) {
                Some(known) => known.count += met.count,
                None => {
                    self.0.insert(event, met);
                }
            }
        }
    }
}
