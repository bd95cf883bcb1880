//! What a run answers.

use std::time::Duration;

use heddle_diagnostics::Report;
use heddle_ir::Kernel;
use heddle_passes::named_barriers::Chart;

/// Everything a run has to say.
#[derive(Debug)]
pub struct Outcome {
    /// Verdicts and findings.
    pub report: Report,
    /// The kernels that were lifted, in the order of the sources.
    pub kernels: Vec<Kernel>,
    /// The barriers of the kernels, where [`crate::charts()`] was asked for.
    pub charts: Vec<Chart>,
    /// What clang warned about, in the order of the sources.
    pub warnings: Vec<String>,
    /// How long each part took: the sources in their order, then the kernels. Not for output that
    /// must not change.
    pub timings: Vec<Timing>,
}

/// How long a part of a run took.
#[derive(Clone, Debug)]
pub struct Timing {
    /// `read` (compiled and lifted) or `checked`.
    pub stage: &'static str,
    /// The source or the kernel.
    pub name: String,
    /// How long.
    pub took: Duration,
    /// Whether it was known from an earlier run.
    pub known: bool,
}

impl Timing {
    pub(crate) fn new(stage: &'static str, name: String, took: Duration, known: bool) -> Timing {
        Timing { stage, name, took, known }
    }
}
