//! Worker processes: this same binary, run again for a range of seeds, so that a hang or a crash of
//! the checker is known by its seed and costs one worker.
//!
//! **Promises**: each seed is reported, or its worker's end is. **Does not**: keep the order of the
//! seeds.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Duration;

use crate::Plan;
use crate::hunt::{Line, Stock, file};
use crate::judge::{Failure, Kind};

/// Tells the binary that it is a worker, and for which seeds: `from..to`.
const WORKER: &str = "HEDDLE_VERDICTS_WORKER";
/// One kernel may take this long on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a worker reports of a kernel.
pub(crate) enum Report {
    Done(Line),
    Failed(String),
}

/// For people who watch, and from worker to parent.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _nobody_reads = writeln!(out, "{text}").and_then(|()| out.flush());
}

pub(crate) fn is_worker() -> bool {
    std::env::var_os(WORKER).is_some()
}

/// The seeds of this worker.
pub(crate) fn seeds() -> Option<(u64, u64)> {
    let range = std::env::var(WORKER).ok()?;
    let (from, to) = range.split_once("..")?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

/// Runs batches in workers, one on each core, and hands over what they report.
pub(crate) fn from_workers(
    batches: impl Iterator<Item = u64> + Send,
    size: u64,
    plan: &Plan,
    mut each: impl FnMut(Report),
) {
    let batches = Mutex::new(batches);
    let (send, receive) = mpsc::channel();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            let (send, batches) = (send.clone(), &batches);
            scope.spawn(move || {
                let next = || batches.lock().expect("no batch panics").next();
                while let Some(from) = next() {
                    batch(from, from + size, plan, &send);
                }
            });
        }
        drop(send);
        receive.iter().for_each(&mut each);
    });
}

/// One batch, in as many workers as it takes.
fn batch(from: u64, to: u64, plan: &Plan, send: &mpsc::Sender<Report>) {
    let mut next = from;
    while next < to {
        let mut child = Command::new(std::env::current_exe().expect("this binary"))
            .args(["worker", "--exact", "--nocapture", "--test-threads=1"])
            .env(WORKER, format!("{next}..{to}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("this binary starts again");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (pass, receive) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            lines.map_while(Result::ok).all(|line| pass.send(line).is_ok())
        });
        let mut at = next;
        let mut shrinking = false;
        let kind = loop {
            match receive.recv_timeout(PATIENCE) {
                Ok(line) => {
                    // A report that cannot be sent has no reader any more.
                    if let Some(seed) = line.strip_prefix("at ").and_then(|it| it.parse().ok()) {
                        (at, shrinking) = (seed, false);
                    } else if let Some(done) = line.strip_prefix("done ").and_then(Line::parse) {
                        let _ = send.send(Report::Done(done));
                    } else if let Some(kind) = line.strip_prefix("failed ") {
                        let _ = send.send(Report::Failed(kind.to_owned()));
                    } else if line == "shrinking" {
                        shrinking = true;
                    } else if line == "over" {
                        break None;
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => break Some(Kind::Slow),
                Err(mpsc::RecvTimeoutError::Disconnected) => break Some(Kind::Fault),
            }
        };
        // It may be over by itself; then there is nothing to stop.
        let _over = child.kill();
        let _status = child.wait();
        drop(receive);
        let _all_read = reader.join();
        let Some(kind) = kind else { return };
        if !shrinking {
            let case = Stock::new().case(at);
            let name = format!("{kind:?}_{at}.{}", case.extension());
            let detail = "the worker was stopped, or died".to_owned();
            let found = crate::Found { seed: at, case, failure: Failure { kind, detail } };
            let written = std::fs::write(plan.folder.join(name), file(&found));
            written.expect("the folder is writable");
            let _ = send.send(Report::Failed(kind.text()));
        }
        next = at + 1;
    }
}
