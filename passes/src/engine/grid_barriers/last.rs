//! Barriers of the grid that the last block to come opens.
//!
//! **What**: places where the first thread of each block reads a word, the *generation*, and counts
//! itself; who finds that all others have been there sets the counter back and changes the
//! generation, and the others wait for that.
//! **Sound because**: by induction over the rounds. At the start of a round the counter is zero and
//! no block can have changed the generation of the round, as that takes the addition of each. The
//! fence after a block's look at the generation and the one before the change keep it from reading
//! the change, so all read the same value. Who finds one less than the number of blocks is the last
//! one: each block adds once a round. It acquires what all have released by their additions (a
//! chain of read-modify-writes, PTX ISA 8.9.2), and releases that by the change, which is what ends
//! the waits: the change of the next round takes the addition of the block that waits. The counter
//! is set back before that release, after all additions of the round, which were observed, and
//! before those of the next.
//! **Misses**: senses that are kept in variables of the thread, generations that are read before
//! the barrier of the block.
//! **Assumes**: as [`super`].

use heddle_ir::{
    AccessKind, AtomicOp, BinOp, CastOp, CmpOp, ExprId, ExprKind, Item, Kernel, LoopId, OpId,
    Scope, UnOp,
};

use super::sum::{Sum, Sums};
use super::{Counter, Place, fence, is_quiet, sole_read};
use crate::facts::analysis::Analysis;
use crate::facts::strength::{is_strong, leaves_as_read};

/// A place where the last block opens the barrier.
pub(super) struct Site {
    /// The block barrier before.
    pub(super) lead: OpId,
    /// All accesses that make it.
    pub(super) own: Vec<OpId>,
    /// What is read to wait.
    pub(super) generation: Counter,
}

/// The places where blocks count themselves in a counter, if nothing else touches it, nor the words
/// that they wait for.
pub(super) fn sites(analysis: &Analysis<'_>, counter: Counter) -> Option<Vec<Site>> {
    let kernel = analysis.kernel;
    let adds = kernel.ops.keys().filter(|op| counted(analysis, *op) == Some(counter));
    let sites: Option<Vec<Site>> = adds.map(|add| site(analysis, counter, add)).collect();
    let sites = sites?;
    let generation = sites.first()?.generation;
    let own: Vec<OpId> = sites.iter().flat_map(|it| it.own.iter().copied()).collect();
    let all_own =
        [counter, generation].iter().all(|word| word.is_touched_by_none_but(kernel, &own));
    let one_word = sites.iter().all(|it| it.generation == generation);
    (all_own && one_word && generation.is_apart_from(&counter)).then_some(sites)
}

/// The counter that an operation counts in: by additions of one, or up to the number of blocks less
/// one and then from zero.
pub(super) fn counted(analysis: &Analysis<'_>, op: OpId) -> Option<Counter> {
    let kernel = analysis.kernel;
    let wrapping = || {
        let access = kernel.access(op)?;
        let AccessKind::Atomic(AtomicOp::IncWrap, operands) = &access.kind else { return None };
        let wraps = is_blocks_less_one(analysis, *operands.first()?);
        wraps.then(|| Counter::of(kernel, access)).flatten()
    };
    Counter::added_to(kernel, op).or_else(wrapping)
}

/// Whether a value is the number of blocks less one.
fn is_blocks_less_one(analysis: &Analysis<'_>, value: ExprId) -> bool {
    let kernel = analysis.kernel;
    let sums = Sums { kernel, scopes: &analysis.scopes, launch: analysis.launch };
    let width = kernel.exprs.width(value);
    let less_one = || sums.blocks(width)?.minus(&Sum::constant(1, width));
    let (read, less_one) = (sums.read(value), less_one());
    read.is_some() && read == less_one
}

/// Whether a condition says that an addition has found one less than the number of blocks.
fn finds_all_others(analysis: &Analysis<'_>, condition: ExprId, found: ExprId) -> bool {
    let kernel = analysis.kernel;
    let sums = Sums { kernel, scopes: &analysis.scopes, launch: analysis.launch };
    let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[condition].kind else { return false };
    let width = kernel.exprs.width(found);
    let is = |one: ExprId, other: ExprId| {
        let difference = sums.read(one)?.minus(&sums.read(other)?)?;
        let of_last = sums.read(found)?.minus(&sums.blocks(width)?)?;
        Some(difference == of_last.plus(1, &Sum::constant(1, width))?)
    };
    is(a, b) == Some(true) || is(b, a) == Some(true)
}

/// What the parts of a place are, in the order of the text.
#[derive(Default)]
struct Parts {
    look: Option<OpId>,
    add: Option<usize>,
    reset: Option<usize>,
    change: Option<(OpId, usize)>,
    wait: Option<(LoopId, usize)>,
}

fn site(analysis: &Analysis<'_>, counter: Counter, add: OpId) -> Option<Site> {
    let kernel = analysis.kernel;
    let place = Place::of(analysis, add)?;
    let wraps = Counter::added_to(kernel, add).is_none();
    let found = kernel.exprs.iter().find(|(_, it)| it.kind == ExprKind::Result(add, 0))?.0;
    let is_last = |id: ExprId| finds_all_others(analysis, id, found);
    let is_not_last = |id: ExprId| negated(kernel, id).is_some_and(is_last);
    // Exactly the thread that adds, if it is the last, or if it is not.
    let by = kernel.exprs.conjuncts(place.by);
    let is_by = |pred: ExprId, of_last: &dyn Fn(ExprId) -> bool| {
        let parts = kernel.exprs.conjuncts(pred);
        let (own, rest): (Vec<ExprId>, Vec<ExprId>) =
            parts.into_iter().partition(|it| by.contains(it));
        let whole = by.iter().all(|it| own.contains(it) || kernel.exprs.as_const(*it) == Some(1));
        whole && matches!(rest[..], [one] if of_last(one))
    };
    let mut parts = Parts::default();
    for (index, item) in place.items() {
        match *item {
            Item::Op(op) if op == add => parts.add = Some(index),
            Item::Op(op) if is_quiet(kernel, op) => {}
            Item::Op(op) => {
                let access = kernel.access(op)?;
                let pred = kernel[op].pred;
                let is_strong = is_strong(access, Scope::Device);
                if counter.is(kernel, access) {
                    let resets = is_by(pred, &is_last) && stores(kernel, op) == Some(Stored::Zero);
                    let fits = resets && !wraps && parts.add.is_some() && parts.reset.is_none();
                    parts.reset = Some(fits.then_some(index)?);
                } else if parts.add.is_none() {
                    let looks =
                        access.reads() && (!access.writes() || leaves_as_read(kernel, access));
                    let fits = looks && is_strong && pred == place.by && parts.look.is_none();
                    parts.look = Some(fits.then_some(op)?);
                } else {
                    let fits = is_strong
                        && access.writes()
                        && is_by(pred, &is_last)
                        && parts.change.is_none();
                    parts.change = Some(fits.then_some((op, index))?);
                }
            }
            Item::Loop(of) => {
                let fits = parts.add.is_some()
                    && parts.wait.is_none()
                    && is_by(kernel[of].pred, &is_not_last);
                parts.wait = Some(fits.then_some((of, index))?);
            }
        }
    }
    let (look, (change, change_at), (wait, wait_at)) = (parts.look?, parts.change?, parts.wait?);
    let generation = Counter::of(kernel, kernel.access(look)?)?;
    let read = sole_read(kernel, generation, &kernel[wait].body)?;
    // The one who is last fences after it has set the counter back, and before the change.
    let first = parts.reset.unwrap_or(place.at) + 1;
    let of_last = place.region.items.get(first..change_at)?.iter().any(|item| match *item {
        Item::Op(op) => {
            fence(kernel, op).is_some()
                && kernel.exprs.conjuncts(kernel[op].pred).into_iter().all(|it| {
                    by.contains(&it) || is_last(it) || kernel.exprs.as_const(it) == Some(1)
                })
        }
        Item::Loop(_) => false,
    });
    let look_at = place.region.items.iter().position(|it| *it == Item::Op(look))?;
    let release = place.fence(look_at + 1..place.at)?;
    let is_ordered = place.acquires(read, wait_at).into_iter().any(|it| release.goes_with(it));
    let fits = (wraps || parts.reset.is_some())
        && of_last
        && is_ordered
        && generation.is(kernel, kernel.access(change)?)
        && kernel[generation.object].initial.may_be_zeros()
        && goes_on_at_change(kernel, look, change, (read, kernel[wait].cont));
    let reset = parts.reset.and_then(|at| match place.region.items[at] {
        Item::Op(op) => Some(op),
        Item::Loop(_) => None,
    });
    let own = [look, add, change, read].into_iter().chain(reset).collect();
    fits.then_some(Site { lead: place.lead, own, generation })
}

/// What an operation that writes stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    Zero,
    Value(ExprId),
    /// What is there, changed by a constant that is not zero.
    Changed,
}

fn stores(kernel: &Kernel, op: OpId) -> Option<Stored> {
    let of = |id: ExprId| match kernel.exprs.as_const(id) {
        Some(0) => Stored::Zero,
        _ => Stored::Value(id),
    };
    match &kernel.access(op)?.kind {
        AccessKind::Store(values) if values.len() == 1 => Some(of(values[0])),
        AccessKind::Atomic(AtomicOp::Exchange, operands) => Some(of(*operands.first()?)),
        AccessKind::Atomic(AtomicOp::Add | AtomicOp::Sub | AtomicOp::Xor, operands) => {
            let by = kernel.exprs.as_const(*operands.first()?)?;
            (by != 0).then_some(Stored::Changed)
        }
        AccessKind::Load | AccessKind::Store(_) | AccessKind::Atomic(..) => None,
    }
}

/// Whether a wait ends at what the change leaves, and not before: it goes on while it reads what
/// the look has read, or until it reads what is stored, which is another value.
fn goes_on_at_change(
    kernel: &Kernel,
    look: OpId,
    change: OpId,
    (read, cont): (OpId, ExprId),
) -> bool {
    let is_result = |id: ExprId, of: OpId| kernel[id].kind == ExprKind::Result(of, 0);
    let compared = |id: ExprId| equated(kernel, id, |it| is_result(it, read));
    let stored = stores(kernel, change);
    let differs = match stored {
        Some(Stored::Changed) => true,
        Some(Stored::Value(value)) => is_other(kernel, value, look),
        Some(Stored::Zero) | None => false,
    };
    let waits_for_other = compared(cont).is_some_and(|it| is_result(it, look));
    let waits_for_it = negated(kernel, cont)
        .and_then(compared)
        .is_some_and(|it| stored == Some(Stored::Value(it)));
    differs && (waits_for_other || waits_for_it)
}

/// What a condition says that something is equal to.
fn equated(kernel: &Kernel, condition: ExprId, is: impl Fn(ExprId) -> bool) -> Option<ExprId> {
    let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[condition].kind else { return None };
    if is(a) { Some(b) } else { is(b).then_some(a) }
}

/// What a condition is the negation of.
fn negated(kernel: &Kernel, condition: ExprId) -> Option<ExprId> {
    let ExprKind::Unary(UnOp::Not, inner) = kernel[condition].kind else { return None };
    Some(inner)
}

/// Whether a value is computed from what the look has read alone, and is never that: one more, with
/// a bit turned, or what is zero where that is not.
fn is_other(kernel: &Kernel, value: ExprId, look: OpId) -> bool {
    let is_look = |id: ExprId| kernel[id].kind == ExprKind::Result(look, 0);
    let is_zero = |id: ExprId| kernel.exprs.as_const(id) == Some(0);
    let is_number = |id: ExprId| kernel.exprs.as_const(id).is_some_and(|it| it != 0);
    let is_odd = |id: ExprId| kernel.exprs.as_const(id).is_some_and(|it| it % 2 == 1);
    let is_zero_of_look = |id: ExprId| equated(kernel, id, is_look).is_some_and(is_zero);
    if let ExprKind::Binary(op, _, a, b) = kernel[value].kind {
        let changed = is_look(a) && is_number(b) || is_look(b) && is_number(a);
        // An odd number minus one that is even is odd, and the other way round.
        let subtracted = is_look(b) && is_odd(a) || is_look(a) && is_number(b);
        return matches!(op, BinOp::Add | BinOp::Xor) && changed || op == BinOp::Sub && subtracted;
    }
    if let ExprKind::Cast(CastOp::Zext, inner) = kernel[value].kind {
        return is_zero_of_look(inner);
    }
    if let ExprKind::Select(condition, a, b) = kernel[value].kind {
        return is_zero_of_look(condition) && is_number(a) && is_zero(b);
    }
    negated(kernel, value).is_some_and(is_look)
}
