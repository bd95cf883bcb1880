//! Exact fractions of 128-bit integers; `None` where one does not fit.

use std::cmp::Ordering;

/// A fraction in lowest terms; the denominator is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    pub(super) const ZERO: Rational = Rational { numerator: 0, denominator: 1 };

    pub(super) fn integer(value: i128) -> Rational {
        Rational { numerator: value, denominator: 1 }
    }

    fn reduced(numerator: i128, denominator: i128) -> Option<Rational> {
        if denominator == 1 {
            return Some(Rational { numerator, denominator });
        }
        let divisor = super::poly::gcd(numerator, denominator);
        let sign = if denominator < 0 { -1 } else { 1 };
        Some(Rational {
            numerator: (numerator / divisor).checked_mul(sign)?,
            denominator: (denominator / divisor).checked_mul(sign)?,
        })
    }

    pub(super) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(super) fn is_positive(self) -> bool {
        self.numerator > 0
    }

    pub(super) fn add(self, other: Rational) -> Option<Rational> {
        if self.denominator == other.denominator {
            let sum = self.numerator.checked_add(other.numerator)?;
            return Rational::reduced(sum, self.denominator);
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Rational::reduced(
            left.checked_add(right)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    pub(super) fn negate(self) -> Option<Rational> {
        let numerator = self.numerator.checked_neg()?;
        Some(Rational { numerator, denominator: self.denominator })
    }

    pub(super) fn sub(self, other: Rational) -> Option<Rational> {
        self.add(other.negate()?)
    }

    pub(super) fn mul(self, other: Rational) -> Option<Rational> {
        Rational::reduced(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    /// The inverse; `None` for zero.
    pub(super) fn inverse(self) -> Option<Rational> {
        match self.numerator.cmp(&0) {
            Ordering::Equal => None,
            Ordering::Greater => {
                Some(Rational { numerator: self.denominator, denominator: self.numerator })
            }
            Ordering::Less => Some(Rational {
                numerator: -self.denominator,
                denominator: self.numerator.checked_neg()?,
            }),
        }
    }

    pub(super) fn compare(self, other: Rational) -> Option<Ordering> {
        if self.denominator == other.denominator {
            return Some(self.numerator.cmp(&other.numerator));
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left.cmp(&other.numerator.checked_mul(self.denominator)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_kept_in_lowest_terms() {
        let third = Rational::integer(-3).inverse().unwrap();
        let half = Rational::integer(2).inverse().unwrap();
        let sum = third.add(half).unwrap();
        assert_eq!(sum, Rational::integer(6).inverse().unwrap());
        assert_eq!(third.mul(Rational::integer(-3)), Some(Rational::integer(1)));
        assert_eq!(third.compare(half), Some(Ordering::Less));
        assert_eq!(Rational::integer(i128::MAX).add(Rational::integer(1)), None);
    }
}
