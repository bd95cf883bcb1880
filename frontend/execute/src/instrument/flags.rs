//! Volatile words that are flags.
//!
//! **What**: which volatile accesses are of words whose value is only compared. PTX has them
//! relaxed at system scope (PTX ISA, 8.4), and a run takes them so, as a check does
//! (`passes/src/checks/races/flags`). Those of words that hold data race like plain ones.
//! **Method**: a word is what the address begins with: a variable, or a parameter. Somebody reads
//! it, and what each volatile read and each atomic gives leads through casts, arithmetic and joins
//! to comparisons alone.
//! **Misses**: addresses that begin elsewhere, as in memory. **Does not**: look at the order that
//! flags make, which is the run's matter.

use std::collections::{HashMap, HashSet};

use heddle_lift::Target;
use heddle_llvm::{Function, Inst, Opcode, Spot, TypeKind, Value};

/// The accesses to flags.
#[derive(Default)]
pub(super) struct Flags(HashSet<Spot>);

/// The volatile accesses to one word.
#[derive(Default)]
struct Word {
    accesses: Vec<Spot>,
    is_read: bool,
    holds_data: bool,
}

impl Flags {
    pub(super) fn of<'m>(
        target: Target,
        functions: impl IntoIterator<Item = Function<'m>>,
    ) -> Flags {
        match target {
            Target::Nvptx => {}
            // OpenCL promises nothing of volatile accesses.
            Target::Spirv => return Flags::default(),
        }
        let mut words: HashMap<Spot, Word> = HashMap::new();
        for inst in functions.into_iter().flat_map(Function::instructions) {
            let is_plain = matches!(inst.opcode(), Opcode::Load | Opcode::Store);
            let place = if is_plain { inst.pointer_operand() } else { place_of_atomic(inst) };
            let Some(begins) = place.and_then(beginning) else { continue };
            if is_plain && !inst.is_volatile() {
                continue;
            }
            let word = words.entry(begins.spot()).or_default();
            if is_plain {
                word.accesses.push(inst.spot());
            }
            if inst.opcode() != Opcode::Store && !inst.as_value().users().is_empty() {
                word.is_read = true;
                word.holds_data |= !is_compared(inst.as_value(), begins, &mut HashSet::new());
            }
        }
        let flags = words.into_values().filter(|it| it.is_read && !it.holds_data);
        Flags(flags.flat_map(|it| it.accesses).collect())
    }

    pub(super) fn has(&self, inst: Inst<'_>) -> bool {
        self.0.contains(&inst.spot())
    }
}

/// Where an atomic stands: an instruction, or an intrinsic or inline PTX with one address.
fn place_of_atomic(inst: Inst<'_>) -> Option<Value<'_>> {
    match inst.opcode() {
        Opcode::AtomicRmw | Opcode::CmpXchg => inst.pointer_operand(),
        Opcode::Call => {
            let is_atomic = match inst.called_function() {
                Some(function) => function.name().starts_with("llvm.nvvm.atomic."),
                None => inst.callee().is_some_and(|it| it.as_inline_asm().is_some()),
            };
            let is_address = |it: &Value<'_>| matches!(it.ty().kind(), TypeKind::Pointer(_));
            inst.arguments().into_iter().find(is_address).filter(|_| is_atomic)
        }
        _ => None,
    }
}

/// The variable or the parameter that an address begins with.
fn beginning(mut address: Value<'_>) -> Option<Value<'_>> {
    loop {
        if address.as_argument().is_some() || address.as_global().is_some() {
            return Some(address);
        }
        address = match address.as_inst() {
            Some(inst) => match inst.opcode() {
                Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast => {
                    inst.operand(0)?
                }
                _ => return None,
            },
            // An address of a variable that is a constant.
            None => address.operand(0)?,
        };
    }
}

/// Whether a value leads to comparisons, and nowhere else but back into its word by atomics.
fn is_compared<'m>(value: Value<'m>, word: Value<'m>, seen: &mut HashSet<Value<'m>>) -> bool {
    value.users().into_iter().all(|user| {
        let Some(inst) = user.as_inst() else { return false };
        match inst.opcode() {
            Opcode::ICmp | Opcode::Switch | Opcode::Br => true,
            Opcode::Select if inst.operand(0) == Some(value) => true,
            Opcode::AtomicRmw | Opcode::CmpXchg | Opcode::Call => {
                place_of_atomic(inst).and_then(beginning) == Some(word)
            }
            // The two results of a `cmpxchg`.
            Opcode::ExtractValue
            | Opcode::Select
            | Opcode::Trunc
            | Opcode::ZExt
            | Opcode::SExt
            | Opcode::Freeze
            | Opcode::Phi
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Add
            | Opcode::Sub => !seen.insert(user) || is_compared(user, word, seen),
            _ => false,
        }
    })
}
