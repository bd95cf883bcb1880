//! Bit-vector operators as circuits. Words are bits from the lowest up, both operands of one
//! length.
//!
//! **Promises**: the same total meaning as `heddle_ir`'s folders, checked exhaustively at small
//! widths.

use super::gates::{Bit, Gates};

/// A word, lowest bit first.
pub(crate) type Word = Vec<Bit>;

pub(crate) fn constant(value: u128, width: usize) -> Word {
    (0..width).map(|at| Bit::constant(at < 128 && value >> at & 1 == 1)).collect()
}

/// `a + b + carry`, and the carry out.
pub(crate) fn add(gates: &mut Gates, a: &[Bit], b: &[Bit], carry: Bit) -> (Word, Bit) {
    let mut carry = carry;
    let mut sum = Word::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let half = gates.xor(x, y);
        sum.push(gates.xor(half, carry));
        carry = gates.majority(x, y, carry);
    }
    (sum, carry)
}

pub(crate) fn not(a: &[Bit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

/// `a - b`, and whether it did not borrow (`a >= b`).
pub(crate) fn sub(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> (Word, Bit) {
    add(gates, a, &not(b), Bit::TRUE)
}

pub(crate) fn negate(gates: &mut Gates, a: &[Bit]) -> Word {
    let zero = constant(0, a.len());
    sub(gates, &zero, a).0
}

/// The low bits of a product, as many as `a` has.
pub(crate) fn mul(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Word {
    // The operand with fewer undecided bits makes the fewer rows.
    let rows = |word: &[Bit]| word.iter().filter(|&&bit| bit != Bit::FALSE).count();
    let (a, b) = if rows(a) < rows(b) { (b, a) } else { (a, b) };
    let width = a.len();
    let mut sum = constant(0, width);
    for (at, &row) in b.iter().enumerate() {
        if row == Bit::FALSE {
            continue;
        }
        let partial: Word = a[..width - at].iter().map(|&bit| gates.and(bit, row)).collect();
        let (high, _) = add(gates, &sum[at..], &partial, Bit::FALSE);
        sum.splice(at.., high);
    }
    sum
}

pub(crate) fn select(gates: &mut Gates, c: Bit, a: &[Bit], b: &[Bit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| gates.mux(c, x, y)).collect()
}

pub(crate) fn equal(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let mut all = Bit::TRUE;
    for (&x, &y) in a.iter().zip(b) {
        let differ = gates.xor(x, y);
        all = gates.and(all, !differ);
    }
    all
}

/// `a < b`, unsigned.
pub(crate) fn less(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let mut less = Bit::FALSE;
    for (&x, &y) in a.iter().zip(b) {
        // The highest bit in which they differ decides.
        less = gates.majority(!x, y, less);
    }
    less
}

/// `a < b`, signed.
pub(crate) fn less_signed(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    less(gates, &flip_sign(a), &flip_sign(b))
}

fn flip_sign(a: &[Bit]) -> Word {
    let mut a = a.to_vec();
    if let Some(sign) = a.last_mut() {
        *sign = !*sign;
    }
    a
}

pub(crate) fn any(gates: &mut Gates, a: &[Bit]) -> Bit {
    a.iter().fold(Bit::FALSE, |any, &bit| gates.or(any, bit))
}

/// Quotient and remainder, unsigned, by long division; by zero as `heddle_ir` says.
pub(crate) fn divide(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> (Word, Word) {
    let width = a.len();
    let top = a.iter().rposition(|&bit| bit != Bit::FALSE).map_or(0, |at| at + 1);
    // One bit more than the divisor: the running remainder is doubled before it is compared.
    let span = b.iter().rposition(|&bit| bit != Bit::FALSE).map_or(1, |at| at + 2).max(top.min(1));
    let mut divisor = b[..span.min(width)].to_vec();
    divisor.resize(span, Bit::FALSE);
    let mut rest = constant(0, span);
    let mut quotient = constant(0, width);
    for at in (0..top).rev() {
        rest.pop();
        rest.insert(0, a[at]);
        let (less, fits) = sub(gates, &rest, &divisor);
        quotient[at] = fits;
        rest = select(gates, fits, &less, &rest);
    }
    rest.resize(width.max(span), Bit::FALSE);
    rest.truncate(width);
    let nonzero = any(gates, b);
    let ones = constant(u128::MAX, width);
    (select(gates, nonzero, &quotient, &ones), select(gates, nonzero, &rest, a))
}

/// Quotient and remainder, signed, towards zero; by zero as `heddle_ir` says.
pub(crate) fn divide_signed(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> (Word, Word) {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let magnitude = |gates: &mut Gates, word: &[Bit], sign: Bit| {
        let negated = negate(gates, word);
        select(gates, sign, &negated, word)
    };
    let (ma, mb) = (magnitude(gates, a, sign_a), magnitude(gates, b, sign_b));
    let (quotient, rest) = divide(gates, &ma, &mb);
    let differ = gates.xor(sign_a, sign_b);
    // Division by zero gives all ones for the magnitude, which negates to the promised one.
    (magnitude(gates, &quotient, differ), magnitude(gates, &rest, sign_a))
}

/// Which way a shift goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shift {
    Left,
    Right,
}

/// A shift by a word; `fill` comes in.
pub(crate) fn shift(gates: &mut Gates, way: Shift, a: &[Bit], by: &[Bit], fill: Bit) -> Word {
    let width = a.len();
    let mut word = a.to_vec();
    let mut past = Bit::FALSE;
    for (stage, &bit) in by.iter().enumerate() {
        if bit == Bit::FALSE {
            continue;
        }
        let amount = if stage < 16 { 1usize << stage } else { usize::MAX };
        if amount >= width {
            past = gates.or(past, bit);
            continue;
        }
        let moved: Word = (0..width)
            .map(|at| match way {
                Shift::Left if at < amount => fill,
                Shift::Left => word[at - amount],
                Shift::Right => word.get(at + amount).copied().unwrap_or(fill),
            })
            .collect();
        word = select(gates, bit, &moved, &word);
    }
    let filled = vec![fill; width];
    select(gates, past, &filled, &word)
}

/// Number of ones.
pub(crate) fn popcount(gates: &mut Gates, a: &[Bit]) -> Word {
    let width = a.len();
    let mut count = constant(0, width);
    for &bit in a {
        let mut one = constant(0, width);
        one[0] = bit;
        count = add(gates, &count, &one, Bit::FALSE).0;
    }
    count
}

/// Zeros below the lowest one; the width for zero, cut to the width.
pub(crate) fn trailing_zeros(gates: &mut Gates, a: &[Bit]) -> Word {
    let width = a.len();
    let mut count = constant(width as u128, width);
    for at in (0..width).rev() {
        let here = constant(at as u128, width);
        count = select(gates, a[at], &here, &count);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::gates::Outcome;
    use heddle_ir::{BinOp, UnOp, fold_binary, fold_unary};

    /// The number of a word of constants.
    fn number(word: &[Bit]) -> u128 {
        word.iter().rev().fold(0, |sum, bit| sum << 1 | u128::from(bit.as_const() == Some(true)))
    }

    /// Each operator by its circuit.
    fn circuit(gates: &mut Gates, op: BinOp, a: &[Bit], b: &[Bit]) -> Option<Word> {
        Some(match op {
            BinOp::Add => add(gates, a, b, Bit::FALSE).0,
            BinOp::Sub => sub(gates, a, b).0,
            BinOp::Mul => mul(gates, a, b),
            BinOp::UDiv => divide(gates, a, b).0,
            BinOp::URem => divide(gates, a, b).1,
            BinOp::SDiv => divide_signed(gates, a, b).0,
            BinOp::SRem => divide_signed(gates, a, b).1,
            BinOp::Shl => shift(gates, Shift::Left, a, b, Bit::FALSE),
            BinOp::LShr => shift(gates, Shift::Right, a, b, Bit::FALSE),
            BinOp::AShr => shift(gates, Shift::Right, a, b, a[a.len() - 1]),
            _ => return None,
        })
    }

    #[test]
    fn circuits_fold_constants_as_the_ir_does() {
        let mut gates = Gates::new(u64::MAX, 1);
        for width in 1..=4u8 {
            for (a, b) in (0..1u128 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
                let words = [a, b].map(|it| constant(it, usize::from(width)));
                for &op in BinOp::ALL {
                    if let Some(word) = circuit(&mut gates, op, &words[0], &words[1]) {
                        let expected = fold_binary(op, a, b, width);
                        assert_eq!(number(&word), expected, "{op} {a} {b} at {width}");
                    }
                }
                assert_eq!(less(&mut gates, &words[0], &words[1]) == Bit::TRUE, a < b);
                assert_eq!(equal(&mut gates, &words[0], &words[1]) == Bit::TRUE, a == b);
            }
            for a in 0..1u128 << width {
                let word = constant(a, usize::from(width));
                let ones = number(&popcount(&mut gates, &word));
                assert_eq!(ones, fold_unary(UnOp::Popcount, a, width), "{a} at {width}");
                let zeros = number(&trailing_zeros(&mut gates, &word));
                assert_eq!(zeros, fold_unary(UnOp::Ctz, a, width), "{a} at {width}");
            }
        }
    }

    #[test]
    fn circuits_of_unknowns_agree_with_the_ir() {
        for &op in BinOp::ALL {
            // The circuit of unknown words, pinned afterwards: gates, not folding, do the work.
            for (a, b) in (0..8u128).flat_map(|a| (0..8).map(move |b| (a, b))) {
                let mut gates = Gates::new(u64::MAX, 1_000);
                let words: [Word; 2] = [0, 1].map(|_| (0..3).map(|_| gates.fresh()).collect());
                let Some(word) = circuit(&mut gates, op, &words[0], &words[1]) else { continue };
                for (word, value) in words.iter().zip([a, b]) {
                    let pinned = equal(&mut gates, word, &constant(value, 3));
                    gates.require(pinned);
                }
                assert_eq!(gates.solve(), Outcome::Sat);
                let found =
                    word.iter().rev().fold(0, |sum, &bit| sum << 1 | u128::from(gates.value(bit)));
                assert_eq!(found, fold_binary(op, a, b, 3), "{op} {a} {b}");
            }
        }
    }
}
