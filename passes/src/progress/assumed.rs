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

use heddle_ir::Family;
use heddle_progress::kernel::Polls;
use heddle_progress::model::{Criterion, FAIR, OBE, UNFAIR};

use crate::cx::Cx;

/// What a grid barrier takes for granted.
pub(super) const COOPERATIVE: &str =
    "the launch is cooperative: all blocks are resident, and keep running";

/// What is taken for granted.
#[derive(Clone, Debug)]
pub(super) struct Assumed {
    pub(super) criterion: Criterion,
    /// Who guarantees it.
    pub(super) by: &'static str,
    /// What the target itself guarantees.
    pub(super) of_target: Criterion,
}

impl Assumed {
    pub(super) fn of(cx: &Cx<'_>, polls: &Polls) -> Assumed {
        let target = &cx.kernel.target;
        let (of_target, by) = match target.family {
            _ if !polls.grid_barriers.is_empty() => (FAIR, "a cooperative launch"),
            Family::Nvptx if target.opencl => (UNFAIR, "OpenCL"),
            Family::Nvptx if target.sm >= 70 => (OBE, "CUDA from sm_70"),
            Family::Nvptx => (UNFAIR, "CUDA before sm_70"),
            Family::Spirv => (UNFAIR, "OpenCL"),
        };
        let of_target = of_target.weak();
        match cx.options.progress.assumed {
            Some(criterion) => Assumed { criterion, by: "`--assume-progress`", of_target },
            None => Assumed { criterion: of_target, by, of_target },
        }
    }

    /// As an assumption of a proof.
    pub(super) fn words(&self) -> String {
        format!("forward progress is {} ({})", self.criterion, self.by)
    }
}
