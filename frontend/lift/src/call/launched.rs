//! How a launch from the device is shown.
//!
//! **Promises**: the calls that clang makes of `kernel<<<…>>>(…)` in device code have the name of
//! the kernel with the brackets, as the source has it.
//! **Does not**: say what a launch does; that is not modelled.

use heddle_llvm::{Function, Inst, Value};

use crate::symbol::demangled;

/// What starts a kernel, given the kernel and the memory with its arguments.
const STARTS: &str = "cudaLaunchDevice";
/// What gives that memory.
const GIVES: &str = "cudaGetParameterBuffer";

/// The launch that a call is part of.
pub(super) fn written(call: Inst<'_>) -> Option<String> {
    let starts = |it: &Inst<'_>| callee(*it).is_some_and(|name| name == STARTS);
    let start = match callee(call)?.as_str() {
        STARTS => call,
        GIVES => call.as_value().users().into_iter().filter_map(Value::as_inst).find(starts)?,
        _ => return None,
    };
    let kernel = start.arguments().first().and_then(|it| it.as_function())?;
    Some(format!("{}<<<...>>>", demangled(&kernel.name())))
}

fn callee(call: Inst<'_>) -> Option<String> {
    call.called_function().map(Function::name)
}
