//! Two or four integers in one word (CUDA's SIMD intrinsics), lane by lane on whole numbers.

use super::Operation;
use super::integers::{number, signed};

/// A comparison of lanes: its name, whether signed, and when it holds.
type Comparison = (&'static str, bool, fn(i128, i128) -> bool);

type Lane = fn(i128, i128, u32) -> i128;

fn clamp(value: i128, bits: u32, is: bool) -> i128 {
    let (least, most) =
        if is { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    value.clamp(least, most)
}

/// A function of each lane, whose numbers have a sign or not.
fn each(x: &[u64], bits: u32, is: bool, f: Lane) -> u64 {
    let lane = |n: u32| {
        let [a, b] =
            [0, 1].map(|at| number(x.get(at).copied().unwrap_or(0) >> (n * bits), bits, is));
        (f(a, b, bits) as u64 & ((1 << bits) - 1)) << (n * bits)
    };
    (0..32 / bits).map(lane).sum()
}

/// Name, operands, whether signed, the function of a lane.
const ROWS: &[(&str, usize, bool, Lane)] = &[
    ("__vneg", 1, true, |a, _, _| -a),
    ("__vnegss", 1, true, |a, _, bits| clamp(-a, bits, true)),
    ("__vabs", 1, true, |a, _, _| a.abs()),
    ("__vabsss", 1, true, |a, _, bits| clamp(a.abs(), bits, true)),
    ("__vadd", 2, false, |a, b, _| a + b),
    ("__vaddss", 2, true, |a, b, bits| clamp(a + b, bits, true)),
    ("__vaddus", 2, false, |a, b, bits| clamp(a + b, bits, false)),
    ("__vsub", 2, false, |a, b, _| a - b),
    ("__vsubss", 2, true, |a, b, bits| clamp(a - b, bits, true)),
    ("__vsubus", 2, false, |a, b, bits| clamp(a - b, bits, false)),
    ("__vmaxs", 2, true, |a, b, _| a.max(b)),
    ("__vmaxu", 2, false, |a, b, _| a.max(b)),
    ("__vmins", 2, true, |a, b, _| a.min(b)),
    ("__vminu", 2, false, |a, b, _| a.min(b)),
    ("__vabsdiffs", 2, true, |a, b, _| (a - b).abs()),
    ("__vabsdiffu", 2, false, |a, b, _| (a - b).abs()),
    ("__vhaddu", 2, false, |a, b, _| (a + b).div_euclid(2)),
    ("__vavgu", 2, false, |a, b, _| (a + b + 1).div_euclid(2)),
    // Halves go away from zero.
    ("__vavgs", 2, true, |a, b, _| (a + b + i128::from(a + b >= 0)).div_euclid(2)),
];

/// A comparison, whether signed, and when it holds.
const COMPARISONS: &[Comparison] = &[
    ("eq", false, |a, b| a == b),
    ("ne", false, |a, b| a != b),
    ("ges", true, |a, b| a >= b),
    ("geu", false, |a, b| a >= b),
    ("gts", true, |a, b| a > b),
    ("gtu", false, |a, b| a > b),
    ("les", true, |a, b| a <= b),
    ("leu", false, |a, b| a <= b),
    ("lts", true, |a, b| a < b),
    ("ltu", false, |a, b| a < b),
];

/// What a comparison of lanes gives: all bits of each, or its lowest.
fn compared(x: &[u64], bits: u32, is: bool, holds: fn(i128, i128) -> bool, whole: bool) -> u64 {
    let yes = if whole { (1u64 << bits) - 1 } else { 1 };
    let lane = |n: u32| {
        let [a, b] = [0, 1].map(|at| number(x[at] >> (n * bits), bits, is));
        if holds(a, b) { yes << (n * bits) } else { 0 }
    };
    (0..32 / bits).map(lane).sum()
}

fn distances(x: &[u64], bits: u32, is: bool) -> u64 {
    let lane = |n: u32| {
        let [a, b] = [0, 1].map(|at| number(x[at] >> (n * bits), bits, is));
        (a - b).unsigned_abs() as u64
    };
    (0..32 / bits).map(lane).sum()
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    for (lanes, bits) in [(2, 16u32), (4, 8)] {
        let other = 24 - bits;
        for &(name, count, is, f) in ROWS {
            let of = if count == 1 { "u32" } else { "u32 u32" };
            let mut it = Operation::new("lanes", format!("{name}{lanes}"), of, "u32", move |x| {
                each(x, bits, is, f)
            })
            .mutant("lanes of the other width", move |x| each(x, other, is, f));
            // Sums and differences wrap alike, whatever the sign.
            if !matches!(name, "__vadd" | "__vsub" | "__vneg") {
                it = it.mutant("the other sign", move |x| each(x, bits, !is, f));
            }
            let wraps: Option<Lane> = match name {
                "__vnegss" => Some(|a, _, _| -a),
                "__vabsss" => Some(|a, _, _| a.abs()),
                "__vaddss" | "__vaddus" => Some(|a, b, _| a + b),
                "__vsubss" | "__vsubus" => Some(|a, b, _| a - b),
                "__vavgs" => Some(|a, b, _| (a + b + 1).div_euclid(2)),
                "__vavgu" => Some(|a, b, _| (a + b).div_euclid(2)),
                "__vhaddu" => Some(|a, b, _| (a + b + 1).div_euclid(2)),
                "__vabs" => Some(|a, _, bits| clamp(a.abs(), bits, true)),
                "__vneg" => Some(|a, _, bits| clamp(-a, bits, true)),
                "__vabsdiffs" => Some(|a, b, bits| clamp((a - b).abs(), bits, true)),
                _ => None,
            };
            if let Some(wraps) = wraps {
                it = it.mutant("wraps for saturates, or rounds the other way", move |x| {
                    each(x, bits, is, wraps)
                });
            }
            all.push(it);
        }
        for &(name, is, holds) in COMPARISONS {
            for (kind, whole) in [("cmp", true), ("set", false)] {
                let mut it = Operation::new(
                    "lanes",
                    format!("__v{kind}{name}{lanes}"),
                    "u32 u32",
                    "u32",
                    move |x| compared(x, bits, is, holds, whole),
                )
                .mutant("all bits for one", move |x| compared(x, bits, is, holds, !whole))
                .mutant("lanes of the other width", move |x| compared(x, other, is, holds, whole))
                .mutant("operands exchanged, or not so", move |x| match name {
                    "eq" | "ne" => compared(x, bits, is, |a, b| a >= b, whole),
                    _ => compared(&[x[1], x[0]], bits, is, holds, whole),
                });
                if !matches!(name, "eq" | "ne") {
                    it = it.mutant("the other sign", move |x| compared(x, bits, !is, holds, whole));
                }
                all.push(it);
            }
        }
        for (name, is) in [("__vsads", true), ("__vsadu", false)] {
            all.push(
                Operation::new("lanes", format!("{name}{lanes}"), "u32 u32", "u32", move |x| {
                    distances(x, bits, is)
                })
                .mutant("the other sign", move |x| distances(x, bits, !is))
                .mutant("lanes of the other width", move |x| distances(x, other, is))
                .mutant("of the words", |x| {
                    (signed(x[0], 32) - signed(x[1], 32)).unsigned_abs() as u64
                }),
            );
        }
    }
    all
}
