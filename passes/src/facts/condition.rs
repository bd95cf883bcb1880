//! Reads a condition that a user vouches for, `n % 16 == 0 && blockDim.x <= 256`, into a kernel's
//! expressions.
//!
//! A condition is a C expression over the kernel's parameters, `blockDim` and `gridDim` with `.x`,
//! `.y`, `.z`, and integers (decimal, `0x`, `0b`). Operators, from tight to loose: `+ - ! ~` before
//! an operand; `* / %`; `+ -`; `<< >>`; `< <= > >=`; `== !=`; `&`; `^`; `|`; `&&`; `||`. As in C,
//! `n & 1 == 0` therefore means `n & (1 == 0)`.
//!
//! Beside these, or alone, stands what arrays of integers hold when the kernel begins
//! (`arrays`): `injective(perm, n)`, `range(idx, n, 0, m)`, `sorted(rows, n + 1)` and
//! `ascending(keys, n)`.
//!
//! **Types.** A parameter is the number that the source's type makes of its bits, where debug info
//! has that type and it is no wider than 32 bits ([`heddle_ir::Sign`]). Any other is signed; only
//! one that is compared with an integer which it can have as an unsigned number alone, `c != 200`
//! of eight bits, is unsigned there. A parameter narrower than 32 bits is widened to 32, an
//! unsigned one of 32 to 64 (one bit: with zeros), an integer has 32 bits if it fits and else 64,
//! and of two operands the narrower is widened, which changes no number: unlike in C, `n > -1`
//! holds for each unsigned `n`. Sums, differences, products and shifts to
//! the left by a constant are those of whole numbers: they get as many bits as they may need, so
//! that `n == gridDim.x * 128` holds for no `n` that a wrapping product would give. More than 128
//! bits are refused. A shift by the width or more, and a division by zero, have the values that
//! [`heddle_ir`] gives them. A comparison is 0 or 1, and a number is true if it is not zero.
//!
//! An answer that rests on how the sign of a parameter was read, where the source does not say it,
//! says so ([`condition_text`]).
//!
//! **Promises**: any text either becomes one bit or is refused with the column, what is wrong there
//! and the way out.
//! **Does not**: judge whether the condition can hold; `vacuity` does, for all that is assumed
//! together.

mod arrays;
mod signs;
mod tokens;

use std::fmt;

use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, ParamKind, Sign, Special, UnOp, sign_extend,
};

pub use self::signs::condition_text;
use self::tokens::{Token, refused, tokens};

/// Why a text is no condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionError {
    /// Where, in characters from one. One past the end if something is missing there.
    pub column: usize,
    /// What is wrong and what would be right; one line, lower case, no full stop.
    pub message: String,
    /// The name that this kernel has no parameter for, where that is the trouble: another kernel
    /// may have it.
    pub unknown_name: Option<String>,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for ConditionError {}

/// The condition as one bit, in the kernel's own expressions.
///
/// # Errors
/// The text is not a condition over this kernel's parameters.
pub fn parse_condition(kernel: &mut Kernel, text: &str) -> Result<ExprId, ConditionError> {
    parse(kernel, text, 32, |parser, value| parser.truth(value))
}

/// A number over parameters and launch sizes, such as `n * m`: the lowest 64 bits of it.
///
/// # Errors
/// The text is not an expression over this kernel's parameters.
pub fn parse_number(kernel: &mut Kernel, text: &str) -> Result<ExprId, ConditionError> {
    let value = parse(kernel, text, 64, |parser, value| parser.number(value))?;
    let cast = if kernel.exprs.width(value) > 64 { CastOp::Trunc } else { CastOp::Sext };
    Ok(kernel.exprs.cast(cast, value, 64))
}

fn parse(
    kernel: &mut Kernel,
    text: &str,
    least: u8,
    taken: impl Fn(&mut Parser<'_>, Value) -> Value,
) -> Result<Value, ConditionError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { kernel, tokens, next: 0, depth: 0, least };
    let value = parser.binary(0)?;
    parser.arrays_stand_alone(value)?;
    match parser.peek() {
        Token::End => Ok(taken(&mut parser, value)),
        other @ (Token::Number(_) | Token::Name(_) | Token::Sign(_)) => {
            Err(parser.error(format!("expected an operator or the end, not {other}")))
        }
    }
}

/// Unsigned parameters have at most so many bits: with more, few sums and products of theirs would
/// fit in 128 bits with a sign.
const MAX_UNSIGNED: u8 = 32;

/// Terms nested deeper than this are refused, so that no text exhausts the stack.
const MAX_DEPTH: u32 = 100;

/// From loose to tight.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

struct Parser<'k> {
    kernel: &'k mut Kernel,
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: u32,
    /// Bits that each number has at least.
    least: u8,
}

/// A value: of one bit if it is the outcome of a comparison or logical operator, else a number of
/// 32 or 64 bits.
type Value = ExprId;

impl Parser<'_> {
    fn binary(&mut self, level: usize) -> Result<Value, ConditionError> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Token::Sign(sign) = *self.peek()
            && signs.contains(&sign)
        {
            self.next += 1;
            let right = self.binary(level + 1)?;
            left = self.apply(sign, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Value, ConditionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("terms are nested deeper than {MAX_DEPTH}")));
        }
        let value = match self.take() {
            Token::Number(value) => {
                let width = if i32::try_from(value).is_ok() { self.least } else { 64 };
                self.kernel.exprs.signed(i128::from(value), width)
            }
            Token::Name(name) if self.is_called() => {
                self.depth -= 1;
                return self.array(&name);
            }
            Token::Name(name) => {
                let value = self.name(&name)?;
                let width = self.kernel.exprs.width(value).max(self.least);
                self.kernel.exprs.cast(CastOp::Sext, value, width)
            }
            Token::Sign("(") => {
                let value = self.binary(0)?;
                let closing = self.take();
                if !matches!(closing, Token::Sign(")")) {
                    return Err(self.error_before(format!("expected `)`, not {closing}")));
                }
                value
            }
            Token::Sign("!") => {
                let value = self.unary()?;
                let truth = self.truth(value);
                self.kernel.exprs.not(truth)
            }
            Token::Sign("~") => {
                let value = self.unary()?;
                let value = self.number(value);
                self.kernel.exprs.not(value)
            }
            Token::Sign("-") => {
                let value = self.unary()?;
                let value = self.number(value);
                let value = self.with_bits(value, self.bits(value) + 1)?;
                self.kernel.exprs.unary(UnOp::Neg, value)
            }
            Token::Sign("+") => {
                let value = self.unary()?;
                self.number(value)
            }
            other @ (Token::Sign(_) | Token::End) => {
                let message =
                    format!("expected a number, a parameter or a launch size, not {other}");
                return Err(self.error_before(message));
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn apply(&mut self, sign: &str, left: Value, right: Value) -> Result<Value, ConditionError> {
        if let "&&" | "||" = sign {
            let (left, right) = (self.truth(left), self.truth(right));
            return Ok(match sign {
                "&&" => self.kernel.exprs.and(left, right),
                _ => self.kernel.exprs.or(left, right),
            });
        }
        if let Some(result) = self.without_signs(sign, left, right) {
            return Ok(result);
        }
        let (left, right) = match sign {
            "<" | "<=" | ">" | ">=" | "==" | "!=" => self.of_one_sign(left, right),
            _ => (left, right),
        };
        let (left, right) = self.same_width(left, right);
        let (left, right) = match self.needs(sign, left, right) {
            Some(bits) => (self.with_bits(left, bits)?, self.with_bits(right, bits)?),
            None => (left, right),
        };
        let pool = &mut self.kernel.exprs;
        Ok(match sign {
            "*" => pool.mul(left, right),
            "/" => pool.binary(BinOp::SDiv, left, right),
            "%" => pool.binary(BinOp::SRem, left, right),
            "+" => pool.add(left, right),
            "-" => pool.sub(left, right),
            "<<" => pool.binary(BinOp::Shl, left, right),
            ">>" => pool.binary(BinOp::AShr, left, right),
            "<" => pool.slt(left, right),
            "<=" => pool.cmp(CmpOp::Sle, left, right),
            ">" => pool.slt(right, left),
            ">=" => pool.cmp(CmpOp::Sle, right, left),
            "==" => pool.eq(left, right),
            "!=" => pool.ne(left, right),
            "&" => pool.and(left, right),
            "^" => pool.binary(BinOp::Xor, left, right),
            "|" => pool.or(left, right),
            other => unreachable!("`{other}` is in no row of LEVELS"),
        })
    }

    /// A comparison or division of numbers that are both widened with zeros, or constants that are
    /// not negative, in the width from which they were widened.
    fn without_signs(&mut self, sign: &str, left: Value, right: Value) -> Option<Value> {
        let pool = &mut self.kernel.exprs;
        let narrow = |it: Value| match (pool.as_const(it), &pool[it].kind) {
            (None, ExprKind::Cast(CastOp::Zext, inner)) if pool.width(*inner) > 1 => Some(*inner),
            _ => None,
        };
        let width = [left, right].into_iter().filter_map(narrow).map(|it| pool.width(it)).max()?;
        let fits = |it: Value| match (narrow(it), pool.as_const(it)) {
            (Some(inner), _) => Some(Err(inner)),
            (None, Some(value)) => {
                let is_negative = sign_extend(value, pool.width(it)) < 0;
                (!is_negative && value >> width == 0).then_some(Ok(value))
            }
            (None, None) => None,
        };
        let [left, right] = [fits(left)?, fits(right)?].map(|it| match it {
            Ok(value) => pool.constant(value, width),
            Err(inner) => pool.cast(CastOp::Zext, inner, width),
        });
        Some(match sign {
            "<" => pool.ult(left, right),
            "<=" => pool.cmp(CmpOp::Ule, left, right),
            ">" => pool.ult(right, left),
            ">=" => pool.cmp(CmpOp::Ule, right, left),
            "==" => pool.eq(left, right),
            "!=" => pool.ne(left, right),
            "/" | "%" => {
                let op = if sign == "/" { BinOp::UDiv } else { BinOp::URem };
                let result = pool.binary(op, left, right);
                pool.cast(CastOp::Zext, result, if width < 32 { 32 } else { 64 })
            }
            _ => return None,
        })
    }

    /// The bits that an operation's whole result may need, with its sign; `None` for one whose
    /// result is no longer than its operands.
    fn needs(&self, sign: &str, left: Value, right: Value) -> Option<u32> {
        let (a, b) = (self.bits(left), self.bits(right));
        match sign {
            "+" | "-" => Some(a.max(b) + 1),
            "*" => Some(a + b),
            "<<" => {
                let by = self.kernel.exprs.as_const(right).and_then(|it| u32::try_from(it).ok())?;
                Some(a.saturating_add(by)).filter(|_| by < 64)
            }
            _ => None,
        }
    }

    /// The bits of a number that tell it, with its sign.
    fn bits(&self, value: Value) -> u32 {
        let exprs = &self.kernel.exprs;
        let width = u32::from(exprs.width(value));
        let of_constant = |it: u128| {
            let signed = sign_extend(it, exprs.width(value));
            129 - (if signed < 0 { !signed } else { signed }).leading_zeros()
        };
        match (exprs.as_const(value), &exprs[value].kind) {
            (Some(constant), _) => of_constant(constant),
            (None, ExprKind::Cast(CastOp::Sext, inner)) => self.bits(*inner),
            (None, ExprKind::Cast(CastOp::Zext, inner)) => u32::from(exprs.width(*inner)) + 1,
            (None, ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), _, a, b)) => {
                let (a, b) = (self.bits(*a), self.bits(*b));
                width.min(if *op == BinOp::Mul { a + b } else { a.max(b) + 1 })
            }
            _ => width,
        }
    }

    /// A number in a width that has room for so many bits.
    fn with_bits(&mut self, value: Value, bits: u32) -> Result<Value, ConditionError> {
        let width = self.kernel.exprs.width(value);
        let Some(room) = [32u8, 64, 128].into_iter().find(|it| u32::from(*it) >= bits) else {
            return Err(self.error_before(format!(
                "this may need {bits} bits, and 128 are computed with; compare smaller numbers"
            )));
        };
        Ok(self.kernel.exprs.cast(CastOp::Sext, value, width.max(room)))
    }

    fn name(&mut self, name: &str) -> Result<Value, ConditionError> {
        let axis = |of: &str| {
            let letter = name.strip_prefix(of)?.strip_prefix('.')?;
            ["x", "y", "z"].iter().position(|it| *it == letter)
        };
        if let Some(axis) = axis("blockDim") {
            return Ok(self.kernel.exprs.special(Special::Ntid(axis as u8)));
        }
        if let Some(axis) = axis("gridDim") {
            return Ok(self.kernel.exprs.special(Special::Nctaid(axis as u8)));
        }
        let Some(index) = self.kernel.params.iter().position(|param| param.name == name) else {
            let message = match name.split('.').next() {
                Some("threadIdx" | "blockIdx") => {
                    format!(
                        "`{name}` differs between threads; a condition is over parameters, `blockDim` and `gridDim`"
                    )
                }
                _ => format!(
                    "the kernel `{}` has no parameter `{name}`; {}",
                    self.kernel.display_name,
                    choices(self.kernel)
                ),
            };
            return Err(ConditionError {
                unknown_name: Some(name.to_owned()),
                ..self.error_before(message)
            });
        };
        let width = match self.kernel.params[index].kind {
            ParamKind::Scalar { width } | ParamKind::Field { width, .. } => width,
            ParamKind::Pointer(_) => {
                let message = format!("`{name}` is a pointer; a condition is over numbers");
                return Err(self.error_before(message));
            }
        };
        if width > 64 {
            return Err(
                self.error_before(format!("`{name}` has {width} bits; at most 64 are read"))
            );
        }
        let param = self.kernel.exprs.param(index as u32, width);
        let is_unsigned = self.kernel.params[index].sign == Some(Sign::Unsigned);
        Ok(match width {
            1 => self.kernel.exprs.cast(CastOp::Zext, param, 32),
            2..=31 if is_unsigned => self.kernel.exprs.cast(CastOp::Zext, param, 32),
            MAX_UNSIGNED if is_unsigned => self.kernel.exprs.cast(CastOp::Zext, param, 64),
            2..=31 => self.kernel.exprs.cast(CastOp::Sext, param, 32),
            33..=63 => self.kernel.exprs.cast(CastOp::Sext, param, 64),
            _ => param,
        })
    }

    /// Two sides of a comparison; a parameter beside an integer that it has only as an unsigned
    /// number is widened with zeros.
    fn of_one_sign(&mut self, left: Value, right: Value) -> (Value, Value) {
        let Kernel { exprs: pool, params, .. } = &mut *self.kernel;
        let mut beside = |it: Value, other: Value| {
            let widened = if let ExprKind::Cast(CastOp::Sext, inner) = pool[it].kind {
                Some(inner)
            } else {
                None
            };
            let param = widened.unwrap_or(it);
            let (width, other_width) = (pool.width(param), pool.width(other));
            let is_param = if let ExprKind::Param(index) = pool[param].kind {
                params[index as usize].sign.is_none()
            } else {
                false
            };
            // A parameter has at most 64 bits.
            let is_unsigned_only = |it: u128| it >> (width - 1) == 1;
            match pool.as_const(other) {
                // A negative integer of the other's width is larger than these.
                Some(value) if is_param && width < other_width && is_unsigned_only(value) => {
                    pool.cast(CastOp::Zext, param, other_width)
                }
                _ => it,
            }
        };
        (beside(left, right), beside(right, left))
    }

    fn same_width(&mut self, left: Value, right: Value) -> (Value, Value) {
        let (left, right) = (self.number(left), self.number(right));
        let pool = &mut self.kernel.exprs;
        let width = pool.width(left).max(pool.width(right));
        (pool.cast(CastOp::Sext, left, width), pool.cast(CastOp::Sext, right, width))
    }

    /// As a number: an outcome is 0 or 1.
    fn number(&mut self, value: Value) -> Value {
        match self.kernel.exprs.width(value) {
            1 => self.kernel.exprs.cast(CastOp::Zext, value, 32),
            _ => value,
        }
    }

    /// As an outcome: a number is true if it is not zero.
    fn truth(&mut self, value: Value) -> Value {
        match self.kernel.exprs.width(value) {
            1 => value,
            width => {
                let zero = self.kernel.exprs.constant(0, width);
                self.kernel.exprs.ne(value, zero)
            }
        }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn take(&mut self) -> Token {
        let token = self.peek().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn error(&self, message: String) -> ConditionError {
        refused(self.tokens[self.next].0, message)
    }

    /// About the token that was taken last.
    fn error_before(&self, message: String) -> ConditionError {
        refused(self.tokens[self.next.saturating_sub(1)].0, message)
    }
}

/// The names a condition may use, for the message that one is not among them.
fn choices(kernel: &Kernel) -> String {
    let number = |kind: &ParamKind| match kind {
        ParamKind::Scalar { .. } | ParamKind::Field { .. } => true,
        ParamKind::Pointer(_) => false,
    };
    let names: Vec<_> = kernel
        .params
        .iter()
        .filter(|it| number(&it.kind))
        .map(|it| format!("`{}`", it.name))
        .collect();
    match names.as_slice() {
        [] => "none of its parameters is a number".to_owned(),
        names => format!("those that are numbers: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests;
