//! The passes, and the one function that runs them over a kernel.

use heddle_diagnostics::{Code, Findings, KernelReport, Property, Reason, Verdict};
use heddle_ir::Kernel;

use crate::cx::{Cx, Options};
use crate::divergence::BarrierDivergence;
use crate::launch::Launch;
use crate::named_barriers::NamedBarriers;
use crate::place::Places;
use crate::progress::ForwardProgress;
use crate::races::{InterBlockRace, IntraBlockRace, IntraWarpRace};
use crate::vacuity;

/// A check: decides one property.
pub trait Pass: Sync {
    /// What it decides.
    fn property(&self) -> Property;
    /// One line for `heddle passes`.
    fn summary(&self) -> &'static str;
    /// What it may report.
    fn codes(&self) -> &'static [Code];
    /// Whether the kernel has anything that it is about; if not, nothing is said of the property.
    fn concerns(&self, kernel: &Kernel) -> bool {
        let _ = kernel;
        true
    }
    /// Decides it; findings go to `out`.
    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict;
    /// Its name, which is that of its property.
    fn name(&self) -> &'static str {
        self.property().name()
    }
}

/// All passes, in the order in which they run.
pub static PASSES: &[&dyn Pass] = &[
    &BarrierDivergence,
    &NamedBarriers,
    &IntraWarpRace,
    &IntraBlockRace,
    &InterBlockRace,
    &ForwardProgress,
];

/// Runs the selected passes over a kernel.
pub fn check(kernel: &Kernel, options: &Options, places: &Places) -> KernelReport {
    let launch = Launch::resolve(kernel, &options.request);
    let cx = Cx::new(kernel, &launch, options, places);
    let wanted = |pass: &&&dyn Pass| {
        options.selected.is_empty() || options.selected.iter().any(|name| name == pass.name())
    };
    let mut findings = Findings::new();
    let contradiction = vacuity::contradiction(&cx);
    let mut verdict = |pass: &&dyn Pass| match &contradiction {
        Some(finding) => {
            let reason = Reason::new(finding.code, finding.message.as_str());
            Verdict::unknown(Reason { place: finding.place().cloned(), ..reason })
        }
        None => pass.run(&cx, &mut findings),
    };
    let verdicts = PASSES
        .iter()
        .filter(wanted)
        .filter(|pass| pass.concerns(kernel))
        .map(|pass| (pass.property(), verdict(pass)))
        .collect();
    findings.extend(contradiction);
    KernelReport {
        name: kernel.display_name.as_str().into(),
        symbol: kernel.name.as_str().into(),
        place: places.kernel(kernel),
        verdicts,
        findings: findings.into_vec(),
    }
}
