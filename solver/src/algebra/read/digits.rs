//! Quotients and remainders as digits: `a = b * quotient + rest` with `0 <= rest < b`.
//!
//! Masks and shifts by constants are digits too. Exact: the dividend is read as a number, wraps and
//! all.

use heddle_ir::{BinOp, ExprId, ExprKind, UnOp};

use super::{Reader, ends};
use crate::algebra::poly::Poly;
use crate::algebra::system::{Role, range};
use crate::ranges::Known;

impl Reader<'_> {
    /// `a & mask` for a contiguous mask: a digit of `a`.
    pub(super) fn masked(&mut self, a: ExprId, mask: &Known) -> Option<Poly> {
        let bits = mask.as_const()?;
        let width = mask.width;
        let low = bits.trailing_zeros();
        let run = bits >> low;
        if bits == 0 || run & run.wrapping_add(1) != 0 {
            return None;
        }
        let top = low + run.count_ones();
        let below = |reader: &mut Self, bit: u32| match bit {
            0 => Some(Poly::zero()),
            bit if bit >= u32::from(width) => reader.integer(a, false),
            bit => {
                let divisor = reader.pool.constant(1u128 << bit, width);
                reader.division(a, divisor, false).map(|(_, rest)| rest)
            }
        };
        let high = below(self, top)?;
        high.sub(&below(self, low)?)
    }

    /// Quotient (rounded down) and remainder; the divisor is positive, the dividend may be read as
    /// signed.
    pub(super) fn division(&mut self, a: ExprId, b: ExprId, signed: bool) -> Option<(Poly, Poly)> {
        let whole = self.integer(a, signed)?;
        let divisor = self.integer(b, false)?;
        let kb = self.known(b);
        let (least, most) = (i128::try_from(kb.lo).ok()?, i128::try_from(kb.hi).ok()?);
        let whole = Dividend { ends: ends(&self.known(a), signed), of: a, value: whole };
        if let Some(parts) = self.step_by_step(&whole, &divisor) {
            return Some(parts);
        }
        self.digit(&whole, &divisor, (least, most))
    }

    /// By a product, one factor after the other: `x / (a * b)` is `x / a / b`, and the remainder is
    /// that of the first division and `a` times that of the second. So a number that is taken apart
    /// in steps has the same digits as one that is taken apart at once.
    fn step_by_step(&mut self, whole: &Dividend, divisor: &Poly) -> Option<(Poly, Poly)> {
        let [(mono, c)] = divisor.terms() else { return None };
        let positive = |reader: &Self| mono.iter().all(|it| reader.atoms[*it as usize].lo >= 1);
        if *c < 1 || mono.len() + usize::from(*c > 1) < 2 || mono.len() > 4 || !positive(self) {
            return None;
        }
        let mut factors: Vec<Poly> = mono.iter().map(|it| Poly::atom(*it)).collect();
        // What the dividend is divided by elsewhere comes first.
        let known = factors.iter().position(|it| self.is_divided_by(whole.of, it));
        if *c > 1 {
            factors.insert(0, Poly::constant(*c));
        }
        if let Some(at) = known.map(|at| at + usize::from(*c > 1)) {
            let first = factors.remove(at);
            factors.insert(0, first);
        }
        let mut whole = whole.clone();
        let (mut rest, mut weight) = (Poly::zero(), Poly::constant(1));
        for factor in factors {
            let (least, most) = match self.range(&factor) {
                (Some(least), Some(most)) => (least, most),
                _ => return None,
            };
            let (quotient, digit) = self.digit(&whole, &factor, (least, most))?;
            rest = rest.add(&self.times(&weight, &digit)?)?;
            weight = weight.mul(&factor)?;
            let (Some(lo), Some(hi)) = self.range(&quotient) else { return None };
            whole = Dividend { ends: (lo, hi), value: quotient, ..whole };
        }
        Some((whole.value, rest))
    }

    /// Whether the problem divides an expression by something that is this factor. It only says
    /// which factor is taken first, so a wrong answer is none.
    fn is_divided_by(&self, a: ExprId, factor: &Poly) -> bool {
        let [(mono, 1)] = factor.terms() else { return false };
        let &[atom] = mono.as_slice() else { return false };
        self.pool.iter().any(|(_, expr)| match expr.kind {
            ExprKind::Binary(BinOp::UDiv | BinOp::URem, _, of, mut by) if of == a => {
                while let ExprKind::Cast(_, inner) | ExprKind::Unary(UnOp::Neg, inner) =
                    self.pool[by].kind
                {
                    by = inner;
                }
                [false, true].iter().any(|sign| self.values.get(&(by, *sign)) == Some(&atom))
                    || self.depths.get(&by) == Some(&atom)
            }
            _ => false,
        })
    }

    /// Quotient and remainder of one division by a divisor between two positive ends.
    fn digit(
        &mut self,
        whole: &Dividend,
        divisor: &Poly,
        (least, most): (i128, i128),
    ) -> Option<(Poly, Poly)> {
        if let Some(c) = divisor.as_const()
            && let Some(digits) = self.digits(&whole.value, c)
        {
            return Some(digits);
        }
        let key = (whole.value.clone(), divisor.clone());
        let (quotient, rest) = match self.divisions.get(&key) {
            Some(&pair) => pair,
            None => {
                let (lo, hi) = whole.ends;
                let lo = if lo < 0 { lo.div_euclid(least) } else { lo.div_euclid(most) };
                let hi = if hi < 0 { hi.div_euclid(most) } else { hi.div_euclid(least) };
                let quotient = self.fresh(lo, hi, Role::Digit);
                let rest = self.fresh(0, most - 1, Role::Digit);
                self.divisions.insert(key, (quotient, rest));
                (quotient, rest)
            }
        };
        let (named, quotient, rest) = (quotient, Poly::atom(quotient), Poly::atom(rest));
        if self.define(named) {
            let product = self.times(&quotient, divisor)?;
            self.zero(whole.value.sub(&product)?.sub(&rest)?);
            self.nonneg(divisor.sub(&rest)?.add_constant(-1)?);
        }
        Some((quotient, rest))
    }

    /// `whole` as `c * quotient + rest` by looking at coefficients, where bounds put the rest in
    /// `[0, c)`.
    fn digits(&mut self, whole: &Poly, c: i128) -> Option<(Poly, Poly)> {
        let (mut quotient, mut rest) = (Vec::new(), Vec::new());
        for (mono, coefficient) in whole.terms() {
            quotient.push((mono.clone(), coefficient.div_euclid(c)));
            rest.push((mono.clone(), coefficient.rem_euclid(c)));
        }
        let (quotient, rest) = (Poly::from_terms(quotient)?, Poly::from_terms(rest)?);
        match range(&self.atoms, &rest) {
            (Some(lo), Some(hi)) if lo >= 0 && hi < c => Some((quotient, rest)),
            _ => None,
        }
    }
}

/// What is divided.
#[derive(Clone)]
struct Dividend {
    value: Poly,
    /// Its least and greatest value.
    ends: (i128, i128),
    /// The expression that is divided, first of all.
    of: ExprId,
}
