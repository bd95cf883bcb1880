//! Excerpts: the lines of a file around some points, and which columns to underline.
//!
//! Debug info names a point. What is underlined is the postfix expression that starts there (`s[i +
//! 1]`, `p->next`, `f(x)`), else the operator, else one character. A lexical guess, used for
//! display only.
//!
//! **Does not**: parse; brackets inside string literals may end an underline early.

use std::ops::Range;

use crate::span::Location;

/// Some consecutive lines of a file.
pub(super) struct Excerpt<'a> {
    /// The lines, with their line breaks.
    pub(super) text: &'a str,
    /// The number of the first one.
    pub(super) first_line: usize,
}

impl<'a> Excerpt<'a> {
    /// The lines of `text` that hold all `points`; `None` if some line is not there, as when the
    /// file changed since it was compiled.
    pub(super) fn around<'p>(
        text: &'a str,
        points: impl Iterator<Item = &'p Location> + Clone,
    ) -> Option<Excerpt<'a>> {
        let lines = || points.clone().map(|point| point.line as usize);
        let (first, last) = (lines().min()?, lines().max()?);
        let mut start = None;
        let mut offset = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if index + 1 == first {
                start = Some(offset);
            }
            offset += line.len();
            if index + 1 == last {
                return Some(Excerpt { text: &text[start?..offset], first_line: first });
            }
        }
        None
    }

    /// The bytes of the excerpt to underline for a point in it.
    pub(super) fn span(&self, point: &Location) -> Range<usize> {
        let mut start = 0;
        for (index, line) in self.text.split_inclusive('\n').enumerate() {
            if index + self.first_line == point.line as usize {
                let span = underline(line.trim_end_matches(['\n', '\r']), point.column as usize);
                return start + span.start..start + span.end;
            }
            start += line.len();
        }
        0..0
    }
}

/// The bytes of `line` that stand for the point at `column` (1-based; 0 for the whole line).
pub(super) fn underline(line: &str, column: usize) -> Range<usize> {
    let indent = line.len() - line.trim_start().len();
    let whole = indent..line.trim_end().len().max(indent);
    let Some(start) = column.checked_sub(1) else { return whole };
    match line.get(start..) {
        Some(rest) if !rest.trim().is_empty() => start..start + expression(rest),
        Some(_) | None => whole,
    }
}

/// The length of the postfix expression, operator or character that `text` starts with.
fn expression(text: &str) -> usize {
    let word = word(text);
    if word == 0 {
        let operator = text.find(|c: char| !"+-*/%&|^<>=!~?:".contains(c)).unwrap_or(text.len());
        return operator.max(text.chars().next().map_or(0, char::len_utf8));
    }
    let mut length = word;
    loop {
        let rest = &text[length..];
        // `if (x)` is wanted with its condition: one blank before a bracket is let pass.
        let blank = usize::from(length == word && rest.starts_with(" ("));
        let part = match &rest[blank..] {
            rest if rest.starts_with(['[', '(']) => bracketed(rest).map(|length| blank + length),
            rest if rest.starts_with("->") || rest.starts_with("::") => member(rest, 2),
            rest if rest.starts_with('.') => member(rest, 1),
            _ => None,
        };
        match part {
            Some(part) => length += part,
            None => return length,
        }
    }
}

fn member(text: &str, separator: usize) -> Option<usize> {
    match word(&text[separator..]) {
        0 => None,
        word => Some(separator + word),
    }
}

fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// The length of the bracket that `text` starts with, to its partner; `None` if that is not on the
/// line.
fn bracketed(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, column: usize, expected: &str) {
        assert_eq!(&line[underline(line, column)], expected, "`{line}` at column {column}");
    }

    #[test]
    fn the_expression_at_a_point_is_underlined() {
        check("  out[i] = s[threadIdx.x ^ 1];", 12, "s[threadIdx.x ^ 1]");
        check("  out[i] = s[threadIdx.x ^ 1];", 10, "=");
        check("  p->next.v[f(1)] += 2;", 3, "p->next.v[f(1)]");
        check("  p->next.v[f(1)] += 2;", 19, "+=");
        check("  if (a[0] > 1) {", 3, "if (a[0] > 1)");
        check("  x = a (", 7, "a");
        check("  x[", 3, "x");
        check("  café[0] = 1;", 3, "café[0]");
    }

    #[test]
    fn a_point_that_is_not_there_underlines_the_line() {
        check("  bar.sync 0;", 0, "bar.sync 0;");
        check("  x;", 77, "x;");
        check("  é", 4, "é");
        check("", 3, "");
        check("   ", 2, "");
    }

    #[test]
    fn an_excerpt_ends_with_the_last_point() {
        let map = crate::SourceMap::new("/");
        let file = map.add_text("a", "");
        let at = |line| Location::new(file, line, 1);
        let excerpt = |lines: &[Location]| {
            Excerpt::around("a\r\nb\nc", lines.iter()).map(|it| (it.text, it.first_line))
        };
        assert_eq!(excerpt(&[at(2), at(1)]), Some(("a\r\nb\n", 1)));
        assert_eq!(excerpt(&[at(3)]), Some(("c", 3)));
        assert_eq!(excerpt(&[at(2), at(4)]), None);
    }
}
