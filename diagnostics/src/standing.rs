//! What a verdict means for the outcome of a run, and the findings that tell it.
//!
//! **Promises**: a verdict counts as long as one of the findings that tell it does. **Does not**:
//! change verdicts, or say how a run ends; `exit` does.

use crate::acceptance::Acceptance;
use crate::code::Severity;
use crate::finding::Finding;
use crate::kernel::KernelReport;
use crate::reason::Reason;
use crate::verdict::{Refutation, Verdict};

/// What a verdict means for the outcome of a run, once acceptance and severities are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing<'a> {
    /// The property holds.
    Proved,
    /// It fails, or could not be decided, and this is how serious that is.
    Counts(Severity),
    /// Each finding that refutes it is accepted; this is how the first one is.
    Accepted(&'a Acceptance),
}

/// What `verdict`, one of `kernel`, means for the outcome.
pub(crate) fn standing<'a>(kernel: &'a KernelReport, verdict: &Verdict) -> Standing<'a> {
    let default = match verdict {
        Verdict::Proved(_) => return Standing::Proved,
        Verdict::Refuted(_) => Severity::Error,
        Verdict::Unknown(_) => Severity::Warning,
    };
    let mut accepted = None;
    let mut counts = None;
    let mut count = |found: &[&'a Finding]| {
        for finding in found {
            match &finding.accepted {
                Some(acceptance) => accepted = accepted.or(Some(acceptance)),
                None => counts = counts.max(Some(finding.severity)),
            }
        }
        // A verdict that no finding tells has not been accepted.
        if found.is_empty() {
            counts = counts.max(Some(default));
        }
    };
    match verdict {
        Verdict::Proved(_) => {}
        Verdict::Refuted(refutations) => {
            refutations.iter().for_each(|it| count(&of_refutation(kernel, it)));
        }
        Verdict::Unknown(reasons) => reasons.iter().for_each(|it| count(&of_reason(kernel, it))),
    }
    match (counts, accepted) {
        (Some(severity), _) => Standing::Counts(severity),
        (None, Some(acceptance)) => Standing::Accepted(acceptance),
        (None, None) => Standing::Counts(default),
    }
}

/// The findings that tell a verdict, each once, in the order of the report.
pub(crate) fn told_by<'a>(kernel: &'a KernelReport, verdict: &Verdict) -> Vec<&'a Finding> {
    let telling: Vec<&Finding> = match verdict {
        Verdict::Proved(_) => Vec::new(),
        Verdict::Refuted(all) => all.iter().flat_map(|it| of_refutation(kernel, it)).collect(),
        Verdict::Unknown(all) => all.iter().flat_map(|it| of_reason(kernel, it)).collect(),
    };
    let tells = |it: &&Finding| telling.iter().any(|one| std::ptr::eq(*one, *it));
    kernel.findings.iter().filter(tells).collect()
}

/// The finding that tells a refutation. One of several that said the same was kept: then it is one
/// of those with its code. A pair of accesses that races in a block and between blocks is told
/// once: then it is one of those of its family.
fn of_refutation<'a>(kernel: &'a KernelReport, refutation: &Refutation) -> Vec<&'a Finding> {
    let with_code = || kernel.findings.iter().filter(|it| it.code == refutation.code);
    match with_code().find(|it| it.witness.as_ref() == Some(&refutation.witness)) {
        Some(finding) => vec![finding],
        None if with_code().next().is_some() => with_code().collect(),
        None => {
            let family = refutation.code.family();
            kernel.findings.iter().filter(|it| it.code.family() == family).collect()
        }
    }
}

/// The findings that tell a reason: those with its code at its place.
fn of_reason<'a>(kernel: &'a KernelReport, reason: &Reason) -> Vec<&'a Finding> {
    let place = reason.place.as_ref().or(kernel.place.as_ref());
    let told = |it: &&Finding| it.code == reason.code && it.place() == place;
    kernel.findings.iter().filter(told).collect()
}
