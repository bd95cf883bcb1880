//! Which pair of accesses is looked for in a run.
//!
//! **Does not**: look; [`crate::conflict`] does.

use heddle_ir::OpId;

/// Which pair is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pair {
    /// The two operations, in either order; any two where absent.
    pub ops: Option<[OpId; 2]>,
    /// The two threads, each by block and number in the block, in either order; any two where
    /// absent.
    pub threads: Option<[([u32; 3], u32); 2]>,
    /// How the two are placed; in any way where absent.
    pub placed: Option<Placed>,
    /// Two stores to the same bytes count only where their values are known to differ.
    pub values_differ: bool,
}

/// How two threads are placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placed {
    /// In one block, in one warp or two.
    OneBlock,
    /// In one warp.
    OneWarp,
    /// In one block, in two warps.
    TwoWarps,
    /// In two blocks.
    TwoBlocks,
}
