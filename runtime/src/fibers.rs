//! Fibers, and the stacks that they run on.
//!
//! A fiber runs one thread after the other: when a thread returns, its fiber is free for the next
//! that starts. Stacks are kept for the next run of the same operating system thread, for the
//! system takes longer to make one than most threads to run.
//!
//! **Invariant**: a fiber is resumed while the worker that made it is lent to it (`turn`).

use std::cell::RefCell;
use std::time::Duration;

use corosensei::stack::{DefaultStack, Stack, StackPointer};
use corosensei::{Coroutine, CoroutineResult};

use crate::block::Pause;
use crate::launch::Code;
use crate::memory::BadLayout;
use crate::turn::{lend, turn};
use crate::worker::{Threads, Worker};

pub(crate) type Fiber = Coroutine<(), Pause, (), Offset>;

/// A stack that starts a little below its end, each at another distance: at one distance all of
/// them would want the same lines of the processor's cache.
pub(crate) struct Offset {
    stack: DefaultStack,
    size: usize,
    below: usize,
}

// SAFETY: the part of a stack with a guard page below a multiple of 64 that is less than a page;
// `Fibers` makes none smaller than that and `MIN_STACK_SIZE`.
unsafe impl Stack for Offset {
    fn base(&self) -> StackPointer {
        let base = self.stack.base().get() - self.below;
        StackPointer::new(base).unwrap_or_else(|| self.stack.base())
    }

    fn limit(&self) -> StackPointer {
        self.stack.limit()
    }
}

/// Stacks that are kept, at most.
const KEPT: usize = 1024;

thread_local! {
    static STACKS: RefCell<Vec<Offset>> = const { RefCell::new(Vec::new()) };
}

/// The fibers of a worker.
pub(crate) struct Fibers {
    all: Vec<Option<Fiber>>,
    /// The ends of the stack of each.
    ends: Vec<(usize, usize)>,
    free: Vec<u32>,
    size: usize,
}

impl Fibers {
    /// None yet; each will have a stack of `bytes` bytes at least.
    ///
    /// # Safety
    /// The code of the program that the worker has is such as [`crate::run`] asks for.
    pub(crate) unsafe fn new(bytes: usize) -> Fibers {
        let size = (bytes + (64 << 10)).next_multiple_of(4096);
        Fibers { all: Vec::new(), ends: Vec::new(), free: Vec::new(), size }
    }

    /// A fiber that runs nothing, and the ends of its stack.
    ///
    /// # Errors
    /// The system gives no stack.
    fn take(&mut self) -> Result<(u32, (usize, usize)), BadLayout> {
        let id = match self.free.pop() {
            Some(id) => id,
            None => {
                let stack = self.stack()?;
                self.ends.push((stack.limit().get(), stack.stack.base().get()));
                self.all.push(Some(fiber(stack)));
                self.all.len() as u32 - 1
            }
        };
        Ok((id, self.ends[id as usize]))
    }

    fn stack(&self) -> Result<Offset, BadLayout> {
        let kept = STACKS.with_borrow_mut(|stacks| {
            let at = stacks.iter().rposition(|it| it.size == self.size)?;
            Some(stacks.swap_remove(at))
        });
        if let Some(stack) = kept {
            return Ok(stack);
        }
        let stack = DefaultStack::new(self.size).map_err(|error| {
            BadLayout(format!("no stack of {} bytes for a thread: {error}", self.size))
        })?;
        Ok(Offset { stack, size: self.size, below: self.all.len() % 61 * 64 })
    }
}

impl Threads for Fibers {
    fn resume(&mut self, worker: &mut Worker<'_>) -> Result<Pause, BadLayout> {
        let thread = worker.grid.running_thread_mut();
        let id = match thread.fiber {
            Some(id) => id,
            None => {
                let (id, ends) = self.take()?;
                (thread.fiber, thread.stack) = (Some(id), ends);
                id
            }
        };
        let Some(fiber) = self.all.get_mut(id as usize).and_then(Option::as_mut) else {
            return Ok(Pause::End);
        };
        Ok(match lend(worker, || fiber.resume(())) {
            CoroutineResult::Yield(pause) => pause,
            CoroutineResult::Return(()) => Pause::End,
        })
    }

    fn release(&mut self, id: u32, returned: bool) {
        if !returned {
            let Some(stack) = self.all[id as usize].take().map(stack_of) else { return };
            self.all[id as usize] = Some(fiber(stack));
        }
        self.free.push(id);
    }
}

/// Gives control back to whoever let the running thread go on.
pub(crate) fn suspend(pause: Pause) {
    let yielder = turn(|turn| turn.thread().yielder);
    // SAFETY: the thread runs on a fiber, which set it when the thread started.
    unsafe { (*yielder).suspend(pause) };
}

impl Drop for Fibers {
    fn drop(&mut self) {
        let stacks = self.all.drain(..).flatten().map(stack_of);
        STACKS.with_borrow_mut(|kept| {
            kept.extend(stacks);
            // Of programs with other stacks: the oldest go first.
            let most = kept.len().saturating_sub(KEPT);
            kept.drain(..most);
        });
    }
}

/// Processor time that this operating system thread has used; zero where the system does not tell.
pub(crate) fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock is one that each thread has, and the result is written to `time`.
    match unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) } {
        0 => Duration::new(time.tv_sec as u64, time.tv_nsec as u32),
        _ => Duration::ZERO,
    }
}

fn fiber(stack: Offset) -> Fiber {
    Fiber::with_stack(stack, |yielder, ()| {
        loop {
            let (code, arguments) = turn(|turn| {
                turn.thread_mut().yielder = yielder;
                (turn.host.program.code, turn.host.arguments.as_ptr())
            });
            match code {
                // SAFETY: who made `Fibers` promised it.
                Code::Fibers(entry) => unsafe { entry(arguments) },
                Code::Stackless(_) => {}
            }
            yielder.suspend(Pause::Return);
        }
    })
}

fn stack_of(mut fiber: Fiber) -> Offset {
    if !fiber.done() {
        // SAFETY: the frames on it are the kernel's and an entry point's, which own nothing.
        unsafe { fiber.force_reset() };
    }
    fiber.into_stack()
}
