//! Order by phases of barrier objects, for copies that complete by them.
//!
//! **What**: [`is_over`] says that a copy is done when a thread comes to something later,
//! [`is_left`] that a copy is issued after what another thread did.
//! **Method**: the phase of the copy, or of an arrival after the access, gives the iteration in
//! which the other thread waits for it; that this is not later than where it stands, and is
//! executed, is the condition.
//! **Sound because**: of what [`crate::engine::phases`] shows. A phase ends after all arrivals that
//! have its number: so a thread that is past a wait for it is ordered after what each arriving
//! thread did before it arrived, and after what others did before a barrier that both came to. A
//! thread whose number is below the count is one that has arrived, as no other has that number.
//! **Misses**: arrivals more than one iteration after the access, waits in other loops that may not
//! have been reached.
//! **Assumes**: nothing of its own.

use heddle_ir::{Barrier, ExprId, Item, LoopId, OpId, OpKind};

use crate::engine::instance::{FrameId, Instance};
use crate::engine::phases::{is_member, is_of_copies};
use crate::facts::analysis::Analysis;
use crate::facts::order::{Level, ProgramOrder};
use crate::facts::phases::{Members, Numbered, Step};
use crate::facts::uniformity::Varies;

/// That the copy which is issued in a frame is done when the thread of another frame comes to an
/// operation there, or to the end of the kernel.
pub(crate) fn is_over(
    instance: &mut Instance<'_>,
    (copy, issued): (OpId, FrameId),
    (later, at): (Option<OpId>, FrameId),
) -> ExprId {
    let analysis = instance.analysis;
    let mut over = instance.pool.falsity();
    let Some(fill) = analysis.phases().fill(copy) else { return over };
    if instance.placement.is_across() {
        return over;
    }
    let phase = phase_of(instance, fill, issued);
    for known in analysis.phases().known.iter().filter(|it| it.ring == fill.ring) {
        let knows = is_known(instance, known, phase, (later, at));
        over = instance.pool.or(over, knows);
    }
    let relies = analysis.phases().relies.iter().cloned();
    relies.for_each(|it| instance.rely_on(it));
    over
}

/// That what a thread does by an operation in a frame is done before the thread of another frame
/// issues a copy there.
pub(crate) fn is_left(
    instance: &mut Instance<'_>,
    (access, at): (OpId, FrameId),
    (copy, issued): (OpId, FrameId),
) -> ExprId {
    let analysis = instance.analysis;
    let mut left = instance.pool.falsity();
    if instance.placement.is_across() || analysis.phases().fill(copy).is_none() {
        return left;
    }
    // What a thread did otherwise is not ordered by the end of its copies.
    let by_threads = |it: &&Numbered| !is_of_copies(analysis.kernel, it.step.op);
    for arrival in analysis.phases().arrivals.iter().filter(by_threads) {
        let mut all = Vec::new();
        let given = [(gives(instance, arrival, access, at), 0)];
        let next = [(gives_next(instance, arrival, access, at), 1)];
        for (given, later) in given.into_iter().chain(next) {
            let Some(given) = given else { continue };
            let numbered = Numbered { shift: arrival.shift + later, ..*arrival };
            let exists = is_some(instance, &numbered, at);
            let given = instance.pool.and(given, exists);
            all.push((given, phase_of(instance, &numbered, at)));
        }
        for (given, phase) in all {
            for known in analysis.phases().known.iter().filter(|it| it.ring == arrival.ring) {
                let knows = is_known(instance, known, phase, (Some(copy), issued));
                let here = instance.pool.and(given, knows);
                left = instance.pool.or(left, here);
            }
        }
    }
    let relies = analysis.phases().relies.iter().cloned();
    relies.for_each(|it| instance.rely_on(it));
    left
}

/// After how many iterations a copy is waited for, at most, and one more.
pub(super) fn rounds_to_wait(analysis: &Analysis<'_>, copy: OpId) -> i64 {
    let phases = analysis.phases();
    let Some(fill) = phases.fill(copy) else { return 0 };
    let known = phases.known.iter().filter(|it| it.ring == fill.ring);
    known.map(|it| fill.shift - it.shift + 1).max().unwrap_or(0).max(0)
}

/// Whether one operation stands after another, in a region that both are in at this depth.
pub(super) fn index_after(order: &ProgramOrder, first: OpId, then: OpId, depth: usize) -> bool {
    order.index(first, depth) < order.index(then, depth)
}

/// That a thread knows of the end of a phase of a ring, when it comes to an operation.
pub(super) fn is_known_of_ring(
    instance: &mut Instance<'_>,
    ring: usize,
    phase: ExprId,
    later: (Option<OpId>, FrameId),
) -> ExprId {
    let analysis = instance.analysis;
    let mut all = instance.pool.falsity();
    for known in analysis.phases().known.iter().filter(|it| it.ring == ring) {
        let knows = is_known(instance, known, phase, later);
        all = instance.pool.or(all, knows);
    }
    all
}

/// The phase of a step in the iteration of a frame.
pub(super) fn phase_of(instance: &mut Instance<'_>, it: &Numbered, frame: FrameId) -> ExprId {
    match it.step.of {
        Some(of) => {
            let k = iteration_of(instance, it, of, frame);
            instance.shift_iteration(k, it.shift)
        }
        None => instance.pool.signed(i128::from(it.shift), 32),
    }
}

/// The iteration that a step in a frame counts as.
fn iteration_of(instance: &mut Instance<'_>, it: &Numbered, of: LoopId, frame: FrameId) -> ExprId {
    if it.step.last {
        let root = instance.root(instance.thread(frame));
        return instance.last_iteration(root, of);
    }
    instance.iteration(frame, of).expect("a frame in the loop of the step")
}

/// That the phase of a step in the iteration of a frame is none before the first.
pub(super) fn is_some(instance: &mut Instance<'_>, it: &Numbered, frame: FrameId) -> ExprId {
    let k = it.step.of.map(|of| iteration_of(instance, it, of, frame));
    match k {
        Some(k) if it.shift < 0 => {
            let first = instance.pool.signed(i128::from(-it.shift), 32);
            instance.pool.cmp(heddle_ir::CmpOp::Ule, first, k)
        }
        None if it.shift < 0 => instance.pool.falsity(),
        Some(_) | None => instance.pool.truth(),
    }
}

/// That a thread has come past the step that tells it of a phase, when it comes to an operation.
fn is_known(
    instance: &mut Instance<'_>,
    it: &Numbered,
    phase: ExprId,
    (later, at): (Option<OpId>, FrameId),
) -> ExprId {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let Numbered { step: Step { op, of, guard, last }, ring: _, shift } = *it;
    let never = instance.pool.falsity();
    // Rows that a warp touches are touched by its other lanes.
    let by_warp = later.is_some_and(|it| kernel.access(it).is_some_and(|it| it.by_warp));
    if by_warp && analysis.uniformity.variation(guard).varies > Varies::ByWarp {
        return never;
    }
    let root = instance.root(instance.thread(at));
    let end = kernel.body.items.len();
    let index = |depth: usize| later.map_or(end, |it| analysis.order.index(it, depth));
    let Some(of) = of else {
        if analysis.order.index(op, 0) >= index(0) {
            return never;
        }
        let meant = instance.pool.signed(i128::from(shift), 32);
        let same = instance.pool.eq(meant, phase);
        let done = instance.at(root, guard);
        return instance.pool.and(same, done);
    };
    if last {
        if analysis.order.index(op, 0) >= index(0) {
            return never;
        }
        let left = instance.last_iteration(root, of);
        let meant = instance.shift_iteration(left, shift);
        let same = instance.pool.eq(meant, phase);
        let entered = instance.at(root, kernel[of].pred);
        let done = instance.at(root, guard);
        let done = instance.pool.and(done, entered);
        return instance.pool.and(same, done);
    }
    let k = instance.shift_iteration(phase, -shift);
    let inside = instance.enter(root, of, k);
    let mut done = instance.at(inside, guard);
    if shift > 0 {
        let first = instance.pool.signed(i128::from(shift), 32);
        let exists = instance.pool.cmp(heddle_ir::CmpOp::Ule, first, phase);
        done = instance.pool.and(done, exists);
    }
    let in_time = match instance.iteration(at, of) {
        Some(now) if analysis.order.index(op, 1) < index(1) => {
            instance.pool.cmp(heddle_ir::CmpOp::Ule, k, now)
        }
        Some(now) => instance.pool.ult(k, now),
        None if analysis.order.index(op, 0) < index(0) => {
            let last = instance.last_iteration(root, of);
            let entered = instance.at(root, kernel[of].pred);
            let reached = instance.pool.cmp(heddle_ir::CmpOp::Ule, k, last);
            instance.pool.and(entered, reached)
        }
        None => never,
    };
    instance.pool.and(in_time, done)
}

/// That an arrival follows an access in the iteration of a frame: by its thread, or by another one
/// after a barrier that both come to.
fn gives(
    instance: &mut Instance<'_>,
    arrival: &Numbered,
    access: OpId,
    at: FrameId,
) -> Option<ExprId> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let order = &analysis.order;
    let Step { op, of, guard, last } = arrival.step;
    if last {
        return gives_at_end(instance, arrival, access, at);
    }
    let depth = usize::from(of.is_some());
    if order.chain(access).first().copied().filter(|_| depth > 0) != of
        || order.index(access, depth) >= order.index(op, depth)
    {
        return None;
    }
    let frame = instance.outer(at, order.chain(access).len() - depth);
    let alone = analysis.phases().arrivals.iter().filter(|it| it.ring == arrival.ring).count() == 1;
    let mut all = instance.pool.falsity();
    // What lanes of a warp do together is done by others, too.
    if !kernel.access(access).is_some_and(|it| it.by_warp) {
        all = instance.at(frame, guard);
    }
    let ring = &analysis.phases().rings[arrival.ring];
    let between = &items(instance, of)[order.index(access, depth) + 1..order.index(op, depth)];
    for item in between {
        let Item::Op(barrier) = *item else { continue };
        let warp = match &kernel[barrier].kind {
            OpKind::Barrier(Barrier::Block { .. }) => false,
            OpKind::Barrier(Barrier::Warp { mask, .. }) => {
                if kernel.exprs.as_const(*mask) != Some(u128::from(u32::MAX)) {
                    continue;
                }
                true
            }
            OpKind::Barrier(_)
            | OpKind::Access(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Claim(_)
            | OpKind::Assert { .. }
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => continue,
        };
        if !alone
            || !order.separates(kernel, barrier, if warp { Level::Warp } else { Level::Block })
        {
            continue;
        }
        let mut met = instance.at(frame, kernel[barrier].pred);
        if warp {
            // Each warp has one that arrives.
            let Members::Warps(_) = ring.members else { continue };
            let Some(member) = is_member(instance, instance.thread(at), ring.members, ring.count)
            else {
                continue;
            };
            met = instance.pool.and(met, member);
        }
        all = instance.pool.or(all, met);
    }
    Some(all)
}

/// The same for an arrival after a loop, by the thread itself.
fn gives_at_end(
    instance: &mut Instance<'_>,
    arrival: &Numbered,
    access: OpId,
    at: FrameId,
) -> Option<ExprId> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let Step { op, of, guard, last: _ } = arrival.step;
    if kernel.access(access).is_some_and(|it| it.by_warp)
        || analysis.order.index(access, 0) >= analysis.order.index(op, 0)
    {
        return None;
    }
    let root = instance.root(instance.thread(at));
    let entered = instance.at(root, kernel[of?].pred);
    let does = instance.at(root, guard);
    Some(instance.pool.and(entered, does))
}

/// That an arrival in the next iteration follows an access, if there is one: each thread that is
/// counted has arrived where a phase has ended, and so has this one.
fn gives_next(
    instance: &mut Instance<'_>,
    arrival: &Numbered,
    access: OpId,
    at: FrameId,
) -> Option<ExprId> {
    let analysis = instance.analysis;
    let of = arrival.step.of.filter(|_| !arrival.step.last)?;
    let alone = analysis.phases().arrivals.iter().filter(|it| it.ring == arrival.ring).count() == 1;
    let ring = &analysis.phases().rings[arrival.ring];
    let by_warp = analysis.kernel.access(access).is_some_and(|it| it.by_warp);
    let each = matches!(ring.members, Members::Threads(_));
    if analysis.order.chain(access).first() != Some(&of) || !alone || by_warp || !each {
        return None;
    }
    is_member(instance, instance.thread(at), ring.members, ring.count)
}

fn items<'k>(instance: &Instance<'k>, of: Option<LoopId>) -> &'k [Item] {
    match of {
        Some(of) => &instance.analysis.kernel[of].body.items,
        None => &instance.analysis.kernel.body.items,
    }
}
