//! Race checks on a GPU: the device library, and what it shares with the host.
//!
//! **Does not**: make PTX; the front end does, and links [`LIBRARY`] in.

mod layout;

pub use layout::*;

/// The device library as bitcode for NVPTX; the source is in `runtime/device`.
pub const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/heddle_device.bc"));

/// Bytes that each thread keeps for the library.
pub const THREAD_BYTES: u64 = 64;
