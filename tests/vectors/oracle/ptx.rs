//! Instructions of PTX (ISA 9.7.1 to 9.7.9), by the manual, on the same arithmetic.

use super::Operation;
use super::exact::{F16, F32, F64, Format, MODES, Mode, Number, to_integer};
use super::floats::{ARITHMETIC, differ, extreme, mistaken, rounded, to_int, unfused, whole};
use super::integers::{
    dot, funnel, high, leading, number, ones, permuted, reversed, signed, unsigned,
};

const TWO: &str = "%0, %1, %2";
const THREE: &str = "%0, %1, %2, %3";

fn new(
    name: &str,
    of: &str,
    gives: &str,
    operands: &str,
    f: impl Fn(&[u64]) -> u64 + 'static,
) -> Operation {
    Operation::new("ptx", name, of, gives, f).ptx(operands)
}

/// A rounding in the words of PTX.
fn word(mode: &str) -> &str {
    match mode {
        "ru" => "rp",
        "rd" => "rm",
        other => other,
    }
}

/// Shifts: counts beyond the width give what is left when all bits are out.
fn shifted(value: u64, by: u64, bits: u32, left: bool, is: bool) -> u64 {
    let by = (by & 0xffff_ffff).min(u64::from(bits)) as u32;
    let value = number(value, bits, is);
    if left { ((value as u128) << by) as u64 } else { (value >> by) as u64 }
}

/// `bfe`: bits from a place on; above the value is the sign, or zero.
fn extracted(x: &[u64], bits: u32, is: bool) -> u64 {
    let (at, length) = (x[1] & 255, x[2] & 255);
    let most = u64::from(bits - 1);
    let sign_at = (at + length).wrapping_sub(1).min(most);
    let sign = is && length > 0 && x[0] >> sign_at & 1 == 1;
    (0..u64::from(bits))
        .map(|n| {
            let own = if n < length && at + n <= most { x[0] >> (at + n) & 1 == 1 } else { sign };
            u64::from(own) << n
        })
        .sum()
}

/// `bfi`: the lowest bits of one value in the place of others.
fn inserted(x: &[u64], bits: u32) -> u64 {
    let (at, length) = (x[2] & 255, x[3] & 255);
    (0..u64::from(bits))
        .map(|n| {
            let from = if n >= at && n < at + length { x[0] >> (n - at) } else { x[1] >> n };
            (from & 1) << n
        })
        .sum()
}

fn lop3(x: &[u64], table: u64) -> u64 {
    (0..32)
        .map(|n| {
            let row = (x[0] >> n & 1) << 2 | (x[1] >> n & 1) << 1 | x[2] >> n & 1;
            (table >> row & 1) << n
        })
        .sum()
}

fn integers(all: &mut Vec<Operation>) {
    for bits in [32u32, 64] {
        for (letter, is) in [("s", true), ("u", false)] {
            let ty = format!("{letter}{bits}");
            let (two, three) = (format!("{ty} {ty}"), format!("{ty} {ty} {ty}"));
            let least = 1u64 << (bits - 1);
            for (name, least) in [("min", true), ("max", false)] {
                let pick = move |x: &[u64], is| {
                    if (number(x[0], bits, is) < number(x[1], bits, is)) == least {
                        x[0]
                    } else {
                        x[1]
                    }
                };
                all.push(
                    new(&format!("{name}.{ty}"), &two, &ty, TWO, move |x| pick(x, is))
                        .mutant("the other sign", move |x| pick(x, !is)),
                );
            }
            let upper = move |x: &[u64], is: bool| match (bits, is) {
                (64, false) => ((u128::from(x[0]) * u128::from(x[1])) >> 64) as u64,
                _ => high(x[0], x[1], bits, is),
            };
            all.push(
                new(&format!("mul.hi.{ty}"), &two, &ty, TWO, move |x| upper(x, is))
                    .mutant("the other sign", move |x| upper(x, !is))
                    .mutant("the lower half", |x| x[0].wrapping_mul(x[1])),
            );
            all.push(
                new(&format!("mul.lo.{ty}"), &two, &ty, TWO, |x| x[0].wrapping_mul(x[1]))
                    .mutant("the upper half", move |x| upper(x, is)),
            );
            all.push(
                new(&format!("mad.lo.{ty}"), &three, &ty, THREE, |x| {
                    x[0].wrapping_mul(x[1]).wrapping_add(x[2])
                })
                .mutant("the upper half", move |x| upper(x, is).wrapping_add(x[2])),
            );
            all.push(
                new(&format!("mad.hi.{ty}"), &three, &ty, THREE, move |x| {
                    upper(x, is).wrapping_add(x[2])
                })
                .mutant("the sum first", |x| x[0].wrapping_mul(x[1]).wrapping_add(x[2]))
                .mutant("the other sign", move |x| upper(x, !is).wrapping_add(x[2])),
            );
            for (name, quotient) in [("div", true), ("rem", false)] {
                let f = move |x: &[u64], is: bool| {
                    let (a, b) = (number(x[0], bits, is), number(x[1], bits, is));
                    if b == 0 {
                        0
                    } else if quotient {
                        (a / b) as u64
                    } else {
                        (a % b) as u64
                    }
                };
                all.push(
                    new(&format!("{name}.{ty}"), &two, &ty, TWO, move |x| f(x, is))
                        .defined(move |x| {
                            unsigned(x[1], bits) != 0
                                && !(is && x[0] == least && signed(x[1], bits) == -1)
                        })
                        .mutant("the other sign", move |x| f(x, !is))
                        .mutant("rounded down", move |x| {
                            let (a, b) = (number(x[0], bits, true), number(x[1], bits, true));
                            if b == 0 {
                                0
                            } else if quotient {
                                a.div_euclid(b) as u64
                            } else {
                                a.rem_euclid(b) as u64
                            }
                        }),
                );
            }
            all.push(
                new(&format!("shr.{ty}"), &format!("{ty} u32"), &ty, TWO, move |x| {
                    shifted(x[0], x[1], bits, false, is)
                })
                .mutant("the other kind", move |x| shifted(x[0], x[1], bits, false, !is))
                .mutant("modulo for clamp", move |x| {
                    shifted(x[0], x[1] % u64::from(bits), bits, false, is)
                })
                .wanted(&[&[least, u64::from(bits)], &[least, 200]]),
            );
            all.push(
                new(&format!("bfe.{ty}"), &format!("{ty} u32 u32"), &ty, THREE, move |x| {
                    extracted(x, bits, is)
                })
                .mutant("the other sign", move |x| extracted(x, bits, !is))
                .mutant("all bits of the counts", move |x| {
                    if x[1] > 255 || x[2] > 255 { 0 } else { extracted(x, bits, is) }
                })
                .wanted(&[
                    &[0xff80_7f01, 7, 9],
                    &[0xff80_7f01, 24, 16],
                    &[least | (least - 1), 40, 1],
                    &[0xff80_7f01, 256 + 8, 256 + 8],
                    &[5, 0, 0],
                ]),
            );
            all.push(
                new(&format!("sad.{ty}"), &three, &ty, THREE, move |x| {
                    ((number(x[0], bits, is) - number(x[1], bits, is)).abs() + unsigned(x[2], bits))
                        as u64
                })
                .mutant("the difference", move |x| {
                    (number(x[0], bits, is) - number(x[1], bits, is) + unsigned(x[2], bits)) as u64
                }),
            );
            let wide = format!("{letter}{}", bits * 2);
            if bits == 32 {
                all.push(
                    new(&format!("mul.wide.{ty}"), &two, &wide, TWO, move |x| {
                        (number(x[0], 32, is) * number(x[1], 32, is)) as u64
                    })
                    .mutant("the other sign", move |x| {
                        (number(x[0], 32, !is) * number(x[1], 32, !is)) as u64
                    }),
                );
                all.push(
                    new(
                        &format!("mad.wide.{ty}"),
                        &format!("{two} {wide}"),
                        &wide,
                        THREE,
                        move |x| {
                            (number(x[0], 32, is) * number(x[1], 32, is))
                                .wrapping_add(i128::from(x[2])) as u64
                        },
                    )
                    .mutant("the other sign", move |x| {
                        (number(x[0], 32, !is) * number(x[1], 32, !is))
                            .wrapping_add(i128::from(x[2])) as u64
                    }),
                );
                let narrow = move |x: &[u64], is: bool| number(x[0], 24, is) * number(x[1], 24, is);
                all.push(
                    new(&format!("mul24.lo.{ty}"), &two, &ty, TWO, move |x| narrow(x, is) as u64)
                        .mutant("all bits", |x| x[0].wrapping_mul(x[1])),
                );
                all.push(
                    new(&format!("mul24.hi.{ty}"), &two, &ty, TWO, move |x| {
                        (narrow(x, is) >> 16) as u64
                    })
                    .mutant("the lower part", move |x| narrow(x, is) as u64)
                    .mutant("the other sign", move |x| (narrow(x, !is) >> 16) as u64),
                );
                all.push(
                    new(&format!("mad24.lo.{ty}"), &three, &ty, THREE, move |x| {
                        (narrow(x, is) as u64).wrapping_add(x[2])
                    })
                    .mutant("all bits", |x| x[0].wrapping_mul(x[1]).wrapping_add(x[2])),
                );
                for (from, own) in [("8", 8u32), ("16", 16)] {
                    let cut = move |x: &[u64], is| number(x[0], own, is) as u64;
                    all.push(
                        Operation::new(
                            "ptx",
                            format!("cvt.{letter}32.{letter}{from}"),
                            &ty,
                            &ty,
                            move |x| cut(x, is),
                        )
                        .ptx("%0, %1")
                        .code("")
                        .mutant("the other extension", move |x| cut(x, !is)),
                    );
                }
            }
        }
        let ty = format!("u{bits}");
        all.push(
            new(&format!("shl.b{bits}"), &format!("{ty} u32"), &ty, TWO, move |x| {
                shifted(x[0], x[1], bits, true, false)
            })
            .mutant("modulo for clamp", move |x| {
                shifted(x[0], x[1] % u64::from(bits), bits, true, false)
            })
            .wanted(&[&[5, u64::from(bits)], &[5, 1 << 20]]),
        );
        all.push(
            new(&format!("popc.b{bits}"), &ty, "u32", "%0, %1", move |x| ones(x[0], bits))
                .mutant("zeros", move |x| u64::from(bits) - ones(x[0], bits)),
        );
        all.push(
            new(&format!("clz.b{bits}"), &ty, "u32", "%0, %1", move |x| leading(x[0], bits))
                .mutant("the index", move |x| {
                    u64::from(bits - 1).wrapping_sub(leading(x[0], bits))
                }),
        );
        all.push(
            new(&format!("brev.b{bits}"), &ty, &ty, "%0, %1", move |x| reversed(x[0], bits))
                .mutant("bytes", |x| x[0].swap_bytes()),
        );
        all.push(
            new(
                &format!("bfi.b{bits}"),
                &format!("{ty} {ty} u32 u32"),
                &ty,
                "%0, %1, %2, %3, %4",
                move |x| inserted(x, bits),
            )
            .mutant("all bits of the counts", move |x| {
                if x[2] > 255 || x[3] > 255 { x[1] } else { inserted(x, bits) }
            })
            .mutant("the values exchanged", move |x| inserted(&[x[1], x[0], x[2], x[3]], bits))
            .wanted(&[
                &[0xabc, 0, 4, 8],
                &[u64::MAX >> (64 - bits), 0, 28, 8],
                &[1, 0, 256 + 3, 256 + 5],
                &[0, u64::MAX >> (64 - bits), 40, 30],
            ]),
        );
        for (name, is) in [("abs", true), ("neg", false)] {
            let sty = format!("s{bits}");
            all.push(
                new(&format!("{name}.{sty}"), &sty, &sty, "%0, %1", move |x| {
                    if is { signed(x[0], bits).unsigned_abs() as u64 } else { x[0].wrapping_neg() }
                })
                .wanted(&[&[1 << (bits - 1)]])
                .mutant("not", |x| !x[0]),
            );
        }
        all.push(
            new(&format!("cnot.b{bits}"), &ty, &ty, "%0, %1", move |x| {
                u64::from(unsigned(x[0], bits) == 0)
            })
            .mutant("not", |x| !x[0]),
        );
        for (letter, is) in [("u", false), ("s", true)] {
            let f = move |x: &[u64], amount: bool| {
                let value = if is && signed(x[0], bits) < 0 { !x[0] } else { x[0] };
                let zeros = leading(value, bits);
                if zeros == u64::from(bits) {
                    u64::MAX
                } else if amount {
                    zeros
                } else {
                    u64::from(bits - 1) - zeros
                }
            };
            for (suffix, amount) in [("", false), (".shiftamt", true)] {
                all.push(
                    new(
                        &format!("bfind{suffix}.{letter}{bits}"),
                        &format!("{letter}{bits}"),
                        "u32",
                        "%0, %1",
                        move |x| f(x, amount),
                    )
                    .mutant("the other end", move |x| f(x, !amount)),
                );
            }
        }
    }
    for (name, left) in [("l", true), ("r", false)] {
        for (mode, clamp) in [("wrap", false), ("clamp", true)] {
            all.push(
                new(&format!("shf.{name}.{mode}.b32"), "u32 u32 u32", "u32", THREE, move |x| {
                    funnel(x[0], x[1], x[2], left, clamp)
                })
                .mutant("the other mode", move |x| funnel(x[0], x[1], x[2], left, !clamp))
                .mutant("the other way", move |x| funnel(x[0], x[1], x[2], !left, clamp)),
            );
        }
    }
    all.push(
        new("prmt.b32", "u32 u32 u32", "u32", THREE, |x| permuted(x[0], x[1], x[2]))
            .mutant("no signs", |x| permuted(x[0], x[1], x[2] & 0x7777)),
    );
    for table in [0x96u64, 0xe8, 0xca, 0x1b] {
        let mut it = Operation::new(
            "ptx",
            format!("lop3.b32 of {table:#x}"),
            "u32 u32 u32",
            "u32",
            move |x| lop3(x, table),
        );
        it.ptx = Some(format!("lop3.b32 %0, %1, %2, %3, {table:#x};"));
        let backwards = (0..8).map(|n| (table >> (7 - n) & 1) << n).sum();
        all.push(
            it.mutant("the table backwards", move |x| lop3(x, backwards))
                .mutant("no table", |x| x[0] & x[1] ^ x[2]),
        );
    }
    for (a, of_a) in [("s32", true), ("u32", false)] {
        for (b, of_b) in [("s32", true), ("u32", false)] {
            let (of, gives) = (format!("{a} {b} s32"), "s32");
            for (name, half) in [("dp4a", None), ("dp2a.lo", Some(0)), ("dp2a.hi", Some(2))] {
                all.push(
                    new(&format!("{name}.{a}.{b}"), &of, gives, THREE, move |x| {
                        dot(x, (of_a, of_b), half)
                    })
                    .mutant("the other signs", move |x| dot(x, (!of_a, !of_b), half)),
                );
            }
        }
    }
}

fn floats(all: &mut Vec<Operation>) {
    for (ty, format) in [("f32", F32), ("f64", F64)] {
        for (stem, count, exact) in ARITHMETIC {
            for (suffix, mode) in MODES {
                let name = format!("{stem}.{}.{ty}", word(suffix));
                let operands = ["%0, %1", TWO, THREE][count - 1];
                let mut it = new(&name, &vec![ty; count].join(" "), ty, operands, move |x| {
                    rounded(x, format, exact, mode)
                });
                it = mistaken(it, format, exact, mode, false);
                if stem == "fma" {
                    it = it.mutant("rounded twice", move |x| unfused(x, format, mode));
                }
                all.push(it);
            }
        }
        for (name, greater) in [("max", true), ("min", false)] {
            let pick = move |x: &[u64], greater| {
                format.round(
                    &extreme(&format.number(x[0]), &format.number(x[1]), greater),
                    Mode::Nearest,
                )
            };
            all.push(
                new(&format!("{name}.{ty}"), &format!("{ty} {ty}"), ty, TWO, move |x| {
                    pick(x, greater)
                })
                .wanted(&[&[0, format.sign()], &[format.sign(), 0]])
                .mutant("the lesser zero", move |x| {
                    if (x[0] | x[1]) & !format.sign() == 0 {
                        pick(x, !greater)
                    } else {
                        pick(x, greater)
                    }
                }),
            );
        }
        let double = ty == "f64";
        for (integer, bits, is) in
            [("s32", 32, true), ("u32", 32, false), ("s64", 64, true), ("u64", 64, false)]
        {
            for (suffix, mode) in MODES {
                let how = ["rni", "rzi", "rpi", "rmi"]
                    [MODES.iter().position(|it| it.1 == mode).unwrap_or(0)];
                let to =
                    move |x: &[u64], mode, is| to_int(&format.number(x[0]), mode, bits, is, double);
                let mut it =
                    new(&format!("cvt.{how}.{integer}.{ty}"), ty, integer, "%0, %1", move |x| {
                        to(x, mode, is)
                    })
                    .mutant("the other sign", move |x| to(x, mode, !is));
                for (other, mode) in MODES.into_iter().filter(|(it, _)| differ(suffix, it, is)) {
                    it = it.mutant(other, move |x| to(x, mode, is));
                }
                all.push(it);
                let from = move |x: &[u64], mode, is| format.round(&whole(x[0], bits, is), mode);
                all.push(
                    new(
                        &format!("cvt.{}.{ty}.{integer}", word(suffix)),
                        integer,
                        ty,
                        "%0, %1",
                        move |x| from(x, mode, is),
                    )
                    .mutant("the other sign", move |x| from(x, mode, !is)),
                );
            }
        }
        for (how, mode) in
            [("rni", Mode::Nearest), ("rzi", Mode::Zero), ("rpi", Mode::Up), ("rmi", Mode::Down)]
        {
            let near = move |x: &[u64], mode| match format.number(x[0]) {
                Number::Finite(it) => format.round(
                    &Number::of(to_integer(&it, mode).into(), x[0] & format.sign() != 0),
                    Mode::Nearest,
                ),
                it => format.round(&it, Mode::Nearest),
            };
            let mut it =
                new(&format!("cvt.{how}.{ty}.{ty}"), ty, ty, "%0, %1", move |x| near(x, mode));
            for (other, otherwise) in MODES.into_iter().filter(|(_, it)| *it != mode) {
                it = it.mutant(other, move |x| near(x, otherwise));
            }
            all.push(it);
        }
    }
    let narrow: [(&str, &str, Format, Format); 2] =
        [("f32", "f64", F32, F64), ("f16", "f32", F16, F32)];
    for (to, from, into, of) in narrow {
        for (suffix, mode) in MODES {
            let mut it =
                new(&format!("cvt.{}.{to}.{from}", word(suffix)), from, to, "%0, %1", move |x| {
                    into.round(&of.number(x[0]), mode)
                });
            for (other, mode) in MODES.into_iter().filter(|(_, it)| *it != mode) {
                // A half holds few floats that lie between two of its numbers on one side alone.
                it = it.mutant(other, move |x| into.round(&of.number(x[0]), mode));
            }
            // PTX has no directed rounding to f16.
            if to != "f16" || matches!(mode, Mode::Nearest | Mode::Zero) {
                all.push(it);
            }
        }
        all.push(
            new(&format!("cvt.{from}.{to}"), to, from, "%0, %1", move |x| {
                of.round(&into.number(x[0]), Mode::Nearest)
            })
            .mutant("denormals are flushed", move |x| {
                of.round(&into.number(super::floats::flushed(x[0], into)), Mode::Nearest)
            }),
        );
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    integers(&mut all);
    floats(&mut all);
    all
}
