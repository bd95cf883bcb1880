//! What arrays of addresses hold.
//!
//! **What**: of an address that the host reads from memory, which addresses its function stores
//! there, and whether these are all.
//! **Method**: each store of an address through the start of that memory, whenever it runs.
//! **Sound because** memory that only its own function reaches holds what that function stores.
//! **Misses**: what is stored through other addresses, or copied as a whole: then the stores are
//! not all.
//! **Assumes**: addresses are stored as addresses, and not as bytes.

use super::reader::Reader;
use super::{Held, Stored};
use heddle_llvm::{Function, Inst, Opcode, TypeKind, Value};

/// Stores that are told apart.
const MOST: usize = 16;

impl<'m> Reader<'_, 'm> {
    /// What the memory that an address is read from holds.
    pub(super) fn held(&mut self, load: Inst<'m>) -> Held {
        let Some(base) = load.pointer_operand().map(start) else { return Held::default() };
        let (stores, is_all) = stores(base, load.block().function());
        if stores.len() > MOST {
            return Held::default();
        }
        let mut by = Vec::new();
        for store in stores {
            let (Some(place), Some(value)) = (store.pointer_operand(), store.operand(0)) else {
                return Held::default();
            };
            // In one block with the store it is made as often as that.
            let is_own = |it: Inst<'m>| is_allocation(it) && it.block() == store.block();
            let is_new = value.as_inst().is_some_and(is_own);
            let [place, value] = [place, value].map(|it| self.value(it, false, 0));
            by.push(Stored { place, value, is_new });
        }
        let is_copy = !is_all && is_variable(base);
        Held { by, is_all, is_copy }
    }
}

/// What an address is bytes beyond.
fn start(mut address: Value<'_>) -> Value<'_> {
    while is_step(address)
        && let Some(of) = address.operand(0)
    {
        address = of;
    }
    address
}

fn is_variable(base: Value<'_>) -> bool {
    base.as_inst().is_some_and(|it| it.opcode() == Opcode::Alloca)
}

fn is_step(address: Value<'_>) -> bool {
    let opcode = address.const_opcode().or_else(|| address.as_inst().map(Inst::opcode));
    matches!(opcode, Some(Opcode::GetElementPtr | Opcode::BitCast))
}

/// The stores of addresses that a function does through another one, and whether nothing else can
/// write there.
fn stores<'m>(base: Value<'m>, function: Function<'m>) -> (Vec<Inst<'m>>, bool) {
    let mut is_all = is_variable(base);
    let mut stores = Vec::new();
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
                is_all = false;
                continue;
            };
            match inst.opcode() {
                Opcode::Load | Opcode::ICmp => {}
                Opcode::Store if inst.operand(0) != Some(address) => {
                    let ty = inst.accessed_type().map(|it| it.kind());
                    match ty {
                        Some(TypeKind::Pointer(_)) => stores.push(inst),
                        Some(TypeKind::Int(..=32) | TypeKind::Float(..=64)) => {}
                        Some(_) | None => is_all = false,
                    }
                }
                Opcode::Call if is_lifetime(inst) => {}
                _ => is_all = false,
            }
        }
    }
    // What joins must come from here on each way.
    let joins = seen.iter().filter(|it| is_join(**it)).filter_map(|it| it.as_inst());
    let are_own = joins.flat_map(Inst::operands).all(|it| seen.contains(&it));
    (stores, is_all && are_own)
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
