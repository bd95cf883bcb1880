//! All candidate executions of a test.
//!
//! A candidate chooses a run of each thread, for each read the write that its value comes from, an
//! order of the fences that are sequentially consistent, and an order of writes to one location.
//! Every execution of the model is such a candidate that keeps all axioms.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Frame, Sources};
use crate::program::{Axiom, Test};
use crate::relation::{MOST_EVENTS, Relation};
use crate::trace::{Domains, Event, Kind, Trace, domains, traces};

/// Bounds on work.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Runs of one thread.
    pub runs: usize,
    /// Candidate executions.
    pub candidates: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { runs: 20_000, candidates: 5_000_000 }
    }
}

/// Why the candidates of a test were not all looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Which candidates are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted<'w> {
    /// Those that keep all axioms.
    Consistent,
    /// All, with reads of these values too, wherever they may come from.
    Any(&'w BTreeSet<u64>),
}

/// The registers of each thread, at its end.
pub(crate) type Registers<'t> = [&'t BTreeMap<String, u64>];

/// A candidate, as it is shown to who asked.
pub(crate) struct Candidate<'c> {
    pub(crate) frame: &'c Frame,
    pub(crate) registers: &'c Registers<'c>,
    pub(crate) cause: &'c Relation,
    pub(crate) coherence: &'c Relation,
    pub(crate) violated: &'c [Axiom],
}

/// What the walk over candidates shares.
struct Search<'s> {
    test: &'s Test,
    wanted: Wanted<'s>,
    left: usize,
    domains: Domains,
    /// Whether candidates with such registers matter.
    fits: &'s dyn Fn(&Registers<'_>) -> bool,
    see: &'s mut dyn FnMut(&Candidate<'_>),
}

/// Shows each candidate whose registers fit.
///
/// # Errors
/// Where there are more than the limits allow.
pub(crate) fn each_candidate(
    test: &Test,
    limits: Limits,
    wanted: Wanted<'_>,
    fits: &dyn Fn(&Registers<'_>) -> bool,
    see: &mut dyn FnMut(&Candidate<'_>),
) -> Result<(), TooLarge> {
    let more = match wanted {
        Wanted::Consistent => &BTreeSet::new(),
        Wanted::Any(values) => values,
    };
    let domains = domains(test, more, limits.runs).ok_or(TooLarge)?;
    let mut of_threads = Vec::new();
    for number in 0..test.threads.len() {
        of_threads.push(traces(test, number, &domains, limits.runs).ok_or(TooLarge)?);
    }
    let mut search = Search { test, wanted, left: limits.candidates, domains, fits, see };
    search.threads(&of_threads, &mut Vec::new())
}

impl Search<'_> {
    fn spend(&mut self) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        Ok(())
    }

    fn threads<'t>(
        &mut self,
        of_threads: &'t [Vec<Trace>],
        chosen: &mut Vec<&'t Trace>,
    ) -> Result<(), TooLarge> {
        let Some(traces) = of_threads.get(chosen.len()) else { return self.reads(chosen) };
        for trace in traces {
            chosen.push(trace);
            self.threads(of_threads, chosen)?;
            chosen.pop();
        }
        Ok(())
    }

    fn reads(&mut self, chosen: &[&Trace]) -> Result<(), TooLarge> {
        self.spend()?;
        let registers: Vec<_> = chosen.iter().map(|trace| &trace.registers).collect();
        if !(self.fits)(&registers) {
            return Ok(());
        }
        let mut events: Vec<Event> = Vec::new();
        for (location, name) in self.test.locations().iter().enumerate() {
            events.push(Event {
                thread: None,
                kind: Kind::Init,
                location,
                value: self.test.initial(name),
                scope: None,
                acquires: false,
                releases: false,
                atomic: false,
                depends: Default::default(),
                line: 0,
            });
        }
        debug_assert_eq!(events.len(), self.domains.len());
        events.extend(chosen.iter().flat_map(|trace| trace.events.iter().cloned()));
        if events.len() > MOST_EVENTS {
            return Err(TooLarge);
        }
        let is_source = |write: &Event, read: &Event| {
            matches!(write.kind, Kind::Init | Kind::Write)
                && (write.location, write.value) == (read.location, read.value)
        };
        let mut sources = Vec::new();
        for (at, read) in events.iter().enumerate().filter(|(_, it)| it.kind == Kind::Read) {
            let from: Vec<usize> =
                (0..events.len()).filter(|write| is_source(&events[*write], read)).collect();
            if from.is_empty() {
                return Ok(());
            }
            sources.push((at, from));
        }
        let Some(frame) = Frame::of(self.test, events) else { return Ok(()) };
        let reads_from = Relation::empty(frame.events.len());
        self.sources(&frame, &registers, &sources, reads_from)
    }

    fn sources(
        &mut self,
        frame: &Frame,
        registers: &Registers<'_>,
        open: &[(usize, Vec<usize>)],
        reads_from: Relation,
    ) -> Result<(), TooLarge> {
        let Some(((read, from), rest)) = open.split_first() else {
            return self.fences(frame, registers, &reads_from);
        };
        for &write in from {
            let mut more = reads_from.clone();
            more.add(write, *read);
            self.sources(frame, registers, rest, more)?;
        }
        Ok(())
    }

    fn fences(
        &mut self,
        frame: &Frame,
        registers: &Registers<'_>,
        reads_from: &Relation,
    ) -> Result<(), TooLarge> {
        let is_sc = |at: &usize| frame.events[*at].kind == Kind::Fence { sc: true };
        let fences: Vec<usize> = (0..frame.events.len()).filter(is_sc).collect();
        let mut order = Relation::empty(frame.events.len());
        let mut pairs = Vec::new();
        for (index, &a) in fences.iter().enumerate() {
            for &b in &fences[index + 1..] {
                if frame.program.has(a, b) {
                    order.add(a, b);
                } else if frame.strong.has(a, b) {
                    pairs.push((a, b));
                }
            }
        }
        for fences in orientations(&order, &pairs) {
            let sources = Sources { reads_from: reads_from.clone(), fences };
            if self.wanted != Wanted::Consistent || frame.is_grounded(&sources) {
                self.coherence(frame, registers, &sources)?;
            }
        }
        Ok(())
    }

    fn coherence(
        &mut self,
        frame: &Frame,
        registers: &Registers<'_>,
        sources: &Sources,
    ) -> Result<(), TooLarge> {
        let (base, cause) = frame.causality(sources);
        let is_write = |at: usize| matches!(frame.events[at].kind, Kind::Write);
        let mut order = Relation::empty(frame.events.len());
        for (first, it) in frame.events.iter().enumerate().filter(|(_, it)| it.kind == Kind::Init) {
            let later = |at: &usize| is_write(*at) && frame.events[*at].location == it.location;
            (0..frame.events.len()).filter(later).for_each(|at| order.add(first, at));
        }
        let mut pairs = Vec::new();
        for (a, b) in frame.related_writes(&cause) {
            match self.wanted {
                Wanted::Consistent if cause.has(a, b) => order.add(a, b),
                Wanted::Consistent if cause.has(b, a) => order.add(b, a),
                Wanted::Consistent | Wanted::Any(_) => pairs.push((a, b)),
            }
        }
        for coherence in orientations(&order, &pairs) {
            self.spend()?;
            let coherence = coherence.closure();
            let violated = frame.violated(sources, (&base, &cause), &coherence);
            if self.wanted != Wanted::Consistent || violated.is_empty() {
                (self.see)(&Candidate {
                    frame,
                    registers,
                    cause: &cause,
                    coherence: &coherence,
                    violated: &violated,
                });
            }
        }
        Ok(())
    }
}

/// All acyclic relations that contain the given one and each pair in one direction.
fn orientations(given: &Relation, pairs: &[(usize, usize)]) -> Vec<Relation> {
    let mut all = vec![given.clone()];
    all.retain(Relation::is_acyclic);
    for &(a, b) in pairs {
        let mut next = Vec::new();
        for relation in all {
            for (from, to) in [(a, b), (b, a)] {
                let mut more = relation.clone();
                more.add(from, to);
                if more.is_acyclic() {
                    next.push(more);
                }
            }
        }
        all = next;
    }
    all
}
