//! What is claimed of a kernel: for each property proved, refuted, or unknown.
//!
//! **Invariant**: a [`Proof`] exists only if each obligation of its property was discharged. Its
//! fields are private and [`Obligations::conclude`](crate::Obligations::conclude) is what makes it,
//! so no timeout, panic or early return can end in [`Verdict::Proved`].
//! [`record::read`](crate::record::read) brings back one that was made so and written down.
//!
//! ```compile_fail,E0451
//! let guess = heddle_diagnostics::Proof { assumptions: vec![], methods: Default::default() };
//! ```
//!
//! **Does not**: say how it was shown beyond counts; findings and notes carry the detail.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::finding::Finding;
use crate::reason::Reason;
use crate::witness::{Confirmation, Dim3, Witness};

/// Something a proof takes for granted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Assumption {
    /// The launch size; `None` means any that the target allows.
    Launch {
        /// Blocks in the grid.
        grid: Option<Dim3>,
        /// Threads in a block.
        block: Option<Dim3>,
    },
    /// Given by the user: `--arg n=1024`, `--assume 'n % 16 == 0'`. The condition as text.
    Given(String),
    /// Pointers that the host passes, as arguments or in structures, point to memory that overlaps
    /// neither among them nor with variables of the program.
    DistinctPointers,
    /// Pointers that lie in memory, at different places, point to memory that overlaps neither
    /// among them nor with what the host passes or the program has.
    DistinctPointersInMemory,
    /// An index into an array that is a member of a structure which is passed by value stays in
    /// that array.
    IndicesInMembers,
    /// The kernel writes no texture that it fetches from, and no image that it only reads.
    TexturesUnwritten,
    /// The kernel writes nothing that it reads by `ld.global.nc` (PTX ISA 9.7.9.8) or as constant.
    ReadOnlyUnwritten,
    /// Each access stays in the object of its pointer; a pointer argument is the start of one.
    InBounds,
    /// The address of each access is a multiple of what its instruction promises, wherever the
    /// object of its pointer starts. Only where the offset does not show it.
    Aligned,
    /// Arrays in shared memory start at multiples of what addresses in them are rounded to. Only
    /// where the kernel rounds such an address.
    SharedAligned,
    /// Each index stays in its array, also where arrays lie in arrays. Only where nobody says how
    /// large blocks are.
    IndicesInArrays,
    /// A block whose shared memory another one of its cluster accesses has started, and has not
    /// ended. Only where no barrier of the cluster before and after the access sees to it.
    ClusterRuns,
    /// All threads of the block reach each block barrier (barrier-divergence decides that apart).
    UniformBarriers,
    /// All threads of the block come to each copy of the whole block, and to each wait for one,
    /// with the same arguments (async-copies decides that).
    CollectiveCopies,
    /// A block barrier does not wait for threads that returned.
    ExitedThreadsNotAwaited,
    /// What a thread did before it returned comes before what others do after a barrier that
    /// completes later. The documents of the targets order only what threads did that meet at the
    /// barrier.
    ExitsOrder,
    /// No value that is computed by addition, subtraction, multiplication or left shift, in 32 bits
    /// or more, from an argument or a size that is not given leaves the signed range of its width.
    /// Unsigned values from 2^31 are excluded too. Only where the compiler did not promise it, and
    /// only where a proof needs it.
    IndexInSignedRange,
    /// The same of what the kernel computes in 64 bits and cuts to 32: each step stays in the
    /// signed range of 32 bits.
    CutIndexInSignedRange,
    /// Each argument that the source declares without a sign, uses as a number and that is not
    /// given, is below 2^31, of 64 bits below 2^63. Only together with the assumption before.
    UnsignedSizesBelowHalf,
    /// No store races with a load whose value decides something (the race properties decide that
    /// apart).
    LoadsRaceFree,
    /// A loop whose trip count has no known limit runs fewer than 2^31 iterations.
    FewIterations,
    /// A counter that atomics add to is zero when the kernel starts and does not wrap around.
    CountersStartAtZero,
    // What follows is in the order of its text, which is the order of a report.
    /// An argument is at most this. Larger values were not followed.
    ArgumentAtMost {
        /// The parameter.
        name: String,
        /// The largest value.
        bound: u64,
    },
    /// `elect.sync` chooses the lowest lane of its mask. The PTX ISA leaves the choice open.
    LowestLaneElected,
    /// Accesses to what blocks wait for take effect in program order.
    PolledInProgramOrder,
    /// All blocks of a kernel with a grid barrier are resident together.
    BlocksResident {
        /// So the grid has at most this many in each dimension.
        most: u32,
    },
    /// All work-groups have one size.
    EvenBlocks,
    /// A call through a pointer calls a function of the program whose address the program takes.
    CalleesInProgram,
    /// Accessors that the host makes are of tensors whose elements lie one after the other.
    TensorsContiguous,
    /// Dimensions of the launch that the kernel never reads are 1.
    UnreadDimensionsAreOne,
    /// Forward progress follows a model.
    ForwardProgress {
        /// The model, in its own words.
        model: String,
        /// Who guarantees it.
        by: Guarantor,
    },
    /// Global ids are below 2^31.
    GlobalIdsInRange,
    /// Lanes of a warp run in step (`--warp-sync`).
    LanesInStep,
    /// The memory that these lead to, whose size is not known, starts where they point and is as
    /// large as accesses need it.
    LargeEnough(Vec<String>),
    /// Indices of private variables that the compiler keeps in registers stay inside of them: such
    /// accesses are gone before anything is checked.
    RegistersInBounds,
    /// OpenCL's global offset is zero in each dimension.
    NoGlobalOffset,
    /// The launch is one that the source has.
    LaunchedAsInSource,
    /// The launch is one of these that the host's code has: where it is, and what holds there.
    LaunchedAt(Vec<(String, Vec<String>)>),
    /// Loops that wait for no other block end.
    OtherLoopsEnd,
    /// Memory that the kernel writes and waits for is zero at the start.
    PolledMemoryStartsAtZero,
    /// Registers that `setmaxnreg` waits for are given back.
    RegistersGivenBack,
    /// The grid has fewer than 2^31 threads in each dimension.
    GridInRange,
    /// The launch is cooperative, as a grid barrier needs it.
    CooperativeLaunch,
    /// The launch whose schedules were followed is the one that runs.
    Launched {
        /// Blocks of the grid.
        blocks: u64,
        /// Threads of a block.
        threads: u32,
    },
    /// Accesses of threads and bulk copies are fenced from each other.
    BulkCopiesFenced,
    /// Operands of matrix products lie where descriptors say; a warpgroup multiplies together.
    OperandsAsDescribed,
    /// Accesses to tensor memory are not looked at.
    TensorMemoryApart,
    /// Tensor copies bring what is expected, to stages of their own, from what nobody writes.
    TensorBoxes,
    /// A volatile access is one relaxed access at system scope, as PTX has it.
    VolatileIsRelaxed,
    /// Nothing that is taken for granted: an invariant that was shown, in words, with its loop.
    Invariant(String),
}

/// Who guarantees forward progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Guarantor {
    /// The documents of CUDA, before sm_70.
    CudaBefore70,
    /// The documents of CUDA, from sm_70.
    CudaFrom70,
    /// The documents of OpenCL.
    OpenCl,
    /// The user.
    User,
    /// A cooperative launch.
    CooperativeLaunch,
}

impl fmt::Display for Guarantor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Guarantor::CudaBefore70 => "CUDA before sm_70",
            Guarantor::CudaFrom70 => "CUDA from sm_70",
            Guarantor::OpenCl => "OpenCL",
            Guarantor::User => "`--assume-progress`",
            Guarantor::CooperativeLaunch => "a cooperative launch",
        })
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Launch { grid: None, block: None } => f.write_str("any launch"),
            Assumption::Launch { grid, block } => {
                let size = |size: &Option<Dim3>| size.map_or("any".to_owned(), Dim3::size);
                write!(f, "grid={} block={}", size(grid), size(block))
            }
            Assumption::Given(condition) => write!(f, "`{condition}`"),
            Assumption::DistinctPointers => f.write_str("pointer arguments do not overlap"),
            Assumption::DistinctPointersInMemory => {
                f.write_str("pointers that lie in memory lead to buffers of their own")
            }
            Assumption::IndicesInMembers => f.write_str(
                "indices into arrays of a structure that is passed by value stay in these arrays",
            ),
            Assumption::TexturesUnwritten => {
                f.write_str("textures and images that are read are not memory that the kernel writes")
            }
            Assumption::ReadOnlyUnwritten => f.write_str(
                "memory that is read as read-only (`const __restrict__`, `__ldg`, constant) is not written by the kernel",
            ),
            Assumption::InBounds => f.write_str(
                "accesses stay in their objects, which start where pointer arguments point",
            ),
            Assumption::IndicesInArrays => f.write_str("indices stay in the arrays that they are of"),
            Assumption::SharedAligned => f.write_str(
                "shared arrays start at multiples of what addresses in them are rounded to",
            ),
            Assumption::ClusterRuns => f.write_str(
                "blocks of a cluster run while others access their shared memory",
            ),
            Assumption::Aligned => f.write_str("addresses are aligned as the types that are accessed there"),
            Assumption::UniformBarriers => f.write_str("barriers are uniform"),
            Assumption::CollectiveCopies => {
                f.write_str("work-groups copy, and wait for copies, together and with the same arguments")
            }
            Assumption::ExitedThreadsNotAwaited => {
                f.write_str("barriers do not wait for exited threads")
            }
            Assumption::ExitsOrder => {
                f.write_str("what a thread did before it returned is done when later barriers complete")
            }
            Assumption::IndexInSignedRange => f.write_str(
                "index arithmetic on open sizes and arguments stays in the signed range of its width",
            ),
            Assumption::CutIndexInSignedRange => f.write_str(
                "index arithmetic of 64 bits that is cut to 32 stays in the signed range of 32",
            ),
            Assumption::UnsignedSizesBelowHalf => {
                f.write_str("unsigned sizes, and sizes compared as such, are below 2^31 (2^63 of 64 bits)")
            }
            Assumption::LoadsRaceFree => f.write_str("stores race with no load"),
            Assumption::FewIterations => f.write_str("loops run fewer than 2^31 iterations"),
            Assumption::CountersStartAtZero => {
                f.write_str("atomic counters start at zero and do not wrap around")
            }
            Assumption::ArgumentAtMost { name, bound } => write!(f, "`{name}` is at most {bound}"),
            Assumption::LowestLaneElected => {
                f.write_str("`elect.sync` chooses the lowest lane of its mask")
            }
            Assumption::PolledInProgramOrder => {
                f.write_str("accesses to what blocks wait for take effect in program order")
            }
            Assumption::BlocksResident { most } => write!(
                f,
                "all blocks are resident together (grid barrier): at most {most} in each dimension"
            ),
            Assumption::EvenBlocks => f.write_str(
                "all work-groups have one size (the global size is a multiple of the local size)",
            ),
            Assumption::CalleesInProgram => f.write_str(
                "calls through pointers call functions whose address kernels or variables of this \
                 file take",
            ),
            Assumption::TensorsContiguous => f.write_str(
                "accessors are made of tensors whose elements lie one after the other",
            ),
            Assumption::UnreadDimensionsAreOne => {
                f.write_str("dimensions that the kernel never reads are 1")
            }
            Assumption::ForwardProgress { model, by } => {
                write!(f, "forward progress is {model} ({by})")
            }
            Assumption::GlobalIdsInRange => f.write_str("global ids are below 2^31"),
            Assumption::LanesInStep => f.write_str("lanes of a warp run in step (`--warp-sync`)"),
            Assumption::LargeEnough(names) => {
                let names: Vec<_> = names.iter().map(|it| format!("`{it}`")).collect();
                write!(f, "the memory behind {} holds all that is accessed there", names.join(", "))
            }
            Assumption::NoGlobalOffset => f.write_str("the global offset is zero"),
            Assumption::RegistersInBounds => {
                f.write_str("private variables in registers, which are not looked at, are indexed inside")
            }
            Assumption::LaunchedAsInSource => f.write_str("launched as in its source"),
            Assumption::LaunchedAt(sites) => {
                f.write_str("launched as at ")?;
                for (n, (at, facts)) in sites.iter().enumerate() {
                    let separator = if n == 0 { "" } else { ", or at " };
                    write!(f, "{separator}{at}")?;
                    if !facts.is_empty() {
                        let facts: Vec<_> = facts.iter().map(|it| format!("`{it}`")).collect();
                        write!(f, ": {}", facts.join(", "))?;
                    }
                }
                Ok(())
            }
            Assumption::OtherLoopsEnd => f.write_str("loops that wait for no other block end"),
            Assumption::PolledMemoryStartsAtZero => {
                f.write_str("memory that the kernel writes and waits for is zero at the start")
            }
            Assumption::RegistersGivenBack => {
                f.write_str("registers that `setmaxnreg` waits for are given back")
            }
            Assumption::GridInRange => {
                f.write_str("the grid has fewer than 2^31 threads in each dimension")
            }
            Assumption::CooperativeLaunch => {
                f.write_str("the launch is cooperative: all blocks are resident, and keep running")
            }
            Assumption::Launched { blocks, threads } => {
                let plural = |count: u64| if count == 1 { "" } else { "s" };
                let (of_blocks, of_threads) = (plural(*blocks), plural(u64::from(*threads)));
                write!(f, "there are {blocks} block{of_blocks} of {threads} thread{of_threads}")
            }
            Assumption::BulkCopiesFenced => f.write_str(
                "threads and bulk copies are fenced from each other (`fence.proxy.async`)",
            ),
            Assumption::OperandsAsDescribed => f.write_str(
                "the four warps of a warpgroup issue matrix products and wait for them alike, and each operand begins at the address in its descriptor, with its swizzle pattern, which an index that is added to the descriptor changes alone",
            ),
            Assumption::TensorMemoryApart => f.write_str(
                "accesses to tensor memory (`tcgen05`) are right: they are not looked at",
            ),
            Assumption::TensorBoxes => f.write_str(
                "tensor copies bring the bytes that are expected, each to a stage of its own, from tensors that the kernel does not write",
            ),
            Assumption::Invariant(text) => write!(f, "{text}, shown by induction"),
            Assumption::VolatileIsRelaxed => f.write_str(
                "volatile accesses are relaxed atomics at system scope, as in PTX",
            ),
        }
    }
}

/// How an obligation was shown to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    // In the order of their names, which is the order of a report.
    /// The solver's algebra over addresses.
    Algebra,
    /// Following all schedules of the blocks.
    AllSchedules,
    /// The solver's bits.
    Bits,
    /// A solver outside of Heddle.
    External,
    /// A loop that retries waits for nobody in particular: some thread gets on.
    LockFree,
    /// No loop waits for another block.
    NothingAwaited,
    /// Barriers do not wait for threads that returned.
    ReturnedExcused,
    /// Two threads that meet write the same value.
    SameValue,
    /// Rewriting alone.
    Simplification,
    /// A run of the block's warps whose order holds for all schedules.
    Trace,
    /// A question about two threads that decide differently.
    TwoThreads,
    /// No value on the way differs between threads.
    Uniform,
}

impl Method {
    /// The name, as a report has it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Algebra => "algebra",
            Method::AllSchedules => "all schedules",
            Method::Bits => "bits",
            Method::External => "external",
            Method::LockFree => "lock-free",
            Method::NothingAwaited => "no loop waits for another block",
            Method::ReturnedExcused => "returned threads are not waited for",
            Method::SameValue => "same value",
            Method::Simplification => "simplification",
            Method::Trace => "trace",
            Method::TwoThreads => "two threads",
            Method::Uniform => "uniform",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// That a property holds, and under what. Made by
/// [`Obligations::conclude`](crate::Obligations::conclude).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) methods: BTreeMap<Method, usize>,
}

impl Proof {
    /// What it takes for granted, sorted, each once.
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }

    /// How many obligations each method discharged.
    pub fn methods(&self) -> &BTreeMap<Method, usize> {
        &self.methods
    }
}

/// That a property fails, with a run that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refutation {
    /// The code of the finding that tells it.
    pub code: Code,
    /// The run.
    pub witness: Witness,
    /// What replaying it showed.
    pub confirmation: Confirmation,
}

impl Refutation {
    /// The refutation that a finding tells. `None` without a witness: what has none is not refuted.
    pub fn of(finding: &Finding) -> Option<Refutation> {
        Some(Refutation {
            code: finding.code,
            witness: finding.witness.clone()?,
            confirmation: finding.confirmation.clone()?,
        })
    }
}

/// The answer for one property of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Proved(Proof),
    /// It fails; at least one run shows it.
    Refuted(Vec<Refutation>),
    /// Could not tell; at least one reason.
    Unknown(Vec<Reason>),
}

impl Verdict {
    /// Could not tell, for one reason.
    pub fn unknown(reason: Reason) -> Verdict {
        Verdict::Unknown(vec![reason])
    }

    /// `proved`, `refuted` or `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Proved(_) => "proved",
            Verdict::Refuted(_) => "refuted",
            Verdict::Unknown(_) => "unknown",
        }
    }
}
