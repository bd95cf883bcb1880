//! Operands of a statement, with names resolved from the innermost block outwards.

use super::super::error::AsmErrorKind;
use super::super::lexer::{Fault, TokenKind};
use super::super::number;
use super::super::operand::{Address, Offset, Operand, RegId};
use super::super::special::Special;
use super::{MAX_DEPTH, Parser};

impl Parser<'_> {
    pub(super) fn operand(&mut self, depth: usize) -> Result<Operand, Fault> {
        let column = self.column();
        if depth > MAX_DEPTH {
            return Err((column, AsmErrorKind::TooLarge));
        }
        if self.eat('!') {
            return Ok(Operand::Not(Box::new(self.operand(depth + 1)?)));
        }
        if self.eat('[') {
            return self.address(depth);
        }
        if self.eat('{') {
            return Ok(Operand::Vector(self.list(depth, '}')?));
        }
        if self.eat('(') {
            return Ok(Operand::Vector(self.list(depth, ')')?));
        }
        let negative = self.eat('-');
        match self.peek(0) {
            Some(TokenKind::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit()) => {
                self.at += 1;
                number::parse(word, negative)
                    .ok_or_else(|| (column, AsmErrorKind::BadNumber(word.clone())))
            }
            Some(TokenKind::Word(word)) if !negative => {
                self.at += 1;
                self.name(word, column)
            }
            Some(TokenKind::Asm(n)) if !negative => {
                self.at += 1;
                self.asm_operand(*n, column)
            }
            _ => Err((column, AsmErrorKind::Expected("an operand"))),
        }
    }

    fn asm_operand(&self, n: usize, column: usize) -> Result<Operand, Fault> {
        if n < self.operand_count {
            Ok(Operand::Asm(n))
        } else {
            Err((column, AsmErrorKind::NoSuchOperand(n)))
        }
    }

    fn list(&mut self, depth: usize, close: char) -> Result<Vec<Operand>, Fault> {
        let mut elements = Vec::new();
        if self.eat(close) {
            return Ok(elements);
        }
        loop {
            elements.push(self.operand(depth + 1)?);
            if !self.eat(',') {
                break;
            }
        }
        self.expect(close, if close == '}' { "`,` or `}`" } else { "`,` or `)`" })?;
        Ok(elements)
    }

    fn address(&mut self, depth: usize) -> Result<Operand, Fault> {
        let base = Box::new(self.operand(depth + 1)?);
        let mut offset = Offset::Bytes(0);
        let column = self.column();
        let plus = self.eat('+');
        if plus || self.peek(0) == Some(&TokenKind::Mark('-')) {
            offset = match self.operand(depth + 1)? {
                Operand::Int(bytes) => Offset::Bytes(bytes),
                Operand::Asm(n) => Offset::Asm(n),
                Operand::Reg(_)
                | Operand::Float { .. }
                | Operand::Special(_)
                | Operand::Not(_)
                | Operand::Address(_)
                | Operand::Vector(_)
                | Operand::Sink
                | Operand::Label(_)
                | Operand::Symbol(_) => {
                    return Err((column, AsmErrorKind::Expected("a constant offset")));
                }
            };
        }
        let mut coordinates = Vec::new();
        while self.eat(',') {
            match self.operand(depth + 1)? {
                Operand::Vector(elements) => coordinates.extend(elements),
                single => coordinates.push(single),
            }
        }
        self.expect(']', "`+`, `,` or `]`")?;
        Ok(Operand::Address(Address { base, offset, coordinates }))
    }

    fn name(&self, word: &str, column: usize) -> Result<Operand, Fault> {
        if word == "_" {
            return Ok(Operand::Sink);
        }
        if let Some(reg) = self.register(word) {
            return Ok(Operand::Reg(reg));
        }
        if let Some(special) = Special::parse(word) {
            return Ok(Operand::Special(special));
        }
        if let Some((base, _)) = word.rsplit_once('.')
            && self.register(base).is_some()
        {
            return Err((column, AsmErrorKind::VectorElement(word.to_owned())));
        }
        if word.starts_with('%') {
            return Err((column, AsmErrorKind::UndeclaredRegister(word.to_owned())));
        }
        Ok(Operand::Symbol(word.to_owned()))
    }

    /// The register of this name that is seen from here: the innermost.
    fn register(&self, name: &str) -> Option<RegId> {
        let known = self.reg_names.get(name)?;
        let of = |block: &usize| known.iter().find(|(of, _)| of == block);
        self.blocks.iter().rev().find_map(of).map(|&(_, id)| id)
    }
}
