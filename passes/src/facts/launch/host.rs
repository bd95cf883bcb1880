//! What the program itself says of a launch: sizes that its text shows, and what its host's part
//! gives.
//!
//! **Does not**: read the host (`heddle_frontend::host`), or say what counts more.

use heddle_ir::{ExprId, ObjectId};

use super::BufferSize;

/// What the launches in the source of a kernel share: `kernel<<<4, 256>>>(…)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceSizes {
    /// Blocks of the grid; `None` is no constant, or not the same in all.
    pub grid: [Option<u32>; 3],
    /// Threads of the block, likewise.
    pub block: [Option<u32>; 3],
}

/// What the host says of one launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostFacts {
    /// Where it is, for messages: `reduce.cu:212`.
    pub at: String,
    /// All its blocks are on the device at once, or it does not happen (CUDA C++ Programming Guide,
    /// grid synchronization).
    pub is_cooperative: bool,
    /// Its sizes, where they are constants.
    pub sizes: SourceSizes,
    /// Bytes of dynamic shared memory that it asks for, where the kernel has such memory and they
    /// are a constant.
    pub dynamic_shared: Option<u64>,
    /// Values of parameters by index, where they are constants.
    pub args: Vec<(u32, u128)>,
    /// Sizes and values in words.
    pub facts: Vec<String>,
    /// What holds of the others. One bit, built in the kernel's own expressions, and in words, if
    /// there is something to say.
    pub conditions: Vec<(ExprId, String)>,
    /// What is known of the memory that pointers lead to.
    pub pointers: HostPointers,
    /// Parameters and sizes that rest on values of the program that were not followed: what callers
    /// in other sources give, what memory holds.
    pub open: Vec<String>,
}

/// Numbers of the host that are not followed are arbitrary values from this one on; those of a
/// kernel are below.
pub const FIRST_OF_HOST: u32 = 1 << 30;

/// What is known of the memory that the pointers of a launch lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HostPointers {
    /// Those that are not of one allocation are of allocations that do not overlap.
    pub apart: bool,
    /// Those that are of one allocation.
    pub shared: Vec<SharedMemory>,
    /// Sizes of allocations, by the pointers to their starts.
    pub sizes: Vec<BufferSize>,
}

/// Two pointers into one allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedMemory {
    /// What one of them leads to.
    pub one: ObjectId,
    /// What the other leads to.
    pub other: ObjectId,
    /// Bytes from the one to the other; 64 bits, built in the kernel's own expressions. `None`
    /// where it is not known.
    pub by: Option<ExprId>,
}
