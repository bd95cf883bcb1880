//! Steps that trade constraints for simpler ones: differences of equations, and inequalities
//! divided by a positive unknown.
//!
//! **Promises**: as in `system`, every step keeps all integer solutions.

use super::poly::{Atom, Mono, Poly, quotient};
use super::system::{System, Verdict};

/// Constraints found by division in one go.
const MAX_FOUND: usize = 6;

impl System {
    /// Replaces an equation by its sum or difference with another where that is shorter.
    pub(super) fn combine(&mut self) -> Verdict {
        let equations = &self.facts.zero;
        for (at, p) in equations.iter().enumerate() {
            for (other, q) in equations.iter().enumerate() {
                if at == other || p.terms().len() < q.terms().len() {
                    continue;
                }
                for factor in [-1, 1] {
                    if let Some(both) = p.add_scaled(q, factor)
                        && both.terms().len() < p.terms().len()
                    {
                        self.facts.zero[at] = both;
                        return Verdict::Progress;
                    }
                }
            }
        }
        Verdict::Stuck
    }

    /// `w * a + b >= 0` with `w` positive: `a >= 0` where `b < w`, and `a >= 1` where `b < 0`.
    pub(super) fn divide_inequalities(&mut self, budget: &mut u64) -> Verdict {
        let mut found: Vec<Poly> = Vec::new();
        for constraint in &self.facts.nonneg {
            for divisor in factors(constraint) {
                if found.len() >= MAX_FOUND {
                    break;
                }
                let part = self.divided(constraint, divisor, budget);
                found.extend(part.filter(|it| !self.facts.nonneg.contains(it)));
            }
        }
        let before = self.facts.nonneg.len();
        for poly in found {
            if !self.facts.nonneg.contains(&poly) {
                self.facts.nonneg.push(poly);
            }
        }
        if self.facts.nonneg.len() > before { Verdict::Progress } else { Verdict::Stuck }
    }

    fn divided(&self, constraint: &Poly, divisor: Atom, budget: &mut u64) -> Option<Poly> {
        if self.atoms[divisor as usize].lo < 1 {
            return None;
        }
        let radix = Mono::from_slice(&[divisor]);
        let (mut high, mut low) = (Vec::new(), Vec::new());
        for (mono, c) in constraint.terms() {
            match quotient(mono, &radix) {
                Some(rest) => high.push((rest, *c)),
                None => low.push((mono.clone(), *c)),
            }
        }
        let (high, low) = (Poly::from_terms(high)?, Poly::from_terms(low)?);
        if high.variable_terms().is_empty() {
            return None;
        }
        let negative = low.negate()?.add_constant(-1)?;
        let found = if self.proves_nonneg(&negative, budget) {
            high.add_constant(-1)?
        } else if self.proves_nonneg(&negative.add(&Poly::atom(divisor))?, budget) {
            high
        } else {
            return None;
        };
        // News only: not what bounds and constraints give already.
        (!self.proves_nonneg(&found, budget)).then_some(found)
    }
}

/// The atoms of non-linear terms.
fn factors(poly: &Poly) -> Vec<Atom> {
    let nonlinear = poly.terms().iter().filter(|(mono, _)| mono.len() > 1);
    let mut atoms: Vec<Atom> = nonlinear.flat_map(|(mono, _)| mono.iter().copied()).collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}
