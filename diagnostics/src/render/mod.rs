//! Renderers: a report or a finding in, text out. Nothing here prints.
//!
//! - [`human`]: like rustc's, for people.
//! - [`short`]: one line per finding, for editors and `grep`.
//! - [`json`]: one document per run, for programs; its schema is in the module head.
//! - [`jsonl`]: the same line by line.
//! - [`sarif`]: SARIF 2.1.0, for code scanning and editors.
//! - [`github`]: annotations of GitHub Actions.
//! - [`junit`]: a test case per kernel and property.
//! - [`summary`]: one line per kernel and property.
//! - [`table`]: one line per file, for projects.
//!
//! **Promises**: the text depends on the report and the options alone, not on the terminal, time or
//! locale; control characters in source text and names come out visible, never raw.

pub mod github;
pub mod human;
pub mod json;
pub mod jsonl;
pub mod junit;
pub mod sarif;
pub mod short;
mod snippet;
pub mod summary;
pub mod table;

use crate::finding::Finding;
use crate::source::SourceMap;
use crate::span::Place;

/// Whether text carries ANSI colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    #[default]
    Never,
    /// With escape sequences.
    Always,
}

/// `k.cu:6:22`, or for an instruction without a line ``k.ll: function `k`, instruction 12``.
pub fn place_text(sources: &SourceMap, place: &Place) -> String {
    match place {
        Place::Source(at) => {
            let path = sources.display_path(at.file);
            match at.column {
                0 => format!("{path}:{}", at.line),
                column => format!("{path}:{}:{column}", at.line),
            }
        }
        Place::Instruction(at) => {
            let within = format!("function `{}`, instruction {}", at.function, at.ordinal);
            match at.file {
                Some(file) => format!("{}: {within}", sources.display_path(file)),
                None => within,
            }
        }
    }
}

/// `(1)`, `(2)`, … where a finding has several labels; nothing where it has one.
fn number(finding: &Finding, index: usize) -> String {
    if finding.labels.len() > 1 { format!("({})", index + 1) } else { String::new() }
}

/// Text of unknown origin with control characters made visible. Line breaks stay.
pub fn clean(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(annotate_snippets::normalize_untrusted_str).collect();
    lines.join("\n")
}
