//! What forward progress is taken for granted, and who says so.
//!
//! | target | what its documents guarantee | model |
//! |---|---|---|
//! | CUDA from sm_70 | parallel forward progress: a thread that has made a step keeps making progress (CUDA C++ execution model, C++ \[intro.progress\]) | `obe` |
//! | CUDA from sm_70, cooperative launch | once a thread of the grid has made a step, all threads of the grid make progress | `fair` |
//! | CUDA before sm_70 | nothing | `unfair` |
//! | OpenCL, SPIR-V | nothing between work-groups (OpenCL 3.0, section 3.2.2) | `unfair` |
//!
//! A kernel that waits at a grid barrier is launched cooperatively, or the launch is not defined.
//! Another one is where the launch in the host's code that is looked at is a
//! `cudaLaunchCooperativeKernel`.

use heddle_diagnostics::{Assumption, Guarantor};
use heddle_ir::Family;
use heddle_progress::kernel::{Polls, TakenForGranted};
use heddle_progress::model::{Criterion, FAIR, OBE, UNFAIR};

use crate::engine::cx::Cx;

/// What is taken for granted.
#[derive(Clone, Debug)]
pub(super) struct Assumed {
    pub(super) criterion: Criterion,
    /// Who guarantees it.
    pub(super) by: Guarantor,
    /// What the target itself guarantees.
    pub(super) of_target: Criterion,
}

impl Assumed {
    pub(super) fn of(cx: &Cx<'_>, polls: &Polls) -> Assumed {
        let target = &cx.kernel.target;
        let (of_target, by) = match target.family {
            _ if !polls.grid_barriers.is_empty() => (FAIR, Guarantor::CooperativeLaunch),
            Family::Nvptx if target.opencl => (UNFAIR, Guarantor::OpenCl),
            Family::Nvptx if target.sm >= 70 && is_cooperative(cx) => {
                (FAIR, Guarantor::CooperativeLaunch)
            }
            Family::Nvptx if target.sm >= 70 => (OBE, Guarantor::CudaFrom70),
            Family::Nvptx => (UNFAIR, Guarantor::CudaBefore70),
            Family::Spirv => (UNFAIR, Guarantor::OpenCl),
        };
        let of_target = of_target.weak();
        match cx.options.progress.assumed {
            Some(criterion) => Assumed { criterion, by: Guarantor::User, of_target },
            None => Assumed { criterion: of_target, by, of_target },
        }
    }

    /// As an assumption of a proof.
    pub(super) fn assumption(&self) -> Assumption {
        Assumption::ForwardProgress { model: self.criterion.to_string(), by: self.by }
    }
}

/// Whether the launch that is looked at is known to be cooperative.
fn is_cooperative(cx: &Cx<'_>) -> bool {
    cx.launch.host.as_ref().is_some_and(|host| host.is_cooperative)
}

/// What the lift of a kernel takes for granted, as an assumption of a proof.
pub(super) fn of_lift(fact: TakenForGranted) -> Assumption {
    match fact {
        TakenForGranted::PolledInProgramOrder => Assumption::PolledInProgramOrder,
        TakenForGranted::OtherLoopsEnd => Assumption::OtherLoopsEnd,
        TakenForGranted::PolledMemoryStartsAtZero => Assumption::PolledMemoryStartsAtZero,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lift_and_the_proof_name_facts_in_the_same_words() {
        for fact in TakenForGranted::ALL {
            assert_eq!(of_lift(*fact).to_string(), fact.to_string());
        }
    }
}
