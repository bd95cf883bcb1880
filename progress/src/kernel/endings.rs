//! Operations that end a thread although the predicates of later operations do not exclude it.
//!
//! **What**: lists each operation that ends its thread and is followed, in the text or in a further
//! iteration of a loop around it, by an operation that was asked about and whose predicate may hold
//! as well. After `exit` in inline PTX the text goes on under the same predicate. Returns are
//! rarely listed: the predicates of what follows exclude their threads.
//! **Method**: conditions are compared as sums of products, of up to [`TERMS`] products. Two
//! products exclude each other if one has what the other denies. The products of a condition are
//! worked out once, so a chain of `else if` costs what its conditions have literals, not a power
//! of it: the arm's condition is the last arm's, and a literal.
//! **Sound because** what is not shown to exclude each other is listed.
//! **Misses**: conditions that exclude each other by arithmetic; these are listed as well.
//! **Does not** list traps: they end the launch.

use std::rc::Rc;

use heddle_ir::{BinOp, CmpOp, Ending, ExprId, ExprKind, Item, Kernel, OpId, OpKind, Region, UnOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// Products that a condition may have.
const TERMS: usize = 48;
/// How deep a condition is taken apart; what is below stays in one piece.
const DEPTH: u32 = 1024;
/// Literals that all products together may have; conditions after that stay in one piece.
const LITERALS: usize = 1 << 22;

/// An operation that ends a thread: its condition, with those of the loops around it that have been
/// left.
struct End {
    op: OpId,
    when: Rc<[Term]>,
}

/// What has to hold or not to hold, all of it: never a literal and its denial.
type Term = Vec<Signed>;

/// A condition that is not taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Literal {
    Value(ExprId),
    Less { signed: bool, a: ExprId, b: ExprId },
}

/// Twice the number of a literal, and one more where it holds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Signed(u32);

impl Signed {
    fn denied(self) -> Signed {
        Signed(self.0 ^ 1)
    }
}

/// The operations that end a thread and that some of these operations and loops may follow, as far
/// as predicates tell.
pub fn untold_ends(kernel: &Kernel, what: &dyn Fn(Item) -> bool) -> Vec<OpId> {
    let mut search = Search {
        kernel,
        what,
        conditions: Conditions {
            kernel,
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            marks: Marks::default(),
            left: LITERALS,
        },
        found: FxHashSet::default(),
    };
    search.walk(&kernel.body);
    let mut found: Vec<OpId> = search.found.into_iter().collect();
    found.sort_unstable();
    found
}

/// What is known while a kernel is walked.
struct Search<'a> {
    kernel: &'a Kernel,
    what: &'a dyn Fn(Item) -> bool,
    conditions: Conditions<'a>,
    found: FxHashSet<OpId>,
}

impl Search<'_> {
    /// Finds the ends in the region that something in the region may follow. Gives all ends in it.
    fn walk(&mut self, region: &Region) -> Vec<End> {
        let kernel = self.kernel;
        let mut ends: Vec<End> = Vec::new();
        // The last condition that was met, and how many ends there were.
        let mut last = None;
        for item in &region.items {
            let is_followed = (self.what)(*item);
            match *item {
                Item::Op(op) if kernel[op].kind == OpKind::Exit(Ending::Return) => {
                    ends.push(End { op, when: self.conditions.terms_of(kernel[op].pred) });
                }
                Item::Op(op) => {
                    let met = Some((kernel[op].pred, ends.len()));
                    if is_followed && last != met {
                        self.meet(&ends, kernel[op].pred);
                        last = met;
                    }
                }
                Item::Loop(of) => {
                    if is_followed {
                        self.meet(&ends, kernel[of].pred);
                    }
                    let inside = self.walk(&kernel[of].body);
                    if is_followed {
                        self.meet(&inside, kernel[of].cont);
                    }
                    let around = self.conditions.terms_of(kernel[of].pred);
                    for End { op, when } in inside {
                        ends.push(End { op, when: self.conditions.product(&when, &around) });
                    }
                }
            }
        }
        ends
    }

    fn meet(&mut self, ends: &[End], condition: ExprId) {
        if ends.is_empty() {
            return;
        }
        let terms = self.conditions.terms_of(condition);
        let Self { conditions, found, .. } = self;
        for other in terms.iter() {
            conditions.marks.set(other);
            for end in ends.iter().filter(|end| !found.contains(&end.op)).collect::<Vec<_>>() {
                if end.when.iter().any(|one| !conditions.marks.deny(one)) {
                    found.insert(end.op);
                }
            }
        }
    }
}

/// A set of literals, which is emptied at no cost.
#[derive(Default)]
struct Marks {
    round: u32,
    of: Vec<u32>,
}

impl Marks {
    /// Makes it the literals of this product.
    fn set(&mut self, term: &Term) {
        self.round += 1;
        for literal in term {
            let at = literal.0 as usize;
            if self.of.len() <= at {
                self.of.resize(at + 1, 0);
            }
            self.of[at] = self.round;
        }
    }

    fn has(&self, literal: Signed) -> bool {
        self.of.get(literal.0 as usize) == Some(&self.round)
    }

    /// Whether the other product has the denial of one of these. The last literals of a product are
    /// those of the innermost condition, and most likely the ones.
    fn deny(&self, other: &Term) -> bool {
        other.iter().rev().any(|literal| self.has(literal.denied()))
    }
}

/// The products of the kernel's conditions.
struct Conditions<'a> {
    kernel: &'a Kernel,
    numbers: FxHashMap<Literal, u32>,
    known: FxHashMap<(ExprId, bool), Rc<[Term]>>,
    marks: Marks,
    /// Literals that may still be written down.
    left: usize,
}

impl Conditions<'_> {
    fn terms_of(&mut self, condition: ExprId) -> Rc<[Term]> {
        self.terms(condition, true, DEPTH)
    }

    /// The products of a condition that holds, or of one that does not.
    fn terms(&mut self, condition: ExprId, holds: bool, depth: u32) -> Rc<[Term]> {
        if let Some(known) = self.known.get(&(condition, holds)) {
            return Rc::clone(known);
        }
        if depth == 0 || self.left == 0 {
            return self.literal(Literal::Value(condition), holds);
        }
        let terms = self.taken_apart(condition, holds, depth - 1);
        self.known.insert((condition, holds), Rc::clone(&terms));
        terms
    }

    /// The same, worked out. A value after a loop is that of the last iteration, which is the one
    /// that the thread ended in, if it did there.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a condition of another shape is a literal of its own"
    )]
    fn taken_apart(&mut self, condition: ExprId, holds: bool, depth: u32) -> Rc<[Term]> {
        let less = |signed, a, b| Literal::Less { signed, a, b };
        match self.kernel[condition].kind {
            ExprKind::Const(value) if (value != 0) == holds => Rc::new([Vec::new()]),
            ExprKind::Const(_) => Rc::new([]),
            ExprKind::Unary(UnOp::Not, inner) => self.terms(inner, !holds, depth),
            ExprKind::Exit(_, inner) => self.terms(inner, holds, depth),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), _, a, b) => {
                let [a, b] = [a, b].map(|it| self.terms(it, holds, depth));
                match (op == BinOp::And) == holds {
                    true => self.product(&a, &b),
                    false => self.sum(&a, &b),
                }
            }
            ExprKind::Select(which, a, b) => {
                let [yes, no] = [true, false].map(|it| self.terms(which, it, depth));
                let [a, b] = [a, b].map(|it| self.terms(it, holds, depth));
                let [a, b] = [self.product(&yes, &a), self.product(&no, &b)];
                self.sum(&a, &b)
            }
            ExprKind::Cmp(CmpOp::Slt, a, b) => self.literal(less(true, a, b), holds),
            ExprKind::Cmp(CmpOp::Ult, a, b) => self.literal(less(false, a, b), holds),
            ExprKind::Cmp(CmpOp::Sle, a, b) => self.literal(less(true, b, a), !holds),
            ExprKind::Cmp(CmpOp::Ule, a, b) => self.literal(less(false, b, a), !holds),
            _ => self.literal(Literal::Value(condition), holds),
        }
    }

    fn literal(&mut self, literal: Literal, holds: bool) -> Rc<[Term]> {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(literal).or_insert(next);
        Rc::new([vec![Signed(2 * number + u32::from(holds))]])
    }

    /// Both of two; of what is too much, only the first, which is less than is known.
    fn product(&mut self, a: &Rc<[Term]>, b: &Rc<[Term]>) -> Rc<[Term]> {
        if a.len() * b.len() > TERMS {
            return Rc::clone(a);
        }
        let mut joined = Vec::new();
        for one in a.iter() {
            self.marks.set(one);
            for other in b.iter().filter(|other| !self.marks.deny(other)) {
                let new = other.iter().filter(|literal| !self.marks.has(**literal));
                joined.push(one.iter().chain(new).copied().collect());
            }
        }
        self.kept(joined)
    }

    /// One of two; of what is too much, nothing is known.
    fn sum(&mut self, a: &[Term], b: &[Term]) -> Rc<[Term]> {
        match a.len() + b.len() > TERMS {
            true => Rc::new([Vec::new()]),
            false => self.kept([a, b].concat()),
        }
    }

    fn kept(&mut self, terms: Vec<Term>) -> Rc<[Term]> {
        let literals: usize = terms.iter().map(Vec::len).sum();
        self.left = self.left.saturating_sub(literals);
        terms.into()
    }
}
