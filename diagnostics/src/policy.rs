//! What a user has decided about findings: how serious each code is, what is accepted, and what
//! makes a run fail.
//!
//! A policy is applied to a finished report, in this order: severities by code ([`Levels`]),
//! comments in the source (`comment`), the baseline ([`Baseline`]). No verdict changes; see
//! `acceptance` for what accepting means.
//!
//! **Promises**: applying a policy twice is applying it once. A comment that allows nothing is told
//! (HD0902), as long as all of its file was checked. **Does not**: read files other than the
//! sources of the report, or options.

mod baseline;
mod comment;
mod levels;
mod scan;

use std::collections::{BTreeMap, BTreeSet};

pub use baseline::{BadBaseline, Baseline};
pub use levels::{BadLevel, Level, Levels};

use crate::acceptance::{Acceptance, may_be_accepted};
use crate::code::{Code, Severity};
use crate::exit::FailOn;
use crate::finding::Finding;
use crate::fingerprint::fingerprints;
use crate::kernel::KernelReport;
use crate::report::Report;
use crate::source::{FileId, SourceMap};
use crate::span::{Location, Place};
use comment::{Comment, Fault};

/// The decisions for one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Severities by code.
    pub levels: Levels,
    /// What makes the run fail.
    pub fail_on: FailOn,
    /// Findings that an earlier run had.
    pub baseline: Option<Baseline>,
    /// Some passes or kernels were left out, so that a comment which allows nothing may still be
    /// needed.
    pub partial: bool,
}

impl Policy {
    /// The report with what is decided about its findings.
    #[must_use]
    pub fn apply(&self, report: Report) -> Report {
        let Policy { levels, fail_on, baseline, partial } = self;
        let report = report.partial_if(*partial);
        // Of one of several parts, the others may need what this one does not.
        let partial = report.is_partial() || report.is_part();
        let report = report.changed(|sources, kernels, findings| {
            // They are told anew, from the comments; those of a file that is not at hand stay.
            let unread = |file: FileId| sources.text(file).is_none();
            findings.retain(|it| {
                it.code != Code::UselessSuppression
                    || it.place().and_then(Place::file).is_some_and(unread)
            });
            let mut comments = Comments::default();
            let of_kernels = kernels.iter_mut().flat_map(|kernel| &mut kernel.findings);
            for finding in of_kernels.chain(&mut *findings) {
                levels.apply(finding);
                // Asked for each finding, so that the comment counts as used also when the policy
                // is applied again.
                let allowed = comments.allow(sources, finding);
                if may_be_accepted(finding.code) {
                    finding.accepted = finding.accepted.take().or(allowed);
                }
            }
            let mut told = comments.faults(sources, kernels, partial);
            told.iter_mut().for_each(|finding| levels.apply(finding));
            findings.extend(told);
        });
        let report = report.failing_on(*fail_on);
        let Some(baseline) = baseline else { return report };
        // Fingerprints count in the order of a finished report.
        let names = fingerprints(report.sources(), report.findings());
        let file_of = |it: &Finding| {
            let file = it.place().and_then(Place::file);
            file.map_or(String::new(), |file| baseline.name_of(report.sources(), file))
        };
        let names: Vec<(String, String)> =
            names.into_iter().zip(report.findings().map(file_of)).collect();
        let places = report.kernels().iter().filter_map(|kernel| kernel.place.as_ref());
        let checked = places.filter_map(Place::file);
        let checked = checked.map(|file| baseline.name_of(report.sources(), file)).collect();
        let gone = baseline.gone(&names, &checked, report.sources());
        let report = report.changed(|sources, kernels, findings| {
            let of_kernels = kernels.iter_mut().flat_map(|kernel| &mut kernel.findings);
            for (finding, (name, file)) in findings.iter_mut().chain(of_kernels).zip(&names) {
                let known =
                    may_be_accepted(finding.code) && baseline.has(name, file, sources.base());
                finding.accepted =
                    finding.accepted.take().or(known.then_some(Acceptance::Baseline));
            }
        });
        report.without(gone)
    }
}

/// The comments of the files that findings are in, and which of them were of use, code by code.
#[derive(Default)]
struct Comments {
    files: BTreeMap<u32, Vec<Comment>>,
    used: BTreeSet<(u32, u32, Code)>,
}

impl Comments {
    fn of(&mut self, sources: &SourceMap, file: FileId) -> &[Comment] {
        self.files.entry(file.0).or_insert_with(|| {
            let ir = sources.display_path(file).ends_with(".ll");
            let text = sources.text(file);
            text.map_or(Vec::new(), |text| comment::comments(&text, ir))
        })
    }

    /// The comment that allows a finding: at one of its accesses, or at a call that one was inlined
    /// through. All that would allow it are of use.
    fn allow(&mut self, sources: &SourceMap, finding: &Finding) -> Option<Acceptance> {
        let mut accepted = None;
        for label in &finding.labels {
            let Place::Source(at) = &label.place else { continue };
            for at in std::iter::once(at).chain(&at.inlined_at) {
                let allows = |it: &&Comment| it.covers == at.line && it.allows(finding.code);
                let found: Vec<_> =
                    self.of(sources, at.file).iter().filter(allows).cloned().collect();
                for comment in found {
                    self.used.insert((at.file.0, comment.line, finding.code));
                    let place = Location::new(at.file, comment.line, comment.column).into();
                    accepted =
                        accepted.or(Some(Acceptance::Source { reason: comment.reason, place }));
                }
            }
        }
        accepted
    }

    /// A finding for each comment that is not in order, and for each that allows nothing in a file
    /// that kernels are in.
    fn faults(
        mut self,
        sources: &SourceMap,
        kernels: &[KernelReport],
        partial: bool,
    ) -> Vec<Finding> {
        let of_kernels: Vec<_> =
            kernels.iter().filter_map(|it| it.place.as_ref().and_then(Place::file)).collect();
        for file in &of_kernels {
            self.of(sources, *file);
        }
        let mut findings = Vec::new();
        for (&id, comments) in &self.files {
            let file = FileId(id);
            for comment in comments {
                let at = Location::new(file, comment.line, comment.column);
                findings
                    .extend(comment.faults.iter().map(|it| faulty(it).label(at.clone(), "here")));
                let used = |code| self.used.contains(&(id, comment.line, code));
                for &code in &comment.codes {
                    let needless = match comment.benign {
                        true => {
                            code == comment.codes[0] && !comment.codes.iter().any(|it| used(*it))
                        }
                        false => !used(code),
                    };
                    if needless && comment.in_force() && !partial && of_kernels.contains(&file) {
                        let message = match comment.benign {
                            true => format!(
                                "races are allowed here, and there is none at line {}",
                                comment.covers
                            ),
                            false => format!(
                                "this comment allows {code}, and there is none at line {}",
                                comment.covers
                            ),
                        };
                        let help = "take the code out of it, or put it on the line of one of the accesses, or alone on the line before";
                        findings.push(useless(message).help(help).label(at.clone(), "here"));
                    }
                }
            }
        }
        findings
    }
}

fn useless(message: String) -> Finding {
    Finding::new(Code::UselessSuppression, message)
}

fn faulty(fault: &Fault) -> Finding {
    match fault {
        Fault::NoReason => useless(
            "this comment allows a finding and gives no reason, so it allows nothing".to_owned(),
        )
        .help("say why it is right: `// heddle: allow(HD0103) all threads store the same flag`"),
        Fault::UnknownCode(word) => {
            useless(format!("this comment allows `{word}`, which is no code"))
                .help("give a number such as `HD0103`, or a name; `heddle explain` lists them")
        }
        Fault::NotAcceptable(code) => {
            useless(format!("this comment allows {code}, which cannot be allowed"))
                .help("what could not be checked has no answer that could be accepted")
        }
        Fault::Malformed => {
            useless("this comment speaks to Heddle, and is not understood".to_owned())
                .help("write `heddle: allow(HD0103) reason`")
        }
    }
}

/// Whether a finding of this severity belongs into a baseline.
pub(crate) fn belongs(finding: &Finding) -> bool {
    finding.accepted.is_none()
        && finding.code.family() != crate::code::Family::Tool
        && finding.severity >= Severity::Note
}
