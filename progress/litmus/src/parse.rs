//! Reads the text form of a test.
//!
//! ```text
//! // Message passing.                     a comment runs from `//` to the end of the line
//! litmus MP                               the name
//! init x = 1                              optional; locations start at zero
//! thread 0 block 0                        threads in order; `cluster 0` and `device 0` may follow
//!   st.weak [x], 1                        weak, volatile, relaxed.SCOPE, release.SCOPE
//!   fence.acq_rel.gpu                     or fence.sc.SCOPE; scopes: cta, cluster, gpu, sys
//!   st.relaxed.gpu [f], 1
//! thread 1 block 1
//!   ld.relaxed.gpu r0, [f]                weak, volatile, relaxed.SCOPE, acquire.SCOPE
//!   fence.acq_rel.gpu
//!   if r0 == 1                            ==, !=, >=, <
//!     ld.weak r1, [x]
//!   end
//! forbidden 1:r0 == 1 && 1:r1 == 0 by causality
//! allowed 1:r0 == 0 && x == 1             a register of a thread, a location at the end
//! race none                               or the locations that have races
//! ```
//!
//! Further instructions: `atom.acq_rel.gpu.add r0, [x], 1`, with `exch` and `cas` (which takes the
//! expected value and the new one); `bar.sync 0` and `bar.arrive 0`, of those threads of the block
//! that name the barrier; `until r0 == 1` after a read, for a loop that repeats it until then.
//!
//! Errors carry the line and the column, both from 1, the column in characters.

use std::fmt;

use crate::program::{
    Axiom, Change, Comparison, Condition, Expectation, Guard, Instruction, Mark, Operand, Place,
    Scope, Statement, Test, Thread,
};
use crate::repeats;

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
        reader.line(&mut Cursor::new(line, number + 1))?;
    }
    reader.finish(text.lines().count().max(1))
}

/// A word or a sign.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Token<'_> {
    fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }

    fn found(self) -> String {
        match self.text {
            "" => "the end of the line".to_owned(),
            text => format!("`{text}`"),
        }
    }

    fn instead_of(self, what: &str) -> ParseError {
        self.error(format!("expected {what}, found {}", self.found()))
    }

    fn number(self) -> Result<u64, ParseError> {
        self.text.parse().map_err(|_| self.instead_of("a number"))
    }

    fn is_name(self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The tokens of a line that are still to come.
struct Cursor<'a> {
    tokens: std::vec::IntoIter<Token<'a>>,
    end: Token<'a>,
}

impl<'a> Cursor<'a> {
    fn new(whole: &'a str, line: usize) -> Cursor<'a> {
        let code = &whole[..whole.find("//").unwrap_or(whole.len())];
        let is_word = |c: char| c.is_alphanumeric() || "_.+-".contains(c);
        let is_comparison = |c: char| "=!<>&".contains(c);
        let mut tokens = Vec::new();
        let mut rest = code.char_indices().enumerate().peekable();
        while let Some((column, (start, first))) = rest.next() {
            if first.is_whitespace() {
                continue;
            }
            let mut end = start + first.len_utf8();
            while let Some((_, (at, c))) = rest.peek().copied()
                && (is_word(first) && is_word(c) || is_comparison(first) && is_comparison(c))
            {
                end = at + c.len_utf8();
                rest.next();
            }
            tokens.push(Token { text: &code[start..end], line, column: column + 1 });
        }
        let end = Token { text: "", line, column: code.trim_end().chars().count() + 1 };
        Cursor { tokens: tokens.into_iter(), end }
    }

    fn peek(&self) -> Token<'a> {
        self.tokens.as_slice().first().copied().unwrap_or(self.end)
    }

    fn next(&mut self) -> Token<'a> {
        self.tokens.next().unwrap_or(self.end)
    }

    fn takes(&mut self, text: &str) -> bool {
        let found = self.peek().text == text;
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        let token = self.next();
        if token.text == text { Ok(()) } else { Err(token.instead_of(&format!("`{text}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<String, ParseError> {
        let token = self.next();
        if token.is_name() { Ok(token.text.to_owned()) } else { Err(token.instead_of(what)) }
    }

    fn number(&mut self) -> Result<u64, ParseError> {
        self.next().number()
    }

    fn address(&mut self) -> Result<String, ParseError> {
        self.expect("[")?;
        let name = self.name("a location")?;
        self.expect("]")?;
        Ok(name)
    }

    fn operand(&mut self) -> Result<Operand, ParseError> {
        let token = self.next();
        if token.is_name() {
            return Ok(Operand::Register(token.text.to_owned()));
        }
        let number = token.text.parse().map_err(|_| token.instead_of("a number or a register"))?;
        Ok(Operand::Number(number))
    }

    fn comparison(&mut self) -> Result<Comparison, ParseError> {
        let token = self.next();
        match token.text {
            "==" => Ok(Comparison::Equal),
            "!=" => Ok(Comparison::NotEqual),
            ">=" => Ok(Comparison::AtLeast),
            "<" => Ok(Comparison::Less),
            _ => Err(token.instead_of("`==`, `!=`, `>=` or `<`")),
        }
    }

    fn guard(&mut self) -> Result<Guard, ParseError> {
        let register = self.name("a register")?;
        Ok(Guard { register, comparison: self.comparison()?, with: self.operand()? })
    }

    fn condition(&mut self) -> Result<Condition, ParseError> {
        let mut all = Vec::new();
        loop {
            let token = self.next();
            let place = if token.is_name() {
                Place::Location(token.text.to_owned())
            } else {
                let thread = token
                    .text
                    .parse()
                    .map_err(|_| token.instead_of("`THREAD:REGISTER` or a location"))?;
                self.expect(":")?;
                Place::Register(thread, self.name("a register")?)
            };
            all.push((place, self.comparison()?, self.number()?));
            if !self.takes("&&") {
                return Ok(Condition(all));
            }
        }
    }

    fn finish(&self) -> Result<(), ParseError> {
        let token = self.peek();
        if token.text.is_empty() { Ok(()) } else { Err(token.instead_of("the end of the line")) }
    }
}

/// What is read so far.
#[derive(Default)]
struct Reader {
    test: Test,
    /// The bodies of the `if`s that are open, with their lines.
    open: Vec<(Guard, usize, Vec<Statement>)>,
    has_name: bool,
}

impl Reader {
    fn line(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let first = cursor.peek();
        if first.text.is_empty() {
            return Ok(());
        }
        if !self.has_name && first.text != "litmus" {
            return Err(first.instead_of("`litmus` and the name of the test"));
        }
        match first.text {
            "litmus" => self.name(cursor)?,
            "init" => self.init(cursor)?,
            "thread" => self.thread(cursor)?,
            "allowed" | "forbidden" | "race" => self.expectation(cursor)?,
            _ => self.statement(cursor)?,
        }
        cursor.finish()
    }

    fn name(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let token = cursor.next();
        if std::mem::replace(&mut self.has_name, true) {
            return Err(token.error("the test has its name already"));
        }
        let name = cursor.next();
        // Some families begin with a number, as 2+2W does.
        if !name.text.starts_with(char::is_alphanumeric) {
            return Err(name.instead_of("the name of the test"));
        }
        self.test.name = name.text.to_owned();
        Ok(())
    }

    fn init(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let token = cursor.next();
        if !self.test.threads.is_empty() {
            return Err(token.error("initial values come before the threads"));
        }
        let location = cursor.name("a location")?;
        cursor.expect("=")?;
        self.test.init.push((location, cursor.number()?));
        Ok(())
    }

    fn thread(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let token = cursor.next();
        self.no_open_if(token)?;
        let number = cursor.next();
        let expected = self.test.threads.len();
        if number.number()? != expected as u64 {
            return Err(number.instead_of(&format!("thread {expected}, as threads are numbered")));
        }
        cursor.expect("block")?;
        let block = cursor.number()?;
        let cluster = if cursor.takes("cluster") { cursor.number()? } else { block };
        let device = if cursor.takes("device") { cursor.number()? } else { 0 };
        self.test.threads.push(Thread { block, cluster, device, body: Vec::new() });
        Ok(())
    }

    fn expectation(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let token = cursor.next();
        self.no_open_if(token)?;
        let expectation = match token.text {
            "allowed" => Expectation::Allowed(cursor.condition()?),
            "forbidden" => {
                let condition = cursor.condition()?;
                let by = if cursor.takes("by") { Some(axiom(cursor.next())?) } else { None };
                Expectation::Forbidden(condition, by)
            }
            _ => {
                let mut locations = vec![cursor.name("`none`, or the locations that have races")?];
                while cursor.peek().is_name() {
                    locations.push(cursor.name("a location")?);
                }
                if locations == ["none"] {
                    locations.clear();
                }
                locations.sort();
                Expectation::Race(locations)
            }
        };
        self.check_places(token, &expectation)?;
        self.test.expectations.push((token.line, expectation));
        Ok(())
    }

    /// A condition on what no thread has would hold never or always.
    fn check_places(&self, at: Token<'_>, expectation: &Expectation) -> Result<(), ParseError> {
        let places: Vec<Place> = match expectation {
            Expectation::Allowed(condition) | Expectation::Forbidden(condition, _) => {
                condition.0.iter().map(|(place, ..)| place.clone()).collect()
            }
            Expectation::Race(locations) => {
                locations.iter().cloned().map(Place::Location).collect()
            }
        };
        for place in places {
            let known = match &place {
                Place::Location(name) => self.test.locations().contains(name),
                Place::Register(thread, name) => self
                    .test
                    .threads
                    .get(*thread)
                    .is_some_and(|thread| thread.registers().contains(name)),
            };
            if !known {
                return Err(at.error(format!("no thread before this line has `{place}`")));
            }
        }
        Ok(())
    }

    fn statement(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let token = cursor.next();
        if self.test.threads.is_empty() || !self.test.expectations.is_empty() {
            return Err(token.instead_of("`thread`, or a line that says what is expected"));
        }
        match token.text {
            "if" => {
                self.open.push((cursor.guard()?, token.line, Vec::new()));
                return Ok(());
            }
            "end" => {
                let Some((guard, line, body)) = self.open.pop() else {
                    return Err(token.error("there is no `if` that this ends"));
                };
                self.push(Statement { line, instruction: Instruction::If(guard, body) });
                return Ok(());
            }
            _ => {}
        }
        let instruction = instruction(token, cursor)?;
        self.push(Statement { line: token.line, instruction });
        Ok(())
    }

    fn push(&mut self, statement: Statement) {
        let innermost = self.open.last_mut().map(|(_, _, body)| body);
        let thread = self.test.threads.last_mut().map(|thread| &mut thread.body);
        if let Some(body) = innermost.or(thread) {
            body.push(statement);
        }
    }

    fn no_open_if(&self, token: Token<'_>) -> Result<(), ParseError> {
        match self.open.last() {
            Some((_, line, _)) => Err(token.error(format!("the `if` of line {line} has no `end`"))),
            None => Ok(()),
        }
    }

    fn finish(self, line: usize) -> Result<Test, ParseError> {
        let end = Token { text: "", line, column: 1 };
        self.no_open_if(end)?;
        if self.test.threads.is_empty() {
            return Err(end.error("the test has no threads"));
        }
        if let Some(line) = repeats::first_that_changes(&self.test) {
            let at = Token { text: "", line, column: 1 };
            return Err(at.error(CHANGES));
        }
        Ok(self.test)
    }
}

/// What is wrong with such an `until`.
const CHANGES: &str = "a round of this loop that does not end it may change what it reads, and the last \
                       round alone is modelled: repeat a read, or an `atom.cas` that swaps in its last round";

fn axiom(token: Token<'_>) -> Result<Axiom, ParseError> {
    let names: Vec<_> = Axiom::ALL.iter().map(|it| it.name()).collect();
    let found = Axiom::ALL.into_iter().find(|it| it.name() == token.text);
    found.ok_or_else(|| token.instead_of(&format!("one of {}", names.join(", "))))
}

fn instruction(token: Token<'_>, cursor: &mut Cursor<'_>) -> Result<Instruction, ParseError> {
    let parts: Vec<&str> = token.text.split('.').collect();
    match parts.as_slice() {
        ["ld", mark @ ..] => {
            let mark = marked(token, mark, "weak")?;
            if mark.releases() {
                return Err(token.error("a read cannot release"));
            }
            let register = cursor.name("a register")?;
            cursor.expect(",")?;
            Ok(Instruction::Load(mark, register, cursor.address()?))
        }
        ["st", mark @ ..] => {
            let mark = marked(token, mark, "weak")?;
            if mark.acquires() {
                return Err(token.error("a write cannot acquire"));
            }
            let location = cursor.address()?;
            cursor.expect(",")?;
            Ok(Instruction::Store(mark, location, cursor.operand()?))
        }
        ["atom", mark @ .., change] => {
            let mark = marked(token, mark, "relaxed.gpu")?;
            if matches!(mark, Mark::Weak | Mark::Volatile) {
                return Err(
                    token.error("a read-modify-write is relaxed, acquire, release or acq_rel")
                );
            }
            let register = cursor.name("a register")?;
            cursor.expect(",")?;
            let location = cursor.address()?;
            cursor.expect(",")?;
            let value = cursor.operand()?;
            let change = match *change {
                "add" => Change::Add(value),
                "exch" => Change::Exchange(value),
                "cas" => {
                    cursor.expect(",")?;
                    Change::CompareAndSwap(value, cursor.operand()?)
                }
                _ => return Err(token.error("the read-modify-writes are add, exch and cas")),
            };
            Ok(Instruction::Atomic(mark, register, location, change))
        }
        ["fence", kind @ ("sc" | "acq_rel"), scope] => {
            Ok(Instruction::Fence { sc: *kind == "sc", scope: scope_of(token, scope)? })
        }
        ["fence", ..] => Err(token.error("a fence is `fence.acq_rel.SCOPE` or `fence.sc.SCOPE`")),
        ["bar", kind @ ("sync" | "arrive")] => {
            Ok(Instruction::Barrier { id: cursor.number()?, arrive: *kind == "arrive" })
        }
        ["until"] => Ok(Instruction::Until(cursor.guard()?)),
        _ => Err(token.instead_of("an instruction: ld, st, atom, fence, bar, until, if or end")),
    }
}

fn marked(token: Token<'_>, parts: &[&str], default: &str) -> Result<Mark, ParseError> {
    let implied: Vec<&str> = default.split('.').collect();
    match if parts.is_empty() { &implied } else { parts } {
        ["weak"] => Ok(Mark::Weak),
        ["volatile"] => Ok(Mark::Volatile),
        ["relaxed", scope] => Ok(Mark::Relaxed(scope_of(token, scope)?)),
        ["acquire", scope] => Ok(Mark::Acquire(scope_of(token, scope)?)),
        ["release", scope] => Ok(Mark::Release(scope_of(token, scope)?)),
        ["acq_rel", scope] => Ok(Mark::AcqRel(scope_of(token, scope)?)),
        ["relaxed" | "acquire" | "release" | "acq_rel"] => {
            Err(token.error("a strong operation names its scope: cta, cluster, gpu or sys"))
        }
        _ => Err(token.error(
            "the marks are weak, volatile, and relaxed, acquire, release or acq_rel with a scope",
        )),
    }
}

fn scope_of(token: Token<'_>, name: &str) -> Result<Scope, ParseError> {
    match name {
        "cta" => Ok(Scope::Cta),
        "cluster" => Ok(Scope::Cluster),
        "gpu" => Ok(Scope::Gpu),
        "sys" => Ok(Scope::Sys),
        _ => Err(token.error(format!("`{name}` is not a scope: cta, cluster, gpu or sys"))),
    }
}
