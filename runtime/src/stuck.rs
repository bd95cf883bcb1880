//! When nothing can run: who waits where, for whom.
//!
//! **Promises**: a deadlock is exact. Fibers switch only where they say so, and each wait is looked
//! at again when anything that it waits for changes, so a block in which no thread can run never
//! will.

use crate::block::{Block, State, Thread};
use crate::event::Event;
use crate::worker::Worker;

/// Turns of each thread after which a run without end is said to look like a livelock.
const TURNS: u64 = 100;

impl Worker<'_> {
    /// Ends all threads of a block where they are.
    pub(crate) fn give_up(&mut self, slot: usize) {
        self.host.outcome.finished = false;
        if let Some(mut block) = self.grid.blocks[slot].take() {
            self.grid.presence.ended += 1;
            self.grid.presence.live -= u64::from(block.live);
            for thread in &mut block.threads {
                if thread.state != State::Done {
                    self.host.outcome.accesses += thread.facts.accesses;
                }
                thread.state = State::Done;
                if let Some(fiber) = thread.fiber.take() {
                    self.host.released.push((fiber, false));
                }
            }
        }
    }

    /// Ends everything.
    pub(crate) fn abandon(&mut self) {
        self.grid.ready.clear();
        (0..self.grid.blocks.len()).for_each(|slot| self.give_up(slot));
    }

    /// The time limit was reached.
    pub(crate) fn unfinished(&mut self) {
        let (sites, threads, notes) = self.who_runs();
        let event = Event::Unfinished { site: sites[0], other: sites[1] };
        self.host.outcome.events.add(event, threads, || (String::new(), notes));
        self.host.stopped = true;
    }

    /// Threads that run wait for what nobody writes.
    pub(crate) fn spins(&mut self) {
        let mut notes = self.whereabouts(None);
        notes.extend(self.not_started());
        let site = self.some_site();
        self.host.outcome.events.add(Event::Spin { site }, [0; 2], || (String::new(), notes));
        self.host.stopped = true;
    }

    fn some_site(&self) -> u32 {
        self.grid
            .threads()
            .filter(|it| it.state == State::Ready)
            .map(|it| it.facts.site)
            .max()
            .unwrap_or(0)
    }

    /// Reports each block that is stuck, and gives it up.
    pub(crate) fn resolve_stuck(&mut self) {
        for slot in 0..self.grid.blocks.len() {
            let Some(block) = self.grid.blocks[slot].as_deref() else { continue };
            let waiting = block.threads.iter().filter(|it| it.state != State::Done);
            let mut sites: Vec<u32> = waiting.clone().map(|it| it.waits_at).collect();
            sites.dedup();
            let first = waiting.clone().next();
            let other =
                waiting.clone().find(|it| first.is_some_and(|first| first.waits_at != it.waits_at));
            if let Some(first) = first {
                let other = other.unwrap_or(first);
                let arrivals = waiting.clone().any(|it| match it.state {
                    State::Barrier { id, .. } => {
                        id > 0 || block.barriers[id].open.is_some_and(|it| !it.is_for_all())
                    }
                    State::Mbarrier { .. } => true,
                    State::Cluster => true,
                    State::Ready | State::Lanes { .. } | State::Grid | State::Done => false,
                });
                if waiting.clone().any(|it| it.state == State::Grid) {
                    self.stuck_at_grid(slot);
                    continue;
                }
                let (site, other_site) = (first.waits_at, other.waits_at);
                let event = Event::Deadlock { site, other: other_site, arrivals };
                let threads = [first.number, other.number];
                let notes = self.whereabouts(Some(slot));
                self.host.outcome.events.add(event, threads, || (String::new(), notes));
            }
            self.give_up(slot);
        }
    }

    /// A block that waits at the grid's barrier for ever.
    fn stuck_at_grid(&mut self, slot: usize) {
        let Some(block) = self.grid.blocks[slot].as_deref() else { return };
        if let Some(first) = block.threads.iter().find(|it| it.state == State::Grid) {
            let (event, number) = (Event::GridDeadlock { site: first.waits_at }, first.number);
            let mut notes = self.whereabouts(None);
            notes.extend(self.not_started());
            self.host.outcome.events.add(event, [number; 2], || (String::new(), notes));
        }
        self.give_up(slot);
    }

    /// Two places where threads run, a thread at each, and where all are: for a run that does not
    /// end.
    pub(crate) fn who_runs(&self) -> ([u32; 2], [u32; 2], Vec<String>) {
        let running: Vec<_> = self.grid.threads().filter(|it| it.state == State::Ready).collect();
        let first = running.iter().max_by_key(|it| it.facts.site);
        let other = running.iter().rev().min_by_key(|it| it.facts.site);
        let of = |thread: Option<&&Thread>| thread.map_or((0, 0), |it| (it.facts.site, it.number));
        let ((site, number), (other_site, other_number)) = (of(first), of(other));
        let mut notes = self.whereabouts(None);
        let turns = self.host.outcome.switches - self.host.last_end;
        if turns > TURNS * running.len().max(1) as u64 {
            notes.push(format!(
                "since a thread ended last, those that run have had more than {TURNS} turns each: a livelock, unless they \
                 compute something that takes long"
            ));
        }
        notes.extend(self.not_started());
        ([site, other_site], [number, other_number], notes)
    }

    /// Which blocks have not started.
    pub(crate) fn not_started(&self) -> Option<String> {
        let (next, there) =
            (self.grid.next_block * self.grid.cluster_size() as u64, self.grid.blocks.len());
        (!self.grid.exhausted).then(|| {
            format!("blocks from {next} on have not started: {there} may be there at a time (`--resident`)")
        })
    }

    /// One line for each place where threads of a block, or of all, are.
    pub(crate) fn whereabouts(&self, slot: Option<usize>) -> Vec<String> {
        let blocks = self
            .grid
            .blocks
            .iter()
            .enumerate()
            .filter(|(at, _)| slot.is_none_or(|slot| slot == *at));
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
                    let (there, of) = block.barriers[id]
                        .open
                        .map_or((0, 0), |it| (it.came, it.expected.number(block.live)));
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
                State::Cluster => {
                    format!("wait for their cluster, {}", self.place(thread.waits_at))
                }
                State::Grid => {
                    format!("wait at the barrier of the grid, {}", self.place(thread.waits_at))
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
