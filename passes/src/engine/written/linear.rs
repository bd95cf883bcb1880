//! Sums of terms with constant factors, as a guide to what may solve an equation.
//!
//! **Promises**: nothing about values: casts are looked through, and wrap-around is not looked at.
//! Whoever takes a number from here has it checked by a question. **Does not**: decide.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, ExprPool, sign_extend};

/// Operators that are looked at; below, an expression is a term.
const MOST_STEPS: usize = 256;

/// A sum of terms, each with a factor, and of a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    pub(super) terms: Vec<Term>,
    pub(super) constant: i128,
}

/// An expression of any width with a factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Term {
    pub(super) of: ExprId,
    /// It is made wider by its sign.
    signed: bool,
    pub(super) factor: i128,
}

impl Linear {
    pub(super) fn of(pool: &ExprPool, id: ExprId) -> Linear {
        let mut sum = Linear { terms: Vec::new(), constant: 0 };
        sum.add(pool, id, 1, true);
        sum
    }

    /// One expression of 64 bits.
    pub(super) fn one(of: ExprId) -> Linear {
        Linear { terms: vec![Term { of, signed: false, factor: 1 }], constant: 0 }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not listed is a term, whatever it is"
    )]
    fn add(&mut self, pool: &ExprPool, id: ExprId, factor: i128, signed: bool) {
        let mut work = vec![(id, factor, signed)];
        let mut steps = 0;
        while let Some((id, factor, signed)) = work.pop() {
            steps += 1;
            let width = pool.width(id);
            let number = |it: ExprId| pool.as_const(it).map(|it| sign_extend(it, width));
            match pool[id].kind {
                _ if steps > MOST_STEPS => self.push(Term { of: id, signed, factor }),
                ExprKind::Const(value) => {
                    let value = sign_extend(value, width);
                    self.constant = self.constant.saturating_add(factor.saturating_mul(value));
                }
                ExprKind::Binary(BinOp::Add | BinOp::Or, _, a, b) => {
                    work.extend([(b, factor, signed), (a, factor, signed)]);
                }
                ExprKind::Binary(BinOp::Sub, _, a, b) => {
                    work.extend([(b, factor.saturating_neg(), signed), (a, factor, signed)]);
                }
                ExprKind::Binary(BinOp::Mul, _, a, b)
                    if let Some(by) = number(b).or_else(|| number(a)) =>
                {
                    let other = if pool.as_const(b).is_some() { a } else { b };
                    work.push((other, factor.saturating_mul(by), signed));
                }
                ExprKind::Binary(BinOp::Shl, _, a, b)
                    if let Some(by) = pool.as_const(b).filter(|by| *by < 64) =>
                {
                    work.push((a, factor.saturating_mul(1 << by), signed));
                }
                ExprKind::Cast(CastOp::Sext, a) => work.push((a, factor, true)),
                ExprKind::Cast(CastOp::Zext, a) => work.push((a, factor, false)),
                ExprKind::Cast(CastOp::Trunc, a) => work.push((a, factor, signed)),
                _ => self.push(Term { of: id, signed, factor }),
            }
        }
    }

    fn push(&mut self, term: Term) {
        match self.terms.iter_mut().find(|it| it.of == term.of) {
            Some(known) => known.factor = known.factor.saturating_add(term.factor),
            None => self.terms.push(term),
        }
        self.terms.retain(|it| it.factor != 0);
    }

    /// The sum and a multiple of another.
    pub(super) fn plus(mut self, other: &Linear, times: i128) -> Linear {
        for term in &other.terms {
            self.push(Term { factor: term.factor.saturating_mul(times), ..*term });
        }
        self.constant = self.constant.saturating_add(other.constant.saturating_mul(times));
        self
    }

    /// The sum without the terms of an expression, and their factor.
    pub(super) fn take(&mut self, of: ExprId) -> i128 {
        let factor = self.terms.iter().find(|it| it.of == of).map_or(0, |it| it.factor);
        self.terms.retain(|it| it.of != of);
        factor
    }

    /// The parts that are multiples of a number, divided by it, and the rest.
    pub(super) fn divided(&self, by: i128) -> (Linear, Linear) {
        let of = |keep: &dyn Fn(i128) -> bool| -> Vec<Term> {
            self.terms.iter().filter(|it| keep(it.factor)).copied().collect()
        };
        let mut quotient = of(&|it| it % by == 0);
        quotient.iter_mut().for_each(|it| it.factor /= by);
        let rest = of(&|it| it % by != 0);
        (
            Linear { terms: quotient, constant: self.constant.div_euclid(by) },
            Linear { terms: rest, constant: self.constant.rem_euclid(by) },
        )
    }

    /// The sum in 64 bits, with wrap-around.
    pub(super) fn build(&self, pool: &mut ExprPool) -> ExprId {
        let mut sum = pool.signed(self.constant, 64);
        for term in &self.terms {
            let wide = match (pool.width(term.of) < 64, term.signed) {
                (true, true) => pool.cast(CastOp::Sext, term.of, 64),
                _ => pool.resize(term.of, 64),
            };
            let factor = pool.signed(term.factor, 64);
            let product = pool.mul(wide, factor);
            sum = pool.add(sum, product);
        }
        sum
    }
}
