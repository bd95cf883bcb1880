//! Runs a kernel on the CPU under race checks: one fiber per GPU thread, shadow memory,
//! happens-before by epochs.
//!
//! ```text
//! Program (native code, sites) + Launch + Memory ── run ──► Outcome: buffers in Memory, findings, counts
//! ```
//!
//! - [`abi`]: what instrumented code calls; the version, the numbers, the table of entry points.
//! - `memory`: buffers and shared memory, each with its shadow; `pages`: what they are in.
//! - [`shadow`] and `clock`: which thread accessed a byte last, and what of each thread the others
//!   have synchronized with.
//! - `observed`: which writes loads have given, which orders them in PTX; `overtaken`: which write
//!   is kept beside the last.
//! - `launch`: what is run, how, and what it gave.
//! - `block` and `worker`: threads, barriers, exchanges; the loop that resumes fibers.
//! - `cluster` and `grid`: blocks that wait for each other, and reach into each other's shared
//!   memory.
//! - `matrix`: products of matrices that a warp computes together.
//! - [`schedule`]: which thread runs next; from a seed, and the same again from the same seed.
//! - [`facts`]: what compiled code sees of a thread, for the short way through the checks; `quick`:
//!   the same as a call, where several workers share a shadow; `spread`: blocks over cores;
//!   `fibers`: stacks and who runs on them;
//!   [`stackless`]: blocks whose threads need none.
//! - `apart`: a run in a process of its own, which may die.
//! - [`gpu`]: the same on a GPU: the device library, and the driver that runs it.
//! - `event` and `report`: what was met, merged with a count, and as findings.
//!
//! **Promises**: a run depends on the program, the launch, the buffers and the seed alone. A race
//! is reported only if no chain of barriers, fences and atomics orders the two accesses in the run
//! at hand. What is kept for reports is bounded by the number of pairs of sites, not by the number
//! of races.
//!
//! **Misses**: races of paths that the run does not take; a third concurrent reader of the same
//! four bytes. **Does not**: know LLVM; the code comes compiled.

#![allow(
    unsafe_code,
    reason = "native code calls in with raw addresses; each entry point checks them against the regions"
)]

pub mod abi;
mod apart;
mod block;
mod clock;
pub(crate) mod cluster;
mod combine;
mod copies;
mod detect;
mod entry;
mod event;
mod exchange;
pub mod facts;
mod fibers;
pub mod gpu;
mod grid;
mod group_copies;
mod launch;
mod matrix;
mod memory;
mod observed;
mod overtaken;
mod pages;
mod print;
mod quick;
mod report;
mod sc_fences;
pub mod schedule;
pub mod shadow;
mod spread;
pub mod stackless;
mod stuck;
mod sync;
mod worker;

pub use abi::symbols;
pub use apart::run;
pub use event::{Event, Level};
pub use launch::{Code, Launch, Limits, Outcome, Program, Site};
pub use memory::{BadLayout, Memory, Variable};
pub use report::{findings, findings_of};
pub use schedule::Schedule;
pub use stackless::Stackless;
