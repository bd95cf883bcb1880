//! Builder methods of [`ExprPool`]: each makes one node, after constant folding and the local
//! identities that keep printed kernels readable and queries small. A rewrite here is exact for
//! every operand value, wrap-around included, and may drop a no-wrap flag but never invent one.

use super::{
    BinOp, CastOp, CmpOp, ExprKind, ExprPool, NoWrap, Special, UnOp, fold_binary, fold_cast,
    fold_cmp, fold_unary, mask,
};
use crate::entity::{ExprId, LoopId, ObjectId, OpId, SymId, VarId};

impl ExprPool {
    /// The constant `value`, cut to `width` bits.
    pub fn constant(&mut self, value: u128, width: u8) -> ExprId {
        self.intern(ExprKind::Const(mask(value, width)), width)
    }

    /// The constant `value` as two's complement.
    pub fn signed(&mut self, value: i128, width: u8) -> ExprId {
        self.constant(value as u128, width)
    }

    /// One bit, one.
    pub fn truth(&mut self) -> ExprId {
        self.constant(1, 1)
    }

    /// One bit, zero.
    pub fn falsity(&mut self) -> ExprId {
        self.constant(0, 1)
    }

    /// An id of the thread or a size of its launch.
    pub fn special(&mut self, special: Special) -> ExprId {
        self.intern(ExprKind::Special(special), 32)
    }

    /// The n-th parameter.
    pub fn param(&mut self, index: u32, width: u8) -> ExprId {
        self.intern(ExprKind::Param(index), width)
    }

    /// The numeric address of an object.
    pub fn base(&mut self, object: ObjectId) -> ExprId {
        self.intern(ExprKind::Base(object), 64)
    }

    /// A loop variable.
    pub fn var(&mut self, var: VarId, width: u8) -> ExprId {
        self.intern(ExprKind::Var(var), width)
    }

    /// The result of an operation.
    pub fn result(&mut self, op: OpId, index: u32, width: u8) -> ExprId {
        self.intern(ExprKind::Result(op, index), width)
    }

    /// A symbol of an analysis.
    pub fn symbol(&mut self, symbol: SymId, width: u8) -> ExprId {
        self.intern(ExprKind::Sym(symbol), width)
    }

    /// The value that `value` had in the last iteration of `of`.
    pub fn exit(&mut self, of: LoopId, value: ExprId) -> ExprId {
        if self.as_const(value).is_some() {
            return value;
        }
        let width = self.width(value);
        self.intern(ExprKind::Exit(of, value), width)
    }

    /// A pure function by name.
    pub fn pure(&mut self, name: &str, args: &[ExprId], width: u8) -> ExprId {
        let function = self.function(name);
        self.intern(ExprKind::Pure(function, args.into()), width)
    }

    /// A unary operator.
    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        let width = self.width(a);
        if let Some(value) = self.as_const(a) {
            return self.constant(fold_unary(op, value, width), width);
        }
        if let ExprKind::Unary(inner, x) = self[a].kind
            && inner == op
            && matches!(op, UnOp::Not | UnOp::Neg | UnOp::Bitreverse)
        {
            return x;
        }
        // The negation of an order is the opposite order.
        if let (UnOp::Not, &ExprKind::Cmp(cmp, x, y)) = (op, &self[a].kind) {
            match cmp {
                CmpOp::Ult => return self.cmp(CmpOp::Ule, y, x),
                CmpOp::Ule => return self.cmp(CmpOp::Ult, y, x),
                CmpOp::Slt => return self.cmp(CmpOp::Sle, y, x),
                CmpOp::Sle => return self.cmp(CmpOp::Slt, y, x),
                CmpOp::Eq => {}
            }
        }
        self.intern(ExprKind::Unary(op, a), width)
    }

    /// The complement; of a predicate, its negation.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnOp::Not, a)
    }

    /// A binary operator that may wrap.
    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.binary_flagged(op, NoWrap::NONE, a, b)
    }

    /// A binary operator with its no-wrap facts.
    pub fn binary_flagged(&mut self, op: BinOp, flags: NoWrap, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "{op} of different widths");
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return self.constant(fold_binary(op, x, y, width), width);
        }
        // Constants stand on the right of operators that commute, and handles in order.
        let (a, b) = if op.commutes()
            && (self.as_const(a).is_some() || (self.as_const(b).is_none() && b < a))
        {
            (b, a)
        } else {
            (a, b)
        };
        match self.identity(op, flags, a, b, width) {
            Some(simple) => simple,
            None => self.intern(ExprKind::Binary(op, flags, a, b), width),
        }
    }

    fn identity(
        &mut self,
        op: BinOp,
        flags: NoWrap,
        a: ExprId,
        b: ExprId,
        width: u8,
    ) -> Option<ExprId> {
        let ones = mask(u128::MAX, width);
        let zero = |pool: &mut Self| Some(pool.constant(0, width));
        if a == b {
            return match op {
                BinOp::Sub | BinOp::Xor => zero(self),
                BinOp::And | BinOp::Or | BinOp::UMin | BinOp::UMax | BinOp::SMin | BinOp::SMax => {
                    Some(a)
                }
                BinOp::Add if width == 1 => zero(self),
                BinOp::Add
                | BinOp::Mul
                | BinOp::UDiv
                | BinOp::SDiv
                | BinOp::URem
                | BinOp::SRem
                | BinOp::Shl
                | BinOp::LShr
                | BinOp::AShr => None,
            };
        }
        if matches!(op, BinOp::And | BinOp::Or) && self.not(a) == b {
            return Some(self.constant(if op == BinOp::And { 0 } else { ones }, width));
        }
        if self.as_const(a) == Some(0)
            && matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::URem | BinOp::SRem)
        {
            return Some(a);
        }
        let Some(c) = self.as_const(b) else {
            return if op == BinOp::Add { self.rejoined(a, b) } else { None };
        };
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Shl | BinOp::LShr | BinOp::AShr if c == 0 => Some(a),
            BinOp::Or | BinOp::Xor | BinOp::UMax if c == 0 => Some(a),
            BinOp::Mul | BinOp::UDiv if c == 1 => Some(a),
            BinOp::SDiv if c == 1 && width > 1 => Some(a),
            BinOp::URem | BinOp::SRem if c == 1 => zero(self),
            BinOp::And | BinOp::UMin if c == ones => Some(a),
            BinOp::And | BinOp::Mul | BinOp::UMin if c == 0 => Some(b),
            BinOp::Or | BinOp::UMax if c == ones => Some(b),
            BinOp::Xor if c == ones => Some(self.not(a)),
            // A shift past the width is zero; the folder says the same.
            BinOp::Shl | BinOp::LShr if c >= u128::from(width) => zero(self),
            BinOp::Sub => {
                // `x - c` is `x + (-c)`, and stays signed-safe unless `-c` is `c` itself.
                let min = 1u128 << (width - 1);
                let kept = NoWrap { signed: flags.signed && c != min, unsigned: false };
                let negated = self.constant(c.wrapping_neg(), width);
                Some(self.binary_flagged(BinOp::Add, kept, a, negated))
            }
            BinOp::Add => self.merge_added_constant(flags, a, c, width),
            BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => None,
        }
    }

    /// `(x + c1) + c2` as one addition, where no flag would be lost by it.
    fn merge_added_constant(
        &mut self,
        flags: NoWrap,
        a: ExprId,
        c2: u128,
        width: u8,
    ) -> Option<ExprId> {
        let ExprKind::Binary(BinOp::Add, inner, x, k) = self[a].kind else { return None };
        let c1 = self.as_const(k)?;
        let sum = mask(c1.wrapping_add(c2), width);
        let (s1, s2) = (super::sign_extend(c1, width), super::sign_extend(c2, width));
        let same_sign = (s1 < 0) == (s2 < 0);
        let signed_sum_fits = s1.checked_add(s2) == Some(super::sign_extend(sum, width));
        let unsigned_sum_fits = sum >= c1;
        let signed = inner.signed && flags.signed && same_sign && signed_sum_fits;
        let unsigned = inner.unsigned && flags.unsigned && unsigned_sum_fits;
        if (inner.signed || flags.signed) && !signed {
            return None;
        }
        let constant = self.constant(sum, width);
        Some(self.binary_flagged(BinOp::Add, NoWrap { signed, unsigned }, x, constant))
    }

    /// Sum that may wrap.
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Add, a, b)
    }

    /// Difference that may wrap.
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Sub, a, b)
    }

    /// Product that may wrap.
    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Mul, a, b)
    }

    /// Conjunction of predicates, or bitwise and.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::And, a, b)
    }

    /// Disjunction of predicates, or bitwise or.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        // `(p & q) | (p & !q)` is `p`: what a join of two arms of a branch gives.
        if self.width(a) == 1
            && let (
                ExprKind::Binary(BinOp::And, _, p1, q1),
                ExprKind::Binary(BinOp::And, _, p2, q2),
            ) = (&self[a].kind, &self[b].kind)
        {
            let (p1, q1, p2, q2) = (*p1, *q1, *p2, *q2);
            for (p, q, r, s) in
                [(p1, q1, p2, q2), (p1, q1, q2, p2), (q1, p1, p2, q2), (q1, p1, q2, p2)]
            {
                if p == r && self.not(q) == s {
                    return p;
                }
            }
        }
        self.binary(BinOp::Or, a, b)
    }

    /// `a` implies `b`, on predicates.
    pub fn implies(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let na = self.not(a);
        self.or(na, b)
    }

    /// A comparison.
    pub fn cmp(&mut self, op: CmpOp, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "{op} of different widths");
        let known = |pool: &mut Self, truth: bool| pool.constant(u128::from(truth), 1);
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return known(self, fold_cmp(op, x, y, width));
        }
        if a == b {
            return known(self, matches!(op, CmpOp::Eq | CmpOp::Ule | CmpOp::Sle));
        }
        let ones = mask(u128::MAX, width);
        match op {
            CmpOp::Eq => {
                let (a, b) = if self.as_const(a).is_some() || (self.as_const(b).is_none() && b < a)
                {
                    (b, a)
                } else {
                    (a, b)
                };
                if width == 1 {
                    let differs = self.binary(BinOp::Xor, a, b);
                    return self.not(differs);
                }
                self.equality_of_wide(a, b)
            }
            CmpOp::Ult if self.as_const(b) == Some(0) => known(self, false),
            CmpOp::Ult if self.as_const(a) == Some(ones) => known(self, false),
            CmpOp::Ule if self.as_const(a) == Some(0) => known(self, true),
            CmpOp::Ule if self.as_const(b) == Some(ones) => known(self, true),
            CmpOp::Ult | CmpOp::Ule | CmpOp::Slt | CmpOp::Sle => {
                self.intern(ExprKind::Cmp(op, a, b), 1)
            }
        }
    }

    /// `a == b` where a widened predicate may hide: `zext(p) == 0` is `!p`.
    fn equality_of_wide(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if let (ExprKind::Cast(CastOp::Zext, p), Some(c)) = (&self[a].kind, self.as_const(b)) {
            let p = *p;
            let narrow = self.width(p);
            if mask(c, narrow) != c {
                return self.falsity();
            }
            let c = self.constant(c, narrow);
            return self.cmp(CmpOp::Eq, p, c);
        }
        self.intern(ExprKind::Cmp(CmpOp::Eq, a, b), 1)
    }

    /// Equality.
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.cmp(CmpOp::Eq, a, b)
    }

    /// Inequality.
    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Less, unsigned.
    pub fn ult(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.cmp(CmpOp::Ult, a, b)
    }

    /// Less, signed.
    pub fn slt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.cmp(CmpOp::Slt, a, b)
    }

    /// `a` where `c` is one, else `b`.
    pub fn select(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return a;
        }
        match self.as_const(c) {
            Some(0) => return b,
            Some(_) => return a,
            None => {}
        }
        if let ExprKind::Unary(UnOp::Not, inner) = self[c].kind {
            return self.select(inner, b, a);
        }
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "select of different widths");
        if width == 1 {
            match (self.as_const(a), self.as_const(b)) {
                (Some(1), _) => return self.or(c, b),
                (_, Some(0)) => return self.and(c, a),
                (Some(_), _) => {
                    let nc = self.not(c);
                    return self.and(nc, b);
                }
                (_, Some(_)) => {
                    let nc = self.not(c);
                    return self.or(nc, a);
                }
                (None, None) => {}
            }
        }
        self.intern(ExprKind::Select(c, a, b), width)
    }

    /// `a` at `to` bits.
    pub fn cast(&mut self, op: CastOp, a: ExprId, to: u8) -> ExprId {
        let from = self.width(a);
        if from == to {
            return a;
        }
        debug_assert_eq!(from > to, op == CastOp::Trunc, "{op} from {from} to {to}");
        if let Some(value) = self.as_const(a) {
            return self.constant(fold_cast(op, value, from, to), to);
        }
        if let ExprKind::Cast(inner, x) = self[a].kind {
            let origin = self.width(x);
            match (op, inner) {
                (CastOp::Zext, CastOp::Zext)
                | (CastOp::Sext, CastOp::Sext)
                | (CastOp::Trunc, CastOp::Trunc) => return self.cast(op, x, to),
                (CastOp::Sext, CastOp::Zext) => return self.cast(CastOp::Zext, x, to),
                (CastOp::Trunc, CastOp::Zext | CastOp::Sext) => {
                    return if to <= origin { self.resize(x, to) } else { self.cast(inner, x, to) };
                }
                (CastOp::Zext, CastOp::Sext | CastOp::Trunc) | (CastOp::Sext, CastOp::Trunc) => {}
            }
        }
        self.intern(ExprKind::Cast(op, a), to)
    }

    /// `a` at `to` bits, zeros in where it grows.
    pub fn resize(&mut self, a: ExprId, to: u8) -> ExprId {
        let op = if self.width(a) > to { CastOp::Trunc } else { CastOp::Zext };
        self.cast(op, a, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_node_same_handle() {
        let mut pool = ExprPool::new();
        let x = pool.param(0, 32);
        let y = pool.param(1, 32);
        assert_eq!(pool.add(x, y), pool.add(y, x));
        assert_ne!(pool.sub(x, y), pool.sub(y, x));
    }

    #[test]
    fn the_join_of_two_arms_is_the_branch() {
        let mut pool = ExprPool::new();
        let (p, q) = (pool.param(0, 1), pool.param(1, 1));
        let nq = pool.not(q);
        let (then, other) = (pool.and(p, q), pool.and(p, nq));
        assert_eq!(pool.or(then, other), p);
        assert_eq!(pool.or(other, then), p);
    }

    #[test]
    fn a_signed_flag_survives_only_where_it_is_true() {
        let mut pool = ExprPool::new();
        let x = pool.param(0, 32);
        let (one, minus_two) = (pool.constant(1, 32), pool.signed(-2, 32));
        let a = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, x, one);
        let b = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, a, minus_two);
        // `x + 1` did not overflow: merging would forget it.
        assert!(matches!(pool[b].kind, ExprKind::Binary(BinOp::Add, _, inner, _) if inner == a));
        let c = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, a, one);
        let two = pool.constant(2, 32);
        assert_eq!(c, pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, x, two));
    }

    #[test]
    fn constants_whose_sum_is_no_signed_number_are_not_merged() {
        for width in [8, 64, 127, 128] {
            let mut pool = ExprPool::new();
            let x = pool.param(0, width);
            let largest = pool.constant((1 << (width - 1)) - 1, width);
            let a = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, x, largest);
            let b = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, a, largest);
            let ExprKind::Binary(BinOp::Add, NoWrap::SIGNED, inner, _) = pool[b].kind else {
                panic!("{:?}", pool[b]);
            };
            assert_eq!(inner, a, "{width} bits");
        }
    }

    #[test]
    fn truncation_undoes_extension() {
        let mut pool = ExprPool::new();
        let x = pool.param(0, 32);
        let wide = pool.cast(CastOp::Sext, x, 64);
        assert_eq!(pool.cast(CastOp::Trunc, wide, 32), x);
        assert_eq!(pool.cast(CastOp::Trunc, wide, 48), pool.cast(CastOp::Sext, x, 48));
    }
}
