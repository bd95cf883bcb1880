//! Reads that end after they were issued, and are over when a stage is given back.
//!
//! **What**: [`is_left_later`] says that an operand of a matrix product has been read when a copy
//! is issued that waited for a phase of a barrier object.
//! **Method**: of a phase that the issuer of the copy knows to be over, all arrivals that may be
//! the reading thread's have to come after a wait that completes its read: each arrival lies so
//! many iterations after the read as its number says, which gives a [`Way`], and the way says
//! whether the read is over ([`Map::is_over`]).
//! **Sound because**: a phase that is over has an arrival of each thread that is counted, and a
//! thread has one arrival of that number ([`crate::engine::phases`]). Where one thread arrives for
//! its warp or warpgroup, it has waited as the reading thread does: a product is one operation of
//! the warpgroup, which all its threads issue, commit and wait for alike.
//! **Misses**: arrivals more than [`MOST_LAG`] iterations after the read; arrivals of one thread
//! for several warpgroups.
//! **Assumes**: [`heddle_diagnostics::Assumption::OperandsAsDescribed`].

use heddle_diagnostics::Assumption;
use heddle_ir::{AsyncMechanism, ExprId, Kernel, LoopId, OpId, OpKind};

use super::by_phase::{index_after, is_known_of_ring, is_some, phase_of};
use super::{Flight, Later, Map, Other, Turns, Way};
use crate::engine::instance::{FrameId, Instance};
use crate::engine::phases::{is_member, is_of_copies};
use crate::facts::order::implies;
use crate::facts::phases::{Members, Numbered, Step};

/// Iterations between a read and the arrival that gives it back, at most.
const MOST_LAG: i64 = 3;

/// That an operand which is read in a frame has been read before the thread of another frame
/// issues a copy there.
pub(crate) fn is_left_later(
    instance: &mut Instance<'_>,
    (flight, at): (Flight, FrameId),
    (copy, issued): (OpId, FrameId),
) -> ExprId {
    let analysis = instance.analysis;
    let mut left = instance.pool.falsity();
    let is_waited_for = flight.mechanism == AsyncMechanism::Matrix;
    if instance.placement.is_across() || analysis.phases().fill(copy).is_none() || !is_waited_for {
        return left;
    }
    let arrivals = &analysis.phases().arrivals;
    let most_left = most_left(analysis.kernel);
    for arrival in arrivals.iter().filter(|it| !is_of_copies(analysis.kernel, it.step.op)) {
        for lag in 0..=most_left {
            let found = over_by(instance, (flight, at), arrival, lag);
            let Some((phase, over)) = found.filter(|it| instance.pool.as_const(it.1) != Some(0))
            else {
                continue;
            };
            let knows = is_known_of_ring(instance, arrival.ring, phase, (Some(copy), issued));
            let here = instance.pool.and(over, knows);
            left = instance.pool.or(left, here);
        }
    }
    instance.rely_on(Assumption::OperandsAsDescribed);
    let relies = analysis.phases().relies.iter().cloned();
    relies.for_each(|it| instance.rely_on(it));
    left
}

/// The groups that a wait for products leaves under way, at most: where threads wait in each round,
/// what is given back later than so many rounds after its read says no more.
fn most_left(kernel: &Kernel) -> i64 {
    let mut most = 0;
    for op in kernel.ops.values() {
        if let OpKind::AsyncWait { mechanism: AsyncMechanism::Matrix, pending, .. } = op.kind {
            let left = kernel.exprs.as_const(pending).and_then(|it| i64::try_from(it).ok());
            most = left.unwrap_or(MOST_LAG).max(most);
        }
    }
    most.min(MOST_LAG)
}

/// The phase that an arrival is for, so many iterations after a read or where neither is in a loop
/// of the other, and the condition under which the read is over when that phase is.
fn over_by(
    instance: &mut Instance<'_>,
    (flight, at): (Flight, FrameId),
    arrival: &Numbered,
    lag: i64,
) -> Option<(ExprId, ExprId)> {
    let analysis = instance.analysis;
    let ring = &analysis.phases().rings[arrival.ring];
    let there = place_after(instance, (flight, at), arrival, lag)?;
    let phase = phase_of(instance, arrival, there);
    let mut over = is_some(instance, arrival, there);
    let thread = instance.thread(at);
    match is_member(instance, thread, ring.members, ring.count) {
        Some(member) => over = instance.pool.and(over, member),
        // It is the reading thread itself that arrives, in the same iteration.
        None => {
            if lag > 0 || arrival.step.last {
                return None;
            }
            let does = instance.at(there, arrival.step.guard);
            over = instance.pool.and(over, does);
        }
    }
    let others = analysis.phases().arrivals.iter().filter(|it| it.ring == arrival.ring);
    for other in others {
        let done = match (arrival == other, place_of(analysis.kernel, arrival, lag, other)) {
            (true, _) => Some(completed(instance, (flight, at), (arrival, there), lag)),
            (false, Where::Never) => None,
            (false, Where::Later(lag)) => {
                let there = place_after(instance, (flight, at), other, lag)?;
                let done = completed(instance, (flight, at), (other, there), lag);
                // The phase may be another one's.
                let is_it = if other.step.last {
                    let meant = phase_of(instance, other, there);
                    instance.pool.eq(meant, phase)
                } else {
                    instance.pool.truth()
                };
                Some(instance.pool.implies(is_it, done))
            }
            (false, Where::Unknown) => return None,
        };
        let Some(done) = done else { continue };
        // Of a thread that arrives for itself alone, what it does not do does not count.
        let does = match ring.members {
            Members::Threads(_) if arrival == other => instance.at(there, arrival.step.guard),
            Members::Threads(_) | Members::One | Members::Warps(_) | Members::Warpgroups(_) => {
                instance.pool.truth()
            }
        };
        let done = instance.pool.implies(does, done);
        over = instance.pool.and(over, done);
    }
    Some((phase, over))
}

/// Where another arrival stands that is for the same phase.
enum Where {
    /// So many iterations after the read; of one after the loop, if its phase is the same.
    Later(i64),
    /// Nowhere: its number is another.
    Never,
    Unknown,
}

/// Where `other` would be for the phase that `arrival` is for, `lag` iterations after a read.
fn place_of(kernel: &Kernel, arrival: &Numbered, lag: i64, other: &Numbered) -> Where {
    let (a, b) = (&arrival.step, &other.step);
    match (a.of, b.of) {
        (Some(x), Some(y)) if x == y => match (a.last, b.last) {
            (false, false) => Where::Later(lag + arrival.shift - other.shift),
            (false, true) => Where::Later(0),
            // Nothing is done in a loop in the iteration in which it is left, or later.
            (true, false) if arrival.shift >= other.shift && stays_in(kernel, b, x) => Where::Never,
            (true, true) if arrival.shift != other.shift => Where::Never,
            (true, _) => Where::Unknown,
        },
        _ => Where::Unknown,
    }
}

/// Whether who does a step goes on in the loop.
fn stays_in(kernel: &Kernel, step: &Step, of: LoopId) -> bool {
    implies(kernel, step.guard, kernel[of].cont)
}

/// The frame of an arrival that comes after a read.
fn place_after(
    instance: &mut Instance<'_>,
    (flight, at): (Flight, FrameId),
    arrival: &Numbered,
    lag: i64,
) -> Option<FrameId> {
    let order = &instance.analysis.order;
    let root = instance.root(instance.thread(at));
    let around = order.chain(flight.copy).first().copied();
    let after = |depth: usize| index_after(order, flight.copy, arrival.step.op, depth);
    match arrival.step.of {
        Some(_) if arrival.step.last => (lag == 0 && after(0)).then_some(root),
        Some(of) if around == Some(of) => {
            if lag < 0 || lag == 0 && !after(1) {
                return None;
            }
            let k = instance.iteration(at, of)?;
            let k = instance.shift_iteration(k, lag);
            Some(instance.enter(root, of, k))
        }
        // From before the loop on: `lag` is its iteration.
        Some(of) if around.is_none() && lag >= 0 && after(0) => {
            let k = instance.pool.constant(lag as u128, 32);
            Some(instance.enter(root, of, k))
        }
        Some(_) => None,
        None => (lag == 0 && after(0)).then_some(root),
    }
}

/// That a wait on the way from the read to an arrival completes it.
fn completed(
    instance: &mut Instance<'_>,
    (flight, at): (Flight, FrameId),
    (arrival, there): (&Numbered, FrameId),
    lag: i64,
) -> ExprId {
    let analysis = instance.analysis;
    let map = Map::of(analysis, flight, Later::Op(arrival.step.op), Other::Itself);
    let depth = analysis.order.chain(flight.copy).len();
    let mut enters = Vec::new();
    let (common, ahead) = match (arrival.step.of, lag) {
        (Some(_), _) if arrival.step.last => (0, None),
        (Some(_), _) if depth == 0 => {
            enters.push(Turns::Exactly(lag as u32));
            (0, None)
        }
        (Some(_), 0) => (1, None),
        (Some(_), lag) => (0, Some(Turns::Exactly(lag as u32))),
        (None, _) => (0, None),
    };
    let shared = common + usize::from(ahead.is_some());
    let leaves = vec![Turns::AtLeast(0); depth - shared];
    let way = Way { common, ahead, leaves, enters };
    if map.is_plainly_over(&way) {
        return instance.pool.truth();
    }
    map.is_over(instance, &way, [at, there])
}
