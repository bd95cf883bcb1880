//! Short proofs that a polynomial is never negative.
//!
//! **Proves**: `p >= 0` where `p` is a bound on its atoms plus a few constraints, each times a
//! non-negative number or monomial. Searches depth first; **misses** combinations of more than
//! [`DEPTH`] constraints, which the linear program finds.

use super::poly::{Mono, Poly, quotient};
use super::system::System;

/// Constraints in one proof.
const DEPTH: u32 = 4;
/// Polynomials looked at in one proof.
const NODES: u64 = 80;
/// Terms of a polynomial worth a search.
const MAX_TERMS: usize = 10;

impl System {
    /// Whether the constraints make `poly` zero or more, as far as a short search tells.
    /// Each polynomial looked at comes out of `budget`.
    pub(super) fn proves_nonneg(&self, poly: &Poly, budget: &mut u64) -> bool {
        let start = NODES.min(*budget);
        let mut nodes = start;
        let proved = nodes > 0 && self.search_proof(poly, DEPTH, &mut nodes);
        *budget -= start - nodes;
        proved
    }

    fn search_proof(&self, poly: &Poly, depth: u32, nodes: &mut u64) -> bool {
        *nodes = nodes.saturating_sub(1);
        let (least, most) = self.range(poly);
        if least.is_some_and(|least| least >= 0) {
            return true;
        }
        let hopeless = most.is_some_and(|most| most < 0) || poly.terms().len() > MAX_TERMS;
        if depth == 0 || *nodes == 0 || hopeless {
            return false;
        }
        for (mono, c) in poly.variable_terms() {
            for constraint in &self.facts.nonneg {
                for (part, d) in constraint.variable_terms() {
                    // The constraint times a factor takes this term away.
                    if (*c < 0) != (*d < 0) || c % d != 0 {
                        continue;
                    }
                    let Some(factor) = quotient(mono, part) else { continue };
                    if !self.is_nonneg_mono(&factor) {
                        continue;
                    }
                    let Some(rest) = subtract(poly, constraint, &factor, c / d) else { continue };
                    if self.search_proof(&rest, depth - 1, nodes) {
                        return true;
                    }
                    if *nodes == 0 {
                        return false;
                    }
                }
            }
        }
        false
    }

    pub(super) fn is_nonneg_mono(&self, mono: &Mono) -> bool {
        mono.iter().all(|&atom| self.atoms[atom as usize].lo >= 0)
    }
}

/// `poly - times * factor * constraint`.
fn subtract(poly: &Poly, constraint: &Poly, factor: &Mono, times: i128) -> Option<Poly> {
    if factor.is_empty() {
        return poly.add_scaled(constraint, -times);
    }
    let product = constraint.mul(&Poly::term(factor.clone(), 1))?;
    poly.add_scaled(&product, -times)
}
