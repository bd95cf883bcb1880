//! Functions of integers (CUDA's integer intrinsics): on numbers wide enough, and bit by bit.

use super::Operation;

fn new(name: &str, of: &str, gives: &str, f: impl Fn(&[u64]) -> u64 + 'static) -> Operation {
    Operation::new("integers", name, of, gives, f)
}

/// The number that `bits` bits are, with its sign.
pub(crate) fn signed(value: u64, bits: u32) -> i128 {
    let value = i128::from(unsigned(value, bits) as u64);
    if value >> (bits - 1) & 1 == 1 { value - (1 << bits) } else { value }
}

pub(crate) fn unsigned(value: u64, bits: u32) -> i128 {
    i128::from(value) & ((1 << bits) - 1)
}

pub(crate) fn number(value: u64, bits: u32, is_signed: bool) -> i128 {
    if is_signed { signed(value, bits) } else { unsigned(value, bits) }
}

/// The bits of a number from the lowest on.
pub(crate) fn bits_of(value: u64, bits: u32) -> impl DoubleEndedIterator<Item = bool> {
    (0..bits).map(move |n| value >> n & 1 == 1)
}

pub(crate) fn leading(value: u64, bits: u32) -> u64 {
    bits_of(value, bits).rev().take_while(|it| !it).count() as u64
}

pub(crate) fn trailing(value: u64, bits: u32) -> u64 {
    bits_of(value, bits).take_while(|it| !it).count() as u64
}

pub(crate) fn ones(value: u64, bits: u32) -> u64 {
    bits_of(value, bits).filter(|it| *it).count() as u64
}

pub(crate) fn reversed(value: u64, bits: u32) -> u64 {
    bits_of(value, bits).fold(0, |all, bit| all << 1 | u64::from(bit))
}

/// The upper half of a product.
pub(crate) fn high(a: u64, b: u64, bits: u32, is_signed: bool) -> u64 {
    (number(a, bits, is_signed).wrapping_mul(number(b, bits, is_signed)) >> bits) as u64
}

/// The same of 64 bits without a sign, whose product needs all of 128 bits.
fn high_unsigned(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// The byte of a word, with its sign.
fn byte(word: u64, n: u32, bits: u32, is_signed: bool) -> i128 {
    number(word >> (n * bits), bits, is_signed)
}

pub(crate) fn permuted(a: u64, b: u64, selector: u64) -> u64 {
    let all = unsigned(a, 32) as u64 | (unsigned(b, 32) as u64) << 32;
    (0..4)
        .map(|n| {
            let pick = selector >> (4 * n);
            let byte = all >> (8 * (pick & 7)) & 255;
            let byte = if pick & 8 == 0 {
                byte
            } else if byte & 128 == 0 {
                0
            } else {
                255
            };
            byte << (8 * n)
        })
        .sum()
}

/// Both words as one, shifted by a count that is taken modulo 32, or held to 32.
pub(crate) fn funnel(low: u64, top: u64, by: u64, left: bool, clamp: bool) -> u64 {
    let all = unsigned(low, 32) as u128 | (unsigned(top, 32) as u128) << 32;
    let by = if clamp { (by & 0xffff_ffff).min(32) } else { by & 31 } as u32;
    (if left { all << by >> 32 } else { all >> by }) as u64
}

pub(crate) fn dot(x: &[u64], of: (bool, bool), half: Option<u32>) -> u64 {
    let products: i128 = match half {
        None => (0..4).map(|n| byte(x[0], n, 8, of.0) * byte(x[1], n, 8, of.1)).sum(),
        Some(half) => (0..2).map(|n| byte(x[0], n, 16, of.0) * byte(x[1], n + half, 8, of.1)).sum(),
    };
    (products + number(x[2], 32, of.0 || of.1)) as u64
}

/// The place of the n-th set bit from a base on, up or down.
pub(crate) fn nth(x: &[u64]) -> u64 {
    let (mask, base, count) = (x[0], x[1], signed(x[2], 32));
    let mut places: Vec<u64> =
        if count >= 0 { (base..32).collect() } else { (0..=base).rev().collect() };
    if count == 0 {
        places = vec![base];
    }
    let mut set = places.into_iter().filter(|it| mask >> it & 1 == 1);
    set.nth((count.unsigned_abs().max(1) - 1) as usize).unwrap_or(0xffff_ffff)
}

fn extremes(all: &mut Vec<Operation>) {
    for ty in ["s32", "u32", "s64", "u64"] {
        let (bits, is) = (ty[1..].parse().expect("bits"), ty.starts_with('s'));
        let of = format!("{ty} {ty}");
        for (name, least) in [("min", true), ("max", false)] {
            let pick = move |x: &[u64], is: bool| {
                let below = number(x[0], bits, is) < number(x[1], bits, is);
                if below == least { x[0] } else { x[1] }
            };
            let label = format!("{name} of {ty}");
            all.push(
                new(&label, &of, ty, move |x| pick(x, is))
                    .code(format!("{name}(a, b)"))
                    .mutant("the other sign", move |x| pick(x, !is))
                    .mutant("the other extreme", move |x| x[0] ^ x[1] ^ pick(x, is)),
            );
        }
    }
    for (name, least) in [("umin", true), ("umax", false)] {
        let pick = move |x: &[u64], is| {
            if (number(x[0], 32, is) < number(x[1], 32, is)) == least { x[0] } else { x[1] }
        };
        all.push(
            new(name, "u32 u32", "u32", move |x| pick(x, false))
                .mutant("signed", move |x| pick(x, true)),
        );
    }
    for (name, ty, bits) in [("abs", "s32", 32), ("llabs", "s64", 64), ("labs", "l64", 64)] {
        let least = 1u64 << (bits - 1);
        all.push(
            new(name, ty, ty, move |x| signed(x[0], bits).unsigned_abs() as u64)
                .open(move |x| x[0] == least)
                .wanted(&[&[least]])
                .mutant("saturates", move |x| {
                    if x[0] == least { least - 1 } else { signed(x[0], bits).unsigned_abs() as u64 }
                })
                .mutant("the bits without the sign", move |x| x[0] & (least - 1)),
        );
    }
    for (label, ty) in [("abs of s64", "s64"), ("abs of l64", "l64")] {
        all.push(
            new(label, ty, ty, |x| signed(x[0], 64).unsigned_abs() as u64)
                .code("abs(a)")
                .open(|x| x[0] == 1 << 63)
                .wanted(&[&[1 << 63]])
                .mutant("of 32 bits", |x| signed(x[0], 32).unsigned_abs() as u64),
        );
    }
}

fn bits(all: &mut Vec<Operation>) {
    for (suffix, signed_ty, unsigned_ty, n) in [("", "s32", "u32", 32u32), ("ll", "s64", "u64", 64)]
    {
        let wide = if n == 32 { 64 } else { 32 };
        all.push(
            new(&format!("__clz{suffix}"), signed_ty, "s32", move |x| leading(x[0], n))
                .mutant("trailing", move |x| trailing(x[0], n))
                .mutant("the index of the highest", move |x| {
                    u64::from(n - 1).wrapping_sub(leading(x[0], n))
                })
                .mutant("the other width", move |x| leading(x[0], wide)),
        );
        all.push(
            new(&format!("__ffs{suffix}"), signed_ty, "s32", move |x| {
                if unsigned(x[0], n) == 0 { 0 } else { trailing(x[0], n) + 1 }
            })
            .mutant("from zero", move |x| trailing(x[0], n))
            .mutant("zero is all", move |x| trailing(x[0], n) + 1),
        );
        all.push(
            new(&format!("__popc{suffix}"), unsigned_ty, "s32", move |x| ones(x[0], n))
                .mutant("zeros", move |x| u64::from(n) - ones(x[0], n))
                .mutant("the lower half", move |x| ones(x[0], n / 2)),
        );
        all.push(
            new(&format!("__brev{suffix}"), unsigned_ty, unsigned_ty, move |x| reversed(x[0], n))
                .mutant("bytes", move |x| {
                    if n == 32 { u64::from((x[0] as u32).swap_bytes()) } else { x[0].swap_bytes() }
                })
                .mutant("halves", move |x| x[0] << (n / 2) | (unsigned(x[0], n) as u64) >> (n / 2)),
        );
    }
    all.push(
        new("__fns", "u32 u32 s32", "u32", nth)
            .defined(|x| x[1] < 32)
            .mutant("from zero", |x| nth(&[x[0], x[1], x[2].wrapping_add(1)]))
            .mutant("only upwards", |x| nth(&[x[0], x[1], signed(x[2], 32).unsigned_abs() as u64]))
            .wanted(&[
                &[0xff, 3, 2],
                &[0xff, 3, 0xffff_ffff],
                &[0x80, 3, 0],
                &[8, 3, 0],
                &[0xf0f0, 31, 0xffff_fffd],
            ]),
    );
    all.push(
        new("__byte_perm", "u32 u32 u32", "u32", |x| permuted(x[0], x[1], x[2]))
            .mutant("operands exchanged", |x| permuted(x[1], x[0], x[2]))
            .mutant("no signs", |x| permuted(x[0], x[1], x[2] & 0x7777)),
    );
    for (name, left, clamp) in [
        ("__funnelshift_l", true, false),
        ("__funnelshift_r", false, false),
        ("__funnelshift_lc", true, true),
        ("__funnelshift_rc", false, true),
    ] {
        all.push(
            new(name, "u32 u32 u32", "u32", move |x| funnel(x[0], x[1], x[2], left, clamp))
                .mutant("clamp for modulo", move |x| funnel(x[0], x[1], x[2], left, !clamp))
                .mutant("the other direction", move |x| funnel(x[0], x[1], x[2], !left, clamp))
                .mutant("halves exchanged", move |x| funnel(x[1], x[0], x[2], left, clamp)),
        );
    }
}

fn products(all: &mut Vec<Operation>) {
    for (name, ty, is) in [("__mulhi", "s32", true), ("__umulhi", "u32", false)] {
        all.push(
            new(name, &format!("{ty} {ty}"), ty, move |x| high(x[0], x[1], 32, is))
                .mutant("the other sign", move |x| high(x[0], x[1], 32, !is))
                .mutant("the lower half", |x| x[0].wrapping_mul(x[1])),
        );
    }
    all.push(
        new("__mul64hi", "s64 s64", "s64", |x| high(x[0], x[1], 64, true))
            .mutant("unsigned", |x| high_unsigned(x[0], x[1]))
            .mutant("the lower half", |x| x[0].wrapping_mul(x[1])),
    );
    all.push(
        new("__umul64hi", "u64 u64", "u64", |x| high_unsigned(x[0], x[1]))
            .mutant("signed", |x| high(x[0], x[1], 64, true))
            .mutant("the lower half", |x| x[0].wrapping_mul(x[1])),
    );
    for (name, ty, is) in [("__mul24", "s32", true), ("__umul24", "u32", false)] {
        let product = |x: &[u64], is: bool| (number(x[0], 24, is) * number(x[1], 24, is)) as u64;
        all.push(
            new(name, &format!("{ty} {ty}"), ty, move |x| product(x, is))
                .mutant("the other sign", move |x| product(x, !is))
                .mutant("all bits", |x| x[0].wrapping_mul(x[1])),
        );
    }
    for (name, ty, is) in [("__sad", "s32", true), ("__usad", "u32", false)] {
        let sum = |x: &[u64], is: bool| {
            ((number(x[0], 32, is) - number(x[1], 32, is)).abs() + unsigned(x[2], 32)) as u64
        };
        all.push(
            new(name, &format!("{ty} {ty} u32"), "u32", move |x| sum(x, is))
                .mutant("the other sign", move |x| sum(x, !is))
                .mutant("the difference", move |x| {
                    (number(x[0], 32, is) - number(x[1], 32, is) + unsigned(x[2], 32)) as u64
                }),
        );
    }
    for (name, ty, is, up) in [
        ("__hadd", "s32", true, false),
        ("__rhadd", "s32", true, true),
        ("__uhadd", "u32", false, false),
        ("__urhadd", "u32", false, true),
    ] {
        let mean = |x: &[u64], is: bool, up: bool| {
            (number(x[0], 32, is) + number(x[1], 32, is) + i128::from(up)).div_euclid(2) as u64
        };
        all.push(
            new(name, &format!("{ty} {ty}"), ty, move |x| mean(x, is, up))
                .code(format!("{name}(a, b)"))
                .mutant("rounded the other way", move |x| mean(x, is, !up))
                .mutant("the other sign", move |x| mean(x, !is, up))
                .mutant("the sum wraps", move |x| {
                    number(x[0].wrapping_add(x[1]).wrapping_add(u64::from(up)), 32, is)
                        .div_euclid(2) as u64
                }),
        );
    }
    for (ty, is) in [("s32", true), ("u32", false)] {
        let of = format!("{ty} {ty} {ty}");
        for (name, half) in [("__dp4a", None), ("__dp2a_lo", Some(0)), ("__dp2a_hi", Some(2))] {
            let mut it = new(&format!("{name} of {ty}"), &of, ty, move |x| dot(x, (is, is), half))
                .code(format!("{name}(a, b, c)"))
                .mutant("the other sign", move |x| dot(x, (!is, !is), half))
                .mutant("of mixed signs", move |x| dot(x, (is, !is), half))
                .mutant("no sum", move |x| dot(&[x[0], x[1], 0], (is, is), half));
            if let Some(half) = half {
                it = it.mutant("the other half", move |x| dot(x, (is, is), Some(2 - half)));
            }
            all.push(it);
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    extremes(&mut all);
    bits(&mut all);
    products(&mut all);
    all
}
