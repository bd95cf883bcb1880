//! Accesses that a run may do or not, as a guard says of which not all is known.
//!
//! **Promises.** Such an access is told with its place, of each lane that may do it. Once the
//! runs of a family have differed in a guard, the access is told of each lane that only this
//! guard keeps from it: in rounds that are put in between, the guard may say otherwise.
//! **Does not** tell one whose place is not known, or differs in a family: that one is blurred.

use heddle_ir::{Access, ExprId, ObjectKind, OpId, Space};

use crate::stop::Cause;

use super::value::{Value, ones};
use super::{WarpAccess, Warps, Watcher};

/// Lanes with their first bytes, by the bytes that each touches.
pub(super) type BySize = Vec<(u64, Vec<(u8, u64)>)>;

impl Warps<'_> {
    /// An access that these lanes may do or not; whether its place is known, so that it is told.
    pub(super) fn may_access(
        &mut self,
        warp: usize,
        op: OpId,
        access: &Access,
        (lanes, cause): (u32, Cause),
        watcher: &mut dyn Watcher,
    ) -> bool {
        if !self.tell_perhaps(warp, op, access, lanes, watcher) {
            return false;
        }
        if self.family.is_some() {
            let mut open = self.kernel.exprs.conjuncts(self.kernel[op].pred);
            open.retain(|it| self.holds(warp, *it, lanes).1 != 0);
            self.guarded.entry(op).or_default().extend(open);
        }
        let unknown = self.causes.get(cause);
        self.perhaps.entry(op).or_insert(unknown);
        let place = (access.address.object, self.warps[warp].block);
        if access.writes() && self.plan.tracked.contains(place.0) {
            for (size, list) in self.places(warp, access, lanes).0 {
                for (_, offset) in list {
                    self.memory.store(place, offset, size, Err(cause));
                }
            }
        }
        true
    }

    /// The lanes that would do an access or may, were it not for the guards that runs of a family
    /// have differed in.
    pub(super) fn past_guards(&self, warp: usize, op: OpId, lanes: u32) -> u32 {
        let guards = &self.guarded[&op];
        let mut all = self.kernel.exprs.conjuncts(self.kernel[op].pred);
        all.retain(|it| !guards.contains(it));
        all.into_iter().fold(lanes, |lanes, it| {
            let (doing, open) = self.holds(warp, it, lanes);
            doing | open
        })
    }

    /// The lanes for which a condition holds, and those for which it may.
    fn holds(&self, warp: usize, condition: ExprId, lanes: u32) -> (u32, u32) {
        match (self.kernel.exprs.as_const(condition), self.plan.slot_if_needed(condition)) {
            (Some(0), _) => (0, 0),
            (Some(_), _) => (lanes, 0),
            (None, Some(slot)) => self.warps[warp].slots[slot as usize].holds(lanes),
            (None, None) => (0, lanes),
        }
    }

    /// Tells an access that these lanes may do or not, if its place is known, and in a family the
    /// same in all runs.
    pub(super) fn tell_perhaps(
        &self,
        warp: usize,
        op: OpId,
        access: &Access,
        lanes: u32,
        watcher: &mut dyn Watcher,
    ) -> bool {
        let object = access.address.object;
        let is_shared = match self.kernel[object].space {
            Space::Shared | Space::Global | Space::Generic => true,
            Space::Local | Space::Constant => false,
        };
        let is_known = self.kernel[object].kind != ObjectKind::Unknown;
        let (sized, open) = self.places(warp, access, lanes);
        if !is_shared || !is_known || access.by_warp || open.is_some() {
            return false;
        }
        let (block, number) = (self.warps[warp].block, self.warps[warp].number);
        for (size, lanes) in &sized {
            let told = WarpAccess {
                block,
                warp: number,
                op,
                object,
                size: *size,
                lanes,
                written: None,
                perhaps: true,
            };
            watcher.access(&told);
        }
        true
    }

    /// Where lanes access, by size; why, if that is not known of all.
    pub(super) fn places(
        &self,
        warp: usize,
        access: &Access,
        lanes: u32,
    ) -> (BySize, Option<Cause>) {
        let [offset, size] = [access.address.offset, access.size].map(|expr| {
            match self.kernel.exprs.as_const(expr) {
                Some(value) => Value::uniform(value as u64),
                None => self.of(warp, expr).clone(),
            }
        });
        let mut sized = BySize::new();
        let mut open = None;
        for lane in ones(lanes) {
            match (offset.get(lane), size.get(lane)) {
                (Ok(offset), Ok(size)) => {
                    let at = (lane as u8, offset);
                    match sized.iter_mut().find(|it| it.0 == size) {
                        Some((_, list)) => list.push(at),
                        None => sized.push((size, vec![at])),
                    }
                }
                (Err(cause), _) | (_, Err(cause)) => open = Some(cause),
            }
        }
        (sized, open)
    }
}
