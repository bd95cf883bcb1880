//! From what a run met to findings: the same diagnostics as the static checks give.
//!
//! **Promises**: sorted by event; a race names both accesses, in the order of the text, with
//! threads, bytes and how often the pair was met. **Does not**: print.

use heddle_diagnostics::{Code, Dim3, Finding, Severity, ThreadId};

use crate::event::{Event, Events, Level, Met};
use crate::launch::{Launch, Outcome, Site};

/// The findings of a run of the kernel of that name.
pub fn findings(kernel: &str, sites: &[Site], launch: &Launch, outcome: &Outcome) -> Vec<Finding> {
    let how = |met: &Met| {
        let seed = met.seed.unwrap_or(launch.seed);
        format!("with `--schedule={} --seed={seed}`", launch.schedule)
    };
    told(kernel, sites, launch, &outcome.events, &how)
}

/// The findings of what was met by a launch of these sizes; `how` ends the sentence that says how
/// it was found.
pub fn findings_of(
    kernel: &str,
    sites: &[Site],
    launch: &Launch,
    events: &Events,
    how: &str,
) -> Vec<Finding> {
    told(kernel, sites, launch, events, &|_| how.to_owned())
}

fn told(
    kernel: &str,
    sites: &[Site],
    launch: &Launch,
    events: &Events,
    how: &dyn Fn(&Met) -> String,
) -> Vec<Finding> {
    let words = Words { sites, launch };
    let make = |(event, met): (&Event, &Met)| {
        let finding = words.finding(*event, met).kernel(kernel);
        let finding = met.notes.iter().fold(finding, |finding, note| finding.note(note.as_str()));
        let schedule = format!(
            "found by running grid={} block={} {}",
            Dim3::new(launch.shape.grid[0], launch.shape.grid[1], launch.shape.grid[2]).size(),
            Dim3::new(launch.shape.block[0], launch.shape.block[1], launch.shape.block[2]).size(),
            how(met),
        );
        let times =
            if met.count > 1 { format!("{schedule}; met {} times", met.count) } else { schedule };
        finding.note(times)
    };
    events.0.iter().map(make).collect()
}

struct Words<'a> {
    sites: &'a [Site],
    launch: &'a Launch,
}

impl Words<'_> {
    fn finding(&self, event: Event, met: &Met) -> Finding {
        let [first, second] = met.threads.map(|number| self.thread(number));
        match event {
            Event::Race { .. } => self.race(event, met),
            Event::DifferentBarriers { sites: [a, b] } => {
                let finding = Finding::new(
                    Code::BarrierDivergence,
                    "threads of one block wait at different barriers",
                );
                let finding = self.label(finding, a, format!("{first} waits here"));
                self.label(finding, b, format!("{second} waits here"))
            }
            Event::Skipped { barrier, end } => {
                let message =
                    "a block barrier is reached by some threads of the block and not by others";
                let finding = Finding::new(Code::BarrierDivergence, message);
                let finding = self.label(finding, barrier, format!("{first} waits here"));
                match end {
                    0 => finding.note(format!("{second} returned without coming here")),
                    end => self.secondary(
                        finding,
                        end,
                        format!("{second} came here without it, and returned"),
                    ),
                }
            }
            Event::NoSuchBarrier { site } => {
                let finding = Finding::new(
                    Code::BarrierArrivals,
                    format!("there is no barrier {}", met.what),
                );
                self.label(finding, site, format!("{first} comes to it"))
                    .help("a block has the barriers 0 to 15")
            }
            Event::ArrivalCounts { sites: [fixes, differs] } => {
                let message = format!("one use of a barrier counts {} arrivals", met.what);
                let finding = Finding::new(Code::BarrierArrivals, message);
                let finding = self.label(finding, differs, format!("{second} names the other"));
                let finding = match fixes == differs {
                    true => finding,
                    false => self.label(finding, fixes, format!("{first} names the one")),
                };
                finding.help("give all arrivals of a barrier the same count until it is complete")
            }
            Event::EarlyReturn { barrier } => {
                let message = "some threads return before a block barrier that the others reach";
                let finding = Finding::new(Code::EarlyReturnBeforeBarrier, message);
                self.label(finding, barrier, format!("{first} waits here; {second} has returned"))
            }
            Event::Deadlock { site, other, arrivals } => {
                let (code, message) = if arrivals {
                    (
                        Code::NamedBarrierDeadlock,
                        "deadlock: arrivals that threads of the block wait for never come",
                    )
                } else {
                    (Code::BarrierDivergence, "deadlock: no thread of the block can go on")
                };
                let finding =
                    self.label(Finding::new(code, message), site, format!("{first} waits here"));
                if other == site {
                    finding
                } else {
                    self.label(finding, other, format!("{second} waits here"))
                }
            }
            Event::GridDeadlock { site } => {
                let message =
                    "deadlock: the barrier of the grid waits for blocks that never come to it";
                let finding =
                    Finding { severity: Severity::Error, ..Finding::new(Code::Deadlock, message) };
                self.label(finding, site, format!("{first} waits here")).help(
                    "all blocks of a cooperative launch must be there at the same time, and none may return before the barrier",
                )
            }
            Event::ClusterOrder { site, waits } => {
                let (message, what) = if waits {
                    ("a thread waits for its cluster without having arrived", "waits here")
                } else {
                    (
                        "a thread arrives at the barrier of its cluster again before it has waited",
                        "arrives here again",
                    )
                };
                let finding = Finding::new(Code::BarrierPhase, message);
                self.label(finding, site, format!("{first} {what}"))
            }
            Event::EndedBlock { site, write, has_ended } => {
                let verb = if write { "writes" } else { "reads" };
                let message = match has_ended {
                    true => format!(
                        "{first} {verb} `{}`, shared memory of a block that has ended",
                        met.what
                    ),
                    false => format!(
                        "{first} {verb} shared memory of another block, which may have ended by then"
                    ),
                };
                let finding = Finding {
                    severity: Severity::Error,
                    ..Finding::new(Code::OutOfBounds, message)
                };
                let finding = self.label(finding, site, format!("{verb} the memory of that block"));
                let finding = match has_ended {
                    true => finding.note("the thread was ended there"),
                    false => finding.note(format!(
                        "{second} was the last of that block to end, and nothing orders its end after this"
                    )),
                };
                finding.help("let all blocks of the cluster meet (`barrier.cluster`, `cluster.sync()`) before any returns")
            }
            Event::BadCall { site } => {
                let message =
                    format!("{first} calls by a pointer that leads to no function: {}", met.what);
                let finding = Finding {
                    severity: Severity::Error,
                    ..Finding::new(Code::OutOfBounds, message)
                };
                self.label(finding, site, "the call".to_owned()).note("the thread was ended there")
            }
            Event::StackUsedUp { site } => {
                let message = format!("the stack of {first} is used up: {}", met.what);
                let finding = Finding {
                    severity: Severity::Error,
                    ..Finding::new(Code::OutOfBounds, message)
                };
                self.label(finding, site, "it was last seen here".to_owned())
                    .note("the thread was ended there")
                    .help("a recursion without end, or one too deep")
            }
            Event::Spin { site } => {
                let finding = Finding {
                    severity: Severity::Error,
                    ..Finding::new(
                        Code::Deadlock,
                        "deadlock: the threads that run wait for what nobody writes",
                    )
                };
                self.label(finding, site, "one of them is here".to_owned())
            }
            Event::Unfinished { site, other } => {
                let message = "the run did not end within its time: threads run, and change memory or count, for long or for ever";
                let finding = Finding::new(Code::BudgetSpent, message);
                let finding = self.label(finding, site, format!("{first} is here"));
                let finding = match other == site {
                    true => finding,
                    false => self.label(finding, other, format!("{second} is here")),
                };
                finding.help("give `--timeout` more seconds, or a smaller launch")
            }
            Event::OutOfBounds { site, write } => {
                let verb = if write { "writes" } else { "reads" };
                let message =
                    format!("an access outside of all buffers: {first} {verb} {}", met.what);
                let finding = Finding {
                    severity: Severity::Error,
                    ..Finding::new(Code::OutOfBounds, message)
                };
                self.label(finding, site, format!("{verb} out of bounds"))
                    .note("the thread was ended there")
            }
            Event::Misaligned { site, write } => {
                let verb = if write { "writes" } else { "reads" };
                let message = format!("a misaligned access: {first} {verb} {}", met.what);
                self.ended(self.label(
                    memory_error(message),
                    site,
                    format!("{verb} at a misaligned address"),
                ))
                .help(
                    "a GPU ends the kernel here: make the address a multiple of the access's size",
                )
            }
            Event::OutOfArray { site, write } => {
                let verb = if write { "writes" } else { "reads" };
                let message = format!(
                    "an access beyond an array of the thread's own: {first} {verb} {}",
                    met.what
                );
                self.ended(self.label(memory_error(message), site, format!("{verb} out of bounds")))
            }
            Event::Died { site, signal } => self.died(site, signal, first),
            Event::Uninitialised { site } => {
                let message =
                    format!("`{}` in shared memory is read before any thread writes it", met.what);
                self.label(
                    Finding::new(Code::UninitialisedShared, message),
                    site,
                    format!("read by {first}"),
                )
            }
            Event::Trap { site, asserted } => {
                let code = if asserted { Code::AssertionFails } else { Code::OutOfBounds };
                let message = format!("the kernel ended itself: {}", met.what);
                let finding = Finding::new(code, message);
                self.label(finding, site, format!("{first} was last seen here"))
            }
        }
    }

    fn ended(&self, finding: Finding) -> Finding {
        finding.note("the thread was ended there")
    }

    /// The process of the run ended.
    fn died(&self, site: u32, signal: i32, thread: ThreadId) -> Finding {
        if signal == crate::event::PANIC {
            let message = "the executor failed in this run; this is a fault of Heddle";
            return self.label(
                Finding::new(Code::InternalError, message),
                site,
                format!("{thread} was last seen here"),
            );
        }
        let why = match signal {
            libc::SIGSEGV => "SIGSEGV, an access to memory that is not there".to_owned(),
            libc::SIGBUS => "SIGBUS, an access to memory that is not there".to_owned(),
            libc::SIGILL | libc::SIGTRAP => {
                "SIGILL, code that is never meant to be reached".to_owned()
            }
            libc::SIGFPE => "SIGFPE, arithmetic that this processor refuses".to_owned(),
            libc::SIGKILL => "SIGKILL, as the system does where memory runs out".to_owned(),
            libc::SIGABRT => "SIGABRT".to_owned(),
            signal => format!("signal {signal}"),
        };
        let message = format!("the native code of the kernel ended its process: {why}");
        self.label(memory_error(message), site, format!("{thread} was last seen here"))
            .note("what came after it was not run")
            .help("look for what C++ leaves undefined near there: an index beyond an array of the thread's own, a pointer made of a number")
    }

    fn race(&self, event: Event, met: &Met) -> Finding {
        let Event::Race { sites, writes, atomic, same_value, level, pending } = event else {
            return Finding::new(Code::InternalError, "a race is a race");
        };
        let code = match (same_value, level) {
            (true, _) => Code::BenignRace,
            (false, Level::Warp) => Code::IntraWarpRace,
            (false, Level::Block) => Code::IntraBlockRace,
            (false, Level::Grid) => Code::InterBlockRace,
        };
        let who = match level {
            Level::Warp => "two threads of one warp",
            Level::Block => "two threads of one block",
            Level::Grid => "threads of different blocks",
        };
        let message = match (pending, same_value) {
            (true, _) => format!("an asynchronous copy to `{}` is not waited for", met.what),
            (false, true) => format!("{who} store the same value to `{}`", met.what),
            (false, false) => format!("{who} race on `{}`", met.what),
        };
        let mut finding = Finding::new(code, message);
        for n in 0..2 {
            let thread = self.thread(met.threads[n]);
            let verb = match (atomic[n], writes[n]) {
                (true, true) => "atomic update",
                (true, false) => "atomic read",
                (false, true) => "write",
                (false, false) => "read",
            };
            finding =
                self.label(finding, sites[n], format!("{verb} of `{}` by {thread}", met.what));
        }
        // The write, and of two writes the one that comes first in the text.
        let line = |n: usize| self.site(sites[n]).and_then(|it| it.place.line()).unwrap_or(0);
        let second = writes[1] && (!writes[0] || line(1) < line(0));
        finding.primary(usize::from(second && finding_has_two(sites, self.sites)))
    }

    fn site(&self, site: u32) -> Option<&Site> {
        self.sites.get(site as usize).filter(|_| site != 0)
    }

    fn label(&self, finding: Finding, site: u32, text: String) -> Finding {
        match self.site(site) {
            Some(it) => finding.label(it.place.clone(), text),
            None => finding.note(text),
        }
    }

    fn secondary(&self, finding: Finding, site: u32, text: String) -> Finding {
        match self.site(site) {
            Some(it) => finding.secondary(it.place.clone(), text),
            None => finding.note(text),
        }
    }

    fn thread(&self, number: u32) -> ThreadId {
        let [bx, by, bz] = self.launch.shape.block.map(|n| n.max(1));
        let (block, thread) = (number / (bx * by * bz), number % (bx * by * bz));
        let [gx, gy, _] = self.launch.shape.grid.map(|n| n.max(1));
        ThreadId {
            block: Dim3::new(block % gx, block / gx % gy, block / gx / gy),
            thread: Dim3::new(thread % bx, thread / bx % by, thread / bx / by),
        }
    }
}

/// An error of memory, which a run alone tells.
fn memory_error(message: String) -> Finding {
    Finding { severity: Severity::Error, ..Finding::new(Code::OutOfBounds, message) }
}

fn finding_has_two(sites: [u32; 2], known: &[Site]) -> bool {
    sites.iter().all(|site| *site != 0 && (*site as usize) < known.len())
}
