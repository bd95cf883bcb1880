//! Random race queries about numbers that are taken apart by sizes of any sign: chains of quotients
//! and remainders, by products and by their factors, and put together anew.

use heddle_ir::{BinOp, CastOp, ExprId, ExprPool, NoWrap, SymId};
use heddle_solver::Query;

use super::{Case, Random};

/// Bits of what is computed, and of a size.
const WIDTH: u8 = 7;
const SIZE: u8 = 3;

/// Two threads with a number each, and two sizes.
pub(crate) fn case(seed: u64) -> Case {
    let mut random = Random(seed ^ 0xc4a1);
    let (mut pool, mut query, mut leaves) = (ExprPool::new(), Query::default(), Vec::new());
    let mut leaf = |pool: &mut ExprPool, query: &mut Query, width: u8, lo: u128, hi: u128| {
        let leaf = pool.symbol(SymId::from_u32(leaves.len() as u32), width);
        leaves.push((leaf, width));
        query.ranges.push((leaf, lo, hi));
        leaf
    };
    let most = 6 + random.below(7) as u128;
    let own = [0, 1].map(|_| leaf(&mut pool, &mut query, WIDTH, 0, most));
    let positive = random.below(3) == 0;
    let sizes = [0, 1].map(|_| {
        let (lo, hi) = if positive { (1, 3) } else { (0, 7) };
        let size = leaf(&mut pool, &mut query, SIZE, lo, hi);
        pool.cast(CastOp::Sext, size, WIDTH)
    });
    let signed = random.below(4) > 0;
    let flags = random.pick(&[NoWrap::NONE, NoWrap::SIGNED, NoWrap::SIGNED]);
    let product = pool.binary_flagged(BinOp::Mul, flags, sizes[0], sizes[1]);
    let three = pool.constant(3, WIDTH);
    let scaled = pool.binary_flagged(BinOp::Mul, flags, sizes[0], three);
    let factors = [sizes[0], sizes[1], product, scaled, three];
    // What is done to both numbers: up to three digits, each by up to two steps.
    let steps: Vec<Vec<(bool, usize)>> = (0..1 + random.below(3))
        .map(|_| {
            let count = 1 + random.below(2);
            (0..count).map(|_| (random.below(2) == 0, random.below(5))).collect()
        })
        .collect();
    let weights: Vec<usize> = (0..3).map(|_| random.below(5)).collect();
    let guard = random.below(3);
    let mut positions = Vec::new();
    for number in own {
        let mut sum = pool.constant(0, WIDTH);
        for (digit, weight) in steps.iter().zip(&weights) {
            let mut value = number;
            for &(divides, by) in digit {
                let op = match (divides, signed) {
                    (true, true) => BinOp::SDiv,
                    (true, false) => BinOp::UDiv,
                    (false, true) => BinOp::SRem,
                    (false, false) => BinOp::URem,
                };
                value = pool.binary(op, value, factors[by]);
            }
            let scaled: ExprId = pool.binary_flagged(BinOp::Mul, flags, sum, factors[*weight]);
            sum = pool.binary_flagged(BinOp::Add, flags, scaled, value);
        }
        positions.push(sum);
        let limit = match guard {
            0 => None,
            1 => Some(product),
            _ => Some(pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, product, three)),
        };
        query.facts.extend(limit.map(|limit| pool.slt(number, limit)));
    }
    query.facts.push(pool.ne(own[0], own[1]));
    query.facts.push(pool.eq(positions[0], positions[1]));
    Case { pool, leaves, query }
}
