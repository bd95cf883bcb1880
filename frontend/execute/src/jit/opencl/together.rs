//! What a work-group or a sub-group does together in OpenCL C, beside barriers and votes (3.0,
//! 6.15.16 and 6.15.19).
//!
//! An event is a number of 64 bits, in a pointer.
//!
//! **Does not**: scans; sub-groups exchange values of 32 bits alone.

use heddle_runtime::abi::Exchange;

use super::Signature;
use heddle_llvm::Module;

/// What a block, or a sub-group, does together (OpenCL C 3.0, 6.15.16 and 6.15.19).
pub(super) fn body(plain: &str, mangled: &str, s: &Signature) -> Option<String> {
    match plain {
        "async_work_group_copy" | "async_work_group_strided_copy" => {
            return block_copy(plain, mangled, s);
        }
        // All threads of the block come here, which orders nothing (action 5 without flags), and go
        // on with what was copied.
        "wait_group_events" => {
            let (cast, list) = s.generic(1);
            return Some(format!(
                "{cast}  %r = call i32 @__heddle_barrier(i32 0, i32 5, i32 0, i32 0)\n  \
                 call void @__heddle_group_wait(i32 %a0, ptr {list})\n  ret void\n"
            ));
        }
        _ => {}
    }
    let name =
        plain.strip_prefix("sub_group_").or_else(|| plain.strip_prefix("intel_sub_group_"))?;
    let unsigned = mangled.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with(['j', 'm']);
    let active = "  %m = call i32 @__heddle_active()\n";
    let exchange = |kind: Exchange, value: &str, lane: &str| {
        let kind = kind.number();
        format!(
            "  %x = call i64 @__heddle_exchange(i32 {kind}, i32 %m, i64 {value}, i32 {lane}, i32 31)\n"
        )
    };
    let float = s.params.first()? == "float";
    if !float && s.params.first()? != "i32" {
        return None;
    }
    let (kind, lane) = match name {
        "all" => (Exchange::All, "0"),
        "any" => (Exchange::Any, "0"),
        "broadcast" | "shuffle" => (Exchange::ShuffleIndex, "%a1"),
        "shuffle_xor" => (Exchange::ShuffleXor, "%a1"),
        "reduce_add" if !float => (Exchange::Add, "0"),
        "reduce_min" if unsigned && !float => (Exchange::UMin, "0"),
        "reduce_max" if unsigned && !float => (Exchange::UMax, "0"),
        "reduce_min" if !float => (Exchange::SMin, "0"),
        "reduce_max" if !float => (Exchange::SMax, "0"),
        _ => return None,
    };
    let bits = if float { "  %i = bitcast float %a0 to i32\n" } else { "  %i = add i32 %a0, 0\n" };
    let back =
        if float { "  %f = bitcast i32 %r to float\n  ret float %f\n" } else { "  ret i32 %r\n" };
    Some(format!(
        "{active}{bits}  %v = zext i32 %i to i64\n{}  %r = trunc i64 %x to i32\n{back}",
        exchange(kind, "%v", lane)
    ))
}

/// The module with events as pointers, if it has events: the host's back end has no such type.
pub(in crate::jit) fn without_event_type(module: &Module) -> Option<Result<Module, String>> {
    const EVENT: &str = "target(\"spirv.Event\")";
    let has_events = module.functions().any(|it| it.name().ends_with("9ocl_event"));
    let text = has_events.then(|| module.text())?;
    let plain = text.replace(&format!("{EVENT} zeroinitializer"), "ptr null").replace(EVENT, "ptr");
    Some(Module::parse(plain.as_bytes(), &module.source_file_name()))
}

/// A copy of the whole block, one stretch of bytes or elements that stand apart in global memory.
fn block_copy(plain: &str, mangled: &str, s: &Signature) -> Option<String> {
    let element = mangled.split_once("copyPU3AS")?.1;
    let to_local = element.starts_with('3');
    let element = element.get(1..)?;
    let (count, scalar) = match element.strip_prefix("Dv") {
        Some(vector) => {
            let (count, scalar) = vector.split_once('_')?;
            (count.parse::<u64>().ok()?, scalar)
        }
        None => (1, element),
    };
    let bytes = match scalar.bytes().next()? {
        b'c' | b'h' | b'a' => 1,
        b's' | b't' | b'D' => 2,
        b'i' | b'j' | b'f' => 4,
        b'l' | b'm' | b'd' => 8,
        _ => return None,
    };
    // A vector of three has the size of one of four.
    let size = bytes * if count == 3 { 4 } else { count };
    let ((cast, to), (cast_from, from)) = (s.generic(0), s.generic(1));
    let is_strided = plain == "async_work_group_strided_copy";
    let (given, elements) = match (is_strided, to_local) {
        (false, _) => ("%a3", "i64 %all, i64 1, i64 %all, i64 %all".to_owned()),
        (true, true) => ("%a4", format!("i64 {size}, i64 %a2, i64 {size}, i64 %apart")),
        (true, false) => ("%a4", format!("i64 {size}, i64 %a2, i64 %apart, i64 {size}")),
    };
    let apart =
        if is_strided { format!("  %apart = mul i64 %a3, {size}\n") } else { String::new() };
    let event = &s.result;
    Some(format!(
        "{cast}{cast_from}{apart}  %all = mul i64 %a2, {size}\n  %slot = alloca i64\n  store {event} {given}, ptr %slot\n  \
         %given = load i64, ptr %slot\n  \
         %made = call i64 @__heddle_group_copy(ptr {to}, ptr {from}, {elements}, i64 %given)\n  \
         store i64 %made, ptr %slot\n  %event = load {event}, ptr %slot\n  ret {event} %event\n"
    ))
}
