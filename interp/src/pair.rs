//! Which pair of accesses is looked for in a run.
//!
//! **Does not**: look; [`crate::conflict`] and [`crate::causality`] do.

use heddle_ir::OpId;

use crate::journal::AccessClass;

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

/// What an access left where it went.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored<'a> {
    pub(crate) class: AccessClass,
    /// First byte, and number of bytes.
    pub(crate) bytes: (u64, u64),
    pub(crate) written: Option<&'a [u128]>,
}

/// Whether it is known that two accesses are no stores of one value to the same bytes. Of a store
/// whose value is undefined, as after a signed overflow, it is not known.
pub(crate) fn leave_different_values([a, b]: [Stored<'_>; 2]) -> bool {
    let are_stores = [a, b].iter().all(|it| it.class == AccessClass::Write);
    let one_place = are_stores && a.bytes == b.bytes;
    match (a.written, b.written) {
        (Some(one), Some(two)) => !one_place || one != two,
        (None, _) | (_, None) => !one_place,
    }
}
