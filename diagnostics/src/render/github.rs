//! Annotations of GitHub Actions: lines that the runner turns into remarks beside the changed code.
//!
//! `::error file=k.cu,line=8,col=11,title=HD0101 intra-block-race::message`. The message names the
//! second access, since an annotation has one place, and what would help. Accepted findings are
//! left out.
//!
//! **Promises**: no text of the user's can end the line or begin another command: `%`, line breaks,
//! and in properties `:` and `,`, are escaped as the runner reads them ("Workflow commands for
//! GitHub Actions"); other control characters are made visible. A run that fails without a finding
//! has a line that says why.
//! **Does not**: keep to the runner's limit of ten annotations of a kind per step; upload SARIF
//! where there are more.

use super::{clean, number, place_text};
use crate::code::Severity;
use crate::finding::Finding;
use crate::report::Report;
use crate::source::SourceMap;
use crate::span::Place;

/// All open findings of a report, a line each.
pub fn report(report: &Report) -> String {
    let findings = report.open_findings().map(|it| finding(report.sources(), it) + "\n");
    let nothing =
        report.nothing_checked().map(|why| format!("::error title=heddle::{}\n", data(&why)));
    findings.chain(nothing).collect()
}

/// One finding, without a line break at the end.
pub fn finding(sources: &SourceMap, finding: &Finding) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(file) = finding.place().and_then(Place::file) {
        properties.push(format!("file={}", property(&sources.display_path(file))));
    }
    if let Some(Place::Source(at)) = finding.place() {
        properties.push(format!("line={}", at.line));
        if at.column != 0 {
            properties.push(format!("col={}", at.column));
        }
    }
    let title = format!("{} {}", finding.code.number(), finding.code.slug());
    properties.push(format!("title={}", property(&title)));
    format!("::{command} {}::{}", properties.join(","), data(&clean(&message(sources, finding))))
}

/// The first line, then each access with its place, then what would help.
fn message(sources: &SourceMap, finding: &Finding) -> String {
    let mut lines = vec![finding.message.clone()];
    if finding.labels.len() > 1 {
        for (index, label) in finding.labels.iter().enumerate() {
            let place = place_text(sources, &label.place);
            lines.push(format!("{} {place}: {}", number(finding, index), label.text));
        }
    }
    lines.extend(finding.helps.iter().map(|help| format!("help: {help}")));
    lines.join("\n")
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(&clean(text)).replace(':', "%3A").replace(',', "%2C")
}
