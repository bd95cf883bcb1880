//! Mathematical functions of the device as the host's, by libm's names, and the few that libm has
//! not.
//!
//! **Does not**: define what rounds otherwise than to nearest; `rounding` does.

use heddle_ptx::mathematics::is_host_function;

use super::signature::Signature;

/// Mathematics by libm's name, or one of the few that libm has not.
pub(super) fn math(name: &str, signature: &Signature) -> Option<String> {
    let ty = &signature.result;
    let params: Vec<_> = (0..signature.params.len()).map(|n| signature.arg(n)).collect();
    let params = params.join(", ");
    let fast = name.strip_prefix("fast_").or_else(|| name.strip_prefix("__")).unwrap_or(name);
    if is_host_function(fast) {
        let types = signature.params.join(", ");
        return Some(format!("  %f = call {ty} ({types}) @{fast}({params})\n  ret {ty} %f\n"));
    }
    if let Some(found) = extremes(fast, signature) {
        return Some(found);
    }
    let one = if ty == "double" || ty == "float" { "1.0" } else { return None };
    match fast.strip_suffix('f').filter(|_| ty == "float").unwrap_or(fast) {
        "rsqrt" => Some(format!(
            "  %s = call {ty} @llvm.sqrt.f{0}({ty} %a0)\n  %r = fdiv {ty} {one}, %s\n  ret {ty} %r\n",
            signature.bits
        )),
        "divide" | "fdivide" => Some(format!("  %r = fdiv {ty} %a0, %a1\n  ret {ty} %r\n")),
        "saturate" => Some(format!(
            "  %l = call {ty} @llvm.maxnum.f{0}({ty} %a0, {ty} 0.0)\n  %r = call {ty} @llvm.minnum.f{0}({ty} %l, {ty} 1.0)\n  ret {ty} %r\n",
            signature.bits
        )),
        _ => None,
    }
}

/// The greater or the lesser of two floats: NaN is neither, and +0 is above -0 (PTX ISA 9.7.3,
/// `max`), which LLVM leaves open.
pub(super) fn extremes(name: &str, s: &Signature) -> Option<String> {
    let which = match name {
        "max" | "fmax" | "fmaxf" => "maximumnum",
        "min" | "fmin" | "fminf" => "minimumnum",
        _ => return None,
    };
    let (ty, bits) = (s.result.as_str(), s.bits);
    let is_float = matches!(ty, "half" | "float" | "double");
    is_float.then(|| {
        format!("  %r = call {ty} @llvm.{which}.f{bits}({ty} %a0, {ty} %a1)\n  ret {ty} %r\n")
    })
}
