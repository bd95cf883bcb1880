//! Polynomials equal to an expression modulo two to its width.
//!
//! Ring operations carry over; what is no ring operation becomes digits, a choice, or one unknown.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, UnOp, sign_extend};

use super::{DEPTH, Reader};
use crate::algebra::poly::Poly;
use crate::ranges::Known;

impl Reader<'_> {
    /// A polynomial equal to the value modulo two to the width.
    pub(super) fn congruent(&mut self, expr: ExprId) -> Option<Poly> {
        for scope in &self.scopes {
            if let Some(poly) = scope.congruent.get(&expr) {
                return Some(poly.clone());
            }
        }
        let poly = match self.congruent_node(expr) {
            Some(poly) => poly,
            None => self.opaque(expr)?,
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.congruent.insert(expr, poly.clone());
        }
        Some(poly)
    }

    fn congruent_node(&mut self, expr: ExprId) -> Option<Poly> {
        let node = self.pool[expr].clone();
        let width = node.width;
        if width > 64 || self.depth >= DEPTH {
            return None;
        }
        if let Some(value) = self.known(expr).as_const() {
            return Some(Poly::constant(sign_extend(value, width)));
        }
        self.depth += 1;
        let poly = match node.kind {
            ExprKind::Const(value) => Some(Poly::constant(sign_extend(value, width))),
            ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Cmp(..)
            | ExprKind::Pure(..) => None,
            ExprKind::Unary(UnOp::Neg, a) => self.congruent(a).and_then(|it| it.negate()),
            ExprKind::Unary(UnOp::Not, a) => {
                self.congruent(a).and_then(|it| it.negate()?.add_constant(-1))
            }
            ExprKind::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz | UnOp::Bitreverse, _) => None,
            ExprKind::Cast(CastOp::Zext, a) => self.integer(a, false),
            ExprKind::Cast(CastOp::Sext, a) => self.integer(a, true),
            ExprKind::Cast(CastOp::Trunc, a) => self.congruent(a),
            ExprKind::Select(c, a, b) => self.choice(expr, c, a, b),
            ExprKind::Binary(op, _, a, b) => self.congruent_binary(expr, op, a, b),
        };
        self.depth -= 1;
        reduced(poly?, width)
    }

    fn congruent_binary(&mut self, expr: ExprId, op: BinOp, a: ExprId, b: ExprId) -> Option<Poly> {
        let width = self.pool.width(expr);
        let (ka, kb) = (self.known(a), self.known(b));
        match op {
            BinOp::Add => self.congruent(a)?.add(&self.congruent(b)?),
            BinOp::Sub => self.congruent(a)?.sub(&self.congruent(b)?),
            BinOp::Mul => {
                let (x, y) = (self.congruent(a)?, self.congruent(b)?);
                self.times(&x, &y)
            }
            BinOp::Shl => match kb.as_const() {
                Some(amount) if amount < u128::from(width) => {
                    self.congruent(a)?.scale(1i128 << amount)
                }
                // x << y is x * (1 << y), also where y is past the width.
                _ if ka.as_const() != Some(1) => {
                    let one = self.pool.constant(1, width);
                    let power = self.pool.binary(BinOp::Shl, one, b);
                    let (x, y) = (self.congruent(a)?, self.congruent(power)?);
                    self.times(&x, &y)
                }
                _ => None,
            },
            BinOp::Or if ka.zeros | kb.zeros == Known::top(width).hi => {
                self.congruent(a)?.add(&self.congruent(b)?)
            }
            BinOp::Xor if ka.zeros | kb.zeros == Known::top(width).hi => {
                self.congruent(a)?.add(&self.congruent(b)?)
            }
            // Complement of the low bits: all of them minus the value.
            BinOp::Xor
                if kb.as_const().is_some_and(|m| m & m.wrapping_add(1) == 0) && ka.hi <= kb.hi =>
            {
                self.congruent(a)?.negate()?.add_constant(i128::try_from(kb.hi).ok()?)
            }
            BinOp::And => self.masked(a, &kb).or_else(|| self.masked(b, &ka)),
            BinOp::LShr => match kb.as_const() {
                Some(amount) if amount < u128::from(width) => {
                    let divisor = self.pool.constant(1 << amount, width);
                    self.division(a, divisor, false).map(|(quotient, _)| quotient)
                }
                _ if kb.hi < u128::from(width) => {
                    let one = self.pool.constant(1, width);
                    let divisor = self.pool.binary(BinOp::Shl, one, b);
                    self.division(a, divisor, false).map(|(quotient, _)| quotient)
                }
                _ => None,
            },
            BinOp::AShr => match kb.as_const() {
                Some(amount) if amount + 1 < u128::from(width) => {
                    let divisor = self.pool.constant(1 << amount, width);
                    self.division(a, divisor, true).map(|(quotient, _)| quotient)
                }
                _ => None,
            },
            BinOp::UDiv if kb.lo > 0 => self.division(a, b, false).map(|(quotient, _)| quotient),
            BinOp::URem if kb.lo > 0 => self.division(a, b, false).map(|(_, rest)| rest),
            BinOp::UMin | BinOp::UMax | BinOp::SMin | BinOp::SMax => self.extremum(expr, op, a, b),
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem | BinOp::Or | BinOp::Xor => None,
        }
    }
}

/// Coefficients brought to the residue of least magnitude.
fn reduced(poly: Poly, width: u8) -> Option<Poly> {
    let modulus = 1i128 << width;
    let half = modulus >> 1;
    if poly.terms().iter().all(|(_, c)| -half <= *c && *c <= half) {
        return Some(poly);
    }
    let terms = poly
        .terms()
        .iter()
        .map(|(mono, c)| {
            let rest = c.rem_euclid(modulus);
            (mono.clone(), if rest > half { rest - modulus } else { rest })
        })
        .collect();
    Poly::from_terms(terms)
}
