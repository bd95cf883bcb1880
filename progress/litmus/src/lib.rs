//! Which outcomes of a small program does the PTX memory model allow, and does it race?
//!
//! A litmus test is a handful of threads with a few accesses each. This crate enumerates its
//! candidate executions (which write each read takes its value from, in which order writes and
//! sequentially consistent fences come), and keeps those that the axioms of the PTX ISA allow
//! (version 7.5 and later, chapter "Memory Consistency Model"; Lustig et al., ASPLOS 2019). It is
//! an oracle: it shares no code with the checks of kernels, whose verdicts it judges in tests.
//!
//! | module | what |
//! |---|---|
//! | `program` | a test: threads, instructions, expectations; and its text |
//! | `parse` | reads the text form |
//! | `trace` | what one thread may do, for each choice of the values it reads |
//! | `relation` | relations over the events of an execution |
//! | `model` | the orders of the model, its axioms, and data races |
//! | `candidate` | all candidate executions of a test |
//! | `answer` | outcomes, races, and which axiom forbids what |
//! | [`emit`] | a test as PTX, for a device to run |
//! | `repeats` | which loops an `until` may stand for |
//! | [`cli`] | the text that a person reads |
//!
//! **Promises**: an outcome is listed exactly if some execution that keeps all axioms has it; a
//! race is reported exactly if some such execution has one.
//! **Does not**: model accesses of different sizes that overlap, proxies, asynchronous operations,
//! or loops. `until` stands for a loop that polls: its last round is the one that is modelled.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]

pub mod answer;
mod candidate;
pub mod cli;
pub mod emit;
mod model;
pub mod parse;
pub mod program;
mod relation;
mod repeats;
mod trace;

pub use answer::{Answer, Limits, answer};
pub use parse::parse;
pub use program::Test;
