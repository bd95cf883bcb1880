//! Parses terms. A constant without a width takes the one its place asks for, or its neighbour's.

use super::lex::{ParseError, Token};
use super::parse::Parser;
use super::print_expr::{param_index, param_width};
use super::source::width_of;
use super::special_from_name;
use crate::entity::ExprId;
use crate::expr::{BinOp, CastOp, CmpOp, ExprKind, NoWrap, UnOp, mask};

impl Parser<'_> {
    /// A term; `expected` is the width of a constant that does not say its own.
    pub(super) fn term(&mut self, expected: Option<u8>) -> Result<ExprId, ParseError> {
        self.source.enter()?;
        let term = self.term_inside(expected);
        self.source.leave();
        term
    }

    fn term_inside(&mut self, expected: Option<u8>) -> Result<ExprId, ParseError> {
        match self.source.peek().clone() {
            Token::Value(name) => {
                let Some(&id) = self.values.get(&name) else {
                    return Err(self.source.expected("a value that is named above"));
                };
                self.source.advance();
                Ok(id)
            }
            Token::Number { .. } => self.constant(expected),
            Token::Word(name) | Token::Text(name)
                if *self.source.peek_second() == Token::Sign(':') =>
            {
                self.pure(&name)
            }
            Token::Word(word) => self.operator(&word, expected),
            _ => Err(self.source.expected("a term")),
        }
    }

    fn constant(&mut self, expected: Option<u8>) -> Result<ExprId, ParseError> {
        let at = self.source.position();
        let Token::Number { negative, magnitude } = self.source.advance() else {
            return Err(self.source.expected_at(at, "a number"));
        };
        let width = self.explicit_width(expected)?;
        let value = if negative { magnitude.wrapping_neg() } else { magnitude };
        let fits = match negative {
            true => magnitude <= 1 << (width - 1),
            false => mask(value, width) == value,
        };
        match fits {
            true => Ok(self.builder.exprs().constant(value, width)),
            false => Err(self.source.expected_at(at, format!("a number of {width} bits"))),
        }
    }

    /// `:i32`, or what the place asks for.
    fn explicit_width(&mut self, expected: Option<u8>) -> Result<u8, ParseError> {
        if self.source.take_sign(':') {
            return self.source.width();
        }
        expected.ok_or_else(|| self.source.expected("`:` and a width, as nothing here says it"))
    }

    /// `fadd:i32(..)`.
    fn pure(&mut self, name: &str) -> Result<ExprId, ParseError> {
        self.source.advance();
        self.source.sign(':')?;
        let width = self.source.width()?;
        self.source.sign('(')?;
        let args = self.terms_until_closed()?;
        Ok(self.builder.exprs().pure(name, &args, width))
    }

    /// Terms without an expected width, up to and with the `)`.
    pub(super) fn terms_until_closed(&mut self) -> Result<Vec<ExprId>, ParseError> {
        let mut terms = Vec::new();
        if self.source.take_sign(')') {
            return Ok(terms);
        }
        loop {
            terms.push(self.term(None)?);
            if self.source.take_sign(')') {
                return Ok(terms);
            }
            if !self.source.take_sign(',') {
                return Err(self.source.expected("`,` or `)`"));
            }
        }
    }

    fn operator(&mut self, word: &str, expected: Option<u8>) -> Result<ExprId, ParseError> {
        if let Some(special) = special_from_name(word) {
            self.source.advance();
            return Ok(self.builder.exprs().special(special));
        }
        let mut parts = word.split('.');
        let name = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        if let Some(op) = BinOp::from_name(name)
            && let Some(flags) = no_wrap(&rest)
        {
            self.source.advance();
            let (a, b) = self.pair(expected)?;
            let width = self.builder.exprs().width(a);
            return Ok(self.builder.exprs().intern(ExprKind::Binary(op, flags, a, b), width));
        }
        if let (Some(op), [width]) = (CastOp::from_name(name), rest.as_slice())
            && let Some(width) = width_of(width)
        {
            self.source.advance();
            let a = self.single(None)?;
            return Ok(self.builder.exprs().intern(ExprKind::Cast(op, a), width));
        }
        if !rest.is_empty() {
            return Err(self.source.expected("a term"));
        }
        if let Some(op) = UnOp::from_name(name) {
            self.source.advance();
            let a = self.single(expected)?;
            let width = self.builder.exprs().width(a);
            return Ok(self.builder.exprs().intern(ExprKind::Unary(op, a), width));
        }
        if let Some(op) = CmpOp::from_name(name) {
            self.source.advance();
            let (a, b) = self.pair(None)?;
            return Ok(self.builder.exprs().intern(ExprKind::Cmp(op, a, b), 1));
        }
        match name {
            "select" => self.select(expected),
            "param" => self.param(),
            "base" => self.base(),
            "exit" => self.exit(),
            "undef" => self.undef(expected),
            _ => Err(self.source.expected("a term")),
        }
    }

    fn single(&mut self, expected: Option<u8>) -> Result<ExprId, ParseError> {
        self.source.sign('(')?;
        let a = self.term(expected)?;
        self.source.sign(')')?;
        Ok(a)
    }

    fn pair(&mut self, expected: Option<u8>) -> Result<(ExprId, ExprId), ParseError> {
        self.source.sign('(')?;
        let a = self.term(expected)?;
        self.source.sign(',')?;
        let width = self.builder.exprs().width(a);
        let b = self.term(Some(width))?;
        self.source.sign(')')?;
        Ok((a, b))
    }

    fn select(&mut self, expected: Option<u8>) -> Result<ExprId, ParseError> {
        self.source.advance();
        self.source.sign('(')?;
        let c = self.term(Some(1))?;
        self.source.sign(',')?;
        let a = self.term(expected)?;
        self.source.sign(',')?;
        let width = self.builder.exprs().width(a);
        let b = self.term(Some(width))?;
        self.source.sign(')')?;
        Ok(self.builder.exprs().intern(ExprKind::Select(c, a, b), width))
    }

    fn param(&mut self) -> Result<ExprId, ParseError> {
        self.source.advance();
        self.source.sign('(')?;
        let params = &self.builder.kernel().params;
        let index = match self.source.peek() {
            Token::Number { negative: false, magnitude } => u32::try_from(*magnitude).ok(),
            Token::Word(name) => param_index(self.builder.kernel(), name),
            _ => None,
        };
        let width =
            index.and_then(|index| params.get(index as usize)).and_then(|it| param_width(&it.kind));
        let (Some(index), Some(width)) = (index, width) else {
            return Err(self.source.expected("a parameter that is a number"));
        };
        self.source.advance();
        self.source.sign(')')?;
        Ok(self.builder.exprs().param(index, width))
    }

    fn base(&mut self) -> Result<ExprId, ParseError> {
        self.source.advance();
        self.source.sign('(')?;
        let object = self.object()?;
        self.source.sign(')')?;
        Ok(self.builder.exprs().base(object))
    }

    fn exit(&mut self) -> Result<ExprId, ParseError> {
        self.source.advance();
        self.source.sign('(')?;
        let of = match self.source.peek() {
            Token::Mark(mark) => self.loops.get(mark).copied(),
            _ => None,
        };
        let Some(of) = of else { return Err(self.source.expected("a loop that stands above")) };
        self.source.advance();
        self.source.sign(',')?;
        let value = self.term(None)?;
        self.source.sign(')')?;
        let width = self.builder.exprs().width(value);
        Ok(self.builder.exprs().intern(ExprKind::Exit(of, value), width))
    }

    fn undef(&mut self, expected: Option<u8>) -> Result<ExprId, ParseError> {
        self.source.advance();
        self.source.sign('(')?;
        let index = self.source.number_u32("a number")?;
        self.source.sign(')')?;
        let width = self.explicit_width(expected)?;
        Ok(self.builder.exprs().intern(ExprKind::Undef(index), width))
    }
}

/// `nsw`, `nuw` or both, in this order.
fn no_wrap(flags: &[&str]) -> Option<NoWrap> {
    match flags {
        [] => Some(NoWrap::NONE),
        ["nsw"] => Some(NoWrap::SIGNED),
        ["nuw"] => Some(NoWrap::UNSIGNED),
        ["nsw", "nuw"] => Some(NoWrap::BOTH),
        _ => None,
    }
}
