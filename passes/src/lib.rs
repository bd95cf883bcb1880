//! Analyses and checks over the predicated IR, on three floors.
//!
//! `facts/` is what is known of a kernel before anything is asked. `engine/` asks questions about
//! two threads and turns models into runs. `checks/` has a file or folder for each property. An
//! arrow between files goes down or stays on its floor (`tests/tidy.rs`).
//!
//! [`check`] runs the passes of [`PASSES`] over one kernel and says, per property, proved, refuted
//! or unknown.
//!
//! **Does not**: print, name LLVM, or know of files.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]
#![recursion_limit = "256"]

mod checks;
mod engine;
mod facts;
pub mod instrument;

pub use checks::pass::Pass;
pub use checks::{PASSES, check, is_possible, named_barriers, progress};
pub use engine::cx::Cx;
pub use engine::options::{Options, ProgressOptions};
pub use engine::place::Places;
pub use engine::profile::{Profile, Spent};
pub use engine::why::{Explained, Step, Why};
pub use facts::{condition, launch};
