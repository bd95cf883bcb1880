//! Functions that others define, with the types that their headers give them: PTX knows numbers of
//! 32 and 64 bits alone, and a function of floats that gets integers computes something else.
//!
//! **Does not**: know types of a function that is neither the driver's nor libm's or libdevice's;
//! such a one takes integers, and nothing runs it.

use super::file::Function;
use super::variable::Variable;
use heddle_ptx::mathematics::is_mathematics;

/// Functions of the driver and of C: result and parameters.
const FIXED: &[(&str, &str, &[&str])] = &[
    ("vprintf", "i32", &["ptr", "ptr"]),
    ("malloc", "ptr", &["i64"]),
    ("free", "void", &["ptr"]),
    ("__assertfail", "void", &["ptr", "ptr", "i32", "ptr", "i64"]),
    ("memcpy", "ptr", &["ptr", "ptr", "i64"]),
    ("memmove", "ptr", &["ptr", "ptr", "i64"]),
    ("memset", "ptr", &["ptr", "i32", "i64"]),
];

/// Mathematical functions with parameters that are integers, by position.
const INTEGERS: &[(&str, usize)] =
    &[("ldexp", 1), ("scalbn", 1), ("scalbln", 1), ("powi", 1), ("jn", 0), ("yn", 0)];

/// Those with an integer as their result.
const GIVES_INTEGER: &[&str] = &["ilogb", "lrint", "lround", "llrint", "llround"];

/// Those that hand results back through pointers, from this position on.
const STORES: &[(&str, usize)] =
    &[("sincos", 1), ("sincospi", 1), ("frexp", 1), ("modf", 1), ("remquo", 2)];

/// The types of result and parameters of a function that the file only declares.
pub(super) fn types(function: &Function) -> Option<(String, Vec<String>)> {
    if function.body.is_some() {
        return None;
    }
    let count = function.params.len();
    if let Some((_, result, params)) =
        FIXED.iter().find(|it| it.0 == function.name && it.2.len() == count)
    {
        return Some(((*result).to_owned(), params.iter().map(|it| (*it).to_owned()).collect()));
    }
    let plain = function.name.strip_prefix("__nv_").unwrap_or(&function.name);
    // `erf` ends in an f of its own.
    let base = plain.strip_suffix('f').filter(|it| *it != "er").unwrap_or(plain);
    let stores = STORES.iter().find(|it| it.0 == base).map(|it| it.1);
    if plain.len() == function.name.len() && !is_mathematics(plain) && stores.is_none() {
        return None;
    }
    let float = if base.len() < plain.len() { (32, "float") } else { (64, "double") };
    let of = |it: &Variable| match it.bits() {
        bits if bits == float.0 && !it.is_array => float.1.to_owned(),
        _ => it.ir_type(),
    };
    let result = match &function.results[..] {
        [] => "void".to_owned(),
        [one] if GIVES_INTEGER.contains(&base) => one.ir_type(),
        [one] => of(one),
        _ => return None,
    };
    let params = function.params.iter().enumerate().map(|(n, it)| {
        if stores.is_some_and(|from| n >= from) {
            return "ptr".to_owned();
        }
        if INTEGERS.contains(&(base, n)) { it.ir_type() } else { of(it) }
    });
    Some((result, params.collect()))
}
