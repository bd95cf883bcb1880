//! Expressions as words, with poison as a bit beside each.
//!
//! **Promises**: the circuit is satisfiable exactly where the problem is. Words are built no wider
//! than ranges allow; a bound that was assumed of an expression is required of the circuit of that
//! expression before anything above relies on it.
//! **Does not**: compare pure applications beyond [`MAX_PAIRS`] pairs of one function; then it
//! over-approximates, and a model is one only if evaluation says so.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, UnOp};
use rustc_hash::FxHashMap;

use super::gates::{Bit, Gates, Outcome};
use super::words::{self, Shift, Word};
use crate::model::{Entry, is_leaf};
use crate::problem::Problem;
use crate::ranges::{Known, Ranges};

/// Pairs of applications of one function that are kept consistent.
const MAX_PAIRS: usize = 4_000;

/// Units of work for a clause that is made, and for a conflict; a propagation is one.
const CLAUSE: u64 = 3;
const CONFLICT: u64 = 50;

/// What the search found.
#[derive(Debug)]
pub(crate) enum Found {
    /// Values of the leaves, and of the applications of pure functions with their arguments.
    Model(Values),
    /// Nothing meets the problem.
    Nothing,
    /// More clauses than allowed.
    TooLarge,
    /// More conflicts than allowed.
    TooHard,
}

/// Values by expressions of the problem's pool.
#[derive(Debug, Default)]
pub(crate) struct Values {
    pub(crate) leaves: Vec<(ExprId, u128)>,
    pub(crate) entries: Vec<(Entry, u128)>,
}

/// Searches for values that meet a problem and `also`, further facts of its pool.
pub(crate) fn search(
    problem: &mut Problem,
    also: &[ExprId],
    clauses: u64,
    conflicts: u64,
) -> Found {
    let Problem { pool, facts, ranges, fuel, .. } = problem;
    let clauses = clauses.min(fuel.left() / CLAUSE);
    let conflicts = conflicts.min(fuel.left() / CONFLICT);
    let mut encoder = Encoder {
        pool,
        assumed: ranges.assumed().into_iter().collect(),
        ranges,
        gates: Gates::new(clauses, conflicts),
        words: FxHashMap::default(),
        applications: Vec::new(),
    };
    for (expr, _) in encoder.ranges.assumed() {
        encoder.encode(expr);
    }
    for &fact in facts.iter().chain(also) {
        let (word, poison) = encoder.encode(fact);
        encoder.gates.require(word[0]);
        encoder.gates.require(!poison);
    }
    encoder.relate_applications();
    fuel.take(CLAUSE * encoder.gates.clauses());
    if encoder.gates.is_full() {
        return Found::TooLarge;
    }
    let outcome = encoder.gates.solve();
    let (propagations, conflicts) = encoder.gates.work();
    fuel.take(propagations + CONFLICT * conflicts);
    match outcome {
        Outcome::Unsat => Found::Nothing,
        Outcome::Spent => Found::TooHard,
        Outcome::Sat => Found::Model(encoder.values()),
    }
}

struct Encoder<'a> {
    pool: &'a ExprPool,
    ranges: &'a mut Ranges,
    assumed: FxHashMap<ExprId, Known>,
    gates: Gates,
    words: FxHashMap<ExprId, (Word, Bit)>,
    applications: Vec<ExprId>,
}

impl Encoder<'_> {
    fn encode(&mut self, root: ExprId) -> (Word, Bit) {
        let mut stack = vec![(root, false)];
        while let Some((expr, ready)) = stack.pop() {
            if self.words.contains_key(&expr) {
                continue;
            }
            if ready || is_leaf(&self.pool[expr].kind) {
                let done = self.bounded(expr);
                self.words.insert(expr, done);
                continue;
            }
            stack.push((expr, true));
            self.pool.for_each_operand(expr, |operand| stack.push((operand, false)));
        }
        self.words[&root].clone()
    }

    /// The circuit of one node, and its assumed bound as a requirement.
    fn bounded(&mut self, expr: ExprId) -> (Word, Bit) {
        let intrinsic = self.ranges.intrinsic(self.pool, expr);
        let bound = self.assumed.get(&expr).copied();
        if is_leaf(&self.pool[expr].kind) || matches!(self.pool[expr].kind, ExprKind::Pure(..)) {
            let poison = self.poison_of_operands(expr);
            if !is_leaf(&self.pool[expr].kind) {
                self.applications.push(expr);
                if bound.is_some() {
                    self.gates.require(!poison);
                }
            }
            let known = bound.unwrap_or(intrinsic);
            let mut word: Word = Vec::with_capacity(usize::from(known.width));
            for at in 0..known.width {
                word.push(known_bit(&known, at).unwrap_or_else(|| self.gates.fresh()));
            }
            self.require_range(&word, &known, &Known::top(known.width));
            return (word, poison);
        }
        let (mut word, poison) = self.node(expr, &intrinsic);
        for (at, bit) in word.iter_mut().enumerate() {
            *bit = known_bit(&intrinsic, at as u8).unwrap_or(*bit);
        }
        let Some(bound) = bound else { return (word, poison) };
        self.gates.require(!poison);
        for (at, bit) in word.iter_mut().enumerate() {
            if let Some(value) = known_bit(&bound, at as u8) {
                let differ = self.gates.xor(*bit, value);
                self.gates.require(!differ);
                *bit = value;
            }
        }
        self.require_range(&word, &bound, &intrinsic);
        (word, poison)
    }

    /// Requires the ends of a range, where they say more than the bits and `already`.
    fn require_range(&mut self, word: &[Bit], known: &Known, already: &Known) {
        let width = word.len();
        let from_bits = Known::bits(known.zeros, known.ones, known.width)
            .and_then(|bits| bits.meet(already))
            .unwrap_or(*already);
        if known.lo > from_bits.lo {
            let below = words::less(&mut self.gates, word, &words::constant(known.lo, width));
            self.gates.require(!below);
        }
        if known.hi < from_bits.hi {
            let above = words::less(&mut self.gates, &words::constant(known.hi, width), word);
            self.gates.require(!above);
        }
        if known.slo > from_bits.slo {
            let end = words::constant(known.slo as u128, width);
            let below = words::less_signed(&mut self.gates, word, &end);
            self.gates.require(!below);
        }
        if known.shi < from_bits.shi {
            let end = words::constant(known.shi as u128, width);
            let above = words::less_signed(&mut self.gates, &end, word);
            self.gates.require(!above);
        }
    }

    fn poison_of_operands(&mut self, expr: ExprId) -> Bit {
        let mut poison = Bit::FALSE;
        if !is_leaf(&self.pool[expr].kind) {
            let mut operands = Vec::new();
            self.pool.for_each_operand(expr, |operand| operands.push(operand));
            for operand in operands {
                poison = self.gates.or(poison, self.words[&operand].1);
            }
        }
        poison
    }

    fn node(&mut self, expr: ExprId, known: &Known) -> (Word, Bit) {
        let node = &self.pool[expr];
        let width = usize::from(node.width);
        match &node.kind {
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => unreachable!("made where it was met"),
            ExprKind::Unary(op, a) => {
                let (word, poison) = self.words[a].clone();
                (self.unary(*op, &word), poison)
            }
            ExprKind::Binary(op, flags, a, b) => self.binary(*op, *flags, (*a, *b), known),
            ExprKind::Cmp(op, a, b) => {
                let ((x, px), (y, py)) = (self.words[a].clone(), self.words[b].clone());
                let gates = &mut self.gates;
                let truth = match op {
                    CmpOp::Eq => words::equal(gates, &x, &y),
                    CmpOp::Ult => words::less(gates, &x, &y),
                    CmpOp::Ule => !words::less(gates, &y, &x),
                    CmpOp::Slt => words::less_signed(gates, &x, &y),
                    CmpOp::Sle => !words::less_signed(gates, &y, &x),
                };
                (vec![truth], gates.or(px, py))
            }
            ExprKind::Select(c, a, b) => {
                let ((c, pc), (x, px), (y, py)) =
                    (self.words[c].clone(), self.words[a].clone(), self.words[b].clone());
                let word = words::select(&mut self.gates, c[0], &x, &y);
                let chosen = self.gates.mux(c[0], px, py);
                (word, self.gates.or(pc, chosen))
            }
            ExprKind::Cast(op, a) => {
                let (mut word, poison) = self.words[a].clone();
                let fill = match op {
                    CastOp::Zext | CastOp::Trunc => Bit::FALSE,
                    CastOp::Sext => word[word.len() - 1],
                };
                word.resize(width, fill);
                (word, poison)
            }
        }
    }

    fn unary(&mut self, op: UnOp, a: &[Bit]) -> Word {
        let gates = &mut self.gates;
        let reversed = |word: &[Bit]| word.iter().rev().copied().collect::<Word>();
        match op {
            UnOp::Not => words::not(a),
            UnOp::Neg => words::negate(gates, a),
            UnOp::Popcount => words::popcount(gates, a),
            UnOp::Ctz => words::trailing_zeros(gates, a),
            UnOp::Clz => words::trailing_zeros(gates, &reversed(a)),
            UnOp::Bitreverse => reversed(a),
        }
    }

    fn binary(
        &mut self,
        op: BinOp,
        flags: NoWrap,
        (a, b): (ExprId, ExprId),
        known: &Known,
    ) -> (Word, Bit) {
        let ((x, px), (y, py)) = (self.words[&a].clone(), self.words[&b].clone());
        let width = x.len();
        let poison = match (op, width) {
            // Zero wins over poison in a conjunction of predicates, one in a disjunction.
            (BinOp::And, 1) => self.poison_of_connective((!x[0], px), (!y[0], py)),
            (BinOp::Or, 1) => self.poison_of_connective((x[0], px), (y[0], py)),
            _ => {
                let operands = self.gates.or(px, py);
                let overflow = self.overflow(op, flags, (a, b), (&x, &y));
                self.gates.or(operands, overflow)
            }
        };
        // Low bits of a result need only low bits of the operands.
        let (used, signed) = significant(known);
        let low = |word: &[Bit]| word[..used].to_vec();
        let gates = &mut self.gates;
        let mut word = match op {
            BinOp::Add => words::add(gates, &low(&x), &low(&y), Bit::FALSE).0,
            BinOp::Sub => words::sub(gates, &low(&x), &low(&y)).0,
            BinOp::Mul => words::mul(gates, &low(&x), &low(&y)),
            BinOp::UDiv => words::divide(gates, &x, &y).0,
            BinOp::URem => words::divide(gates, &x, &y).1,
            BinOp::SDiv => words::divide_signed(gates, &x, &y).0,
            BinOp::SRem => words::divide_signed(gates, &x, &y).1,
            BinOp::Shl => words::shift(gates, Shift::Left, &x, &y, Bit::FALSE),
            BinOp::LShr => words::shift(gates, Shift::Right, &x, &y, Bit::FALSE),
            BinOp::AShr => words::shift(gates, Shift::Right, &x, &y, x[width - 1]),
            BinOp::And => x.iter().zip(&y).map(|(&x, &y)| gates.and(x, y)).collect(),
            BinOp::Or => x.iter().zip(&y).map(|(&x, &y)| gates.or(x, y)).collect(),
            BinOp::Xor => x.iter().zip(&y).map(|(&x, &y)| gates.xor(x, y)).collect(),
            BinOp::UMin | BinOp::UMax | BinOp::SMin | BinOp::SMax => {
                let first = match op {
                    BinOp::UMin => words::less(gates, &x, &y),
                    BinOp::UMax => words::less(gates, &y, &x),
                    BinOp::SMin => words::less_signed(gates, &x, &y),
                    _ => words::less_signed(gates, &y, &x),
                };
                words::select(gates, first, &x, &y)
            }
        };
        if word.len() < width {
            let fill = if signed { word[used - 1] } else { Bit::FALSE };
            word.resize(width, fill);
        }
        (word, poison)
    }

    /// Each side is (absorbs, poison): poison if one side is and the other does not absorb it.
    fn poison_of_connective(&mut self, a: (Bit, Bit), b: (Bit, Bit)) -> Bit {
        let gates = &mut self.gates;
        let (absorbs_a, absorbs_b) = (gates.and(a.0, !a.1), gates.and(b.0, !b.1));
        let (left, right) = (gates.and(a.1, !absorbs_b), gates.and(b.1, !absorbs_a));
        gates.or(left, right)
    }

    /// Whether a flag does not hold. Constant false where ranges of the operands promise that it
    /// does.
    fn overflow(
        &mut self,
        op: BinOp,
        flags: NoWrap,
        (a, b): (ExprId, ExprId),
        (x, y): (&[Bit], &[Bit]),
    ) -> Bit {
        let mut overflow = Bit::FALSE;
        let relevant = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
        if flags == NoWrap::NONE || !relevant {
            return overflow;
        }
        let (ka, kb) = (self.ranges.of(self.pool, a), self.ranges.of(self.pool, b));
        for signed in [false, true] {
            let asked = if signed { flags.signed } else { flags.unsigned };
            if asked && !never_wraps(op, signed, &ka, &kb) {
                let wraps = self.wraps(op, signed, x, y);
                overflow = self.gates.or(overflow, wraps);
            }
        }
        overflow
    }

    fn wraps(&mut self, op: BinOp, signed: bool, x: &[Bit], y: &[Bit]) -> Bit {
        let width = x.len();
        let grow = |word: &[Bit], to: usize| {
            let fill = if signed { word[word.len() - 1] } else { Bit::FALSE };
            let mut grown = word.to_vec();
            grown.resize(to, fill);
            grown
        };
        let gates = &mut self.gates;
        // The exact result, and the bits of it that the width cuts off.
        let exact = match op {
            BinOp::Add => words::add(gates, &grow(x, width + 1), &grow(y, width + 1), Bit::FALSE).0,
            BinOp::Sub => words::sub(gates, &grow(x, width + 1), &grow(y, width + 1)).0,
            BinOp::Mul => words::mul(gates, &grow(x, 2 * width), &grow(y, 2 * width)),
            BinOp::Shl => {
                let bits = words::constant(width as u128, width + 1);
                let mut amount = y.to_vec();
                amount.push(Bit::FALSE);
                let inside = words::less(gates, &amount, &bits);
                let wide = words::shift(gates, Shift::Left, &grow(x, 2 * width), y, Bit::FALSE);
                let cut = cut_off(gates, signed, &wide, width);
                return gates.or(!inside, cut);
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
            | BinOp::SMax => return Bit::FALSE,
        };
        cut_off(gates, signed, &exact, width)
    }

    /// Equal arguments give equal results (Ackermann's reduction).
    fn relate_applications(&mut self) {
        let mut pairs = 0;
        for (at, &f) in self.applications.iter().enumerate() {
            for &g in &self.applications[..at] {
                let (ExprKind::Pure(name_f, args_f), ExprKind::Pure(name_g, args_g)) =
                    (&self.pool[f].kind, &self.pool[g].kind)
                else {
                    continue;
                };
                let comparable = name_f == name_g
                    && args_f.len() == args_g.len()
                    && self.pool.width(f) == self.pool.width(g)
                    && args_f
                        .iter()
                        .zip(args_g)
                        .all(|(&x, &y)| self.pool.width(x) == self.pool.width(y));
                if !comparable {
                    continue;
                }
                pairs += 1;
                if pairs > MAX_PAIRS {
                    return;
                }
                let mut same = Bit::TRUE;
                for (x, y) in args_f.iter().zip(args_g) {
                    let ((x, px), (y, py)) = (&self.words[x], &self.words[y]);
                    let equal = words::equal(&mut self.gates, x, y);
                    same = self.gates.and(same, equal);
                    same = self.gates.and(same, !*px);
                    same = self.gates.and(same, !*py);
                }
                if same != Bit::FALSE {
                    let (x, y) = (&self.words[&f].0, &self.words[&g].0);
                    let equal = words::equal(&mut self.gates, x, y);
                    self.gates.require_any(&[!same, equal]);
                }
            }
        }
    }

    fn values(&self) -> Values {
        let number = |word: &[Bit]| {
            word.iter()
                .enumerate()
                .fold(0u128, |sum, (at, &bit)| sum | u128::from(self.gates.value(bit)) << at)
        };
        let mut values = Values::default();
        let mut all: Vec<_> = self.words.iter().collect();
        all.sort_by_key(|(expr, _)| **expr);
        for (&expr, (word, poison)) in all {
            match &self.pool[expr].kind {
                ExprKind::Const(_) => {}
                kind if is_leaf(kind) => values.leaves.push((expr, number(word))),
                ExprKind::Pure(function, args) if !self.gates.value(*poison) => {
                    let value = |arg| (self.pool.width(arg), number(&self.words[&arg].0));
                    let at = args.iter().copied().map(value).collect();
                    let entry = Entry { function: *function, width: self.pool.width(expr), at };
                    values.entries.push((entry, number(word)));
                }
                _ => {}
            }
        }
        values
    }
}

fn known_bit(known: &Known, at: u8) -> Option<Bit> {
    if known.ones >> at & 1 == 1 {
        Some(Bit::TRUE)
    } else if known.zeros >> at & 1 == 1 {
        Some(Bit::FALSE)
    } else {
        None
    }
}

/// How many low bits determine the value, and whether the rest repeat the highest of them.
fn significant(known: &Known) -> (usize, bool) {
    let width = usize::from(known.width);
    let unsigned = (128 - known.hi.leading_zeros()) as usize;
    let magnitude = |end: i128| if end < 0 { !end } else { end };
    let bits = |end: i128| (128 - magnitude(end).leading_zeros()) as usize + 1;
    let signed = bits(known.slo).max(bits(known.shi));
    if known.is_nonneg() || unsigned <= signed {
        (unsigned.clamp(1, width), false)
    } else {
        (signed.clamp(1, width), true)
    }
}

/// Whether the bits above `width` hold anything that the word of `width` bits does not.
fn cut_off(gates: &mut Gates, signed: bool, exact: &[Bit], width: usize) -> Bit {
    let fill = if signed { exact[width - 1] } else { Bit::FALSE };
    let mut lost = Bit::FALSE;
    for &bit in &exact[width..] {
        let differs = gates.xor(bit, fill);
        lost = gates.or(lost, differs);
    }
    lost
}

/// Whether ranges of the operands alone rule out a wrap.
fn never_wraps(op: BinOp, signed: bool, a: &Known, b: &Known) -> bool {
    let width = a.width;
    let top = Known::top(width);
    match (op, signed) {
        (BinOp::Add, false) => a.hi.checked_add(b.hi).is_some_and(|sum| sum <= top.hi),
        (BinOp::Sub, false) => a.lo >= b.hi,
        (BinOp::Mul, false) => a.hi.checked_mul(b.hi).is_some_and(|product| product <= top.hi),
        (BinOp::Add, true) => {
            let ends = (a.slo.checked_add(b.slo), a.shi.checked_add(b.shi));
            matches!(ends, (Some(lo), Some(hi)) if lo >= top.slo && hi <= top.shi)
        }
        (BinOp::Sub, true) => {
            let ends = (a.slo.checked_sub(b.shi), a.shi.checked_sub(b.slo));
            matches!(ends, (Some(lo), Some(hi)) if lo >= top.slo && hi <= top.shi)
        }
        (BinOp::Mul, true) => [(a.slo, b.slo), (a.slo, b.shi), (a.shi, b.slo), (a.shi, b.shi)]
            .iter()
            .all(|(x, y)| x.checked_mul(*y).is_some_and(|p| p >= top.slo && p <= top.shi)),
        (BinOp::Shl, signed) => match b.as_const() {
            Some(by) if by < u128::from(width) => {
                let most = if signed { top.shi as u128 } else { top.hi };
                a.hi <= most >> by
            }
            _ => false,
        },
        _ => true,
    }
}
