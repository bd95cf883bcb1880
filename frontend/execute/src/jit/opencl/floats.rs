//! OpenCL's functions of single floats that libm has not (OpenCL C 3.0, 6.15.2, 6.15.4 and 6.15.6).
//!
//! **Does not**: keep to an error bound: results differ from a device's by a few last bits.

use std::f64::consts::PI;

use super::text::Text;
use crate::jit::signature::Signature;

/// The body of a function of floats, and of integers beside them.
pub(super) fn body(plain: &str, s: &Signature) -> Option<String> {
    let ty = float_of(s)?;
    let mut t = Text::new(ty);
    let exact = plain.strip_prefix("native_").or_else(|| plain.strip_prefix("half_"));
    let zero = t.number(0.0);
    let one = t.number(1.0);
    let value = match exact.unwrap_or(plain) {
        "acospi" | "asinpi" | "atanpi" => {
            let angle = t.host(plain.strip_suffix("pi")?, &["%a0"]);
            let part = t.number(1.0 / PI);
            t.op("fmul", &angle, &part)
        }
        "atan2pi" => {
            let angle = t.host("atan2", &["%a0", "%a1"]);
            let part = t.number(1.0 / PI);
            t.op("fmul", &angle, &part)
        }
        "sinpi" | "cospi" | "tanpi" => {
            let (half, two, pi) = (t.number(0.5), t.number(2.0), t.number(PI));
            let turns = t.op("fmul", "%a0", &half);
            let turns = t.intrinsic("roundeven", &[&turns]);
            let whole = t.op("fmul", &turns, &two);
            let rest = t.op("fsub", "%a0", &whole);
            let angle = t.op("fmul", &rest, &pi);
            t.host(plain.strip_suffix("pi")?, &[&angle])
        }
        "degrees" => {
            let by = t.number(180.0 / PI);
            t.op("fmul", "%a0", &by)
        }
        "radians" => {
            let by = t.number(PI / 180.0);
            t.op("fmul", "%a0", &by)
        }
        "sign" => {
            let size = t.compare("one", "%a0", &zero);
            let ordered = t.compare("ord", "%a0", &zero);
            let unit = t.intrinsic("copysign", &[&one, "%a0"]);
            let other = t.select(&ordered, "%a0", &zero);
            t.select(&size, &unit, &other)
        }
        "step" => {
            let below = t.compare("olt", "%a1", "%a0");
            t.select(&below, &zero, &one)
        }
        "smoothstep" => {
            let (over, room) = (t.op("fsub", "%a2", "%a0"), t.op("fsub", "%a1", "%a0"));
            let part = t.op("fdiv", &over, &room);
            let part = t.intrinsic("maxnum", &[&part, &zero]);
            let part = t.intrinsic("minnum", &[&part, &one]);
            let (two, three) = (t.number(2.0), t.number(3.0));
            let twice = t.op("fmul", &part, &two);
            let rest = t.op("fsub", &three, &twice);
            let square = t.op("fmul", &part, &part);
            t.op("fmul", &square, &rest)
        }
        "maxmag" | "minmag" => {
            let (a, b) = (t.intrinsic("fabs", &["%a0"]), t.intrinsic("fabs", &["%a1"]));
            let (condition, equal) =
                if plain == "maxmag" { ("ogt", "maxnum") } else { ("olt", "minnum") };
            let first = t.compare(condition, &a, &b);
            let second = t.compare(condition, &b, &a);
            let same = t.intrinsic(equal, &["%a0", "%a1"]);
            let rest = t.select(&second, "%a1", &same);
            t.select(&first, "%a0", &rest)
        }
        "powr" => t.host("pow", &["%a0", "%a1"]),
        "pown" => {
            let power = t.set(&format!("sitofp i32 %a1 to {ty}"));
            t.host("pow", &["%a0", &power])
        }
        "rootn" => {
            let power = t.set(&format!("sitofp i32 %a1 to {ty}"));
            let part = t.op("fdiv", &one, &power);
            let size = t.intrinsic("fabs", &["%a0"]);
            let root = t.host("pow", &[&size, &part]);
            let signed = t.intrinsic("copysign", &[&root, "%a0"]);
            let odd = t.set("trunc i32 %a1 to i1");
            let negative = t.compare("olt", "%a0", &zero);
            let none = t.op("fdiv", &zero, &zero);
            let even = t.select(&negative, &none, &root);
            t.select(&odd, &signed, &even)
        }
        "recip" => t.op("fdiv", &one, "%a0"),
        "divide" => t.op("fdiv", "%a0", "%a1"),
        "mad" => t.intrinsic("fma", &["%a0", "%a1", "%a2"]),
        "min" => t.intrinsic("minnum", &["%a0", "%a1"]),
        "max" => t.intrinsic("maxnum", &["%a0", "%a1"]),
        "clamp" => {
            let above = t.intrinsic("maxnum", &["%a0", "%a1"]);
            t.intrinsic("minnum", &[&above, "%a2"])
        }
        "mix" => {
            let by = t.op("fsub", "%a1", "%a0");
            t.intrinsic("fma", &[&by, "%a2", "%a0"])
        }
        "nan" => t.number(f64::NAN),
        "ilogb" => {
            let name = t.name("ilogb");
            let power = t.set(&format!("call i32 ({ty}) @{name}({ty} %a0)"));
            return Some(t.give("i32", &power));
        }
        part => return second_results(part, t, ty),
    };
    (s.result == ty).then(|| t.give(ty, &value))
}

/// What functions with two results give (`modf.rest`), and what they store (`frexp.power`).
fn second_results(part: &str, mut t: Text<'_>, ty: &str) -> Option<String> {
    let zero = t.number(0.0);
    let value = match part {
        "fract.rest" => {
            let low = t.intrinsic("floor", &["%a0"]);
            let rest = t.op("fsub", "%a0", &low);
            let most = t.number(if ty == "float" {
                f64::from(1.0f32 - f32::EPSILON / 2.0)
            } else {
                1.0 - f64::EPSILON / 2.0
            });
            t.intrinsic("minnum", &[&rest, &most])
        }
        "modf.rest" => {
            let whole = t.intrinsic("trunc", &["%a0"]);
            let rest = t.op("fsub", "%a0", &whole);
            let finite = t.compare("ord", &rest, &zero);
            let rest = t.select(&finite, &rest, &zero);
            t.intrinsic("copysign", &[&rest, "%a0"])
        }
        "frexp.rest" | "frexp.power" => {
            let (log, scale) = (t.name("ilogb"), t.name("scalbn"));
            let rest = t.op("fsub", "%a0", "%a0");
            let finite = t.compare("oeq", &rest, &zero);
            let some = t.compare("one", "%a0", &zero);
            let both = t.set(&format!("and i1 {finite}, {some}"));
            let power = t.set(&format!("call i32 ({ty}) @{log}({ty} %a0)"));
            let power = t.set(&format!("add i32 {power}, 1"));
            if part == "frexp.power" {
                let power = t.set(&format!("select i1 {both}, i32 {power}, i32 0"));
                return Some(t.give("i32", &power));
            }
            let down = t.set(&format!("sub i32 0, {power}"));
            let scaled = t.set(&format!("call {ty} ({ty}, i32) @{scale}({ty} %a0, i32 {down})"));
            t.select(&both, &scaled, "%a0")
        }
        "lgamma_r.sign" => {
            let (low, half) = (t.intrinsic("floor", &["%a0"]), t.number(0.5));
            let halved = t.op("fmul", &low, &half);
            let even = t.intrinsic("floor", &[&halved]);
            let odd = t.compare("one", &even, &halved);
            let negative = t.compare("olt", "%a0", &zero);
            let both = t.set(&format!("and i1 {odd}, {negative}"));
            let sign = t.set(&format!("select i1 {both}, i32 -1, i32 1"));
            return Some(t.give("i32", &sign));
        }
        "remquo.times" => {
            let rest = t.host("remainder", &["%a0", "%a1"]);
            let whole = t.op("fsub", "%a0", &rest);
            let times = t.op("fdiv", &whole, "%a1");
            let times = t.intrinsic("roundeven", &[&times]);
            let eight = t.number(8.0);
            let low = t.host("fmod", &[&times, &eight]);
            let low = t.set(&format!(
                "call i32 @llvm.fptosi.sat.i32.{}({ty} {low})",
                super::text::suffix(ty)
            ));
            return Some(t.give("i32", &low));
        }
        _ => return None,
    };
    Some(t.give(ty, &value))
}

/// The float that a function is about: the type of its first parameter, or of its result.
fn float_of(s: &Signature) -> Option<&str> {
    let of = |it: &str| ["float", "double"].into_iter().find(|ty| *ty == it);
    s.params.first().and_then(|it| of(it)).or_else(|| of(&s.result))
}
