//! A call through a pointer becomes a call of a function that compares the pointer.
//!
//! Spots as in `rewrite`: of the module that changes.

use std::ffi::CString;

use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

use super::{Function, Inst, Module, Opcode, Spot, Type, TypeKind, Value};

/// The metadata of comparisons that ask which function a pointer calls.
const CALLEE: &str = "heddle.callee";

impl Inst<'_> {
    /// Whether a comparison asks which function a pointer calls ([`Module::dispatch_call`]), and is
    /// none of the program's.
    pub fn asks_for_callee(self, module: &Module) -> bool {
        self.metadata(module, CALLEE).is_some()
    }

    /// Whether a call hands its arguments over as a function takes them: the types of parameters
    /// and result are the same, and neither has a variable number.
    pub fn may_call(self, function: Function<'_>) -> bool {
        // SAFETY: asked of a call alone; types of one context are the same if their handles are.
        self.is_call()
            && !function.is_variadic()
            && unsafe {
                LLVMGetCalledFunctionType(self.raw) == LLVMGlobalGetValueType(function.raw)
            }
    }

    /// Whether a function may be meant by a call although their types differ: one side has the bits
    /// of a pointer where the other has a pointer, or, where the callee itself is given as bits,
    /// any type of as many bits.
    pub fn may_mean(self, function: Function<'_>) -> bool {
        let from_bits = self
            .callee()
            .and_then(Value::as_inst)
            .is_some_and(|callee| callee.opcode() == Opcode::IntToPtr);
        let arguments = self.arguments();
        let parameters = function.arguments();
        let same = |a: Type<'_>, b: Type<'_>| {
            let is_pointer = [a, b].iter().any(|it| matches!(it.kind(), TypeKind::Pointer(_)));
            a == b || (is_pointer || from_bits) && bits(a).is_some() && bits(a) == bits(b)
        };
        self.is_call()
            && arguments.len() == parameters.len()
            && same(self.ty(), function.return_type())
            && arguments.iter().zip(&parameters).all(|(a, b)| same(a.ty(), b.ty()))
    }
}

/// The bits of a value of one register.
fn bits(ty: Type<'_>) -> Option<u32> {
    match ty.kind() {
        TypeKind::Int(bits) | TypeKind::Float(bits) => Some(bits),
        TypeKind::BFloat => Some(16),
        TypeKind::Pointer(_) => Some(64),
        TypeKind::Void
        | TypeKind::Array(..)
        | TypeKind::Vector(..)
        | TypeKind::Struct { .. }
        | TypeKind::Function
        | TypeKind::Event
        | TypeKind::Other => None,
    }
}

impl Module {
    /// Makes a call through a pointer one of a new function, which gets the pointer as its last
    /// argument and hands the others on to the first of `callees` whose address it is, or to the
    /// last of them. It calls `mark` first, if there is one.
    ///
    /// All of `callees`, at least one, are functions that the call may call ([`Inst::may_call`]).
    pub fn dispatch_call(
        &mut self,
        call: Spot,
        name: &str,
        callees: &[String],
        mark: Option<&str>,
    ) {
        let callees: Vec<LLVMValueRef> =
            callees.iter().filter_map(|it| Some(self.function(it)?.raw)).collect();
        let Some((last, others)) = callees.split_last() else { return };
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the spot is a call of this module, which is replaced in all its uses before it
        // goes; the new function has the parameters of the call and a pointer, and each of its
        // blocks ends in one return or branch.
        unsafe {
            let pointer = LLVMGetCalledValue(call.raw());
            let called = LLVMGetCalledFunctionType(call.raw());
            let result = LLVMGetReturnType(called);
            let count = LLVMGetNumArgOperands(call.raw());
            let mut args: Vec<LLVMValueRef> =
                (0..count).map(|n| LLVMGetOperand(call.raw(), n)).collect();
            args.push(pointer);
            let mut types: Vec<_> = args.iter().map(|it| LLVMTypeOf(*it)).collect();
            let ty = LLVMFunctionType(result, types.as_mut_ptr(), types.len() as u32, 0);
            let function = LLVMAddFunction(self.raw(), name.as_ptr(), ty);
            LLVMSetLinkage(function, LLVMLinkage::LLVMInternalLinkage);
            let builder = LLVMCreateBuilderInContext(self.context());
            let block = || LLVMAppendBasicBlockInContext(self.context(), function, c"".as_ptr());
            LLVMPositionBuilderAtEnd(builder, block());
            if let Some(mark) = mark {
                let ty =
                    LLVMFunctionType(LLVMVoidTypeInContext(self.context()), [].as_mut_ptr(), 0, 0);
                let mark = self.declare(mark, ty);
                LLVMBuildCall2(builder, ty, mark, [].as_mut_ptr(), 0, c"".as_ptr());
            }
            let (name, length) = (CALLEE.as_ptr().cast(), CALLEE.len() as u32);
            let mark_of_question = LLVMGetMDKindIDInContext(self.context(), name, length);
            let node = LLVMMDNodeInContext2(self.context(), [].as_mut_ptr(), 0);
            let node = LLVMMetadataAsValue(self.context(), node);
            let mut handed: Vec<LLVMValueRef> =
                (0..count).map(|n| LLVMGetParam(function, n)).collect();
            let mut hand_on = |callee: LLVMValueRef| {
                let made = LLVMBuildCall2(
                    builder,
                    called,
                    callee,
                    handed.as_mut_ptr(),
                    count,
                    c"".as_ptr(),
                );
                LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(callee));
                copy_attributes(call.raw(), made, count);
                match LLVMGetTypeKind(result) {
                    llvm_sys::LLVMTypeKind::LLVMVoidTypeKind => LLVMBuildRetVoid(builder),
                    _ => LLVMBuildRet(builder, made),
                };
            };
            for callee in others {
                let (yes, no) = (block(), block());
                let is_it = LLVMBuildICmp(
                    builder,
                    llvm_sys::LLVMIntPredicate::LLVMIntEQ,
                    LLVMGetParam(function, count),
                    *callee,
                    c"".as_ptr(),
                );
                LLVMSetMetadata(is_it, mark_of_question, node);
                LLVMBuildCondBr(builder, is_it, yes, no);
                LLVMPositionBuilderAtEnd(builder, yes);
                hand_on(*callee);
                LLVMPositionBuilderAtEnd(builder, no);
            }
            hand_on(*last);
            LLVMPositionBuilderBefore(builder, call.raw());
            LLVMSetCurrentDebugLocation2(builder, self.location_for(call.raw()));
            let new = LLVMBuildCall2(
                builder,
                ty,
                function,
                args.as_mut_ptr(),
                args.len() as u32,
                c"".as_ptr(),
            );
            copy_attributes(call.raw(), new, count);
            super::edit::keep_ordinal(self, call.raw(), new);
            LLVMReplaceAllUsesWith(call.raw(), new);
            LLVMInstructionEraseFromParent(call.raw());
            LLVMDisposeBuilder(builder);
        }
    }
}

/// Gives a call what another one says of its result and its first arguments: that one is a copy of
/// the caller's (`byval`), for one.
///
/// # Safety
/// Both are calls of one module, with at least `count` arguments.
unsafe fn copy_attributes(from: LLVMValueRef, to: LLVMValueRef, count: u32) {
    // Index 0 is the result, and arguments follow.
    for index in 0..=count {
        // SAFETY: the caller's promise; the list has room for as many as there are.
        unsafe {
            let mut kept =
                vec![std::ptr::null_mut(); LLVMGetCallSiteAttributeCount(from, index) as usize];
            LLVMGetCallSiteAttributes(from, index, kept.as_mut_ptr());
            for attribute in kept {
                LLVMAddCallSiteAttribute(to, index, attribute);
            }
        }
    }
}
