//! What is known of a kernel under a launch before anything is asked: scopes, program order,
//! memory, uniformity, recurrences.
//!
//! [`analysis::Analysis`] holds it all. **Promises**: each file's head states what its facts claim.
//! **Does not**: ask the solver; trip limits and barriers that are met where they stand are values
//! here, found by the engine.

pub(crate) mod analysis;
pub mod condition;
pub(crate) mod counts;
pub(crate) mod evolution;
pub(crate) mod invariants;
pub(crate) mod journal;
pub mod launch;
pub(crate) mod listed;
pub(crate) mod loads;
pub(crate) mod memory;
pub(crate) mod open_inputs;
pub(crate) mod order;
pub(crate) mod overflow_tests;
pub(crate) mod phases;
pub(crate) mod rounds;
pub(crate) mod strength;
pub(crate) mod sums;
pub(crate) mod thread;
pub(crate) mod uniformity;
pub(crate) mod unsigned;
