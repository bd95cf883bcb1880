//! When nothing can run: who waits where, for whom.
//!
//! **Promises**: a deadlock is exact. Fibers switch only where they say so, and each wait is looked at again when
//! anything that it waits for changes, so a block in which no thread can run never will.

use crate::block::{Block, State};
use crate::event::Event;
use crate::worker::Worker;

impl Worker {
    /// Reports each block that is stuck, and gives it up.
    pub(crate) fn resolve_stuck(&mut self) {
        for slot in 0..self.blocks.len() {
            let Some(block) = self.blocks[slot].as_deref() else { continue };
            let waiting = block.threads.iter().filter(|it| it.state != State::Done);
            let mut sites: Vec<u32> = waiting.clone().map(|it| it.waits_at).collect();
            sites.dedup();
            let first = waiting.clone().next();
            let other =
                waiting.clone().find(|it| first.is_some_and(|first| first.waits_at != it.waits_at));
            if let Some(first) = first {
                let other = other.unwrap_or(first);
                let arrivals = waiting.clone().any(|it| match it.state {
                    State::Barrier { id, .. } => id > 0 || block.barriers[id].count > 0,
                    State::Mbarrier { .. } => true,
                    State::Ready | State::Lanes { .. } | State::Done => false,
                });
                let (site, other_site) = (first.waits_at, other.waits_at);
                let event = Event::Deadlock { site, other: other_site, arrivals };
                let threads = [first.number, other.number];
                let notes = self.whereabouts(Some(slot));
                self.outcome.events.add(event, threads, || (String::new(), notes));
            }
            self.give_up(slot);
        }
    }

    /// One line for each place where threads of a block, or of all, are.
    pub(crate) fn whereabouts(&self, slot: Option<usize>) -> Vec<String> {
        let blocks =
            self.blocks.iter().enumerate().filter(|(at, _)| slot.is_none_or(|slot| slot == *at));
        let mut lines = Vec::new();
        for block in blocks.filter_map(|(_, block)| block.as_deref()).take(4) {
            lines.extend(self.of_block(block));
        }
        lines
    }

    fn of_block(&self, block: &Block) -> Vec<String> {
        let mut groups: Vec<(String, Vec<u32>)> = Vec::new();
        for thread in &block.threads {
            let does = match thread.state {
                State::Done => "have returned".to_owned(),
                State::Ready => format!("run near {}", self.place(thread.facts.site)),
                State::Barrier { id, .. } => {
                    let barrier = &block.barriers[id];
                    let there = barrier.waiting.len() + barrier.arrived.len();
                    let of = if barrier.count == 0 { block.live } else { barrier.count };
                    format!(
                        "wait at barrier {id}, {}: {there} of {of} have come",
                        self.place(thread.waits_at)
                    )
                }
                State::Lanes { mask, .. } => {
                    format!(
                        "wait for the lanes of mask {mask:#010x}, {}",
                        self.place(thread.waits_at)
                    )
                }
                State::Mbarrier { .. } => {
                    format!("wait for a phase of an mbarrier, {}", self.place(thread.waits_at))
                }
            };
            match groups.iter_mut().find(|(known, _)| *known == does) {
                Some((_, threads)) => threads.push(thread.index),
                None => groups.push((does, vec![thread.index])),
            }
        }
        let [x, y, z] = block.index;
        let line = |(does, threads): &(String, Vec<u32>)| {
            format!("of block ({x},{y},{z}), threads {} {does}", ranges(threads))
        };
        groups.iter().take(8).map(line).collect()
    }

    fn place(&self, site: u32) -> String {
        // SAFETY: the program outlives the run.
        let site = unsafe { &*self.program }.sites.get(site as usize);
        match site.and_then(|it| it.place.line()) {
            Some(line) => format!("line {line}"),
            None => "a place without a line".to_owned(),
        }
    }
}

/// `0..32, 40`
fn ranges(numbers: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &n in numbers {
        match parts.last_mut() {
            Some((_, end)) if *end == n => *end = n + 1,
            _ => parts.push((n, n + 1)),
        }
    }
    let shown = parts.iter().take(4).map(|(start, end)| match end - start {
        1 => start.to_string(),
        _ => format!("{start}..{end}"),
    });
    let mut shown: Vec<_> = shown.collect();
    if parts.len() > 4 {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn runs_of_threads_are_one_range() {
        assert_eq!(ranges(&[0, 1, 2, 7, 9, 10]), "0..3, 7, 9..11");
        assert_eq!(ranges(&[0, 2, 4, 6, 8]), "0, 2, 4, 6, …");
    }
}
