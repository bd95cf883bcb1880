//! Parses a kernel: the tree and the table of source places. Expressions are interned as written,
//! without folding.

use rustc_hash::FxHashMap;

use super::lex::{ParseError, Token};
use super::parse_header;
use super::source::Source;
use crate::builder::KernelBuilder;
use crate::entity::{ExprId, LoopId, ObjectId, OriginId, VarId};
use crate::expr::ExprKind;
use crate::kernel::{Kernel, Origin, Span};

/// The one kernel of a text.
pub fn parse_kernel(text: &str) -> Result<Kernel, ParseError> {
    let mut source = Source::new(text)?;
    let kernel = Parser::kernel(&mut source)?;
    match source.peek() {
        Token::End => Ok(kernel),
        _ => Err(source.expected("the end of the text")),
    }
}

/// All kernels of a text, one after the other.
pub fn parse_kernels(text: &str) -> Result<Vec<Kernel>, ParseError> {
    let mut source = Source::new(text)?;
    let mut kernels = Vec::new();
    while *source.peek() != Token::End {
        kernels.push(Parser::kernel(&mut source)?);
    }
    Ok(kernels)
}

pub(super) struct Parser<'s> {
    pub(super) source: &'s mut Source,
    pub(super) builder: KernelBuilder,
    pub(super) values: FxHashMap<String, ExprId>,
    pub(super) loops: FxHashMap<String, LoopId>,
    pub(super) objects: FxHashMap<String, ObjectId>,
    /// Per source place its handle, where it was referred to first, and what the table says.
    places: FxHashMap<String, (OriginId, usize, bool)>,
    /// The source place of what names none.
    nowhere: Option<OriginId>,
}

impl Parser<'_> {
    fn kernel(source: &mut Source) -> Result<Kernel, ParseError> {
        let (builder, objects) = parse_header::header(source)?;
        let mut parser = Parser {
            source,
            builder,
            values: FxHashMap::default(),
            loops: FxHashMap::default(),
            objects,
            places: FxHashMap::default(),
            nowhere: None,
        };
        parser.source.sign('{')?;
        while !parser.source.take_sign('}') {
            parser.item("an operation, a loop or `}`")?;
        }
        parser.table()?;
        Ok(parser.builder.finish())
    }

    fn item(&mut self, what: &str) -> Result<(), ParseError> {
        match self.source.peek() {
            Token::Word(word) if word == "loop" => self.loop_item(),
            Token::Value(_) if self.source.peek_second() != &Token::Sign(':') => {
                // `%7 = term`, or `%7 "name"` with either after it.
                let (name, hint, at) = self.new_value()?;
                match self.source.peek() {
                    Token::Sign('=') => self.binding(name, hint, at),
                    _ => {
                        let result = self.result_of(name, hint, at)?;
                        self.operation(vec![result])
                    }
                }
            }
            Token::Value(_) | Token::Word(_) | Token::Sign('[') => self.operation(Vec::new()),
            _ => Err(self.source.expected(what)),
        }
    }

    fn binding(&mut self, name: String, hint: Option<String>, at: usize) -> Result<(), ParseError> {
        self.source.sign('=')?;
        let value = self.term(None)?;
        self.define(name, hint, value, at)
    }

    /// Reads `%row.7`, or `%7 "a name"`: its name here, and the source's.
    pub(super) fn new_value(&mut self) -> Result<(String, Option<String>, usize), ParseError> {
        let at = self.source.position();
        let Token::Value(name) = self.source.peek().clone() else {
            return Err(self.source.expected("the name of a value"));
        };
        self.source.advance();
        if let Token::Text(hint) = self.source.peek().clone() {
            self.source.advance();
            return Ok((name, Some(hint), at));
        }
        let hint = match name.rsplit_once('.') {
            Some((front, digits)) if is_digits(digits) => Some(front.to_owned()),
            _ if is_digits(&name) => None,
            _ => Some(name.clone()),
        };
        Ok((name, hint, at))
    }

    pub(super) fn define(
        &mut self,
        name: String,
        hint: Option<String>,
        value: ExprId,
        at: usize,
    ) -> Result<(), ParseError> {
        if self.values.insert(name, value).is_some() {
            return Err(self.source.expected_at(at, "a name that is not taken"));
        }
        if let Some(hint) = hint {
            self.builder.kernel_mut().names.insert(value, hint);
        }
        Ok(())
    }

    fn loop_item(&mut self) -> Result<(), ParseError> {
        self.source.enter()?;
        self.source.keyword("loop")?;
        let at = self.source.position();
        let Token::Mark(mark) = self.source.advance() else {
            return Err(self.source.expected_at(at, "the loop's name, `@loop0`"));
        };
        let pred = match self.source.take_word("if") {
            true => self.term(Some(1))?,
            false => self.builder.exprs().truth(),
        };
        self.source.sign('{')?;
        let origin = self.origin()?;
        let id = self.builder.begin_loop(pred, origin);
        if self.loops.insert(mark, id).is_some() {
            return Err(self.source.expected_at(at, "a loop name that is not taken"));
        }
        self.variables(id)?;
        while !self.source.take_word("while") {
            if self.source.take_word("next") {
                self.next_value()?;
            } else {
                self.item("an operation, a loop, `next` or `while`")?;
            }
        }
        let cont = self.term(Some(1))?;
        self.source.sign('}')?;
        self.builder.end_loop(cont);
        self.source.leave();
        Ok(())
    }

    fn variables(&mut self, of: LoopId) -> Result<(), ParseError> {
        let mut defined = Vec::new();
        while self.source.take_word("var") {
            let (name, source_name, at) = self.new_value()?;
            let hint = match self.source.take_word("as") {
                true => Some(self.source.name("a name")?),
                false => None,
            };
            self.source.sign(':')?;
            let width = self.source.width()?;
            self.source.sign('=')?;
            let init = self.term(Some(width))?;
            let (var, _) = self.builder.loop_var(of, init, source_name);
            let value = self.builder.exprs().var(var, width);
            self.builder.kernel_mut().vars[var].width = width;
            self.builder.set_next(var, value);
            defined.push((name, hint, value, at));
        }
        // Names go on after all have started: a start is a value of the outside.
        for (name, hint, value, at) in defined {
            self.define(name, hint, value, at)?;
        }
        Ok(())
    }

    fn next_value(&mut self) -> Result<(), ParseError> {
        let at = self.source.position();
        let var = match self.source.advance() {
            Token::Value(name) => self.values.get(&name).and_then(|&id| self.as_var(id)),
            _ => None,
        };
        let open = self.builder.current_loop();
        let Some(var) = var.filter(|&var| Some(self.builder.kernel()[var].of) == open) else {
            return Err(self.source.expected_at(at, "a variable of this loop"));
        };
        self.source.sign('=')?;
        let width = self.builder.kernel()[var].width;
        let next = self.term(Some(width))?;
        self.builder.set_next(var, next);
        Ok(())
    }

    fn as_var(&self, id: ExprId) -> Option<VarId> {
        match self.builder.kernel()[id].kind {
            ExprKind::Var(var) => Some(var),
            _ => None,
        }
    }

    /// `@at3`, if it is there.
    pub(super) fn origin(&mut self) -> Result<OriginId, ParseError> {
        match self.source.peek() {
            Token::Mark(_) => self.origin_mark(),
            _ => {
                let nowhere = unnamed_origin(self.builder.kernel());
                let builder = &mut self.builder;
                Ok(*self.nowhere.get_or_insert_with(|| builder.origin(nowhere)))
            }
        }
    }

    fn origin_mark(&mut self) -> Result<OriginId, ParseError> {
        let at = self.source.position();
        match self.source.advance() {
            Token::Mark(mark) => Ok(self.source_place(mark, at, false)),
            _ => Err(self.source.expected_at(at, "a source place, `@at0`")),
        }
    }

    fn source_place(&mut self, mark: String, at: usize, defines: bool) -> OriginId {
        let nowhere = unnamed_origin(self.builder.kernel());
        let builder = &mut self.builder;
        let entry = self.places.entry(mark).or_insert_with(|| (builder.origin(nowhere), at, false));
        entry.2 |= defines;
        entry.0
    }

    /// `file "k.cu"` and `at3 in k span 0 5 3` lines.
    fn table(&mut self) -> Result<(), ParseError> {
        loop {
            let at = self.source.position();
            match self.source.peek().clone() {
                Token::Word(word) if word == "file" => {
                    self.source.advance();
                    let file = self.source.name("the name of a file")?;
                    self.builder.kernel_mut().files.push(file);
                }
                Token::Word(word) if word != "kernel" => {
                    if self.places.get(&word).is_some_and(|(_, _, defined)| *defined) {
                        return Err(self.source.expected("a source place that is not yet there"));
                    }
                    self.source.advance();
                    let id = self.source_place(word, at, true);
                    self.origin_line(id)?;
                }
                _ => break,
            }
        }
        let missing = self.places.values().filter(|(_, _, defined)| !defined);
        match missing.map(|(_, at, _)| *at).min() {
            Some(at) => Err(self.source.expected_at(at, "a source place of the table at the end")),
            None => Ok(()),
        }
    }

    fn origin_line(&mut self, id: OriginId) -> Result<(), ParseError> {
        self.source.keyword("in")?;
        let function = self.source.name("the name of a function")?;
        let source_function = match self.source.take_word("from") {
            true => Some(self.source.name("the name of a function")?),
            false => None,
        };
        let ordinal = match self.source.take_word("ordinal") {
            true => Some(self.source.number_u32("a number of an instruction")?),
            false => None,
        };
        let span = match self.source.take_word("span") {
            true => Some(Span {
                file: self.source.number_u32("a number of a file")?,
                line: self.source.number_u32("a line")?,
                column: self.source.number_u32("a column")?,
            }),
            false => None,
        };
        let inlined_at = match self.source.take_word("inlined") {
            true => Some(self.origin_mark()?),
            false => None,
        };
        self.builder.kernel_mut().origins[id] =
            Origin { function, source_function, ordinal, span, inlined_at };
        Ok(())
    }
}

fn unnamed_origin(kernel: &Kernel) -> Origin {
    Origin {
        function: kernel.name.clone(),
        source_function: None,
        ordinal: None,
        span: None,
        inlined_at: None,
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}
