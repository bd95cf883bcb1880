//! The system as a linear program: each monomial is an unknown of its own.
//!
//! What ties monomials together are ranges, and products of two constraints (or of a constraint and
//! an atom that is not negative) as far as they mention monomials that are there already.
//! **Proves** that no rationals, so no integers, meet the constraints.

use rustc_hash::{FxHashMap, FxHashSet};

use super::poly::{Atom, Mono, Poly, product};
use super::simplex::{Feasibility, Simplex};
use super::system::{Role, System};

/// Products added at most.
const MAX_PRODUCTS: usize = 48;
/// Atoms in products at most, for products of any two of them to be brought in.
const MAX_MIXED: usize = 3;
/// Constraints of a system that is still worth a linear program.
const MAX_CONSTRAINTS: usize = 160;

/// So many terms of a program cost as much as a pivot.
const TERMS_PER_PIVOT: u64 = 16;

impl System {
    /// Whether linear reasoning refutes the system together with `extra >= 0`.
    pub(super) fn is_infeasible(&self, extra: Option<&Poly>, pivots: &mut u64) -> bool {
        self.try_infeasible(extra, pivots).unwrap_or(false)
    }

    fn try_infeasible(&self, extra: Option<&Poly>, pivots: &mut u64) -> Option<bool> {
        if *pivots == 0 {
            return None;
        }
        let mut constraints: Vec<(Poly, bool)> = Vec::new();
        constraints.extend(self.facts.zero.iter().map(|poly| (poly.clone(), true)));
        constraints.extend(self.facts.nonneg.iter().chain(extra).map(|it| (it.clone(), false)));
        if constraints.len() > MAX_CONSTRAINTS {
            return None;
        }
        self.add_products(&mut constraints);
        // Setting a large program up is work too.
        let terms: usize = constraints.iter().map(|(poly, _)| poly.terms().len()).sum();
        *pivots = pivots.saturating_sub(terms as u64 / TERMS_PER_PIVOT);
        let mut simplex = Simplex::default();
        let mut unknowns: FxHashMap<Mono, usize> = FxHashMap::default();
        for (poly, equation) in &constraints {
            let terms: Vec<(usize, i128)> = poly
                .variable_terms()
                .iter()
                .map(|(mono, c)| {
                    let unknown = *unknowns.entry(mono.clone()).or_insert_with(|| {
                        let (lo, hi) = self.mono_range(mono).unzip();
                        simplex.unknown(lo, hi)
                    });
                    (unknown, *c)
                })
                .collect();
            let bound = poly.constant_term().checked_neg()?;
            if terms.is_empty() {
                if bound > 0 || *equation && bound != 0 {
                    return Some(true);
                }
                continue;
            }
            simplex.constrain(&terms, Some(bound), equation.then_some(bound))?;
        }
        Some(simplex.check(pivots) == Feasibility::Infeasible)
    }

    /// Products of constraints that say something about the monomials that occur.
    fn add_products(&self, constraints: &mut Vec<(Poly, bool)>) {
        let mut present: FxHashSet<Mono> = FxHashSet::default();
        for (poly, _) in constraints.iter() {
            present.extend(poly.variable_terms().iter().map(|(mono, _)| mono.clone()));
        }
        let nonlinear: Vec<Mono> = {
            let mut all: Vec<Mono> = present.iter().filter(|it| it.len() > 1).cloned().collect();
            all.sort_unstable();
            all
        };
        if nonlinear.is_empty() {
            return;
        }
        let mut factors: Vec<Mono> = Vec::new();
        for mono in &nonlinear {
            for at in 0..mono.len() {
                let mut rest = mono.clone();
                let single = Mono::from_slice(&[rest.remove(at)]);
                for factor in [single, rest] {
                    if self.is_nonneg_mono(&factor) && !factors.contains(&factor) {
                        factors.push(factor);
                    }
                }
            }
        }
        // Few unknowns are worth all their products: squares are tied to each other by mixed ones.
        let mut unknowns: Vec<Atom> = nonlinear.iter().flatten().copied().collect();
        unknowns.sort_unstable();
        unknowns.dedup();
        if unknowns.len() <= MAX_MIXED {
            for (at, &x) in unknowns.iter().enumerate() {
                present.extend(unknowns[..=at].iter().map(|&y| Mono::from_slice(&[y, x])));
            }
        }
        // Single atoms may come in by a product; other new monomials only add unknowns.
        let fits = |poly: &Poly| {
            poly.variable_terms().iter().all(|(mono, _)| mono.len() == 1 || present.contains(mono))
        };
        let mut added = Vec::new();
        let bases: Vec<(Poly, bool)> = constraints.clone();
        for (poly, equation) in &bases {
            for factor in &factors {
                let quick = poly
                    .variable_terms()
                    .iter()
                    .all(|(mono, _)| present.contains(&product(mono, factor)));
                if !quick {
                    continue;
                }
                if let Some(scaled) = poly.mul(&Poly::term(factor.clone(), 1))
                    && fits(&scaled)
                {
                    added.push((scaled, *equation));
                }
            }
        }
        for (at, (p, _)) in bases.iter().enumerate() {
            for (q, _) in bases[..at].iter().filter(|(_, equation)| !equation) {
                let leading = p.variable_terms().iter().any(|(m, _)| {
                    q.variable_terms().iter().any(|(n, _)| present.contains(&product(m, n)))
                });
                if leading
                    && let Some(both) = p.mul(q)
                    && fits(&both)
                {
                    added.push((both, false));
                }
            }
        }
        // Ends of ranges: (x - lo) * (y - lo') and the like, for each product of two atoms.
        for mono in nonlinear.iter().filter(|mono| mono.len() == 2) {
            let [x, y] = [mono[0], mono[1]].map(|atom| {
                let known = self.atoms[atom as usize];
                let value = Poly::atom(atom);
                [
                    value.add_constant(-known.lo),
                    value.negate().and_then(|it| it.add_constant(known.hi)),
                ]
            });
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                if let (Some(p), Some(q)) = (&x[a], &y[b])
                    && let Some(both) = p.mul(q)
                {
                    added.push((both, false));
                }
            }
        }
        added.truncate(MAX_PRODUCTS);
        constraints.extend(added);
    }

    /// Pins down counts of wraps that linear reasoning leaves one value for. Says whether one was.
    pub(super) fn pin_wraps(&mut self, pivots: &mut u64) -> bool {
        let counts: Vec<_> =
            self.live().filter(|&atom| self.atoms[atom as usize].role == Role::Wraps).collect();
        let mut pinned = false;
        for atom in counts {
            let known = self.atoms[atom as usize];
            if known.lo == known.hi || !self.facts.zero.iter().any(|it| it.mentions(atom)) {
                continue;
            }
            // No wrap is by far the likeliest; else the lowest count.
            let likely = if known.lo <= 0 && known.hi >= 0 { 0 } else { known.lo };
            let value = Poly::atom(atom);
            let above = value.add_constant(-likely - 1);
            let below = value.negate().and_then(|it| it.add_constant(likely - 1));
            let ruled_out = |side: Option<Poly>, pivots: &mut u64| {
                side.is_some_and(|side| self.is_infeasible(Some(&side), pivots))
            };
            let high = known.hi <= likely || ruled_out(above, pivots);
            let low = known.lo >= likely || ruled_out(below, pivots);
            let entry = &mut self.atoms[atom as usize];
            if high && entry.hi > likely {
                entry.hi = likely;
                pinned = true;
            }
            if low && entry.lo < likely {
                entry.lo = likely;
                pinned = true;
            }
        }
        pinned
    }
}
