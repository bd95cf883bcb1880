//! Functions, their arguments and blocks.

use std::marker::PhantomData;

use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};

use super::{Attribute, Inst, Metadata, Module, Type, Value, ValueKind};

/// A function, defined or declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Function<'m> {
    pub(super) raw: LLVMValueRef,
    module: PhantomData<&'m Module>,
}

/// Who may see and replace a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// `internal` or `private`: nothing outside this module names it.
    Local,
    /// `linkonce`, `weak`, `common` and their like: another definition may win, or it may be
    /// dropped when unused.
    Mergeable,
    /// `external`, `dllexport` and their like.
    External,
}

impl Linkage {
    pub(super) fn from_raw(raw: LLVMLinkage) -> Self {
        match raw {
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage => Linkage::Local,
            LLVMLinkage::LLVMLinkOnceAnyLinkage
            | LLVMLinkage::LLVMLinkOnceODRLinkage
            | LLVMLinkage::LLVMLinkOnceODRAutoHideLinkage
            | LLVMLinkage::LLVMWeakAnyLinkage
            | LLVMLinkage::LLVMWeakODRLinkage
            | LLVMLinkage::LLVMCommonLinkage
            | LLVMLinkage::LLVMExternalWeakLinkage => Linkage::Mergeable,
            LLVMLinkage::LLVMExternalLinkage
            | LLVMLinkage::LLVMAvailableExternallyLinkage
            | LLVMLinkage::LLVMAppendingLinkage
            | LLVMLinkage::LLVMDLLImportLinkage
            | LLVMLinkage::LLVMDLLExportLinkage
            | LLVMLinkage::LLVMGhostLinkage
            | LLVMLinkage::LLVMLinkerPrivateLinkage
            | LLVMLinkage::LLVMLinkerPrivateWeakLinkage => Linkage::External,
        }
    }
}

impl<'m> Function<'m> {
    /// # Safety
    /// `raw` is a function of a module that lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMValueRef) -> Self {
        Function { raw, module: PhantomData }
    }

    /// The function as a value.
    pub fn as_value(self) -> Value<'m> {
        // SAFETY: a function is a value of the same module.
        unsafe { Value::new(self.raw) }
    }

    /// The mangled name.
    pub fn name(self) -> String {
        self.as_value().name()
    }

    /// Whether it has no body here.
    pub fn is_declaration(self) -> bool {
        // SAFETY: it is a function.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Whether LLVM knows it as an intrinsic (`llvm.…`).
    pub fn is_intrinsic(self) -> bool {
        // SAFETY: it is a function.
        unsafe { LLVMGetIntrinsicID(self.raw) != 0 }
    }

    /// Its calling convention's number (`llvm/IR/CallingConv.h`): 71 is `ptx_kernel`, 76
    /// `spir_kernel`.
    pub fn calling_convention(self) -> u32 {
        // SAFETY: it is a function.
        unsafe { LLVMGetFunctionCallConv(self.raw) }
    }

    /// Its linkage.
    pub fn linkage(self) -> Linkage {
        // SAFETY: it is a global.
        Linkage::from_raw(unsafe { LLVMGetLinkage(self.raw) })
    }

    /// What it returns.
    pub fn return_type(self) -> Type<'m> {
        // SAFETY: the value type of a function is a function type.
        unsafe { Type::new(LLVMGetReturnType(LLVMGlobalGetValueType(self.raw))) }
    }

    /// Whether it takes `...` after its parameters.
    pub fn is_variadic(self) -> bool {
        // SAFETY: the value type of a function is a function type.
        unsafe { LLVMIsFunctionVarArg(LLVMGlobalGetValueType(self.raw)) != 0 }
    }

    /// Its parameters, in order.
    pub fn arguments(self) -> Vec<Argument<'m>> {
        // SAFETY: the index is below the count.
        unsafe {
            (0..LLVMCountParams(self.raw))
                .map(|i| Argument::new(self, LLVMGetParam(self.raw, i), i))
                .collect()
        }
    }

    /// Its blocks in text order, the entry first; none for a declaration.
    pub fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        // SAFETY: it is a function; the list ends with null.
        let mut next = unsafe { LLVMGetFirstBasicBlock(self.raw) };
        std::iter::from_fn(move || {
            let raw = (!next.is_null()).then_some(next)?;
            // SAFETY: `raw` is a block of this function.
            unsafe {
                next = LLVMGetNextBasicBlock(raw);
                Some(Block::new(raw))
            }
        })
    }

    /// Its instructions in text order.
    pub fn instructions(self) -> impl Iterator<Item = Inst<'m>> {
        self.blocks().flat_map(Block::instructions)
    }

    /// The attribute of that name on the function itself: an enum one (`noinline`) or a string one
    /// (`"nvvm.maxntid"`).
    pub fn attribute(self, name: &str) -> Option<Attribute<'m>> {
        Attribute::on_function(self.raw, llvm_sys::LLVMAttributeFunctionIndex, name)
    }

    /// The attribute of that name on what it returns (`noalias`, `nonnull`).
    pub fn return_attribute(self, name: &str) -> Option<Attribute<'m>> {
        Attribute::on_function(self.raw, llvm_sys::LLVMAttributeReturnIndex, name)
    }

    /// All attributes on the function itself.
    pub fn attributes(self) -> Vec<Attribute<'m>> {
        Attribute::all_on_function(self.raw, llvm_sys::LLVMAttributeFunctionIndex)
    }

    /// Metadata attached under a kind such as `reqd_work_group_size`.
    pub fn metadata(self, module: &'m Module, kind: &str) -> Option<Metadata<'m>> {
        Metadata::attached_to_global(module.context(), self.raw, kind).into_iter().next()
    }

    /// The values that use this function (calls, constant expressions, `llvm.used`).
    pub fn users(self) -> Vec<Value<'m>> {
        self.as_value().users()
    }
}

impl std::fmt::Debug for Function<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}", self.name())
    }
}

/// A parameter of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Argument<'m> {
    function: Function<'m>,
    raw: LLVMValueRef,
    index: u32,
}

impl<'m> Argument<'m> {
    pub(super) fn new(function: Function<'m>, raw: LLVMValueRef, index: u32) -> Self {
        Argument { function, raw, index }
    }

    /// The function that has it.
    pub fn function(self) -> Function<'m> {
        self.function
    }

    /// Its position, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The parameter as a value.
    pub fn as_value(self) -> Value<'m> {
        // SAFETY: a parameter is a value of the same module.
        unsafe { Value::new(self.raw) }
    }

    /// Its name in the IR, `""` where names were discarded.
    pub fn name(self) -> String {
        self.as_value().name()
    }

    /// Its type.
    pub fn ty(self) -> Type<'m> {
        self.as_value().ty()
    }

    /// The attribute of that name (`noalias`, `readonly`, `byval`, `align`).
    pub fn attribute(self, name: &str) -> Option<Attribute<'m>> {
        Attribute::on_function(self.function.raw, self.index + 1, name)
    }

    /// The struct that a `byval` pointer stands for: the parameter is a copy in the parameter
    /// space.
    pub fn byval_type(self) -> Option<Type<'m>> {
        self.attribute("byval").and_then(Attribute::type_value)
    }
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m> {
    raw: LLVMBasicBlockRef,
    module: PhantomData<&'m Module>,
}

impl<'m> Block<'m> {
    /// # Safety
    /// `raw` is a block of a module that lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMBasicBlockRef) -> Self {
        Block { raw, module: PhantomData }
    }

    /// Its label, `""` where names were discarded.
    pub fn name(self) -> String {
        // SAFETY: a block is a value.
        unsafe { Value::new(LLVMBasicBlockAsValue(self.raw)) }.name()
    }

    /// Its instructions, in order.
    pub fn instructions(self) -> impl Iterator<Item = Inst<'m>> {
        // SAFETY: it is a block; the list ends with null.
        let mut next = unsafe { LLVMGetFirstInstruction(self.raw) };
        std::iter::from_fn(move || {
            let raw = (!next.is_null()).then_some(next)?;
            // SAFETY: `raw` is an instruction of this block.
            unsafe {
                next = LLVMGetNextInstruction(raw);
                Some(Inst::new(raw))
            }
        })
    }

    /// Its last instruction; none only in a broken module.
    pub fn terminator(self) -> Option<Inst<'m>> {
        // SAFETY: it is a block; the answer is null or an instruction.
        unsafe {
            let raw = LLVMGetBasicBlockTerminator(self.raw);
            (!raw.is_null()).then(|| Inst::new(raw))
        }
    }

    /// The blocks its terminator names, in the terminator's order, repeated where it repeats them.
    pub fn successors(self) -> Vec<Block<'m>> {
        self.terminator().map(Inst::successors).unwrap_or_default()
    }

    /// The function it is part of.
    pub fn function(self) -> Function<'m> {
        // SAFETY: a block reached through a module has a parent function.
        unsafe { Function::new(LLVMGetBasicBlockParent(self.raw)) }
    }
}

impl std::fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "%{}", self.name())
    }
}

impl<'m> Value<'m> {
    /// The function, when the value is one.
    pub fn as_function(self) -> Option<Function<'m>> {
        // SAFETY: its kind says it is a function.
        (self.kind() == ValueKind::Function).then(|| unsafe { Function::new(self.raw) })
    }
}
