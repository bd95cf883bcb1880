//! Executes the predicated IR concretely: a block at a time, all its threads at once.
//!
//! A [`Session`] runs chosen blocks of a [`Launch`], one after the other; what they leave in global
//! memory is there for the next. Each value is known, or unknown with the place where the unknown
//! came in. A [`Visitor`] is told every access, barrier and divergence. [`ConflictFinder`] finds
//! two accesses that nothing orders; [`replay()`] runs a witness and says whether it shows what it
//! claims.
//!
//! **Promises.** Integer operators mean what [`heddle_ir::fold_binary`] and its sisters say;
//! operations mean what [`heddle_ir::OpKind`] says, in lock-step (`heddle_ir`'s essay). What is
//! known is what the program computes in one of its executions, provided it is free of races up to
//! there. A result that has no meaning (a no-wrap flag that does not hold, a division by zero) is
//! not known, so that a run that takes a turn on it stops; a shift by the width or more counts as
//! zero. A run either gets to the end or says why not ([`Stop`]).
//!
//! **Does not** explore schedules; does not run blocks or warps against each other; does not
//! execute barriers among parts of a block, barrier objects and bulk copies (`Stop::Unsupported`);
//! does not compute floats where IEEE 754 leaves the answer open. Two pointer arguments are two
//! objects that do not overlap.

#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]

mod beyond;
mod causality;
mod column;
mod conflict;
mod eval;
mod exec;
mod first_reads;
mod floats;
mod journal;
mod launch;
mod memory;
mod operators;
mod pair;
mod pending;
mod plan;
mod replay;
mod session;
mod stop;
mod timely;
mod unwritten;
mod warps;
mod words;

pub use beyond::Limits;
pub use conflict::{Conflict, ConflictFinder, Party};
pub use first_reads::{FirstRead, first_reads};
pub use heddle_semantics::{BarrierModel, LaunchShape};
pub use journal::{
    AccessClass, AccessEvent, BarrierEvent, Both, CopyEvent, Divergence, Ignore, Moment,
    ThreadAccess, Visitor,
};
pub use launch::{Contents, Launch, LaunchError, Rest, UnknownAddress};
pub use pair::{Pair, Placed};
pub use replay::{Confirmed, ReplayOutcome, Want, replay};
pub use session::{End, Session};
pub use stop::{Stop, Unknown, Use};
pub use warps::{
    Asks, Family, FlowId, Pause, Place, Snapshot, WarpAccess, Warps, Watcher, Widened, spins,
};
