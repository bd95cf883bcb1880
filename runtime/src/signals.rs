//! Signals of a process that runs a kernel: where its thread was when one ended it.
//!
//! **Promises**: the handler reads the thread that is lent and writes a page that the parent has
//! in common, and takes no lock. **Does not**: start the process (`apart`).

use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::pages::{map, map_shared, unmap};
use crate::turn::seen;

/// Bytes of the stack that signals are handled on.
const SIGNAL_STACK: usize = 64 << 10;
/// Exit status of a copy that wrote where it was.
const POSTED: i32 = 113;
/// A thread's number where no thread ran.
const NOBODY: u32 = u32::MAX;

/// Signals that end a process whose code went wrong, and the one that asks it to end.
const SIGNALS: [i32; 7] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGTERM,
];

/// Where a copy was when it ended, in memory that both processes see.
#[repr(C)]
struct Post {
    written: AtomicU32,
    signal: AtomicU32,
    thread: AtomicU32,
    site: AtomicU32,
}

/// The post of this process, if it is a copy.
static POST: AtomicPtr<Post> = AtomicPtr::new(std::ptr::null_mut());

/// The page of a post, given back when the run is over.
pub(crate) struct Page(*mut u8);

/// Where a copy was when it ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// The signal, or [`PANIC`](crate::event::PANIC).
    pub(crate) signal: i32,
    /// The number of the thread of the grid that ran.
    pub(crate) thread: Option<u32>,
    /// The site it came by last.
    pub(crate) site: u32,
}

impl Page {
    /// A page that copies of this process have in common with it.
    ///
    /// # Errors
    /// The system gives no page.
    pub(crate) fn new() -> std::io::Result<Page> {
        map_shared(size_of::<Post>()).map(Page)
    }

    /// Makes it the post of this process, which ends before the page is given back.
    pub(crate) fn use_here(&self) {
        POST.store(self.0.cast(), Ordering::Relaxed);
    }

    /// What the copy wrote, if it did.
    pub(crate) fn seen(&self) -> Option<Seen> {
        let post = self.post();
        if post.written.load(Ordering::Acquire) != 2 {
            return None;
        }
        let thread = post.thread.load(Ordering::Acquire);
        Some(Seen {
            signal: post.signal.load(Ordering::Acquire) as i32,
            thread: (thread != NOBODY).then_some(thread),
            site: post.site.load(Ordering::Acquire),
        })
    }

    fn post(&self) -> &Post {
        // SAFETY: a page that lives as long as this value; its fields are atomic.
        unsafe { &*self.0.cast::<Post>() }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        unmap(self.0, size_of::<Post>());
    }
}

/// Has this process, a copy, write to its post before a signal ends it.
pub(crate) fn watch_signals() {
    watch_thread();
    for signal in SIGNALS {
        // SAFETY: the handler reads memory of this process, writes the post and ends the process.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = died as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Gives this thread a stack for signals, if this is a copy: the one it runs on may be used up.
pub(crate) fn watch_thread() {
    if POST.load(Ordering::Relaxed).is_null() {
        return;
    }
    if let Ok(stack) = map(None, SIGNAL_STACK) {
        let stack = libc::stack_t { ss_sp: stack.cast(), ss_flags: 0, ss_size: SIGNAL_STACK };
        // SAFETY: pages that are mapped as long as this process lives.
        let _without = unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
    }
}

extern "C" fn died(signal: i32, _info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    post(signal);
    // SAFETY: may be called from a handler.
    unsafe { libc::_exit(POSTED) }
}

/// Writes where this thread is. Reads nothing that takes a lock.
pub(crate) fn post(signal: i32) {
    // SAFETY: the page is mapped as long as this process lives.
    let Some(post) = (unsafe { POST.load(Ordering::Relaxed).as_ref() }) else { return };
    let (thread, site) = seen().unwrap_or((NOBODY, 0));
    if post.written.swap(1, Ordering::AcqRel) != 0 {
        return;
    }
    post.signal.store(signal as u32, Ordering::Release);
    post.thread.store(thread, Ordering::Release);
    post.site.store(site, Ordering::Release);
    post.written.store(2, Ordering::Release);
}
