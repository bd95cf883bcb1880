//! Words of MLIR's generic form: tokens, each with its line and column (in characters, from one),
//! and strings as they are written.

use std::fmt::Write;

use crate::text::{Cursor, ParseError};

/// `"text"` with MLIR's escapes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => _ = write!(out, "\\{}", char::from(byte)),
            0x20..0x7f => out.push(char::from(byte)),
            _ => _ = write!(out, "\\{byte:02X}"),
        }
    }
    out.push('"');
    out
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A letter or `_`, then letters, digits, `_`, `.` and `$`.
    Word(String),
    /// `%0`, `%arg1`, `%2#1`; without the `%`.
    Value(String),
    /// `^bb0`; without the `^`.
    Block(String),
    /// `#loc3`; without the `#`.
    Alias(String),
    /// `!heddle.object`; without the `!`.
    Type(String),
    /// A string without its quotes and escapes.
    Text(String),
    /// A number in decimal digits.
    Number { negative: bool, magnitude: u128 },
    /// `->`.
    Arrow,
    /// One of `( ) [ ] { } < > , : =`.
    Sign(char),
    /// The end of the text.
    End,
}

impl Token {
    /// For messages.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Word(it) => format!("`{it}`"),
            Token::Value(it) => format!("`%{it}`"),
            Token::Block(it) => format!("`^{it}`"),
            Token::Alias(it) => format!("`#{it}`"),
            Token::Type(it) => format!("`!{it}`"),
            Token::Text(it) => format!("{it:?}"),
            Token::Number { negative, magnitude } => {
                format!("`{}{magnitude}`", if *negative { "-" } else { "" })
            }
            Token::Arrow => "`->`".to_owned(),
            Token::Sign(it) => format!("`{it}`"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// All tokens, the last of which is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut lexer = Lexer { at: Cursor::new(text) };
    let mut out = Vec::new();
    loop {
        lexer.skip_blank();
        let (line, column) = lexer.at.place();
        let token = lexer.token().map_err(|expected| ParseError {
            line,
            column,
            expected: expected.to_owned(),
            found: "something else".to_owned(),
        })?;
        let is_last = token == Token::End;
        out.push(Placed { token, line, column });
        if is_last {
            return Ok(out);
        }
    }
}

fn continues_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

struct Lexer<'t> {
    at: Cursor<'t>,
}

impl Lexer<'_> {
    /// White space and comments, `// …`.
    fn skip_blank(&mut self) {
        loop {
            self.at.next_while(char::is_whitespace);
            let mut ahead = self.at.clone();
            if (ahead.next(), ahead.next()) != (Some('/'), Some('/')) {
                return;
            }
            self.at.next_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token, &'static str> {
        let Some(first) = self.at.peek() else { return Ok(Token::End) };
        match first {
            'a'..='z' | 'A'..='Z' | '_' => Ok(Token::Word(self.word(continues_word))),
            '0'..='9' => Ok(Token::Number { negative: false, magnitude: self.magnitude()? }),
            '"' => self.text(),
            '-' => {
                self.at.next();
                if self.at.peek() == Some('>') {
                    self.at.next();
                    return Ok(Token::Arrow);
                }
                Ok(Token::Number { negative: true, magnitude: self.magnitude()? })
            }
            '%' => self.named(|c| continues_word(c) || c == '#', Token::Value),
            '^' => self.named(continues_word, Token::Block),
            '#' => self.named(continues_word, Token::Alias),
            '!' => self.named(continues_word, Token::Type),
            '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | ':' | '=' => {
                self.at.next();
                Ok(Token::Sign(first))
            }
            _ => Err("MLIR's generic form"),
        }
    }

    fn named(
        &mut self,
        continues: impl Fn(char) -> bool,
        token: impl FnOnce(String) -> Token,
    ) -> Result<Token, &'static str> {
        self.at.next();
        let name = self.word(continues);
        if name.is_empty() { Err("a name") } else { Ok(token(name)) }
    }

    fn word(&mut self, continues: impl Fn(char) -> bool) -> String {
        self.at.next_while(continues)
    }

    fn magnitude(&mut self) -> Result<u128, &'static str> {
        self.word(|c| c.is_ascii_digit()).parse().map_err(|_| "a number of at most 128 bits")
    }

    /// `\"`, `\\`, and two hexadecimal digits for any byte.
    fn text(&mut self) -> Result<Token, &'static str> {
        self.at.next();
        let mut bytes = Vec::new();
        loop {
            match self.at.next() {
                Some('"') => break,
                Some('\\') => match self.at.next() {
                    Some(c @ ('"' | '\\')) => bytes.push(c as u8),
                    Some('n') => bytes.push(b'\n'),
                    Some('t') => bytes.push(b'\t'),
                    high => {
                        let digit = |c: Option<char>| c.and_then(|c| c.to_digit(16));
                        let (Some(high), Some(low)) = (digit(high), digit(self.at.next())) else {
                            return Err("a string whose escapes are two hexadecimal digits");
                        };
                        bytes.push((high << 4 | low) as u8);
                    }
                },
                Some(c) if c != '\n' => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
                _ => return Err("a string that ends on its line"),
            }
        }
        String::from_utf8(bytes).map(Token::Text).map_err(|_| "a string in UTF-8")
    }
}
