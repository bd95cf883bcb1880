//! Phases of barrier objects by their number: which phase an operation is about, in which
//! iteration.
//!
//! A *ring* is `n` barrier objects that are used in turn. Phase `j` of the ring is phase `j / n` of
//! its object `j % n`. An operation of a ring stands in one loop, or in none, and is about phase
//! `k + shift` in iteration `k`.
//!
//! **Promises**: nothing by itself; `engine/phases.rs` finds rings and states what holds of them.
//! **Does not**: have an entry for what could not be shown to keep the order of its ring.

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{ExprId, Kernel, LoopId, OpId, TouchedBy};

/// An operation, in the one loop that is around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// The operation.
    pub op: OpId,
    /// The loop, which stands in no other.
    pub of: Option<LoopId>,
    /// Whether it is done, and for a wait, was answered.
    pub guard: ExprId,
    /// It stands after the loop, once the thread has left it, and counts as done in the iteration
    /// in which that was.
    pub last: bool,
}

/// A step, and the phase it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbered {
    /// The step.
    pub step: Step,
    /// The ring, by its place in [`Phases::rings`].
    pub ring: usize,
    /// The phase in iteration 0, or outside loops; it may be negative, for no phase.
    pub shift: i64,
}

/// Which threads arrive: each has a number of its own below the count. Indices are of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Members {
    /// One.
    One,
    /// Threads from this index in the block on.
    Threads(u32),
    /// One of each warp, from the warp of this index on.
    Warps(u32),
    /// One of each warpgroup, from the warpgroup of this index on.
    Warpgroups(u32),
}

/// Threads of a warpgroup.
pub(crate) const WARPGROUP: u32 = 128;

/// Barrier objects that are used in turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ring {
    /// How many.
    pub length: i64,
    /// The arrivals that complete a phase.
    pub count: ExprId,
    /// Who arrives.
    pub members: Members,
}

/// Why a ring is not followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    /// The operation to blame.
    pub at: OpId,
    /// In words.
    pub why: String,
}

/// What is known of a kernel's barrier objects.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Phases {
    /// The rings.
    pub rings: Vec<Ring>,
    /// What a thread does after the step comes after the end of the phase, if its number is not
    /// negative.
    pub known: Vec<Numbered>,
    /// All arrivals. A phase is over only after all threads that execute one for it have.
    pub arrivals: Vec<Numbered>,
    /// Copies that a phase waits for.
    pub fills: Vec<Numbered>,
    /// Operations on barrier objects of the rings, with those that initialise them.
    pub followed: Vec<OpId>,
    /// Accesses to variables in which such objects are, and that touch none of them.
    pub clear: Vec<OpId>,
    /// Of copies that do not say how many bytes they write, what they are taken to write.
    pub boxes: Vec<(OpId, u64)>,
    /// Operations whose ring could not be shown to be in order, and why.
    pub open: Vec<(OpId, Fault)>,
    /// What this takes for granted.
    pub relies: BTreeSet<Assumption>,
}

impl Phases {
    /// The phase that waits for a copy.
    pub(crate) fn fill(&self, copy: OpId) -> Option<&Numbered> {
        self.fills.iter().find(|it| it.step.op == copy)
    }

    /// The bytes that a tensor copy is taken to write.
    pub(crate) fn box_of(&self, copy: OpId) -> Option<u64> {
        self.boxes.iter().find(|(op, _)| *op == copy).map(|(_, bytes)| *bytes)
    }

    /// Why the phase of a copy is not known.
    pub(crate) fn why_not(&self, copy: OpId) -> Option<&Fault> {
        self.open.iter().find(|(op, _)| *op == copy).map(|(_, fault)| fault)
    }
}

/// Whether an operation uses or changes a barrier object.
pub(crate) fn is_on_object(kernel: &Kernel, op: OpId) -> bool {
    let effects = kernel[op].kind.effects();
    effects.touches.iter().any(|touch| matches!(touch.by, TouchedBy::BarrierObject))
}
