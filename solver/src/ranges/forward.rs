//! What is known of a result, from what is known of the operands.
//!
//! **Promises**: each function over-approximates the operator of the same name in `heddle_ir`, and
//! may use its no-wrap flags, because a result that breaks one is poison. Checked exhaustively at
//! four bits.

use heddle_ir::{BinOp, CastOp, NoWrap, UnOp, fold_binary, fold_unary, mask, sign_extend};

use super::known::{Known, signed_limits};

pub(crate) fn unary(op: UnOp, a: &Known) -> Known {
    let width = a.width;
    if let Some(value) = a.as_const() {
        return Known::constant(fold_unary(op, value, width), width);
    }
    let found = match op {
        UnOp::Not => Known {
            width,
            lo: mask(!a.hi, width),
            hi: mask(!a.lo, width),
            slo: !a.shi,
            shi: !a.slo,
            zeros: a.ones,
            ones: a.zeros,
        }
        .settle(),
        UnOp::Neg => {
            return binary(BinOp::Sub, NoWrap::NONE, &Known::constant(0, width), a);
        }
        UnOp::Popcount => {
            let most = u128::from((mask(!a.zeros, width)).count_ones());
            Known::unsigned(u128::from(a.ones.count_ones()), most, width)
        }
        UnOp::Clz => {
            let of = |value| fold_unary(UnOp::Clz, value, width);
            Known::unsigned(of(a.hi), of(a.lo), width)
        }
        UnOp::Ctz => {
            let most = u128::from(a.ones.trailing_zeros().min(u32::from(width)));
            Known::unsigned(u128::from(a.trailing_zeros()), most, width)
        }
        UnOp::Bitreverse => {
            let of = |value| fold_unary(UnOp::Bitreverse, value, width);
            Known::bits(of(a.zeros), of(a.ones), width)
        }
    };
    found.unwrap_or(Known::top(width))
}

pub(crate) fn cast(op: CastOp, a: &Known, to: u8) -> Known {
    let from = a.width;
    let grown = mask(u128::MAX, to) & !mask(u128::MAX, from);
    let found = match op {
        CastOp::Zext => {
            Known { width: to, zeros: a.zeros | grown, ..unsigned_only(a, to) }.settle()
        }
        CastOp::Sext => {
            let sign = 1u128 << (from - 1);
            let spread = |bits: u128| if bits & sign != 0 { bits | grown } else { bits };
            let bits = Known::bits(spread(a.zeros), spread(a.ones), to);
            let range = Known::signed(a.slo, a.shi, to);
            bits.zip(range).and_then(|(bits, range)| bits.meet(&range))
        }
        CastOp::Trunc => {
            let bits = Known::bits(a.zeros, a.ones, to);
            let high = |value: u128| value >> to;
            let (slo, shi) = signed_limits(to);
            if high(a.lo) == high(a.hi) {
                let range = Known::unsigned(mask(a.lo, to), mask(a.hi, to), to);
                bits.zip(range).and_then(|(bits, range)| bits.meet(&range))
            } else if a.slo >= slo && a.shi <= shi {
                let range = Known::signed(a.slo, a.shi, to);
                bits.zip(range).and_then(|(bits, range)| bits.meet(&range))
            } else {
                bits
            }
        }
    };
    found.unwrap_or(Known::top(to))
}

fn unsigned_only(a: &Known, width: u8) -> Known {
    Known { lo: a.lo, hi: a.hi, zeros: a.zeros, ones: a.ones, ..Known::top(width) }
}

pub(crate) fn binary(op: BinOp, flags: NoWrap, a: &Known, b: &Known) -> Known {
    let width = a.width;
    if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
        return Known::constant(fold_binary(op, x, y, width), width);
    }
    let found = match op {
        BinOp::Add => add(flags, a, b),
        BinOp::Sub => sub(flags, a, b),
        BinOp::Mul => mul(flags, a, b),
        BinOp::UDiv => udiv(a, b),
        BinOp::URem => urem(a, b),
        BinOp::SDiv => sdiv(a, b),
        BinOp::SRem => srem(a, b),
        BinOp::Shl => shl(flags, a, b),
        BinOp::LShr => lshr(a, b),
        BinOp::AShr => ashr(a, b),
        BinOp::And => Known { hi: a.hi.min(b.hi), ..Known::top(width) }
            .meet_bits(a.zeros | b.zeros, a.ones & b.ones),
        BinOp::Or => Known { lo: a.lo.max(b.lo), ..Known::top(width) }
            .meet_bits(a.zeros & b.zeros, a.ones | b.ones),
        BinOp::Xor => Known::top(width)
            .meet_bits(a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros),
        BinOp::UMin => Known { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi), ..a.join(b) }.settle(),
        BinOp::UMax => Known { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi), ..a.join(b) }.settle(),
        BinOp::SMin => Known { slo: a.slo.min(b.slo), shi: a.shi.min(b.shi), ..a.join(b) }.settle(),
        BinOp::SMax => Known { slo: a.slo.max(b.slo), shi: a.shi.max(b.shi), ..a.join(b) }.settle(),
    };
    // No value at all means that every result is poison; anything describes it.
    found.unwrap_or(Known::top(width))
}

impl Known {
    fn meet_bits(self, zeros: u128, ones: u128) -> Option<Known> {
        Known { zeros: mask(zeros, self.width), ones: mask(ones, self.width), ..self }.settle()
    }

    /// Meets a result with its mathematical range: exact where that fits the width, or where a flag
    /// promises that it does; shifted where all of it wraps the same way.
    fn in_unsigned(self, lo: Option<u128>, hi: Option<u128>, promised: bool) -> Option<Known> {
        let most = mask(u128::MAX, self.width);
        match (lo, hi) {
            (Some(lo), Some(hi)) if hi <= most => self.meet(&Known::unsigned(lo, hi, self.width)?),
            (Some(lo), _) if promised => self.meet(&Known::unsigned(lo, most, self.width)?),
            _ => Some(self),
        }
    }

    fn in_signed(self, lo: Option<i128>, hi: Option<i128>, promised: bool) -> Option<Known> {
        let (least, most) = signed_limits(self.width);
        let fits = lo.is_some_and(|lo| lo >= least) && hi.is_some_and(|hi| hi <= most);
        if !fits && !promised {
            return Some(self);
        }
        let range = Known::signed(lo.unwrap_or(least), hi.unwrap_or(most), self.width)?;
        self.meet(&range)
    }
}

fn add(flags: NoWrap, a: &Known, b: &Known) -> Option<Known> {
    let width = a.width;
    let low = a.trailing_known().min(b.trailing_known());
    let sum = a.ones.wrapping_add(b.ones);
    let known = low_bits(sum, low, width)?;
    let modulus_wraps = a.lo.checked_add(b.lo).is_none_or(|sum| sum > mask(u128::MAX, width));
    let known = if modulus_wraps && width < 128 {
        // Both ends wrap, so all of it does.
        let (lo, hi) = (mask(a.lo.wrapping_add(b.lo), width), mask(a.hi.wrapping_add(b.hi), width));
        known.meet(&Known::unsigned(lo, hi, width)?)?
    } else {
        known.in_unsigned(a.lo.checked_add(b.lo), a.hi.checked_add(b.hi), flags.unsigned)?
    };
    // An end past the 128-bit integers says nothing.
    known.in_signed(a.slo.checked_add(b.slo), a.shi.checked_add(b.shi), flags.signed)
}

fn sub(flags: NoWrap, a: &Known, b: &Known) -> Option<Known> {
    let width = a.width;
    let low = a.trailing_known().min(b.trailing_known());
    let known = low_bits(a.ones.wrapping_sub(b.ones), low, width)?;
    let known = if a.hi < b.lo {
        let (lo, hi) = (mask(a.lo.wrapping_sub(b.hi), width), mask(a.hi.wrapping_sub(b.lo), width));
        known.meet(&Known::unsigned(lo, hi, width)?)?
    } else if a.lo >= b.hi || flags.unsigned {
        let (lo, hi) = (a.lo.saturating_sub(b.hi), a.hi.saturating_sub(b.lo));
        known.meet(&Known::unsigned(lo, hi, width)?)?
    } else {
        known
    };
    known.in_signed(a.slo.checked_sub(b.shi), a.shi.checked_sub(b.slo), flags.signed)
}

fn mul(flags: NoWrap, a: &Known, b: &Known) -> Option<Known> {
    let width = a.width;
    let (za, zb) = (a.trailing_zeros(), b.trailing_zeros());
    let zeros = (za + zb).min(u32::from(width));
    // Where the low bits of both are known, so are those of the product.
    let low = (a.trailing_known() + zb).min(b.trailing_known() + za).min(u32::from(width));
    let known = if low >= zeros {
        low_bits(a.ones.wrapping_mul(b.ones), low, width)?
    } else {
        low_bits(0, zeros, width)?
    };
    let known =
        known.in_unsigned(a.lo.checked_mul(b.lo), a.hi.checked_mul(b.hi), flags.unsigned)?;
    let corners = [(a.slo, b.slo), (a.slo, b.shi), (a.shi, b.slo), (a.shi, b.shi)];
    let products: Option<Vec<i128>> = corners.iter().map(|(x, y)| x.checked_mul(*y)).collect();
    match products {
        Some(products) => known.in_signed(
            products.iter().copied().min(),
            products.iter().copied().max(),
            flags.signed,
        ),
        None => Some(known),
    }
}

/// The low `count` bits are those of `value`.
fn low_bits(value: u128, count: u32, width: u8) -> Option<Known> {
    let low = if count >= 128 { u128::MAX } else { (1u128 << count) - 1 };
    Known::bits(!value & low, value & low, width)
}

fn udiv(a: &Known, b: &Known) -> Option<Known> {
    match (b.lo, b.hi) {
        (0, _) => Some(Known::top(a.width)),
        (least, most) => Known::unsigned(a.lo / most, a.hi / least, a.width),
    }
}

fn urem(a: &Known, b: &Known) -> Option<Known> {
    let width = a.width;
    if a.hi < b.lo {
        return Some(*a);
    }
    let range = match b.as_const() {
        Some(0) => return Some(*a),
        Some(c) if a.lo / c == a.hi / c => Known::unsigned(a.lo % c, a.hi % c, width)?,
        _ if b.lo == 0 => Known::unsigned(0, a.hi, width)?,
        _ => Known::unsigned(0, a.hi.min(b.hi - 1), width)?,
    };
    // A power of two keeps the bits below it.
    let aligned = b.trailing_zeros();
    let low = if aligned >= 128 { u128::MAX } else { (1u128 << aligned) - 1 };
    range.meet(&Known::bits(a.zeros & low, a.ones & low, width)?)
}

fn sdiv(a: &Known, b: &Known) -> Option<Known> {
    if a.is_nonneg() && b.is_nonneg() {
        return udiv(a, b);
    }
    match b.as_const().map(|c| sign_extend(c, a.width)) {
        Some(c) if c > 0 => Known::signed(a.slo / c, a.shi / c, a.width),
        _ => Some(Known::top(a.width)),
    }
}

fn srem(a: &Known, b: &Known) -> Option<Known> {
    if a.is_nonneg() && b.is_nonneg() {
        return urem(a, b);
    }
    // The sign is the dividend's, the magnitude at most the dividend's and below the divisor's.
    let (mut lo, mut hi) = (a.slo.min(0), a.shi.max(0));
    if b.slo > 0 {
        lo = lo.max(1 - b.shi);
        hi = hi.min(b.shi - 1);
    }
    Known::signed(lo, hi, a.width)
}

fn shl(flags: NoWrap, a: &Known, b: &Known) -> Option<Known> {
    let width = a.width;
    let bits = u128::from(width);
    if let Some(amount) = b.as_const() {
        if amount >= bits {
            return Some(Known::constant(0, width));
        }
        let factor = Known::constant(1u128 << amount, width);
        // As a signed factor the top bit is negative; only the unsigned view is a product then.
        let flags = if amount + 1 == bits { NoWrap { signed: false, ..flags } } else { flags };
        let product = mul(flags, a, &factor)?;
        let low = (1u128 << amount) - 1;
        return product.meet(&Known::bits(a.zeros << amount | low, a.ones << amount, width)?);
    }
    let zeros = u128::from(a.trailing_zeros()).saturating_add(b.lo).min(bits);
    let known = low_bits(0, zeros as u32, width)?;
    if b.hi >= bits {
        return Some(known);
    }
    let up = |value: u128, by: u128| (value.leading_zeros() as u128 >= by).then(|| value << by);
    known.in_unsigned(up(a.lo, b.lo), up(a.hi, b.hi), flags.unsigned)
}

fn lshr(a: &Known, b: &Known) -> Option<Known> {
    let width = a.width;
    let bits = u128::from(width);
    let down = |value: u128, by: u128| if by >= bits { 0 } else { value >> by };
    let range = Known::unsigned(down(a.lo, b.hi), down(a.hi, b.lo), width)?;
    match b.as_const() {
        Some(amount) if amount < bits => {
            let high = mask(u128::MAX, width) & !(mask(u128::MAX, width) >> amount);
            range.meet(&Known::bits(a.zeros >> amount | high, a.ones >> amount, width)?)
        }
        _ => Some(range),
    }
}

fn ashr(a: &Known, b: &Known) -> Option<Known> {
    if a.is_nonneg() {
        return lshr(a, b);
    }
    let most = u128::from(a.width) - 1;
    let down = |value: i128, by: u128| value >> by.min(most);
    let lo = if a.slo < 0 { down(a.slo, b.lo) } else { down(a.slo, b.hi) };
    let hi = if a.shi < 0 { down(a.shi, b.hi) } else { down(a.shi, b.lo) };
    Known::signed(lo, hi, a.width)
}
