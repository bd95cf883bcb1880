//! The ends of functions that lack their `return`.
//!
//! **What**: clang takes for granted that control never comes to the end of a function that gives a
//! reference, or a value in memory, and lacks its `return` there (`-fno-strict-return` is about
//! plain values alone); `nvcc` goes on with any value. Such an end becomes a return of any value.
//! **Method**: an end that is never reached, in such a function, and after anything but the call of
//! a function that does not return.
//! **Does not**: tell `__builtin_unreachable()` there from a missing `return`: both are returns.

use llvm_sys::LLVMAttributeReturnIndex;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc};
use llvm_sys::prelude::LLVMValueRef;

use super::{Function, Inst, Module, Opcode};

/// What a function promises of the value that it returns, and any value does not keep.
const PROMISES: [&str; 5] = ["noundef", "nonnull", "dereferenceable", "align", "noalias"];

impl Module {
    /// Lets functions that lack their `return` return any value.
    pub fn return_where_missing(&mut self) {
        let ends: Vec<(LLVMValueRef, Vec<LLVMValueRef>)> = self
            .functions()
            .filter(|it| gives_reference_or_memory(*it))
            .map(|it| (it.raw, missing(it)))
            .filter(|it| !it.1.is_empty())
            .collect();
        for (function, ends) in ends {
            // SAFETY: a function of this module, which is borrowed mutably, and ends of its blocks,
            // each of which is erased once; the builder is freed. Removing an absent attribute is
            // allowed.
            unsafe {
                for name in PROMISES {
                    let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
                    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeReturnIndex, kind);
                }
                let ty = LLVMGetReturnType(LLVMGlobalGetValueType(function));
                let is_void = LLVMGetTypeKind(ty) == llvm_sys::LLVMTypeKind::LLVMVoidTypeKind;
                let builder = LLVMCreateBuilderInContext(self.context());
                for end in ends {
                    LLVMPositionBuilderBefore(builder, end);
                    let returned = match is_void {
                        true => LLVMBuildRetVoid(builder),
                        false => LLVMBuildRet(builder, LLVMGetUndef(ty)),
                    };
                    LLVMInstructionSetDebugLoc(returned, LLVMInstructionGetDebugLoc(end));
                    LLVMInstructionEraseFromParent(end);
                }
                LLVMDisposeBuilder(builder);
            }
        }
    }
}

/// Whether what a function gives is a reference, or lies in memory that its caller names.
fn gives_reference_or_memory(function: Function<'_>) -> bool {
    let promises = ["dereferenceable", "nonnull"];
    let is_reference = promises.iter().any(|it| function.return_attribute(it).is_some());
    let first = function.arguments().into_iter().next();
    is_reference || first.is_some_and(|it| it.attribute("sret").is_some())
}

/// Ends of blocks that are never reached, but after a call that does not return.
fn missing(function: Function<'_>) -> Vec<LLVMValueRef> {
    let ends = function.blocks().filter_map(|block| {
        let end = block.terminator().filter(|it| it.opcode() == Opcode::Unreachable)?;
        let before = block.instructions().take_while(|it| *it != end).last();
        (!before.is_some_and(never_returns)).then_some(end.raw)
    });
    ends.collect()
}

/// Whether an instruction is a call that does not come back.
fn never_returns(inst: Inst<'_>) -> bool {
    let is_named = |it: Function<'_>| it.attribute("noreturn").is_some();
    inst.call_attribute("noreturn").is_some() || inst.called_function().is_some_and(is_named)
}
