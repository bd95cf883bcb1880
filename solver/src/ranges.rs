//! Range analysis: what values an expression can take, given bounds on it and on its operands.
//!
//! [`Known`] is the domain, `forward` the operators on it, [`Ranges`] the bounds of one problem.

mod backward;
mod forward;
mod known;
mod store;
#[cfg(test)]
mod tests;

pub(crate) use known::Known;
pub(crate) use store::{Contradiction, Ranges};
