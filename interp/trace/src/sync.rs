//! What a strand can do to order itself with others.

use heddle_semantics::{Arrivals, Target};

use crate::access::AccessKind;

/// A barrier object in shared memory: its region and first byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectName {
    /// The region.
    pub region: u32,
    /// The byte.
    pub offset: u64,
}

/// A synchronization event of a strand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sync {
    /// A named barrier of the block.
    Named {
        /// Which.
        id: u32,
        /// Arrivals that the strand says its generation needs.
        expected: Arrivals,
        /// Arrivals that the strand brings: its threads, or a warp's worth.
        brings: u32,
        /// It waits for the generation to complete (`sync`), or goes on (`arrive`).
        waits: bool,
        /// The whole warp does it as one instruction.
        aligned: bool,
    },
    /// A barrier object.
    Object(ObjectName, ObjectStep),
    /// The barrier of the cluster.
    Cluster {
        /// Which half of it.
        step: ClusterStep,
        /// Threads that the strand brings.
        brings: u32,
    },
    /// Asynchronous accesses are issued: orders nothing.
    Issue,
    /// Asynchronous accesses of the strand were waited for: orders nothing else.
    Settle,
    /// Matrix products of the strand's warpgroup.
    Product(ProductStep),
    /// The lanes of the warp that take part wait for each other.
    Warp {
        /// The lanes.
        lanes: u64,
    },
}

/// Half of a cluster barrier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClusterStep {
    /// Arrives and goes on.
    Arrive,
    /// Arrives without releasing what the strand did (`.relaxed`), and goes on.
    ArriveRelaxed,
    /// Waits for all to have arrived.
    Wait,
}

/// What is done to the groups of matrix products of a warpgroup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProductStep {
    /// The products so far are a group.
    Commit,
    /// Waits for all but the last `behind` groups.
    Wait {
        /// Groups that may be under way.
        behind: u32,
    },
}

/// What is done to a barrier object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectStep {
    /// Its life begins; each phase needs so many arrivals.
    Init(u32),
    /// Its life ends.
    Invalidate,
    /// So many arrivals, after raising the bytes that the phase waits for.
    Arrive {
        /// Arrivals.
        count: u32,
        /// Bytes.
        expect: u32,
        /// Later phases need so many fewer.
        drop: bool,
    },
    /// The phase waits for so many more bytes.
    Expect(u32),
    /// So many bytes have come. Asynchronous: the strand does not wait for it.
    Complete(u32),
    /// So many arrivals that come when copies are done. Asynchronous: the strand does not wait for
    /// them, and releases nothing.
    Signal(u32),
    /// Waits until a phase is over.
    Wait(Target),
    /// Looks whether a phase is over, so that a later wait for it may be left out; here it is done
    /// all the same.
    Ask(Target),
}

impl ObjectStep {
    /// What the strand itself does to the bytes of the object, and 0 for the value: two
    /// initialisations without an order are a race also with equal counts, since the second meets
    /// an object that is in use (PTX ISA, `mbarrier.init`). Asynchronous ends of copies are not
    /// its doing.
    pub(crate) fn touches(self) -> Option<(AccessKind, u32)> {
        match self {
            ObjectStep::Init(_) | ObjectStep::Invalidate => Some((AccessKind::Write, 0)),
            ObjectStep::Arrive { .. } | ObjectStep::Expect(_) => Some((AccessKind::Object, 0)),
            ObjectStep::Wait(_) | ObjectStep::Ask(_) => Some((AccessKind::ObjectRead, 0)),
            ObjectStep::Complete(_) | ObjectStep::Signal(_) => None,
        }
    }

    /// A wait as a look ahead; anything else as it is.
    #[must_use]
    pub fn ahead(self) -> ObjectStep {
        match self {
            ObjectStep::Wait(target) | ObjectStep::Ask(target) => ObjectStep::Ask(target),
            ObjectStep::Init(_)
            | ObjectStep::Invalidate
            | ObjectStep::Arrive { .. }
            | ObjectStep::Expect(_)
            | ObjectStep::Complete(_)
            | ObjectStep::Signal(_) => self,
        }
    }
}
