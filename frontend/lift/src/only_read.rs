//! Structures passed by value that are only loaded from, so that their members keep the launch's
//! values.
//!
//! **What**: whether nothing writes a structure. **Method**: its address is followed through
//! address arithmetic, joins and selects, and into the part of an aggregate where it lies, as in
//! views that functions return in parts. Each use must end in a load, a comparison, or the source
//! of a copy.
//! **Sound because** any other use is taken for a write.
//! **Misses**: structures whose address is stored, or handed to what is not inlined.
//! **Assumes**: nothing.

use rustc_hash::FxHashSet;

use heddle_llvm::{Opcode, Value};

/// Whether what a pointer leads to is only loaded from.
pub(super) fn only_read(pointer: Value<'_>) -> bool {
    // Each value, and the part of it that is the address; none where it is the address itself.
    let mut work = vec![(pointer, Vec::new())];
    let mut seen = FxHashSet::default();
    while let Some((at, part)) = work.pop() {
        if !seen.insert((at, part.clone())) {
            continue;
        }
        for user in at.users() {
            let Some(inst) = user.as_inst() else { return false };
            match inst.opcode() {
                Opcode::Phi | Opcode::Select | Opcode::Freeze => work.push((user, part.clone())),
                Opcode::InsertValue => {
                    let into = inst.indices();
                    if user.operand(1) == Some(at) {
                        work.push((user, [into.as_slice(), &part].concat()));
                    }
                    // What is overwritten is not there any more.
                    if user.operand(0) == Some(at) && !part.starts_with(&into) {
                        work.push((user, part.clone()));
                    }
                }
                Opcode::ExtractValue => {
                    if let Some(inner) = part.strip_prefix(inst.indices().as_slice()) {
                        work.push((user, inner.to_vec()));
                    }
                }
                _ if !part.is_empty() => return false,
                Opcode::Load | Opcode::ICmp => {}
                Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast => {
                    work.push((user, Vec::new()));
                }
                Opcode::Call => {
                    let name = inst.called_function().map(|f| f.name()).unwrap_or_default();
                    let source_of_copy =
                        name.starts_with("llvm.mem") && user.operand(0) != Some(at);
                    if !source_of_copy && !super::call::does_nothing(inst) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
    true
}
