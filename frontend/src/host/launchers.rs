//! Functions of the runtime that launch a kernel.

use super::Wanted;

/// A function of the runtime that launches a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// `cudaLaunchKernel`.
    Sizes,
    /// `cudaLaunchCooperativeKernel`.
    Cooperative,
    /// `cudaLaunchKernelExC`.
    Configuration,
}

impl By {
    /// By its name.
    pub(super) fn of(function: &str) -> Option<By> {
        match function {
            "cudaLaunchKernel" => Some(By::Sizes),
            "cudaLaunchCooperativeKernel" => Some(By::Cooperative),
            "cudaLaunchKernelExC" => Some(By::Configuration),
            _ => None,
        }
    }

    /// Whether attributes of the launch, which are not read, may say how large clusters are, where
    /// that matters to the kernel.
    pub(super) fn may_set_cluster(self, kernel: &Wanted) -> bool {
        self == By::Configuration && kernel.needs_cluster
    }

    /// Which argument is the kernel.
    pub(super) fn kernel(self) -> usize {
        match self {
            By::Sizes | By::Cooperative => 0,
            By::Configuration => 1,
        }
    }
}
