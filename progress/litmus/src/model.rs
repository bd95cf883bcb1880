//! The orders of the model, its axioms, and data races (PTX ISA 7.5 and later, sections "Morally
//! strong operations", "Release and acquire patterns", "Ordering of memory operations", "Axioms").

use crate::program::{Axiom, Test};
use crate::relation::Relation;
use crate::trace::{Event, Kind, includes};

/// Events with what does not depend on who reads from whom.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) events: Vec<Event>,
    /// Program order, and what is at the start before everything.
    pub(crate) program: Relation,
    /// Morally strong pairs, both ways.
    pub(crate) strong: Relation,
    /// From a read to what depends on it.
    pub(crate) depends: Relation,
    /// Barriers that synchronize.
    barriers: Relation,
}

/// Which write each read takes its value from, and which order sequentially consistent fences have.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) reads_from: Relation,
    pub(crate) fences: Relation,
}

impl Frame {
    /// `None` where threads of a block do not use a barrier equally often: no such run ends.
    pub(crate) fn of(test: &Test, events: Vec<Event>) -> Option<Frame> {
        let count = events.len();
        let mut frame = Frame {
            program: Relation::empty(count),
            strong: Relation::empty(count),
            depends: Relation::empty(count),
            barriers: Relation::empty(count),
            events,
        };
        let mut first = vec![0; test.threads.len()];
        for (at, event) in frame.events.iter().enumerate().rev() {
            if let Some(thread) = event.thread {
                first[thread] = at;
            }
        }
        for a in 0..count {
            for b in 0..count {
                frame.relate(test, a, b);
            }
            let event = &frame.events[a];
            for read in &event.depends {
                frame.depends.add(first[event.thread.unwrap_or(0)] + read, a);
            }
        }
        frame.barriers_meet(test).then_some(frame)
    }

    fn relate(&mut self, test: &Test, a: usize, b: usize) {
        let (x, y) = (&self.events[a], &self.events[b]);
        let (Some(s), Some(t)) = (x.thread, y.thread) else {
            if x.kind == Kind::Init && y.kind != Kind::Init {
                self.program.add(a, b);
            }
            return;
        };
        if s == t && a < b {
            self.program.add(a, b);
        }
        let one_location = !x.is_access() || !y.is_access() || x.location == y.location;
        let [s_of, t_of] = [&test.threads[s], &test.threads[t]];
        let both = |scope: crate::program::Scope| includes(scope, s_of, t_of);
        let inclusive = x.scope.is_some_and(both) && y.scope.is_some_and(both);
        if a != b && one_location && (s == t || inclusive) {
            self.strong.add(a, b);
        }
        if let (
            Kind::Barrier { id, round, .. },
            Kind::Barrier { id: other, round: again, arrive: false },
        ) = (x.kind, y.kind)
            && s != t
            && s_of.is_of_block(t_of)
            && (id, round) == (other, again)
        {
            self.barriers.add(a, b);
        }
    }

    fn barriers_meet(&self, test: &Test) -> bool {
        let uses = |thread: usize, barrier: u64| {
            let is_use = |event: &&Event| {
                event.thread == Some(thread)
                    && matches!(event.kind, Kind::Barrier { id, .. } if id == barrier)
            };
            self.events.iter().filter(is_use).count()
        };
        test.threads.iter().enumerate().all(|(one, of_one)| {
            of_one.barriers().into_iter().all(|barrier| {
                test.threads.iter().enumerate().all(|(two, of_two)| {
                    !of_one.is_of_block(of_two)
                        || !of_two.barriers().contains(&barrier)
                        || uses(one, barrier) == uses(two, barrier)
                })
            })
        })
    }

    /// Observation order: through morally strong reads, and read-modify-writes.
    fn observation(&self, reads_from: &Relation) -> Relation {
        let direct = reads_from.filter(|a, b| self.strong.has(a, b));
        let mut atomics = Relation::empty(self.events.len());
        for at in 1..self.events.len() {
            let (read, write) = (&self.events[at - 1], &self.events[at]);
            if read.atomic && write.atomic && read.kind == Kind::Read && write.kind == Kind::Write {
                atomics.add(at - 1, at);
            }
        }
        let step = direct.then(&atomics);
        direct.union(&step.closure().then(&direct))
    }

    fn synchronizes(&self, observation: &Relation, fences: &Relation) -> Relation {
        let mut all = self.barriers.union(fences);
        for (write, read) in observation.pairs() {
            for first in self.release_patterns(write) {
                for last in self.acquire_patterns(read) {
                    if self.strong.has(first, last) {
                        all.add(first, last);
                    }
                }
            }
        }
        all
    }

    /// The first operations of the release patterns that end in a write.
    fn release_patterns(&self, write: usize) -> Vec<usize> {
        let event = &self.events[write];
        if event.scope.is_none() {
            return Vec::new();
        }
        let starts = |at: usize| {
            let it = &self.events[at];
            let before = self.program.has(at, write);
            match it.kind {
                Kind::Fence { .. } => before,
                Kind::Write => {
                    it.releases && (at == write || before && it.location == event.location)
                }
                Kind::Init | Kind::Read | Kind::Barrier { .. } => false,
            }
        };
        (0..self.events.len()).filter(|at| starts(*at)).collect()
    }

    /// The last operations of the acquire patterns that begin with a read.
    fn acquire_patterns(&self, read: usize) -> Vec<usize> {
        let event = &self.events[read];
        if event.scope.is_none() {
            return Vec::new();
        }
        let ends = |at: usize| {
            let it = &self.events[at];
            let after = self.program.has(read, at);
            match it.kind {
                Kind::Fence { .. } => after,
                Kind::Read => it.acquires && (at == read || after && it.location == event.location),
                Kind::Init | Kind::Write | Kind::Barrier { .. } => false,
            }
        };
        (0..self.events.len()).filter(|at| ends(*at)).collect()
    }

    /// Base causality order and causality order. Of the latter, only pairs of memory operations on
    /// one location count.
    pub(crate) fn causality(&self, sources: &Sources) -> (Relation, Relation) {
        let observation = self.observation(&sources.reads_from);
        let synchronizes = self.synchronizes(&observation, &sources.fences);
        let base = self.program.union(&synchronizes).closure();
        let on_one = base.filter(|a, b| self.on_one_location(a, b));
        let cause = on_one.union(&observation.then(&on_one));
        (base, cause)
    }

    fn on_one_location(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.events[a], &self.events[b]);
        x.is_access() && y.is_access() && x.location == y.location
    }

    /// Pairs of writes that coherence order relates: both are morally strong, or one precedes the
    /// other in causality order. What is at the start comes first.
    pub(crate) fn related_writes(&self, cause: &Relation) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for a in 0..self.events.len() {
            for b in a + 1..self.events.len() {
                let writes =
                    self.events[a].kind == Kind::Write && self.events[b].kind == Kind::Write;
                let on_one = self.on_one_location(a, b);
                let related = self.strong.has(a, b) || cause.has(a, b) || cause.has(b, a);
                if writes && on_one && related {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    /// From a read to the writes after the one that it reads.
    fn read_before(&self, reads_from: &Relation, coherence: &Relation) -> Relation {
        let mut all = Relation::empty(self.events.len());
        for (write, read) in reads_from.pairs() {
            for (_, later) in coherence.pairs().filter(|(first, _)| *first == write) {
                all.add(read, later);
            }
        }
        all
    }

    /// Whether no value comes from itself.
    pub(crate) fn is_grounded(&self, sources: &Sources) -> bool {
        sources.reads_from.union(&self.depends).is_acyclic()
    }

    /// The axioms that an execution violates.
    pub(crate) fn violated(
        &self,
        sources: &Sources,
        (base, cause): (&Relation, &Relation),
        coherence: &Relation,
    ) -> Vec<Axiom> {
        let from_reads = self.read_before(&sources.reads_from, coherence);
        let communication = sources.reads_from.union(coherence).union(&from_reads);
        let strong = |it: &Relation| it.filter(|a, b| self.strong.has(a, b));
        let is_write = |at: usize| matches!(self.events[at].kind, Kind::Write | Kind::Init);
        let holds = |axiom: Axiom| match axiom {
            Axiom::Coherence => {
                cause.filter(|a, b| is_write(a) && is_write(b)).is_within(coherence)
            }
            Axiom::FenceSc => sources.fences.then(base).is_irreflexive(),
            Axiom::Atomicity => {
                let between = strong(&from_reads).then(&strong(coherence));
                let split = between.pairs().any(|(read, write)| {
                    write == read + 1 && self.events[read].atomic && self.events[write].atomic
                });
                !split
            }
            Axiom::NoThinAir => self.is_grounded(sources),
            Axiom::ScPerLocation => {
                let program = self.program.filter(|a, b| self.on_one_location(a, b));
                strong(&communication).union(&program).is_acyclic()
            }
            Axiom::Causality => sources.reads_from.union(&from_reads).then(cause).is_irreflexive(),
        };
        Axiom::ALL.into_iter().filter(|axiom| !holds(*axiom)).collect()
    }

    /// Pairs of events in a data race: of different threads, on one location, one a write, neither
    /// morally strong nor related in causality order.
    pub(crate) fn races(&self, cause: &Relation) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for a in 0..self.events.len() {
            for b in a + 1..self.events.len() {
                let (x, y) = (&self.events[a], &self.events[b]);
                let threads = x.thread.is_some() && y.thread.is_some() && x.thread != y.thread;
                let conflict =
                    self.on_one_location(a, b) && (x.kind == Kind::Write || y.kind == Kind::Write);
                let ordered = cause.has(a, b) || cause.has(b, a);
                if threads && conflict && !self.strong.has(a, b) && !ordered {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }
}

impl Event {
    pub(crate) fn is_access(&self) -> bool {
        match self.kind {
            Kind::Init | Kind::Read | Kind::Write => true,
            Kind::Fence { .. } | Kind::Barrier { .. } => false,
        }
    }
}
