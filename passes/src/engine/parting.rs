//! Where two threads part on the way to a barrier.
//!
//! **What**: the places at which the first of two threads goes on to execute a barrier and the
//! second does not: the entry of a loop around it, the end of an iteration of one, the predicate of
//! the barrier.
//! **Method**: each place is one [`Decision`]. Up to it both threads are in the same iterations. A
//! thread that has returned, or that returns without waiting anywhere first, is excused where the
//! barrier does not wait for it. In IR that does not tell which returns are written, it is so where
//! the one at the barrier does not return at the same place, in the same iteration: that may be the
//! end of the kernel.
//! **Sound because**: of two threads that do not execute the same instances there is a first place
//! where they differ, and all places are listed. A return excuses only if the thread meets nothing
//! that waits before it; whatever is not certain (another iteration, an inner loop with barriers)
//! does not excuse.
//! **Misses**: a thread that runs to the end of the kernel is not excused; but in IR that does not
//! tell which returns are written it is if threads return in the loop around the barrier, as the
//! front end may have taken either end for one.
//! **Assumes**: two barriers that differ in the text are two barriers.

use std::collections::BTreeSet;

use heddle_diagnostics::{Evidence, Method};
use heddle_ir::{Ending, ExprId, Item, Kernel, LoopId, OpId, OpKind, ValueFrom, Waits};

use crate::engine::instance::{FrameId, Instance};
use crate::facts::analysis::Analysis;
use crate::facts::loads::relies_for;
use crate::facts::thread::Thread;

/// That the decisions on the way to an operation which are not [`Decision::open`], and `values`,
/// are the same for all threads, with what that takes for granted of loads.
pub(crate) fn agreed(
    analysis: &Analysis<'_>,
    op: OpId,
    values: impl IntoIterator<Item = ExprId>,
) -> Evidence {
    Evidence::new(Method::Uniform, relies_for(analysis, op, values))
}

/// A decision on the way to a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// Whether to enter the loop at this depth of the barrier's chain.
    Enter(usize),
    /// Whether to run another iteration of it.
    Continue(usize),
    /// Whether to execute the barrier.
    Execute,
}

impl Decision {
    /// What is asked about it, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Decision::Enter(_) => "does one thread enter the loop around it and the other not?",
            Decision::Continue(_) => "does one thread run the loop around it more often?",
            Decision::Execute => "does one thread execute it and the other not?",
        }
    }

    /// All on the way to an operation whose condition the threads need not `agree` on.
    pub(crate) fn open(
        analysis: &Analysis<'_>,
        op: OpId,
        agree: impl Fn(ExprId) -> bool,
    ) -> Vec<Decision> {
        let kernel = analysis.kernel;
        let mut open = Vec::new();
        for (depth, &of) in analysis.order.chain(op).iter().enumerate() {
            if !agree(kernel[of].pred) {
                open.push(Decision::Enter(depth));
            }
            if !agree(kernel[of].cont) {
                open.push(Decision::Continue(depth));
            }
        }
        if !agree(kernel[op].pred) {
            open.push(Decision::Execute);
        }
        open
    }

    /// The condition that decides.
    pub(crate) fn condition(self, analysis: &Analysis<'_>, op: OpId) -> ExprId {
        let chain = analysis.order.chain(op);
        match self {
            Decision::Enter(depth) => analysis.kernel[chain[depth]].pred,
            Decision::Continue(depth) => analysis.kernel[chain[depth]].cont,
            Decision::Execute => analysis.kernel[op].pred,
        }
    }

    /// The number of loops of the chain in whose iterations both threads still are.
    pub(crate) fn together(self, analysis: &Analysis<'_>, op: OpId) -> usize {
        match self {
            Decision::Enter(depth) => depth,
            Decision::Continue(depth) => depth + 1,
            Decision::Execute => analysis.order.chain(op).len(),
        }
    }
}

const RETURN: OpKind = OpKind::Exit(Ending::Return);

/// Whether a thread that has returned is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Returned {
    /// The barrier never completes without it.
    Awaited,
    /// The barrier does without it, if it has returned at a place before the decision.
    ExcusedBefore,
    /// The barrier does without it, also if it returns after the decision, and waits nowhere before
    /// that.
    Excused,
}

/// Operations that end a thread, and that one of these barriers may follow under the same
/// predicate, as after `exit` in inline PTX: no decision of the kernel tells of them.
pub(crate) fn ends_in_the_middle(kernel: &Kernel, barriers: &[OpId]) -> Vec<OpId> {
    let mut around = BTreeSet::new();
    kernel.for_each_op(|op, loops| {
        if barriers.contains(&op) {
            around.extend(loops.iter().copied());
        }
    });
    heddle_progress::kernel::untold_ends(kernel, &|item| match item {
        Item::Op(op) => barriers.contains(&op),
        Item::Loop(of) => around.contains(&of),
    })
}

/// States that two threads are in the same iterations and then decide differently, and that the
/// first goes on to execute the operation. The frames are that of the first at the operation and
/// that of the second at the decision.
pub(crate) fn state_parting(
    instance: &mut Instance<'_>,
    op: OpId,
    decision: Decision,
    returned: Returned,
) -> [FrameId; 2] {
    let analysis = instance.analysis;
    let chain = analysis.order.chain(op);
    let together = decision.together(analysis, op);
    let frames = state_together(instance, &chain[..together]);
    let parting = decision.condition(analysis, op);
    let [goes, stays] = frames.map(|frame| instance.at(frame, parting));
    let stays = instance.pool.not(stays);
    instance.state(goes);
    instance.state(stays);
    // The first thread goes on to execute the barrier, in a later iteration of the loop it
    // continues.
    let mut first = frames[0];
    if let Decision::Continue(depth) = decision {
        let of = chain[depth];
        let outside = instance.outer(first, 1);
        let now = instance.iteration(first, of);
        let later = instance.iteration_symbol(of, Some(Thread::One));
        if let Some(now) = now {
            let after = instance.pool.ult(now, later);
            instance.state(after);
        }
        first = instance.enter(outside, of, later);
    }
    for &of in &chain[together..] {
        let k = instance.iteration_symbol(of, Some(Thread::One));
        first = instance.enter(first, of, k);
    }
    instance.state_executed(op, first);
    instance.state_placement();
    for frame in frames {
        state_none(instance, op, decision, frame, Ending::Trap);
    }
    if returned != Returned::Awaited {
        state_none(instance, op, decision, frames[1], Ending::Return);
    }
    let may_return = || analysis.kernel.ops.values().any(|it| it.kind == RETURN);
    if returned == Returned::Excused && may_return() {
        let leaves = returns_unawaited(instance, op, decision, [first, frames[1]]);
        let stays = instance.pool.not(leaves);
        instance.state(stays);
    }
    [first, frames[1]]
}

/// Returns that some threads of a block may take without the others.
pub(crate) fn returns_apart(analysis: &Analysis<'_>) -> Vec<OpId> {
    let agree = |id| analysis.uniformity.block_uniform(id);
    let apart = |op: &OpId| {
        analysis.kernel[*op].kind.effects().ends == Some(Ending::Return)
            && !Decision::open(analysis, *op, agree).is_empty()
    };
    analysis.kernel.ops.keys().filter(apart).collect()
}

/// Frames of both threads in the same iterations of some loops, which both have reached.
pub(crate) fn state_together(instance: &mut Instance<'_>, chain: &[LoopId]) -> [FrameId; 2] {
    let mut frames = [instance.root(Thread::One), instance.root(Thread::Two)];
    for &of in chain {
        let k = instance.iteration_symbol(of, None);
        frames = frames.map(|frame| instance.enter(frame, of, k));
    }
    for frame in frames {
        for (depth, &of) in chain.iter().enumerate() {
            instance.state_in_iteration(frame, chain.len() - depth, of);
        }
    }
    frames
}

/// States that a thread takes no such ending between the last point where it was with the others
/// and the decision.
fn state_none(
    instance: &mut Instance<'_>,
    op: OpId,
    decision: Decision,
    frame: FrameId,
    ending: Ending,
) {
    let kernel = instance.analysis.kernel;
    let chain = instance.analysis.order.chain(op);
    let up_to = |items: &'_ [Item], last: Item| {
        items.iter().position(|it| *it == last).unwrap_or(items.len())
    };
    let items: &[Item] = match decision {
        Decision::Enter(depth) => {
            let items = body(kernel, chain, depth);
            &items[..up_to(items, Item::Loop(chain[depth]))]
        }
        // A thread that does not continue has run all of the iteration.
        Decision::Continue(depth) => body(kernel, chain, depth + 1),
        Decision::Execute => {
            let items = body(kernel, chain, chain.len());
            &items[..up_to(items, Item::Op(op))]
        }
    };
    let mut all = Vec::new();
    endings(instance, items, frame, None, ending, &mut all);
    for ended in all {
        let not = instance.pool.not(ended);
        instance.state(not);
    }
}

/// The items of the region inside so many loops of a chain.
fn body<'k>(kernel: &'k Kernel, chain: &[LoopId], depth: usize) -> &'k [Item] {
    match depth {
        0 => &kernel.body.items,
        _ => &kernel[chain[depth - 1]].body.items,
    }
}

/// For each such ending among the items: that the thread takes it.
fn endings(
    instance: &mut Instance<'_>,
    items: &[Item],
    frame: FrameId,
    given: Option<ExprId>,
    ending: Ending,
    all: &mut Vec<ExprId>,
) {
    let kernel = instance.analysis.kernel;
    for item in items {
        match *item {
            Item::Op(op) if kernel[op].kind == OpKind::Exit(ending) => {
                let mut ended = instance.at(frame, kernel[op].pred);
                if let Some(given) = given {
                    ended = instance.pool.and(given, ended);
                }
                all.push(ended);
            }
            Item::Op(_) => {}
            Item::Loop(inner) if has(kernel, inner, &|kind| *kind == OpKind::Exit(ending)) => {
                let entered = instance.at(frame, kernel[inner].pred);
                let given = match given {
                    Some(given) => instance.pool.and(given, entered),
                    None => entered,
                };
                // A thread ends in the last iteration it runs.
                let last = instance.last_iteration(frame, inner);
                let inside = instance.enter(frame, inner, last);
                endings(instance, &kernel[inner].body.items, inside, Some(given), ending, all);
            }
            Item::Loop(_) => {}
        }
    }
}

/// That the thread which stays returns after the decision, waits nowhere before it does, and does
/// not return where the one that is at the barrier does so in the same iteration: that one is no
/// early return.
fn returns_unawaited(
    instance: &mut Instance<'_>,
    op: OpId,
    decision: Decision,
    frames: [FrameId; 2],
) -> ExprId {
    let returns = returns_if_free(instance, op, decision, frames);
    instance.suppose(None);
    returns
}

/// The same. What it states of the rest of the way is supposed of threads that come there: one that
/// waits before the end of a loop need not come to an end of it.
fn returns_if_free(
    instance: &mut Instance<'_>,
    op: OpId,
    decision: Decision,
    [first, frame]: [FrameId; 2],
) -> ExprId {
    let kernel = instance.analysis.kernel;
    let chain = instance.analysis.order.chain(op);
    let (mut depth, mut frame, mut at) = match decision {
        Decision::Enter(depth) => (depth, frame, Item::Loop(chain[depth])),
        Decision::Continue(depth) => {
            let outside = instance.outer(frame, 1);
            // Where the thread leaves the loop is where its last iteration is.
            if let Some(now) = instance.iteration(frame, chain[depth]) {
                let last = instance.last_iteration(outside, chain[depth]);
                let same = instance.pool.eq(now, last);
                instance.state(same);
            }
            (depth, outside, Item::Loop(chain[depth]))
        }
        Decision::Execute => (chain.len(), frame, Item::Op(op)),
    };
    let mut returns = instance.pool.falsity();
    let mut free = instance.pool.truth();
    loop {
        let items = body(kernel, chain, depth);
        let after = items.iter().position(|it| *it == at).map_or(items.len(), |it| it + 1);
        for item in &items[after..] {
            instance.suppose(Some(free));
            match *item {
                Item::Op(op) if kernel[op].kind == OpKind::Exit(Ending::Return) => {
                    let here = instance.at(frame, kernel[op].pred);
                    let is_beside = !kernel.returns_written && depth == chain.len();
                    let here = match is_beside && follows_no_loop(kernel, kernel[op].pred) {
                        true => {
                            let both = instance.at(first, kernel[op].pred);
                            let alone = instance.pool.not(both);
                            instance.pool.and(here, alone)
                        }
                        // The other thread may leave loops later, or never.
                        false => here,
                    };
                    let here = instance.pool.and(free, here);
                    returns = instance.pool.or(returns, here);
                }
                Item::Op(op) if waits(&kernel[op].kind) => {
                    let here = instance.at(frame, kernel[op].pred);
                    let passes = instance.pool.not(here);
                    free = instance.pool.and(free, passes);
                }
                Item::Op(_) => {}
                // What happens inside is not followed.
                Item::Loop(inner) if has(kernel, inner, &waits) => {
                    let entered = instance.at(frame, kernel[inner].pred);
                    let passes = instance.pool.not(entered);
                    free = instance.pool.and(free, passes);
                }
                Item::Loop(_) => {
                    let mut inside = Vec::new();
                    let this = std::slice::from_ref(item);
                    endings(instance, this, frame, None, Ending::Return, &mut inside);
                    for here in inside {
                        let here = instance.pool.and(free, here);
                        returns = instance.pool.or(returns, here);
                    }
                }
            }
        }
        if depth == 0 {
            let ends_inside =
                |of: &LoopId| !kernel.returns_written && has(kernel, *of, &|kind| *kind == RETURN);
            return match chain.first().is_some_and(ends_inside) {
                true => instance.pool.or(returns, free),
                false => returns,
            };
        }
        // Only a thread that leaves the loop around is followed.
        instance.suppose(Some(free));
        let of = chain[depth - 1];
        let goes_on = instance.at(frame, kernel[of].cont);
        let leaves = instance.pool.not(goes_on);
        free = instance.pool.and(free, leaves);
        instance.suppose(Some(free));
        let outside = instance.outer(frame, 1);
        if let Some(now) = instance.iteration(frame, of) {
            let last = instance.last_iteration(outside, of);
            let same = instance.pool.eq(now, last);
            instance.state(same);
        }
        (depth, frame, at) = (depth - 1, outside, Item::Loop(of));
    }
}

/// Whether no loop has to be left to say what a value is.
fn follows_no_loop(kernel: &Kernel, value: ExprId) -> bool {
    let mut is_left = false;
    kernel.exprs.for_each_below(value, |it| {
        is_left |= matches!(kernel[it].kind.value_from(), ValueFrom::Exit(..));
    });
    !is_left
}

/// Whether an operation may wait for other threads.
fn waits(kind: &OpKind) -> bool {
    kind.effects().waits.is_some_and(Waits::for_other_threads)
}

fn has(kernel: &Kernel, of: LoopId, wanted: &dyn Fn(&OpKind) -> bool) -> bool {
    kernel[of].body.items.iter().any(|item| match *item {
        Item::Op(op) => wanted(&kernel[op].kind),
        Item::Loop(inner) => has(kernel, inner, wanted),
    })
}
