//! OpenCL's functions of single integers (OpenCL C 3.0, 6.15.3), and `select` and `bitselect` of
//! any numbers.

use crate::jit::signature::Signature;

/// The body of a function of integers of one type.
pub(super) fn body(plain: &str, signed: bool, s: &Signature) -> Option<String> {
    let ty = s.result.as_str();
    if plain == "select" {
        let by = s.params.get(2)?;
        return Some(format!(
            "  %c = icmp ne {by} %a2, 0\n  %r = select i1 %c, {ty} %a1, {ty} %a0\n  ret {ty} %r\n"
        ));
    }
    if plain == "bitselect" {
        return bits_picked(ty);
    }
    let width: u32 = ty.strip_prefix('i')?.parse().ok()?;
    let (sign, extend) = if signed { ('s', "sext") } else { ('u', "zext") };
    let call = |f: &str, args: &str| format!("call {ty} @llvm.{f}.{ty}({args})");
    let both = format!("{ty} %a0, {ty} %a1");
    let wide = format!("i{}", 2 * width);
    let product = format!(
        "  %w0 = {extend} {ty} %a0 to {wide}\n  %w1 = {extend} {ty} %a1 to {wide}\n  %p = mul {wide} %w0, %w1\n"
    );
    Some(match plain {
        "min" | "max" => {
            format!("  %r = {}\n  ret {ty} %r\n", call(&format!("{sign}{plain}"), &both))
        }
        "clamp" => format!(
            "  %l = {}\n  %r = {}\n  ret {ty} %r\n",
            call(&format!("{sign}max"), &both),
            call(&format!("{sign}min"), &format!("{ty} %l, {ty} %a2"))
        ),
        "mul24" => format!("  %r = mul {ty} %a0, %a1\n  ret {ty} %r\n"),
        "mad24" => format!("  %m = mul {ty} %a0, %a1\n  %r = add {ty} %m, %a2\n  ret {ty} %r\n"),
        "abs" if signed => {
            format!("  %r = call {ty} @llvm.abs.{ty}({ty} %a0, i1 false)\n  ret {ty} %r\n")
        }
        "abs" => format!("  ret {ty} %a0\n"),
        "abs_diff" => format!(
            "  %h = {}\n  %l = {}\n  %r = sub {ty} %h, %l\n  ret {ty} %r\n",
            call(&format!("{sign}max"), &both),
            call(&format!("{sign}min"), &both)
        ),
        "add_sat" | "sub_sat" => {
            let f = format!("{sign}{}.sat", &plain[..3]);
            format!("  %r = {}\n  ret {ty} %r\n", call(&f, &both))
        }
        "hadd" | "rhadd" => format!(
            "  %w0 = {extend} {ty} %a0 to {wide}\n  %w1 = {extend} {ty} %a1 to {wide}\n  %s = add {wide} %w0, %w1\n  \
             %u = add {wide} %s, {}\n  %h = lshr {wide} %u, 1\n  %r = trunc {wide} %h to {ty}\n  ret {ty} %r\n",
            u32::from(plain == "rhadd")
        ),
        "mul_hi" => {
            format!(
                "{product}  %h = lshr {wide} %p, {width}\n  %r = trunc {wide} %h to {ty}\n  ret {ty} %r\n"
            )
        }
        "mad_hi" => format!(
            "{product}  %h = lshr {wide} %p, {width}\n  %t = trunc {wide} %h to {ty}\n  %r = add {ty} %t, %a2\n  ret {ty} %r\n"
        ),
        "mad_sat" => {
            let (least, most) = limits(width, signed);
            format!(
                "{product}  %w2 = {extend} {ty} %a2 to {wide}\n  %s = add {wide} %p, %w2\n  \
                 %l = call {wide} @llvm.{sign}max.{wide}({wide} %s, {wide} {least})\n  \
                 %h = call {wide} @llvm.{sign}min.{wide}({wide} %l, {wide} {most})\n  %r = trunc {wide} %h to {ty}\n  ret {ty} %r\n"
            )
        }
        "rotate" => format!(
            "  %r = {}\n  ret {ty} %r\n",
            call("fshl", &format!("{ty} %a0, {ty} %a0, {ty} %a1"))
        ),
        // cl_amd_media_ops: the lower of two words, moved right.
        "amd_bitalign" if width == 32 => {
            format!("  %r = {}\n  ret {ty} %r\n", call("fshr", &format!("{both}, {ty} %a2")))
        }
        "amd_bytealign" if width == 32 => format!(
            "  %b = shl {ty} %a2, 3\n  %r = {}\n  ret {ty} %r\n",
            call("fshr", &format!("{both}, {ty} %b"))
        ),
        // cl_amd_media_ops2: bits from a place on, and ones at a place; the operands say how many.
        "amd_bfe" if width == 32 => format!(
            "  %p = and {ty} %a1, 31\n  %w = and {ty} %a2, 31\n  %none = icmp eq {ty} %w, 0\n  \
             %from = {extend} {ty} %a0 to i64\n  %at = zext {ty} %p to i64\n  %m = lshr i64 %from, %at\n  \
             %wide = zext {ty} %w to i64\n  %rest = sub i64 64, %wide\n  \
             %by = select i1 %none, i64 0, i64 %rest\n  %h = shl i64 %m, %by\n  \
             %b = {}shr i64 %h, %by\n  %t = trunc i64 %b to {ty}\n  \
             %r = select i1 %none, {ty} 0, {ty} %t\n  ret {ty} %r\n",
            if signed { 'a' } else { 'l' }
        ),
        "amd_bfm" if width == 32 => format!(
            "  %w = and {ty} %a0, 31\n  %at = and {ty} %a1, 31\n  %p = shl {ty} 1, %w\n  \
             %ones = sub {ty} %p, 1\n  %r = shl {ty} %ones, %at\n  ret {ty} %r\n"
        ),
        "popcount" => format!("  %r = {}\n  ret {ty} %r\n", call("ctpop", &format!("{ty} %a0"))),
        "clz" | "ctz" => {
            let f = if plain == "clz" { "ctlz" } else { "cttz" };
            format!("  %r = {}\n  ret {ty} %r\n", call(f, &format!("{ty} %a0, i1 false")))
        }
        "upsample" => {
            let (high, low) = (s.params.first()?, s.params.get(1)?);
            let half = width / 2;
            format!(
                "  %h = zext {high} %a0 to {ty}\n  %l = zext {low} %a1 to {ty}\n  %u = shl {ty} %h, {half}\n  \
                 %r = or {ty} %u, %l\n  ret {ty} %r\n"
            )
        }
        _ => return None,
    })
}

/// The least and the greatest number of this width in bits.
pub(super) fn limits(width: u32, signed: bool) -> (String, String) {
    match (signed, width) {
        (true, _) => {
            let half = 1i128 << (width - 1);
            ((-half).to_string(), (half - 1).to_string())
        }
        (false, _) => ("0".to_owned(), (u128::MAX >> (128 - width)).to_string()),
    }
}

/// Each bit of the second operand where the third has a one, else of the first.
fn bits_picked(ty: &str) -> Option<String> {
    let bits = match ty {
        "half" => "i16",
        "float" => "i32",
        "double" => "i64",
        integer => integer,
    };
    let take: String =
        (0..3).map(|n| format!("  %b{n} = bitcast {ty} %a{n} to {bits}\n")).collect();
    Some(format!(
        "{take}  %n = xor {bits} %b2, -1\n  %k = and {bits} %b0, %n\n  %t = and {bits} %b1, %b2\n  \
         %o = or {bits} %k, %t\n  %r = bitcast {bits} %o to {ty}\n  ret {ty} %r\n"
    ))
}
