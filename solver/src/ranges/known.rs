//! What is known of one value: an unsigned range, a signed range, and bits.
//!
//! **Promises**: a [`Known`] over-approximates; the three views are kept in step by
//! [`Known::settle`]. A value that may be poison is described by what it is where it is not poison.

use heddle_ir::{CmpOp, mask, sign_extend};

/// What is known of a value of `width` bits. Never empty: an empty meet is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub(crate) width: u8,
    /// Unsigned bounds, inclusive.
    pub(crate) lo: u128,
    pub(crate) hi: u128,
    /// Signed bounds, inclusive.
    pub(crate) slo: i128,
    pub(crate) shi: i128,
    /// Bits known to be zero, and to be one.
    pub(crate) zeros: u128,
    pub(crate) ones: u128,
}

/// The largest and smallest signed number of `width` bits.
pub(crate) fn signed_limits(width: u8) -> (i128, i128) {
    (sign_extend(1u128 << (width - 1), width), (mask(u128::MAX, width) >> 1) as i128)
}

impl Known {
    pub(crate) fn top(width: u8) -> Known {
        let (slo, shi) = signed_limits(width);
        let hi = mask(u128::MAX, width);
        Known { width, lo: 0, hi, slo, shi, zeros: 0, ones: 0 }
    }

    pub(crate) fn constant(value: u128, width: u8) -> Known {
        let value = mask(value, width);
        let signed = sign_extend(value, width);
        let zeros = mask(!value, width);
        Known { width, lo: value, hi: value, slo: signed, shi: signed, zeros, ones: value }
    }

    /// The value, where only one is left.
    pub(crate) fn as_const(&self) -> Option<u128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Unsigned range. Ends outside the width are cut; an empty range gives `None`.
    pub(crate) fn unsigned(lo: u128, hi: u128, width: u8) -> Option<Known> {
        let top = Known::top(width);
        Known { lo, hi: hi.min(top.hi), ..top }.settle()
    }

    /// Signed range.
    pub(crate) fn signed(slo: i128, shi: i128, width: u8) -> Option<Known> {
        let top = Known::top(width);
        Known { slo: slo.max(top.slo), shi: shi.min(top.shi), ..top }.settle()
    }

    /// Known bits.
    pub(crate) fn bits(zeros: u128, ones: u128, width: u8) -> Option<Known> {
        let (zeros, ones) = (mask(zeros, width), mask(ones, width));
        Known { zeros, ones, ..Known::top(width) }.settle()
    }

    pub(crate) fn is_nonneg(&self) -> bool {
        self.slo >= 0
    }

    /// Low bits known to be zero.
    pub(crate) fn trailing_zeros(&self) -> u32 {
        (!self.zeros).trailing_zeros().min(u32::from(self.width))
    }

    /// Low bits of which the value is known.
    pub(crate) fn trailing_known(&self) -> u32 {
        (!(self.zeros | self.ones)).trailing_zeros().min(u32::from(self.width))
    }

    /// Values in both.
    pub(crate) fn meet(&self, other: &Known) -> Option<Known> {
        Known {
            width: self.width,
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
            slo: self.slo.max(other.slo),
            shi: self.shi.min(other.shi),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        }
        .settle()
    }

    /// Values in either.
    pub(crate) fn join(&self, other: &Known) -> Known {
        Known {
            width: self.width,
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            slo: self.slo.min(other.slo),
            shi: self.shi.max(other.shi),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// Lets each view sharpen the others; `None` where nothing is left.
    pub(crate) fn settle(mut self) -> Option<Known> {
        let width = self.width;
        let half = 1u128 << (width - 1);
        for _ in 0..3 {
            let before = self;
            if self.lo > self.hi || self.slo > self.shi || self.zeros & self.ones != 0 {
                return None;
            }
            // Bits bound the range; low known bits round its ends.
            self.lo = self.lo.max(self.ones);
            self.hi = self.hi.min(mask(!self.zeros, width));
            let low = self.trailing_known();
            if low > 0 && low < 128 {
                let modulus = 1u128 << low;
                let rest = self.ones & (modulus - 1);
                let up = rest.wrapping_sub(self.lo) & (modulus - 1);
                let down = self.hi.wrapping_sub(rest) & (modulus - 1);
                self.lo = self.lo.checked_add(up)?;
                self.hi = self.hi.checked_sub(down)?;
            }
            if self.lo > self.hi {
                return None;
            }
            if self.hi < half || self.lo >= half {
                self.slo = self.slo.max(sign_extend(self.lo, width));
                self.shi = self.shi.min(sign_extend(self.hi, width));
            }
            if self.slo > self.shi {
                return None;
            }
            if self.slo >= 0 || self.shi < 0 {
                self.lo = self.lo.max(mask(self.slo as u128, width));
                self.hi = self.hi.min(mask(self.shi as u128, width));
            }
            if self.lo > self.hi {
                return None;
            }
            // Bits above the highest one in which the ends differ are the same throughout.
            let differ = self.lo ^ self.hi;
            let same = match differ.checked_ilog2() {
                Some(127) => 0,
                Some(bit) => !((2u128 << bit) - 1),
                None => u128::MAX,
            };
            self.ones |= mask(self.lo & same, width);
            self.zeros |= mask(!self.lo & same, width);
            if self == before {
                break;
            }
        }
        (self.zeros & self.ones == 0).then_some(self)
    }

    /// The truth of a comparison, where the ranges decide it.
    pub(crate) fn compare(op: CmpOp, a: &Known, b: &Known) -> Option<bool> {
        match op {
            CmpOp::Eq if a.as_const().is_some() && a.as_const() == b.as_const() => Some(true),
            CmpOp::Eq => a.meet(b).is_none().then_some(false),
            CmpOp::Ult if a.hi < b.lo => Some(true),
            CmpOp::Ult => (a.lo >= b.hi).then_some(false),
            CmpOp::Ule if a.hi <= b.lo => Some(true),
            CmpOp::Ule => (a.lo > b.hi).then_some(false),
            CmpOp::Slt if a.shi < b.slo => Some(true),
            CmpOp::Slt => (a.slo >= b.shi).then_some(false),
            CmpOp::Sle if a.shi <= b.slo => Some(true),
            CmpOp::Sle => (a.slo > b.shi).then_some(false),
        }
    }
}
