//! JSON lines: one object per finding and per verdict, for programs that read line by line.
//!
//! The first line is `{"type":"run","schema":1,"version":"…"}`, the last
//! `{"type":"end","exit_code":…}` with the counts. Between them stand, kernel by kernel, lines of
//! type `finding` and `verdict`; their other fields are those of [`json`](super::json::report), and
//! a verdict also names its `kernel`, `symbol` and `place`. A reader that meets a type it does not
//! know skips the line.
//!
//! **Promises**: each line is one whole document; the same report gives the same bytes.

use serde::Serialize;

use super::escaped;
use super::json::{self, FindingJson, PlaceJson, SCHEMA, VerdictJson};
use crate::fingerprint::fingerprints;
use crate::record::VERSION;
use crate::report::Report;
use crate::verdict::Verdict;

/// All lines of a report.
pub fn report(report: &Report) -> String {
    let sources = report.sources();
    let mut names = fingerprints(sources, report.findings()).into_iter();
    let mut name = || names.next().unwrap_or_default();
    let mut out = String::new();
    let mut line = |it: Line<'_>| {
        out += &escaped(serde_json::to_string(&it).expect("plain data serialises"));
        out.push('\n');
    };
    line(Line::Run { schema: SCHEMA, version: VERSION });
    for it in report.loose_findings() {
        line(Line::Finding(Box::new(json::finding(sources, it, name()))));
    }
    let (mut proved, mut refuted, mut unknown) = (0, 0, 0);
    for kernel in report.kernels() {
        for it in &kernel.findings {
            line(Line::Finding(Box::new(json::finding(sources, it, name()))));
        }
        for (&property, verdict) in &kernel.verdicts {
            match verdict {
                Verdict::Proved(_) => proved += 1,
                Verdict::Refuted(_) => refuted += 1,
                Verdict::Unknown(_) => unknown += 1,
            }
            line(Line::Verdict(Box::new(Answer {
                kernel: &kernel.name,
                symbol: &kernel.symbol,
                place: kernel.place.as_ref().map(|at| json::place(sources, at)),
                verdict: json::verdict(sources, kernel, property, verdict),
            })));
        }
    }
    let exit_code = report.exit_code().number();
    line(Line::End { exit_code, kernels: report.kernels().len(), proved, refuted, unknown });
    out
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Run { schema: u32, version: &'a str },
    Finding(Box<FindingJson<'a>>),
    Verdict(Box<Answer<'a>>),
    End { exit_code: u8, kernels: usize, proved: usize, refuted: usize, unknown: usize },
}

#[derive(Serialize)]
struct Answer<'a> {
    kernel: &'a str,
    symbol: &'a str,
    place: Option<PlaceJson<'a>>,
    #[serde(flatten)]
    verdict: VerdictJson<'a>,
}
