//! Polynomials over integer atoms, with exact coefficients.
//!
//! **Promises**: arithmetic is that of the integers; where a coefficient leaves 128 bits, or a
//! product has more than [`MAX_TERMS`] terms or a term of more than [`MAX_FACTORS`] factors, the
//! operation gives `None`.

use smallvec::SmallVec;

/// An integer unknown, by its place in the table of atoms.
pub(crate) type Atom = u32;

/// A product of atoms, sorted; empty for one.
pub(crate) type Mono = SmallVec<[Atom; 4]>;

/// Terms of a product at most.
const MAX_TERMS: usize = 48;
/// Factors of a monomial of a product at most: a square in a loop has twice as many each round.
const MAX_FACTORS: usize = 64;

/// A sum of monomials with coefficients, sorted by monomial, without zero coefficients.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Poly {
    terms: Vec<(Mono, i128)>,
}

impl Poly {
    pub(crate) fn zero() -> Poly {
        Poly::default()
    }

    pub(crate) fn constant(value: i128) -> Poly {
        let terms = if value == 0 { Vec::new() } else { vec![(Mono::new(), value)] };
        Poly { terms }
    }

    pub(crate) fn atom(atom: Atom) -> Poly {
        Poly::term(SmallVec::from_slice(&[atom]), 1)
    }

    pub(crate) fn term(mono: Mono, coefficient: i128) -> Poly {
        let terms = if coefficient == 0 { Vec::new() } else { vec![(mono, coefficient)] };
        Poly { terms }
    }

    /// Sums up terms in any order.
    pub(crate) fn from_terms(mut terms: Vec<(Mono, i128)>) -> Option<Poly> {
        terms.sort_by(|a, b| a.0.cmp(&b.0));
        let mut out: Vec<(Mono, i128)> = Vec::with_capacity(terms.len());
        for (mono, coefficient) in terms {
            match out.last_mut() {
                Some((last, sum)) if *last == mono => *sum = sum.checked_add(coefficient)?,
                _ => out.push((mono, coefficient)),
            }
        }
        out.retain(|(_, coefficient)| *coefficient != 0);
        Some(Poly { terms: out })
    }

    pub(crate) fn terms(&self) -> &[(Mono, i128)] {
        &self.terms
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value, where there are no atoms.
    pub(crate) fn as_const(&self) -> Option<i128> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(mono, value)] if mono.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The coefficient of the empty monomial.
    pub(crate) fn constant_term(&self) -> i128 {
        match self.terms.first() {
            Some((mono, value)) if mono.is_empty() => *value,
            _ => 0,
        }
    }

    /// The terms that have atoms.
    pub(crate) fn variable_terms(&self) -> &[(Mono, i128)] {
        match self.terms.first() {
            Some((mono, _)) if mono.is_empty() => &self.terms[1..],
            _ => &self.terms,
        }
    }

    /// Whether each term is a constant or an atom.
    pub(crate) fn is_linear(&self) -> bool {
        self.terms.iter().all(|(mono, _)| mono.len() <= 1)
    }

    pub(crate) fn mentions(&self, atom: Atom) -> bool {
        self.terms.iter().any(|(mono, _)| mono.contains(&atom))
    }

    pub(crate) fn add(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, 1)
    }

    pub(crate) fn sub(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, -1)
    }

    /// `self + factor * other`.
    pub(crate) fn add_scaled(&self, other: &Poly, factor: i128) -> Option<Poly> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(a), Some(b)) => a.0.cmp(&b.0),
            };
            let (mono, sum) = match order {
                std::cmp::Ordering::Less => {
                    let (mono, a) = left.next()?;
                    (mono, *a)
                }
                std::cmp::Ordering::Greater => {
                    let (mono, b) = right.next()?;
                    (mono, b.checked_mul(factor)?)
                }
                std::cmp::Ordering::Equal => {
                    let ((mono, a), (_, b)) = (left.next()?, right.next()?);
                    (mono, a.checked_add(b.checked_mul(factor)?)?)
                }
            };
            if sum != 0 {
                terms.push((mono.clone(), sum));
            }
        }
        Some(Poly { terms })
    }

    pub(crate) fn add_constant(&self, value: i128) -> Option<Poly> {
        self.add(&Poly::constant(value))
    }

    pub(crate) fn negate(&self) -> Option<Poly> {
        self.scale(-1)
    }

    pub(crate) fn scale(&self, factor: i128) -> Option<Poly> {
        Poly::zero().add_scaled(self, factor)
    }

    pub(crate) fn mul(&self, other: &Poly) -> Option<Poly> {
        if self.terms.len() * other.terms.len() > MAX_TERMS {
            return None;
        }
        let mut terms = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                if a.len() + b.len() > MAX_FACTORS {
                    return None;
                }
                terms.push((product(a, b), x.checked_mul(*y)?));
            }
        }
        Poly::from_terms(terms)
    }

    /// The greatest common divisor of the coefficients of terms with atoms; zero if there are none.
    pub(crate) fn content(&self) -> i128 {
        self.variable_terms().iter().fold(0, |divisor, (_, c)| gcd(divisor, *c))
    }

    /// Divides each coefficient; the caller knows that it goes.
    pub(crate) fn divide_exactly(&self, divisor: i128) -> Poly {
        let terms = self.terms.iter().map(|(mono, c)| (mono.clone(), c / divisor)).collect();
        Poly { terms }
    }

    /// `(part, c, k)` with `self = c * part + k`, the same part for all multiples and shifts.
    pub(crate) fn primitive(&self) -> Option<(Poly, i128, i128)> {
        let k = self.constant_term();
        let leading = self.variable_terms().first()?.1;
        let c = self.content().checked_mul(leading.signum())?;
        Some((self.add_constant(k.checked_neg()?)?.divide_exactly(c), c, k))
    }

    /// With `value` for an atom.
    pub(crate) fn substitute(&self, atom: Atom, value: &Poly) -> Option<Poly> {
        if !self.mentions(atom) {
            return Some(self.clone());
        }
        let (with, without): (Vec<_>, Vec<_>) =
            self.terms.iter().cloned().partition(|(mono, _)| mono.contains(&atom));
        let mut sum = Poly { terms: without };
        for (mut mono, coefficient) in with {
            let mut power = Poly::constant(coefficient);
            while let Some(at) = mono.iter().position(|&it| it == atom) {
                mono.remove(at);
                power = power.mul(value)?;
            }
            sum = sum.add(&power.mul(&Poly::term(mono, 1))?)?;
        }
        Some(sum)
    }
}

/// The product of two monomials.
pub(crate) fn product(a: &Mono, b: &Mono) -> Mono {
    let mut both = a.clone();
    both.extend_from_slice(b);
    both.sort_unstable();
    both
}

/// `mono / divisor`, where it goes.
pub(crate) fn quotient(mono: &Mono, divisor: &Mono) -> Option<Mono> {
    let mut rest = mono.clone();
    for atom in divisor {
        let at = rest.iter().position(|it| it == atom)?;
        rest.remove(at);
    }
    Some(rest)
}

pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_substitution() {
        let (x, y) = (Poly::atom(0), Poly::atom(1));
        let sum = x.add(&y).unwrap();
        let square = sum.mul(&sum).unwrap();
        assert_eq!(square.terms().len(), 3);
        // (x + y)^2 with x = -y is zero.
        assert!(square.substitute(0, &y.negate().unwrap()).unwrap().is_zero());
    }

    #[test]
    fn what_leaves_128_bits_is_no_answer() {
        let big = Poly::constant(i128::MAX);
        assert_eq!(big.add_constant(1), None);
        assert_eq!(big.scale(2), None);
    }

    #[test]
    fn squares_of_squares_come_to_an_end() {
        let squares = std::iter::successors(Some(Poly::atom(0)), |it| it.mul(it));
        assert!(squares.count() < 8);
    }

    #[test]
    fn the_constant_is_not_part_of_the_content() {
        let p = Poly::atom(0).scale(6).unwrap().add(&Poly::atom(1).scale(4).unwrap()).unwrap();
        assert_eq!(p.add_constant(3).unwrap().content(), 2);
    }
}
