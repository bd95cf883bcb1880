//! Calls that take a list in memory become calls that take its elements.
//!
//! **Invariant**: as in `rewrite`, spots are of the module that changes.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::{Module, Spot};

impl Module {
    /// Makes a call whose argument `list` points to values of `ty` one of a function of that name,
    /// with the first `count` of them.
    pub fn call_with_listed(&mut self, call: Spot, name: &str, list: u32, ty: Spot, count: u32) {
        // SAFETY: the spots are a call and a value of this module; the call, whose result nobody
        // has, goes after what stands for it is made.
        unsafe {
            let ty = LLVMTypeOf(ty.raw());
            let builder = LLVMCreateBuilderInContext(self.context());
            LLVMPositionBuilderBefore(builder, call.raw());
            LLVMSetCurrentDebugLocation2(builder, self.location_for(call.raw()));
            let mut at = LLVMGetOperand(call.raw(), list);
            while !LLVMIsAAddrSpaceCastInst(at).is_null() {
                at = LLVMGetOperand(at, 0);
            }
            let mut values: Vec<LLVMValueRef> = (0..count)
                .map(|n| {
                    let index = LLVMConstInt(LLVMInt64TypeInContext(self.context()), n.into(), 0);
                    let one = LLVMBuildGEP2(builder, ty, at, [index].as_mut_ptr(), 1, c"".as_ptr());
                    LLVMBuildLoad2(builder, ty, one, c"".as_ptr())
                })
                .collect();
            let mut types = vec![ty; values.len()];
            let void = LLVMVoidTypeInContext(self.context());
            let function_ty = LLVMFunctionType(void, types.as_mut_ptr(), count, 0);
            let function = self.declare(name, function_ty);
            let new = LLVMBuildCall2(
                builder,
                function_ty,
                function,
                values.as_mut_ptr(),
                count,
                c"".as_ptr(),
            );
            super::edit::keep_ordinal(self, call.raw(), new);
            LLVMInstructionEraseFromParent(call.raw());
            LLVMDisposeBuilder(builder);
        }
    }
}
