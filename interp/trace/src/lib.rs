//! Barrier traces: what the threads of a block do to barriers and to memory, and what follows from
//! it.
//!
//! # The model
//! A block's threads are grouped in [`Strand`]s: lanes of one warp that do all synchronization
//! together (usually a whole warp). Each strand does a sequence of [`Sync`] events; between two of
//! them lies an *interval*, and event `k` ends interval `k`. Accesses belong to intervals.
//! [`Execution`] takes events and accesses as a program does them, blocks strands as the hardware
//! would, and keeps the [`Trace`].
//!
//! Barriers follow the operational semantics of Sharma, Bauer and Aiken (PLDI 2015): the first
//! arrival configures a barrier's count, `sync` blocks and `arrive` does not, a barrier that
//! completes is ready for its next generation at once. Barrier objects (mbarriers) have phases
//! instead of generations, and a wait names the parity of one.
//!
//! # Order
//! Interval `i` of strand `a` happens before interval `j` of strand `b` iff the clock of the latter
//! says so: `clock(b, j)[a] > i`. Different lanes of one strand are ordered by the strand's `joint`
//! mark: what lies before it, all its lanes know. Two intervals are therefore ordered, or
//! concurrent, as a whole.
//!
//! # What is decided
//! - [`Execution::stuck`]: strands that wait for ever, with what they wait for.
//! - [`Violation`]: different counts in one generation, too many arrivals, generations or phases
//!   whose order the program does not force. Without any, every schedule has the generations of
//!   this one (theorem 1 of the paper), and so the trace speaks for all.
//! - [`find_races`]: all pairs of accesses with a common byte, one of them writing, that are not
//!   ordered. An operation on a barrier object is an access of its bytes, which only other such
//!   operations may meet; data that is written there in order, but in the middle of the object's
//!   life, is in [`Races::overwritten`].
//!
//! # What it does not do
//! It knows nothing of instructions, sources or values: those are numbers given by the caller.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]
#![deny(missing_docs)]

mod access;
mod clock;
mod execution;
mod graph;
mod overlap;
mod races;
mod replay;
mod shape;
mod strand;
mod sync;
mod trace;
mod violation;

pub use access::AccessKind;
pub use clock::{Clock, Knowledge, Tick};
pub use execution::{Execution, Progress, Standing, WaitId};
pub use graph::{BarrierGraph, Node};
pub use heddle_semantics::{Arrivals, BARRIER_OBJECT_BYTES, Target, brings};
pub use races::{Race, RaceKind, Races, Witness, find_races};
pub use replay::{confirm, confirm_stuck};
pub use shape::{Footprint, ShapeId, Shapes};
pub use strand::{Partition, Strand, StrandId};
pub use sync::{ClusterStep, ObjectName, ObjectStep, ProductStep, Sync};
pub use trace::{
    AccessKey, Ending, Event, Generation, GenerationId, Interval, Membership, Name, Pending, Ticks,
    Trace, Track, Turn,
};
pub use violation::{Stuck, Violation};
