//! From sources and options to a report: compile, read, lift, check, in parallel over files and
//! then over kernels.
//!
//! ```text
//! Source ── load ──► kernels ── bind (arguments, assumptions) ──► heddle_passes::check ──► Report
//! ```
//!
//! **Promises**: the same sources and options give the same report, whatever the number of jobs.
//! Bad input is a finding HD0901 and a fault of ours a finding HD0999; neither stops the rest.
//! Options that fit no kernel are bad input, and then nothing is checked. **Does not**: print, read
//! standard input, or exit; link a compiler: who calls brings one (the binary has clang inside, the
//! plugin lives in one and needs none).
//!
//! Floors, from the ground up: what is asked for (`source`, `options`, `cache`); a source's kernels
//! and their launches (`load`, `rules`); what is kept of answers (`kept`); the report of one kernel
//! (`answer`); the whole run (`run`); what makes runs for ends of its own (`dynamic`, `transform`).

#![forbid(unsafe_code)]

mod ahead;
mod answer;
mod bind;
pub mod cache;
pub mod config;
mod contracts;
mod decisions;
pub mod dynamic;
mod fault;
mod home;
mod host;
mod infer;
mod ir_lines;
mod kept;
mod launches;
mod limits;
mod load;
mod names;
mod native;
mod options;
mod outcome;
pub mod pipeline;
mod progress;
pub mod project;
mod replay;
mod rules;
mod run;
mod sites;
mod sizes;
mod source;
pub mod table;
pub mod transform;
mod trouble;
mod visible;

pub use decisions::Decisions;
pub use heddle_passes::named_barriers::{Cell, Chart, Part, Row};
pub use options::{
    Argument, BadOption, CheckOptions, Host, LaunchOptions, LaunchRule, Replay, ResourceLimit,
    Size, global_offset, known_offset,
};
pub use outcome::{Outcome, Timing};
pub use progress::Progress;
pub use run::{charts, check, check_project, lift};
pub use source::{Dropped, Source, Unit};
pub use visible::Visible;
