//! Which barriers are met where they stand, as a value.
//!
//! [`super::ProgramOrder`] goes by the places of barriers. It may count one that goes by an operand
//! only if all threads that it waits for execute it at one place. What the look of a kernel allows
//! is [`Regular::possible`]; what holds is asked of two threads, by `engine/regular.rs`.
//!
//! **Promises**: [`Regular::separates`] counts no barrier whose kind is not met where it stands.
//! **Does not**: find out which kinds are.

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{Barrier, BarrierAction, ClusterAction, Kernel, OpId, OpKind, Orders};

use super::{Level, separates};

/// The kinds of barriers that go by an operand, and whether each is met where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Regular {
    /// All warp barriers.
    pub warp: bool,
    /// All barriers with a number.
    pub numbered: bool,
    /// The barrier of a cluster, whose arrivals are directly followed by their waits: the waits
    /// count as barriers.
    pub cluster: bool,
    /// No thread leaves others behind at a block barrier and then does something before it returns.
    pub timely: bool,
    /// What the answers to that took for granted.
    pub relies: BTreeSet<Assumption>,
    /// Barriers of the grid that the kernel makes of a counter.
    pub grid: GridBarriers,
}

/// Block barriers that stand for barriers of the grid.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct GridBarriers {
    /// Which these are.
    pub stand_for: BTreeSet<OpId>,
    /// The accesses that make such barriers, and are ordered by that.
    pub own: BTreeSet<OpId>,
    /// What that takes for granted.
    pub relies: BTreeSet<Assumption>,
}

impl Regular {
    /// What can be, by the look of the kernel: no barrier with a number is for a part of the block.
    pub(crate) fn possible(kernel: &Kernel) -> Regular {
        let fits = |barrier: &Barrier| match barrier {
            Barrier::Named { action, count, .. } => {
                *action == BarrierAction::Sync && count.is_none()
            }
            Barrier::Block { .. }
            | Barrier::Warp { .. }
            | Barrier::Cluster { .. }
            | Barrier::Grid
            | Barrier::Mbarrier { .. } => true,
        };
        let numbered = kernel.ops.values().filter_map(|op| barrier_of(&op.kind)).all(fits);
        Regular {
            warp: true,
            numbered,
            cluster: kernel.cluster_arrivals_wait_at_once(),
            timely: true,
            relies: BTreeSet::new(),
            grid: GridBarriers::default(),
        }
    }

    /// Whether an operation is a barrier at this level that orders by its place.
    pub(crate) fn separates(&self, kernel: &Kernel, op: OpId, level: Level) -> bool {
        if self.grid.stand_for.contains(&op) {
            return true;
        }
        let counts = match barrier_of(&kernel[op].kind) {
            Some(Barrier::Warp { .. }) => self.warp,
            Some(Barrier::Named { .. }) => self.numbered,
            // What it orders for threads of two blocks it orders for those of one.
            Some(Barrier::Cluster { action, .. }) => {
                return self.cluster && level != Level::Grid && *action != ClusterAction::Arrive;
            }
            Some(Barrier::Block { .. } | Barrier::Grid | Barrier::Mbarrier { .. }) => true,
            None => return false,
        };
        counts && separates(kernel, op, level)
    }
}

/// The barrier that an operation is.
pub(crate) fn barrier_of(kind: &OpKind) -> Option<&Barrier> {
    match kind.effects().orders? {
        Orders::Barrier(barrier) => Some(barrier),
        Orders::Fence(..) | Orders::Access(..) | Orders::Copies | Orders::NotModelled => None,
    }
}
