//! Asynchronous copies and the mbarrier objects that tell when they are done (PTX ISA 9.7.9 and
//! 9.7.13).
//!
//! A copy moves its bytes as late as it may: when the thread waits for its group, or when it
//! arrives at a barrier object. Until then its bytes are pending, and any access that meets them is
//! reported, the thread's own included.
//!
//! A bulk copy of one dimension belongs to a barrier object, whose phase waits for its bytes: it is
//! done when somebody looks at the object. Or it belongs to a group of its own kind. Until it is
//! done its source must not be written either.
//!
//! **Does not**: model tensor copies; code that has them is refused by name. Who tests an object
//! sees the copies done at once, so a run does not show a phase that passes before its bytes have
//! come.

use std::collections::VecDeque;

use heddle_semantics::{BARRIER_OBJECT_BYTES, Excess, Phases, Target};

use crate::abi::{self, Access, Mbarrier, Order, Scope};
use crate::block::{Block, Pause, State, Thread};
use crate::clock::Knowledge;
use crate::combine::Reduction;
use crate::detect::Check;
use crate::facts::Facts;
use crate::group_copies::Events;
use crate::shadow::{ATOMIC, AWAY, Cell, GRANULE, PENDING, Record, SITE, WIDE, element};
use crate::worker::Worker;

/// Bytes of a barrier object.
const OBJECT_BYTES: usize = BARRIER_OBJECT_BYTES as usize;

/// One copy that was issued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    target: usize,
    source: usize,
    size: usize,
    /// Bytes of the source; the rest is zeros.
    filled: usize,
    site: u32,
    /// The thread that issued it, as records have it, and its clock then.
    pub(crate) own: u32,
    pub(crate) clock: u32,
    /// Its source may not be written before it is done.
    bulk: bool,
    /// It combines its bytes with those that are there.
    combines: Option<Reduction>,
}

/// The copies of a thread that are not done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    open: Vec<Copy>,
    groups: VecDeque<Vec<Copy>>,
    bulk_open: Vec<Copy>,
    bulk_groups: VecDeque<Vec<Copy>>,
    pub(crate) events: Events,
}

impl Copies {
    /// Forgets them.
    pub(crate) fn clear(&mut self) {
        self.open.clear();
        self.groups.clear();
        self.bulk_open.clear();
        self.bulk_groups.clear();
        self.events = Events::default();
    }
}

/// A barrier object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    phases: Phases,
    /// What arrivals of this phase publish, and what those of the phases before did.
    published: Knowledge,
    over: Knowledge,
    /// Bulk copies whose bytes it waits for.
    copies: Vec<Copy>,
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
        let made = (filled == 0 || self.access(source, filled, site, 0, 0))
            && self.access(target, size, site, 1, 0);
        if made {
            let copy = self.copy_of((target, source), size, filled, site, false);
            self.mark(&copy, PENDING);
            // SAFETY: a fiber runs.
            unsafe { (*self.thread).copies.open.push(copy) };
        }
        made
    }

    pub(crate) fn copy_of(
        &self,
        (target, source): (usize, usize),
        size: usize,
        filled: usize,
        site: u32,
        bulk: bool,
    ) -> Copy {
        // SAFETY: a fiber runs.
        let Facts { own, clock, .. } = unsafe { &(*self.thread).facts };
        let (own, clock) = (*own, *clock);
        Copy { target, source, size, filled, site, own, clock, bulk, combines: None }
    }

    /// A bulk copy is issued; it belongs to a barrier object, or to the open group (0). It may
    /// combine its bytes with those that are there. `false` if it must not be made.
    pub(crate) fn issue_bulk(
        &mut self,
        target: usize,
        source: usize,
        size: usize,
        object: usize,
        combines: Option<Reduction>,
    ) -> bool {
        if size == 0 {
            return true;
        }
        // SAFETY: a fiber runs.
        let site = unsafe { (*self.thread).facts.site };
        let writes = match combines {
            None => 1,
            Some(it) => {
                abi::access_flags(Access::Update, Order::Relaxed, Scope::Grid)
                    | abi::ATOMIC
                    | abi::element_flags(it.bytes() as u64)
            }
        };
        let made =
            self.access(source, size, site, 0, 0) && self.access(target, size, site, writes, 0);
        if !made {
            return false;
        }
        let copy = Copy { combines, ..self.copy_of((target, source), size, size, site, true) };
        self.mark(&copy, PENDING);
        // SAFETY: as above. What the thread does from here on is not published with the copy.
        let thread = unsafe { &mut *self.thread };
        thread.facts.clock += 1;
        match object {
            0 => thread.copies.bulk_open.push(copy),
            object => {
                self.mbarriers.entry(object).or_default().copies.push(copy);
                self.finish_waited(object);
            }
        }
        true
    }

    /// A bulk copy to the same place in several blocks of the cluster, each with its own barrier
    /// object.
    pub(crate) fn issue_multicast(
        &mut self,
        (target, source): (usize, usize),
        size: usize,
        object: usize,
        blocks: u32,
    ) -> bool {
        (0..16).filter(|rank| blocks >> rank & 1 != 0).all(|rank| {
            let (target, object) = (self.mapped(target, rank), self.mapped(object, rank));
            self.issue_bulk(target, source, size, object, None)
        })
    }

    /// Ends the open group of bulk copies.
    pub(crate) fn commit_bulk(&mut self) {
        // SAFETY: a fiber runs.
        let copies = unsafe { &mut (*self.thread).copies };
        let group = std::mem::take(&mut copies.bulk_open);
        copies.bulk_groups.push_back(group);
    }

    /// Waits until no more than so many groups of bulk copies are pending.
    pub(crate) fn wait_bulk(&mut self, pending: usize) {
        loop {
            // SAFETY: a fiber runs.
            let copies = unsafe { &mut (*self.thread).copies };
            if copies.bulk_groups.len() <= pending {
                return;
            }
            let group = copies.bulk_groups.pop_front().unwrap_or_default();
            self.finish_own(group);
        }
    }

    /// The bulk copies of a barrier object are done: their bytes have come, and who waits knows of
    /// them.
    fn finish_bulk(&mut self, address: usize) {
        let Some(object) = self.mbarriers.get_mut(&address).filter(|it| !it.copies.is_empty())
        else {
            return;
        };
        let copies = std::mem::take(&mut object.copies);
        for copy in &copies {
            object.phases.complete(copy.size as u32);
            object.published.learn_thread(copy.own - 1, copy.clock);
        }
        self.carry_out(&copies);
        self.settle_object(address);
    }

    /// Writes a copy's bytes into the shadow once more, pending or done.
    pub(crate) fn mark(&mut self, copy: &Copy, flags: u32) {
        let away = if flags & PENDING != 0 { AWAY } else { 0 };
        let Copy { target, source, size, filled, site, own, clock, bulk, combines } = *copy;
        let record = Record { thread: own | away, clock, info: site & SITE | flags };
        // Elements that are combined are atomic, for the device.
        let kind = combines.map_or(0, |it| ATOMIC | WIDE | element(it.bytes()));
        let written = Record { info: record.info | kind, ..record };
        for cell in self.cells(target, size) {
            // SAFETY: the range was checked when the copy was issued.
            let cell = unsafe { &mut *cell };
            if cell.write.thread & !AWAY == own {
                cell.write = written;
            }
        }
        for cell in self.cells(source, if bulk { filled } else { 0 }) {
            // SAFETY: as above.
            let cell = unsafe { &mut *cell };
            let reads = [&mut cell.read, &mut cell.other];
            for read in reads.into_iter().filter(|it| it.thread & !AWAY == own) {
                *read = record;
            }
        }
    }

    /// The cells of a range that was checked.
    fn cells(&self, address: usize, len: usize) -> impl Iterator<Item = *mut Cell> + use<> {
        // SAFETY: the memory outlives the run.
        let global = || unsafe { (*self.memory).global.cell(address) };
        let first = self.shared.region.cell(address).or_else(global);
        let count = if first.is_some() { len.div_ceil(GRANULE) } else { 0 };
        let first = first.unwrap_or(std::ptr::null_mut());
        (0..count).map(move |n| first.wrapping_add(n))
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
            self.finish_own(group);
        }
        if all {
            // SAFETY: as above.
            let open = std::mem::take(unsafe { &mut (*self.thread).copies.open });
            self.finish_own(open);
        }
    }

    /// Carries out copies that the thread waits for itself: their bytes are written now.
    fn finish_own(&mut self, mut group: Vec<Copy>) {
        // SAFETY: a fiber runs.
        let clock = unsafe { (*self.thread).facts.clock };
        group.iter_mut().for_each(|copy| copy.clock = clock);
        self.carry_out(&group);
    }

    pub(crate) fn carry_out(&mut self, group: &[Copy]) {
        self.idle = 0;
        for copy in group {
            if let Some(reduction) = copy.combines {
                // SAFETY: as below; the two are in different memories, so they do not overlap.
                unsafe {
                    let source = std::slice::from_raw_parts(copy.source as *const u8, copy.size);
                    reduction.apply(copy.target as *mut u8, source);
                }
                self.mark(copy, 0);
                continue;
            }
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
        if self.owner(address).is_none() {
            self.report_ended(address, OBJECT_BYTES, true);
            return Err(Pause::End);
        }
        let wide = self.shape.size > 1;
        if let Some(slot) = self.slot_of(address).filter(|it| wide && *it != thread.slot as usize) {
            self.visit(slot, true);
        }
        if matches!(op, Mbarrier::ArriveAfterCopies | Mbarrier::JoinAfterCopies) {
            self.wait_copies(0, true);
        }
        if matches!(
            op,
            Mbarrier::TestToken | Mbarrier::TestParity | Mbarrier::WaitToken | Mbarrier::WaitParity
        ) {
            self.finish_bulk(address);
        }
        self.check_object(op, address, wide);
        let object = self.mbarriers.entry(address).or_default();
        let token = u64::from(object.phases.phase);
        match op {
            Mbarrier::Init => {
                *object = Object { phases: Phases::init(operand as u32), ..Object::default() };
            }
            Mbarrier::Invalidate => {
                self.mbarriers.remove(&address);
                return Ok(0);
            }
            Mbarrier::Arrive
            | Mbarrier::ArriveDrop
            | Mbarrier::ArriveAfterCopies
            | Mbarrier::JoinAfterCopies => {
                let count = match op {
                    Mbarrier::ArriveAfterCopies => 1,
                    Mbarrier::JoinAfterCopies => 0,
                    _ => operand as u32,
                };
                object.published.join(&thread.knowledge(&of, wide));
                thread.facts.clock += 1;
                // More arrivals than are lacking are not defined; here they end the phase.
                let (Ok(()) | Err(Excess { .. })) = object.phases.arrive(count);
                if op == Mbarrier::ArriveDrop {
                    object.phases.drop_out(count);
                }
            }
            Mbarrier::ExpectBytes => object.phases.expect(operand as u32),
            Mbarrier::CompleteBytes => object.phases.complete(operand as u32),
            Mbarrier::TestToken
            | Mbarrier::TestParity
            | Mbarrier::WaitToken
            | Mbarrier::WaitParity => {
                if over(object, op, operand) {
                    let published = object.over.clone();
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
        self.settle_object(address);
        self.finish_waited(address);
        Ok(token)
    }

    /// Checks what an operation does to the bytes of its object: initialising and ending it write
    /// them, also with what they hold (PTX ISA, `mbarrier.init`); every other operation is atomic.
    fn check_object(&mut self, op: Mbarrier, address: usize, wide: bool) {
        // SAFETY: a fiber runs.
        let thread = unsafe { &mut *self.thread };
        let reach = ATOMIC | element(OBJECT_BYTES) | if wide { WIDE } else { 0 };
        let (write, read, flags) = match op {
            Mbarrier::Init | Mbarrier::Invalidate => (true, false, 0),
            Mbarrier::Arrive
            | Mbarrier::ArriveDrop
            | Mbarrier::ArriveAfterCopies
            | Mbarrier::JoinAfterCopies
            | Mbarrier::ExpectBytes
            | Mbarrier::CompleteBytes => (true, true, reach),
            Mbarrier::TestToken
            | Mbarrier::TestParity
            | Mbarrier::WaitToken
            | Mbarrier::WaitParity => (false, true, reach),
        };
        let Facts { site, clock, .. } = thread.facts;
        let record = Record { thread: thread.number + 1, clock, info: site & SITE | flags };
        if let Some((Some(first), shared)) = self.ground(thread, address, OBJECT_BYTES, write) {
            let size = OBJECT_BYTES;
            let (same_value, plain_store) = (false, false);
            self.check(
                first,
                Check { address, size, write, read, record, same_value, plain_store, shared },
            );
        }
    }

    /// Who waits for an object looks at it again.
    fn finish_waited(&mut self, address: usize) {
        let waits =
            |it: &Thread| matches!(it.state, State::Mbarrier { address: at, .. } if at == address);
        let Some(owner) = self.owner(address) else { return };
        // SAFETY: a block that is there, and that nothing else refers to here.
        if unsafe { &*owner }.threads.iter().any(waits) {
            self.finish_bulk(address);
        }
    }

    /// Ends the phase of an object that has all it waits for.
    fn settle_object(&mut self, address: usize) {
        let Some(object) = self.mbarriers.get_mut(&address) else { return };
        if object.phases.advance() {
            let published = std::mem::take(&mut object.published);
            object.over.join(&published);
            self.idle = 0;
            if let Some(owner) = self.owner(address) {
                // SAFETY: a block that is there, and that nothing else refers to here.
                self.wake(unsafe { &mut *owner }, address);
            }
        }
    }

    /// Wakes the threads whose phase is over.
    fn wake(&mut self, block: &mut Block, address: usize) {
        let Some(object) = self.mbarriers.get(&address) else { return };
        for thread in &mut block.threads {
            if let State::Mbarrier { address: at, op, operand } = thread.state
                && at == address
                && over(object, op, operand)
            {
                thread.facts.knows.get_or_insert_default().join(&object.over);
                thread.result = 1;
                thread.state = State::Ready;
                block.halted -= 1;
                self.ready.add((thread.slot, thread.index));
            }
        }
        block.has_knowledge = true;
    }
}

/// Whether the phase that is asked for is over.
fn over(object: &Object, op: Mbarrier, operand: u64) -> bool {
    let target = match op {
        Mbarrier::TestToken | Mbarrier::WaitToken => Target::Phase(operand as u32),
        _parity => Target::Parity(operand & 1 == 1),
    };
    object.phases.passes(target).is_some()
}
