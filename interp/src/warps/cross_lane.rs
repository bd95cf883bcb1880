//! Exchanges among the lanes of a flow. What needs lanes of other flows is not known.

use heddle_ir::{CrossLane, CrossLaneKind, OpId};

use crate::stop::{Cause, Unknown};

use super::Warps;
use super::value::ones;

impl Warps<'_> {
    /// `doing` are the lanes that do it, `active` those of the flow.
    pub(super) fn cross_lane(
        &mut self,
        warp: usize,
        op: OpId,
        cross: &CrossLane,
        doing: u32,
        active: u32,
    ) {
        let results = self.plan.results[op].clone();
        if results.is_empty() || doing == 0 {
            return;
        }
        let cause = self.causes.of(Unknown::Op(op));
        let live = self.warps[warp].live;
        for lane in ones(doing) {
            let mask = match cross.mask {
                Some(mask) => self.lane(warp, mask, lane).map(|it| it as u32),
                None => Ok(active),
            };
            // Lanes that the mask names, and that are elsewhere in the program, may bring anything.
            let group = mask.and_then(|it| {
                let present = it & live;
                if present & !doing == 0 { Ok(present) } else { Err(cause) }
            });
            let answers = group.map(|group| self.exchange(warp, cross, group, lane, cause));
            for (index, slot) in &results {
                let value = match &answers {
                    Ok(answers) => answers.get(*index as usize).copied().unwrap_or(Err(cause)),
                    Err(cause) => Err(*cause),
                };
                self.warps[warp].slots[*slot as usize].set(lane, value);
            }
        }
    }

    fn exchange(
        &self,
        warp: usize,
        cross: &CrossLane,
        group: u32,
        lane: usize,
        cause: Cause,
    ) -> Vec<Result<u64, Cause>> {
        let arg = |index: usize, lane: usize| match cross.args.get(index) {
            Some(expr) => self.lane(warp, *expr, lane),
            None => Err(cause),
        };
        let all = |index: usize| -> Result<Vec<u64>, Cause> {
            ones(group).map(|lane| arg(index, lane)).collect()
        };
        let gather = |f: &dyn Fn(&[u64]) -> u64| all(0).map(|values| f(&values));
        let width = cross.args.first().map_or(32, |expr| self.kernel.exprs.width(*expr));
        let signed = |x: u64| heddle_ir::sign_extend(u128::from(x), width);
        let bit = |it: bool| u64::from(it);
        match cross.kind {
            CrossLaneKind::ShuffleIdx
            | CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly => {
                let (Ok(by), Ok(segment)) = (arg(1, lane), arg(2, lane)) else {
                    return vec![Err(cause), Err(cause)];
                };
                let (source, in_range) =
                    shuffled(cross.kind, lane as u32, by as u32, segment as u32);
                let source = if in_range { source } else { lane as u32 };
                let value = if source < self.size && group >> source & 1 == 1 {
                    arg(0, source as usize)
                } else {
                    Err(cause)
                };
                vec![value, Ok(bit(in_range))]
            }
            CrossLaneKind::VoteAll => vec![gather(&|it| bit(it.iter().all(|x| x & 1 == 1)))],
            CrossLaneKind::VoteAny => vec![gather(&|it| bit(it.iter().any(|x| x & 1 == 1)))],
            CrossLaneKind::VoteUniform => {
                vec![gather(&|it| bit(it.windows(2).all(|pair| pair[0] == pair[1])))]
            }
            CrossLaneKind::Ballot => {
                let lanes = ones(group).collect::<Vec<_>>();
                let ballot = all(0).map(|values| {
                    let voted = lanes.iter().zip(&values).filter(|(_, x)| *x & 1 == 1);
                    voted.fold(0, |bits, (lane, _)| bits | 1u64 << lane)
                });
                vec![ballot]
            }
            CrossLaneKind::ReduceAdd => vec![gather(&|it| {
                it.iter().fold(0u64, |sum, x| sum.wrapping_add(*x))
                    & (u64::MAX >> (64 - width.min(64)))
            })],
            CrossLaneKind::ReduceUMin => vec![gather(&|it| it.iter().copied().min().unwrap_or(0))],
            CrossLaneKind::ReduceUMax => vec![gather(&|it| it.iter().copied().max().unwrap_or(0))],
            CrossLaneKind::ReduceSMin => {
                vec![gather(&|it| it.iter().copied().min_by_key(|x| signed(*x)).unwrap_or(0))]
            }
            CrossLaneKind::ReduceSMax => {
                vec![gather(&|it| it.iter().copied().max_by_key(|x| signed(*x)).unwrap_or(0))]
            }
            CrossLaneKind::ReduceAnd => {
                vec![gather(&|it| it.iter().fold(u64::MAX >> (64 - width.min(64)), |a, x| a & x))]
            }
            CrossLaneKind::ReduceOr => vec![gather(&|it| it.iter().fold(0, |a, x| a | x))],
            CrossLaneKind::ReduceXor => vec![gather(&|it| it.iter().fold(0, |a, x| a ^ x))],
            CrossLaneKind::Elect => {
                let leader = group.trailing_zeros();
                vec![Ok(u64::from(leader)), Ok(bit(leader == lane as u32))]
            }
            // Which lanes happen to be together is the hardware's choice.
            CrossLaneKind::ActiveMask => vec![Err(cause)],
            CrossLaneKind::MatchAny | CrossLaneKind::MatchAll => vec![Err(cause), Err(cause)],
        }
    }
}

/// The source lane of a shuffle, and whether it is in range (PTX ISA 9.7.9.6).
fn shuffled(kind: CrossLaneKind, lane: u32, by: u32, segment: u32) -> (u32, bool) {
    let (bound, segment) = (segment & 0x1f, segment >> 8 & 0x1f);
    let by = by & 0x1f;
    let top = (lane & segment) | (bound & !segment);
    let bottom = lane & segment;
    match kind {
        CrossLaneKind::ShuffleUp => {
            let source = lane.wrapping_sub(by);
            (source, source as i32 >= top as i32)
        }
        CrossLaneKind::ShuffleDown => (lane + by, lane + by <= top),
        CrossLaneKind::ShuffleBfly => (lane ^ by, lane ^ by <= top),
        CrossLaneKind::ShuffleIdx => {
            let source = bottom | (by & !segment);
            (source, source <= top)
        }
        CrossLaneKind::VoteAll
        | CrossLaneKind::VoteAny
        | CrossLaneKind::VoteUniform
        | CrossLaneKind::Ballot
        | CrossLaneKind::MatchAny
        | CrossLaneKind::MatchAll
        | CrossLaneKind::ReduceAdd
        | CrossLaneKind::ReduceUMin
        | CrossLaneKind::ReduceUMax
        | CrossLaneKind::ReduceSMin
        | CrossLaneKind::ReduceSMax
        | CrossLaneKind::ReduceAnd
        | CrossLaneKind::ReduceOr
        | CrossLaneKind::ReduceXor
        | CrossLaneKind::Elect
        | CrossLaneKind::ActiveMask => unreachable!("{kind} has no source lane"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffles_stay_in_their_segment() {
        assert_eq!(shuffled(CrossLaneKind::ShuffleIdx, 9, 0, 0x1f), (0, true));
        assert!(!shuffled(CrossLaneKind::ShuffleUp, 0, 1, 0).1);
        assert_eq!(shuffled(CrossLaneKind::ShuffleUp, 5, 2, 0), (3, true));
        assert!(!shuffled(CrossLaneKind::ShuffleDown, 31, 1, 0x1f).1);
        let halves = (16 << 8) | 0x1f;
        assert_eq!(shuffled(CrossLaneKind::ShuffleIdx, 20, 3, halves), (19, true));
        assert_eq!(shuffled(CrossLaneKind::ShuffleBfly, 20, 1, halves), (21, true));
    }
}
