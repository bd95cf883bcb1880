//! Floats as what they are: exact numbers, rounded once (IEEE 754-2019, 4.3 and 7).
//!
//! Numbers are fractions of big integers; nothing here uses the floats of this machine.

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A float.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Number {
    Nan,
    /// Negative or not.
    Infinity(bool),
    /// Negative or not.
    Zero(bool),
    /// Not zero.
    Finite(BigRational),
}

/// How a number that is none of a format becomes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Nearest,
    Zero,
    Up,
    Down,
}

pub(crate) const MODES: [(&str, Mode); 4] =
    [("rn", Mode::Nearest), ("rz", Mode::Zero), ("ru", Mode::Up), ("rd", Mode::Down)];

/// A format: bits of the exponent and of the fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format(pub(crate) u32, pub(crate) u32);

pub(crate) const F16: Format = Format(5, 10);
pub(crate) const BF16: Format = Format(8, 7);
pub(crate) const F32: Format = Format(8, 23);
pub(crate) const F64: Format = Format(11, 52);

fn power(exponent: i64) -> BigRational {
    let whole = BigInt::one() << exponent.unsigned_abs();
    if exponent < 0 { BigRational::new(BigInt::one(), whole) } else { whole.into() }
}

impl Format {
    pub(crate) fn sign(self) -> u64 {
        1 << (self.0 + self.1)
    }

    pub(crate) fn infinity(self) -> u64 {
        ((1 << self.0) - 1) << self.1
    }

    /// The NaN of the vectors.
    pub(crate) fn nan(self) -> u64 {
        self.sign() - 1
    }

    /// The exponent of the least normal number.
    pub(crate) fn least(self) -> i64 {
        2 - (1 << (self.0 - 1))
    }

    pub(crate) fn number(self, bits: u64) -> Number {
        let negative = bits & self.sign() != 0;
        let bits = bits & (self.sign() - 1);
        if bits > self.infinity() {
            return Number::Nan;
        }
        if bits == self.infinity() {
            return Number::Infinity(negative);
        }
        if bits == 0 {
            return Number::Zero(negative);
        }
        let exponent = (bits >> self.1) as i64;
        let fraction = bits & ((1 << self.1) - 1);
        let whole = if exponent == 0 { fraction } else { fraction | 1 << self.1 };
        let value = BigRational::from(BigInt::from(whole))
            * power(exponent.max(1) - 1 + self.least() - i64::from(self.1));
        Number::Finite(if negative { -value } else { value })
    }

    /// The bits of a number, rounded.
    pub(crate) fn round(self, number: &Number, mode: Mode) -> u64 {
        let signed = |negative: bool, bits: u64| if negative { bits | self.sign() } else { bits };
        match number {
            Number::Nan => self.nan(),
            Number::Infinity(negative) => signed(*negative, self.infinity()),
            Number::Zero(negative) => signed(*negative, 0),
            Number::Finite(value) => {
                let negative = value.is_negative();
                let size = value.abs();
                let over = match (mode, negative) {
                    (Mode::Nearest, _) | (Mode::Up, false) | (Mode::Down, true) => self.infinity(),
                    (Mode::Zero | Mode::Up | Mode::Down, _) => self.infinity() - 1,
                };
                let exponent = exponent(&size).max(self.least());
                if exponent > 1 - self.least() {
                    return signed(negative, over);
                }
                let scaled = size / power(exponent - i64::from(self.1));
                let whole = to_integer(&scaled, if negative { opposite(mode) } else { mode });
                let whole = whole.to_u64().expect("a fraction of 53 bits");
                let bits = (((exponent - self.least()) as u64) << self.1) + whole;
                signed(negative, if bits >= self.infinity() { over } else { bits })
            }
        }
    }
}

/// Of the size of a number that is negative.
fn opposite(mode: Mode) -> Mode {
    match mode {
        Mode::Up => Mode::Down,
        Mode::Down => Mode::Up,
        Mode::Nearest | Mode::Zero => mode,
    }
}

/// The exponent of the highest bit of a positive number.
fn exponent(size: &BigRational) -> i64 {
    let near = size.numer().bits() as i64 - size.denom().bits() as i64;
    if power(near) <= *size { near } else { near - 1 }
}

/// The integer near a number.
pub(crate) fn to_integer(value: &BigRational, mode: Mode) -> BigInt {
    match mode {
        Mode::Zero => value.trunc().to_integer(),
        Mode::Up => value.ceil().to_integer(),
        Mode::Down => value.floor().to_integer(),
        Mode::Nearest => {
            let below = value.floor();
            let rest = value - &below;
            let half = BigRational::new(1.into(), 2.into());
            let below = below.to_integer();
            let odd = (&below % 2u8) != BigInt::zero();
            if rest > half || rest == half && odd { below + 1 } else { below }
        }
    }
}

impl Number {
    pub(crate) fn is_negative(&self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinity(negative) | Number::Zero(negative) => *negative,
            Number::Finite(value) => value.is_negative(),
        }
    }

    pub(crate) fn negated(self) -> Number {
        match self {
            Number::Nan => Number::Nan,
            Number::Infinity(negative) => Number::Infinity(!negative),
            Number::Zero(negative) => Number::Zero(!negative),
            Number::Finite(value) => Number::Finite(-value),
        }
    }

    pub(crate) fn is_nan(&self) -> bool {
        *self == Number::Nan
    }

    /// A number that is no infinity and not NaN.
    pub(crate) fn value(&self) -> Option<BigRational> {
        match self {
            Number::Nan | Number::Infinity(_) => None,
            Number::Zero(_) => Some(BigRational::zero()),
            Number::Finite(value) => Some(value.clone()),
        }
    }

    /// An exact number; zero is positive, or as `zero` says.
    pub(crate) fn of(value: BigRational, zero: bool) -> Number {
        if value.is_zero() { Number::Zero(zero) } else { Number::Finite(value) }
    }

    /// The order of two numbers, if they have one; zeros are equal.
    pub(crate) fn compared(&self, other: &Number) -> Option<std::cmp::Ordering> {
        let rank = |it: &Number| match it {
            Number::Infinity(negative) => {
                if *negative {
                    -1
                } else {
                    1
                }
            }
            Number::Nan | Number::Zero(_) | Number::Finite(_) => 0,
        };
        if self.is_nan() || other.is_nan() {
            return None;
        }
        match (self.value(), other.value()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => Some(rank(self).cmp(&rank(other))),
        }
    }
}

/// The sum; where it is zero, its sign is that of the mode, or of both.
pub(crate) fn add(a: &Number, b: &Number, mode: Mode) -> Number {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinity(x), Number::Infinity(y)) if x != y => Number::Nan,
        (Number::Infinity(x), _) | (_, Number::Infinity(x)) => Number::Infinity(*x),
        (Number::Zero(x), Number::Zero(y)) if x == y => Number::Zero(*x),
        (Number::Zero(_) | Number::Finite(_), Number::Zero(_) | Number::Finite(_)) => {
            let sum = a.value().expect("finite") + b.value().expect("finite");
            Number::of(sum, mode == Mode::Down)
        }
    }
}

pub(crate) fn multiply(a: &Number, b: &Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinity(_), Number::Zero(_)) | (Number::Zero(_), Number::Infinity(_)) => {
            Number::Nan
        }
        (Number::Infinity(_), _) | (_, Number::Infinity(_)) => Number::Infinity(negative),
        (Number::Zero(_) | Number::Finite(_), Number::Zero(_) | Number::Finite(_)) => {
            Number::of(a.value().expect("finite") * b.value().expect("finite"), negative)
        }
    }
}

pub(crate) fn divide(a: &Number, b: &Number) -> Number {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinity(_), Number::Infinity(_)) | (Number::Zero(_), Number::Zero(_)) => {
            Number::Nan
        }
        (Number::Infinity(_), _) | (_, Number::Zero(_)) => Number::Infinity(negative),
        (Number::Zero(_), _) | (_, Number::Infinity(_)) => Number::Zero(negative),
        (Number::Finite(a), Number::Finite(b)) => Number::Finite(a / b),
    }
}

/// The root, as a number that each format of at most 64 bits rounds as it rounds the root.
pub(crate) fn root(a: &Number) -> Number {
    match a {
        Number::Zero(negative) => Number::Zero(*negative),
        Number::Infinity(false) => Number::Infinity(false),
        Number::Nan | Number::Infinity(true) => Number::Nan,
        Number::Finite(value) if value.is_negative() => Number::Nan,
        Number::Finite(value) => {
            // A whole number of at least 140 bits: a root of at least 70, and whether it is exact.
            let by = 140 - exponent(value).min(0) + 140;
            let whole = (value * power(2 * by)).to_integer();
            let whole: BigUint = whole.to_biguint().expect("not negative");
            let root = whole.sqrt();
            let exact = &root * &root == whole && (value * power(2 * by)).is_integer();
            let doubled = BigInt::from_biguint(Sign::Plus, root) * 2 + u8::from(!exact);
            Number::Finite(BigRational::from(doubled) * power(-by - 1))
        }
    }
}
