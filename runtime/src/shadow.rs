//! What is remembered of each four bytes: the last write, and two readers that nothing orders.
//!
//! A [`Cell`] of 36 bytes stands for four bytes of data, so the shadow costs nine bytes a byte, for
//! pages that were touched. Bytes that are accessed one or two at a time have a cell each: the cell
//! of the four then points at them.
//!
//! **Does not**: judge; `detect` does.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// An access that was made. All zeros is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    /// The thread's number in the grid plus one; zero for none, or one of the marks below.
    pub thread: u32,
    /// Its clock then.
    pub clock: u32,
    /// The site in the low bits, and flags.
    pub info: u32,
}

/// In [`Record::thread`] of a write: these bytes belong to nothing.
pub const RED: u32 = u32::MAX;
/// In [`Record::thread`] of a write: the bytes have cells of their own, those from four times
/// `clock` on.
pub const SPLIT: u32 = u32::MAX - 1;

/// In [`Record::thread`]: nobody's, not even the thread's own, until a copy is waited for. Numbers
/// stay below it.
pub const AWAY: u32 = 1 << 31;

/// The bits of [`Record::info`] that name the site.
pub const SITE: u32 = (1 << 24) - 1;
/// It was atomic.
pub const ATOMIC: u32 = 1 << 24;
/// It was atomic for the grid, not for the block alone.
pub const WIDE: u32 = 1 << 25;
/// A copy that was issued and not yet waited for. The thread's number then has [`AWAY`].
pub const PENDING: u32 = 1 << 26;
/// It wrote: kept among the readers when another atomic write came after it.
pub const WROTE: u32 = 1 << 27;

/// The bits that say of how many bytes each element of an atomic or volatile access was, by
/// [`element`]. One that has some of them and is not [`ATOMIC`] was volatile.
pub const ELEMENT: u32 = 7 << 28;
/// Of what is kept with [`WROTE`]: who knows the write after it knows it as well, for that write,
/// or its thread before, has read its value.
pub const OBSERVED: u32 = 1 << 31;
/// Of the last write: it also read what was there. The bit is [`OBSERVED`], which is of others.
pub const UPDATE: u32 = OBSERVED;

/// The [`ELEMENT`] bits for elements of `bytes` bytes; none unless that is 1, 2, 4, 8 or 16.
pub fn element(bytes: usize) -> u32 {
    match bytes {
        1 | 2 | 4 | 8 | 16 => (bytes.trailing_zeros() + 1) << 28,
        _ => 0,
    }
}

/// The bits of a volatile access with such elements: PTX has them up to eight bytes (PTX ISA
/// 9.7.9.8).
pub fn volatile(bytes: usize) -> u32 {
    if bytes <= 8 { element(bytes) } else { 0 }
}

impl Record {
    /// Whether there is one.
    pub fn is_some(self) -> bool {
        self.thread != 0
    }

    /// The site it was made at.
    pub fn site(self) -> u32 {
        self.info & SITE
    }

    /// Whether it was volatile and no atomic.
    pub fn is_volatile(self) -> bool {
        self.info & ATOMIC == 0 && self.info & ELEMENT != 0
    }

    /// Whether it was atomic or volatile: strong, as PTX has it (PTX ISA 8.4).
    pub fn is_strong(self) -> bool {
        self.info & (ATOMIC | ELEMENT) != 0
    }

    /// The thread's number in the grid.
    pub fn thread_number(self) -> u32 {
        (self.thread & !AWAY).wrapping_sub(1)
    }
}

/// The accesses to four bytes, or to one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Cell {
    /// The last write.
    pub write: Record,
    /// The last read.
    pub read: Record,
    /// A read by another thread that is concurrent with it, or a write that the last one does not
    /// stand for: an atomic or volatile one that was overtaken, or a plain one before a volatile
    /// one.
    pub other: Record,
}

/// Which access of a cell, by the first of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// [`Cell::write`].
    Write = 0,
    /// [`Cell::read`].
    Read = 3,
    /// [`Cell::other`].
    Other = 6,
}

/// A cell in the shadow. Each word is read and written at once.
#[derive(Clone, Copy)]
pub(crate) struct CellAt<'r>(&'r [AtomicU32; WORDS]);

impl CellAt<'_> {
    /// One of its accesses.
    #[inline]
    pub(crate) fn record(self, part: Part) -> Record {
        let at = part as usize;
        let [thread, clock, info] = [0, 1, 2].map(|n| self.0[at + n].load(Relaxed));
        Record { thread, clock, info }
    }

    /// All of them.
    #[inline]
    pub(crate) fn get(self) -> Cell {
        let [write, read, other] =
            [Part::Write, Part::Read, Part::Other].map(|part| self.record(part));
        Cell { write, read, other }
    }

    /// Remembers one access, and leaves the others as they are.
    #[inline]
    pub(crate) fn set_record(self, part: Part, record: Record) {
        let Record { thread, clock, info } = record;
        let at = part as usize;
        [thread, clock, info]
            .iter()
            .zip(&self.0[at..])
            .for_each(|(new, it)| it.store(*new, Relaxed));
    }

    /// Remembers all of them.
    #[inline]
    pub(crate) fn set(self, cell: Cell) {
        self.set_record(Part::Write, cell.write);
        self.set_record(Part::Read, cell.read);
        self.set_record(Part::Other, cell.other);
    }
}

/// Bytes of data that one cell stands for.
pub const GRANULE: usize = 4;

/// Words of a cell.
const WORDS: usize = size_of::<Cell>() / size_of::<u32>();

/// Addresses with a shadow.
///
/// Several workers may have one in common: each word of a cell is read and written at once. That a
/// cell is looked at and changed as a whole takes its lock (`spread`).
#[derive(Debug)]
pub(crate) struct Region {
    /// The first address; a multiple of four.
    pub(crate) base: usize,
    /// Bytes that belong to it by now.
    len: AtomicUsize,
    cells: *mut Cell,
    mapped: usize,
}

// SAFETY: cells are reached word by word as atomics, but for `clear`, which takes the region alone.
// The pages are given back by the drop alone.
unsafe impl Sync for Region {}
// SAFETY: as above; pages are of no thread.
unsafe impl Send for Region {}

impl Region {
    /// A region over addresses that somebody else keeps alive. Its shadow is mapped here, untouched
    /// pages cost nothing.
    ///
    /// # Errors
    /// The system gives no address space.
    pub(crate) fn over(base: usize, len: usize) -> std::io::Result<Region> {
        let base_of_cells = base & !(GRANULE - 1);
        let len = len + (base - base_of_cells);
        let mapped = (len.div_ceil(GRANULE) + 1) * size_of::<Cell>();
        let cells = crate::pages::map(None, mapped)?.cast::<Cell>();
        Ok(Region { base: base_of_cells, len: AtomicUsize::new(len), cells, mapped })
    }

    /// Bytes that belong to it by now.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.len.load(Relaxed)
    }

    /// Says how many of the bytes that it was made over belong to it by now.
    pub(crate) fn limit(&self, len: usize) {
        self.len.store(len.min(self.mapped / size_of::<Cell>() * GRANULE), Relaxed);
    }

    /// Whether an address is in the region.
    #[inline]
    pub(crate) fn has(&self, address: usize) -> bool {
        address.wrapping_sub(self.base) < self.bytes()
    }

    /// The cell of an address in the region, for native code.
    #[inline]
    pub(crate) fn cell(&self, address: usize) -> Option<*mut Cell> {
        let offset = address.wrapping_sub(self.base);
        // SAFETY: the shadow has a cell for each four bytes of the region.
        (offset < self.bytes()).then(|| unsafe { self.cells.add(offset / GRANULE) })
    }

    /// What is remembered at an address in the region, to be looked at and changed in parts.
    #[inline]
    pub(crate) fn at(&self, address: usize) -> Option<CellAt<'_>> {
        let cell = self.cell(address)?;
        // SAFETY: a cell of the shadow is made of `WORDS` words, and lives as long as the region;
        // nothing but native code of this worker reaches it other than word by word.
        Some(CellAt(unsafe { &*cell.cast() }))
    }

    /// What is remembered at an address in the region.
    pub(crate) fn get(&self, address: usize) -> Option<Cell> {
        self.at(address).map(CellAt::get)
    }

    /// Whether an address is in the region, and its bytes belong to something.
    pub(crate) fn belongs(&self, address: usize) -> bool {
        self.at(address).is_some_and(|it| it.record(Part::Write).thread != RED)
    }

    /// Remembers something at an address; nothing where it is not in the region.
    pub(crate) fn set(&self, address: usize, cell: Cell) {
        if let Some(at) = self.at(address) {
            at.set(cell);
        }
    }

    /// Forgets what was remembered of a range; multiples of four.
    pub(crate) fn clear(&mut self, address: usize, len: usize) {
        if let Some(cell) = self.cell(address) {
            let count =
                len.div_ceil(GRANULE).min((self.base + self.bytes() - address).div_ceil(GRANULE));
            // SAFETY: the cells of a range inside the region, which is borrowed alone.
            unsafe { cell.write_bytes(0, count) };
        }
    }

    /// Marks a range as belonging to nothing.
    pub(crate) fn forbid(&self, address: usize, len: usize) {
        let red = Record { thread: RED, clock: 0, info: 0 };
        let cells = (address..address + len).step_by(GRANULE);
        cells.filter_map(|at| self.at(at)).for_each(|it| it.set_record(Part::Write, red));
    }

    /// Bytes that the shadow may take.
    pub(crate) fn shadow_bytes(&self) -> usize {
        self.mapped
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        crate::pages::unmap(self.cells.cast(), self.mapped);
    }
}
