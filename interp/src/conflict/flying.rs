//! Asynchronous copies among the conflicts: what is under way touches its bytes in each interval
//! that begins.
//!
//! **Misses**: copies beyond [`MOST_FLYING`], and intervals beyond [`MOST_FLOWN`]. Of copies of one
//! thread and operation to the same bytes the latest stands for all: it is over last.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use heddle_ir::{ObjectId, OpId};
use rustc_hash::FxHashMap;

use super::{Common, ConflictFinder, Record};
use crate::journal::{AccessClass, CopyEvent, Moment, ThreadAccess};

/// Copies under way that are remembered, and how often they are looked at anew: beyond, a conflict
/// with one of an earlier interval may be missed.
const MOST_FLYING: usize = 2048;
const MOST_FLOWN: usize = 1 << 18;

/// The bytes of an end, the thread and the operation that touch them, and how: of copies that agree
/// in all of these one stands for the others.
type Place = (ObjectId, ThreadAccess, OpId, AccessClass);

/// The ends of copies that nobody has waited for.
#[derive(Default, Debug)]
pub(super) struct Flying {
    /// By a number of their place that rises with the first copy to it.
    ends: BTreeMap<u64, End>,
    /// The numbers of the ends that belong to a copy.
    of_copy: FxHashMap<u64, Vec<u64>>,
    by_place: FxHashMap<Place, u64>,
    next: u64,
}

/// Where a copy writes, or reads.
#[derive(Debug)]
struct End {
    copy: u64,
    object: ObjectId,
    record: Record,
}

impl End {
    fn place(&self) -> Place {
        (self.object, self.record.at, self.record.common.op, self.record.common.class)
    }
}

impl Flying {
    /// An end of a copy is under way; of those to the same place it is over last.
    fn insert(&mut self, end: End) {
        let (place, copy) = (end.place(), end.copy);
        let number = match self.by_place.get(&place) {
            Some(&number) => number,
            None if self.ends.len() >= MOST_FLYING => return,
            None => {
                self.next += 1;
                self.by_place.insert(place, self.next);
                self.next
            }
        };
        if let Some(before) = self.ends.insert(number, end)
            && let Some(ends) = self.of_copy.get_mut(&before.copy)
        {
            ends.retain(|it| *it != number);
        }
        self.of_copy.entry(copy).or_default().push(number);
    }

    /// The ends of a copy for which this holds are under way no longer.
    pub(super) fn end(&mut self, copy: u64, is_over: impl Fn(AccessClass) -> bool) {
        let Some(ends) = self.of_copy.remove(&copy) else { return };
        let mut left = Vec::new();
        for number in ends {
            let Some(end) = self.ends.get(&number) else { continue };
            if is_over(end.record.common.class) {
                self.by_place.remove(&end.place());
                self.ends.remove(&number);
            } else {
                left.push(number);
            }
        }
        if !left.is_empty() {
            self.of_copy.insert(copy, left);
        }
    }
}

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
            self.flying.insert(End { copy: copy.number, object, record });
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
        self.flown += self.flying.ends.len();
        let ends = self.flying.ends.values().map(|it| (it.object, it.record.clone()));
        for (object, record) in ends.collect::<Vec<_>>() {
            let Record { common, at: access, memory, .. } = record;
            let (interval, grid_interval) = (interval(memory), at.grid_interval);
            let cluster_interval = at.cluster_interval;
            let common = Common { interval, grid_interval, cluster_interval, ..(*common).clone() };
            let record = self.record(Rc::new(common), access, None, memory);
            let rank = self.launch.shape.clusters().rank(at.block);
            self.touch(record, (object, rank))?;
        }
        ControlFlow::Continue(())
    }
}
