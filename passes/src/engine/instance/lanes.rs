//! What lanes of a warp give each other: the bits of a ballot, and values by shuffle.
//!
//! **What**: of a vote of the whole warp, that its bit for a thread's lane is what the thread
//! voted; of a shuffle of the whole warp from one lane, that each thread gets what the thread in
//! that lane has, which is a thread of its own to the question ([`Thread::SourceOfOne`]); of a
//! shuffle of some lanes, the same, of a source that may be in other iterations; of the lanes
//! that are active or have an equal value, that the thread's own is one of them; of a match of the
//! whole warp, that two lanes name each other where they have one value, and have one mask then; of
//! two numbers of bits, that a part of the bits of a word are fewer than all of them.
//! **Method**: a whole warp exchanges where the mask names all lanes, and what guards the
//! exchange, the loops around it included, is one for the warp. So all threads of the warp are
//! there, in the same iterations. The source is lane zero, which each warp has, or the block is
//! made of whole warps. Some lanes exchange at the one shuffle that the kernel has.
//! **Sound because**: the PTX ISA says so of `vote.sync.ballot`, `match.any.sync`, `activemask`
//! and `shfl.sync.idx` (sections 9.7.9 and 9.7.13); lanes are numbered along the linear index of
//! the thread. Lanes of a mask meet at a shuffle with that mask, which need not be the same one
//! in the text: with one shuffle in the kernel it is, and the iteration of the source is left
//! open. A source that does not take part gives nothing. Where the sources of both threads are
//! one thread in one iteration, they have one mask and give one value; and nothing is said of two
//! masks else.
//! **Misses**: votes of a part of the warp; exchanges of the whole warp in code that some lanes
//! leave; shuffles from more than one lane, of which the first is followed.
//! **Assumes**: nothing of its own; that values are one for a warp is
//! [`crate::facts::uniformity`]'s claim.

use heddle_ir::{
    BinOp, CastOp, CmpOp, CrossLane, CrossLaneKind, ExprId, ExprKind, Op, OpId, OpKind, UnOp, mask,
};
use rustc_hash::FxHashSet;

use super::{FrameId, Instance, Meaning, Placement};
use crate::facts::thread::Thread;
use crate::facts::uniformity::{ANY_LANE, Varies};

/// Lanes of the warps that are followed here.
const LANES: u32 = 32;

/// Numbers of bits that are compared with each other at most.
const MOST_COUNTS: usize = 8;

/// Whom the two threads get values from.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The lane, where one was looked at.
    lane: [Option<ExprId>; 2],
    /// What the source has at the shuffle of some lanes: its iterations, mask and value.
    has: [Option<(Vec<ExprId>, ExprId, ExprId)>; 2],
    /// The condition under which the source is there, where it is not whenever its thread is.
    real: [Option<ExprId>; 2],
    /// Matches of the whole warp that the two threads did: where, which, and what each got.
    matches: Vec<(FrameId, OpId, ExprId)>,
}

impl Instance<'_> {
    /// What a thread gets from an exchange: a value of its own, of which the facts are stated.
    pub(super) fn exchanged(
        &mut self,
        frame: FrameId,
        id: ExprId,
        (op, index): (OpId, u32),
        lanes: &CrossLane,
    ) -> ExprId {
        let value = self.leaf(frame, id);
        if index != 0 || !self.follows_lanes() {
            return value;
        }
        match lanes.kind {
            CrossLaneKind::Ballot if self.is_of_whole_warp(op, lanes) => {
                self.state_vote(frame, op, value, lanes.args[0]);
            }
            CrossLaneKind::ShuffleIdx if self.is_of_whole_warp(op, lanes) => {
                self.state_source(frame, op, value, lanes);
            }
            CrossLaneKind::ShuffleIdx => self.state_source_of_some(frame, op, value, lanes),
            CrossLaneKind::ActiveMask | CrossLaneKind::MatchAny => {
                let executed = self.executed_in(frame, op);
                let given = self.and_is_there(executed, self.thread(frame));
                let lane = self.lane(self.thread(frame));
                let own = self.bit(value, lane);
                let fact = self.pool.implies(given, own);
                self.state(fact);
                if lanes.kind == CrossLaneKind::MatchAny && self.is_of_whole_warp(op, lanes) {
                    self.state_matches((frame, op, value), lanes.args[0]);
                }
            }
            CrossLaneKind::Ballot
            | CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly
            | CrossLaneKind::VoteAll
            | CrossLaneKind::VoteAny
            | CrossLaneKind::VoteUniform
            | CrossLaneKind::MatchAll
            | CrossLaneKind::ReduceAdd
            | CrossLaneKind::ReduceUMin
            | CrossLaneKind::ReduceUMax
            | CrossLaneKind::ReduceSMin
            | CrossLaneKind::ReduceSMax
            | CrossLaneKind::ReduceAnd
            | CrossLaneKind::ReduceOr
            | CrossLaneKind::ReduceXor
            | CrossLaneKind::Elect => {}
        }
        value
    }

    /// Whether lanes are what the PTX ISA says, and what is shown may look at them.
    fn follows_lanes(&self) -> bool {
        let analysis = self.analysis;
        analysis.launch.warp_size == Some(LANES)
            && !analysis.kernel.target.opencl
            && !analysis.order.ends_untold()
            && self.goal.is_none()
    }

    /// A condition, and that a thread is one of the run: a source of some lanes is only where they
    /// exchange.
    pub(crate) fn and_is_there(&mut self, given: ExprId, thread: Thread) -> ExprId {
        match self.sources.real[thread.member().index()] {
            Some(real) if thread.is_source() => self.pool.and(given, real),
            Some(_) | None => given,
        }
    }

    /// The lane of a source.
    pub(super) fn lane_of_source(&self, thread: Thread) -> Option<ExprId> {
        self.sources.lane[thread.member().index()].filter(|_| thread.is_source())
    }

    fn bit(&mut self, word: ExprId, place: ExprId) -> ExprId {
        let bits = self.pool.binary(BinOp::LShr, word, place);
        self.pool.cast(CastOp::Trunc, bits, 1)
    }

    /// Whether all lanes of a warp do an exchange with each other, or none of them.
    fn is_of_whole_warp(&self, op: OpId, lanes: &CrossLane) -> bool {
        let (kernel, order) = (self.analysis.kernel, &self.analysis.order);
        let all = lanes.mask.and_then(|mask| kernel.exprs.as_const(mask));
        all == Some(u128::from(u32::MAX))
            && self.analysis.uniformity.done_together(kernel, order, op)
    }

    /// The bit of a thread's lane is what the thread votes.
    fn state_vote(&mut self, frame: FrameId, op: OpId, ballot: ExprId, vote: ExprId) {
        let votes = self.executed_in(frame, op);
        let vote = self.at(frame, vote);
        let zero = self.pool.constant(0, self.pool.width(vote));
        let vote = self.pool.ne(vote, zero);
        let lane = self.lane(self.thread(frame));
        let bit = self.bit(ballot, lane);
        let same = self.pool.eq(bit, vote);
        let given = self.and_is_there(votes, self.thread(frame));
        let fact = self.pool.implies(given, same);
        self.state(fact);
    }

    /// Two lanes that match in one round are in each other's masks where they have one value, and
    /// then have one mask.
    fn state_matches(&mut self, own: (FrameId, OpId, ExprId), value: ExprId) {
        if self.placement != Placement::SameWarp || self.sources.matches.contains(&own) {
            return;
        }
        let (frame, op, mask) = own;
        let thread = self.thread(frame);
        for (other, of, its_mask) in self.sources.matches.clone() {
            let its = self.thread(other);
            if of != op || !thread.is_member() || !its.is_member() || thread == its {
                continue;
            }
            let mut given = self.pool.truth();
            for (a, b) in self.iterations(frame).into_iter().zip(self.iterations(other)) {
                let one_round = self.pool.eq(a, b);
                given = self.pool.and(given, one_round);
            }
            for frame in [frame, other] {
                let executed = self.executed_in(frame, op);
                given = self.pool.and(given, executed);
            }
            let [a, b] = [frame, other].map(|frame| self.at(frame, value));
            let alike = self.pool.eq(a, b);
            let one_mask = self.pool.eq(mask, its_mask);
            let matched = self.pool.implies(alike, one_mask);
            let mut fact = matched;
            for (mask, lane) in [(mask, its), (its_mask, thread)] {
                let lane = self.lane(lane);
                let named = self.bit(mask, lane);
                let says = self.pool.eq(named, alike);
                fact = self.pool.and(fact, says);
            }
            let fact = self.pool.implies(given, fact);
            self.state(fact);
        }
        self.sources.matches.push(own);
    }

    /// What a thread gets is what the source has.
    fn state_source(&mut self, frame: FrameId, op: OpId, got: ExprId, lanes: &CrossLane) {
        let analysis = self.analysis;
        let thread = self.thread(frame);
        let [value, from, clamp] = lanes.args[..] else { return };
        let from_one = analysis.uniformity.variation(from).varies <= Varies::ByWarp;
        if !thread.is_member()
            || !from_one
            || self.sources.real[thread.index()].is_some()
            || self.pool.as_const(clamp) != Some(ANY_LANE)
        {
            return;
        }
        let from = self.at(frame, from);
        let any = self.pool.constant(ANY_LANE, 32);
        let from = self.pool.binary(BinOp::And, from, any);
        if !analysis.launch.has_lane(self.pool.as_const(from)) {
            return;
        }
        // A thread that does not exchange has some lane for its source all the same.
        let from = self.pool.without_flags(from);
        let everywhere = self.pool.truth();
        if !self.place_source(thread, from, everywhere) {
            return;
        }
        let there = self.same_rounds(frame, thread.source());
        let executed = self.executed_in(frame, op);
        let has = self.at(there, value);
        let same = self.pool.eq(got, has);
        let fact = self.pool.implies(executed, same);
        self.state(fact);
        // It is there, too.
        let there = self.executed_in(there, op);
        let fact = self.pool.implies(executed, there);
        self.state(fact);
    }

    /// The same of lanes that a mask names, at the one shuffle of the kernel.
    fn state_source_of_some(&mut self, frame: FrameId, op: OpId, got: ExprId, lanes: &CrossLane) {
        let kernel = self.analysis.kernel;
        let thread = self.thread(frame);
        let side = thread.index();
        let [value, from, clamp] = lanes.args[..] else { return };
        let shuffles = |it: &Op| matches!(&it.kind, OpKind::CrossLane(it) if it.kind == lanes.kind);
        let Some(named) = lanes.mask else { return };
        if !thread.is_member()
            || self.sources.lane[side].is_some()
            || self.pool.as_const(clamp) != Some(ANY_LANE)
            || kernel.ops.values().filter(|it| shuffles(it)).count() != 1
            || !self.come_all(op, named)
        {
            return;
        }
        let from = self.at(frame, from);
        let any = self.pool.constant(ANY_LANE, 32);
        let from = self.pool.binary(BinOp::And, from, any);
        let own = self.at(frame, named);
        // A mask may name lanes that the block does not have.
        let launch = self.analysis.launch;
        let takes_part = self.bit(own, from);
        let executed = self.executed_in(frame, op);
        let given = self.pool.and(executed, takes_part);
        if self.pool.as_const(own).is_some()
            || !(launch.whole_warps() || launch.is_row())
            || !self.place_source(thread, from, given)
        {
            return;
        }
        let mut there = self.root(thread.source());
        for &of in self.analysis.order.chain(op) {
            let k = self.iteration_symbol(of, Some(thread.source()));
            there = self.enter(there, of, k);
        }
        self.sources.real[side] = Some(given);
        // All that is said of the source is said where it is there; then it has this mask.
        let home = self.frame_of(there, named);
        self.frames[home.0].memo.insert(named, own);
        let has = self.at(there, value);
        let is_there = self.executed_in(there, op);
        for fact in [is_there, self.pool.eq(got, has)] {
            let fact = self.pool.implies(given, fact);
            self.state(fact);
        }
        self.state_equal_values((frame, there), op, named, given);
        let rounds = self.iterations(there);
        if let (Some((others, other_mask, other)), true) =
            (self.sources.has[1 - side].clone(), !self.placement.is_across())
        {
            let both = self.sources.real[1 - side].unwrap_or(given);
            let mut same = self.pool.and(given, both);
            for d in [0, 1, 2] {
                let [a, b] = [Thread::SourceOfOne, Thread::SourceOfTwo].map(|it| self.tid(it, d));
                let alike = self.pool.eq(a, b);
                same = self.pool.and(same, alike);
            }
            for (a, b) in rounds.iter().zip(&others) {
                let alike = self.pool.eq(*a, *b);
                same = self.pool.and(same, alike);
            }
            for (a, b) in [(own, other_mask), (has, other)] {
                let alike = self.pool.eq(a, b);
                let fact = self.pool.implies(same, alike);
                self.state(fact);
            }
        }
        self.sources.has[side] = Some((rounds, own, has));
    }

    /// Lanes of one mask that a match of values gave them have one value, where each does it once.
    fn state_equal_values(
        &mut self,
        (here, there): (FrameId, FrameId),
        shuffle: OpId,
        named: ExprId,
        given: ExprId,
    ) {
        let analysis = self.analysis;
        let ExprKind::Result(op, 0) = analysis.kernel[named].kind else { return };
        let OpKind::CrossLane(matched) = &analysis.kernel[op].kind else { return };
        let once = [op, shuffle].iter().all(|it| analysis.order.chain(*it).is_empty());
        if matched.kind != CrossLaneKind::MatchAny || !once {
            return;
        }
        let mut given = given;
        for frame in [here, there] {
            let executed = self.executed_in(frame, op);
            given = self.pool.and(given, executed);
        }
        let [own, other] = [here, there].map(|frame| self.at(frame, matched.args[0]));
        let same = self.pool.eq(own, other);
        let fact = self.pool.implies(given, same);
        self.state(fact);
    }

    /// Whether each lane that a mask names comes to a shuffle: nobody returns, or the mask is of
    /// lanes that were there, and nobody returns between that and the shuffle.
    fn come_all(&self, shuffle: OpId, named: ExprId) -> bool {
        let (kernel, order) = (self.analysis.kernel, &self.analysis.order);
        let mut ends = kernel.ops.iter().filter(|(_, it)| it.kind.effects().ends.is_some());
        let of_some = || {
            let ExprKind::Result(op, 0) = kernel[named].kind else { return None };
            let OpKind::CrossLane(it) = &kernel[op].kind else { return None };
            let is_mask = matches!(
                it.kind,
                CrossLaneKind::ActiveMask | CrossLaneKind::MatchAny | CrossLaneKind::Ballot
            );
            is_mask.then_some(op)
        };
        let of_some = of_some();
        ends.all(|(end, _)| {
            of_some.is_some_and(|it| {
                order.chain(it) == order.chain(shuffle)
                    && (order.before(end, it) || order.before(shuffle, end))
            })
        })
    }

    /// States where the source of a thread is in its block, where that is so; whether it is in
    /// that lane.
    fn place_source(&mut self, thread: Thread, lane: ExprId, given: ExprId) -> bool {
        if let Some(other) = self.sources.lane[thread.index()] {
            return other == lane;
        }
        self.sources.lane[thread.index()] = Some(lane);
        let own = self.lane(thread);
        let linear = self.linear_tid(thread);
        let first = self.pool.sub(linear, own);
        let place = self.pool.add(first, lane);
        if self.analysis.launch.is_row() {
            self.ids.insert(Meaning::Tid(thread.source(), 0), place);
        } else {
            let of_source = self.linear_tid(thread.source());
            let fact = self.pool.eq(of_source, place);
            let fact = self.pool.implies(given, fact);
            self.state(fact);
        }
        true
    }

    /// Another thread, in the iterations of a frame.
    pub(crate) fn same_rounds(&mut self, frame: FrameId, thread: Thread) -> FrameId {
        let mut rounds = Vec::new();
        let mut at = frame;
        while let Some((outside, of, k)) = self.frames[at.0].inside {
            rounds.push((of, k));
            at = outside;
        }
        let root = self.root(thread);
        rounds.into_iter().rev().fold(root, |at, (of, k)| self.enter(at, of, k))
    }

    /// Numbers of bits in what was stated: where one word has only bits of another, it has fewer,
    /// or is the same.
    pub(crate) fn state_counts_of_bits(&mut self) {
        let counts = self.counts_of_bits();
        for &(rank, word) in &counts {
            if let Some((word, place)) = self.below(word) {
                let zero = self.pool.constant(0, self.pool.width(rank));
                let lowest = self.pool.unary(UnOp::Ctz, word);
                let given = self.pool.cmp(CmpOp::Ule, place, lowest);
                let none = self.pool.eq(rank, zero);
                let fact = self.pool.implies(given, none);
                self.state_theorem(fact);
            }
        }
        for &one in &counts {
            for &two in &counts {
                if one.0 == two.0 || self.pool.width(one.1) != self.pool.width(two.1) {
                    continue;
                }
                match (self.below(one.1), self.below(two.1)) {
                    (Some(rank), Some((word, place))) => {
                        self.state_rank(rank, (word, Some(place)), [one.0, two.0]);
                    }
                    (Some(rank), None) => {
                        self.state_rank(rank, (two.1, None), [one.0, two.0]);
                    }
                    (None, _) => self.state_part(one, two),
                }
            }
        }
    }

    /// What a word of bits below a place is made of: `w & ((1 << p) - 1)`, as `w` and `p`.
    fn below(&self, word: ExprId) -> Option<(ExprId, ExprId)> {
        let ExprKind::Binary(BinOp::And, _, a, b) = self.pool[word].kind else { return None };
        let place = |ones: ExprId| {
            let width = self.pool.width(ones);
            let (shifted, by) = self.plus_constant(ones)?;
            let ExprKind::Binary(BinOp::Shl, _, one, place) = self.pool[shifted].kind else {
                return None;
            };
            let is_ones = by == mask(u128::MAX, width) && self.pool.as_const(one) == Some(1);
            is_ones.then_some(place)
        };
        place(b).map(|place| (a, place)).or_else(|| place(a).map(|place| (b, place)))
    }

    /// Of two ranks in one word the one at the lower place is lower, if the bit there is set, and
    /// so is a rank beside the number of all bits.
    fn state_rank(
        &mut self,
        (word, place): (ExprId, ExprId),
        (other_word, other): (ExprId, Option<ExprId>),
        [rank, of_other]: [ExprId; 2],
    ) {
        let width = self.pool.width(word);
        let bits = self.pool.constant(u128::from(width), width);
        let bit = self.pool.binary(BinOp::LShr, word, place);
        let mut given = self.pool.cast(CastOp::Trunc, bit, 1);
        let inside = self.pool.cmp(CmpOp::Ult, place, bits);
        given = self.pool.and(given, inside);
        let one_word = self.pool.eq(word, other_word);
        given = self.pool.and(given, one_word);
        if let Some(other) = other {
            let inside = self.pool.cmp(CmpOp::Ult, other, bits);
            given = self.pool.and(given, inside);
            let lower = self.pool.cmp(CmpOp::Ult, place, other);
            given = self.pool.and(given, lower);
        }
        let lower = self.pool.cmp(CmpOp::Ult, rank, of_other);
        let fact = self.pool.implies(given, lower);
        self.state_theorem(fact);
    }

    /// A word with only bits of another.
    fn state_part(&mut self, (x, of_x): (ExprId, ExprId), (y, of_y): (ExprId, ExprId)) {
        let width = self.pool.width(of_x);
        let ones = self.pool.constant(mask(u128::MAX, width), width);
        let zero = self.pool.constant(0, width);
        let others = self.pool.binary(BinOp::Xor, of_y, ones);
        let outside = self.pool.binary(BinOp::And, of_x, others);
        let is_part = self.pool.eq(outside, zero);
        let alike = self.pool.eq(of_x, of_y);
        let as_many = self.pool.eq(x, y);
        let alike = self.pool.and(alike, as_many);
        let fewer = self.pool.cmp(CmpOp::Ult, x, y);
        let counted = self.pool.or(alike, fewer);
        let fact = self.pool.implies(is_part, counted);
        self.state_theorem(fact);
    }

    /// Numbers of bits in the facts, each with the word.
    fn counts_of_bits(&self) -> Vec<(ExprId, ExprId)> {
        let mut work: Vec<ExprId> = self.facts().to_vec();
        let (mut seen, mut counts) = (FxHashSet::default(), Vec::new());
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let ExprKind::Unary(UnOp::Popcount, word) = self.pool[id].kind {
                counts.push((id, word));
                if counts.len() > MOST_COUNTS {
                    return Vec::new();
                }
            }
            self.pool.for_each_operand(id, |operand| work.push(operand));
        }
        counts
    }
}
