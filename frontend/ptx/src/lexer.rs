//! From a template, or a file of PTX, to tokens.
//!
//! Of a template it does LLVM's part (`$n`, `${n:x}`, `$$`, `${:uid}`) and PTX's (words, comments)
//! in one pass, so that each token keeps its column. In a file `$` is a letter. A word takes its
//! dots and double colons along: `cp.async.bulk.shared::cluster`.

use super::error::AsmErrorKind;

/// A token and its column, from 1; in a file, the character counted from its start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Where it begins.
    pub column: usize,
    /// What it is.
    pub kind: TokenKind,
}

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An opcode, a directive, a name or a number.
    Word(String),
    /// `$n`.
    Asm(usize),
    /// A string, without its quotes.
    Text(String),
    /// One of `{}[](),;:@!|+-<>=`.
    Mark(char),
}

/// Where and what is wrong.
pub type Fault = (usize, AsmErrorKind);

/// Splits a template.
pub(crate) fn lex(template: &str) -> Result<Vec<Token>, Fault> {
    tokens(template, false)
}

/// Splits a file.
pub fn lex_file(text: &str) -> Result<Vec<Token>, Fault> {
    tokens(text, true)
}

fn tokens(text: &str, file: bool) -> Result<Vec<Token>, Fault> {
    let mut lexer = Lexer { chars: text.chars().collect(), at: 0, file };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.token()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    /// No operands of LLVM's are in it.
    file: bool,
}

impl Lexer {
    fn is_word(&self, c: char) -> bool {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '%' | '.') || (self.file && c == '$')
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn token(&mut self) -> Result<Option<Token>, Fault> {
        self.skip_blank()?;
        let column = self.at + 1;
        let Some(c) = self.peek(0) else { return Ok(None) };
        let kind = if self.is_word(c) || (c == '$' && self.starts_word()) {
            self.word()?
        } else if c == '$' {
            let n = self.placeholder()?;
            if self.word_continues() {
                return Err((column, AsmErrorKind::PlaceholderInWord));
            }
            TokenKind::Asm(n)
        } else if c == '"' {
            self.at += 1;
            self.skip_past(&['"'], column, "string")?;
            TokenKind::Text(self.chars[column..self.at - 1].iter().collect())
        } else if "{}[](),;:@!|+-<>=".contains(c) {
            self.at += 1;
            TokenKind::Mark(c)
        } else {
            return Err((column, AsmErrorKind::UnexpectedCharacter(c)));
        };
        Ok(Some(Token { column, kind }))
    }

    /// Skips spaces, line ends, line continuations and comments.
    fn skip_blank(&mut self) -> Result<(), Fault> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('\\'), Some('\n')) => self.at += 2,
                (Some('\\'), Some('\r')) if self.peek(2) == Some('\n') => self.at += 3,
                (Some('/'), Some('/')) => {
                    while self.peek(0).is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                (Some('/'), Some('*')) => {
                    let column = self.at + 1;
                    self.at += 2;
                    self.skip_past(&['*', '/'], column, "comment")?;
                }
                (Some(c), _) if c.is_ascii_whitespace() || c == '\0' => self.at += 1,
                (Some(_) | None, _) => return Ok(()),
            }
        }
    }

    fn skip_past(&mut self, end: &[char], column: usize, what: &'static str) -> Result<(), Fault> {
        while self.at < self.chars.len() {
            if self.chars[self.at..].starts_with(end) {
                self.at += end.len();
                return Ok(());
            }
            self.at += 1;
        }
        Err((column, AsmErrorKind::Unterminated(what)))
    }

    /// At a `$`: whether it stands for text of a word, `$$` or `${:uid}`.
    fn starts_word(&self) -> bool {
        self.peek(1) == Some('$') || (self.peek(1) == Some('{') && self.peek(2) == Some(':'))
    }

    fn word_continues(&self) -> bool {
        match self.peek(0) {
            Some('$') => true,
            Some(c) => self.is_word(c),
            None => false,
        }
    }

    fn word(&mut self) -> Result<TokenKind, Fault> {
        let start = self.at + 1;
        let mut word = String::new();
        while let Some(c) = self.peek(0) {
            if self.is_word(c) {
                word.push(c);
                self.at += 1;
            } else if c == ':' && self.peek(1) == Some(':') {
                word.push_str("::");
                self.at += 2;
            } else if c == '$' && self.peek(1) == Some('$') {
                word.push('$');
                self.at += 2;
            } else if c == '$' && self.starts_word() {
                // `${:uid}` is a number that makes names unique: any fixed text will do within one
                // template.
                let column = self.at + 1;
                let text: String = self.chars[self.at..].iter().take("${:uid}".len()).collect();
                match text.as_str() {
                    "${:uid}" => word.push_str("$uid"),
                    _ => return Err((column, AsmErrorKind::BadPlaceholder)),
                }
                self.at += "${:uid}".len();
            } else if c == '$' {
                return Err((start, AsmErrorKind::PlaceholderInWord));
            } else {
                break;
            }
        }
        Ok(TokenKind::Word(word))
    }

    /// `$n`, `${n}` or `${n:x}`; the modifier only changes how the operand is printed.
    fn placeholder(&mut self) -> Result<usize, Fault> {
        let column = self.at + 1;
        self.at += 1;
        let braced = self.peek(0) == Some('{');
        self.at += usize::from(braced);
        let mut digits = String::new();
        while let Some(c) = self.peek(0).filter(char::is_ascii_digit) {
            digits.push(c);
            self.at += 1;
        }
        let n = digits.parse().map_err(|_| (column, AsmErrorKind::BadPlaceholder))?;
        if braced {
            if self.peek(0) == Some(':') {
                self.at += 1;
                while self.peek(0).is_some_and(|c| c.is_ascii_alphabetic()) {
                    self.at += 1;
                }
            }
            if self.peek(0) != Some('}') {
                return Err((column, AsmErrorKind::Unterminated("`${`")));
            }
            self.at += 1;
        }
        Ok(n)
    }
}
