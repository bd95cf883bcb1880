//! Quotients and remainders as digits: `a = b * quotient + rest` with `0 <= rest < b`.
//!
//! Masks and shifts by constants are digits too. Exact: the dividend is read as a number, wraps and
//! all.

use heddle_ir::ExprId;

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
        let (lo, hi) = ends(&self.known(a), signed);
        let (least, most) = (i128::try_from(kb.lo).ok()?, i128::try_from(kb.hi).ok()?);
        if let Some(c) = divisor.as_const()
            && let Some(digits) = self.digits(&whole, c)
        {
            return Some(digits);
        }
        let (quotient, rest) = match self.divisions.get(&(a, b, signed)) {
            Some(&pair) => pair,
            None => {
                let lo = if lo < 0 { lo.div_euclid(least) } else { lo.div_euclid(most) };
                let hi = if hi < 0 { hi.div_euclid(most) } else { hi.div_euclid(least) };
                let quotient = self.fresh(lo, hi, Role::Digit);
                let rest = self.fresh(0, most - 1, Role::Digit);
                self.divisions.insert((a, b, signed), (quotient, rest));
                (quotient, rest)
            }
        };
        let (quotient, rest) = (Poly::atom(quotient), Poly::atom(rest));
        let named = quotient.terms()[0].0[0];
        if self.define(named) {
            let product = self.times(&quotient, &divisor)?;
            self.zero(whole.sub(&product)?.sub(&rest)?);
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
