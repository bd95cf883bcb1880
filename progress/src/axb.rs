//! AXB tests: threads of atomic exchange-and-branch instructions.
//!
//! One instruction touches one location, once, atomically: it reads the value, writes another one
//! if it exchanges, and jumps if it branches and the value it read equals the one it names.
//! Memory starts at zero. A thread terminates when it leaves its instructions at the end.
//!
//! The published form writes each instruction as (location, check value, target, exchange?,
//! value). There a branch to the next instruction is not a branch; here it is none at all, so the
//! check value of a store cannot differ between two equal tests.
//!
//! The text form is read by [`parse()`] and written by `Display`; the head of `parse.rs` defines
//! it.

mod parse;
mod print;
mod step;

pub use parse::{ParseError, parse};
pub use step::{Axb, AxbState};

/// A test: threads over shared locations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// A name, possibly empty.
    pub name: String,
    /// The names of the locations, in the order of their numbers.
    pub locations: Vec<String>,
    /// The instructions of each thread. No thread is empty in a parsed test.
    pub threads: Vec<Vec<Instruction>>,
}

/// One atomic exchange-and-branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instruction {
    /// The location, a number into [`Test::locations`].
    pub location: u8,
    /// The value it writes, if it writes.
    pub exchange: Option<u8>,
    /// Where it may go instead of to the next instruction.
    pub branch: Option<Branch>,
}

/// The branch of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Branch {
    /// The branch is taken when the value read equals this one.
    pub value: u8,
    /// An instruction of the thread, or the number of its instructions: the end.
    pub target: u8,
}

impl Instruction {
    /// Writes `value`.
    pub fn store(location: u8, value: u8) -> Self {
        Self { location, exchange: Some(value), branch: None }
    }

    /// Jumps to `target` if the location holds `value`.
    pub fn load(location: u8, value: u8, target: u8) -> Self {
        Self { location, exchange: None, branch: Some(Branch { value, target }) }
    }

    /// Writes `exchange` and jumps to `target` if the location held `value`.
    pub fn exchange(location: u8, exchange: u8, value: u8, target: u8) -> Self {
        Self { location, exchange: Some(exchange), branch: Some(Branch { value, target }) }
    }
}

impl Test {
    /// A test whose locations are named `x`, `y`, `z`, `w`, then `l4`, `l5` and so on.
    pub fn new(name: &str, threads: Vec<Vec<Instruction>>) -> Self {
        let highest = threads.iter().flatten().map(|instruction| instruction.location).max();
        let count = highest.map_or(0, |location| location as usize + 1);
        let locations = (0..count).map(default_location_name).collect();
        Self { name: name.to_owned(), locations, threads }
    }

    /// How many instructions the test has, over all threads.
    pub fn instructions(&self) -> usize {
        self.threads.iter().map(Vec::len).sum()
    }
}

/// The name of a location that nobody named.
pub fn default_location_name(location: usize) -> String {
    match location {
        0 => "x".to_owned(),
        1 => "y".to_owned(),
        2 => "z".to_owned(),
        3 => "w".to_owned(),
        _ => format!("l{location}"),
    }
}
