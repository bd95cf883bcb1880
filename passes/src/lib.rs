//! Analyses and checks over the predicated IR.
//!
//! [`check`] runs the passes of [`PASSES`] over one kernel and says, per property, proved, refuted
//! or unknown. Analyses ([`uniformity`], [`evolution`], [`trips`], [`memory`], [`order`]) are
//! values computed once ([`Analysis`]); [`instance`] copies a kernel's expressions for two threads;
//! a check states in that copy what must hold for a violation, and asks the solver; [`witness`] and
//! [`replay`] turn a model into a run.
//!
//! **Does not**: print, name LLVM, or know of files.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]
#![recursion_limit = "256"]

pub mod analysis;
pub mod condition;
pub mod cx;
pub mod divergence;
pub mod evolution;
pub mod instance;
pub mod instrument;
pub mod launch;
mod loads;
pub mod memory;
pub mod named_barriers;
mod open_inputs;
pub mod order;
pub mod place;
pub mod progress;
mod question;
pub mod races;
pub mod replay;
mod settle;
pub mod trips;
pub mod uniformity;
mod vacuity;
pub mod witness;

mod parting;
mod pass;

pub use analysis::Analysis;
pub use cx::{Cx, Options};
pub use pass::{PASSES, Pass, check};
pub use place::Places;
