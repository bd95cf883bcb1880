//! A kit, run on the first GPU of this machine: each task in a process of its own making, what it
//! gives written to a file as it comes.
//!
//! ```text
//! meet ── number of a task ──► worker process (this program again) ── line ──► meet ──► record
//! ```
//!
//! Most of a task's time is the driver's, which compiles its PTX on one core. Steps that measure no
//! time therefore have several workers ([`Step::hands`]), whose contexts take turns on the device.
//!
//! **Promises**: whatever a kernel does, this process lives: one that hangs or takes the device
//! down ends its worker, and the next starts another. A run that is cut off leaves the lines that
//! it has. Each step has its share of the time; what it did not get to is a line that says so.
//! **Does not**: judge (`tests/gpu/records.rs` does).

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use super::driver::{Driver, Machine};
use super::kit::{Kit, Step, Task};
use super::record::{Done, End, FORM, Head, Line};

/// How to meet a device.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// The folder of the kit.
    pub kit: PathBuf,
    /// A file of the driver, where it is not the system's.
    pub driver: Option<PathBuf>,
    /// The program that is started for each worker, with what it takes before the kit.
    pub worker: (PathBuf, Vec<String>),
    /// All of it.
    pub time: Duration,
    /// Where the record goes: a file, or a folder in which it gets its name.
    pub out: PathBuf,
}

/// Why nothing was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nothing {
    /// There is no driver, no device, or one that is too old.
    NoDevice(String),
    /// The kit cannot be read, or the record cannot be written.
    Files(String),
}

/// What of this machine a run can use.
///
/// # Errors
/// There is no driver or no device: what was tried.
pub fn machine(driver: Option<&Path>) -> Result<Machine, String> {
    let driver = Driver::open(driver).map_err(|why| format!("no CUDA driver found: {why}"))?;
    driver.machine().map_err(|error| format!("the CUDA driver has no device: {error}"))
}

/// Runs a kit; the file of the record. `say` is told of each step.
///
/// # Errors
/// Nothing was run.
pub fn meet(meeting: &Meeting, say: &mut dyn FnMut(&str)) -> Result<PathBuf, Nothing> {
    let kit = Kit::open(&meeting.kit).map_err(Nothing::Files)?;
    // The driver is asked by a worker: this process touches no device.
    let machine = ask_machine(meeting).map_err(Nothing::NoDevice)?;
    let head = Head {
        form: FORM,
        device: machine.device.clone(),
        driver: format!("{}.{}", machine.driver.0, machine.driver.1),
        capability: format!("{}.{}", machine.capability.0, machine.capability.1),
        processors: machine.processors,
        memory: machine.memory,
        date: today(),
        heddle: env!("CARGO_PKG_VERSION").to_owned(),
        kit: kit.hash.clone(),
    };
    say(&format!(
        "{}, compute capability {}, {} multiprocessors, {} MiB; driver for CUDA {}",
        head.device,
        head.capability,
        head.processors,
        head.memory >> 20,
        head.driver
    ));
    let path = match meeting.out.is_dir() {
        true => meeting.out.join(head.file_name()),
        false => meeting.out.clone(),
    };
    let files = |error: std::io::Error| Nothing::Files(format!("`{}`: {error}", path.display()));
    let file = std::fs::File::create(&path).map_err(files)?;
    let mut record = Record { file };
    record.add(&Line::Head(head)).map_err(files)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let hand = || Hand { meeting, worker: None };
    let hands = (0..cores).map(|_| hand()).collect();
    let mut run = Run { meeting, hands, start: Instant::now() };
    for step in Step::EACH {
        run.step(step, &kit, &mut record, say).map_err(files)?;
    }
    record.add(&Line::End { seconds: run.start.elapsed().as_secs() }).map_err(files)?;
    Ok(path)
}

/// The file of the record: each line is there when the next task starts.
struct Record {
    file: std::fs::File,
}

impl Record {
    fn add(&mut self, line: &Line) -> std::io::Result<()> {
        let text = serde_json::to_string(line)? + "\n";
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()
    }
}

struct Run<'m> {
    meeting: &'m Meeting,
    hands: Vec<Hand<'m>>,
    start: Instant,
}

/// Who has one worker at a time.
struct Hand<'m> {
    meeting: &'m Meeting,
    worker: Option<Worker>,
}

/// What a hand says of a task.
enum Said {
    Done(Box<Done>),
    /// The time was over in it.
    Over(String),
}

impl Run<'_> {
    fn step(
        &mut self,
        step: Step,
        kit: &Kit,
        record: &mut Record,
        say: &mut dyn FnMut(&str),
    ) -> std::io::Result<()> {
        if step == Step::Sanitizer {
            return self.sanitizer(kit, record, say);
        }
        let of_step = kit.tasks.iter().enumerate().filter(|(_, it)| it.step == step);
        let tasks: Vec<(usize, &Task)> = of_step.collect();
        if tasks.is_empty() {
            let why = "the kit has no such task".to_owned();
            say(&format!("{}: not run: {why}", step.name()));
            return record.add(&Line::NotRun { step, tasks: 0, why });
        }
        // What steps before did not use is there for this one.
        let shares: u32 = Step::EACH.iter().filter(|it| **it <= step).map(|it| it.share()).sum();
        let until = self.start + self.meeting.time * shares / 100;
        let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut count, mut over) = (0, None);
        let next = AtomicUsize::new(0);
        let (sender, said) = channel();
        std::thread::scope(|scope| {
            for hand in self.hands.iter_mut().take(step.hands()) {
                let (sender, tasks, next) = (sender.clone(), &tasks, &next);
                scope.spawn(move || {
                    while Instant::now() < until
                        && let Some((index, task)) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let said = match hand.task(*index, task, None, until) {
                            Some(done) => Said::Done(Box::new(done)),
                            None => Said::Over(task.name.clone()),
                        };
                        if sender.send(said).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for said in said {
                match said {
                    Said::Done(done) => {
                        let returned = done.ends.keys().all(|it| *it == End::Returned);
                        *ends
                            .entry(if returned { "returned" } else { "otherwise" })
                            .or_default() += 1;
                        count += 1;
                        record.add(&Line::Task(done))?;
                    }
                    Said::Over(name) => over = Some(name),
                }
            }
            Ok::<(), std::io::Error>(())
        })?;
        if count < tasks.len() {
            let within = over.map(|it| format!(" in `{it}`,")).unwrap_or_default();
            let why = format!("the time of the step was over{within} after {count} of its tasks");
            say(&format!("{}: {why}", step.name()));
            return record.add(&Line::NotRun { step, tasks: tasks.len() - count, why });
        }
        say(&format!("{}: {} tasks: {ends:?}", step.name(), tasks.len()));
        Ok(())
    }

    /// The plain kernels of the step that measures, under NVIDIA's own tools.
    fn sanitizer(
        &mut self,
        kit: &Kit,
        record: &mut Record,
        say: &mut dyn FnMut(&str),
    ) -> std::io::Result<()> {
        let step = Step::Sanitizer;
        let plain = |it: &&(usize, &Task)| it.1.step == Step::Slow && it.1.sites == 0;
        let mut tasks: Vec<(usize, &Task)> =
            kit.tasks.iter().enumerate().filter(|it| plain(&it)).collect();
        let Some(tool) = sanitizer() else {
            let why = "compute-sanitizer is not installed".to_owned();
            say(&format!("{}: not run: {why}", step.name()));
            return record.add(&Line::NotRun { step, tasks: tasks.len() * 2, why });
        };
        let until = self.start + self.meeting.time;
        // Small launches first: a large one takes these tools seconds.
        let threads = |it: &Task| it.grid.iter().chain(&it.block).map(|n| u64::from(*n)).product();
        tasks.sort_by_cached_key(|(_, it)| -> u64 { threads(it) });
        let both = tasks.iter().flat_map(|it| ["racecheck", "memcheck"].map(|which| (it, which)));
        for (n, ((index, task), which)) in both.enumerate() {
            let before = [tool.clone(), "--tool".to_owned(), which.to_owned()];
            let hand = self.hands.first_mut().filter(|_| Instant::now() < until);
            let done = hand.and_then(|it| it.task(*index, task, Some(&before), until));
            let Some(mut done) = done else {
                let why = format!("the time was over after {n} of its tasks");
                say(&format!("{}: {why}", step.name()));
                return record.add(&Line::NotRun { step, tasks: tasks.len() * 2 - n, why });
            };
            done.step = step;
            done.name = format!("{which} {}", done.name);
            record.add(&Line::Task(Box::new(done)))?;
        }
        say(&format!("{}: {} tasks", step.name(), tasks.len() * 2));
        Ok(())
    }
}

impl Hand<'_> {
    /// Runs a task in a worker, the last one where it lives. `None` where `until`, and what a last
    /// task may take beyond it, came before it had said anything.
    fn task(
        &mut self,
        index: usize,
        task: &Task,
        before: Option<&[String]>,
        until: Instant,
    ) -> Option<Done> {
        // Beyond the limits of its runs the worker has time to start, and to compile.
        let starts = Duration::from_secs(30);
        let own = Duration::from_millis(task.timeout.saturating_add(2_500)) * task.runs.max(1);
        let left = until.saturating_duration_since(Instant::now());
        let most = (own + starts).min(left + starts.min(self.meeting.time / 10));
        let bad = |end, why: String| Done {
            step: task.step,
            name: task.name.clone(),
            of: task.of.clone(),
            ptx: task.ptx.clone(),
            ends: BTreeMap::from([(end, 1)]),
            codes: BTreeMap::new(),
            outputs: None,
            outcomes: Vec::new(),
            micros: 0,
            shadow: 0,
            why,
        };
        let mut worker = match self.worker.take().filter(|_| before.is_none()) {
            Some(worker) => worker,
            None => match Worker::start(self.meeting, before) {
                Ok(worker) => worker,
                Err(error) => return Some(bad(End::Died, format!("no worker starts: {error}"))),
            },
        };
        match worker.ask(index, most) {
            Ok(done) => {
                let ends = done.ends.keys().any(|it| [End::Hangs, End::Failed].contains(it));
                self.worker = if ends || before.is_some() { None } else { Some(worker) };
                Some(done)
            }
            Err((End::Silent, _)) if most < own + starts => None,
            Err((end, why)) => Some(bad(end, why)),
        }
    }
}

fn sanitizer() -> Option<String> {
    let places = ["compute-sanitizer", "/usr/local/cuda/bin/compute-sanitizer"];
    let runs = |it: &&&str| {
        let mut asked = Command::new(it);
        asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        asked.status().is_ok_and(|it| it.success())
    };
    places.iter().find(runs).map(|it| (*it).to_owned())
}

/// A process that runs tasks.
struct Worker {
    child: Child,
    lines: Receiver<String>,
}

impl Worker {
    fn start(meeting: &Meeting, before: Option<&[String]>) -> std::io::Result<Worker> {
        let (program, arguments) = &meeting.worker;
        let mut command = match before {
            Some([tool, rest @ ..]) => {
                let mut command = Command::new(tool);
                command.args(rest).arg(program);
                command
            }
            Some([]) | None => Command::new(program),
        };
        command.args(arguments).arg(&meeting.kit);
        if let Some(driver) = &meeting.driver {
            command.arg(driver);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (sender, lines) = channel();
        let out = child.stdout.take();
        std::thread::spawn(move || {
            for line in out.into_iter().flat_map(|it| BufReader::new(it).lines()) {
                if line.ok().is_none_or(|it| sender.send(it).is_err()) {
                    break;
                }
            }
        });
        Ok(Worker { child, lines })
    }

    /// What a task gave. Lines that are none of ours (a tool's) are passed over.
    fn ask(&mut self, index: usize, most: Duration) -> Result<Done, (End, String)> {
        let start = Instant::now();
        if let Some(input) = &mut self.child.stdin {
            // A worker that is gone is found out below.
            let _unheard = writeln!(input, "{index}").and_then(|()| input.flush());
        }
        loop {
            let left = most.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    if let Ok(done) = serde_json::from_str(&line) {
                        return Ok(done);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err((End::Silent, format!("nothing was said in {} s", most.as_secs())));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.child.wait().map(|it| it.to_string());
                    return Err((End::Died, how.unwrap_or_else(|error| error.to_string())));
                }
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of its input ends it; one that hangs is ended.
        drop(self.child.stdin.take());
        let patience = Instant::now() + Duration::from_secs(2);
        while Instant::now() < patience {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _unheard = self.child.kill();
        let _unheard = self.child.wait();
    }
}

/// How long a worker may take to say what machine it is on: a driver can take a while to start.
const MACHINE: Duration = Duration::from_secs(60);

/// What a worker says of the machine.
fn ask_machine(meeting: &Meeting) -> Result<Machine, String> {
    let (program, _) = &meeting.worker;
    let mut command = Command::new(program);
    command.arg("machine").args(&meeting.driver);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("`{}`: {error}", program.display()))?;
    let start = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        if start.elapsed() > MACHINE {
            let _unheard = child.kill();
            let _unheard = child.wait();
            return Err(format!("the CUDA driver did not start in {} s", MACHINE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let said = child.wait_with_output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&said.stdout);
    match (said.status.success(), serde_json::from_str(text.trim())) {
        (true, Ok(machine)) => Ok(machine),
        (true, Err(error)) => Err(format!("a worker says `{}`: {error}", text.trim())),
        (false, _) => {
            let why = String::from_utf8_lossy(&said.stderr);
            Err(why.trim().trim_start_matches("heddle-device: ").to_owned())
        }
    }
}

/// The day in UTC, as in `2026-01-31`.
fn today() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The day with this number since 1970, of the Gregorian calendar, by its cycles of 400 years that
/// begin in March.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = match month < 10 {
        true => (year + cycle * 400, month + 3),
        false => (year + cycle * 400 + 1, month - 9),
    };
    format!("{year:04}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_have_their_dates() {
        for (day, text) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (11_016, "2000-02-29"),
            (20_454, "2026-01-01"),
            (20_818, "2026-12-31"),
        ] {
            assert_eq!(date(day), text);
        }
    }
}
