//! What a module needs to become code for a GPU: a library linked in, a piece of memory for each
//! thread, PTX.

use std::ffi::CString;
use std::sync::Once;

use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use llvm_sys::target::*;
use llvm_sys::target_machine::*;
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};

use super::{Function, Module, Spot, owned_text};

/// A GPU to make code for.
#[derive(Debug)]
pub struct Machine {
    raw: LLVMTargetMachineRef,
}

impl Machine {
    /// NVIDIA's of an architecture, such as `sm_80`, in a version of PTX, such as `+ptx80`.
    ///
    /// # Errors
    /// LLVM was built without NVPTX.
    pub fn nvptx(arch: &str, features: &str) -> Result<Machine, String> {
        static ONCE: Once = Once::new();
        // SAFETY: registers a target, once.
        ONCE.call_once(|| unsafe {
            LLVMInitializeNVPTXTargetInfo();
            LLVMInitializeNVPTXTarget();
            LLVMInitializeNVPTXTargetMC();
            LLVMInitializeNVPTXAsmPrinter();
        });
        let text = |text: &str| CString::new(text).map_err(|error| error.to_string());
        let (arch, features) = (text(arch)?, text(features)?);
        let triple = c"nvptx64-nvidia-cuda";
        // SAFETY: strings end with NUL and outlive the calls; the message is ours to free.
        unsafe {
            let (mut target, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
            if LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut message) != 0 {
                return Err(owned_text(message));
            }
            let raw = LLVMCreateTargetMachine(
                target,
                triple.as_ptr(),
                arch.as_ptr(),
                features.as_ptr(),
                LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
                LLVMRelocMode::LLVMRelocDefault,
                LLVMCodeModel::LLVMCodeModelDefault,
            );
            if raw.is_null() {
                Err("there is no such machine".to_owned())
            } else {
                Ok(Machine { raw })
            }
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: owned.
        unsafe { LLVMDisposeTargetMachine(self.raw) };
    }
}

impl Module {
    /// Links a module in, whole: bitcode or text.
    ///
    /// # Errors
    /// It is neither, or the two do not go together: they state different versions, or define one
    /// name twice.
    pub fn link(&mut self, bitcode: &[u8]) -> Result<(), String> {
        // SAFETY: the buffer is copied and taken over by the parser, the library by the linker.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bitcode.as_ptr().cast(),
                bitcode.len(),
                c"library".as_ptr(),
            );
            let (mut library, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
            let failed = llvm_sys::ir_reader::LLVMParseIRInContext2(
                self.context(),
                buffer,
                &mut library,
                &mut message,
            );
            LLVMDisposeMemoryBuffer(buffer);
            if failed != 0 {
                return Err(owned_text(message));
            }
            match llvm_sys::linker::LLVMLinkModules2(self.raw(), library) {
                0 => Ok(()),
                _ => Err("LLVM cannot link the two modules".to_owned()),
            }
        }
    }

    /// A generic pointer to what an address of an address space, as a number or a pointer, and some
    /// bytes beyond it name.
    ///
    /// # Safety
    /// The builder stands in this module, where the value is defined.
    pub(super) unsafe fn build_address(
        &self,
        builder: llvm_sys::prelude::LLVMBuilderRef,
        value: LLVMValueRef,
        space: u32,
        beyond: i64,
    ) -> LLVMValueRef {
        let empty = c"".as_ptr();
        // SAFETY: the caller's promise; casts are chosen by the type of the value.
        unsafe {
            let generic = LLVMPointerTypeInContext(self.context(), 0);
            let mut place = value;
            if let super::TypeKind::Int(_) = super::Type::new(LLVMTypeOf(value)).kind() {
                let ty = LLVMPointerTypeInContext(self.context(), space);
                place = LLVMBuildIntToPtr(builder, value, ty, empty);
            }
            if LLVMTypeOf(place) != generic {
                place = LLVMBuildAddrSpaceCast(builder, place, generic, empty);
            }
            if beyond != 0 {
                let ty = LLVMInt64TypeInContext(self.context());
                let mut index = LLVMConstInt(ty, beyond as u64, 1);
                let byte = LLVMInt8TypeInContext(self.context());
                place = LLVMBuildGEP2(builder, byte, place, &mut index, 1, empty);
            }
            place
        }
    }

    /// In a function: sets so many bytes aside for the thread, and hands their address first to
    /// each call of a function whose name `renamed` knows, which is then called by that name.
    pub fn give_state(
        &mut self,
        function: &str,
        bytes: u64,
        renamed: &dyn Fn(&str) -> Option<String>,
    ) {
        let Some(function) = self.function(function) else { return };
        let calls: Vec<(LLVMValueRef, String)> = function
            .instructions()
            .filter(|it| it.is_call())
            .filter_map(|it| Some((it.raw, renamed(&it.called_function()?.name())?)))
            .collect();
        let Some(first) = function.instructions().next().map(|it| it.raw) else { return };
        // SAFETY: instructions of this module; each call is replaced by one that returns nothing,
        // as it did.
        unsafe {
            let context = self.context();
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, first);
            let ty = LLVMArrayType2(LLVMInt8TypeInContext(context), bytes);
            let state = LLVMBuildAlloca(builder, ty, c"heddle.thread".as_ptr());
            LLVMSetAlignment(state, 8);
            for (call, name) in calls {
                let count = LLVMGetNumArgOperands(call);
                let mut values = vec![state];
                values.extend((0..count).map(|n| LLVMGetOperand(call, n)));
                let mut types: Vec<LLVMTypeRef> = values.iter().map(|it| LLVMTypeOf(*it)).collect();
                let void = LLVMVoidTypeInContext(context);
                let ty = LLVMFunctionType(void, types.as_mut_ptr(), types.len() as u32, 0);
                let callee = self.declare(&name, ty);
                LLVMPositionBuilderBefore(builder, call);
                let location = llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(call);
                LLVMSetCurrentDebugLocation2(builder, location);
                let (args, len) = (values.as_mut_ptr(), values.len() as u32);
                LLVMBuildCall2(builder, ty, callee, args, len, c"".as_ptr());
                LLVMInstructionEraseFromParent(call);
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// Puts variables of shared memory into one of so many bytes, each at its offset.
    pub fn join_shared(&mut self, name: &str, offsets: &[(Spot, u64)], bytes: u64) -> Spot {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the spots are variables of this module, which are erased once nothing uses them.
        unsafe {
            let context = self.context();
            let byte = LLVMInt8TypeInContext(context);
            let ty = LLVMArrayType2(byte, bytes);
            let whole = LLVMAddGlobalInAddressSpace(self.raw(), ty, name.as_ptr(), 3);
            LLVMSetLinkage(whole, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetInitializer(whole, LLVMGetUndef(ty));
            LLVMSetAlignment(whole, 128);
            for (spot, offset) in offsets {
                let mut index = LLVMConstInt(LLVMInt64TypeInContext(context), *offset, 0);
                let place = LLVMConstGEP2(byte, whole, &mut index, 1);
                LLVMReplaceAllUsesWith(spot.raw(), place);
                LLVMDeleteGlobal(spot.raw());
            }
            Spot::of(whole)
        }
    }

    /// Forgets for which processor functions were compiled: the machine that they are compiled for
    /// says it.
    pub fn forget_processors(&mut self) {
        let functions: Vec<LLVMValueRef> = self.functions().map(|it| it.raw).collect();
        for function in functions {
            for key in ["target-cpu", "target-features", "tune-cpu"] {
                let index = LLVMAttributeFunctionIndex;
                let (text, len) = (key.as_ptr().cast(), key.len() as u32);
                // SAFETY: a function of this module; removing an absent attribute is allowed.
                unsafe { LLVMRemoveStringAttributeAtIndex(function, index, text, len) };
            }
        }
    }

    /// Makes defined functions local to the module, but those that are named.
    pub fn hide_functions(&mut self, keep: &dyn Fn(&str) -> bool) {
        let hidden = |it: &Function<'_>| !it.is_declaration() && !keep(&it.name());
        let functions: Vec<LLVMValueRef> =
            self.functions().filter(hidden).map(|it| it.raw).collect();
        for function in functions {
            // SAFETY: a defined function of this module; local ones have default visibility.
            unsafe {
                LLVMSetVisibility(function, llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
                LLVMSetLinkage(function, LLVMLinkage::LLVMInternalLinkage);
            }
        }
    }

    /// Removes all debug information.
    pub fn forget_lines(&mut self) {
        // SAFETY: the module is borrowed mutably.
        unsafe { llvm_sys::debuginfo::LLVMStripModuleDebugInfo(self.raw()) };
    }

    /// Runs a pipeline that knows the machine.
    ///
    /// # Errors
    /// As [`Module::run_passes`].
    pub fn run_passes_for(&mut self, machine: &Machine, pipeline: &str) -> Result<(), String> {
        let text = CString::new(pipeline).map_err(|error| error.to_string())?;
        // SAFETY: options and error are disposed of here, once.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw(), text.as_ptr(), machine.raw, options);
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

    /// The module as assembly text of a machine. What LLVM cannot select ends the process: look for
    /// it first.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn assembly(&mut self, machine: &Machine) -> Result<String, String> {
        // SAFETY: the buffer and the message are ours to free.
        unsafe {
            let (mut buffer, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
            let kind = LLVMCodeGenFileType::LLVMAssemblyFile;
            let failed = LLVMTargetMachineEmitToMemoryBuffer(
                machine.raw,
                self.raw(),
                kind,
                &mut message,
                &mut buffer,
            );
            if failed != 0 {
                return Err(owned_text(message));
            }
            let (start, len) = (LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), len);
            let text = String::from_utf8_lossy(bytes).into_owned();
            LLVMDisposeMemoryBuffer(buffer);
            Ok(text)
        }
    }
}
