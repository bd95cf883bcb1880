//! What the lanes of a warp do together: barriers, shuffles, votes, matches, reductions (PTX ISA
//! 9.7.9 and 9.7.13).
//!
//! Lanes of the mask that have returned are not waited for. Only the warp barrier orders memory, as
//! CUDA says.

use crate::abi::Exchange;
use crate::block::{Block, Pause, State, Thread};
use crate::worker::Worker;

impl Worker {
    /// A lane comes to an exchange.
    pub(crate) fn exchange(
        &mut self,
        kind: Exchange,
        mask: u32,
        value: u64,
        lane: u32,
        clamp: u32,
    ) -> Pause {
        // SAFETY: a fiber runs; the worker is the only one that looks at its block.
        let (thread, block) = unsafe { (&mut *self.thread, &mut *self.block) };
        thread.waits_at = thread.facts.site;
        thread.state = State::Lanes { kind, mask, value, lane, clamp };
        block.halted += 1;
        self.settle_group(block, thread.index);
        Pause::Wait
    }

    /// Lets those exchanges of a warp go on whose lanes are all there.
    pub(crate) fn settle_lanes(&mut self, block: &mut Block, warp: u32) {
        for index in self.lanes_of(block, warp) {
            self.settle_group(block, index);
        }
    }

    /// The threads of a warp, by index.
    fn lanes_of(&self, block: &Block, warp: u32) -> std::ops::Range<u32> {
        let size = self.launch.warp_size.max(1);
        warp * size..(warp * size + size).min(block.threads.len() as u32)
    }

    /// Lets the exchange that a thread waits in go on, if all of its lanes are there.
    fn settle_group(&mut self, block: &mut Block, index: u32) {
        let thread = &block.threads[index as usize];
        let State::Lanes { kind, mask, .. } = thread.state else { return };
        let warp = self.lanes_of(block, thread.warp);
        if mask >> thread.lane & 1 == 0 {
            return self.finish(block, kind, &[index], warp.end - warp.start);
        }
        let mut group = [0; 128];
        let mut count = 0;
        for other in warp.clone() {
            let thread = &block.threads[other as usize];
            match thread.state {
                State::Done => continue,
                _ if mask >> thread.lane & 1 == 0 => continue,
                State::Lanes { kind: its, mask: of, .. } if its == kind && of == mask => {}
                State::Ready
                | State::Barrier { .. }
                | State::Mbarrier { .. }
                | State::Cluster
                | State::Grid
                | State::Lanes { .. } => return,
            }
            group[count] = other;
            count += 1;
        }
        self.finish(block, kind, &group[..count], warp.end - warp.start);
    }

    fn finish(&mut self, block: &mut Block, kind: Exchange, group: &[u32], lanes: u32) {
        self.idle = 0;
        let waits: Vec<Lane> =
            group.iter().filter_map(|i| Lane::of(&block.threads[*i as usize])).collect();
        for wait in &waits {
            let result = wait.result(kind, &waits);
            block.threads[wait.index as usize].result = result;
        }
        if kind == Exchange::Matrix {
            self.finish_matrix(block, group);
        }
        if kind == Exchange::Barrier {
            self.order_lanes(block, group, lanes);
        }
        for &index in group {
            let thread = &mut block.threads[index as usize];
            thread.state = State::Ready;
            block.halted -= 1;
            self.ready.add((thread.slot, index));
        }
    }

    fn order_lanes(&mut self, block: &mut Block, group: &[u32], lanes: u32) {
        let of = self.block_of(block);
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

/// A lane with what it brings.
struct Lane {
    index: u32,
    own: u32,
    value: u64,
    lane: u32,
    clamp: u32,
}

impl Lane {
    fn of(thread: &Thread) -> Option<Lane> {
        let State::Lanes { value, lane, clamp, .. } = thread.state else { return None };
        Some(Lane { index: thread.index, own: thread.lane, value, lane, clamp })
    }

    fn result(&self, kind: Exchange, all: &[Lane]) -> u64 {
        let set = |it: &&Lane| it.value != 0;
        let signed = |it: &Lane| i64::from(it.value as u32 as i32);
        let mask_of = |keep: &dyn Fn(&Lane) -> bool| {
            all.iter().filter(|it| keep(it)).fold(0u64, |mask, it| mask | 1 << it.own)
        };
        match kind {
            Exchange::Barrier | Exchange::Matrix => 0,
            Exchange::ShuffleIndex
            | Exchange::ShuffleUp
            | Exchange::ShuffleDown
            | Exchange::ShuffleXor => self.shuffle(kind, all),
            Exchange::All => u64::from(all.iter().all(|it| set(&it))),
            Exchange::Any => u64::from(all.iter().any(|it| set(&it))),
            Exchange::Uniform => {
                u64::from(all.iter().all(|it| set(&it)) || !all.iter().any(|it| set(&it)))
            }
            Exchange::Ballot => mask_of(&|it| it.value != 0),
            Exchange::MatchAny => mask_of(&|it| it.value == self.value),
            Exchange::MatchAll => {
                let agree = all.iter().all(|it| it.value == self.value);
                if agree { mask_of(&|_| true) | 1 << 32 } else { 0 }
            }
            Exchange::Add => {
                u64::from(all.iter().fold(0u32, |sum, it| sum.wrapping_add(it.value as u32)))
            }
            Exchange::UMin => all.iter().map(|it| it.value & 0xffff_ffff).min().unwrap_or(0),
            Exchange::UMax => all.iter().map(|it| it.value & 0xffff_ffff).max().unwrap_or(0),
            Exchange::SMin => all.iter().map(signed).min().unwrap_or(0) as u64 & 0xffff_ffff,
            Exchange::SMax => all.iter().map(signed).max().unwrap_or(0) as u64 & 0xffff_ffff,
            Exchange::And => all.iter().fold(u64::MAX, |sum, it| sum & it.value),
            Exchange::Or => all.iter().fold(0, |sum, it| sum | it.value),
            Exchange::Xor => all.iter().fold(0, |sum, it| sum ^ it.value),
            Exchange::Elect => {
                let leader = all.iter().map(|it| it.own).min().unwrap_or(0);
                u64::from(leader) | u64::from(leader == self.own) << 32
            }
        }
    }

    /// The value in the low half, and above it whether the source lane was in range (PTX ISA,
    /// shfl.sync).
    fn shuffle(&self, kind: Exchange, all: &[Lane]) -> u64 {
        let (bound, segment) = (self.clamp & 0x1f, self.clamp >> 8 & 0x1f);
        let most = (self.own & segment) | (bound & !segment);
        let b = self.lane & 0x1f;
        let (source, valid) = match kind {
            Exchange::ShuffleUp => {
                let at = i64::from(self.own) - i64::from(b);
                (at, at >= i64::from(most))
            }
            Exchange::ShuffleDown => (i64::from(self.own + b), self.own + b <= most),
            Exchange::ShuffleXor => (i64::from(self.own ^ b), self.own ^ b <= most),
            _index => {
                let at = (self.own & segment) | (b & !segment);
                (i64::from(at), at <= most)
            }
        };
        let source = if valid { source } else { i64::from(self.own) };
        let from = all.iter().find(|it| i64::from(it.own) == source).unwrap_or(self);
        (from.value & 0xffff_ffff) | u64::from(valid) << 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warp(lane: u32, clamp: u32) -> Vec<Lane> {
        (0..32)
            .map(|own| Lane { index: own, own, value: u64::from(own) * 10, lane, clamp })
            .collect()
    }

    #[test]
    fn shuffles_read_the_lanes_that_the_manual_names() {
        let lanes = warp(1, 0x1f);
        assert_eq!(lanes[3].result(Exchange::ShuffleDown, &lanes), 40 | 1 << 32);
        assert_eq!(lanes[31].result(Exchange::ShuffleDown, &lanes), 310);
        assert_eq!(lanes[6].result(Exchange::ShuffleXor, &lanes), 70 | 1 << 32);
        let lanes = warp(2, 0);
        assert_eq!(lanes[5].result(Exchange::ShuffleUp, &lanes), 30 | 1 << 32);
        assert_eq!(lanes[1].result(Exchange::ShuffleUp, &lanes), 10);
        let halves = warp(1, (32 - 16) << 8 | 0x1f);
        assert_eq!(halves[20].result(Exchange::ShuffleIndex, &halves), 170 | 1 << 32);
        assert_eq!(halves[15].result(Exchange::ShuffleDown, &halves), 150);
    }
}
