//! Expressions as polynomials over integers.
//!
//! **Promises**: [`Reader::integer`] is the value itself, as signed or as unsigned number, wherever
//! the expression is not poison. It comes from [`Reader::congruent`], which is only right modulo
//! the width, by ranges that leave one multiple of the modulus, by a no-wrap flag, or with an atom
//! that counts the wraps.
//! **Does not**: read widths above 64 bits; such facts are left out, which only loses proofs.
//!
//! **Scopes**: what is read in an alternative of a disjunction is poison only if that alternative
//! is not the one that holds, so its definitions go to that alternative, not to the whole.

mod choices;
mod congruent;
mod digits;
mod facts;

use heddle_ir::{BinOp, ExprId, ExprKind, ExprPool, NoWrap, UnOp};
use rustc_hash::FxHashMap;

use crate::algebra::poly::{Atom, Mono, Poly};
use crate::algebra::system::{Facts, Role, Unknown, div_ceil, range};
use crate::ranges::{Known, Ranges};

/// How deep an expression is read before it is taken as one unknown.
const DEPTH: u32 = 64;

/// Predicates and values read of one problem. Alternatives within alternatives read what they share
/// anew, each time once more.
const MOST_READ: u64 = 20_000;

/// Reads the facts of a problem.
pub(in crate::algebra) struct Reader<'a> {
    pub(in crate::algebra) pool: &'a mut ExprPool,
    pub(in crate::algebra) ranges: &'a mut Ranges,
    pub(in crate::algebra) atoms: Vec<Unknown>,
    /// Facts of the scopes that are open, the whole problem first.
    pub(in crate::algebra) scopes: Vec<Scope>,
    /// Products of sums are named, not multiplied out.
    pub(in crate::algebra) factored: bool,
    /// The atom of an expression, and of a quotient and its remainder.
    values: FxHashMap<(ExprId, bool), Atom>,
    /// The atom of an expression of which low bits are known: its high part.
    high_parts: FxHashMap<ExprId, Atom>,
    /// The atom of how far an expression is below zero, where it always is.
    depths: FxHashMap<ExprId, Atom>,
    readings: FxHashMap<(ExprId, bool), (Atom, Atom)>,
    divisions: FxHashMap<(Poly, Poly), (Atom, Atom)>,
    sums: FxHashMap<Poly, Atom>,
    depth: u32,
    /// Predicates and values read.
    pub(in crate::algebra) steps: u64,
}

/// What was read in one scope.
#[derive(Default)]
pub(in crate::algebra) struct Scope {
    pub(in crate::algebra) facts: Facts,
    congruent: FxHashMap<ExprId, Poly>,
    integers: FxHashMap<(ExprId, bool), Poly>,
    defined: Vec<Atom>,
    /// Ends of polynomials (primitive parts) that are known beyond the bounds of their atoms.
    ends: FxHashMap<Poly, (i128, i128)>,
}

impl<'a> Reader<'a> {
    pub(in crate::algebra) fn new(
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
            depths: FxHashMap::default(),
            readings: FxHashMap::default(),
            divisions: FxHashMap::default(),
            sums: FxHashMap::default(),
            depth: 0,
            steps: 0,
        }
    }

    pub(in crate::algebra) fn facts(&mut self) -> &mut Facts {
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

    /// Whether no more is read here; counts what is.
    fn is_at_limit(&mut self) -> bool {
        self.steps += 1;
        self.depth >= DEPTH || self.steps > MOST_READ
    }

    fn known(&mut self, expr: ExprId) -> Known {
        self.ranges.of(self.pool, expr)
    }

    /// The value of an expression as a number.
    pub(in crate::algebra) fn integer(&mut self, expr: ExprId, signed: bool) -> Option<Poly> {
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
        if self.is_at_limit() {
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
        if let Some(poly) = self.negated(expr, signed, known) {
            self.within(&poly, lo, hi);
            return Some(poly);
        }
        let poly = self.congruent(expr)?;
        let modulus = 1i128 << known.width;
        let (Some(least), Some(most)) = self.range(&poly) else { return None };
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

    /// The negative of what is not above zero, which no width cuts where it is read as unsigned.
    fn negated(&mut self, expr: ExprId, signed: bool, known: &Known) -> Option<Poly> {
        let ExprKind::Unary(UnOp::Neg, a) = self.pool[expr].kind else { return None };
        let exact = self.known(a).shi <= 0 && (!signed || known.is_nonneg());
        if exact { self.integer(a, true)?.negate() } else { None }
    }

    /// Adds what the range of an expression says beyond the bounds of the atoms.
    fn within(&mut self, poly: &Poly, lo: i128, hi: i128) {
        let (least, most) = self.range(poly);
        let (low, high) = (least.is_none_or(|it| it < lo), most.is_none_or(|it| it > hi));
        if low && let Some(above) = poly.add_constant(-lo) {
            self.nonneg(above);
        }
        if high && let Some(below) = poly.negate().and_then(|it| it.add_constant(hi)) {
            self.nonneg(below);
        }
        if !low && !high {
            return;
        }
        let (lo, hi) = (least.unwrap_or(lo).max(lo), most.unwrap_or(hi).min(hi));
        if let Some((part, c, k)) = poly.primitive()
            && let (Some(lo), Some(hi)) = (lo.checked_sub(k), hi.checked_sub(k))
            && let Some(scope) = self.scopes.last_mut()
        {
            // c * part is between the two, so part is between them divided and rounded inwards.
            let (lo, hi) = if c > 0 { (lo, hi) } else { (-hi, -lo) };
            scope.ends.insert(part, (div_ceil(lo, c.abs()), hi.div_euclid(c.abs())));
        }
    }

    /// The range of a polynomial, by the bounds of its atoms and by what was read before.
    fn range(&self, poly: &Poly) -> (Option<i128>, Option<i128>) {
        let (least, most) = range(&self.atoms, poly);
        let Some((part, c, k)) = poly.primitive() else { return (least, most) };
        let known = self.scopes.iter().rev().find_map(|scope| scope.ends.get(&part));
        let Some(&(lo, hi)) = known else { return (least, most) };
        let (lo, hi) = if c > 0 { (lo, hi) } else { (hi, lo) };
        let end = |part: i128| part.checked_mul(c)?.checked_add(k);
        let (lo, hi) = (end(lo), end(hi));
        // Both hold, so the sharper one does; what did not fit says nothing.
        (least.max(lo), [most, hi].into_iter().flatten().min())
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
        let (Some(lo), Some(hi)) = self.range(poly) else { return None };
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

    /// An expression as one unknown, in digits where low bits are known, and as the negative of one
    /// where it is below zero, so that what it is multiplied by and divided by is positive.
    fn opaque(&mut self, expr: ExprId) -> Option<Poly> {
        let known = self.known(expr);
        if known.width > 64 {
            return None;
        }
        let low = known.trailing_known();
        if low == 0 && known.shi < 0 {
            let atom = match self.depths.get(&expr) {
                Some(&atom) => atom,
                None => {
                    let atom = self.fresh(-known.shi, -known.slo, Role::Value);
                    self.depths.insert(expr, atom);
                    atom
                }
            };
            return Poly::atom(atom).negate();
        }
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
}

fn ends(known: &Known, signed: bool) -> (i128, i128) {
    if signed || known.is_nonneg() {
        (known.slo, known.shi)
    } else {
        // Read at 64 bits at most, so both fit.
        (known.lo as i128, known.hi as i128)
    }
}
