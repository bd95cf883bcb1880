//! Named barriers of a block: sixteen counters that are configured by who comes first.

use heddle_semantics::{Arrivals, Arrived, Misuse};

use crate::clock::Knowledge;
use crate::strand::StrandId;
use crate::trace::{GenerationId, Membership, Name};
use crate::violation::Violation;

use super::Execution;

/// One named barrier.
#[derive(Clone, Default, Debug)]
pub(super) struct Named {
    number: u32,
    pub(super) open: Option<Open>,
    last: Option<GenerationId>,
}

/// A generation that has begun and lacks arrivals.
#[derive(Clone, Debug)]
pub(super) struct Open {
    generation: GenerationId,
    pub(super) arrived: Arrived,
    first: Membership,
    release: Knowledge,
    pub(super) waiting: Vec<StrandId>,
}

impl Named {
    pub(super) fn standing(&self, block: u32) -> (u32, u32, u32) {
        let Some(open) = &self.open else { return (self.number, 0, 0) };
        (self.number, open.arrived.arrived(), open.arrived.expected().number(block))
    }
}

impl Execution {
    /// Whether the strand has to wait, unless this arrival completes the generation.
    pub(super) fn named(
        &mut self,
        at: Membership,
        id: u32,
        expected: Arrivals,
        brings: u32,
        waits: bool,
        aligned: bool,
    ) -> bool {
        let block = self.trace.strands[at.strand.0 as usize].block;
        let size = self.block_size(block);
        let mut named = self.named.remove(&(block, id)).unwrap_or_default();
        let mut open = match named.open.take() {
            Some(open) => open,
            None => {
                let name = Name::Named { block, id };
                let generation = self.begin_generation(name, named.number, expected.number(size));
                let (arrived, release) = (Arrived::begin(expected), Knowledge::default());
                Open { generation, arrived, first: at, release, waiting: Vec::new() }
            }
        };
        let generation = open.generation;
        if let Some(last) = named.last {
            self.check_recycling(last, at, aligned);
        }
        self.belongs(at, generation);
        match open.arrived.arrive(expected, brings, size) {
            Err(Misuse::CountMismatch { fixed, given }) => {
                let first = open.first;
                let other = at;
                self.report(Violation::CountMismatch { generation, first, other, fixed, given });
            }
            Err(Misuse::TooMany { lacking }) => {
                self.report(Violation::TooMany { generation, by: at, brings, lacking });
            }
            Ok(()) => {
                self.join_generation(generation, at);
                self.release_into(at, &mut open.release);
                if waits {
                    open.waiting.push(at.strand);
                } else {
                    self.next_interval(at.strand, None);
                }
            }
        }
        named.open = Some(open);
        self.complete_if_full(&mut named, size);
        self.named.insert((block, id), named);
        waits
    }

    /// Threads of the block have exited: barriers for all of it may now be full.
    pub(super) fn recheck_block(&mut self, block: u32) {
        let size = self.block_size(block);
        let keys: Vec<_> =
            self.named.range((block, 0)..=(block, u32::MAX)).map(|it| *it.0).collect();
        for key in keys {
            if let Some(mut named) = self.named.remove(&key) {
                self.complete_if_full(&mut named, size);
                self.named.insert(key, named);
            }
        }
    }

    fn complete_if_full(&mut self, named: &mut Named, size: u32) {
        let is_full = |open: &mut Open| open.arrived.is_full(size);
        if let Some(open) = named.open.take_if(is_full) {
            self.trace.generations[open.generation.0 as usize].is_complete = true;
            for strand in &open.waiting {
                self.next_interval(*strand, Some(&open.release));
            }
            named.number += 1;
            named.last = Some(open.generation);
        }
    }

    /// Each arrival of the last generation must come before this one, in every schedule.
    fn check_recycling(&mut self, last: GenerationId, at: Membership, aligned: bool) {
        let of = |it: Membership| self.trace.strands[it.strand.0 as usize];
        // The lanes of a warp do an aligned instruction together, and so all did the former one
        // before.
        let in_step = |earlier: Membership| {
            aligned && (of(earlier).block, of(earlier).warp) == (of(at).block, of(at).warp)
        };
        let arrivals = &self.trace.generations[last.0 as usize].arrivals;
        let loose = arrivals.iter().copied().find(|it| !self.knows(at, *it) && !in_step(*it));
        if let Some(earlier) = loose {
            self.report(Violation::Recycled { generation: last, earlier, later: at });
        }
    }
}
