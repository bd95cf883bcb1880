//! From a question about two threads to a verdict: the one way in which checks are decided.
//!
//! [`instance`] copies a kernel's expressions for two threads; a check states in that copy what
//! must hold for a violation, and [`settle`] asks. [`witness`] and [`replay`] turn a model into a
//! run. [`known`] completes the facts by what only a question can tell ([`trips`], [`regular`],
//! [`invariants`]) and by barriers that a kernel makes itself ([`grid_barriers`]);
//! [`parting`], [`unordered`], [`pending`] and [`written`] state what several checks ask about.
//!
//! **Promises**: whatever a proof relies on comes with its answer. **Does not**: know a check.

pub(crate) mod alone;
pub(crate) mod answer;
mod arrays;
pub(crate) mod cx;
pub(crate) mod explain;
mod grid_barriers;
pub(crate) mod instance;
pub(crate) mod invariants;
mod known;
pub(crate) mod nests;
pub(crate) mod not_modelled;
pub(crate) mod options;
pub(crate) mod parting;
pub(crate) mod pending;
mod phases;
pub(crate) mod place;
mod pointees;
pub(crate) mod premises;
pub(crate) mod profile;
pub(crate) mod regular;
pub(crate) mod replay;
pub(crate) mod settle;
mod shared;
pub(crate) mod shown;
pub(crate) mod sums;
mod trips;
pub(crate) mod unfollowed;
pub(crate) mod unordered;
pub(crate) mod why;
pub(crate) mod witness;
pub(crate) mod written;
