//! All AXB tests of a size, with their verdicts.
//!
//! The published constraints, as switches where the two published sets differ ([`Constraints`]):
//!
//! - *well-formed*: from each reachable state all threads can still end;
//! - *interesting*: some schedule goes round;
//! - each exchange is on a location that a branch of another thread reads, and each branch is on a
//!   location that another thread touches;
//! - both outcomes of each branch happen, in some schedule;
//! - a store has no check value (in [`crate::axb`] it cannot have one), and a plain load that does
//!   not branch is no instruction;
//! - archived set only: each exchange changes the value, in some schedule.
//!
//! Values are 0 and 1. Locations are numbered by first use, so no two tests differ by their names.
//! Threads are not renamed unless asked: their order matters to HSA, HSA+OBE and LOBE.
//!
//! The enumeration is exhaustive, streams (its memory does not grow with the number of tests,
//! unless redundancy is asked for), gives the same order and hash whatever the number of workers,
//! and can be split into shards whose counts and hashes add up.

mod candidate;
mod enumerate;
mod redundancy;
mod run;
mod select;
mod verdicts;

pub use candidate::{Candidate, Explorer, MOST_INSTRUCTIONS, MOST_THREADS};
pub use enumerate::{Unit, splits, units};
pub use redundancy::{automaton, has_lowest_thread_order, renamed_automaton};
pub use run::{Found, Progress, Request, Shard, Summary, Unsupported, synthesise};
pub use select::{Bucket, Selection, Table};
pub use verdicts::{Verdicts, columns};

/// Which of the two published sets of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constraints {
    /// As the paper states them.
    Paper,
    /// As the archived model has them: each exchange changes the value in some schedule as well.
    Archived,
}

impl Constraints {
    /// Both sets.
    pub const EACH: [Self; 2] = [Self::Paper, Self::Archived];

    /// `paper` or `archived`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Archived => "archived",
        }
    }
}
