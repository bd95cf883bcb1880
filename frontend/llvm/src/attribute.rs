//! Attributes of functions, parameters and calls.

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMAttributeRef, LLVMValueRef};

use super::{Module, Type, borrowed_text};

/// One attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'m> {
    raw: LLVMAttributeRef,
    module: PhantomData<&'m Module>,
}

impl<'m> Attribute<'m> {
    /// # Safety
    /// `raw` is null or an attribute of the context of a module that lives for `'m`.
    unsafe fn new(raw: LLVMAttributeRef) -> Option<Self> {
        (!raw.is_null()).then_some(Attribute { raw, module: PhantomData })
    }

    /// `function` is a function value.
    pub(super) fn on_function(function: LLVMValueRef, index: u32, name: &str) -> Option<Self> {
        // SAFETY: the name is given with its length; the answer is null or an attribute.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            Attribute::new(if kind != 0 {
                LLVMGetEnumAttributeAtIndex(function, index, kind)
            } else {
                LLVMGetStringAttributeAtIndex(
                    function,
                    index,
                    name.as_ptr().cast(),
                    name.len() as u32,
                )
            })
        }
    }

    /// `function` is a function value.
    pub(super) fn all_on_function(function: LLVMValueRef, index: u32) -> Vec<Self> {
        // SAFETY: the buffer has the size that LLVM says it needs.
        unsafe {
            let mut all =
                vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(function, index) as usize];
            LLVMGetAttributesAtIndex(function, index, all.as_mut_ptr());
            all.into_iter().filter_map(|raw| Attribute::new(raw)).collect()
        }
    }

    /// `call` is a call, an invoke or a callbr.
    pub(super) fn on_call(call: LLVMValueRef, index: u32, name: &str) -> Option<Self> {
        // SAFETY: the name is given with its length; the answer is null or an attribute.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            Attribute::new(if kind != 0 {
                LLVMGetCallSiteEnumAttribute(call, index, kind)
            } else {
                LLVMGetCallSiteStringAttribute(call, index, name.as_ptr().cast(), name.len() as u32)
            })
        }
    }

    /// The name of a string attribute.
    pub fn string_key(self) -> Option<String> {
        self.is_string().then(|| {
            let mut len = 0;
            // SAFETY: a string attribute; LLVM keeps the bytes.
            unsafe { borrowed_text(LLVMGetStringAttributeKind(self.raw, &mut len), len as usize) }
        })
    }

    /// The value of a string attribute, which may be empty.
    pub fn string_value(self) -> Option<String> {
        self.is_string().then(|| {
            let mut len = 0;
            // SAFETY: a string attribute; LLVM keeps the bytes.
            unsafe { borrowed_text(LLVMGetStringAttributeValue(self.raw, &mut len), len as usize) }
        })
    }

    /// The number of an integer attribute (`align`, `memory`), 0 for a plain one.
    pub fn int_value(self) -> Option<u64> {
        // SAFETY: an enum or integer attribute.
        unsafe { (LLVMIsEnumAttribute(self.raw) != 0).then(|| LLVMGetEnumAttributeValue(self.raw)) }
    }

    /// The type of a type attribute (`byval`, `sret`).
    pub fn type_value(self) -> Option<Type<'m>> {
        // SAFETY: a type attribute.
        unsafe {
            (LLVMIsTypeAttribute(self.raw) != 0)
                .then(|| Type::new(LLVMGetTypeAttributeValue(self.raw)))
        }
    }

    fn is_string(self) -> bool {
        // SAFETY: defined for all attributes.
        unsafe { LLVMIsStringAttribute(self.raw) != 0 }
    }
}
