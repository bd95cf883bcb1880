//! What arrays of addresses hold.
//!
//! **What**: of an address that the host reads from memory, which addresses its function stores
//! there, and whether these are all.
//! **Method**: each store of an address through the start of that memory, whenever it runs. The
//! pointer by which a loop goes through an array leads to the start of the array.
//! **Sound because** memory that only its own function reaches holds what that function stores.
//! **Misses**: what is stored through other addresses, or copied as a whole: then the stores are
//! not all.
//! **Assumes**: addresses are stored as addresses, and not as bytes. A `const` member that is not
//! seen puts no address of another object into its own.

use super::reader::Reader;
use super::{Held, Stored, names};
use heddle_llvm::{Function, Inst, Opcode, TypeKind, Value};

/// Stores that are told apart.
const MOST: usize = 16;

impl<'m> Reader<'_, 'm> {
    /// What the memory that an address is read from holds.
    pub(super) fn held(&mut self, load: Inst<'m>) -> Held {
        let Some(base) = load.pointer_operand().map(start) else { return Held::default() };
        let function = load.block().function();
        let Stores { mut stores, others, mut copied } = stores(base, function);
        // What is copied from another variable is what that one holds.
        let mut next = 0;
        while let Some(&from) = copied.get(next).filter(|_| stores.len() <= MOST) {
            next += 1;
            let of_source = self::stores(from, function);
            stores.extend(of_source.stores);
            let new: Vec<_> =
                of_source.copied.into_iter().filter(|it| !copied.contains(it)).collect();
            copied.extend(new);
        }
        let is_copy = is_variable(base) && others == Others::Fill;
        if stores.len() > MOST {
            return Held { is_copy, ..Held::default() };
        }
        let mut by = Vec::new();
        for store in stores {
            let (Some(place), Some(value)) = (store.pointer_operand(), store.operand(0)) else {
                return Held::default();
            };
            // In one block with the store it is made as often as that.
            let is_own = |it: Inst<'m>| is_allocation(it) && it.block() == store.block();
            let is_new = value.as_inst().is_some_and(is_own);
            let is_fixed = is_fixed(place);
            let [place, value] = [place, value].map(|it| self.value(it, false, 0));
            by.push(Stored { place, value, is_new, is_fixed });
        }
        let is_all = is_variable(base) && others == Others::None;
        Held { by, is_all, is_copy }
    }
}

/// What an address is bytes beyond; also one that a loop carries through one array.
fn start(address: Value<'_>) -> Value<'_> {
    let (mut found, mut seen, mut work) = (Vec::new(), Vec::new(), vec![address]);
    while let Some(at) = work.pop() {
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        match (is_step(at), at.as_inst().filter(|_| is_join(at) && seen.len() <= MOST)) {
            (true, _) => work.extend(at.operand(0)),
            (false, Some(join)) => work.extend(join.incoming().into_iter().map(|it| it.0)),
            (false, None) => found.push(at),
        }
    }
    match found[..] {
        [only] => only,
        _ => before_steps(address),
    }
}

fn before_steps(mut address: Value<'_>) -> Value<'_> {
    while is_step(address)
        && let Some(of) = address.operand(0)
    {
        address = of;
    }
    address
}

/// Whether an address is that of one place of a variable: constant steps lead to it.
fn is_fixed(mut address: Value<'_>) -> bool {
    while let Some(step) = address.as_inst().filter(|_| is_step(address)) {
        let is_constant = step.operands().skip(1).all(|it| it.as_inst().is_none());
        match step.operand(0) {
            Some(of) if is_constant => address = of,
            Some(_) | None => return false,
        }
    }
    is_variable(address)
}

fn is_variable(base: Value<'_>) -> bool {
    base.as_inst().is_some_and(|it| it.opcode() == Opcode::Alloca)
}

fn is_step(address: Value<'_>) -> bool {
    let opcode = address.const_opcode().or_else(|| address.as_inst().map(Inst::opcode));
    matches!(opcode, Some(Opcode::GetElementPtr | Opcode::BitCast))
}

/// What is done with some memory besides those stores of addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Others {
    /// Nothing but loads.
    None,
    /// It is asked about, by functions that promise to leave it as it is, but may not.
    Ask,
    /// It may be filled, as by a copy of a structure.
    Fill,
}

/// What a function does with memory that holds addresses.
struct Stores<'m> {
    stores: Vec<Inst<'m>>,
    others: Others,
    /// Where what is copied there comes from.
    copied: Vec<Value<'m>>,
}

/// The stores of addresses that a function does through another one, and what else is done there.
fn stores<'m>(base: Value<'m>, function: Function<'m>) -> Stores<'m> {
    let mut others = Others::None;
    let (mut stores, mut copied) = (Vec::new(), Vec::new());
    let mut seen = vec![base];
    let mut next = 0;
    while let Some(&address) = seen.get(next) {
        next += 1;
        for user in address.users() {
            if is_step(user) || is_join(user) {
                if !seen.contains(&user) {
                    seen.push(user);
                }
                continue;
            }
            let own = user.as_inst().filter(|it| it.block().function() == function);
            let Some(inst) = own else {
                others = Others::Fill;
                continue;
            };
            match inst.opcode() {
                Opcode::Load | Opcode::ICmp => {}
                Opcode::Store if inst.operand(0) != Some(address) => {
                    let ty = inst.accessed_type().map(|it| it.kind());
                    match ty {
                        Some(TypeKind::Pointer(_)) => stores.push(inst),
                        Some(TypeKind::Int(..=32) | TypeKind::Float(..=64)) => {}
                        Some(_) | None => others = Others::Fill,
                    }
                }
                Opcode::Call if is_lifetime(inst) => {}
                Opcode::Call if let Some([to, from]) = copy(inst) => {
                    if to == address {
                        others = Others::Fill;
                        copied.push(start(from));
                    }
                }
                Opcode::Call | Opcode::Invoke if asks_about(inst, address) => {
                    others = others.max(Others::Ask);
                }
                _ => others = Others::Fill,
            }
        }
    }
    // What joins must come from here on each way.
    let joins = seen.iter().filter(|it| is_join(**it)).filter_map(|it| it.as_inst());
    let are_own = joins.flat_map(Inst::operands).all(|it| seen.contains(&it));
    Stores { stores, others: if are_own { others } else { Others::Fill }, copied }
}

/// Where a call copies memory to, and from where.
fn copy(call: Inst<'_>) -> Option<[Value<'_>; 2]> {
    let callee = call.called_function().map(Function::name)?;
    callee.starts_with("llvm.memcpy.").then_some(())?;
    match call.arguments()[..] {
        [to, from, ..] => Some([to, from]),
        _ => None,
    }
}

/// Whether a call asks an object about itself, and about nothing else: of a function that is not
/// seen and that is declared as a `const` member. It gives a number, by which nothing is written,
/// and is given no other that an address could be hidden in.
fn asks_about(call: Inst<'_>, object: Value<'_>) -> bool {
    let given = call.arguments();
    let Some((of, others)) = given.split_first() else { return false };
    let is_small =
        |it: &Value<'_>| matches!(it.ty().kind(), TypeKind::Int(..=32) | TypeKind::Float(_));
    let is_alone = *of == object && others.iter().all(is_small);
    let is_number = matches!(call.ty().kind(), TypeKind::Int(_) | TypeKind::Float(_));
    let promises = |it: Function<'_>| it.is_declaration() && names::is_const_member(&it.name());
    is_alone && is_number && call.called_function().is_some_and(promises)
}

/// Whether an address comes by several ways, as that of a loop over an array.
fn is_join(address: Value<'_>) -> bool {
    address.as_inst().is_some_and(|it| it.opcode() == Opcode::Phi)
}

fn is_lifetime(call: Inst<'_>) -> bool {
    call.called_function().is_some_and(|it| it.name().starts_with("llvm.lifetime."))
}

fn is_allocation(inst: Inst<'_>) -> bool {
    let callee = inst.called_function().filter(|_| inst.is_call());
    callee.is_some_and(|it| it.name() == super::inlining::ALLOCATED)
}
