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
    visible(lines.join("\n"))
}

/// The same as one line: a name may hold a line break, after which anything could follow.
pub fn one_line(text: &str) -> String {
    clean(text).replace('\n', " ")
}

/// Rendered text with those control characters made visible that are left in it: beside a
/// terminal's colours there are none, but for those of ISO 6429 (U+009B begins a command as ESC [
/// does), and other line breaks.
pub(crate) fn visible(text: String) -> String {
    if !text.contains(is_odd) {
        return text;
    }
    text.replace('\u{7f}', "\u{2421}").replace(is_odd, "\u{fffd}")
}

/// JSON with the same characters, and those that turn the direction of text, as escapes: the values
/// stay, and a terminal shows them.
pub(crate) fn escaped(json: String) -> String {
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_escaped = |c: char| is_odd(c) || turns(c);
    if !json.contains(is_escaped) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match is_escaped(c) {
            true => out += &format!("\\u{:04x}", u32::from(c)),
            false => out.push(c),
        }
    }
    out
}

/// Control characters beyond ASCII's first 32, and Unicode's own line breaks.
fn is_odd(c: char) -> bool {
    matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}')
}
