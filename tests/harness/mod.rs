//! Runs one kernel file as one test: reads its header and markers, checks it in this process, and
//! says what does not agree.
//!
//! The form of a file is in `tests/kernels/README.md`. **Promises**: markers and findings are
//! compared both ways, so a finding that nobody asked for is as wrong as one that is missing.
//! **Does not**: assert; tests collect what disagrees over all files and fail once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use heddle_diagnostics::render::place_text;
use heddle_diagnostics::{Code, Finding, Place, Report, Verdict};
use heddle_driver::{CheckOptions, Outcome, Progress, Source, check};

mod cores;
mod header;

pub(crate) use cores::on_all_cores;
use header::{WARP_SYNC, check_options, comment, launch_options};

/// A kernel file, read.
#[derive(Debug)]
pub(crate) struct Case {
    /// Where it is, relative to this package.
    pub(crate) path: PathBuf,
    /// How to check it.
    pub(crate) options: CheckOptions,
    /// The codes that must stand on each line (from one), and no others.
    pub(crate) markers: BTreeSet<(u32, Code)>,
}

impl Case {
    /// Reads the header and the markers.
    pub(crate) fn read(path: &Path) -> Result<Case, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let mut lines = text.lines().map(comment);
        let sentence =
            lines.next().flatten().ok_or("line 1 must be a comment that says what it shows")?;
        if !sentence.ends_with('.') {
            return Err("line 1 must be a sentence, with a full stop".to_owned());
        }
        let launch = lines.next().flatten().and_then(|line| line.strip_prefix("launch:"));
        let launch = launch.ok_or("line 2 must be a comment that starts with `launch:`")?;
        let mut options = CheckOptions {
            launch: launch_options(launch)?,
            warp_sync: launch.split_whitespace().any(|token| token == WARP_SYNC),
            jobs: std::num::NonZeroUsize::new(1),
            ..CheckOptions::default()
        };
        check_options(launch, &mut options)?;
        Ok(Case { path: path.to_owned(), options, markers: markers(&text)? })
    }

    /// Checks it.
    pub(crate) fn answer(&self) -> Outcome {
        let source = Source::File(self.path.clone());
        check(&[source], &self.options, &heddle_clang::Embedded, &Progress::default())
            .expect("threads and a current folder")
    }

    /// What the findings that nobody has accepted and the markers do not agree on.
    pub(crate) fn disagreements(&self, report: &Report) -> Vec<String> {
        let mut out = Vec::new();
        let mut met = BTreeSet::new();
        for finding in report.open_findings() {
            match self.line_of(report, finding) {
                Some(line) if self.markers.contains(&(line, finding.code)) => {
                    met.insert((line, finding.code));
                }
                Some(line) => out.push(format!(
                    "line {line}: no marker for {}: {}",
                    finding.code, finding.message
                )),
                None => {
                    let place = finding.place().map(|it| place_text(report.sources(), it));
                    let notes = finding.notes.join("; ");
                    out.push(format!(
                        "{}: {} {}: {notes}",
                        place.as_deref().unwrap_or("at no place"),
                        finding.code,
                        finding.message
                    ));
                }
            }
        }
        for (line, code) in self.markers.difference(&met) {
            out.push(format!("line {line}: {code} was not found"));
        }
        out
    }

    /// The line of this file that a finding stands on.
    fn line_of(&self, report: &Report, finding: &Finding) -> Option<u32> {
        let Some(Place::Source(at)) = finding.place() else { return None };
        let path = report.sources().path(at.file);
        let here = std::env::current_dir().ok()?.join(&self.path);
        (path == here).then_some(at.line)
    }
}

/// The verdict over all properties of all kernels: refuted if one is, else unknown if one is, else
/// proved.
pub(crate) fn overall(report: &Report) -> &'static str {
    let verdicts: Vec<_> =
        report.kernels().iter().flat_map(|kernel| kernel.verdicts.values()).collect();
    if verdicts.iter().any(|it| matches!(it, Verdict::Refuted(_))) {
        "refuted"
    } else if verdicts.is_empty() || verdicts.iter().any(|it| matches!(it, Verdict::Unknown(_))) {
        "unknown"
    } else {
        "proved"
    }
}

/// The codes after `~` at the end of each line.
fn markers(text: &str) -> Result<BTreeSet<(u32, Code)>, String> {
    let mut markers = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        let marker = line.rsplit_once("// ~").or_else(|| line.rsplit_once("; ~"));
        let Some((_, codes)) = marker else { continue };
        for code in codes.split_whitespace() {
            let code = code.parse().map_err(|error| format!("line {number}: {error}"))?;
            markers.insert((number, code));
        }
    }
    Ok(markers)
}

/// Fails with all that went wrong, if anything did.
pub(crate) fn fail_with(wrong: &[String], advice: &str) {
    assert!(wrong.is_empty(), "{} wrong:\n\n{}\n\n{advice}", wrong.len(), wrong.join("\n"));
}
