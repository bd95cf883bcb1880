//! What instrumented code calls, and the numbers it passes.
//!
//! `docs/dynamic.md` is the reader's version of this file. An instrumented module states the
//! version in a module flag ([`VERSION_FLAG`]); one of another version is refused before anything
//! runs, and LLVM refuses to link the two.
//!
//! **Does not**: implement anything; `entry` does, for the CPU, and lists it ([`crate::symbols`]).

use heddle_ir::{AtomicOp, CrossLaneKind, Reduction};

/// The version of everything in this file.
pub const VERSION: u32 = 2;
/// The constant that code which is linked for the CPU refers to.
pub const VERSION_SYMBOL: &str = "__heddle_abi_2";
/// The module flag by which an instrumented module states its version.
pub const VERSION_FLAG: &str = "heddle.abi";
/// The module flag by which an instrumented module states that accesses are left out which others
/// see: that nobody wrote what is read is then not known.
pub const PARTIAL_FLAG: &str = "heddle.partial";

/// The site of code without checks.
pub const NO_SITE: u32 = 0;

macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $number:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        pub enum $name { $($(#[$doc])* $variant = $number,)* }

        impl $name {
            /// The variant of a number that compiled code passed.
            pub fn from_number(number: u32) -> Option<$name> {
                match number { $($number => Some($name::$variant),)* _ => None }
            }

            /// The number that compiled code passes.
            pub fn number(self) -> u32 {
                self as u32
            }
        }
    };
}

numbered! {
    /// What `__heddle_special` gives. Axes follow each other: x, y, z.
    Special {
        /// `threadIdx.x`; y and z are the next two numbers.
        ThreadX = 0,
        /// `blockDim.x`; y and z follow.
        BlockDimX = 3,
        /// `blockIdx.x`; y and z follow.
        BlockX = 6,
        /// `gridDim.x`; y and z follow.
        GridDimX = 9,
        /// The thread's lane in its warp.
        Lane = 12,
        /// The warp's number in its block.
        Warp = 13,
        /// Bytes of dynamic shared memory.
        DynamicShared = 14,
        /// Threads of a warp.
        WarpSize = 15,
        /// What is added to global ids (OpenCL's global offset), in x; y and z follow.
        OffsetX = 16,
        /// The cluster's number in the grid (`%clusterid`), in x; y and z follow.
        ClusterX = 19,
        /// Clusters of the grid (`%nclusterid`); y and z follow.
        ClustersX = 22,
        /// The block's number in its cluster (`%cluster_ctaid`); y and z follow.
        InClusterX = 25,
        /// Blocks of a cluster (`%cluster_nctaid`); y and z follow.
        ClusterDimX = 28,
        /// The block's rank in its cluster.
        ClusterRank = 31,
    }
}

numbered! {
    /// How far an atomic operation or a fence reaches.
    Scope {
        /// The threads of the block.
        Block = 0,
        /// All threads of the grid: cluster, device and system are not told apart on the CPU.
        Grid = 1,
    }
}

/// Added to the scope of a fence: it is sequentially consistent (`fence.sc`).
pub const SC_FENCE: u32 = 2;
/// Added to the scope of a fence: it does not release.
pub const NO_RELEASE: u32 = 4;
/// Added to the scope of a fence: it does not acquire.
pub const NO_ACQUIRE: u32 = 8;

numbered! {
    /// What an atomic operation orders.
    MemoryOrder {
        /// Nothing.
        Relaxed = 0,
        /// What follows it.
        Acquire = 1,
        /// What precedes it.
        Release = 2,
        /// Both.
        AcqRel = 3,
    }
}

impl MemoryOrder {
    /// Whether it acquires.
    pub fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::AcqRel)
    }

    /// Whether it releases.
    pub fn releases(self) -> bool {
        matches!(self, MemoryOrder::Release | MemoryOrder::AcqRel)
    }
}

numbered! {
    /// What an access does.
    Access {
        /// Reads.
        Load = 0,
        /// Writes.
        Store = 1,
        /// Reads and writes as one.
        Update = 2,
    }
}

numbered! {
    /// What the lanes of a warp do together.
    Exchange {
        /// Waits for each other: `bar.warp.sync`.
        Barrier = 0,
        /// `shfl.idx`
        ShuffleIndex = 1,
        /// `shfl.up`
        ShuffleUp = 2,
        /// `shfl.down`
        ShuffleDown = 3,
        /// `shfl.bfly`
        ShuffleXor = 4,
        /// `vote.all`
        All = 5,
        /// `vote.any`
        Any = 6,
        /// `vote.uni`
        Uniform = 7,
        /// `vote.ballot`
        Ballot = 8,
        /// `match.any`
        MatchAny = 9,
        /// `match.all`: the mask, and in bit 32 whether all agree.
        MatchAll = 10,
        /// `redux.add`
        Add = 11,
        /// `redux.umin`
        UMin = 12,
        /// `redux.umax`
        UMax = 13,
        /// `redux.min`
        SMin = 14,
        /// `redux.max`
        SMax = 15,
        /// `redux.and`
        And = 16,
        /// `redux.or`
        Or = 17,
        /// `redux.xor`
        Xor = 18,
        /// `elect`: the leader, and in bit 32 whether it is this lane.
        Elect = 19,
        /// A matrix instruction, which [`Matrix`] names.
        Matrix = 20,
        /// `activemask`: the lanes that are at it together.
        ActiveMask = 21,
    }
}

impl Exchange {
    /// Whether the upper half of its result is a second one, of one bit.
    pub fn has_flag(self) -> bool {
        match self {
            Exchange::ShuffleIndex
            | Exchange::ShuffleUp
            | Exchange::ShuffleDown
            | Exchange::ShuffleXor
            | Exchange::MatchAll
            | Exchange::Elect => true,
            Exchange::Barrier
            | Exchange::All
            | Exchange::Any
            | Exchange::Uniform
            | Exchange::Ballot
            | Exchange::MatchAny
            | Exchange::Add
            | Exchange::UMin
            | Exchange::UMax
            | Exchange::SMin
            | Exchange::SMax
            | Exchange::And
            | Exchange::Or
            | Exchange::Xor
            | Exchange::Matrix
            | Exchange::ActiveMask => false,
        }
    }

    /// The exchange in which the lanes get this; none for what needs no exchange.
    pub fn of(kind: CrossLaneKind) -> Option<Exchange> {
        (0..).map_while(Exchange::from_number).find(|it| it.kind() == Some(kind))
    }

    /// What the lanes get, for those that exchange values.
    pub fn kind(self) -> Option<CrossLaneKind> {
        Some(match self {
            Exchange::Barrier | Exchange::Matrix => return None,
            Exchange::ShuffleIndex => CrossLaneKind::ShuffleIdx,
            Exchange::ShuffleUp => CrossLaneKind::ShuffleUp,
            Exchange::ShuffleDown => CrossLaneKind::ShuffleDown,
            Exchange::ShuffleXor => CrossLaneKind::ShuffleBfly,
            Exchange::All => CrossLaneKind::VoteAll,
            Exchange::Any => CrossLaneKind::VoteAny,
            Exchange::Uniform => CrossLaneKind::VoteUniform,
            Exchange::Ballot => CrossLaneKind::Ballot,
            Exchange::MatchAny => CrossLaneKind::MatchAny,
            Exchange::MatchAll => CrossLaneKind::MatchAll,
            Exchange::Add => CrossLaneKind::ReduceAdd,
            Exchange::UMin => CrossLaneKind::ReduceUMin,
            Exchange::UMax => CrossLaneKind::ReduceUMax,
            Exchange::SMin => CrossLaneKind::ReduceSMin,
            Exchange::SMax => CrossLaneKind::ReduceSMax,
            Exchange::And => CrossLaneKind::ReduceAnd,
            Exchange::Or => CrossLaneKind::ReduceOr,
            Exchange::Xor => CrossLaneKind::ReduceXor,
            Exchange::Elect => CrossLaneKind::Elect,
            Exchange::ActiveMask => CrossLaneKind::ActiveMask,
        })
    }
}

numbered! {
    /// What `__heddle_matrix` does (PTX ISA 9.7.14).
    Matrix {
        /// `ldmatrix`
        Load = 0,
        /// `ldmatrix.trans`
        LoadTransposed = 1,
        /// `stmatrix`
        Store = 2,
        /// `stmatrix.trans`
        StoreTransposed = 3,
        /// `movmatrix`
        Transpose = 4,
        /// `mma.sync`
        Multiply = 5,
        /// `wmma.mma`
        MultiplyTiles = 6,
    }
}

numbered! {
    /// What a bulk copy does with each element that is there (PTX ISA 9.7.9,
    /// `cp.reduce.async.bulk`).
    Combine {
        /// Overwrites it.
        Overwrite = 0,
        /// Adds; integers wrap around.
        Add = 1,
        /// The smaller one.
        Min = 2,
        /// The larger one.
        Max = 3,
        /// One more, and zero from the operand on.
        Increment = 4,
        /// One less, and the operand from zero and from above it.
        Decrement = 5,
        /// Bit by bit.
        And = 6,
        /// Bit by bit.
        Or = 7,
        /// Bit by bit.
        Xor = 8,
    }
}

impl Combine {
    /// The same as an atomic, on signed or unsigned elements; none for what overwrites.
    pub fn atomic(self, signed: bool) -> Option<AtomicOp> {
        Some(match (self, signed) {
            (Combine::Overwrite, _) => return None,
            (Combine::Add, _) => AtomicOp::Add,
            (Combine::Min, true) => AtomicOp::SMin,
            (Combine::Min, false) => AtomicOp::UMin,
            (Combine::Max, true) => AtomicOp::SMax,
            (Combine::Max, false) => AtomicOp::UMax,
            (Combine::Increment, _) => AtomicOp::IncWrap,
            (Combine::Decrement, _) => AtomicOp::DecWrap,
            (Combine::And, _) => AtomicOp::And,
            (Combine::Or, _) => AtomicOp::Or,
            (Combine::Xor, _) => AtomicOp::Xor,
        })
    }
}

numbered! {
    /// The elements that bulk copies combine.
    Combined {
        /// Unsigned, 32 bits; bits too.
        U32 = 0,
        /// Signed.
        S32 = 1,
        /// Unsigned, 64 bits; bits too.
        U64 = 2,
        /// Signed.
        S64 = 3,
        /// Halves.
        F16 = 4,
        /// The upper halves of floats.
        BF16 = 5,
        /// Floats.
        F32 = 6,
        /// Doubles.
        F64 = 7,
    }
}

numbered! {
    /// What matrices are made of.
    Element {
        /// Halves.
        F16 = 0,
        /// The upper halves of floats.
        BF16 = 1,
        /// Floats of which the low 13 bits are not looked at.
        TF32 = 2,
        /// Floats.
        F32 = 3,
        /// Doubles.
        F64 = 4,
        /// Signed bytes.
        S8 = 5,
        /// Unsigned bytes.
        U8 = 6,
        /// Integers.
        S32 = 7,
    }
}

impl Element {
    /// Bytes of one.
    pub fn bytes(self) -> u32 {
        match self {
            Element::S8 | Element::U8 => 1,
            Element::F16 | Element::BF16 => 2,
            Element::TF32 | Element::F32 | Element::S32 => 4,
            Element::F64 => 8,
        }
    }
}

numbered! {
    /// What a thread does at a barrier of its block.
    BarrierAction {
        /// Arrives and waits.
        Sync = 0,
        /// Arrives and goes on.
        Arrive = 1,
        /// As `Sync`; gives the number of threads whose value is not zero.
        Count = 2,
        /// As `Sync`; gives whether all values are not zero.
        All = 3,
        /// As `Sync`; gives whether some value is not zero.
        Any = 4,
        /// As `Sync`, and orders only what the value says (OpenCL C 3.0, 6.15.8): 1 shared memory,
        /// 2 global memory.
        SyncSome = 5,
    }
}

impl BarrierAction {
    /// The number of what an instruction does.
    pub fn of(action: heddle_ir::BarrierAction, reduce: Option<Reduction>) -> BarrierAction {
        match (action, reduce) {
            (heddle_ir::BarrierAction::Arrive, _) => BarrierAction::Arrive,
            (heddle_ir::BarrierAction::Sync, None) => BarrierAction::Sync,
            (heddle_ir::BarrierAction::Sync, Some(Reduction::Popc)) => BarrierAction::Count,
            (heddle_ir::BarrierAction::Sync, Some(Reduction::And)) => BarrierAction::All,
            (heddle_ir::BarrierAction::Sync, Some(Reduction::Or)) => BarrierAction::Any,
        }
    }

    /// What it computes of the values, if anything.
    pub fn reduction(self) -> Option<Reduction> {
        match self {
            BarrierAction::Sync | BarrierAction::Arrive | BarrierAction::SyncSome => None,
            BarrierAction::Count => Some(Reduction::Popc),
            BarrierAction::All => Some(Reduction::And),
            BarrierAction::Any => Some(Reduction::Or),
        }
    }
}

numbered! {
    /// What is done to an mbarrier object in shared memory.
    Mbarrier {
        /// operand: the number of arrivals of a phase.
        Init = 0,
        /// Ends its life.
        Invalidate = 1,
        /// operand: arrivals; gives the token.
        Arrive = 2,
        /// As `Arrive`, and later phases expect so many less.
        ArriveDrop = 3,
        /// operand: bytes that the phase waits for.
        ExpectBytes = 4,
        /// operand: bytes that have come.
        CompleteBytes = 5,
        /// operand: a token; gives whether its phase is over.
        TestToken = 6,
        /// operand: a parity; gives whether the phase of it is over.
        TestParity = 7,
        /// As `TestToken`, and waits.
        WaitToken = 8,
        /// As `TestParity`, and waits.
        WaitParity = 9,
        /// The thread arrives when its copies so far are done (`cp.async.mbarrier.arrive.noinc`).
        ArriveAfterCopies = 10,
        /// As `ArriveAfterCopies`, with an arrival that nobody had counted on: the count is raised
        /// first (`cp.async.mbarrier.arrive`).
        JoinAfterCopies = 11,
    }
}

/// One bit of an atomic's flags: a plain access otherwise.
pub const ATOMIC: u32 = 1 << 8;
/// One bit of an access's flags: `volatile`.
pub const VOLATILE: u32 = 1 << 9;
/// One bit of an access's flags: `value` is what a store of at most 8 bytes writes.
pub const VALUE: u32 = 1 << 10;

/// Where in an access's flags its alignment stands, as a power of two in four bits: a device
/// refuses other addresses. Zero says nothing.
pub const ALIGNMENT_AT: u32 = 16;

/// Where in an access's flags the bytes of one element stand, as a power of two plus one in three
/// bits: vectors are accesses of their elements (PTX ISA 8.2.2). Zero is one element, the whole.
pub const ELEMENT_AT: u32 = 20;

/// The flags that say of how many bytes the elements of an access are.
pub fn element_flags(bytes: u64) -> u32 {
    if bytes.is_power_of_two() && bytes <= 16 {
        (bytes.trailing_zeros() + 1) << ELEMENT_AT
    } else {
        0
    }
}

/// The bytes of an element of an access of a size, by its flags.
pub fn element_of(flags: u32, size: usize) -> usize {
    match flags >> ELEMENT_AT & 7 {
        0 => size,
        power => 1 << (power - 1),
    }
}

/// The flags that say how an access of the given number of bytes must be aligned.
pub fn alignment_flags(bytes: u64) -> u32 {
    if bytes.is_power_of_two() { (bytes.trailing_zeros() & 15) << ALIGNMENT_AT } else { 0 }
}

/// The flags of an access: what it does in bits 0 and 1, its order in 2 and 3, its scope in 4.
pub fn access_flags(access: Access, order: MemoryOrder, scope: Scope) -> u32 {
    access.number() | order.number() << 2 | scope.number() << 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        for number in 0..64 {
            assert!(Exchange::from_number(number).is_none_or(|it| it.number() == number));
            assert!(Mbarrier::from_number(number).is_none_or(|it| it.number() == number));
        }
        let flags = access_flags(Access::Update, MemoryOrder::AcqRel, Scope::Grid);
        assert_eq!((flags & 3, flags >> 2 & 3, flags >> 4 & 1), (2, 3, 1));
    }
}
