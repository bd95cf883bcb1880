//! Races of asynchronous accesses: with threads, and with each other.
//!
//! An asynchronous access begins after what its issuer knew, and is over for whoever knows its
//! ending. What a strand knows only grows: from some interval of a strand on, an access is over,
//! and not before. Accesses that recur, of one issuer and one key, are therefore looked at
//! together: each costs a search in a list instead of a look at each other access.

use std::collections::BTreeMap;

use crate::clock::Tick;
use crate::strand::StrandId;
use crate::trace::{AccessKey, Pending, Track};

use super::{Party, RaceKind, Search, Witness};

/// Accesses of one issuer with one key, by number, and so in the order of their issue.
struct Recurring<'a> {
    issuer: StrandId,
    key: AccessKey,
    all: Vec<&'a Pending>,
}

impl Search<'_> {
    pub(super) fn copies(&mut self, byte: u64, pending: &[u32], parties: &[(StrandId, Party)]) {
        let trace = self.trace;
        let mut by_key: BTreeMap<(StrandId, AccessKey), Vec<&Pending>> = BTreeMap::new();
        for index in pending {
            let copy = &trace.pending[*index as usize];
            by_key.entry((copy.issuer, copy.key)).or_default().push(copy);
        }
        let groups: Vec<Recurring<'_>> =
            by_key.into_iter().map(|((issuer, key), all)| Recurring { issuer, key, all }).collect();
        for (position, group) in groups.iter().enumerate() {
            for (strand, party) in parties {
                for track in &party.tracks {
                    if self.is_spent() {
                        return;
                    }
                    let track = &trace.tracks[*track as usize];
                    if group.key.kind.conflicts(track.key.kind) {
                        self.copies_and_thread(group, *strand, track, byte);
                    }
                }
            }
            for other in &groups[position..] {
                self.steps += 1;
                if self.is_spent() {
                    return;
                }
                if group.key.kind.conflicts(other.key.kind) {
                    self.copies_and_copies(group, other, byte);
                }
            }
        }
    }

    /// Two accesses race if neither is over where the other is issued. Of one key, each pair is
    /// looked at once.
    fn copies_and_copies(&mut self, one: &Recurring<'_>, two: &Recurring<'_>, byte: u64) {
        let is_same = std::ptr::eq(one, two);
        let own = self.is_of_one_lane([one, two], byte);
        self.steps += (one.all.len() + two.all.len()) as u64;
        // Of the first so many of `one`: which of them is over last for `two`, and when.
        let mut last_over: Vec<(Tick, usize)> = Vec::with_capacity(one.all.len());
        for (index, copy) in one.all.iter().enumerate() {
            let over = self.over_from(copy, two.issuer, own);
            let longest = last_over.last().copied().unwrap_or((0, 0));
            last_over.push(if over > longest.0 { (over, index) } else { longest });
        }
        for (index, copy) in two.all.iter().enumerate() {
            let over = self.over_from(copy, one.issuer, own);
            let before = one.all.partition_point(|it| it.tick < over);
            let before = if is_same { before.min(index) } else { before };
            let Some((until, other)) = before.checked_sub(1).map(|it| last_over[it]) else {
                continue;
            };
            if copy.tick < until {
                let witness = [self.issued(one.all[other], byte), self.issued(copy, byte)];
                self.record(RaceKind::Copies, [one.key, two.key], false, 1, witness, byte);
            }
        }
    }

    /// The first interval of a strand in which it knows that an access is over, or the number of
    /// its intervals.
    fn over_from(&self, copy: &Pending, strand: StrandId, own: bool) -> Tick {
        let (mut from, mut to) = (0, self.trace.tick(strand) + 1);
        while from < to {
            let middle = from + (to - from) / 2;
            match self.trace.is_over(copy, strand, middle, own) {
                true => to = middle,
                false => from = middle + 1,
            }
        }
        from
    }

    /// Whether one lane has issued both, as far as they touch the byte.
    fn is_of_one_lane(&self, copies: [&Recurring<'_>; 2], byte: u64) -> bool {
        let [one, two] = copies.map(|it| self.trace.shapes.lanes_at(it.key.footprint, byte));
        copies[0].issuer == copies[1].issuer && one == two && one.count_ones() == 1
    }

    fn copies_and_thread(
        &mut self,
        copies: &Recurring<'_>,
        strand: StrandId,
        track: &Track,
        byte: u64,
    ) {
        let trace = self.trace;
        let lanes = trace.shapes.lanes_at(track.key.footprint, byte);
        let own = strand == copies.issuer
            && lanes == trace.shapes.lanes_at(copies.key.footprint, byte)
            && lanes.count_ones() == 1;
        let ticks: Vec<Tick> = track.ticks.iter().collect();
        self.steps += (copies.all.len() + ticks.len()) as u64;
        for copy in &copies.all {
            let begin = trace.interval(copy.issuer, copy.tick);
            let known = match strand == copy.issuer {
                true if own => copy.tick + 1,
                true => begin.joint,
                false => begin.known.seen().get(strand.0),
            };
            let from = ticks.partition_point(|i| *i < known);
            let to = ticks.partition_point(|i| !trace.is_over(copy, strand, *i, own));
            if from < to {
                let lane = lanes.trailing_zeros() as u8;
                let thread = Witness { strand, lane, tick: ticks[from] };
                let (witness, keys) = ([self.issued(copy, byte), thread], [copies.key, track.key]);
                let count = (to - from) as u64;
                self.record(RaceKind::ThreadAndCopy, keys, false, count, witness, byte);
            }
        }
    }

    fn issued(&self, copy: &Pending, byte: u64) -> Witness {
        let lanes = self.trace.shapes.lanes_at(copy.key.footprint, byte);
        Witness { strand: copy.issuer, lane: lanes.trailing_zeros() as u8, tick: copy.tick }
    }
}
