//! Which returns of a kernel are written as `return`, as our own compiler has marked them
//! (`frontend/clang/returns.h` says what that promises).
//!
//! **What**: where a marked kernel ends, `llvm.fake.use` is given a bit: whether the thread has
//! come to a `return` of the source.
//! **Does not**: mark, or know anything of IR that another compiler made.

use llvm_sys::core::LLVMInstructionEraseFromParent;
use llvm_sys::prelude::LLVMValueRef;

use super::{Block, Function, Inst, Module, Opcode, TypeKind, Value};

/// The attribute of functions whose returns are marked.
const TELLS: &str = "heddle-written-returns";
/// What is given the bit.
const TOLD: &str = "llvm.fake.use";
/// The variable that holds it.
const VARIABLE: &str = "heddle.returned";

impl Function<'_> {
    /// Whether its written returns are marked.
    pub fn tells_returns(self) -> bool {
        self.attribute(TELLS).is_some()
    }
}

impl<'m> Block<'m> {
    /// Where the kernel ends here and tells its returns, whether the thread came by one.
    pub fn is_returned(self) -> Option<Value<'m>> {
        let ends = self.terminator().is_some_and(|it| it.opcode() == Opcode::Ret);
        let is_end = ends && self.function().tells_returns();
        self.instructions().filter(|_| is_end).filter_map(told).last()
    }
}

/// The bit that an instruction is given.
fn told(inst: Inst<'_>) -> Option<Value<'_>> {
    let is_told = inst.called_function().is_some_and(|it| it.name() == TOLD);
    let [bit] = inst.arguments().into_iter().filter(|_| is_told).collect::<Vec<_>>()[..] else {
        return None;
    };
    (bit.ty().kind() == TypeKind::Int(1)).then_some(bit)
}

impl Module {
    /// Takes the marks out again, of a module that is executed.
    pub fn forget_returns(&mut self) {
        let mut gone: Vec<LLVMValueRef> = Vec::new();
        for function in self.functions().filter(|it| it.tells_returns()) {
            let insts = || function.blocks().flat_map(Block::instructions);
            gone.extend(insts().filter(|it| told(*it).is_some()).map(|it| it.raw));
            let is_variable =
                |it: &Inst<'_>| it.opcode() == Opcode::Alloca && it.name() == VARIABLE;
            for variable in insts().filter(is_variable) {
                let users: Vec<Inst<'_>> =
                    variable.as_value().users().into_iter().filter_map(Value::as_inst).collect();
                let is_plain = |it: &Inst<'_>| matches!(it.opcode(), Opcode::Load | Opcode::Store);
                let is_unread = |it: &Inst<'_>| {
                    it.as_value()
                        .users()
                        .into_iter()
                        .filter_map(Value::as_inst)
                        .all(|it| told(it).is_some())
                };
                if users.iter().all(|it| is_plain(it) && is_unread(it)) {
                    gone.extend(users.iter().map(|it| it.raw));
                    gone.push(variable.raw);
                }
            }
        }
        for inst in gone {
            // SAFETY: instructions of this module, which is borrowed mutably, each of which is
            // erased once, and after its users: calls that give nothing, loads and stores, the
            // variable.
            unsafe { LLVMInstructionEraseFromParent(inst) }
        }
    }
}
