//! Whether a kernel puts addresses into memory: of its block's or its threads' own, or any.
//!
//! Where none of its own does, a generic pointer that is read from global memory points to global
//! memory, as the host or an earlier kernel put it there ([`Lifter::space_behind`]). Where none at
//! all does, no number that is read back is a distance of two objects
//! ([`Lifter::may_hold_address`]).
//!
//! **Promise**: an address that is stored, exchanged or handed to an assembly is seen as a pointer,
//! as a number, and as a part of a vector or a structure, after any arithmetic. **Sound because**
//! the walk goes back through every operand of an instruction but for loads: what is read from
//! memory was put there by a store that is looked at itself, or was there before the kernel.
//! **Does not**: follow where such an address goes; one store is enough.

use heddle_ir::Space;
use rustc_hash::FxHashSet;

use super::Lifter;
use super::pointer::Place;
use heddle_llvm::{Inst, Opcode, TypeKind, Value};
use heddle_ptx::{Class, ConstraintKind, Operand};

/// Which addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addresses {
    /// Those of shared and private memory.
    Own,
    /// Those of any object.
    Any,
}

impl<'m> Lifter<'m> {
    /// Whether the kernel stores such an address anywhere, or a number made of one.
    pub(super) fn stores_addresses(&mut self, which: Addresses) -> bool {
        let known = match which {
            Addresses::Own => &mut self.own_addresses,
            Addresses::Any => &mut self.any_addresses,
        };
        if let Some(known) = *known {
            return known;
        }
        // What is found out on the way asks the same.
        *known = Some(false);
        let mut work: Vec<Value<'m>> = self
            .blocks
            .iter()
            .flat_map(|block| block.instructions())
            .flat_map(values_put_into_memory)
            .collect();
        let mut seen = FxHashSet::default();
        let mut found = false;
        while let Some(at) = work.pop()
            && !found
        {
            if !seen.insert(at) {
                continue;
            }
            if matches!(at.ty().kind(), TypeKind::Pointer(_)) && self.is_address(at, which) {
                found = true;
                continue;
            }
            match at.const_opcode().or_else(|| at.as_inst().map(|i| i.opcode())) {
                Some(
                    Opcode::Load
                    | Opcode::AtomicRmw
                    | Opcode::CmpXchg
                    | Opcode::ICmp
                    | Opcode::FCmp,
                ) => {}
                Some(Opcode::Call) => {
                    work.extend(at.as_inst().map(computed_from).unwrap_or_default());
                }
                Some(Opcode::Phi) => {
                    let incoming = at.as_inst().map(|i| i.incoming()).unwrap_or_default();
                    work.extend(incoming.into_iter().map(|(value, _)| value));
                }
                _ => work.extend(at.operands()),
            }
        }
        if found {
            // Answers that were given on the way rest on the opposite.
            self.spaces.clear();
        }
        match which {
            Addresses::Own => self.own_addresses = Some(found),
            Addresses::Any => self.any_addresses = Some(found),
        }
        found
    }

    fn is_address(&mut self, pointer: Value<'m>, which: Addresses) -> bool {
        self.roots(pointer).places.iter().any(|place| {
            let (space, known) = match place {
                Place::Object(object) => (self.out.kernel().objects[*object].space, true),
                Place::Absolute(space) => (*space, false),
            };
            matches!(space, Space::Shared | Space::Local) || which == Addresses::Any && known
        })
    }
}

/// What an instruction writes into memory.
fn values_put_into_memory(inst: Inst<'_>) -> Vec<Value<'_>> {
    let value = inst.as_value();
    match inst.opcode() {
        Opcode::Store => value.operand(0).into_iter().collect(),
        Opcode::AtomicRmw => value.operand(1).into_iter().collect(),
        Opcode::CmpXchg => value.operand(2).into_iter().collect(),
        _ => match inst.callee().and_then(Value::as_inline_asm) {
            // An atomic by its name gets the value as a number.
            None => inst.arguments().into_iter().filter(is_number).collect(),
            Some(asm) => match heddle_ptx::read(&asm.text, &asm.constraints) {
                Ok(asm) if !asm.instructions.iter().any(|it| writes_values(&it.class)) => {
                    Vec::new()
                }
                Ok(asm) => outside_addresses(inst, &asm),
                Err(_) => inst.arguments(),
            },
        },
    }
}

/// What the result of a call is computed from, if it is not read from memory. Where a number comes
/// out, a pointer that goes in is where it is read, as what an assembly has in brackets.
pub(super) fn computed_from(call: Inst<'_>) -> Vec<Value<'_>> {
    match call.callee().and_then(Value::as_inline_asm) {
        Some(asm) => match heddle_ptx::read(&asm.text, &asm.constraints) {
            Ok(asm) => outside_addresses(call, &asm),
            Err(_) => call.arguments(),
        },
        None if is_number(&call.as_value()) => {
            call.arguments().into_iter().filter(is_number).collect()
        }
        None => call.arguments(),
    }
}

fn is_number(it: &Value<'_>) -> bool {
    !matches!(it.ty().kind(), TypeKind::Pointer(_))
}

/// The arguments of an assembly that are more to it than addresses.
fn outside_addresses<'m>(call: Inst<'m>, asm: &heddle_ptx::Asm) -> Vec<Value<'m>> {
    let mut read = FxHashSet::default();
    for (role, operand) in asm.instructions.iter().flat_map(|it| &it.operands) {
        if !role.is_address() && !matches!(operand, Operand::Address(_)) {
            operand.walk(&mut |it| {
                if let Operand::Asm(n) = it {
                    read.insert(*n);
                }
            });
        }
    }
    let arguments = call.arguments().into_iter();
    let operands = asm.operands.iter().enumerate();
    let inputs = operands.filter(|(_, it)| it.kind != ConstraintKind::Output || it.indirect);
    inputs
        .zip(arguments)
        .filter(|((n, it), _)| {
            let tied_to = match it.kind {
                ConstraintKind::Tied(output) => Some(output),
                ConstraintKind::Output | ConstraintKind::Input | ConstraintKind::Label => None,
            };
            read.contains(n) || tied_to.is_some_and(|output| read.contains(&output))
        })
        .map(|(_, argument)| argument)
        .collect()
}

/// Whether an instruction may write a number that it is given into memory.
fn writes_values(class: &Class) -> bool {
    matches!(
        class,
        Class::Store(_)
            | Class::Atomic { .. }
            | Class::StoreMatrix { .. }
            | Class::Surface(_)
            | Class::Opaque(_)
            | Class::Unknown
    )
}
