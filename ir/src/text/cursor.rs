//! The characters of a text, each with its line and column (in characters, from one), for whoever
//! reads tokens: those of the textual form and those of MLIR.
//!
//! **Does not**: know tokens or comments.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone)]
pub(crate) struct Cursor<'t> {
    rest: Peekable<Chars<'t>>,
    line: u32,
    column: u32,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { rest: text.chars().peekable(), line: 1, column: 1 }
    }

    /// The line and the column of the next character.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.line, self.column)
    }

    pub(crate) fn peek(&mut self) -> Option<char> {
        self.rest.peek().copied()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    /// The characters up to the first for which `goes_on` does not hold.
    pub(crate) fn next_while(&mut self, goes_on: impl Fn(char) -> bool) -> String {
        let mut out = String::new();
        while let Some(c) = self.peek().filter(|c| goes_on(*c)) {
            out.push(c);
            self.next();
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters() {
        let mut cursor = Cursor::new("äb\nc");
        assert_eq!(cursor.next_while(char::is_alphabetic), "äb");
        assert_eq!(cursor.place(), (1, 3));
        assert_eq!((cursor.next(), cursor.place()), (Some('\n'), (2, 1)));
        assert_eq!((cursor.next(), cursor.peek(), cursor.next()), (Some('c'), None, None));
        assert_eq!(cursor.place(), (2, 2));
    }
}
