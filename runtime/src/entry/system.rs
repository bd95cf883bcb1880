//! Entry points for output, time, and ends of a thread.

use crate::block::Pause;
use crate::event::Event;
use crate::fibers::suspend;
use crate::print;
use crate::turn::turn;

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
    // SAFETY: the format is a string of the module, and the arguments are packed for it.
    let text = unsafe { print::format(&print::text(format), arguments) };
    turn(|turn| {
        let printed = &mut turn.host.outcome.printed;
        if printed.len() + text.len() <= MOST_OUTPUT {
            printed.push_str(&text);
        }
    });
    text.len() as i32
}

fn end_launch(what: String) {
    turn(|turn| {
        let event = Event::Trap { site: turn.thread().facts.site, asserted: true };
        turn.end_with(event, what);
    });
}

extern "C" fn assert_fail(message: usize, file: usize, line: u32, _function: usize) {
    {
        // SAFETY: both are strings of the module.
        let (message, file) = unsafe { (print::text(message), print::text(file)) };
        let file = file.rsplit('/').next().unwrap_or_default();
        end_launch(format!("{file}:{line}: the assertion `{message}` failed"));
    }
    suspend(Pause::End);
}

extern "C" fn trap() {
    end_launch("the kernel reached a trap".to_owned());
    suspend(Pause::End);
}

extern "C" fn exit() {
    suspend(Pause::End);
}

/// Nanoseconds since the launch; the same for each run of a seed would need a model of time.
extern "C" fn clock() -> u64 {
    turn(|turn| turn.host.start.elapsed().as_nanos() as u64)
}

extern "C" fn give_way() {
    suspend(Pause::Yield);
}

/// Before a call by pointer: it must lead to a function of the module.
extern "C" fn callee(address: usize) {
    let leads_there = turn(|turn| {
        if turn.host.program.functions.binary_search(&address).is_ok() {
            return true;
        }
        let what = match address {
            0 => "it is null".to_owned(),
            _ => format!("it leads to {}", turn.name(address, 1)),
        };
        turn.end_with(Event::BadCall { site: turn.thread().facts.site }, what);
        false
    });
    if !leads_there {
        suspend(Pause::End);
    }
}

/// Bytes of stack below which no function is entered: entry points of the runtime need some.
const LEAST_STACK: usize = 48 << 10;

/// At the start of a function that may call itself.
extern "C" fn enter() {
    let here = 0u8;
    let here = &raw const here as usize;
    let has_room = turn(|turn| {
        let (low, high) = turn.thread().stack;
        if here > low + LEAST_STACK {
            return true;
        }
        let what = format!("{} KiB", (high - low) >> 10);
        turn.end_with(Event::StackUsedUp { site: turn.thread().facts.site }, what);
        false
    });
    if !has_room {
        suspend(Pause::End);
    }
}
