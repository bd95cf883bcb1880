//! Kernels as text, run and watched; random kernels against a naive interpreter.

mod common;
mod conflicts;
mod cross_lane;
mod execute;
mod reference;
mod robust;
