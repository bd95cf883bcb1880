//! Compiling in a process of its own, which may die.
//!
//! The process is this binary again, started with `ASKED` in place of a command. It gets a call
//! on its standard input, limits itself, calls the shim, and gives the answer on its standard
//! output. It costs its start, about 10 ms, so a run over one source compiles in its own process.
//!
//! **Promises**: whatever clang does with a source (a crash, no end, all memory), the answer is an
//! error of that source, and the run goes on. A worker opens no connection and starts nothing.
//!
//! **Does not**: keep clang from reading what the user may read.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::call::{Answer, Call, limit};

/// The argument that asks for a worker.
const ASKED: &str = "--compile-one-source";

/// Seconds and mebibytes that one source may cost, as `300,16384`.
const LIMITS: &str = "HEDDLE_COMPILE_LIMITS";
/// Seconds of processor time, unless said.
const SECONDS: u64 = 300;
/// Mebibytes of address space, unless said. The program, its stacks and clang's reserve count.
const MEBIBYTES: u64 = 16 << 10;
/// Seconds that a worker may take beyond its processor time, for a machine that is busy.
const WAITING: u64 = 300;

/// A worker that gave no answer.
pub(crate) struct Ended {
    /// How it ended.
    pub(crate) what: String,
    /// The way out.
    pub(crate) help: &'static str,
}

/// Whether this process was started as a worker.
pub fn is_asked() -> bool {
    std::env::args_os().nth(1).is_some_and(|it| it == ASKED)
}

/// Does a worker's work: one call.
pub fn serve() -> ExitCode {
    let (seconds, mebibytes) = limits();
    limit(seconds, mebibytes << 20);
    let call = read_frames(&mut io::stdin().lock()).ok().and_then(Call::of_frames);
    let Some(call) = call else { return ExitCode::FAILURE };
    let Answer { status, bitcode, messages, read } = call.alone();
    let frames = [status.to_le_bytes().to_vec(), bitcode, messages, read];
    let done = write_frames(&mut io::stdout().lock(), &frames);
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes a worker do the call.
pub(crate) fn apart(call: &Call) -> Result<Answer, Ended> {
    let failed = |error: io::Error| Ended {
        what: format!("the process that compiles this cannot be started: {error}"),
        help: "lower `--jobs`, or raise the limits on processes and memory (`ulimit`)",
    };
    let program = std::env::current_exe().map_err(failed)?;
    let mut child = Command::new(program)
        .arg(ASKED)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let frames = call.frames();
    let (seconds, mebibytes) = limits();
    let (sender, receiver) = mpsc::channel();
    let answer = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A worker that died reads no call and writes no answer.
            let sent = stdin.map(|mut it| write_frames(&mut it, &frames));
            let read = stdout.map(|mut it| read_frames(&mut it));
            let _nobody_waits = sender.send(sent.and(read).and_then(Result::ok));
        });
        let answer = receiver.recv_timeout(Duration::from_secs(seconds + WAITING));
        if answer.is_err() {
            let _ended_already = child.kill();
        }
        answer.ok().flatten()
    });
    let status = child.wait().map_err(failed)?;
    match answer.and_then(answer_of).filter(|_| status.success()) {
        Some(answer) if answer.messages.trim_ascii_end().ends_with(CRASHED) => {
            Err(crashed(mebibytes))
        }
        Some(answer) => Ok(answer),
        None => Err(ended(status, seconds, mebibytes)),
    }
}

/// What the shim says last of a crash that it survived; memory that ran out is one.
const CRASHED: &[u8] = b"error: clang crashed on this file";

fn crashed(mebibytes: u64) -> Ended {
    Ended {
        what: format!("clang crashed on this file, or needed more than {mebibytes} MiB of memory"),
        help: "the other files are checked; `HEDDLE_COMPILE_LIMITS=300,65536` (seconds, mebibytes) gives it more",
    }
}

fn answer_of(frames: Vec<Vec<u8>>) -> Option<Answer> {
    let [status, bitcode, messages, read] = <[Vec<u8>; 4]>::try_from(frames).ok()?;
    let status = i32::from_le_bytes(status.try_into().ok()?);
    Some(Answer { status, bitcode, messages, read })
}

fn ended(status: ExitStatus, seconds: u64, mebibytes: u64) -> Ended {
    const KILLED: i32 = 9;
    const OUT_OF_TIME: i32 = 24;
    match status.signal() {
        Some(KILLED | OUT_OF_TIME) => Ended {
            what: format!("clang was stopped after {seconds} seconds of work on this file"),
            help: "if the file is meant to take so long, raise the limit: `HEDDLE_COMPILE_LIMITS=3000,16384` (seconds, mebibytes)",
        },
        Some(_) => crashed(mebibytes),
        None => Ended {
            what: format!(
                "clang gave up on this file, with {mebibytes} MiB of memory as its limit"
            ),
            help: "if the file is meant to need more, raise the limit: `HEDDLE_COMPILE_LIMITS=300,65536` (seconds, mebibytes)",
        },
    }
}

/// Whether the limits that are asked for are some.
///
/// # Errors
/// They are not, in words for the user.
pub fn check_limits() -> Result<(), String> {
    match std::env::var_os(LIMITS) {
        Some(said) if !said.is_empty() && asked(&said).is_none() => Err(format!(
            "`{LIMITS}={}`: write seconds and mebibytes, as in `{LIMITS}=300,16384`",
            said.display()
        )),
        Some(_) | None => Ok(()),
    }
}

/// Seconds and mebibytes.
fn limits() -> (u64, u64) {
    let said = std::env::var_os(LIMITS);
    said.and_then(|it| asked(&it)).unwrap_or((SECONDS, MEBIBYTES))
}

/// Two numbers, of which none is so large that it cannot be asked of a system.
fn asked(said: &OsStr) -> Option<(u64, u64)> {
    let (seconds, mebibytes) = said.to_str()?.split_once(',')?;
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|it| *it > 0);
    Some((number(seconds)?.into(), number(mebibytes)?.into()))
}

fn write_frames(to: &mut dyn Write, frames: &[Vec<u8>]) -> io::Result<()> {
    to.write_all(&(frames.len() as u64).to_le_bytes())?;
    for frame in frames {
        to.write_all(&(frame.len() as u64).to_le_bytes())?;
        to.write_all(frame)?;
    }
    to.flush()
}

fn read_frames(from: &mut dyn Read) -> io::Result<Vec<Vec<u8>>> {
    let count = read_number(from)?;
    let mut frames = Vec::new();
    for _ in 0..count {
        let (size, mut frame) = (read_number(from)?, Vec::new());
        if from.take(size).read_to_end(&mut frame)? as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        frames.push(frame);
    }
    Ok(frames)
}

fn read_number(from: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
