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

use crate::abi::{self, Access, MemoryOrder, Scope};
use crate::block::{BlockOf, Thread};
use crate::bytes::Bytes;
use crate::event::{Event, Level};
use crate::ground::{Ground, Home};
use crate::overtaken::{Last, kept_beside};
use crate::shadow::{
    ATOMIC, Cell, ELEMENT, GRANULE, OBSERVED, PENDING, Record, SITE, SPLIT, UPDATE, WIDE, WROTE,
    element, volatile,
};
use crate::turn::Turn;

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
    pub(crate) home: Home,
}

impl Turn<'_, '_> {
    /// Checks an access. The bytes, if it may be made.
    pub(crate) fn access(
        &mut self,
        address: usize,
        size: usize,
        site: u32,
        flags: u32,
        value: u64,
    ) -> Option<Bytes> {
        self.host.outcome.accesses += 1;
        let facts = &mut self.thread_mut().facts;
        if site != SITE {
            facts.site = site;
        }
        let (site, clock) = (facts.site, facts.clock);
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
            let Ground { bytes, home } = self.ground(address, size, write)?;
            if home.is_some() {
                self.misaligned((address, size), write, aligned);
            }
            return home.is_none().then_some(bytes);
        }
        let known = flags & abi::VALUE != 0 && size <= 8;
        let record = Record { thread: self.thread().number + 1, clock, info };
        if flags & (abi::ATOMIC | abi::VOLATILE) == 0
            && kind != Access::Update
            && let Some(bytes) = self.quick(address, size, record, write)
        {
            if write && self.grid.idle != 0 && !(known && bytes.holds(value)) {
                self.grid.idle = 0;
            }
            return Some(bytes);
        }
        let Ground { bytes, home } = self.ground(address, size, write)?;
        let Some(home) = home else { return Some(bytes) };
        let same_value = known && bytes.holds(value);
        if write && !same_value && !atomic {
            self.grid.idle = 0;
        }
        let (read, plain_store) = (kind != Access::Store, known && !atomic);
        self.check(Check { address, size, write, read, record, same_value, plain_store, home });
        let synchronizes = atomic || flags & abi::VOLATILE != 0;
        if synchronizes {
            let order = MemoryOrder::from_number(flags >> 2 & 3).unwrap_or(MemoryOrder::Relaxed);
            self.synchronize(address, kind, order, wide || !atomic);
        }
        Some(bytes)
    }

    fn misaligned(&mut self, (address, size): (usize, usize), write: bool, aligned: usize) {
        let event = Event::Misaligned { site: self.thread().facts.site, write };
        let beyond = address % aligned;
        let bytes = self.name(address, size);
        let what = format!(
            "{size} bytes, `{bytes}`, at an address that is {beyond} more than a multiple of {aligned}"
        );
        self.end_with(event, what);
    }

    /// The same in memory that is the thread's own, or that nobody writes.
    pub(crate) fn misaligned_in_array(
        &mut self,
        (offset, bytes): (i64, u64),
        aligned: u64,
        site: u32,
        write: bool,
    ) {
        self.thread_mut().facts.site = site;
        let event = Event::Misaligned { site, write };
        let what = format!(
            "{bytes} bytes from byte {offset} on of an array of its own, which is no multiple of {aligned}"
        );
        self.end_with(event, what);
    }

    /// An access beyond the end of memory that is the thread's own, or that nobody writes.
    pub(crate) fn beyond(&mut self, offset: i64, len: u64, bytes: u64, site: u32, write: bool) {
        self.thread_mut().facts.site = site;
        let event = Event::OutOfArray { site, write };
        let what = match offset {
            ..0 => format!("{bytes} bytes that begin {} before an array of {len} bytes", -offset),
            _ => format!("{bytes} bytes from byte {offset} on of an array of {len} bytes"),
        };
        self.end_with(event, what);
    }

    /// Checks a range, all of it in one place, and records it.
    pub(crate) fn check(&mut self, check: Check) {
        let Check { address, size, home, .. } = check;
        let shared = home == Home::Shared;
        let mut at = address;
        let end = address + size;
        while at < end {
            let start = at & !(GRANULE - 1);
            let next = (start + GRANULE).min(end);
            let _held = self.host.hold(at, shared);
            let cell = self.cell(home, start);
            if next - at == GRANULE && cell.write.thread != SPLIT {
                let new = self.check_cell(cell, at, &check);
                self.set_cell(home, start, new);
            } else if self.host.spread.is_some() && !shared {
                // Cells of bytes are a worker's own: the run is to be made again, and nobody looks
                // at this one any more.
                self.alone();
            } else {
                let parts = self.split(cell, home, start);
                for byte in at..next {
                    let part = byte & (GRANULE - 1);
                    let new = self.check_cell(self.checks.splits[parts][part], byte, &check);
                    self.checks.splits[parts][part] = new;
                }
            }
            at = next;
        }
    }

    /// The cells of the single bytes of a cell, made if there are none.
    fn split(&mut self, cell: Cell, home: Home, at: usize) -> usize {
        if cell.write.thread == SPLIT {
            return cell.write.clock as usize;
        }
        let number = self.checks.splits.len();
        self.checks.observed.split(at, GRANULE);
        self.checks.splits.push([cell; 4]);
        let write = Record { thread: SPLIT, clock: number as u32, info: 0 };
        self.set_cell(home, at, Cell { write, ..cell });
        number
    }

    /// Checks an access to what a cell stands for, and gives what is remembered from then on.
    fn check_cell(&mut self, before: Cell, at: usize, check: &Check) -> Cell {
        let of = self.grid.block_of(self.block());
        let (thread, new, shared) = (self.thread(), check.record, check.home == Home::Shared);
        let there = before.write.is_some();
        let known = there && knows(thread, &of, before.write, shared);
        let one = there && is_one(&of, before.write, new);
        let is_open = |past: Record| {
            past.is_some()
                && (check.write || past.info & WROTE != 0)
                && !ordered(thread, &of, past, new, shared)
        };
        // Who knows a load that has observed the last write knows that write. There may be many
        // loads: they are asked where it matters.
        let matters = there && !known && (check.write || !one || is_open(before.other));
        let asked = match thread.facts.knows {
            Some(_) => 0..u32::MAX,
            None => of.first_thread..of.first_thread + of.warps.threads,
        };
        let knows_load = |load| knows(thread, &of, load, shared);
        let seen = &self.checks.observed;
        let observed = matters && seen.is_known(at, before.write, thread.number, asked, knows_load);
        // What the last write has read is before all that comes after it.
        let follows = known || observed && before.write.info & UPDATE != 0;
        let races_with = |past: Record| is_open(past) && !(follows && past.info & OBSERVED != 0);
        let of_other = |past: Record| (past, past.info & WROTE != 0, races_with(past));
        let races = [
            (before.write, true, there && !known && !observed && !one),
            of_other(before.read),
            of_other(before.other),
        ];
        let reads = there && check.read && self.observes(&of, before.write, new);
        let after = match check.write {
            true => {
                let updates = self.host.launch.is_ptx() && check.read && new.info & ATOMIC != 0;
                let write = Record { info: new.info | if updates { UPDATE } else { 0 }, ..new };
                let last = Last { known, observed, reads };
                let is_excused = || self.is_excused(before.write, new, &of);
                // All threads of the block know it, and other blocks do not come here.
                let is_old = || {
                    let number = before.write.thread_number().wrapping_sub(of.first_thread);
                    shared
                        && number < of.warps.threads
                        && before.write.clock < thread.facts.floor_in(true)
                };
                let other = kept_beside(new, &before, last, is_excused, is_old);
                Cell { write, read: Record::default(), other }
            }
            false => read_too(thread, &of, before, new, shared),
        };
        if check.write {
            self.checks.observed.end(at);
        } else if reads && !known && before.write.info & PENDING == 0 {
            self.checks.observed.note(at, before.write, new);
        }
        for (past, writes, _) in races.into_iter().filter(|(.., races)| *races) {
            self.race(past, writes, check, &of);
        }
        let whole = !self.host.program.partial;
        if whole && shared && check.read && !there && new.info & PENDING == 0 {
            let what = self.name(check.address, check.size);
            let (event, number) = (Event::Uninitialised { site: new.site() }, self.thread().number);
            self.host.outcome.events.add(event, [number; 2], || (what, Vec::new()));
        }
        after
    }

    /// Whether an access reads what a write left, and comes after it by that: both are morally
    /// strong (PTX ISA 8.7).
    fn observes(&self, of: &BlockOf, write: Record, new: Record) -> bool {
        self.host.launch.is_ptx() && (is_one(of, write, new) || self.is_excused(write, new, of))
    }

    /// Whether two volatile accesses, which are strong for each other, are no race: the later
    /// thread, or one that it met at a barrier, has read what the earlier one fenced.
    fn is_excused(&self, past: Record, new: Record, of: &BlockOf) -> bool {
        let is_pair =
            past.is_volatile() && new.is_volatile() && (past.info ^ new.info) & ELEMENT == 0;
        let number = past.thread_number();
        let heard = &self.thread().sc_fences.heard;
        self.host.launch.is_ptx()
            && is_pair
            && heard.covers(number, number / of.warps.threads, past.clock)
    }

    fn race(&mut self, past: Record, past_writes: bool, check: &Check, of: &BlockOf) {
        let other = past.thread_number().wrapping_sub(of.first_thread);
        let thread = self.thread();
        let level = if other >= of.warps.threads {
            Level::Grid
        } else if self.host.launch.is_ptx() && of.warps.warp(other) == thread.warp {
            Level::Warp
        } else {
            Level::Block
        };
        let new = check.record;
        if self.is_excused(past, new, of) {
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
        if let Some(met) = self.host.outcome.events.0.get_mut(&event) {
            met.count += 1;
            return;
        }
        let what = self.name(address, size);
        self.host.outcome.events.add(event, threads, || (what, Vec::new()));
    }
}

/// What is remembered once an access has read, too.
fn read_too(thread: &Thread, of: &BlockOf, before: Cell, new: Record, shared: bool) -> Cell {
    let of_own = |past: Record| past.thread == new.thread || knows(thread, of, past, shared);
    // A strong read does not stand for a plain one.
    let stands = new.is_strong() <= before.read.is_strong();
    if !before.read.is_some() || (stands && of_own(before.read)) {
        Cell { read: new, ..before }
    } else if !before.other.is_some()
        || before.other.thread == new.thread
        || (before.other.info & WROTE == 0 && knows(thread, of, before.other, shared))
    {
        Cell { other: new, ..before }
    } else if of_own(before.read) {
        Cell { read: new, ..before }
    } else {
        before
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
