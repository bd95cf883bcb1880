//! Floats of 32 and 64 bits: arithmetic and conversions that name their rounding.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::Operation;
use super::exact::{
    F32, F64, Format, MODES, Mode, Number, add, divide, multiply, root, to_integer,
};
use super::integers::number;

/// The format of a type, and the letter of CUDA's names.
pub(crate) const BOTH: [(&str, Format, &str); 2] = [("f32", F32, "f"), ("f64", F64, "d")];

pub(crate) fn new(
    file: &'static str,
    name: &str,
    of: &str,
    gives: &str,
    f: impl Fn(&[u64]) -> u64 + 'static,
) -> Operation {
    Operation::new(file, name, of, gives, f)
}

/// Denormals are zeros.
pub(crate) fn flushed(bits: u64, format: Format) -> u64 {
    if bits & format.infinity() == 0 { bits & format.sign() } else { bits }
}

/// What an operation of floats gives before it is rounded.
pub(crate) type Exact = fn(&[Number], Mode) -> Number;

pub(crate) fn numbers(x: &[u64], format: Format) -> Vec<Number> {
    x.iter().map(|it| format.number(*it)).collect()
}

pub(crate) fn rounded(x: &[u64], format: Format, exact: Exact, mode: Mode) -> u64 {
    format.round(&exact(&numbers(x, format), mode), mode)
}

pub(crate) fn with_flush(x: &[u64], format: Format, exact: Exact, mode: Mode) -> u64 {
    let x: Vec<u64> = x.iter().map(|it| flushed(*it, format)).collect();
    flushed(rounded(&x, format, exact, mode), format)
}

/// Arithmetic: the stem of its name, operands, and what it gives.
pub(crate) const ARITHMETIC: [(&str, usize, Exact); 7] = [
    ("add", 2, |x, mode| add(&x[0], &x[1], mode)),
    ("sub", 2, |x, mode| add(&x[0], &x[1].clone().negated(), mode)),
    ("mul", 2, |x, _| multiply(&x[0], &x[1])),
    ("div", 2, |x, _| divide(&x[0], &x[1])),
    ("rcp", 1, |x, _| divide(&Number::Finite(BigRational::one()), &x[0])),
    ("sqrt", 1, |x, _| root(&x[0])),
    ("fma", 3, |x, mode| add(&multiply(&x[0], &x[1]), &x[2], mode)),
];

/// Roundings twice: the product before the sum.
pub(crate) fn unfused(x: &[u64], format: Format, mode: Mode) -> u64 {
    let numbers = numbers(x, format);
    let product = format.number(format.round(&multiply(&numbers[0], &numbers[1]), mode));
    format.round(&add(&product, &numbers[2], mode), mode)
}

/// The mutants of arithmetic under a rounding: the other ones, and denormals flushed.
pub(crate) fn mistaken(
    mut it: Operation,
    format: Format,
    exact: Exact,
    mode: Mode,
    flush: bool,
) -> Operation {
    for (name, other) in MODES.into_iter().filter(|(_, it)| *it != mode) {
        it = it.mutant(name, move |x| rounded(x, format, exact, other));
    }
    // Roots are not negative.
    if it.name.contains("sqrt") {
        match mode {
            Mode::Zero => it = it.without("rd"),
            Mode::Down => it = it.without("rz"),
            Mode::Nearest | Mode::Up => {}
        }
    }
    if flush {
        it = it.mutant("denormals are flushed", move |x| with_flush(x, format, exact, mode));
    }
    it
}

fn arithmetic(all: &mut Vec<Operation>) {
    for (ty, format, letter) in BOTH {
        for (stem, count, exact) in ARITHMETIC {
            let of = vec![ty; count].join(" ");
            for (suffix, mode) in MODES {
                let name = match (stem, ty) {
                    ("fma", "f32") => format!("__fmaf_{suffix}"),
                    ("fma", _) => format!("__fma_{suffix}"),
                    _ => format!("__{letter}{stem}_{suffix}"),
                };
                let mut it =
                    new("roundings", &name, &of, ty, move |x| rounded(x, format, exact, mode));
                it = mistaken(it, format, exact, mode, true);
                if stem == "fma" {
                    it = it.mutant("rounded twice", move |x| unfused(x, format, mode));
                }
                if ty == "f32" && stem == "fma" {
                    all.push(
                        new("roundings", &format!("__fmaf_ieee_{suffix}"), &of, ty, move |x| {
                            rounded(x, format, exact, mode)
                        })
                        .mutant("rounded twice", move |x| unfused(x, format, mode)),
                    );
                }
                all.push(it);
            }
        }
    }
}

/// The integer that a float becomes (PTX ISA, `cvt`): held to the range, and NaN is zero, or the
/// highest bit where a double or 64 bits take part.
pub(crate) fn to_int(value: &Number, mode: Mode, bits: u32, is: bool, double: bool) -> u64 {
    let (least, most) = range(bits, is);
    match value {
        Number::Nan => {
            if double || bits == 64 {
                1 << (bits - 1)
            } else {
                0
            }
        }
        Number::Infinity(negative) => (if *negative { least } else { most }) as u64,
        Number::Zero(_) => 0,
        Number::Finite(value) => {
            let whole = to_integer(value, mode);
            whole.max(least.into()).min(most.into()).to_i128().expect("it is held to 64 bits")
                as u64
        }
    }
}

pub(crate) fn range(bits: u32, is: bool) -> (i128, i128) {
    if is { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// Whether C++ defines the conversion of a float that is rounded first.
pub(crate) fn fits(value: &Number, mode: Mode, bits: u32, is: bool) -> bool {
    let (least, most) = range(bits, is);
    value.value().is_some_and(|it| {
        let whole = to_integer(&it, mode);
        whole >= least.into() && whole <= most.into()
    })
}

/// Modulo instead of held to the range.
pub(crate) fn wrapped(value: &Number, mode: Mode) -> u64 {
    let whole = value.value().map_or(BigInt::zero(), |it| to_integer(&it, mode));
    let modulus = BigInt::one() << 64;
    let rest: BigInt = ((whole % &modulus) + &modulus) % &modulus;
    rest.to_u64().expect("64 bits")
}

/// Types of integers by CUDA's words.
pub(crate) const INTEGERS: [(&str, &str, u32, bool); 4] = [
    ("int", "s32", 32, true),
    ("uint", "u32", 32, false),
    ("ll", "s64", 64, true),
    ("ull", "u64", 64, false),
];

/// Whether two roundings differ: without a sign, down is towards zero.
pub(crate) fn differ(mode: &str, other: &str, is_signed: bool) -> bool {
    mode != other && (is_signed || !matches!((mode, other), ("rz", "rd") | ("rd", "rz")))
}

fn conversions(all: &mut Vec<Operation>) {
    for (ty, format, _) in BOTH {
        let (word, double) = if ty == "f32" { ("float", false) } else { ("double", true) };
        for (integer, to, bits, is) in INTEGERS {
            for (suffix, mode) in MODES {
                let name = format!("__{word}2{integer}_{suffix}");
                let mut it = new("conversions", &name, ty, to, move |x| {
                    to_int(&format.number(x[0]), mode, bits, is, double)
                })
                .open(move |x| !fits(&format.number(x[0]), mode, bits, is))
                .mutant("modulo for held to the range", move |x| {
                    wrapped(&format.number(x[0]), mode)
                })
                .mutant("NaN is another", move |x| {
                    if format.number(x[0]).is_nan() {
                        1
                    } else {
                        to_int(&format.number(x[0]), mode, bits, is, double)
                    }
                })
                .mutant("the other sign", move |x| {
                    to_int(&format.number(x[0]), mode, bits, !is, double)
                });
                for (other, mode) in MODES.into_iter().filter(|(it, _)| differ(suffix, it, is)) {
                    it = it.mutant(other, move |x| {
                        to_int(&format.number(x[0]), mode, bits, is, double)
                    });
                }
                all.push(it);
                // Each integer of 32 bits is a double.
                if ty == "f64" && bits == 32 {
                    continue;
                }
                let from = move |x: &[u64], mode, is| format.round(&whole(x[0], bits, is), mode);
                let mut it =
                    new("conversions", &format!("__{integer}2{word}_{suffix}"), to, ty, move |x| {
                        from(x, mode, is)
                    })
                    .mutant("the other sign", move |x| from(x, mode, !is));
                for (other, mode) in MODES.into_iter().filter(|(it, _)| differ(suffix, it, is)) {
                    it = it.mutant(other, move |x| from(x, mode, is));
                }
                all.push(it);
            }
        }
    }
    for (name, of, is) in [("__int2double_rn", "s32", true), ("__uint2double_rn", "u32", false)] {
        all.push(
            new("conversions", name, of, "f64", move |x| {
                F64.round(&whole(x[0], 32, is), Mode::Nearest)
            })
            .mutant("the other sign", move |x| F64.round(&whole(x[0], 32, !is), Mode::Nearest))
            .mutant("by way of a float", move |x| {
                let near = F32.round(&whole(x[0], 32, is), Mode::Nearest);
                F64.round(&F32.number(near), Mode::Nearest)
            }),
        );
    }
    for (suffix, mode) in MODES {
        let mut it =
            new("conversions", &format!("__double2float_{suffix}"), "f64", "f32", move |x| {
                F32.round(&F64.number(x[0]), mode)
            })
            .mutant("denormals are flushed", move |x| {
                flushed(F32.round(&F64.number(x[0]), mode), F32)
            })
            // Between denormals, the least, and the greatest and what is beyond.
            .wanted(&[
                &[0x3690_0000_0000_0000],
                &[0x3690_0000_0000_0001],
                &[0xb690_0000_0000_0000],
                &[0x47ef_ffff_f000_0000],
                &[0xc7ef_ffff_f000_0001],
            ]);
        for (other, mode) in MODES.into_iter().filter(|(_, it)| *it != mode) {
            it = it.mutant(other, move |x| F32.round(&F64.number(x[0]), mode));
        }
        all.push(it);
    }
    for (name, of, gives) in [
        ("__float_as_int", "f32", "s32"),
        ("__float_as_uint", "f32", "u32"),
        ("__int_as_float", "s32", "f32"),
        ("__uint_as_float", "u32", "f32"),
        ("__double_as_longlong", "f64", "s64"),
        ("__longlong_as_double", "s64", "f64"),
    ] {
        let format = if of.ends_with("32") { F32 } else { F64 };
        all.push(
            new("conversions", name, of, gives, |x| x[0])
                .defined(move |x| !format.number(x[0]).is_nan() || x[0] == format.nan())
                .mutant("the sign is lost", move |x| x[0] & !format.sign()),
        );
    }
    all.push(
        new("conversions", "__double2hiint", "f64", "s32", |x| x[0] >> 32)
            .mutant("the lower half", |x| x[0]),
    );
    all.push(
        new("conversions", "__double2loint", "f64", "s32", |x| x[0])
            .mutant("the upper half", |x| x[0] >> 32),
    );
    all.push(
        new("conversions", "__hiloint2double", "s32 s32", "f64", |x| x[0] << 32 | x[1])
            .defined(|x| !F64.number(x[0] << 32 | x[1]).is_nan())
            .mutant("the halves exchanged", |x| x[1] << 32 | x[0])
            .mutant("the lower half with its sign", |x| x[0] << 32 | x[1] as i32 as u64),
    );
}

/// An integer as a number.
pub(crate) fn whole(value: u64, bits: u32, is: bool) -> Number {
    Number::of(BigRational::from(BigInt::from(number(value, bits, is))), false)
}

/// The greater or the lesser: NaN is nobody's, and +0 is above -0 (PTX ISA, `min`, `max`).
pub(crate) fn extreme(a: &Number, b: &Number, greater: bool) -> Number {
    let order = match (a, b) {
        (Number::Nan, it) | (it, Number::Nan) => return it.clone(),
        (Number::Zero(x), Number::Zero(y)) => y.cmp(x),
        _ => a.compared(b).unwrap_or(Ordering::Equal),
    };
    if (order == Ordering::Greater) == greater { a.clone() } else { b.clone() }
}

/// Held to 0 and 1; NaN is 0.
pub(crate) fn saturated(x: u64, format: Format) -> u64 {
    let one = ((1 << (format.0 - 1)) - 1) << format.1;
    let negative = x & format.sign() != 0;
    if negative || x > format.infinity() { 0 } else { x.min(one) }
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    arithmetic(&mut all);
    conversions(&mut all);
    all
}
