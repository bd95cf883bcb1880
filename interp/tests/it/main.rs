//! Kernels as text, run and watched.

mod common;
mod conflicts;
mod cross_lane;
mod execute;
