//! What an operation of the dialect is made of, asked for by name and in order; what is not there,
//! or is of another kind, is an error at the operation.

use std::collections::BTreeMap;

use super::tree::{Attribute, Operation};
use crate::entity::{ExprId, ObjectId};
use crate::object::Address;
use crate::text::ParseError;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Expr(ExprId),
    Object(ObjectId),
}

/// An operation with its operands found.
pub(super) struct Given<'t> {
    pub(super) operation: &'t Operation,
    values: std::vec::IntoIter<Value>,
}

impl<'t> Given<'t> {
    pub(super) fn new(operation: &'t Operation, values: Vec<Value>) -> Given<'t> {
        Given { operation, values: values.into_iter() }
    }

    pub(super) fn expected(&self, what: impl Into<String>) -> ParseError {
        self.operation.expected(what)
    }

    /// How many operands are left.
    pub(super) fn left(&self) -> usize {
        self.values.len()
    }

    pub(super) fn expr(&mut self) -> Result<ExprId, ParseError> {
        match self.values.next() {
            Some(Value::Expr(id)) => Ok(id),
            Some(Value::Object(_)) | None => Err(self.expected("an operand that is a number")),
        }
    }

    pub(super) fn expr_if(&mut self, is_there: bool) -> Result<Option<ExprId>, ParseError> {
        if is_there { self.expr().map(Some) } else { Ok(None) }
    }

    pub(super) fn exprs(&mut self, count: usize) -> Result<Vec<ExprId>, ParseError> {
        (0..count.min(self.left() + 1)).map(|_| self.expr()).collect()
    }

    pub(super) fn rest(&mut self) -> Result<Vec<ExprId>, ParseError> {
        self.exprs(self.left())
    }

    pub(super) fn object(&mut self) -> Result<ObjectId, ParseError> {
        match self.values.next() {
            Some(Value::Object(id)) => Ok(id),
            Some(Value::Expr(_)) | None => Err(self.expected("an operand that is memory")),
        }
    }

    /// An object and an offset.
    pub(super) fn address(&mut self) -> Result<Address, ParseError> {
        Ok(Address { object: self.object()?, offset: self.expr()? })
    }

    pub(super) fn addresses(&mut self, count: u32) -> Result<Vec<Address>, ParseError> {
        (0..count.min(self.left() as u32 + 1)).map(|_| self.address()).collect()
    }

    /// That nothing is left.
    pub(super) fn end(&self) -> Result<(), ParseError> {
        match self.left() {
            0 => Ok(()),
            count => Err(self.expected(format!("{count} operands less"))),
        }
    }

    fn attribute<T>(
        &self,
        name: &str,
        what: &str,
        of: impl FnOnce(&'t Attribute) -> Option<T>,
    ) -> Result<T, ParseError> {
        let found = self.operation.attributes.get(name).and_then(of);
        found.ok_or_else(|| self.expected(format!("an attribute `{name}`, {what}")))
    }

    pub(super) fn text(&self, name: &str) -> Result<&'t str, ParseError> {
        self.attribute(name, "text", text_of)
    }

    pub(super) fn truth(&self, name: &str) -> Result<bool, ParseError> {
        self.attribute(name, "`true` or `false`", truth_of)
    }

    pub(super) fn number(&self, name: &str) -> Result<u32, ParseError> {
        self.attribute(name, "a number of 32 bits", number_of)
    }

    pub(super) fn list(&self, name: &str) -> Result<&'t [Attribute], ParseError> {
        self.attribute(name, "a list", list_of)
    }

    pub(super) fn dictionary(
        &self,
        name: &str,
    ) -> Result<&'t BTreeMap<String, Attribute>, ParseError> {
        self.attribute(name, "a dictionary", |it| match it {
            Attribute::Dictionary(entries) => Some(entries),
            Attribute::Text(_)
            | Attribute::Number { .. }
            | Attribute::Truth(_)
            | Attribute::List(_) => None,
        })
    }

    /// A word of a list of words.
    pub(super) fn word<T>(
        &self,
        name: &str,
        from: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ParseError> {
        self.attribute(name, "one of the words that the dialect has", |it| {
            text_of(it).and_then(from)
        })
    }

    /// Bits of a constant.
    pub(super) fn bits(&self, name: &str) -> Result<u128, ParseError> {
        self.attribute(name, "a number", |it| match it {
            Attribute::Number { negative: true, magnitude } => Some(magnitude.wrapping_neg()),
            Attribute::Number { negative: false, magnitude } => Some(*magnitude),
            Attribute::Truth(it) => Some(u128::from(*it)),
            Attribute::Text(_) | Attribute::List(_) | Attribute::Dictionary(_) => None,
        })
    }
}

pub(super) fn text_of(attribute: &Attribute) -> Option<&str> {
    match attribute {
        Attribute::Text(text) => Some(text),
        Attribute::Number { .. }
        | Attribute::Truth(_)
        | Attribute::List(_)
        | Attribute::Dictionary(_) => None,
    }
}

pub(super) fn truth_of(attribute: &Attribute) -> Option<bool> {
    match attribute {
        Attribute::Truth(it) => Some(*it),
        Attribute::Text(_)
        | Attribute::Number { .. }
        | Attribute::List(_)
        | Attribute::Dictionary(_) => None,
    }
}

/// A number of 32 bits; MLIR prints it as signed.
pub(super) fn number_of(attribute: &Attribute) -> Option<u32> {
    match attribute {
        Attribute::Number { negative: false, magnitude } => u32::try_from(*magnitude).ok(),
        Attribute::Number { negative: true, magnitude } => {
            let number = u32::try_from(*magnitude).ok().filter(|it| *it <= 1 << 31)?;
            Some(number.wrapping_neg())
        }
        Attribute::Text(_)
        | Attribute::Truth(_)
        | Attribute::List(_)
        | Attribute::Dictionary(_) => None,
    }
}

pub(super) fn list_of(attribute: &Attribute) -> Option<&[Attribute]> {
    match attribute {
        Attribute::List(list) => Some(list),
        Attribute::Text(_)
        | Attribute::Number { .. }
        | Attribute::Truth(_)
        | Attribute::Dictionary(_) => None,
    }
}
