//! Sums of products of values, in the arithmetic of one width.
//!
//! **What**: an expression as a polynomial over what it is not a sum or product of, with
//! coefficients modulo 2^width; sizes of the grid that the launch gives are numbers.
//! **Sound because**: addition, subtraction, multiplication and shifts to the left by constants are
//! those of the ring of integers modulo 2^width, so equal polynomials have equal values.
//! **Misses**: casts, and products of more than [`MOST_TERMS`] terms.
//! **Assumes**: nothing.

use std::collections::BTreeMap;

use heddle_ir::{
    BinOp, CastOp, ExprId, ExprKind, Kernel, LoopId, Scopes, Special, UnOp, VarId, mask,
};

use crate::facts::launch::Launch;

/// Terms of a polynomial at most.
const MOST_TERMS: usize = 64;
/// Operators in one another that are looked at; below, an expression is an atom.
const MOST_DEEP: u32 = 12;
/// Factors of a term at most.
const MOST_FACTORS: usize = 6;

/// What a polynomial is over: an expression as it is, or as it is after loops that it is in, the
/// innermost first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Atom {
    pub(super) of: ExprId,
    after: Vec<LoopId>,
}

impl Atom {
    /// The loop whose iterations may change it.
    fn home(&self, scopes: &Scopes) -> Option<LoopId> {
        match self.after.last() {
            Some(of) => scopes.parent(*of),
            None => scopes.home(self.of),
        }
    }

    /// The loop variable that it is, in the iteration that is running.
    fn var(&self, kernel: &Kernel) -> Option<VarId> {
        let ExprKind::Var(var) = kernel[self.of].kind else { return None };
        self.after.is_empty().then_some(var)
    }
}

/// A polynomial: each product of atoms, sorted, with its coefficient, which is not zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    width: u8,
    terms: BTreeMap<Vec<Atom>, u128>,
}

/// What sums are read in.
#[derive(Clone, Copy)]
pub(super) struct Sums<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) scopes: &'a Scopes,
    pub(super) launch: &'a Launch,
}

/// When the variables of a loop are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// In its first iteration.
    First,
    /// One iteration later.
    Next,
}

impl Sum {
    pub(super) fn constant(value: u128, width: u8) -> Sum {
        let value = mask(value, width);
        let terms =
            if value == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), value)]) };
        Sum { width, terms }
    }

    fn atom(of: ExprId, width: u8) -> Sum {
        let atom = Atom { of, after: Vec::new() };
        Sum { width, terms: BTreeMap::from([(vec![atom], 1)]) }
    }

    pub(super) fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.terms.keys().flatten()
    }

    /// `self + factor * other`.
    pub(super) fn plus(&self, factor: u128, other: &Sum) -> Option<Sum> {
        if self.width != other.width {
            return None;
        }
        let mut sum = self.clone();
        for (product, coefficient) in &other.terms {
            sum.add(product.clone(), coefficient.wrapping_mul(factor));
        }
        (sum.terms.len() <= MOST_TERMS).then_some(sum)
    }

    pub(super) fn minus(&self, other: &Sum) -> Option<Sum> {
        self.plus(u128::MAX, other)
    }

    pub(super) fn times(&self, other: &Sum) -> Option<Sum> {
        if self.width != other.width || self.terms.len() * other.terms.len() > MOST_TERMS {
            return None;
        }
        let mut sum = Sum::constant(0, self.width);
        for (one, a) in &self.terms {
            for (two, b) in &other.terms {
                let mut product = [&one[..], &two[..]].concat();
                product.sort();
                if product.len() > MOST_FACTORS {
                    return None;
                }
                sum.add(product, a.wrapping_mul(*b));
            }
        }
        Some(sum)
    }

    fn add(&mut self, product: Vec<Atom>, coefficient: u128) {
        let known = self.terms.get(&product).copied().unwrap_or(0);
        let sum = mask(known.wrapping_add(coefficient), self.width);
        if sum == 0 {
            self.terms.remove(&product);
        } else {
            self.terms.insert(product, sum);
        }
    }

    /// The sum with something else in place of each atom.
    fn map(&self, mut other: impl FnMut(&Atom) -> Option<Sum>) -> Option<Sum> {
        let mut sum = Sum::constant(0, self.width);
        for (product, coefficient) in &self.terms {
            let mut term = Sum::constant(1, self.width);
            for atom in product {
                term = term.times(&other(atom)?)?;
            }
            sum = sum.plus(*coefficient, &term)?;
        }
        Some(sum)
    }
}

impl Sums<'_> {
    /// How many blocks there are.
    pub(super) fn blocks(&self, width: u8) -> Option<Sum> {
        let exprs = || self.kernel.exprs.iter();
        (0..3).try_fold(Sum::constant(1, width), |product, d| {
            let size = match self.launch.grid[usize::from(d)].known() {
                Some(size) => Sum::constant(u128::from(size), width),
                None => {
                    let is_size = |kind: &ExprKind| *kind == ExprKind::Special(Special::Nctaid(d));
                    let found = exprs().find(|(id, expr)| {
                        let narrow = if let ExprKind::Cast(CastOp::Zext, narrow) = expr.kind {
                            &self.kernel[narrow].kind
                        } else {
                            &expr.kind
                        };
                        self.kernel.exprs.width(*id) == width && is_size(narrow)
                    });
                    Sum::atom(found?.0, width)
                }
            };
            product.times(&size)
        })
    }

    /// An expression as a sum.
    pub(super) fn read(&self, id: ExprId) -> Option<Sum> {
        self.read_to(id, MOST_DEEP)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is neither a sum nor a product is an atom, whatever it is"
    )]
    fn read_to(&self, id: ExprId, depth: u32) -> Option<Sum> {
        let pool = &self.kernel.exprs;
        let width = pool.width(id);
        let size = |id: ExprId| match pool[id].kind {
            ExprKind::Special(Special::Nctaid(d)) => self.launch.grid[usize::from(d)].known(),
            _ => None,
        };
        let atom = || {
            let mut has_value = true;
            pool.for_each_below(id, |it| {
                has_value &= !matches!(pool[it].kind, ExprKind::Undef(_));
            });
            has_value.then(|| Sum::atom(id, width))
        };
        let Some(below) = depth.checked_sub(1) else { return atom() };
        let read = |id: ExprId| self.read_to(id, below);
        match pool[id].kind {
            ExprKind::Const(value) => Some(Sum::constant(value, width)),
            ExprKind::Special(Special::Nctaid(_)) => match size(id) {
                Some(size) => Some(Sum::constant(u128::from(size), width)),
                None => atom(),
            },
            ExprKind::Cast(CastOp::Zext, narrow) => match size(narrow) {
                Some(size) => Some(Sum::constant(u128::from(size), width)),
                None => atom(),
            },
            ExprKind::Unary(UnOp::Neg, a) => Sum::constant(0, width).minus(&read(a)?),
            ExprKind::Binary(BinOp::Add, _, a, b) => read(a)?.plus(1, &read(b)?),
            ExprKind::Binary(BinOp::Sub, _, a, b) => read(a)?.minus(&read(b)?),
            ExprKind::Binary(BinOp::Mul, _, a, b) => read(a)?.times(&read(b)?),
            ExprKind::Binary(BinOp::Shl, _, a, b) => {
                match pool.as_const(b).filter(|by| *by < u128::from(width)) {
                    Some(by) => read(a)?.times(&Sum::constant(1 << by, width)),
                    None => atom(),
                }
            }
            ExprKind::Exit(of, value) => self.after(of, &read(value)?),
            _ => atom(),
        }
    }

    /// What a sum is after a loop, as it was in the last iteration.
    pub(super) fn after(&self, of: LoopId, sum: &Sum) -> Option<Sum> {
        sum.map(|atom| {
            let mut atom = atom.clone();
            if self.scopes.encloses(Some(of), atom.home(self.scopes)) {
                atom.after.push(of);
            }
            Some(Sum { width: sum.width, terms: BTreeMap::from([(vec![atom], 1)]) })
        })
    }

    /// What a sum of the variables of a loop, and of values from outside, is at another moment.
    pub(super) fn at(&self, of: LoopId, moment: Moment, sum: &Sum) -> Option<Sum> {
        sum.map(|atom| match atom.var(self.kernel) {
            Some(var) if self.kernel[var].of == of => self.read(match moment {
                Moment::First => self.kernel[var].init,
                Moment::Next => self.kernel[var].next,
            }),
            _ if self.scopes.encloses(Some(of), atom.home(self.scopes)) => None,
            _ => Some(Sum { width: sum.width, terms: BTreeMap::from([(vec![atom.clone()], 1)]) }),
        })
    }
}
