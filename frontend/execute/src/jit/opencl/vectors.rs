//! OpenCL's functions of vectors: element by element, of all elements, and as comparisons (OpenCL C
//! 3.0, 6.15.3 to 6.15.6).

use super::text::{Text, like, suffix, vector};
use crate::jit::signature::Signature;

/// The body of a function that does the same to each element: `one` defines it for a single one,
/// under a name of its own.
pub(super) fn elementwise(
    s: &Signature,
    one: impl FnOnce(&Signature) -> Option<String>,
) -> Option<String> {
    let (count, element) = vector(&s.result)?;
    let single = |ty: &String| match vector(ty) {
        Some((own, element)) => (own == count).then(|| element.to_owned()),
        None => Some(ty.clone()),
    };
    let single = Signature {
        result: element.to_owned(),
        bits: bits(element),
        params: s.params.iter().map(single).collect::<Option<_>>()?,
        bytes: 0,
        checked: s.checked,
    };
    let name = one(&single)?;
    let mut text = String::new();
    let mut sum = "poison".to_owned();
    for lane in 0..count {
        let args: Vec<String> = s
            .params
            .iter()
            .zip(&single.params)
            .enumerate()
            .map(|(n, (ty, own))| {
                if ty == own {
                    return format!("{own} %a{n}");
                }
                text += &format!("  %e{n}.{lane} = extractelement {ty} %a{n}, i32 {lane}\n");
                format!("{own} %e{n}.{lane}")
            })
            .collect();
        text += &format!(
            "  %r{lane} = call {element} @\"{name}\"({})\n  %s{lane} = insertelement {} {sum}, {element} %r{lane}, i32 {lane}\n",
            args.join(", "),
            s.result
        );
        sum = format!("%s{lane}");
    }
    Some(text + &format!("  ret {} {sum}\n", s.result))
}

/// The bits of a number, or zero.
pub(super) fn bits(ty: &str) -> u32 {
    match ty {
        "half" => 16,
        "float" => 32,
        "double" => 64,
        integer => integer.strip_prefix('i').and_then(|it| it.parse().ok()).unwrap_or(0),
    }
}

/// Comparisons and questions of floats: one of single ones is 1 where it holds, of vectors all
/// bits.
pub(super) fn relation(plain: &str, s: &Signature) -> Option<String> {
    let ty = s.params.first()?;
    let mut t = Text::new(ty);
    let bits_of = like(ty, "i1");
    let class =
        |mask: u32| format!("call {bits_of} @llvm.is.fpclass.{}({ty} %a0, i32 {mask})", suffix(ty));
    let bit = match plain {
        "isequal" => t.compare("oeq", "%a0", "%a1"),
        "isnotequal" => t.compare("une", "%a0", "%a1"),
        "isgreater" => t.compare("ogt", "%a0", "%a1"),
        "isgreaterequal" => t.compare("oge", "%a0", "%a1"),
        "isless" => t.compare("olt", "%a0", "%a1"),
        "islessequal" => t.compare("ole", "%a0", "%a1"),
        "islessgreater" => t.compare("one", "%a0", "%a1"),
        "isordered" => t.compare("ord", "%a0", "%a1"),
        "isunordered" => t.compare("uno", "%a0", "%a1"),
        // Classes as in LLVM's language reference: 3 NaN, 0x204 infinite, 0x108 normal, 0x3c
        // negative.
        "isnan" => t.set(&class(0x3)),
        "isinf" => t.set(&class(0x204)),
        "isfinite" => t.set(&class(0x1f8)),
        "isnormal" => t.set(&class(0x108)),
        "signbit" => {
            let (_, element) = vector(ty).unwrap_or((1, ty));
            let whole = like(ty, &format!("i{}", bits(element)));
            let word = t.set(&format!("bitcast {ty} %a0 to {whole}"));
            t.set(&format!("icmp slt {whole} {word}, zeroinitializer"))
        }
        _ => return None,
    };
    let extend = if vector(&s.result).is_some() { "sext" } else { "zext" };
    let value = t.set(&format!("{extend} {bits_of} {bit} to {}", s.result));
    Some(t.give(&s.result, &value))
}

/// `any` and `all`, and the choice of elements by the sign of a mask.
pub(super) fn signs(plain: &str, s: &Signature) -> Option<String> {
    match plain {
        "any" | "all" => {
            let ty = s.params.first()?;
            let negative = format!("  %n = icmp slt {ty} %a0, zeroinitializer\n");
            let fold = if plain == "any" { "or" } else { "and" };
            let one = match vector(ty) {
                Some((count, _)) => format!(
                    "  %o = call i1 @llvm.vector.reduce.{fold}.v{count}i1(<{count} x i1> %n)\n"
                ),
                None => "  %o = and i1 %n, true\n".to_owned(),
            };
            Some(format!("{negative}{one}  %r = zext i1 %o to {0}\n  ret {0} %r\n", s.result))
        }
        "select" if vector(&s.result).is_some() => {
            let (ty, by) = (&s.result, s.params.get(2)?);
            let count = vector(ty)?.0;
            Some(format!(
                "  %c = icmp slt {by} %a2, zeroinitializer\n  %r = select <{count} x i1> %c, {ty} %a1, {ty} %a0\n  ret {ty} %r\n"
            ))
        }
        _ => None,
    }
}

/// `shuffle` and `shuffle2`: elements of the sources, picked by the low bits of a mask.
pub(super) fn shuffled(plain: &str, s: &Signature) -> Option<String> {
    let sources = match plain {
        "shuffle" => 1,
        "shuffle2" => 2,
        _ => return None,
    };
    let (ty, mask) = (s.params.first()?, s.params.get(sources)?);
    let (each, element) = vector(ty)?;
    let (count, number) = vector(mask)?;
    let total = each * sources as u32;
    let all: Vec<String> = (0..total).map(|n| format!("i32 {n}")).collect();
    let second = if sources == 2 { "%a1" } else { "poison" };
    let mut text = format!(
        "  %all = shufflevector {ty} %a0, {ty} {second}, <{total} x i32> <{}>\n",
        all.join(", ")
    );
    let mut sum = "poison".to_owned();
    for lane in 0..count {
        text += &format!(
            "  %m{lane} = extractelement {mask} %a{sources}, i32 {lane}\n  %i{lane} = and {number} %m{lane}, {}\n  \
             %e{lane} = extractelement <{total} x {element}> %all, {number} %i{lane}\n  \
             %s{lane} = insertelement {} {sum}, {element} %e{lane}, i32 {lane}\n",
            total - 1,
            s.result
        );
        sum = format!("%s{lane}");
    }
    total.is_power_of_two().then(|| text + &format!("  ret {} {sum}\n", s.result))
}

/// Products and lengths of vectors.
pub(super) fn geometry(plain: &str, s: &Signature) -> Option<String> {
    let ty = s.params.first()?;
    let (count, element) = vector(ty).unwrap_or((1, ty));
    if !["float", "double"].contains(&element) {
        return None;
    }
    let mut t = Text::new(element);
    let plain = plain.strip_prefix("fast_").unwrap_or(plain);
    if plain == "cross" {
        return cross(t, ty, count);
    }
    let lanes = |t: &mut Text<'_>, value: &str| -> Vec<String> {
        let one = |n| match vector(ty) {
            Some(_) => t.set(&format!("extractelement {ty} {value}, i32 {n}")),
            None => value.to_owned(),
        };
        (0..count).map(one).collect()
    };
    let first = match plain {
        "distance" => t.set(&format!("fsub {ty} %a0, %a1")),
        "dot" | "length" | "normalize" => "%a0".to_owned(),
        _ => return None,
    };
    let (a, b) =
        (lanes(&mut t, &first), lanes(&mut t, if plain == "dot" { "%a1" } else { &first }));
    let mut sum = t.number(0.0);
    for (a, b) in a.iter().zip(&b) {
        sum = t.intrinsic("fma", &[a, b, &sum]);
    }
    if plain == "dot" {
        return Some(t.give(element, &sum));
    }
    let length = t.intrinsic("sqrt", &[&sum]);
    if plain != "normalize" {
        return Some(t.give(element, &length));
    }
    // A vector without a length stays as it is.
    let (zero, one) = (t.number(0.0), t.number(1.0));
    let some = t.compare("ogt", &length, &zero);
    let by = t.select(&some, &length, &one);
    let parts: Vec<String> = a.iter().map(|it| t.op("fdiv", it, &by)).collect();
    Some(gathered(t, ty, &parts))
}

fn cross(mut t: Text<'_>, ty: &str, count: u32) -> Option<String> {
    let lane = |t: &mut Text<'_>, value: &str, n: usize| {
        t.set(&format!("extractelement {ty} {value}, i32 {n}"))
    };
    let a: Vec<String> = (0..3).map(|n| lane(&mut t, "%a0", n)).collect();
    let b: Vec<String> = (0..3).map(|n| lane(&mut t, "%a1", n)).collect();
    let mut parts = Vec::new();
    for n in 0..3 {
        let (next, last) = ((n + 1) % 3, (n + 2) % 3);
        let (plus, minus) = (t.op("fmul", &a[next], &b[last]), t.op("fmul", &a[last], &b[next]));
        parts.push(t.op("fsub", &plus, &minus));
    }
    if count == 4 {
        parts.push(t.number(0.0));
    }
    (count == 3 || count == 4).then(|| gathered(t, ty, &parts))
}

/// A vector of these elements as the result; one alone is none.
fn gathered(mut t: Text<'_>, ty: &str, parts: &[String]) -> String {
    let Some((_, element)) = vector(ty) else { return t.give(ty, &parts[0]) };
    let mut sum = "poison".to_owned();
    for (lane, part) in parts.iter().enumerate() {
        sum = t.set(&format!("insertelement {ty} {sum}, {element} {part}, i32 {lane}"));
    }
    t.give(ty, &sum)
}
