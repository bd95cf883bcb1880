//! What an execution leaves behind: intervals, generations, and tracks of accesses.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::access::AccessKind;
use crate::clock::{Knowledge, Tick};
use crate::shape::{Footprint, Shapes};
use crate::strand::{Strand, StrandId};
use crate::sync::{ObjectName, Sync};

/// A generation in its table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GenerationId(pub u32);

/// A barrier, whatever its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Name {
    /// A named barrier of a block.
    Named {
        /// The block.
        block: u32,
        /// The number, 0 to 15.
        id: u32,
    },
    /// A barrier object.
    Object(ObjectName),
    /// The barrier of the cluster.
    Cluster,
    /// The matrix products of a warpgroup.
    Warpgroup {
        /// The block.
        block: u32,
        /// The index of the warpgroup in its block.
        index: u32,
    },
    /// A barrier among lanes of a warp.
    Warp {
        /// The block.
        block: u32,
        /// The warp.
        warp: u32,
        /// The lanes.
        lanes: u64,
    },
}

/// A stretch of a strand between two of its events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    /// What happened before it.
    pub known: Knowledge,
    /// Intervals of the strand itself that lie before it for all its lanes.
    pub joint: Tick,
}

/// An event of a strand; the `k`-th ends interval `k`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// What: an index into [`Trace::syncs`].
    pub sync: u32,
    /// Where from, a number of the caller's.
    pub source: u32,
    /// The generation or phase it belongs to; for a wait the one it waited for. None where there is
    /// none.
    pub generation: Option<GenerationId>,
}

/// One arrival at a barrier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Membership {
    /// Who.
    pub strand: StrandId,
    /// Which of its events.
    pub event: Tick,
}

/// One use of a barrier: a generation, or a phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generation {
    /// Of which barrier.
    pub name: Name,
    /// Which one, from zero.
    pub number: u32,
    /// Threads it needs.
    pub expected: u32,
    /// Who arrived.
    pub arrivals: SmallVec<[Membership; 4]>,
    /// Whether it completed.
    pub is_complete: bool,
}

/// What recurs of an access.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessKey {
    /// The bytes.
    pub footprint: Footprint,
    /// What is done to them.
    pub kind: AccessKind,
    /// Where from, a number of the caller's.
    pub source: u32,
    /// What is written: equal numbers, not zero, at equal bytes are equal values. Zero is not
    /// known.
    pub value: u32,
}

/// Rising numbers, kept as arithmetic runs: first, step, how many.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Ticks {
    runs: SmallVec<[(Tick, Tick, u32); 1]>,
}

impl Ticks {
    /// Adds one that is at least the last; one that is there is not added again.
    pub fn push(&mut self, tick: Tick) {
        match self.runs.last_mut() {
            Some((first, step, count)) => {
                let last = *first + *step * (*count - 1);
                if tick == last {
                    return;
                }
                if *count == 1 {
                    *step = tick - last;
                }
                if tick - last == *step {
                    *count += 1;
                } else {
                    self.runs.push((tick, 0, 1));
                }
            }
            None => self.runs.push((tick, 0, 1)),
        }
    }

    /// All of them, rising.
    pub fn iter(&self) -> impl Iterator<Item = Tick> + '_ {
        self.runs.iter().flat_map(|(first, step, count)| (0..*count).map(move |n| first + step * n))
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|(.., count)| *count as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

/// One recurring access of a strand, and the intervals it recurs in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Track {
    /// Who.
    pub strand: StrandId,
    /// What.
    pub key: AccessKey,
    /// When.
    pub ticks: Ticks,
}

/// When an asynchronous access is known to be over: for who knows that a dimension of the clock is
/// so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ending {
    /// The dimension.
    pub dimension: u32,
    /// How far.
    pub tick: Tick,
}

/// An asynchronous access: it starts after what its issuer knew, and is over when its ending is
/// known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pending {
    /// Who issued it.
    pub issuer: StrandId,
    /// In which interval.
    pub tick: Tick,
    /// What.
    pub key: AccessKey,
    /// It is one operation of all lanes: each of them that knows an ending knows that it is over.
    pub together: bool,
    /// Its endings: any shows that it is over; without one it is not before the kernel ends.
    pub endings: SmallVec<[Ending; 1]>,
}

/// A step of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A strand does its next event.
    Does(StrandId),
    /// A strand ends, and brings so many fewer arrivals to barriers for all.
    Ends(StrandId, u32),
}

/// The whole trace.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// Who.
    pub strands: Vec<Strand>,
    /// Intervals of each strand.
    pub intervals: Vec<Vec<Interval>>,
    /// Events of each strand.
    pub events: Vec<Vec<Event>>,
    /// The different events.
    pub syncs: Vec<Sync>,
    /// Generations and phases, in the order in which they began.
    pub generations: Vec<Generation>,
    /// Shapes of footprints.
    pub shapes: Shapes,
    /// Accesses.
    pub tracks: Vec<Track>,
    /// Asynchronous accesses.
    pub pending: Vec<Pending>,
    /// The schedule: who did the next of its events, or ended.
    pub schedule: Vec<Turn>,
    /// Thread accesses recorded, as the paper counts commands together with thread arrivals.
    pub commands: u64,
    /// When the ends of copies, which are events at their issue, are known to have come.
    pub(crate) ends: FxHashMap<Membership, Ending>,
    pub(crate) sync_index: FxHashMap<Sync, u32>,
    pub(crate) track_index: FxHashMap<(StrandId, AccessKey), u32>,
}

impl Trace {
    /// The interval a strand is in.
    pub fn tick(&self, strand: StrandId) -> Tick {
        self.intervals[strand.0 as usize].len() as Tick - 1
    }

    /// An interval of a strand.
    #[inline]
    pub fn interval(&self, strand: StrandId, tick: Tick) -> &Interval {
        &self.intervals[strand.0 as usize][tick as usize]
    }

    /// Whether interval `i` of `a` lies before interval `j` of `b`, for any lanes of theirs that
    /// differ.
    #[inline]
    pub fn is_before(&self, a: StrandId, i: Tick, b: StrandId, j: Tick) -> bool {
        let later = self.interval(b, j);
        if a == b { later.joint > i } else { later.known.seen().get(a.0) > i }
    }

    /// Whether event `i` of `a` comes before event `j` of `b` in every schedule, for any lanes of
    /// theirs that differ. Its effects may not be seen yet.
    pub fn is_caused_by(&self, a: StrandId, i: Tick, b: StrandId, j: Tick) -> bool {
        let later = self.interval(b, j);
        later.known.cause().get(a.0) > i || (a == b && later.joint > i)
    }

    /// Whether a strand knows in an interval that an asynchronous access is over; `own` where it is
    /// the same lane that issued it.
    pub fn is_over(&self, copy: &Pending, strand: StrandId, tick: Tick, own: bool) -> bool {
        copy.endings.iter().any(|ending| {
            let Ending { dimension, tick: end } = *ending;
            let interval = self.interval(strand, tick);
            match dimension == strand.0 {
                true if own || copy.together => tick >= end,
                true => interval.joint >= end,
                false => interval.known.seen().get(dimension) >= end,
            }
        })
    }

    /// The event's kind.
    pub fn sync(&self, event: &Event) -> Sync {
        self.syncs[event.sync as usize]
    }

    pub(crate) fn intern(&mut self, sync: Sync) -> u32 {
        *self.sync_index.entry(sync).or_insert_with(|| {
            self.syncs.push(sync);
            self.syncs.len() as u32 - 1
        })
    }

    pub(crate) fn touch(&mut self, strand: StrandId, key: AccessKey) {
        let tick = self.tick(strand);
        let index = *self.track_index.entry((strand, key)).or_insert_with(|| {
            self.tracks.push(Track { strand, key, ticks: Ticks::default() });
            self.tracks.len() as u32 - 1
        });
        self.tracks[index as usize].ticks.push(tick);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_come_back_as_they_went_in() {
        let lists: [&[Tick]; 5] =
            [&[], &[4], &[0, 2, 4, 6, 7, 8, 20], &[1, 2, 3, 4], &[0, 1, 3, 6, 10, 15]];
        for list in lists {
            let mut ticks = Ticks::default();
            for tick in list {
                ticks.push(*tick);
                ticks.push(*tick);
            }
            assert_eq!(ticks.iter().collect::<Vec<_>>(), list);
            assert_eq!(ticks.len(), list.len());
        }
    }
}
