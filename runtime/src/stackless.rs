//! Kernels whose threads need no stacks: each is a coroutine that stops at the block's barriers, in
//! a frame beside the others'.
//!
//! **Does not**: run them (`rounds`).

/// Gives the bytes of a thread's frame.
pub type FrameBytes = unsafe extern "C" fn() -> u64;

/// Lets all threads of a block run to their next barrier. Arguments, facts, frames and the bytes of
/// each, a row of ids for each thread, the first thread, the step to the next, and how many. Gives
/// whether not all are at one place.
pub type Round =
    unsafe extern "C" fn(*const u8, *mut u8, *mut u8, u64, *const Row, u64, i64, u64) -> u64;

/// A kernel as coroutines.
#[derive(Clone, Copy, Debug)]
pub struct Stackless {
    /// Bytes of a frame.
    pub frame_bytes: FrameBytes,
    /// Starts all threads.
    pub start: Round,
    /// Goes on with all threads.
    pub resume: Round,
}

/// What is a thread's own among ids: its place in the block, the block's size in x, lane and warp.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Row(pub(crate) [u32; 8]);
