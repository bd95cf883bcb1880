//! Reading IR text and bitcode without printing, aborting or trusting the bytes.

use std::ffi::{CString, c_void};

use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef};

use super::{Module, owned_text};

/// What the diagnostic handler collects while a context is at work.
#[derive(Default)]
struct Messages {
    errors: Vec<String>,
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    // SAFETY: `messages` is the collection that `parse` installed, alive as long as the handler is.
    unsafe {
        let text = owned_text(LLVMGetDiagInfoDescription(info));
        if LLVMGetDiagInfoSeverity(info) == LLVMDiagnosticSeverity::LLVMDSError {
            (*messages.cast::<Messages>()).errors.push(text);
        }
    }
}

/// How deep the brackets of a text may nest. LLVM reads and prints types and constants recursively,
/// and lays out structures in a time that grows faster than their depth.
const DEEPEST: usize = 1000;

/// Where a text begins to nest deeper than that: line and column, from one. Bitcode is no text.
fn nests_too_deep(bytes: &[u8]) -> Option<(usize, usize)> {
    if bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B]) {
        return None;
    }
    let (mut depth, mut line, mut start) = (0usize, 1, 0);
    let (mut quoted, mut comment) = (false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => {
                (line, start, comment) = (line + 1, at + 1, false);
            }
            _ if comment => {}
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b';' => comment = true,
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Some((line, at + 1 - start));
        }
    }
    None
}

extern "C" fn ignore(_: LLVMDiagnosticInfoRef, _: *mut c_void) {}

impl Module {
    /// Reads a module from IR text or bitcode, told apart by their first bytes.
    ///
    /// # Errors
    /// LLVM's message: for text, with `name:line:column:` in front. In the same form, that a text
    /// nests deeper than LLVM can follow.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Module, String> {
        if let Some((line, column)) = nests_too_deep(bytes) {
            return Err(format!(
                "{name}:{line}:{column}: error: types or constants nest more than {DEEPEST} deep"
            ));
        }
        let name = CString::new(name).unwrap_or_default();
        let mut messages = Messages::default();
        // SAFETY: the buffer is copied (with the NUL that the text parser wants) and taken over by
        // the parser; the handler's collection outlives the call and is replaced after it; the
        // context is disposed of on failure.
        unsafe {
            let context = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(context, Some(collect), (&raw mut messages).cast());
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                name.as_ptr(),
            );
            let mut raw = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            let failed =
                llvm_sys::ir_reader::LLVMParseIRInContext2(context, buffer, &mut raw, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            let text = owned_text(message);
            LLVMContextSetDiagnosticHandler(context, Some(ignore), std::ptr::null_mut());
            if failed == 0 && !raw.is_null() {
                return Ok(Module::from_raw(context, raw));
            }
            dispose(context);
            Err(if text.is_empty() { messages.errors.join("; ") } else { text })
        }
    }

    /// The module as bitcode.
    pub fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the buffer is ours, and is copied out before it goes.
        unsafe {
            let buffer = llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer(self.raw());
            let bytes = std::slice::from_raw_parts(
                LLVMGetBufferStart(buffer).cast::<u8>(),
                LLVMGetBufferSize(buffer),
            )
            .to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }
}

/// # Safety
/// Nothing of `context` is in use any more.
unsafe fn dispose(context: LLVMContextRef) {
    // SAFETY: the caller's promise.
    unsafe { LLVMContextDispose(context) }
}
