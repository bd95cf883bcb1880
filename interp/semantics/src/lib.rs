//! What warps, blocks and barriers mean, written once.
//!
//! **What.** The value of an exchange among lanes ([`Exchange`]), of a reduction at a barrier
//! ([`reduced`]) and of an atomic ([`updated`]); which arrivals complete a named barrier
//! ([`Arrived`]), a barrier object ([`Phases`]) and the barrier of a cluster ([`ClusterPhases`]);
//! how threads are numbered ([`index_of`], [`Warps`], [`Clusters`]) and whom a block barrier waits
//! for ([`BarrierModel`]).
//!
//! **Method.** Values are [`Known`]: a number, or the caller's reason why there is none. Counts are
//! counts; who waits, and what a clock learns, stays with the caller. So the interpreter's two
//! executors, the barrier traces, the progress analysis and the native runs compute with the same
//! functions, and each keeps its own clocks.
//!
//! **Sound because** each function is the rule of the PTX ISA section that it names, and a result
//! that the ISA leaves undefined is the caller's `undefined`, never a number.
//!
//! **Does not**: run anything, wait, or report.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]

mod atomic;
mod barrier;
mod cluster;
mod exchange;
mod mbarrier;
mod numbering;

pub use atomic::{stored_is_expected, updated};
pub use barrier::{
    Arrivals, Arrived, BarrierModel, Misuse, arrivals_of_warp, brings, counted, reduced,
};
pub use cluster::ClusterPhases;
pub use exchange::{Choice, Exchange, group};
pub use mbarrier::{BARRIER_OBJECT_BYTES, Excess, Phases, Target};
pub use numbering::{Clusters, LaunchShape, WARP, Warps, count, index_of, number_of};

/// A value, or the caller's reason why it is not known.
pub type Known<E> = Result<u128, E>;
