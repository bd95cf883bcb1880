//! The barrier of a cluster: all threads arrive, and wait later or at once.

use std::collections::BTreeMap;

use heddle_semantics::ClusterPhases;

use crate::clock::Knowledge;
use crate::strand::StrandId;
use crate::sync::ClusterStep;
use crate::trace::{GenerationId, Membership, Name};
use crate::violation::Violation;

use super::Execution;

/// The one cluster barrier.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// Arrivals of all threads that have not ended.
    expected: u32,
    pub(super) phases: ClusterPhases,
    generation: Option<GenerationId>,
    /// What the arrivals of the phase in progress know.
    release: Knowledge,
    /// What those of the phases that are over knew.
    over: Knowledge,
    /// Who has arrived and not yet waited.
    pub(super) between: BTreeMap<StrandId, Between>,
    pub(super) waiting: Vec<(StrandId, u32)>,
}

/// An arrival whose wait has not come yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between {
    pub(super) phase: u32,
    generation: GenerationId,
    /// Arrivals that it brought.
    brought: u32,
}

impl Cluster {
    pub(super) fn new(expected: u32) -> Cluster {
        Cluster {
            expected,
            phases: ClusterPhases::default(),
            generation: None,
            release: Knowledge::default(),
            over: Knowledge::default(),
            between: BTreeMap::new(),
            waiting: Vec::new(),
        }
    }

    pub(super) fn standing(&self) -> (u32, u32, u32) {
        (self.phases.phase, self.phases.arrived, self.expected)
    }
}

impl Execution {
    pub(super) fn cluster(&mut self, at: Membership, step: ClusterStep, brings: u32) -> bool {
        match step {
            ClusterStep::Arrive | ClusterStep::ArriveRelaxed => {
                if self.cluster.between.contains_key(&at.strand) {
                    self.report(Violation::ClusterOrder { by: at });
                    return false;
                }
                let phase = self.cluster.phases.arrive(brings);
                let expected = self.cluster.expected;
                let generation = match self.cluster.generation {
                    Some(generation) => generation,
                    None => self.begin_generation(Name::Cluster, phase, expected),
                };
                self.cluster.generation = Some(generation);
                self.join_generation(generation, at);
                let between = Between { phase, generation, brought: brings };
                self.cluster.between.insert(at.strand, between);
                let mut release = std::mem::take(&mut self.cluster.release);
                match step {
                    ClusterStep::ArriveRelaxed => self.cause_into(at, &mut release),
                    ClusterStep::Arrive | ClusterStep::Wait => self.release_into(at, &mut release),
                }
                self.cluster.release = release;
                self.next_interval(at.strand, None);
                self.recheck_cluster();
                false
            }
            ClusterStep::Wait => {
                let Some(Between { phase, generation, brought: _ }) =
                    self.cluster.between.remove(&at.strand)
                else {
                    self.report(Violation::ClusterOrder { by: at });
                    return false;
                };
                self.belongs(at, generation);
                if self.cluster.phases.is_over(phase) {
                    // The next phase cannot be over yet: it needs this strand.
                    let over = self.cluster.over.clone();
                    self.next_interval(at.strand, Some(&over));
                } else {
                    self.cluster.waiting.push((at.strand, phase));
                }
                true
            }
        }
    }

    /// A strand has ended, and with it this many arrivals: the barrier waits for threads that have
    /// not (PTX ISA, 9.7.13.4).
    pub(super) fn leave_cluster(&mut self, strand: StrandId, arrivals: u32) {
        let cluster = &mut self.cluster;
        cluster.expected = cluster.expected.saturating_sub(arrivals);
        if let Some(Between { phase, brought, generation: _ }) = cluster.between.remove(&strand) {
            cluster.phases.leave(Some(phase), brought);
        }
        self.recheck_cluster();
    }

    fn recheck_cluster(&mut self) {
        let Some(generation) = self.cluster.generation else { return };
        if !self.cluster.phases.is_full(self.cluster.expected) {
            return;
        }
        self.trace.generations[generation.0 as usize].is_complete = true;
        self.cluster.phases.advance();
        self.cluster.generation = None;
        let release = self.cluster.release.clone();
        self.cluster.over = release.clone();
        for (strand, _) in std::mem::take(&mut self.cluster.waiting) {
            self.next_interval(strand, Some(&release));
        }
    }
}
