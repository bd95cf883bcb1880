//! What compiled code reads and writes of the thread that it runs as, without a call: ids, clocks,
//! where the shadow lies.
//!
//! `heddle_frontend::jit` has the short way through the checks as IR (`quick.ll`), inlined before
//! each access; it names these fields, and those of a shadow cell, by [`offsets`]. Everything that
//! the short way cannot answer goes through `__heddle_access_slow` (`detect`).
//!
//! **Invariant**: a thread's facts do not move while its fiber lives. Those that the IR calls
//! invariant (ids, regions) are set before the fiber starts and not changed.

use std::mem::offset_of;

use crate::clock::Knowledge;
use crate::shadow::{Cell, GRANULE, Record, Region};

/// A range of addresses with its shadow.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Span {
    base: usize,
    len: usize,
    cells: *mut Cell,
}

impl Span {
    /// Nothing: each access takes the long way.
    pub(crate) const NONE: Span = Span { base: 0, len: 0, cells: std::ptr::null_mut() };

    /// A part of a region.
    pub(crate) fn of(region: &Region, base: usize, len: usize) -> Span {
        match region.cell(base) {
            Some(cells) => Span { base, len, cells },
            None => Span::NONE,
        }
    }
}

/// The facts of one thread.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Facts {
    /// Its number in the grid plus one, as records have it. Compiled code reads this and `clock` as
    /// one number.
    pub(crate) own: u32,
    /// Ticks at each synchronization.
    pub(crate) clock: u32,
    /// What `own` is of the first thread of its block.
    pub(crate) first: u32,
    /// Threads of its block.
    pub(crate) threads: u32,
    /// Everything that the block did below in global memory is known.
    pub(crate) floor: u32,
    /// Everything that it did below in shared memory is known.
    pub(crate) shared_floor: u32,
    /// Everything of the warp below is known.
    pub(crate) warp_floor: u32,
    /// The last site it came by.
    pub(crate) site: u32,
    /// What it knows beyond floors. Compiled code asks whether there is anything.
    pub(crate) knows: Option<Box<Knowledge>>,
    /// Accesses that were checked without a call.
    pub(crate) accesses: u64,
    /// Yields since something changed: the worker's.
    pub(crate) idle: *const u64,
    /// Loop iterations left until it gives way.
    pub(crate) fuel: u64,
    /// Of a thread without a stack: the site and the kind of the barrier it is at, or all ones when
    /// it has returned.
    pub(crate) here: u64,
    /// Threads without stacks that came to the barrier with a value that is not zero.
    pub(crate) set: u32,
    /// What the barrier gives.
    pub(crate) result: u32,
    /// The block's shared memory.
    pub(crate) shared: Span,
    /// The buffers of the launch.
    pub(crate) global: Span,
    /// By the numbers of [`crate::abi::Special`].
    pub(crate) ids: [u32; IDS],
}

/// Loop iterations that a thread may make in one go.
pub(crate) const FUEL: u64 = 1 << 16;

/// More than [`crate::abi::Special`] has numbers: a power of two, so that no number reads
/// elsewhere.
pub(crate) const IDS: usize = 32;

impl Facts {
    /// Of a thread of its number, which has done nothing yet.
    pub(crate) fn new(number: u32) -> Facts {
        Facts {
            own: number + 1,
            clock: 1,
            first: 0,
            threads: 0,
            floor: 0,
            shared_floor: 0,
            warp_floor: 0,
            site: 0,
            knows: None,
            accesses: 0,
            idle: std::ptr::null(),
            fuel: FUEL,
            here: 0,
            set: 0,
            result: 0,
            shared: Span::NONE,
            global: Span::NONE,
            ids: [0; IDS],
        }
    }

    /// Below which clock everything that the block did is known, in shared memory or elsewhere.
    pub(crate) fn floor_in(&self, shared: bool) -> u32 {
        if shared { self.shared_floor } else { self.floor }
    }
}

/// Where compiled code finds the start of the block's shared memory.
pub fn shared_base() -> usize {
    offset_of!(Facts, shared.base)
}

/// The numbers that the short way is written with, by the names that it has for them.
pub fn offsets() -> Vec<(&'static str, usize)> {
    vec![
        ("OWN", offset_of!(Facts, own)),
        ("FIRST", offset_of!(Facts, first)),
        ("THREADS", offset_of!(Facts, threads)),
        ("FLOOR", offset_of!(Facts, floor)),
        ("SHARED_FLOOR", offset_of!(Facts, shared_floor)),
        ("WARP_FLOOR", offset_of!(Facts, warp_floor)),
        ("SITE", offset_of!(Facts, site)),
        ("KNOWS", offset_of!(Facts, knows)),
        ("ACCESSES", offset_of!(Facts, accesses)),
        ("IDLE", offset_of!(Facts, idle)),
        ("FUEL", offset_of!(Facts, fuel)),
        ("FULL", FUEL as usize),
        ("HERE", offset_of!(Facts, here)),
        ("SET", offset_of!(Facts, set)),
        ("RESULT", offset_of!(Facts, result)),
        ("SHARED_BASE", shared_base()),
        ("SHARED_LEN", offset_of!(Facts, shared.len)),
        ("SHARED_CELLS", offset_of!(Facts, shared.cells)),
        ("GLOBAL_BASE", offset_of!(Facts, global.base)),
        ("GLOBAL_LEN", offset_of!(Facts, global.len)),
        ("GLOBAL_CELLS", offset_of!(Facts, global.cells)),
        ("IDS", offset_of!(Facts, ids)),
        ("WRITE_SITE", offset_of!(Cell, write.info)),
        ("READ", offset_of!(Cell, read)),
        ("READ_SITE", offset_of!(Cell, read.info)),
        ("OTHER", offset_of!(Cell, other)),
        ("OTHER_SITE", offset_of!(Cell, other.info)),
        ("WROTE", crate::shadow::WROTE as usize),
        ("NO_SITE", crate::shadow::SITE as usize),
        ("SPECIAL", (crate::abi::ATOMIC | crate::abi::VOLATILE) as usize | 2),
        ("ATOMIC", crate::shadow::ATOMIC as usize),
        ("WIDE", crate::shadow::WIDE as usize),
        ("KIND_OF_WORD", (crate::shadow::ATOMIC | crate::shadow::ELEMENT) as usize),
        ("ATOMIC_WORD", (crate::shadow::ATOMIC | crate::shadow::element(4)) as usize),
        ("ALIGNMENT_AT", crate::abi::ALIGNMENT_AT as usize),
        ("UPDATE_MASK", (crate::abi::ATOMIC | crate::abi::VOLATILE) as usize | 15),
        ("UPDATE", crate::abi::ATOMIC as usize | 2),
        ("NARROW", (crate::abi::Scope::Block.number() as usize) << 4),
        ("CELL", size_of::<Cell>()),
        ("CELLS_PER_BYTE", size_of::<Cell>() / GRANULE),
    ]
}

// What the IR takes for granted of a record and a cell.
const _: () = assert!(offset_of!(Record, thread) == 0 && offset_of!(Record, clock) == 4);
const _: () = assert!(offset_of!(Facts, clock) == 4 && offset_of!(Cell, write) == 0);
const _: () = assert!(size_of::<Cell>().is_multiple_of(GRANULE) && GRANULE == 4);
const _: () = assert!(size_of::<Cell>() - offset_of!(Cell, read) == 24);
