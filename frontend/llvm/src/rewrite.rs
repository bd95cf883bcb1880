//! Changes to a module: calls put before and after instructions, functions replaced, the module
//! made one for the host.
//!
//! What is changed is named by a [`Spot`], a handle without a lifetime, so that a walk over the
//! module can collect what to change before it changes it. **Invariant**: a spot is used with the
//! module it was taken from, before the instruction that it names is deleted; this file deletes
//! none.

use std::ffi::CString;

use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

use super::{Function, Inst, Module, Opcode, Type, Value};

/// An instruction, or a value, of a module that is about to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot(LLVMValueRef);

impl Spot {
    pub(super) fn of(raw: LLVMValueRef) -> Spot {
        Spot(raw)
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.0
    }
}

/// An argument of a call that is put in.
#[derive(Clone, Copy, Debug)]
pub enum Arg {
    /// A constant of 32 bits.
    I32(u32),
    /// A constant of 64 bits.
    I64(u64),
    /// A pointer, as a generic one.
    Pointer(Spot),
    /// An address in a register, of an address space, and bytes beyond it, as a generic pointer.
    Address(Spot, u32, i64),
    /// An integer, widened or cut to 64 bits.
    Count(Spot),
    /// An integer, widened or cut to 32 bits.
    Word(Spot),
    /// The bits of a value of at most 64, in 64.
    Bits(Spot),
    /// So many bits, at most 64, at an address and bytes beyond it, in 64.
    Loaded(Spot, u64, u32),
    /// The same of an address that stands in a table of pointers, at this index.
    LoadedFrom(Spot, u64, u64, u32),
}

/// Where a call is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the instruction.
    Before,
    /// After it; it is no terminator.
    After,
}

/// A call to put in.
#[derive(Clone, Debug)]
pub struct NewCall {
    /// By this instruction, whose debug location it gets.
    pub at: Spot,
    /// On this side of it.
    pub side: Side,
    /// A function that returns nothing.
    pub callee: &'static str,
    /// Its arguments.
    pub args: Vec<Arg>,
}

impl Inst<'_> {
    /// A handle for changing the module.
    pub fn spot(self) -> Spot {
        Spot(self.raw)
    }
}

impl Value<'_> {
    /// A handle for changing the module.
    pub fn spot(self) -> Spot {
        Spot(self.raw)
    }
}

impl Module {
    /// A copy in a context of its own.
    ///
    /// # Errors
    /// LLVM cannot read what it wrote.
    pub fn copy(&self) -> Result<Module, String> {
        Module::parse(&self.to_bitcode(), &self.source_file_name())
    }

    /// Puts calls in, in order: of several before one instruction the first comes first.
    pub fn insert_calls(&mut self, calls: &[NewCall]) {
        // SAFETY: the spots are instructions and values of this module; the builder goes at the
        // end.
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context());
            for NewCall { at, side, callee, args } in calls {
                match side {
                    Side::Before => LLVMPositionBuilderBefore(builder, at.0),
                    Side::After => LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(at.0)),
                }
                LLVMSetCurrentDebugLocation2(builder, self.location_for(at.0));
                let mut values: Vec<LLVMValueRef> =
                    args.iter().map(|arg| self.build(builder, *arg)).collect();
                let mut types: Vec<LLVMTypeRef> =
                    values.iter().map(|value| LLVMTypeOf(*value)).collect();
                let void = LLVMVoidTypeInContext(self.context());
                let ty = LLVMFunctionType(void, types.as_mut_ptr(), types.len() as u32, 0);
                let function = self.declare(callee, ty);
                LLVMBuildCall2(
                    builder,
                    ty,
                    function,
                    values.as_mut_ptr(),
                    values.len() as u32,
                    c"".as_ptr(),
                );
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// The debug location of an instruction, or any of its function: LLVM wants one on each call in
    /// a function that has debug information.
    ///
    /// # Safety
    /// `at` is an instruction of this module.
    pub(super) unsafe fn location_for(
        &self,
        at: LLVMValueRef,
    ) -> llvm_sys::prelude::LLVMMetadataRef {
        use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
        // SAFETY: the caller's promise; lists end with null.
        unsafe {
            let own = LLVMInstructionGetDebugLoc(at);
            if !own.is_null() {
                return own;
            }
            let function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
            let found =
                Function::new(function).instructions().map(|it| LLVMInstructionGetDebugLoc(it.raw));
            let found = found.into_iter().find(|it| !it.is_null());
            found.unwrap_or(std::ptr::null_mut())
        }
    }

    /// # Safety
    /// The builder stands in this module, where the argument's value is defined.
    unsafe fn build(&self, builder: LLVMBuilderRef, arg: Arg) -> LLVMValueRef {
        // SAFETY: the caller's promise; each cast is chosen by the type of its operand.
        unsafe {
            let i64 = LLVMInt64TypeInContext(self.context());
            match arg {
                Arg::I32(value) => {
                    LLVMConstInt(LLVMInt32TypeInContext(self.context()), value.into(), 0)
                }
                Arg::I64(value) => LLVMConstInt(i64, value, 0),
                Arg::Pointer(Spot(value)) => {
                    let generic = LLVMPointerTypeInContext(self.context(), 0);
                    if LLVMTypeOf(value) == generic {
                        value
                    } else {
                        LLVMBuildAddrSpaceCast(builder, value, generic, c"".as_ptr())
                    }
                }
                Arg::Address(Spot(value), space, beyond) => {
                    self.build_address(builder, value, space, beyond)
                }
                Arg::Count(Spot(value)) => LLVMBuildIntCast2(builder, value, i64, 0, c"".as_ptr()),
                Arg::Word(Spot(value)) => {
                    let i32 = LLVMInt32TypeInContext(self.context());
                    LLVMBuildIntCast2(builder, value, i32, 0, c"".as_ptr())
                }
                Arg::Loaded(Spot(value), beyond, bits) => {
                    self.build_load(builder, value, beyond, bits)
                }
                Arg::LoadedFrom(Spot(table), index, beyond, bits) => {
                    let pointer = LLVMPointerTypeInContext(self.context(), 0);
                    let entry = self.build_beyond(builder, table, index * 8);
                    let value = LLVMBuildLoad2(builder, pointer, entry, c"".as_ptr());
                    self.build_load(builder, value, beyond, bits)
                }
                Arg::Bits(Spot(value)) => {
                    let ty = Type::new(LLVMTypeOf(value));
                    match ty.kind() {
                        super::TypeKind::Pointer(_) => {
                            LLVMBuildPtrToInt(builder, value, i64, c"".as_ptr())
                        }
                        super::TypeKind::Int(_) => {
                            LLVMBuildIntCast2(builder, value, i64, 0, c"".as_ptr())
                        }
                        super::TypeKind::Void
                        | super::TypeKind::Float(_)
                        | super::TypeKind::BFloat
                        | super::TypeKind::Array(..)
                        | super::TypeKind::Vector(..)
                        | super::TypeKind::Struct { .. }
                        | super::TypeKind::Function
                        | super::TypeKind::Event
                        | super::TypeKind::Other => {
                            let bits = (ty.store_size(self).unwrap_or(8) * 8) as u32;
                            let int = LLVMIntTypeInContext(self.context(), bits);
                            let int = LLVMBuildBitCast(builder, value, int, c"".as_ptr());
                            LLVMBuildIntCast2(builder, int, i64, 0, c"".as_ptr())
                        }
                    }
                }
            }
        }
    }

    /// # Safety
    /// `ty` is a function type of this context.
    pub(super) unsafe fn declare(&self, name: &str, ty: LLVMTypeRef) -> LLVMValueRef {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the caller's promise.
        unsafe {
            let known = LLVMGetNamedFunction(self.raw(), name.as_ptr());
            if known.is_null() { LLVMAddFunction(self.raw(), name.as_ptr(), ty) } else { known }
        }
    }

    /// States a number about the module; linking it with one that states another is an error.
    pub fn state_number(&mut self, name: &str, number: u32) {
        // SAFETY: a constant of this module's context; behaviour 0 is `Error`.
        unsafe {
            let ty = LLVMInt32TypeInContext(self.context());
            let value = LLVMValueAsMetadata(LLVMConstInt(ty, u64::from(number), 0));
            let behaviour = llvm_sys::LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorError;
            LLVMAddModuleFlag(self.raw(), behaviour, name.as_ptr().cast(), name.len(), value);
        }
    }

    /// A number that is stated about the module.
    pub fn stated_number(&self, name: &str) -> Option<u64> {
        // SAFETY: the module is alive; what is no constant number gives none.
        unsafe {
            let found = LLVMGetModuleFlag(self.raw(), name.as_ptr().cast(), name.len());
            if found.is_null() {
                return None;
            }
            let value = LLVMMetadataAsValue(self.context(), found);
            let inner = LLVMIsAConstantInt(LLVMGetOperand(value, 0));
            (!inner.is_null()).then(|| LLVMConstIntGetZExtValue(inner))
        }
    }

    /// Gives a declared function another name, under which a library may define it.
    pub fn rename(&mut self, from: &str, to: &str) {
        let Ok(name) = CString::new(from) else { return };
        // SAFETY: a function of this module. An intrinsic is no plain name, so its uses move to a
        // new declaration.
        unsafe {
            let function = LLVMGetNamedFunction(self.raw(), name.as_ptr());
            if !function.is_null() {
                let new = self.declare(to, LLVMGlobalGetValueType(function));
                LLVMReplaceAllUsesWith(function, new);
            }
        }
    }

    /// Makes a call of inline assembly a call of a function of that name.
    pub fn call_instead(&mut self, call: Spot, name: &str) {
        // SAFETY: the spot is a call of this module; the callee is its last operand.
        unsafe {
            let ty = LLVMGetCalledFunctionType(call.0);
            let function = self.declare(name, ty);
            LLVMSetOperand(call.0, (LLVMGetNumOperands(call.0) - 1) as u32, function);
        }
    }

    /// Makes a call of a function with a variable number of arguments a call of one of that name
    /// with just these.
    pub fn call_with_these(&mut self, call: Spot, name: &str) {
        // SAFETY: the spot is a call of this module, which is replaced in all its uses before it
        // goes.
        unsafe {
            let count = LLVMGetNumArgOperands(call.0);
            let mut args: Vec<LLVMValueRef> =
                (0..count).map(|n| LLVMGetOperand(call.0, n)).collect();
            let mut types: Vec<_> = args.iter().map(|it| LLVMTypeOf(*it)).collect();
            let ty = LLVMFunctionType(LLVMTypeOf(call.0), types.as_mut_ptr(), count, 0);
            let function = self.declare(name, ty);
            let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(self.raw()));
            LLVMPositionBuilderBefore(builder, call.0);
            let new = LLVMBuildCall2(builder, ty, function, args.as_mut_ptr(), count, c"".as_ptr());
            LLVMReplaceAllUsesWith(call.0, new);
            LLVMInstructionEraseFromParent(call.0);
            LLVMDisposeBuilder(builder);
        }
    }

    /// Adds the functions of an IR text, whose declarations fit those here.
    ///
    /// # Errors
    /// LLVM's message: the text is ours, so this is our fault.
    pub fn link_text(&mut self, text: &str) -> Result<(), String> {
        self.link(text.as_bytes())
    }

    /// Makes the module one for another target: triple and layout, no attributes of the old target,
    /// the C calling convention, no debug information.
    pub fn retarget(&mut self, triple: &str, layout: &str) {
        let (triple, layout) =
            (CString::new(triple).unwrap_or_default(), CString::new(layout).unwrap_or_default());
        let functions: Vec<LLVMValueRef> = self.functions().map(|it| it.raw).collect();
        let calls: Vec<LLVMValueRef> = self
            .functions()
            .flat_map(Function::instructions)
            .filter(|it| it.is_call())
            .map(|it| it.raw)
            .collect();
        // SAFETY: functions and calls of this module; removing an absent attribute is allowed.
        unsafe {
            LLVMSetTarget(self.raw(), triple.as_ptr());
            LLVMSetDataLayout(self.raw(), layout.as_ptr());
            llvm_sys::debuginfo::LLVMStripModuleDebugInfo(self.raw());
            for function in functions {
                for key in ["target-cpu", "target-features", "tune-cpu"] {
                    let index = llvm_sys::LLVMAttributeFunctionIndex;
                    LLVMRemoveStringAttributeAtIndex(
                        function,
                        index,
                        key.as_ptr().cast(),
                        key.len() as u32,
                    );
                }
                LLVMSetFunctionCallConv(function, 0);
            }
            for call in calls {
                LLVMSetInstructionCallConv(call, 0);
            }
        }
    }

    /// Makes a global visible to others, so that its address can be asked for.
    pub fn publish_global(&mut self, name: &str) {
        let Ok(name) = CString::new(name) else { return };
        // SAFETY: a global variable of this module.
        unsafe {
            let global = LLVMGetNamedGlobal(self.raw(), name.as_ptr());
            if !global.is_null() && LLVMIsDeclaration(global) == 0 {
                LLVMSetLinkage(global, LLVMLinkage::LLVMExternalLinkage);
                LLVMSetVisibility(global, llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
            }
        }
    }

    /// Replaces each use of a global in a function by a base pointer, which a call of `base` at its
    /// start gives, plus the global's offset. Constant expressions over it become instructions.
    ///
    /// # Errors
    /// A use that is no address computation.
    pub fn place_globals(
        &mut self,
        function: &str,
        base: &str,
        offsets: &[(Spot, u64)],
    ) -> Result<(), String> {
        let Some(function) = self.function(function).map(|it| it.raw) else { return Ok(()) };
        // SAFETY: the function is of this module, and its instructions are collected before any is
        // added.
        unsafe {
            let found = Function::new(function);
            let insts: Vec<LLVMValueRef> = found.instructions().map(|it| it.raw).collect();
            let Some(&first) = insts.iter().find(|it| LLVMIsAAllocaInst(**it).is_null()) else {
                return Ok(());
            };
            let builder = LLVMCreateBuilderInContext(self.context());
            LLVMPositionBuilderBefore(builder, first);
            let pointer = LLVMPointerTypeInContext(self.context(), 0);
            let ty = LLVMFunctionType(pointer, std::ptr::null_mut(), 0, 0);
            let callee = self.declare(base, ty);
            let start =
                LLVMBuildCall2(builder, ty, callee, std::ptr::null_mut(), 0, c"shared".as_ptr());
            let placed = Placed { module: self, builder, start, offsets };
            let done = insts.iter().try_for_each(|inst| placed.operands_of(*inst));
            LLVMDisposeBuilder(builder);
            done
        }
    }
}

struct Placed<'a> {
    module: &'a Module,
    builder: LLVMBuilderRef,
    start: LLVMValueRef,
    offsets: &'a [(Spot, u64)],
}

impl Placed<'_> {
    /// # Safety
    /// `inst` is an instruction of the function that the builder works on.
    unsafe fn operands_of(&self, inst: LLVMValueRef) -> Result<(), String> {
        // SAFETY: the caller's promise; operands are below the count.
        unsafe {
            let phi = !LLVMIsAPHINode(inst).is_null();
            for n in 0..LLVMGetNumOperands(inst).max(0) as u32 {
                let operand = LLVMGetOperand(inst, n);
                if operand.is_null() || LLVMIsConstant(operand) == 0 || !self.names_global(operand)
                {
                    continue;
                }
                let before = if phi {
                    LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(inst, n))
                } else {
                    inst
                };
                LLVMPositionBuilderBefore(self.builder, before);
                let new = self.materialize(operand)?;
                LLVMSetOperand(inst, n, new);
            }
            Ok(())
        }
    }

    /// # Safety
    /// `value` is a constant of the module.
    unsafe fn names_global(&self, value: LLVMValueRef) -> bool {
        if self.offsets.iter().any(|(spot, _)| spot.0 == value) {
            return true;
        }
        // SAFETY: operands of a constant that is a user are constants.
        unsafe {
            let user = LLVMIsAUser(value);
            let global = !LLVMIsAGlobalValue(value).is_null();
            !user.is_null()
                && !global
                && (0..LLVMGetNumOperands(value).max(0) as u32)
                    .any(|n| self.names_global(LLVMGetOperand(value, n)))
        }
    }

    /// # Safety
    /// `value` is a constant that names a global; the builder stands where it is wanted.
    unsafe fn materialize(&self, value: LLVMValueRef) -> Result<LLVMValueRef, String> {
        let empty = c"".as_ptr();
        // SAFETY: the instruction is built as the constant expression says.
        unsafe {
            let ty = LLVMTypeOf(value);
            if let Some((_, offset)) = self.offsets.iter().find(|(spot, _)| spot.0 == value) {
                let byte = LLVMInt8TypeInContext(self.module.context());
                let mut index =
                    LLVMConstInt(LLVMInt64TypeInContext(self.module.context()), *offset, 0);
                let place = LLVMBuildGEP2(self.builder, byte, self.start, &mut index, 1, empty);
                return Ok(if LLVMTypeOf(place) == ty {
                    place
                } else {
                    LLVMBuildAddrSpaceCast(self.builder, place, ty, empty)
                });
            }
            if LLVMIsAConstantExpr(value).is_null() {
                return if self.names_global(value) {
                    Err(format!(
                        "shared memory in a constant that is no address: {}",
                        Value::new(value).text()
                    ))
                } else {
                    Ok(value)
                };
            }
            let count = LLVMGetNumOperands(value).max(0) as u32;
            let mut operands = Vec::new();
            for n in 0..count {
                operands.push(self.materialize(LLVMGetOperand(value, n))?);
            }
            let raw = LLVMGetConstOpcode(value);
            match Opcode::from_raw(raw) {
                Opcode::GetElementPtr => {
                    let source = LLVMGetGEPSourceElementType(value);
                    Ok(LLVMBuildGEP2(
                        self.builder,
                        source,
                        operands[0],
                        operands[1..].as_mut_ptr(),
                        count - 1,
                        empty,
                    ))
                }
                Opcode::AddrSpaceCast
                | Opcode::PtrToInt
                | Opcode::PtrToAddr
                | Opcode::IntToPtr
                | Opcode::BitCast
                | Opcode::Trunc => Ok(LLVMBuildCast(self.builder, raw, operands[0], ty, empty)),
                Opcode::Add | Opcode::Sub | Opcode::Xor => {
                    Ok(LLVMBuildBinOp(self.builder, raw, operands[0], operands[1], empty))
                }
                other => Err(format!("shared memory in a constant expression `{other}`")),
            }
        }
    }
}
