//! Calls by pointer, and functions that stay functions: those whose address is taken, and recursive
//! ones.
//!
//! On the host a call by pointer is a call. Before it the runtime looks whether the pointer leads
//! to a function of the module: if not, the thread ends there and it is reported. A function that
//! may call itself looks at its stack first.
//!
//! **Promises**: control never leaves the module's functions. **Does not**: compare the type of a
//! call with that of the function it leads to; code that calls with another type reads arguments
//! that nobody gave.

use heddle_llvm::{Arg, Function, Module, NewCall, Opcode, Side};

/// The table of functions that a pointer may lead to.
pub(super) const TABLE: &str = "__heddle_functions";

/// The functions with bodies that a kernel may call, beside itself.
pub(super) fn callees(module: &Module, is_kernel: &dyn Fn(&str) -> bool) -> Vec<String> {
    let defined = module.functions().filter(|it| !it.is_declaration());
    defined.map(Function::name).filter(|name| !is_kernel(name)).collect()
}

/// Puts a look at the callee before each call by pointer, and one at the stack at the start of each
/// callee; makes the table if there are such calls. How many functions it has.
pub(super) fn guard(module: &mut Module, callees: &[String]) -> usize {
    let mut calls = Vec::new();
    for inst in module.functions().flat_map(Function::instructions).filter(|it| it.is_call()) {
        let Some(callee) = inst.callee() else { continue };
        if inst.called_function().is_none() && callee.as_inline_asm().is_none() {
            let args = vec![Arg::Pointer(callee.spot())];
            calls.push(NewCall {
                at: inst.spot(),
                side: Side::Before,
                callee: "__heddle_callee",
                args,
            });
        }
    }
    let by_pointer = !calls.is_empty();
    for name in callees {
        let instructions = module.function(name).into_iter().flat_map(Function::instructions);
        let mut behind = instructions.skip_while(|it| it.opcode() == Opcode::Alloca);
        if let Some(first) = behind.next() {
            let (at, side) = (first.spot(), Side::Before);
            calls.push(NewCall { at, side, callee: "__heddle_enter", args: Vec::new() });
        }
    }
    module.insert_calls(&calls);
    if !by_pointer || callees.is_empty() {
        return 0;
    }
    module.tabulate_functions(TABLE, callees);
    callees.len()
}
