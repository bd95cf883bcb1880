//! Variables that nothing can write become constants, so that their initialiser is what they hold
//! in each launch.
//!
//! **What**: marks a variable in global or constant memory `constant`.
//! **Method**: the uses of its address are followed through address arithmetic, casts, joins,
//! selects and calls of functions with a body, and through variables of the thread that are only
//! loaded and stored. Each must end in a load, a comparison, or the source of a copy.
//! **Sound because** the variable has local linkage, so that neither another module nor the host
//! can name it (`externally_initialized` variables are the host's), and its address goes nowhere
//! where it could be written through. This runs before functions that no kernel calls are dropped:
//! another module may call those.
//! What assembly names has its address taken before
//! ([`heddle_llvm::Module::take_named_addresses`]).
//! **Misses**: variables whose address is stored, returned, or made a number, and those in
//! `llvm.used`.
//! **Assumes**: nothing.

use std::collections::HashSet;

use crate::Target;
use heddle_llvm::{Global, Inst, Linkage, Module, Opcode, Value, ValueKind};

/// Marks what nothing writes.
pub(super) fn make_constant(module: &mut Module, target: Target) {
    module.make_constant(&|global| is_candidate(global, target) && is_only_read(global));
}

fn is_candidate(global: Global<'_>, target: Target) -> bool {
    let lasts = match target {
        Target::Nvptx => matches!(global.address_space(), 0 | 1 | 4 | 101),
        Target::Spirv => matches!(global.address_space(), 1 | 2),
    };
    lasts
        && global.linkage() == Linkage::Local
        && !global.is_externally_initialized()
        && !global.is_declaration()
}

fn is_only_read(global: Global<'_>) -> bool {
    let mut work = vec![global.as_value()];
    let mut seen = HashSet::new();
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        for user in at.users() {
            let followed = match user.kind() {
                ValueKind::ConstExpr => {
                    user.const_opcode().is_some_and(keeps_address).then_some(user)
                }
                ValueKind::Instruction => {
                    let Some(inst) = user.as_inst() else { return false };
                    match inst.opcode() {
                        Opcode::Load | Opcode::ICmp => continue,
                        Opcode::Store => {
                            let Some(kept) = kept_in(inst, at) else { return false };
                            work.extend(kept);
                            continue;
                        }
                        Opcode::Call => {
                            if !follow_call(inst, at, &mut work) {
                                return false;
                            }
                            continue;
                        }
                        opcode => keeps_address(opcode).then_some(user),
                    }
                }
                ValueKind::Argument
                | ValueKind::Global
                | ValueKind::Function
                | ValueKind::Alias
                | ValueKind::Block
                | ValueKind::ConstInt
                | ValueKind::ConstFloat
                | ValueKind::Null
                | ValueKind::ConstAggregate
                | ValueKind::ZeroAggregate
                | ValueKind::Undef
                | ValueKind::Poison
                | ValueKind::InlineAsm
                | ValueKind::Metadata
                | ValueKind::Other => None,
            };
            match followed {
                Some(user) => work.push(user),
                None => return false,
            }
        }
    }
    true
}

/// Whether an instruction or a constant expression gives an address into the same variable, and
/// does nothing else with it.
fn keeps_address(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::GetElementPtr
            | Opcode::AddrSpaceCast
            | Opcode::BitCast
            | Opcode::Phi
            | Opcode::Select
            | Opcode::Freeze
    )
}

/// The loads of the variable of the thread that an address is stored to; `None` where it may come
/// back by another way.
fn kept_in<'m>(store: Inst<'m>, address: Value<'m>) -> Option<Vec<Value<'m>>> {
    let to = store.operand(1)?;
    if store.operand(0) != Some(address) || to == address {
        return None;
    }
    to.as_inst().filter(|it| it.opcode() == Opcode::Alloca)?;
    let mut loads = Vec::new();
    for user in to.users() {
        let inst = user.as_inst()?;
        match inst.opcode() {
            // A part of it would be another value than what was stored.
            Opcode::Load if inst.ty() == address.ty() => loads.push(user),
            Opcode::Store if inst.operand(1) == Some(to) && inst.operand(0) != Some(to) => {}
            Opcode::Call if marks_lifetime(inst) => {}
            _ => return None,
        }
    }
    Some(loads)
}

fn marks_lifetime(call: Inst<'_>) -> bool {
    call.called_function().is_some_and(|it| it.name().starts_with("llvm.lifetime."))
}

/// Adds what a call does with an address to `work`; false where that is not known.
fn follow_call<'m>(call: Inst<'m>, address: Value<'m>, work: &mut Vec<Value<'m>>) -> bool {
    let Some(function) = call.called_function() else { return false };
    let name = function.name();
    let given = call.arguments();
    if ["llvm.memcpy.", "llvm.memmove."].iter().any(|it| name.starts_with(it)) {
        return given.first() != Some(&address);
    }
    let parameters = function.arguments();
    // What goes to `...` has no parameter.
    if function.is_declaration() || parameters.len() != given.len() {
        return false;
    }
    let passed = given.iter().zip(&parameters).filter(|(given, _)| **given == address);
    let before = work.len();
    work.extend(passed.map(|(_, parameter)| parameter.as_value()));
    // Not an argument: in an operand bundle.
    work.len() > before
}
