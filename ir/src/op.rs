//! Operations: what happens, in the order of the tree, under a predicate.
//!
//! A thread executes an operation in an iteration iff its predicate is one for that thread there.
//! Results are read with [`ExprKind::Result`](crate::ExprKind::Result); the result of an operation
//! that a thread did not execute is arbitrary, and is never looked at by a well-formed program.

use smallvec::SmallVec;

pub use crate::async_copy::{AsyncCopy, AsyncMechanism, OPERAND_BYTES, Strided};
pub use crate::claim::{Claim, ClaimKind};
use crate::entity::{ExprId, OriginId};
use crate::expr::named;
use crate::object::{Address, Space};

/// One operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Op {
    /// One bit: which threads execute it.
    pub pred: ExprId,
    /// What it does.
    pub kind: OpKind,
    /// Bits of each result.
    pub results: SmallVec<[u8; 2]>,
    /// Where it comes from.
    pub origin: OriginId,
}

/// What an operation does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpKind {
    /// A load, a store or an atomic.
    Access(Access),
    /// Threads wait for each other.
    Barrier(Barrier),
    /// Orders the accesses of the thread around it, for the threads of a scope.
    Fence {
        /// What is ordered.
        order: MemoryOrder,
        /// For whom.
        scope: Scope,
        /// What it is restricted to, where it does not order all accesses.
        proxy: Option<Proxy>,
    },
    /// An asynchronous copy is issued.
    AsyncCopy(AsyncCopy),
    /// The copies issued since the last commit form a group.
    AsyncCommit(AsyncMechanism),
    /// Waits until at most so many of the newest groups are pending.
    AsyncWait {
        /// Which groups.
        mechanism: AsyncMechanism,
        /// Groups that may still be pending.
        pending: ExprId,
        /// Only the source needs to have been read.
        read_only: bool,
    },
    /// The work-group waits for the copies of these events, 64 bits each; zero is no event. All
    /// threads of the block must come to it, with the same events (OpenCL C 3.0, 6.15.11).
    EventWait(SmallVec<[ExprId; 2]>),
    /// An exchange among the lanes of a warp.
    CrossLane(CrossLane),
    /// The program is undefined where this is zero.
    Assume(ExprId),
    /// The program stops with a failed assertion where this is zero.
    Assert {
        /// What must hold.
        condition: ExprId,
        /// The text of the assertion.
        message: String,
    },
    /// The source claims something of the values here. A run does nothing.
    Claim(Claim),
    /// The thread ends.
    Exit(Ending),
    /// A warp takes registers or gives some back (`setmaxnreg`). Touches no memory and orders
    /// nothing.
    Registers(RegisterMove),
    /// Something the lifter does not model.
    Opaque(Opaque),
}

impl OpKind {
    /// Whether it only says how the source is written: no run looks at it.
    pub fn is_subscript(&self) -> bool {
        matches!(self, OpKind::Claim(Claim { kind: ClaimKind::Subscript, .. }))
    }
}

named! {
    /// What a warp does with the registers that it may use.
    RegisterMove {
        /// It waits until that many more are free, and takes them.
        Take = "take",
        /// It gives some back.
        Give = "give",
    }
}

named! {
    /// How a thread ends.
    Ending {
        /// It returns from the kernel.
        Return = "return",
        /// It traps; the launch fails.
        Trap = "trap",
    }
}

named! {
    /// Who an order is for (PTX ISA, section 8.5).
    Scope {
        /// The thread itself.
        Thread = "thread",
        /// Its warp (OpenCL's sub-group).
        Warp = "warp",
        /// Its block.
        Block = "block",
        /// Its cluster.
        Cluster = "cluster",
        /// The device.
        Device = "device",
        /// Everything.
        System = "system",
    }
}

named! {
    /// What a fence is restricted to: accesses that take one way to memory (PTX ISA, section 8.6),
    /// or a part of memory. No analysis takes such a fence for one that orders all accesses.
    Proxy {
        /// Virtual addresses of the same memory.
        Alias = "alias",
        /// Asynchronous copies and matrix instructions.
        Async = "async",
        /// The same, of global memory alone (`.async.global`).
        AsyncGlobal = "async.global",
        /// From these back to the threads' own accesses.
        AsyncToGeneric = "async::generic",
        /// Tensor maps.
        Tensormap = "tensormap",
        /// Initialisations of barrier objects.
        MbarrierInit = "mbarrier_init",
        /// Shared memory alone (`.sync_restrict`).
        Restricted = "sync_restrict",
        /// OpenCL's local memory alone.
        OpenclLocal = "opencl.local",
        /// OpenCL's global memory alone.
        OpenclGlobal = "opencl.global",
        /// OpenCL's images alone.
        OpenclImage = "opencl.image",
        /// A part of memory that is not a constant.
        OpenclUnknown = "opencl.unknown",
    }
}

named! {
    /// What an atomic or a fence orders.
    MemoryOrder {
        /// Nothing.
        Relaxed = "relaxed",
        /// Later accesses stay behind.
        Acquire = "acquire",
        /// Earlier accesses stay ahead.
        Release = "release",
        /// Both.
        AcqRel = "acq_rel",
        /// Both, and one order of all such.
        SeqCst = "seq_cst",
    }
}

/// A load, a store or an atomic on `size` consecutive bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The first byte.
    pub address: Address,
    /// Bytes touched; 64 bits wide, nearly always constant.
    pub size: ExprId,
    /// What is done.
    pub kind: AccessKind,
    /// Order and scope, for atomics and for `ld`/`st` that are `.relaxed` or stronger.
    pub order: Option<(MemoryOrder, Scope)>,
    /// Volatile. Not an atomic: it promises nothing to other threads.
    pub volatile: bool,
    /// The address, which is the object's and the offset, is a multiple of this many bytes, a power
    /// of two, as the program promises where the offset alone does not show it; 1 promises nothing.
    pub align: u32,
    /// The lanes of the warp do it together: the thread gives the address of a row, and which lanes
    /// touch the row is another matter (`ldmatrix`, `stmatrix`; PTX ISA 9.7.14.5.15).
    pub by_warp: bool,
}

/// What an access does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// Reads. One result per element, elements after each other from the first byte;
    /// without results the value is not modelled (a bulk copy).
    Load,
    /// Writes these elements, after each other from the first byte; none where the value is not
    /// modelled.
    Store(SmallVec<[ExprId; 2]>),
    /// Reads, computes and writes as one; the result is what was read. A weak compare-and-swap has
    /// a second result: whether it wrote.
    Atomic(AtomicOp, SmallVec<[ExprId; 2]>),
}

named! {
    /// What an atomic computes from the old value and its operands.
    AtomicOp {
        /// The operand.
        Exchange = "exch",
        /// Sum.
        Add = "add",
        /// Difference.
        Sub = "sub",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Complement of the bitwise and.
        Nand = "nand",
        /// Smaller, signed.
        SMin = "smin",
        /// Larger, signed.
        SMax = "smax",
        /// Smaller, unsigned.
        UMin = "umin",
        /// Larger, unsigned.
        UMax = "umax",
        /// One more, zero at the operand (`old >= x ? 0 : old + 1`).
        IncWrap = "inc",
        /// One less, the operand at zero or above it (`old == 0 || old > x ? x : old - 1`).
        DecWrap = "dec",
        /// Operands: expected, new. Writes only where the old value is the expected one.
        CompareExchange = "cas",
        /// The same, but it may leave an expected value as it is. A second result of one bit says
        /// whether it wrote: the old value alone does not.
        CompareExchangeWeak = "cas_weak",
        /// Sum of floats.
        FAdd = "fadd",
        /// Difference of floats.
        FSub = "fsub",
        /// Smaller float.
        FMin = "fmin",
        /// Larger float.
        FMax = "fmax",
    }
}

/// The flags of a barrier that orders shared and global memory.
pub const ALL_MEMORY: u128 = 3;

/// Threads wait for each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Barrier {
    /// All threads of the block.
    Block {
        /// All threads of a warp must execute the same instruction together.
        aligned: bool,
        /// Which memory it orders, as OpenCL's flags: bit 0 shared, bit 1 global. 32 bits.
        orders: ExprId,
        /// Reduces a predicate over the block; its result is the operation's.
        reduce: Option<(Reduction, ExprId)>,
    },
    /// Threads that name the same barrier of the block, until `count` have arrived.
    Named {
        /// What the thread does there.
        action: BarrierAction,
        /// Which of the 16 barriers; 32 bits.
        id: ExprId,
        /// Threads expected; all of the block where absent.
        count: Option<ExprId>,
        /// All threads of a warp must execute the same instruction together.
        aligned: bool,
        /// Reduces a predicate.
        reduce: Option<(Reduction, ExprId)>,
    },
    /// The lanes of the warp that the mask names; 32 bits (64 on AMD).
    Warp {
        /// The lanes.
        mask: ExprId,
        /// The memory that it orders: flags as those of [`Barrier::Block`].
        orders: ExprId,
    },
    /// All threads of the cluster.
    Cluster {
        /// What the thread does there.
        action: ClusterAction,
        /// `.relaxed` arrivals order nothing.
        order: MemoryOrder,
        /// All threads of a warp must execute the same instruction together.
        aligned: bool,
    },
    /// All threads of the grid (cooperative launch).
    Grid,
    /// A barrier object in shared memory (PTX ISA, section 9.7.13.15).
    Mbarrier {
        /// The object's address.
        address: Address,
        /// What is done to it.
        action: MbarrierAction,
    },
}

named! {
    /// What a thread does at a named barrier.
    BarrierAction {
        /// Arrives and waits.
        Sync = "sync",
        /// Arrives and goes on.
        Arrive = "arrive",
    }
}

named! {
    /// What a thread does at the cluster's barrier.
    ClusterAction {
        /// Arrives and goes on.
        Arrive = "arrive",
        /// Waits for the others' arrival.
        Wait = "wait",
        /// Both.
        Sync = "sync",
    }
}

named! {
    /// What a barrier computes of the predicates it is given.
    Reduction {
        /// How many are one.
        Popc = "popc",
        /// Whether all are one.
        And = "and",
        /// Whether any is one.
        Or = "or",
    }
}

/// What is done to a barrier object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MbarrierAction {
    /// Starts its life with so many expected arrivals.
    Init(ExprId),
    /// Ends its life.
    Invalidate,
    /// Arrives `count` times, expecting `transactions` more bytes first; the result is the phase's
    /// token.
    Arrive {
        /// Arrivals; 32 bits.
        count: ExprId,
        /// Bytes expected on top; 32 bits.
        transactions: Option<ExprId>,
        /// Later phases expect this thread no more.
        drop: bool,
    },
    /// Expects so many more bytes.
    ExpectTx(ExprId),
    /// So many bytes have come.
    CompleteTx(ExprId),
    /// Arrives for the thread when its `cp.async` copies so far are done, and goes on at once.
    CopiesArrive {
        /// The phase waits for this arrival on top of those it expects; else it is one of them
        /// (`.noinc`).
        extra: bool,
    },
    /// Arrives for the thread when its products so far (`tcgen05`) are done, and goes on at once.
    ProductsArrive,
    /// Asks whether a phase is over; the result is one bit.
    Test {
        /// Which phase.
        phase: Phase,
        /// May suspend the thread for a while (`try_wait`).
        may_wait: bool,
    },
}

/// Which phase of a barrier object is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The one that an arrival returned.
    Token(ExprId),
    /// The one of this parity.
    Parity(ExprId),
}

/// An exchange among the lanes of a warp.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrossLane {
    /// What is exchanged.
    pub kind: CrossLaneKind,
    /// The lanes that take part; absent for the forms before `_sync`.
    pub mask: Option<ExprId>,
    /// Operands, in the instruction's order.
    pub args: SmallVec<[ExprId; 3]>,
}

named! {
    /// What lanes exchange. Operands in parentheses.
    CrossLaneKind {
        /// Another lane's value (value, lane, clamp-and-segment); results value, in range.
        ShuffleIdx = "shfl.idx",
        /// The value of a lower lane (value, delta, clamp-and-segment).
        ShuffleUp = "shfl.up",
        /// The value of a higher lane (value, delta, clamp-and-segment).
        ShuffleDown = "shfl.down",
        /// The value of the lane with some bits flipped (value, bits, clamp-and-segment).
        ShuffleBfly = "shfl.bfly",
        /// Whether all predicates hold (predicate).
        VoteAll = "vote.all",
        /// Whether any holds (predicate).
        VoteAny = "vote.any",
        /// Whether all are equal (predicate).
        VoteUniform = "vote.uni",
        /// The lanes where it holds (predicate).
        Ballot = "ballot",
        /// The lanes with an equal value (value).
        MatchAny = "match.any",
        /// All lanes of the mask if the values are all equal (value); results lanes, all equal.
        MatchAll = "match.all",
        /// Sum (value).
        ReduceAdd = "reduce.add",
        /// Smallest, unsigned (value).
        ReduceUMin = "reduce.umin",
        /// Largest, unsigned (value).
        ReduceUMax = "reduce.umax",
        /// Smallest, signed (value).
        ReduceSMin = "reduce.smin",
        /// Largest, signed (value).
        ReduceSMax = "reduce.smax",
        /// Bitwise and (value).
        ReduceAnd = "reduce.and",
        /// Bitwise or (value).
        ReduceOr = "reduce.or",
        /// Bitwise exclusive or (value).
        ReduceXor = "reduce.xor",
        /// One lane of the mask is chosen; results its lane, whether it is this one.
        Elect = "elect",
        /// The lanes that happen to execute together.
        ActiveMask = "activemask",
    }
}

/// Something the lifter does not model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    /// The instruction, intrinsic or function by name.
    pub name: String,
    /// Operands, for the reader.
    pub args: SmallVec<[ExprId; 3]>,
    /// Memory it may read and write.
    pub touches: Touches,
    /// It may wait for, or be waited for by, other threads.
    pub may_synchronize: bool,
}

/// The name of an opaque operation in a message: in quotes, or as it is where it is words (`a call
/// through a pointer`).
pub fn in_quotes(name: &str) -> String {
    let is_of_words = |c: char| c.is_alphabetic() || [' ', '`'].contains(&c);
    match name.contains(' ') && name.chars().all(is_of_words) {
        true => name.to_owned(),
        false => format!("`{name}`"),
    }
}

/// What an opaque operation may touch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Touches {
    /// Addresses it may read at or around.
    pub reads: SmallVec<[Address; 2]>,
    /// Addresses it may write at or around.
    pub writes: SmallVec<[Address; 2]>,
    /// Whole spaces it may read.
    pub reads_spaces: SmallVec<[Space; 2]>,
    /// Whole spaces it may write.
    pub writes_spaces: SmallVec<[Space; 2]>,
}

impl Touches {
    /// Nothing: its results are unknown, and that is all.
    pub fn nothing() -> Touches {
        Touches::default()
    }

    /// Whether it leaves all memory alone.
    pub fn is_nothing(&self) -> bool {
        let Touches { reads, writes, reads_spaces, writes_spaces } = self;
        reads.is_empty() && writes.is_empty() && reads_spaces.is_empty() && writes_spaces.is_empty()
    }
}

impl AtomicOp {
    /// Whether the operands are an expected value and a new one.
    pub fn compares(self) -> bool {
        matches!(self, AtomicOp::CompareExchange | AtomicOp::CompareExchangeWeak)
    }
}

impl Access {
    /// Whether it may change memory.
    pub fn writes(&self) -> bool {
        match self.kind {
            AccessKind::Load => false,
            AccessKind::Store(_) | AccessKind::Atomic(..) => true,
        }
    }

    /// Whether it may look at memory.
    pub fn reads(&self) -> bool {
        match self.kind {
            AccessKind::Store(_) => false,
            AccessKind::Load | AccessKind::Atomic(..) => true,
        }
    }
}
