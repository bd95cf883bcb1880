//! Race checks on a GPU: the device library, and the host's side of a launch.
//!
//! ```text
//! PTX (the front end links LIBRARY in) + Job ── launch::run, through the CUDA driver ──► Done ── events ──► Events
//! ```
//!
//! - [`driver`]: the CUDA driver, loaded when a run asks for it.
//! - [`launch`]: memory and its shadow, the kernel, reports taken while it runs, a watchdog.
//! - [`kit`], [`worker`], [`meet`], [`record`]: launches as data, run by processes that may die of
//!   them, and what came of them.
//! - `layout`, `ring`, `decode`: what device and host share; reports as they come; what they mean.
//!
//! **Does not**: make PTX, or read what the user wrote.

mod decode;
pub mod driver;
pub mod kit;
pub mod launch;
mod layout;
pub mod meet;
pub mod record;
mod registers;
mod ring;
pub mod worker;

pub use decode::{Names, events, gaps};
pub use layout::*;

/// The device library as bitcode for NVPTX; the source is in `runtime/device`.
pub const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/heddle_device.bc"));

/// Bytes that each thread keeps for the library.
pub const THREAD_BYTES: u64 = 64;
