//! One line per finding: `path:line:col: error[HD0101]: message`, the form that editors and `grep` read.
//!
//! A finding without a line starts with the instruction's place instead, one without any place with
//! `heddle`. **Does not** show labels, notes or witnesses.

use super::{clean, place_text};
use crate::finding::Finding;
use crate::report::Report;
use crate::source::SourceMap;

/// All open findings of a report, a line each.
pub fn report(report: &Report) -> String {
    report.open_findings().map(|it| finding(report.sources(), it) + "\n").collect()
}

/// One finding, without a line break at the end.
pub fn finding(sources: &SourceMap, finding: &Finding) -> String {
    let place = finding.place().map_or("heddle".to_owned(), |place| place_text(sources, place));
    let Finding { severity, code, message, .. } = finding;
    clean(&format!("{place}: {severity}[{code}]: {message}")).replace('\n', " ")
}
