//! From tokens to statements with resolved names.
//!
//! A `{ }` block is a scope: its registers and labels are not seen outside, and hide those of the
//! same name around it. A branch may go to a label further down, so labels are resolved when all
//! statements are read.

mod declaration;
mod operand;

use super::error::AsmErrorKind;
use super::instruction::Guard;
use super::lexer::{Fault, Token, TokenKind};
use super::operand::{Label, LabelId, Operand, RegId, Register};

/// Deeper nesting than this is refused, so that no input exhausts the stack.
const MAX_DEPTH: usize = 16;

/// A template, read but not understood.
pub(crate) struct Parsed {
    pub(crate) statements: Vec<Statement>,
    pub(crate) regs: Vec<Register>,
    pub(crate) labels: Vec<Label>,
}

/// One instruction as written.
pub(crate) struct Statement {
    pub(crate) guard: Option<Guard>,
    pub(crate) opcode: String,
    pub(crate) operands: Vec<Written>,
    pub(crate) column: usize,
    /// The blocks around it, outermost first.
    blocks: Vec<usize>,
}

/// An operand as written.
pub(crate) struct Written {
    pub(crate) operand: Operand,
    /// It follows a `|`, as the predicate in `d|p`.
    pub(crate) joined: bool,
    column: usize,
}

/// Reads the tokens of a template that ends before column `end` and has so many operands.
pub(crate) fn parse(tokens: &[Token], end: usize, operand_count: usize) -> Result<Parsed, Fault> {
    let parsed = Parsed { statements: Vec::new(), regs: Vec::new(), labels: Vec::new() };
    let mut parser = Parser {
        tokens,
        at: 0,
        end,
        operand_count,
        blocks: vec![0],
        block_count: 1,
        reg_names: Vec::new(),
        label_names: Vec::new(),
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
    /// Names of registers, each with its block.
    reg_names: Vec<(String, usize, RegId)>,
    /// Blocks of labels, in the order of the labels.
    label_names: Vec<usize>,
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
            Some(TokenKind::Asm(_) | TokenKind::Text | TokenKind::Mark(_)) | None => {
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
        let opcode = self.word("an instruction, a label or `.reg`")?;
        if guard.is_none() && !opcode.starts_with('.') && self.eat(':') {
            return self.label(opcode, column);
        }
        if opcode == ".reg" || opcode.starts_with(".reg.") {
            return self.registers(opcode);
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
        self.expect(';', "`,` or `;`")?;
        let blocks = self.blocks.clone();
        self.parsed.statements.push(Statement {
            guard,
            opcode: opcode.to_owned(),
            operands,
            column,
            blocks,
        });
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
        let mut known = self.parsed.labels.iter().zip(&self.label_names);
        if known.any(|(label, &of)| of == block && label.name == name) {
            return Err((column, AsmErrorKind::Redeclared(name.to_owned())));
        }
        self.parsed.labels.push(Label { name: name.to_owned(), at: self.parsed.statements.len() });
        self.label_names.push(block);
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
                    let mut all = labels.iter().zip(&self.label_names);
                    all.position(|(label, of)| of == block && label.name == *name)
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
