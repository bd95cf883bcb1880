//! Fibers, and the stacks that they run on.
//!
//! A fiber runs one thread after the other: when a thread returns, its fiber is free for the next
//! that starts. Stacks are kept for the next run of the same operating system thread, for the
//! system takes longer to make one than most threads to run.
//!
//! **Invariant**: a fiber is resumed only while the worker that made it is the current one.

use std::cell::RefCell;
use std::time::Duration;

use corosensei::stack::{DefaultStack, Stack, StackPointer};
use corosensei::{Coroutine, CoroutineResult};

use crate::block::Pause;
use crate::launch::Code;
use crate::memory::BadLayout;
use crate::worker::current;

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
    /// None yet, each with a stack of so many bytes at least.
    pub(crate) fn new(bytes: usize) -> Fibers {
        let size = (bytes + (64 << 10)).next_multiple_of(4096);
        Fibers { all: Vec::new(), ends: Vec::new(), free: Vec::new(), size }
    }

    /// A fiber that runs nothing, and the ends of its stack.
    ///
    /// # Errors
    /// The system gives no stack.
    pub(crate) fn take(&mut self) -> Result<(u32, (usize, usize)), BadLayout> {
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

    /// Lets a fiber run until it says something.
    ///
    /// # Safety
    /// `fibers` lives, and no reference to it is held; the worker that it belongs to is the current
    /// one.
    pub(crate) unsafe fn resume(fibers: *mut Fibers, id: u32) -> Pause {
        // SAFETY: the caller's promise. Fibers are added and taken away between resumptions only.
        let all = unsafe { &mut (*fibers).all };
        let fiber = all.get_mut(id as usize).and_then(Option::as_mut);
        match fiber.map(|it| it.resume(())) {
            Some(CoroutineResult::Yield(pause)) => pause,
            Some(CoroutineResult::Return(())) | None => Pause::End,
        }
    }

    /// A fiber whose thread returned is free.
    pub(crate) fn give_back(&mut self, id: u32) {
        self.free.push(id);
    }

    /// A fiber whose thread is ended where it stands is free.
    pub(crate) fn reset(&mut self, id: u32) {
        if let Some(stack) = self.all[id as usize].take().map(stack_of) {
            self.all[id as usize] = Some(fiber(stack));
            self.free.push(id);
        }
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
            // SAFETY: the worker that resumes this fiber is the current one, and its thread is this
            // one.
            unsafe {
                let worker = &*current();
                (*worker.thread).yielder = yielder;
                match (*worker.program).code {
                    Code::Fibers(entry) => entry(worker.arguments),
                    Code::Stackless(_) => {}
                }
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
