//! Native code from a module: LLVM's ORC, with symbols of ours and libm's.
//!
//! **Promises**: a symbol that nothing defines is an error that names it, before anything runs;
//! nothing is printed.
//! **Does not**: optimise, or change the module.

use std::ffi::{CStr, CString, c_void};

use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::orc2::lljit::*;
use llvm_sys::orc2::*;
use llvm_sys::target::*;
use llvm_sys::target_machine::*;

use super::Module;

/// Compiled code, alive as long as this value.
#[derive(Debug)]
pub struct Native {
    jit: LLVMOrcLLJITRef,
}

// SAFETY: an LLJIT without compile threads is used by whoever owns it; code in it may run on any
// thread.
unsafe impl Send for Native {}

extern "C" fn silent(_: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: the error is ours to consume.
    let _text = unsafe { text_of(error) };
}

/// # Safety
/// `error` is an error that nobody else consumes.
unsafe fn text_of(error: LLVMErrorRef) -> String {
    // SAFETY: the caller's promise; the message is freed once.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        text
    }
}

/// # Safety
/// As [`text_of`], or null.
unsafe fn checked(error: LLVMErrorRef) -> Result<(), String> {
    // SAFETY: the caller's promise.
    if error.is_null() { Ok(()) } else { Err(unsafe { text_of(error) }) }
}

/// The host, without the instructions of x86 that convert to bfloat and take denormals for zeros.
/// The caller, or who takes it over, owns it.
#[cfg(target_arch = "x86_64")]
fn this_machine() -> Option<LLVMTargetMachineRef> {
    // SAFETY: texts of LLVM are copied and freed; the target is registered.
    unsafe {
        let owned = |text: *mut std::ffi::c_char| {
            let copy = CStr::from_ptr(text).to_owned();
            LLVMDisposeMessage(text);
            copy
        };
        let (triple, cpu) = (owned(LLVMGetDefaultTargetTriple()), owned(LLVMGetHostCPUName()));
        let features = owned(LLVMGetHostCPUFeatures()).to_string_lossy().into_owned();
        let features = CString::new(features + ",-avx512bf16,-avxneconvert").ok()?;
        let (mut target, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
        if LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut message) != 0 {
            LLVMDisposeMessage(message);
            return None;
        }
        let machine = LLVMCreateTargetMachine(
            target,
            triple.as_ptr(),
            cpu.as_ptr(),
            features.as_ptr(),
            LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            LLVMRelocMode::LLVMRelocDefault,
            LLVMCodeModel::LLVMCodeModelJITDefault,
        );
        (!machine.is_null()).then_some(machine)
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn this_machine() -> Option<LLVMTargetMachineRef> {
    None
}

fn initialise() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    // SAFETY: registers the host's target, once.
    ONCE.call_once(|| unsafe {
        #[cfg(target_arch = "x86_64")]
        {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
        }
        #[cfg(target_arch = "aarch64")]
        {
            LLVMInitializeAArch64TargetInfo();
            LLVMInitializeAArch64Target();
            LLVMInitializeAArch64TargetMC();
            LLVMInitializeAArch64AsmPrinter();
        }
    });
}

impl Native {
    /// An empty one, which knows these symbols by address.
    ///
    /// # Errors
    /// LLVM was built without the host's target.
    pub fn new(symbols: &[(&str, usize)]) -> Result<Native, String> {
        initialise();
        // SAFETY: the builder is taken over; names are interned, and the pairs taken over by the
        // unit.
        unsafe {
            let mut jit = std::ptr::null_mut();
            let builder = LLVMOrcCreateLLJITBuilder();
            if let Some(machine) = this_machine() {
                LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
                    builder,
                    LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine),
                );
            }
            checked(LLVMOrcCreateLLJIT(&mut jit, builder))?;
            let native = Native { jit };
            let session = LLVMOrcLLJITGetExecutionSession(jit);
            LLVMOrcExecutionSessionSetErrorReporter(session, silent, std::ptr::null_mut());
            let main = LLVMOrcLLJITGetMainJITDylib(jit);
            let mut pairs: Vec<LLVMOrcCSymbolMapPair> = Vec::new();
            for (name, address) in symbols {
                let name = CString::new(*name).map_err(|error| error.to_string())?;
                let flags = LLVMJITSymbolFlags { GenericFlags: 1 | 4, TargetFlags: 0 };
                let symbol = LLVMJITEvaluatedSymbol { Address: *address as u64, Flags: flags };
                pairs.push(LLVMOrcCSymbolMapPair {
                    Name: LLVMOrcLLJITMangleAndIntern(jit, name.as_ptr()),
                    Sym: symbol,
                });
            }
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            checked(LLVMOrcJITDylibDefine(main, unit))?;
            let mut process = std::ptr::null_mut();
            let prefix = LLVMOrcLLJITGetGlobalPrefix(jit);
            checked(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                &mut process,
                prefix,
                None,
                std::ptr::null_mut(),
            ))?;
            LLVMOrcJITDylibAddGenerator(main, process);
            Ok(native)
        }
    }

    /// The host's triple and data layout.
    pub fn host(&self) -> (String, String) {
        // SAFETY: both strings live as long as the JIT.
        unsafe {
            let triple = CStr::from_ptr(LLVMOrcLLJITGetTripleString(self.jit));
            let layout = CStr::from_ptr(LLVMOrcLLJITGetDataLayoutStr(self.jit));
            (triple.to_string_lossy().into_owned(), layout.to_string_lossy().into_owned())
        }
    }

    /// Adds a module for the host.
    ///
    /// # Errors
    /// LLVM's message.
    pub fn add(&self, module: &Module) -> Result<(), String> {
        let bytes = module.to_bitcode();
        // SAFETY: the bitcode is read into a context that the JIT takes over together with the
        // module.
        unsafe {
            let context = LLVMContextCreate();
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"kernel".as_ptr(),
            );
            let (mut raw, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
            let failed =
                llvm_sys::ir_reader::LLVMParseIRInContext2(context, buffer, &mut raw, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            if failed != 0 {
                return Err(super::owned_text(message));
            }
            let owner = LLVMOrcCreateNewThreadSafeContextFromLLVMContext(context);
            let module = LLVMOrcCreateNewThreadSafeModule(raw, owner);
            LLVMOrcDisposeThreadSafeContext(owner);
            checked(LLVMOrcLLJITAddLLVMIRModule(
                self.jit,
                LLVMOrcLLJITGetMainJITDylib(self.jit),
                module,
            ))
        }
    }

    /// The address of a symbol; compiles what it needs.
    ///
    /// # Errors
    /// It, or something that it needs, is not defined.
    pub fn address(&self, name: &str) -> Result<usize, String> {
        let name = CString::new(name).map_err(|error| error.to_string())?;
        let mut address = 0;
        // SAFETY: the JIT is alive.
        unsafe { checked(LLVMOrcLLJITLookup(self.jit, &mut address, name.as_ptr()))? };
        Ok(address as usize)
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // SAFETY: owned, and no code of it runs any more.
        unsafe {
            let error = LLVMOrcDisposeLLJIT(self.jit);
            if !error.is_null() {
                let _text = text_of(error);
            }
        }
    }
}
