//! A kernel of the predicated IR as a block program: what is left of it once only its progress
//! matters.
//!
//! 1. [`Polls`]: which loops wait for what other blocks write to global memory (`polls.rs`).
//! 2. A slice: what decides those polls, through registers, shared and global memory (`slice.rs`).
//! 3. For one launch, the thread of each block that does all of the slice (`leaders.rs`).
//! 4. What that thread does, as code of a block program (`lift.rs`, `code.rs`, `meet.rs`,
//!    `translate.rs`, `memory.rs`).
//!
//! **Claims**, for the launch it is given: the block program has a schedule that does not terminate
//! iff the kernel has one, under each model, given [`TakenForGranted`]. Everything that would break
//! the claim is a [`Refusal`] with its place: polling by several threads of a block, values from
//! data, operations without a model, memory accessed in pieces of several sizes.
//!
//! **Does not**: know LLVM; choose a launch; say anything of other launches.

mod code;
mod counted;
mod endings;
mod flow;
mod leaders;
mod lift;
mod meet;
mod memory;
mod polls;
mod probes;
mod slice;
mod translate;

use std::fmt;

use heddle_ir::{ExprId, Kernel, OpId, OriginId};
pub use heddle_semantics::LaunchShape;

pub use endings::untold_ends;
pub use lift::{Lifted, lift};
pub use memory::Place;
pub use polls::{Poll, PollKind, Polls};

/// What every lifted kernel takes for granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TakenForGranted {
    /// Accesses to what blocks wait for take effect in program order.
    PolledInProgramOrder,
    /// Loops that wait for no other block end.
    OtherLoopsEnd,
    /// Memory that the kernel writes and waits for is zero at the start.
    PolledMemoryStartsAtZero,
}

impl TakenForGranted {
    /// All of it.
    pub const ALL: &'static [TakenForGranted] = &[
        TakenForGranted::PolledInProgramOrder,
        TakenForGranted::OtherLoopsEnd,
        TakenForGranted::PolledMemoryStartsAtZero,
    ];
}

impl fmt::Display for TakenForGranted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TakenForGranted::PolledInProgramOrder => {
                "accesses to what blocks wait for take effect in program order"
            }
            TakenForGranted::OtherLoopsEnd => "loops that wait for no other block end",
            TakenForGranted::PolledMemoryStartsAtZero => {
                "memory that the kernel writes and waits for is zero at the start"
            }
        })
    }
}

/// The launch that is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelLaunch {
    /// Its sizes. Blocks start in the order of their numbers under models that look at ids.
    pub shape: LaunchShape,
    /// OpenCL's global offset; `None` where not known.
    pub global_offset: Option<[u32; 3]>,
    /// Values of the parameters, in order; `None` where not known, and for pointers.
    pub args: Vec<Option<u128>>,
}

/// The number that an expression of the kernel's body has in a launch, if that is known.
pub fn known(kernel: &Kernel, launch: &KernelLaunch, expr: ExprId) -> Option<u64> {
    translate::Thread::new(kernel, launch, [0; 3], 0).number_of(expr)
}

/// Why a kernel is not followed. The answer is `unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is in the way, and the way out.
    pub reason: String,
    /// Where.
    pub origin: Option<OriginId>,
    /// Whether it is an operation without a model, and not a value that is not known.
    pub unmodelled: bool,
}

impl Refusal {
    /// A value or a place that is not known.
    fn undecided(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), origin: None, unmodelled: false }
    }

    /// An operation without a model.
    fn unmodelled(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), origin: None, unmodelled: true }
    }

    /// The same, at an operation, unless it has a place already.
    fn at(mut self, kernel: &Kernel, op: OpId) -> Self {
        self.origin.get_or_insert(kernel[op].origin);
        self
    }
}
