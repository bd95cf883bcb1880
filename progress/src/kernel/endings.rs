//! Operations that end a thread although the predicates of later operations do not exclude it.
//!
//! **What**: lists each operation that ends its thread and is followed, in the text or in a further
//! iteration of a loop around it, by an operation that was asked about and whose predicate may hold
//! as well. After `exit` in inline PTX the text goes on under the same predicate. Returns are
//! rarely listed: the predicates of what follows exclude their threads.
//! **Method**: conditions are compared as sums of products, of up to [`TERMS`] products. Two
//! products exclude each other if one has what the other denies.
//! **Sound because** what is not shown to exclude each other is listed.
//! **Misses**: conditions that exclude each other by arithmetic; these are listed as well.
//! **Does not** list traps: they end the launch.

use heddle_ir::{BinOp, CmpOp, Ending, ExprId, ExprKind, Item, Kernel, OpId, OpKind, Region, UnOp};

/// Products that a condition may have.
const TERMS: usize = 48;
/// Parts of a condition that are looked at; what is left stays in one piece.
const PARTS: u32 = 1024;

/// An operation that ends a thread: its condition, with those of the loops around it that have been
/// left.
#[derive(Clone)]
struct End {
    op: OpId,
    when: Vec<Term>,
}

/// What has to hold or not to hold, all of it.
type Term = Vec<(Literal, bool)>;

/// A condition that is not taken apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Literal {
    Value(ExprId),
    Less { signed: bool, a: ExprId, b: ExprId },
}

/// The operations that end a thread and that some of these operations and loops may follow, as far
/// as predicates tell.
pub fn untold_ends(kernel: &Kernel, what: &dyn Fn(Item) -> bool) -> Vec<OpId> {
    let mut found = Vec::new();
    walk(kernel, what, &kernel.body, Vec::new(), &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// Adds the ends, before the region or in it, that something in the region may follow. Gives all
/// ends before the region and in it.
fn walk(
    kernel: &Kernel,
    what: &dyn Fn(Item) -> bool,
    region: &Region,
    before: Vec<End>,
    found: &mut Vec<OpId>,
) -> Vec<End> {
    let mut ends = before;
    for item in &region.items {
        match *item {
            Item::Op(op) if kernel[op].kind == OpKind::Exit(Ending::Return) => {
                ends.push(End { op, when: terms_of(kernel, kernel[op].pred) });
            }
            Item::Op(op) if what(*item) => {
                meet(kernel, &ends, kernel[op].pred, found);
            }
            Item::Op(_) => {}
            Item::Loop(of) => {
                let is_followed = what(*item);
                if is_followed {
                    meet(kernel, &ends, kernel[of].pred, found);
                }
                let inside = walk(kernel, what, &kernel[of].body, Vec::new(), found);
                if is_followed {
                    meet(kernel, &inside, kernel[of].cont, found);
                }
                let around = terms_of(kernel, kernel[of].pred);
                ends.extend(
                    inside.into_iter().map(|end| End { when: product(&end.when, &around), ..end }),
                );
            }
        }
    }
    ends
}

fn meet(kernel: &Kernel, ends: &[End], behind: ExprId, found: &mut Vec<OpId>) {
    if ends.is_empty() {
        return;
    }
    let behind = terms_of(kernel, behind);
    let may_meet =
        |end: &&End| end.when.iter().any(|one| behind.iter().any(|other| !are_at_odds(one, other)));
    found.extend(ends.iter().filter(may_meet).map(|end| end.op));
}

fn are_at_odds(one: &Term, other: &Term) -> bool {
    one.iter().any(|(literal, holds)| other.contains(&(*literal, !holds)))
}

fn terms_of(kernel: &Kernel, condition: ExprId) -> Vec<Term> {
    terms(kernel, condition, true, &mut { PARTS })
}

/// The products of a condition that holds, or of one that does not. A value after a loop is that of
/// the last iteration, which is the one that the thread ended in, if it did there.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a condition of another shape is a literal of its own"
)]
fn terms(kernel: &Kernel, condition: ExprId, holds: bool, left: &mut u32) -> Vec<Term> {
    let literal = |literal, holds| vec![vec![(literal, holds)]];
    let less = |signed, a, b, holds| literal(Literal::Less { signed, a, b }, holds);
    if *left == 0 {
        return literal(Literal::Value(condition), holds);
    }
    *left -= 1;
    match kernel[condition].kind {
        ExprKind::Const(value) if (value != 0) == holds => vec![Vec::new()],
        ExprKind::Const(_) => Vec::new(),
        ExprKind::Unary(UnOp::Not, inner) => terms(kernel, inner, !holds, left),
        ExprKind::Exit(_, inner) => terms(kernel, inner, holds, left),
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or), _, a, b) => {
            let [a, b] = [a, b].map(|it| terms(kernel, it, holds, left));
            match (op == BinOp::And) == holds {
                true => product(&a, &b),
                false => sum(a, b),
            }
        }
        ExprKind::Select(which, a, b) => {
            let [yes, no] = [true, false].map(|it| terms(kernel, which, it, left));
            let [a, b] = [a, b].map(|it| terms(kernel, it, holds, left));
            sum(product(&yes, &a), product(&no, &b))
        }
        ExprKind::Cmp(CmpOp::Slt, a, b) => less(true, a, b, holds),
        ExprKind::Cmp(CmpOp::Ult, a, b) => less(false, a, b, holds),
        ExprKind::Cmp(CmpOp::Sle, a, b) => less(true, b, a, !holds),
        ExprKind::Cmp(CmpOp::Ule, a, b) => less(false, b, a, !holds),
        _ => literal(Literal::Value(condition), holds),
    }
}

/// Both of two; of what is too much, only the first, which is less than is known.
fn product(a: &[Term], b: &[Term]) -> Vec<Term> {
    if a.len() * b.len() > TERMS {
        return a.to_vec();
    }
    let joined =
        a.iter().flat_map(|one| b.iter().map(|other| [one.clone(), other.clone()].concat()));
    joined.filter(|term| !are_at_odds(term, term)).collect()
}

/// One of two; of what is too much, nothing is known.
fn sum(a: Vec<Term>, b: Vec<Term>) -> Vec<Term> {
    match a.len() + b.len() > TERMS {
        true => vec![Vec::new()],
        false => [a, b].concat(),
    }
}
