//! Whether a copy is over at the end of a way, as an expression over the two threads.
//!
//! **What**: [`Map::is_over`] makes, of what the issuer comes to on a way, the condition under
//! which the copy is over for who comes later.
//! **Method**: the events of the way in their order, each under the condition that the issuer, who
//! has not returned, executes it: commits make the copy older, waits complete it, barriers after
//! that tell others. Loops beside the way are open while their first iterations are looked at.
//! **Sound because**: what is left out, or not known to be executed, only leaves the copy under
//! way.
//! **Misses**: what the list of events misses.
//! **Assumes**: what [`super`] does.

use heddle_ir::{AsyncCopy, ExprId, ExprKind, LoopId, OpId, OpKind};

use super::events::{Event, EventKind, Turn};
use super::slots::Slots;
use super::{Later, Map, Other, Way};
use crate::engine::instance::{FrameId, Instance};
use crate::engine::unordered::{barrier_counts, barrier_covers};

impl Map<'_> {
    /// That the copy is over when the access is done.
    pub(super) fn is_over(
        &self,
        instance: &mut Instance<'_>,
        way: &Way,
        frames: [FrameId; 2],
    ) -> ExprId {
        let itself = self.is_by_one();
        // Who comes to the access may have taken no part in a barrier before.
        if !itself && !self.analysis.order.regular().timely {
            return instance.pool.falsity();
        }
        let mut alive = instance.pool.truth();
        let mut completed = match self.other {
            Other::GroupCopy(_) => instance.pool.truth(),
            Other::Itself | Other::Thread(_) => instance.pool.falsity(),
        };
        let mut over = instance.pool.falsity();
        let mut age = instance.pool.constant(0, 32);
        let mut commits = 0;
        let of_copy = self.follows_events().then(|| self.event(instance, frames[0]));
        let mut slots = Slots::default();
        // What the thread has to be in loops beside the way, innermost last.
        let mut beside: Vec<ExprId> = Vec::new();
        for Event { path, kind } in self.events(way) {
            let frame = self.frame(instance, &path, frames);
            let live = match beside.last() {
                Some(inside) => instance.pool.and(alive, *inside),
                None => alive,
            };
            match kind {
                EventKind::GoesOn(of) => {
                    if !self.goes_on_by_way(way, &path) {
                        let on = instance.at(frame, self.kernel[of].cont);
                        alive = instance.pool.and(alive, on);
                    }
                }
                EventKind::Enters(of) => {
                    if !itself {
                        let entered = instance.at(frame, self.kernel[of].pred);
                        alive = instance.pool.and(alive, entered);
                    }
                }
                EventKind::MayReturn => {
                    if !itself {
                        alive = instance.pool.falsity();
                    }
                }
                EventKind::Commit(op) => {
                    commits += 1;
                    let done = match self.is_done_with_issue(&path, op) {
                        true => live,
                        false => self.done(instance, op, frame, live),
                    };
                    let one = instance.pool.constant(1, 32);
                    let more = instance.pool.add(age, one);
                    age = instance.pool.select(done, more, age);
                }
                EventKind::Wait { op, pending, read_only } => {
                    if read_only && !self.flight.reads {
                        continue;
                    }
                    // So many groups there are not on the way.
                    if self.kernel.exprs.as_const(pending).is_some_and(|n| n >= commits) {
                        continue;
                    }
                    let done = match self.is_done_with_issue(&path, op) {
                        true => live,
                        false => self.done(instance, op, frame, live),
                    };
                    let n = instance.at(frame, pending);
                    let n = instance.pool.resize(n, 32);
                    let enough = instance.pool.ult(n, age);
                    let here = instance.pool.and(done, enough);
                    completed = instance.pool.or(completed, here);
                }
                EventKind::EventWait(op) => {
                    let done = self.done(instance, op, frame, live);
                    let OpKind::EventWait(events) = &self.kernel[op].kind else { continue };
                    for event in events {
                        let same = match (slots.found(self.kernel, *event), of_copy) {
                            (Some(found), _) => found,
                            (None, Some(of_copy)) => {
                                let event = instance.at(frame, *event);
                                instance.pool.eq(event, of_copy)
                            }
                            (None, None) => continue,
                        };
                        let here = instance.pool.and(done, same);
                        completed = instance.pool.or(completed, here);
                    }
                }
                EventKind::Store(op) => {
                    let done = self.done(instance, op, frame, live);
                    if let Some(of_copy) = of_copy {
                        slots.store(instance, (op, frame), done, of_copy);
                    }
                }
                EventKind::Load(op) => {
                    let done = self.done(instance, op, frame, live);
                    slots.load(instance, (op, frame), done);
                }
                EventKind::Forgets => slots.forget(),
                EventKind::Opens(of) => {
                    let entered = instance.at(frame, self.kernel[of].pred);
                    let outside = beside.last().copied().unwrap_or(instance.pool.truth());
                    beside.push(instance.pool.and(outside, entered));
                }
                EventKind::Continues(of) => {
                    let on = instance.at(frame, self.kernel[of].cont);
                    if let Some(inside) = beside.last_mut() {
                        *inside = instance.pool.and(*inside, on);
                    }
                }
                EventKind::Closes => _ = beside.pop(),
                EventKind::Returns(op) if self.access == Later::End => {
                    // Who returns does not come to the end; each return is an end of its own.
                    let gone = self.done(instance, op, frame, live);
                    let stays = instance.pool.not(gone);
                    instance.state(stays);
                }
                EventKind::Returns(op) => {
                    if !itself {
                        let gone = self.done(instance, op, frame, live);
                        let stays = instance.pool.not(gone);
                        alive = instance.pool.and(alive, stays);
                    }
                }
                EventKind::Barrier(op) => {
                    let done = self.done(instance, op, frame, live);
                    let counts = match (self.other, self.access) {
                        (Other::GroupCopy(object), _) => {
                            barrier_covers(instance, op, frame, done, object)
                        }
                        (_, Later::Op(access)) => {
                            let pair = [self.flight.copy, access];
                            barrier_counts(instance, op, frame, done, pair)
                        }
                        (_, Later::End) => None,
                    };
                    if let Some(counts) = counts {
                        let here = instance.pool.and(completed, counts);
                        over = instance.pool.or(over, here);
                    }
                }
            }
        }
        match self.other {
            Other::Itself => completed,
            Other::Thread(_) | Other::GroupCopy(_) => over,
        }
    }

    /// The event of the copy; something that no wait names where the program has no name for it.
    fn event(&self, instance: &mut Instance<'_>, frame: FrameId) -> ExprId {
        let copy = self.flight.copy;
        let named = self.kernel.exprs.iter().find(|(_, it)| it.kind == ExprKind::Result(copy, 0));
        if let Some((event, _)) = named {
            return instance.at(frame, event);
        }
        let nameless = instance.index_symbol(64, u128::from(u64::MAX));
        let OpKind::AsyncCopy(AsyncCopy { event: Some(given), .. }) = &self.kernel[copy].kind
        else {
            return nameless;
        };
        let given = instance.at(frame, *given);
        let zero = instance.pool.constant(0, 64);
        let is_new = instance.pool.eq(given, zero);
        instance.pool.select(is_new, nameless, given)
    }

    /// States that the first thread issues the copy of the block as well as the second.
    pub(super) fn state_takes_part(
        &self,
        instance: &mut Instance<'_>,
        way: &Way,
        frames: [FrameId; 2],
    ) {
        let Later::Op(copy) = self.access else { return };
        let [of_access, of_copy] = self.chains();
        let mut path: Vec<(LoopId, Turn)> =
            of_access[..way.common].iter().map(|of| (*of, Turn::OfCopy(0))).collect();
        path.extend(of_copy[way.common..].iter().map(|of| (*of, Turn::OfAccess)));
        let frame = self.frame(instance, &path, frames);
        instance.state_executed(copy, frame);
    }

    /// That an issuer who has not returned executes an operation.
    fn done(&self, instance: &mut Instance<'_>, op: OpId, frame: FrameId, alive: ExprId) -> ExprId {
        let executed = instance.at(frame, self.kernel[op].pred);
        instance.pool.and(alive, executed)
    }

    /// The issuer's frame at a place on the way.
    fn frame(
        &self,
        instance: &mut Instance<'_>,
        path: &[(LoopId, Turn)],
        frames: [FrameId; 2],
    ) -> FrameId {
        let mut at = instance.root(instance.thread(frames[0]));
        for &(of, turn) in path {
            let k = match turn {
                Turn::At(n) => instance.pool.constant(u128::from(n), 32),
                Turn::OfCopy(n) => {
                    let k = instance.iteration(frames[0], of).expect("a loop around the issue");
                    instance.shift_iteration(k, i64::from(n))
                }
                Turn::OfAccess => {
                    instance.iteration(frames[1], of).expect("a loop around the access")
                }
            };
            at = instance.enter(at, of, k);
        }
        at
    }
}
