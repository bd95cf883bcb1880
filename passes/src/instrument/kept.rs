//! What accesses that are left out rest on: whether what the proofs of a kernel take for granted is
//! kept where it is used.
//!
//! **What**: each variant of [`Assumption`] is true of a run, or found by it where it is not, or it
//! stops pruning. A module that is written down is launched by somebody else: what the host can see
//! to is named with the plan, and what depends on what memory holds stops pruning there, too.
//! **Promises**: a new assumption does not compile before somebody has decided.
//! **Misses**: that accesses stay in their objects, and that no loop runs 2^31 times, is not looked
//! at. Both are named.

use std::collections::{BTreeMap, BTreeSet};

use heddle_diagnostics::{Assumption, Property, Verdict};

/// Where a plan is used.
#[derive(Clone, Debug)]
pub enum Use {
    /// In this run, whose launch the proofs were told.
    Run(Run),
    /// In a module that others launch.
    Module,
}

/// What is known of a run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// What is added to global ids.
    pub global_offset: [u32; 3],
    /// The arguments that the proofs were told.
    pub arguments: BTreeSet<String>,
}

/// Who sees to it that an assumption holds where accesses are left out.
enum Kept {
    /// It holds wherever the checks are: they make it so, or find where it does not.
    Always,
    /// A run has it. The host of a module must see to it.
    InRuns,
    /// It is taken for granted, and named.
    Named,
    /// Nobody in a run. The host of a module must see to it.
    ByHosts,
    /// Nobody.
    Never,
}

/// What a kernel is still taken to keep if its accesses are left out; none if they must be checked.
/// Its verdicts leave no race to be found: all are proofs, and none is missing but those on named
/// barriers and copies, which a kernel without such does not have. And what they rest on is kept.
pub fn rests_on(
    verdicts: &BTreeMap<Property, Verdict>,
    used: &Use,
) -> Option<BTreeSet<Assumption>> {
    let mut left = BTreeSet::new();
    // Whether blocks end, or where they trap, says nothing of what they touch together.
    for property in Property::ALL.iter().filter(|it| it.is_about_threads_together()) {
        let proof = match (property, verdicts.get(property)) {
            (_, Some(Verdict::Proved(proof))) => proof,
            (Property::NamedBarriers | Property::AsyncCopies, None) => continue,
            (_, Some(Verdict::Refuted(_) | Verdict::Unknown(_)) | None) => return None,
        };
        for assumption in proof.assumptions() {
            let is_left = match (kept(assumption, used), used) {
                (Kept::Always, _) | (Kept::InRuns, Use::Run(_)) => false,
                (Kept::InRuns | Kept::ByHosts, Use::Module) | (Kept::Named, _) => true,
                (Kept::ByHosts, Use::Run(_)) | (Kept::Never, _) => return None,
            };
            if is_left {
                left.insert(assumption.clone());
            }
        }
    }
    Some(left)
}

fn kept(assumption: &Assumption, used: &Use) -> Kept {
    match assumption {
        // The sizes of a run are those that the proofs were told.
        Assumption::Launch { grid: None, block: None } => Kept::Always,
        Assumption::Launch { .. } => Kept::InRuns,
        Assumption::Given(text) => match used {
            Use::Run(run) if run.told(text) => Kept::InRuns,
            Use::Run(_) | Use::Module => Kept::ByHosts,
        },
        // Each pointer argument of a run gets memory of its own, also in shared memory.
        Assumption::DistinctPointers => Kept::InRuns,
        // A kernel may put pointers where it likes, and bytes of a buffer may be any.
        Assumption::DistinctPointersInMemory => Kept::Never,
        // A run looks whether the access stays in the structure, not in the member.
        Assumption::IndicesInMembers | Assumption::IndicesInArrays => Kept::Never,
        // No run has textures or images; a module may.
        Assumption::TexturesUnwritten => Kept::InRuns,
        // It is named where the kernel writes the very object; a run does not look at it.
        Assumption::ReadOnlyUnwritten => Kept::Never,
        // What is left out is not checked for bounds. That is said wherever it is left out.
        Assumption::InBounds | Assumption::LargeEnough(_) => Kept::Named,
        // An access that is left out is not looked at, nor where arrays start and when blocks end.
        Assumption::Aligned | Assumption::SharedAligned | Assumption::ClusterRuns => Kept::Never,
        // Barriers are always followed, and threads that miss one are found.
        Assumption::UniformBarriers => Kept::Always,
        // The property of copies is among those that must be proved, and shows it.
        Assumption::CollectiveCopies => Kept::Always,
        // The model is the run's, which finds threads that wait for one that returned.
        Assumption::ExitedThreadsNotAwaited => Kept::Always,
        // A barrier that completes orders what all threads of the block did, returned or not.
        Assumption::ExitsOrder => Kept::Always,
        // Values of arguments that a run has told are computed with. Others may be any.
        Assumption::IndexInSignedRange
        | Assumption::CutIndexInSignedRange
        | Assumption::UnsignedSizesBelowHalf
        | Assumption::ArgumentAtMost { .. } => Kept::ByHosts,
        // The properties of races are among those that must be proved: the first race of a run
        // comes after loads that raced with nothing.
        Assumption::LoadsRaceFree => Kept::Always,
        // Loops give way, and are not counted up to there.
        Assumption::FewIterations => Kept::Named,
        // What memory holds at the start is not looked at, nor whether a counter wraps around.
        Assumption::CountersStartAtZero | Assumption::PolledMemoryStartsAtZero => Kept::Never,
        // PTX leaves it open, and so does a GPU.
        Assumption::LowestLaneElected => Kept::Never,
        // The sizes of a run are known, and these are about others.
        Assumption::BlocksResident { .. } | Assumption::UnreadDimensionsAreOne => Kept::ByHosts,
        // All work-groups of a run are whole.
        Assumption::EvenBlocks => Kept::InRuns,
        // A run finds calls by pointers that lead elsewhere.
        Assumption::CalleesInProgram => Kept::InRuns,
        // Said of what a host's code in the source does, which a run does not follow.
        Assumption::TensorsContiguous
        | Assumption::LaunchedAsInSource
        | Assumption::LaunchedAt(_) => Kept::ByHosts,
        Assumption::GlobalIdsInRange | Assumption::GridInRange => match used {
            Use::Run(run) if run.ids_in_range() => Kept::InRuns,
            Use::Run(_) | Use::Module => Kept::ByHosts,
        },
        Assumption::NoGlobalOffset => match used {
            Use::Run(run) if run.global_offset == [0; 3] => Kept::InRuns,
            Use::Run(_) | Use::Module => Kept::ByHosts,
        },
        // Runs take lanes one by one.
        Assumption::LanesInStep => Kept::Never,
        // Such an index is compiled away from what is run as well, and meets no other thread.
        Assumption::RegistersInBounds => Kept::Always,
        // Said of forward progress, which races are not about.
        Assumption::ForwardProgress { .. }
        | Assumption::PolledInProgramOrder
        | Assumption::OtherLoopsEnd
        | Assumption::CooperativeLaunch
        | Assumption::Launched { .. } => Kept::Never,
        // No run follows these: what asks for them is refused, or they are not looked at.
        Assumption::RegistersGivenBack
        | Assumption::BulkCopiesFenced
        | Assumption::OperandsAsDescribed
        | Assumption::TensorMemoryApart
        | Assumption::TensorBoxes => Kept::Never,
        // Volatile accesses are always checked, and words that hold data race as plain ones do.
        Assumption::VolatileIsRelaxed => Kept::Always,
        // It was shown.
        Assumption::Invariant(_) => Kept::Always,
    }
}

impl Run {
    /// Whether a condition is one that the proofs were told of this run. Those of a source have no
    /// such sign.
    fn told(&self, text: &str) -> bool {
        text.split_once(" = ").is_some_and(|(name, _)| {
            self.arguments.contains(name)
                || ["global offset", "dynamic shared memory"].contains(&name)
        })
    }

    /// Whether global ids are below 2^31 in each dimension.
    fn ids_in_range(&self) -> bool {
        (0..3).all(|d| {
            let threads = u128::from(self.grid[d]) * u128::from(self.block[d]);
            threads + u128::from(self.global_offset[d]) < 1 << 31
        })
    }
}
