//! Runs a kernel on the CPU under race checks: one fiber per GPU thread, shadow memory,
//! happens-before by epochs.
//!
//! ```text
//! Program (native code, sites) + Launch + Memory ── run ──► Outcome: buffers in Memory, findings, counts
//! ```
//!
//! From the ground up:
//!
//! - [`abi`]: what instrumented code calls; the version, the numbers. [`facts`]: what it sees of a
//!   thread, for the short way through the checks.
//! - `memory`: buffers and shared memory, each with its shadow; `pages`: what they are in; `bytes`:
//!   reached by their address.
//! - [`shadow`] and `clock`: which thread accessed a byte last, and what of each thread the others
//!   have synchronized with.
//! - `observed`: which writes loads have given, which orders them in PTX; `overtaken`: which write
//!   is kept beside the last.
//! - `launch`: what is run, how, and what it gave.
//! - [`schedule`]: which thread runs next; from a seed, and the same again from the same seed.
//! - `block`, `grid` and `worker`: what there is of threads, of blocks and of a run; `cluster`,
//!   `pending` and `matrix`: of clusters, of copies that are not done, of products that a warp
//!   computes together; `spread`: what workers on several cores have in common.
//! - `turn`: the one way from code that runs as a thread to its worker.
//! - What a thread does in its turn: `detect` (an access; `ground`: where it is; `quick`: the short
//!   way, where several workers share a shadow), `sync` (barriers and fences), `exchange`,
//!   `cluster_barrier`, `grid_barrier`, `copies`, `group_copies`, `warp_matrix`; `stuck`: when none
//!   can go on.
//! - `drive`: the loop that gives threads their turns; `fibers`: stacks and who runs on them;
//!   `rounds`: blocks whose threads need none ([`stackless`]).
//! - `entry`: what compiled code calls; `apart`: a run in a process of its own, which may die.
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
    reason = "native code calls in with raw addresses, runs on stacks of its own and shares memory with its checks"
)]

pub mod abi;
mod apart;
mod block;
mod bytes;
mod clock;
mod cluster;
mod cluster_barrier;
mod combine;
mod copies;
mod detect;
mod drive;
mod entry;
mod event;
mod exchange;
pub mod facts;
mod fibers;
pub mod gpu;
mod grid;
mod grid_barrier;
mod ground;
mod group_copies;
mod launch;
mod matrix;
mod memory;
mod observed;
mod overtaken;
mod pages;
mod pending;
mod print;
mod quick;
mod report;
mod rounds;
mod sc_fences;
pub mod schedule;
pub mod shadow;
mod signals;
mod spread;
pub mod stackless;
mod stuck;
mod sync;
mod turn;
mod warp_matrix;
mod worker;

pub use apart::run;
pub use entry::symbols;
pub use event::{Event, Level};
pub use heddle_semantics::LaunchShape;
pub use launch::{Code, Launch, Limits, Outcome, Program, Site};
pub use memory::{BadLayout, Memory, Variable};
pub use report::{findings, findings_of};
pub use schedule::Schedule;
pub use stackless::Stackless;
