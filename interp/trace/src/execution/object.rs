//! Barrier objects (mbarriers, PTX ISA 9.7.13.15): phases of arrivals and of bytes that copies
//! bring.
//!
//! A wait names the parity of a phase: it is over if the phase in progress has the other one. So
//! that it means the same phase in every schedule, the phase before must be known to be over when
//! it starts, and the phase after must not be able to complete before it has looked. A wait that
//! names a phase by its token must look before the phase after is over, too: a token is good for
//! the phase in progress and the one before (PTX ISA 9.7.13.15.16). Who passes learns what the
//! phase that it named released, and no more.

use heddle_semantics::{Excess, Phases, Target};

use crate::clock::Knowledge;
use crate::sync::{ObjectName, ObjectStep, Sync};
use crate::trace::{Ending, GenerationId, Membership, Name};
use crate::violation::Violation;

use super::Execution;

/// A barrier object in its life.
#[derive(Clone, Debug)]
pub(super) struct Object {
    init: Membership,
    /// Where clocks count its phases.
    dimension: u32,
    /// Phases of lives before this one: clocks do not start anew.
    past_phases: u32,
    pub(super) phases: Phases,
    /// Phases, as far as begun.
    generations: Vec<GenerationId>,
    expects: Vec<Membership>,
    /// What the arrivals so far, of all phases, knew.
    release: Knowledge,
    /// What those of the phases that are over knew.
    over: Knowledge,
    pub(super) waiting: Vec<(Membership, Target)>,
    /// Looks ahead whose wait has not come yet.
    pub(super) asked: Vec<(Membership, Target)>,
    /// Waits that passed, with the phase after the one they saw.
    passed: Vec<(Membership, u32)>,
    /// It was invalidated, and not begun again since.
    is_over: bool,
}

impl Object {
    pub(super) fn standing(&self) -> (u32, u32, u32, i64) {
        let Phases { needs, lacking, bytes, phase, per_phase: _ } = self.phases;
        (phase, needs.saturating_sub(lacking), needs, bytes)
    }

    /// When what signals the phase in progress is over.
    pub(super) fn ending(&self) -> Ending {
        Ending { dimension: self.dimension, tick: self.past_phases + self.phases.phase + 1 }
    }
}

impl Execution {
    /// The phase of a barrier object that is in progress.
    pub fn phase(&self, name: ObjectName) -> Option<u32> {
        self.objects.get(&name).map(|it| it.phases.phase)
    }

    pub(super) fn object(&mut self, at: Membership, name: ObjectName, step: ObjectStep) -> bool {
        let life = self.objects.remove(&name);
        let mut object = match (step, life) {
            (ObjectStep::Init(count), life) => {
                if let Some(life) = &life
                    && (!life.phases.is_untouched() || self.is_under_way(life, at))
                {
                    self.report(Violation::InitInUse { name: Name::Object(name), by: at });
                }
                let object = self.begin_life(at, count, life);
                self.objects.insert(name, object);
                self.next_interval(at.strand, None);
                return false;
            }
            (_, Some(object)) if !object.is_over => object,
            (_, life) => {
                self.report(Violation::NotInitialised { name: Name::Object(name), by: at });
                self.objects.extend(life.map(|it| (name, it)));
                return false;
            }
        };
        let init = object.init;
        if !self.follows(at, init) {
            self.report(Violation::InitUnordered { name: Name::Object(name), init, by: at });
        }
        let mut waits = false;
        match step {
            ObjectStep::Init(_) => {}
            ObjectStep::Invalidate => {
                let in_use =
                    object.phases.lacking != object.phases.needs || !object.waiting.is_empty();
                if in_use || self.is_under_way(&object, at) {
                    self.report(Violation::InitInUse { name: Name::Object(name), by: at });
                }
                object.is_over = true;
                self.next_interval(at.strand, None);
            }
            ObjectStep::Arrive { count, expect, drop } => {
                let generation = self.contribute(&mut object, name, at);
                object.phases.expect(expect);
                self.take_arrivals(&mut object, generation, at, count);
                if drop {
                    object.phases.drop_out(count);
                }
                let mut release = std::mem::take(&mut object.release);
                self.release_into(at, &mut release);
                object.release = release;
                self.next_interval(at.strand, None);
            }
            ObjectStep::Expect(bytes) => {
                let generation = self.phase_in_progress(&mut object, name);
                self.belongs(at, generation);
                object.phases.expect(bytes);
                object.expects.push(at);
                self.next_interval(at.strand, None);
            }
            ObjectStep::Complete(bytes) => {
                // The copy releases itself, not what its issuer did before: who waits learns only
                // that it is over, and so was issued.
                self.contribute(&mut object, name, at);
                self.trace.ends.insert(at, object.ending());
                let mut release = std::mem::take(&mut object.release);
                self.cause_into(at, &mut release);
                object.release = release;
                object.phases.complete(bytes);
                self.next_interval(at.strand, None);
            }
            ObjectStep::Signal(count) => {
                let generation = self.contribute(&mut object, name, at);
                self.trace.ends.insert(at, object.ending());
                self.take_arrivals(&mut object, generation, at, count);
                let mut release = std::mem::take(&mut object.release);
                self.cause_into(at, &mut release);
                object.release = release;
                self.next_interval(at.strand, None);
            }
            ObjectStep::Wait(target) => {
                object.waiting.push((at, target));
                waits = true;
            }
            ObjectStep::Ask(target) => {
                object.asked.push((at, target));
                self.next_interval(at.strand, None);
            }
        }
        while object.phases.advance() {
            self.complete_phase(&mut object);
        }
        self.let_pass(&mut object);
        self.objects.insert(name, object);
        waits
    }

    /// Whether something of a life may still come, as far as a strand knows: the arrival of a copy
    /// for a phase that it has not waited for, or one that is in no order with it. Those of the
    /// phases before came before the arrivals of the last.
    fn is_under_way(&self, life: &Object, at: Membership) -> bool {
        let last = life.generations.len().checked_sub(1);
        last.is_some_and(|last| self.unknown_of(life, last as u32, at).is_some())
    }

    fn begin_life(&mut self, at: Membership, count: u32, life: Option<Object>) -> Object {
        let (dimension, past_phases) = match &life {
            Some(old) => (old.dimension, old.past_phases + old.phases.phase),
            None => ((self.trace.strands.len() + self.objects.len()) as u32, 0),
        };
        Object {
            init: at,
            dimension,
            past_phases,
            phases: Phases::init(count),
            generations: Vec::new(),
            expects: Vec::new(),
            release: Knowledge::default(),
            over: Knowledge::default(),
            waiting: Vec::new(),
            asked: Vec::new(),
            passed: Vec::new(),
            is_over: false,
        }
    }

    fn phase_in_progress(&mut self, object: &mut Object, name: ObjectName) -> GenerationId {
        if let Some(generation) = object.generations.get(object.phases.phase as usize) {
            return *generation;
        }
        let generation =
            self.begin_generation(Name::Object(name), object.phases.phase, object.phases.needs);
        object.generations.push(generation);
        generation
    }

    fn take_arrivals(
        &mut self,
        object: &mut Object,
        generation: GenerationId,
        at: Membership,
        count: u32,
    ) {
        if let Err(Excess { lacking }) = object.phases.arrive(count) {
            self.report(Violation::TooMany { generation, by: at, brings: count, lacking });
        }
    }

    /// An arrival or the end of a copy: it must not be able to come in the phase before.
    fn contribute(
        &mut self,
        object: &mut Object,
        name: ObjectName,
        at: Membership,
    ) -> GenerationId {
        let generation = self.phase_in_progress(object, name);
        if let Some(before) = object.phases.phase.checked_sub(1)
            && let Some((last, earlier)) = self.unknown_of(object, before, at)
        {
            self.report(Violation::Recycled { generation: last, earlier, later: at });
        }
        self.join_generation(generation, at);
        generation
    }

    /// An arrival of a phase that a strand does not know of at an event, if there is one. That a
    /// copy has ended, or what arrives once copies have, nobody knows who has not waited for the
    /// phase, its issuer as little as others.
    fn unknown_of(
        &self,
        object: &Object,
        phase: u32,
        at: Membership,
    ) -> Option<(GenerationId, Membership)> {
        let known = &self.trace.interval(at.strand, at.event).known;
        if known.cause().get(object.dimension) > object.past_phases + phase {
            return None;
        }
        let generation = *object.generations.get(phase as usize)?;
        let arrivals = &self.trace.generations[generation.0 as usize].arrivals;
        let missing = |it: &Membership| self.is_of_copy(*it) || !self.knows(at, *it);
        Some((generation, arrivals.iter().copied().find(missing)?))
    }

    /// Whether an arrival is made by copies, at some time after its issue.
    fn is_of_copy(&self, arrival: Membership) -> bool {
        let event = &self.trace.events[arrival.strand.0 as usize][arrival.event as usize];
        match self.trace.sync(event) {
            Sync::Object(_, step) => match step {
                ObjectStep::Complete(_) | ObjectStep::Signal(_) => true,
                ObjectStep::Init(_)
                | ObjectStep::Invalidate
                | ObjectStep::Arrive { .. }
                | ObjectStep::Expect(_)
                | ObjectStep::Wait(_)
                | ObjectStep::Ask(_) => false,
            },
            Sync::Named { .. }
            | Sync::Cluster { .. }
            | Sync::Issue
            | Sync::Settle
            | Sync::Product(_)
            | Sync::Warp { .. } => false,
        }
    }

    /// The phase before the one in progress has just ended.
    fn complete_phase(&mut self, object: &mut Object) {
        let phase = object.phases.phase - 1;
        if let Some(generation) = object.generations.get(phase as usize).copied() {
            self.trace.generations[generation.0 as usize].is_complete = true;
            let arrivals = self.trace.generations[generation.0 as usize].arrivals.clone();
            for (wait, next) in std::mem::take(&mut object.passed) {
                let is_awaited = arrivals.iter().any(|it| self.follows(*it, wait));
                if next == phase && !is_awaited {
                    self.report(Violation::Lapped { wait, by: generation });
                }
                if next > phase {
                    object.passed.push((wait, next));
                }
            }
            for expect in std::mem::take(&mut object.expects) {
                // The end of a copy holds up no phase whose bytes are not announced.
                let counts = |it: &Membership| {
                    let event = &self.trace.events[it.strand.0 as usize][it.event as usize];
                    !matches!(self.trace.sync(event), Sync::Object(_, ObjectStep::Complete(_)))
                };
                let mut counted = arrivals.iter().filter(|it| **it != expect && counts(it));
                if !counted.any(|it| self.follows(*it, expect)) {
                    self.report(Violation::LateExpect { phase: generation, expect });
                }
            }
        }
        object.release.raise(object.dimension, object.past_phases + phase + 1);
        object.over = object.release.clone();
        self.let_pass(object);
    }

    fn let_pass(&mut self, object: &mut Object) {
        for (wait, target) in std::mem::take(&mut object.waiting) {
            let Some(next) = object.phases.passes(target) else {
                object.waiting.push((wait, target));
                continue;
            };
            let seen = next.checked_sub(1);
            if let Some(seen) = seen.and_then(|it| object.generations.get(it as usize)) {
                self.belongs(wait, *seen);
            }
            if next < object.phases.phase
                && let Some(by) = object.generations.get(next as usize).copied()
            {
                self.report(Violation::Lapped { wait, by });
            }
            let before = match target {
                Target::Parity(_) => seen.and_then(|it| it.checked_sub(1)),
                Target::Phase(_) => None,
            };
            // Who asked ahead may have been told so then already.
            let is_ahead =
                |(ask, of): &(Membership, Target)| ask.strand == wait.strand && *of == target;
            let asked: Vec<Membership> =
                object.asked.iter().filter(|it| is_ahead(it)).map(|it| it.0).collect();
            object.asked.retain(|it| !is_ahead(it));
            for looks in asked.into_iter().chain([wait]) {
                if let Some(before) = before
                    && let Some((generation, missing)) = self.unknown_of(object, before, looks)
                {
                    self.report(Violation::EarlyPass { wait: looks, before: generation, missing });
                }
            }
            object.passed.push((wait, next));
            let learned = seen.filter(|_| next == object.phases.phase).map(|_| object.over.clone());
            self.next_interval(wait.strand, learned.as_ref());
        }
    }
}
