//! The textual form of a kernel: [`print_kernel`] and [`parse_kernel`].
//!
//! **Promises.** For a kernel that the verifier accepts, parsing the text gives the kernel that
//! [`renumber`](crate::renumber()) gives, and printing that gives the same text. Nothing is lost
//! but numbers, and expressions and origins that nothing refers to. Any text at all either parses
//! or is refused with a line, a column and what was expected there.
//!
//! **Form.** A header (name, target, launch bounds, parameters, objects), the tree, a table of
//! source places. Expressions are function terms, `add.nsw(%i.3, 1)`. What is used twice, is named
//! in the source, or is long is bound to `%n` at the first place where it is needed, in the region
//! it belongs to. A constant says its width, `1:i32`, where its surroundings do not. `%row.7` is
//! value 7, which the source calls `row`. From `;` to the end of the line is a comment.
//! `docs/ir.md` has the grammar and an example.
//!
//! **Does not** check meaning: a kernel with wrong widths or scopes parses if it can be written,
//! and the verifier refuses it.

mod bind;
mod cursor;
mod lex;
mod parse;
mod parse_expr;
mod parse_header;
mod parse_op;
mod print;
mod print_expr;
mod print_header;
mod print_op;
mod source;

pub(crate) use cursor::Cursor;
pub use lex::ParseError;
pub use parse::{parse_kernel, parse_kernels};
pub(crate) use parse_header::{initial_from_text, kind_from_text, shape_from_text};
pub use print::print_kernel;
pub use print_expr::show_expr;
pub(crate) use print_header::{initial_text, shape_text};
pub(crate) use print_op::show_op;

use crate::expr::Special;

/// Nested terms, layouts and loops deeper than this are refused by the parser.
const MAX_DEPTH: u32 = 200;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Adds a line at a depth.
pub(crate) fn push_line(out: &mut String, indent: usize, text: &str) {
    out.extend(std::iter::repeat_n("  ", indent));
    out.push_str(text);
    out.push('\n');
}

/// Whether a name can stand without quotes.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(lex::continues_word)
}

/// A name as it stands in the text.
fn quoted_unless_word(name: &str) -> String {
    if is_word(name) { name.to_owned() } else { quoted(name) }
}

/// A string as it stands in the text, on one line whatever is in it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// The spelling of a special; an axis that does not exist is spelt by its number and does not
/// parse.
pub(crate) fn special_name(special: Special) -> String {
    let (name, axis) = match special {
        Special::Tid(axis) => ("tid", axis),
        Special::Ctaid(axis) => ("ctaid", axis),
        Special::Ntid(axis) => ("ntid", axis),
        Special::Nctaid(axis) => ("nctaid", axis),
        Special::GlobalOffset(axis) => ("global_offset", axis),
        Special::LaneId => return "lane".to_owned(),
        Special::WarpId => return "warp".to_owned(),
        Special::ClusterCtaRank => return "cluster_rank".to_owned(),
        Special::ClusterNctaRank => return "cluster_size".to_owned(),
        Special::DynamicSharedSize => return "dynamic_shared_size".to_owned(),
    };
    match AXES.get(usize::from(axis)) {
        Some(letter) => format!("{name}.{letter}"),
        None => format!("{name}.{axis}"),
    }
}

pub(crate) fn special_from_name(text: &str) -> Option<Special> {
    match text {
        "lane" => return Some(Special::LaneId),
        "warp" => return Some(Special::WarpId),
        "cluster_rank" => return Some(Special::ClusterCtaRank),
        "cluster_size" => return Some(Special::ClusterNctaRank),
        "dynamic_shared_size" => return Some(Special::DynamicSharedSize),
        _ => {}
    }
    let (name, letter) = text.split_once('.')?;
    let axis = AXES.iter().position(|it| *it == letter)? as u8;
    match name {
        "tid" => Some(Special::Tid(axis)),
        "ctaid" => Some(Special::Ctaid(axis)),
        "ntid" => Some(Special::Ntid(axis)),
        "nctaid" => Some(Special::Nctaid(axis)),
        "global_offset" => Some(Special::GlobalOffset(axis)),
        _ => None,
    }
}
