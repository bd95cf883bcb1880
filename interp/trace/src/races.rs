//! Races of a trace: pairs of accesses with a common byte, one of them writing, that nothing
//! orders. Operations on a barrier object are accesses of its bytes that conflict with all but each
//! other; [`objects`] finds bytes that are written in order, and yet while the object is in use.
//!
//! **Misses**: nothing of the trace. **False alarms**: none, for the trace: each race is two
//! accesses that some schedule makes adjacent. What is written by both as the same known value is
//! told apart as benign. Accesses in one piece are such for each other where both are of one size:
//! others race, as the PTX ISA has it (section 8.7.1, complete overlap).
//!
//! Method: [`sweep`] finds the sets of footprints that share a byte. For two strands there, the
//! intervals of one that are concurrent with an interval of the other are a range that only moves
//! forward, so one walk along both lists of intervals finds whether any are. Only if some are, the
//! accesses themselves are paired.

mod copies;
mod lanes;
mod objects;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::access::AccessKind;
use crate::clock::Tick;
use crate::overlap::sweep;
use crate::shape::Footprint;
use crate::strand::StrandId;
use crate::trace::{AccessKey, Trace, Track};

/// Who races.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RaceKind {
    /// Lanes of one warp.
    Lanes,
    /// Different warps of a block.
    Warps,
    /// Different blocks.
    Blocks,
    /// A thread and an asynchronous access.
    ThreadAndCopy,
    /// Two asynchronous accesses.
    Copies,
}

/// One of the two accesses of a race.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Witness {
    /// Whose; of an asynchronous access, who issued it.
    pub strand: StrandId,
    /// The lane.
    pub lane: u8,
    /// The interval.
    pub tick: Tick,
}

/// All races of two sources, of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// Who.
    pub kind: RaceKind,
    /// Where from, in the caller's numbers; the smaller first.
    pub sources: [u32; 2],
    /// What each does.
    pub accesses: [AccessKind; 2],
    /// Both write the same known value, each time.
    pub is_benign: bool,
    /// Pairs of intervals and footprints; of copies, those that meet another.
    pub count: u64,
    /// One of them.
    pub witness: [Witness; 2],
    /// The region of the byte.
    pub region: u32,
    /// A byte that both touch there.
    pub byte: u64,
}

/// The races, and what finding them took.
#[derive(Clone, Default, Debug)]
pub struct Races {
    /// Sorted by sources.
    pub list: Vec<Race>,
    /// Barrier objects that are written as data while they are in use: who writes, and an operation
    /// that comes after it, in the caller's numbers.
    pub overwritten: Vec<[u32; 2]>,
    /// Steps along lists of intervals.
    pub steps: u64,
}

type Key = (RaceKind, [u32; 2], [AccessKind; 2]);

/// The work so far.
struct Search<'a> {
    trace: &'a Trace,
    found: BTreeMap<Key, Race>,
    paired: FxHashSet<(u32, u32)>,
    steps: u64,
    limit: u64,
}

/// Finds all races, unless that takes more than `limit` steps: then nothing is said. Where warps
/// are taken to run in step, lanes of one race only by one instruction: others have the order of
/// the text, both sides of a branch too.
pub fn find_races(trace: &Trace, in_step: bool, limit: u64) -> Option<Races> {
    let mut search =
        Search { trace, found: BTreeMap::new(), paired: FxHashSet::default(), steps: 0, limit };
    let mut regions: BTreeMap<u32, Region> = BTreeMap::new();
    for (index, track) in (0..).zip(&trace.tracks) {
        let region = regions.entry(track.key.footprint.region).or_default();
        region.add(track.key.footprint, Entry::Track(index), track.key.kind);
    }
    for (index, pending) in (0..).zip(&trace.pending) {
        let region = regions.entry(pending.key.footprint.region).or_default();
        region.add(pending.key.footprint, Entry::Pending(index), pending.key.kind);
    }
    for region in regions.values() {
        let Region { footprints, entries, writes, .. } = region;
        sweep(
            &trace.shapes,
            footprints,
            |it| writes[it],
            |byte, set| {
                let here = set.iter().flat_map(|it| &entries[*it as usize]);
                search.stretch(byte, here, in_step);
            },
        );
        search.within_strands(region, in_step);
    }
    let overwritten = objects::overwritten(&mut search);
    let Search { found, steps, .. } = search;
    (steps <= limit).then(|| Races { list: found.into_values().collect(), overwritten, steps })
}

/// Footprints of one region, and who makes them.
#[derive(Default)]
struct Region {
    footprints: Vec<Footprint>,
    entries: Vec<Vec<Entry>>,
    writes: Vec<bool>,
    index: FxHashMap<Footprint, usize>,
}

#[derive(Clone, Copy)]
enum Entry {
    Track(u32),
    Pending(u32),
}

impl Region {
    fn add(&mut self, footprint: Footprint, entry: Entry, kind: AccessKind) {
        let next = self.footprints.len();
        let index = *self.index.entry(footprint).or_insert(next);
        if index == next {
            self.footprints.push(footprint);
            self.entries.push(Vec::new());
            self.writes.push(false);
        }
        self.entries[index].push(entry);
        self.writes[index] |= kind.writes();
    }
}

/// What a strand does to a stretch of bytes: its tracks, and the intervals by kind of access.
#[derive(Default)]
struct Party {
    tracks: Vec<u32>,
    ticks: [Vec<Tick>; KINDS.len()],
}

const KINDS: [AccessKind; 6] = [
    AccessKind::Read,
    AccessKind::Write,
    AccessKind::Atomic,
    AccessKind::AtomicRead,
    AccessKind::Object,
    AccessKind::ObjectRead,
];

impl Search<'_> {
    /// Whether the search is to end, with nothing said.
    fn is_spent(&self) -> bool {
        self.steps > self.limit
    }

    fn stretch<'e>(&mut self, byte: u64, here: impl Iterator<Item = &'e Entry>, in_step: bool) {
        if self.is_spent() {
            return;
        }
        let mut parties: BTreeMap<StrandId, Party> = BTreeMap::new();
        let mut pending = Vec::new();
        for entry in here {
            match *entry {
                Entry::Track(index) => {
                    let track = &self.trace.tracks[index as usize];
                    parties.entry(track.strand).or_default().tracks.push(index);
                }
                Entry::Pending(index) => pending.push(index),
            }
        }
        for party in parties.values_mut() {
            for index in &party.tracks {
                let track = &self.trace.tracks[*index as usize];
                self.steps += track.ticks.len() as u64;
                party.ticks[track.key.kind as usize].extend(track.ticks.iter());
            }
            for ticks in &mut party.ticks {
                ticks.sort_unstable();
                ticks.dedup();
            }
        }
        let pieces = parties.values().flat_map(|it| &it.tracks).filter_map(|track| {
            let key = self.trace.tracks[*track as usize].key;
            key.kind.is_one_piece().then(|| self.trace.shapes.size(key.footprint.shape))
        });
        let mixed = pieces.collect::<BTreeSet<u64>>().len() > 1;
        let parties: Vec<(StrandId, Party)> = parties.into_iter().collect();
        for (index, (a, first)) in parties.iter().enumerate() {
            for (b, second) in &parties[index + 1..] {
                if self.is_spent() {
                    return;
                }
                let same_warp = self.same_warp(*a, *b);
                let in_step = same_warp && in_step;
                if !in_step && self.any_concurrent(*a, first, *b, second, mixed) {
                    let kind = self.among(*a, *b);
                    self.pair_up(kind, byte, first, second);
                }
            }
        }
        if !pending.is_empty() {
            self.copies(byte, &pending, &parties);
        }
    }

    /// Whether two accesses that have a byte in common need an order.
    fn conflict(&self, a: AccessKey, b: AccessKey) -> bool {
        let size = |key: AccessKey| self.trace.shapes.size(key.footprint.shape);
        a.kind.conflicts(b.kind) || size(a) != size(b) && a.kind.conflicts_in_part(b.kind)
    }

    fn same_warp(&self, a: StrandId, b: StrandId) -> bool {
        let of = |it: StrandId| self.trace.strands[it.0 as usize];
        (of(a).block, of(a).warp) == (of(b).block, of(b).warp)
    }

    /// Whether the two may conflict somewhere; `mixed` where accesses in one piece are of several
    /// sizes.
    fn any_concurrent(
        &mut self,
        a: StrandId,
        first: &Party,
        b: StrandId,
        second: &Party,
        mixed: bool,
    ) -> bool {
        for (kind, ticks) in KINDS.iter().zip(&first.ticks) {
            for (other, others) in KINDS.iter().zip(&second.ticks) {
                let conflict = kind.conflicts(*other) || mixed && kind.conflicts_in_part(*other);
                if conflict && self.first_concurrent(a, ticks, b, others).is_some() {
                    return true;
                }
            }
        }
        false
    }

    /// The first interval of `a` among `ticks` with a concurrent one of `b` among `others`.
    fn first_concurrent(
        &mut self,
        a: StrandId,
        ticks: &[Tick],
        b: StrandId,
        others: &[Tick],
    ) -> Option<(Tick, Tick)> {
        let mut next = 0;
        for i in ticks {
            let known = self.trace.interval(a, *i).known.seen().get(b.0);
            while next < others.len() && others[next] < known {
                next += 1;
            }
            self.steps += 1;
            let j = *others.get(next)?;
            if self.trace.interval(b, j).known.seen().get(a.0) <= *i {
                return Some((*i, j));
            }
        }
        None
    }

    /// How many intervals of the two are concurrent.
    fn count_concurrent(&mut self, a: &Track, b: &Track) -> u64 {
        let others: Vec<Tick> = b.ticks.iter().collect();
        let (mut from, mut to, mut count) = (0, 0, 0);
        for i in a.ticks.iter() {
            let known = self.trace.interval(a.strand, i).known.seen().get(b.strand.0);
            while from < others.len() && others[from] < known {
                from += 1;
            }
            to = to.max(from);
            let knows = |j: Tick| self.trace.interval(b.strand, j).known.seen().get(a.strand.0) > i;
            while to < others.len() && !knows(others[to]) {
                to += 1;
            }
            self.steps += 1;
            count += (to - from) as u64;
        }
        count
    }

    fn among(&self, a: StrandId, b: StrandId) -> RaceKind {
        let [a, b] = [a, b].map(|it| self.trace.strands[it.0 as usize]);
        match (a.block == b.block, a.warp == b.warp) {
            (true, true) => RaceKind::Lanes,
            (true, false) => RaceKind::Warps,
            (false, _) => RaceKind::Blocks,
        }
    }

    /// Pairs the accesses of two strands that have concurrent intervals.
    fn pair_up(&mut self, kind: RaceKind, byte: u64, first: &Party, second: &Party) {
        for a in &first.tracks {
            for b in &second.tracks {
                self.steps += 1;
                if self.is_spent() {
                    return;
                }
                let trace = self.trace;
                let [ta, tb] = [&trace.tracks[*a as usize], &trace.tracks[*b as usize]];
                if !self.conflict(ta.key, tb.key) || !self.paired.insert((*a, *b)) {
                    continue;
                }
                let count = self.count_concurrent(ta, tb);
                if count == 0 {
                    continue;
                }
                let [la, lb]: [Vec<Tick>; 2] =
                    [ta.ticks.iter().collect(), tb.ticks.iter().collect()];
                let Some((i, j)) = self.first_concurrent(ta.strand, &la, tb.strand, &lb) else {
                    continue;
                };
                let lane = |track: &Track| {
                    trace.shapes.lanes_at(track.key.footprint, byte).trailing_zeros() as u8
                };
                let witness = [
                    Witness { strand: ta.strand, lane: lane(ta), tick: i },
                    Witness { strand: tb.strand, lane: lane(tb), tick: j },
                ];
                self.add(kind, [ta, tb], count, witness, byte);
            }
        }
    }

    fn add(
        &mut self,
        kind: RaceKind,
        [a, b]: [&Track; 2],
        count: u64,
        witness: [Witness; 2],
        byte: u64,
    ) {
        let same_value = a.key.kind == AccessKind::Write
            && b.key.kind == AccessKind::Write
            && a.key.value != 0
            && a.key.value == b.key.value;
        self.record(kind, [a.key, b.key], same_value, count, witness, byte);
    }

    fn record(
        &mut self,
        kind: RaceKind,
        keys: [AccessKey; 2],
        is_benign: bool,
        count: u64,
        witness: [Witness; 2],
        byte: u64,
    ) {
        let swap = keys[0].source > keys[1].source;
        let [a, b] = if swap { [keys[1], keys[0]] } else { keys };
        let witness = if swap { [witness[1], witness[0]] } else { witness };
        let key = (kind, [a.source, b.source], [a.kind, b.kind]);
        let region = a.footprint.region;
        match self.found.get_mut(&key) {
            Some(race) => {
                race.count += count;
                if race.is_benign && !is_benign {
                    (race.is_benign, race.witness, race.byte) = (false, witness, byte);
                    race.region = region;
                }
            }
            None => {
                let (_, sources, accesses) = key;
                let race =
                    Race { kind, sources, accesses, is_benign, count, witness, region, byte };
                self.found.insert(key, race);
            }
        }
    }
}
