//! OpenCL's functions on the host, by their names unmangled (OpenCL C 3.0, chapter 6.15).

use super::library::{self, Signature};

/// The body of a function of OpenCL C, where it is known.
pub(super) fn body(plain: &str, mangled: &str, s: &Signature) -> Option<String> {
    ids(plain, s)
        .or_else(|| synchronization(plain))
        .or_else(|| atomic(plain, mangled, s))
        .or_else(|| vector(plain, s))
        .or_else(|| integers(plain, mangled, s))
        .or_else(|| numbers(plain, s))
        .or_else(|| scalar_name(plain, s).and_then(|name| library::math(&name, s)))
}

/// What libm calls it: with `f` for `float`.
fn scalar_name(plain: &str, s: &Signature) -> Option<String> {
    let plain =
        plain.strip_prefix("native_").or_else(|| plain.strip_prefix("half_")).unwrap_or(plain);
    match s.result.as_str() {
        "float" => Some(format!("{plain}f")),
        "double" => Some(plain.to_owned()),
        _ => None,
    }
}

fn ids(plain: &str, s: &Signature) -> Option<String> {
    let base = match plain {
        "get_local_id" => 0,
        "get_local_size" | "get_enqueued_local_size" => 3,
        "get_group_id" => 6,
        "get_num_groups" => 9,
        "get_global_id" | "get_global_size" => {
            let (index, count) = if plain == "get_global_id" { (6, 3) } else { (9, 3) };
            let own = if plain == "get_global_id" {
                "  %t = call i64 @__heddle_special(i32 %a0)\n  %f = add i32 %a0, 16\n  %fs = call i64 @__heddle_special(i32 %f)\n  %o = add i64 %t, %fs\n"
            } else {
                "  %o = add i64 0, 0\n"
            };
            return Some(format!(
                "  %g = add i32 %a0, {index}\n  %gi = call i64 @__heddle_special(i32 %g)\n  %l = add i32 %a0, {count}\n  \
                 %ls = call i64 @__heddle_special(i32 %l)\n{own}  %p = mul i64 %gi, %ls\n  %r = add i64 %p, %o\n  ret i64 %r\n"
            ));
        }
        "get_global_offset" => 16,
        "get_work_dim" => return Some("  ret i32 3\n".to_owned()),
        "get_sub_group_local_id" => return Some(narrow(12, s)),
        "get_sub_group_id" => return Some(narrow(13, s)),
        "get_max_sub_group_size" | "get_sub_group_size" => return Some(narrow(15, s)),
        _ => return None,
    };
    Some(format!(
        "  %d = add i32 %a0, {base}\n  %r = call i64 @__heddle_special(i32 %d)\n  ret i64 %r\n"
    ))
}

fn narrow(number: u32, s: &Signature) -> String {
    format!(
        "  %s = call i64 @__heddle_special(i32 {number})\n  %r = trunc i64 %s to {0}\n  ret {0} %r\n",
        s.result
    )
}

fn synchronization(plain: &str) -> Option<String> {
    match plain {
        // The flags are the first argument: 1 local, 2 global memory.
        "barrier" | "work_group_barrier" => Some(
            "  %r = call i32 @__heddle_barrier(i32 0, i32 5, i32 0, i32 %a0)\n  ret void\n"
                .to_owned(),
        ),
        "mem_fence" | "read_mem_fence" | "write_mem_fence" | "atomic_work_item_fence" => {
            Some("  call void @__heddle_fence(i32 1)\n  ret void\n".to_owned())
        }
        _ => None,
    }
}

fn atomic(plain: &str, mangled: &str, s: &Signature) -> Option<String> {
    let op = plain.strip_prefix("atomic_").or_else(|| plain.strip_prefix("atom_"))?;
    let op = op.strip_suffix("_explicit").unwrap_or(op);
    let op = op.strip_prefix("fetch_").unwrap_or(op);
    let (ty, pointer) = (&s.result, s.arg(0));
    // The last letters of a mangled name are the types: `j`, `m`, `y` are unsigned.
    let last = mangled.trim_end_matches(|c: char| c.is_ascii_digit()).bytes().last();
    let unsigned = matches!(last, Some(b'j' | b'm' | b'y'));
    let rmw = |op: &str, value: &str| {
        Some(format!("  %r = atomicrmw {op} {pointer}, {ty} {value} seq_cst\n  ret {ty} %r\n"))
    };
    match op {
        "add" if ty == "float" || ty == "double" => rmw("fadd", "%a1"),
        "add" | "sub" | "and" | "or" | "xor" => rmw(op, "%a1"),
        "min" | "max" if unsigned => rmw(&format!("u{op}"), "%a1"),
        "min" | "max" => rmw(op, "%a1"),
        "inc" => rmw("add", "1"),
        "dec" => rmw("sub", "1"),
        "xchg" | "exchange" => rmw("xchg", "%a1"),
        "cmpxchg" => Some(format!(
            "  %p = cmpxchg {pointer}, {ty} %a1, {ty} %a2 seq_cst seq_cst\n  %r = extractvalue {{ {ty}, i1 }} %p, 0\n  ret {ty} %r\n"
        )),
        "load" => Some(format!(
            "  %r = load atomic {ty}, {pointer} seq_cst, align {}\n  ret {ty} %r\n",
            s.bytes.max(1)
        )),
        "store" => {
            let bytes = if s.params.get(1)? == "i64" || s.params[1] == "double" { 8 } else { 4 };
            Some(format!(
                "  store atomic {}, {pointer} seq_cst, align {bytes}\n  ret void\n",
                s.arg(1)
            ))
        }
        _ => None,
    }
}

/// `vload4` and its like.
fn vector(plain: &str, s: &Signature) -> Option<String> {
    let (store, count) = match (plain.strip_prefix("vload"), plain.strip_prefix("vstore")) {
        (Some(count), _) => (false, count.parse::<u64>().ok()?),
        (_, Some(count)) => (true, count.parse::<u64>().ok()?),
        (None, None) => return None,
    };
    let ty = if store { s.params.first()? } else { &s.result };
    let element = ty.trim_start_matches('<').trim_end_matches('>').split(" x ").nth(1)?.to_owned();
    let (at, index) = if store { (2, "%a1") } else { (1, "%a0") };
    let (cast, pointer) = s.generic(at);
    let check = |write: u32| {
        if s.checked {
            format!("  call void @__heddle_range(ptr %p, i64 %bytes, i32 16777215, i32 {write})\n")
        } else {
            String::new()
        }
    };
    let head = format!(
        "{cast}  %i = mul i64 {index}, {count}\n  %p = getelementptr {element}, ptr {pointer}, i64 %i\n  \
         %e = getelementptr {element}, ptr null, i64 {count}\n  %bytes = ptrtoint ptr %e to i64\n{}",
        check(u32::from(store))
    );
    Some(
        head + &match store {
            true => format!("  store {ty} %a0, ptr %p, align 1\n  ret void\n"),
            false => format!("  %v = load {ty}, ptr %p, align 1\n  ret {ty} %v\n"),
        },
    )
}

fn integers(plain: &str, mangled: &str, s: &Signature) -> Option<String> {
    let ty = &s.result;
    if s.bits == 0 || ty == "float" || ty == "double" || ty == "half" {
        return None;
    }
    let sign = if mangled.ends_with(['j', 'm', 't', 'h']) { 'u' } else { 's' };
    let call = |f: &str, args: &str| format!("call {ty} @llvm.{f}.{ty}({args})");
    Some(match plain {
        "min" | "max" => format!(
            "  %r = {}\n  ret {ty} %r\n",
            call(&format!("{sign}{plain}"), &format!("{ty} %a0, {ty} %a1"))
        ),
        "clamp" => format!(
            "  %l = {}\n  %r = {}\n  ret {ty} %r\n",
            call(&format!("{sign}max"), &format!("{ty} %a0, {ty} %a1")),
            call(&format!("{sign}min"), &format!("{ty} %l, {ty} %a2"))
        ),
        "mul24" => format!("  %r = mul {ty} %a0, %a1\n  ret {ty} %r\n"),
        "mad24" => format!("  %m = mul {ty} %a0, %a1\n  %r = add {ty} %m, %a2\n  ret {ty} %r\n"),
        "abs" if sign == 's' => {
            format!("  %r = call {ty} @llvm.abs.{ty}({ty} %a0, i1 false)\n  ret {ty} %r\n")
        }
        "abs" => format!("  ret {ty} %a0\n"),
        "popcount" => format!("  %r = call {ty} @llvm.ctpop.{ty}({ty} %a0)\n  ret {ty} %r\n"),
        "clz" => format!("  %r = call {ty} @llvm.ctlz.{ty}({ty} %a0, i1 false)\n  ret {ty} %r\n"),
        _ => return None,
    })
}

fn numbers(plain: &str, s: &Signature) -> Option<String> {
    let (ty, bits) = (s.result.as_str(), s.bits);
    if ty != "float" && ty != "double" {
        return None;
    }
    let two = |f: &str| {
        format!("  %r = call {ty} @llvm.{f}.f{bits}({ty} %a0, {ty} %a1)\n  ret {ty} %r\n")
    };
    Some(match plain {
        "mad" => format!(
            "  %r = call {ty} @llvm.fma.f{bits}({ty} %a0, {ty} %a1, {ty} %a2)\n  ret {ty} %r\n"
        ),
        "min" => two("minnum"),
        "max" => two("maxnum"),
        "clamp" => format!(
            "  %l = call {ty} @llvm.maxnum.f{bits}({ty} %a0, {ty} %a1)\n  %r = call {ty} @llvm.minnum.f{bits}({ty} %l, {ty} %a2)\n  ret {ty} %r\n"
        ),
        "mix" => format!(
            "  %d = fsub {ty} %a1, %a0\n  %r = call {ty} @llvm.fma.f{bits}({ty} %d, {ty} %a2, {ty} %a0)\n  ret {ty} %r\n"
        ),
        "native_divide" => format!("  %r = fdiv {ty} %a0, %a1\n  ret {ty} %r\n"),
        "native_recip" => format!("  %r = fdiv {ty} 1.0, %a0\n  ret {ty} %r\n"),
        _ => return None,
    })
}
