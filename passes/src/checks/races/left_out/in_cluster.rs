//! Copies, operands of products and barrier objects in shared memory that other blocks reach.
//!
//! **What**: whether what is no access of a thread may meet, in the shared memory of a block, what
//! a thread of another block of its cluster does there. Such pairs are compared nowhere, and leave
//! races between blocks open.
//! **Sound because** another block comes to shared memory only by an address that is mapped or not
//! known: an access or an operation on a barrier object at an unknown place. Where one is mapped,
//! it stays in its object.
//! **Misses**: order by barriers of the cluster, which is not looked at.

use heddle_diagnostics::{Code, Reason};
use heddle_ir::{Kernel, ObjectId, ObjectKind, OpId, Place, Remote, Space, TouchedBy};

use super::super::site::reaches_other_blocks;
use super::LeftOut;
use crate::engine::cx::Cx;

/// The first such operation.
pub(super) fn met_in_cluster(cx: &Cx<'_>) -> Option<LeftOut> {
    let kernel = cx.kernel;
    if !reaches_other_blocks(kernel) {
        return None;
    }
    let reached: Vec<Reached> = kernel.ops.keys().flat_map(|op| reached_by(kernel, op)).collect();
    let meets = |op: OpId| {
        kernel[op].kind.effects().touches.iter().any(|touch| {
            let is_access = matches!(touch.by, TouchedBy::Access(_) | TouchedBy::NotModelled);
            !is_access && reached.iter().any(|it| it.may_meet(kernel, touch.place))
        })
    };
    let op = kernel.ops.keys().find(|op| meets(*op))?;
    let text = "whether this meets what a thread of another block does to shared memory of its cluster was not compared";
    let reason = Reason::new(Code::Undecided, text).at(cx.places.op(kernel, op));
    Some(LeftOut { reason, within_block: false, across_blocks: true })
}

/// Where another block may come to shared memory.
enum Reached {
    /// To this object.
    Object(ObjectId),
    /// Anywhere.
    Any,
}

impl Reached {
    fn may_meet(&self, kernel: &Kernel, place: Place<'_>) -> bool {
        let Place::At(at) = place else { return true };
        let object = &kernel[at.object];
        match self {
            _ if !object.space.may_be(Space::Shared) => false,
            Reached::Object(reached) => object.kind == ObjectKind::Unknown || at.object == *reached,
            Reached::Any => true,
        }
    }
}

fn reached_by(kernel: &Kernel, op: OpId) -> Vec<Reached> {
    let touches = kernel[op].kind.effects().touches;
    let reached = touches.iter().filter_map(|touch| {
        let at = match touch.place {
            Place::At(at) => at,
            Place::Anywhere(space) => return space.may_be(Space::Shared).then_some(Reached::Any),
        };
        let object = &kernel[at.object];
        if object.kind != ObjectKind::Unknown || !object.space.may_be(Space::Shared) {
            return None;
        }
        let remote = match touch.by {
            TouchedBy::Access(access) => Remote::of(kernel, access),
            TouchedBy::Copy | TouchedBy::BarrierObject | TouchedBy::NotModelled => None,
        };
        Some(remote.map_or(Reached::Any, |it| Reached::Object(it.object)))
    });
    reached.collect()
}
