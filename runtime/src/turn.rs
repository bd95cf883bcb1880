//! A thread's turn: the one way from code that runs as a thread of the grid to the worker that
//! runs it.
//!
//! The loop of a worker lends it while a thread runs ([`lend`]): it makes no use of the worker
//! until the thread pauses. Entry points, which the thread calls, take it for as long as they need
//! it ([`turn`]), and give it back before they pause.
//!
//! **Promises**: of the two, and of entry points that would take it twice, one at a time has the
//! worker: what is lent or taken is not there for others, and who asks for it then ends the
//! process, which is a fault of the executor. So a reference to the worker is never aliased, and
//! all else in this crate that concerns threads, blocks and their shadow needs no unsafe code for
//! it.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;

use crate::block::{Block, Thread};
use crate::worker::Worker;

thread_local! {
    /// The worker of the thread of the grid that runs on this operating system thread; null while
    /// none runs, and while an entry point has it.
    static LENT: Cell<*mut Worker<'static>> = const { Cell::new(null_mut()) };
    /// The thread that runs, for a signal handler: it reads nothing but its number and its site.
    static SEEN: Cell<*const Thread> = const { Cell::new(std::ptr::null()) };
}

/// The turn of a thread: what an entry point may do.
pub(crate) struct Turn<'t, 'r>(&'t mut Worker<'r>);

impl<'r> Turn<'_, 'r> {
    /// The thread.
    #[inline]
    pub(crate) fn thread(&self) -> &Thread {
        &self.block().threads[self.grid.running.1 as usize]
    }

    /// The thread, to be changed.
    pub(crate) fn thread_mut(&mut self) -> &mut Thread {
        self.grid.running_thread_mut()
    }

    /// Its block.
    #[inline]
    pub(crate) fn block(&self) -> &Block {
        self.grid.running_block()
    }

    /// Does something with its block, which is out of the grid meanwhile, and with the rest.
    pub(crate) fn with_block<R>(
        &mut self,
        act: impl FnOnce(&mut Worker<'r>, &mut Block) -> R,
    ) -> R {
        let slot = self.grid.running.0 as usize;
        let Some(mut block) = self.grid.blocks[slot].take() else {
            unreachable!("the block of a thread that runs is there")
        };
        let result = act(self.0, &mut block);
        self.grid.blocks[slot] = Some(block);
        result
    }
}

impl<'r> Deref for Turn<'_, 'r> {
    type Target = Worker<'r>;

    fn deref(&self) -> &Worker<'r> {
        self.0
    }
}

impl<'r> DerefMut for Turn<'_, 'r> {
    fn deref_mut(&mut self) -> &mut Worker<'r> {
        self.0
    }
}

/// What is lent is taken back, also where the thread's code unwinds.
struct Back {
    outer: *mut Worker<'static>,
    seen: *const Thread,
}

impl Drop for Back {
    fn drop(&mut self) {
        LENT.set(self.outer);
        SEEN.set(self.seen);
    }
}

/// Lets code run as the thread that the worker's grid says is running, until it pauses.
pub(crate) fn lend<R>(worker: &mut Worker<'_>, code: impl FnOnce() -> R) -> R {
    let seen = &raw const *worker.grid.running_thread_mut();
    let worker = (&raw mut *worker).cast::<Worker<'static>>();
    let _back = Back { outer: LENT.replace(worker), seen: SEEN.replace(seen) };
    code()
}

/// Does something in the turn of the thread that calls.
///
/// The worker is not there for others meanwhile: nothing in `act` may pause the thread.
#[inline]
pub(crate) fn turn<R>(act: impl FnOnce(&mut Turn<'_, '_>) -> R) -> R {
    let worker = LENT.replace(null_mut());
    assert!(!worker.is_null(), "a thread runs, and nothing else has its worker");
    // SAFETY: `lend` has borrowed the worker for as long as it is lent, and makes no use of it; it
    // was taken out of `LENT`, so that no other reference is made of it until it is back. No
    // reference outlives `act`, whatever the lifetimes of what the worker refers to.
    let result = act(&mut Turn(unsafe { &mut *worker }));
    LENT.set(worker);
    result
}

/// The number and the site of the thread that runs on this operating system thread, for a handler
/// of signals.
pub(crate) fn seen() -> Option<(u32, u32)> {
    let thread = SEEN.get();
    if thread.is_null() {
        return None;
    }
    // SAFETY: the thread lives as long as it is lent. The code that the signal stopped may be
    // about to change the two numbers, which are read as they are; the process ends with this.
    unsafe {
        let facts = &raw const (*thread).facts;
        Some(((*facts).own.wrapping_sub(1), (*facts).site))
    }
}
