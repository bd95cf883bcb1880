//! Expressions as polynomials over integers.
//!
//! **Promises**: [`Reader::integer`] is the value itself, as signed or as unsigned number, wherever the
//! expression is not poison. It comes from [`Reader::congruent`], which is only right modulo the width,
//! by ranges that leave one multiple of the modulus, by a no-wrap flag, or with an atom that counts the wraps.
//! **Does not**: read widths above 64 bits; such facts are left out, which only loses proofs.
//!
//! **Scopes**: what is read in an alternative of a disjunction is poison only if that alternative is
//! not the one that holds, so its definitions go to that alternative, not to the whole.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, UnOp, sign_extend};
use rustc_hash::FxHashMap;

use super::poly::{Atom, Mono, Poly};
use super::system::{Facts, Role, Unknown, div_ceil, range};
use crate::ranges::{Known, Ranges};

/// How deep an expression is read before it is taken as one unknown.
const DEPTH: u32 = 64;

/// Reads the facts of a problem.
pub(super) struct Reader<'a> {
    pub(super) pool: &'a mut ExprPool,
    pub(super) ranges: &'a mut Ranges,
    pub(super) atoms: Vec<Unknown>,
    /// Facts of the scopes that are open, the whole problem first.
    pub(super) scopes: Vec<Scope>,
    /// Products of sums are named, not multiplied out.
    pub(super) factored: bool,
    /// The atom of an expression, and of a quotient and its remainder.
    values: FxHashMap<(ExprId, bool), Atom>,
    /// The atom of an expression of which low bits are known: its high part.
    high_parts: FxHashMap<ExprId, Atom>,
    readings: FxHashMap<(ExprId, bool), (Atom, Atom)>,
    divisions: FxHashMap<(ExprId, ExprId, bool), (Atom, Atom)>,
    sums: FxHashMap<Poly, Atom>,
    depth: u32,
}

/// What was read in one scope.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) facts: Facts,
    congruent: FxHashMap<ExprId, Poly>,
    integers: FxHashMap<(ExprId, bool), Poly>,
    defined: Vec<Atom>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        pool: &'a mut ExprPool,
        ranges: &'a mut Ranges,
        factored: bool,
    ) -> Reader<'a> {
        Reader {
            pool,
            ranges,
            atoms: Vec::new(),
            scopes: vec![Scope::default()],
            factored,
            values: FxHashMap::default(),
            high_parts: FxHashMap::default(),
            readings: FxHashMap::default(),
            divisions: FxHashMap::default(),
            sums: FxHashMap::default(),
            depth: 0,
        }
    }

    pub(super) fn facts(&mut self) -> &mut Facts {
        let last = self.scopes.len() - 1;
        &mut self.scopes[last].facts
    }

    fn fresh(&mut self, lo: i128, hi: i128, role: Role) -> Atom {
        self.atoms.push(Unknown { lo, hi, role });
        (self.atoms.len() - 1) as Atom
    }

    /// Whether the definition of an atom is still to be given in this scope; it is from now on.
    fn define(&mut self, atom: Atom) -> bool {
        if self.scopes.iter().any(|scope| scope.defined.contains(&atom)) {
            return false;
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.defined.push(atom);
        }
        true
    }

    fn zero(&mut self, poly: Poly) {
        self.facts().zero.push(poly);
    }

    fn nonneg(&mut self, poly: Poly) {
        self.facts().nonneg.push(poly);
    }

    fn known(&mut self, expr: ExprId) -> Known {
        self.ranges.of(self.pool, expr)
    }

    /// The value of an expression as a number.
    pub(super) fn integer(&mut self, expr: ExprId, signed: bool) -> Option<Poly> {
        let known = self.known(expr);
        if known.width > 64 {
            return None;
        }
        // A value without a sign bit reads the same both ways.
        let signed = signed && !known.is_nonneg();
        for scope in &self.scopes {
            if let Some(poly) = scope.integers.get(&(expr, signed)) {
                return Some(poly.clone());
            }
        }
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let read = self.read(expr, signed, &known);
        self.depth -= 1;
        let poly = read?;
        if let Some(scope) = self.scopes.last_mut() {
            scope.integers.insert((expr, signed), poly.clone());
        }
        Some(poly)
    }

    fn read(&mut self, expr: ExprId, signed: bool, known: &Known) -> Option<Poly> {
        let (lo, hi) = ends(known, signed);
        if let Some(poly) = self.by_flag(expr, signed, known) {
            self.within(&poly, lo, hi);
            return Some(poly);
        }
        let poly = self.congruent(expr)?;
        let modulus = 1i128 << known.width;
        let (Some(least), Some(most)) = range(&self.atoms, &poly) else { return None };
        // value = poly - modulus * wraps
        let fewest = div_ceil(least.checked_sub(hi)?, modulus);
        let times = most.checked_sub(lo)?.div_euclid(modulus);
        if fewest >= times {
            let value = poly.add_constant(-modulus.checked_mul(times)?)?;
            self.within(&value, lo, hi);
            return Some(value);
        }
        let (value, wraps) = match self.readings.get(&(expr, signed)) {
            Some(&pair) => pair,
            None => {
                let pair =
                    (self.fresh(lo, hi, Role::Value), self.fresh(fewest, times, Role::Wraps));
                self.readings.insert((expr, signed), pair);
                pair
            }
        };
        if self.define(value) {
            let wrapped = Poly::term(Mono::from_slice(&[wraps]), -modulus);
            self.zero(poly.add(&wrapped)?.sub(&Poly::atom(value))?);
        }
        Some(Poly::atom(value))
    }

    /// Adds what the range of an expression says beyond the bounds of the atoms.
    fn within(&mut self, poly: &Poly, lo: i128, hi: i128) {
        let (least, most) = range(&self.atoms, poly);
        if least.is_none_or(|least| least < lo)
            && let Some(above) = poly.add_constant(-lo)
        {
            self.nonneg(above);
        }
        if most.is_none_or(|most| most > hi)
            && let Some(below) = poly.negate().and_then(|it| it.add_constant(hi))
        {
            self.nonneg(below);
        }
    }

    /// The mathematical result, where a flag promises that it is the result.
    fn by_flag(&mut self, expr: ExprId, signed: bool, known: &Known) -> Option<Poly> {
        let ExprKind::Binary(op, flags, a, b) = self.pool[expr].kind else { return None };
        let NoWrap { signed: nsw, unsigned: nuw } = flags;
        let both = known.is_nonneg();
        let reading = if nsw && (signed || both) {
            true
        } else if nuw && (!signed || both) {
            false
        } else {
            return None;
        };
        match op {
            BinOp::Add => self.integer(a, reading)?.add(&self.integer(b, reading)?),
            BinOp::Sub => self.integer(a, reading)?.sub(&self.integer(b, reading)?),
            BinOp::Mul => {
                let (x, y) = (self.integer(a, reading)?, self.integer(b, reading)?);
                self.times(&x, &y)
            }
            BinOp::Shl => {
                let amount = self.known(b).as_const()?;
                if amount + 1 >= u128::from(known.width) {
                    return None;
                }
                self.integer(a, reading)?.scale(1 << amount)
            }
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
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

    /// A product; in factored reading a sum that is multiplied by unknowns gets a name.
    fn times(&mut self, x: &Poly, y: &Poly) -> Option<Poly> {
        if x.as_const().is_some() || y.as_const().is_some() || !self.factored {
            return x.mul(y);
        }
        let (x, y) = (self.named(x)?, self.named(y)?);
        x.mul(&y)
    }

    fn named(&mut self, poly: &Poly) -> Option<Poly> {
        if poly.terms().len() <= 1 {
            return Some(poly.clone());
        }
        let (Some(lo), Some(hi)) = range(&self.atoms, poly) else { return None };
        let atom = match self.sums.get(poly) {
            Some(&atom) => atom,
            None => {
                let atom = self.fresh(lo, hi, Role::Digit);
                self.sums.insert(poly.clone(), atom);
                atom
            }
        };
        if self.define(atom) {
            let definition = poly.sub(&Poly::atom(atom))?;
            self.zero(definition);
        }
        Some(Poly::atom(atom))
    }

    /// A polynomial equal to the value modulo two to the width.
    fn congruent(&mut self, expr: ExprId) -> Option<Poly> {
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

    /// `a & mask` for a contiguous mask: a digit of `a`.
    fn masked(&mut self, a: ExprId, mask: &Known) -> Option<Poly> {
        let bits = mask.as_const()?;
        let width = mask.width;
        let low = bits.trailing_zeros();
        let run = bits >> low;
        if bits == 0 || run & run.wrapping_add(1) != 0 {
            return None;
        }
        let top = low + run.count_ones();
        let below = |reader: &mut Self, bit: u32| match bit {
            0 => Some(Poly::zero()),
            bit if bit >= u32::from(width) => reader.integer(a, false),
            bit => {
                let divisor = reader.pool.constant(1u128 << bit, width);
                reader.division(a, divisor, false).map(|(_, rest)| rest)
            }
        };
        let high = below(self, top)?;
        high.sub(&below(self, low)?)
    }

    /// Quotient (rounded down) and remainder; the divisor is positive, the dividend may be read as signed.
    fn division(&mut self, a: ExprId, b: ExprId, signed: bool) -> Option<(Poly, Poly)> {
        let whole = self.integer(a, signed)?;
        let divisor = self.integer(b, false)?;
        let kb = self.known(b);
        let (lo, hi) = ends(&self.known(a), signed);
        let (least, most) = (i128::try_from(kb.lo).ok()?, i128::try_from(kb.hi).ok()?);
        if let Some(c) = divisor.as_const()
            && let Some(digits) = self.digits(&whole, c)
        {
            return Some(digits);
        }
        let (quotient, rest) = match self.divisions.get(&(a, b, signed)) {
            Some(&pair) => pair,
            None => {
                let lo = if lo < 0 { lo.div_euclid(least) } else { lo.div_euclid(most) };
                let hi = if hi < 0 { hi.div_euclid(most) } else { hi.div_euclid(least) };
                let quotient = self.fresh(lo, hi, Role::Digit);
                let rest = self.fresh(0, most - 1, Role::Digit);
                self.divisions.insert((a, b, signed), (quotient, rest));
                (quotient, rest)
            }
        };
        let (quotient, rest) = (Poly::atom(quotient), Poly::atom(rest));
        let named = quotient.terms()[0].0[0];
        if self.define(named) {
            let product = self.times(&quotient, &divisor)?;
            self.zero(whole.sub(&product)?.sub(&rest)?);
            self.nonneg(divisor.sub(&rest)?.add_constant(-1)?);
        }
        Some((quotient, rest))
    }

    /// `whole` as `c * quotient + rest` by looking at coefficients, where bounds put the rest in `[0, c)`.
    fn digits(&mut self, whole: &Poly, c: i128) -> Option<(Poly, Poly)> {
        let (mut quotient, mut rest) = (Vec::new(), Vec::new());
        for (mono, coefficient) in whole.terms() {
            quotient.push((mono.clone(), coefficient.div_euclid(c)));
            rest.push((mono.clone(), coefficient.rem_euclid(c)));
        }
        let (quotient, rest) = (Poly::from_terms(quotient)?, Poly::from_terms(rest)?);
        match range(&self.atoms, &rest) {
            (Some(lo), Some(hi)) if lo >= 0 && hi < c => Some((quotient, rest)),
            _ => None,
        }
    }

    /// Minimum or maximum: a bound on both sides, and equal to one of them.
    fn extremum(&mut self, expr: ExprId, op: BinOp, a: ExprId, b: ExprId) -> Option<Poly> {
        let (signed, smaller) = match op {
            BinOp::SMin => (true, true),
            BinOp::SMax => (true, false),
            BinOp::UMin => (false, true),
            _ => (false, false),
        };
        let (x, y) = (self.integer(a, signed)?, self.integer(b, signed)?);
        let atom = self.value(expr, signed)?;
        if self.define(atom) {
            let value = Poly::atom(atom);
            let mut clause = Vec::new();
            for side in [&x, &y] {
                let apart = if smaller { side.sub(&value)? } else { value.sub(side)? };
                self.nonneg(apart.clone());
                clause.push(Facts { zero: vec![apart], ..Facts::default() });
            }
            self.facts().clauses.push(clause);
        }
        Some(Poly::atom(atom))
    }

    /// A conditional value: one arm or the other.
    fn choice(&mut self, expr: ExprId, c: ExprId, a: ExprId, b: ExprId) -> Option<Poly> {
        let atom = self.value(expr, false)?;
        if self.define(atom) {
            let mut clause = Vec::new();
            for (truth, arm) in [(true, a), (false, b)] {
                self.scopes.push(Scope::default());
                self.literal(c, truth);
                if let Some(value) = self.integer(arm, false)
                    && let Some(apart) = value.sub(&Poly::atom(atom))
                {
                    self.zero(apart);
                }
                clause.extend(self.scopes.pop().map(|scope| scope.facts));
            }
            self.facts().clauses.push(clause);
        }
        Some(Poly::atom(atom))
    }

    /// An expression as one unknown, in digits where low bits are known.
    fn opaque(&mut self, expr: ExprId) -> Option<Poly> {
        let known = self.known(expr);
        if known.width > 64 {
            return None;
        }
        let low = known.trailing_known();
        if low == 0 || low >= u32::from(known.width) {
            let signed = !known.is_nonneg() && known.slo != Known::top(known.width).slo;
            return Some(Poly::atom(self.value(expr, signed)?));
        }
        let step = 1i128 << low;
        let rest = i128::try_from(known.ones).ok()? & (step - 1);
        let (lo, hi) = ends(&known, false);
        let atom = match self.high_parts.get(&expr) {
            Some(&atom) => atom,
            None => {
                let atom =
                    self.fresh((lo - rest).div_euclid(step), (hi - rest) / step, Role::Value);
                self.high_parts.insert(expr, atom);
                atom
            }
        };
        Poly::atom(atom).scale(step)?.add_constant(rest)
    }

    /// The atom of an expression in one reading.
    fn value(&mut self, expr: ExprId, signed: bool) -> Option<Atom> {
        if let Some(&atom) = self.values.get(&(expr, signed)) {
            return Some(atom);
        }
        let known = self.known(expr);
        if known.width > 64 {
            return None;
        }
        let (lo, hi) = ends(&known, signed);
        let atom = self.fresh(lo, hi, Role::Value);
        self.values.insert((expr, signed), atom);
        Some(atom)
    }

    /// Adds what a predicate says to the open scope. What cannot be read is left out.
    pub(super) fn literal(&mut self, expr: ExprId, truth: bool) {
        if self.depth >= DEPTH {
            return;
        }
        self.depth += 1;
        match self.pool[expr].kind {
            ExprKind::Const(value) if (value == 1) == truth => {}
            ExprKind::Const(_) => self.zero(Poly::constant(1)),
            ExprKind::Unary(UnOp::Not, a) => self.literal(a, !truth),
            ExprKind::Binary(BinOp::And, _, a, b) if truth => {
                self.literal(a, true);
                self.literal(b, true);
            }
            ExprKind::Binary(BinOp::Or, _, a, b) if !truth => {
                self.literal(a, false);
                self.literal(b, false);
            }
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b) => {
                self.alternatives(&[&[(a, truth)], &[(b, truth)]]);
            }
            ExprKind::Binary(BinOp::Xor, _, a, b) => {
                self.alternatives(&[&[(a, true), (b, !truth)], &[(a, false), (b, truth)]]);
            }
            ExprKind::Select(c, a, b) => {
                self.alternatives(&[&[(c, true), (a, truth)], &[(c, false), (b, truth)]]);
            }
            ExprKind::Cmp(op, a, b) => {
                // Nothing is learnt from what has no reading.
                let _ = self.comparison(op, a, b, truth);
            }
            _ => {
                if let Some(value) = self.integer(expr, false)
                    && let Some(apart) = value.add_constant(-i128::from(truth))
                {
                    self.zero(apart);
                }
            }
        }
        self.depth -= 1;
    }

    fn alternatives(&mut self, alternatives: &[&[(ExprId, bool)]]) {
        let mut clause = Vec::new();
        for conjunction in alternatives {
            self.scopes.push(Scope::default());
            for &(expr, truth) in *conjunction {
                self.literal(expr, truth);
            }
            clause.extend(self.scopes.pop().map(|scope| scope.facts));
        }
        // One without content holds always.
        self.facts().clauses.push(clause);
    }

    fn comparison(&mut self, op: CmpOp, a: ExprId, b: ExprId, truth: bool) -> Option<()> {
        let (op, a, b) = match (op, truth) {
            (op, true) | (op @ CmpOp::Eq, false) => (op, a, b),
            (CmpOp::Ult, false) => (CmpOp::Ule, b, a),
            (CmpOp::Ule, false) => (CmpOp::Ult, b, a),
            (CmpOp::Slt, false) => (CmpOp::Sle, b, a),
            (CmpOp::Sle, false) => (CmpOp::Slt, b, a),
        };
        match op {
            CmpOp::Eq => {
                let apart = self.difference(a, b)?;
                let facts = self.facts();
                if truth { facts.zero.push(apart) } else { facts.nonzero.push(apart) }
            }
            CmpOp::Ult | CmpOp::Ule | CmpOp::Slt | CmpOp::Sle => {
                let signed = matches!(op, CmpOp::Slt | CmpOp::Sle);
                let strict = matches!(op, CmpOp::Ult | CmpOp::Slt);
                let (x, y) = (self.integer(a, signed)?, self.integer(b, signed)?);
                self.nonneg(y.sub(&x)?.add_constant(-i128::from(strict))?);
            }
        }
        Some(())
    }

    /// `a - b`, zero exactly where they are equal.
    fn difference(&mut self, a: ExprId, b: ExprId) -> Option<Poly> {
        let apart = self.congruent(a)?.sub(&self.congruent(b)?)?;
        let modulus = 1i128 << self.pool.width(a);
        match range(&self.atoms, &apart) {
            // No other multiple of the modulus is within reach.
            (Some(lo), Some(hi)) if lo > -modulus && hi < modulus => Some(apart),
            _ => {
                let signed = !self.known(a).is_nonneg() && !self.known(b).is_nonneg();
                self.integer(a, signed)?.sub(&self.integer(b, signed)?)
            }
        }
    }
}

fn ends(known: &Known, signed: bool) -> (i128, i128) {
    if signed || known.is_nonneg() {
        (known.slo, known.shi)
    } else {
        // Read at 64 bits at most, so both fit.
        (known.lo as i128, known.hi as i128)
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
