//! Exchanges among the lanes of a warp (PTX ISA, sections 9.7.9.6 and 9.7.13.8 to 9.7.13.12).
//!
//! A lane exchanges with those that execute the same operation with the same mask. Where a lane of
//! the mask that has not returned is not there, where a lane is not in its own mask, and where a
//! shuffle reads a lane that is not there, the result is not defined: unknown. `elect` chooses the
//! lowest lane, `activemask` says who is there in lock-step; the hardware may answer otherwise.

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
    /// All lanes of the mask that have not returned are there.
    complete: bool,
    args: &'a [Rc<Column>],
    undefined: Cause,
    /// The answer, where it is the same for all.
    common: Option<[Value; 2]>,
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
            let same = |own: u128| match &masks {
                None => here,
                Some(masks) if masks.as_uniform().is_some() => here,
                Some(masks) => members
                    .iter()
                    .filter(|other| masks.get(**other) == Ok(own))
                    .fold(0u64, |all, other| all | 1 << (other - base)),
            };
            // Neighbours nearly always have one mask, and then one group.
            let mut last: Option<(u128, Group<'_>)> = None;
            for &thread in members {
                let lane = thread - base;
                let own = match masks.as_ref().map_or(Ok(u128::from(here)), |it| it.get(thread)) {
                    Ok(own) => own,
                    Err(cause) => {
                        results.iter_mut().for_each(|builder| builder.set(thread, Err(cause)));
                        continue;
                    }
                };
                let group = match last.take() {
                    Some((known, group)) if known == own => group,
                    Some(_) | None => {
                        let lanes = same(own) & own as u64;
                        let complete = own as u64 & alive & !lanes == 0;
                        Group::new(*kind, base, lanes, complete, &args, undefined)
                    }
                };
                for (builder, value) in results.iter_mut().zip(group.results(*kind, lane)) {
                    builder.set(thread, value);
                }
                last = Some((own, group));
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

impl<'a> Group<'a> {
    fn new(
        kind: CrossLaneKind,
        base: u32,
        lanes: u64,
        complete: bool,
        args: &'a [Rc<Column>],
        undefined: Cause,
    ) -> Group<'a> {
        let mut group = Group { base, lanes, complete, args, undefined, common: None };
        if complete {
            group.common = group.common(kind);
        }
        group
    }

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
        let width = self.args[0].width;
        values.try_fold(first, |all, value| Ok(fold_binary(op, all, value?, width)))
    }

    /// Both results of a lane; a kind with one repeats it.
    fn results(&self, kind: CrossLaneKind, lane: u32) -> [Value; 2] {
        if !self.complete || self.lanes >> lane & 1 == 0 {
            return [Err(self.undefined); 2];
        }
        match (self.common, kind) {
            (Some(common), _) => common,
            (None, CrossLaneKind::MatchAny) => [self.equal_to(lane); 2],
            (None, CrossLaneKind::Elect) => {
                let leader = self.lanes.trailing_zeros();
                [Ok(u128::from(leader)), Ok(u128::from(leader == lane))]
            }
            (None, _) => self.shuffle(kind, lane),
        }
    }

    /// The results that are the same for all lanes of the group.
    fn common(&self, kind: CrossLaneKind) -> Option<[Value; 2]> {
        let lanes = u128::from(self.lanes);
        let any = |wanted: u128| self.members().any(|lane| self.arg(0, lane) == Ok(wanted));
        let value = match kind {
            CrossLaneKind::ShuffleIdx
            | CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly
            | CrossLaneKind::MatchAny
            | CrossLaneKind::Elect => return None,
            CrossLaneKind::VoteAll if any(0) => Ok(0),
            CrossLaneKind::VoteAny if any(1) => Ok(1),
            CrossLaneKind::VoteUniform if any(0) && any(1) => Ok(0),
            CrossLaneKind::VoteAll => self.ballot().map(|ones| u128::from(ones == lanes)),
            CrossLaneKind::VoteAny => self.ballot().map(|ones| u128::from(ones != 0)),
            CrossLaneKind::VoteUniform => {
                self.ballot().map(|ones| u128::from(ones == 0 || ones == lanes))
            }
            CrossLaneKind::Ballot => self.ballot(),
            CrossLaneKind::MatchAll => {
                let all = self.equal_to(self.lanes.trailing_zeros()).map(|equal| equal == lanes);
                return Some([all.map(|all| if all { lanes } else { 0 }), all.map(u128::from)]);
            }
            CrossLaneKind::ReduceAdd => self.fold(BinOp::Add),
            CrossLaneKind::ReduceUMin => self.fold(BinOp::UMin),
            CrossLaneKind::ReduceUMax => self.fold(BinOp::UMax),
            CrossLaneKind::ReduceSMin => self.fold(BinOp::SMin),
            CrossLaneKind::ReduceSMax => self.fold(BinOp::SMax),
            CrossLaneKind::ReduceAnd => self.fold(BinOp::And),
            CrossLaneKind::ReduceOr => self.fold(BinOp::Or),
            CrossLaneKind::ReduceXor => self.fold(BinOp::Xor),
            CrossLaneKind::ActiveMask => Ok(lanes),
        };
        Some([value; 2])
    }

    /// The lanes of the group whose first operand is this lane's.
    fn equal_to(&self, lane: u32) -> Value {
        let own = self.arg(0, lane)?;
        self.members()
            .try_fold(0, |all, other| Ok(all | u128::from(self.arg(0, other)? == own) << other))
    }

    /// As PTX defines `shfl`: the clamp in bits 0 to 4 of the last operand, the segment mask in
    /// bits 8 to 12.
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
            CrossLaneKind::ShuffleIdx => {
                let source = first | b & !segment;
                (source, source <= last)
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
        };
        let source = if in_range { source } else { own };
        let is_there = (0..64).contains(&source) && self.lanes >> source & 1 == 1;
        let value = if is_there { self.arg(0, source as u32) } else { Err(self.undefined) };
        [value, Ok(u128::from(in_range))]
    }
}
