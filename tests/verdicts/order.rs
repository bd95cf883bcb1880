//! What orders the threads of a run: their clocks, fences, and atomics that pass on what fences
//! released.
//!
//! **Promises**: release and acquire as PTX has them (section 8.9): a fence, an atomic that is seen
//! by an atomic, a fence.
//! **Does not**: take volatile accesses, or atomics without fences, for synchronization.

use crate::code::{SHARED, Scope};
use crate::machine::{Fences, Machine};
use crate::memory::Location;
use crate::races::Clock;

impl Machine<'_> {
    /// The thread of the first entry of a thread's clock.
    pub(crate) fn base(&self, thread: usize) -> usize {
        if self.wide_clocks { 0 } else { self.block(self.block_of(thread)).start }
    }

    /// The clock that orders accesses to this object.
    pub(crate) fn clock_of(&self, object: u64) -> usize {
        usize::from(self.code.opencl && object != SHARED)
    }

    /// Advances the thread's own time.
    pub(crate) fn tick(&mut self, which: usize, thread: usize) {
        let own = thread - self.base(thread);
        self.clocks[which][thread][own] += 1;
    }

    /// A fence: what was read through atomics is known from here, and what is known is released
    /// from here.
    pub(crate) fn fence(&mut self, thread: usize, scope: Scope) {
        if !self.wide_clocks {
            return;
        }
        let levels = if scope == Scope::Block { 1 } else { 2 };
        for level in 0..levels {
            if let Some(pending) = self.fences[thread].pending[level].clone() {
                join(&mut self.clocks[0][thread], &pending);
            }
        }
        let clock = self.clocks[0][thread].clone();
        for level in 0..levels {
            self.fences[thread].released[level] = Some(clock.clone());
        }
        self.tick(0, thread);
    }

    /// At a block barrier, fences count for the whole block: what one thread has read through an
    /// atomic, a fence of any other makes known to that one; and what one thread's fence released,
    /// an atomic of any other passes on. The idiom of the last block needs it, in which one thread
    /// draws the ticket. Release and acquire patterns of PTX are of one thread each; but
    /// `__threadfence` is sequentially consistent, and the order of two such fences leads to the
    /// same. OpenCL has no such fences: there only the first holds.
    pub(crate) fn share_fences(&mut self, members: &std::ops::Range<usize>) {
        if !self.wide_clocks {
            return;
        }
        for level in 0..2 {
            self.share(members, |it| &mut it.pending[level]);
            if !self.code.opencl {
                self.share(members, |it| &mut it.released[level]);
            }
        }
    }

    fn share(
        &mut self,
        members: &std::ops::Range<usize>,
        part: impl Fn(&mut Fences) -> &mut Option<Clock>,
    ) {
        let mut all = Clock::new();
        for it in members.clone() {
            if let Some(clock) = part(&mut self.fences[it]) {
                join(&mut all, clock);
            }
        }
        if !all.is_empty() {
            for it in members.clone() {
                *part(&mut self.fences[it]) = Some(all.clone());
            }
        }
    }

    /// An atomic at a place: it may pass on what its thread released, and bring what others did.
    pub(crate) fn through(&mut self, thread: usize, at: Location, scope: Scope, writes: bool) {
        if !self.wide_clocks {
            return;
        }
        let block = self.block_of(thread);
        let place = self.released.entry(self.own_place(at, thread)).or_default();
        let fences = &mut self.fences[thread];
        if let Some(known) = place.blocks.get(&block) {
            join(fences.pending[0].get_or_insert_with(Clock::new), known);
        }
        if let (Some(known), true) = (&place.device, scope > Scope::Block) {
            join(fences.pending[1].get_or_insert_with(Clock::new), known);
        }
        if !writes {
            return;
        }
        if let Some(released) = &fences.released[0] {
            join(place.blocks.entry(block).or_default(), released);
        }
        if let (Some(released), true) = (&fences.released[1], scope > Scope::Block) {
            join(place.device.get_or_insert_with(Clock::new), released);
        }
    }

    /// A place, where shared memory is another object in each block.
    fn own_place(&self, at: Location, thread: usize) -> Location {
        let block = self.block_of(thread) as u64;
        let object = if at.object == SHARED { at.object << 32 | block } else { at.object };
        Location { object, ..at }
    }

    /// Whether a counter is used for the first time, from now on it is not.
    pub(crate) fn first_use(&mut self, at: Location, thread: usize) -> bool {
        let place = self.released.entry(self.own_place(at, thread)).or_default();
        !std::mem::replace(&mut place.used, true)
    }
}

/// The later of each time.
pub(crate) fn join(into: &mut Clock, from: &[u32]) {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    for (a, b) in into.iter_mut().zip(from) {
        *a = (*a).max(*b);
    }
}
