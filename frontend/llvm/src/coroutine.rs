//! What it takes to make a function a coroutine of LLVM's: calls replaced by an argument, and by a
//! way out.

use std::ffi::CString;

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::{Function, Module};

impl Module {
    /// The calls of a function in another one.
    fn calls_in(&self, function: &str, callee: &str) -> Vec<LLVMValueRef> {
        let within = self.function(function).into_iter().flat_map(Function::instructions);
        within
            .filter(|it| it.is_call() && it.called_function().is_some_and(|it| it.name() == callee))
            .map(|it| it.raw)
            .collect()
    }

    /// Puts an argument of a function in the place of each call of `callee` in it, which gives the
    /// same.
    pub fn argument_instead(&mut self, function: &str, argument: u32, callee: &str) {
        let calls = self.calls_in(function, callee);
        let Some(function) = self.function(function).map(|it| it.raw) else { return };
        // SAFETY: calls of this module, in a function that has the argument; nothing else names
        // them afterwards.
        unsafe {
            if argument >= LLVMCountParams(function) {
                return;
            }
            let argument = LLVMGetParam(function, argument);
            for call in calls {
                LLVMReplaceAllUsesWith(call, argument);
                LLVMInstructionEraseFromParent(call);
            }
        }
    }

    /// Makes each block of a function that ends in a call of `leave` (which does not return) go on
    /// where `end` is called, in the first block that does.
    pub fn leave_through(&mut self, function: &str, leave: &str, end: &str) {
        let calls = self.calls_in(function, leave);
        let Some(&end) = self.calls_in(function, end).first() else { return };
        // SAFETY: instructions of this module. A call that does not return is followed by nothing
        // but `unreachable`, and the block of the end has no phi: it uses values that its only way
        // in has defined.
        unsafe {
            let target = LLVMGetInstructionParent(end);
            let builder = LLVMCreateBuilderInContext(self.context());
            for call in calls {
                let block = LLVMGetInstructionParent(call);
                LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block));
                LLVMInstructionEraseFromParent(call);
                LLVMPositionBuilderAtEnd(builder, block);
                LLVMBuildBr(builder, target);
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// Says that what an argument of a function points at is reached through it alone.
    pub fn own_argument(&mut self, function: &str, argument: u32) {
        let Ok(name) = CString::new("noalias") else { return };
        let Some(function) = self.function(function).map(|it| it.raw) else { return };
        // SAFETY: a function of this module; indices of parameters start at one.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr(), name.as_bytes().len());
            let attribute = LLVMCreateEnumAttribute(self.context(), kind, 0);
            LLVMAddAttributeAtIndex(function, argument + 1, attribute);
        }
    }
}
