//! Is this access ordered after those before it?
//!
//! **Promises**: two accesses are reported only if they touch a common byte, one writes, not both
//! are atomic within reach of each other and of one size, and no synchronization of the run orders
//! them. Atomics of two sizes that overlap are not morally strong for each other (PTX ISA 8.7).
//! In PTX an atomic comes after those whose result it read, and so does what its thread does next
//! (observation followed by program order or barriers is causality order, section 8.9.5): the last
//! block may set the counter back. Volatile accesses of one size are strong (section 8.7): what a
//! counter hands over, and nobody fences on the reader's side, is no race of two of them.
//! **Misses**: what [`crate::shadow`] has forgotten: of several concurrent readers of one place it
//! keeps two, and of several writes that the last one does not stand for, one.

use crate::abi::{self, Access, Order, Scope};
use crate::block::{BlockOf, Thread};
use crate::event::{Event, Level};
use crate::overtaken::{Last, kept_beside};
use crate::shadow::{
    ATOMIC, Cell, ELEMENT, GRANULE, OBSERVED, PENDING, RED, Record, SITE, SPLIT, UPDATE, WIDE,
    WROTE, element, volatile,
};
use crate::worker::Worker;

/// One access, as it is checked against each cell.
#[derive(Clone, Copy)]
pub(crate) struct Check {
    pub(crate) address: usize,
    pub(crate) size: usize,
    pub(crate) write: bool,
    /// It also reads what was there.
    pub(crate) read: bool,
    pub(crate) record: Record,
    /// It stores what is there already.
    pub(crate) same_value: bool,
    /// It is a plain store.
    pub(crate) plain_store: bool,
    pub(crate) shared: bool,
}

/// Where an address belongs.
enum Ground {
    Cells(*mut Cell, bool),
    /// The thread's own stack, or the launch's arguments.
    Private,
    /// Shared memory of a block of the cluster that has ended.
    Ended,
    Nothing,
}

impl Worker {
    /// Checks an access. `false` if it must not be made.
    pub(crate) fn access(
        &mut self,
        address: usize,
        size: usize,
        site: u32,
        flags: u32,
        value: u64,
    ) -> bool {
        self.outcome.accesses += 1;
        // SAFETY: a fiber runs, so there is a thread and a block.
        let thread = unsafe { &mut *self.thread };
        if site != SITE {
            thread.facts.site = site;
        }
        let site = thread.facts.site;
        let kind = Access::from_number(flags & 3).unwrap_or(Access::Update);
        let atomic = flags & abi::ATOMIC != 0;
        let wide = flags >> 4 & 1 == Scope::Grid.number();
        let write = kind != Access::Load;
        let mut info = site & SITE;
        let of_element = abi::element_of(flags, size);
        if atomic {
            info |= ATOMIC | element(of_element) | if wide { WIDE } else { 0 };
        } else if flags & abi::VOLATILE != 0 {
            info |= volatile(of_element);
        }
        let aligned = 1usize << (flags >> abi::ALIGNMENT_AT & 15);
        if address & (aligned - 1) != 0 {
            match self.ground(thread, address, size, write) {
                None => return false,
                Some((None, _)) => return true,
                Some((Some(_), _)) => {
                    self.misaligned(thread, (address, size), write, aligned);
                    return false;
                }
            }
        }
        let known = flags & abi::VALUE != 0 && size <= 8;
        let record = Record { thread: thread.number + 1, clock: thread.facts.clock, info };
        if flags & (abi::ATOMIC | abi::VOLATILE) == 0
            && kind != Access::Update
            && self.quick(thread, address, size, record, write)
        {
            if write && self.idle != 0 && !(known && holds(address, size, value)) {
                self.idle = 0;
            }
            return true;
        }
        let check = Check {
            address,
            size,
            write,
            read: kind != Access::Store,
            record,
            same_value: false,
            plain_store: known && !atomic,
            shared: false,
        };
        let Some((first, shared)) = self.ground(thread, address, size, write) else { return false };
        let Some(first) = first else { return true };
        let same_value = known && holds(address, size, value);
        if write && !same_value && !atomic {
            self.idle = 0;
        }
        self.check(first, Check { same_value, shared, ..check });
        let synchronizes = atomic || flags & abi::VOLATILE != 0;
        if synchronizes {
            let order = Order::from_number(flags >> 2 & 3).unwrap_or(Order::Relaxed);
            self.synchronize(address, kind, order, wide || !atomic);
        }
        true
    }

    /// The first cell of a range and whether it is shared memory; no cell for private memory.
    /// `None` and an event if the range is not all in one place.
    pub(crate) fn ground(
        &mut self,
        thread: &Thread,
        address: usize,
        size: usize,
        write: bool,
    ) -> Option<(Option<*mut Cell>, bool)> {
        let (first, last) =
            (self.locate(thread, address), self.locate(thread, address + size.max(1) - 1));
        match (first, last) {
            (Ground::Private, Ground::Private) => Some((None, false)),
            (Ground::Cells(first, shared), Ground::Cells(last, _)) => {
                if shared && self.shape.size > 1 {
                    let slot = self.slot_of(address).filter(|it| *it != thread.slot as usize);
                    slot.into_iter().for_each(|slot| self.visit(slot, write));
                }
                let mut at = first;
                while at <= last {
                    // SAFETY: between two cells of one region.
                    if unsafe { (*at).write.thread } == RED {
                        self.out_of_bounds(thread, address, size, write);
                        return None;
                    }
                    at = at.wrapping_add(1);
                }
                Some((Some(first), shared))
            }
            (Ground::Ended, _) => {
                self.report_ended(address, size, write);
                None
            }
            (Ground::Cells(..) | Ground::Private | Ground::Nothing, _) => {
                self.out_of_bounds(thread, address, size, write);
                None
            }
        }
    }

    fn locate(&self, thread: &Thread, address: usize) -> Ground {
        // SAFETY: the memory outlives the run.
        let memory = unsafe { &*self.memory };
        if let Some(cell) = memory.global.cell(address) {
            return Ground::Cells(cell, false);
        }
        // SAFETY: a fiber runs.
        let shared = unsafe { (*self.block).shared };
        if address.wrapping_sub(shared) < self.shared.stride
            && let Some(cell) = self.shared.region.cell(address)
        {
            return Ground::Cells(cell, true);
        }
        if self.shape.size > 1
            && let Some(slot) = self.slot_of(address)
            && let Some(cell) = self.shared.region.cell(address)
        {
            let runs = self.blocks[slot].is_some();
            return if runs { Ground::Cells(cell, true) } else { Ground::Ended };
        }
        if address >= thread.stack.0 && address < thread.stack.1 {
            return Ground::Private;
        }
        if address >= self.frames.0 && address < self.frames.1 {
            return Ground::Private;
        }
        if address.wrapping_sub(self.arguments as usize) < crate::worker::MOST_ARGUMENTS {
            return Ground::Private;
        }
        let other = memory.others.iter().find_map(|(_, region)| region.cell(address));
        other.map_or(Ground::Nothing, |cell| Ground::Cells(cell, false))
    }

    fn out_of_bounds(&mut self, thread: &Thread, address: usize, size: usize, write: bool) {
        let event = Event::OutOfBounds { site: thread.facts.site, write };
        let what = self.bytes(address, size);
        self.outcome.events.add(event, [thread.number; 2], || (what, Vec::new()));
        self.outcome.finished = false;
    }

    fn misaligned(
        &mut self,
        thread: &Thread,
        (address, size): (usize, usize),
        write: bool,
        aligned: usize,
    ) {
        let event = Event::Misaligned { site: thread.facts.site, write };
        let beyond = address % aligned;
        let bytes = self.bytes(address, size);
        let what = format!(
            "{size} bytes, `{bytes}`, at an address that is {beyond} more than a multiple of {aligned}"
        );
        self.outcome.events.add(event, [thread.number; 2], || (what, Vec::new()));
        self.outcome.finished = false;
    }

    /// An access beyond the end of memory that is the thread's own, or that nobody writes.
    pub(crate) fn beyond(&mut self, offset: i64, len: u64, bytes: u64, site: u32, write: bool) {
        // SAFETY: a fiber runs.
        let thread = unsafe { &mut *self.thread };
        thread.facts.site = site;
        let event = Event::OutOfArray { site, write };
        let what = match offset {
            ..0 => format!("{bytes} bytes that begin {} before an array of {len} bytes", -offset),
            _ => format!("{bytes} bytes from byte {offset} on of an array of {len} bytes"),
        };
        self.outcome.events.add(event, [thread.number; 2], || (what, Vec::new()));
        self.outcome.finished = false;
    }

    /// Checks a range from its first cell on, and records it.
    pub(crate) fn check(&mut self, first: *mut Cell, check: Check) {
        let Check { address, size, .. } = check;
        let mut cell = first;
        let mut at = address;
        let end = address + size;
        while at < end {
            let next = ((at & !(GRANULE - 1)) + GRANULE).min(end);
            // The range lies in the region of the first cell.
            let _held = self.hold(at, check.shared);
            // SAFETY: as above.
            let whole = next - at == GRANULE && unsafe { (*cell).write.thread } != SPLIT;
            if whole {
                self.check_cell(cell, at, &check);
            } else if self.spread.is_some() && !check.shared {
                // Cells of bytes are a worker's own: the run is to be made again, and nobody looks
                // at this one any more.
                self.alone();
            } else {
                let parts = self.split(cell, at & !(GRANULE - 1));
                for byte in at..next {
                    let part = &raw mut self.splits[parts][byte & (GRANULE - 1)];
                    self.check_cell(part, byte, &check);
                }
            }
            cell = cell.wrapping_add(1);
            at = next;
        }
    }

    /// The cells of the single bytes of a cell, made if there are none.
    fn split(&mut self, cell: *mut Cell, at: usize) -> usize {
        // SAFETY: a cell of a region.
        let cell = unsafe { &mut *cell };
        if cell.write.thread != SPLIT {
            self.observed.split(at, GRANULE);
            self.splits.push([*cell; 4]);
            cell.write = Record { thread: SPLIT, clock: self.splits.len() as u32 - 1, info: 0 };
        }
        cell.write.clock as usize
    }

    fn check_cell(&mut self, cell: *mut Cell, at: usize, check: &Check) {
        // SAFETY: a fiber runs; the cell is one of a region or of `splits`, which this function
        // does not grow.
        let (thread, cell) = unsafe { (&*self.thread, &mut *cell) };
        // SAFETY: as above.
        let of = self.block_of(unsafe { &*self.block });
        let new = check.record;
        let before = *cell;
        let there = before.write.is_some();
        let known = there && knows(thread, &of, before.write, check.shared);
        let one = there && is_one(&of, before.write, new);
        let is_open = |past: Record| {
            past.is_some()
                && (check.write || past.info & WROTE != 0)
                && !ordered(thread, &of, past, new, check.shared)
        };
        // Who knows a load that has observed the last write knows that write. There may be many
        // loads: they are asked where it matters.
        let matters = there && !known && (check.write || !one || is_open(before.other));
        let asked = match thread.facts.knows {
            Some(_) => 0..u32::MAX,
            None => of.first_thread..of.first_thread + of.warps.threads,
        };
        let knows_load = |load| knows(thread, &of, load, check.shared);
        let observed =
            matters && self.observed.is_known(at, before.write, thread.number, asked, knows_load);
        // What the last write has read is before all that comes after it.
        let follows = known || observed && before.write.info & UPDATE != 0;
        let others = [before.read, before.other]
            .map(|past| (past, is_open(past) && !(follows && past.info & OBSERVED != 0)));
        if there && !known && !observed && !one {
            self.race(before.write, true, check, &of);
        }
        for (past, races) in others {
            if races {
                self.race(past, past.info & WROTE != 0, check, &of);
            }
        }
        // SAFETY: the program outlives the run.
        let whole = unsafe { !(*self.program).partial };
        if whole && check.shared && check.read && !there && new.info & PENDING == 0 {
            let what = self.bytes(check.address, check.size);
            let event = Event::Uninitialised { site: new.site() };
            self.outcome.events.add(event, [thread.number; 2], || (what, Vec::new()));
        }
        let reads = there && check.read && self.observes(thread, &of, before.write, new);
        if check.write {
            let updates = self.launch.is_ptx() && check.read && new.info & ATOMIC != 0;
            cell.write = Record { info: new.info | if updates { UPDATE } else { 0 }, ..new };
            cell.read = Record::default();
            let last = Last { known, observed, reads };
            let is_excused = || self.is_excused(thread, &of, before.write, new);
            // All threads of the block know it, and other blocks do not come here.
            let is_old = || {
                let number = before.write.thread_number().wrapping_sub(of.first_thread);
                check.shared
                    && number < of.warps.threads
                    && before.write.clock < thread.facts.floor_in(true)
            };
            cell.other = kept_beside(new, &before, last, is_excused, is_old);
            self.observed.end(at);
            return;
        }
        if reads && !known && before.write.info & PENDING == 0 {
            self.observed.note(at, before.write, new);
        }
        let of_own =
            |past: Record| past.thread == new.thread || knows(thread, &of, past, check.shared);
        // A strong read does not stand for a plain one.
        let stands = new.is_strong() <= before.read.is_strong();
        if !before.read.is_some() || (stands && of_own(before.read)) {
            cell.read = new;
        } else if !before.other.is_some()
            || before.other.thread == new.thread
            || (before.other.info & WROTE == 0 && knows(thread, &of, before.other, check.shared))
        {
            cell.other = new;
        } else if of_own(before.read) {
            cell.read = new;
        }
    }

    /// Whether an access reads what a write left, and comes after it by that: both are morally
    /// strong (PTX ISA 8.7).
    fn observes(&self, thread: &Thread, of: &BlockOf, write: Record, new: Record) -> bool {
        self.launch.is_ptx() && (is_one(of, write, new) || self.is_excused(thread, of, write, new))
    }

    /// Whether two volatile accesses, which are strong for each other, are no race: the later
    /// thread, or one that it met at a barrier, has read what the earlier one fenced.
    fn is_excused(&self, thread: &Thread, of: &BlockOf, past: Record, new: Record) -> bool {
        let is_pair =
            past.is_volatile() && new.is_volatile() && (past.info ^ new.info) & ELEMENT == 0;
        let number = past.thread_number();
        let heard = &thread.sc_fences.heard;
        self.launch.is_ptx()
            && is_pair
            && heard.covers(number, number / of.warps.threads, past.clock)
    }

    fn race(&mut self, past: Record, past_writes: bool, check: &Check, of: &BlockOf) {
        let other = past.thread_number().wrapping_sub(of.first_thread);
        // SAFETY: a fiber runs.
        let thread = unsafe { &*self.thread };
        let level = if other >= of.warps.threads {
            Level::Grid
        } else if self.launch.warp_size > 0 && of.warps.warp(other) == thread.warp {
            Level::Warp
        } else {
            Level::Block
        };
        let new = check.record;
        if self.is_excused(thread, of, past, new) {
            return;
        }
        // One entry for a pair of sites, whichever came first.
        let swapped = (past.site(), past_writes) > (new.site(), check.write);
        let pair = |past, new| if swapped { [new, past] } else { [past, new] };
        let event = Event::Race {
            sites: if swapped { [new.site(), past.site()] } else { [past.site(), new.site()] },
            writes: pair(past_writes, check.write),
            atomic: pair(past.info & ATOMIC != 0, new.info & ATOMIC != 0),
            same_value: past_writes
                && check.plain_store
                && check.same_value
                && past.info & (ATOMIC | PENDING | WROTE) == 0,
            level,
            pending: (past.info | new.info) & PENDING != 0,
        };
        let (address, size) = (check.address, check.size);
        let mut threads = [past.thread_number(), thread.number];
        if swapped {
            threads.reverse();
        }
        if let Some(met) = self.outcome.events.0.get_mut(&event) {
            met.count += 1;
            return;
        }
        let what = self.bytes(address, size);
        self.outcome.events.add(event, threads, || (what, Vec::new()));
    }

    /// How bytes are named in the source.
    pub(crate) fn bytes(&self, address: usize, size: usize) -> String {
        // SAFETY: a fiber runs, or has run just before; program and memory outlive the run.
        let (block, memory, program) = unsafe { (&*self.block, &*self.memory, &*self.program) };
        let mut offset = address.wrapping_sub(block.shared);
        if offset >= self.shared.stride {
            match self.slot_of(address) {
                Some(slot) => offset = address - self.shared.start(slot),
                None => return memory.name(address, size),
            }
        }
        let within = program.shared.iter().rev().find(|it| it.address <= offset);
        match within {
            Some(it) if offset < it.address + it.len || it.len == 0 => {
                it.bytes(offset - it.address, size)
            }
            Some(it) => format!(
                "{} bytes after `{}` in shared memory",
                offset - it.address - it.len,
                it.name
            ),
            None => format!("byte {offset} of shared memory"),
        }
    }
}

/// Whether the thread knows of an access.
fn knows(thread: &Thread, of: &BlockOf, past: Record, shared: bool) -> bool {
    let number = past.thread_number();
    if past.info & PENDING != 0 {
        return false;
    }
    if number == thread.number {
        return true;
    }
    let index = number.wrapping_sub(of.first_thread);
    if index < of.warps.threads {
        if past.clock < thread.facts.floor_in(shared) {
            return true;
        }
        if past.clock < thread.facts.warp_floor && of.warps.warp(index) == thread.warp {
            return true;
        }
    }
    let known = thread.facts.knows.as_deref();
    known.is_some_and(|it| it.covers(number, number / of.warps.threads, past.clock))
}

/// Whether an access may come after another without a race.
fn ordered(thread: &Thread, of: &BlockOf, past: Record, new: Record, shared: bool) -> bool {
    is_one(of, past, new) || knows(thread, of, past, shared)
}

/// Whether two accesses are atomic for each other: of one size, each within the other's scope.
fn is_one(of: &BlockOf, past: Record, new: Record) -> bool {
    let same_block = past.thread_number().wrapping_sub(of.first_thread) < of.warps.threads;
    past.info & new.info & ATOMIC != 0
        && (past.info ^ new.info) & ELEMENT == 0
        && (same_block || past.info & new.info & WIDE != 0)
}

/// Whether memory holds a value of at most eight bytes.
fn holds(address: usize, size: usize, value: u64) -> bool {
    load(address, size) == value & (u64::MAX >> (64 - 8 * size.clamp(1, 8)))
}

/// Up to eight bytes from an address that was checked.
pub(crate) fn load(address: usize, size: usize) -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: the caller has checked that the bytes are in a region.
    unsafe { std::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), size.min(8)) };
    u64::from_le_bytes(bytes)
}
