//! What one thread may do: its events, for each choice of the values that it reads.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{Change, Guard, Instruction, Mark, Operand, Scope, Statement, Test, Thread};

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The value of a location at the start.
    Init,
    Read,
    Write,
    Fence {
        sc: bool,
    },
    /// The `round`th use of a barrier of the block by the thread.
    Barrier {
        id: u64,
        round: usize,
        arrive: bool,
    },
}

/// An event of an execution.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// `None` for what a location holds at the start.
    pub(crate) thread: Option<usize>,
    pub(crate) kind: Kind,
    /// The location's number; of no meaning for fences and barriers.
    pub(crate) location: usize,
    pub(crate) value: u64,
    /// The scope of a strong operation.
    pub(crate) scope: Option<Scope>,
    pub(crate) acquires: bool,
    pub(crate) releases: bool,
    /// Of a read-modify-write: the read comes directly before the write.
    pub(crate) atomic: bool,
    /// Earlier events of the thread that it depends on, as numbers within the thread.
    pub(crate) depends: BTreeSet<usize>,
    pub(crate) line: usize,
}

/// One run of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    pub(crate) events: Vec<Event>,
    pub(crate) registers: BTreeMap<String, u64>,
}

/// The values that may be in each location, by its number.
pub(crate) type Domains = Vec<BTreeSet<u64>>;

/// All runs of a thread in which it reads values of the domains; `None` where there are more than
/// so many.
pub(crate) fn traces(
    test: &Test,
    number: usize,
    domains: &Domains,
    most: usize,
) -> Option<Vec<Trace>> {
    runs(test, number, domains, (most, Ends::Only))
}

/// Which runs are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// Those in which each `until` holds.
    Only,
    /// All: who polls has written before.
    All,
}

fn runs(
    test: &Test,
    number: usize,
    domains: &Domains,
    (most, ends): (usize, Ends),
) -> Option<Vec<Trace>> {
    let names: Vec<String> = test.locations().into_iter().collect();
    let thread = &test.threads[number];
    let mut runs = vec![Run::default()];
    let walk = Walk { names: &names, thread: number, domains, most, ends };
    walk.body(&thread.body, &mut runs).then(|| {
        let registers = thread.registers();
        let ended = |run: Run| {
            let value = |name: &String| run.registers.get(name).map_or(0, |it| it.0);
            let registers = registers.iter().map(|name| (name.clone(), value(name))).collect();
            Trace { events: run.events, registers }
        };
        runs.into_iter().map(ended).collect()
    })
}

/// The values that may be in each location: what is there at the start, and what some run stores
/// that reads such values. A value that a chain of writes makes has no write of it twice, so as
/// many rounds as there are writes find all.
/// `more` are values that are in question, so that they are tried even if they could only come from
/// themselves.
pub(crate) fn domains(test: &Test, more: &BTreeSet<u64>, most: usize) -> Option<Domains> {
    let names: Vec<String> = test.locations().into_iter().collect();
    let mut domains: Domains = names
        .iter()
        .map(|name| more.iter().copied().chain([test.initial(name)]).collect())
        .collect();
    let mut writes = 0;
    for thread in &test.threads {
        crate::program::each(&thread.body, &mut |instruction| {
            writes += usize::from(matches!(
                instruction,
                Instruction::Store(..) | Instruction::Atomic(..)
            ));
        });
    }
    for _ in 0..writes {
        let mut next = domains.clone();
        for number in 0..test.threads.len() {
            for trace in runs(test, number, &domains, (most, Ends::All))? {
                for event in trace.events.iter().filter(|event| event.kind == Kind::Write) {
                    next[event.location].insert(event.value);
                }
            }
        }
        if next == domains {
            break;
        }
        domains = next;
    }
    Some(domains)
}

/// A run so far.
#[derive(Clone, Default)]
struct Run {
    events: Vec<Event>,
    /// The value of each register, and the reads that it depends on.
    registers: BTreeMap<String, (u64, BTreeSet<usize>)>,
    /// Reads that decide that the thread gets here.
    control: BTreeSet<usize>,
    rounds: BTreeMap<u64, usize>,
}

impl Run {
    fn value(&self, operand: &Operand) -> (u64, BTreeSet<usize>) {
        match operand {
            Operand::Number(number) => (*number, BTreeSet::new()),
            Operand::Register(name) => self.registers.get(name).cloned().unwrap_or_default(),
        }
    }

    fn decide(&mut self, guard: &Guard) -> bool {
        let (left, from) = self.value(&Operand::Register(guard.register.clone()));
        let (right, also) = self.value(&guard.with);
        self.control.extend(from.into_iter().chain(also));
        guard.comparison.holds(left, right)
    }
}

struct Walk<'a> {
    names: &'a [String],
    thread: usize,
    domains: &'a Domains,
    most: usize,
    ends: Ends,
}

impl Walk<'_> {
    /// Continues all runs; false where there are too many.
    fn body(&self, body: &[Statement], runs: &mut Vec<Run>) -> bool {
        for statement in body {
            let mut next = Vec::new();
            for run in runs.drain(..) {
                if !self.step(statement, run, &mut next) || next.len() > self.most {
                    return false;
                }
            }
            *runs = next;
        }
        true
    }

    fn step(&self, statement: &Statement, mut run: Run, next: &mut Vec<Run>) -> bool {
        let line = statement.line;
        match &statement.instruction {
            Instruction::Load(mark, register, location) => {
                let at = self.number(location);
                for &value in &self.domains[at] {
                    let mut run = run.clone();
                    let read = run.events.len();
                    let event = self.event(Kind::Read, line, *mark, &run);
                    run.events.push(Event { location: at, value, ..event });
                    run.registers.insert(register.clone(), (value, BTreeSet::from([read])));
                    next.push(run);
                }
            }
            Instruction::Store(mark, location, operand) => {
                let (value, from) = run.value(operand);
                let mut event = self.event(Kind::Write, line, *mark, &run);
                event.depends.extend(from);
                run.events.push(Event { location: self.number(location), value, ..event });
                next.push(run);
            }
            Instruction::Atomic(mark, register, location, change) => {
                let at = self.number(location);
                for &value in &self.domains[at] {
                    let mut run = run.clone();
                    self.atomic((*mark, line), &mut run, (register, at, value), change);
                    next.push(run);
                }
            }
            Instruction::Fence { sc, scope } => {
                let event = self.event(Kind::Fence { sc: *sc }, line, Mark::Relaxed(*scope), &run);
                run.events.push(event);
                next.push(run);
            }
            Instruction::Barrier { id, arrive } => {
                let round = run.rounds.entry(*id).or_default();
                let kind = Kind::Barrier { id: *id, round: *round, arrive: *arrive };
                *round += 1;
                let event = self.event(kind, line, Mark::Weak, &run);
                run.events.push(event);
                next.push(run);
            }
            Instruction::Until(guard) => {
                if run.decide(guard) || self.ends == Ends::All {
                    next.push(run);
                }
            }
            Instruction::If(guard, inner) => {
                if run.decide(guard) {
                    let mut runs = vec![run];
                    if !self.body(inner, &mut runs) {
                        return false;
                    }
                    next.extend(runs);
                } else {
                    next.push(run);
                }
            }
        }
        true
    }

    fn atomic(
        &self,
        (mark, line): (Mark, usize),
        run: &mut Run,
        (register, location, value): (&str, usize, u64),
        change: &Change,
    ) {
        let read = run.events.len();
        let event = self.event(Kind::Read, line, mark, run);
        run.events.push(Event { location, value, releases: false, atomic: true, ..event });
        let (written, mut from) = match change {
            Change::Add(operand) => {
                let (by, mut from) = run.value(operand);
                from.insert(read);
                (value.wrapping_add(by), from)
            }
            Change::Exchange(operand) => run.value(operand),
            Change::CompareAndSwap(expected, operand) => {
                let (expected, mut from) = run.value(expected);
                let (new, also) = run.value(operand);
                from.extend(also);
                from.insert(read);
                (if value == expected { new } else { value }, from)
            }
        };
        from.extend(run.control.iter().copied());
        let event = self.event(Kind::Write, line, mark, run);
        run.events.push(Event {
            location,
            value: written,
            acquires: false,
            atomic: true,
            depends: from,
            ..event
        });
        run.registers.insert(register.to_owned(), (value, BTreeSet::from([read])));
    }

    fn event(&self, kind: Kind, line: usize, mark: Mark, run: &Run) -> Event {
        // Control dependencies hold back writes only: reads may be early.
        let depends = if kind == Kind::Write { run.control.clone() } else { BTreeSet::new() };
        Event {
            thread: Some(self.thread),
            kind,
            location: 0,
            value: 0,
            scope: mark.scope(),
            acquires: mark.acquires(),
            releases: mark.releases(),
            atomic: false,
            depends,
            line,
        }
    }

    fn number(&self, location: &str) -> usize {
        let found = self.names.iter().position(|name| name == location);
        found.expect("the locations of the test")
    }
}

/// Whether the first thread of the test is in the scope of the second.
pub(crate) fn includes(scope: Scope, a: &Thread, b: &Thread) -> bool {
    let device = a.device == b.device;
    let cluster = device && a.cluster == b.cluster;
    match scope {
        Scope::Cta => cluster && a.block == b.block,
        Scope::Cluster => cluster,
        Scope::Gpu => device,
        Scope::Sys => true,
    }
}
