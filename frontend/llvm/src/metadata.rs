//! Metadata as a tree: nodes, strings and values.

use std::ffi::c_uint;
use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMGetMetadataKind, LLVMMetadataKind};
use llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

use super::{Module, Value, borrowed_text};

/// One piece of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Metadata<'m> {
    pub(super) raw: LLVMMetadataRef,
    context: LLVMContextRef,
    module: PhantomData<&'m Module>,
}

/// The kinds of metadata that are read, the rest grouped by whether operands may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    String,
    Value,
    /// Not a node: it has no operands to ask for.
    Opaque,
    Tuple,
    Location,
    GlobalVariableExpression,
    GlobalVariable,
    LocalVariable,
    BasicType,
    DerivedType,
    CompositeType,
    File,
    Subprogram,
    LexicalBlock,
    OtherNode,
}

impl<'m> Metadata<'m> {
    /// # Safety
    /// `raw` is metadata of `context`, whose module lives for `'m`.
    pub(super) unsafe fn new(context: LLVMContextRef, raw: LLVMMetadataRef) -> Option<Self> {
        (!raw.is_null()).then_some(Metadata { raw, context, module: PhantomData })
    }

    /// # Safety
    /// `value` is a `MetadataAsValue` of `context`, whose module lives for `'m`.
    pub(super) unsafe fn from_value(context: LLVMContextRef, value: LLVMValueRef) -> Self {
        // SAFETY: the caller's promise.
        Metadata { raw: unsafe { LLVMValueAsMetadata(value) }, context, module: PhantomData }
    }

    /// `global` is a function or a global variable of `context`.
    pub(super) fn attached_to_global(
        context: LLVMContextRef,
        global: LLVMValueRef,
        kind: &str,
    ) -> Vec<Self> {
        // SAFETY: the kind is given with its length; the entries are disposed of after their
        // metadata was copied out, which belongs to the context.
        unsafe {
            let id = LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as c_uint);
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(global, &mut count);
            let found = (0..count as c_uint)
                .filter(|i| LLVMValueMetadataEntriesGetKind(entries, *i) == id)
                .filter_map(|i| {
                    Metadata::new(context, LLVMValueMetadataEntriesGetMetadata(entries, i))
                })
                .collect();
            if !entries.is_null() {
                LLVMDisposeValueMetadataEntries(entries);
            }
            found
        }
    }

    pub(super) fn kind(self) -> Kind {
        use LLVMMetadataKind as K;
        // SAFETY: not null by construction.
        match unsafe { LLVMGetMetadataKind(self.raw) } {
            K::LLVMMDStringMetadataKind => Kind::String,
            K::LLVMConstantAsMetadataMetadataKind | K::LLVMLocalAsMetadataMetadataKind => {
                Kind::Value
            }
            K::LLVMDistinctMDOperandPlaceholderMetadataKind | K::LLVMDIArgListMetadataKind => {
                Kind::Opaque
            }
            K::LLVMMDTupleMetadataKind => Kind::Tuple,
            K::LLVMDILocationMetadataKind => Kind::Location,
            K::LLVMDIGlobalVariableExpressionMetadataKind => Kind::GlobalVariableExpression,
            K::LLVMDIGlobalVariableMetadataKind => Kind::GlobalVariable,
            K::LLVMDILocalVariableMetadataKind => Kind::LocalVariable,
            K::LLVMDIBasicTypeMetadataKind => Kind::BasicType,
            K::LLVMDIDerivedTypeMetadataKind => Kind::DerivedType,
            K::LLVMDICompositeTypeMetadataKind => Kind::CompositeType,
            K::LLVMDIFileMetadataKind => Kind::File,
            K::LLVMDISubprogramMetadataKind => Kind::Subprogram,
            K::LLVMDILexicalBlockMetadataKind | K::LLVMDILexicalBlockFileMetadataKind => {
                Kind::LexicalBlock
            }
            _ => Kind::OtherNode,
        }
    }

    fn as_value(self) -> LLVMValueRef {
        // SAFETY: metadata of this context.
        unsafe { LLVMMetadataAsValue(self.context, self.raw) }
    }

    /// The text of a metadata string.
    pub fn string(self) -> Option<String> {
        if self.kind() != Kind::String {
            return None;
        }
        let mut len = 0;
        // SAFETY: it is a string; LLVM keeps the bytes.
        unsafe { Some(borrowed_text(LLVMGetMDString(self.as_value(), &mut len), len as usize)) }
    }

    /// The value of a metadata constant or of a local value wrapped in metadata.
    pub fn value(self) -> Option<Value<'m>> {
        if self.kind() != Kind::Value {
            return None;
        }
        let mut wrapped = std::ptr::null_mut();
        // SAFETY: a wrapped value has exactly one operand, itself.
        unsafe {
            LLVMGetMDNodeOperands(self.as_value(), &mut wrapped);
            (!wrapped.is_null()).then(|| Value::new(wrapped))
        }
    }

    /// The number of an integer constant.
    pub fn int(self) -> Option<u64> {
        self.value().and_then(Value::const_int).and_then(|v| u64::try_from(v).ok())
    }

    /// The operands of a node, `None` where one is null; empty for a string or a value.
    pub fn operands(self) -> Vec<Option<Metadata<'m>>> {
        if matches!(self.kind(), Kind::String | Kind::Value | Kind::Opaque) {
            return Vec::new();
        }
        // SAFETY: it is a node; the buffer has the size that LLVM says it needs.
        unsafe {
            let value = self.as_value();
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands
                .into_iter()
                .map(|raw: LLVMValueRef| {
                    if raw.is_null() {
                        None
                    } else if !LLVMIsAMDNode(raw).is_null() || !LLVMIsAMDString(raw).is_null() {
                        Some(Metadata::from_value(self.context, raw))
                    } else {
                        // A constant is given unwrapped.
                        Metadata::new(self.context, LLVMValueAsMetadata(raw))
                    }
                })
                .collect()
        }
    }

    /// The n-th operand of a node, when it is there and not null.
    pub fn operand(self, index: usize) -> Option<Metadata<'m>> {
        self.operands().get(index).copied().flatten()
    }
}
