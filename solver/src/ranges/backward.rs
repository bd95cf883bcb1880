//! What a bound on a result says about the operands, and what a fact says about its sides.
//!
//! **Promises**: only consequences are added. Facts are strict in what is reached here (the arm of
//! a `select` only once its condition is known), so flags may be relied on.

use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, UnOp, mask, sign_extend,
};

use super::forward;
use super::known::{Known, signed_limits};
use super::store::{Contradiction, Ranges};

/// How far a bound travels down from where it was found.
const DEPTH: u32 = 12;

impl Ranges {
    /// Takes a predicate to be true (or false), and bounds what it compares.
    pub(crate) fn assume(
        &mut self,
        pool: &ExprPool,
        fact: ExprId,
        truth: bool,
    ) -> Result<(), Contradiction> {
        match pool[fact].kind {
            ExprKind::Cmp(op, a, b) => self.assume_comparison(pool, op, a, b, truth),
            ExprKind::Unary(UnOp::Not, a) => self.assume(pool, a, !truth),
            ExprKind::Binary(BinOp::And, _, a, b) if truth => {
                self.assume(pool, a, true)?;
                self.assume(pool, b, true)
            }
            ExprKind::Binary(BinOp::Or, _, a, b) if !truth => {
                self.assume(pool, a, false)?;
                self.assume(pool, b, false)
            }
            _ => self.bound(pool, fact, &Known::constant(u128::from(truth), 1), DEPTH),
        }
    }

    fn assume_comparison(
        &mut self,
        pool: &ExprPool,
        op: CmpOp,
        a: ExprId,
        b: ExprId,
        truth: bool,
    ) -> Result<(), Contradiction> {
        if !truth {
            return match op {
                CmpOp::Eq => self.differ(pool, a, b),
                CmpOp::Ult => self.assume_comparison(pool, CmpOp::Ule, b, a, true),
                CmpOp::Ule => self.assume_comparison(pool, CmpOp::Ult, b, a, true),
                CmpOp::Slt => self.assume_comparison(pool, CmpOp::Sle, b, a, true),
                CmpOp::Sle => self.assume_comparison(pool, CmpOp::Slt, b, a, true),
            };
        }
        let (ka, kb) = (self.of(pool, a), self.of(pool, b));
        let width = ka.width;
        let (least, most) = signed_limits(width);
        let bounds = match op {
            CmpOp::Eq => ka.meet(&kb).map(|both| (both, both)),
            CmpOp::Ult => kb.hi.checked_sub(1).zip(ka.lo.checked_add(1)).and_then(|(hi, lo)| {
                Known::unsigned(0, hi, width).zip(Known::unsigned(lo, u128::MAX, width))
            }),
            CmpOp::Ule => {
                Known::unsigned(0, kb.hi, width).zip(Known::unsigned(ka.lo, u128::MAX, width))
            }
            CmpOp::Slt => kb.shi.checked_sub(1).zip(ka.slo.checked_add(1)).and_then(|(hi, lo)| {
                Known::signed(least, hi, width).zip(Known::signed(lo, most, width))
            }),
            CmpOp::Sle => {
                Known::signed(least, kb.shi, width).zip(Known::signed(ka.slo, most, width))
            }
        };
        let Some((for_a, for_b)) = bounds else { return Err(Contradiction) };
        self.bound(pool, a, &for_a, DEPTH)?;
        self.bound(pool, b, &for_b, DEPTH)
    }

    /// `a != b` takes an end off a range where one side is constant.
    fn differ(&mut self, pool: &ExprPool, a: ExprId, b: ExprId) -> Result<(), Contradiction> {
        for (x, y) in [(a, b), (b, a)] {
            let Some(c) = self.of(pool, y).as_const() else { continue };
            let known = self.of(pool, x);
            let mut next = known;
            if known.lo == c {
                next.lo = c.checked_add(1).ok_or(Contradiction)?;
            }
            if known.hi == c {
                next.hi = c.checked_sub(1).ok_or(Contradiction)?;
            }
            let signed = sign_extend(c, known.width);
            if known.slo == signed {
                next.slo = signed.checked_add(1).ok_or(Contradiction)?;
            }
            if known.shi == signed {
                next.shi = signed.checked_sub(1).ok_or(Contradiction)?;
            }
            if next != known {
                let next = next.settle().ok_or(Contradiction)?;
                self.bound(pool, x, &next, DEPTH)?;
            }
        }
        Ok(())
    }

    /// Adds a bound and passes what it implies to the operands.
    pub(crate) fn bound(
        &mut self,
        pool: &ExprPool,
        expr: ExprId,
        bound: &Known,
        depth: u32,
    ) -> Result<(), Contradiction> {
        if !self.meet(pool, expr, bound)? || depth == 0 {
            return Ok(());
        }
        let known = self.of(pool, expr);
        let depth = depth - 1;
        match pool[expr].kind {
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => Ok(()),
            ExprKind::Cmp(..) => match known.as_const() {
                Some(truth) => self.assume(pool, expr, truth == 1),
                None => Ok(()),
            },
            ExprKind::Unary(op @ (UnOp::Not | UnOp::Neg | UnOp::Bitreverse), a) => {
                // Each is its own inverse.
                let inner = forward::unary(op, &known);
                self.bound(pool, a, &inner, depth)
            }
            ExprKind::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz, _) => Ok(()),
            ExprKind::Cast(op, a) => self.bound_cast(pool, op, a, &known, depth),
            ExprKind::Select(c, a, b) => self.bound_select(pool, (c, a, b), &known, depth),
            ExprKind::Binary(op, flags, a, b) => {
                self.bound_binary(pool, (op, flags, a, b), &known, depth)
            }
        }
    }

    fn bound_cast(
        &mut self,
        pool: &ExprPool,
        op: CastOp,
        a: ExprId,
        known: &Known,
        depth: u32,
    ) -> Result<(), Contradiction> {
        let width = pool.width(a);
        let inner = match op {
            CastOp::Zext => {
                let range = Known::unsigned(known.lo, known.hi, width).ok_or(Contradiction)?;
                let bits = Known::bits(known.zeros, known.ones, width).ok_or(Contradiction)?;
                range.meet(&bits).ok_or(Contradiction)?
            }
            CastOp::Sext => {
                let range = Known::signed(known.slo, known.shi, width).ok_or(Contradiction)?;
                let bits = Known::bits(known.zeros, known.ones, width).ok_or(Contradiction)?;
                range.meet(&bits).ok_or(Contradiction)?
            }
            CastOp::Trunc => {
                let low = mask(u128::MAX, known.width);
                let bits =
                    Known::bits(known.zeros & low, known.ones & low, width).ok_or(Contradiction)?;
                let fits = self.of(pool, a).hi <= low;
                let range = Known::unsigned(known.lo, known.hi, width).ok_or(Contradiction)?;
                if fits { bits.meet(&range).ok_or(Contradiction)? } else { bits }
            }
        };
        self.bound(pool, a, &inner, depth)
    }

    fn bound_select(
        &mut self,
        pool: &ExprPool,
        (c, a, b): (ExprId, ExprId, ExprId),
        known: &Known,
        depth: u32,
    ) -> Result<(), Contradiction> {
        let (ka, kb) = (self.of(pool, a), self.of(pool, b));
        match (ka.meet(known), kb.meet(known), self.of(pool, c).as_const()) {
            (None, None, _) => Err(Contradiction),
            (Some(_), _, Some(1)) => self.bound(pool, a, known, depth),
            (_, Some(_), Some(0)) => self.bound(pool, b, known, depth),
            (None, Some(_), None) => {
                self.assume(pool, c, false)?;
                self.bound(pool, b, known, depth)
            }
            (Some(_), None, None) => {
                self.assume(pool, c, true)?;
                self.bound(pool, a, known, depth)
            }
            (Some(_), Some(_), _) => Ok(()),
            (None, Some(_), Some(_)) | (Some(_), None, Some(_)) => Err(Contradiction),
        }
    }

    fn bound_binary(
        &mut self,
        pool: &ExprPool,
        (op, flags, a, b): (BinOp, NoWrap, ExprId, ExprId),
        known: &Known,
        depth: u32,
    ) -> Result<(), Contradiction> {
        let (ka, kb) = (self.of(pool, a), self.of(pool, b));
        let width = known.width;
        let top = Some(Known::top(width));
        let (for_a, for_b) = match op {
            BinOp::Add => {
                // Exact modulo the width; the flags say which way the inverse does not wrap.
                let inverse = NoWrap { signed: flags.signed, unsigned: flags.unsigned };
                (
                    Some(forward::binary(BinOp::Sub, inverse, known, &kb)),
                    Some(forward::binary(BinOp::Sub, inverse, known, &ka)),
                )
            }
            BinOp::Sub => (
                Some(forward::binary(BinOp::Add, flags, known, &kb)),
                Some(forward::binary(BinOp::Sub, flags, &ka, known)),
            ),
            BinOp::Mul => {
                let exact = ka.hi.checked_mul(kb.hi).is_some_and(|p| mask(p, width) == p);
                if exact || flags.unsigned {
                    (factor(known, &kb), factor(known, &ka))
                } else if flags.signed {
                    (signed_factor(known, &kb), signed_factor(known, &ka))
                } else {
                    (top, top)
                }
            }
            BinOp::Shl => match kb.as_const() {
                Some(amount)
                    if amount < u128::from(width)
                        && (flags.unsigned || ka.hi <= mask(u128::MAX, width) >> amount) =>
                {
                    (factor(known, &Known::constant(1 << amount, width)), top)
                }
                _ => (top, top),
            },
            BinOp::LShr => match kb.as_const() {
                Some(amount) if amount < u128::from(width) => {
                    let low = (1u128 << amount) - 1;
                    (Known::unsigned(known.lo << amount, known.hi << amount | low, width), top)
                }
                _ => (top, top),
            },
            BinOp::UDiv => match kb.as_const() {
                Some(c) if c > 0 => {
                    let hi = known.hi.checked_mul(c).and_then(|hi| hi.checked_add(c - 1));
                    let lo = known.lo.checked_mul(c).ok_or(Contradiction)?;
                    (Known::unsigned(lo, hi.unwrap_or(u128::MAX), width), top)
                }
                _ => (top, top),
            },
            BinOp::URem => {
                let aligned = kb.as_const().is_some_and(u128::is_power_of_two);
                let low = if aligned { kb.hi - 1 } else { 0 };
                let least = Known::unsigned(known.lo, u128::MAX, width);
                let bits = Known::bits(known.zeros & low, known.ones & low, width);
                (least.zip(bits).and_then(|(least, bits)| least.meet(&bits)), top)
            }
            BinOp::And => {
                let from = |other: &Known| {
                    Known::bits(known.zeros & other.ones, known.ones, width)
                        .and_then(|bits| bits.meet(&Known::unsigned(known.lo, u128::MAX, width)?))
                };
                (from(&kb), from(&ka))
            }
            BinOp::Or => {
                let from = |other: &Known| {
                    Known::bits(known.zeros, known.ones & other.zeros, width)
                        .and_then(|bits| bits.meet(&Known::unsigned(0, known.hi, width)?))
                };
                (from(&kb), from(&ka))
            }
            BinOp::Xor => (
                Some(forward::binary(BinOp::Xor, NoWrap::NONE, known, &kb)),
                Some(forward::binary(BinOp::Xor, NoWrap::NONE, known, &ka)),
            ),
            BinOp::UMin => {
                let least = Known::unsigned(known.lo, u128::MAX, width);
                (least, least)
            }
            BinOp::UMax => {
                let most = Known::unsigned(0, known.hi, width);
                (most, most)
            }
            BinOp::SMin => {
                let least = Known::signed(known.slo, signed_limits(width).1, width);
                (least, least)
            }
            BinOp::SMax => {
                let most = Known::signed(signed_limits(width).0, known.shi, width);
                (most, most)
            }
            BinOp::SDiv => match kb.as_const().map(|c| sign_extend(c, width)) {
                Some(c) if c > 0 => (dividend(known, c), top),
                _ => (top, top),
            },
            BinOp::AShr => match kb.as_const() {
                Some(amount) if amount < u128::from(width) => (shifted(known, amount), top),
                _ => (top, top),
            },
            BinOp::SRem => (top, top),
        };
        self.bound(pool, a, &for_a.ok_or(Contradiction)?, depth)?;
        self.bound(pool, b, &for_b.ok_or(Contradiction)?, depth)
    }
}

/// `x` in `x * c = product`, where the product does not wrap.
fn factor(product: &Known, other: &Known) -> Option<Known> {
    if other.lo == 0 {
        return Some(Known::top(product.width));
    }
    Known::unsigned(product.lo.div_ceil(other.hi), product.hi / other.lo, product.width)
}

/// `x` in `x / c = quotient` as signed numbers, rounded towards zero, for a constant `c > 0`.
fn dividend(quotient: &Known, c: i128) -> Option<Known> {
    // What is left over has the sign of `x`.
    let low = quotient.slo.saturating_mul(c) - if quotient.slo > 0 { 0 } else { c - 1 };
    let high = quotient.shi.saturating_mul(c) + if quotient.shi < 0 { 0 } else { c - 1 };
    Known::signed(low, high, quotient.width)
}

/// `x` in `x >> amount = shifted` as signed numbers.
fn shifted(shifted: &Known, amount: u128) -> Option<Known> {
    let one = 1i128.checked_shl(u32::try_from(amount).ok()?)?;
    let low = shifted.slo.checked_mul(one);
    let high = shifted.shi.checked_mul(one).and_then(|it| it.checked_add(one - 1));
    let (least, most) = signed_limits(shifted.width);
    Known::signed(low.unwrap_or(least), high.unwrap_or(most), shifted.width)
}

/// `x` in `x * c = product` as signed numbers, for a constant `c`.
fn signed_factor(product: &Known, other: &Known) -> Option<Known> {
    let c = match other.as_const().map(|c| sign_extend(c, other.width)) {
        Some(c) if !(-1..=1).contains(&c) => c,
        _ => return Some(Known::top(product.width)),
    };
    // Rounded inwards; for a negative factor the ends change places.
    let (low, high) = if c > 0 { (product.slo, product.shi) } else { (product.shi, product.slo) };
    let up = low / c + i128::from(low % c != 0 && (low % c > 0) == (c > 0));
    let down = high / c - i128::from(high % c != 0 && (high % c > 0) != (c > 0));
    if up > down { None } else { Known::signed(up, down, product.width) }
}
