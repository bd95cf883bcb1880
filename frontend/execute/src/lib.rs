//! From a prepared module to code that runs under race checks.
//!
//! ```text
//! Prepared ── instrument ──► Module with calls of checks ──┬─ jit ──► native code of this machine
//!                                                          └─ gpu ──► PTX and the device library
//! ```
//!
//! **Promises**: what cannot be run is [`jit::Unsupported`] by name, before anything runs; checks
//! change nothing that a kernel computes. **Does not**: run anything; `heddle_runtime` does.

pub mod gpu;
pub mod instrument;
pub mod jit;
