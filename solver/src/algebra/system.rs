//! Constraints over integer atoms, and the steps that need no search: substitution, divisibility,
//! bounds.
//!
//! **Promises**: every step keeps all integer solutions. [`Verdict::Refuted`] means there are none.

use super::poly::{Atom, Mono, Poly};

/// Constraints that hold together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Each is zero.
    pub(crate) zero: Vec<Poly>,
    /// Each is zero or more.
    pub(crate) nonneg: Vec<Poly>,
    /// Each is not zero.
    pub(crate) nonzero: Vec<Poly>,
    /// Of each, one holds.
    pub(crate) clauses: Vec<Vec<Facts>>,
}

impl Facts {
    /// Adds all of these.
    pub(crate) fn extend(&mut self, other: Facts) {
        let Facts { zero, nonneg, nonzero, clauses } = other;
        self.zero.extend(zero);
        self.nonneg.extend(nonneg);
        self.nonzero.extend(nonzero);
        self.clauses.extend(clauses);
    }

    /// Calls `change` on every polynomial; gives up where one gives up.
    fn map(&mut self, change: &impl Fn(&Poly) -> Option<Poly>) -> Option<()> {
        let Facts { zero, nonneg, nonzero, clauses } = self;
        for poly in zero.iter_mut().chain(nonneg).chain(nonzero) {
            *poly = change(poly)?;
        }
        for facts in clauses.iter_mut().flatten() {
            facts.map(change)?;
        }
        Some(())
    }
}

/// What an atom is to the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The value of an expression.
    Value,
    /// A digit: a quotient, a remainder, a slack. Values are rewritten to digits, not digits to
    /// values.
    Digit,
    /// How often a value wrapped around.
    Wraps,
}

/// Bounds and role of an atom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    pub(crate) lo: i128,
    pub(crate) hi: i128,
    pub(crate) role: Role,
}

/// Where a step leaves the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// No integers meet it.
    Refuted,
    /// Something changed.
    Progress,
    /// Nothing changed.
    Stuck,
}

/// Constraints, with the bounds of their atoms.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub(crate) atoms: Vec<Unknown>,
    pub(crate) facts: Facts,
    /// Atoms that an equation replaced by a polynomial.
    solved: Vec<bool>,
}

impl System {
    pub(crate) fn new(atoms: Vec<Unknown>, facts: Facts) -> System {
        let solved = vec![false; atoms.len()];
        System { atoms, facts, solved }
    }

    /// Atoms still in use, in order.
    pub(crate) fn live(&self) -> impl Iterator<Item = Atom> {
        (0..self.atoms.len()).filter(|&at| !self.solved[at]).map(|at| at as Atom)
    }

    /// The range of a monomial by the bounds of its atoms.
    pub(crate) fn mono_range(&self, mono: &Mono) -> Option<(i128, i128)> {
        mono_range(&self.atoms, mono)
    }

    /// The range of a polynomial by the bounds of its atoms; an end is `None` where it leaves 128
    /// bits.
    pub(crate) fn range(&self, poly: &Poly) -> (Option<i128>, Option<i128>) {
        range(&self.atoms, poly)
    }

    /// Terms of all constraints outside of clauses.
    pub(crate) fn size(&self) -> usize {
        let Facts { zero, nonneg, nonzero, clauses: _ } = &self.facts;
        zero.iter().chain(nonneg).chain(nonzero).map(|poly| poly.terms().len()).sum()
    }

    /// Simplifies until nothing changes or the system is refuted.
    pub(crate) fn settle(&mut self) -> Verdict {
        let mut progress = false;
        for _ in 0..64 {
            match self.step() {
                Verdict::Refuted => return Verdict::Refuted,
                Verdict::Progress => progress = true,
                Verdict::Stuck => break,
            }
        }
        if progress { Verdict::Progress } else { Verdict::Stuck }
    }

    fn step(&mut self) -> Verdict {
        for verdict in [Self::tidy, Self::opposites, Self::eliminate, Self::propagate, Self::prune]
        {
            match verdict(self) {
                Verdict::Stuck => {}
                done => return done,
            }
        }
        Verdict::Stuck
    }

    /// Drops what is decided, tightens by divisibility, removes repetitions.
    fn tidy(&mut self) -> Verdict {
        let fixed: Vec<(Atom, i128)> = self
            .live()
            .filter(|&atom| self.atoms[atom as usize].lo == self.atoms[atom as usize].hi)
            .map(|atom| (atom, self.atoms[atom as usize].lo))
            .collect();
        let mut changed = false;
        for (atom, value) in fixed {
            if !self.replace(atom, &Poly::constant(value)) {
                return Verdict::Stuck;
            }
            changed = true;
        }
        let mut kept = Vec::with_capacity(self.facts.zero.len());
        for poly in std::mem::take(&mut self.facts.zero) {
            match poly.as_const() {
                Some(0) => continue,
                Some(_) => return Verdict::Refuted,
                None => {}
            }
            let divisor = poly.content();
            if poly.constant_term() % divisor != 0 {
                return Verdict::Refuted;
            }
            let poly = poly.divide_exactly(divisor);
            if !kept.contains(&poly) {
                kept.push(poly);
            }
        }
        self.facts.zero = kept;
        let mut kept: Vec<Poly> = Vec::with_capacity(self.facts.nonneg.len());
        for poly in std::mem::take(&mut self.facts.nonneg) {
            match self.range(&poly) {
                (Some(lo), _) if lo >= 0 => continue,
                (_, Some(hi)) if hi < 0 => return Verdict::Refuted,
                _ => {}
            }
            let divisor = poly.content();
            // All terms but the constant are multiples, so the constant may be rounded down.
            let rest = poly.constant_term().rem_euclid(divisor);
            let Some(poly) = poly.add_constant(-rest) else { continue };
            let poly = poly.divide_exactly(divisor);
            if !kept.contains(&poly) {
                kept.push(poly);
            }
        }
        self.facts.nonneg = kept;
        let mut kept: Vec<Poly> = Vec::with_capacity(self.facts.nonzero.len());
        for poly in std::mem::take(&mut self.facts.nonzero) {
            match poly.as_const() {
                Some(0) => return Verdict::Refuted,
                Some(_) => continue,
                None => {}
            }
            match self.range(&poly) {
                (Some(lo), _) if lo > 0 => {}
                (_, Some(hi)) if hi < 0 => {}
                (Some(0), _) => {
                    if let Some(more) = poly.add_constant(-1) {
                        self.facts.nonneg.push(more);
                        changed = true;
                    }
                }
                (_, Some(0)) => {
                    if let Some(less) = poly.scale(-1).and_then(|it| it.add_constant(-1)) {
                        self.facts.nonneg.push(less);
                        changed = true;
                    }
                }
                _ if !kept.contains(&poly) => kept.push(poly),
                _ => {}
            }
        }
        self.facts.nonzero = kept;
        if changed { Verdict::Progress } else { Verdict::Stuck }
    }

    /// `p >= 0` and `-p >= 0` make an equation; with a gap they may contradict each other.
    fn opposites(&mut self) -> Verdict {
        for at in 0..self.facts.nonneg.len() {
            for other in 0..at {
                let (p, q) = (&self.facts.nonneg[at], &self.facts.nonneg[other]);
                if p.variable_terms().len() != q.variable_terms().len() {
                    continue;
                }
                let opposite = p
                    .variable_terms()
                    .iter()
                    .zip(q.variable_terms())
                    .all(|((m, c), (n, d))| m == n && c.checked_neg() == Some(*d));
                if !opposite {
                    continue;
                }
                match p.constant_term().checked_add(q.constant_term()) {
                    Some(gap) if gap < 0 => return Verdict::Refuted,
                    Some(0) => {
                        let poly = self.facts.nonneg.swap_remove(at);
                        self.facts.nonneg.swap_remove(other);
                        self.facts.zero.push(poly);
                        return Verdict::Progress;
                    }
                    Some(_) | None => {}
                }
            }
        }
        Verdict::Stuck
    }

    /// Solves equations that leave digits and ranges readable: two unknowns, or a value in digits.
    fn eliminate(&mut self) -> Verdict {
        self.eliminate_where(|system, poly, atom| {
            let variable = poly.variable_terms();
            let is_digit =
                |mono: &Mono| mono.iter().any(|&it| system.atoms[it as usize].role == Role::Digit);
            let others = variable.iter().filter(|(mono, _)| mono.as_slice() != [atom]);
            variable.len() <= 2
                || system.atoms[atom as usize].role == Role::Value
                    && others.clone().all(|(mono, _)| is_digit(mono))
        })
    }

    /// Solves any equation.
    pub(crate) fn eliminate_any(&mut self) -> Verdict {
        self.eliminate_where(|_, _, _| true)
    }

    /// Solves one equation for an atom that stands alone in it with coefficient one: a value rather
    /// than a digit, in the shortest equation.
    fn eliminate_where(&mut self, allowed: impl Fn(&System, &Poly, Atom) -> bool) -> Verdict {
        let mut best: Option<((bool, usize), usize, Atom, i128)> = None;
        for (at, poly) in self.facts.zero.iter().enumerate() {
            let role = |atom: &Atom| self.atoms[*atom as usize].role;
            if poly.terms().iter().any(|(mono, _)| mono.iter().any(|it| role(it) == Role::Wraps)) {
                continue;
            }
            for (mono, c) in poly.variable_terms() {
                let &[atom] = mono.as_slice() else { continue };
                let alone = poly.terms().iter().filter(|(it, _)| it.contains(&atom)).count() == 1;
                let key = (role(&atom) == Role::Digit, poly.terms().len());
                if c.abs() == 1
                    && alone
                    && best.is_none_or(|(other, ..)| key < other)
                    && allowed(self, poly, atom)
                {
                    best = Some((key, at, atom, *c));
                }
            }
        }
        let Some((_, at, atom, c)) = best else { return Verdict::Stuck };
        let poly = &self.facts.zero[at];
        // c * atom + rest = 0, and c is its own inverse.
        let value = poly.add_scaled(&Poly::atom(atom), -c).and_then(|rest| rest.scale(-c));
        let Some(value) = value else { return Verdict::Stuck };
        let before = self.facts.zero.remove(at);
        if self.replace(atom, &value) {
            return Verdict::Progress;
        }
        self.facts.zero.insert(at, before);
        Verdict::Stuck
    }

    /// Puts `value` for an atom everywhere and keeps the atom's bounds as constraints. `false`,
    /// with nothing changed, where the polynomials grow too large.
    pub(crate) fn replace(&mut self, atom: Atom, value: &Poly) -> bool {
        let mut facts = self.facts.clone();
        if facts.map(&|poly| poly.substitute(atom, value)).is_none() {
            return false;
        }
        let Unknown { lo, hi, .. } = self.atoms[atom as usize];
        let (Some(above), Some(below)) =
            (value.add_constant(-lo), value.negate().and_then(|it| it.add_constant(hi)))
        else {
            return false;
        };
        facts.nonneg.extend([above, below]);
        self.facts = facts;
        self.solved[atom as usize] = true;
        true
    }

    /// Sharpens the bounds of atoms by each constraint.
    fn propagate(&mut self) -> Verdict {
        let mut changed = false;
        let facts = std::mem::take(&mut self.facts);
        let equations = facts.zero.iter().filter_map(|it| Some((it.clone(), it.negate()?)));
        let both: Vec<Poly> = equations.flat_map(|(p, q)| [p, q]).collect();
        let mut refuted = false;
        'all: for poly in facts.nonneg.iter().chain(&both) {
            for (mono, c) in poly.variable_terms() {
                let &[atom] = mono.as_slice() else { continue };
                // c * atom >= -(the rest), and the rest is at most this.
                let Some(rest) = poly.sub(&Poly::term(mono.clone(), *c)) else { continue };
                if rest.mentions(atom) {
                    continue;
                }
                let (_, Some(most)) = self.range(&rest) else { continue };
                let unknown = &mut self.atoms[atom as usize];
                let Some(least) = most.checked_neg() else { continue };
                if *c > 0 {
                    let lo = div_ceil(least, *c);
                    if lo > unknown.lo {
                        unknown.lo = lo;
                        changed = true;
                    }
                } else {
                    let hi = (-least).div_euclid(-*c);
                    if hi < unknown.hi {
                        unknown.hi = hi;
                        changed = true;
                    }
                }
                if unknown.lo > unknown.hi {
                    refuted = true;
                    break 'all;
                }
            }
        }
        self.facts = facts;
        match (refuted, changed) {
            (true, _) => Verdict::Refuted,
            (false, true) => Verdict::Progress,
            (false, false) => Verdict::Stuck,
        }
    }

    /// Takes out alternatives that cannot hold; asserts the last one left.
    fn prune(&mut self) -> Verdict {
        let mut changed = false;
        let mut clauses = std::mem::take(&mut self.facts.clauses);
        let mut at = 0;
        while at < clauses.len() {
            let before = clauses[at].len();
            clauses[at].retain(|facts| !self.is_impossible(facts));
            changed |= clauses[at].len() != before;
            if clauses[at].iter().any(|facts| self.is_trivial(facts)) {
                clauses.swap_remove(at);
                changed = true;
                continue;
            }
            match clauses[at].len() {
                0 => return Verdict::Refuted,
                1 => {
                    let clause = clauses.swap_remove(at);
                    self.facts.clauses = std::mem::take(&mut clauses);
                    clause.into_iter().for_each(|facts| self.facts.extend(facts));
                    return Verdict::Progress;
                }
                _ => at += 1,
            }
        }
        // What was nested in an alternative stays after those that were there.
        clauses.append(&mut self.facts.clauses);
        self.facts.clauses = clauses;
        if changed { Verdict::Progress } else { Verdict::Stuck }
    }

    /// Whether bounds alone rule these out.
    fn is_impossible(&self, facts: &Facts) -> bool {
        let Facts { zero, nonneg, nonzero, clauses } = facts;
        zero.iter().any(|poly| {
            let (lo, hi) = self.range(poly);
            let divisor = poly.content();
            lo.is_some_and(|lo| lo > 0)
                || hi.is_some_and(|hi| hi < 0)
                || (divisor > 1 && poly.constant_term() % divisor != 0)
                || self.facts.nonzero.contains(poly)
                || poly.negate().is_some_and(|poly| self.facts.nonzero.contains(&poly))
        }) || nonneg.iter().any(|poly| self.range(poly).1.is_some_and(|hi| hi < 0))
            || nonzero.iter().any(|poly| {
                poly.is_zero()
                    || self.facts.zero.contains(poly)
                    || poly.negate().is_some_and(|poly| self.facts.zero.contains(&poly))
            })
            || clauses.iter().any(|clause| clause.iter().all(|facts| self.is_impossible(facts)))
    }

    fn is_trivial(&self, facts: &Facts) -> bool {
        let Facts { zero, nonneg, nonzero, clauses } = facts;
        clauses.is_empty()
            && zero.iter().all(Poly::is_zero)
            && nonneg.iter().all(|poly| self.range(poly).0.is_some_and(|lo| lo >= 0))
            && nonzero.iter().all(|poly| {
                let (lo, hi) = self.range(poly);
                lo.is_some_and(|lo| lo > 0) || hi.is_some_and(|hi| hi < 0)
            })
    }
}

/// The range of a monomial by the bounds of its atoms.
pub(crate) fn mono_range(atoms: &[Unknown], mono: &Mono) -> Option<(i128, i128)> {
    let mut range = (1i128, 1i128);
    let mut at = 0;
    while at < mono.len() {
        let Unknown { lo, hi, .. } = atoms[mono[at] as usize];
        let square = mono.get(at + 1) == Some(&mono[at]);
        let factor = if square {
            let (a, b) = (lo.checked_mul(lo)?, hi.checked_mul(hi)?);
            (if lo <= 0 && hi >= 0 { 0 } else { a.min(b) }, a.max(b))
        } else {
            (lo, hi)
        };
        let corners = [
            range.0.checked_mul(factor.0)?,
            range.0.checked_mul(factor.1)?,
            range.1.checked_mul(factor.0)?,
            range.1.checked_mul(factor.1)?,
        ];
        range = (*corners.iter().min()?, *corners.iter().max()?);
        at += if square { 2 } else { 1 };
    }
    Some(range)
}

/// The range of a polynomial by the bounds of its atoms; an end is `None` where it leaves 128 bits.
pub(crate) fn range(atoms: &[Unknown], poly: &Poly) -> (Option<i128>, Option<i128>) {
    let (mut lo, mut hi) = (Some(0i128), Some(0i128));
    for (mono, c) in poly.terms() {
        let Some((least, most)) = mono_range(atoms, mono) else { return (None, None) };
        let (a, b) = if *c > 0 { (least, most) } else { (most, least) };
        lo = lo.and_then(|lo| lo.checked_add(a.checked_mul(*c)?));
        hi = hi.and_then(|hi| hi.checked_add(b.checked_mul(*c)?));
    }
    (lo, hi)
}

/// Quotient rounded up; the divisor is positive.
pub(crate) fn div_ceil(a: i128, b: i128) -> i128 {
    a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0)
}
