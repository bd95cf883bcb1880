//! The barrier of the whole grid (`cooperative_groups::grid_group::sync`, a cooperative launch).
//!
//! All blocks must be there at the same time: a launch of a kernel that has it lets all of them
//! start, unless it is said how many may be resident. **Promises**: what any thread did before is
//! known to all after it. Threads that returned are not waited for, as at a barrier of their block;
//! a block that has ended never comes.

use crate::block::{Pause, State};
use crate::clock::Knowledge;
use crate::grid::Presence;
use crate::turn::Turn;
use crate::worker::Worker;

impl Turn<'_, '_> {
    /// The thread comes to the grid's barrier, and waits.
    pub(crate) fn arrive_at_grid(&mut self) -> Pause {
        let thread = self.thread_mut();
        thread.waits_at = thread.facts.site;
        thread.state = State::Grid;
        self.grid.running_block_mut().halted += 1;
        self.grid.presence.waiting += 1;
        self.settle_grid();
        Pause::Wait
    }
}

impl Worker<'_> {
    /// Lets the grid go on if all of it waits.
    pub(crate) fn settle_grid(&mut self) {
        let Presence { waiting, live, ended } = self.grid.presence;
        if waiting == 0 || waiting != live || ended > 0 || !self.grid.exhausted {
            return;
        }
        self.grid.presence.waiting = 0;
        self.grid.idle = 0;
        let floor = self.grid.threads().map(|it| it.facts.clock).max().unwrap_or(0) + 1;
        for block in self.grid.blocks.iter_mut().flatten() {
            block.has_knowledge = true;
            for thread in &mut block.threads {
                let facts = &mut thread.facts;
                (facts.clock, facts.warp_floor) = (floor, floor);
                (facts.floor, facts.shared_floor) = (floor, floor);
                facts.knows = Some(Box::new(Knowledge { grid: floor, ..Knowledge::default() }));
                if thread.state == State::Grid {
                    thread.state = State::Ready;
                    block.halted -= 1;
                    self.grid.ready.add((thread.slot, thread.index));
                }
            }
        }
    }
}
