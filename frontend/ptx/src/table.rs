//! The table: one row for each kind of opcode.
//!
//! To teach the reader an instruction, add a row in the file of its kind, and a line to that kind's
//! test. A row whose `class` says `None` leaves the opcode to the rows after it, and in the end to
//! [`Class::Unknown`].

mod async_copy;
mod barrier;
mod control;
mod fence;
mod matrix;
mod mbarrier;
mod memory;
mod register;
mod texture;
mod warp;

pub(crate) use memory::atomic_op;

use super::class::Class;
use super::instruction::{Instruction, Role};
use super::parser::{Statement, Written};
use super::pattern::{self, Modifiers};
use super::roles::{self, Context};

/// More modifiers or operands than any instruction has: such a statement is unknown.
const MAX_MODIFIERS: usize = 32;
const MAX_OPERANDS: usize = 64;

/// One row.
pub(crate) struct Row {
    /// Opcodes; the language is that of the module `pattern`.
    pattern: &'static str,
    /// Operands; the language is that of the module `roles`.
    operands: &'static str,
    /// What it means.
    class: fn(&Modifiers<'_>) -> Option<Class>,
}

/// All rows; the first that fits an opcode and its operands is taken.
const TABLE: &[&[Row]] = &[
    barrier::ROWS,
    mbarrier::ROWS,
    async_copy::ROWS,
    fence::ROWS,
    memory::ROWS,
    warp::ROWS,
    matrix::ROWS,
    texture::ROWS,
    register::ROWS,
    control::ROWS,
];

/// The patterns of all rows, for documentation.
pub fn patterns() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|rows| rows.iter()).map(|row| row.pattern)
}

/// Says what a statement means.
pub fn classify(cx: &Context<'_>, statement: Statement) -> Instruction {
    let (class, roles) = known(cx, &statement)
        .unwrap_or_else(|| (Class::Unknown, roles::guess(cx, &statement.operands)));
    let Statement { guard, opcode, operands, column, .. } = statement;
    let operands = roles
        .into_iter()
        .zip(operands)
        .map(|(role, Written { operand, .. })| (role, operand))
        .collect();
    Instruction { guard, class, opcode, operands, column }
}

/// What an opcode means by itself, whatever its operands are.
pub(crate) fn class_of(opcode: &str) -> Option<Class> {
    let modifiers = Modifiers::split(opcode);
    let mut rows = TABLE.iter().flat_map(|rows| rows.iter());
    let found = rows.find(|row| pattern::matches_in_any_order(row.pattern, &modifiers))?;
    (found.class)(&modifiers)
}

fn known(cx: &Context<'_>, statement: &Statement) -> Option<(Class, Vec<Role>)> {
    row(cx, statement).map(|(_, class, roles)| (class, roles))
}

/// The row that describes a statement: its place in the table, and what it says.
fn row(cx: &Context<'_>, statement: &Statement) -> Option<(usize, Class, Vec<Role>)> {
    let Statement { opcode, operands, .. } = statement;
    if opcode.split('.').count() > MAX_MODIFIERS || operands.len() > MAX_OPERANDS {
        return None;
    }
    let modifiers = Modifiers::split(opcode);
    let find = |fits: fn(&str, &Modifiers<'_>) -> bool| {
        TABLE.iter().flat_map(|rows| rows.iter()).enumerate().find_map(|(at, row)| {
            if !fits(row.pattern, &modifiers) {
                return None;
            }
            let roles = roles::assign(cx, row.operands, &modifiers, operands)?;
            Some((at, (row.class)(&modifiers)?, roles))
        })
    };
    find(pattern::matches).or_else(|| find(pattern::matches_in_any_order))
}

/// The place in the table of the row that describes a statement.
#[cfg(test)]
pub(crate) fn row_of(cx: &Context<'_>, statement: &Statement) -> Option<usize> {
    row(cx, statement).map(|(at, _, _)| at)
}

#[cfg(test)]
pub(crate) fn signatures() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|rows| rows.iter()).map(|row| row.operands)
}
