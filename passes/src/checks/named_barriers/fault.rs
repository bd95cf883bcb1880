//! Instructions that are used in a way they do not allow, whatever the others do.

use heddle_ir::OpId;

/// One of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    /// The instruction.
    pub(crate) op: OpId,
    /// The block, by its position in the run.
    pub(crate) block: u32,
    /// The warp.
    pub(crate) warp: u32,
    /// The lanes that do it.
    pub(crate) lanes: u32,
    /// What is wrong.
    pub(crate) kind: FaultKind,
}

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    /// There are barriers 0 to 15.
    NoSuchBarrier(u64),
    /// The count is no multiple of the warp size.
    NotWholeWarps(u64),
    /// The count is zero, or more than the block has.
    NotInBlock {
        /// The count.
        count: u64,
        /// Threads of the block, in whole warps.
        block: u32,
    },
    /// An aligned instruction that these lanes of the warp do not do with the others.
    PartOfWarp {
        /// The lanes.
        missing: u32,
    },
    /// An aligned instruction for which lanes of the warp give different operands.
    UnequalLanes,
}
