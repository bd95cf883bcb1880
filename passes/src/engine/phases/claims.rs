//! Whether the numbers of phases are right: asked of two threads, for all launches.
//!
//! **What**: [`keep_shown`] keeps the rings of which all that the module above rests on holds.
//! **Method**: for each ring, what needs no other: that at most as many arrivals have a number as
//! are counted ([`Claims::members`]), that bytes are expected by who copies them
//! ([`Claims::attach`]), that waits leave no phase out. Then, of all rings together and as long as
//! one falls, that arrivals come after the phase of their object before theirs
//! ([`Claims::in_order`]). Where an arrival may begin in one turn of the ring, in the one before or
//! in the next, all are tried.
//! **Sound because**: what rests on other rings rests on what happened before, see above.
//! **Misses**, **assumes**: what the module above does.

mod covers;
mod in_order;

use std::collections::BTreeSet;

use heddle_ir::{
    Address, ExprId, ExprKind, ObjectId, ObjectKind, OpId, OpKind, Place, Touch, TouchedBy,
};
use heddle_trace::BARRIER_OBJECT_BYTES;

pub(in crate::engine) use self::covers::is_of_copies;
use super::asked::{Claims, at_number, number, state_step};
use super::rings::{Action, Ringed, Rough, Slot};
use crate::engine::instance::Placement;
use crate::facts::analysis::Analysis;
use crate::facts::order::implies;
use crate::facts::phases::{Fault, Members, Numbered, Phases, Ring, Step, WARPGROUP};
use crate::facts::thread::Thread;

/// Assignments of numbers that are tried.
const MOST_CHOICES: usize = 32;

/// A ring with its numbers chosen.
#[derive(Clone)]
struct Chosen {
    length: i64,
    waits: Vec<(Step, i64)>,
    arrivals: Vec<(Ringed, i64)>,
    copies: Vec<(Step, i64)>,
    /// Arrivals beside those that are counted, of copies.
    covers: Vec<(Ringed, i64)>,
    boxes: Vec<(OpId, u64)>,
    members: Members,
}

/// The numbers of copies, and the bytes of those that do not say them.
type Attached = (Vec<(Step, i64)>, Vec<(OpId, u64)>);

pub(super) fn keep_shown(
    analysis: &Analysis<'_>,
    rough: Vec<Rough>,
    mut open: Vec<(OpId, Fault)>,
) -> Phases {
    let slots: Vec<Slot> = rough.iter().flat_map(|it| it.slots.clone()).collect();
    let mut claims = Claims { analysis, slots, relies: BTreeSet::new() };
    let mut candidates: Vec<(Rough, Vec<Chosen>)> = Vec::new();
    for ring in rough {
        match claims.choices(&ring) {
            Ok(choices) => candidates.push((ring, choices)),
            Err(fault) => blame(&mut open, &ring, &fault),
        }
    }
    let (mut best, mut best_faults): (Vec<usize>, Option<Vec<Option<Fault>>>) = (vec![], None);
    let counts: Vec<usize> = candidates.iter().map(|(_, choices)| choices.len()).collect();
    for picks in assignments(&counts).into_iter().take(MOST_CHOICES) {
        let rings: Vec<&Chosen> =
            candidates.iter().zip(&picks).map(|((_, choices), pick)| &choices[*pick]).collect();
        let faults = claims.falling(&rings, &open);
        let fewer = |known: &Vec<Option<Fault>>| {
            faults.iter().flatten().count() < known.iter().flatten().count()
        };
        if best_faults.as_ref().is_none_or(fewer) {
            let done = faults.iter().all(Option::is_none);
            (best, best_faults) = (picks, Some(faults));
            if done {
                break;
            }
        }
    }
    let mut phases = Phases::default();
    let faults = best_faults.unwrap_or_default();
    for (((rough, choices), pick), fault) in candidates.iter().zip(best).zip(faults) {
        if let Some(fault) = fault {
            blame(&mut open, rough, &fault);
            continue;
        }
        enter(&mut phases, rough, &choices[pick]);
    }
    let slots: Vec<Slot> = candidates.iter().flat_map(|(rough, _)| rough.slots.clone()).collect();
    phases.clear = claims.clear(&slots);
    phases.open = open;
    phases.relies = claims.relies;
    phases
}

/// Enters a ring that was shown.
fn enter(phases: &mut Phases, rough: &Rough, chosen: &Chosen) {
    let ring = phases.rings.len();
    let numbered = |(step, shift): (Step, i64)| Numbered { step, ring, shift };
    phases.known.extend(chosen.waits.iter().copied().map(numbered));
    let before = |(it, shift): &(Ringed, i64)| numbered((it.step, shift - chosen.length));
    phases.known.extend(chosen.arrivals.iter().map(before));
    phases.arrivals.extend(chosen.arrivals.iter().map(|(it, shift)| numbered((it.step, *shift))));
    phases.fills.extend(chosen.copies.iter().copied().map(numbered));
    phases.boxes.extend(&chosen.boxes);
    phases.followed.extend(&rough.ops);
    let Rough { count, .. } = *rough;
    phases.rings.push(Ring { length: chosen.length, count, members: chosen.members });
}

fn blame(open: &mut Vec<(OpId, Fault)>, ring: &Rough, fault: &Fault) {
    open.extend(ring.steps.iter().map(|it| (it.step.op, fault.clone())));
}

fn fault<X>(at: OpId, why: &str) -> Result<X, Fault> {
    Err(Fault { at, why: why.to_owned() })
}

/// All ways to choose one of each, the first of all first.
fn assignments(counts: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for count in counts {
        let longer = |one: &Vec<usize>, pick: usize| [one.as_slice(), &[pick]].concat();
        all = (0..*count)
            .flat_map(|pick| all.iter().map(move |one| longer(one, pick)).collect::<Vec<_>>())
            .take(MOST_CHOICES)
            .collect();
    }
    all
}

impl<'a> Claims<'a> {
    /// The numbers that a ring may have, as far as it goes by itself.
    fn choices(&mut self, ring: &Rough) -> Result<Vec<Chosen>, Fault> {
        let length = ring.slots.len() as i64;
        for (init, rounds) in &ring.inits {
            if !self.is_by_one(init) {
                return fault(init.op, "several threads may initialise this barrier object");
            }
            if !self.is_done(init, rounds) {
                let text = "that some thread of each block initialises this barrier object could not be shown";
                return fault(init.op, text);
            }
        }
        self.is_left_alone(ring)?;
        let mut waits = Vec::new();
        for it in ring.steps.iter().filter(|it| it.action == Action::Wait) {
            let in_order = match it.step.last {
                true => self.ends_in_order(ring, it, length),
                false => self.leaves_none_out(it, length),
            };
            if in_order && self.begins_before(ring, it, length) {
                waits.push((it.step, it.choices[0]));
            }
        }
        let arriving: Vec<&Ringed> =
            ring.steps.iter().filter(|it| matches!(it.action, Action::Arrive(_))).collect();
        let Some(first) = arriving.first() else {
            let at = ring.steps.first().or(None).map_or(ring.inits[0].0.op, |it| it.step.op);
            return fault(at, "no arrival at this barrier object was found");
        };
        let counts: Vec<usize> = arriving.iter().map(|it| it.choices.len()).collect();
        let mut all = Vec::new();
        let mut why = None;
        for picks in assignments(&counts) {
            // Some arrival is for phase 0.
            if arriving.iter().zip(&picks).all(|(it, pick)| it.choices[*pick] >= length) {
                continue;
            }
            let arrivals: Vec<(Ringed, i64)> = arriving
                .iter()
                .zip(&picks)
                .map(|(it, pick)| ((*it).clone(), it.choices[*pick]))
                .collect();
            match self.attach(ring, &arrivals).and_then(|copies| {
                let covers = self.covers(ring, &arrivals)?;
                let members = self.members(ring, &arrivals)?;
                Ok((copies, covers, members))
            }) {
                Ok(((mut copies, boxes), covers, members)) => {
                    let waits = waits.clone();
                    copies.extend(self.covered(&arrivals, &covers));
                    all.push(Chosen { length, waits, arrivals, copies, covers, boxes, members });
                }
                Err(fault) => why = why.or(Some(fault)),
            }
        }
        match why {
            Some(why) if all.is_empty() => Err(why),
            None if all.is_empty() => {
                fault(first.step.op, "the phases of arrivals could not be told")
            }
            Some(_) | None => Ok(all),
        }
    }

    /// Whether a thread whose first wait in a loop is for a later phase than the first has waited
    /// for those before it, at their objects, before the loop.
    fn begins_before(&mut self, ring: &Rough, it: &Ringed, length: i64) -> bool {
        if it.few.is_some() {
            return true;
        }
        let first = it.choices[0];
        (0..first).all(|number| {
            ring.steps.iter().any(|other| {
                let is_outside = other.action == Action::Wait && other.step.of.is_none();
                is_outside
                    && other.choices[0] == number
                    && self.goes_with_outside(&it.step, number + length - first, &other.step)
            })
        })
    }

    /// That nothing but operations on barrier objects writes what the objects are in.
    fn is_left_alone(&mut self, ring: &Rough) -> Result<(), Fault> {
        let kernel = self.analysis.kernel;
        for op in kernel.ops.keys() {
            let effects = kernel[op].kind.effects();
            for touch in effects.writes() {
                let text = match touch.by {
                    // What operations on the objects do is followed.
                    TouchedBy::BarrierObject => continue,
                    TouchedBy::Copy => "this copy may write a barrier object",
                    TouchedBy::Access(_) => "this may write a barrier object as data",
                    TouchedBy::NotModelled => {
                        "this is not modelled, and may write a barrier object"
                    }
                };
                let met = |(of, _): &&Slot| touch.place.may_be(kernel, *of);
                for &(of, slot) in ring.slots.iter().filter(met) {
                    if !self.keeps_off(op, touch, of, slot) {
                        return fault(op, text);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether what an operation writes, in memory that may be the variable of a barrier object, is
    /// not the object.
    fn keeps_off(&mut self, op: OpId, touch: &Touch<'_>, of: ObjectId, slot: u64) -> bool {
        let kernel = self.analysis.kernel;
        let Place::At(&Address { object, offset }) = touch.place else { return false };
        if object != of || kernel[object].kind == ObjectKind::Unknown {
            return false;
        }
        let size = match touch.by {
            TouchedBy::Access(access) => access.size,
            TouchedBy::Copy => {
                let OpKind::AsyncCopy(copy) = &kernel[op].kind else { return false };
                copy.size
            }
            TouchedBy::BarrierObject | TouchedBy::NotModelled => return false,
        };
        // A tensor copy keeps to its stage ([`Assumption::TensorBoxes`]).
        matches!(kernel[size].kind, ExprKind::Undef(_)) || self.is_apart(op, offset, size, slot)
    }

    /// The number of each copy: that of the arrival before it, by the same thread, which expects
    /// its bytes.
    fn attach(&mut self, ring: &Rough, arrivals: &[(Ringed, i64)]) -> Result<Attached, Fault> {
        let kernel = self.analysis.kernel;
        let mut copies: Vec<(Step, i64)> = Vec::new();
        let mut boxes = Vec::new();
        let mut with = vec![Vec::new(); arrivals.len()];
        for it in ring.steps.iter().filter(|it| it.action == Action::Copy) {
            let step = it.step;
            let expects = arrivals.iter().position(|(arrival, shift)| {
                it.choices.contains(shift)
                    && self.is_before(&arrival.step, &step)
                    && (implies(kernel, step.guard, arrival.step.guard)
                        || self.goes_with(&step, &arrival.step, 0, None))
            });
            let Some(index) = expects else {
                let text = "no arrival before this copy, by the same thread, expects its bytes";
                return fault(step.op, text);
            };
            with[index].push(step);
            copies.push((step, arrivals[index].1));
        }
        for ((arrival, _), copies) in arrivals.iter().zip(with) {
            if let Some(copy) = copies.iter().find(|it| self.is_unsized(it.op)) {
                let Some(own) = self.boxes_of(ring, arrival, &copies) else {
                    let text = "how many bytes this tensor copy brings could not be told";
                    return fault(copy.op, text);
                };
                boxes.extend(own);
            }
            if !copies.is_empty() && !self.expects_all(arrival, &copies) {
                let text = "this arrival may expect fewer bytes than are then copied";
                return fault(arrival.step.op, text);
            }
        }
        Ok((copies, boxes))
    }

    /// Whether a copy does not say how many bytes it writes.
    fn is_unsized(&self, copy: OpId) -> bool {
        let kernel = self.analysis.kernel;
        let OpKind::AsyncCopy(copy) = &kernel[copy].kind else { return false };
        matches!(kernel[copy.size].kind, ExprKind::Undef(_))
    }

    /// The bytes that the tensor copies of one phase write at most, if they bring together what is
    /// expected beside the others, and each leaves alone where others of the ring write, and the
    /// barrier objects; `None` where they cannot.
    fn boxes_of(
        &self,
        ring: &Rough,
        arrival: &Ringed,
        copies: &[Step],
    ) -> Option<Vec<(OpId, u64)>> {
        let Action::Arrive(Some(bytes)) = arrival.action else { return None };
        let kernel = self.analysis.kernel;
        let number = |id: ExprId| u64::try_from(kernel.exprs.as_const(id)?).ok();
        let mut left = number(bytes)?;
        for it in copies.iter().filter(|it| !self.is_unsized(it.op)) {
            let OpKind::AsyncCopy(copy) = &kernel[it.op].kind else { return None };
            left = left.checked_sub(number(copy.size)?)?;
        }
        let mut boxes = Vec::new();
        for it in copies.iter().filter(|it| self.is_unsized(it.op)) {
            boxes.push((it.op, self.room(ring, it.op)?.min(left)));
        }
        let all = boxes.iter().fold(0, |all: u64, (_, bytes)| all.saturating_add(*bytes));
        (all >= left).then_some(boxes)
    }

    /// The bytes from where a copy writes to the next thing that it leaves alone.
    fn room(&self, ring: &Rough, copy: OpId) -> Option<u64> {
        let kernel = self.analysis.kernel;
        let starts = &ring.steps.iter().find(|it| it.step.op == copy)?.to;
        let mut room = u64::MAX;
        for (own, start) in starts {
            let beyond = kernel[*own].size.and_then(|size| size.checked_sub(*start));
            let of_ring = ring.steps.iter().flat_map(|it| &it.to).filter(|(of, _)| of == own);
            let gaps = of_ring.filter_map(|(_, other)| other.checked_sub(*start));
            room = gaps.filter(|gap| *gap > 0).chain(beyond).fold(room, u64::min);
            for (_, slot) in self.slots.iter().filter(|(of, _)| of == own) {
                match slot.checked_sub(*start) {
                    Some(gap) => room = room.min(gap),
                    // It may begin inside of a barrier object.
                    None if start - slot < BARRIER_OBJECT_BYTES => return None,
                    None => {}
                }
            }
        }
        (!starts.is_empty() && room > 0).then_some(room)
    }

    fn expects_all(&mut self, arrival: &Ringed, copies: &[Step]) -> bool {
        let kernel = self.analysis.kernel;
        let Action::Arrive(Some(bytes)) = arrival.action else { return false };
        let mut instance = self.instance(Placement::SameThread);
        let j = number(&mut instance);
        let frame = at_number(&mut instance, Thread::One, arrival.step.of, 0, j);
        instance.state_executed(arrival.step.op, frame);
        let expected = instance.at(frame, bytes);
        let expected = instance.pool.resize(expected, 64);
        let mut sum = instance.pool.constant(0, 64);
        for copy in copies {
            let OpKind::AsyncCopy(copy) = &kernel[copy.op].kind else { return false };
            if matches!(kernel[copy.size].kind, ExprKind::Undef(_)) {
                // It brings what is expected beside the others ([`Assumption::TensorBoxes`]).
                continue;
            }
            let size = instance.at(frame, copy.size);
            sum = instance.pool.add(sum, size);
        }
        let fewer = instance.pool.ult(expected, sum);
        instance.state(fewer);
        self.never(instance)
    }

    /// Who arrives: at most as many as are counted, once each.
    fn members(&mut self, ring: &Rough, arrivals: &[(Ringed, i64)]) -> Result<Members, Fault> {
        let kernel = self.analysis.kernel;
        for (it, shift) in arrivals.iter().filter(|(_, shift)| *shift < 0) {
            if !self.waits_until(&it.step, -*shift) {
                return fault(it.step.op, "the phases of this arrival could not be told");
            }
        }
        for (index, (a, x)) in arrivals.iter().enumerate() {
            for (b, y) in &arrivals[index + 1..] {
                let mut instance = self.instance(Placement::SameThread);
                let j = number(&mut instance);
                for (step, shift) in [(&a.step, *x), (&b.step, *y)] {
                    state_step(&mut instance, Thread::One, step, shift, j);
                }
                if !self.never(instance) {
                    return fault(b.step.op, "a thread may arrive twice in one phase");
                }
            }
        }
        let mut candidates = vec![Members::One];
        if kernel.exprs.as_const(ring.count) != Some(1) {
            let mut firsts = BTreeSet::from([0]);
            for (arrival, _) in arrivals {
                self.compared(arrival.step.guard, &mut firsts);
                if let Some(of) = arrival.step.of {
                    self.compared(kernel[of].pred, &mut firsts);
                }
            }
            let threads = firsts.iter().map(|it| Members::Threads(*it));
            let of_size = |size: u32| firsts.iter().copied().filter(move |it| it % size == 0);
            let warps = of_size(32).map(Members::Warps);
            let warpgroups = of_size(WARPGROUP).map(Members::Warpgroups);
            candidates = threads.chain(warps).chain(warpgroups).collect();
        }
        let fits = |claims: &mut Self, members: Members| {
            arrivals.iter().all(|(it, _)| claims.is_below(ring, it, members))
                && arrivals.iter().enumerate().all(|(index, a)| {
                    arrivals[index..].iter().all(|b| claims.is_one_each(a, b, members))
                })
        };
        match candidates.into_iter().find(|members| fits(self, *members)) {
            Some(members) => Ok(members),
            None => fault(
                arrivals[0].0.step.op,
                "more threads may arrive at this barrier object than it counts",
            ),
        }
    }

    /// Constants that a condition compares with, small ones.
    fn compared(&self, guard: ExprId, firsts: &mut BTreeSet<u32>) {
        let kernel = self.analysis.kernel;
        let mut work = vec![guard];
        while let Some(id) = work.pop() {
            if let ExprKind::Cmp(_, a, b) = kernel[id].kind {
                for value in [a, b].into_iter().filter_map(|it| kernel.exprs.as_const(it)) {
                    // The index of a thread, of a warp or of a warpgroup.
                    let all =
                        [value, value + 1].map(|it| [1, 32, 128].map(|by| it.saturating_mul(by)));
                    let small = all.concat().into_iter().filter(|it| *it < 1024);
                    firsts.extend(small.filter_map(|it| u32::try_from(it).ok()));
                }
            } else if kernel.exprs.width(id) == 1 {
                kernel.exprs.for_each_operand(id, |it| work.push(it));
            }
        }
    }
}
