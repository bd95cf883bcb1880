//! The commands, as functions from arguments to text.
//!
//! The binary parses flags into these structs, hands over files it has read and a place to write
//! to, and turns the [`Exit`] into a process status. Nothing here reads a file, prints to the
//! terminal or ends the process.

mod check;
mod emission;
mod kernel;
mod synth;

pub use check::{CheckArguments, Output, check};
pub use emission::{EmissionArguments, emission};
pub use kernel::{KernelArguments, kernel};
pub use synth::{SynthArguments, synth};

/// How a command ended. The numbers are the exit codes of all commands of Heddle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The question was answered, and nothing that was asked for is violated.
    Proved = 0,
    /// It does not terminate under the model that was assumed.
    Refuted = 1,
    /// The arguments or the input are wrong; what was written says how.
    Usage = 2,
    /// The question could not be answered; what was written says why.
    Unknown = 3,
}

impl Exit {
    /// The process status.
    pub fn code(self) -> u8 {
        self as u8
    }
}
