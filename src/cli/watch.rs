//! A progress line on standard error, for runs that take longer than a second on a terminal.

use std::io::{self, IsTerminal};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::driver::Progress;

/// How long a run may be silent.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn after that.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`; if `wanted` and standard error is a terminal, shows how far it is. The line is gone when `work` is done.
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
    if over(PATIENCE) {
        return;
    }
    let bar = ProgressBar::new(0);
    // The template is fixed text; should it not parse, the bar's own look will do.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {pos} of {len}, {elapsed}") {
        bar.set_style(style);
    }
    loop {
        let (stage, done, total) = progress.now();
        bar.set_message(stage);
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.tick();
        if over(TICK) {
            break;
        }
    }
    bar.finish_and_clear();
}
