//! One line per finding: `path:line:col: error[HD0101]: message`, the form that editors and `grep`
//! read.
//!
//! A run that fails without a finding has a line that says why. A finding without a line starts
//! with the instruction's place instead, one without any place with `heddle`. Bad input is followed
//! by clang's own errors. **Does not** show labels, other notes or witnesses.

use super::{clean, one_line, place_text};
use crate::code::Code;
use crate::finding::Finding;
use crate::report::Report;
use crate::source::SourceMap;

/// All open findings of a report, a line each.
pub fn report(report: &Report) -> String {
    let lines = |it| finding(report.sources(), it) + "\n" + &compiler_errors(it);
    let nothing = report.nothing_checked().map(|why| format!("heddle: error: {why}\n"));
    report.open_findings().map(lines).chain(nothing).collect()
}

/// What clang says is wrong with an input, in the same form.
fn compiler_errors(finding: &Finding) -> String {
    let notes = finding.notes.iter().filter(|_| finding.code == Code::BadInput);
    let is_error = |line: &&str| line.contains(": error: ") || line.contains(": fatal error: ");
    let errors = notes.flat_map(|note| note.lines()).filter(is_error);
    errors.map(|line| clean(line) + "\n").collect()
}

/// One finding, without a line break at the end.
pub fn finding(sources: &SourceMap, finding: &Finding) -> String {
    let place = finding.place().map_or("heddle".to_owned(), |place| place_text(sources, place));
    let Finding { severity, code, message, .. } = finding;
    one_line(&format!("{place}: {severity}[{code}]: {message}"))
}
