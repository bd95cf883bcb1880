//! Replays schedules that show what is wrong.
//!
//! What went wrong in the run itself is shown by its own schedule, done again. What another
//! schedule makes wrong is shown by one in which only what has to come before happens first:
//! - an arrival that is not forced to come after one of the generation before takes its place if
//!   nothing but its causal past runs;
//! - so does a wait that passes a phase too early;
//! - a wait is lapped, or bytes are announced too late, if all others run on while one strand rests
//!   there.
//!
//! [`confirm`] runs that schedule through the barriers' semantics, and looks. It takes nothing from
//! the run but who does what.

use crate::clock::Tick;
use crate::execution::{Execution, Progress};
use crate::strand::{Partition, StrandId};
use crate::sync::{ObjectName, ObjectStep, Sync};
use crate::trace::{Event, GenerationId, Membership, Name, Trace, Turn};
use crate::violation::{Stuck, Violation};

/// Whether the schedule that a violation speaks of shows it. `block_arrivals` and
/// `exited_are_awaited` are those of the run.
pub fn confirm(
    trace: &Trace,
    violation: &Violation,
    block_arrivals: u32,
    exited_are_awaited: bool,
) -> bool {
    let new = || Replay::new(trace, block_arrivals, exited_are_awaited);
    match *violation {
        Violation::Recycled { generation, later, .. } => {
            let earlier = &trace.generations[generation.0 as usize];
            new().past_of(later).is_some_and(|mut replay| {
                replay.event(later.strand);
                let met = replay.met(later);
                met.is_some_and(|it| replay.number(it) <= earlier.number)
                    || !replay.execution.violations().is_empty()
            })
        }
        Violation::EarlyPass { wait, .. } => new().past_of(wait).is_some_and(|mut replay| {
            replay.event_as_wait(wait.strand);
            replay.execution.is_over(wait)
        }),
        Violation::Lapped { wait, by } => new().rests_at(wait, None).completes(by),
        Violation::LateExpect { phase, expect } => {
            let Name::Object(of) = trace.generations[phase.0 as usize].name else { return false };
            new().rests_at(expect, Some(of)).completes(phase)
        }
        Violation::InitUnordered { by, .. } => new().past_of(by).is_some_and(|mut replay| {
            replay.event(by.strand);
            let is_it = |it: &Violation| matches!(it, Violation::NotInitialised { by: at, .. } if *at == by);
            replay.execution.violations().iter().any(is_it)
        }),
        Violation::CountMismatch { .. }
        | Violation::TooMany { .. }
        | Violation::NotInitialised { .. }
        | Violation::InitInUse { .. }
        | Violation::ClusterOrder { .. } => {
            new().again().execution.violations().iter().any(|it| it == violation)
        }
    }
}

/// Whether the schedule of a run, done again, leaves a strand waiting as it did.
pub fn confirm_stuck(
    trace: &Trace,
    stuck: &[Stuck],
    block_arrivals: u32,
    exited_are_awaited: bool,
) -> bool {
    let replay = Replay::new(trace, block_arrivals, exited_are_awaited).again();
    replay.execution.stuck() == stuck
}

struct Replay<'t> {
    trace: &'t Trace,
    execution: Execution,
    /// Events done, by strand.
    done: Vec<Tick>,
    ended: Vec<bool>,
    halted: bool,
}

impl<'t> Replay<'t> {
    fn new(trace: &'t Trace, block_arrivals: u32, exited_are_awaited: bool) -> Replay<'t> {
        let partition = Partition::of(trace.strands.clone()).fixed();
        Replay {
            trace,
            execution: Execution::new(&partition, block_arrivals, exited_are_awaited),
            done: vec![0; trace.strands.len()],
            ended: vec![false; trace.strands.len()],
            halted: false,
        }
    }

    /// The whole run, as it was.
    fn again(mut self) -> Replay<'t> {
        for turn in &self.trace.schedule {
            match *turn {
                Turn::Does(strand) => self.event(strand),
                Turn::Ends(strand, arrivals) => self.execution.exit(strand, arrivals),
            }
        }
        self
    }

    /// What comes before an event in every schedule. None if it cannot run alone.
    fn past_of(mut self, last: Membership) -> Option<Replay<'t>> {
        let cause = self.trace.interval(last.strand, last.event).known.cause();
        let limit = |it: StrandId| if it == last.strand { last.event } else { cause.get(it.0) };
        self.run(&|strand, at, _| at < limit(strand));
        let all = (0..).map(StrandId).zip(&self.done).all(|(strand, done)| *done == limit(strand));
        (all && !self.execution.is_blocked(last.strand)).then_some(self)
    }

    /// All that happens while one strand rests before an event, and copies that signal `of` are
    /// under way.
    fn rests_at(mut self, before: Membership, of: Option<ObjectName>) -> Replay<'t> {
        let is_under_way = |sync: Sync| match (sync, of) {
            (Sync::Object(name, ObjectStep::Complete(_)), Some(of)) => name == of,
            _ => false,
        };
        self.run(&|strand, at, sync| {
            (strand != before.strand || at < before.event) && !is_under_way(sync)
        });
        self
    }

    /// Runs all strands as far as they may and can, in turn.
    fn run(&mut self, may: &dyn Fn(StrandId, Tick, Sync) -> bool) {
        let trace = self.trace;
        let mut moved = true;
        while moved && !self.halted {
            moved = false;
            for strand in (0..self.done.len() as u32).map(StrandId) {
                if let Some(event) = self.next(strand)
                    && may(strand, self.done[strand.0 as usize], trace.sync(event))
                    && !self.execution.is_blocked(strand)
                    && !self.halted
                {
                    self.event(strand);
                    moved = true;
                }
                moved |= self.end(strand);
            }
        }
    }

    fn next(&self, strand: StrandId) -> Option<&'t Event> {
        let index = strand.0 as usize;
        self.trace.events[index].get(self.done[index] as usize)
    }

    fn event(&mut self, strand: StrandId) {
        let Some(event) = self.next(strand) else { return };
        self.perform(strand, self.trace.sync(event), event.source);
    }

    /// A look ahead shows by waiting whether its phase is over.
    fn event_as_wait(&mut self, strand: StrandId) {
        let Some(event) = self.next(strand) else { return };
        let mut sync = self.trace.sync(event);
        if let Sync::Object(name, ObjectStep::Ask(target)) = sync {
            sync = Sync::Object(name, ObjectStep::Wait(target));
        }
        self.perform(strand, sync, event.source);
    }

    fn perform(&mut self, strand: StrandId, sync: Sync, source: u32) {
        self.done[strand.0 as usize] += 1;
        self.halted |= self.execution.perform(strand, sync, source) == Progress::Halts;
    }

    /// A strand that has done all and ended in the run ends.
    fn end(&mut self, strand: StrandId) -> bool {
        let index = strand.0 as usize;
        if self.ended[index] || self.next(strand).is_some() || self.execution.is_blocked(strand) {
            return false;
        }
        let ends = self.trace.schedule.iter().rev().find_map(|turn| match *turn {
            Turn::Ends(it, arrivals) if it == strand => Some(arrivals),
            Turn::Ends(..) | Turn::Does(_) => None,
        });
        let Some(arrivals) = ends else { return false };
        self.execution.exit(strand, arrivals);
        self.ended[index] = true;
        true
    }

    fn met(&self, at: Membership) -> Option<GenerationId> {
        let events = &self.execution.trace().events[at.strand.0 as usize];
        events.get(at.event as usize).and_then(|event| event.generation)
    }

    fn number(&self, generation: GenerationId) -> u32 {
        self.execution.trace().generations[generation.0 as usize].number
    }

    /// Whether a generation of the run is over here.
    fn completes(&self, generation: GenerationId) -> bool {
        let of = &self.trace.generations[generation.0 as usize];
        let is_it = |it: &crate::trace::Generation| (it.name, it.number) == (of.name, of.number);
        self.execution.trace().generations.iter().any(|it| is_it(it) && it.is_complete)
    }
}
