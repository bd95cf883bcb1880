//! Asynchronous copies and the mbarrier objects that tell when they are done (PTX ISA 9.7.9 and 9.7.13).
//!
//! A copy moves its bytes as late as it may: when the thread waits for its group, or when it arrives at a barrier object.
//! Until then its bytes are pending, and any access that meets them is reported, the thread's own included.
//!
//! **Does not**: model bulk copies (TMA); code that has them is refused by name.

use std::collections::VecDeque;

use crate::abi::Mbarrier;
use crate::block::{Block, Pause, State};
use crate::clock::Knowledge;
use crate::shadow::{AWAY, PENDING, Record, SITE};
use crate::worker::Worker;

/// One copy that was issued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    target: usize,
    source: usize,
    size: usize,
    /// Bytes of the source; the rest is zeros.
    filled: usize,
    site: u32,
}

/// The copies of a thread that are not done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    open: Vec<Copy>,
    groups: VecDeque<Vec<Copy>>,
}

impl Copies {
    /// Forgets them.
    pub(crate) fn clear(&mut self) {
        self.open.clear();
        self.groups.clear();
    }
}

/// A barrier object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    expected: i64,
    pending: i64,
    bytes: i64,
    phase: u64,
    published: Knowledge,
}

impl Worker {
    /// A copy is issued. `false` if it must not be made.
    pub(crate) fn issue_copy(
        &mut self,
        target: usize,
        source: usize,
        size: usize,
        filled: usize,
    ) -> bool {
        // SAFETY: a fiber runs.
        let site = unsafe { (*self.thread).facts.site };
        let made =
            self.access(source, filled.max(1), site, 0, 0) && self.access(target, size, site, 1, 0);
        if made {
            let copy = Copy { target, source, size, filled, site };
            self.mark(&copy, PENDING);
            // SAFETY: a fiber runs.
            unsafe { (*self.thread).copies.open.push(copy) };
        }
        made
    }

    /// Writes a copy's bytes into the shadow once more, pending or done.
    fn mark(&mut self, copy: &Copy, flags: u32) {
        // SAFETY: a fiber runs.
        let thread = unsafe { &*self.thread };
        let record = Record {
            thread: thread.facts.own | if flags & PENDING != 0 { AWAY } else { 0 },
            clock: thread.facts.clock,
            info: copy.site & SITE | flags,
        };
        // SAFETY: the memory outlives the run.
        let cell = self
            .shared
            .region
            .cell(copy.target)
            .or_else(|| unsafe { (*self.memory).global.cell(copy.target) });
        let Some(first) = cell else { return };
        for n in 0..copy.size.div_ceil(4) {
            // SAFETY: the range was checked when the copy was issued.
            unsafe {
                let cell = first.add(n);
                if (*cell).write.thread & !AWAY == thread.facts.own {
                    (*cell).write = record;
                }
            }
        }
    }

    /// Ends the open group.
    pub(crate) fn commit_copies(&mut self) {
        // SAFETY: a fiber runs.
        let copies = unsafe { &mut (*self.thread).copies };
        let group = std::mem::take(&mut copies.open);
        copies.groups.push_back(group);
    }

    /// Waits until no more than so many groups are pending; with `all`, the open one is done too.
    pub(crate) fn wait_copies(&mut self, pending: usize, all: bool) {
        loop {
            // SAFETY: a fiber runs.
            let copies = unsafe { &mut (*self.thread).copies };
            if copies.groups.len() <= pending {
                break;
            }
            let group = copies.groups.pop_front().unwrap_or_default();
            self.carry_out(&group);
        }
        if all {
            // SAFETY: as above.
            let open = std::mem::take(unsafe { &mut (*self.thread).copies.open });
            self.carry_out(&open);
        }
    }

    fn carry_out(&mut self, group: &[Copy]) {
        self.idle = 0;
        for copy in group {
            // SAFETY: both ranges were checked when the copy was issued.
            unsafe {
                std::ptr::copy(copy.source as *const u8, copy.target as *mut u8, copy.filled);
                std::ptr::write_bytes(
                    (copy.target + copy.filled) as *mut u8,
                    0,
                    copy.size - copy.filled,
                );
            }
            self.mark(copy, 0);
        }
    }

    /// An operation on a barrier object; what it gives, or that the thread waits.
    pub(crate) fn mbarrier(
        &mut self,
        op: Mbarrier,
        address: usize,
        operand: u64,
    ) -> Result<u64, Pause> {
        // SAFETY: a fiber runs.
        let (thread, block) = unsafe { (&mut *self.thread, &mut *self.block) };
        thread.waits_at = thread.facts.site;
        let of = self.block_of(block);
        if op == Mbarrier::ArriveAfterCopies {
            self.wait_copies(0, true);
        }
        let object = self.mbarriers.entry(address).or_default();
        let token = object.phase;
        match op {
            Mbarrier::Init => {
                let count = operand as i64;
                *object = Object { expected: count, pending: count, ..Object::default() };
            }
            Mbarrier::Invalidate => {
                self.mbarriers.remove(&address);
                return Ok(0);
            }
            Mbarrier::Arrive | Mbarrier::ArriveDrop | Mbarrier::ArriveAfterCopies => {
                let count = if op == Mbarrier::ArriveAfterCopies { 1 } else { operand as i64 };
                object.published.join(&thread.knowledge(&of, false));
                thread.facts.clock += 1;
                object.pending -= count;
                if op == Mbarrier::ArriveDrop {
                    object.expected -= count;
                }
            }
            Mbarrier::ExpectBytes => object.bytes += operand as i64,
            Mbarrier::CompleteBytes => object.bytes -= operand as i64,
            Mbarrier::TestToken
            | Mbarrier::TestParity
            | Mbarrier::WaitToken
            | Mbarrier::WaitParity => {
                if over(object, op, operand) {
                    let published = object.published.clone();
                    thread.facts.knows.get_or_insert_default().join(&published);
                    block.has_knowledge = true;
                    return Ok(1);
                }
                let waits = matches!(op, Mbarrier::WaitToken | Mbarrier::WaitParity);
                if waits {
                    thread.state = State::Mbarrier { address, op, operand };
                    block.halted += 1;
                    return Err(Pause::Wait);
                }
                return Ok(0);
            }
        }
        if object.pending <= 0 && object.bytes == 0 && object.expected > 0 {
            object.phase += 1;
            object.pending = object.expected;
            self.idle = 0;
            self.wake(block, address);
        }
        Ok(token)
    }

    /// Wakes the threads whose phase is over.
    fn wake(&mut self, block: &mut Block, address: usize) {
        let Some(object) = self.mbarriers.get(&address) else { return };
        for thread in &mut block.threads {
            if let State::Mbarrier { address: at, op, operand } = thread.state
                && at == address
                && over(object, op, operand)
            {
                thread.facts.knows.get_or_insert_default().join(&object.published);
                thread.result = 1;
                thread.state = State::Ready;
                block.halted -= 1;
                self.ready.add((thread.slot, thread.index));
            }
        }
        block.has_knowledge = true;
    }
}

/// Whether the phase that is asked for is over. A phase is tested while it or the next one is current, so its parity
/// names it.
fn over(object: &Object, op: Mbarrier, operand: u64) -> bool {
    match op {
        Mbarrier::TestToken | Mbarrier::WaitToken => object.phase > operand,
        _parity => object.phase & 1 != operand & 1,
    }
}
