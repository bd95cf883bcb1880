//! From tokens to statements with resolved names.
//!
//! A `{ }` block is a scope: its registers and labels are not seen outside, and hide those of the
//! same name around it. A branch may go to a label further down, so labels are resolved when all
//! statements are read.
//!
//! The body of a function in a file is read the same way ([`parse_body`]); there, directives with a
//! meaning (`.loc`, variables, targets of calls) are statements with the opcode as written and no
//! operands: their text is [`Statement::tokens`].

mod declaration;
mod operand;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::error::AsmErrorKind;
use super::instruction::Guard;
use super::lexer::{Fault, Token, TokenKind};
use super::operand::{Label, LabelId, Operand, RegId, Register};

/// Deeper nesting than this is refused, so that no input exhausts the stack.
const MAX_DEPTH: usize = 16;

/// A template, read but not understood.
pub struct Parsed {
    /// What it does, in order.
    pub statements: Vec<Statement>,
    /// What `.reg` declares, in order.
    pub regs: Vec<Register>,
    /// Its labels, in order.
    pub labels: Vec<Label>,
}

/// One instruction as written.
pub struct Statement {
    /// `@p` or `@!p`.
    pub guard: Option<Guard>,
    /// With all its modifiers.
    pub opcode: String,
    /// In order.
    pub operands: Vec<Written>,
    /// Of the opcode, as a [`Token`] has it.
    pub column: usize,
    /// The blocks around it, outermost first.
    pub blocks: Vec<usize>,
    /// Its tokens from the opcode on, without the `;`.
    pub tokens: Range<usize>,
}

/// An operand as written.
pub struct Written {
    /// What it is.
    pub operand: Operand,
    /// It follows a `|`, as the predicate in `d|p`.
    pub joined: bool,
    column: usize,
}

/// Reads the tokens of a template that ends before column `end` and has so many operands.
pub(crate) fn parse(tokens: &[Token], end: usize, operand_count: usize) -> Result<Parsed, Fault> {
    read(tokens, end, operand_count, false)
}

/// Reads the tokens of a function's body in a file; `end` is the place of its last brace.
pub fn parse_body(tokens: &[Token], end: usize) -> Result<Parsed, Fault> {
    read(tokens, end, 0, true)
}

fn read(tokens: &[Token], end: usize, operand_count: usize, file: bool) -> Result<Parsed, Fault> {
    let parsed = Parsed { statements: Vec::new(), regs: Vec::new(), labels: Vec::new() };
    let mut parser = Parser {
        tokens,
        at: 0,
        end,
        operand_count,
        blocks: vec![0],
        block_count: 1,
        reg_names: FxHashMap::default(),
        file,
        parsed,
    };
    while parser.at < tokens.len() {
        parser.statement()?;
    }
    if parser.blocks.len() != 1 {
        return Err((end, AsmErrorKind::UnbalancedBlock));
    }
    parser.resolve_branches()?;
    Ok(parser.parsed)
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    end: usize,
    operand_count: usize,
    /// The blocks around the next statement, outermost first.
    blocks: Vec<usize>,
    block_count: usize,
    /// Registers by name, each with its block.
    reg_names: FxHashMap<String, Vec<(usize, RegId)>>,
    /// The body of a function in a file, and no template.
    file: bool,
    parsed: Parsed,
}

impl<'a> Parser<'a> {
    fn peek(&self, ahead: usize) -> Option<&'a TokenKind> {
        self.tokens.get(self.at + ahead).map(|token| &token.kind)
    }

    fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |token| token.column)
    }

    fn eat(&mut self, mark: char) -> bool {
        let found = self.peek(0) == Some(&TokenKind::Mark(mark));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: char, what: &'static str) -> Result<(), Fault> {
        let column = self.column();
        if self.eat(mark) { Ok(()) } else { Err((column, AsmErrorKind::Expected(what))) }
    }

    fn word(&mut self, what: &'static str) -> Result<&'a str, Fault> {
        match self.peek(0) {
            Some(TokenKind::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            Some(TokenKind::Asm(_) | TokenKind::Text(_) | TokenKind::Mark(_)) | None => {
                Err((self.column(), AsmErrorKind::Expected(what)))
            }
        }
    }

    fn statement(&mut self) -> Result<(), Fault> {
        let column = self.column();
        if self.eat(';') {
            return Ok(());
        }
        if self.eat('{') {
            if self.blocks.len() > MAX_DEPTH {
                return Err((column, AsmErrorKind::TooLarge));
            }
            self.blocks.push(self.block_count);
            self.block_count += 1;
            return Ok(());
        }
        if self.eat('}') {
            if self.blocks.len() == 1 {
                return Err((column, AsmErrorKind::UnbalancedBlock));
            }
            self.blocks.pop();
            return Ok(());
        }
        let guard = self.guard()?;
        let start = self.at;
        let opcode = self.word("an instruction, a label or `.reg`")?;
        if guard.is_none() && !opcode.starts_with('.') && self.eat(':') {
            return self.label(opcode, column);
        }
        if opcode == ".reg" || opcode.starts_with(".reg.") {
            return self.registers(opcode);
        }
        if self.file && opcode == ".loc" {
            self.location()?;
            return self.keep(guard, opcode, Vec::new(), column, start..self.at);
        }
        if matches!(opcode, ".pragma" | ".loc" | ".file") {
            while !matches!(self.peek(0), Some(TokenKind::Mark(';')) | None) {
                self.at += 1;
            }
            return self.expect(';', "`;`");
        }
        let mut operands = Vec::new();
        if opcode.starts_with('.') {
            // A declaration that we do not model: kept as an unknown instruction, its text skipped.
            while !matches!(self.peek(0), Some(TokenKind::Mark(';')) | None) {
                self.at += 1;
            }
        } else if !matches!(self.peek(0), Some(TokenKind::Mark(';')) | None) {
            let mut joined = false;
            loop {
                let column = self.column();
                operands.push(Written { operand: self.operand(0)?, joined, column });
                joined = self.eat('|');
                if !joined && !self.eat(',') {
                    break;
                }
            }
        }
        let end = self.at;
        self.expect(';', "`,` or `;`")?;
        self.keep(guard, opcode, operands, column, start..end)
    }

    fn keep(
        &mut self,
        guard: Option<Guard>,
        opcode: &str,
        operands: Vec<Written>,
        column: usize,
        tokens: Range<usize>,
    ) -> Result<(), Fault> {
        let (opcode, blocks) = (opcode.to_owned(), self.blocks.clone());
        self.parsed.statements.push(Statement { guard, opcode, operands, column, blocks, tokens });
        Ok(())
    }

    /// What follows `.loc`, which no `;` ends: three numbers, and where it was inlined.
    fn location(&mut self) -> Result<(), Fault> {
        for _ in 0..3 {
            self.word("a number")?;
        }
        while self.eat(',') {
            match self.word("`function_name` or `inlined_at`")? {
                "function_name" => {
                    self.word("a label")?;
                    if self.eat('+') {
                        self.word("a number")?;
                    }
                }
                "inlined_at" => {
                    for _ in 0..3 {
                        self.word("a number")?;
                    }
                }
                _ => {
                    let column = self.column();
                    return Err((column, AsmErrorKind::Expected("`function_name`, `inlined_at`")));
                }
            }
        }
        Ok(())
    }

    fn guard(&mut self) -> Result<Option<Guard>, Fault> {
        if !self.eat('@') {
            return Ok(None);
        }
        let negated = self.eat('!');
        let column = self.column();
        match self.operand(0)? {
            predicate @ (Operand::Asm(_) | Operand::Reg(_)) => {
                Ok(Some(Guard { negated, predicate }))
            }
            Operand::Int(_)
            | Operand::Float { .. }
            | Operand::Special(_)
            | Operand::Not(_)
            | Operand::Address(_)
            | Operand::Vector(_)
            | Operand::Sink
            | Operand::Label(_)
            | Operand::Symbol(_) => {
                Err((column, AsmErrorKind::Expected("a predicate register after `@`")))
            }
        }
    }

    fn label(&mut self, name: &str, column: usize) -> Result<(), Fault> {
        let block = self.blocks.last().copied().unwrap_or(0);
        if self.parsed.labels.iter().any(|it| it.block == block && it.name == name) {
            return Err((column, AsmErrorKind::Redeclared(name.to_owned())));
        }
        let at = self.parsed.statements.len();
        self.parsed.labels.push(Label { name: name.to_owned(), at, block });
        Ok(())
    }

    fn resolve_branches(&mut self) -> Result<(), Fault> {
        let Parsed { statements, regs: _, labels } = &mut self.parsed;
        for statement in statements.iter_mut() {
            if statement.opcode != "bra" && !statement.opcode.starts_with("bra.") {
                continue;
            }
            for Written { operand, joined: _, column } in &mut statement.operands {
                let Operand::Symbol(name) = operand else { continue };
                let seen = |block: &usize| {
                    labels.iter().position(|it| it.block == *block && it.name == *name)
                };
                let Some(at) = statement.blocks.iter().rev().find_map(seen) else {
                    return Err((*column, AsmErrorKind::UndeclaredLabel(name.clone())));
                };
                *operand = Operand::Label(LabelId(at));
            }
        }
        Ok(())
    }
}
