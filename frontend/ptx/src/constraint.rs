//! LLVM's constraint string: `=r,l,n,0,~{memory}`.
//!
//! Outputs come first, then inputs; both are numbered together, and clobbers have no number (LLVM
//! Language Reference, "Inline Asm Constraint String"). Letters are those of the NVPTX target.

use super::error::AsmErrorKind;

/// The constraint string, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedConstraints {
    /// Outputs and inputs, in the order of `$n`.
    pub operands: Vec<Constraint>,
    /// Whether `~{memory}` is among the clobbers.
    pub clobbers_memory: bool,
}

/// One operand from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Which way the value goes.
    pub kind: ConstraintKind,
    /// Where it is kept.
    pub class: OperandClass,
    /// `&`: written before all inputs are read.
    pub early_clobber: bool,
    /// `*`: the operand is the address of the value.
    pub indirect: bool,
}

/// Which way the value of an operand goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstraintKind {
    /// Written.
    Output,
    /// Read.
    Input,
    /// Read, in the register of this output: the way `"+r"` reaches LLVM.
    Tied(usize),
    /// A label to go to.
    Label,
}

/// Where an operand is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandClass {
    /// `b`: a predicate.
    Predicate,
    /// `c`, `h`: 16 bits.
    Bits16,
    /// `r`: 32 bits.
    Bits32,
    /// `l`, `N`: 64 bits.
    Bits64,
    /// `q`: 128 bits.
    Bits128,
    /// `f`: 32-bit float.
    Float32,
    /// `d`: 64-bit float.
    Float64,
    /// `n`, `i`, `s`, `X`: a constant.
    Constant,
    /// `m`: memory.
    Memory,
    /// That of the output it is tied to.
    AsTied,
}

/// Reads a constraint string; an error comes with its column.
pub(crate) fn parse(text: &str) -> Result<ParsedConstraints, (usize, AsmErrorKind)> {
    let mut parsed = ParsedConstraints { operands: Vec::new(), clobbers_memory: false };
    if text.is_empty() {
        return Ok(parsed);
    }
    let mut column = 1;
    for part in text.split(',') {
        if let Some(clobber) = part.strip_prefix('~') {
            if !(clobber.starts_with('{') && clobber.ends_with('}')) {
                return Err((column, AsmErrorKind::BadConstraint(part.to_owned())));
            }
            parsed.clobbers_memory |= clobber == "{memory}";
        } else {
            let constraint = operand(part, &parsed.operands)
                .ok_or_else(|| (column, AsmErrorKind::BadConstraint(part.to_owned())))?;
            parsed.operands.push(constraint);
        }
        column += part.chars().count() + 1;
    }
    Ok(parsed)
}

fn operand(text: &str, before: &[Constraint]) -> Option<Constraint> {
    if let Some(code) = text.strip_prefix('!') {
        return (code == "i").then_some(Constraint {
            kind: ConstraintKind::Label,
            class: OperandClass::Constant,
            early_clobber: false,
            indirect: false,
        });
    }
    let (output, mut code) = match text.strip_prefix('=') {
        Some(code) => (true, code),
        None => (false, text),
    };
    let (mut early_clobber, mut indirect) = (false, false);
    loop {
        if let Some(rest) = code.strip_prefix('&') {
            (early_clobber, code) = (true, rest);
        } else if let Some(rest) = code.strip_prefix('*') {
            (indirect, code) = (true, rest);
        } else {
            break;
        }
    }
    if !output && !code.is_empty() && code.bytes().all(|b| b.is_ascii_digit()) {
        let tied: usize = code.parse().ok()?;
        let is_output = before.get(tied).is_some_and(|c| c.kind == ConstraintKind::Output);
        return is_output.then_some(Constraint {
            kind: ConstraintKind::Tied(tied),
            class: OperandClass::AsTied,
            early_clobber,
            indirect,
        });
    }
    let class = match code {
        "b" => OperandClass::Predicate,
        "c" | "h" => OperandClass::Bits16,
        "r" => OperandClass::Bits32,
        "l" | "N" => OperandClass::Bits64,
        "q" => OperandClass::Bits128,
        "f" => OperandClass::Float32,
        "d" => OperandClass::Float64,
        "n" | "i" | "s" | "X" if !output => OperandClass::Constant,
        "m" => OperandClass::Memory,
        _ => return None,
    };
    let kind = if output { ConstraintKind::Output } else { ConstraintKind::Input };
    Some(Constraint { kind, class, early_clobber, indirect })
}
