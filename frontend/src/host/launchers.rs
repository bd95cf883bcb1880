//! Functions of the runtime that launch a kernel.

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

    /// Which argument is the kernel.
    pub(super) fn kernel(self) -> usize {
        match self {
            By::Sizes | By::Cooperative => 0,
            By::Configuration => 1,
        }
    }
}
