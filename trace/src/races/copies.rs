//! Races of asynchronous accesses: with threads, and with each other.
//!
//! An asynchronous access begins after what its issuer knew, and is over for whoever knows its
//! ending.

use crate::clock::Tick;
use crate::strand::StrandId;
use crate::trace::{Ending, Pending, Track};

use super::{Party, RaceKind, Search, Witness};

impl Search<'_> {
    pub(super) fn copies(&mut self, byte: u64, pending: &[u32], parties: &[(StrandId, Party)]) {
        for (position, index) in pending.iter().enumerate() {
            let trace = self.trace;
            let copy = &trace.pending[*index as usize];
            for (strand, party) in parties {
                for track in &party.tracks {
                    let track = &trace.tracks[*track as usize];
                    if copy.key.kind.conflicts(track.key.kind) {
                        self.copy_and_thread(copy, *strand, track, byte);
                    }
                }
            }
            for other in &pending[position + 1..] {
                let other = &trace.pending[*other as usize];
                self.steps += 1;
                let own = self.is_of_one_lane([copy, other], byte);
                let ordered = self.is_over(copy, other.issuer, other.tick, own)
                    || self.is_over(other, copy.issuer, copy.tick, own);
                if copy.key.kind.conflicts(other.key.kind) && !ordered {
                    let witness = [self.issued(copy, byte), self.issued(other, byte)];
                    let keys = [copy.key, other.key];
                    self.record(RaceKind::Copies, keys, false, 1, witness, byte);
                }
            }
        }
    }

    /// Whether one lane has issued both, as far as they touch the byte.
    fn is_of_one_lane(&self, copies: [&Pending; 2], byte: u64) -> bool {
        let [one, two] = copies.map(|it| self.trace.shapes.lanes_at(it.key.footprint, byte));
        copies[0].issuer == copies[1].issuer && one == two && one.count_ones() == 1
    }

    fn copy_and_thread(&mut self, copy: &Pending, strand: StrandId, track: &Track, byte: u64) {
        let trace = self.trace;
        let lanes = trace.shapes.lanes_at(track.key.footprint, byte);
        let own = strand == copy.issuer
            && lanes == trace.shapes.lanes_at(copy.key.footprint, byte)
            && lanes.count_ones() == 1;
        let begin = trace.interval(copy.issuer, copy.tick);
        let known = match strand == copy.issuer {
            true if own => copy.tick + 1,
            true => begin.joint,
            false => begin.known.seen().get(strand.0),
        };
        let ticks: Vec<Tick> = track.ticks.iter().collect();
        let from = ticks.partition_point(|i| *i < known);
        let to = ticks.partition_point(|i| !self.is_over(copy, strand, *i, own));
        self.steps += 1;
        if from < to {
            let lane = lanes.trailing_zeros() as u8;
            let witness = [self.issued(copy, byte), Witness { strand, lane, tick: ticks[from] }];
            let keys = [copy.key, track.key];
            self.record(RaceKind::ThreadAndCopy, keys, false, (to - from) as u64, witness, byte);
        }
    }

    /// Whether a strand knows in an interval that a copy is over; `own` where it is the same lane
    /// that issued it.
    fn is_over(&self, copy: &Pending, strand: StrandId, tick: Tick, own: bool) -> bool {
        copy.endings.iter().any(|ending| {
            let Ending { dimension, tick: end } = *ending;
            let interval = self.trace.interval(strand, tick);
            match dimension == strand.0 {
                true if own => tick >= end,
                true => interval.joint >= end,
                false => interval.known.seen().get(dimension) >= end,
            }
        })
    }

    fn issued(&self, copy: &Pending, byte: u64) -> Witness {
        let lanes = self.trace.shapes.lanes_at(copy.key.footprint, byte);
        Witness { strand: copy.issuer, lane: lanes.trailing_zeros() as u8, tick: copy.tick }
    }
}
