//! What was taken apart by a division, and is put together again.
//!
//! **Promise**: `x % n + (x / n) * n` is `x`: for numbers with and without sign, modulo the width,
//! and where division has no value too (`fold.rs` gives a quotient whose product is zero, and the
//! dividend as the rest). Of unsigned numbers so it is when all parts are widened: the product is
//! not above `x`. **Does not**: look through more than one other addend, or at shifts and masks.

use super::{BinOp, CastOp, ExprId, ExprKind, ExprPool};

impl ExprPool {
    /// The sum of two values of which one is a remainder, and the other what was left out of it.
    pub(super) fn rejoined(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        for (one, other) in [(a, b), (b, a)] {
            if let Some(whole) = self.dividend(one, other) {
                return Some(whole);
            }
            let ExprKind::Binary(BinOp::Add, _, p, q) = self[one].kind else { continue };
            for (kept, part) in [(p, q), (q, p)] {
                let whole = self.dividend(part, other).or_else(|| self.dividend(other, part));
                if let Some(whole) = whole {
                    return Some(self.add(kept, whole));
                }
            }
        }
        None
    }

    /// `x`, of `x % n` and `(x / n) * n`.
    fn dividend(&mut self, rest: ExprId, product: ExprId) -> Option<ExprId> {
        let ExprKind::Binary(BinOp::Mul, _, p, q) = self[product].kind else { return None };
        let width = self.width(rest);
        let (narrow, widened) = match self[rest].kind {
            ExprKind::Cast(CastOp::Zext, inner) => (inner, true),
            _ => (rest, false),
        };
        let ExprKind::Binary(op, _, x, n) = self[narrow].kind else { return None };
        let quotient = match op {
            BinOp::URem => BinOp::UDiv,
            BinOp::SRem if !widened => BinOp::SDiv,
            _ => return None,
        };
        // What is widened as the rest is.
        let narrowed = |it: ExprId| match (&self[it].kind, widened) {
            (_, false) => Some(it),
            (ExprKind::Cast(CastOp::Zext, inner), true) => Some(*inner),
            (_, true) => None,
        };
        let is_quotient = |it: ExprId| {
            let kind = narrowed(it).map(|it| &self[it].kind);
            matches!(kind, Some(ExprKind::Binary(op, _, y, m)) if (*op, *y, *m) == (quotient, x, n))
        };
        let is_divisor = |it: ExprId| {
            let constant = self.as_const(n).filter(|_| widened);
            narrowed(it) == Some(n) || (constant.is_some() && self.as_const(it) == constant)
        };
        let fits = [(p, q), (q, p)].into_iter().any(|(a, b)| is_quotient(a) && is_divisor(b));
        fits.then(|| match widened {
            true => self.cast(CastOp::Zext, x, width),
            false => x,
        })
    }
}
