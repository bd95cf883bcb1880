//! Exchanges among the lanes of a warp (PTX ISA, sections 9.7.9.6 and 9.7.13.8 to 9.7.13.12).
//!
//! A lane exchanges with those that execute the same operation with the same mask. Where a lane of the mask that
//! has not returned is not there, where a lane is not in its own mask, and where a shuffle reads a lane that is not there,
//! the result is not defined: unknown. `elect` chooses the lowest lane, `activemask` says who is there in lock-step; the
//! hardware may answer otherwise.

use std::rc::Rc;

use heddle_ir::{BinOp, CrossLane, CrossLaneKind, OpId, fold_binary, mask};
use smallvec::SmallVec;

use super::barrier::unsupported;
use super::{Done, Machine, Threads};
use crate::column::{Column, ColumnBuilder, Range};
use crate::stop::{Cause, Unknown};

/// The lanes of a warp that exchange with each other.
struct Group<'a> {
    /// Number of the warp's first thread.
    base: u32,
    /// The lanes, as bits.
    lanes: u64,
    args: &'a [Rc<Column>],
    width: u8,
    undefined: Cause,
}

type Value = Result<u128, Cause>;

impl Machine<'_> {
    pub(super) fn cross_lane(
        &mut self,
        id: OpId,
        exchange: &CrossLane,
        active: &Threads,
        range: Range,
    ) -> Done {
        let Some(lanes) = self.launch.warp_size else {
            return unsupported(id, "the size of a warp is not known");
        };
        let CrossLane { kind, mask, args } = exchange;
        let args: SmallVec<[Rc<Column>; 3]> = args.iter().map(|arg| self.get(*arg)).collect();
        let masks = mask.map(|mask| self.get(mask));
        let undefined = self.cause(Unknown::Op(id));
        let kernel = self.kernel;
        let mut results: SmallVec<[ColumnBuilder; 2]> = kernel[id]
            .results
            .iter()
            .map(|width| self.results_builder(id, *width, active, range))
            .collect();
        let mut at = 0;
        while at < active.len() {
            let warp = active[at] / lanes;
            let rest = active[at..].iter().take_while(|thread| **thread / lanes == warp).count();
            let members = &active[at..at + rest];
            at += rest;
            let base = warp * lanes;
            let here = members.iter().fold(0u64, |all, thread| all | 1 << (thread - base));
            let alive = self.alive(base, lanes);
            for &thread in members {
                let lane = thread - base;
                let own_mask = masks.as_ref().map_or(Ok(u128::from(here)), |it| it.get(thread));
                let same = |own: u128| {
                    members
                        .iter()
                        .filter(|other| masks.as_ref().is_none_or(|it| it.get(**other) == Ok(own)))
                        .fold(0u64, |all, other| all | 1 << (other - base))
                };
                let group = match own_mask {
                    Ok(own) => {
                        let group = same(own) & own as u64;
                        let absent = own as u64 & alive & !group;
                        match group >> lane & 1 == 1 && absent == 0 {
                            true => Ok(group),
                            false => Err(undefined),
                        }
                    }
                    Err(cause) => Err(cause),
                };
                let values = match group {
                    Ok(lanes) => {
                        let width = args.first().map_or(32, |it| it.width);
                        let group = Group { base, lanes, args: &args, width, undefined };
                        group.results(*kind, lane)
                    }
                    Err(cause) => [Err(cause); 2],
                };
                for (builder, value) in results.iter_mut().zip(values) {
                    builder.set(thread, value);
                }
            }
        }
        let columns = results.into_iter().map(|builder| Rc::new(builder.finish()));
        self.values.set_results(id, columns.collect());
        Ok(())
    }

    /// The lanes of a warp that exist and have not returned.
    fn alive(&self, base: u32, lanes: u32) -> u64 {
        let end = (base + lanes).min(self.launch.threads());
        let alive = (base..end).filter(|thread| !self.exited[*thread as usize]);
        alive.fold(0, |all, thread| all | 1 << (thread - base))
    }
}

impl Group<'_> {
    fn arg(&self, index: usize, lane: u32) -> Value {
        self.args[index].get(self.base + lane)
    }

    fn members(&self) -> impl Iterator<Item = u32> + '_ {
        (0..64).filter(|lane| self.lanes >> lane & 1 == 1)
    }

    /// The lanes for which the first operand is one.
    fn ballot(&self) -> Value {
        self.members().try_fold(0, |all, lane| Ok(all | self.arg(0, lane)? << lane))
    }

    fn fold(&self, op: BinOp) -> Value {
        let mut values = self.members().map(|lane| self.arg(0, lane));
        let first = values.next().unwrap_or(Err(self.undefined))?;
        values.try_fold(first, |all, value| Ok(fold_binary(op, all, value?, self.width)))
    }

    /// Both results of a lane; a kind with one repeats it.
    fn results(&self, kind: CrossLaneKind, lane: u32) -> [Value; 2] {
        let lanes = u128::from(self.lanes);
        let one = |value: Value| [value, value];
        let any = |wanted: u128| self.members().any(|lane| self.arg(0, lane) == Ok(wanted));
        match kind {
            CrossLaneKind::ShuffleIdx
            | CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly => self.shuffle(kind, lane),
            CrossLaneKind::VoteAll if any(0) => one(Ok(0)),
            CrossLaneKind::VoteAny if any(1) => one(Ok(1)),
            CrossLaneKind::VoteUniform if any(0) && any(1) => one(Ok(0)),
            CrossLaneKind::VoteAll => one(self.ballot().map(|ones| u128::from(ones == lanes))),
            CrossLaneKind::VoteAny => one(self.ballot().map(|ones| u128::from(ones != 0))),
            CrossLaneKind::VoteUniform => {
                one(self.ballot().map(|ones| u128::from(ones == 0 || ones == lanes)))
            }
            CrossLaneKind::Ballot => one(self.ballot()),
            CrossLaneKind::MatchAny => one(self.equal_to(lane)),
            CrossLaneKind::MatchAll => {
                let all = self.equal_to(lane).map(|equal| equal == lanes);
                [all.map(|all| if all { lanes } else { 0 }), all.map(u128::from)]
            }
            CrossLaneKind::ReduceAdd => one(self.fold(BinOp::Add)),
            CrossLaneKind::ReduceUMin => one(self.fold(BinOp::UMin)),
            CrossLaneKind::ReduceUMax => one(self.fold(BinOp::UMax)),
            CrossLaneKind::ReduceSMin => one(self.fold(BinOp::SMin)),
            CrossLaneKind::ReduceSMax => one(self.fold(BinOp::SMax)),
            CrossLaneKind::ReduceAnd => one(self.fold(BinOp::And)),
            CrossLaneKind::ReduceOr => one(self.fold(BinOp::Or)),
            CrossLaneKind::ReduceXor => one(self.fold(BinOp::Xor)),
            CrossLaneKind::Elect => {
                let leader = self.lanes.trailing_zeros();
                [Ok(u128::from(leader)), Ok(u128::from(leader == lane))]
            }
            CrossLaneKind::ActiveMask => one(Ok(lanes)),
        }
    }

    /// The lanes of the group whose first operand is this lane's.
    fn equal_to(&self, lane: u32) -> Value {
        let own = self.arg(0, lane)?;
        self.members()
            .try_fold(0, |all, other| Ok(all | u128::from(self.arg(0, other)? == own) << other))
    }

    /// As PTX defines `shfl`: the clamp in bits 0 to 4 of the last operand, the segment mask in bits 8 to 12.
    fn shuffle(&self, kind: CrossLaneKind, lane: u32) -> [Value; 2] {
        let (b, c) = match (self.arg(1, lane), self.arg(2, lane)) {
            (Ok(b), Ok(c)) => (mask(b, 5) as i64, c),
            (Err(cause), _) | (_, Err(cause)) => return [Err(cause); 2],
        };
        let (clamp, segment) = (mask(c, 5) as i64, mask(c >> 8, 5) as i64);
        let own = i64::from(lane);
        let last = own & segment | clamp & !segment;
        let first = own & segment;
        let (source, in_range) = match kind {
            CrossLaneKind::ShuffleUp => (own - b, own - b >= last),
            CrossLaneKind::ShuffleDown => (own + b, own + b <= last),
            CrossLaneKind::ShuffleBfly => (own ^ b, own ^ b <= last),
            // `idx`; only shuffles come here.
            _ => {
                let source = first | b & !segment;
                (source, source <= last)
            }
        };
        let source = if in_range { source } else { own };
        let is_there = (0..64).contains(&source) && self.lanes >> source & 1 == 1;
        let value = if is_there { self.arg(0, source as u32) } else { Err(self.undefined) };
        [value, Ok(u128::from(in_range))]
    }
}
