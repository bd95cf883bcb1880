//! The corpus: race queries in sixteen families, with the answer each must get.
//!
//! Each case is built as the race engine builds it: leaves for two threads, guards, "the threads
//! differ", "the byte ranges meet". The answers follow from the index arithmetic by hand; those
//! that say satisfiable are also confirmed by evaluation.

mod builder;
mod digits;
mod kernels;
mod linear;
mod loops;
mod matrices;
mod permuted;

pub(crate) use builder::{Case, Expected};

/// All cases, in order of family and name.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    linear::cases(&mut cases);
    matrices::cases(&mut cases);
    loops::cases(&mut cases);
    permuted::cases(&mut cases);
    digits::cases(&mut cases);
    kernels::cases(&mut cases);
    cases
}
