//! `convert_<type>[_sat][_rounding]`, of numbers and of vectors (OpenCL C 3.0, 6.4.3).
//!
//! A float that does not fit an integer becomes the nearest that does, `_sat` or not; to a float,
//! the rounding is to nearest.

use super::integers::limits;
use super::text::{like, suffix, vector};
use super::vectors::bits;
use crate::jit::signature::Signature;

/// The body; `signed` says what the integers are that are converted.
pub(super) fn body(plain: &str, signed: bool, s: &Signature) -> Option<String> {
    let target = plain.strip_prefix("convert_")?;
    let (from, to) = (s.params.first()?.as_str(), s.result.as_str());
    let element = |ty| vector(ty).map_or(ty, |(_, element)| element);
    let (old, new) = (element(from), element(to));
    let float = |ty: &str| ["half", "float", "double"].contains(&ty);
    let to_signed = !target.starts_with('u');
    let rounding = match target {
        _ if target.ends_with("_rte") => "roundeven",
        _ if target.ends_with("_rtp") => "ceil",
        _ if target.ends_with("_rtn") => "floor",
        _ => "trunc",
    };
    let value = match (float(old), float(new)) {
        (true, true) if bits(old) == bits(new) => return Some(format!("  ret {to} %a0\n")),
        (true, true) => {
            let cast = if bits(old) < bits(new) { "fpext" } else { "fptrunc" };
            format!("  %r = {cast} {from} %a0 to {to}\n")
        }
        (false, true) => {
            format!("  %r = {}itofp {from} %a0 to {to}\n", if signed { 's' } else { 'u' })
        }
        (true, false) => format!(
            "  %w = call {from} @llvm.{rounding}.{0}({from} %a0)\n  \
             %r = call {to} @llvm.fpto{1}i.sat.{2}.{0}({from} %w)\n",
            suffix(from),
            if to_signed { 's' } else { 'u' },
            suffix(to)
        ),
        (false, false) => {
            // Numbers of 128 bits hold those of both types.
            let (wide, extend) = (like(from, "i128"), if signed { "sext" } else { "zext" });
            let mut text = format!("  %w = {extend} {from} %a0 to {wide}\n");
            let mut value = "%w";
            if target.contains("_sat") {
                let (least, most) = limits(bits(new), to_signed);
                let all = |number: &str| match vector(from) {
                    Some(_) => format!("{wide} splat (i128 {number})"),
                    None => format!("{wide} {number}"),
                };
                text += &format!(
                    "  %l = call {wide} @llvm.smax.{0}({wide} %w, {1})\n  %h = call {wide} @llvm.smin.{0}({wide} %l, {2})\n",
                    suffix(&wide),
                    all(&least),
                    all(&most)
                );
                value = "%h";
            }
            text + &format!("  %r = trunc {wide} {value} to {to}\n")
        }
    };
    Some(value + &format!("  ret {to} %r\n"))
}
