//! Asynchronous copies: bytes that are read and written at any time until they are waited for.
//!
//! **Does not**: say when a copy is over; the waits do, by mechanism.

use crate::entity::ExprId;
use crate::expr::named;
use crate::object::Address;

named! {
    /// How an asynchronous copy is made and waited for.
    AsyncMechanism {
        /// `cp.async`, by the thread's groups.
        CpAsync = "cp_async",
        /// `cp.async.bulk`, by the thread's bulk groups.
        BulkGroup = "bulk_group",
        /// `cp.async.bulk`, by a barrier object.
        BulkMbarrier = "bulk_mbarrier",
        /// OpenCL's `async_work_group_copy`, by events.
        WorkGroupEvent = "work_group_event",
        /// `wgmma.mma_async`, by the groups of its warpgroup. It reads an operand and writes
        /// registers: nothing is copied.
        Matrix = "matrix",
        /// `tcgen05.mma` and `tcgen05.cp`, by an arrival at a barrier object that waits for them.
        /// It reads an operand, as [`AsyncMechanism::Matrix`] does.
        Tensor = "tensor",
    }
}

/// An asynchronous copy, or the read of an operand ([`AsyncMechanism::Matrix`],
/// [`AsyncMechanism::Tensor`]). Of an operand,
/// `destination` is `source` again and `size` is zero; `read` is how far the operand reaches at
/// most, and its first bytes ([`OPERAND_BYTES`]) are read for certain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsyncCopy {
    /// How it is made and waited for.
    pub mechanism: AsyncMechanism,
    /// Where to.
    pub destination: Address,
    /// Where from.
    pub source: Address,
    /// Bytes written; 64 bits.
    pub size: ExprId,
    /// Bytes read, where that may be fewer: the rest is written as zeros. 64 bits.
    pub read: Option<ExprId>,
    /// The barrier object that learns of its end.
    pub mbarrier: Option<Address>,
    /// Of a copy by events: the event that it joins, zero for a new one; 64 bits. The operation's
    /// result is the event of the copy: the one that is given, or a new one, which is not zero.
    pub event: Option<ExprId>,
    /// One of its sides is not one stretch of bytes.
    pub strided: Option<Strided>,
    /// It does not overwrite the destination: each element is combined with what is there, by an
    /// atomic operation of its own, relaxed and for the device (`cp.reduce.async.bulk`).
    pub combines: bool,
}

/// The bytes at the start of an operand of a matrix product that are read whatever its layout: one
/// row of a core matrix (PTX ISA, section 9.7.15.5.1).
pub const OPERAND_BYTES: u64 = 16;

impl AsyncCopy {
    /// Whether it writes memory.
    pub fn writes(&self) -> bool {
        !matches!(self.mechanism, AsyncMechanism::Matrix | AsyncMechanism::Tensor)
    }
}

/// How the elements of one side of a copy stand in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strided {
    /// It is the side that is read; else the one that is written.
    pub of_source: bool,
    /// How many elements; 64 bits.
    pub count: ExprId,
    /// The bytes of one; 64 bits.
    pub each: ExprId,
    /// The bytes from the start of one to the start of the next; 64 bits.
    pub apart: ExprId,
}
