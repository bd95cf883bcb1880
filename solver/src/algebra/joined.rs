//! Products of two unknowns as one: `b * (X * Y) + v` with `v < X * Y` needs no sign of `X`.
//!
//! **What**: systems in which a product of two unknowns is an unknown of its own, for the pairs
//! that are multiplied most often. **Sound because** each constraint in which one of the two stands
//! without the other is left out, which loses no solution, and all others hold of the product.
//! **Misses**: products of three, and constraints that need both forms.

use std::collections::BTreeMap;

use super::poly::{Atom, Mono, Poly};
use super::system::{Facts, Role, System, Unknown};

/// So many pairs are tried.
const PAIRS: usize = 2;

/// The systems for the pairs that are multiplied in more than one term.
pub(super) fn joined(system: &System) -> Vec<System> {
    let mut counts: BTreeMap<(Atom, Atom), usize> = BTreeMap::new();
    let Facts { zero, nonneg, nonzero, clauses: _ } = &system.facts;
    for poly in zero.iter().chain(nonneg).chain(nonzero) {
        for (mono, _) in poly.terms() {
            let mut factors = mono.to_vec();
            factors.dedup();
            factors.retain(|it| system.atoms[*it as usize].role == Role::Value);
            for (at, one) in factors.iter().enumerate() {
                for other in &factors[at + 1..] {
                    *counts.entry((*one, *other)).or_default() += 1;
                }
            }
        }
    }
    let mut pairs: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    pairs.sort_by_key(|(pair, count)| (std::cmp::Reverse(*count), *pair));
    pairs.into_iter().take(PAIRS).filter_map(|(pair, _)| with_product(system, pair)).collect()
}

fn with_product(system: &System, pair: (Atom, Atom)) -> Option<System> {
    let (lo, hi) = system.mono_range(&Mono::from_slice(&[pair.0, pair.1]))?;
    let mut atoms = system.atoms.clone();
    let product = Atom::try_from(atoms.len()).ok()?;
    atoms.push(Unknown { lo, hi, role: Role::Value });
    Some(System::new(atoms, facts_of(&system.facts, pair, product)))
}

fn facts_of(facts: &Facts, pair: (Atom, Atom), product: Atom) -> Facts {
    let all = |polys: &[Poly]| polys.iter().filter_map(|it| poly_of(it, pair, product)).collect();
    let clause = |clause: &Vec<Facts>| -> Option<Vec<Facts>> {
        let all: Vec<Facts> = clause.iter().map(|it| facts_of(it, pair, product)).collect();
        // One that says nothing any more holds always.
        all.iter().all(|it| !says_nothing(it)).then_some(all)
    };
    Facts {
        zero: all(&facts.zero),
        nonneg: all(&facts.nonneg),
        nonzero: all(&facts.nonzero),
        clauses: facts.clauses.iter().filter_map(clause).collect(),
    }
}

fn says_nothing(facts: &Facts) -> bool {
    let Facts { zero, nonneg, nonzero, clauses } = facts;
    zero.is_empty() && nonneg.is_empty() && nonzero.is_empty() && clauses.is_empty()
}

/// The polynomial with the product in it; none where one of the pair stands without the other.
fn poly_of(poly: &Poly, pair: (Atom, Atom), product: Atom) -> Option<Poly> {
    let mut terms = Vec::with_capacity(poly.terms().len());
    for (mono, coefficient) in poly.terms() {
        let count = |atom: Atom| mono.iter().filter(|it| **it == atom).count();
        let times = count(pair.0);
        if times != count(pair.1) {
            return None;
        }
        let mut with: Mono =
            mono.iter().copied().filter(|it| ![pair.0, pair.1].contains(it)).collect();
        with.extend(std::iter::repeat_n(product, times));
        terms.push((with, *coefficient));
    }
    Poly::from_terms(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(terms: &[(&[Atom], i128)]) -> Poly {
        let terms = terms.iter().map(|(mono, c)| (Mono::from_slice(mono), *c)).collect();
        Poly::from_terms(terms).expect("small numbers")
    }

    #[test]
    fn what_names_one_of_the_two_alone_is_left_out() {
        let unknown = Unknown { lo: -4, hi: 5, role: Role::Value };
        // Atom 0 counts planes of 1 by 2; 3 is the place in one.
        let address = poly(&[(&[0, 1, 2], 1), (&[3], 1)]);
        let inside = poly(&[(&[1, 2], 1), (&[3], -1), (&[], -1)]);
        let alone = poly(&[(&[1], 1)]);
        let always = Facts { nonneg: vec![alone.clone()], ..Facts::default() };
        let facts = Facts {
            zero: vec![address],
            nonneg: vec![inside.clone(), alone],
            nonzero: Vec::new(),
            clauses: vec![vec![always, Facts { zero: vec![inside], ..Facts::default() }]],
        };
        let systems = joined(&System::new(vec![unknown; 4], facts));
        let [system] = &systems[..] else { panic!("one pair is in two terms") };
        assert_eq!(system.facts.zero, [poly(&[(&[0, 4], 1), (&[3], 1)])]);
        assert_eq!(system.facts.nonneg, [poly(&[(&[4], 1), (&[3], -1), (&[], -1)])]);
        assert!(system.facts.clauses.is_empty(), "one of its alternatives says nothing");
        assert_eq!((system.atoms[4].lo, system.atoms[4].hi), (-20, 25));
    }
}
