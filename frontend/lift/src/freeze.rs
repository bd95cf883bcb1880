//! What `freeze` gives: the number that the machine computes, whatever flags promised of it.
//!
//! A sum with `nsw` that overflows is poison: nothing that uses it need make sense, so the checks
//! take for granted that it does not overflow. `freeze` ends that: its result is some number.
//!
//! **Promise**: the result takes nothing for granted that only flags say. The instructions that
//! compute the operand are lifted once more without their flags, down to what is no computation;
//! where that cannot be done (a variable of a loop, a value of a loop that was left, `undef`, what
//! a function or an address makes of such numbers), the result is unknown. **Does not**: follow
//! LLVM to the letter, by which a frozen number may be any; each target computes with wrap-around.
//! A frozen pointer is the pointer, unless flags tell where it leads.

use rustc_hash::FxHashSet;

use super::Lifter;
use super::value::Val;
use heddle_llvm::{Inst, Opcode, TypeKind, Value, ValueKind};

/// Instructions that are lifted once more for one `freeze`.
const MOST: usize = 64;

impl<'m> Lifter<'m> {
    /// The value of `freeze`; `None` where it is not known.
    pub(super) fn frozen(&mut self, operand: Value<'m>) -> Option<Val> {
        if matches!(operand.ty().kind(), TypeKind::Pointer(_)) {
            return (!rests_on_flags(operand)).then(|| self.value(operand));
        }
        let mut tree = Vec::new();
        self.computation(operand, &mut FxHashSet::default(), &mut tree)?;
        if !tree.iter().any(|inst| promises(*inst)) {
            return Some(self.value(operand));
        }
        let mut saved = Vec::with_capacity(tree.len());
        self.without_flags = true;
        for inst in tree {
            let value = inst.as_value();
            let again = self.computed(value, inst.opcode());
            let Some(known) = self.values.get(&value).cloned() else { continue };
            let now = again.unwrap_or_else(|| known.0.clone());
            self.values.insert(value, (now, known.1));
            saved.push((value, known));
        }
        self.without_flags = false;
        let frozen = self.value(operand);
        self.values.extend(saved);
        Some(frozen)
    }

    /// The instructions that compute a value, operands first; `None` where it is not all computed
    /// here.
    fn computation(
        &self,
        at: Value<'m>,
        seen: &mut FxHashSet<Value<'m>>,
        tree: &mut Vec<Inst<'m>>,
    ) -> Option<()> {
        if matches!(at.kind(), ValueKind::Undef | ValueKind::Poison) {
            return None;
        }
        let Some(inst) = at.as_inst() else { return Some(()) };
        if !seen.insert(at) {
            return Some(());
        }
        if seen.len() > MOST {
            return None;
        }
        match inst.opcode() {
            Opcode::Phi => return None,
            Opcode::Load
            | Opcode::AtomicRmw
            | Opcode::CmpXchg
            | Opcode::Alloca
            | Opcode::Freeze => return Some(()),
            // Not lifted a second time.
            Opcode::GetElementPtr => return (!rests_on_flags(at)).then_some(()),
            _ if inst.is_call() => return (!rests_on_flags(at)).then_some(()),
            _ => {}
        }
        let (_, defined_in) = self.values.get(&at)?;
        if !self.forest.is_inside(self.here, *defined_in) {
            return None;
        }
        for operand in at.operands() {
            self.computation(operand, seen, tree)?;
        }
        tree.push(inst);
        Some(())
    }
}

/// Whether something on the way to a value may have such a flag, or is of another iteration.
fn rests_on_flags(value: Value<'_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![value];
    while let Some(at) = work.pop() {
        let Some(inst) = at.as_inst() else { continue };
        if !seen.insert(at) {
            continue;
        }
        match inst.opcode() {
            Opcode::Phi => return true,
            Opcode::Load
            | Opcode::AtomicRmw
            | Opcode::CmpXchg
            | Opcode::Alloca
            | Opcode::Freeze => continue,
            _ => {}
        }
        if seen.len() > MOST || promises(inst) {
            return true;
        }
        work.extend(at.operands());
    }
    false
}

/// Whether an instruction has a flag that the lift makes use of.
fn promises(inst: Inst<'_>) -> bool {
    inst.no_signed_wrap() || inst.no_unsigned_wrap() || inst.non_negative() || inst.is_disjoint()
}
