//! Which kernels of `tests/kernels` a slow test takes by default.
//!
//! One in a number that the test says, drawn by topic and file name: whether a file is taken does
//! not depend on which other files there are, so a new kernel does not move the sample.

use std::path::Path;

/// Whether a kernel is one of one in this many.
pub(crate) fn is_sampled(path: &Path, one_in: u64) -> bool {
    let mut parts = path.iter().rev();
    let file = parts.next().unwrap_or_default().to_string_lossy();
    let topic = parts.next().unwrap_or_default().to_string_lossy();
    // FNV-1a, whose upper bits are the better ones.
    let bytes = topic.bytes().chain([b'/']).chain(file.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32).is_multiple_of(one_in)
}
