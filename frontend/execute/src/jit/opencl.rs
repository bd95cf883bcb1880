//! OpenCL's functions on the host, by their names unmangled (OpenCL C 3.0, chapter 6.15).
//!
//! - here: ids, barriers and fences, atomics;
//! - [`integers`], [`floats`]: what is done to one number; [`vectors`]: to each element, or to all;
//!   [`convert`];
//! - [`together`]: copies of a work-group, and what its sub-groups exchange;
//! - [`memory`]: what reads or writes behind a pointer; `print`: `printf`.
//!
//! **Does not**: reductions of work-groups, scans, images: those are refused by name.

mod convert;
mod floats;
mod integers;
mod memory;
pub(super) mod print;
mod text;
mod together;
mod vectors;

pub(super) use self::together::without_event_type;
use super::mathematics;
use super::signature::Signature;
use heddle_lift::mangled::{Kind, Mangled};
use heddle_runtime::abi::{BarrierAction, Exchange, NO_ACQUIRE, NO_RELEASE, Scope};

/// The body of a function of OpenCL C, where it is known. Functions that it calls are added to
/// `more`.
pub(super) fn body(plain: &str, mangled: &str, s: &Signature, more: &mut String) -> Option<String> {
    let signed = Mangled::parse(mangled).is_none_or(|it| it.first_kind() == Kind::Signed);
    let mut parts = 0;
    let mut part = |name: &str, of: Signature| {
        let to = format!("heddle.part.{mangled}.{parts}");
        parts += 1;
        let body = value(name, signed, &of, &to, more)?;
        more.push_str(&of.define(&to, &body));
        Some(to)
    };
    ids(plain, s)
        .or_else(|| synchronization(plain, s))
        .or_else(|| together::body(plain, mangled, s))
        .or_else(|| atomic(plain, mangled, s))
        .or_else(|| memory::vector_in_memory(plain, s))
        .or_else(|| memory::second_result(plain, s, &mut part))
        .or_else(|| value(plain, signed, s, &format!("heddle.part.{mangled}"), more))
}

/// The body of a function of values alone; what it does to one element is defined as `base` with a
/// suffix, in `more`.
fn value(
    plain: &str,
    signed: bool,
    s: &Signature,
    base: &str,
    more: &mut String,
) -> Option<String> {
    let whole = vectors::relation(plain, s)
        .or_else(|| vectors::signs(plain, s))
        .or_else(|| vectors::shuffled(plain, s))
        .or_else(|| vectors::geometry(plain, s))
        .or_else(|| convert::body(plain, signed, s));
    if whole.is_some() || text::vector(&s.result).is_none() {
        return whole.or_else(|| one(plain, signed, s));
    }
    vectors::elementwise(s, |single| {
        let to = format!("{base}.element");
        let body = one(plain, signed, single)?;
        more.push_str(&single.define(&to, &body));
        Some(to)
    })
}

/// The body of a function of single numbers.
fn one(plain: &str, signed: bool, s: &Signature) -> Option<String> {
    integers::body(plain, signed, s)
        .or_else(|| floats::body(plain, s))
        .or_else(|| scalar_name(plain, s).and_then(|name| mathematics::math(&name, s)))
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
        "get_local_linear_id" => return Some(linear(false)),
        "get_global_linear_id" => return Some(linear(true)),
        "get_num_sub_groups" | "get_enqueued_num_sub_groups" => return Some(sub_groups()),
        "get_sub_group_local_id" => return Some(narrow(12, s)),
        "get_sub_group_id" => return Some(narrow(13, s)),
        "get_max_sub_group_size" | "get_sub_group_size" => {
            return Some(format!(
                "  %w = call i64 @__heddle_special(i32 15)\n  %m = call i64 @llvm.umax.i64(i64 %w, i64 1)\n  \
                 %r = trunc i64 %m to {0}\n  ret {0} %r\n",
                s.result
            ));
        }
        _ => return None,
    };
    Some(format!(
        "  %d = add i32 %a0, {base}\n  %r = call i64 @__heddle_special(i32 %d)\n  ret i64 %r\n"
    ))
}

/// The id of a work item in its group or in the grid, all dimensions in one number.
fn linear(global: bool) -> String {
    let mut text = String::new();
    let mut sum = "0".to_owned();
    for axis in [2, 1, 0] {
        let mut special = |name: &str, first: u32| {
            text +=
                &format!("  %{name}{axis} = call i64 @__heddle_special(i32 {})\n", first + axis);
        };
        special("own", 0);
        special("room", 3);
        if global {
            special("group", 6);
            special("groups", 9);
            text += &format!(
                "  %before{axis} = mul i64 %group{axis}, %room{axis}\n  %id{axis} = add i64 %before{axis}, %own{axis}\n  \
                 %size{axis} = mul i64 %groups{axis}, %room{axis}\n"
            );
        } else {
            text += &format!(
                "  %id{axis} = add i64 %own{axis}, 0\n  %size{axis} = add i64 %room{axis}, 0\n"
            );
        }
        text += &format!(
            "  %rows{axis} = mul i64 {sum}, %size{axis}\n  %sum{axis} = add i64 %rows{axis}, %id{axis}\n"
        );
        sum = format!("%sum{axis}");
    }
    text + &format!("  ret i64 {sum}\n")
}

/// Where the target has no subgroups, each work item is one.
fn sub_groups() -> String {
    let special =
        |name: &str, number: u32| format!("  %{name} = call i64 @__heddle_special(i32 {number})\n");
    special("x", 3)
        + &special("y", 4)
        + &special("z", 5)
        + &special("lanes", 15)
        + "  %each = call i64 @llvm.umax.i64(i64 %lanes, i64 1)\n  %xy = mul i64 %x, %y\n  %all = mul i64 %xy, %z\n  %up = add i64 %all, %each\n  %last = sub i64 %up, 1\n  \
           %count = udiv i64 %last, %each\n  %r = trunc i64 %count to i32\n  ret i32 %r\n"
}

fn narrow(number: u32, s: &Signature) -> String {
    format!(
        "  %s = call i64 @__heddle_special(i32 {number})\n  %r = trunc i64 %s to {0}\n  ret {0} %r\n",
        s.result
    )
}

fn synchronization(plain: &str, s: &Signature) -> Option<String> {
    let vote = |action: BarrierAction| {
        format!(
            "  %b = icmp ne i32 %a0, 0\n  %v = zext i1 %b to i32\n  \
             %r = call i32 @__heddle_barrier(i32 0, i32 {}, i32 0, i32 %v)\n  ret i32 %r\n",
            action.number()
        )
    };
    Some(match plain {
        // The flags are the first argument: 1 local, 2 global memory.
        "barrier" | "work_group_barrier" => {
            between_fences(s, "  %r = call i32 @__heddle_barrier(i32 0, i32 5, i32 0, i32 %a0)\n")
        }
        "work_group_all" => vote(BarrierAction::All),
        "work_group_any" => vote(BarrierAction::Any),
        "sub_group_barrier" => between_fences(
            s,
            &format!(
                "  %active = call i32 @__heddle_active()\n  \
                 %x = call i64 @__heddle_exchange(i32 {}, i32 %active, i64 0, i32 0, i32 0)\n",
                Exchange::Barrier.number()
            ),
        ),
        "mem_fence" | "read_mem_fence" | "write_mem_fence" => {
            format!("  call void @__heddle_fence(i32 {})\n  ret void\n", Scope::Block.number())
        }
        "atomic_work_item_fence" if s.params.len() == 3 => fence_of_work_item(),
        "prefetch" if s.result == "void" => "  ret void\n".to_owned(),
        _ => return None,
    })
}

/// A fence by flags, order and scope. One for local memory alone reaches no other group. Orders are
/// numbered as in C: 0 relaxed, 2 acquire, 3 release.
fn fence_of_work_item() -> String {
    let flags = format!(
        "  %relaxed = icmp eq i32 %a1, 0\n  %acquire = icmp eq i32 %a1, 2\n  \
         %release = icmp eq i32 %a1, 3\n  %weak_out = or i1 %relaxed, %acquire\n  \
         %weak_in = or i1 %relaxed, %release\n  %no_release = select i1 %weak_out, i32 {NO_RELEASE}, i32 0\n  \
         %no_acquire = select i1 %weak_in, i32 {NO_ACQUIRE}, i32 0\n"
    );
    wide(2)
        + "  %flag = lshr i32 %a0, 1\n  %global = trunc i32 %flag to i1\n  \
           %reaches = and i1 %wide, %global\n  %scope = zext i1 %reaches to i32\n"
        + &flags
        + "  %some = or i32 %scope, %no_release\n  %kind = or i32 %some, %no_acquire\n  \
           call void @__heddle_fence(i32 %kind)\n  ret void\n"
}

/// `%wide`, whether an argument is a memory scope beyond the work-group: `memory_scope_device` or
/// `memory_scope_all_svm_devices`.
fn wide(scope: u32) -> String {
    format!("  %from = sub i32 %a{scope}, 2\n  %wide = icmp ult i32 %from, 2\n")
}

/// The body of a barrier. One with a scope beyond the work-group, for global memory, is one between
/// two fences of that scope (OpenCL API, section 3.3.6.2).
fn between_fences(s: &Signature, barrier: &str) -> String {
    if s.params.len() < 2 {
        return format!("{barrier}  ret void\n");
    }
    let fence = |at: &str, then: &str| {
        format!(
            "  br i1 %fenced, label %fence.{at}, label %{then}\nfence.{at}:\n  \
             call void @__heddle_fence(i32 {})\n  br label %{then}\n{then}:\n",
            Scope::Grid.number()
        )
    };
    wide(1)
        + "  %flag = lshr i32 %a0, 1\n  %global = trunc i32 %flag to i1\n  \
           %fenced = and i1 %wide, %global\n"
        + &fence("in", "waits")
        + barrier
        + &fence("out", "done")
        + "  ret void\n"
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
        "init" => Some(format!("  store {}, {pointer}\n  ret void\n", s.arg(1))),
        _ => None,
    }
}
