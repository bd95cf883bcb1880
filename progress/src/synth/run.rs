//! Runs an enumeration: workers, order, shards, hash, redundancy.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, mpsc};

use rustc_hash::FxHashSet;

use super::Constraints;
use super::candidate::{Behaviour, Candidate, Explorer, MOST_INSTRUCTIONS, MOST_THREADS};
use super::enumerate::{Unit, units};
use super::redundancy::{automaton, has_lowest_thread_order, renamed_automaton};
use super::select::Table;
use super::verdicts::Verdicts;
use crate::model::{FAIR, UNFAIR};
use crate::oracle::Oracle;

/// One part of several of the same enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 0.
    pub index: usize,
    /// How many parts.
    pub count: usize,
}

/// What to enumerate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number of threads.
    pub threads: usize,
    /// Number of instructions over all threads.
    pub instructions: usize,
    /// Which of the published sets of constraints.
    pub constraints: Constraints,
    /// Keep one of the tests that differ by the order of their threads only.
    pub rename_threads: bool,
    /// Keep the first of the tests with equal minimal automata (with renamed threads, equal up to
    /// the order of threads). This costs memory for each test that is kept, and looks no further
    /// than the shard.
    pub irredundant: bool,
    /// Only this part of the enumeration.
    pub shard: Option<Shard>,
    /// How many workers; 1 enumerates on the calling thread.
    pub workers: usize,
}

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// Too many threads or instructions, or fewer instructions than threads.
    Size {
        /// Number of threads asked for.
        threads: usize,
        /// Number of instructions asked for.
        instructions: usize,
    },
    /// A shard that does not exist.
    Shard(Shard),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { threads, instructions } => write!(
                f,
                "{threads} threads with {instructions} instructions: there can be 1 to \
                 {MOST_THREADS} threads, each with an instruction, and at most \
                 {MOST_INSTRUCTIONS} instructions in all"
            ),
            Self::Shard(Shard { index, count }) => {
                write!(f, "shard {index}/{count}: shards are 0/{count} to {}/{count}", count - 1)
            }
        }
    }
}

/// A test that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The test.
    pub candidate: Candidate,
    /// Its verdicts.
    pub verdicts: Verdicts,
}

/// How far an enumeration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Units done, of those of the shard.
    pub done: usize,
    /// Units in the shard.
    pub units: usize,
    /// Tests found so far.
    pub tests: u64,
}

/// What an enumeration found, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Candidates whose transition systems were built.
    pub candidates: u64,
    /// Tests found.
    pub tests: u64,
    /// Sum of the hashes of the tests: the sums of the shards add up to that of the whole.
    pub hash: u128,
    /// Number of tests by verdicts.
    pub verdicts: BTreeMap<Verdicts, u64>,
    /// Whether the caller stopped the enumeration before its end.
    pub stopped: bool,
}

impl Summary {
    /// The paper's Table 4 of these tests.
    pub fn table(&self) -> Table {
        let mut table = Table::default();
        for (verdicts, tests) in &self.verdicts {
            table.add(*verdicts, *tests);
        }
        table
    }
}

/// Enumerates the tests of a request, in order.
///
/// `each` gets each test; it may stop the enumeration. `progress` is called after each unit. Both
/// run on the calling thread.
///
/// # Errors
/// When the request cannot be met; nothing has been called then.
pub fn synthesise(
    request: &Request,
    each: &mut dyn FnMut(&Found) -> ControlFlow<()>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Summary, Unsupported> {
    let Request { threads, instructions, shard, .. } = *request;
    let fits = (1..=MOST_THREADS).contains(&threads)
        && (threads..=MOST_INSTRUCTIONS).contains(&instructions);
    if !fits {
        return Err(Unsupported::Size { threads, instructions });
    }
    if let Some(shard) = shard.filter(|shard| shard.index >= shard.count) {
        return Err(Unsupported::Shard(shard));
    }
    let mut units = units(threads, instructions);
    if let Some(Shard { index, count }) = shard {
        // Neighbouring units take about as long, so dealing them out balances the shards.
        units = units.into_iter().skip(index).step_by(count).collect();
    }
    let mut collector =
        Collector { summary: Summary::default(), seen: FxHashSet::default(), each, progress };
    if request.workers <= 1 {
        let mut worker = Worker::new(*request);
        for (position, unit) in units.iter().enumerate() {
            let harvest = worker.harvest(unit);
            if collector.take(position, units.len(), harvest).is_break() {
                break;
            }
        }
    } else {
        in_parallel(request, &units, &mut collector);
    }
    Ok(collector.summary)
}

/// What a worker found in one unit.
#[derive(Default)]
struct Harvest {
    candidates: u64,
    found: Vec<(Found, Option<Vec<u8>>)>,
}

struct Worker {
    request: Request,
    explorer: Explorer,
    oracle: Oracle,
}

impl Worker {
    fn new(request: Request) -> Self {
        Self { request, explorer: Explorer::default(), oracle: Oracle::default() }
    }

    fn harvest(&mut self, unit: &Unit) -> Harvest {
        let mut harvest = Harvest::default();
        unit.candidates(|candidate| {
            harvest.candidates += 1;
            harvest.found.extend(self.examine(candidate));
        });
        harvest
    }

    fn examine(&mut self, candidate: &Candidate) -> Option<(Found, Option<Vec<u8>>)> {
        let behaviour = self.explorer.visit(candidate);
        if !behaves(candidate, behaviour, self.request.constraints) {
            return None;
        }
        if self.request.rename_threads && !has_lowest_thread_order(candidate) {
            return None;
        }
        let system = self.explorer.system();
        self.oracle.read(system);
        // Well-formed: a thread is always enabled, so all can end from each state exactly if each
        // step being possible again and again suffices. Interesting: an unfair schedule goes round.
        if !self.oracle.verdict(FAIR.strong()).passes() {
            return None;
        }
        if self.oracle.verdict(UNFAIR.weak()).passes() {
            return None;
        }
        let verdicts = Verdicts::of(&mut self.oracle);
        let automaton = match (self.request.irredundant, self.request.rename_threads) {
            (false, _) => None,
            (true, false) => Some(automaton(system)),
            (true, true) => Some(renamed_automaton(system)),
        };
        Some((Found { candidate: *candidate, verdicts }, automaton))
    }
}

/// Whether each branch has both outcomes and, in the archived set, each exchange an effect.
fn behaves(candidate: &Candidate, behaviour: Behaviour, constraints: Constraints) -> bool {
    let both = behaviour.taken & behaviour.not_taken;
    let changed = match constraints {
        Constraints::Paper => u16::MAX,
        Constraints::Archived => behaviour.changed,
    };
    candidate.branching() & !both == 0 && candidate.exchanging() & !changed == 0
}

struct Collector<'a> {
    summary: Summary,
    seen: FxHashSet<Vec<u8>>,
    each: &'a mut dyn FnMut(&Found) -> ControlFlow<()>,
    progress: &'a mut dyn FnMut(Progress),
}

impl Collector<'_> {
    /// Takes what a unit gave. Units must come in order.
    fn take(&mut self, position: usize, units: usize, harvest: Harvest) -> ControlFlow<()> {
        self.summary.candidates += harvest.candidates;
        for (found, automaton) in harvest.found {
            if automaton.is_some_and(|automaton| !self.seen.insert(automaton)) {
                continue;
            }
            self.summary.tests += 1;
            self.summary.hash = self.summary.hash.wrapping_add(found.candidate.hash());
            *self.summary.verdicts.entry(found.verdicts).or_default() += 1;
            if (self.each)(&found).is_break() {
                self.summary.stopped = true;
                return ControlFlow::Break(());
            }
        }
        (self.progress)(Progress { done: position + 1, units, tests: self.summary.tests });
        ControlFlow::Continue(())
    }
}

/// How far workers may run ahead of the slowest unit, in units per worker.
const AHEAD: usize = 64;

fn in_parallel(request: &Request, units: &[Unit], collector: &mut Collector<'_>) {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let taken = Mutex::new(0usize);
    let advanced = Condvar::new();
    let (send, receive) = mpsc::channel::<(usize, Harvest)>();
    std::thread::scope(|scope| {
        for _ in 0..request.workers {
            let (next, stop, taken, advanced) = (&next, &stop, &taken, &advanced);
            let send = send.clone();
            scope.spawn(move || {
                let mut worker = Worker::new(*request);
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    if position >= units.len() {
                        return;
                    }
                    let window = AHEAD * request.workers;
                    let guard = taken.lock().expect("no worker panics with the lock");
                    let guard = advanced
                        .wait_while(guard, |taken| {
                            *taken + window <= position && !stop.load(Ordering::Relaxed)
                        })
                        .expect("no worker panics with the lock");
                    drop(guard);
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if send.send((position, worker.harvest(&units[position]))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut early: BTreeMap<usize, Harvest> = BTreeMap::new();
        let mut expected = 0;
        for (position, harvest) in receive {
            early.insert(position, harvest);
            while let Some(harvest) = early.remove(&expected) {
                if collector.take(expected, units.len(), harvest).is_break() {
                    stop.store(true, Ordering::Relaxed);
                    let guard = taken.lock().expect("no worker panics with the lock");
                    drop(guard);
                    advanced.notify_all();
                    return;
                }
                expected += 1;
                *taken.lock().expect("no worker panics with the lock") = expected;
                advanced.notify_all();
            }
        }
    });
}
