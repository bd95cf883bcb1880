//! Entry points for output, time, and ends of a thread.

use super::suspend;
use crate::block::Pause;
use crate::event::Event;
use crate::print;
use crate::worker::{Worker, current};

pub(super) fn symbols() -> [(&'static str, usize); 10] {
    [
        // LLVM calls these where the host has no instruction.
        ("__truncsfbf2", bfloat_of_float as *const () as usize),
        ("__truncdfbf2", bfloat_of_double as *const () as usize),
        ("__heddle_vprintf", vprintf as *const () as usize),
        ("__heddle_assert_fail", assert_fail as *const () as usize),
        ("__heddle_trap", trap as *const () as usize),
        ("__heddle_exit", exit as *const () as usize),
        ("__heddle_clock", clock as *const () as usize),
        ("__heddle_yield", give_way as *const () as usize),
        ("__heddle_callee", callee as *const () as usize),
        ("__heddle_enter", enter as *const () as usize),
    ]
}

/// Bytes of output that are kept.
const MOST_OUTPUT: usize = 1 << 20;

/// The bfloat near a float: it is in the lowest bits of the register of the result.
extern "C" fn bfloat_of_float(value: f32) -> f32 {
    f32::from_bits(half::bf16::from_f32(value).to_bits().into())
}

extern "C" fn bfloat_of_double(value: f64) -> f32 {
    f32::from_bits(half::bf16::from_f64(value).to_bits().into())
}

extern "C" fn vprintf(format: usize, arguments: usize) -> i32 {
    // SAFETY: a fiber runs.
    let worker = unsafe { &mut *current() };
    let text = print::format(&print::text(format), arguments);
    if worker.outcome.printed.len() + text.len() <= MOST_OUTPUT {
        worker.outcome.printed.push_str(&text);
    }
    text.len() as i32
}

fn end_launch(worker: &mut Worker, what: String) {
    // SAFETY: a fiber runs.
    let thread = unsafe { &*worker.thread };
    let event = Event::Trap { site: thread.facts.site, asserted: true };
    worker.outcome.events.add(event, [thread.number; 2], || (what, Vec::new()));
    worker.outcome.finished = false;
}

extern "C" fn assert_fail(message: usize, file: usize, line: u32, _function: usize) {
    {
        let (message, file) = (print::text(message), print::text(file));
        let file = file.rsplit('/').next().unwrap_or_default();
        // SAFETY: a fiber runs.
        end_launch(
            unsafe { &mut *current() },
            format!("{file}:{line}: the assertion `{message}` failed"),
        );
    }
    suspend(Pause::End);
}

extern "C" fn trap() {
    // SAFETY: a fiber runs.
    end_launch(unsafe { &mut *current() }, "the kernel reached a trap".to_owned());
    suspend(Pause::End);
}

extern "C" fn exit() {
    suspend(Pause::End);
}

/// Nanoseconds since the launch; the same for each run of a seed would need a model of time.
extern "C" fn clock() -> u64 {
    // SAFETY: a fiber runs.
    unsafe { (*current()).start.elapsed().as_nanos() as u64 }
}

extern "C" fn give_way() {
    suspend(Pause::Yield);
}

/// Before a call by pointer: it must lead to a function of the module.
extern "C" fn callee(address: usize) {
    // SAFETY: a fiber runs, and the program outlives the run.
    let worker = unsafe { &mut *current() };
    // SAFETY: as above.
    if unsafe { &*worker.program }.functions.binary_search(&address).is_ok() {
        return;
    }
    {
        // SAFETY: as above.
        let thread = unsafe { &*worker.thread };
        let what = match address {
            0 => "it is null".to_owned(),
            _ => format!("it leads to {}", worker.bytes(address, 1)),
        };
        let event = Event::BadCall { site: thread.facts.site };
        worker.outcome.events.add(event, [thread.number; 2], || (what, Vec::new()));
        worker.outcome.finished = false;
    }
    suspend(Pause::End);
}

/// Bytes of stack below which no function is entered: entry points of the runtime need some.
const LEAST_STACK: usize = 48 << 10;

/// At the start of a function that may call itself.
extern "C" fn enter() {
    let here = 0u8;
    // SAFETY: a fiber runs.
    let worker = unsafe { &mut *current() };
    // SAFETY: as above.
    let thread = unsafe { &*worker.thread };
    let (low, high) = thread.stack;
    if (&raw const here as usize) > low + LEAST_STACK {
        return;
    }
    {
        let what = format!("{} KiB", (high - low) >> 10);
        let event = Event::StackUsedUp { site: thread.facts.site };
        worker.outcome.events.add(event, [thread.number; 2], || (what, Vec::new()));
        worker.outcome.finished = false;
    }
    suspend(Pause::End);
}
