//! Contracts of `heddle.h` in a module: a call that opens one, the code of its condition, a call
//! that takes it.
//!
//! **What**: which instructions are of a condition ([`condition`]).
//! **Method**: the walk from the one call to the other, along all branches.
//! **Sound because** a condition is an expression of the source: control comes in at the first call
//! and leaves at the second.
//! **Does not**: say whether the condition changes anything; `prepare::contracts` does.

use rustc_hash::FxHashMap;

use heddle_llvm::{Block, Inst, Module, Value};

/// Opens a contract: what follows is its condition.
pub const OPENS: &str = "__heddle_contract";
/// Takes the condition of the contract that was opened: its kind, the condition, its text.
pub const TAKES: &str = "__heddle_claim";

/// What an array keeps, as a condition: the rule, where it begins, how many elements, bounds, and
/// what an element is.
pub const ARRAY: &str = "__heddle_array";

/// Whether a function is one of these.
pub fn is_of_contract(name: &str) -> bool {
    name == OPENS || name == TAKES || name == ARRAY
}

/// Whether a module has contracts.
pub fn are_in(module: &Module) -> bool {
    module.function(OPENS).is_some()
}

/// A condition.
pub struct Condition<'m> {
    /// The call that takes it.
    pub claim: Inst<'m>,
    /// Its instructions, without the two calls.
    pub code: Vec<Inst<'m>>,
}

/// The condition of the contract that a call opens; `None` where control takes another way.
pub fn condition(opens: Inst<'_>) -> Option<Condition<'_>> {
    let mut walk = Walk { code: Vec::new(), claim: None, seen: FxHashMap::default() };
    let mut own = opens.block().instructions().skip_while(|it| *it != opens);
    own.next()?;
    walk.seen.insert(opens.block(), false);
    if !walk.along(&mut own) {
        return None;
    }
    Some(Condition { claim: walk.claim?, code: walk.code })
}

/// The text of a claim.
pub fn text(claim: Inst<'_>) -> String {
    claim.arguments().get(2).and_then(|it| text_at(*it)).unwrap_or_default()
}

/// A constant text.
pub fn text_at(pointer: Value<'_>) -> Option<String> {
    let mut at = pointer;
    while at.as_global().is_none() {
        at = at.const_opcode().and_then(|_| at.operand(0))?;
    }
    let text = at.as_global()?.initializer()?.const_string()?;
    Some(text.trim_end_matches('\0').to_owned())
}

struct Walk<'m> {
    code: Vec<Inst<'m>>,
    claim: Option<Inst<'m>>,
    /// Blocks that were entered; whether all ways from there are known.
    seen: FxHashMap<Block<'m>, bool>,
}

impl<'m> Walk<'m> {
    /// Goes on to the end of a block; whether all ways from there lead to one claim, and none back.
    fn along(&mut self, rest: &mut dyn Iterator<Item = Inst<'m>>) -> bool {
        for inst in rest {
            let name = inst.called_function().map(|it| it.name());
            match name.as_deref() {
                Some(TAKES) => return *self.claim.get_or_insert(inst) == inst,
                Some(OPENS) => return false,
                _ => self.code.push(inst),
            }
            if inst.is_terminator() {
                let next = inst.successors();
                return !next.is_empty() && next.into_iter().all(|it| self.into(it));
            }
        }
        false
    }

    fn into(&mut self, block: Block<'m>) -> bool {
        match self.seen.get(&block) {
            Some(done) => return *done,
            None => _ = self.seen.insert(block, false),
        }
        let ends_well = self.along(&mut block.instructions());
        self.seen.insert(block, ends_well);
        ends_well
    }
}
