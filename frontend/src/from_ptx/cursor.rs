//! A place among tokens.

use super::Wrong;
use heddle_ptx::Operand;
use heddle_ptx::lexer::{Token, TokenKind};
use heddle_ptx::number;

/// Reads tokens one by one.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    /// Where the last of them ends.
    end: usize,
}

impl<'a> Cursor<'a> {
    /// At the first of them; `end` is the character after the last.
    pub(super) fn new(tokens: &'a [Token], end: usize) -> Cursor<'a> {
        Cursor { tokens, at: 0, end }
    }

    pub(super) fn peek(&self) -> Option<&'a TokenKind> {
        self.tokens.get(self.at).map(|it| &it.kind)
    }

    /// The next token, if it is a word.
    pub(super) fn peek_word(&self) -> Option<&'a str> {
        match self.peek() {
            Some(TokenKind::Word(word)) => Some(word),
            Some(TokenKind::Asm(_) | TokenKind::Text(_) | TokenKind::Mark(_)) | None => None,
        }
    }

    /// Where it stands, as a character of the text.
    pub(super) fn place(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |it| it.column)
    }

    pub(super) fn wrong<T>(&self, expected: &str) -> Result<T, Wrong> {
        Err((self.place(), format!("expected {expected}")))
    }

    pub(super) fn eat(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&TokenKind::Mark(mark));
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, mark: char) -> Result<(), Wrong> {
        if self.eat(mark) { Ok(()) } else { self.wrong(&format!("`{mark}`")) }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, Wrong> {
        match self.peek_word() {
            Some(word) => {
                self.at += 1;
                Ok(word)
            }
            None => self.wrong(what),
        }
    }

    /// A number, with its sign: an integer, or a float by its bits.
    pub(super) fn constant(&mut self) -> Result<Operand, Wrong> {
        let place = self.place();
        let negative = self.eat('-');
        let word = self.word("a number")?;
        number::parse(word, negative).ok_or_else(|| (place, format!("`{word}` is not a number")))
    }

    /// An integer that is not negative.
    pub(super) fn count(&mut self) -> Result<u64, Wrong> {
        let place = self.place();
        match self.constant()? {
            Operand::Int(value) => {
                u64::try_from(value).map_err(|_| (place, "this number is too large".to_owned()))
            }
            _ => Err((place, "expected a whole number".to_owned())),
        }
    }

    /// After an opening bracket: the place after the one that closes it.
    pub(super) fn skip_to_close(&mut self, open: char, close: char) -> Result<(), Wrong> {
        let start = self.tokens.get(self.at.saturating_sub(1)).map_or(self.end, |it| it.column);
        let mut depth = 1;
        while let Some(kind) = self.peek() {
            self.at += 1;
            if *kind == TokenKind::Mark(open) {
                depth += 1;
            } else if *kind == TokenKind::Mark(close) {
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            }
        }
        Err((start, format!("this `{open}` has no `{close}`")))
    }
}
