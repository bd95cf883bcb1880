//! What is left of a kernel once only its progress matters: one thread per block, atomic
//! operations on named locations, and the local code between them.
//!
//! A [`BlockProgram`] has the same meaning as an AXB test, with more in it: registers, small
//! integers, fetch-and-update, compare-and-swap, arrays of locations. One step of a block is one
//! atomic operation and the local code after it, up to the next atomic operation or the exit;
//! local code touches no memory, so nobody can tell when it runs. Local code before the first
//! atomic operation runs before the start.
//!
//! Values that cannot reach a branch, an address, or the value of a location that can, are
//! forgotten (`relevance.rs`): they decide nothing about termination, and keeping them apart would
//! multiply the states. The steps stay.
//!
//! There is no LLVM here. Whoever lifts a kernel into this form claims that each block has one
//! leader that polls, that all polled memory is among the locations, and that the steps are the
//! atomic operations of the kernel; what cannot be claimed must not be lifted.

mod answer;
mod build;
mod expr;
mod relevance;
mod step;
mod validate;

pub use answer::{KernelAnswer, Taken, Witness, kernel_answer, kernel_answer_under};
pub use build::{CodeBuilder, Label};
pub use expr::{Expr, Operator, Register};
pub use step::{Blocks, BlocksState};

/// A kernel as a set of communicating blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockProgram {
    /// The name of the kernel.
    pub name: String,
    /// The memory that the blocks share.
    pub locations: Vec<Location>,
    /// The code of each block, by block id.
    pub blocks: Vec<Code>,
}

/// A shared location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its name, such as `flags[2]`.
    pub name: String,
    /// What it holds when the kernel starts.
    pub initial: u64,
}

/// The code of one block. Execution begins at the first operation, with all registers zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// How many registers it has.
    pub registers: usize,
    /// The operations. Targets of jumps are positions in here.
    pub operations: Vec<Operation>,
    /// Where each operation comes from, such as a source line; empty where unknown. As long as
    /// `operations`.
    pub places: Vec<String>,
}

/// One operation of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Sets registers, all at once: the values are those of before.
    Assign(Vec<(Register, Expr)>),
    /// One indivisible access to one location.
    Atomic {
        /// Which location.
        address: Address,
        /// What it does there.
        action: Action,
        /// Takes the value that the location held before.
        result: Option<Register>,
    },
    /// Goes to the first target if the condition is not zero, else to the second.
    Branch(Expr, usize, usize),
    /// Goes to a target.
    Jump(usize),
    /// The block terminates.
    Exit,
}

/// A location of an array of locations; `index` must be less than `count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The number of the first location of the array.
    pub base: usize,
    /// How many locations the array has.
    pub count: usize,
    /// Which of them.
    pub index: Expr,
}

/// What an atomic operation does to its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    Load,
    /// Writes the value.
    Store(Expr),
    /// Writes the value; an exchange and a store differ only in who looks at the result.
    Exchange(Expr),
    /// Writes `old operator operand`, such as a fetch-and-add.
    Update {
        /// The operation.
        operator: Operator,
        /// Its width.
        bits: u8,
        /// Its right operand; the left one is what the location holds.
        operand: Expr,
    },
    /// Writes `replacement` if the location holds `expected`.
    CompareExchange {
        /// The value looked for.
        expected: Expr,
        /// The value written then.
        replacement: Expr,
    },
}
