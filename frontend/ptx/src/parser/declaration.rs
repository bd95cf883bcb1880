//! Declarations of registers: `.reg`.

use super::super::error::AsmErrorKind;
use super::super::lexer::{Fault, TokenKind};
use super::super::number;
use super::super::operand::{Operand, RegId, Register};
use super::super::types::Type;
use super::Parser;

/// More registers than this in one template are refused.
const MAX_REGISTERS: usize = 4096;
/// More than this in one function of a file are: real ones have some tens of thousands.
const MAX_IN_FILE: usize = 1 << 18;

impl<'a> Parser<'a> {
    /// `.reg .b32 a, b;`, `.reg .pred p<4>;`, `.reg .v2 .f32 v;`
    pub(super) fn registers(&mut self, first: &'a str) -> Result<(), Fault> {
        let (mut ty, mut elements) = (None, 1);
        let mut words = first;
        loop {
            for part in words.split('.').filter(|part| !part.is_empty() && *part != "reg") {
                match part {
                    "v2" => elements = 2,
                    "v4" => elements = 4,
                    _ => {
                        let column = self.column();
                        ty = Some(
                            Type::parse(part).ok_or((column, AsmErrorKind::Expected("a type")))?,
                        );
                    }
                }
            }
            match self.peek(0) {
                Some(TokenKind::Word(word)) if word.starts_with('.') => {
                    words = word;
                    self.at += 1;
                }
                _ => break,
            }
        }
        let ty = ty.ok_or((self.column(), AsmErrorKind::Expected("a type")))?;
        loop {
            let column = self.column();
            let name = self.word("a register's name")?;
            if self.eat('<') {
                let count = match number::parse(self.word("a number")?, false) {
                    Some(Operand::Int(count)) => usize::try_from(count).unwrap_or(usize::MAX),
                    _ => return Err((column, AsmErrorKind::Expected("a number"))),
                };
                self.expect('>', "`>`")?;
                if count > self.most_registers() {
                    return Err((column, AsmErrorKind::TooLarge));
                }
                for i in 0..count {
                    self.declare(format!("{name}{i}"), ty, elements, column)?;
                }
            } else {
                self.declare(name.to_owned(), ty, elements, column)?;
            }
            if !self.eat(',') {
                break;
            }
        }
        self.expect(';', "`,` or `;`")
    }

    fn most_registers(&self) -> usize {
        if self.file { MAX_IN_FILE } else { MAX_REGISTERS }
    }

    fn declare(
        &mut self,
        name: String,
        ty: Type,
        elements: u8,
        column: usize,
    ) -> Result<(), Fault> {
        let block = self.blocks.last().copied().unwrap_or(0);
        if self.parsed.regs.len() >= self.most_registers() {
            return Err((column, AsmErrorKind::TooLarge));
        }
        let id = RegId(self.parsed.regs.len());
        let known = self.reg_names.entry(name.clone()).or_default();
        if known.iter().any(|(of, _)| *of == block) {
            return Err((column, AsmErrorKind::Redeclared(name)));
        }
        known.push((block, id));
        self.parsed.regs.push(Register { name, ty, elements });
        Ok(())
    }
}
