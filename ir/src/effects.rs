//! What an operation does to memory, to order and to threads, said once for all analyses.
//!
//! **What**: [`OpKind::effects`] names all memory that an operation may touch, how it may order
//! accesses of several threads, which threads it may wait for, and whether a thread ends there.
//! **Sound because**: the match below lists every kind of operation, so a new one does not compile
//! before its effects are said here; analyses that ask for effects then see it without a change.
//! **Does not**: say when an effect happens. A copy touches memory later than the operation that
//! issues it.

use smallvec::SmallVec;

use crate::entity::ObjectId;
use crate::kernel::Kernel;
use crate::object::{Address, ObjectKind, Space};
use crate::op::{
    Access, Barrier, BarrierAction, ClusterAction, CrossLaneKind, Ending, MbarrierAction,
    MemoryOrder, OpKind, Proxy, RegisterMove, Scope, Touches,
};

/// What an operation does that other threads, or the thread's own later operations, may notice.
#[derive(Clone, Debug)]
pub struct Effects<'k> {
    /// Memory that it may read or write.
    pub touches: SmallVec<[Touch<'k>; 2]>,
    /// How it may order accesses of several threads.
    pub orders: Option<Orders<'k>>,
    /// What a thread may have to wait for.
    pub waits: Option<Waits>,
    /// How the thread ends.
    pub ends: Option<Ending>,
    /// The name of what is not modelled, so that the rest says only what it may do.
    pub not_modelled: Option<&'k str>,
}

/// Memory that an operation may touch.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'k> {
    /// Where.
    pub place: Place<'k>,
    /// It may look at it.
    pub reads: bool,
    /// It may change it.
    pub writes: bool,
    /// As what.
    pub by: TouchedBy<'k>,
}

/// Where an operation touches memory.
#[derive(Clone, Copy, Debug)]
pub enum Place<'k> {
    /// At or around an address.
    At(&'k Address),
    /// Anywhere in a space.
    Anywhere(Space),
}

/// As what memory is touched.
#[derive(Clone, Copy, Debug)]
pub enum TouchedBy<'k> {
    /// A load, a store or an atomic of the thread.
    Access(&'k Access),
    /// An asynchronous copy, at any time until it has been waited for.
    Copy,
    /// An operation on a barrier object, or the end of a copy that such an object learns of.
    BarrierObject,
    /// Something that is not modelled.
    NotModelled,
}

/// How an operation may order accesses of several threads.
#[derive(Clone, Copy, Debug)]
pub enum Orders<'k> {
    /// Threads meet at a barrier, or one of them arrives there.
    Barrier(&'k Barrier),
    /// A fence.
    Fence(MemoryOrder, Scope, Option<Proxy>),
    /// An access that is itself ordered.
    Access(MemoryOrder, Scope),
    /// A copy is issued or waited for.
    Copies,
    /// Something that is not modelled.
    NotModelled,
}

/// What a thread may have to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    /// All threads of its block.
    Block,
    /// All blocks of its cluster.
    Cluster,
    /// All blocks of the grid.
    Grid,
    /// The threads that are counted at a named barrier.
    Counted,
    /// Lanes of its warp.
    Lanes,
    /// The end of a phase of a barrier object.
    Phase,
    /// Copies that the thread itself has issued.
    OwnCopies,
    /// Registers that other warps give back.
    Registers,
    /// Something that is not modelled.
    NotModelled,
}

impl Waits {
    /// Whether other threads must do something first. That registers are given back is taken for
    /// granted where it matters (`named-barriers` names it).
    pub fn for_other_threads(self) -> bool {
        match self {
            Waits::Block
            | Waits::Cluster
            | Waits::Grid
            | Waits::Counted
            | Waits::Lanes
            | Waits::Phase
            | Waits::NotModelled => true,
            Waits::OwnCopies | Waits::Registers => false,
        }
    }

    /// Whether every thread of the block is waited for, others perhaps as well.
    pub fn for_whole_block(self) -> bool {
        match self {
            Waits::Block | Waits::Cluster | Waits::Grid => true,
            Waits::Counted
            | Waits::Lanes
            | Waits::Phase
            | Waits::OwnCopies
            | Waits::Registers
            | Waits::NotModelled => false,
        }
    }
}

impl Place<'_> {
    /// Whether memory of an object may be meant.
    pub fn may_be(&self, kernel: &Kernel, object: ObjectId) -> bool {
        match self {
            Place::At(address) => kernel.may_alias(address.object, object),
            Place::Anywhere(space) => space.may_be(kernel[object].space),
        }
    }
}

impl Kernel {
    /// Whether two objects may be the same memory: the same one, or one of them unknown and the
    /// other of its space.
    pub fn may_alias(&self, a: ObjectId, b: ObjectId) -> bool {
        let (x, y) = (&self[a], &self[b]);
        let unknown = x.kind == ObjectKind::Unknown || y.kind == ObjectKind::Unknown;
        a == b || (unknown && x.space.may_be(y.space))
    }
}

impl<'k> Effects<'k> {
    /// None at all.
    fn none() -> Effects<'k> {
        Effects {
            touches: SmallVec::new(),
            orders: None,
            waits: None,
            ends: None,
            not_modelled: None,
        }
    }

    fn touching(touches: impl IntoIterator<Item = Touch<'k>>) -> Effects<'k> {
        Effects { touches: touches.into_iter().collect(), ..Effects::none() }
    }

    /// What it may write.
    pub fn writes(&self) -> impl Iterator<Item = &Touch<'k>> {
        self.touches.iter().filter(|touch| touch.writes)
    }
}

impl OpKind {
    /// What the operation does to memory, to order and to threads.
    pub fn effects(&self) -> Effects<'_> {
        match self {
            OpKind::Access(access) => {
                let by = TouchedBy::Access(access);
                let it = touch(&access.address, access.reads(), access.writes(), by);
                let orders = access.order.map(|(order, scope)| Orders::Access(order, scope));
                Effects { orders, ..Effects::touching([it]) }
            }
            OpKind::Barrier(barrier) => of_barrier(barrier),
            OpKind::Fence { order, scope, proxy } => {
                Effects { orders: Some(Orders::Fence(*order, *scope, *proxy)), ..Effects::none() }
            }
            OpKind::AsyncCopy(copy) => {
                let to = copy.writes().then_some(&copy.destination);
                let to = to.map(|at| touch(at, copy.combines, true, TouchedBy::Copy));
                let from = touch(&copy.source, true, false, TouchedBy::Copy);
                let signal = copy.mbarrier.as_ref();
                let signal = signal.map(|at| touch(at, true, true, TouchedBy::BarrierObject));
                let touches = to.into_iter().chain([from]).chain(signal);
                Effects { orders: Some(Orders::Copies), ..Effects::touching(touches) }
            }
            OpKind::AsyncCommit(_) => Effects { orders: Some(Orders::Copies), ..Effects::none() },
            OpKind::AsyncWait { mechanism: _, pending: _, read_only: _ } => Effects {
                orders: Some(Orders::Copies),
                waits: Some(Waits::OwnCopies),
                ..Effects::none()
            },
            OpKind::EventWait(_) => Effects {
                orders: Some(Orders::Copies),
                waits: Some(Waits::OwnCopies),
                ..Effects::none()
            },
            OpKind::CrossLane(lanes) => {
                let waits = (lanes.kind != CrossLaneKind::ActiveMask).then_some(Waits::Lanes);
                Effects { waits, ..Effects::none() }
            }
            OpKind::Assume(_) | OpKind::Assert { condition: _, message: _ } | OpKind::Claim(_) => {
                Effects::none()
            }
            OpKind::Registers(how) => {
                let waits = match how {
                    RegisterMove::Take => Some(Waits::Registers),
                    RegisterMove::Give => None,
                };
                Effects { waits, ..Effects::none() }
            }
            OpKind::Exit(ending) => Effects { ends: Some(*ending), ..Effects::none() },
            OpKind::Opaque(opaque) => {
                let synchronizes = opaque.may_synchronize;
                Effects {
                    orders: synchronizes.then_some(Orders::NotModelled),
                    waits: synchronizes.then_some(Waits::NotModelled),
                    not_modelled: Some(&opaque.name),
                    ..Effects::touching(of_opaque(&opaque.touches))
                }
            }
        }
    }
}

fn touch<'k>(at: &'k Address, reads: bool, writes: bool, by: TouchedBy<'k>) -> Touch<'k> {
    Touch { place: Place::At(at), reads, writes, by }
}

fn of_opaque(touches: &Touches) -> impl Iterator<Item = Touch<'_>> {
    let Touches { reads, writes, reads_spaces, writes_spaces } = touches;
    let by = TouchedBy::NotModelled;
    let at = |reads| move |at| touch(at, reads, !reads, by);
    let anywhere = |reads| {
        move |space: &Space| Touch { place: Place::Anywhere(*space), reads, writes: !reads, by }
    };
    let named = reads.iter().map(at(true)).chain(writes.iter().map(at(false)));
    let spaces = reads_spaces.iter().map(anywhere(true));
    named.chain(spaces).chain(writes_spaces.iter().map(anywhere(false)))
}

fn of_barrier(barrier: &Barrier) -> Effects<'_> {
    let waits = match barrier {
        Barrier::Block { .. } => Some(Waits::Block),
        Barrier::Named { action, count, .. } => match (action, count) {
            (BarrierAction::Sync, None) => Some(Waits::Block),
            (BarrierAction::Sync, Some(_)) => Some(Waits::Counted),
            (BarrierAction::Arrive, _) => None,
        },
        Barrier::Warp { .. } => Some(Waits::Lanes),
        Barrier::Cluster { action, .. } => match action {
            ClusterAction::Arrive => None,
            ClusterAction::Wait | ClusterAction::Sync => Some(Waits::Cluster),
        },
        Barrier::Grid => Some(Waits::Grid),
        Barrier::Mbarrier { address: _, action } => match action {
            MbarrierAction::Test { .. } => Some(Waits::Phase),
            MbarrierAction::Init(_)
            | MbarrierAction::Invalidate
            | MbarrierAction::Arrive { .. }
            | MbarrierAction::ExpectTx(_)
            | MbarrierAction::CompleteTx(_)
            | MbarrierAction::ProductsArrive
            | MbarrierAction::CopiesArrive { .. } => None,
        },
    };
    let object = match barrier {
        Barrier::Mbarrier { address, action: _ } => Some(address),
        Barrier::Block { .. }
        | Barrier::Named { .. }
        | Barrier::Warp { .. }
        | Barrier::Cluster { .. }
        | Barrier::Grid => None,
    };
    let object = object.map(|at| touch(at, true, true, TouchedBy::BarrierObject));
    Effects { orders: Some(Orders::Barrier(barrier)), waits, ..Effects::touching(object) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Opaque;

    #[test]
    fn what_is_not_modelled_has_the_effects_that_it_may_have() {
        let touches =
            Touches { writes_spaces: [Space::Shared].into_iter().collect(), ..Touches::nothing() };
        let mut opaque =
            Opaque { name: "x".into(), args: SmallVec::new(), touches, may_synchronize: false };
        let kind = OpKind::Opaque(opaque.clone());
        let effects = kind.effects();
        assert_eq!(effects.writes().count(), 1);
        assert!(effects.orders.is_none() && effects.waits.is_none());
        opaque.may_synchronize = true;
        let kind = OpKind::Opaque(opaque);
        let effects = kind.effects();
        assert_eq!(effects.waits, Some(Waits::NotModelled));
        assert!(matches!(effects.orders, Some(Orders::NotModelled)));
    }

    #[test]
    fn an_arrival_waits_for_nobody() {
        let arrive = Barrier::Cluster {
            action: ClusterAction::Arrive,
            order: MemoryOrder::Release,
            aligned: true,
        };
        let kind = OpKind::Barrier(arrive);
        assert_eq!(kind.effects().waits, None);
        assert!(kind.effects().orders.is_some());
        assert_eq!(OpKind::Barrier(Barrier::Grid).effects().waits, Some(Waits::Grid));
    }
}
