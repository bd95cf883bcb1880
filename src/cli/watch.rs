//! A progress line on standard error, for runs that take longer than a second on a terminal.

use std::io::{self, IsTerminal};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use heddle_driver::Progress;

/// How long a run may be silent.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn after that.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`; if `wanted` and standard error is a terminal, shows how far it is. The line is gone
/// when `work` is done.
pub(super) fn watched<T>(wanted: bool, work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    if !wanted || !io::stderr().is_terminal() {
        return work(&progress);
    }
    let (finished, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watched = &progress;
        scope.spawn(move || show(watched, &wait));
        let result = work(&progress);
        drop(finished);
        result
    })
}

fn show(progress: &Progress, finished: &mpsc::Receiver<()>) {
    let over = |wait| finished.recv_timeout(wait) != Err(mpsc::RecvTimeoutError::Timeout);
    let line = Line::new();
    loop {
        let (stage, done, total) = progress.now();
        line.set(stage, done, total);
        if over(TICK) {
            break;
        }
    }
}

/// The line itself. It shows once work has gone on for a second, on a terminal only, and goes when
/// this is dropped.
pub(super) struct Line {
    bar: ProgressBar,
    since: Instant,
}

impl Line {
    pub(super) fn new() -> Line {
        let bar = ProgressBar::hidden();
        // The template is fixed text; should it not parse, the bar's own look will do.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {pos} of {len}") {
            bar.set_style(style);
        }
        Line { bar, since: Instant::now() }
    }

    pub(super) fn set(&self, stage: &'static str, done: usize, total: usize) {
        if self.bar.is_hidden() && self.since.elapsed() > PATIENCE && io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(stage);
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
