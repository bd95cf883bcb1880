//! Copies of a whole work-group, by events (OpenCL C 3.0, 6.15.11).
//!
//! The first thread of the block makes the copy. Until its event is waited for its bytes are
//! pending, and its source must not be written. All threads meet where they wait, which orders
//! nothing; the first to go on carries the copies of the events out, and each thread knows of the
//! copies that it has waited for, and of what the first thread did before it issued them.
//!
//! **Does not**: compare arguments of different threads, or report copies that nobody waits for.

use crate::shadow::PENDING;
use crate::turn::Turn;

/// Events are told from null, and from what else a list may hold, by this bit.
const EVENT: u64 = 1 << 32;

/// A list of more events than this is not looked at.
pub(crate) const MOST_EVENTS: u32 = 4096;

/// A copy of elements that stand apart, on one side or both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) target: usize,
    pub(crate) source: usize,
    /// Bytes of one.
    pub(crate) each: usize,
    pub(crate) count: usize,
    /// Bytes from one to the next, where they are written and read.
    pub(crate) apart: [usize; 2],
}

impl Turn<'_, '_> {
    /// The thread comes to a copy of its block; its event. `None` if the copy must not be made.
    pub(crate) fn issue_group_copy(&mut self, elements: Elements, event: u64) -> Option<u64> {
        let thread = self.thread_mut();
        thread.copies.events.made += 1;
        let event = if event == 0 { EVENT + thread.copies.events.made } else { event };
        if thread.index != 0 {
            return Some(event);
        }
        let site = thread.facts.site;
        let Elements { target, source, each, count, apart } = elements;
        for n in 0..if each == 0 { 0 } else { count } {
            let target = target.wrapping_add(n.wrapping_mul(apart[0]));
            let source = source.wrapping_add(n.wrapping_mul(apart[1]));
            let source = self.access(source, each, site, 0, 0)?;
            let target = self.access(target, each, site, 1, 0)?;
            let copy = self.copy_of((target, source), site, true);
            self.mark(&copy, PENDING);
            self.thread_mut().copies.events.open.entry(event).or_default().push(copy);
        }
        // What the thread does from here on is not published with the copy.
        self.thread_mut().facts.clock += 1;
        Some(event)
    }

    /// The thread has met the others at a wait for events.
    pub(crate) fn wait_for_events(&mut self, events: &[u64]) {
        let index = self.grid.running.1 as usize;
        for event in events {
            let block = self.grid.running_block_mut();
            let first = &mut block.threads[0].copies.events;
            if let Some(copies) = first.open.remove(event) {
                let known = copies.iter().map(|copy| (copy.own - 1, copy.clock));
                first.over.entry(*event).or_default().extend(known);
                self.carry_out(&copies);
            }
            let block = self.grid.running_block_mut();
            let over = block.threads[0].copies.events.over.get(event).cloned();
            let thread = &mut block.threads[index];
            for (issuer, clock) in over.unwrap_or_default() {
                if issuer != thread.facts.own - 1 {
                    thread.facts.knows.get_or_insert_default().learn_thread(issuer, clock);
                    block.has_knowledge = true;
                }
            }
        }
    }
}
