//! The barrier of the whole grid (`cooperative_groups::grid_group::sync`, a cooperative launch).
//!
//! All blocks must be there at the same time: a launch of a kernel that has it lets all of them
//! start, unless it is said how many may be resident. **Promises**: what any thread did before is
//! known to all after it. Threads that returned are not waited for, as at a barrier of their block;
//! a block that has ended never comes.

use crate::block::{Pause, State};
use crate::clock::Knowledge;
use crate::worker::Worker;

/// Who is there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Presence {
    /// Threads that wait at the grid's barrier.
    pub(crate) waiting: u64,
    /// Threads that have started and not ended.
    pub(crate) live: u64,
    /// Blocks that have ended, or were given up.
    pub(crate) ended: u64,
}

impl Worker {
    /// A thread comes to the grid's barrier, and waits.
    pub(crate) fn arrive_at_grid(&mut self) -> Pause {
        // SAFETY: a fiber runs; the worker is the only one that looks at its block.
        let (thread, block) = unsafe { (&mut *self.thread, &mut *self.block) };
        thread.waits_at = thread.facts.site;
        thread.state = State::Grid;
        block.halted += 1;
        self.presence.waiting += 1;
        self.settle_grid();
        Pause::Wait
    }

    /// Lets the grid go on if all of it waits.
    pub(crate) fn settle_grid(&mut self) {
        let Presence { waiting, live, ended } = self.presence;
        if waiting == 0 || waiting != live || ended > 0 || !self.exhausted {
            return;
        }
        self.presence.waiting = 0;
        self.idle = 0;
        let threads = self.blocks.iter().flatten().flat_map(|block| &block.threads);
        let floor = threads.map(|it| it.facts.clock).max().unwrap_or(0) + 1;
        for block in self.blocks.iter_mut().flatten() {
            block.has_knowledge = true;
            for thread in &mut block.threads {
                let facts = &mut thread.facts;
                (facts.clock, facts.warp_floor) = (floor, floor);
                (facts.floor, facts.shared_floor) = (floor, floor);
                facts.knows = Some(Box::new(Knowledge { grid: floor, ..Knowledge::default() }));
                if thread.state == State::Grid {
                    thread.state = State::Ready;
                    block.halted -= 1;
                    self.ready.add((thread.slot, thread.index));
                }
            }
        }
    }
}
