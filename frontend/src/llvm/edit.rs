//! The few changes to a module that no LLVM pass makes: marks for the inliner and for the lifter.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};

use super::{Inst, Module, Type, TypeKind};

impl Module {
    /// Asks the inliner to inline each defined function wherever it is called, takes back what forbids that (`noinline`
    /// and `optnone`, on functions and calls), and makes those that are not named in `keep` local to the module.
    ///
    /// Semantics do not change: a kernel's entry points are the kept names, and nothing outside sees the others.
    pub fn mark_for_inlining(&mut self, keep: &dyn Fn(&str) -> bool) {
        let always_inline = kind("alwaysinline");
        let forbidding = [kind("noinline"), kind("optnone")];
        let functions: Vec<LLVMValueRef> = self.functions().map(|f| f.raw).collect();
        let calls: Vec<LLVMValueRef> = self
            .functions()
            .flat_map(super::Function::instructions)
            .filter(|i| i.is_call())
            .map(|i: Inst<'_>| i.raw)
            .collect();
        // SAFETY: functions and calls of this module, which is borrowed mutably; removing an absent attribute is
        // allowed.
        unsafe {
            for call in calls {
                LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, forbidding[0]);
            }
            for function in functions {
                if LLVMIsDeclaration(function) != 0 {
                    continue;
                }
                for attribute in forbidding {
                    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
                }
                let attribute = LLVMCreateEnumAttribute(self.context(), always_inline, 0);
                LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
                if !keep(&super::Value::new(function).name()) {
                    LLVMSetVisibility(function, llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
                    LLVMSetDLLStorageClass(
                        function,
                        llvm_sys::LLVMDLLStorageClass::LLVMDefaultStorageClass,
                    );
                    LLVMSetLinkage(function, LLVMLinkage::LLVMInternalLinkage);
                }
            }
        }
    }
}

impl Module {
    /// Says of the declared functions that `is_pure` names, and that take and give no pointer, that they touch no
    /// memory.
    pub fn mark_pure(&mut self, is_pure: &dyn Fn(&str) -> bool) {
        let pointer = |ty: Type<'_>| matches!(ty.kind(), TypeKind::Pointer(_));
        let pure: Vec<LLVMValueRef> = self
            .functions()
            .filter(|f| f.is_declaration() && is_pure(&f.name()))
            .filter(|f| !pointer(f.return_type()) && !f.arguments().iter().any(|a| pointer(a.ty())))
            .map(|f| f.raw)
            .collect();
        for function in pure {
            for name in ["memory", "nounwind", "willreturn"] {
                // SAFETY: a function of this module, which is borrowed mutably. The value 0 of `memory` is "none".
                unsafe {
                    let attribute = LLVMCreateEnumAttribute(self.context(), kind(name), 0);
                    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
                }
            }
        }
    }
}

fn kind(name: &str) -> u32 {
    // SAFETY: the name is given with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
