//! A run in a process of its own, which may die.
//!
//! The process is a copy of this one (`fork`): it has the native code, the shadow and the fibers,
//! runs the kernel, and sends what it met through a pipe. Buffers are shared with it, so that what
//! it wrote there is seen here. Everything else that native code may break is the copy's.
//!
//! **Promises**: whatever the kernel's native code does (a crash, a loop without end, a store over
//! the executor's own memory), this process lives, and the outcome says by which signal the copy
//! ended, in which thread of the grid and at which site. A copy does not outlive its time limit by
//! more than [`GRACE`] and [`LAST`], nor this process at all.
//!
//! **Relies on**: the copy compiles nothing and prints nothing: of the locks that other threads of
//! this process may hold it takes those of the allocator alone, which the C library makes whole.
//!
//! **Misses**: a store of native code into the executor's memory that leaves the copy alive; the
//! bounds checks of instrumented code are there for that.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use crate::event::{Event, Events, Met};
use crate::launch::{Code, Launch, Outcome, Program};
use crate::memory::{BadLayout, Memory};
use crate::signals::{Page, Seen, post, watch_signals};

/// What a copy may take beyond the time limit of its run: to start, and to say what it met.
const GRACE: Duration = Duration::from_secs(5);
/// What it may take to say where it is once it is asked to end.
const LAST: Duration = Duration::from_secs(2);
/// Runs a grid to its end, in a process of its own. `arguments` are packed as the program's entry
/// reads them.
///
/// # Errors
/// The launch is larger than what can be told apart, there is no memory for it, or no process.
///
/// # Safety
/// `program.entry` is code that calls the entry points of [`crate::abi`], and reads `arguments` in
/// bounds.
pub unsafe fn run(
    program: &Program,
    launch: &Launch,
    memory: &mut Memory,
    arguments: &[u8],
) -> Result<Outcome, BadLayout> {
    let refused = |what: &str| {
        let error = std::io::Error::last_os_error();
        BadLayout(format!("the process that runs the kernel cannot be started: {what}: {error}"))
    };
    let page = Page::new().map_err(|_| refused("no page"))?;
    let mut ends = [0; 2];
    // SAFETY: two numbers are written.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(refused("no pipe"));
    }
    let [from, to] = ends;
    // SAFETY: asks for a number.
    let parent = unsafe { libc::getpid() };
    // SAFETY: the copy goes on with this thread alone, and takes no lock but the allocator's.
    match unsafe { libc::fork() } {
        -1 => {
            let error = refused("no copy");
            close(from);
            close(to);
            Err(error)
        }
        0 => {
            page.use_here();
            end_with(parent);
            // SAFETY: this is the copy; the rest as the caller promises.
            unsafe { work(program, launch, memory, arguments, to) }
        }
        child => {
            close(to);
            let answer = wait(child, from, launch.limits.time);
            close(from);
            answer_of(answer, page.seen(), program, launch)
        }
    }
}

fn close(descriptor: i32) {
    // SAFETY: a descriptor of ours, closed once.
    let _nothing_to_do = unsafe { libc::close(descriptor) };
}

/// Has the system end this process, a copy, when its parent ends. A parent that ended before it
/// was asked tells nobody: then this process has another one by now.
fn end_with(parent: libc::pid_t) {
    // SAFETY: calls of the system that concern this process alone.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != parent {
            libc::_exit(0);
        }
    }
}

/// What the copy does.
///
/// # Safety
/// This is a copy, in which no other thread runs; the rest as [`crate::run`].
unsafe fn work(
    program: &Program,
    launch: &Launch,
    memory: &mut Memory,
    arguments: &[u8],
    to: i32,
) -> ! {
    // SAFETY: calls of the system that concern this process alone. Whoever else has a copy of a
    // descriptor keeps it.
    unsafe {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        libc::syscall(libc::SYS_close_range, 3, to - 1, 0);
        libc::syscall(libc::SYS_close_range, to + 1, i32::MAX, 0);
    }
    watch_signals();
    let made = std::panic::catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller's promise.
        let outcome = unsafe { crate::drive::run_here(program, launch, memory, arguments) };
        serde_json::to_vec(&outcome.map_err(|error| error.0).map(Wire::of)).unwrap_or_default()
    }));
    match made {
        Ok(bytes) => send(to, &bytes),
        Err(_) => post(crate::event::PANIC),
    }
    // SAFETY: ends this process without what the one it was copied from has to do at its end.
    unsafe { libc::_exit(0) }
}

fn send(to: i32, bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        // SAFETY: bytes of ours. A reader that is gone ends this process.
        let sent = unsafe { libc::write(to, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(sent) {
            Ok(sent) => rest = &rest[sent..],
            Err(_) if std::io::Error::last_os_error().kind() == INTERRUPTED => {}
            Err(_) => return,
        }
    }
}

const INTERRUPTED: std::io::ErrorKind = std::io::ErrorKind::Interrupted;

/// What was seen of a copy from here.
struct Answer {
    bytes: Vec<u8>,
    /// It was asked to end, or killed.
    late: bool,
    /// The signal that ended it, if one did.
    signal: Option<i32>,
}

/// Reads what a copy says until it ends; ends it if it takes too long.
fn wait(child: libc::pid_t, from: i32, limit: Duration) -> Answer {
    let start = Instant::now();
    let mut deadline = start.checked_add(limit.saturating_add(GRACE));
    let (mut bytes, mut asked) = (Vec::new(), 0);
    let mut part = vec![0; 64 << 10];
    loop {
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        if left.is_some_and(|it| it.is_zero()) {
            asked += 1;
            let how = if asked == 1 { libc::SIGTERM } else { libc::SIGKILL };
            // SAFETY: a process that was started here and not yet waited for.
            let _gone = unsafe { libc::kill(child, how) };
            deadline = (asked == 1).then(|| Instant::now() + LAST);
            continue;
        }
        let pause = left.map_or(1000, |it| it.as_millis().clamp(1, 1000) as i32);
        let mut ready = libc::pollfd { fd: from, events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor of ours, and room for what is read.
        let read = unsafe {
            match libc::poll(&raw mut ready, 1, pause) {
                1 => libc::read(from, part.as_mut_ptr().cast(), part.len()),
                _ => continue,
            }
        };
        match usize::try_from(read) {
            Ok(0) => break,
            Ok(read) => bytes.extend_from_slice(&part[..read]),
            Err(_) if std::io::Error::last_os_error().kind() == INTERRUPTED => {}
            Err(_) => break,
        }
    }
    let mut status = 0;
    // SAFETY: as above; the status is written.
    while unsafe { libc::waitpid(child, &raw mut status, 0) } == -1
        && std::io::Error::last_os_error().kind() == INTERRUPTED
    {}
    let signal = libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status));
    Answer { bytes, late: asked > 0, signal }
}

fn answer_of(
    answer: Answer,
    seen: Option<Seen>,
    program: &Program,
    launch: &Launch,
) -> Result<Outcome, BadLayout> {
    if let Ok(outcome) = serde_json::from_slice::<Result<Wire, String>>(&answer.bytes) {
        return outcome.map(Wire::outcome).map_err(BadLayout);
    }
    let Seen { signal, thread, site } = seen.unwrap_or(Seen {
        signal: answer.signal.unwrap_or(libc::SIGKILL),
        thread: None,
        site: 0,
    });
    // Fibers on one thread know best where they are.
    let again = launch.threads > 1 || matches!(program.code, Code::Stackless(_));
    let event = match answer.late {
        true => Event::Unfinished { site, other: site },
        false => Event::Died { site, signal },
    };
    let notes = match answer.late {
        true => vec!["native code ran on without coming back to the executor".to_owned()],
        false => Vec::new(),
    };
    let mut events = Events::default();
    events.add(event, [thread.unwrap_or(0); 2], || (String::new(), notes));
    Ok(Outcome { events, again, died: true, ..Outcome::default() })
}

/// An outcome as it goes through the pipe.
#[derive(serde::Serialize, serde::Deserialize)]
struct Wire {
    events: Vec<(Event, Met)>,
    printed: String,
    accesses: u64,
    switches: u64,
    processor: Duration,
    finished: bool,
    again: bool,
}

impl Wire {
    fn of(outcome: Outcome) -> Wire {
        let Outcome { events, printed, accesses, switches, processor, finished, again, died: _ } =
            outcome;
        let events = events.0.into_iter().collect();
        Wire { events, printed, accesses, switches, processor, finished, again }
    }

    fn outcome(self) -> Outcome {
        let Wire { events, printed, accesses, switches, processor, finished, again } = self;
        let events = Events(events.into_iter().collect());
        Outcome { events, printed, accesses, switches, processor, finished, again, died: false }
    }
}
