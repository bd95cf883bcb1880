//! Baselines: the findings that a project has, so that only new ones count.
//!
//! A baseline is a file: JSON, sorted, one finding per line, so that it can be kept under version
//! control and a change of it can be read. What identifies a finding is its
//! [fingerprint](crate::fingerprint) and its file, named from the folder of the baseline, so that
//! the current folder does not count; a file that is not there any more may have moved, and then
//! the fingerprint is enough. The other fields are for people.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::belongs;
use crate::fingerprint::fingerprints;
use crate::known::Known;
use crate::report::Report;
use crate::source::{FileId, SourceMap};
use crate::span::Place;

/// The version of the form, in the field `heddle-baseline`.
const VERSION: u32 = 1;

/// The findings of an earlier run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    known: BTreeSet<Known>,
    /// The folder that files are named from.
    folder: PathBuf,
}

/// A text that is no baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBaseline(String);

impl fmt::Display for BadBaseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadBaseline {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "heddle-baseline")]
    version: u32,
    findings: Vec<Known>,
}

impl Baseline {
    /// The findings of a report that count and that can be accepted, for a file in this folder.
    pub fn of(report: &Report, folder: &Path) -> Baseline {
        let folder = report.sources().base().join(folder);
        let sources = report.sources();
        let names = fingerprints(sources, report.findings());
        let known = report.findings().zip(names).filter(|(finding, _)| belongs(finding));
        let known = known.map(|(finding, fingerprint)| Known {
            file: finding
                .place()
                .and_then(Place::file)
                .map_or(String::new(), |file| sources.path_from(&folder, file)),
            kernel: finding.kernel.as_deref().unwrap_or_default().to_owned(),
            code: finding.code,
            fingerprint,
            message: finding.message.clone(),
        });
        Baseline { known: known.collect(), folder }
    }

    /// How many findings it has.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// As text, to be read back.
    pub fn write(&self) -> String {
        let lines: Vec<_> = self
            .known
            .iter()
            .map(|it| "  ".to_owned() + &serde_json::to_string(it).expect("plain data serialises"))
            .collect();
        let lines =
            if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join(",\n")) };
        format!("{{\"heddle-baseline\": {VERSION}, \"findings\": [{lines}]}}\n")
    }

    /// Reads what [`Baseline::write`] wrote into a file of this folder.
    ///
    /// # Errors
    /// It is something else, or of another version.
    pub fn read(text: &str, folder: &Path) -> Result<Baseline, BadBaseline> {
        let document: Document = serde_json::from_str(text).map_err(|error| {
            BadBaseline(format!("this is no baseline ({error}); write one with `heddle baseline`"))
        })?;
        if document.version != VERSION {
            return Err(BadBaseline(format!(
                "this baseline has form {}, and this Heddle reads form {VERSION}; write it anew with `heddle baseline`",
                document.version
            )));
        }
        let known = document.findings.into_iter().collect();
        Ok(Baseline { known, folder: folder.to_owned() })
    }

    /// What the baseline calls a file of a report.
    pub(super) fn name_of(&self, sources: &SourceMap, file: FileId) -> String {
        sources.path_from(&sources.base().join(&self.folder), file)
    }

    /// Whether it has a finding of this fingerprint in this file, or in one that is gone.
    pub(super) fn has(&self, fingerprint: &str, file: &str, base: &Path) -> bool {
        let is_gone = |it: &Known| !base.join(&self.folder).join(&it.file).exists();
        let known = self.known.iter().filter(|it| it.fingerprint == fingerprint);
        known.into_iter().any(|it| it.file == file || is_gone(it))
    }

    /// What is in the baseline and no more in the report, of the files that were checked, with its
    /// files as the report shows them. `there` has the fingerprint and the file of each finding.
    pub(super) fn gone(
        &self,
        there: &[(String, String)],
        checked: &BTreeSet<String>,
        sources: &SourceMap,
    ) -> Vec<Known> {
        let there: BTreeSet<_> = there.iter().map(|(name, file)| (&**name, &**file)).collect();
        let is_there = |it: &Known| there.contains(&(&*it.fingerprint, &*it.file));
        let gone = |it: &&Known| !is_there(it) && checked.contains(&it.file);
        let shown = |it: &Known| {
            // What stands in angle brackets is in no folder.
            let is_file = !it.file.starts_with('<');
            let file = if is_file { self.folder.join(&it.file) } else { it.file.clone().into() };
            let file = sources.display_of(&file);
            Known { file, ..it.clone() }
        };
        self.known.iter().filter(gone).map(shown).collect()
    }
}
