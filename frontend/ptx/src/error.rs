//! What is wrong with a template or its constraints, and where.

use std::fmt;

/// Why an inline assembly cannot be read. The caller keeps going with an opaque operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmError {
    /// What is wrong.
    pub kind: AsmErrorKind,
    /// The string at fault: the template, or the constraints.
    pub template: String,
    /// Where in it: characters, from 1, line ends counted.
    pub column: usize,
}

/// What is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AsmErrorKind {
    /// A constraint that is empty or has no known form.
    BadConstraint(String),
    /// A character that has no place in PTX.
    UnexpectedCharacter(char),
    /// A comment, a string or a `${` that does not end.
    Unterminated(&'static str),
    /// A `$` that starts nothing LLVM knows, or the assembler dialects `$( $| $)`.
    BadPlaceholder,
    /// A `$n` glued to other text: the word is only known when the operand is.
    PlaceholderInWord,
    /// `$n` without an n-th constraint.
    NoSuchOperand(usize),
    /// Another token than this was due.
    Expected(&'static str),
    /// A number that does not fit 64 bits, or is none.
    BadNumber(String),
    /// A `%name` that is neither declared here nor a special register of the manual.
    UndeclaredRegister(String),
    /// One element `v.x` of a vector register.
    VectorElement(String),
    /// A branch to a label that no enclosing block has.
    UndeclaredLabel(String),
    /// Declared twice in one block.
    Redeclared(String),
    /// More registers, or deeper nesting, than any real code has.
    TooLarge,
    /// A `{` without its `}`, or the reverse.
    UnbalancedBlock,
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AsmError { kind, template, column } = self;
        write!(f, "inline PTX `{}`, column {column}: {kind}", template.escape_debug())
    }
}

impl std::error::Error for AsmError {}

impl fmt::Display for AsmErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AsmErrorKind::BadConstraint(text) => {
                write!(f, "`{text}` is no constraint of the NVPTX target")
            }
            AsmErrorKind::UnexpectedCharacter(c) => write!(f, "unexpected `{}`", c.escape_debug()),
            AsmErrorKind::Unterminated(what) => write!(f, "this {what} does not end"),
            AsmErrorKind::BadPlaceholder => {
                write!(f, "expected `$n`, `${{n}}`, `${{:uid}}` or `$$`")
            }
            AsmErrorKind::PlaceholderInWord => {
                write!(
                    f,
                    "an operand is part of a longer word; write the word out, or separate the two"
                )
            }
            AsmErrorKind::NoSuchOperand(n) => write!(f, "there is no operand `${n}`"),
            AsmErrorKind::Expected(what) => write!(f, "expected {what}"),
            AsmErrorKind::BadNumber(text) => write!(f, "`{text}` is not a 64-bit number"),
            AsmErrorKind::UndeclaredRegister(name) => {
                write!(f, "`{name}` is not declared; add `.reg` in the same `{{ }}` block")
            }
            AsmErrorKind::VectorElement(name) => {
                write!(f, "`{name}` is one element of a vector register; use scalar registers")
            }
            AsmErrorKind::UndeclaredLabel(name) => {
                write!(f, "no label `{name}` in an enclosing `{{ }}` block")
            }
            AsmErrorKind::Redeclared(name) => write!(f, "`{name}` is declared twice in one block"),
            AsmErrorKind::TooLarge => write!(f, "too many registers, or nested too deeply"),
            AsmErrorKind::UnbalancedBlock => write!(f, "`{{` and `}}` do not match"),
        }
    }
}
