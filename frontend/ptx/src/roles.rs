//! Which operand plays which role.
//!
//! A signature is words: `dest dest_pred? mbarrier count? cache_policy@L2::cache_hint rest*`. `?`
//! may be missing, `@modifier` is there exactly if the opcode has the modifier, `*` is any number.
//! The first assignment from the left in which all operands are of their role's shape is taken. The
//! signature `any` takes all operands and knows nothing of them.

use super::constraint::{Constraint, ConstraintKind, OperandClass};
use super::instruction::Role;
use super::operand::{Operand, Register};
use super::parser::Written;
use super::pattern::Modifiers;
use super::types::TypeKind;

/// What operands refer to.
pub struct Context<'a> {
    /// `$n`.
    pub operands: &'a [Constraint],
    /// What `.reg` declares.
    pub regs: &'a [Register],
}

/// The roles of the operands, or nothing if they do not fit the signature.
pub(crate) fn assign(
    cx: &Context<'_>,
    signature: &str,
    modifiers: &Modifiers<'_>,
    written: &[Written],
) -> Option<Vec<Role>> {
    if signature == "any" {
        return Some(guess(cx, written));
    }
    let slots: Vec<Slot> =
        signature.split_whitespace().filter_map(|word| slot(word, modifiers)).collect();
    let mut roles = Vec::with_capacity(written.len());
    fits(cx, &slots, written, &mut roles).then_some(roles)
}

/// The roles of operands of which nothing is known: what can be written is taken to be.
pub(crate) fn guess(cx: &Context<'_>, written: &[Written]) -> Vec<Role> {
    let role =
        |w: &Written| if may_be_written(cx, &w.operand) { Role::ReadWrite } else { Role::Rest };
    written.iter().map(role).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    Once,
    Maybe,
    Many,
}

#[derive(Clone, Copy)]
struct Slot {
    role: Role,
    times: Times,
}

fn slot(word: &str, modifiers: &Modifiers<'_>) -> Option<Slot> {
    let (name, times) = match word.split_once('@') {
        Some((name, modifier)) if modifiers.has(modifier) => (name, Times::Once),
        Some(_) => return None,
        None => match (word.strip_suffix('?'), word.strip_suffix('*')) {
            (Some(name), _) => (name, Times::Maybe),
            (None, Some(name)) => (name, Times::Many),
            (None, None) => (word, Times::Once),
        },
    };
    // A misspelt role matches no operand; a test reads each signature of the table.
    Role::parse(name).map(|role| Slot { role, times })
}

fn fits(cx: &Context<'_>, slots: &[Slot], written: &[Written], roles: &mut Vec<Role>) -> bool {
    let Some((slot, later)) = slots.split_first() else { return written.is_empty() };
    if let Some((first, others)) = written.split_first()
        && shaped(cx, slot.role, first)
    {
        roles.push(slot.role);
        let next = if slot.times == Times::Many { slots } else { later };
        if fits(cx, next, others, roles) {
            return true;
        }
        roles.pop();
    }
    match slot.times {
        Times::Once => false,
        Times::Maybe | Times::Many => fits(cx, later, written, roles),
    }
}

fn shaped(cx: &Context<'_>, role: Role, written: &Written) -> bool {
    let Written { operand, joined, .. } = written;
    if *joined != (role == Role::DestPred) && role != Role::Rest {
        return false;
    }
    match role {
        Role::Dest | Role::DestPred => can_be_written(cx, operand),
        Role::Rest => true,
        Role::ReadWrite => may_be_written(cx, operand),
        Role::IgnoreSource => is_predicate(cx, operand),
        Role::SourceSize => is_value(operand) && !is_predicate(cx, operand),
        Role::Im2col => matches!(operand, Operand::Vector(_)),
        Role::Target => matches!(operand, Operand::Label(_)),
        Role::Value | Role::Second | Role::Third | Role::Fourth => {
            is_value(operand)
                || matches!(operand, Operand::Vector(elements) if elements.iter().all(is_value))
        }
        _ if role.is_address() => matches!(operand, Operand::Address(_)),
        _ => is_value(operand),
    }
}

fn is_value(operand: &Operand) -> bool {
    match operand {
        Operand::Asm(_)
        | Operand::Reg(_)
        | Operand::Int(_)
        | Operand::Float { .. }
        | Operand::Special(_)
        | Operand::Not(_)
        | Operand::Symbol(_) => true,
        // `_` as a source stands for nothing we know.
        Operand::Address(_) | Operand::Vector(_) | Operand::Sink | Operand::Label(_) => false,
    }
}

fn is_predicate(cx: &Context<'_>, operand: &Operand) -> bool {
    match operand {
        Operand::Asm(n) => {
            let constraint = match cx.operands[*n].kind {
                ConstraintKind::Tied(to) => &cx.operands[to],
                ConstraintKind::Output | ConstraintKind::Input | ConstraintKind::Label => {
                    &cx.operands[*n]
                }
            };
            constraint.class == OperandClass::Predicate
        }
        Operand::Reg(reg) => cx.regs[reg.0].ty.kind == TypeKind::Predicate,
        Operand::Not(inner) => is_predicate(cx, inner),
        Operand::Int(_)
        | Operand::Float { .. }
        | Operand::Special(_)
        | Operand::Address(_)
        | Operand::Vector(_)
        | Operand::Sink
        | Operand::Label(_)
        | Operand::Symbol(_) => false,
    }
}

/// Whether it can stand where a result goes.
fn can_be_written(cx: &Context<'_>, operand: &Operand) -> bool {
    match operand {
        // An input tied to an output is in the output's register: writing it is writing the output.
        Operand::Asm(n) => match cx.operands[*n].kind {
            ConstraintKind::Output | ConstraintKind::Tied(_) => !cx.operands[*n].indirect,
            ConstraintKind::Input | ConstraintKind::Label => false,
        },
        Operand::Reg(_) | Operand::Sink => true,
        Operand::Vector(elements) => elements.iter().all(|e| can_be_written(cx, e)),
        Operand::Int(_)
        | Operand::Float { .. }
        | Operand::Special(_)
        | Operand::Not(_)
        | Operand::Address(_)
        | Operand::Label(_)
        | Operand::Symbol(_) => false,
    }
}

/// Whether any part of it could be written by an instruction nobody knows, memory at an address
/// included.
fn may_be_written(cx: &Context<'_>, operand: &Operand) -> bool {
    match operand {
        Operand::Address(_) => true,
        Operand::Vector(elements) => elements.iter().any(|e| may_be_written(cx, e)),
        Operand::Asm(_)
        | Operand::Reg(_)
        | Operand::Int(_)
        | Operand::Float { .. }
        | Operand::Special(_)
        | Operand::Not(_)
        | Operand::Sink
        | Operand::Label(_)
        | Operand::Symbol(_) => can_be_written(cx, operand),
    }
}
