//! What host and device both read and write: `runtime/device/layout.h`, in Rust.
//!
//! **Promises**: sizes, offsets and bits are those of the header; `tests/gpu/layout.rs` compares
//! them.

/// Memory with a shadow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Region {
    /// Its first byte, on the device.
    pub base: u64,
    /// Bytes.
    pub bytes: u64,
    /// Its cells, on the device.
    pub shadow: u64,
    /// A cell stands for so many bytes, as a power of two.
    pub shift: u32,
    /// Zero.
    pub reserved: u32,
}

/// Regions of a launch, at most.
pub const MOST_REGIONS: usize = 64;
/// Bytes of a cell: three words.
pub const CELL_BYTES: u64 = 24;
/// Blocks of a grid, at most: what 20 bits number.
pub const MOST_BLOCKS: u64 = 1 << 20;
/// Of a pair of sites so many reports are sent; then they are only counted.
pub const REPORTS_OF_A_PAIR: u32 = 32;

/// What is handed over before a launch: the variable `__heddle_launch`. Addresses are the device's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Launch {
    /// The version of the ABI.
    pub abi: u32,
    /// Bits: 1, an address outside of all regions is an error; from [`DELAYS_AT`] on, a number by
    /// which blocks and threads are delayed.
    pub flags: u32,
    /// Reports, in memory of the host.
    pub ring: u64,
    /// How many the host has taken: a number of 64 bits, in memory of the host.
    pub ring_taken: u64,
    /// A [`Counters`], and after it a number of 32 bits for each slot.
    pub counters: u64,
    /// A [`Block`] for each block.
    pub blocks: u64,
    /// A [`Wait`] for each warp.
    pub waits: u64,
    /// [`Pair`]s.
    pub pairs: u64,
    /// The shadow of shared memory, `slots` times `shared_stride` bytes.
    pub shared_shadow: u64,
    /// Bytes of a block's.
    pub shared_stride: u64,
    /// For each thread of a block of each slot, its last store: 16 bytes; zero, and none is kept.
    pub stores: u64,
    /// Reports in the ring, less one; with it a power of two.
    pub ring_mask: u32,
    /// Pairs, less one; with it a power of two.
    pub pair_mask: u32,
    /// Bytes of a block's shared memory.
    pub shared_bytes: u32,
    /// A cell of its shadow stands for so many bytes, as a power of two.
    pub shared_shift: u32,
    /// Blocks whose shared memory has a shadow at one time.
    pub slots: u32,
    /// Regions that are used.
    pub regions: u32,
    /// Memory with a shadow.
    pub region: [Region; MOST_REGIONS],
}

/// What is said where a kernel hangs and no warp waits.
pub(crate) const NO_SLOT_WAITS: &str = "no warp waits at a barrier: threads run and do not end";

/// In [`Launch::flags`].
pub const CHECK_BOUNDS: u32 = 1;
/// In [`Launch::flags`]: the lowest bit of the number that delays are drawn from.
pub const DELAYS_AT: u32 = 8;

/// Numbers that the device counts up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Counters {
    /// Reports in the ring so far.
    pub next: u64,
    /// Reports that found the ring full.
    pub dropped: u64,
    /// Accesses that were checked, of threads that ended.
    pub accesses: u64,
    /// Blocks that ran without a shadow of their shared memory.
    pub blocks_unchecked: u32,
    /// Blocks with more barriers than epochs can count.
    pub epochs_spent: u32,
    /// Set by the host: threads end at their next poll.
    pub stop: u32,
    /// Threads that did.
    pub stopped: u32,
}

/// Of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Block {
    /// Its shadow of shared memory, plus one.
    pub slot: u32,
    /// Threads that ended.
    pub left: u32,
    /// The epoch of its last release, plus one.
    pub released: u32,
    /// Whether it released anything to the grid.
    pub published: u32,
    /// Whether it acquired anything from the grid.
    pub acquired: u32,
    /// What its threads have read by atomics before a barrier.
    pub read: u32,
}

/// The last plain store of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Stored {
    /// The word that it left in cells.
    pub word: u64,
    /// A mix of its address and its value.
    pub mix: u64,
}

/// What lanes of a warp wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Wait {
    /// The lanes.
    pub lanes: u32,
    /// Site, barrier and kind.
    pub what: u32,
}

impl Wait {
    /// Where they wait.
    pub fn site(self) -> u32 {
        self.what & 0xfff
    }

    /// The number of the barrier.
    pub fn barrier(self) -> u32 {
        self.what >> 12 & 0xff
    }

    /// What they wait for.
    pub fn kind(self) -> Option<WaitKind> {
        match self.what >> 20 {
            1 => Some(WaitKind::Block),
            2 => Some(WaitKind::Warp),
            3 => Some(WaitKind::Cluster),
            4 => Some(WaitKind::Object),
            _ => None,
        }
    }
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitKind {
    /// A barrier of the block, by number.
    Block,
    /// The lanes of a mask.
    Warp,
    /// The cluster's barrier.
    Cluster,
    /// A phase of an mbarrier.
    Object,
}

/// How often a pair of sites was reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Pair {
    /// Which pair, and how: see `report.c`.
    pub key: u32,
    /// Times.
    pub count: u32,
}

/// A report in the ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Report {
    /// The number of the report plus one in 48 bits, then what was met.
    pub sequence: u64,
    /// The access that was there.
    pub first: Word,
    /// The access that met it.
    pub second: Word,
    /// Where.
    pub address: u64,
}

/// What was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// Two accesses that nothing orders.
    Race,
    /// An access to bytes that belong to nothing.
    OutOfBounds,
}

impl Report {
    /// The bits of the sequence that count.
    pub const COUNTS: u64 = (1 << 48) - 1;

    /// What was met.
    pub fn kind(&self) -> Option<ReportKind> {
        match self.sequence >> 59 {
            1 => Some(ReportKind::Race),
            2 => Some(ReportKind::OutOfBounds),
            _ => None,
        }
    }

    /// Bytes of the second access, 255 at most.
    pub fn size(&self) -> usize {
        (self.sequence >> 48 & 0xff) as usize
    }

    /// Both store what is there.
    pub fn same_value(&self) -> bool {
        self.sequence >> 56 & 1 != 0
    }

    /// Whether each writes.
    pub fn writes(&self) -> [bool; 2] {
        [57, 58].map(|bit| self.sequence >> bit & 1 != 0)
    }
}

/// An access in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Word(pub u64);

impl Word {
    /// The block's number in the grid.
    pub fn block(self) -> u32 {
        (self.0 >> 44) as u32
    }

    /// The thread's number in its block.
    pub fn thread(self) -> u32 {
        (self.0 >> 34) as u32 & 1023
    }

    /// Whether it was atomic.
    pub fn is_atomic(self) -> bool {
        self.0 >> 33 & 1 != 0
    }

    /// Where it was made.
    pub fn site(self) -> u32 {
        (self.0 >> 19) as u32 & 0xfff
    }
}

fn number(bytes: &[u8], n: usize) -> u32 {
    let part = bytes.get(n * 4..n * 4 + 4).and_then(|it| it.try_into().ok());
    u32::from_le_bytes(part.unwrap_or_default())
}

fn wide(bytes: &[u8], n: usize) -> u64 {
    u64::from(number(bytes, n)) | u64::from(number(bytes, n + 1)) << 32
}

impl Launch {
    /// As the device reads it.
    #[allow(unsafe_code, reason = "a structure without padding, as its bytes")]
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: all fields are numbers, and lie after each other without gaps
        // (`tests/gpu/layout.rs`).
        unsafe { std::slice::from_raw_parts((&raw const *self).cast(), size_of::<Launch>()) }
    }
}

impl Counters {
    /// From the device's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Counters {
        Counters {
            next: wide(bytes, 0),
            dropped: wide(bytes, 2),
            accesses: wide(bytes, 4),
            blocks_unchecked: number(bytes, 6),
            epochs_spent: number(bytes, 7),
            stop: number(bytes, 8),
            stopped: number(bytes, 9),
        }
    }
}

impl Block {
    /// From the device's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Block {
        let [slot, left, released, published, acquired, read] =
            [0, 1, 2, 3, 4, 5].map(|n| number(bytes, n));
        Block { slot, left, released, published, acquired, read }
    }
}

impl Wait {
    /// From the device's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Wait {
        Wait { lanes: number(bytes, 0), what: number(bytes, 1) }
    }
}

impl Pair {
    /// From the device's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Pair {
        Pair { key: number(bytes, 0), count: number(bytes, 1) }
    }

    /// The sites, whether each writes, whether they are of one block and of one warp, same value:
    /// of a race.
    pub fn race(self) -> Option<PairOf> {
        let bit = |n: u32| self.key >> n & 1 != 0;
        (self.key >> 29 == 1).then(|| PairOf {
            sites: [self.key & 0xfff, self.key >> 12 & 0xfff],
            writes: [bit(24), bit(25)],
            same_block: bit(26),
            same_warp: bit(27),
            same_value: bit(28),
        })
    }
}

/// What a pair of sites was reported for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairOf {
    /// The sites, that of the earlier access first.
    pub sites: [u32; 2],
    /// Whether each writes.
    pub writes: [bool; 2],
    /// Threads of one block.
    pub same_block: bool,
    /// Threads of one warp.
    pub same_warp: bool,
    /// Both store what is there.
    pub same_value: bool,
}
