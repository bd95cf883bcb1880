//! Races among the lanes of one strand.
//!
//! Most bytes belong to one lane. The others are looked at one by one: intervals of a strand are
//! ordered for all its lanes by its joint mark, and within the mark only a lane with itself is.

use rustc_hash::FxHashMap;

use crate::strand::StrandId;
use crate::trace::Track;

use super::{Entry, RaceKind, Region, Search, Witness};

/// Lanes that look at a unit of memory, and those that change it.
#[derive(Clone, Copy, Default)]
struct Lanes {
    all: u64,
    writing: u64,
}

impl Search<'_> {
    pub(super) fn within_strands(&mut self, region: &Region, in_step: bool) {
        let unit = unit(self, region);
        let mut of_strand: FxHashMap<StrandId, Vec<u32>> = FxHashMap::default();
        for entry in region.entries.iter().flatten() {
            if let Entry::Track(index) = entry {
                let strand = self.trace.tracks[*index as usize].strand;
                of_strand.entry(strand).or_default().push(*index);
            }
        }
        let mut strands: Vec<_> = of_strand.into_iter().collect();
        strands.sort_unstable_by_key(|it| it.0);
        for (strand, tracks) in strands {
            let lanes = self.trace.strands[strand.0 as usize].lanes;
            if lanes.count_ones() > 1 {
                self.within_strand(&tracks, unit, in_step);
            }
        }
    }

    fn within_strand(&mut self, tracks: &[u32], unit: u64, in_step: bool) {
        let trace = self.trace;
        if !tracks.iter().any(|it| trace.tracks[*it as usize].key.kind.writes()) {
            return;
        }
        let mut owners: FxHashMap<u64, Lanes> = FxHashMap::default();
        let each_unit = |track: &Track, visit: &mut dyn FnMut(u64, u64)| {
            let size = trace.shapes.size(track.key.footprint.shape);
            for (lane, from) in trace.shapes.lanes(track.key.footprint) {
                // The unit divides places and sizes; a place below zero is one of the upper half.
                for part in 0..size / unit {
                    visit(from.wrapping_add(part * unit) / unit, 1 << lane);
                }
            }
        };
        for index in tracks {
            let track = &trace.tracks[*index as usize];
            each_unit(track, &mut |place, lane| {
                let lanes = owners.entry(place).or_default();
                lanes.all |= lane;
                if track.key.kind.writes() {
                    lanes.writing |= lane;
                }
            });
        }
        owners.retain(|_, lanes| lanes.writing != 0 && lanes.all.count_ones() > 1);
        if owners.is_empty() {
            return;
        }
        let mut shared: FxHashMap<u64, Vec<(u32, u64)>> = FxHashMap::default();
        for index in tracks {
            each_unit(&trace.tracks[*index as usize], &mut |place, lane| {
                if owners.contains_key(&place) {
                    let users = shared.entry(place).or_default();
                    match users.last_mut() {
                        Some((last, lanes)) if last == index => *lanes |= lane,
                        _ => users.push((*index, lane)),
                    }
                }
            });
        }
        let mut shared: Vec<_> = shared.into_iter().collect();
        shared.sort_unstable();
        for (place, users) in shared {
            for (position, a) in users.iter().enumerate() {
                self.steps += (users.len() - position) as u64;
                if self.is_spent() {
                    return;
                }
                // Of lanes in step, those that one instruction names together have no order.
                let others = if in_step { 1 } else { users.len() - position };
                for b in &users[position..position + others] {
                    self.lanes_of_two(*a, *b, place * unit);
                }
            }
        }
    }

    fn lanes_of_two(&mut self, (a, a_lanes): (u32, u64), (b, b_lanes): (u32, u64), byte: u64) {
        let [ta, tb] = [&self.trace.tracks[a as usize], &self.trace.tracks[b as usize]];
        let one_lane = a_lanes == b_lanes && a_lanes.count_ones() == 1;
        if !self.conflict(ta.key, tb.key) || one_lane || !self.paired.insert((a, b)) {
            return;
        }
        let others: Vec<_> = tb.ticks.iter().collect();
        let joint = |tick| self.trace.interval(ta.strand, tick).joint;
        let (mut count, mut first) = (0, None);
        for i in ta.ticks.iter() {
            // Those from the mark of this interval on, up to those whose mark is after it.
            let from = others.partition_point(|j| *j < joint(i));
            let to = others.partition_point(|j| *j <= i || joint(*j) <= i);
            count += (to.max(from) - from) as u64;
            if first.is_none() && from < to {
                first = Some((i, others[from]));
            }
        }
        self.steps += ta.ticks.len() as u64;
        let Some((i, j)) = first else { return };
        let lane_a = a_lanes.trailing_zeros() as u8;
        let rest = b_lanes & !(1 << lane_a);
        let (lane_a, lane_b) = match rest {
            0 => ((a_lanes & !b_lanes).trailing_zeros() as u8, b_lanes.trailing_zeros() as u8),
            rest => (lane_a, rest.trailing_zeros() as u8),
        };
        let witness = [
            Witness { strand: ta.strand, lane: lane_a, tick: i },
            Witness { strand: tb.strand, lane: lane_b, tick: j },
        ];
        self.add(RaceKind::Lanes, [ta, tb], count, witness, byte);
    }
}

/// The largest power of two that divides all places and sizes in the region.
fn unit(search: &Search<'_>, region: &Region) -> u64 {
    let shapes = &search.trace.shapes;
    let bits = region.footprints.iter().fold(64, |bits, footprint| {
        let places =
            shapes.lanes(*footprint).fold(shapes.size(footprint.shape), |all, it| all | it.1);
        places | bits
    });
    1 << bits.trailing_zeros()
}
