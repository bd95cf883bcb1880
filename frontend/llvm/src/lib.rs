//! A view of LLVM IR that cannot fail: the only unsafe code of this crate.
//!
//! The C API covers all that a verifier asks of a module, but each of its functions is undefined
//! behaviour when it is handed a value of another kind, and inkwell, which wraps it, panics on what
//! it does not model (target extension types, metadata operands, `x86_amx`). Input here is whatever
//! a user hands in. So this module wraps the C API once more: each question checks the
//! kind first and answers `Option` where LLVM would misbehave.
//!
//! **Handles** ([`Function`], [`Block`], [`Inst`], [`Value`], [`Type`], [`Global`]) are `Copy`,
//! compare by identity and borrow the [`Module`]; a module is changed only through `&mut Module`
//! ([`Module::run_passes`] and its like), so that no handle can outlive what it points at.
//!
//! **Order** is LLVM's: functions, blocks and instructions are visited in text order, which is why
//! the n-th instruction of a function is a stable name for it.
//!
//! **Changes** are few and named: what `edit`, `rewrite`, `returns`, `dispatch` and `spread`
//! do to a module.
//!
//! **Not here**: building whole modules (inkwell does that well), the meaning of any instruction
//! (that is `lift`), and CUDA or OpenCL knowledge (that is `prepare::kernels`).

#![allow(
    unsafe_code,
    reason = "each question to the C API is one unsafe call behind a check of its kind"
)]

mod arithmetic;
mod attribute;
mod bitcode;
mod coroutine;
mod debug;
mod device;
mod dispatch;
mod edit;
mod function;
mod host;
mod inst;
mod launches;
mod metadata;
mod module;
mod named;
mod opcode;
mod orc;
mod returns;
mod rewrite;
mod spread;
mod tables;
mod types;
mod value;
mod written_returns;

pub use attribute::Attribute;
pub use debug::{DebugVariable, Location, Member, Sign};
pub use device::Machine;
pub use function::{Argument, Block, Function, Linkage};
pub use host::{HostModule, HostModuleMut};
pub use inst::{Inst, Predicate, SwitchCase};
pub use metadata::Metadata;
pub use module::{Global, Module};
pub use opcode::{AtomicOp, FloatPredicate, IntPredicate, Opcode, Ordering, SyncScope};
pub use orc::Native;
pub use rewrite::{Arg, NewCall, Side, Spot};
pub use types::{Type, TypeKind};
pub use value::{InlineAsm, Value, ValueKind};

/// Copies a string that LLVM keeps alive (a name, a file name), of which it gives the address and
/// the length.
///
/// # Safety
/// `data` is null or points at `len` bytes that are valid for the call.
unsafe fn borrowed_text(data: *const std::ffi::c_char, len: usize) -> String {
    if data.is_null() || len == 0 {
        return String::new();
    }
    // SAFETY: the caller promises `len` valid bytes.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes over a message that LLVM allocated and frees it.
///
/// # Safety
/// `message` is null or a NUL-terminated string from an LLVM function that says "use
/// `LLVMDisposeMessage`".
unsafe fn owned_text(message: *mut std::ffi::c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: not null, NUL-terminated by the caller's promise.
    let text = unsafe { std::ffi::CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: it came from LLVM and is not used after this.
    unsafe { llvm_sys::core::LLVMDisposeMessage(message) };
    text
}
