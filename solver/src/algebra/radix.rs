//! Mixed-radix splitting: `m * a + b = 0` with `b` strictly between `-m` and `m` forces `a = 0` and
//! `b = 0`.
//!
//! The radix is a constant, a product of unknowns, or a sum that another unknown of the equation is
//! multiplied by: where `n` was rewritten to `16 * q + r`, rows are that far apart. Splits chain.
//! **Sound because** `equation = m * a + b` is checked as an identity of polynomials, or holds by
//! taking terms apart, and both `m - 1 - b` and `m - 1 + b` are shown to be zero or more, which
//! makes `m` positive. **Proves** equal digits where addresses are equal; **misses** radices that
//! are sums without an unknown that stands alone in them with coefficient one.

use super::poly::{Atom, Mono, Poly, gcd, quotient};
use super::system::{Facts, System, Verdict, div_ceil};

/// Alternatives made of one equation at most, where several multiples of the radix are in reach.
const MULTIPLES: i128 = 3;

/// Sums that are tried as radices of one equation at most.
const SUMS: usize = 4;

impl System {
    /// Splits each equation that can be split; `proves` answers whether a polynomial is never
    /// negative.
    pub(super) fn split_radices(
        &mut self,
        proves: &mut dyn FnMut(&System, &Poly) -> bool,
    ) -> Verdict {
        let mut verdict = Verdict::Stuck;
        let mut at = 0;
        while at < self.facts.zero.len() {
            let equation = self.facts.zero[at].clone();
            match self.split(&equation, proves) {
                Split::Impossible => return Verdict::Refuted,
                Split::Into(parts) => {
                    self.facts.zero.remove(at);
                    self.facts.extend(parts);
                    verdict = Verdict::Progress;
                }
                Split::No => at += 1,
            }
        }
        verdict
    }

    fn split(&self, equation: &Poly, proves: &mut dyn FnMut(&System, &Poly) -> bool) -> Split {
        for radix in self.constant_radices(equation) {
            match self.split_by_constant(equation, radix, proves) {
                Split::No => {}
                done => return done,
            }
        }
        for radix in unknown_radices(equation) {
            match self.split_by_unknown(equation, &radix, proves) {
                Split::No => {}
                done => return done,
            }
        }
        for (radix, digit) in self.sum_radices(equation) {
            match self.split_by_sum(equation, &radix, digit, proves) {
                Split::No => {}
                done => return done,
            }
        }
        Split::No
    }

    fn constant_radices(&self, equation: &Poly) -> Vec<i128> {
        let mut radices: Vec<i128> = Vec::new();
        for (_, c) in equation.variable_terms() {
            let c = c.abs();
            if c > 1 && !radices.contains(&c) {
                radices.push(c);
            }
            // What two coefficients share, for strides like 6 and 4.
            for other in radices.clone() {
                let common = gcd(c, other);
                if common > 1 && !radices.contains(&common) {
                    radices.push(common);
                }
            }
        }
        radices.sort_unstable_by(|a, b| b.cmp(a));
        radices
    }

    fn split_by_constant(
        &self,
        equation: &Poly,
        radix: i128,
        proves: &mut dyn FnMut(&System, &Poly) -> bool,
    ) -> Split {
        let (high, low): (Vec<_>, Vec<_>) = equation
            .terms()
            .iter()
            .cloned()
            .partition(|(mono, c)| !mono.is_empty() && c % radix == 0);
        let (Some(high), Some(low)) = (Poly::from_terms(high), Poly::from_terms(low)) else {
            return Split::No;
        };
        if high.is_zero() || low.variable_terms().is_empty() {
            return Split::No;
        }
        let high = high.divide_exactly(radix);
        let (Some(lo), Some(hi)) = self.range(&low) else { return Split::No };
        // radix * high = -low, so low is a multiple of the radix within its range, and high within
        // its own.
        let (mut first, mut last) = (div_ceil(lo, radix), hi.div_euclid(radix));
        if let (Some(least), Some(most)) = self.range(&high) {
            first = first.max(-most);
            last = last.min(-least);
        }
        if first > last {
            return Split::Impossible;
        }
        if last - first >= MULTIPLES || (last > first && low.is_linear() && high.is_linear()) {
            // A guard may bound the digit closer than its terms do: `16 * b + t < 700`.
            return match self.is_bounded_as_a_sum(&low) {
                true => self.split_digits(&Poly::constant(radix), high, low, proves),
                false => Split::No,
            };
        }
        let part = |times: i128| {
            let low = low.add_constant(-radix.checked_mul(times)?)?;
            let high = high.add_constant(times)?;
            Some(Facts { zero: vec![low, high], ..Facts::default() })
        };
        let parts: Option<Vec<Facts>> = (first..=last).map(part).collect();
        match parts {
            None => Split::No,
            Some(mut parts) if parts.len() == 1 => parts.pop().map_or(Split::No, Split::Into),
            Some(parts) => Split::Into(Facts { clauses: vec![parts], ..Facts::default() }),
        }
    }

    /// Whether a constraint is about a sum of terms that a polynomial has.
    fn is_bounded_as_a_sum(&self, poly: &Poly) -> bool {
        let terms = poly.variable_terms();
        let has = |it: &Mono| terms.iter().any(|(mono, _)| mono == it);
        self.facts.nonneg.iter().any(|constraint| {
            let of = constraint.variable_terms();
            of.len() > 1 && of.iter().all(|(mono, _)| has(mono))
        })
    }

    fn split_by_unknown(
        &self,
        equation: &Poly,
        radix: &Mono,
        proves: &mut dyn FnMut(&System, &Poly) -> bool,
    ) -> Split {
        if !radix.iter().all(|&atom| self.atoms[atom as usize].lo >= 1) {
            return Split::No;
        }
        let (mut high, mut low) = (Vec::new(), Vec::new());
        for (mono, c) in equation.terms() {
            match quotient(mono, radix) {
                Some(rest) => high.push((rest, *c)),
                None => low.push((mono.clone(), *c)),
            }
        }
        let (Some(high), Some(low)) = (Poly::from_terms(high), Poly::from_terms(low)) else {
            return Split::No;
        };
        self.split_digits(&Poly::term(radix.clone(), 1), high, low, proves)
    }

    /// Splits `radix * high + low = 0`, where the radix is positive.
    fn split_digits(
        &self,
        radix: &Poly,
        high: Poly,
        low: Poly,
        proves: &mut dyn FnMut(&System, &Poly) -> bool,
    ) -> Split {
        let common = gcd(high.content(), high.constant_term());
        if common == 0 {
            return Split::No;
        }
        let high = high.divide_exactly(common);
        if low.is_zero() {
            return Split::Into(Facts { zero: vec![high], ..Facts::default() });
        }
        let Some(modulus) = radix.scale(common) else { return Split::No };
        let below = modulus.sub(&low).and_then(|it| it.add_constant(-1));
        let above = modulus.add(&low).and_then(|it| it.add_constant(-1));
        match (below, above) {
            (Some(below), Some(above)) if proves(self, &below) && proves(self, &above) => {
                Split::Into(Facts { zero: vec![high, low], ..Facts::default() })
            }
            _ => Split::No,
        }
    }

    /// Sums that an unknown is multiplied by in the equation and that are positive by the bounds of
    /// their atoms, each with an atom that stands alone in it with coefficient one.
    fn sum_radices(&self, equation: &Poly) -> Vec<(Poly, Atom)> {
        let mut factors: Vec<Atom> = Vec::new();
        let products = equation.terms().iter().filter(|(mono, _)| mono.len() > 1);
        for &atom in products.flat_map(|(mono, _)| mono) {
            if !factors.contains(&atom) {
                factors.push(atom);
            }
        }
        let mut found: Vec<(Poly, Atom)> = Vec::new();
        for factor in factors {
            let Some(radix) = cofactor(equation, factor) else { continue };
            let sum = radix.variable_terms().len() + usize::from(radix.constant_term() != 0);
            let content = gcd(radix.content(), radix.constant_term());
            if sum < 2 || content == 0 {
                continue;
            }
            let radix = radix.divide_exactly(content);
            let radix = match self.range(&radix) {
                (Some(lo), _) if lo >= 1 => radix,
                (_, Some(hi)) if hi <= -1 => match radix.negate() {
                    Some(positive) => positive,
                    None => continue,
                },
                _ => continue,
            };
            let digit = radix.variable_terms().iter().find_map(|(mono, c)| {
                let &[atom] = mono.as_slice() else { return None };
                let alone = radix.terms().iter().filter(|(it, _)| it.contains(&atom)).count() == 1;
                (c.abs() == 1 && alone).then_some(atom)
            });
            let Some(digit) = digit else { continue };
            if found.iter().all(|(known, _)| *known != radix) && found.len() < SUMS {
                found.push((radix, digit));
            }
        }
        found
    }

    /// Divides by a sum: all that has the digit is a multiple of the sum, and the rest is what is
    /// left over.
    fn split_by_sum(
        &self,
        equation: &Poly,
        radix: &Poly,
        digit: Atom,
        proves: &mut dyn FnMut(&System, &Poly) -> bool,
    ) -> Split {
        let sign = radix.terms().iter().find(|(mono, _)| mono.as_slice() == [digit]);
        let Some((_, sign)) = sign else { return Split::No };
        let parts = cofactor(equation, digit).and_then(|it| it.scale(*sign)).and_then(|high| {
            let low = equation.sub(&high.mul(radix)?)?;
            Some((high, low))
        });
        match parts {
            // A term with the square of the digit is left, or nothing was taken out.
            Some((high, low)) if !low.mentions(digit) && !high.is_zero() => {
                self.split_digits(radix, high, low, proves)
            }
            Some(_) | None => Split::No,
        }
    }
}

/// What an atom is multiplied by in the terms that have it once.
fn cofactor(equation: &Poly, atom: Atom) -> Option<Poly> {
    let once = equation.terms().iter().filter_map(|(mono, c)| {
        let mut rest = mono.clone();
        let at = rest.iter().position(|it| *it == atom)?;
        rest.remove(at);
        (!rest.contains(&atom)).then_some((rest, *c))
    });
    Poly::from_terms(once.collect())
}

enum Split {
    No,
    Into(Facts),
    Impossible,
}

/// Products of atoms that divide a non-linear term, shortest first.
fn unknown_radices(equation: &Poly) -> Vec<Mono> {
    let mut radices: Vec<Mono> = Vec::new();
    for (mono, _) in equation.terms() {
        if mono.len() < 2 || mono.len() > 4 {
            continue;
        }
        for chosen in 1..(1u32 << mono.len()) - 1 {
            let picked = (0..mono.len()).filter(|at| chosen >> at & 1 == 1);
            let radix: Mono = picked.map(|at| mono[at]).collect();
            if !radices.contains(&radix) {
                radices.push(radix);
            }
        }
    }
    radices.sort_by_key(|radix| radix.len());
    radices
}
