//! Tokens of the textual form, each with its line and column (in characters, from one).

use std::fmt;

use super::cursor::Cursor;

/// Why a text is not a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from one.
    pub line: u32,
    /// Column in characters, from one.
    pub column: u32,
    /// What was expected there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { line, column, expected, found } = self;
        write!(f, "{line}:{column}: expected {expected}, found {found}")
    }
}

impl std::error::Error for ParseError {}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A letter, then letters, digits, `_`, `.` and `$`.
    Word(String),
    /// `%` and a word or number; without the `%`.
    Value(String),
    /// `@` and a word; without the `@`.
    Mark(String),
    /// A number, decimal or `0x`, and whether a minus stands before it.
    Number { negative: bool, magnitude: u128 },
    /// A string without its quotes, unescaped.
    Text(String),
    /// One of `[ ] { } ( ) , : = ? +`.
    Sign(char),
    /// The end of the text.
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Value(name) => write!(f, "`%{name}`"),
            Token::Mark(name) => write!(f, "`@{name}`"),
            Token::Number { negative: true, magnitude } => write!(f, "`-{magnitude}`"),
            Token::Number { negative: false, magnitude } => write!(f, "`{magnitude}`"),
            Token::Text(text) => f.write_str(&super::quoted(text)),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) line: u32,
    pub(super) column: u32,
}

pub(super) fn continues_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut lexer = Lexer { at: Cursor::new(text) };
    let mut out = Vec::new();
    loop {
        lexer.skip_blank();
        let (line, column) = lexer.at.place();
        let token = lexer.token().map_err(|(expected, found)| ParseError {
            line,
            column,
            expected,
            found,
        })?;
        let at_end = token == Token::End;
        out.push(Placed { token, line, column });
        if at_end {
            return Ok(out);
        }
    }
}

struct Lexer<'t> {
    at: Cursor<'t>,
}

type Fault = (String, String);

impl Lexer<'_> {
    fn skip_blank(&mut self) {
        while let Some(c) = self.at.peek() {
            if c == ';' {
                self.at.next_while(|c| c != '\n');
            } else if c.is_whitespace() {
                self.at.next();
            } else {
                return;
            }
        }
    }

    fn token(&mut self) -> Result<Token, Fault> {
        let Some(c) = self.at.peek() else { return Ok(Token::End) };
        match c {
            '%' | '@' => {
                self.at.next();
                let name = self.word();
                if name.is_empty() {
                    return Err((format!("a name after `{c}`"), "none".to_owned()));
                }
                Ok(if c == '%' { Token::Value(name) } else { Token::Mark(name) })
            }
            '"' => self.text(),
            '-' => {
                self.at.next();
                self.number(true)
            }
            '0'..='9' => self.number(false),
            'a'..='z' | 'A'..='Z' | '_' => Ok(Token::Word(self.word())),
            '[' | ']' | '{' | '}' | '(' | ')' | ',' | ':' | '=' | '?' | '+' => {
                self.at.next();
                Ok(Token::Sign(c))
            }
            other => {
                let found = format!("`{}`", super::escaped(&other.to_string()));
                Err(("a word, a number, a string or a sign".to_owned(), found))
            }
        }
    }

    fn word(&mut self) -> String {
        self.at.next_while(continues_word)
    }

    fn number(&mut self, negative: bool) -> Result<Token, Fault> {
        let digits = self.word();
        let parsed = match digits.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        match parsed {
            Ok(magnitude) => Ok(Token::Number { negative, magnitude }),
            Err(_) => Err(("a number of at most 128 bits".to_owned(), format!("`{digits}`"))),
        }
    }

    fn text(&mut self) -> Result<Token, Fault> {
        self.at.next();
        let mut out = String::new();
        loop {
            match self.at.next() {
                Some('"') => return Ok(Token::Text(out)),
                Some('\\') => out.push(self.escape()?),
                Some('\n') | None => {
                    return Err((
                        "a string that ends on its line".to_owned(),
                        "no closing `\"`".to_owned(),
                    ));
                }
                Some(c) => out.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let fault = || {
            let expected = r#"`\"`, `\\`, `\n` or `\u{..}` in a string"#;
            (expected.to_owned(), "another escape".to_owned())
        };
        match self.at.next() {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('n') => Ok('\n'),
            Some('u') if self.at.next() == Some('{') => {
                let digits = self.word();
                let closed = self.at.next() == Some('}');
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                code.filter(|_| closed).ok_or_else(fault)
            }
            Some(_) | None => Err(fault()),
        }
    }
}
