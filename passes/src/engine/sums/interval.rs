//! Who touched which bytes of shared memory since the last barrier.
//!
//! **What**: whether what a thread finds in shared memory is the same in each run without a race:
//! between two barriers, other threads' writes may come in any order that locks, flags and atomics
//! allow, or the schedule.
//! **Method**: of each byte, the threads that wrote it since, and those whose reads were believed.
//! Lanes of a warp are in order where a warp barrier stands between.
//! **Sound because**: a read is believed only if no other thread writes the byte in the same
//! interval, be it before or after in the text; then the last write of an earlier interval is the
//! one it reads from, and that was of one thread alone, or left one value.
//! **Misses**: order within an interval by anything but warp barriers.

use heddle_ir::{ObjectId, OpId};
use heddle_semantics::Warps;
use rustc_hash::{FxHashMap, FxHashSet};

/// How a thread touched a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    /// What it read was believed.
    Read,
    /// It wrote a value.
    Write(OpId),
    /// It wrote by this operation, in this iteration, what all others of its warp that do so write,
    /// or of its block where no warp is given.
    Agreed(OpId, u64, Option<u32>),
    /// It added, as others may.
    Add,
}

impl Touch {
    /// Whether the order of two touches makes no difference.
    fn commutes(self, other: Touch) -> bool {
        match (self, other) {
            (Touch::Read, Touch::Read) | (Touch::Add, Touch::Add) => true,
            (Touch::Agreed(..), Touch::Agreed(..)) => self == other,
            (Touch::Read | Touch::Write(_) | Touch::Agreed(..) | Touch::Add, _) => false,
        }
    }
}

/// Threads of one touch of a byte that are told apart.
const MOST_ALIKE: usize = 4;
/// Stands for all others.
const OTHERS: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    thread: u32,
    /// How many warp barriers its warp had passed.
    passed: u32,
    touch: Touch,
}

/// What comes of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Write {
    /// It is there in the next interval.
    Settled,
    /// What is there in the next interval is not known.
    Unsettled,
    /// A read was believed that may have found this.
    Belied,
}

/// The time since a barrier of the block.
#[derive(Debug)]
pub(super) struct Interval {
    warps: Option<Warps>,
    passed: Vec<u32>,
    touched: FxHashMap<(ObjectId, u64), Vec<Entry>>,
    /// Objects of which a read was believed.
    believed: FxHashSet<ObjectId>,
    /// Objects of which it is not known what is where in the next interval.
    unsettled: FxHashSet<ObjectId>,
}

impl Interval {
    pub(super) fn new(warps: Option<Warps>) -> Interval {
        Interval {
            warps,
            passed: vec![0; warps.map_or(0, |it| it.count() as usize)],
            touched: FxHashMap::default(),
            believed: FxHashSet::default(),
            unsettled: FxHashSet::default(),
        }
    }

    /// Whether a read was believed that a later write may belie.
    pub(super) fn has_believed(&self) -> bool {
        !self.believed.is_empty()
    }

    /// All threads of the block meet.
    pub(super) fn end(&mut self) {
        self.touched.clear();
        self.believed.clear();
        self.unsettled.clear();
    }

    /// All lanes of a warp meet.
    pub(super) fn end_of_warp(&mut self, warp: u32) {
        if let Some(passed) = self.passed.get_mut(warp as usize) {
            *passed += 1;
        }
    }

    fn passed_by(&self, thread: u32) -> u32 {
        self.warps.map_or(0, |it| self.passed[it.warp(thread) as usize])
    }

    fn in_order(&self, entry: &Entry, thread: u32) -> bool {
        let one_warp = entry.thread != OTHERS
            && self.warps.is_some_and(|it| it.warp(entry.thread) == it.warp(thread));
        entry.thread == thread || one_warp && entry.passed != self.passed_by(thread)
    }

    /// Notes a touch; whether none of another thread meets it, and whether a read that was believed
    /// does.
    fn note(&mut self, byte: (ObjectId, u64), thread: u32, touch: Touch) -> [bool; 2] {
        let passed = self.passed_by(thread);
        let entries = self.touched.get(&byte).map_or(&[][..], |it| &it[..]);
        let meets = |entry: &&Entry| !entry.touch.commutes(touch) && !self.in_order(entry, thread);
        let mut met = entries.iter().filter(meets).peekable();
        let alone = met.peek().is_none();
        let believed = met.any(|it| it.touch == Touch::Read);
        let alike = entries.iter().filter(|it| it.touch == touch).count();
        let thread = if alike < MOST_ALIKE { thread } else { OTHERS };
        let new = Entry { thread, passed, touch };
        let entries = self.touched.entry(byte).or_default();
        let known = thread == OTHERS && alike > MOST_ALIKE || entries.contains(&new);
        if !known {
            entries.push(new);
        }
        [alone, believed]
    }

    /// Whether a read of bytes finds the same in each run, as far as is known yet.
    pub(super) fn read(&mut self, object: ObjectId, place: u64, size: u64, thread: u32) -> bool {
        if self.unsettled.contains(&object) {
            return false;
        }
        let mut alone = true;
        for byte in place..place.saturating_add(size) {
            alone &= self.note((object, byte), thread, Touch::Read)[0];
        }
        if alone {
            self.believed.insert(object);
        }
        alone
    }

    /// A write to bytes.
    pub(super) fn write(
        &mut self,
        object: ObjectId,
        place: u64,
        size: u64,
        (thread, touch): (u32, Touch),
    ) -> Write {
        let mut settled = !self.unsettled.contains(&object);
        for byte in place..place.saturating_add(size) {
            let [alone, believed] = self.note((object, byte), thread, touch);
            if believed {
                return Write::Belied;
            }
            settled &= alone;
        }
        match settled {
            true => Write::Settled,
            false => self.unsettle(object),
        }
    }

    /// A write anywhere in an object, or one that is not in order with others.
    pub(super) fn write_anywhere(&mut self, object: ObjectId) -> Write {
        match self.believed.contains(&object) {
            true => Write::Belied,
            false => self.unsettle(object),
        }
    }

    fn unsettle(&mut self, object: ObjectId) -> Write {
        self.unsettled.insert(object);
        Write::Unsettled
    }
}

#[cfg(test)]
mod tests {
    use heddle_ir::cranelift_entity::EntityRef;

    use super::*;

    fn interval() -> (Interval, ObjectId, OpId) {
        let warps = Some(Warps { size: 32, threads: 64 });
        (Interval::new(warps), ObjectId::new(0), OpId::new(0))
    }

    #[test]
    fn a_read_is_belied_by_a_write_that_stands_below() {
        let (mut it, object, op) = interval();
        assert!(it.read(object, 0, 4, 3));
        assert_eq!(it.write(object, 0, 4, (3, Touch::Write(op))), Write::Settled);
        assert_eq!(it.write(object, 3, 1, (4, Touch::Write(op))), Write::Belied);
        it.end();
        assert_eq!(it.write(object, 3, 1, (4, Touch::Write(op))), Write::Settled);
    }

    #[test]
    fn lanes_are_in_order_by_a_barrier_of_their_warp() {
        let (mut it, object, op) = interval();
        assert_eq!(it.write(object, 0, 4, (0, Touch::Write(op))), Write::Settled);
        it.end_of_warp(0);
        assert!(it.read(object, 0, 4, 1));
        assert!(!it.read(object, 0, 4, 40));
    }

    #[test]
    fn of_many_readers_none_may_write() {
        let (mut it, object, op) = interval();
        assert!((0..64).all(|thread| it.read(object, 0, 4, thread)));
        it.end_of_warp(0);
        it.end_of_warp(1);
        assert_eq!(it.write(object, 0, 4, (63, Touch::Write(op))), Write::Belied);
    }

    #[test]
    fn additions_and_agreed_writes_come_in_any_order() {
        let (mut it, object, op) = interval();
        let write =
            |it: &mut Interval, place, thread, touch| it.write(object, place, 4, (thread, touch));
        assert_eq!(write(&mut it, 0, 0, Touch::Add), Write::Settled);
        assert_eq!(write(&mut it, 0, 1, Touch::Add), Write::Settled);
        assert_eq!(write(&mut it, 0, 2, Touch::Write(op)), Write::Unsettled);
        it.end();
        assert_eq!(write(&mut it, 8, 0, Touch::Agreed(op, 0, None)), Write::Settled);
        assert_eq!(write(&mut it, 8, 1, Touch::Agreed(op, 0, None)), Write::Settled);
        assert_eq!(it.write_anywhere(object), Write::Unsettled);
        assert!(!it.read(object, 8, 4, 0));
    }
}
