//! The one call to the host that says something.
//!
//! **Does not**: decide how loud; the caller does.

#![allow(unsafe_code, reason = "the host speaks C++; it copies or prints what it is given")]

use std::ffi::{CString, c_char, c_void};

use heddle_llvm::{Function, Inst};

use crate::level::Level;

unsafe extern "C" {
    fn heddle_shim_report(
        function: *mut c_void,
        instruction: *mut c_void,
        level: u32,
        code: *const c_char,
        text: *const c_char,
        size: usize,
    );
}

/// Hands a message to the host: at the instruction if there is one, else at the function.
pub(crate) fn report_to_host(
    function: Function<'_>,
    at: Option<Inst<'_>>,
    level: Level,
    code: &str,
    text: &str,
) {
    let level = match level {
        Level::Off => return,
        Level::Remark => 0,
        Level::Passed => 1,
        Level::Warning => 2,
        Level::Error => 3,
    };
    let code = CString::new(code).unwrap_or_default();
    // SAFETY: handles of a living module; texts are valid for the call, which copies or prints
    // them.
    unsafe {
        heddle_shim_report(
            function.as_ptr(),
            at.map_or(std::ptr::null_mut(), Inst::as_ptr),
            level,
            code.as_ptr(),
            text.as_ptr().cast(),
            text.len(),
        );
    }
}
