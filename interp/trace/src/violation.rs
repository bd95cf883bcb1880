//! What can be wrong with the barriers of a trace.

use crate::strand::StrandId;
use crate::trace::{GenerationId, Membership, Name};

/// A use of a barrier that is wrong, or that another schedule makes wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// An arrival names another count than the first one of its generation did.
    CountMismatch {
        /// The generation.
        generation: GenerationId,
        /// The arrival that fixed the count.
        first: Membership,
        /// The one that differs.
        other: Membership,
        /// The count fixed.
        fixed: u32,
        /// The other.
        given: u32,
    },
    /// An arrival brings more than its generation lacks.
    TooMany {
        /// The generation or phase.
        generation: GenerationId,
        /// The arrival.
        by: Membership,
        /// What it brings.
        brings: u32,
        /// What was lacking.
        lacking: u32,
    },
    /// Nothing forces an arrival of a generation to come before one of the next: in another
    /// schedule the later one takes its place.
    Recycled {
        /// The earlier generation or phase.
        generation: GenerationId,
        /// Its arrival.
        earlier: Membership,
        /// The arrival of the next that may come first.
        later: Membership,
    },
    /// A wait for a phase may start while the phase before the one waited for is in progress, and
    /// then does not wait.
    EarlyPass {
        /// The wait.
        wait: Membership,
        /// The phase before the one waited for.
        before: GenerationId,
        /// Its arrival that the waiter does not know of.
        missing: Membership,
    },
    /// A phase after the one waited for may complete before the wait looks, which then waits for a
    /// phase too late.
    Lapped {
        /// The wait.
        wait: Membership,
        /// The phase that may complete too early.
        by: GenerationId,
    },
    /// The bytes that a phase waits for may be announced after its last arrival.
    LateExpect {
        /// The phase.
        phase: GenerationId,
        /// The announcement.
        expect: Membership,
    },
    /// A barrier object is used and was never initialised.
    NotInitialised {
        /// The object.
        name: Name,
        /// The use.
        by: Membership,
    },
    /// A barrier object may be used before its initialisation.
    InitUnordered {
        /// The object.
        name: Name,
        /// The initialisation.
        init: Membership,
        /// The use.
        by: Membership,
    },
    /// A barrier object is initialised anew, or invalidated, in the middle of a phase.
    InitInUse {
        /// The object.
        name: Name,
        /// The event.
        by: Membership,
    },
    /// The halves of a cluster barrier do not alternate.
    ClusterOrder {
        /// The event out of turn.
        by: Membership,
    },
}

impl Violation {
    /// Whether the execution cannot go on after it.
    pub fn is_fatal(&self) -> bool {
        match self {
            Violation::CountMismatch { .. }
            | Violation::TooMany { .. }
            | Violation::NotInitialised { .. }
            | Violation::InitInUse { .. }
            | Violation::ClusterOrder { .. } => true,
            Violation::Recycled { .. }
            | Violation::EarlyPass { .. }
            | Violation::Lapped { .. }
            | Violation::LateExpect { .. }
            | Violation::InitUnordered { .. } => false,
        }
    }
}

/// A strand that waits for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stuck {
    /// Who.
    pub strand: StrandId,
    /// At which of its events.
    pub event: Membership,
    /// On what.
    pub name: Name,
    /// Which generation or phase.
    pub number: u32,
    /// Arrivals that came.
    pub arrived: u32,
    /// Arrivals that it needs.
    pub expected: u32,
    /// Bytes of copies that are still awaited.
    pub bytes: i64,
}
