//! Which accesses of a run race, by brute force: all of them are kept, with vector clocks.
//!
//! Two accesses race if threads that nothing orders touch a common byte, one of them writing, and
//! they are not both atomic on the same bytes with scopes that include both threads. Threads are
//! ordered by block barriers, warp barriers, named barriers, and by fences around atomics (release
//! and acquire). An atomic that others' atomics on the same word followed comes before what these
//! others do next (CUDA only). Stores of one value to the same bytes are no race.
//!
//! **Promises**: what is found is a race of this run ([`Certainty::Sure`]), or one only for a
//! stricter reader ([`Certainty::Maybe`]): stores of equal bytes by accesses of different widths,
//! or of a value that nobody knows.
//! **Does not**: know orders by volatile accesses or by atomics without fences.

use crate::code::{SHARED, Scope, Value};
use crate::memory::Location;
use crate::random::Table;

/// How two threads are placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Placement {
    Warp,
    Block,
    Grid,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Certainty {
    Maybe,
    Sure,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Race {
    pub(crate) placement: Placement,
    pub(crate) certainty: Certainty,
    pub(crate) threads: [usize; 2],
    pub(crate) at: Location,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Access {
    pub(crate) write: bool,
    pub(crate) atomic: Option<Scope>,
    /// A plain store's value; an exchange's too.
    pub(crate) value: Value,
    pub(crate) size: u64,
    /// What it leaves depends on what was there: an addition, not an exchange.
    pub(crate) modifies: bool,
    /// An atomic that leaves what was there, so that the compiler may have removed it.
    pub(crate) idle: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Entry {
    thread: u32,
    clock: u32,
    /// When it was done in the run; for many alike, the last time.
    time: u64,
    /// Bytes of the word.
    mask: u8,
    /// What a write leaves in these bytes.
    word: u32,
    start: i64,
    access: Access,
}

/// Times of threads, as each thread knows them.
pub(crate) type Clock = Vec<u32>;

/// All accesses of a run, by word of four bytes.
#[derive(Debug)]
pub(crate) struct Races {
    /// By object, then by word.
    objects: Table<u64, Table<i64, Vec<Entry>>>,
    pub(crate) found: Vec<Race>,
    threads_of_block: usize,
    has_warps: bool,
    time: u64,
    /// The most accesses that are told apart on one word.
    pub(crate) most: usize,
}

impl Races {
    pub(crate) fn new(threads_of_block: usize, has_warps: bool) -> Races {
        let objects = Table::default();
        Races { objects, found: Vec::new(), threads_of_block, has_warps, time: 0, most: 0 }
    }

    /// Adds an access by a thread whose knowledge of the others' times is given; `base` is the
    /// thread of the clock's first entry.
    pub(crate) fn add(
        &mut self,
        thread: usize,
        at: Location,
        access: Access,
        clock: &Clock,
        base: usize,
    ) {
        let object = self.object(at.object, thread / self.threads_of_block);
        let end = at.offset + access.size as i64;
        self.time += 1;
        let mut word = at.offset.div_euclid(4);
        while word * 4 < end {
            let mut mask = 0u8;
            let mut bytes = 0u32;
            for byte in 0..4 {
                let place = word * 4 + byte;
                if (at.offset..end).contains(&place) {
                    mask |= 1 << byte;
                    let shift = (place - at.offset) as u32 * 8;
                    let value = if shift < 64 { access.value.bits >> shift } else { 0 };
                    bytes |= u32::from(value as u8) << (8 * byte);
                }
            }
            let entry = Entry {
                thread: thread as u32,
                clock: clock[thread - base],
                time: self.time,
                mask,
                word: bytes,
                start: at.offset,
                access,
            };
            self.add_word((object, word), entry, clock, base);
            word += 1;
        }
    }

    /// Shared memory is another object in each block.
    fn object(&self, object: u64, block: usize) -> u64 {
        if object == SHARED { object << 32 | block as u64 } else { object }
    }

    /// All accesses to the block's shared memory come before all that follow.
    pub(crate) fn forget_shared(&mut self, block: usize) {
        let object = self.object(SHARED, block);
        self.objects.remove(&object);
    }

    /// All accesses to global memory come before all that follow.
    pub(crate) fn forget_global(&mut self) {
        self.objects.retain(|object, _| *object >> 32 == SHARED);
    }

    fn add_word(&mut self, word: (u64, i64), new: Entry, clock: &Clock, base: usize) {
        let per_block = self.threads_of_block;
        let entries = self.objects.entry(word.0).or_default().entry(word.1).or_default();
        let like = |old: &&Entry| {
            old.thread == new.thread
                && old.clock == new.clock
                && old.mask == new.mask
                && old.start == new.start
                && old.access.size == new.access.size
                && old.access.write == new.access.write
                && old.access.atomic == new.access.atomic
                && old.access.idle == new.access.idle
        };
        let mut alike = entries.iter().filter(like);
        let known = match alike.next() {
            // Of the values that one thread stores at one place between two barriers, four stand
            // for all.
            Some(first) if new.access.write && first.access.value != new.access.value => {
                let rest: Vec<_> = alike.collect();
                rest.len() > 2 || rest.iter().any(|it| it.access.value == new.access.value)
            }
            Some(_) => true,
            None => false,
        };
        if known {
            if new.access.atomic.is_some() {
                entries.iter_mut().filter(|old| like(&&**old)).for_each(|it| it.time = new.time);
            }
            return;
        }
        for old in entries.iter() {
            if old.thread == new.thread
                || !(old.access.write || new.access.write)
                || old.mask & new.mask == 0
            {
                continue;
            }
            let other = old.thread as usize;
            let is_known = |it: &Entry| {
                let time = (it.thread as usize).checked_sub(base).and_then(|it| clock.get(it));
                time.is_some_and(|time| *time >= it.clock)
            };
            if is_known(old) || self.has_warps && observed(old, &new, entries, per_block, is_known)
            {
                continue;
            }
            let this = new.thread as usize;
            let same_block = other / per_block == this / per_block;
            let lane = |it: usize| it % per_block / 32;
            let placement = match (same_block, lane(other) == lane(this)) {
                (false, _) => Placement::Grid,
                (true, true) if self.has_warps => Placement::Warp,
                (true, _) => Placement::Block,
            };
            let Some(certainty) = judged(old, &new, same_block) else { continue };
            let race = Race {
                placement,
                certainty,
                threads: [other, this],
                at: Location { object: word.0, offset: word.1 * 4 },
            };
            let known = |it: &Race| it.placement == placement && it.certainty == certainty;
            if !self.found.iter().any(known) {
                self.found.push(race);
            }
        }
        entries.push(new);
        self.most = self.most.max(entries.len());
    }
}

/// Whether an atomic has been observed by one on the same word that comes before an access: it is
/// ordered before that access then, if not what its thread did before it (PTX ISA, 8.9.5:
/// observation, then base causality order).
fn observed(
    old: &Entry,
    new: &Entry,
    entries: &[Entry],
    per_block: usize,
    is_known: impl Fn(&Entry) -> bool,
) -> bool {
    let Some(scope) = old.access.atomic.filter(|_| old.access.write) else { return false };
    let block = |it: &Entry| it.thread as usize / per_block;
    entries.iter().any(|by| {
        let common = by
            .access
            .atomic
            .is_some_and(|other| block(by) == block(old) || scope.min(other) > Scope::Block);
        common
            && by.start == old.start
            && by.access.size == old.access.size
            && by.time > old.time
            && (by.thread == new.thread || is_known(by))
    })
}

/// Whether two unordered accesses, one of them a write, race.
fn judged(a: &Entry, b: &Entry, same_block: bool) -> Option<Certainty> {
    let same_place = a.start == b.start && a.access.size == b.access.size;
    if let (Some(x), Some(y)) = (a.access.atomic, b.access.atomic)
        && same_place
        && (same_block || x.min(y) > Scope::Block)
    {
        return None;
    }
    if a.access.idle || b.access.idle {
        return Some(Certainty::Maybe);
    }
    if !a.access.write || !b.access.write {
        return Some(Certainty::Sure);
    }
    if a.access.modifies || b.access.modifies {
        return Some(Certainty::Sure);
    }
    if a.access.value.undef || b.access.value.undef {
        return Some(Certainty::Maybe);
    }
    let bits: u32 = (0..4)
        .filter(|byte| a.mask & b.mask & (1 << byte) != 0)
        .map(|byte| 0xff << (8 * byte))
        .sum();
    let equal = a.word & bits == b.word & bits;
    match (equal, a.access.atomic.or(b.access.atomic)) {
        (true, None) if same_place => None,
        (true, _) => Some(Certainty::Maybe),
        (false, _) => Some(Certainty::Sure),
    }
}
