//! Operations in which several threads or blocks meet: grid barriers, reductions over a block,
//! exchanges in a warp.
//!
//! A block is followed as one thread, so what the others contribute must be one known number for
//! each of them, and whether they come must be known: a thread that has returned contributes
//! nothing.

use std::ops::Range;

use heddle_ir::{CrossLane, CrossLaneKind, ExprId, OpId, Reduction};

use super::Refusal;
use super::code::BlockCode;
use super::flow::Meeting;
use super::translate::Thread;
use crate::blocks::{Action, Address, Expr, Operator};

impl BlockCode<'_, '_> {
    /// A counter of arrivals and a phase that blocks poll.
    pub(super) fn grid_barrier(&mut self, op: OpId) {
        let base = self.memory.len();
        let at = |location: usize| Address { base: base + location, count: 1, index: 0.into() };
        let (arrivals, phase) = (0, 1);
        let [mine, before, now] = [(); 3].map(|()| self.code.register());
        self.atomic(op, at(phase), Action::Load, Some(mine));
        let arrive = Action::Update { operator: Operator::Add, bits: 32, operand: 1.into() };
        self.atomic(op, at(arrivals), arrive, Some(before));
        let [last, wait, done] = [(); 3].map(|()| self.code.label());
        let others = self.thread.launch.shape.blocks() - 1;
        self.code.branch(Expr::binary(Operator::Equal, before, others), last, wait);
        self.code.place(last);
        self.atomic(op, at(arrivals), Action::Store(0.into()), None);
        let flipped = Expr::binary(Operator::Sub, 1, mine);
        self.atomic(op, at(phase), Action::Store(flipped), None);
        self.code.jump(done);
        self.code.place(wait);
        self.atomic(op, at(phase), Action::Load, Some(now));
        self.code.branch(Expr::binary(Operator::Equal, now, mine), wait, done);
        self.code.place(done);
    }

    /// A reduction over threads of which all but the leader have one known number.
    pub(super) fn reduce(
        &mut self,
        op: OpId,
        reduction: Reduction,
        of: ExprId,
    ) -> Result<(), Refusal> {
        let (mine, others) = self.mine_and_others(op, Meeting::Block, of)?;
        let (operator, bits) = match reduction {
            Reduction::Popc => (Operator::Add, 32),
            Reduction::And => (Operator::And, 32),
            Reduction::Or => (Operator::Or, 32),
        };
        let value = others.into_iter().fold(mine, |all, it| folded(operator, bits, all, it));
        self.set(op, value);
        Ok(())
    }

    pub(super) fn cross_lane(&mut self, op: OpId, cross: &CrossLane) -> Result<(), Refusal> {
        let unmodelled = || {
            let what = format!("`{}` decides a poll, and is not modelled here", cross.kind);
            Err(Refusal::unmodelled(what))
        };
        let Some(warps) = self.thread.launch.shape.warps() else { return unmodelled() };
        let lane = warps.lane(self.thread.number);
        match cross.kind {
            CrossLaneKind::ShuffleIdx => {
                let source = cross.args.get(1).and_then(|it| self.thread.number_of(*it));
                let whole = cross.args.get(2).and_then(|it| self.thread.number_of(*it)) == Some(31);
                if source != Some(u64::from(lane)) || !whole {
                    return unmodelled();
                }
                let value = self.thread.value(cross.args[0])?;
                self.set(op, value);
                if let Some(valid) = self.thread.results.get(&(op, 1)) {
                    self.code.assign(vec![(*valid, Expr::Constant(1))]);
                }
                Ok(())
            }
            CrossLaneKind::VoteAll | CrossLaneKind::VoteAny => {
                let full = cross.mask.and_then(|it| self.thread.number_of(it));
                if full != Some(u64::from(u32::MAX)) {
                    return unmodelled();
                }
                let (mine, others) = self.mine_and_others(op, Meeting::Warp, cross.args[0])?;
                let all = cross.kind == CrossLaneKind::VoteAll;
                let operator = if all { Operator::And } else { Operator::Or };
                let value = others.into_iter().fold(mine, |all, it| folded(operator, 1, all, it));
                self.set(op, value);
                Ok(())
            }
            CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly
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
            | CrossLaneKind::ActiveMask => unmodelled(),
        }
    }

    /// The leader's value of an expression, and the numbers that the other threads have which come
    /// to the operation as well.
    fn mine_and_others(
        &mut self,
        op: OpId,
        among: Meeting,
        of: ExprId,
    ) -> Result<(Expr, Vec<u64>), Refusal> {
        let threads = self.threads_of(among)?;
        let (launch, block, leader) = (self.thread.launch, self.thread.block, self.thread.number);
        let mut others = Vec::new();
        for number in threads.filter(|number| *number != leader) {
            let mut other = Thread::new(self.kernel, launch, block, number);
            if !self.comes_too(op, among, &mut other)? {
                continue;
            }
            let known = other.number_of(of);
            others.push(known.ok_or_else(|| {
                let what = "a value of several threads of the block decides a poll; a block is followed as one thread";
                Refusal::undecided(what)
            })?);
        }
        Ok((self.thread.value(of)?, others))
    }

    /// The numbers of the threads that meet, the leader among them.
    fn threads_of(&self, among: Meeting) -> Result<Range<u32>, Refusal> {
        match (among, self.thread.launch.shape.warps()) {
            (Meeting::Block, _) => Ok(0..self.thread.launch.shape.threads()),
            (Meeting::Warp, Some(warps)) => Ok(warps.threads_of(warps.warp(self.thread.number))),
            (Meeting::Warp, None) => {
                let what = "the size of a warp decides a poll; give `--warp-size …`";
                Err(Refusal::undecided(what))
            }
        }
    }

    /// Whether another thread comes to an operation each time that the leader does (`true`), or
    /// never (`false`).
    ///
    /// Each condition on the way is a number for that thread, or follows from what all threads
    /// know alike; a thread that may leave a loop before the leader is refused.
    fn comes_too(&self, op: OpId, among: Meeting, other: &mut Thread<'_>) -> Result<bool, Refusal> {
        let kernel = self.kernel;
        let around = self.flow.around(op);
        let ways = around.iter().map(|of| kernel[*of].pred).chain([kernel[op].pred]);
        let unknown = || {
            let what = "which threads of the block meet there decides a poll; a block is followed as one thread";
            Refusal::undecided(what)
        };
        for condition in ways.flat_map(|it| kernel.exprs.conjuncts(it)) {
            match other.number_of(condition) {
                Some(0) => return Ok(false),
                Some(_) => {}
                None if self.flow.is_uniform(condition, among) => {}
                None => return Err(unknown()),
            }
        }
        for condition in around.iter().flat_map(|of| kernel.exprs.conjuncts(kernel[*of].cont)) {
            let known = other.number_of(condition);
            if known == Some(0) || (known.is_none() && !self.flow.is_uniform(condition, among)) {
                return Err(unknown());
            }
        }
        Ok(true)
    }
}

fn folded(operator: Operator, bits: u8, all: Expr, it: u64) -> Expr {
    Expr::wide(operator, bits, all, it)
}
