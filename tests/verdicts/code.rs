//! What the evaluator runs: a stack machine's instructions, typed.
//!
//! **Promises**: each instruction has C's meaning for its type, or ends the run as undefined. Calls
//! are inlined and variables are slots or bytes, so a thread's state is its stack, its slots and
//! its bytes.

use crate::syntax::{BinOp, IntTy, Special};

/// A value: an integer extended to 64 bits by its type's sign, a number's bits, or an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Value {
    pub(crate) bits: u64,
    /// It was made from something that nobody wrote.
    pub(crate) undef: bool,
}

impl Value {
    pub(crate) const UNDEF: Value = Value { bits: 0, undef: true };

    pub(crate) fn new(bits: u64) -> Value {
        Value { bits, undef: false }
    }
}

/// How a scalar lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int(IntTy),
    Float,
    Double,
    Pointer,
}

impl Kind {
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Kind::Int(ty) => ty.bytes(),
            Kind::Float => 4,
            Kind::Double | Kind::Pointer => 8,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) enum Scope {
    Block,
    Device,
    System,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rmw {
    Add,
    Sub,
    Exchange,
    Min,
    Max,
    And,
    Or,
    Xor,
    Inc,
    Dec,
    CompareAndSwap,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exchange {
    Xor,
    Up,
    Down,
    Index,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vote {
    Any,
    All,
    Ballot,
}

/// What a block barrier computes besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tally {
    Nothing,
    Or,
    And,
    Count,
}

/// A block barrier: where it stands, and the slots that count the loops around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BarrierSite {
    pub(crate) loops: Vec<u16>,
    /// Orders accesses to shared memory.
    pub(crate) local: bool,
    /// Orders accesses to global memory.
    pub(crate) global: bool,
    pub(crate) tally: Tally,
    /// The index of its instruction.
    pub(crate) at: usize,
    /// The end of the outermost loop around it, or itself.
    pub(crate) end: usize,
}

/// Something that a thread waits at. Operands are on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    /// The index of a [`BarrierSite`].
    Block(u32),
    /// Mask.
    Warp,
    /// Mask, value, lane or distance, width.
    Shuffle(Exchange),
    /// Mask, predicate.
    Vote(Vote),
    /// Id, and the count if the flag is set.
    Named(bool),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Op {
    Push(Value),
    /// Reserved for a conversion that turned out not to be needed.
    Nothing,
    Slot(u16),
    SetSlot(u16),
    Dup,
    Pop,
    Special(Special, u8),
    Int(BinOp, IntTy),
    Compare(BinOp, bool),
    Real(BinOp, bool),
    RealCompare(BinOp, bool),
    NegInt(IntTy),
    NotBits(IntTy),
    NegReal(bool),
    /// To one bit: whether it is not zero.
    Truth(Kind),
    Not,
    ToInt(IntTy),
    IntToReal(bool, bool),
    RealToInt(bool, IntTy),
    RealToReal(bool),
    /// Pops an index, and an address.
    Offset(i64),
    Distance(i64),
    /// Notes whether the index that was pushed lies outside of an array of this length: of a row of
    /// one, or of a whole one.
    Within {
        length: u64,
        is_row: bool,
    },
    Load(Kind),
    /// Pops a value and an address; leaves the value.
    Store(Kind),
    /// Pops a source address and a target address.
    Copy(u64),
    Atomic(Rmw, Kind, Scope),
    Fence(Scope),
    Function(Function, IntTy),
    /// Ends the run as undefined unless the value holds.
    Assume,
    Jump(u32),
    JumpUnless(u32),
    JumpIf(u32),
    LoopEnter(u16),
    LoopNext(u16),
    Wait(Wait),
    /// `bar.arrive`: id and count.
    Arrive,
    /// The end of the thread: by `return`, in these loops, or at the end of the text.
    Exit(Option<Vec<u16>>),
}

/// Functions of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    Min,
    Max,
    Abs,
    Popcount,
    FirstSet,
    LeadingZeros,
}

/// A parameter of the kernel, fields of structures by value one by one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Leaf {
    /// `n`, or `view.count`.
    pub(crate) name: String,
    pub(crate) kind: LeafKind,
    pub(crate) place: Place,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum LeafKind {
    Scalar(Kind),
    /// A pointer to memory of such elements; `None` if they are structures.
    Pointer(Option<Kind>),
    /// OpenCL's `__local` pointer, and where in shared memory it points.
    LocalPointer(u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Slot(u16),
    /// An offset in the thread's bytes.
    Private(u64),
}

/// A `__device__` variable or a constant table.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DeviceObject {
    pub(crate) name: String,
    pub(crate) size: u64,
    /// The numbers it starts with, by offset; zero elsewhere.
    pub(crate) init: Vec<(u64, Kind, Value)>,
    pub(crate) constant: bool,
}

/// A kernel, ready to run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) barriers: Vec<BarrierSite>,
    pub(crate) slots: u16,
    pub(crate) private: u64,
    pub(crate) shared: u64,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) device: Vec<DeviceObject>,
    pub(crate) opencl: bool,
    pub(crate) has_fence: bool,
    pub(crate) has_atomics: bool,
    /// Shift amounts are taken modulo the width, as in OpenCL.
    pub(crate) masks_shifts: bool,
}

/// Addresses: the object in the upper 16 bits, and the offset from here in the others.
pub(crate) const ORIGIN: u64 = 1 << 46;
pub(crate) const OBJECT_SHIFT: u32 = 48;
/// The object of shared memory, and of the thread's own bytes; those below are parameters, from 1.
pub(crate) const SHARED: u64 = 0x1000;
pub(crate) const PRIVATE: u64 = 0x1001;
/// The first `__device__` object.
pub(crate) const DEVICE: u64 = 0x2000;

pub(crate) fn address(object: u64, offset: u64) -> u64 {
    (object << OBJECT_SHIFT) + ORIGIN + offset
}
