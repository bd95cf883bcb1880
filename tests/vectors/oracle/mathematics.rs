//! Mathematical functions whose results IEEE 754 or C leave no choice for.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Operation;
use super::exact::{F32, Format, Mode, Number, add, multiply, root, to_integer};
use super::floats::{
    ARITHMETIC, BOTH, extreme, flushed, new, numbers, rounded, saturated, unfused, whole,
    with_flush,
};
use super::integers::number;

/// The whole number near a float, with the float's sign.
fn near_whole(value: &Number, how: fn(&BigRational) -> BigInt) -> Number {
    match value {
        Number::Finite(it) => Number::of(how(it).into(), it.is_negative()),
        Number::Nan | Number::Infinity(_) | Number::Zero(_) => value.clone(),
    }
}

/// Halves go away from zero.
fn away(value: &BigRational) -> BigInt {
    let half = BigRational::new(1.into(), 2.into());
    let size = (value.abs() + half).floor().to_integer();
    if value.is_negative() { -size } else { size }
}

/// A function to whole numbers.
type ToWhole = (&'static str, fn(&BigRational) -> BigInt);

const WHOLE: [ToWhole; 6] = [
    ("ceil", |it| to_integer(it, Mode::Up)),
    ("floor", |it| to_integer(it, Mode::Down)),
    ("trunc", |it| to_integer(it, Mode::Zero)),
    ("rint", |it| to_integer(it, Mode::Nearest)),
    ("nearbyint", |it| to_integer(it, Mode::Nearest)),
    ("round", away),
];

pub(crate) fn operations() -> Vec<Operation> {
    let mut made = Vec::new();
    let all = &mut made;
    for (ty, format, letter) in BOTH {
        let f = if letter == "f" { "f" } else { "" };
        let two = format!("{ty} {ty}");
        let near = Mode::Nearest;
        let give = move |it: Number| format.round(&it, near);
        let one = |name: &str, gives: &str, f: Box<dyn Fn(u64) -> u64>| {
            new("mathematics", name, ty, gives, move |x| f(x[0]))
        };
        for (stem, how) in WHOLE {
            let mut it = one(
                &format!("{stem}{f}"),
                ty,
                Box::new(move |x| give(near_whole(&format.number(x), how))),
            )
            .mutant("zero without its sign", move |x| {
                give(near_whole(&format.number(x[0]), how))
                    & if format.number(x[0]).value().is_some_and(|it| how(&it).is_zero()) {
                        !format.sign()
                    } else {
                        u64::MAX
                    }
            });
            for (other, otherwise) in WHOLE.into_iter().filter(|(it, _)| {
                *it != stem
                    && [*it, stem] != ["rint", "nearbyint"]
                    && [*it, stem] != ["nearbyint", "rint"]
            }) {
                it = it.mutant(other, move |x| give(near_whole(&format.number(x[0]), otherwise)));
            }
            all.push(it);
        }
        for (stem, how) in [
            ("lrint", WHOLE[3].1),
            ("llrint", WHOLE[3].1),
            ("lround", WHOLE[5].1),
            ("llround", WHOLE[5].1),
        ] {
            let gives = if stem.starts_with("ll") { "s64" } else { "l64" };
            let other = if stem.contains("rint") { WHOLE[5].1 } else { WHOLE[3].1 };
            let whole = move |x: &[u64], how: fn(&BigRational) -> BigInt| {
                format.number(x[0]).value().and_then(|it| how(&it).to_i64()).unwrap_or(0) as u64
            };
            all.push(
                new("mathematics", &format!("{stem}{f}"), ty, gives, move |x| whole(x, how))
                    .defined(move |x| {
                        format.number(x[0]).value().is_some_and(|it| how(&it).to_i64().is_some())
                    })
                    .mutant("halves go elsewhere", move |x| whole(x, other))
                    .mutant("towards zero", move |x| whole(x, WHOLE[2].1)),
            );
        }
        all.push(
            one(&format!("sqrt{f}"), ty, Box::new(move |x| give(root(&format.number(x)))))
                .mutant("towards zero", move |x| {
                    format.round(&root(&format.number(x[0])), Mode::Zero)
                })
                .mutant("denormals are flushed", move |x| {
                    with_flush(x, format, ARITHMETIC[5].2, near)
                }),
        );
        all.push(
            one(
                &format!("fabs{f}"),
                ty,
                Box::new(
                    move |x| {
                        if format.number(x).is_nan() { format.nan() } else { x & !format.sign() }
                    },
                ),
            )
            .mutant("zero keeps its sign", move |x| {
                if x[0] == format.sign() { x[0] } else { x[0] & !format.sign() }
            }),
        );
        all.push(
            new("mathematics", &format!("fma{f}"), &format!("{ty} {ty} {ty}"), ty, move |x| {
                rounded(x, format, ARITHMETIC[6].2, near)
            })
            .mutant("rounded twice", move |x| unfused(x, format, near)),
        );
        for (name, greater) in [("fmax", true), ("fmin", false)] {
            let pick = move |x: &[u64], greater| {
                give(extreme(&format.number(x[0]), &format.number(x[1]), greater))
            };
            let numbers = move |x: &[u64]| numbers(x, format);
            all.push(
                new("mathematics", &format!("{name}{f}"), &two, ty, move |x| pick(x, greater))
                    .wanted(&[&[0, format.sign()], &[format.sign(), 0]])
                    .mutant("NaN is handed on", move |x| {
                        if numbers(x).iter().any(Number::is_nan) {
                            format.nan()
                        } else {
                            pick(x, greater)
                        }
                    })
                    .mutant("the first zero", move |x| {
                        if (x[0] | x[1]) & !format.sign() == 0 { x[0] } else { pick(x, greater) }
                    })
                    .mutant("the lesser zero", move |x| {
                        if (x[0] | x[1]) & !format.sign() == 0 {
                            pick(x, !greater)
                        } else {
                            pick(x, greater)
                        }
                    })
                    .mutant("the other extreme", move |x| pick(x, !greater)),
            );
        }
        let difference = move |x: &[u64]| {
            let [a, b] = [format.number(x[0]), format.number(x[1])];
            match a.compared(&b) {
                None => Number::Nan,
                Some(Ordering::Greater) => add(&a, &b.negated(), near),
                Some(Ordering::Less | Ordering::Equal) => Number::Zero(false),
            }
        };
        all.push(
            new("mathematics", &format!("fdim{f}"), &two, ty, move |x| give(difference(x)))
                .mutant("the difference", move |x| {
                    give(add(&format.number(x[0]), &format.number(x[1]).negated(), near))
                }),
        );
        all.push(
            new("mathematics", &format!("copysign{f}"), &two, ty, move |x| {
                if format.number(x[0]).is_nan() {
                    format.nan()
                } else {
                    x[0] & !format.sign() | x[1] & format.sign()
                }
            })
            .mutant("the sign is multiplied", move |x| x[0] ^ x[1] & format.sign()),
        );
        for (name, how) in [("fmod", WHOLE[2].1), ("remainder", WHOLE[3].1)] {
            let other = if name == "fmod" { WHOLE[3].1 } else { WHOLE[2].1 };
            all.push(
                new("mathematics", &format!("{name}{f}"), &two, ty, move |x| {
                    give(rest(x, format, how))
                })
                .mutant("the quotient rounded otherwise", move |x| give(rest(x, format, other)))
                .mutant("zero is positive", move |x| {
                    let it = give(rest(x, format, how));
                    if it == format.sign() { 0 } else { it }
                }),
            );
        }
        all.push(
            new("mathematics", &format!("nextafter{f}"), &two, ty, move |x| next(x, format))
                .mutant("away from it", move |x| next(&[x[0], x[1] ^ format.sign()], format))
                .mutant("denormals are flushed", move |x| flushed(next(x, format), format)),
        );
        for (name, power) in [("ldexp", "s32"), ("scalbn", "s32"), ("scalbln", "l64")] {
            let bits = if power == "s32" { 32 } else { 64 };
            let scaled = move |x: &[u64], mode| {
                let by = number(x[1], bits, true).clamp(-5_000, 5_000);
                let factor = if by < 0 {
                    BigRational::new(1.into(), BigInt::one() << -by)
                } else {
                    (BigInt::one() << by).into()
                };
                format.round(&multiply(&format.number(x[0]), &Number::Finite(factor)), mode)
            };
            let mut it =
                new("mathematics", &format!("{name}{f}"), &format!("{ty} {power}"), ty, move |x| {
                    scaled(x, near)
                })
                .mutant("towards zero", move |x| scaled(x, Mode::Zero));
            if bits == 32 {
                it = it.mutant("denormals are flushed", move |x| flushed(scaled(x, near), format));
            }
            let minus = |n: i64| n as u64 & if bits == 32 { 0xffff_ffff } else { u64::MAX };
            it = it.wanted(&[
                &[format.infinity() - 1, minus(-(1 << (format.0 - 1)) - 10)],
                &[(1 << format.1) + 3, minus(-1)],
                &[(1 << format.1) + 1, minus(-1)],
                &[(3 << format.1) + 7, minus(-3)],
                &[1, minus(-1)],
                &[format.sign() | 3, minus(-1)],
                &[1, 40],
                &[1, 1 << 30],
            ]);
            all.push(it);
        }
        // The exponent of the highest bit: of zero and NaN there is none.
        let highest = move |x: u64| {
            let size = format.number(x).value().filter(|it| !it.is_zero()).map(|it| it.abs());
            size.map(|it| Format(11, 52).round(&Number::Finite(it), Mode::Zero)).map(|it| {
                let field = (it >> 52) as i64;
                if field > 0 { field - 1023 } else { -1022 - (it << 12).leading_zeros() as i64 - 1 }
            })
        };
        all.push(
            one(&format!("ilogb{f}"), "s32", Box::new(move |x| highest(x).unwrap_or(0) as u64))
                .defined(move |x| highest(x[0]).is_some())
                .mutant("of denormals the field", move |x| {
                    highest(x[0]).unwrap_or(0).max(format.least() - 1) as u64
                }),
        );
        all.push(
            one(
                &format!("logb{f}"),
                ty,
                Box::new(move |x| match format.number(x) {
                    Number::Zero(_) => format.infinity() | format.sign(),
                    Number::Infinity(_) => format.infinity(),
                    Number::Nan => format.nan(),
                    Number::Finite(_) => give(whole(highest(x).unwrap_or(0) as u64, 64, true)),
                }),
            )
            .mutant("of denormals the field", move |x| match highest(x[0]) {
                None => format.nan(),
                Some(it) => give(whole(it.max(format.least() - 1) as u64, 64, true)),
            }),
        );
        for (name, is) in [
            ("isnan", (|it: &Number| it.is_nan()) as fn(&Number) -> bool),
            ("isinf", |it| matches!(it, Number::Infinity(_))),
            ("isfinite", |it| it.value().is_some()),
        ] {
            all.push(
                new("mathematics", &format!("{name} of {ty}"), ty, "bool", move |x| {
                    u64::from(is(&format.number(x[0])))
                })
                .code(format!("{name}(a)"))
                .mutant("the bits of the exponent", move |x| {
                    u64::from(x[0] & format.infinity() == format.infinity())
                        ^ u64::from(name == "isfinite")
                        ^ u64::from(name == "isfinite" && x[0] & !format.sign() == 0)
                })
                .wanted(&[
                    &[0],
                    &[format.nan()],
                    &[format.infinity()],
                    &[format.infinity() + 1],
                ]),
            );
        }
        all.push(
            new("mathematics", &format!("signbit of {ty}"), ty, "bool", move |x| {
                u64::from(x[0] & format.sign() != 0)
            })
            .code("signbit(a)")
            .defined(move |x| !format.number(x[0]).is_nan())
            .mutant("less than zero", move |x| {
                u64::from(x[0] & format.sign() != 0 && x[0] != format.sign())
            }),
        );
        parts(all, (ty, format, f));
    }
    all.push(
        new("mathematics", "__saturatef", "f32", "f32", |x| saturated(x[0], F32))
            .mutant("NaN is handed on", |x| {
                if F32.number(x[0]).is_nan() { F32.nan() } else { saturated(x[0], F32) }
            })
            .mutant("to -1", |x| {
                if F32.number(x[0]).is_negative() { x[0] } else { saturated(x[0], F32) }
            }),
    );
    made
}

/// What is left of a division whose quotient is a whole number; zero has the dividend's sign.
fn rest(x: &[u64], format: Format, how: fn(&BigRational) -> BigInt) -> Number {
    let [a, b] = [format.number(x[0]), format.number(x[1])];
    match (&a, &b) {
        (Number::Nan, _) | (_, Number::Nan) | (Number::Infinity(_), _) | (_, Number::Zero(_)) => {
            Number::Nan
        }
        (Number::Zero(_), _) | (_, Number::Infinity(_)) => a,
        (Number::Finite(of), Number::Finite(by)) => {
            let quotient = BigRational::from(how(&(of / by)));
            Number::of(of - quotient * by, of.is_negative())
        }
    }
}

/// The next float towards another.
fn next(x: &[u64], format: Format) -> u64 {
    let [a, b] = [format.number(x[0]), format.number(x[1])];
    match a.compared(&b) {
        None => format.nan(),
        Some(Ordering::Equal) => x[1],
        Some(order) => match a {
            Number::Zero(_) => 1 | if order == Ordering::Greater { format.sign() } else { 0 },
            _ if (order == Ordering::Less) == a.is_negative() => x[0] - 1,
            _ => x[0] + 1,
        },
    }
}

/// Functions of two results, each a row.
fn parts(all: &mut Vec<Operation>, (ty, format, f): (&'static str, Format, &str)) {
    let give = move |it: Number| format.round(&it, Mode::Nearest);
    let cut = |it: &BigRational| to_integer(it, Mode::Zero);
    let c = if ty == "f32" { "float" } else { "double" };
    let two = |call: &str, kind: &str, first: bool| {
        let r = if first { "r0" } else { "r1" };
        format!("({{ {kind} r1; auto r0 = {call}; (void)r0; {r}; }})")
    };
    all.push(
        new("mathematics", &format!("modf{f}"), ty, ty, move |x| match format.number(x[0]) {
            Number::Infinity(negative) => give(Number::Zero(negative)),
            it @ (Number::Nan | Number::Zero(_)) => give(it),
            Number::Finite(it) => {
                give(Number::of(&it - BigRational::from(cut(&it)), it.is_negative()))
            }
        })
        .code(two(&format!("modf{f}(a, &r1)"), c, true))
        .mutant("zero is positive", move |x| match format.number(x[0]).value() {
            Some(it) => give(Number::of(&it - BigRational::from(cut(&it)), false)),
            None => give(format.number(x[0])),
        }),
    );
    all.push(
        new("mathematics", &format!("modf{f}, the whole"), ty, ty, move |x| {
            give(near_whole(&format.number(x[0]), WHOLE[2].1))
        })
        .code(two(&format!("modf{f}(a, &r1)"), c, false))
        .mutant("rounded down", move |x| give(near_whole(&format.number(x[0]), WHOLE[1].1))),
    );
    // A fraction from 1/2 to 1, and the power of two.
    let split = move |x: u64| {
        format.number(x).value().filter(|it| !it.is_zero()).map(|it| {
            let (mut size, mut power) = (it.clone(), 0i64);
            let (one, two) = (BigRational::one(), BigRational::from(BigInt::from(2)));
            let half = &one / &two;
            while size.abs() >= one {
                size /= &two;
                power += 1;
            }
            while size.abs() < half {
                size *= &two;
                power -= 1;
            }
            (size, power)
        })
    };
    all.push(
        new("mathematics", &format!("frexp{f}"), ty, ty, move |x| {
            split(x[0]).map_or(give(format.number(x[0])), |it| give(Number::Finite(it.0)))
        })
        .code(two(&format!("frexp{f}(a, &r1)"), "int", true))
        .mutant("from 1 to 2", move |x| {
            split(x[0])
                .map_or(x[0], |it| give(Number::Finite(it.0 * BigRational::from(BigInt::from(2)))))
        }),
    );
    all.push(
        new("mathematics", &format!("frexp{f}, the power"), ty, "s32", move |x| {
            split(x[0]).map_or(0, |it| it.1 as u64)
        })
        .defined(move |x| format.number(x[0]).value().is_some())
        .code(two(&format!("frexp{f}(a, &r1)"), "int", false))
        .mutant("from 1 to 2", move |x| split(x[0]).map_or(0, |it| (it.1 - 1) as u64)),
    );
    all.push(
        new("mathematics", &format!("remquo{f}"), &format!("{ty} {ty}"), ty, move |x| {
            give(rest(x, format, WHOLE[3].1))
        })
        .code(two(&format!("remquo{f}(a, b, &r1)"), "int", true))
        .mutant("towards zero", move |x| give(rest(x, format, WHOLE[2].1))),
    );
    // The lowest three bits, with the sign of the quotient.
    let quotient = move |x: &[u64], how: fn(&BigRational) -> BigInt| {
        let [a, b] = [format.number(x[0]).value(), format.number(x[1]).value()];
        match (a, b) {
            (Some(a), Some(b)) if !b.is_zero() => {
                (how(&(a / b)) % 8i32).to_i64().unwrap_or(0) as u64
            }
            _ => 0,
        }
    };
    all.push(
        new(
            "mathematics",
            &format!("remquo{f}, the quotient"),
            &format!("{ty} {ty}"),
            "s32",
            move |x| quotient(x, WHOLE[3].1),
        )
        .defined(move |x| {
            format.number(x[0]).value().is_some()
                && format.number(x[1]).value().is_some_and(|it| !it.is_zero())
        })
        .code(format!("({{ int q; auto r0 = remquo{f}(a, b, &q); (void)r0; q % 8; }})"))
        .mutant("towards zero", move |x| quotient(x, WHOLE[2].1)),
    );
}
