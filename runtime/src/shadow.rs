//! What is remembered of each four bytes: the last write, and two readers that nothing orders.
//!
//! A [`Cell`] of 36 bytes stands for four bytes of data, so the shadow costs nine bytes a byte, for
//! pages that were touched. Bytes that are accessed one or two at a time have a cell each: the cell
//! of the four then points at them.
//!
//! **Does not**: judge; `detect` does.

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

/// Bytes of data that one cell stands for.
pub const GRANULE: usize = 4;

/// Addresses with a shadow.
#[derive(Debug)]
pub struct Region {
    /// The first address; a multiple of four.
    pub base: usize,
    /// Bytes.
    pub len: usize,
    cells: *mut Cell,
    mapped: usize,
}

impl Region {
    /// A region over addresses that somebody else keeps alive. Its shadow is mapped here, untouched
    /// pages cost nothing.
    ///
    /// # Errors
    /// The system gives no address space.
    pub fn over(base: usize, len: usize) -> std::io::Result<Region> {
        let base_of_cells = base & !(GRANULE - 1);
        let len = len + (base - base_of_cells);
        let mapped = (len.div_ceil(GRANULE) + 1) * size_of::<Cell>();
        let cells = crate::pages::map(None, mapped)?.cast::<Cell>();
        Ok(Region { base: base_of_cells, len, cells, mapped })
    }

    /// The cell of an address in the region.
    pub fn cell(&self, address: usize) -> Option<*mut Cell> {
        let offset = address.wrapping_sub(self.base);
        // SAFETY: the shadow has a cell for each four bytes of the region.
        (offset < self.len).then(|| unsafe { self.cells.add(offset / GRANULE) })
    }

    /// Forgets what was remembered of a range; multiples of four.
    pub fn clear(&self, address: usize, len: usize) {
        if let Some(cell) = self.cell(address) {
            let count =
                len.div_ceil(GRANULE).min((self.base + self.len - address).div_ceil(GRANULE));
            // SAFETY: the cells of a range inside the region.
            unsafe { cell.write_bytes(0, count) };
        }
    }

    /// Marks a range as belonging to nothing.
    pub fn forbid(&self, address: usize, len: usize) {
        for at in (address..address + len).step_by(GRANULE) {
            if let Some(cell) = self.cell(at) {
                // SAFETY: a cell of the region.
                unsafe { (*cell).write = Record { thread: RED, clock: 0, info: 0 } };
            }
        }
    }

    /// Bytes that the shadow may take.
    pub fn shadow_bytes(&self) -> usize {
        self.mapped
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        crate::pages::unmap(self.cells.cast(), self.mapped);
    }
}
