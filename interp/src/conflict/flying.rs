//! Asynchronous copies among the conflicts: what is under way touches its bytes in each interval
//! that begins.
//!
//! **Misses**: copies beyond [`MOST_FLYING`], and intervals beyond [`MOST_FLOWN`]. Of copies of one
//! thread and operation to the same bytes the latest stands for all: it is over last.

use std::ops::ControlFlow;
use std::rc::Rc;

use heddle_ir::ObjectId;

use super::{Common, ConflictFinder, Record};
use crate::journal::{AccessClass, CopyEvent, Moment};

/// Copies under way that are remembered, and how often they are looked at anew: beyond, a conflict
/// with one of an earlier interval may be missed.
const MOST_FLYING: usize = 2048;
const MOST_FLOWN: usize = 1 << 18;

impl ConflictFinder<'_> {
    /// A copy is under way from now on.
    pub(super) fn takes_off(&mut self, at: &Moment<'_>, copy: &CopyEvent) {
        let ends = [(AccessClass::Write, copy.destination), (AccessClass::Read, copy.source)];
        for (class, end) in ends {
            let Some((object, access)) = end else { continue };
            let Some(memory) = self.memory_of(at, object) else { continue };
            if !self.wants(at, access.thread) {
                continue;
            }
            let common = Rc::new(Common::of(at, class, (None, copy.group), memory));
            if let Some(group) = copy.group {
                self.parts.insert(copy.number, (access.thread, group));
            }
            let record = self.record(common, access, None, memory);
            let same = |it: &&mut (u64, ObjectId, Record)| {
                let (a, b) = (&it.2, &record);
                it.1 == object
                    && a.at == b.at
                    && (a.common.op, a.common.class) == (b.common.op, b.common.class)
            };
            let has_room = self.flying.len() < MOST_FLYING;
            match self.flying.iter_mut().find(same) {
                // The wait for the later one is over last.
                Some(known) => *known = (copy.number, object, record),
                None if has_room => {
                    self.flying.push((copy.number, object, record));
                }
                None => {}
            }
        }
    }

    /// Copies under way touch their bytes in the interval that begins, too.
    pub(super) fn fly_on(
        &mut self,
        at: &Moment<'_>,
        interval: impl Fn(usize) -> u32,
    ) -> ControlFlow<()> {
        if self.flown > MOST_FLOWN {
            return ControlFlow::Continue(());
        }
        self.flown += self.flying.len();
        for (_, object, record) in self.flying.clone() {
            let Record { common, at: access, memory, .. } = record;
            let (interval, grid_interval) = (interval(memory), at.grid_interval);
            let common = Common { interval, grid_interval, ..(*common).clone() };
            let record = self.record(Rc::new(common), access, None, memory);
            self.touch(record, object)?;
        }
        ControlFlow::Continue(())
    }
}
