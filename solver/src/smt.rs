//! A query as an SMT-LIB 2.6 script, for a second opinion by any solver.
//!
//! **What**: [`smt_lib`] prints the query as it came, poison included ([`Query`] says what that
//! means): a word `eN` for each expression, a Boolean `pN` that says whether it is poison.
//! **Promises**: the script is satisfiable exactly if the query is; the same query gives the same
//! text. **Does not**: say what is tried first ([`Query::small`]), nor how much work is allowed.
//! Z3 behind [`Backend`](crate::Backend) reads this text, so that the differential tests hold it.

use std::fmt::Write;

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, PureId, UnOp};
use rustc_hash::FxHashMap;

use crate::answer::Answer;
use crate::model::is_leaf;
use crate::query::Query;

/// Prints a query, with the answer that was given as its status.
pub fn smt_lib(pool: &ExprPool, query: &Query, answer: Option<&Answer>) -> String {
    let status = match answer {
        Some(Answer::Unsat(_)) => "unsat",
        Some(Answer::Sat(_)) => "sat",
        Some(Answer::Unknown(_)) | None => "unknown",
    };
    let mut script = Script {
        pool,
        text: format!(
            "(set-info :smt-lib-version 2.6)\n(set-info :status {status})\n(set-logic QF_UFBV)\n"
        ),
        poison: FxHashMap::default(),
        functions: FxHashMap::default(),
    };
    for &(leaf, low, high) in &query.ranges {
        script.define(leaf);
        let width = pool.width(leaf);
        let (low, high) = (constant(low, width), constant(high, width));
        script.line(format_args!("(assert (and (bvule {low} {leaf}) (bvule {leaf} {high})))"));
    }
    for &fact in &query.facts {
        script.define(fact);
        let holds = is_one(&fact.to_string());
        script.line(format_args!("(assert {holds})"));
        let poison = script.poison_of(fact);
        if poison != FALSE {
            script.line(format_args!("(assert (not {poison}))"));
        }
    }
    script.text.push_str("(check-sat)\n");
    script.text
}

const FALSE: &str = "false";

struct Script<'a> {
    pool: &'a ExprPool,
    text: String,
    /// What is defined so far, and whether it can be poison.
    poison: FxHashMap<ExprId, bool>,
    /// Functions of one name and different widths are different.
    functions: FxHashMap<(PureId, u8, Vec<u8>), String>,
}

impl Script<'_> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        self.text.write_fmt(line).expect("a string takes all");
        self.text.push('\n');
    }

    /// Defines an expression and what it is made of, each once.
    fn define(&mut self, root: ExprId) {
        let mut stack = vec![(root, false)];
        while let Some((expr, ready)) = stack.pop() {
            if self.poison.contains_key(&expr) {
                continue;
            }
            if ready || is_leaf(&self.pool[expr].kind) {
                self.node(expr);
                continue;
            }
            stack.push((expr, true));
            self.pool.for_each_operand(expr, |operand| stack.push((operand, false)));
        }
    }

    fn poison_of(&self, expr: ExprId) -> String {
        match self.poison.get(&expr) {
            Some(true) => format!("p{}", expr.as_u32()),
            Some(false) | None => FALSE.to_owned(),
        }
    }

    fn node(&mut self, expr: ExprId) {
        let node = &self.pool[expr];
        let width = node.width;
        let sort = format!("(_ BitVec {width})");
        let (word, poison) = match &node.kind {
            ExprKind::Const(value) => (constant(*value, width), FALSE.to_owned()),
            ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_) => {
                self.poison.insert(expr, false);
                self.line(format_args!("(declare-const {expr} {sort})"));
                return;
            }
            ExprKind::Unary(op, a) => (unary(*op, &a.to_string(), width), self.poison_of(*a)),
            ExprKind::Binary(op, flags, a, b) => {
                let (x, y) = (a.to_string(), b.to_string());
                let (px, py) = (self.poison_of(*a), self.poison_of(*b));
                let poison = match (op, width) {
                    (BinOp::And, 1) => connective(&not(&is_one(&x)), &px, &not(&is_one(&y)), &py),
                    (BinOp::Or, 1) => connective(&is_one(&x), &px, &is_one(&y), &py),
                    _ => or(vec![px, py, overflow(*op, *flags, &x, &y, width)]),
                };
                (binary(*op, &x, &y), poison)
            }
            ExprKind::Cmp(op, a, b) => {
                let relation = match op {
                    CmpOp::Eq => "=",
                    CmpOp::Ult => "bvult",
                    CmpOp::Ule => "bvule",
                    CmpOp::Slt => "bvslt",
                    CmpOp::Sle => "bvsle",
                };
                let poison = or(vec![self.poison_of(*a), self.poison_of(*b)]);
                (format!("(ite ({relation} {a} {b}) #b1 #b0)"), poison)
            }
            ExprKind::Select(c, a, b) => {
                let taken = is_one(&c.to_string());
                let (px, py) = (self.poison_of(*a), self.poison_of(*b));
                let of_arms = match (px.as_str(), py.as_str()) {
                    (FALSE, FALSE) => FALSE.to_owned(),
                    _ => format!("(ite {taken} {px} {py})"),
                };
                (format!("(ite {taken} {a} {b})"), or(vec![self.poison_of(*c), of_arms]))
            }
            ExprKind::Cast(op, a) => {
                let from = self.pool.width(*a);
                let word = match op {
                    CastOp::Zext => format!("((_ zero_extend {}) {a})", width - from),
                    CastOp::Sext => format!("((_ sign_extend {}) {a})", width - from),
                    CastOp::Trunc => format!("((_ extract {} 0) {a})", width - 1),
                };
                (word, self.poison_of(*a))
            }
            ExprKind::Pure(function, args) => {
                let name = self.function(*function, width, args);
                let words: Vec<String> = args.iter().map(ExprId::to_string).collect();
                let poison = or(args.iter().map(|arg| self.poison_of(*arg)).collect());
                let value = match words.is_empty() {
                    true => name,
                    false => format!("({name} {})", words.join(" ")),
                };
                // A constant of its own, so that a model has a value for it.
                self.line(format_args!("(declare-const {expr} {sort})"));
                self.line(format_args!("(assert (= {expr} {value}))"));
                self.poisoned(expr, &poison);
                return;
            }
        };
        self.line(format_args!("(define-fun {expr} () {sort} {word})"));
        self.poisoned(expr, &poison);
    }

    fn poisoned(&mut self, expr: ExprId, poison: &str) {
        self.poison.insert(expr, poison != FALSE);
        if poison != FALSE {
            self.line(format_args!("(define-fun p{} () Bool {poison})", expr.as_u32()));
        }
    }

    fn function(&mut self, function: PureId, width: u8, args: &[ExprId]) -> String {
        let widths: Vec<u8> = args.iter().map(|arg| self.pool.width(*arg)).collect();
        let key = (function, width, widths);
        if let Some(known) = self.functions.get(&key) {
            return known.clone();
        }
        let name = format!("f{}", self.functions.len());
        let domain: Vec<String> = key.2.iter().map(|it| format!("(_ BitVec {it})")).collect();
        let domain = domain.join(" ");
        self.line(format_args!("(declare-fun {name} ({domain}) (_ BitVec {width}))"));
        self.functions.insert(key, name.clone());
        name
    }
}

fn constant(value: u128, width: u8) -> String {
    format!("(_ bv{value} {width})")
}

fn is_one(word: &str) -> String {
    format!("(= {word} #b1)")
}

fn not(truth: &str) -> String {
    match truth {
        FALSE => "true".to_owned(),
        truth => format!("(not {truth})"),
    }
}

fn or(parts: Vec<String>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|it| it != FALSE).collect();
    match parts.as_slice() {
        [] => FALSE.to_owned(),
        [one] => one.clone(),
        _ => format!("(or {})", parts.join(" ")),
    }
}

/// Each side is (absorbs, poison): poison if one side is and the other does not absorb it.
fn connective(absorbs_a: &str, a: &str, absorbs_b: &str, b: &str) -> String {
    let side = |poison: &str, absorbs: &str, other: &str| match poison {
        FALSE => FALSE.to_owned(),
        poison => format!("(and {poison} (not (and {absorbs} {})))", not(other)),
    };
    or(vec![side(a, absorbs_b, b), side(b, absorbs_a, a)])
}

fn unary(op: UnOp, a: &str, width: u8) -> String {
    let at = |at: u8| format!("((_ extract {at} {at}) {a})");
    let number = |value: u8| constant(u128::from(value), width);
    let first = |rest: String, (at_bit, value): (u8, u8)| {
        format!("(ite {} {} {rest})", is_one(&at(at_bit)), number(value))
    };
    match op {
        UnOp::Not => format!("(bvnot {a})"),
        UnOp::Neg => format!("(bvneg {a})"),
        UnOp::Popcount => (0..width).fold(number(0), |sum, index| {
            format!("(bvadd {sum} ((_ zero_extend {}) {}))", width - 1, at(index))
        }),
        UnOp::Clz => (0..width).map(|it| (it, width - 1 - it)).fold(number(width), first),
        UnOp::Ctz => (0..width).rev().map(|it| (it, it)).fold(number(width), first),
        UnOp::Bitreverse => {
            (1..width).fold(at(0), |word, index| format!("(concat {word} {})", at(index)))
        }
    }
}

fn binary(op: BinOp, a: &str, b: &str) -> String {
    let plain = |name: &str| format!("({name} {a} {b})");
    let chosen = |below: &str, x: &str, y: &str| format!("(ite ({below} {a} {b}) {x} {y})");
    match op {
        BinOp::Add => plain("bvadd"),
        BinOp::Sub => plain("bvsub"),
        BinOp::Mul => plain("bvmul"),
        BinOp::UDiv => plain("bvudiv"),
        BinOp::SDiv => plain("bvsdiv"),
        BinOp::URem => plain("bvurem"),
        BinOp::SRem => plain("bvsrem"),
        BinOp::Shl => plain("bvshl"),
        BinOp::LShr => plain("bvlshr"),
        BinOp::AShr => plain("bvashr"),
        BinOp::And => plain("bvand"),
        BinOp::Or => plain("bvor"),
        BinOp::Xor => plain("bvxor"),
        BinOp::UMin => chosen("bvule", a, b),
        BinOp::UMax => chosen("bvule", b, a),
        BinOp::SMin => chosen("bvsle", a, b),
        BinOp::SMax => chosen("bvsle", b, a),
    }
}

/// Whether a flag does not hold: the result at twice the width is not the extension of the result.
fn overflow(op: BinOp, flags: NoWrap, a: &str, b: &str, width: u8) -> String {
    if !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl) {
        return FALSE.to_owned();
    }
    let mut parts = Vec::new();
    if op == BinOp::Shl && (flags.unsigned || flags.signed) {
        // Below two bits the width itself does not fit, and any shift amount is inside or is one.
        parts.push(match width {
            1 => is_one(b),
            _ => format!("(bvuge {b} {})", constant(u128::from(width), width)),
        });
    }
    for (asked, extend) in [(flags.unsigned, "zero_extend"), (flags.signed, "sign_extend")] {
        if !asked {
            continue;
        }
        let grow = |word: &str| format!("((_ {extend} {width}) {word})");
        let amount = match op {
            BinOp::Shl => format!("((_ zero_extend {width}) {b})"),
            _ => grow(b),
        };
        let exact = binary(op, &grow(a), &amount);
        let cut = grow(&format!("((_ extract {} 0) {exact})", width - 1));
        parts.push(format!("(not (= {exact} {cut}))"));
    }
    or(parts)
}
