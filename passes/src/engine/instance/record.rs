//! What an instance keeps of atomics, loads and loops that it has looked at.

use heddle_ir::{ExprId, ExprKind, LoopId, ObjectId, OpId};

use super::{FrameId, Instance};
use crate::facts::thread::Thread;

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

/// What a symbol of one thread stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// A value of the kernel that is not computed.
    Value(ExprId),
    /// The number of the last iteration of a loop.
    Rounds(LoopId),
}

/// A symbol of one thread: what it stands for, and in which iterations of the loops around it,
/// outermost first.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    pub(crate) what: What,
    pub(crate) rounds: Vec<ExprId>,
    pub(crate) thread: Thread,
}

impl Instance<'_> {
    /// What an expression stands for, if it is a symbol of one thread.
    pub(crate) fn followed(&self, symbol: ExprId) -> Option<Followed> {
        if !matches!(self.pool[symbol].kind, ExprKind::Sym(_)) {
            return None;
        }
        let of_value = self.symbol_index.iter().find(|it| *it.1 == symbol);
        if let Some(((id, rounds, thread), _)) = of_value {
            return Some(Followed {
                what: What::Value(*id),
                rounds: rounds.clone(),
                thread: (*thread)?,
            });
        }
        let ((of, rounds, thread), _) = self.exit_index.iter().find(|it| *it.1 == symbol)?;
        Some(Followed { what: What::Rounds(*of), rounds: rounds.clone(), thread: (*thread)? })
    }
}
