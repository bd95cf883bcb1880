//! What a work-group or a sub-group does together in OpenCL C, beside barriers and votes (3.0,
//! 6.15.16 and 6.15.19).
//!
//! **Does not**: copies with a stride, scans; sub-groups exchange values of 32 bits alone.

use heddle_runtime::abi::Exchange;

use super::Signature;

/// What a block, or a sub-group, does together (OpenCL C 3.0, 6.15.16 and 6.15.19).
pub(super) fn body(plain: &str, mangled: &str, s: &Signature) -> Option<String> {
    match plain {
        "async_work_group_copy" => return block_copy(mangled, s),
        // All threads of the block come here, and go on with what was copied.
        "wait_group_events" => {
            return Some(
                "  call void @__heddle_copy_wait(i32 0, i32 1)\n  \
                 %r = call i32 @__heddle_barrier(i32 0, i32 0, i32 0, i32 0)\n  ret void\n"
                    .to_owned(),
            );
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

/// A copy of the whole block: its first thread issues it, and waits for it where all wait.
fn block_copy(mangled: &str, s: &Signature) -> Option<String> {
    let element = mangled.split_once("copyPU3AS")?.1.get(1..)?;
    let (count, scalar) = match element.strip_prefix("Dv") {
        Some(vector) => {
            let (count, scalar) = vector.split_once('_')?;
            (count.parse::<u64>().ok()?, scalar)
        }
        None => (1, element),
    };
    let bytes = match scalar.bytes().next()? {
        b'c' | b'h' | b'a' => 1,
        b's' | b't' => 2,
        b'i' | b'j' | b'f' => 4,
        b'l' | b'm' | b'd' => 8,
        _ => return None,
    };
    // A vector of three has the size of one of four.
    let size = bytes * if count == 3 { 4 } else { count };
    let ((cast, to), (cast_from, from)) = (s.generic(0), s.generic(1));
    Some(format!(
        "{cast}{cast_from}  %x = call i64 @__heddle_special(i32 0)\n  %y = call i64 @__heddle_special(i32 1)\n  \
         %z = call i64 @__heddle_special(i32 2)\n  %xy = or i64 %x, %y\n  %xyz = or i64 %xy, %z\n  \
         %first = icmp eq i64 %xyz, 0\n  br i1 %first, label %copy, label %done\ncopy:\n  %all = mul i64 %a2, {size}\n  \
         %bytes = trunc i64 %all to i32\n  call void @__heddle_copy(ptr {to}, ptr {from}, i32 %bytes, i32 %bytes)\n  \
         br label %done\ndone:\n  ret {} %a3\n",
        s.result
    ))
}
