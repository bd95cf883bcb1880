//! Expressions that are equal wherever two others are.
//!
//! **What**: [`Congruence`] is told that two expressions of one width are equal (the places of two
//! accesses), and says of others whether they are then equal, too (the values stored there): what
//! is computed from the place, and from what both threads share, is one value at one place, however
//! many loads and operators lie between.
//! **Method**: both are walked at once. Two expressions are equal if they are the same, or a told
//! pair, or have one operator and equal operands; sums, differences and products are compared as
//! polynomials over what is equal, modulo two to the width, up to a multiple of a told difference.
//! From a told pair follow others: what was widened, and what was scaled by a constant that cannot
//! lose a bit of it.
//! **Sound because** each step is an equality of the machine's own arithmetic, which is a ring
//! modulo two to the width; operators and pure functions give one result for equal operands; and
//! no step divides but where the range of what was widened, or a flag, leaves one quotient.
//! **Misses**: what follows of two told pairs at once, comparisons, ranges; and whatever is left of
//! the pairs that one question looks at.
//! **Assumes**: nothing. Both expressions are taken to have a value: an operator that overflows
//! against its flags has none.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, ExprPool, NoWrap, UnOp, sign_extend};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::algebra::poly::{Atom, Mono, Poly};

/// Steps of one question: pairs, and terms, that are looked at.
const MOST_STEPS: u32 = 50_000;

/// Terms that are no sums or products, of one comparison.
const MOST_ATOMS: usize = 64;

/// How deep expressions are walked.
const DEPTH: u32 = 200;

/// What is told to be equal, and what was asked.
#[derive(Debug)]
pub struct Congruence<'a> {
    pool: &'a ExprPool,
    told: Vec<(ExprId, ExprId)>,
    known: FxHashMap<(ExprId, ExprId), bool>,
    left: u32,
    depth: u32,
}

impl<'a> Congruence<'a> {
    /// What follows where each of these pairs is equal, and each has a value.
    pub fn of(pool: &'a ExprPool, told: &[(ExprId, ExprId)]) -> Congruence<'a> {
        let told = told.iter().copied().filter(|(a, b)| a != b).collect();
        let mut it =
            Congruence { pool, told, known: FxHashMap::default(), left: MOST_STEPS, depth: 0 };
        let mut at = 0;
        while let Some(&(a, b)) = it.told.get(at) {
            let below = it.below(a, b);
            it.told.extend(below);
            at += 1;
        }
        // What was not equal before may be since.
        it.known.clear();
        it
    }

    /// Whether the two are equal wherever the told pairs are.
    pub fn equal(&mut self, a: ExprId, b: ExprId) -> bool {
        if a == b || self.told.contains(&(a, b)) || self.told.contains(&(b, a)) {
            return true;
        }
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        if self.pool.width(a) != self.pool.width(b) || self.depth >= DEPTH || !self.step() {
            return false;
        }
        self.depth += 1;
        let equal = self.by_operands(a, b) || self.by_sums(a, b);
        self.depth -= 1;
        self.known.insert((a, b), equal);
        equal
    }

    /// Counts a step; whether there was one left.
    fn step(&mut self) -> bool {
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// One operator of equal operands.
    fn by_operands(&mut self, a: ExprId, b: ExprId) -> bool {
        let pool = self.pool;
        match (&pool[a].kind, &pool[b].kind) {
            (ExprKind::Unary(op, x), ExprKind::Unary(other, y)) => {
                op == other && self.equal(*x, *y)
            }
            (ExprKind::Binary(op, _, x, y), ExprKind::Binary(other, _, v, w)) => {
                op == other
                    && (self.equal(*x, *v) && self.equal(*y, *w)
                        || op.commutes() && self.equal(*x, *w) && self.equal(*y, *v))
            }
            (ExprKind::Cmp(op, x, y), ExprKind::Cmp(other, v, w)) => {
                op == other && self.equal(*x, *v) && self.equal(*y, *w)
            }
            (ExprKind::Select(c, x, y), ExprKind::Select(d, v, w)) => {
                self.equal(*c, *d) && self.equal(*x, *v) && self.equal(*y, *w)
            }
            (ExprKind::Cast(op, x), ExprKind::Cast(other, y)) => op == other && self.equal(*x, *y),
            (ExprKind::Pure(name, xs), ExprKind::Pure(other, ys)) => {
                name == other
                    && xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|(x, y)| self.equal(*x, *y))
            }
            (_, _) => false,
        }
    }

    /// A difference that is a multiple of a told one.
    fn by_sums(&mut self, a: ExprId, b: ExprId) -> bool {
        let is_sum = |id: ExprId| is_ring(self.pool, id) || self.told.iter().any(|it| it.0 == id);
        let width = self.pool.width(a);
        if width > 64 || !is_sum(a) && !is_sum(b) {
            return false;
        }
        let mut atoms = Atoms::default();
        let Some(apart) = self.difference((a, b), &mut atoms) else { return false };
        if apart.is_zero() {
            return true;
        }
        let told: SmallVec<[(ExprId, ExprId); 4]> =
            self.told.iter().copied().filter(|(x, _)| self.pool.width(*x) == width).collect();
        told.into_iter().any(|pair| {
            let of_told = self.difference(pair, &mut atoms);
            of_told.is_some_and(|told| is_multiple(&apart, &told, width))
        })
    }

    /// `a - b` modulo two to the width, over what is equal.
    fn difference(&mut self, (a, b): (ExprId, ExprId), atoms: &mut Atoms) -> Option<Poly> {
        let one = self.polynomial(a, atoms, DEPTH)?;
        let two = self.polynomial(b, atoms, DEPTH)?;
        Some(reduced(&one.sub(&two)?, self.pool.width(a)))
    }

    fn polynomial(&mut self, id: ExprId, atoms: &mut Atoms, depth: u32) -> Option<Poly> {
        let width = self.pool.width(id);
        let depth = depth.checked_sub(1).filter(|_| self.step())?;
        let poly = match self.pool[id].kind {
            ExprKind::Const(value) => Poly::constant(sign_extend(value, width)),
            ExprKind::Unary(UnOp::Neg, a) => self.polynomial(a, atoms, depth)?.negate()?,
            ExprKind::Binary(BinOp::Add, _, a, b) => {
                self.polynomial(a, atoms, depth)?.add(&self.polynomial(b, atoms, depth)?)?
            }
            ExprKind::Binary(BinOp::Sub, _, a, b) => {
                self.polynomial(a, atoms, depth)?.sub(&self.polynomial(b, atoms, depth)?)?
            }
            ExprKind::Binary(BinOp::Mul, _, a, b) => {
                self.polynomial(a, atoms, depth)?.mul(&self.polynomial(b, atoms, depth)?)?
            }
            ExprKind::Binary(BinOp::Shl, _, a, by) => match self.shift(by, width) {
                Some(by) => self.polynomial(a, atoms, depth)?.scale(1 << by)?,
                None => self.atom(id, atoms)?,
            },
            _ => self.atom(id, atoms)?,
        };
        Some(reduced(&poly, width))
    }

    /// The number of bits of a shift by a constant within the width.
    fn shift(&self, by: ExprId, width: u8) -> Option<u32> {
        let by = self.pool.as_const(by)?;
        (by < u128::from(width)).then_some(by as u32)
    }

    /// What stands for an expression, and for all that are equal to it.
    fn atom(&mut self, id: ExprId, atoms: &mut Atoms) -> Option<Poly> {
        if !self.step() || atoms.0.len() > MOST_ATOMS {
            return None;
        }
        let same = |at: &usize| atoms.0[*at] == id;
        let at = (0..atoms.0.len()).find(same).or_else(|| {
            (0..atoms.0.len())
                .find(|at| self.equal(atoms.0[*at], id) || self.equal(id, atoms.0[*at]))
        });
        let at = at.unwrap_or_else(|| {
            atoms.0.push(id);
            atoms.0.len() - 1
        });
        Some(Poly::atom(at as Atom))
    }

    /// Pairs that are equal where this one is: what both are a widening or a multiple of.
    fn below(&mut self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        let width = self.pool.width(a);
        if let Some(pair) = self.widened(a, b) {
            return Some(pair);
        }
        if let (Some((x, c)), Some((y, d))) = (self.scaled(a), self.scaled(b))
            && c == d
        {
            return Some((x, y));
        }
        // c * (x - y) is zero modulo two to the width, and too small to be another multiple.
        if width > 64 {
            return None;
        }
        let mut atoms = Atoms::default();
        let apart = self.difference((a, b), &mut atoms)?;
        let [(one, c), (two, d)] = apart.terms() else { return None };
        let ([x], [y]) = (one.as_slice(), two.as_slice()) else { return None };
        if c.checked_add(*d)? != 0 {
            return None;
        }
        let (x, y) = (atoms.0[*x as usize], atoms.0[*y as usize]);
        let (inner, _) = self.widened(x, y)?;
        let bits = 128 - c.unsigned_abs().leading_zeros() + u32::from(self.pool.width(inner));
        (bits <= u32::from(width)).then_some((x, y))
    }

    /// What two expressions are one widening of.
    fn widened(&self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        let (ExprKind::Cast(op, x), ExprKind::Cast(other, y)) =
            (&self.pool[a].kind, &self.pool[b].kind)
        else {
            return None;
        };
        let widens = matches!(op, CastOp::Zext | CastOp::Sext) && op == other;
        (widens && self.pool.width(*x) == self.pool.width(*y)).then_some((*x, *y))
    }

    /// What an expression is a multiple of, and which, where it has no value if that does not fit.
    fn scaled(&self, id: ExprId) -> Option<(ExprId, (BinOp, NoWrap, u128))> {
        let ExprKind::Binary(op @ (BinOp::Mul | BinOp::Shl), flags, x, by) = self.pool[id].kind
        else {
            return None;
        };
        let by = self.pool.as_const(by).filter(|by| op == BinOp::Shl || *by != 0)?;
        let fits = op == BinOp::Mul || by < u128::from(self.pool.width(id));
        ((flags.signed || flags.unsigned) && fits).then_some((x, (op, flags, by)))
    }
}

/// Expressions of which no two were seen to be equal, by the atom that stands for each.
#[derive(Default)]
struct Atoms(Vec<ExprId>);

fn is_ring(pool: &ExprPool, id: ExprId) -> bool {
    matches!(
        pool[id].kind,
        ExprKind::Unary(UnOp::Neg, _)
            | ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl, ..)
    )
}

/// Coefficients as signed numbers of the width.
fn reduced(poly: &Poly, width: u8) -> Poly {
    let terms = poly.terms().iter().map(|(mono, c)| {
        let bits = (*c as u128) & heddle_ir::mask(u128::MAX, width);
        (mono.clone(), sign_extend(bits, width))
    });
    let terms: Vec<(Mono, i128)> = terms.filter(|(_, c)| *c != 0).collect();
    // Terms stay apart and in order, so that there is nothing to add up.
    Poly::from_terms(terms).unwrap_or_default()
}

/// Whether one polynomial is a multiple of another by a constant, modulo two to the width.
fn is_multiple(of: &Poly, told: &Poly, width: u8) -> bool {
    let [(first, c), ..] = told.terms() else { return false };
    let Some((_, d)) = of.terms().iter().find(|(mono, _)| mono == first) else { return false };
    if d % c != 0 {
        return false;
    }
    let factor = -(d / c);
    of.add_scaled(told, factor).is_some_and(|rest| reduced(&rest, width).is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `4 * sext(y * cols + x)` of two threads, with the pool and the indices.
    fn places() -> (ExprPool, [ExprId; 2], [ExprId; 2], ExprId) {
        let mut pool = ExprPool::new();
        let cols = pool.param(0, 32);
        let four = pool.constant(4, 64);
        let index = |pool: &mut ExprPool, of: u32| {
            let (x, y) = (pool.param(of, 32), pool.param(of + 1, 32));
            let row = pool.mul(y, cols);
            pool.add(row, x)
        };
        let indices = [index(&mut pool, 1), index(&mut pool, 3)];
        let places = indices.map(|it| {
            let wide = pool.cast(CastOp::Sext, it, 64);
            pool.mul(wide, four)
        });
        (pool, places, indices, cols)
    }

    #[test]
    fn what_is_computed_from_the_place_is_equal() {
        let (mut pool, places, indices, cols) = places();
        let seven = pool.constant(7, 32);
        let below = indices.map(|it| pool.add(it, cols));
        let scaled = below.map(|it| pool.mul(it, seven));
        let read = scaled.map(|it| pool.pure("a", &[it], 32));
        let sums = [(read[0], indices[0]), (read[1], indices[1])].map(|(a, b)| pool.add(a, b));
        let mut all = Congruence::of(&pool, &[(places[0], places[1])]);
        for [a, b] in [indices, below, scaled, read, sums] {
            assert!(all.equal(a, b) && all.equal(b, a));
        }
    }

    #[test]
    fn what_is_not_is_not() {
        let (mut pool, places, indices, cols) = places();
        let [one, two] = [pool.param(1, 32), pool.param(3, 32)];
        let rows = [pool.param(2, 32), pool.param(4, 32)];
        let one_more = pool.constant(1, 32);
        let shifted = pool.add(indices[1], one_more);
        let reads = [indices[0], shifted].map(|it| pool.pure("a", &[it], 32));
        let other = pool.pure("b", &[indices[1]], 32);
        let wider = indices.map(|it| pool.cast(CastOp::Zext, it, 64));
        let quotients = indices.map(|it| pool.binary(BinOp::UDiv, it, cols));
        let unlike = [quotients[0], rows[1]];
        let mut all = Congruence::of(&pool, &[(places[0], places[1])]);
        for [a, b] in [[one, two], rows, [indices[0], shifted], reads, [reads[0], other], unlike] {
            assert!(!all.equal(a, b), "{a:?} {b:?}");
        }
        assert!(all.equal(wider[0], wider[1]) && all.equal(quotients[0], quotients[1]));
    }

    /// Two to the 30 times a number of 64 bits forgets its upper half.
    #[test]
    fn a_scale_that_loses_bits_leaves_what_was_scaled_open() {
        for (flags, known) in [(NoWrap::NONE, false), (NoWrap::SIGNED, true)] {
            let mut pool = ExprPool::new();
            let [one, two] = [pool.param(0, 64), pool.param(1, 64)];
            let four = pool.constant(4, 64);
            let [a, b] = [one, two].map(|it| pool.binary_flagged(BinOp::Mul, flags, it, four));
            assert_eq!(Congruence::of(&pool, &[(a, b)]).equal(one, two), known);
        }
        let mut pool = ExprPool::new();
        let [one, two] = [pool.param(0, 32), pool.param(1, 32)];
        let scale = pool.constant(1 << 33, 64);
        let [a, b] = [one, two].map(|it| {
            let wide = pool.cast(CastOp::Sext, it, 64);
            pool.mul(wide, scale)
        });
        assert!(!Congruence::of(&pool, &[(a, b)]).equal(one, two));
    }

    /// Each answer is that of trying all values of 4 bits.
    #[test]
    fn equal_is_equal_for_all_values() {
        let mut state = 7u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let mut equal = 0;
        for _ in 0..80 {
            let mut pool = ExprPool::new();
            let leaves: Vec<ExprId> = (0..3).map(|it| pool.param(it, 4)).collect();
            let mut all = leaves.clone();
            for _ in 0..14 {
                let (a, b) = (all[random(all.len() as u64) as usize], random(all.len() as u64));
                let b = all[b as usize];
                let c = pool.constant(u128::from(random(16)), 4);
                let new = match random(7) {
                    0 => pool.add(a, b),
                    1 => pool.sub(a, b),
                    2 => pool.mul(a, b),
                    3 => pool.mul(a, c),
                    4 => pool.add(a, c),
                    5 => pool.binary(BinOp::Xor, a, b),
                    _ => pool.binary(BinOp::Shl, a, c),
                };
                all.push(new);
            }
            let told =
                (all[random(all.len() as u64) as usize], all[random(all.len() as u64) as usize]);
            let mut congruence = Congruence::of(&pool, &[told]);
            for &a in &all {
                for &b in &all {
                    if a == b || !congruence.equal(a, b) {
                        continue;
                    }
                    equal += 1;
                    for values in 0..4096u128 {
                        let mut model = crate::Model::new();
                        for (leaf, at) in leaves.iter().zip([0, 4, 8]) {
                            model.set_leaf(*leaf, values >> at & 15);
                        }
                        let value = |id| model.evaluate(&pool, id);
                        if value(told.0) == value(told.1) {
                            assert_eq!(value(a), value(b), "{told:?} {a:?} {b:?}");
                        }
                    }
                }
            }
        }
        assert!(equal > 40, "only {equal} pairs were told to be equal");
    }
}
