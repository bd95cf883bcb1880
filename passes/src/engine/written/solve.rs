//! Which thread, in which iterations, writes to an address.
//!
//! **What**: a few guesses at ids and iteration numbers for which the address of a write is the one
//! that is read.
//! **Method**: a guard that says what an id is (`threadIdx.x == 0`) gives it. The others come from
//! the difference of the two addresses, by the largest stride first, once by taking the terms that
//! are its multiples and once by dividing. Ids that play no part are those of the thread that
//! reads, or zero.
//! **Promises**: nothing, not even that a thread of these ids exists. **Does not**: check a guess.

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, ExprPool};
use rustc_hash::FxHashMap;

use super::Built;
use super::linear::Linear;

/// What each id and iteration number is, in 64 bits.
pub(super) type Choice = FxHashMap<ExprId, ExprId>;

/// How a difference of addresses is divided by a stride.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Division {
    /// The terms that are multiples of it.
    ByTerms,
    /// As numbers.
    ByValue,
}

/// Guesses for the ids (of the writing thread, with the same id of the reading one and its
/// dimension) and the iterations of a write that may write what is at `start`.
pub(super) fn solve(
    pool: &mut ExprPool,
    ids: &[(ExprId, ExprId, u8)],
    rounds: &[ExprId],
    built: &Built,
    start: ExprId,
) -> Vec<Choice> {
    let open: Vec<ExprId> = ids.iter().map(|it| it.0).chain(rounds.iter().copied()).collect();
    let mut given: FxHashMap<ExprId, Linear> = FxHashMap::default();
    for condition in &built.conditions {
        for part in pool.conjuncts(*condition) {
            if let Some((id, value)) = said(pool, &open, part) {
                given.entry(id).or_insert(value);
            }
        }
    }
    let mut address = Linear::of(pool, built.offset);
    for (id, value) in sorted(&given) {
        let factor = address.take(id);
        address = address.plus(value, factor);
    }
    let mut strides: Vec<(ExprId, Stride)> = Vec::new();
    for id in &open {
        if let Some(stride) = Stride::take(pool, &mut address, *id) {
            strides.push((*id, stride));
        }
    }
    strides.sort_by_key(|(_, it)| std::cmp::Reverse((it.times.is_some(), it.factor.abs())));
    let distance = Linear::of(pool, start).plus(&address, -1);
    let mut all: Vec<Choice> = Vec::new();
    for division in [Division::ByTerms, Division::ByValue] {
        let mut solved: Choice = FxHashMap::default();
        for (id, value) in sorted(&given) {
            solved.insert(id, value.build(pool));
        }
        let mut left = distance.clone();
        for (id, stride) in &strides {
            let value = stride.divide(pool, &mut left, division);
            solved.insert(*id, value);
        }
        for own in [true, false] {
            let mut choice = solved.clone();
            let zero = pool.constant(0, 64);
            for (id, of_reader, _) in ids {
                let free = if own { pool.resize(*of_reader, 64) } else { zero };
                choice.entry(*id).or_insert(free);
            }
            for round in rounds {
                choice.entry(*round).or_insert(zero);
            }
            if !all.contains(&choice) {
                all.push(choice);
            }
        }
    }
    all
}

/// In the order of their handles.
fn sorted(given: &FxHashMap<ExprId, Linear>) -> Vec<(ExprId, &Linear)> {
    let mut all: Vec<_> = given.iter().map(|(id, value)| (*id, value)).collect();
    all.sort_by_key(|it| it.0);
    all
}

/// What an equation says that one of these is.
fn said(pool: &ExprPool, open: &[ExprId], part: ExprId) -> Option<(ExprId, Linear)> {
    let ExprKind::Cmp(CmpOp::Eq, a, b) = pool[part].kind else { return None };
    let mut sum = Linear::of(pool, a).plus(&Linear::of(pool, b), -1);
    let id = *open.iter().find(|id| sum.terms.iter().any(|it| it.of == **id))?;
    let factor = sum.take(id);
    let is_closed = sum.terms.iter().all(|it| !mentions(pool, it.of, open));
    (is_closed && factor.abs() == 1)
        .then(|| (id, Linear { terms: Vec::new(), constant: 0 }.plus(&sum, -factor)))
}

fn mentions(pool: &ExprPool, id: ExprId, open: &[ExprId]) -> bool {
    let mut found = false;
    pool.for_each_below(id, |it| found |= open.contains(&it));
    found
}

/// How far apart in memory neighbours are.
#[derive(Clone, Copy, Debug)]
struct Stride {
    factor: i128,
    /// A size that it is a multiple of.
    times: Option<ExprId>,
    /// So many neighbours have one address.
    shared_by: u128,
}

impl Stride {
    /// That of an id, whose terms are taken from an address.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not listed is no quotient, and a guess needs none"
    )]
    fn take(pool: &ExprPool, address: &mut Linear, id: ExprId) -> Option<Stride> {
        let factor = address.take(id);
        if factor != 0 {
            return Some(Stride { factor, times: None, shared_by: 1 });
        }
        let quotient = |it: ExprId| {
            let (a, by) = match pool[it].kind {
                ExprKind::Binary(BinOp::UDiv | BinOp::SDiv, _, a, b) => (a, pool.as_const(b)?),
                ExprKind::Binary(BinOp::LShr | BinOp::AShr, _, a, b) => {
                    (a, 1u128.checked_shl(u32::try_from(pool.as_const(b)?).ok()?)?)
                }
                _ => return None,
            };
            (narrow(pool, a) == id).then_some(by)
        };
        if let Some((term, shared_by)) =
            address.terms.iter().find_map(|it| Some((*it, quotient(narrow(pool, it.of))?)))
        {
            let factor = address.take(term.of);
            return Some(Stride { factor, times: None, shared_by });
        }
        let of = |it: ExprId| {
            let ExprKind::Binary(BinOp::Mul, _, a, b) = pool[it].kind else { return None };
            let [one, two] = [a, b].map(|it| narrow(pool, it));
            if one == id { Some(b) } else { (two == id).then_some(a) }
        };
        let term = *address.terms.iter().find(|it| of(it.of).is_some())?;
        let factor = address.take(term.of);
        Some(Stride { factor, times: of(term.of), shared_by: 1 })
    }

    fn divide(&self, pool: &mut ExprPool, left: &mut Linear, division: Division) -> ExprId {
        let quotient = self.quotient(pool, left, division);
        let shared_by = pool.constant(self.shared_by, 64);
        pool.mul(quotient, shared_by)
    }

    fn quotient(&self, pool: &mut ExprPool, left: &mut Linear, division: Division) -> ExprId {
        match (self.times, division) {
            (None, Division::ByTerms) => {
                let (quotient, rest) = left.divided(self.factor);
                *left = rest;
                quotient.build(pool)
            }
            (Some(times), Division::ByTerms) => {
                let whole = left.terms.iter().find_map(|it| {
                    let ExprKind::Binary(BinOp::Mul, _, a, b) = pool[it.of].kind else {
                        return None;
                    };
                    let other = if a == times { b } else { a };
                    (it.factor == self.factor && (a == times || b == times))
                        .then_some((it.of, other))
                });
                match whole {
                    Some((of, other)) => {
                        left.take(of);
                        pool.resize(other, 64)
                    }
                    None => pool.constant(0, 64),
                }
            }
            (times, Division::ByValue) => {
                let zero = || Linear { terms: Vec::new(), constant: 0 };
                let amount = zero().plus(left, self.factor.signum()).build(pool);
                let mut by = pool.signed(self.factor.abs(), 64);
                if let Some(times) = times {
                    let times = pool.resize(times, 64);
                    by = pool.mul(by, times);
                }
                let rest = pool.binary(BinOp::URem, amount, by);
                *left = zero().plus(&Linear::one(rest), self.factor.signum());
                pool.binary(BinOp::UDiv, amount, by)
            }
        }
    }
}

/// An expression without casts around it.
fn narrow(pool: &ExprPool, mut id: ExprId) -> ExprId {
    while let ExprKind::Cast(_, inner) = pool[id].kind {
        id = inner;
    }
    id
}
