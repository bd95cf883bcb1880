//! What a kernel does with the cluster of its blocks: accesses to another block's shared memory,
//! and barriers whose halves stand side by side.
//!
//! **What**: an access to an unknown object whose address is the mapped start of a shared object
//! (`mapa`) and a distance goes to that object of the block whose rank the thread gave, which may
//! be its own (PTX ISA, section 9.7.9.23).
//! **Sound because** nothing else in the sum counts an address, and accesses stay in their objects,
//! as each answer about them says.
//! **Does not**: follow an address that a loop carries around, a choice of two addresses, or one
//! that was in memory: such an access stays one to any object.

use smallvec::SmallVec;

use crate::entity::{ExprId, ObjectId};
use crate::expr::{BinOp, CastOp, ExprKind, Special};
use crate::kernel::{Item, Kernel};
use crate::object::{ObjectKind, Space};
use crate::op::{Access, Barrier, ClusterAction, MemoryOrder, Op, OpKind};

/// What an access to another block's shared memory goes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remote {
    /// The object, of whichever block.
    pub object: ObjectId,
    /// The rank of the block in the cluster.
    pub rank: ExprId,
    /// The sum of these, at their width and as a signed number, is the offset in the object.
    pub distance: SmallVec<[ExprId; 4]>,
}

impl Remote {
    /// Where an access goes, if to a block's shared memory by way of `mapa`.
    pub fn of(kernel: &Kernel, access: &Access) -> Option<Remote> {
        let object = &kernel[access.address.object];
        if object.kind != ObjectKind::Unknown || !object.space.may_be(Space::Shared) {
            return None;
        }
        let mut address = access.address.offset;
        while let ExprKind::Cast(CastOp::Zext | CastOp::Sext, inner) = kernel[address].kind {
            address = inner;
        }
        let (mut start, mut distance) = (None, SmallVec::new());
        let mut work = vec![address];
        while let Some(at) = work.pop() {
            if let Some(found) = mapped_start(kernel, at) {
                if start.replace(found).is_some() {
                    return None;
                }
            } else if let ExprKind::Binary(BinOp::Add, _, a, b) = kernel[at].kind {
                work.extend([b, a]);
            } else if counts_an_address(kernel, at) {
                return None;
            } else {
                distance.push(at);
            }
        }
        let (object, rank) = start?;
        Some(Remote { object, rank, distance })
    }
}

fn counts_an_address(kernel: &Kernel, at: ExprId) -> bool {
    let mut counts = false;
    kernel.exprs.for_each_below(at, |it| {
        counts |= match &kernel[it].kind {
            ExprKind::Base(_) => true,
            ExprKind::Pure(function, _) => is_map(kernel.exprs.function_name(*function)),
            _ => false,
        };
    });
    counts
}

/// The object and the rank of `mapa(base(object), rank)`.
fn mapped_start(kernel: &Kernel, at: ExprId) -> Option<(ObjectId, ExprId)> {
    let ExprKind::Pure(function, ref args) = kernel[at].kind else { return None };
    let &[base, rank] = &args[..] else { return None };
    if !is_map(kernel.exprs.function_name(function)) {
        return None;
    }
    let base = match kernel[base].kind {
        ExprKind::Cast(CastOp::Trunc, inner) => inner,
        _ => base,
    };
    let ExprKind::Base(object) = kernel[base].kind else { return None };
    let is_shared =
        kernel[object].space == Space::Shared && kernel[object].kind != ObjectKind::Unknown;
    is_shared.then_some((object, rank))
}

fn is_map(function: &str) -> bool {
    function.split('.').next() == Some("mapa")
}

impl Kernel {
    /// Whether the kernel makes addresses of another block's shared memory.
    pub fn maps_to_blocks(&self) -> bool {
        self.exprs.iter().any(|(_, it)| match it.kind {
            ExprKind::Pure(function, _) => is_map(self.exprs.function_name(function)),
            _ => false,
        })
    }

    /// Whether threads meet those of their cluster at barriers.
    pub fn meets_cluster(&self) -> bool {
        let is_barrier = |op: &Op| matches!(op.kind, OpKind::Barrier(Barrier::Cluster { .. }));
        self.ops.values().any(is_barrier)
    }

    /// Whether the kernel goes by which blocks are of one cluster.
    pub fn goes_by_clusters(&self) -> bool {
        let is_place = |kind: &ExprKind| {
            matches!(kind, ExprKind::Special(Special::ClusterCtaRank | Special::ClusterNctaRank))
        };
        self.meets_cluster()
            || self.maps_to_blocks()
            || self.exprs.iter().any(|(_, it)| is_place(&it.kind))
    }

    /// Whether all that threads do at the barrier of their cluster is to arrive, releasing, and to
    /// wait at once, acquiring.
    pub fn cluster_arrivals_wait_at_once(&self) -> bool {
        self.halves_are_together(&self.body.items)
    }

    fn halves_are_together(&self, items: &[Item]) -> bool {
        let mut arrived: Option<ExprId> = None;
        for item in items {
            let op = match *item {
                Item::Op(op) => op,
                Item::Loop(inner)
                    if arrived.is_none() && self.halves_are_together(&self[inner].body.items) =>
                {
                    continue;
                }
                Item::Loop(_) => return false,
            };
            let OpKind::Barrier(Barrier::Cluster { action, order, .. }) = &self[op].kind else {
                if arrived.is_some() {
                    return false;
                }
                continue;
            };
            let pred = self[op].pred;
            let is_next = match action {
                ClusterAction::Arrive => arrived.replace(pred).is_none(),
                ClusterAction::Wait => arrived.take() == Some(pred),
                ClusterAction::Sync => arrived.is_none(),
            };
            if !is_next || *order == MemoryOrder::Relaxed {
                return false;
            }
        }
        arrived.is_none()
    }
}
