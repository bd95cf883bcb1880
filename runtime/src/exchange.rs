//! What the lanes of a warp do together: barriers, shuffles, votes, matches, reductions (PTX ISA
//! 9.7.9 and 9.7.13).
//!
//! Lanes of the mask that have returned are not waited for. Only the warp barrier orders memory, as
//! CUDA says. Who asks which lanes are with it (`activemask`) waits until no other lane of its warp
//! runs, and is told of those that ask at the same place: so are branches of a warp taken in lock
//! step. Where the others only spin, it is told all the same.

use std::ops::Range;

use heddle_semantics::{Choice, Exchange as Meeting, group};

use crate::abi::Exchange;
use crate::block::{Block, Pause, State, Thread};
use crate::turn::Turn;
use crate::worker::Worker;

impl Turn<'_, '_> {
    /// The lane comes to an exchange.
    pub(crate) fn exchange(
        &mut self,
        kind: Exchange,
        mask: u32,
        value: u64,
        lane: u32,
        clamp: u32,
    ) -> Pause {
        let index = self.grid.running.1;
        let thread = self.thread_mut();
        thread.waits_at = thread.facts.site;
        thread.state = State::Lanes { kind, mask, value, lane, clamp };
        self.grid.asking += u32::from(kind == Exchange::ActiveMask);
        self.with_block(|worker, block| {
            block.halted += 1;
            worker.settle_group(block, index);
        });
        Pause::Wait
    }
}

impl Worker<'_> {
    /// Tells the lanes of a warp that ask who is with them, if none of it runs.
    pub(crate) fn settle_asking(&mut self, slot: u32, index: u32) {
        if self.grid.asking == 0 {
            return;
        }
        let Some(mut block) = self.grid.blocks[slot as usize].take() else { return };
        let lanes = self.lanes_of(&block, block.threads[index as usize].warp);
        let mut threads = block.threads[lanes.start as usize..lanes.end as usize].iter();
        if threads.all(|it| it.state != State::Ready) {
            self.tell(&mut block, lanes);
        }
        self.grid.blocks[slot as usize] = Some(block);
    }

    /// Tells all lanes that ask who is with them: the others wait for what they do.
    pub(crate) fn settle_all_asking(&mut self) {
        for slot in 0..self.grid.blocks.len() {
            let Some(mut block) = self.grid.blocks[slot].take() else { continue };
            let asking = |it: &Thread| is_asking(it).then_some(it.warp);
            let warps: std::collections::BTreeSet<u32> =
                block.threads.iter().filter_map(asking).collect();
            for warp in warps {
                let lanes = self.lanes_of(&block, warp);
                self.tell(&mut block, lanes);
            }
            self.grid.blocks[slot] = Some(block);
        }
    }

    /// Tells those of a warp that ask at one place of each other.
    fn tell(&mut self, block: &mut Block, warp: Range<u32>) {
        loop {
            let threads = &block.threads[warp.start as usize..warp.end as usize];
            let Some(site) = threads.iter().find(|it| is_asking(it)).map(|it| it.facts.site) else {
                return;
            };
            let there = threads.iter().filter(|it| is_asking(it) && it.facts.site == site);
            let lanes = there.fold(0, |all, it| all | 1u64 << it.lane);
            self.grid.asking -= lanes.count_ones();
            self.finish(block, Exchange::ActiveMask, lanes, warp.clone());
        }
    }

    /// Lets those exchanges of a warp go on whose lanes are all there.
    pub(crate) fn settle_lanes(&mut self, block: &mut Block, warp: u32) {
        for index in self.lanes_of(block, warp) {
            self.settle_group(block, index);
        }
    }

    /// The threads of a warp, by index.
    fn lanes_of(&self, block: &Block, warp: u32) -> std::ops::Range<u32> {
        self.grid.block_of(block).warps.threads_of(warp)
    }

    /// Lets the exchange that a thread waits in go on, if all of its lanes are there.
    fn settle_group(&mut self, block: &mut Block, index: u32) {
        let thread = &block.threads[index as usize];
        let State::Lanes { kind, mask, .. } = thread.state else { return };
        if kind == Exchange::ActiveMask {
            return;
        }
        let warp = self.lanes_of(block, thread.warp);
        let bits = |of: &dyn Fn(&State) -> bool| {
            let threads = &block.threads[warp.start as usize..warp.end as usize];
            let some = threads.iter().filter(|it| of(&it.state));
            some.fold(0, |all, it| all | 1u64 << it.lane)
        };
        // A lane that its own mask does not name waits for nobody; what it gets is not defined.
        let lanes = if mask >> thread.lane & 1 == 0 {
            1 << thread.lane
        } else {
            let same = |it: &State| match *it {
                State::Lanes { kind: its, mask: of, .. } => its == kind && of == mask,
                State::Ready
                | State::Barrier { .. }
                | State::Mbarrier { .. }
                | State::Cluster
                | State::Grid
                | State::Done => false,
            };
            let alive = bits(&|it| *it != State::Done);
            match group(u64::from(mask), bits(&same), alive) {
                Some(lanes) => lanes,
                None => return,
            }
        };
        self.finish(block, kind, lanes, warp);
    }

    fn finish(&mut self, block: &mut Block, kind: Exchange, lanes: u64, warp: Range<u32>) {
        self.grid.idle = 0;
        let size = warp.end - warp.start;
        let first = warp.start;
        let group: Vec<u32> = warp.filter(|it| lanes >> (it - first) & 1 == 1).collect();
        for (index, result) in results(&block.threads[first as usize..], kind, lanes) {
            block.threads[index as usize].result = result;
        }
        if kind == Exchange::Matrix {
            self.finish_matrix(block, &group);
        }
        if kind == Exchange::Barrier {
            self.order_lanes(block, &group, size);
        }
        for &index in &group {
            let thread = &mut block.threads[index as usize];
            thread.state = State::Ready;
            block.halted -= 1;
            self.grid.ready.add((thread.slot, index));
        }
    }

    fn order_lanes(&mut self, block: &mut Block, group: &[u32], lanes: u32) {
        let of = self.grid.block_of(block);
        let whole = group.len() as u32 == lanes;
        let mut all = crate::clock::Knowledge::default();
        if !whole || block.has_knowledge {
            for &index in group {
                let thread = &block.threads[index as usize];
                match (whole, thread.facts.knows.as_deref()) {
                    (true, Some(knows)) => all.join(knows),
                    (true, None) => {}
                    (false, _) => all.join(&thread.knowledge(&of, false)),
                }
            }
        }
        let floor =
            group.iter().map(|i| block.threads[*i as usize].facts.clock).max().unwrap_or(0) + 1;
        for &index in group {
            let thread = &mut block.threads[index as usize];
            thread.facts.clock = floor;
            if whole {
                thread.facts.warp_floor = floor;
            }
            if !all.is_empty() {
                thread.facts.knows.get_or_insert_default().join(&all);
            }
        }
        block.has_knowledge |= !all.is_empty();
    }
}

fn is_asking(thread: &Thread) -> bool {
    matches!(thread.state, State::Lanes { kind: Exchange::ActiveMask, .. })
}

/// What each lane of an exchange gets, by the index of its thread: the value in the low half, and
/// for exchanges with two results the second one above it. `warp` begins with the warp's threads. A
/// value that is not defined is the lane's own.
fn results(warp: &[Thread], kind: Exchange, lanes: u64) -> Vec<(u32, u64)> {
    let Some(meaning) = kind.kind() else { return Vec::new() };
    let of = |lane: u32| match warp[lane as usize].state {
        State::Lanes { value, lane, clamp, .. } => {
            [brought(kind, value), u128::from(lane), u128::from(clamp)]
        }
        State::Ready
        | State::Barrier { .. }
        | State::Mbarrier { .. }
        | State::Cluster
        | State::Grid
        | State::Done => unreachable!("lanes that exchange wait"),
    };
    let meeting = Meeting {
        kind: meaning,
        lanes,
        width: 32,
        brings: |operand: usize, lane: u32| Ok::<u128, ()>(of(lane)[operand]),
        undefined: (),
        elects: Choice::Possible,
        together: Choice::Possible,
    };
    let common = meeting.common();
    let members = (0..u64::BITS).filter(|lane| lanes >> lane & 1 == 1);
    members
        .map(|lane| {
            let [first, second] = meeting.results(lane, common);
            let low = first.unwrap_or(of(lane)[0]) as u64;
            let high = if kind.has_flag() { second.unwrap_or(0) as u64 } else { 0 };
            (warp[lane as usize].index, low | high << 32)
        })
        .collect()
}

/// The first operand, of 64 bits for matches, of one bit for votes, and of 32 for the others.
fn brought(kind: Exchange, value: u64) -> u128 {
    match kind {
        Exchange::MatchAny | Exchange::MatchAll => u128::from(value),
        Exchange::All | Exchange::Any | Exchange::Uniform | Exchange::Ballot => {
            u128::from(value != 0)
        }
        Exchange::Barrier
        | Exchange::ShuffleIndex
        | Exchange::ShuffleUp
        | Exchange::ShuffleDown
        | Exchange::ShuffleXor
        | Exchange::Add
        | Exchange::UMin
        | Exchange::UMax
        | Exchange::SMin
        | Exchange::SMax
        | Exchange::And
        | Exchange::Or
        | Exchange::Xor
        | Exchange::Elect
        | Exchange::Matrix
        | Exchange::ActiveMask => u128::from(value as u32),
    }
}

#[cfg(test)]
mod tests {
    use heddle_semantics::LaunchShape;

    use super::*;

    fn warp(kind: Exchange, lane: u32, clamp: u32) -> Vec<u64> {
        let mut block = Block::new(0, [0; 3], 0, &LaunchShape::new([1; 3], [32, 1, 1], Some(32)));
        for thread in &mut block.threads {
            let value = u64::from(thread.index) * 10;
            thread.state = State::Lanes { kind, mask: u32::MAX, value, lane, clamp };
        }
        let results = results(&block.threads, kind, u64::from(u32::MAX));
        results.into_iter().map(|(_, result)| result).collect()
    }

    #[test]
    fn the_second_result_is_in_the_upper_half() {
        let down = warp(Exchange::ShuffleDown, 1, 0x1f);
        assert_eq!([down[3], down[31]], [40 | 1 << 32, 310]);
        assert_eq!(warp(Exchange::MatchAll, 0, 0)[5], 0);
        assert_eq!(warp(Exchange::Elect, 0, 0)[..2], [1 << 32, 0]);
        assert_eq!(warp(Exchange::Ballot, 0, 0)[7], 0xffff_fffe);
        assert_eq!(warp(Exchange::Add, 0, 0)[0], 4960);
    }
}
