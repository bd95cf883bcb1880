//! Events of copies that stand in arrays of the thread, between their store and the load that a
//! wait is for.
//!
//! **What**: whether the event that a wait loads is that of the copy.
//! **Method**: along the way, a store of the copy's event makes a slot, a store that may meet the
//! slot ends it, and a load finds the event where its address is that of a slot.
//! **Sound because**: only the thread itself writes its own memory, all its stores to the array are
//! listed on the way, and whatever is not, as the iterations between two that are, ends all slots.
//! **Misses**: events that go through two arrays.

use heddle_ir::{
    AccessKind, AsyncMechanism, ExprId, ExprKind, Kernel, ObjectId, OpId, OpKind, Space,
};
use rustc_hash::FxHashMap;

use super::events::EventKind;
use super::{Map, Other};
use crate::engine::instance::{FrameId, Instance};

/// Bytes of an event.
const EVENT_BYTES: u128 = 8;

/// Where the event of the copy stands.
#[derive(Default)]
pub(super) struct Slots {
    /// Whether it does, in which array, and where there.
    open: Vec<(ExprId, ObjectId, ExprId)>,
    /// Whether the last load of an operation has found it.
    loaded: FxHashMap<OpId, ExprId>,
}

/// Arrays of the thread from which waits take their events.
pub(super) fn arrays(kernel: &Kernel) -> Vec<ObjectId> {
    let mut arrays = Vec::new();
    for op in kernel.ops.values() {
        let OpKind::EventWait(events) = &op.kind else { continue };
        for event in events {
            let ExprKind::Result(load, _) = kernel.exprs[*event].kind else { continue };
            let object = kernel.access(load).map(|access| access.address.object);
            arrays.extend(object.filter(|it| kernel[*it].space == Space::Local));
        }
    }
    arrays
}

impl Map<'_> {
    /// What an operation does to the arrays that events are in, if anything.
    pub(super) fn kind_in_arrays(&self, op: OpId) -> Option<EventKind> {
        if self.arrays.is_empty() || !self.follows_events() {
            return None;
        }
        let effects = self.kernel[op].kind.effects();
        let mut touches = effects.touches.iter();
        let meets =
            touches.any(|it| self.arrays.iter().any(|of| it.place.may_be(self.kernel, *of)));
        if !meets {
            return None;
        }
        let Some(access) = self.kernel.access(op) else { return Some(EventKind::Forgets) };
        let whole = self.kernel.exprs.as_const(access.size) == Some(EVENT_BYTES);
        let known = whole && self.arrays.contains(&access.address.object);
        match &access.kind {
            AccessKind::Load => known.then_some(EventKind::Load(op)),
            AccessKind::Store(values) if known && values.len() == 1 => Some(EventKind::Store(op)),
            AccessKind::Store(_) | AccessKind::Atomic(..) => Some(EventKind::Forgets),
        }
    }

    /// Whether the way is one to a wait for an event.
    pub(super) fn follows_events(&self) -> bool {
        self.other == Other::Itself && self.flight.mechanism == AsyncMechanism::WorkGroupEvent
    }
}

impl Slots {
    pub(super) fn forget(&mut self) {
        self.open.clear();
        self.loaded.clear();
    }

    /// A store that is executed where `done`, of the event of the copy or of another.
    pub(super) fn store(
        &mut self,
        instance: &mut Instance<'_>,
        (op, frame): (OpId, FrameId),
        done: ExprId,
        event: ExprId,
    ) {
        let Some(access) = instance.analysis.kernel.access(op) else { return };
        let AccessKind::Store(values) = &access.kind else { return };
        let at = instance.at(frame, access.address.offset);
        for (holds, object, slot) in &mut self.open {
            if *object != access.address.object {
                continue;
            }
            // Less than an event apart, in either direction.
            let apart = instance.pool.sub(at, *slot);
            let most = instance.pool.constant(EVENT_BYTES - 1, 64);
            let shifted = instance.pool.add(apart, most);
            let range = instance.pool.constant(2 * EVENT_BYTES - 1, 64);
            let near = instance.pool.ult(shifted, range);
            let gone = instance.pool.and(done, near);
            let stays = instance.pool.not(gone);
            *holds = instance.pool.and(*holds, stays);
        }
        let value = instance.at(frame, values[0]);
        let is_event = instance.pool.eq(value, event);
        let holds = instance.pool.and(done, is_event);
        if instance.pool.as_const(holds) != Some(0) {
            self.open.push((holds, access.address.object, at));
        }
    }

    /// A load that is executed where `done`.
    pub(super) fn load(
        &mut self,
        instance: &mut Instance<'_>,
        (op, frame): (OpId, FrameId),
        done: ExprId,
    ) {
        let Some(access) = instance.analysis.kernel.access(op) else { return };
        let at = instance.at(frame, access.address.offset);
        let mut found = instance.pool.falsity();
        for (holds, object, slot) in &self.open {
            if *object == access.address.object {
                let same = instance.pool.eq(at, *slot);
                let here = instance.pool.and(*holds, same);
                found = instance.pool.or(found, here);
            }
        }
        let found = instance.pool.and(done, found);
        self.loaded.insert(op, found);
    }

    /// Whether an event that a wait is for is a load on the way, and the load has found the event
    /// of the copy.
    pub(super) fn found(&self, kernel: &Kernel, event: ExprId) -> Option<ExprId> {
        let ExprKind::Result(load, _) = kernel.exprs[event].kind else { return None };
        self.loaded.get(&load).copied()
    }
}
