//! Types, and their layout under the module's data layout.

use std::ffi::CStr;
use std::marker::PhantomData;

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::target::{
    LLVMABISizeOfType, LLVMOffsetOfElement, LLVMStoreSizeOfType, LLVMTargetDataRef,
};

use super::Module;

/// A type of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m> {
    raw: LLVMTypeRef,
    module: PhantomData<&'m Module>,
}

/// What a [`Type`] is, with what is inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind<'m> {
    /// `void`
    Void,
    /// `iN`; the width in bits.
    Int(u32),
    /// A floating-point type; the width in bits. `bfloat` is [`TypeKind::BFloat`].
    Float(u32),
    /// `bfloat`, 16 bits with the exponent of `float`.
    BFloat,
    /// `ptr addrspace(n)`
    Pointer(u32),
    /// `[n x T]`
    Array(u64, Type<'m>),
    /// `<n x T>` with a fixed number of elements.
    Vector(u32, Type<'m>),
    /// A struct, literal or named; ask [`Type::fields`]. The flag says that its body is unknown
    /// (`opaque`).
    Struct {
        /// No body.
        opaque: bool,
    },
    /// A function.
    Function,
    /// OpenCL's `event_t` on SPIR-V: a number that nobody looks into, of 64 bits here.
    Event,
    /// A label, metadata, a token, another target extension type, a scalable vector: nothing an
    /// access can have.
    Other,
}

impl<'m> Type<'m> {
    /// # Safety
    /// `raw` is a type of the context of a module that lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMTypeRef) -> Self {
        Type { raw, module: PhantomData }
    }

    /// What the type is.
    pub fn kind(self) -> TypeKind<'m> {
        // SAFETY: each question below is asked of a type of the kind it is defined for.
        unsafe {
            match LLVMGetTypeKind(self.raw) {
                LLVMTypeKind::LLVMVoidTypeKind => TypeKind::Void,
                LLVMTypeKind::LLVMHalfTypeKind => TypeKind::Float(16),
                LLVMTypeKind::LLVMBFloatTypeKind => TypeKind::BFloat,
                LLVMTypeKind::LLVMFloatTypeKind => TypeKind::Float(32),
                LLVMTypeKind::LLVMDoubleTypeKind => TypeKind::Float(64),
                LLVMTypeKind::LLVMX86_FP80TypeKind => TypeKind::Float(80),
                LLVMTypeKind::LLVMFP128TypeKind | LLVMTypeKind::LLVMPPC_FP128TypeKind => {
                    TypeKind::Float(128)
                }
                LLVMTypeKind::LLVMIntegerTypeKind => TypeKind::Int(LLVMGetIntTypeWidth(self.raw)),
                LLVMTypeKind::LLVMPointerTypeKind => {
                    TypeKind::Pointer(LLVMGetPointerAddressSpace(self.raw))
                }
                LLVMTypeKind::LLVMArrayTypeKind => TypeKind::Array(
                    LLVMGetArrayLength2(self.raw),
                    Type::new(LLVMGetElementType(self.raw)),
                ),
                LLVMTypeKind::LLVMVectorTypeKind => TypeKind::Vector(
                    LLVMGetVectorSize(self.raw),
                    Type::new(LLVMGetElementType(self.raw)),
                ),
                LLVMTypeKind::LLVMStructTypeKind => {
                    TypeKind::Struct { opaque: LLVMIsOpaqueStruct(self.raw) != 0 }
                }
                LLVMTypeKind::LLVMFunctionTypeKind => TypeKind::Function,
                LLVMTypeKind::LLVMTargetExtTypeKind
                    if CStr::from_ptr(LLVMGetTargetExtTypeName(self.raw)) == c"spirv.Event" =>
                {
                    TypeKind::Event
                }
                LLVMTypeKind::LLVMLabelTypeKind
                | LLVMTypeKind::LLVMMetadataTypeKind
                | LLVMTypeKind::LLVMTokenTypeKind
                | LLVMTypeKind::LLVMScalableVectorTypeKind
                | LLVMTypeKind::LLVMX86_AMXTypeKind
                | LLVMTypeKind::LLVMTargetExtTypeKind => TypeKind::Other,
            }
        }
    }

    /// The fields of a struct with a body, in order; empty for all else.
    pub fn fields(self) -> Vec<Type<'m>> {
        if self.kind() != (TypeKind::Struct { opaque: false }) {
            return Vec::new();
        }
        // SAFETY: it is a struct with a body; the index is below the count.
        unsafe {
            (0..LLVMCountStructElementTypes(self.raw))
                .map(|i| Type::new(LLVMStructGetTypeAtIndex(self.raw, i)))
                .collect()
        }
    }

    /// The name of a named struct (`struct.P`).
    pub fn struct_name(self) -> Option<String> {
        if !matches!(self.kind(), TypeKind::Struct { .. }) {
            return None;
        }
        // SAFETY: it is a struct; the name is null for a literal one.
        let name = unsafe { LLVMGetStructName(self.raw) };
        // SAFETY: a name that is not null is NUL-terminated and lives as long as the context.
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    /// Whether values of this type have a size (not `void`, a function, an opaque struct, a token).
    pub fn is_sized(self) -> bool {
        // SAFETY: defined for all types.
        unsafe { LLVMTypeIsSized(self.raw) != 0 && !self.contains_scalable() }
    }

    fn contains_scalable(self) -> bool {
        match self.kind() {
            TypeKind::Array(_, element) => element.contains_scalable(),
            TypeKind::Struct { .. } => self.fields().into_iter().any(Type::contains_scalable),
            // SAFETY: defined for all types.
            TypeKind::Other => unsafe {
                LLVMGetTypeKind(self.raw) == LLVMTypeKind::LLVMScalableVectorTypeKind
            },
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::BFloat
            | TypeKind::Pointer(_)
            | TypeKind::Vector(..)
            | TypeKind::Function
            | TypeKind::Event => false,
        }
    }

    /// The bytes that a load or store of this type touches.
    pub fn store_size(self, module: &'m Module) -> Option<u64> {
        // SAFETY: sized, and the data layout is the module's.
        self.is_sized().then(|| unsafe { LLVMStoreSizeOfType(module.layout(), self.raw) })
    }

    /// The distance in bytes between two of these in an array (the size with its tail padding).
    pub fn alloc_size(self, module: &'m Module) -> Option<u64> {
        // SAFETY: sized, and the data layout is the module's.
        self.is_sized().then(|| unsafe { LLVMABISizeOfType(module.layout(), self.raw) })
    }

    /// The byte offset of a field of a struct.
    pub fn field_offset(self, module: &'m Module, field: u32) -> Option<u64> {
        if self.kind() != (TypeKind::Struct { opaque: false }) || !self.is_sized() {
            return None;
        }
        // SAFETY: a sized struct with a body; the index is checked against the count.
        unsafe {
            (field < LLVMCountStructElementTypes(self.raw))
                .then(|| element_offset(module.layout(), self.raw, field))
        }
    }

    /// The type as LLVM prints it.
    pub fn text(self) -> String {
        // SAFETY: defined for all types; the message is ours to free.
        unsafe { super::owned_text(LLVMPrintTypeToString(self.raw)) }
    }
}

/// # Safety
/// `raw` is a sized struct with more than `field` fields.
unsafe fn element_offset(layout: LLVMTargetDataRef, raw: LLVMTypeRef, field: u32) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { LLVMOffsetOfElement(layout, raw, field) }
}

impl std::fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}
