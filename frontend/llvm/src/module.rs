//! A module with its context, and its globals.

use std::ffi::{CStr, CString};
use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef, LLVMValueRef};
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMPointerSizeForAS, LLVMTargetDataRef};
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMPassBuilderOptionsRef,
    LLVMPassBuilderOptionsSetVerifyEach, LLVMRunPasses, LLVMRunPassesOnFunction,
};

use super::{Function, Linkage, Metadata, Type, Value, borrowed_text, owned_text};

/// An LLVM module together with the context it lives in.
///
/// It may move to another thread, and is used from one at a time: contexts share nothing with each
/// other.
pub struct Module {
    raw: LLVMModuleRef,
    context: LLVMContextRef,
}

// SAFETY: a context and its modules may be used from any one thread at a time; `Module` owns both
// and is not `Sync`.
unsafe impl Send for Module {}

impl Module {
    /// # Safety
    /// `raw` lives in `context`, and both are handed over.
    pub(super) unsafe fn from_raw(context: LLVMContextRef, raw: LLVMModuleRef) -> Self {
        Module { raw, context }
    }

    pub(super) fn layout(&self) -> LLVMTargetDataRef {
        // SAFETY: the module is alive; the layout is borrowed from it.
        unsafe { LLVMGetModuleDataLayout(self.raw) }
    }

    /// Bits of a pointer into an address space.
    pub fn pointer_bits(&self, space: u32) -> u32 {
        // SAFETY: the module is alive, and its layout with it.
        8 * unsafe { LLVMPointerSizeForAS(self.layout(), space) }
    }

    pub(super) fn context(&self) -> LLVMContextRef {
        self.context
    }

    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    /// The target triple, `""` when the module names none.
    pub fn triple(&self) -> String {
        // SAFETY: the string lives as long as the module and is NUL-terminated.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.raw)) }.to_string_lossy().into_owned()
    }

    /// Gives it a target, and a data layout where it has none.
    pub fn set_target(&mut self, triple: &str, layout: &str) {
        let (Ok(triple), Ok(layout)) = (CString::new(triple), CString::new(layout)) else { return };
        // SAFETY: LLVM copies both texts; what it gives of the layout lives as long as the module.
        unsafe {
            LLVMSetTarget(self.raw, triple.as_ptr());
            if CStr::from_ptr(LLVMGetDataLayoutStr(self.raw)).is_empty() {
                LLVMSetDataLayout(self.raw, layout.as_ptr());
            }
        }
    }

    /// The name of the source file the module says it was made from.
    pub fn source_file_name(&self) -> String {
        let mut len = 0;
        // SAFETY: LLVM gives an address and a length that live as long as the module.
        unsafe { borrowed_text(LLVMGetSourceFileName(self.raw, &mut len), len) }
    }

    /// All functions, declarations too, in text order.
    pub fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        // SAFETY: the module is alive; the list ends with null.
        let mut next = unsafe { LLVMGetFirstFunction(self.raw) };
        std::iter::from_fn(move || {
            let raw = (!next.is_null()).then_some(next)?;
            // SAFETY: `raw` is a function of this module.
            unsafe {
                next = LLVMGetNextFunction(raw);
                Some(Function::new(raw))
            }
        })
    }

    /// The function of that (mangled) name.
    pub fn function(&self, name: &str) -> Option<Function<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: a NUL-terminated name; the answer is null or a function of this module.
        unsafe {
            let raw = LLVMGetNamedFunction(self.raw, name.as_ptr());
            (!raw.is_null()).then(|| Function::new(raw))
        }
    }

    /// All global variables, in text order.
    pub fn globals(&self) -> impl Iterator<Item = Global<'_>> {
        // SAFETY: the module is alive; the list ends with null.
        let mut next = unsafe { LLVMGetFirstGlobal(self.raw) };
        std::iter::from_fn(move || {
            let raw = (!next.is_null()).then_some(next)?;
            // SAFETY: `raw` is a global variable of this module.
            unsafe {
                next = LLVMGetNextGlobal(raw);
                Some(Global::new(raw))
            }
        })
    }

    /// The nodes of a named metadata list such as `nvvm.annotations`, empty where there is none.
    pub fn named_metadata(&self, name: &str) -> Vec<Metadata<'_>> {
        let Ok(name) = CString::new(name) else { return Vec::new() };
        // SAFETY: the count is asked first and the buffer has that size; each entry is a node of
        // this module.
        unsafe {
            let count = LLVMGetNamedMetadataNumOperands(self.raw, name.as_ptr());
            let mut nodes = vec![std::ptr::null_mut(); count as usize];
            if count > 0 {
                LLVMGetNamedMetadataOperands(self.raw, name.as_ptr(), nodes.as_mut_ptr());
            }
            nodes
                .into_iter()
                .filter(|n| !n.is_null())
                .map(|n| Metadata::from_value(self.context, n))
                .collect()
        }
    }

    /// The module as LLVM prints it.
    pub fn text(&self) -> String {
        // SAFETY: the message is ours to free.
        unsafe { owned_text(LLVMPrintModuleToString(self.raw)) }
    }

    /// Runs LLVM's own verifier.
    ///
    /// # Errors
    /// What the verifier found.
    pub fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        // SAFETY: `ReturnStatusAction` neither prints nor aborts; the message is ours to free.
        unsafe {
            let broken = llvm_sys::analysis::LLVMVerifyModule(
                self.raw,
                llvm_sys::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &mut message,
            );
            let text = owned_text(message);
            if broken != 0 { Err(text) } else { Ok(()) }
        }
    }

    /// Runs a textual pass pipeline (`opt -passes=…`) on the whole module.
    ///
    /// # Errors
    /// The pipeline does not parse. A pass that finds a broken module aborts the process:
    /// [`Module::verify`] first.
    pub fn run_passes(&mut self, pipeline: &str) -> Result<(), String> {
        // SAFETY: the module is borrowed mutably; no target machine is needed.
        with_pipeline(pipeline, |text, options| unsafe {
            LLVMRunPasses(self.raw, text, std::ptr::null_mut(), options)
        })
    }

    /// Runs function passes on one defined function; does nothing when there is none of that name.
    ///
    /// # Errors
    /// As [`Module::run_passes`].
    pub fn run_function_passes(&mut self, function: &str, pipeline: &str) -> Result<(), String> {
        let Some(raw) = self.function(function).filter(|f| !f.is_declaration()).map(|f| f.raw)
        else {
            return Ok(());
        };
        // SAFETY: a function of this module, which is borrowed mutably; no target machine is
        // needed.
        with_pipeline(pipeline, |text, options| unsafe {
            LLVMRunPassesOnFunction(raw, text, std::ptr::null_mut(), options)
        })
    }
}

fn with_pipeline(
    pipeline: &str,
    run: impl FnOnce(
        *const std::ffi::c_char,
        LLVMPassBuilderOptionsRef,
    ) -> llvm_sys::error::LLVMErrorRef,
) -> Result<(), String> {
    let text = CString::new(pipeline).map_err(|_| "the pipeline has a NUL byte".to_owned())?;
    // SAFETY: options and error are disposed of here, once.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        LLVMPassBuilderOptionsSetVerifyEach(options, 0);
        let error = run(text.as_ptr(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = llvm_sys::error::LLVMGetErrorMessage(error);
        let why = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
        llvm_sys::error::LLVMDisposeErrorMessage(message);
        Err(why)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: both are owned, and the module goes before its context.
        unsafe {
            LLVMDisposeModule(self.raw);
            LLVMContextDispose(self.context);
        }
    }
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Module")
            .field("source", &self.source_file_name())
            .field("triple", &self.triple())
            .finish()
    }
}

/// A global variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Global<'m> {
    pub(super) raw: LLVMValueRef,
    module: PhantomData<&'m Module>,
}

impl<'m> Global<'m> {
    /// # Safety
    /// `raw` is a global variable of a module that lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMValueRef) -> Self {
        Global { raw, module: PhantomData }
    }

    /// The global as the value (a pointer) that instructions name.
    pub fn as_value(self) -> Value<'m> {
        // SAFETY: a global variable is a value of the same module.
        unsafe { Value::new(self.raw) }
    }

    /// The linker name, which for a variable in a function is mangled (`_ZZ1kPiE1s`).
    pub fn name(self) -> String {
        self.as_value().name()
    }

    /// The type of what it holds.
    pub fn value_type(self) -> Type<'m> {
        // SAFETY: it is a global.
        unsafe { Type::new(LLVMGlobalGetValueType(self.raw)) }
    }

    /// Its address space: 3 is shared (CUDA) or local (OpenCL), 4 constant (NVPTX), 2 constant
    /// (SPIR-V).
    pub fn address_space(self) -> u32 {
        // SAFETY: the type of a global is a pointer.
        unsafe { LLVMGetPointerAddressSpace(LLVMTypeOf(self.raw)) }
    }

    /// Marked `constant`: never written.
    pub fn is_constant(self) -> bool {
        // SAFETY: it is a global variable.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Marked `externally_initialized`: the host may set it before a launch, whatever its
    /// initialiser says.
    pub fn is_externally_initialized(self) -> bool {
        // SAFETY: it is a global variable.
        unsafe { LLVMIsExternallyInitialized(self.raw) != 0 }
    }

    /// Whether the definition may be replaced by another one when modules are linked, so that its
    /// initialiser is not the last word (LLVM's `isInterposable`).
    pub fn is_interposable(self) -> bool {
        use llvm_sys::LLVMLinkage::*;
        // SAFETY: it is a global.
        match unsafe { LLVMGetLinkage(self.raw) } {
            LLVMLinkOnceAnyLinkage
            | LLVMWeakAnyLinkage
            | LLVMCommonLinkage
            | LLVMExternalWeakLinkage => true,
            LLVMExternalLinkage
            | LLVMAvailableExternallyLinkage
            | LLVMLinkOnceODRLinkage
            | LLVMLinkOnceODRAutoHideLinkage
            | LLVMWeakODRLinkage
            | LLVMAppendingLinkage
            | LLVMInternalLinkage
            | LLVMPrivateLinkage
            | LLVMDLLImportLinkage
            | LLVMDLLExportLinkage
            | LLVMGhostLinkage
            | LLVMLinkerPrivateLinkage
            | LLVMLinkerPrivateWeakLinkage => false,
        }
    }

    /// Defined elsewhere; dynamic shared memory looks like this.
    pub fn is_declaration(self) -> bool {
        // SAFETY: it is a global.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Its linkage.
    pub fn linkage(self) -> Linkage {
        // SAFETY: it is a global.
        Linkage::from_raw(unsafe { LLVMGetLinkage(self.raw) })
    }

    /// Its alignment in bytes, 0 when none is given.
    pub fn alignment(self) -> u32 {
        // SAFETY: it is a global.
        unsafe { LLVMGetAlignment(self.raw) }
    }

    /// The initial value of a definition.
    pub fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: it is a global variable; the answer is null or a constant of the same module.
        unsafe {
            let raw = LLVMGetInitializer(self.raw);
            (!raw.is_null()).then(|| Value::new(raw))
        }
    }

    /// Metadata attached under a kind such as `dbg`.
    pub fn metadata(self, module: &'m Module, kind: &str) -> Vec<Metadata<'m>> {
        Metadata::attached_to_global(module.context(), self.raw, kind)
    }
}

impl std::fmt::Debug for Global<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}", self.name())
    }
}
