//! Reports as text that reads back: for a cache, and for one run that several machines share.
//!
//! A record holds whole [`KernelReport`]s and findings, one kernel or a run's worth, with the files
//! that they point into: by display path, so that a record made in one checkout is good in another,
//! and with the text of those that are on no disk.
//!
//! **Promises**: what is read back renders to the same bytes as what was written, given the same
//! sources. A record of another version of Heddle is refused: its answers may not be the ones that
//! this version would give.
//! **Does not**: say for which input it holds; who stores a record keys it. It is no door to a
//! verdict of one's own either: the fields of a proof stay private, and a record that somebody
//! edits by hand is a lie told by them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::acceptance::Acceptance;
use crate::finding::{Finding, Label};
use crate::kernel::KernelReport;
use crate::property::Property;
use crate::reason::Reason;
use crate::source::{FileId, SourceMap};
use crate::span::Place;
use crate::verdict::{Assumption, Method, Proof, Refutation, Verdict};

/// The version whose records are read: this one.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A text that is no record of this version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord(String);

impl BadRecord {
    pub(crate) fn new(message: String) -> BadRecord {
        BadRecord(message)
    }
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadRecord {}

/// Kernels with their verdicts and findings, and findings of no kernel, on one line without a line
/// break.
pub fn write(sources: &SourceMap, kernels: &[KernelReport], findings: &[Finding]) -> String {
    let mut kernels: Vec<_> = kernels.iter().map(KernelRecord::of).collect();
    let mut findings = findings.to_vec();
    // Ids depend on the order of arrival; in the record they follow the paths.
    let mut used = BTreeSet::new();
    let collect = |place: &mut Place| {
        place.renumber(&mut |file| {
            used.insert((sources.display_path(file), file.0));
            file
        });
    };
    each_place(&mut kernels, &mut findings, collect);
    let ids: BTreeMap<u32, u32> = (0..).zip(&used).map(|(new, (_, old))| (*old, new)).collect();
    each_place(&mut kernels, &mut findings, |place| {
        place.renumber(&mut |file| FileId(ids[&file.0]));
    });
    let files = used.iter().map(|(path, id)| FileRecord {
        path: path.clone(),
        text: sources.is_virtual(FileId(*id)).then(|| sources.text(FileId(*id))).flatten(),
    });
    let record = Record { heddle: VERSION.to_owned(), files: files.collect(), kernels, findings };
    serde_json::to_string(&record).expect("plain data serialises")
}

/// The kernels and the findings of a record, which now point into `sources`.
///
/// # Errors
/// The text is no record, or one of another version.
pub fn read(
    text: &str,
    sources: &SourceMap,
) -> Result<(Vec<KernelReport>, Vec<Finding>), BadRecord> {
    let head: Head = serde_json::from_str(text)
        .map_err(|error| BadRecord(format!("this is no record of Heddle: {error}")))?;
    if head.heddle != VERSION {
        return Err(BadRecord(format!(
            "this record was written by Heddle {}, and this is Heddle {VERSION}: check again",
            head.heddle
        )));
    }
    let Record { heddle: _, files, mut kernels, mut findings } = serde_json::from_str(text)
        .map_err(|error| BadRecord(format!("this record is damaged: {error}")))?;
    let files: Vec<_> = files
        .iter()
        .map(|FileRecord { path, text }| match text {
            Some(text) => sources.add_text(&**path, text.clone()),
            None => sources.add(&**path),
        })
        .collect();
    let mut missing = false;
    each_place(&mut kernels, &mut findings, |place| {
        place.renumber(&mut |FileId(index)| {
            files.get(index as usize).copied().unwrap_or_else(|| {
                missing = true;
                FileId(index)
            })
        });
    });
    if missing {
        return Err(BadRecord(
            "this record is damaged: a place is in a file it does not name".to_owned(),
        ));
    }
    Ok((kernels.into_iter().map(KernelRecord::into_report).collect(), findings))
}

#[derive(Deserialize)]
struct Head {
    heddle: String,
}

#[derive(Serialize, Deserialize)]
struct Record {
    heddle: String,
    files: Vec<FileRecord>,
    kernels: Vec<KernelRecord>,
    findings: Vec<Finding>,
}

#[derive(Serialize, Deserialize)]
struct FileRecord {
    path: Arc<str>,
    text: Option<Arc<str>>,
}

#[derive(Serialize, Deserialize)]
struct KernelRecord {
    name: Arc<str>,
    symbol: Arc<str>,
    place: Option<Place>,
    verdicts: BTreeMap<Property, VerdictRecord>,
    findings: Vec<Finding>,
}

/// A verdict with its proof opened: [`Proof`] itself cannot be read, so that nothing else can make
/// one.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum VerdictRecord {
    Proved { assumptions: Vec<Assumption>, methods: BTreeMap<Method, usize> },
    Refuted(Vec<Refutation>),
    Unknown(Vec<Reason>),
}

impl KernelRecord {
    fn of(report: &KernelReport) -> KernelRecord {
        let KernelReport { name, symbol, place, verdicts, findings } = report;
        let verdicts = verdicts.iter().map(|(property, verdict)| {
            let verdict = match verdict {
                Verdict::Proved(Proof { assumptions, methods }) => VerdictRecord::Proved {
                    assumptions: assumptions.clone(),
                    methods: methods.clone(),
                },
                Verdict::Refuted(refutations) => VerdictRecord::Refuted(refutations.clone()),
                Verdict::Unknown(reasons) => VerdictRecord::Unknown(reasons.clone()),
            };
            (*property, verdict)
        });
        KernelRecord {
            name: name.clone(),
            symbol: symbol.clone(),
            place: place.clone(),
            verdicts: verdicts.collect(),
            findings: findings.clone(),
        }
    }

    fn into_report(self) -> KernelReport {
        let KernelRecord { name, symbol, place, verdicts, findings } = self;
        let verdicts = verdicts.into_iter().map(|(property, verdict)| {
            let verdict = match verdict {
                VerdictRecord::Proved { assumptions, methods } => {
                    Verdict::Proved(Proof { assumptions, methods })
                }
                VerdictRecord::Refuted(refutations) => Verdict::Refuted(refutations),
                VerdictRecord::Unknown(reasons) => Verdict::Unknown(reasons),
            };
            (property, verdict)
        });
        KernelReport { name, symbol, place, verdicts: verdicts.collect(), findings }
    }
}

/// Shows each place of the kernels and findings to `visit`.
fn each_place(
    kernels: &mut [KernelRecord],
    findings: &mut [Finding],
    mut visit: impl FnMut(&mut Place),
) {
    for KernelRecord { name: _, symbol: _, place, verdicts, findings } in kernels {
        place.iter_mut().for_each(&mut visit);
        for verdict in verdicts.values_mut() {
            match verdict {
                VerdictRecord::Unknown(reasons) => {
                    reasons.iter_mut().filter_map(|it| it.place.as_mut()).for_each(&mut visit);
                }
                VerdictRecord::Proved { .. } | VerdictRecord::Refuted(_) => {}
            }
        }
        findings.iter_mut().for_each(|finding| places_of(finding, &mut visit));
    }
    findings.iter_mut().for_each(|finding| places_of(finding, &mut visit));
}

fn places_of(finding: &mut Finding, visit: &mut impl FnMut(&mut Place)) {
    let Finding {
        code: _,
        severity: _,
        kernel: _,
        message: _,
        labels,
        primary: _,
        secondary,
        notes: _,
        helps: _,
        witness: _,
        confirmation: _,
        accepted,
    } = finding;
    match accepted {
        Some(Acceptance::Source { reason: _, place }) => visit(place),
        Some(Acceptance::Baseline | Acceptance::Ignored) | None => {}
    }
    labels.iter_mut().chain(secondary).for_each(|Label { place, text: _ }| visit(place));
}
