//! The float formats of 16 bits and their pairs (`cuda_fp16.h`, `cuda_bf16.h`).

use std::cmp::Ordering;

use super::Operation;
use super::exact::{BF16, F16, F32, F64, Format, MODES, Mode, Number, add, divide, multiply, root};
use super::floats::{
    ARITHMETIC, Exact, INTEGERS, differ, extreme, fits, numbers, rounded, saturated, to_int,
    unfused, whole, wrapped,
};

const NEAR: Mode = Mode::Nearest;

/// One lane of a function.
type Lane = std::rc::Rc<dyn Fn(&[u64]) -> u64>;

/// A format: its type, the type of a pair, its name in functions.
struct Short {
    ty: &'static str,
    pair: &'static str,
    word: &'static str,
    format: Format,
}

const SHORT: [Short; 2] = [
    Short { ty: "f16", pair: "f16x2", word: "half", format: F16 },
    Short { ty: "bf16", pair: "bf16x2", word: "bfloat16", format: BF16 },
];

/// A function of both lanes.
fn both(f: &Lane) -> impl Fn(&[u64]) -> u64 + 'static {
    let f = f.clone();
    move |x| {
        let lane =
            |n: u32| f(&x.iter().map(|it| it >> (16 * n) & 0xffff).collect::<Vec<_>>()) & 0xffff;
        lane(0) | lane(1) << 16
    }
}

impl Short {
    fn made(
        &self,
        name: &str,
        of: &str,
        gives: &str,
        f: impl Fn(&[u64]) -> u64 + 'static,
    ) -> Operation {
        let file = if self.ty == "f16" { "halves" } else { "bfloats" };
        // A name of both formats has a row for each.
        Operation::new(file, format!("{name} of {}", self.ty), of, gives, f)
            .code(format!("{name}({})", ["a", "a, b", "a, b, c"][of.split(' ').count() - 1]))
    }

    /// One function of values and one of pairs, by their lanes.
    fn lanes(
        &self,
        all: &mut Vec<Operation>,
        (one, two): (&str, &str),
        count: usize,
        f: Lane,
        mutants: &[(&str, Lane)],
    ) {
        let (values, pairs) = (vec![self.ty; count].join(" "), vec![self.pair; count].join(" "));
        let g = f.clone();
        let mut single = self.made(one, &values, self.ty, move |x| g(x));
        let mut double = self.made(two, &pairs, self.pair, both(&f));
        for (name, mutant) in mutants {
            let m = mutant.clone();
            single = single.mutant(*name, move |x| m(x));
            double = double.mutant(*name, both(mutant));
        }
        let format = self.format;
        let zeros: [&[u64]; 2] = [&[0, format.sign()], &[format.sign(), 0]];
        if count == 2 {
            single = single.wanted(&zeros);
            let (one, other) = (format.sign(), format.sign() << 16);
            double = double.wanted(&[&[one, other], &[other, one]]);
        }
        let g = f.clone();
        double = double.mutant("the lanes exchanged", move |x| {
            let it = both(&g)(x);
            it >> 16 | it << 16
        });
        all.push(single);
        if !two.is_empty() {
            all.push(double);
        }
    }

    fn arithmetic(&self, all: &mut Vec<Operation>) {
        let format = self.format;
        for (stem, exact) in
            [("add", ARITHMETIC[0].2), ("sub", ARITHMETIC[1].2), ("mul", ARITHMETIC[2].2)]
        {
            let f: Lane = std::rc::Rc::new(move |x| rounded(x, format, exact, NEAR));
            let cut: Lane = std::rc::Rc::new(move |x| rounded(x, format, exact, Mode::Zero));
            let flush: Lane =
                std::rc::Rc::new(move |x| super::floats::with_flush(x, format, exact, NEAR));
            for suffix in ["", "_rn"] {
                let names = (format!("__h{stem}{suffix}"), format!("__h{stem}2{suffix}"));
                self.lanes(
                    all,
                    (&names.0, &names.1),
                    2,
                    f.clone(),
                    &[("towards zero", cut.clone()), ("denormals are flushed", flush.clone())],
                );
            }
            let held: Lane =
                std::rc::Rc::new(move |x| saturated(rounded(x, format, exact, NEAR), format));
            let names = (format!("__h{stem}_sat"), format!("__h{stem}2_sat"));
            self.lanes(all, (&names.0, &names.1), 2, held, &[("not held", f.clone())]);
        }
        let divided: Exact = |x, _| divide(&x[0], &x[1]);
        let f: Lane = std::rc::Rc::new(move |x| rounded(x, format, divided, NEAR));
        let cut: Lane = std::rc::Rc::new(move |x| rounded(x, format, divided, Mode::Zero));
        self.lanes(all, ("__hdiv", "__h2div"), 2, f, &[("towards zero", cut)]);
        let fused: Exact = |x, mode| add(&multiply(&x[0], &x[1]), &x[2], mode);
        let f: Lane = std::rc::Rc::new(move |x| rounded(x, format, fused, NEAR));
        let apart: Lane = std::rc::Rc::new(move |x| unfused(x, format, NEAR));
        let held: Lane =
            std::rc::Rc::new(move |x| saturated(rounded(x, format, fused, NEAR), format));
        let positive: Lane = std::rc::Rc::new(move |x| {
            let it = rounded(x, format, fused, NEAR);
            if it & format.sign() != 0 { 0 } else { it }
        });
        // Rounded to a double on the way.
        let twice: Lane = std::rc::Rc::new(move |x| {
            let near = F64.round(&fused(&numbers(x, format), NEAR), NEAR);
            format.round(&F64.number(near), NEAR)
        });
        let mut known = Vec::new();
        self.lanes(&mut known, ("__hfma", "__hfma2"), 3, f.clone(), &[("rounded twice", apart)]);
        if self.ty == "bf16" {
            // A half that a number far below decides: 1.5 * 1.00390625 + 2^-80.
            let sum: &[u64] = &[0x3fc1, 0x3f81, 0x1780];
            let below: &[u64] = &[0x3f81, 0x3fc1, 0x9780];
            known[0] = known
                .remove(0)
                .wanted(&[sum, below])
                .mutant("by way of a double", move |x| twice(x));
            known.rotate_right(1);
        }
        all.extend(known);
        self.lanes(all, ("__hfma_sat", "__hfma2_sat"), 3, held, &[("not held", f.clone())]);
        self.lanes(all, ("__hfma_relu", "__hfma2_relu"), 3, positive, &[("negative ones stay", f)]);
    }

    fn extremes(&self, all: &mut Vec<Operation>) {
        let format = self.format;
        for (name, greater) in [("max", true), ("min", false)] {
            let pick = move |x: &[u64], greater| {
                format.round(&extreme(&format.number(x[0]), &format.number(x[1]), greater), NEAR)
            };
            let handed =
                move |x: &[u64], greater| match numbers(x, format).iter().any(Number::is_nan) {
                    true => format.nan(),
                    false => pick(x, greater),
                };
            let f: Lane = std::rc::Rc::new(move |x| pick(x, greater));
            let nan: Lane = std::rc::Rc::new(move |x| handed(x, greater));
            let other: Lane = std::rc::Rc::new(move |x| pick(x, !greater));
            let zeros = move |first: bool| -> Lane {
                std::rc::Rc::new(move |x| {
                    if (x[0] | x[1]) & !format.sign() & 0xffff == 0 {
                        x[usize::from(!first)]
                    } else {
                        pick(x, greater)
                    }
                })
            };
            let names = [
                format!("__h{name}"),
                format!("__h{name}2"),
                format!("__h{name}_nan"),
                format!("__h{name}2_nan"),
            ];
            let first = &[
                ("NaN is handed on", nan.clone()),
                ("the other extreme", other),
                ("the first zero", zeros(true)),
                ("the second zero", zeros(false)),
            ];
            self.lanes(all, (&names[0], &names[1]), 2, f.clone(), first);
            self.lanes(all, (&names[2], &names[3]), 2, nan, &[("NaN is left out", f)]);
        }
    }

    fn comparisons(&self, all: &mut Vec<Operation>) {
        let format = self.format;
        let (two, pairs) = ([self.ty; 2].join(" "), [self.pair; 2].join(" "));
        let one = format.round(&whole(1, 32, true), NEAR);
        for (name, holds) in [
            ("eq", (|it| it == Ordering::Equal) as fn(Ordering) -> bool),
            ("ne", |it| it != Ordering::Equal),
            ("lt", |it| it == Ordering::Less),
            ("le", |it| it != Ordering::Greater),
            ("gt", |it| it == Ordering::Greater),
            ("ge", |it| it != Ordering::Less),
        ] {
            for (suffix, unordered) in [("", false), ("u", true)] {
                let is = move |a: u64, b: u64, unordered: bool| {
                    format
                        .number(a & 0xffff)
                        .compared(&format.number(b & 0xffff))
                        .map_or(unordered, holds)
                };
                let each = move |x: &[u64], unordered| {
                    [is(x[0], x[1], unordered), is(x[0] >> 16, x[1] >> 16, unordered)]
                };
                let bits = move |a: u64, b: u64| holds((a & 0xffff).cmp(&(b & 0xffff)));
                all.push(
                    self.made(&format!("__h{name}{suffix}"), &two, "bool", move |x| {
                        u64::from(is(x[0], x[1], unordered))
                    })
                    .wanted(&[&[0, format.sign()], &[format.sign(), 0], &[format.nan(), one]])
                    .mutant("NaN the other way", move |x| u64::from(is(x[0], x[1], !unordered)))
                    .mutant("by the bits", move |x| u64::from(bits(x[0], x[1]))),
                );
                all.push(
                    self.made(&format!("__hb{name}{suffix}2"), &pairs, "bool", move |x| {
                        u64::from(each(x, unordered) == [true; 2])
                    })
                    .mutant("one lane is enough", move |x| {
                        u64::from(each(x, unordered) != [false; 2])
                    })
                    .mutant("NaN the other way", move |x| {
                        u64::from(each(x, !unordered) == [true; 2])
                    }),
                );
                let lanes = move |x: &[u64], unordered, low: u64| {
                    let [a, b] = each(x, unordered).map(u64::from);
                    (a * low) | ((b * low) << 16)
                };
                all.push(
                    self.made(&format!("__h{name}{suffix}2"), &pairs, self.pair, move |x| {
                        lanes(x, unordered, one)
                    })
                    .mutant("NaN the other way", move |x| lanes(x, !unordered, one))
                    .mutant("all bits for one", move |x| lanes(x, unordered, 0xffff)),
                );
                if !unordered {
                    all.push(
                        self.made(&format!("__h{name}2_mask"), &pairs, "u32", move |x| {
                            lanes(x, false, 0xffff)
                        })
                        .mutant("one for all bits", move |x| lanes(x, false, 1))
                        .mutant("NaN the other way", move |x| lanes(x, true, 0xffff)),
                    );
                }
            }
        }
        let nan = move |x: u64| u64::from(format.number(x & 0xffff).is_nan());
        all.push(
            self.made("__hisnan", self.ty, "bool", move |x| nan(x[0]))
                .mutant("or infinite", move |x| {
                    u64::from(x[0] & format.infinity() == format.infinity())
                }),
        );
        all.push(
            self.made("__hisnan2", self.pair, self.pair, move |x| {
                (nan(x[0]) * one) | ((nan(x[0] >> 16) * one) << 16)
            })
            .mutant("the lanes exchanged", move |x| {
                (nan(x[0] >> 16) * one) | ((nan(x[0]) * one) << 16)
            }),
        );
        all.push(
            self.made("__hisinf", self.ty, "s32", move |x| match format.number(x[0]) {
                Number::Infinity(true) => u64::MAX,
                it => u64::from(it == Number::Infinity(false)),
            })
            .mutant("without the sign", move |x| {
                u64::from(x[0] & format.nan() == format.infinity())
            }),
        );
    }

    fn others(&self, all: &mut Vec<Operation>) {
        let format = self.format;
        let lane = |f: fn(u64, Format) -> u64| -> Lane {
            std::rc::Rc::new(move |x| {
                if format.number(x[0]).is_nan() { format.nan() } else { f(x[0], format) }
            })
        };
        let minus = lane(|x, format| if x == 0 { 0 } else { x ^ format.sign() });
        self.lanes(
            all,
            ("__hneg", "__hneg2"),
            1,
            lane(|x, format| x ^ format.sign()),
            &[("zero has no sign", minus)],
        );
        let keeps = lane(|x, format| if x == format.sign() { x } else { x & !format.sign() });
        self.lanes(
            all,
            ("__habs", "__habs2"),
            1,
            lane(|x, format| x & !format.sign()),
            &[("zero keeps its sign", keeps)],
        );
        let exactly = |exact: fn(&Number) -> Number, mode: Mode| -> Lane {
            std::rc::Rc::new(move |x| format.round(&exact(&format.number(x[0])), mode))
        };
        let inverse = |it: &Number| divide(&whole(1, 32, true), it);
        for (name, exact) in [("sqrt", root as fn(&Number) -> Number), ("rcp", inverse)] {
            let names = (format!("h{name}"), format!("h2{name}"));
            self.lanes(
                all,
                (&names.0, &names.1),
                1,
                exactly(exact, NEAR),
                &[("towards zero", exactly(exact, Mode::Zero))],
            );
        }
        let near = |mode: Mode| -> Lane {
            std::rc::Rc::new(move |x| match format.number(x[0]) {
                Number::Finite(it) => {
                    let whole = super::exact::to_integer(&it, mode);
                    format.round(&Number::of(whole.into(), x[0] & format.sign() != 0), NEAR)
                }
                it => format.round(&it, NEAR),
            })
        };
        for (name, mode, other) in [
            ("floor", Mode::Down, Mode::Zero),
            ("ceil", Mode::Up, Mode::Zero),
            ("trunc", Mode::Zero, Mode::Down),
            ("rint", NEAR, Mode::Zero),
        ] {
            let names = (format!("h{name}"), format!("h2{name}"));
            self.lanes(
                all,
                (&names.0, &names.1),
                1,
                near(mode),
                &[("another rounding", near(other))],
            );
        }
    }

    fn conversions(&self, all: &mut Vec<Operation>) {
        let (format, word) = (self.format, self.word);
        let plain =
            |it: Operation, name: &str| Operation { name: name.to_owned(), code: None, ..it };
        for (suffix, mode) in MODES {
            let name = format!("__float2{word}_{suffix}");
            let from = move |x: &[u64], mode| format.round(&F32.number(x[0]), mode);
            let mut it = plain(self.made(&name, "f32", self.ty, move |x| from(x, mode)), &name);
            for (other, mode) in MODES.into_iter().filter(|(_, it)| *it != mode) {
                it = it.mutant(other, move |x| from(x, mode));
            }
            all.push(it);
            let integers = INTEGERS
                .into_iter()
                .chain([("short", "s16", 16, true), ("ushort", "u16", 16, false)]);
            for (integer, ty, bits, is) in integers {
                let name = format!("__{integer}2{word}_{suffix}");
                let from = move |x: &[u64], mode, is| format.round(&whole(x[0], bits, is), mode);
                let mut it =
                    plain(self.made(&name, ty, self.ty, move |x| from(x, mode, is)), &name)
                        .mutant("the other sign", move |x| from(x, mode, !is))
                        .wanted(
                            &([&[2049], &[4099], &[65519], &[65520]] as [&[u64]; 4])
                                [..if bits > 16 { 4 } else { 2 }],
                        );
                for (other, mode) in MODES.into_iter().filter(|(it, _)| differ(suffix, it, is)) {
                    it = it.mutant(other, move |x| from(x, mode, is));
                }
                if bits > 24 && self.ty == "bf16" {
                    it = it.wanted(&[&[0x0101_0001 << (bits - 32)], &[0x0181_0001 << (bits - 32)]]);
                }
                all.push(it);
                let name = format!("__{word}2{integer}_{suffix}");
                let to =
                    move |x: &[u64], mode, is| to_int(&format.number(x[0]), mode, bits, is, false);
                let mut it = plain(self.made(&name, self.ty, ty, move |x| to(x, mode, is)), &name)
                    .open(move |x| !fits(&format.number(x[0]), mode, bits, is))
                    .mutant("the other sign", move |x| to(x, mode, !is));
                // A half is never beyond 64 bits but where it is infinite.
                if bits <= 32 {
                    it = it.mutant("modulo for held to the range", move |x| {
                        wrapped(&format.number(x[0]), mode)
                    });
                }
                for (other, mode) in MODES.into_iter().filter(|(it, _)| differ(suffix, it, is)) {
                    it = it.mutant(other, move |x| to(x, mode, is));
                }
                all.push(it);
            }
        }
        let name = format!("__float2{word}");
        all.push(
            plain(
                self.made(&name, "f32", self.ty, move |x| format.round(&F32.number(x[0]), NEAR)),
                &name,
            )
            .mutant("towards zero", move |x| format.round(&F32.number(x[0]), Mode::Zero)),
        );
        let name = format!("__double2{word}");
        let tie: u64 = if self.ty == "f16" { 0x3ff0_0200_0000_0001 } else { 0x3ff0_1000_0000_0001 };
        all.push(
            plain(
                self.made(&name, "f64", self.ty, move |x| format.round(&F64.number(x[0]), NEAR)),
                &name,
            )
            .wanted(&[&[tie], &[tie | 1 << 63], &[tie - 1]])
            .mutant("by way of a float", move |x| {
                format.round(&F32.number(F32.round(&F64.number(x[0]), NEAR)), NEAR)
            }),
        );
        let back = if self.ty == "f16" { "__half2float" } else { "__bfloat162float" };
        all.push(
            plain(
                self.made(back, self.ty, "f32", move |x| F32.round(&format.number(x[0]), NEAR)),
                back,
            )
            .mutant("denormals are flushed", move |x| {
                F32.round(&format.number(super::floats::flushed(x[0], format)), NEAR)
            }),
        );
        for (name, of, gives) in [
            (format!("__{word}_as_ushort"), self.ty, "u16"),
            (format!("__{word}_as_short"), self.ty, "s16"),
            (format!("__ushort_as_{word}"), "u16", self.ty),
            (format!("__short_as_{word}"), "s16", self.ty),
        ] {
            all.push(
                plain(self.made(&name, of, gives, |x| x[0]), &name)
                    .defined(move |x| !format.number(x[0]).is_nan() || x[0] == format.nan())
                    .mutant("the sign is lost", move |x| x[0] & !format.sign()),
            );
        }
        for (name, high) in [("__low2float", false), ("__high2float", true)] {
            let lane = move |x: &[u64], high| {
                F32.round(&format.number(if high { x[0] >> 16 } else { x[0] & 0xffff }), NEAR)
            };
            all.push(
                self.made(name, self.pair, "f32", move |x| lane(x, high))
                    .mutant("the other lane", move |x| lane(x, !high)),
            );
        }
        let two = format!("__floats2{word}2_rn");
        let pair = move |x: &[u64]| {
            format.round(&F32.number(x[0]), NEAR) | format.round(&F32.number(x[1]), NEAR) << 16
        };
        all.push(
            plain(self.made(&two, "f32 f32", self.pair, move |x| pair(x)), &two)
                .mutant("the lanes exchanged", move |x| pair(&[x[1], x[0]])),
        );
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    for short in SHORT {
        short.arithmetic(&mut all);
        short.extremes(&mut all);
        short.comparisons(&mut all);
        short.others(&mut all);
        short.conversions(&mut all);
    }
    all
}
