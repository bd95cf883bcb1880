//! How a run ends: one number for scripts and build systems, and what it takes to fail.
//!
//! | Code | Meaning |
//! |---|---|
//! | 0 | each property of each kernel is proved, or what is not is accepted or does not count |
//! | 1 | a property is refuted; or what was raised to an error, or any warning under `--fail-on warning` |
//! | 2 | usage or input: a finding HD0901, or nothing to check at all (in one part of several: nothing is fine) |
//! | 3 | a property is unknown (under `--fail-on refuted` or `launched`: one that was raised to an error), or a kernel was checked for nothing |
//! | 4 | our own fault: a finding or a reason HD0999 |
//!
//! Where several apply, 4 goes before 2 before 1 before 3 before 0: a fault of ours may have
//! spoiled the rest; input that could not be read was not checked; a refutation outlives an unknown
//! elsewhere.
//!
//! **Promises**: 2 and 4 cannot be switched off. **Does not**: exit.

use crate::code::{Code, Family, Severity};
use crate::finding::Finding;
use crate::kernel::KernelReport;
use crate::standing::{Standing, standing};
use crate::verdict::Verdict;
use crate::witness::Witness;

/// How the process ends. The table is in the module head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExitCode {
    /// 0
    Proved,
    /// 1
    Refuted,
    /// 2
    Input,
    /// 3
    Unknown,
    /// 4
    Fault,
}

impl ExitCode {
    /// The number the process ends with.
    pub fn number(self) -> u8 {
        match self {
            ExitCode::Proved => 0,
            ExitCode::Refuted => 1,
            ExitCode::Input => 2,
            ExitCode::Unknown => 3,
            ExitCode::Fault => 4,
        }
    }
}

/// The least that makes a run fail. Each includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailOn {
    /// Nothing that is found, only what keeps a run from being one.
    Never,
    /// A property that is refuted at a launch that the program does (`Reach::is_launched`).
    Launched,
    /// A refuted property.
    Refuted,
    /// A property that could not be decided.
    #[default]
    Unknown,
    /// A finding that is a warning.
    Warning,
}

impl std::str::FromStr for FailOn {
    type Err = String;

    /// Reads `never`, `launched`, `refuted`, `unknown` or `warning`.
    fn from_str(text: &str) -> Result<FailOn, String> {
        match text {
            "never" => Ok(FailOn::Never),
            "launched" => Ok(FailOn::Launched),
            "refuted" => Ok(FailOn::Refuted),
            "unknown" => Ok(FailOn::Unknown),
            "warning" => Ok(FailOn::Warning),
            _ => Err(format!(
                "`{text}` is none of `never`, `launched`, `refuted`, `unknown` and `warning`"
            )),
        }
    }
}

/// How a run ends that found this of kernels, and `loose` of none; `is_part` says that kernels may
/// all be in other parts. See the module head for the meaning and the order of precedence.
pub(crate) fn exit_code(
    kernels: &[KernelReport],
    loose: &[Finding],
    is_part: bool,
    fail_on: FailOn,
) -> ExitCode {
    let findings = || loose.iter().chain(kernels.iter().flat_map(|kernel| &kernel.findings));
    let has = |code| findings().any(|finding| finding.code == code);
    let verdicts = || {
        let kernels = kernels.iter();
        kernels.flat_map(|kernel| kernel.verdicts.values().map(move |it| (kernel, it)))
    };
    let fault = |verdict: &Verdict| match verdict {
        Verdict::Unknown(reasons) => reasons.iter().any(|it| it.code == Code::InternalError),
        Verdict::Proved(_) | Verdict::Refuted(_) => false,
    };
    if has(Code::InternalError) || verdicts().any(|(_, it)| fault(it)) {
        return ExitCode::Fault;
    }
    if has(Code::BadInput) || (kernels.is_empty() && !is_part) {
        return ExitCode::Input;
    }
    // What counts as a refutation from here on, and what as an unknown.
    let (least, least_unknown) = match fail_on {
        FailOn::Never => return ExitCode::Proved,
        FailOn::Launched | FailOn::Refuted => (Severity::Error, Severity::Error),
        FailOn::Unknown => (Severity::Error, Severity::Warning),
        FailOn::Warning => (Severity::Warning, Severity::Warning),
    };
    let counts = |kernel, verdict, least| match standing(kernel, verdict) {
        Standing::Counts(severity) => severity >= least,
        Standing::Proved | Standing::Accepted(_) => false,
    };
    // Where only launches of the program count, a run of another one does not.
    let reaches = |witness: &Witness| fail_on != FailOn::Launched || witness.reach.is_launched();
    let is_refuted = |verdict: &Verdict| match verdict {
        Verdict::Refuted(all) => all.iter().any(|it| reaches(&it.witness)),
        Verdict::Proved(_) | Verdict::Unknown(_) => false,
    };
    let refuted = verdicts().any(|(kernel, it)| is_refuted(it) && counts(kernel, it, least));
    let found = |it: &Finding| fails(it, least) && it.witness.as_ref().is_none_or(reaches);
    if refuted || findings().any(found) {
        return ExitCode::Refuted;
    }
    let unknown = verdicts()
        .any(|(kernel, it)| matches!(it, Verdict::Unknown(_)) && counts(kernel, it, least_unknown));
    let for_nothing = kernels.iter().any(|kernel| kernel.verdicts.is_empty());
    if unknown || (for_nothing && least_unknown < Severity::Error) {
        return ExitCode::Unknown;
    }
    ExitCode::Proved
}

/// Whether a finding fails the run by itself: one that was raised to an error, or any warning where
/// warnings do. What could not be decided ends a run in its own way.
fn fails(finding: &Finding, least: Severity) -> bool {
    let raised = finding.severity > finding.code.severity();
    finding.accepted.is_none()
        && finding.code.family() != Family::NotModelled
        && finding.severity >= least
        && (raised || least < Severity::Error)
}
