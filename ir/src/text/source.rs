//! The tokens of a text, read one after the other.
//!
//! **Promises**: what is not as asked is an error at the token where it is found, and changes
//! nothing but how far the text is read. **Does not**: know what a kernel is made of; the parsers
//! of header, tree, operations and terms do.

use super::MAX_DEPTH;
use super::lex::{ParseError, Placed, Token, tokens};

/// The tokens, and the place that is read next.
pub(super) struct Source {
    tokens: Vec<Placed>,
    at: usize,
    depth: u32,
}

impl Source {
    pub(super) fn new(text: &str) -> Result<Source, ParseError> {
        Ok(Source { tokens: tokens(text)?, at: 0, depth: 0 })
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    pub(super) fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].token
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].token.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn expected(&self, what: impl Into<String>) -> ParseError {
        self.expected_at(self.at, what)
    }

    /// The same about an earlier token, by its position.
    pub(super) fn expected_at(&self, at: usize, what: impl Into<String>) -> ParseError {
        let Placed { token, line, column } = &self.tokens[at];
        ParseError { line: *line, column: *column, expected: what.into(), found: token.to_string() }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn sign(&mut self, sign: char) -> Result<(), ParseError> {
        match self.take_sign(sign) {
            true => Ok(()),
            false => Err(self.expected(format!("`{sign}`"))),
        }
    }

    pub(super) fn take_sign(&mut self, sign: char) -> bool {
        let there = *self.peek() == Token::Sign(sign);
        if there {
            self.advance();
        }
        there
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let there = matches!(self.peek(), Token::Word(it) if it == word);
        if there {
            self.advance();
        }
        there
    }

    pub(super) fn keyword(&mut self, word: &str) -> Result<(), ParseError> {
        match self.take_word(word) {
            true => Ok(()),
            false => Err(self.expected(format!("`{word}`"))),
        }
    }

    /// A word or a string.
    pub(super) fn name(&mut self, what: &str) -> Result<String, ParseError> {
        match self.peek() {
            Token::Word(name) | Token::Text(name) => {
                let name = name.clone();
                self.advance();
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub(super) fn number(&mut self, what: &str, most: u128) -> Result<u128, ParseError> {
        match *self.peek() {
            Token::Number { negative: false, magnitude } if magnitude <= most => {
                self.advance();
                Ok(magnitude)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub(super) fn number_u32(&mut self, what: &str) -> Result<u32, ParseError> {
        Ok(self.number(what, u128::from(u32::MAX))? as u32)
    }

    pub(super) fn number_u64(&mut self, what: &str) -> Result<u64, ParseError> {
        Ok(self.number(what, u128::from(u64::MAX))? as u64)
    }

    /// `i32`, or another width from 1 to 128.
    pub(super) fn width(&mut self) -> Result<u8, ParseError> {
        let width = match self.peek() {
            Token::Word(word) => width_of(word),
            _ => None,
        };
        match width {
            Some(width) => {
                self.advance();
                Ok(width)
            }
            None => Err(self.expected("a width, `i1` to `i128`")),
        }
    }

    /// Runs `inner` one level deeper, if that is not too deep.
    pub(super) fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Source) -> Result<T, ParseError>,
    ) -> Result<T, ParseError> {
        self.enter()?;
        let result = inner(self);
        self.leave();
        result
    }

    pub(super) fn enter(&mut self) -> Result<(), ParseError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.expected(format!("no more than {MAX_DEPTH} levels of nesting")));
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// The bits `i32` stands for.
pub(super) fn width_of(word: &str) -> Option<u8> {
    let digits = word.strip_prefix('i').filter(|it| !it.starts_with('0'))?;
    digits.parse().ok().filter(|width| (1..=128).contains(width))
}
