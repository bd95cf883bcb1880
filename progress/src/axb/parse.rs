//! Reads the text form of a test.
//!
//! ```text
//! // Thread 0 waits for thread 1.              comments run from `//` or `#` to the end of line
//! test wait                                    optional, before the threads
//! locations x y                                optional; else locations are as first used
//! thread 0                                     threads come in order, from 0
//!   again: load x, if 0 goto again             a label, then an instruction
//!   exch y = 1, if 1 goto end                  `end` is the end of the thread
//! thread 1
//!   store x = 1                                an exchange that does not branch
//! ```
//!
//! Values are 0 to 255. A label belongs to its thread and may be used before it is defined.
//! A branch to the next instruction reads as no branch. Errors carry the line and the column,
//! both from 1, the column in characters.

use std::fmt;

use super::{Branch, Instruction, Test};
use crate::threads::ThreadSet;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, with what was expected.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads a test.
///
/// # Errors
/// The first place where the text is not a test.
pub fn parse(text: &str) -> Result<Test, ParseError> {
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        reader.line(Cursor::new(line, number + 1))?;
    }
    reader.finish(text.lines().count().max(1))
}

/// A word or a sign of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Token<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Token<'_> {
    fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

/// The tokens of a line that are still to come.
struct Cursor<'a> {
    tokens: std::vec::IntoIter<Token<'a>>,
    end: Token<'a>,
}

impl<'a> Cursor<'a> {
    fn new(whole: &'a str, line: usize) -> Self {
        let comment = whole.find("//").into_iter().chain(whole.find('#')).min();
        let code = &whole[..comment.unwrap_or(whole.len())];
        let mut tokens = Vec::new();
        let mut rest = code.char_indices().enumerate().peekable();
        while let Some((column, (start, first))) = rest.next() {
            if first.is_whitespace() {
                continue;
            }
            let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '-';
            let mut end = start + first.len_utf8();
            while word(first) && rest.peek().is_some_and(|(_, (_, c))| word(*c)) {
                let (_, (at, c)) = rest.next().expect("peeked");
                end = at + c.len_utf8();
            }
            tokens.push(Token { text: &code[start..end], line, column: column + 1 });
        }
        let end = Token { text: "", line, column: code.trim_end().chars().count() + 1 };
        Self { tokens: tokens.into_iter(), end }
    }

    fn peek(&self) -> Token<'a> {
        self.tokens.as_slice().first().copied().unwrap_or(self.end)
    }

    fn peek_second(&self) -> Token<'a> {
        self.tokens.as_slice().get(1).copied().unwrap_or(self.end)
    }

    fn next(&mut self) -> Token<'a> {
        self.tokens.next().unwrap_or(self.end)
    }

    fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        let token = self.next();
        if token.text == text { Ok(()) } else { Err(token.error(expected(text, token.text))) }
    }

    fn name(&mut self, what: &str) -> Result<Token<'a>, ParseError> {
        let token = self.next();
        let starts_as_name = |c: char| c.is_alphabetic() || c == '_';
        if token.text.starts_with(starts_as_name) {
            Ok(token)
        } else {
            Err(token.error(format!("expected {what}, found {}", found(token.text))))
        }
    }

    fn value(&mut self) -> Result<u8, ParseError> {
        let token = self.next();
        token.text.parse().map_err(|_| {
            token.error(format!("expected a value from 0 to 255, found {}", found(token.text)))
        })
    }

    fn finish(&mut self) -> Result<(), ParseError> {
        let token = self.peek();
        if token.text.is_empty() {
            return Ok(());
        }
        Err(token.error(format!("expected the end of the line, found `{}`", token.text)))
    }
}

fn found(text: &str) -> String {
    if text.is_empty() { "the end of the line".to_owned() } else { format!("`{text}`") }
}

fn expected(what: &str, text: &str) -> String {
    format!("expected `{what}`, found {}", found(text))
}

/// An instruction whose target is still a name.
struct Pending<'a> {
    location: u8,
    exchange: Option<u8>,
    branch: Option<(u8, Token<'a>)>,
}

/// A thread whose labels are still to be resolved.
struct PendingThread<'a> {
    head: Token<'a>,
    code: Vec<Pending<'a>>,
    labels: Vec<(Token<'a>, u8)>,
}

#[derive(Default)]
struct Reader<'a> {
    name: Option<String>,
    locations: Vec<String>,
    declared: bool,
    threads: Vec<PendingThread<'a>>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, mut cursor: Cursor<'a>) -> Result<(), ParseError> {
        let head = cursor.peek();
        let labelled = cursor.peek_second().text == ":";
        match head.text {
            "" => Ok(()),
            "test" if !labelled => self.test_line(&mut cursor),
            "locations" if !labelled => self.locations_line(&mut cursor),
            "thread" if !labelled => self.thread_line(&mut cursor),
            _ => self.instruction_line(&mut cursor),
        }?;
        cursor.finish()
    }

    fn test_line(&mut self, cursor: &mut Cursor<'a>) -> Result<(), ParseError> {
        let head = cursor.next();
        if self.name.is_some() || !self.threads.is_empty() {
            return Err(head.error("`test` comes once, before the first thread"));
        }
        let name = cursor.next();
        if name.text.is_empty() {
            return Err(name.error("expected a name for the test"));
        }
        self.name = Some(name.text.to_owned());
        Ok(())
    }

    fn locations_line(&mut self, cursor: &mut Cursor<'a>) -> Result<(), ParseError> {
        let head = cursor.next();
        if self.declared || !self.threads.is_empty() {
            return Err(head.error("`locations` comes once, before the first thread"));
        }
        self.declared = true;
        while !cursor.peek().text.is_empty() {
            let name = cursor.name("a location")?;
            if self.locations.iter().any(|known| known == name.text) {
                return Err(name.error(format!("location `{}` is declared twice", name.text)));
            }
            self.locations.push(name.text.to_owned());
        }
        Ok(())
    }

    fn thread_line(&mut self, cursor: &mut Cursor<'a>) -> Result<(), ParseError> {
        let head = cursor.next();
        self.check_last_thread()?;
        let number = cursor.peek();
        if !number.text.is_empty() {
            cursor.next();
            if number.text.parse() != Ok(self.threads.len()) {
                let expected = self.threads.len();
                let text = number.text;
                return Err(number.error(format!("expected thread {expected}, found `{text}`")));
            }
        }
        if self.threads.len() == ThreadSet::CAPACITY {
            return Err(head.error(format!("more than {} threads", ThreadSet::CAPACITY)));
        }
        self.threads.push(PendingThread { head, code: vec![], labels: vec![] });
        Ok(())
    }

    fn check_last_thread(&self) -> Result<(), ParseError> {
        match self.threads.last() {
            Some(thread) if thread.code.is_empty() => {
                Err(thread.head.error("this thread has no instructions"))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn instruction_line(&mut self, cursor: &mut Cursor<'a>) -> Result<(), ParseError> {
        let Some(thread) = self.threads.last_mut() else {
            let token = cursor.peek();
            return Err(token.error(format!(
                "expected `test`, `locations` or `thread`, found `{}`",
                token.text
            )));
        };
        let position = thread.code.len() as u8;
        while cursor.peek_second().text == ":" {
            let label = cursor.name("a label")?;
            cursor.expect(":")?;
            if label.text == "end" {
                return Err(label.error("`end` names the end of each thread already"));
            }
            if thread.labels.iter().any(|(known, _)| known.text == label.text) {
                return Err(label.error(format!("label `{}` is defined twice", label.text)));
            }
            thread.labels.push((label, position));
        }
        if cursor.peek().text.is_empty() {
            // A label on a line of its own marks what comes next.
            return Ok(());
        }
        let pending = self.instruction(cursor)?;
        let thread = self.threads.last_mut().expect("checked above");
        if thread.code.len() == usize::from(u8::MAX) {
            return Err(cursor.end.error("more than 255 instructions in one thread"));
        }
        thread.code.push(pending);
        Ok(())
    }

    fn instruction(&mut self, cursor: &mut Cursor<'a>) -> Result<Pending<'a>, ParseError> {
        let keyword = cursor.next();
        let writes = match keyword.text {
            "store" | "exch" => true,
            "load" => false,
            text => {
                let message = format!("expected `load`, `store` or `exch`, found {}", found(text));
                return Err(keyword.error(message));
            }
        };
        let location = cursor.name("a location")?;
        let location = self.location(location)?;
        let mut exchange = None;
        if writes {
            cursor.expect("=")?;
            exchange = Some(cursor.value()?);
        }
        let mut branch = None;
        if cursor.peek().text == "," {
            let comma = cursor.next();
            if keyword.text == "store" {
                return Err(comma.error("a `store` does not branch; write `exch`"));
            }
            cursor.expect("if")?;
            let value = cursor.value()?;
            cursor.expect("goto")?;
            branch = Some((value, cursor.name("a label or `end`")?));
        }
        Ok(Pending { location, exchange, branch })
    }

    fn location(&mut self, name: Token<'a>) -> Result<u8, ParseError> {
        if let Some(position) = self.locations.iter().position(|known| known == name.text) {
            return Ok(position as u8);
        }
        if self.declared {
            return Err(name.error(format!("location `{}` is not declared", name.text)));
        }
        if self.locations.len() == usize::from(u8::MAX) {
            return Err(name.error("more than 255 locations"));
        }
        self.locations.push(name.text.to_owned());
        Ok((self.locations.len() - 1) as u8)
    }

    fn finish(self, last_line: usize) -> Result<Test, ParseError> {
        self.check_last_thread()?;
        if self.threads.is_empty() {
            let message = "expected at least one `thread`".to_owned();
            return Err(ParseError { line: last_line, column: 1, message });
        }
        let threads = self.threads.iter().map(PendingThread::resolve).collect::<Result<_, _>>()?;
        Ok(Test { name: self.name.unwrap_or_default(), locations: self.locations, threads })
    }
}

impl PendingThread<'_> {
    fn resolve(&self) -> Result<Vec<Instruction>, ParseError> {
        let length = self.code.len() as u8;
        let resolve_one = |(position, pending): (usize, &Pending<'_>)| {
            let Pending { location, exchange, branch } = *pending;
            let branch = match branch {
                None => None,
                Some((value, label)) => {
                    let target = self.target(label, length)?;
                    let next = position as u8 + 1;
                    (target != next).then_some(Branch { value, target })
                }
            };
            Ok(Instruction { location, exchange, branch })
        };
        self.code.iter().enumerate().map(resolve_one).collect()
    }

    fn target(&self, label: Token<'_>, length: u8) -> Result<u8, ParseError> {
        if label.text == "end" {
            return Ok(length);
        }
        let known = self.labels.iter().find(|(known, _)| known.text == label.text);
        known.map(|(_, position)| *position).ok_or_else(|| {
            label.error(format!("label `{}` is not defined in this thread", label.text))
        })
    }
}
