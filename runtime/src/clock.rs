//! Who knows of whom: the happens-before of barriers, fences and atomics.
//!
//! A thread has a clock that ticks at each synchronization. After a block barrier all threads of
//! the block have the same clock, the *floor*, and everything that the block did below it is known
//! to each: one comparison. The same holds for the whole warp. What is known beyond that, of single
//! threads and of other blocks, is a [`Knowledge`]: rare, small, and copied along with each
//! release.
//!
//! **Promises**: knowledge only grows along real synchronization, so a race that is reported was
//! unordered.

use std::collections::BTreeMap;

/// What is known beyond floors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Knowledge {
    /// Of a thread (its number in the grid): everything up to this clock.
    pub threads: BTreeMap<u32, u32>,
    /// Of all threads of a block (its number in the grid): everything below this clock.
    pub blocks: BTreeMap<u32, u32>,
    /// Of all threads of the grid: everything below this clock.
    pub grid: u32,
}

impl Knowledge {
    /// Adds that everything of a thread up to a clock is known.
    pub(crate) fn learn_thread(&mut self, thread: u32, clock: u32) {
        let known = self.threads.entry(thread).or_default();
        *known = clock.max(*known);
    }

    /// Adds that everything of a block below a clock is known.
    pub(crate) fn learn_block(&mut self, block: u32, floor: u32) {
        let known = self.blocks.entry(block).or_default();
        *known = floor.max(*known);
    }

    /// Adds all of another's.
    pub(crate) fn join(&mut self, other: &Knowledge) {
        other.threads.iter().for_each(|(&thread, &clock)| self.learn_thread(thread, clock));
        other.blocks.iter().for_each(|(&block, &floor)| self.learn_block(block, floor));
        self.grid = self.grid.max(other.grid);
    }

    /// Whether an access of a thread of a block, at a clock, is known.
    pub(crate) fn covers(&self, thread: u32, block: u32, clock: u32) -> bool {
        self.threads.get(&thread).is_some_and(|known| clock <= *known)
            || self.blocks.get(&block).is_some_and(|floor| clock < *floor)
            || clock < self.grid
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.threads.is_empty() && self.blocks.is_empty() && self.grid == 0
    }
}

/// A release that atomics carry, by the block that made it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Release {
    /// What threads of the same block learn.
    pub narrow: Knowledge,
    /// What threads of other blocks learn.
    pub wide: Knowledge,
    /// What they learn by a sequentially consistent fence, whoever does it.
    pub sc_fenced: Knowledge,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_known_up_to_its_clock_and_a_block_below_its_floor() {
        let mut known = Knowledge::default();
        known.learn_thread(7, 3);
        known.learn_block(2, 5);
        assert!(known.covers(7, 0, 3) && !known.covers(7, 0, 4));
        assert!(known.covers(99, 2, 4) && !known.covers(99, 2, 5));
        let mut other = Knowledge::default();
        other.learn_thread(7, 2);
        other.join(&known);
        assert_eq!(other, known);
    }
}
