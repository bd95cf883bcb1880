//! Bit-blasting: the problem as a circuit, searched by a SAT solver.
//!
//! Can prove and refute anything that fits the budget; hopeless on products of two unknown wide
//! words.

mod encode;
mod gates;
mod words;

pub(crate) use encode::{Found, Values, search};
