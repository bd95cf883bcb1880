//! Whether two stores leave the same, as a fact that they do not.
//!
//! **What**: what two plain stores to common bytes differ in, with all that is the same at one
//! place left out: a value that is computed from the place that it is stored to, and from what both
//! threads share, is one value, however it is computed.
//! **Method**: [`Congruence`], of the place; and where that leaves values, of the parts of the
//! place that are shown to be equal at one place (`x` and `y` of `y * width + x`), and of what
//! loops inside compute alike. A variable of a loop is the same for both threads in the same
//! iteration if all is that comes into the loop for it: first values, and what the body reads from
//! outside or from memory that the kernel does not write. So is the number of the last iteration,
//! if the loop's test is.
//! **Sound because** what a loop computes is a function of what comes into it, where all that it
//! looks at is its own variables, that, and memory which nobody changes. What is shown of parts of
//! a place follows from the facts of the question, which are asked together with the answer.
//! **Misses**: loops that read what the kernel writes, and parts that only all together are equal.
//! **Assumes**: what the questions about parts took for granted, which the instance carries on.

use heddle_ir::{
    AccessKind, BinOp, ExprId, ExprKind, ExprPool, LoopId, ObjectKind, OpId, OpKind, Space,
    ValueFrom,
};
use heddle_solver::{Budget, Congruence};
use rustc_hash::FxHashSet;

use super::hand_over::access;
use crate::engine::answer::Asked;
use crate::engine::instance::{Followed, FrameId, Instance, What};
use crate::facts::thread::Thread;

/// Parts of a place that are asked about.
const MOST_PARTS: usize = 4;

/// The part of the budget that each such question may cost.
const OF_BUDGET: u32 = 8;

/// Values of loops that are compared.
const MOST_VALUES: usize = 32;

/// Expressions of one loop that are looked at.
const MOST_EXPRESSIONS: usize = 2_000;

/// States that two stores differ: in a value, or in where the bytes begin or end.
pub(super) fn state_different_stores(
    instance: &mut Instance<'_>,
    ops: [OpId; 2],
    frames: [FrameId; 2],
    budget: &Budget,
) {
    let [one, two] = ops.map(|op| access(instance, op));
    let (AccessKind::Store(x), AccessKind::Store(y)) = (&one.kind, &two.kind) else { return };
    let places = [(one.address.offset, two.address.offset), (one.size, two.size)];
    let mut at = |(x, y)| (instance.at(frames[0], x), instance.at(frames[1], y));
    let places = places.map(&mut at);
    let values: Vec<_> = x.iter().copied().zip(y.iter().copied()).map(at).collect();
    // A sum may be stored that overflows against its flags: only what looks at it is undefined. Nor
    // does it matter to a value that sums stay in range for an index.
    let bare = values
        .into_iter()
        .map(|(x, y)| (instance.pool.without_flags(x), instance.pool.without_flags(y)));
    let mut apart: Vec<_> = bare.collect();
    let mut told = places.to_vec();
    keep_apart(instance, &told, &mut apart);
    if !apart.is_empty() {
        tell_loops(instance, &mut told, &apart);
        keep_apart(instance, &told, &mut apart);
    }
    if !apart.is_empty() && one.address.offset == two.address.offset {
        let parts = parts(instance, one.address.offset, frames, &told);
        // Whether they are equal is only asked where it would help.
        let (mut with, mut rest) = ([&told[..], &parts[..]].concat(), apart.clone());
        tell_loops(instance, &mut with, &rest);
        keep_apart(instance, &with, &mut rest);
        if rest.is_empty() && parts.iter().all(|it| is_equal(instance, *it, budget)) {
            apart.clear();
        }
    }
    let mut differs = instance.pool.falsity();
    for (x, y) in apart.into_iter().chain(places) {
        let apart = instance.pool.ne(x, y);
        differs = instance.pool.or(differs, apart);
    }
    instance.state(differs);
}

/// Leaves the pairs that are not equal wherever those told are.
fn keep_apart(
    instance: &Instance<'_>,
    told: &[(ExprId, ExprId)],
    pairs: &mut Vec<(ExprId, ExprId)>,
) {
    let mut known = Congruence::of(&instance.pool, told);
    pairs.retain(|(x, y)| !known.equal(*x, *y));
}

/// Parts of an offset, an expression of the kernel, that are not seen to be equal.
fn parts(
    instance: &mut Instance<'_>,
    offset: ExprId,
    frames: [FrameId; 2],
    told: &[(ExprId, ExprId)],
) -> Vec<(ExprId, ExprId)> {
    let kernel = instance.analysis.kernel;
    let (mut found, mut work, mut seen) = (Vec::new(), vec![offset], FxHashSet::default());
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        if is_sum(&kernel.exprs, id) {
            kernel.exprs.for_each_operand(id, |operand| work.push(operand));
            continue;
        }
        let pair = (instance.at(frames[0], id), instance.at(frames[1], id));
        let is_seen = || Congruence::of(&instance.pool, told).equal(pair.0, pair.1);
        if pair.0 != pair.1 && found.len() < MOST_PARTS && !is_seen() {
            found.push(pair);
        }
    }
    found
}

/// Whether an offset is made of parts by adding and scaling. Anything else is one part, which is
/// asked about.
fn is_sum(pool: &ExprPool, id: ExprId) -> bool {
    matches!(
        pool[id].kind,
        ExprKind::Cast(..)
            | ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl, ..)
    )
}

/// Whether two parts are equal wherever all that is stated holds.
fn is_equal(instance: &mut Instance<'_>, (one, two): (ExprId, ExprId), budget: &Budget) -> bool {
    let differs = instance.pool.ne(one, two);
    match instance.ask(&[differs], &budget.divided(OF_BUDGET)) {
        Asked::Held(held) => {
            instance.rely_on_all(&held);
            true
        }
        Asked::Sat(_) | Asked::Unknown(_) => false,
    }
}

/// A value of a loop, of each thread, that is equal if all of these are.
struct Candidate {
    pair: (ExprId, ExprId),
    if_equal: Vec<(ExprId, ExprId)>,
}

/// Adds the values of loops, among what the pairs are made of, that are equal where those told are.
fn tell_loops(
    instance: &mut Instance<'_>,
    told: &mut Vec<(ExprId, ExprId)>,
    pairs: &[(ExprId, ExprId)],
) {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut work = pairs.to_vec();
    while let Some((x, y)) = work.pop() {
        let of_one = followed_in(instance, x, Thread::One);
        for (other, theirs) in followed_in(instance, y, Thread::Two) {
            for (symbol, own) in of_one.iter().filter(|(_, own)| own.what == theirs.what) {
                let pair = (*symbol, other);
                if candidates.iter().any(|it| it.pair == pair) {
                    continue;
                }
                if candidates.len() == MOST_VALUES {
                    return;
                }
                if let Some(if_equal) = needed(instance, own, &theirs) {
                    work.extend(if_equal.iter().copied());
                    candidates.push(Candidate { pair, if_equal });
                }
            }
        }
    }
    loop {
        let mut known = Congruence::of(&instance.pool, told);
        let mut is_equal = |it: &Candidate| it.if_equal.iter().all(|(x, y)| known.equal(*x, *y));
        let (equal, open): (Vec<_>, Vec<_>) = candidates.into_iter().partition(&mut is_equal);
        if equal.is_empty() {
            return;
        }
        told.extend(equal.into_iter().map(|it| it.pair));
        candidates = open;
    }
}

/// What of an expression stands for values of loops of a thread.
fn followed_in(instance: &Instance<'_>, of: ExprId, thread: Thread) -> Vec<(ExprId, Followed)> {
    let (mut found, mut work, mut seen) = (Vec::new(), vec![of], FxHashSet::default());
    while let Some(id) = work.pop() {
        if !seen.insert(id) || seen.len() > MOST_EXPRESSIONS {
            continue;
        }
        if let Some(it) = instance.followed(id).filter(|it| it.thread == thread) {
            found.push((id, it));
        }
        instance.pool.for_each_operand(id, |operand| work.push(operand));
    }
    found
}

/// What has to be equal for a value of a loop to be; `None` where that cannot be said.
fn needed(
    instance: &mut Instance<'_>,
    one: &Followed,
    two: &Followed,
) -> Option<Vec<(ExprId, ExprId)>> {
    let analysis = instance.analysis;
    let mut needed = Vec::new();
    let (of, from, outside) = match one.what {
        What::Rounds(of) => {
            (of, vec![analysis.kernel[of].cont], [one, two].map(|it| it.rounds.clone()))
        }
        What::Value(id) => {
            let ExprKind::Var(var) = analysis.kernel.exprs[id].kind else { return None };
            let (Some((last, before)), Some((other, around))) =
                (one.rounds.split_last(), two.rounds.split_last())
            else {
                return None;
            };
            needed.push((*last, *other));
            (analysis.kernel[var].of, vec![id], [before.to_vec(), around.to_vec()])
        }
    };
    let inputs = inputs(instance, of, from)?;
    let around = analysis.scopes.chain(analysis.scopes.parent(of));
    let mut frames = [instance.root(Thread::One), instance.root(Thread::Two)];
    for (frame, rounds) in frames.iter_mut().zip(outside) {
        if rounds.len() != around.len() {
            return None;
        }
        for (of, k) in around.iter().zip(rounds) {
            *frame = instance.enter(*frame, *of, k);
        }
    }
    needed.extend(
        inputs.into_iter().map(|it| (instance.at(frames[0], it), instance.at(frames[1], it))),
    );
    Some(needed)
}

/// All that comes into a loop for these expressions of it. `None` where they look at something else
/// that may change, or are too many.
fn inputs(instance: &Instance<'_>, of: LoopId, from: Vec<ExprId>) -> Option<Vec<ExprId>> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let (mut inputs, mut work, mut seen) = (Vec::new(), from, FxHashSet::default());
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        if seen.len() > MOST_EXPRESSIONS {
            return None;
        }
        if analysis.scopes.invariant(of, id) {
            inputs.push(id);
            continue;
        }
        match kernel.exprs[id].kind.value_from() {
            ValueFrom::Operands => kernel.exprs.for_each_operand(id, |operand| work.push(operand)),
            ValueFrom::Var(var) => work.extend([kernel[var].init, kernel[var].next]),
            ValueFrom::Exit(inner, value) => {
                work.extend([value, kernel[inner].cont, kernel[inner].pred]);
            }
            ValueFrom::Result(op, _) => {
                let OpKind::Access(access) = &kernel[op].kind else { return None };
                let object = &kernel[access.address.object];
                let is_fixed = access.kind == AccessKind::Load
                    && !access.volatile
                    && access.order.is_none()
                    && object.kind != ObjectKind::Unknown
                    && matches!(object.space, Space::Global | Space::Constant)
                    && !analysis.memory.written(access.address.object);
                if !is_fixed {
                    return None;
                }
                work.push(access.address.offset);
            }
            ValueFrom::Launch | ValueFrom::Nothing | ValueFrom::Analysis(_) => return None,
        }
    }
    Some(inputs)
}
