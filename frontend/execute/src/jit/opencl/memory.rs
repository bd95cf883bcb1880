//! OpenCL's functions that read or write through a pointer: vectors in memory, halves, and second
//! results (OpenCL C 3.0, 6.15.2 and 6.15.7).
//!
//! What they touch is checked as one range, for the call's place in the source.

use super::text::{like, vector};
use super::vectors::bits;
use crate::jit::CURRENT_SITE;
use crate::jit::signature::Signature;

/// The check of a range that starts at `%p`.
fn check(s: &Signature, bytes: u32, write: bool) -> String {
    match s.checked {
        true => format!(
            "  call void @__heddle_range(ptr %p, i64 {bytes}, i32 {CURRENT_SITE}, i32 {})\n",
            u32::from(write)
        ),
        false => String::new(),
    }
}

/// `vload4`, `vstore4`; with `half` in the name, the memory has halves and the value is of floats.
pub(super) fn vector_in_memory(plain: &str, s: &Signature) -> Option<String> {
    // `vloada_half3` takes four halves for each three.
    let aligned = plain.starts_with("vloada_") || plain.starts_with("vstorea_");
    let plain = plain.replacen("a_half", "_half", 1);
    let plain = ["_rte", "_rtz", "_rtp", "_rtn"]
        .into_iter()
        .find_map(|it| plain.strip_suffix(it))
        .unwrap_or(&plain);
    let (store, rest) = match (plain.strip_prefix("vload"), plain.strip_prefix("vstore")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        (None, None) => return None,
    };
    let (halves, rest) = rest.strip_prefix("_half").map_or((false, rest), |it| (true, it));
    let count: u32 = if halves && rest.is_empty() { 1 } else { rest.parse().ok()? };
    let value = if store { s.params.first()? } else { &s.result };
    if vector(value).map_or(1, |(own, _)| own) != count {
        return None;
    }
    let kept = if halves { like(value, "half") } else { value.clone() };
    let element = vector(&kept).map_or(kept.as_str(), |(_, element)| element);
    let stride = if aligned && count == 3 { 4 } else { count };
    let (at, index) = if store { (2, "%a1") } else { (1, "%a0") };
    let (cast, pointer) = s.generic(at);
    let head = format!(
        "{cast}  %i = mul i64 {index}, {stride}\n  %p = getelementptr {element}, ptr {pointer}, i64 %i\n{}",
        check(s, count * bits(element) / 8, store)
    );
    let (to_kept, to_value) = match bits(vector(value).map_or(value, |(_, element)| element)) {
        16 => ("bitcast", "bitcast"),
        _ => ("fptrunc", "fpext"),
    };
    Some(
        head + &match (store, halves) {
            (true, true) => {
                format!(
                    "  %k = {to_kept} {value} %a0 to {kept}\n  store {kept} %k, ptr %p, align 1\n  ret void\n"
                )
            }
            (true, false) => format!("  store {value} %a0, ptr %p, align 1\n  ret void\n"),
            (false, true) => {
                format!(
                    "  %k = load {kept}, ptr %p, align 1\n  %v = {to_value} {kept} %k to {value}\n  ret {value} %v\n"
                )
            }
            (false, false) => {
                format!("  %v = load {value}, ptr %p, align 1\n  ret {value} %v\n")
            }
        },
    )
}

/// Functions with a second result: what gives the first, and what is stored.
const SECOND_RESULTS: &[(&str, &str, &str)] = &[
    ("sincos", "sin", "cos"),
    ("fract", "fract.rest", "floor"),
    ("modf", "modf.rest", "trunc"),
    ("frexp", "frexp.rest", "frexp.power"),
    ("lgamma_r", "lgamma", "lgamma_r.sign"),
    ("remquo", "remainder", "remquo.times"),
];

/// The body of one of these; `part` defines a function by name and gives the name it has.
pub(super) fn second_result(
    plain: &str,
    s: &Signature,
    mut part: impl FnMut(&str, Signature) -> Option<String>,
) -> Option<String> {
    let &(_, first, second) = SECOND_RESULTS.iter().find(|(name, ..)| *name == plain)?;
    let last = s.params.len().checked_sub(1).filter(|_| s.params.len() >= 2)?;
    let integers = ["frexp", "lgamma_r", "remquo"].contains(&plain);
    let stored = if integers { like(&s.result, "i32") } else { s.result.clone() };
    let values = &s.params[..last];
    let signature = |result: &str| Signature {
        result: result.to_owned(),
        bits: bits(result),
        params: values.to_vec(),
        bytes: 0,
        checked: s.checked,
    };
    let first = part(first, signature(&s.result))?;
    let second = part(second, signature(&stored))?;
    let (cast, pointer) = s.generic(last);
    let args: Vec<String> = (0..last).map(|n| s.arg(n)).collect();
    let args = args.join(", ");
    let (count, element) = vector(&stored).unwrap_or((1, &stored));
    let bytes = if count == 3 { 4 } else { count } * bits(element) / 8;
    Some(format!(
        "{cast}  %p = getelementptr i8, ptr {pointer}, i64 0\n{}  %s = call {stored} @\"{second}\"({args})\n  \
         %r = call {ty} @\"{first}\"({args})\n  store {stored} %s, ptr %p, align 1\n  ret {ty} %r\n",
        check(s, bytes, true),
        ty = s.result
    ))
}
