//! Z3 as a second opinion, behind the same trait as the embedded procedure (cargo feature `z3`).
//!
//! Encodes the query as it came, poison included, and shares nothing with the embedded layers but
//! the evaluator that confirms models: what the differential tests compare against.
//! **Needs** `libz3` on the system. Budget: conflicts are turned into Z3's resource units.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, PureId, UnOp};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, BV, Bool};
use z3::{FuncDecl, Params, SatResult, Solver, Sort};

use crate::model::{Entry, Model, is_leaf};
use crate::query::{Answer, Budget, Method, Query, Why};

/// Z3's resource units for a conflict of our own solver, roughly.
const UNITS_PER_CONFLICT: u64 = 2_000;

/// Z3, as installed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z3;

impl crate::Backend for Z3 {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn decide(&self, pool: &ExprPool, query: &Query, budget: &Budget) -> Answer {
        let solver = Solver::new_for_logic("QF_UFBV").unwrap_or_default();
        let mut params = Params::new();
        let units = budget.conflicts.saturating_mul(UNITS_PER_CONFLICT);
        params.set_u32("rlimit", u32::try_from(units).unwrap_or(u32::MAX));
        solver.set_params(&params);
        let mut encoder =
            Encoder { pool, terms: FxHashMap::default(), functions: FxHashMap::default() };
        for &(leaf, lo, hi) in &query.ranges {
            let width = pool.width(leaf);
            let (word, _) = encoder.encode(leaf);
            solver.assert(word.bvuge(constant(lo, width)));
            solver.assert(word.bvule(constant(hi, width)));
        }
        for &fact in &query.facts {
            let (word, poison) = encoder.encode(fact);
            solver.assert(is_one(&word));
            solver.assert(poison.not());
        }
        match solver.check() {
            SatResult::Unsat => Answer::Unsat(Method::External),
            SatResult::Unknown => {
                let words = solver.get_reason_unknown().unwrap_or_default();
                Answer::Unknown(Why::External(words))
            }
            SatResult::Sat => encoder.confirmed(&solver, query),
        }
    }
}

struct Encoder<'a> {
    pool: &'a ExprPool,
    terms: FxHashMap<ExprId, (BV, Bool)>,
    functions: FxHashMap<(PureId, u8, Vec<u8>), FuncDecl>,
}

impl Encoder<'_> {
    fn encode(&mut self, root: ExprId) -> (BV, Bool) {
        let mut stack = vec![(root, false)];
        while let Some((expr, ready)) = stack.pop() {
            if self.terms.contains_key(&expr) {
                continue;
            }
            if ready || is_leaf(&self.pool[expr].kind) {
                let term = self.node(expr);
                self.terms.insert(expr, term);
                continue;
            }
            stack.push((expr, true));
            self.pool.for_each_operand(expr, |operand| stack.push((operand, false)));
        }
        self.terms[&root].clone()
    }

    fn node(&mut self, expr: ExprId) -> (BV, Bool) {
        let node = &self.pool[expr];
        let width = node.width;
        let clean = Bool::from_bool(false);
        match &node.kind {
            ExprKind::Const(value) => (constant(*value, width), clean),
            ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_) => (BV::new_const(format!("{expr}"), u32::from(width)), clean),
            ExprKind::Unary(op, a) => {
                let (a, poison) = &self.terms[a];
                (unary(*op, a, width), poison.clone())
            }
            ExprKind::Binary(op, flags, a, b) => {
                let ((x, px), (y, py)) = (&self.terms[a], &self.terms[b]);
                let word = binary(*op, x, y);
                let poison = match (op, width) {
                    (BinOp::And, 1) => connective(&is_one(x).not(), px, &is_one(y).not(), py),
                    (BinOp::Or, 1) => connective(&is_one(x), px, &is_one(y), py),
                    _ => Bool::or(&[px.clone(), py.clone(), overflow(*op, *flags, x, y, width)]),
                };
                (word, poison)
            }
            ExprKind::Cmp(op, a, b) => {
                let ((x, px), (y, py)) = (&self.terms[a], &self.terms[b]);
                let truth = match op {
                    CmpOp::Eq => x.eq(y.clone()),
                    CmpOp::Ult => x.bvult(y),
                    CmpOp::Ule => x.bvule(y),
                    CmpOp::Slt => x.bvslt(y),
                    CmpOp::Sle => x.bvsle(y),
                };
                (bit(&truth), Bool::or(&[px.clone(), py.clone()]))
            }
            ExprKind::Select(c, a, b) => {
                let ((c, pc), (x, px), (y, py)) = (&self.terms[c], &self.terms[a], &self.terms[b]);
                let c = is_one(c);
                (c.ite(x, y), Bool::or(&[pc.clone(), c.ite(px, py)]))
            }
            ExprKind::Cast(op, a) => {
                let from = u32::from(self.pool.width(*a));
                let to = u32::from(width);
                let (a, poison) = &self.terms[a];
                let word = match op {
                    CastOp::Zext => a.zero_ext(to - from),
                    CastOp::Sext => a.sign_ext(to - from),
                    CastOp::Trunc => a.extract(to - 1, 0),
                };
                (word, poison.clone())
            }
            ExprKind::Pure(function, args) => {
                let widths: Vec<u8> = args.iter().map(|arg| self.pool.width(*arg)).collect();
                let key = (*function, width, widths);
                let count = self.functions.len();
                let declaration =
                    self.functions.entry(key).or_insert_with_key(|(_, width, widths)| {
                        let domain: Vec<Sort> =
                            widths.iter().map(|it| Sort::bitvector(u32::from(*it))).collect();
                        let domain: Vec<&Sort> = domain.iter().collect();
                        FuncDecl::new(
                            format!("f{count}"),
                            &domain,
                            &Sort::bitvector(u32::from(*width)),
                        )
                    });
                let words: Vec<&dyn Ast> =
                    args.iter().map(|arg| &self.terms[arg].0 as &dyn Ast).collect();
                let poison: Vec<Bool> = args.iter().map(|arg| self.terms[arg].1.clone()).collect();
                let word = match declaration.apply(&words).as_bv() {
                    Some(word) => word,
                    // The range is a bit-vector, so this is not reached; a free word is sound to
                    // refute.
                    None => BV::fresh_const("f", u32::from(width)),
                };
                (word, Bool::or(&poison))
            }
        }
    }

    fn confirmed(&self, solver: &Solver, query: &Query) -> Answer {
        let Some(found) = solver.get_model() else {
            return Answer::Unknown(Why::External("no model".to_owned()));
        };
        let number = |expr: ExprId| {
            let word = &self.terms[&expr].0;
            let width = u32::from(self.pool.width(expr));
            let part = |high: u32, low: u32| {
                let value = found.eval(&word.extract(high, low), true);
                value.and_then(|it| it.as_u64()).map_or(0, u128::from)
            };
            if width > 64 { part(width - 1, 64) << 64 | part(63, 0) } else { part(width - 1, 0) }
        };
        let mut model = Model::new();
        let mut known: Vec<ExprId> = self.terms.keys().copied().collect();
        known.sort();
        for expr in known {
            match &self.pool[expr].kind {
                ExprKind::Const(_) => {}
                kind if is_leaf(kind) => model.set_leaf(expr, number(expr)),
                ExprKind::Pure(function, args) => {
                    let at = args.iter().map(|&arg| (self.pool.width(arg), number(arg))).collect();
                    let entry = Entry { function: *function, width: self.pool.width(expr), at };
                    model.set_entry(entry, number(expr));
                }
                _ => {}
            }
        }
        if model.confirm(self.pool, &query.facts, &query.relevant) {
            Answer::Sat(model)
        } else {
            Answer::Unknown(Why::ModelRejected)
        }
    }
}

fn constant(value: u128, width: u8) -> BV {
    let bits: Vec<bool> = (0..width).map(|at| value >> at & 1 == 1).collect();
    BV::from_bits(&bits).unwrap_or_else(|| BV::from_u64(value as u64, u32::from(width)))
}

fn is_one(word: &BV) -> Bool {
    word.eq(BV::from_u64(1, 1))
}

fn bit(truth: &Bool) -> BV {
    truth.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1))
}

/// Each side is (absorbs, poison): poison if one side is and the other does not absorb it.
fn connective(absorbs_a: &Bool, a: &Bool, absorbs_b: &Bool, b: &Bool) -> Bool {
    let saved_by_a = Bool::and(&[absorbs_a.clone(), a.not()]);
    let saved_by_b = Bool::and(&[absorbs_b.clone(), b.not()]);
    Bool::or(&[
        Bool::and(&[a.clone(), saved_by_b.not()]),
        Bool::and(&[b.clone(), saved_by_a.not()]),
    ])
}

fn unary(op: UnOp, a: &BV, width: u8) -> BV {
    let bits = u32::from(width);
    let at = |at: u32| a.extract(at, at);
    let number = |value: u32| constant(u128::from(value), width);
    match op {
        UnOp::Not => a.bvnot(),
        UnOp::Neg => a.bvneg(),
        UnOp::Popcount => (0..bits).fold(number(0), |sum, index| {
            let one = if bits > 1 { at(index).zero_ext(bits - 1) } else { at(index) };
            sum.bvadd(&one)
        }),
        UnOp::Clz => (0..bits).fold(number(bits), |rest, index| {
            is_one(&at(index)).ite(&number(bits - 1 - index), &rest)
        }),
        UnOp::Ctz => (0..bits)
            .rev()
            .fold(number(bits), |rest, index| is_one(&at(index)).ite(&number(index), &rest)),
        UnOp::Bitreverse => {
            let mut word = at(0);
            for index in 1..bits {
                word = word.concat(at(index));
            }
            word
        }
    }
}

fn binary(op: BinOp, a: &BV, b: &BV) -> BV {
    match op {
        BinOp::Add => a.bvadd(b),
        BinOp::Sub => a.bvsub(b),
        BinOp::Mul => a.bvmul(b),
        BinOp::UDiv => a.bvudiv(b),
        BinOp::SDiv => a.bvsdiv(b),
        BinOp::URem => a.bvurem(b),
        BinOp::SRem => a.bvsrem(b),
        BinOp::Shl => a.bvshl(b),
        BinOp::LShr => a.bvlshr(b),
        BinOp::AShr => a.bvashr(b),
        BinOp::And => a.bvand(b),
        BinOp::Or => a.bvor(b),
        BinOp::Xor => a.bvxor(b),
        BinOp::UMin => a.bvule(b).ite(a, b),
        BinOp::UMax => a.bvule(b).ite(b, a),
        BinOp::SMin => a.bvsle(b).ite(a, b),
        BinOp::SMax => a.bvsle(b).ite(b, a),
    }
}

/// Whether a flag does not hold: the result at twice the width is not the extension of the result.
fn overflow(op: BinOp, flags: NoWrap, a: &BV, b: &BV, width: u8) -> Bool {
    let bits = u32::from(width);
    if !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl) {
        return Bool::from_bool(false);
    }
    let mut parts = Vec::new();
    if flags.unsigned || flags.signed {
        parts.push(match op {
            BinOp::Shl => b.bvuge(constant(u128::from(width), width)),
            _ => Bool::from_bool(false),
        });
        // Below two bits the width itself does not fit, and any shift amount is inside or is one.
        if op == BinOp::Shl && width == 1 {
            parts.push(is_one(b));
        }
    }
    for signed in [false, true] {
        let asked = if signed { flags.signed } else { flags.unsigned };
        if !asked {
            continue;
        }
        let grow = |word: &BV| if signed { word.sign_ext(bits) } else { word.zero_ext(bits) };
        let exact = match op {
            BinOp::Shl => grow(a).bvshl(b.zero_ext(bits)),
            _ => binary(op, &grow(a), &grow(b)),
        };
        parts.push(exact.eq(grow(&exact.extract(bits - 1, 0))).not());
    }
    Bool::or(&parts)
}
