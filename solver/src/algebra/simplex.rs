//! Feasibility of linear constraints over the rationals: the general simplex with bounds
//! (Dutertre and de Moura, CAV 2006), Bland's rule, exact fractions.
//!
//! **Promises**: [`Feasibility::Infeasible`] means that no rationals meet the constraints, so no
//! integers do. Anything else, a spent budget or a fraction that does not fit included, is
//! `Unknown`.

use std::cmp::Ordering;

use super::rational::Rational;

/// Entries of rows that count as one more pivot.
const ENTRIES: u64 = 16;

/// Whether constraints can be met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Feasibility {
    Infeasible,
    Unknown,
}

/// Linear constraints on unknowns with bounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Simplex {
    lower: Vec<Option<Rational>>,
    upper: Vec<Option<Rational>>,
    value: Vec<Rational>,
    /// For a basic unknown, its row: it is the sum of these non-basic ones.
    rows: Vec<Option<Row>>,
}

/// A sum of unknowns with coefficients, sorted, none zero.
type Row = Vec<(usize, Rational)>;

/// `row + factor * other`.
fn add_scaled(row: &Row, other: &Row, factor: Rational) -> Option<Row> {
    let mut sum = Row::with_capacity(row.len() + other.len());
    let (mut left, mut right) = (row.iter().peekable(), other.iter().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return Some(sum),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.0.cmp(&b.0),
        };
        let (unknown, c) = match order {
            Ordering::Less => *left.next()?,
            Ordering::Greater => {
                let (unknown, c) = *right.next()?;
                (unknown, c.mul(factor)?)
            }
            Ordering::Equal => {
                let ((unknown, a), (_, b)) = (*left.next()?, *right.next()?);
                (unknown, a.add(b.mul(factor)?)?)
            }
        };
        if !c.is_zero() {
            sum.push((unknown, c));
        }
    }
}

impl Simplex {
    /// A new unknown; it may be at zero only if its bounds allow, which is settled later.
    pub(super) fn unknown(&mut self, lower: Option<i128>, upper: Option<i128>) -> usize {
        let start = lower.or(upper).unwrap_or(0);
        self.lower.push(lower.map(Rational::integer));
        self.upper.push(upper.map(Rational::integer));
        self.value.push(Rational::integer(start));
        self.rows.push(None);
        self.value.len() - 1
    }

    /// Requires `lower <= sum of terms <= upper`, over different unknowns that are not sums
    /// themselves, before the first check. `None` where a number does not fit.
    pub(super) fn constrain(
        &mut self,
        terms: &[(usize, i128)],
        lower: Option<i128>,
        upper: Option<i128>,
    ) -> Option<()> {
        let mut row = Row::with_capacity(terms.len());
        let mut value = Rational::ZERO;
        for &(unknown, c) in terms {
            let c = Rational::integer(c);
            value = value.add(c.mul(self.value[unknown])?)?;
            row.push((unknown, c));
        }
        row.sort_unstable_by_key(|(unknown, _)| *unknown);
        let slack = self.unknown(lower, upper);
        self.value[slack] = value;
        self.rows[slack] = Some(row);
        Some(())
    }

    /// Looks for rationals that meet everything, at most so many pivots; a long one counts as
    /// several.
    pub(super) fn check(&mut self, pivots: &mut u64) -> Feasibility {
        loop {
            match self.step(pivots) {
                Some(Step::Again) => {}
                Some(Step::Infeasible) => return Feasibility::Infeasible,
                Some(Step::Feasible) | None => return Feasibility::Unknown,
            }
        }
    }

    fn step(&mut self, pivots: &mut u64) -> Option<Step> {
        // The first basic unknown outside its bounds.
        let mut found = None;
        for basic in 0..self.rows.len() {
            if self.rows[basic].is_none() {
                continue;
            }
            if let Some(bound) = self.lower[basic]
                && self.value[basic].compare(bound)? == Ordering::Less
            {
                found = Some((basic, bound, true));
                break;
            }
            if let Some(bound) = self.upper[basic]
                && self.value[basic].compare(bound)? == Ordering::Greater
            {
                found = Some((basic, bound, false));
                break;
            }
        }
        let Some((basic, bound, up)) = found else { return Some(Step::Feasible) };
        // The first non-basic unknown that can move it there.
        let row = self.rows[basic].as_ref()?;
        let mut entering = None;
        for &(unknown, c) in row {
            let rises = c.is_positive() == up;
            let limit = if rises { self.upper[unknown] } else { self.lower[unknown] };
            let room = match limit {
                None => true,
                Some(limit) => {
                    let order = self.value[unknown].compare(limit)?;
                    order == if rises { Ordering::Less } else { Ordering::Greater }
                }
            };
            if room {
                entering = Some((unknown, c));
                break;
            }
        }
        let Some((entering, c)) = entering else { return Some(Step::Infeasible) };
        if *pivots == 0 {
            return None;
        }
        let touched = self.pivot(basic, entering, c, bound)?;
        *pivots = pivots.saturating_sub(1 + touched / ENTRIES);
        Some(Step::Again)
    }

    /// Moves `basic` to `bound` by `entering`, and exchanges their places. Says how many entries of
    /// rows that took.
    fn pivot(
        &mut self,
        basic: usize,
        entering: usize,
        c: Rational,
        bound: Rational,
    ) -> Option<u64> {
        let mut touched = 0;
        let inverse = c.inverse()?;
        let by = bound.sub(self.value[basic])?.mul(inverse)?;
        // entering = (basic - the rest) / c
        let mut solved = Row::new();
        for (unknown, d) in self.rows[basic].take()? {
            if unknown != entering {
                solved.push((unknown, d.mul(inverse)?.negate()?));
            }
        }
        let at = solved.partition_point(|(unknown, _)| *unknown < basic);
        solved.insert(at, (basic, inverse));
        self.value[basic] = bound;
        self.value[entering] = self.value[entering].add(by)?;
        for other in 0..self.rows.len() {
            let Some(row) = self.rows[other].as_mut() else { continue };
            let Ok(at) = row.binary_search_by_key(&entering, |(unknown, _)| *unknown) else {
                continue;
            };
            let (_, d) = row.remove(at);
            self.value[other] = self.value[other].add(d.mul(by)?)?;
            *row = add_scaled(row, &solved, d)?;
            touched += row.len() as u64;
        }
        self.rows[entering] = Some(solved);
        Some(touched)
    }
}

enum Step {
    Again,
    Feasible,
    Infeasible,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(simplex: &mut Simplex) -> Feasibility {
        simplex.check(&mut 100)
    }

    #[test]
    fn a_cycle_of_strict_orders_is_infeasible() {
        let mut simplex = Simplex::default();
        let unknowns: Vec<usize> = (0..3).map(|_| simplex.unknown(Some(0), None)).collect();
        for at in 0..3 {
            let terms = [(unknowns[(at + 1) % 3], 1), (unknowns[at], -1)];
            simplex.constrain(&terms, Some(1), None).unwrap();
        }
        assert_eq!(check(&mut simplex), Feasibility::Infeasible);
    }

    #[test]
    fn a_spent_budget_is_no_proof() {
        let mut simplex = Simplex::default();
        let (x, y) = (simplex.unknown(Some(0), Some(4)), simplex.unknown(Some(0), Some(4)));
        simplex.constrain(&[(x, 1), (y, 1)], Some(9), None).unwrap();
        assert_eq!(simplex.clone().check(&mut 0), Feasibility::Unknown);
        assert_eq!(check(&mut simplex), Feasibility::Infeasible);
    }

    #[test]
    fn what_can_be_met_is_not_refuted() {
        let mut simplex = Simplex::default();
        let (x, y) = (simplex.unknown(Some(0), Some(4)), simplex.unknown(None, None));
        simplex.constrain(&[(x, 2), (y, 3)], Some(7), Some(7)).unwrap();
        simplex.constrain(&[(x, 1), (y, -1)], Some(1), None).unwrap();
        assert_eq!(check(&mut simplex), Feasibility::Unknown);
    }
}
