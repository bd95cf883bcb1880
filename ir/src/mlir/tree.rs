//! MLIR's generic form as a tree of operations, of whatever dialect; `module` and `llvm.return` in
//! the short form too, since MLIR prints them so.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::lex::{Placed, Token, tokens};
use crate::text::ParseError;

/// Regions, attributes and locations deeper than this are refused.
const MAX_DEPTH: u32 = 300;

#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub(super) name: String,
    pub(super) operands: Vec<String>,
    /// Names and types.
    pub(super) results: Vec<(String, String)>,
    pub(super) attributes: BTreeMap<String, Attribute>,
    pub(super) regions: Vec<Block>,
    pub(super) place: Place,
    /// Where it stands in the text.
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Operation {
    pub(super) fn expected(&self, what: impl Into<String>) -> ParseError {
        let found = format!("`{}`", self.name);
        ParseError { line: self.line, column: self.column, expected: what.into(), found }
    }
}

/// A region: all that Heddle writes have one block.
#[derive(Clone, Default, Debug)]
pub(super) struct Block {
    pub(super) arguments: Vec<Argument>,
    pub(super) operations: Vec<Operation>,
}

#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) r#type: String,
    pub(super) place: Place,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Attribute {
    Text(String),
    Number { negative: bool, magnitude: u128 },
    Truth(bool),
    List(Vec<Attribute>),
    Dictionary(BTreeMap<String, Attribute>),
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Place {
    #[default]
    Unknown,
    Line {
        file: String,
        line: u32,
        column: u32,
    },
    Name(String),
    Call {
        callee: Box<Place>,
        caller: Box<Place>,
    },
    Fused {
        data: Option<Attribute>,
        places: Vec<Place>,
    },
    /// `#loc3`, which the text defines elsewhere.
    Alias(String),
}

/// A text: its operations, and the locations that it has names for.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) operations: Vec<Operation>,
    pub(super) places: FxHashMap<String, Place>,
}

pub(super) fn tree(text: &str) -> Result<Text, ParseError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let (mut operations, mut places) = (Vec::new(), FxHashMap::default());
    loop {
        match parser.peek().clone() {
            Token::End => return Ok(Text { operations, places }),
            Token::Alias(name) => {
                parser.advance();
                parser.sign('=')?;
                places.insert(name, parser.place()?);
            }
            _ => operations.push(parser.operation()?),
        }
    }
}

struct Parser {
    tokens: Vec<Placed>,
    at: usize,
    depth: u32,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].token.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn expected(&self, what: impl Into<String>) -> ParseError {
        let Placed { token, line, column } = &self.tokens[self.at];
        let found = token.shown();
        ParseError { line: *line, column: *column, expected: what.into(), found }
    }

    fn take(&mut self, sign: char) -> bool {
        let is_there = *self.peek() == Token::Sign(sign);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn sign(&mut self, sign: char) -> Result<(), ParseError> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(format!("`{sign}`"))) }
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_there = matches!(self.peek(), Token::Word(it) if it == word);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn number(&mut self, what: &str) -> Result<u32, ParseError> {
        let number = match self.peek() {
            Token::Number { negative: false, magnitude } => u32::try_from(*magnitude).ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected(what))?;
        self.advance();
        Ok(number)
    }

    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Parser) -> Result<T, ParseError>,
    ) -> Result<T, ParseError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.expected(format!("no more than {MAX_DEPTH} levels of nesting")));
        }
        self.depth += 1;
        let found = inner(self);
        self.depth -= 1;
        found
    }

    /// What stands between two signs, with commas between.
    fn list<T>(
        &mut self,
        [open, close]: [char; 2],
        mut one: impl FnMut(&mut Parser) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        self.sign(open)?;
        let mut out = Vec::new();
        if self.take(close) {
            return Ok(out);
        }
        loop {
            out.push(one(self)?);
            if self.take(close) {
                return Ok(out);
            }
            if !self.take(',') {
                return Err(self.expected(format!("`,` or `{close}`")));
            }
        }
    }

    fn operation(&mut self) -> Result<Operation, ParseError> {
        let Placed { token: _, line, column } = self.tokens[self.at];
        let mut named = Vec::new();
        while let Token::Value(name) = self.peek().clone() {
            self.advance();
            match self.take(':') {
                true => {
                    let count = self.number("how many values it gives")?;
                    // Each stands for a type that follows: a text has no room for more.
                    let most = self.tokens.len() as u32;
                    named.extend((0..count.min(most)).map(|n| format!("{name}#{n}")));
                }
                false => named.push(name),
            }
            if !self.take(',') {
                self.sign('=')?;
                break;
            }
        }
        let mut operation = Operation {
            name: String::new(),
            operands: Vec::new(),
            results: Vec::new(),
            attributes: BTreeMap::new(),
            regions: Vec::new(),
            place: Place::Unknown,
            line,
            column,
        };
        match self.peek().clone() {
            Token::Text(name) => {
                self.advance();
                operation.name = name;
                self.generic(&mut operation, named)?;
            }
            Token::Word(name) if named.is_empty() && name == "llvm.return" => {
                self.advance();
                operation.name = name;
            }
            Token::Word(name) if named.is_empty() && name == "module" => {
                self.advance();
                operation.name = "builtin.module".to_owned();
                if self.take_word("attributes") {
                    operation.attributes = self.dictionary()?;
                }
                operation.regions.push(self.region()?);
            }
            _ => return Err(self.expected("an operation in the generic form")),
        }
        operation.place = self.optional_place()?;
        Ok(operation)
    }

    fn generic(&mut self, into: &mut Operation, named: Vec<String>) -> Result<(), ParseError> {
        into.operands = self.list(['(', ')'], |it| match it.peek().clone() {
            Token::Value(name) => {
                it.advance();
                Ok(name)
            }
            _ => Err(it.expected("a value")),
        })?;
        if self.take('<') {
            into.attributes = self.dictionary()?;
            self.sign('>')?;
        }
        if *self.peek() == Token::Sign('(') {
            into.regions = self.list(['(', ')'], Parser::region)?;
        }
        if *self.peek() == Token::Sign('{') {
            into.attributes.extend(self.dictionary()?);
        }
        self.sign(':')?;
        self.list(['(', ')'], Parser::r#type)?;
        if *self.peek() != Token::Arrow {
            return Err(self.expected("`->`"));
        }
        self.advance();
        let types = match self.peek() {
            Token::Sign('(') => self.list(['(', ')'], Parser::r#type)?,
            _ => vec![self.r#type()?],
        };
        if !named.is_empty() && named.len() != types.len() {
            return Err(self.expected(format!("{} types before this", named.len())));
        }
        into.results = named.into_iter().zip(types).collect();
        Ok(())
    }

    fn r#type(&mut self) -> Result<String, ParseError> {
        match self.peek().clone() {
            Token::Word(name) => {
                self.advance();
                Ok(name)
            }
            Token::Type(name) => {
                self.advance();
                Ok(format!("!{name}"))
            }
            _ => Err(self.expected("a type")),
        }
    }

    fn region(&mut self) -> Result<Block, ParseError> {
        self.deeper(|it| {
            it.sign('{')?;
            let mut block = Block::default();
            if let Token::Block(_) = it.peek() {
                it.advance();
                if *it.peek() == Token::Sign('(') {
                    block.arguments = it.list(['(', ')'], Parser::argument)?;
                }
                it.sign(':')?;
            }
            while !it.take('}') {
                block.operations.push(it.operation()?);
            }
            Ok(block)
        })
    }

    fn argument(&mut self) -> Result<Argument, ParseError> {
        let Token::Value(name) = self.peek().clone() else {
            return Err(self.expected("an argument of the block"));
        };
        self.advance();
        self.sign(':')?;
        Ok(Argument { name, r#type: self.r#type()?, place: self.optional_place()? })
    }

    fn dictionary(&mut self) -> Result<BTreeMap<String, Attribute>, ParseError> {
        let entries = self.list(['{', '}'], |it| {
            let (Token::Word(name) | Token::Text(name)) = it.peek().clone() else {
                return Err(it.expected("the name of an attribute"));
            };
            it.advance();
            it.sign('=')?;
            Ok((name, it.attribute()?))
        })?;
        Ok(entries.into_iter().collect())
    }

    fn attribute(&mut self) -> Result<Attribute, ParseError> {
        self.deeper(|it| {
            let found = match it.peek().clone() {
                Token::Text(text) => Attribute::Text(text),
                Token::Number { negative, magnitude } => Attribute::Number { negative, magnitude },
                Token::Word(word) if word == "true" || word == "false" => {
                    Attribute::Truth(word == "true")
                }
                Token::Sign('[') => {
                    return Ok(Attribute::List(it.list(['[', ']'], Parser::attribute)?));
                }
                Token::Sign('{') => return Ok(Attribute::Dictionary(it.dictionary()?)),
                _ => return Err(it.expected("text, a number, a truth value, `[` or `{`")),
            };
            it.advance();
            // The type of a number.
            if matches!(found, Attribute::Number { .. }) && it.take(':') {
                it.r#type()?;
            }
            Ok(found)
        })
    }

    fn optional_place(&mut self) -> Result<Place, ParseError> {
        match self.peek() {
            Token::Word(word) if word == "loc" => self.place(),
            _ => Ok(Place::Unknown),
        }
    }

    /// `loc(…)`.
    fn place(&mut self) -> Result<Place, ParseError> {
        if !self.take_word("loc") {
            return Err(self.expected("`loc`"));
        }
        self.sign('(')?;
        let place = self.place_inside()?;
        self.sign(')')?;
        Ok(place)
    }

    fn place_inside(&mut self) -> Result<Place, ParseError> {
        self.deeper(|it| match it.peek().clone() {
            Token::Alias(name) => {
                it.advance();
                Ok(Place::Alias(name))
            }
            Token::Text(text) => {
                it.advance();
                if !it.take(':') {
                    return Ok(Place::Name(text));
                }
                let line = it.number("a line")?;
                it.sign(':')?;
                Ok(Place::Line { file: text, line, column: it.number("a column")? })
            }
            Token::Word(word) if word == "unknown" => {
                it.advance();
                Ok(Place::Unknown)
            }
            Token::Word(word) if word == "callsite" => {
                it.advance();
                it.sign('(')?;
                let callee = Box::new(it.place_inside()?);
                if !it.take_word("at") {
                    return Err(it.expected("`at`"));
                }
                let caller = Box::new(it.place_inside()?);
                it.sign(')')?;
                Ok(Place::Call { callee, caller })
            }
            Token::Word(word) if word == "fused" => {
                it.advance();
                let data = match it.take('<') {
                    true => {
                        let data = it.attribute()?;
                        it.sign('>')?;
                        Some(data)
                    }
                    false => None,
                };
                Ok(Place::Fused { data, places: it.list(['[', ']'], Parser::place_inside)? })
            }
            _ => Err(it.expected("a location")),
        })
    }
}
