//! The operators on what is known, against the operators themselves, on every pair of small ranges.

use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprKind, ExprPool, NoWrap, SymId, UnOp, fold_binary, fold_cast,
    fold_cmp, fold_unary, sign_extend,
};

use super::Ranges;
use super::forward;
use super::known::Known;
use crate::model::{Model, Value};

const WIDTH: u8 = 3;

fn holds(known: &Known, value: u128) -> bool {
    let signed = sign_extend(value, known.width);
    (known.lo..=known.hi).contains(&value)
        && (known.slo..=known.shi).contains(&signed)
        && value & known.zeros == 0
        && value & known.ones == known.ones
}

/// Every unsigned range, signed range and bit pattern of three bits.
fn domain() -> Vec<Known> {
    let mut all = Vec::new();
    for lo in 0..8u128 {
        for hi in lo..8 {
            all.extend(Known::unsigned(lo, hi, WIDTH));
            all.extend(Known::signed(lo as i128 - 4, hi as i128 - 4, WIDTH));
        }
    }
    for zeros in 0..8u128 {
        for ones in 0..8 {
            all.extend(Known::bits(zeros, ones, WIDTH));
        }
    }
    all.sort_by_key(|it| (it.lo, it.hi, it.slo, it.shi, it.zeros, it.ones));
    all.dedup();
    all
}

fn members(known: &Known) -> Vec<u128> {
    (0..8).filter(|&value| holds(known, value)).collect()
}

#[test]
fn settling_loses_no_value() {
    for known in domain() {
        assert!(!members(&known).is_empty(), "{known:?}");
        for other in domain() {
            let both: Vec<u128> =
                members(&known).into_iter().filter(|&it| holds(&other, it)).collect();
            match known.meet(&other) {
                Some(meet) => {
                    assert!(both.iter().all(|&it| holds(&meet, it)), "{known:?} {other:?}")
                }
                None => assert!(both.is_empty(), "{known:?} {other:?}"),
            }
            let join = known.join(&other);
            for value in members(&known).into_iter().chain(members(&other)) {
                assert!(holds(&join, value), "{known:?} {other:?}");
            }
        }
    }
}

#[test]
fn unary_operators_and_casts_keep_every_value() {
    for a in domain() {
        for &op in UnOp::ALL {
            let result = forward::unary(op, &a);
            for value in members(&a) {
                assert!(holds(&result, fold_unary(op, value, WIDTH)), "{op} {a:?}");
            }
        }
        for (op, to) in [(CastOp::Zext, 5), (CastOp::Sext, 5), (CastOp::Trunc, 2)] {
            let result = forward::cast(op, &a, to);
            for value in members(&a) {
                assert!(holds(&result, fold_cast(op, value, WIDTH, to)), "{op} {a:?}");
            }
        }
    }
}

#[test]
fn binary_operators_and_comparisons_keep_every_value() {
    let domain = domain();
    let flags = [NoWrap::NONE, NoWrap::SIGNED, NoWrap::UNSIGNED, NoWrap::BOTH];
    let mut pool = ExprPool::new();
    let leaves = [0, 1].map(|at| pool.symbol(SymId::from_u32(at), WIDTH));
    for &op in BinOp::ALL {
        // Which operands break no flag, from the evaluator.
        let clean = flags.map(|flags| {
            let expr = pool.intern(ExprKind::Binary(op, flags, leaves[0], leaves[1]), WIDTH);
            (0..64u128)
                .map(|pair| {
                    let mut model = Model::new();
                    model.set_leaf(leaves[0], pair & 7);
                    model.set_leaf(leaves[1], pair >> 3);
                    model.evaluate(&pool, expr) != Value::Poison
                })
                .collect::<Vec<bool>>()
        });
        for a in &domain {
            for b in &domain {
                for (flags, clean) in flags.iter().zip(&clean) {
                    let result = forward::binary(op, *flags, a, b);
                    for x in members(a) {
                        for y in members(b) {
                            let value = fold_binary(op, x, y, WIDTH);
                            let poison = !clean[(x | y << 3) as usize];
                            assert!(
                                poison || holds(&result, value),
                                "{op} {flags:?} {x} {y}: {a:?} {b:?} {result:?}"
                            );
                        }
                    }
                }
            }
        }
    }
    for &op in CmpOp::ALL {
        for a in &domain {
            for b in &domain {
                let Some(truth) = Known::compare(op, a, b) else { continue };
                for x in members(a) {
                    for y in members(b) {
                        assert_eq!(fold_cmp(op, x, y, WIDTH), truth, "{op} {a:?} {b:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn bounds_travel_down_through_operators() {
    let mut pool = ExprPool::new();
    let x = pool.symbol(SymId::from_u32(0), 32);
    let (two, ten) = (pool.constant(2, 32), pool.constant(10, 32));
    let sum = pool.binary_flagged(BinOp::Add, NoWrap::UNSIGNED, x, two);
    let less = pool.ult(sum, ten);
    let mut ranges = Ranges::default();
    assert!(ranges.assume(&pool, less, true).is_ok());
    assert_eq!(ranges.of(&pool, x).hi, 7);
    let high = pool.ult(ten, x);
    assert!(ranges.assume(&pool, high, true).is_err());
}

#[test]
fn a_bound_on_a_result_loses_no_operand() {
    let mut pool = ExprPool::new();
    let x = pool.symbol(SymId::from_u32(0), WIDTH);
    for &op in BinOp::ALL {
        for c in 0..8 {
            let by = pool.constant(c, WIDTH);
            for (a, b, fold) in [(x, by, true), (by, x, false)] {
                let result = pool.intern(ExprKind::Binary(op, NoWrap::NONE, a, b), WIDTH);
                for bound in domain() {
                    let values = (0..8u128).filter(|&value| {
                        let (a, b) = if fold { (value, c) } else { (c, value) };
                        holds(&bound, fold_binary(op, a, b, WIDTH))
                    });
                    let mut ranges = Ranges::default();
                    let is_met = ranges.bound(&pool, result, &bound, 4).is_ok();
                    for value in values {
                        assert!(is_met, "{op} {c} {bound:?} {value}");
                        assert!(holds(&ranges.of(&pool, x), value), "{op} {c} {bound:?} {value}");
                    }
                }
            }
        }
    }
}
