//! What an instance keeps of atomics and loads that it has looked at.

use heddle_ir::{ExprId, ObjectId, OpId};

use super::FrameId;

/// The result of an atomic, kept so that results of a pure counter can be told apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticket {
    pub(crate) op: OpId,
    /// The result, in the kernel.
    pub(crate) id: ExprId,
    pub(crate) frame: FrameId,
    /// The result, in the pool.
    pub(crate) value: ExprId,
}

/// A value that a thread read, for rebuilding memory from a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    /// The load.
    pub op: OpId,
    /// Who read, and when.
    pub frame: FrameId,
    /// The load's result, in the kernel.
    pub of: ExprId,
    /// What was read.
    pub object: ObjectId,
    /// The first byte.
    pub offset: ExprId,
    /// The value, in the pool.
    pub value: ExprId,
}
