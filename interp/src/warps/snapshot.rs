//! States of a run, and whether a later one is an earlier one moved along the family.
//!
//! Induction over a period of a run asks: is the state one period later the same, but for numbers
//! that have grown by fixed steps? [`Warps::generalize`] makes the earlier state one that stands
//! for both and all that follow: the second coordinate of the family counts periods, and each value
//! has the step by which it grew as its slope there. [`Warps::is_moved_from`] then says, a period
//! later, whether the state is that one with one run less to go and one period more after it.
//!
//! **Promises.** A value that does not keep to its step is [`Widened`]: unknown from the earlier
//! state on, which is always allowed. A value that is not needed any more costs nothing that way.

use std::collections::BTreeSet;

use heddle_ir::{ExprId, OpId, mask, sign_extend};
use rustc_hash::FxHashSet;

use crate::stop::Unknown;

use super::family::Family;
use super::memory::{Memory, Place as MemoryPlace};
use super::value::{LANES, Slope, Value};
use super::{Flow, FlowId, Warp, Warps};

/// What warps know and where they are.
#[derive(Clone, Debug)]
pub struct Snapshot {
    warps: Vec<Warp>,
    flows: Vec<Flow>,
    memory: Memory,
}

/// Where the flows of a run are, without how often they have been there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// By flow that is under way: its warp, and its frames.
    flows: Vec<(usize, Vec<FramePlace>)>,
    /// By warp: lanes that have not ended.
    live: Vec<u32>,
}

/// Of a frame: loop, next step, lanes, whether it asked.
type FramePlace = (Option<u32>, usize, u32, bool);

/// Values that are taken for unknown from the earlier state on.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Widened {
    slots: BTreeSet<(usize, u32, usize)>,
    bytes: FxHashSet<(MemoryPlace, u64)>,
}

impl Widened {
    /// Adds those of another; whether there were new ones.
    pub fn add(&mut self, more: Widened) -> bool {
        let before = self.slots.len() + self.bytes.len();
        self.slots.extend(more.slots);
        self.bytes.extend(more.bytes);
        before < self.slots.len() + self.bytes.len()
    }
}

impl Warps<'_> {
    /// The state as it is.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            warps: self.warps.clone(),
            flows: self.flows.clone(),
            memory: self.memory.clone(),
        }
    }

    /// Where the flows are.
    pub fn place(&self) -> Place {
        let frames = |flow: &Flow| {
            flow.frames.iter().map(|it| (it.of, it.next, it.lanes, it.asked)).collect()
        };
        Place {
            flows: under_way(&self.flows).map(|flow| (flow.warp, frames(flow))).collect(),
            live: self.warps.iter().map(|warp| warp.live).collect(),
        }
    }

    /// Makes the present state, which is `now`, one that stands for `now` and `later` and all that
    /// follow by the same steps; `family` is the family from here on.
    pub fn generalize(
        &mut self,
        now: &Snapshot,
        later: &Snapshot,
        widened: &Widened,
        family: Family,
    ) {
        let cause = self.family_cause;
        self.family = Some(family);
        for (number, warp) in self.warps.iter_mut().enumerate() {
            for (slot, value) in warp.slots.iter_mut().enumerate() {
                let width = self.kernel.exprs.width(self.plan.exprs[slot]);
                let [a, b] = [now, later].map(|it| &it.warps[number].slots[slot]);
                for lane in 0..LANES {
                    let open = widened.slots.contains(&(number, slot as u32, lane));
                    let general = match (a.affine(lane), b.affine(lane)) {
                        (Ok(a), Ok(b)) if !open && a.1 == b.1 => Ok((a.0, stepped(a, b, width))),
                        (Ok(_), _) => Err(cause),
                        (Err(of), _) => Err(of),
                    };
                    value.set_affine(lane, general, cause);
                }
            }
        }
        let keeps = |at: &(MemoryPlace, u64)| {
            let [a, b] = [now, later].map(|it| it.memory.bytes.get(at));
            matches!((a, b), (Some(Ok(a)), Some(Ok(b))) if a == b) && !widened.bytes.contains(at)
        };
        self.memory.widen(keeps, cause);
    }

    /// Whether the present state is a generalized one with one run less along the first coordinate
    /// and one more along the second: if not, the values that are to be taken for unknown there.
    /// None if nothing of that kind helps.
    pub fn is_moved_from(&self, general: &Snapshot) -> Option<Widened> {
        let mut widened = Widened::default();
        for (number, (warp, from)) in self.warps.iter().zip(&general.warps).enumerate() {
            for (slot, (value, from)) in warp.slots.iter().zip(&from.slots).enumerate() {
                let width = self.kernel.exprs.width(self.plan.exprs[slot]);
                for lane in 0..LANES {
                    let Ok((bits, slope)) = from.affine(lane) else { continue };
                    let moved = bits.wrapping_sub(slope[0] as u64).wrapping_add(slope[1] as u64);
                    let moved = mask(u128::from(moved), width) as u64;
                    if value.affine(lane) != Ok((moved, slope)) {
                        widened.slots.insert((number, slot as u32, lane));
                    }
                }
            }
        }
        widened.bytes.extend(general.memory.known_but_in(&self.memory));
        let same_lost = self.memory.lost.len() == general.memory.lost.len();
        (same_lost && self.has_moved_evenly(&general.flows)).then_some(widened)
    }

    /// The flows of one warp have all gone through as many iterations more: how they stand to each
    /// other is the same.
    fn has_moved_evenly(&self, before: &[Flow]) -> bool {
        let steps = |flow: &Flow, before: &Flow| -> Vec<u64> {
            let pairs = flow.frames.iter().zip(&before.frames);
            pairs.map(|(now, then)| now.iteration.wrapping_sub(then.iteration)).collect()
        };
        let all: Vec<(usize, Vec<u64>)> = under_way(&self.flows)
            .zip(under_way(before))
            .map(|(flow, before)| (flow.warp, steps(flow, before)))
            .collect();
        all.iter().all(|(warp, steps)| {
            let others = all.iter().filter(|it| it.0 == *warp);
            others.into_iter().all(|(_, of)| of.iter().zip(steps).all(|(a, b)| a == b))
        })
    }

    /// From here on, one run less to go is no question any more: the first coordinate stays at its
    /// origin.
    pub fn conclude(&mut self, family: Family) {
        let cause = self.family_cause;
        self.family = Some(family);
        for value in self.warps.iter_mut().flat_map(|warp| &mut warp.slots) {
            for lane in (0..LANES).filter(|_| value.is_affine()).collect::<Vec<_>>() {
                let flat = value.affine(lane).map(|(bits, slope)| (bits, [0, slope[1], slope[2]]));
                value.set_affine(lane, flat, cause);
            }
        }
    }

    /// As [`answer`](Warps::answer), with the step by which the value grows in each period.
    pub fn answer_stepped(&mut self, flow: FlowId, op: OpId, lanes: u32, value: u64, step: i64) {
        let cause = self.family_cause;
        let mut all = Value::unknown(cause);
        for lane in 0..LANES {
            all.set_affine(lane, Ok((value, [0, step, 0])), cause);
        }
        let warp = &mut self.warps[self.flows[flow.0 as usize].warp];
        for (_, slot) in self.plan.results[op].iter().filter(|it| it.0 == 0) {
            warp.slots[*slot as usize].take(lanes, &all);
        }
    }

    /// As [`value`](Warps::value), of one that grows by a step in each period.
    pub fn stepped_value(
        &self,
        flow: FlowId,
        expr: ExprId,
        lane: usize,
        step: i64,
    ) -> Result<u64, Unknown> {
        let warp = &self.warps[self.flows[flow.0 as usize].warp];
        if let Some(slot) = self.plan.slot_if_needed(expr)
            && let Ok((bits, slope)) = warp.slots[slot as usize].affine(lane)
            && slope == [0, step, 0]
        {
            return Ok(bits);
        }
        match step {
            0 => self.value(flow, expr, lane),
            _ => Err(self.causes.get(self.family_cause)),
        }
    }

    /// An operation touches something outside shared memory that is not known.
    pub fn blur_outside(&mut self, op: OpId, why: Unknown) {
        self.blurred.entry(op).or_insert(why);
    }
}

/// Flows that have not ended, in their order.
fn under_way(flows: &[Flow]) -> impl Iterator<Item = &Flow> {
    flows.iter().filter(|flow| !flow.frames.is_empty())
}

/// The slope of a value that is `a` now and `b` a period later: with one run less to go and one
/// period more after it.
fn stepped(a: (u64, Slope), b: (u64, Slope), width: u8) -> Slope {
    let step = b.0.wrapping_sub(a.0).wrapping_add(a.1[0] as u64);
    let step = sign_extend(mask(u128::from(step), width), width) as i64;
    [a.1[0], step, a.1[2]]
}
