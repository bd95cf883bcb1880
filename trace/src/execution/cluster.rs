//! The barrier of a cluster: all threads arrive, and wait later or at once.

use std::collections::BTreeMap;

use crate::clock::Knowledge;
use crate::strand::StrandId;
use crate::sync::ClusterStep;
use crate::trace::{GenerationId, Membership, Name};
use crate::violation::Violation;

use super::Execution;

/// The one cluster barrier.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    expected: u32,
    arrived: u32,
    phase: u32,
    generation: Option<GenerationId>,
    /// What the arrivals of the phase in progress know.
    release: Knowledge,
    /// What those of the phases that are over knew.
    over: Knowledge,
    /// Who has arrived and not yet waited, with the phase.
    pub(super) between: BTreeMap<StrandId, (u32, GenerationId)>,
    pub(super) waiting: Vec<(StrandId, u32)>,
}

impl Cluster {
    pub(super) fn new(expected: u32) -> Cluster {
        Cluster {
            expected,
            arrived: 0,
            phase: 0,
            generation: None,
            release: Knowledge::default(),
            over: Knowledge::default(),
            between: BTreeMap::new(),
            waiting: Vec::new(),
        }
    }

    pub(super) fn standing(&self) -> (u32, u32, u32) {
        (self.phase, self.arrived, self.expected)
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
                let phase = self.cluster.phase;
                let expected = self.cluster.expected;
                let generation = match self.cluster.generation {
                    Some(generation) => generation,
                    None => self.begin_generation(Name::Cluster, phase, expected),
                };
                self.cluster.generation = Some(generation);
                self.join_generation(generation, at);
                self.cluster.between.insert(at.strand, (phase, generation));
                self.cluster.arrived += brings;
                let mut release = std::mem::take(&mut self.cluster.release);
                match step {
                    ClusterStep::ArriveRelaxed => self.cause_into(at, &mut release),
                    ClusterStep::Arrive | ClusterStep::Wait => self.release_into(at, &mut release),
                }
                self.cluster.release = release;
                self.next_interval(at.strand, None);
                if self.cluster.arrived >= expected {
                    self.complete_cluster(generation);
                }
                false
            }
            ClusterStep::Wait => {
                let Some((phase, generation)) = self.cluster.between.remove(&at.strand) else {
                    self.report(Violation::ClusterOrder { by: at });
                    return false;
                };
                self.belongs(at, generation);
                if phase < self.cluster.phase {
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

    fn complete_cluster(&mut self, generation: GenerationId) {
        self.trace.generations[generation.0 as usize].is_complete = true;
        self.cluster.phase += 1;
        self.cluster.arrived = 0;
        self.cluster.generation = None;
        let release = self.cluster.release.clone();
        self.cluster.over = release.clone();
        for (strand, _) in std::mem::take(&mut self.cluster.waiting) {
            self.next_interval(strand, Some(&release));
        }
    }
}
