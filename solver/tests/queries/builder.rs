//! Builds one query: two threads, and what the race engine says about them.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprPool, NoWrap, SymId};
use heddle_solver::Query;

/// What a case must come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    /// No race.
    Unsat,
    /// A race.
    Sat,
}

/// One query of the corpus.
#[derive(Debug)]
pub(crate) struct Case {
    /// The family it belongs to.
    pub(crate) family: &'static str,
    /// What it is, in a few words.
    pub(crate) name: String,
    /// The right answer.
    pub(crate) expected: Expected,
    /// The expressions.
    pub(crate) pool: ExprPool,
    /// The question.
    pub(crate) query: Query,
}

/// A query under construction, for threads 0 and 1.
pub(crate) struct Threads {
    pub(crate) pool: ExprPool,
    pub(crate) query: Query,
    next: u32,
}

/// Adds a case.
pub(crate) fn case(
    cases: &mut Vec<Case>,
    family: &'static str,
    name: impl Into<String>,
    expected: Expected,
    build: impl FnOnce(&mut Threads),
) {
    let mut threads = Threads { pool: ExprPool::new(), query: Query::default(), next: 0 };
    build(&mut threads);
    let Threads { pool, query, .. } = threads;
    cases.push(Case { family, name: name.into(), expected, pool, query });
}

impl Threads {
    /// A free variable.
    pub(crate) fn leaf(&mut self, width: u8) -> ExprId {
        self.next += 1;
        self.pool.symbol(SymId::from_u32(self.next), width)
    }

    /// A free variable between two numbers.
    pub(crate) fn within(&mut self, width: u8, lo: u128, hi: u128) -> ExprId {
        let leaf = self.leaf(width);
        self.query.ranges.push((leaf, lo, hi));
        leaf
    }

    /// A size: a free variable between two numbers, with small values to try.
    pub(crate) fn size(&mut self, width: u8, lo: u128, hi: u128) -> ExprId {
        let leaf = self.within(width, lo, hi);
        let values = [4, 8, 1, 2].into_iter().filter(|it| (lo..=hi).contains(it)).collect();
        self.query.small.push((leaf, values));
        leaf
    }

    /// One leaf per thread, below a number.
    pub(crate) fn ids(&mut self, width: u8, below: u128) -> [ExprId; 2] {
        [0, 1].map(|_| self.within(width, 0, below - 1))
    }

    /// One leaf per thread, below an expression that is at most `most`.
    pub(crate) fn ids_below(&mut self, below: ExprId, most: u128) -> [ExprId; 2] {
        let width = self.pool.width(below);
        [0, 1].map(|_| {
            let id = self.within(width, 0, most - 1);
            let less = self.pool.ult(id, below);
            self.fact(less);
            id
        })
    }

    pub(crate) fn fact(&mut self, fact: ExprId) {
        self.query.facts.push(fact);
    }

    /// Not all of these coordinates are equal.
    pub(crate) fn differ(&mut self, coordinates: &[[ExprId; 2]]) {
        let mut same = self.pool.truth();
        for &[a, b] in coordinates {
            let equal = self.pool.eq(a, b);
            same = self.pool.and(same, equal);
        }
        let differ = self.pool.not(same);
        self.fact(differ);
    }

    pub(crate) fn c(&mut self, value: i128, width: u8) -> ExprId {
        self.pool.signed(value, width)
    }

    pub(crate) fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.pool.add(a, b)
    }

    pub(crate) fn add_nsw(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, a, b)
    }

    pub(crate) fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.pool.mul(a, b)
    }

    pub(crate) fn mul_nsw(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, a, b)
    }

    /// `a * k + b`.
    pub(crate) fn mad(&mut self, a: ExprId, k: i128, b: ExprId) -> ExprId {
        let k = self.c(k, self.pool.width(a));
        let product = self.mul(a, k);
        self.add(product, b)
    }

    /// `a * b + c`, as signed arithmetic of the source: no overflow.
    pub(crate) fn mad_nsw(&mut self, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let product = self.mul_nsw(a, b);
        self.add_nsw(product, c)
    }

    pub(crate) fn plus(&mut self, a: ExprId, k: i128) -> ExprId {
        let k = self.c(k, self.pool.width(a));
        self.add(a, k)
    }

    pub(crate) fn op(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.pool.binary(op, a, b)
    }

    pub(crate) fn op_const(&mut self, op: BinOp, a: ExprId, k: i128) -> ExprId {
        let k = self.c(k, self.pool.width(a));
        self.pool.binary(op, a, k)
    }

    pub(crate) fn less(&mut self, a: ExprId, b: ExprId) {
        let fact = self.pool.ult(a, b);
        self.fact(fact);
    }

    pub(crate) fn less_signed(&mut self, a: ExprId, b: ExprId) {
        let fact = self.pool.slt(a, b);
        self.fact(fact);
    }

    pub(crate) fn at_most(&mut self, a: ExprId, b: ExprId) {
        let fact = self.pool.cmp(CmpOp::Ule, a, b);
        self.fact(fact);
    }

    pub(crate) fn equal(&mut self, a: ExprId, b: ExprId) {
        let fact = self.pool.eq(a, b);
        self.fact(fact);
    }

    /// A byte offset: an index, sign-extended to 64 bits, times the size of an element.
    pub(crate) fn bytes(&mut self, index: ExprId, element: i128) -> ExprId {
        let wide = if self.pool.width(index) < 64 {
            self.pool.cast(CastOp::Sext, index, 64)
        } else {
            index
        };
        let element = self.c(element, 64);
        self.mul(wide, element)
    }

    /// The byte offset of an unsigned index.
    pub(crate) fn bytes_unsigned(&mut self, index: ExprId, element: i128) -> ExprId {
        let wide = self.pool.cast(CastOp::Zext, index, 64);
        let element = self.c(element, 64);
        self.mul(wide, element)
    }

    /// The byte ranges meet.
    pub(crate) fn meet(&mut self, a: ExprId, bytes_a: i128, b: ExprId, bytes_b: i128) {
        let (end_a, end_b) = (self.plus(a, bytes_a), self.plus(b, bytes_b));
        let first = self.pool.ult(a, end_b);
        let second = self.pool.ult(b, end_a);
        self.fact(first);
        self.fact(second);
    }

    /// The byte ranges meet, in one comparison.
    pub(crate) fn meet_once(&mut self, a: ExprId, bytes_a: i128, b: ExprId, bytes_b: i128) {
        let apart = self.pool.sub(a, b);
        let shifted = self.plus(apart, bytes_a - 1);
        let reach = self.c(bytes_a + bytes_b - 1, 64);
        self.less(shifted, reach);
    }

    /// The same element of so many bytes, by index.
    pub(crate) fn collide(&mut self, indices: [ExprId; 2], element: i128) {
        let [a, b] = indices.map(|index| self.bytes(index, element));
        self.meet(a, element, b, element);
    }
}
