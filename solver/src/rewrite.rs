//! Rewriting under ranges and known facts.
//!
//! **Promises**: the new expression has the value of the old one wherever the old one is not poison
//! and the bounds and facts of the problem hold.
//!
//! **Invariant**: a fact or a bounded expression is never replaced by what it says itself, only its
//! operands are ([`Rewriter::outer`]). Otherwise it would be lost.

use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, UnOp, mask, sign_extend,
};
use rustc_hash::FxHashMap;

use crate::model::is_leaf;
use crate::ranges::{Known, Ranges};

/// One pass over the expressions of a problem.
pub(crate) struct Rewriter<'a> {
    pub(crate) pool: &'a mut ExprPool,
    ranges: &'a mut Ranges,
    /// Predicates known to be true or false.
    truths: FxHashMap<ExprId, bool>,
    /// Leaves, and what they are equal to.
    substitution: FxHashMap<ExprId, ExprId>,
    memo: FxHashMap<ExprId, ExprId>,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(
        pool: &'a mut ExprPool,
        ranges: &'a mut Ranges,
        facts: &[ExprId],
        substitution: FxHashMap<ExprId, ExprId>,
    ) -> Rewriter<'a> {
        let mut truths = FxHashMap::default();
        for &fact in facts {
            truths.insert(fact, true);
            let negated = pool.not(fact);
            truths.insert(negated, false);
        }
        Rewriter { pool, ranges, truths, substitution, memo: FxHashMap::default() }
    }

    /// Rewrites a fact or a bounded expression: all of it but its own truth or bound.
    pub(crate) fn outer(&mut self, expr: ExprId) -> ExprId {
        if is_leaf(&self.pool[expr].kind) {
            return self.substitution.get(&expr).copied().unwrap_or(expr);
        }
        if let ExprKind::Unary(UnOp::Not, inner) = self.pool[expr].kind {
            let inner = self.outer(inner);
            return self.pool.not(inner);
        }
        let mut operands = Vec::new();
        self.pool.for_each_operand(expr, |operand| operands.push(operand));
        for operand in operands {
            self.inner(operand);
        }
        self.node(expr)
    }

    /// Rewrites an operand.
    fn inner(&mut self, root: ExprId) -> ExprId {
        let mut stack = vec![(root, false)];
        while let Some((expr, ready)) = stack.pop() {
            if self.memo.contains_key(&expr) {
                continue;
            }
            if !ready {
                if let Some(done) = self.at_once(expr) {
                    self.memo.insert(expr, done);
                    continue;
                }
                stack.push((expr, true));
                self.pool.for_each_operand(expr, |operand| stack.push((operand, false)));
                continue;
            }
            let done = self.node(expr);
            self.memo.insert(expr, done);
        }
        self.memo[&root]
    }

    /// What needs no look at the operands.
    fn at_once(&mut self, expr: ExprId) -> Option<ExprId> {
        let width = self.pool.width(expr);
        if self.pool.as_const(expr).is_some() {
            return Some(expr);
        }
        if let Some(value) = self.ranges.of(self.pool, expr).as_const() {
            return Some(self.pool.constant(value, width));
        }
        if let Some(&truth) = self.truths.get(&expr) {
            return Some(self.pool.constant(u128::from(truth), 1));
        }
        if is_leaf(&self.pool[expr].kind) {
            return Some(self.substitution.get(&expr).copied().unwrap_or(expr));
        }
        None
    }

    fn known(&mut self, expr: ExprId) -> Known {
        self.ranges.of(self.pool, expr)
    }

    fn node(&mut self, expr: ExprId) -> ExprId {
        let node = self.pool[expr].clone();
        let of = |memo: &FxHashMap<ExprId, ExprId>, operand: &ExprId| memo[operand];
        match &node.kind {
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_) => expr,
            ExprKind::Unary(op, a) => {
                let a = of(&self.memo, a);
                self.pool.unary(*op, a)
            }
            ExprKind::Binary(op, flags, a, b) => {
                let known = (self.known(*a), self.known(*b));
                let (a, b) = (of(&self.memo, a), of(&self.memo, b));
                self.binary(*op, *flags, (a, b), (&known.0, &known.1))
            }
            ExprKind::Cmp(op, a, b) => {
                let known = (self.known(*a), self.known(*b));
                let (a, b) = (of(&self.memo, a), of(&self.memo, b));
                match Known::compare(*op, &known.0, &known.1) {
                    // Only operands were looked at, and their bounds stay.
                    Some(truth) => self.pool.constant(u128::from(truth), 1),
                    None => self.compare(*op, (a, b), (&known.0, &known.1)),
                }
            }
            ExprKind::Select(c, a, b) => {
                let (c, a, b) = (of(&self.memo, c), of(&self.memo, a), of(&self.memo, b));
                self.pool.select(c, a, b)
            }
            ExprKind::Cast(op, a) => {
                let known = self.known(*a);
                let a = of(&self.memo, a);
                self.cast(*op, a, &known, node.width)
            }
            ExprKind::Pure(function, args) => {
                let args = args.iter().map(|arg| of(&self.memo, arg)).collect();
                self.pool.intern(ExprKind::Pure(*function, args), node.width)
            }
        }
    }

    fn cast(&mut self, op: CastOp, a: ExprId, known: &Known, to: u8) -> ExprId {
        let op = if op == CastOp::Sext && known.is_nonneg() { CastOp::Zext } else { op };
        // Widening what was cut off nothing: back to where it came from.
        if let ExprKind::Cast(CastOp::Trunc, origin) = self.pool[a].kind
            && self.pool.width(origin) == to
        {
            let whole = self.known(origin);
            let narrow = Known::top(known.width);
            match op {
                CastOp::Zext if whole.hi <= narrow.hi => return origin,
                CastOp::Sext if whole.slo >= narrow.slo && whole.shi <= narrow.shi => {
                    return origin;
                }
                CastOp::Zext | CastOp::Sext | CastOp::Trunc => {}
            }
        }
        self.pool.cast(op, a, to)
    }

    fn binary(
        &mut self,
        op: BinOp,
        flags: NoWrap,
        (a, b): (ExprId, ExprId),
        (ka, kb): (&Known, &Known),
    ) -> ExprId {
        let width = ka.width;
        let nonneg = ka.is_nonneg() && kb.is_nonneg();
        let op = match op {
            BinOp::SDiv if nonneg => BinOp::UDiv,
            BinOp::SRem if nonneg => BinOp::URem,
            BinOp::AShr if ka.is_nonneg() => BinOp::LShr,
            BinOp::SMin if nonneg => BinOp::UMin,
            BinOp::SMax if nonneg => BinOp::UMax,
            other => other,
        };
        if matches!(op, BinOp::SDiv | BinOp::SRem)
            && let Some(done) = self.by_magnitudes(op, (a, ka), (b, kb))
        {
            return done;
        }
        match op {
            BinOp::UMin if ka.hi <= kb.lo => return a,
            BinOp::UMin if kb.hi <= ka.lo => return b,
            BinOp::UMax if ka.lo >= kb.hi => return a,
            BinOp::UMax if kb.lo >= ka.hi => return b,
            BinOp::SMin if ka.shi <= kb.slo => return a,
            BinOp::SMin if kb.shi <= ka.slo => return b,
            BinOp::SMax if ka.slo >= kb.shi => return a,
            BinOp::SMax if kb.slo >= ka.shi => return b,
            BinOp::URem | BinOp::UDiv if ka.hi < kb.lo || self.is_true(CmpOp::Ult, a, b) => {
                return if op == BinOp::URem { a } else { self.pool.constant(0, width) };
            }
            BinOp::URem | BinOp::UDiv if kb.as_const().is_some_and(u128::is_power_of_two) => {
                let divisor = kb.lo;
                return if op == BinOp::URem {
                    let low = self.pool.constant(divisor - 1, width);
                    self.binary(
                        BinOp::And,
                        NoWrap::NONE,
                        (a, low),
                        (ka, &Known::constant(divisor - 1, width)),
                    )
                } else {
                    let amount = self.pool.constant(u128::from(divisor.ilog2()), width);
                    self.pool.binary(BinOp::LShr, a, amount)
                };
            }
            BinOp::And => {
                for (x, kx, ky) in [(a, ka, kb), (b, kb, ka)] {
                    // Every bit that may be set passes.
                    if mask(!kx.zeros, width) & !ky.ones == 0 {
                        return x;
                    }
                }
            }
            BinOp::Or => {
                for (x, kx, ky) in [(a, ka, kb), (b, kb, ka)] {
                    if mask(!ky.zeros, width) & !kx.ones == 0 {
                        return x;
                    }
                }
            }
            BinOp::Xor => {
                if let Some(rest) = self.cancel_xor(a, b).or_else(|| self.cancel_xor(b, a)) {
                    return rest;
                }
            }
            BinOp::Add => {
                for (x, y) in [(a, b), (b, a)] {
                    if let ExprKind::Binary(BinOp::Sub, _, whole, part) = self.pool[x].kind
                        && part == y
                    {
                        return whole;
                    }
                }
            }
            BinOp::Sub => {
                if let ExprKind::Binary(BinOp::Add, _, x, y) = self.pool[a].kind {
                    if y == b {
                        return x;
                    }
                    if x == b {
                        return y;
                    }
                }
            }
            BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => {}
        }
        self.pool.binary_flagged(op, flags, a, b)
    }

    /// A signed division of numbers of known sign, as that of their magnitudes. Exact, also by zero
    /// and for the least number by minus one. Zero over zero alone has a sign that matters.
    fn by_magnitudes(
        &mut self,
        op: BinOp,
        (a, ka): (ExprId, &Known),
        (b, kb): (ExprId, &Known),
    ) -> Option<ExprId> {
        let by_below = kb.shi < 0;
        let below = !ka.is_nonneg() && (ka.shi < 0 || ka.shi == 0 && kb.lo > 0);
        if !(below || ka.is_nonneg()) || !(by_below || kb.is_nonneg()) {
            return None;
        }
        let a = if below { self.pool.unary(UnOp::Neg, a) } else { a };
        let b = if by_below { self.pool.unary(UnOp::Neg, b) } else { b };
        let (unsigned, negative) = match op {
            BinOp::SDiv => (BinOp::UDiv, below != by_below),
            _ => (BinOp::URem, below),
        };
        let value = self.pool.binary(unsigned, a, b);
        Some(if negative { self.pool.unary(UnOp::Neg, value) } else { value })
    }

    /// `(x ^ y) ^ y` is `x`.
    fn cancel_xor(&self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let ExprKind::Binary(BinOp::Xor, _, x, y) = self.pool[a].kind else { return None };
        if y == b {
            Some(x)
        } else if x == b {
            Some(y)
        } else {
            None
        }
    }

    fn is_true(&mut self, op: CmpOp, a: ExprId, b: ExprId) -> bool {
        let fact = self.pool.cmp(op, a, b);
        self.truths.get(&fact) == Some(&true)
    }

    fn compare(
        &mut self,
        op: CmpOp,
        (a, b): (ExprId, ExprId),
        (ka, kb): (&Known, &Known),
    ) -> ExprId {
        let same_sign = ka.is_nonneg() && kb.is_nonneg() || ka.shi < 0 && kb.shi < 0;
        let op = match op {
            CmpOp::Slt if same_sign => CmpOp::Ult,
            CmpOp::Sle if same_sign => CmpOp::Ule,
            other => other,
        };
        if let Some((op, a, b)) = self.narrow(op, a, b) {
            return self.pool.cmp(op, a, b);
        }
        if op == CmpOp::Eq
            && let Some((a, b)) = self.cancel(a, b)
        {
            return self.pool.cmp(CmpOp::Eq, a, b);
        }
        if op == CmpOp::Eq
            && let Some(c) = self.pool.as_const(b)
            && let ExprKind::Select(condition, x, y) = self.pool[a].kind
            && let (Some(x), Some(y)) = (self.pool.as_const(x), self.pool.as_const(y))
        {
            return match (x == c, y == c) {
                (true, true) => self.pool.truth(),
                (false, false) => self.pool.falsity(),
                (true, false) => condition,
                (false, true) => self.pool.not(condition),
            };
        }
        self.pool.cmp(op, a, b)
    }

    /// A comparison of widened values as one of the values themselves.
    fn narrow(&mut self, op: CmpOp, a: ExprId, b: ExprId) -> Option<(CmpOp, ExprId, ExprId)> {
        let width = self.pool.width(a);
        let widened = |pool: &ExprPool, expr: ExprId| match pool[expr].kind {
            ExprKind::Cast(cast @ (CastOp::Zext | CastOp::Sext), inner) => Some((cast, inner)),
            _ => None,
        };
        let (cast, x, y) = match (widened(self.pool, a), widened(self.pool, b)) {
            (Some((cast, x)), Some((other, y)))
                if cast == other && self.pool.width(x) == self.pool.width(y) =>
            {
                (cast, x, y)
            }
            (Some((cast, x)), None) => {
                let c = self.pool.as_const(b)?;
                (cast, x, self.narrow_constant(cast, c, width, x)?)
            }
            (None, Some((cast, y))) => {
                let c = self.pool.as_const(a)?;
                (cast, self.narrow_constant(cast, c, width, y)?, y)
            }
            _ => return None,
        };
        let op = match (cast, op) {
            // Zeros come in, so the order is the unsigned one.
            (CastOp::Zext, CmpOp::Slt) => CmpOp::Ult,
            (CastOp::Zext, CmpOp::Sle) => CmpOp::Ule,
            // Copies of the sign keep both orders.
            (_, op) => op,
        };
        Some((op, x, y))
    }

    /// A constant at the width of `like`, where widening brings it back.
    fn narrow_constant(&mut self, cast: CastOp, c: u128, from: u8, like: ExprId) -> Option<ExprId> {
        let to = self.pool.width(like);
        let narrow = mask(c, to);
        let back = match cast {
            CastOp::Zext => narrow,
            CastOp::Sext => mask(sign_extend(narrow, to) as u128, from),
            CastOp::Trunc => return None,
        };
        (back == c).then(|| self.pool.constant(narrow, to))
    }

    /// An equality without what both sides share; exact modulo the width.
    fn cancel(&mut self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        let operands = |pool: &ExprPool, expr: ExprId| match pool[expr].kind {
            ExprKind::Binary(op, _, x, y) => Some((op, x, y)),
            _ => None,
        };
        let constant = |pool: &ExprPool, expr: ExprId| pool.as_const(expr);
        match (operands(self.pool, a), operands(self.pool, b)) {
            (Some((op @ (BinOp::Add | BinOp::Xor), x, y)), Some((other, z, w))) if op == other => {
                for (x, y, z, w) in [(x, y, z, w), (x, y, w, z), (y, x, z, w), (y, x, w, z)] {
                    if x == z {
                        return Some((y, w));
                    }
                    if let (Some(c), Some(d)) = (constant(self.pool, y), constant(self.pool, w)) {
                        let width = self.pool.width(a);
                        let shift = if op == BinOp::Add { d.wrapping_sub(c) } else { c ^ d };
                        let shift = self.pool.constant(shift, width);
                        return Some((x, self.pool.binary(op, z, shift)));
                    }
                }
                None
            }
            (Some((BinOp::Add, x, y)), _) if x == b || y == b => {
                let zero = self.pool.constant(0, self.pool.width(a));
                Some((if x == b { y } else { x }, zero))
            }
            (_, Some((BinOp::Add, x, y))) if x == a || y == a => {
                let zero = self.pool.constant(0, self.pool.width(a));
                Some((if x == a { y } else { x }, zero))
            }
            (Some((op @ (BinOp::Add | BinOp::Xor), x, y)), None) => {
                let c = constant(self.pool, y)?;
                let d = constant(self.pool, b)?;
                let value = if op == BinOp::Add { d.wrapping_sub(c) } else { c ^ d };
                let value = self.pool.constant(value, self.pool.width(a));
                Some((x, value))
            }
            (Some((BinOp::Sub, x, y)), None) if self.pool.as_const(b) == Some(0) => Some((x, y)),
            _ => None,
        }
    }
}
