//! Whether the blocks of a kernel may learn of each other, or need an order: then one operating
//! system thread runs them all.
//!
//! **Promises**: `false` only if, whatever the order of blocks, a run in which no two of them race
//! computes the same: the code has no fence, no volatile access, no output, no clock, and its
//! atomics are of the block's own shared memory, or change a number in a way whose order does not
//! matter and look at no result. **Does not**: follow pointers through memory or phis.

use super::layout::FACTS;
use heddle_llvm::{AtomicOp, Function, Inst, Module, Opcode, Ordering, Value};

/// Calls that need an order.
const ORDERED: [&str; 6] = [
    "__heddle_fence",
    "__heddle_malloc",
    "__heddle_vprintf",
    "__heddle_clock",
    "__heddle_grid_barrier",
    "__heddle_cluster_arrive",
];

/// Whether the code, as it is for the host, has anything that needs an order.
pub(super) fn communicates(module: &Module) -> bool {
    module.functions().flat_map(Function::instructions).any(needs_order)
}

fn needs_order(inst: Inst<'_>) -> bool {
    match inst.opcode() {
        Opcode::Fence => true,
        Opcode::AtomicRmw => !is_shared(inst) && !is_tally(inst),
        Opcode::CmpXchg => !is_shared(inst),
        Opcode::Load | Opcode::Store => {
            (inst.is_volatile() || inst.ordering() != Ordering::NotAtomic) && !is_shared(inst)
        }
        Opcode::Call => {
            inst.called_function().is_some_and(|it| ORDERED.contains(&it.name().as_str()))
        }
        _ => false,
    }
}

/// Whether an atomic operation gives the same in any order, and nobody looks at what was there
/// before.
fn is_tally(inst: Inst<'_>) -> bool {
    let any_order = match inst.atomic_op() {
        Some(
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::Max
            | AtomicOp::Min
            | AtomicOp::UMax
            | AtomicOp::UMin,
        ) => true,
        Some(
            AtomicOp::Xchg
            | AtomicOp::Nand
            | AtomicOp::FAdd
            | AtomicOp::FSub
            | AtomicOp::FMax
            | AtomicOp::FMin
            | AtomicOp::UIncWrap
            | AtomicOp::UDecWrap
            | AtomicOp::USubCond
            | AtomicOp::USubSat
            | AtomicOp::FMaximum
            | AtomicOp::FMinimum,
        )
        | None => false,
    };
    any_order && inst.as_value().users().is_empty()
}

/// Whether what is accessed lies in the shared memory of the block.
fn is_shared(inst: Inst<'_>) -> bool {
    let mut at = inst.pointer_operand();
    while let Some(pointer) = at.and_then(Value::as_inst) {
        match pointer.opcode() {
            Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast => {
                at = pointer.operand(0);
            }
            Opcode::Load => return pointer.pointer_operand().is_some_and(is_base_of_shared),
            _ => return false,
        }
    }
    false
}

/// Whether an address is that of the fact that says where shared memory starts.
fn is_base_of_shared(address: Value<'_>) -> bool {
    let Some(step) = address.as_inst().filter(|it| it.opcode() == Opcode::GetElementPtr) else {
        return false;
    };
    let facts = step.operand(0);
    let called = facts.and_then(Value::as_inst).and_then(|it| it.called_function());
    let of_facts = match facts.and_then(Value::as_argument) {
        // Of the entry, for threads without stacks.
        Some(argument) => argument.index() == 1 && argument.name() == "facts",
        None => called.is_some_and(|it| it.name() == FACTS),
    };
    let offset = step.operand(1).and_then(Value::const_int);
    of_facts && offset == heddle_runtime::facts::shared_base().try_into().ok()
}
