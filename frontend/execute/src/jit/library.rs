//! The functions of the device, defined for the host as IR text, each for the signature that the
//! kernel declares.
//!
//! A function that is called as `f` is renamed to `heddle.host.f` and defined under that name. What
//! no table knows is left alone: it is a function of the host (`sinf`), or is refused afterwards.

use std::collections::BTreeMap;

use super::mathematics::{extremes, math};
use super::signature::{Signature, bits};
use super::{Unsupported, asm, nvvm, opencl};
use crate::instrument::{Site, site_of};
use heddle_lift::mangled::{are_builtins, unmangled};
use heddle_llvm::{Function, Module};
use heddle_ptx::mathematics::is_host_function;

/// What bodies may call.
const PRELUDE: &str = "
declare void @__heddle_range(ptr, i64, i32, i32) nounwind
declare void @__heddle_atomic_done(ptr, i32) nounwind
declare i32 @__heddle_barrier(i32, i32, i32, i32) convergent nounwind
declare i64 @__heddle_exchange(i32, i32, i64, i32, i32) convergent nounwind
declare i32 @__heddle_active() convergent nounwind
declare void @__heddle_fence(i32) nounwind
declare i64 @__heddle_mbarrier(i32, ptr, i64) convergent nounwind
declare void @__heddle_copy(ptr, ptr, i32, i32) nounwind
declare void @__heddle_bulk(ptr, ptr, i32, ptr, i32) nounwind
declare void @__heddle_multicast(ptr, ptr, i32, ptr, i32) nounwind
declare void @__heddle_bulk_commit() nounwind
declare void @__heddle_bulk_wait(i32) nounwind
declare void @__heddle_copy_commit() nounwind
declare void @__heddle_copy_wait(i32, i32) nounwind
declare i64 @__heddle_group_copy(ptr, ptr, i64, i64, i64, i64, i64) nounwind
declare void @__heddle_group_wait(i32, ptr) nounwind
declare i32 @__heddle_space(ptr) nounwind
declare ptr @__heddle_malloc(i64) nounwind
declare i32 @__heddle_vprintf(ptr, ptr) nounwind
declare void @__heddle_assert_fail(ptr, ptr, i32, ptr)
declare void @__heddle_trap()
declare void @__heddle_exit()
declare i64 @__heddle_clock() nounwind
declare void @__heddle_yield() nounwind
declare void @__heddle_matrix(i32, i32, i32, ptr, ptr) convergent nounwind
declare void @__heddle_tile(i32, i32, i32, ptr, i32, ptr) nounwind
declare void @__heddle_grid_barrier() convergent nounwind
declare void @__heddle_cluster_arrive(i32) convergent nounwind
declare void @__heddle_cluster_wait() convergent nounwind
declare ptr @__heddle_mapa(ptr, i32) nounwind
declare i32 @__heddle_rank_of(ptr) nounwind
@__heddle_abi_2 = external constant i32
";

/// The short way through the checks, with the numbers of the runtime in place of their names.
fn quick(stackless: bool) -> String {
    let text =
        include_str!("quick.ll").replace("$STACKLESS", if stackless { "true" } else { "false" });
    let text = filled(&text);
    // Without stacks there is one place for the facts of all threads, and what is in it changes.
    if stackless { text.replace(", !invariant.load !0", "") } else { text }
}

/// A text with the numbers of the runtime in place of their names.
pub(super) fn filled(text: &str) -> String {
    let mut offsets = heddle_runtime::facts::offsets();
    // No name is replaced as the start of a longer one.
    offsets.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let filled = |text: String, (name, number): &(&str, usize)| {
        text.replace(&format!("${name}"), &number.to_string())
    };
    offsets.iter().fold(text.to_owned(), filled)
}

/// Renames what the kernel uses of the device, and gives the text that defines it.
///
/// # Errors
/// Inline assembly that is not known.
pub(super) fn define(
    module: &mut Module,
    kernel: &str,
    callees: &[String],
    (checked, stackless): (bool, bool),
) -> Result<String, Unsupported> {
    let mut text = PRELUDE.to_owned() + &quick(stackless);
    let mut renamed = Vec::new();
    let has_builtins = are_builtins(module);
    for function in module.functions().filter(|it| it.is_declaration() && !it.users().is_empty()) {
        let name = function.name();
        if name.starts_with("__heddle_") {
            continue;
        }
        let signature = Signature::of(module, function, checked);
        let mut more = String::new();
        if let Some(body) = body(&name, has_builtins, &signature, &mut more) {
            let to = format!("heddle.host.{name}");
            text.push_str(&more);
            text.push_str(&signature.define(&to, &body));
            renamed.push((name, to));
        }
    }
    for (from, to) in renamed {
        module.rename(&from, &to);
    }
    let functions = std::iter::once(kernel).chain(callees.iter().map(String::as_str));
    let assemblies: Vec<_> = functions.flat_map(|it| assemblies(module, it)).collect();
    let mut known: BTreeMap<(String, String, String), String> = BTreeMap::new();
    for (spot, asm, signature, site) in assemblies {
        let key = (
            asm.text.clone(),
            asm.constraints.clone(),
            signature.result.clone() + &signature.params.join(","),
        );
        let count = known.len();
        let name = match known.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = format!("heddle.asm.{count}");
                let signature = Signature { checked, ..signature };
                let body = asm::body(&asm, &signature).map_err(|it| it.at(Some(site)))?;
                text.push_str(&signature.define(&name, &body));
                known.insert(key, name.clone());
                name
            }
        };
        module.call_instead(spot, &name);
    }
    prints(module, &mut text);
    let declared = host_declarations(&text);
    Ok(text + &declared)
}

/// Gives each call of OpenCL's `printf` a function for its arguments.
fn prints(module: &mut Module, text: &mut String) {
    let calls = module.functions().flat_map(Function::instructions).filter(|it| {
        it.is_call() && it.called_function().is_some_and(|it| opencl::print::is_print(&it.name()))
    });
    let calls: Vec<_> = calls
        .map(|call| (call.spot(), call.arguments().iter().map(|it| it.ty().text()).collect()))
        .collect();
    for (n, (spot, params)) in calls.into_iter().enumerate() {
        let signature =
            Signature { result: "i32".to_owned(), bits: 32, params, bytes: 4, checked: false };
        let name = format!("heddle.print.{n}");
        text.push_str(&signature.define(&name, &opencl::print::body(&signature)));
        module.call_with_these(spot, &name);
    }
}

/// A declaration for each function of the host that the text calls: calls of them write their type
/// out.
fn host_declarations(text: &str) -> String {
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let Some((_, call)) = line.split_once("= call ") else { continue };
        let Some((ty, callee)) = call.split_once(") @") else { continue };
        let Some((name, _)) = callee.split_once('(') else { continue };
        let Some((result, params)) = ty.split_once(" (") else { continue };
        if is_host_function(name) {
            found.insert(name, format!("declare {result} @{name}({params})\n"));
        }
    }
    found.into_values().collect()
}

fn assemblies(
    module: &Module,
    kernel: &str,
) -> Vec<(heddle_llvm::Spot, heddle_llvm::InlineAsm, Signature, Site)> {
    let Some(function) = module.function(kernel) else { return Vec::new() };
    let calls = function.instructions().filter(|it| it.is_call());
    let found = calls.filter_map(|call| {
        let asm = call.callee()?.as_inline_asm()?;
        let params = call.arguments().iter().map(|it| it.ty().text()).collect();
        let signature = Signature {
            result: call.ty().text(),
            bits: bits(call.ty()),
            params,
            bytes: 0,
            checked: false,
        };
        Some((call.spot(), asm, signature, site_of(module, call, "inline assembly")))
    });
    found.collect()
}

/// The body of a function of the device, for the host; functions that it calls are added to `more`.
/// `has_builtins` says whether OpenCL's names mean its functions.
fn body(
    name: &str,
    has_builtins: bool,
    signature: &Signature,
    more: &mut String,
) -> Option<String> {
    if let Some(rest) = name.strip_prefix("llvm.nvvm.") {
        return nvvm::body(rest, signature);
    }
    if let Some(extreme) = name.strip_prefix("llvm.").and_then(|it| it.split_once("num.")) {
        return extremes(extreme.0, signature);
    }
    if let Some(rest) = name.strip_prefix("__nv_") {
        return super::rounding::body(rest, signature, more).or_else(|| math(rest, signature));
    }
    if let Some(found) = system(name, signature) {
        return Some(found);
    }
    match unmangled(name) {
        Some(plain) if has_builtins => opencl::body(plain, name, signature, more),
        Some(_) => None,
        None => math(name, signature).filter(|_| !is_host_function(name)),
    }
}

fn system(name: &str, signature: &Signature) -> Option<String> {
    let _unused = signature;
    Some(match name {
        "vprintf" => {
            "  %r = call i32 @__heddle_vprintf(ptr %a0, ptr %a1)\n  ret i32 %r\n".to_owned()
        }
        "__assertfail" => {
            "  call void @__heddle_assert_fail(ptr %a0, ptr %a1, i32 %a2, ptr %a3)\n  unreachable\n"
                .to_owned()
        }
        "malloc" | "_Znwm" | "_Znam" => {
            "  %r = call ptr @__heddle_malloc(i64 %a0)\n  ret ptr %r\n".to_owned()
        }
        "free" | "_ZdlPv" | "_ZdlPvm" | "_ZdaPv" | "_ZdaPvm" => "  ret void\n".to_owned(),
        "cudaCGSynchronizeGrid" => "  call void @__heddle_grid_barrier()\n  ret i32 0\n".to_owned(),
        // What the built-in headers declare for what they give no meaning to, such as a
        // cuda::barrier outside of shared memory: who gets there ends the run.
        name if name.starts_with("heddle_") => {
            "  call void @__heddle_trap()\n  unreachable\n".to_owned()
        }
        // What a virtual function without a body calls.
        "__cxa_pure_virtual" => "  call void @__heddle_trap()\n  unreachable\n".to_owned(),
        // A breakpoint: nobody looks.
        "llvm.debugtrap" => "  ret void\n".to_owned(),
        "llvm.trap" => "  call void @__heddle_trap()\n  ret void\n".to_owned(),
        _ => return None,
    })
}
