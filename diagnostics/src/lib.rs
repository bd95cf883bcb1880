//! What Heddle says: codes, findings, verdicts, reports, and the renderers that turn them into
//! text.
//!
//! The one vocabulary that all other crates share. It imports none of them, so that a place, a code
//! or a verdict means the same in the front end, in a pass and on the command line.
//!
//! - `code`: the registry of finding codes, each with its page of documentation.
//! - `example`: the examples inside those pages, which run as tests.
//! - [`source`] and `span`: files, and places in them (or in a function, without debug info).
//! - [`destination`] and [`written`]: what is written to under a name, and how files are written.
//! - `finding` and `witness`: one thing to tell the user, and the run that shows it.
//! - `verdict` and `obligation`: what is claimed of a kernel, and the only way to claim it
//!   proved.
//! - `scope`: what part of a project a report is about.
//! - `acceptance` and `known`: findings that are known and do not count.
//! - `fingerprint`: names for findings that survive edits elsewhere.
//! - `kernel`, `standing` and `exit`: what was found of one kernel, what a verdict of it means for
//!   the outcome, and how a run ends that found it.
//! - `report`: everything one run has to say, sorted (`place_order`), with its exit code.
//! - [`policy`]: what a user has decided about findings: severities, comments, a baseline.
//! - [`render`]: human, short, JSON and summary text; SARIF, annotations, JSON lines and JUnit for
//!   other programs.
//! - [`part`]: records of parts of a run, put together.
//! - [`record`]: a report as text that reads back, for caches and for runs in parts.
//!
//! **Promises**: rendering is deterministic and never fails; a missing source file makes a report
//! plainer, never shorter. **Does not**: print, read options, or know about LLVM or the IR.
//!
//! Floors, from the ground up: values (codes, places, findings, verdicts); what was found of one
//! kernel; the report; what is made of a report (policies, parts, renderings).

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod acceptance;
mod code;
pub mod destination;
mod example;
mod exit;
mod finding;
mod fingerprint;
mod kernel;
mod known;
mod obligation;
pub mod part;
mod place_order;
pub mod policy;
mod property;
mod reason;
pub mod record;
pub mod render;
mod report;
mod scope;
mod several;
pub mod source;
mod span;
mod standing;
mod unknowns;
mod verdict;
mod witness;
pub mod written;

pub use acceptance::Acceptance;
pub use code::{Code, Family, Severity};
pub use example::{Example, examples};
pub use exit::{ExitCode, FailOn};
pub use finding::{Finding, Findings, Label};
pub use kernel::KernelReport;
pub use obligation::{Evidence, Obligation, Obligations};
pub use property::{Among, Property};
pub use reason::{Cause, Reason};
pub use report::Report;
pub use scope::Scope;
pub use source::{FileId, SourceMap};
pub use span::{InstructionPlace, Location, Place};
pub use verdict::{Assumption, Guarantor, Method, Proof, Refutation, Verdict};
pub use witness::{
    Binding, Conclusion, Confirmation, Dim3, Iteration, Reach, Stored, ThreadId, Unreplayed,
    Witness,
};
