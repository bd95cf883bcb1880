//! Tables on the stack that are copies of constants, read where the constants are.
//!
//! **What**: `const int dx[4] = {1, 0, -1, 0};` in a function is a variable of the thread, which
//! clang fills from a constant of the module. What a computed place of it holds is what the
//! constant holds there.
//! **Method**: a variable of which all is copied from one constant, once in the text, and which is
//! only read otherwise, by loads and by copies elsewhere. All that uses it then uses the constant.
//! **Sound because** no read can be reached without passing the copy, and nothing else writes: its
//! address goes nowhere but to these reads.
//! **Does not**: look at variables that are filled by single stores.

use std::collections::HashSet;

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::{Block, Function, Inst, Module, Opcode, Value};

impl Module {
    /// Lets reads of copies of constants read the constants.
    pub fn read_constants_in_place(&mut self) {
        let tables: Vec<Raw> = {
            let bodies = self.functions().filter(|it| !it.is_declaration());
            bodies.flat_map(|it| tables(self, it)).collect()
        };
        for Raw { variable, constant, gone } in tables {
            // SAFETY: values of this module, which is borrowed mutably, both of them pointers of
            // one type. What is erased has no users: calls that give nothing, and then the
            // variable, whose users name the constant.
            unsafe {
                for call in gone {
                    LLVMInstructionEraseFromParent(call);
                }
                LLVMReplaceAllUsesWith(variable, constant);
                LLVMInstructionEraseFromParent(variable);
            }
        }
    }
}

/// A table, as LLVM names it.
struct Raw {
    variable: LLVMValueRef,
    constant: LLVMValueRef,
    /// The copy, and the marks of the variable's life.
    gone: Vec<LLVMValueRef>,
}

/// The uses of a variable so far.
#[derive(Default)]
struct Uses<'m> {
    /// Copies into it.
    copies: Vec<Inst<'m>>,
    lives: Vec<Inst<'m>>,
    reads: Vec<Inst<'m>>,
}

fn tables<'m>(module: &'m Module, function: Function<'m>) -> Vec<Raw> {
    let variables = function.instructions().filter(|it| it.opcode() == Opcode::Alloca);
    variables.filter_map(|it| table(module, function, it)).collect()
}

fn table<'m>(module: &'m Module, function: Function<'m>, variable: Inst<'m>) -> Option<Raw> {
    let mut uses = Uses::default();
    follow(variable.as_value(), &mut uses, true)?;
    let [copy] = uses.copies[..] else { return None };
    let constant = copy.operand(1)?;
    let global = constant.as_global().filter(|it| it.is_constant() && !it.is_interposable())?;
    global.initializer()?;
    let size = variable.allocated_type()?.store_size(module)?;
    let is_whole = copy.operand(2)?.const_int() == Some(u128::from(size))
        && global.value_type().store_size(module) == Some(size)
        && copy.operand(3)?.const_int() == Some(0)
        && constant.ty() == variable.ty();
    let before = reached_without(function, copy.block());
    let is_copied_before = |read: &Inst<'m>| match read.block() == copy.block() {
        true => follows(*read, copy),
        false => !before.contains(&read.block()),
    };
    (is_whole && uses.reads.iter().all(is_copied_before)).then(|| Raw {
        variable: variable.raw,
        constant: constant.raw,
        gone: uses.copies.iter().chain(&uses.lives).map(|it| it.raw).collect(),
    })
}

/// Notes what is done with an address in a variable; none if it may be more than reading and the
/// copy of all of it.
fn follow<'m>(address: Value<'m>, uses: &mut Uses<'m>, is_start: bool) -> Option<()> {
    for user in address.users() {
        let user = user.as_inst()?;
        match user.opcode() {
            Opcode::Load if !user.is_volatile() => uses.reads.push(user),
            Opcode::GetElementPtr if user.operand(0) == Some(address) => {
                follow(user.as_value(), uses, false)?;
            }
            Opcode::Call => {
                let name = user.called_function().filter(|it| it.is_intrinsic())?.name();
                let is_target = user.operand(0) == Some(address);
                let is_source = user.operand(1) == Some(address);
                if name.starts_with("llvm.lifetime.") {
                    uses.lives.push(user);
                } else if !name.starts_with("llvm.memcpy.") || is_target && is_source {
                    return None;
                } else if is_source {
                    uses.reads.push(user);
                } else if is_start {
                    uses.copies.push(user);
                } else {
                    return None;
                }
            }
            _ => return None,
        }
    }
    Some(())
}

/// Blocks that can be reached from the start of a function without passing one.
fn reached_without<'m>(function: Function<'m>, without: Block<'m>) -> HashSet<Block<'m>> {
    let mut reached = HashSet::new();
    let mut open: Vec<Block<'m>> = function.blocks().take(1).collect();
    while let Some(block) = open.pop() {
        if block != without && reached.insert(block) {
            open.extend(block.successors());
        }
    }
    reached
}

/// Whether an instruction comes after another one of its block.
fn follows(inst: Inst<'_>, other: Inst<'_>) -> bool {
    let mut after = inst.block().instructions().skip_while(|it| *it != other);
    after.any(|it| it == inst)
}
