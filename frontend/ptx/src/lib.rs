//! The tables of PTX and NVVM: from text to instructions that say what they mean.
//!
//! Inline PTX has a template and constraints:
//!
//! ```text
//! template ── lexer ──► tokens ── parser ──► statements ── table ──► Asm { registers, labels, instructions }
//! ```
//!
//! [`read`] takes the two strings that LLVM keeps of an `asm` and names nothing of LLVM itself. The
//! meaning of an opcode is one row of [`table`]: a pattern, the roles of its operands, its
//! [`Class`]. Chapters are those of the PTX ISA 8.8 manual; within one, look for the instruction's
//! name.
//!
//! NVVM's intrinsics have rows of the same kind in `nvvm`: [`intrinsic`] gives their [`Class`].
//!
//! **Promises**: every statement of the template is an [`Instruction`], in order, none dropped (but
//! `.pragma`, `.loc`, `.file`, which mean nothing to a running thread). What no row describes, in
//! its opcode or in the shape of its operands, is [`Class::Unknown`], which may read and write any
//! memory, wait, and write each operand whose role is [`Role::ReadWrite`]. A template that is not
//! PTX is an [`AsmError`] with its column; nothing panics.
//!
//! **Does not**: check types, or that the target has the instruction: `ptxas` does; give a meaning
//! to a value.

#![forbid(unsafe_code)]

mod class;
mod constraint;
mod error;
mod instruction;
pub mod lexer;
pub mod mathematics;
pub mod matrix;
pub mod number;
mod nvvm;
mod operand;
pub mod parser;
mod pattern;
pub mod registers;
pub mod roles;
mod special;
pub mod table;
#[cfg(test)]
mod tests;
mod types;

pub use class::{
    BulkCompletion, BulkCopy, BulkKind, CacheLevel, Class, Effect, LoadStore, MbarrierOp,
    MbarrierWhere, PhaseBy, Product, Proxy, Semantics, Surface, Tensor, TensorCore, Warpgroup,
};
pub use class::{Comparison, Half, Logic, PureOp};
pub use constraint::{Constraint, ConstraintKind, OperandClass, ParsedConstraints};
pub use error::{AsmError, AsmErrorKind};
pub use instruction::{Guard, Instruction, Role};
pub use nvvm::{Intrinsic, intrinsic, special_register};
pub use operand::{Address, Label, LabelId, Offset, Operand, RegId, Register};
pub use special::{Axis, Special};
pub use types::{Space, Type, TypeKind};

/// An inline assembly, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asm {
    /// The operands from outside, in the order of their `$n`.
    pub operands: Vec<Constraint>,
    /// The registers that `.reg` declares, in order; names may repeat in different `{ }` blocks.
    pub regs: Vec<Register>,
    /// Its labels, in order.
    pub labels: Vec<Label>,
    /// What it does, in order.
    pub instructions: Vec<Instruction>,
    /// `~{memory}`: the compiler may not move accesses across it. Says nothing about what it
    /// touches.
    pub clobbers_memory: bool,
}

/// Reads the template and the constraints of an inline assembly, as LLVM writes them.
///
/// # Errors
/// The template is not PTX, or the two do not fit each other: see [`AsmErrorKind`].
pub fn read(template: &str, constraints: &str) -> Result<Asm, AsmError> {
    let ParsedConstraints { operands, clobbers_memory } = constraint::parse(constraints)
        .map_err(|(column, kind)| AsmError { kind, template: constraints.to_owned(), column })?;
    let in_template = |(column, kind)| AsmError { kind, template: template.to_owned(), column };
    let tokens = lexer::lex(template).map_err(in_template)?;
    let end = template.chars().count() + 1;
    let parsed = parser::parse(&tokens, end, operands.len()).map_err(in_template)?;
    let parser::Parsed { statements, regs, labels } = parsed;
    let cx = roles::Context { operands: &operands, regs: &regs };
    let instructions =
        statements.into_iter().map(|statement| table::classify(&cx, statement)).collect();
    Ok(Asm { operands, regs, labels, instructions, clobbers_memory })
}
