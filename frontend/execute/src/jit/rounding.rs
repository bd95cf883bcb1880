//! Arithmetic and conversions that name their rounding (`__fadd_ru`, `__int2float_rz`): the host
//! computes them under that rounding.
//!
//! **Promise**: the result is the exact one, rounded as the name says (IEEE 754, 4.3); a result
//! that is near the device's alone (`near`) is handed on. **Does not**: change the rounding of
//! anything else: it is set around one instruction, in a function of its own.

use super::signature::Signature;

/// A function by libdevice's name without prefix; what it calls is added to `more`.
pub(super) fn body(name: &str, s: &Signature, more: &mut String) -> Option<String> {
    let ty = s.result.as_str();
    if name == "heddle_near" || name == "heddle_nearf" {
        return Some(format!("  ret {ty} %a0\n"));
    }
    let (stem, suffix) = name.rsplit_once('_')?;
    // As `llvm.set.rounding` counts.
    let mode = match suffix {
        "rz" => 0,
        "rn" => 1,
        "ru" => 2,
        "rd" => 3,
        _ => return None,
    };
    let (operation, from) = operation(stem, s)?;
    let bits = |ty: &str| match ty {
        "float" => Some("f32"),
        "double" => Some("f64"),
        "i32" => Some("i32"),
        "i64" => Some("i64"),
        _ => None,
    };
    let of = match from {
        Some(from) => format!("{}.{}", bits(ty)?, bits(from)?),
        None => bits(ty)?.to_owned(),
    };
    let one = if matches!(stem, "frcp" | "drcp") { format!("{ty} 1.0, ") } else { String::new() };
    let params: Vec<String> = (0..s.params.len()).map(|n| s.arg(n)).collect();
    let params = params.join(", ");
    // Contents of the compiler's own: no program has a function of this name.
    more.push_str(&format!(
        "define internal {ty} @__heddle_rounded_{name}({params}) noinline strictfp {{\n  \
         call void @llvm.set.rounding(i32 {mode}) strictfp\n  \
         %r = call {ty} @llvm.experimental.constrained.{operation}.{of}({one}{params}, \
         metadata !\"round.dynamic\", metadata !\"fpexcept.strict\") strictfp\n  \
         call void @llvm.set.rounding(i32 1) strictfp\n  \
         ret {ty} %r\n}}\n"
    ));
    Some(format!("  %r = call {ty} @__heddle_rounded_{name}({params})\n  ret {ty} %r\n"))
}

/// LLVM's name of the operation, and for a conversion the type that it is from.
fn operation<'s>(stem: &str, s: &'s Signature) -> Option<(&'static str, Option<&'s str>)> {
    let from = || s.params.first().map(String::as_str);
    Some(match stem {
        "fadd" | "dadd" => ("fadd", None),
        "fsub" | "dsub" => ("fsub", None),
        "fmul" | "dmul" => ("fmul", None),
        "fdiv" | "ddiv" | "frcp" | "drcp" => ("fdiv", None),
        "fsqrt" | "dsqrt" => ("sqrt", None),
        "fmaf" | "fma" => ("fma", None),
        "int2float" | "ll2float" | "ll2double" => ("sitofp", from()),
        "uint2float" | "ull2float" | "ull2double" => ("uitofp", from()),
        "double2float" => ("fptrunc", from()),
        _ => return None,
    })
}
