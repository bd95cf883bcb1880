//! What an instruction means.
//!
//! Each variant says in parentheses which [roles](super::Role) its operands have, optional ones
//! with `?`. Chapters are those of the PTX ISA 8.8 manual; within one, look for the instruction's
//! name.

use heddle_ir::{
    AtomicOp, BarrierAction, ClusterAction, CrossLaneKind, MemoryOrder, Reduction, Scope,
};

use super::types::{Space, Type};

mod pure;
pub use pure::{Comparison, Half, Logic, PureOp};

/// What an instruction means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// `bar`, `barrier` (9.7.13): dest? id count? predicate?; the count is in threads.
    Barrier {
        /// Waits or not; a reduction waits.
        action: BarrierAction,
        /// Reduces `predicate` into `dest`.
        reduce: Option<Reduction>,
        /// All threads of a warp must execute the same instruction together.
        aligned: bool,
    },
    /// `bar.warp.sync` (9.7.13): mask.
    WarpBarrier,
    /// `barrier.cluster` (9.7.13): no operands.
    ClusterBarrier {
        /// Arrives or waits.
        action: ClusterAction,
        /// Release for an arrival, acquire for a wait, unless `.relaxed`.
        order: MemoryOrder,
        /// All threads of a warp must execute the same instruction together.
        aligned: bool,
    },
    /// `griddepcontrol` (9.7.13): waits for the grids before this one, or else lets those after it
    /// start.
    GridDependency {
        /// `.wait`.
        wait: bool,
    },
    /// `setmaxnreg` (9.7.19): registers. May wait for registers that other warps hold.
    SetMaxRegisters {
        /// `.inc`, which may wait.
        increase: bool,
    },
    /// `mbarrier` (9.7.13).
    Mbarrier {
        /// What is done to it.
        op: MbarrierOp,
        /// Where it is.
        place: MbarrierWhere,
    },
    /// `cp.async` (9.7.9): address source size source_size? ignore_source? cache_policy?.
    CpAsync(CacheLevel),
    /// `cp.async.commit_group`.
    CpAsyncCommit,
    /// `cp.async.wait_group` (pending), `cp.async.wait_all` (none: nothing stays pending).
    CpAsyncWait,
    /// `cp.async.mbarrier.arrive` (9.7.13): mbarrier. Arrives when the thread's copies so far are
    /// done.
    CpAsyncArrive {
        /// `.noinc`: the arrival is one of those expected; else the pending count is raised first.
        no_increment: bool,
        /// Where the barrier object is.
        space: Space,
    },
    /// `cp.async.bulk`, `cp.reduce.async.bulk` and their tensor forms (9.7.9): address source size?
    /// mbarrier? im2col? multicast? byte_mask? cache_policy?. Tensors have no size; their address
    /// is the tensor map.
    BulkCopy(BulkCopy),
    /// `cp.async.bulk.commit_group`.
    BulkCommit,
    /// `cp.async.bulk.wait_group`: pending.
    BulkWait {
        /// `.read`: the sources have been read, no more.
        read_only: bool,
    },
    /// `prefetch`, `applypriority`, `cp.async.bulk.prefetch`, `pmevent`: no effect that a program
    /// can see.
    Hint,
    /// `membar`, `fence` (9.7.13). `membar` is `fence.sc`.
    Fence {
        /// What is ordered.
        order: MemoryOrder,
        /// For whom.
        scope: Scope,
        /// `.sync_restrict`: only accesses to shared memory of this space are ordered.
        restricted_to: Option<Space>,
    },
    /// `fence.mbarrier_init.release.cluster`: orders the thread's `mbarrier.init` before what the
    /// cluster does next.
    FenceMbarrierInit,
    /// `fence.proxy` (9.7.13): address? size? for the tensor map.
    ProxyFence {
        /// Between which proxies.
        proxy: Proxy,
        /// Order and scope, where it is a one-way fence.
        order: Option<(MemoryOrder, Scope)>,
    },
    /// `ld` (9.7.9): dest address cache_policy?; a vector `dest` has the elements.
    Load(LoadStore),
    /// `st` (9.7.9): address value cache_policy?; a vector `value` has the elements.
    Store(LoadStore),
    /// `atom`, `red` (9.7.13): dest? address value second? cache_policy?; for `cas` the value is
    /// what is expected.
    Atomic {
        /// What is computed.
        op: AtomicOp,
        /// `.relaxed` where not said.
        order: MemoryOrder,
        /// The device where not said.
        scope: Scope,
        /// Where the address points.
        space: Space,
        /// Of one element.
        ty: Type,
        /// Elements, each atomic by itself.
        elements: u8,
    },
    /// `shfl`, `vote`, `match`, `redux`, `elect`, `activemask` (9.7.9, 9.7.13): dest dest_pred?
    /// value? lane? clamp? predicate? mask?.
    CrossLane {
        /// What is exchanged.
        kind: CrossLaneKind,
        /// Of the value.
        ty: Type,
    },
    /// `ldmatrix` (9.7.14): dest address. Each lane gives the address of one row; all lanes of the
    /// warp take part.
    LoadMatrix {
        /// Where the addresses point.
        space: Space,
        /// Bytes of one row.
        row_bytes: u8,
        /// Rows that are read, those of lanes 0 up.
        rows: u8,
    },
    /// `stmatrix` (9.7.14): address value. As `ldmatrix`.
    StoreMatrix {
        /// Where the addresses point.
        space: Space,
        /// Bytes of one row.
        row_bytes: u8,
        /// Rows that are written, those of lanes 0 up.
        rows: u8,
    },
    /// `suld.b`, `sust.b` (9.7.11): dest address, or address value. The address is a surface with
    /// coordinates, `x` in bytes.
    Surface(Surface),
    /// A function of its operands (9.7.1 to 9.7.9): dest dest_pred? value second? third? fourth?
    /// predicate? table?.
    Pure {
        /// Which one.
        op: PureOp,
        /// The type it is named by; for `cvt` that of the result.
        ty: Type,
    },
    /// `wgmma` (9.7.15): dest rest of a product, pending of a wait.
    Warpgroup(Warpgroup),
    /// `tcgen05` (9.7.16), as far as it touches shared memory: address of `alloc`, rest of products
    /// and copies, mbarrier of `commit`.
    TensorCore(TensorCore),
    /// Known by name, not by meaning: dest? rest or read_write. The result may be anything.
    Opaque(Effect),
    /// `nanosleep` (9.7.19): value. Lets time pass.
    Sleep,
    /// `exit` (9.7.12): the thread ends.
    Exit,
    /// `trap` (9.7.19): the launch fails.
    Trap,
    /// `brkpt` (9.7.19): the thread stops for a debugger.
    Breakpoint,
    /// `bra` (9.7.12): target.
    Branch {
        /// `.uni`: all threads of the warp that are here go the same way.
        uniform: bool,
    },
    /// No row of the table describes it: it may read and write any memory, wait, and change control
    /// flow.
    Unknown,
}

/// What is done to a barrier object (9.7.13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MbarrierOp {
    /// mbarrier count
    Init,
    /// mbarrier
    Invalidate,
    /// dest? mbarrier count? bytes?; one arrival where no count is given, dest is the token.
    Arrive {
        /// Later phases expect so many arrivals less.
        drop: bool,
        /// `.expect_tx`: expects `bytes` first.
        expect_bytes: bool,
        /// `.noComplete`: promises not to complete the phase.
        no_complete: bool,
        /// Release, unless `.relaxed`.
        order: MemoryOrder,
        /// The block where not said.
        scope: Scope,
    },
    /// mbarrier bytes: relaxed
    ExpectBytes(Scope),
    /// mbarrier bytes: relaxed
    CompleteBytes(Scope),
    /// dest mbarrier token? parity? suspend_hint?
    Test {
        /// What names the phase.
        by: PhaseBy,
        /// `try_wait`: may suspend for a while.
        may_wait: bool,
        /// Acquire, unless `.relaxed`; only where the result is one.
        order: MemoryOrder,
        /// The block where not said.
        scope: Scope,
    },
}

/// What names the phase that is tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PhaseBy {
    /// The state an arrival returned.
    Token,
    /// Its parity.
    Parity,
}

/// Where a barrier object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MbarrierWhere {
    /// A generic address, which must be in the block's shared memory.
    Generic,
    /// `.shared`, `.shared::cta`
    Block,
    /// `.shared::cluster`: perhaps another block's.
    Cluster,
}

/// Caches that a `cp.async` goes through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheLevel {
    /// `.ca`: 4, 8 or 16 bytes.
    All,
    /// `.cg`: 16 bytes.
    Global,
}

/// A step of the matrix products of a warpgroup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warpgroup {
    /// `mma_async`: reads operands in shared memory until it is waited for.
    Product(Product),
    /// `fence`: orders registers.
    Fence,
    /// `commit_group`: products so far are a group.
    Commit,
    /// `wait_group`
    Wait,
}

/// What the tensor core is told, with tensor memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorCore {
    /// `alloc`: writes where tensor memory was found to shared memory.
    Alloc,
    /// `mma`: reads operands in shared memory, until it is done.
    Product {
        /// Elements of 16 bits, whose operands may be turned.
        halves: bool,
        /// The shape stands in the lower bits of the instruction descriptor.
        plain: bool,
        /// `.sp`: the first operand has zeros that are not stored.
        sparse: bool,
    },
    /// `cp`: reads rows of shared memory, until it is done.
    Copy {
        /// Rows.
        rows: u16,
        /// Bytes of each.
        row_bytes: u16,
    },
    /// `commit`: arrives at a barrier object once products and copies so far are done.
    Commit,
}

/// The shape of a product: 64 rows, N columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// `N`.
    pub columns: u16,
    /// Bits of an element of the operands.
    pub element_bits: u8,
    /// `.sp`: the first operand has zeros that are not stored.
    pub sparse: bool,
}

/// A bulk copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BulkCopy {
    /// Copies, or combines with what is there.
    pub kind: BulkKind,
    /// Where to.
    pub destination: Space,
    /// Where from.
    pub source: Space,
    /// How its end is known.
    pub completion: BulkCompletion,
    /// Of a tensor.
    pub tensor: Option<Tensor>,
    /// The same bytes go to the same place in several blocks; of an intrinsic, where its argument
    /// `has_multicast` holds.
    pub multicast: bool,
}

/// What a bulk copy does with the destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BulkKind {
    /// Overwrites it.
    Copy,
    /// Combines it, each element atomically, relaxed and for the device. A tensor's element type is
    /// in its map, so there it is not known what is computed.
    Reduce(Option<(AtomicOp, Type)>),
}

/// How the end of a bulk copy is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BulkCompletion {
    /// The bytes are completed at a barrier object, which is in the destination's block.
    Mbarrier,
    /// The thread's bulk groups.
    Group,
}

/// A tensor copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tensor {
    /// Coordinates: 1 to 5.
    pub dimensions: u8,
    /// A tile; not im2col, gather or scatter.
    pub tiled: bool,
}

/// Two ways to the same memory, and which is waited for (chapter 8, 9.7.13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proxy {
    /// `.alias`: different virtual addresses of one place.
    Alias,
    /// `.async`: generic and asynchronous accesses, in this space or all.
    Async(Option<Space>),
    /// `.async::generic`, one way, for this space.
    AsyncToGeneric(Space),
    /// `.tensormap::generic`, one way.
    Tensormap,
}

/// An access to a surface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surface {
    /// Writes it, else reads it.
    pub write: bool,
    /// Coordinates of a texel: 1 to 3. The layer, where there is one, stands before them.
    pub dimensions: u8,
    /// `.a1d`, `.a2d`.
    pub layered: bool,
    /// Of one element.
    pub ty: Type,
    /// Elements after each other.
    pub elements: u8,
    /// `.clamp`: what lies outside is moved to the border.
    pub clamp: bool,
}

/// A load or store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoadStore {
    /// What it promises to other threads.
    pub semantics: Semantics,
    /// Where the address points.
    pub space: Space,
    /// Of one element.
    pub ty: Type,
    /// Elements after each other.
    pub elements: u8,
    /// `ld.global.nc`: the bytes must not be written while the kernel runs.
    pub non_coherent: bool,
}

/// What a load or store promises to other threads (8.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Semantics {
    /// Nothing. The default.
    Weak,
    /// As relaxed for the system, and not removed or joined.
    Volatile,
    /// `.mmio.relaxed.sys`.
    Mmio,
    /// `.relaxed`, `.acquire`, `.release`.
    Ordered(MemoryOrder, Scope),
}

/// What an instruction known only by name can do beyond its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: registers only (`mma.sync`), or a hidden carry (`add.cc`).
    RegistersOnly,
    /// Reads textures, which the kernel cannot write, or asks about them.
    ReadsTexture,
    /// Writes surfaces, or combines with what is there, in a form that is not followed.
    WritesSurface,
    /// Anything that [`Class::Unknown`] may, except to change control flow.
    Anything,
}
