//! Where an asynchronous copy may still be under way: ways from its issue to a later access.
//!
//! **What**: a copy touches its bytes at some time between its issue and the wait of its issuer
//! that completes it; other threads know of that wait by a barrier after it. [`coarse_ways`] lists
//! the ways in which an access can come later than the issue, [`ways_on`] their parts;
//! [`state_way`] makes the frames of one way and states that the copy is not over.
//! **Method**: a [`Way`] says how the iterations of the two relate: which loops they share, how
//! many iterations the access is ahead, how often the issuer goes round the loops that it leaves,
//! and in which iteration of the loops that it enters the access stands, each exactly or at least.
//! The commits, waits and barriers of the issuer on the way follow from that. A wait for all but
//! `n` groups completes the copy if more than `n` commits were executed since the issue (PTX ISA,
//! 9.7.9.25.3): both are conditions over the issuer's own predicates. A way on which they plainly
//! hold is dropped; one on which they do not is split into the exact case and the rest, some times.
//! **Sound because**: the ways together cover all pairs of iterations in which the access is later
//! in the lock-step order of the tree. Events that are left out, as in loops beside the way, only
//! make a copy last longer; a commit is counted only where the issuer executes it, and so are a
//! wait, and the barrier after it, only while it has not returned.
//! A copy of the whole block (OpenCL) is one operation that all threads issue, and wait for by its
//! event, together and with the same arguments: the order of each thread's own program is the order
//! of all. What a thread does after it is apart from the copy once the thread has waited for the
//! event; what it does before needs a barrier of the block on its way to the issue
//! ([`Other::GroupCopy`]), since another thread may begin the copy.
//! A copy that completes by a barrier object is over for who has waited for its phase
//! ([`is_over`]), whatever lies on the way.
//! **Misses**: order by the end of the issuer, and by commits in loops beside the way after their
//! first iterations: such a copy may be called under way.
//! **Assumes**: barriers are uniform, as [`super::unordered`] does.

mod by_phase;
mod events;
mod left_later;
mod over;
mod slots;

use heddle_ir::{AsyncMechanism, Ending, ExprId, Item, Kernel, LoopId, ObjectId, OpId, OpKind};

use self::by_phase::rounds_to_wait;
pub(crate) use self::by_phase::{is_left, is_over};
use self::events::{EventKind, Turn};
pub(crate) use self::left_later::is_left_later;
use self::slots::arrays;
use super::instance::{FrameId, Instance};
use crate::facts::analysis::Analysis;
use crate::facts::order::Level;
use crate::facts::thread::Thread;

/// A part of a copy that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flight {
    /// The issue; or the access that a copy of the whole block follows ([`Other::GroupCopy`]).
    pub(crate) copy: OpId,
    /// How it is completed.
    pub(crate) mechanism: AsyncMechanism,
    /// The part is what the copy reads: waits that free only that do.
    pub(crate) reads: bool,
}

/// Who does the later access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Other {
    /// The issuer itself, for which its own wait is enough.
    Itself,
    /// Another thread, which barriers of this level order.
    Thread(Level),
    /// The block, by a copy, after an access to this object by one of its threads.
    GroupCopy(ObjectId),
}

/// What comes later than the issue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Later {
    /// An access, or another issue.
    Op(OpId),
    /// The end of the kernel.
    End,
}

/// A number of iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turns {
    Exactly(u32),
    AtLeast(u32),
}

/// One way from an issue to a later access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    /// The common loops in which both are in the same iteration, outermost first.
    common: usize,
    /// Of the next common loop, how many iterations the access is later.
    ahead: Option<Turns>,
    /// For each loop around the issue that is inside those, outermost first: how often the issuer
    /// goes round after it.
    leaves: Vec<Turns>,
    /// For each loop around the access that is inside those, outermost first: its iteration.
    enters: Vec<Turns>,
}

impl Way {
    /// How many of the two chains are the loops that both are in.
    fn shared(&self) -> usize {
        self.common + usize::from(self.ahead.is_some())
    }

    /// The same, with another number of iterations at a place: first ahead, then those that are
    /// left, then those that are entered.
    fn with(&self, index: usize, turns: Turns) -> Way {
        let mut way = self.clone();
        let mut all = way.ahead.iter_mut().chain(&mut way.leaves).chain(&mut way.enters);
        if let Some(at) = all.nth(index) {
            *at = turns;
        }
        way
    }
}

/// Ways are split so often per number of iterations, at most.
const MOST_TURNS: u32 = 9;
/// Rounds after which an event is taken not to be waited for any more.
const EVENT_TURNS: u128 = 4;
/// Ways of one pair, at most; beyond, they stay as they are.
const MOST_WAYS: usize = 48;

/// A way in parts, as far as the copy is not plainly over on them.
pub(crate) fn ways_on(
    analysis: &Analysis<'_>,
    flight: Flight,
    access: Later,
    other: Other,
    coarse: Way,
) -> Vec<Way> {
    let map = Map::of(analysis, flight, access, other);
    let mut open = Vec::new();
    let mut work = vec![coarse];
    while let Some(way) = work.pop() {
        if map.is_plainly_over(&way) {
            continue;
        }
        match map.split(&way) {
            Some(parts) if open.len() + work.len() < MOST_WAYS => work.extend(parts),
            Some(_) | None => open.push(way),
        }
    }
    open.reverse();
    open
}

/// The ways in which the access comes later than the issue, unsplit, but for those on which the
/// copy is plainly over.
pub(crate) fn coarse_ways(
    analysis: &Analysis<'_>,
    flight: Flight,
    access: Later,
    other: Other,
) -> Vec<Way> {
    let map = Map::of(analysis, flight, access, other);
    map.coarse().into_iter().filter(|way| !map.is_plainly_over(way)).collect()
}

/// Makes the frames of the issue, by the first thread, and of the access, by the second, and states
/// that both are executed with the copy not over.
pub(crate) fn state_way(
    instance: &mut Instance<'_>,
    flight: Flight,
    access: Later,
    other: Other,
    way: &Way,
) -> [FrameId; 2] {
    let analysis = instance.analysis;
    let map = Map::of(analysis, flight, access, other);
    let frames = map.frames(instance, way);
    instance.state_placement();
    instance.state_executed(flight.copy, frames[0]);
    if let Later::Op(access) = access {
        instance.state_executed(access, frames[1]);
    }
    if let Other::GroupCopy(_) = other {
        // Who has the access takes part in the copy, too.
        map.state_takes_part(instance, way, frames);
    }
    let mut over = match flight.mechanism {
        AsyncMechanism::BulkMbarrier | AsyncMechanism::Tensor => instance.pool.falsity(),
        AsyncMechanism::CpAsync
        | AsyncMechanism::BulkGroup
        | AsyncMechanism::Matrix
        | AsyncMechanism::WorkGroupEvent => map.is_over(instance, way, frames),
    };
    if has_phase(analysis, flight) {
        let later = match access {
            Later::Op(access) => Some(access),
            Later::End => None,
        };
        let by_phase = is_over(instance, (flight.copy, frames[0]), (later, frames[1]));
        over = instance.pool.or(over, by_phase);
    }
    let pending = instance.pool.not(over);
    instance.state(pending);
    frames
}

/// Whether the end of a phase of a barrier object says that a copy is over.
pub(crate) fn has_phase(analysis: &Analysis<'_>, flight: Flight) -> bool {
    match flight.mechanism {
        AsyncMechanism::BulkMbarrier => true,
        AsyncMechanism::CpAsync | AsyncMechanism::Tensor => {
            analysis.phases().fill(flight.copy).is_some()
        }
        AsyncMechanism::BulkGroup | AsyncMechanism::Matrix | AsyncMechanism::WorkGroupEvent => {
            false
        }
    }
}

struct Map<'a> {
    analysis: &'a Analysis<'a>,
    kernel: &'a Kernel,
    flight: Flight,
    access: Later,
    other: Other,
    /// Arrays of the thread that events are waited for from.
    arrays: Vec<ObjectId>,
}

impl<'a> Map<'a> {
    fn of(analysis: &'a Analysis<'a>, flight: Flight, access: Later, other: Other) -> Map<'a> {
        let kernel = analysis.kernel;
        let arrays = match flight.mechanism {
            AsyncMechanism::WorkGroupEvent => arrays(kernel),
            AsyncMechanism::CpAsync
            | AsyncMechanism::BulkGroup
            | AsyncMechanism::BulkMbarrier
            | AsyncMechanism::Matrix
            | AsyncMechanism::Tensor => Vec::new(),
        };
        Map { analysis, kernel, flight, access, other, arrays }
    }

    fn chains(&self) -> [&'a [LoopId]; 2] {
        let of_access = match self.access {
            Later::Op(access) => self.analysis.order.chain(access),
            Later::End => &[],
        };
        [self.analysis.order.chain(self.flight.copy), of_access]
    }

    /// Where in its region, at this depth of loops, what comes later stands.
    fn index_of_later(&self, depth: usize) -> usize {
        match self.access {
            Later::Op(access) => self.analysis.order.index(access, depth),
            Later::End => self.kernel.body.items.len(),
        }
    }

    /// Whether the way is one thread's own.
    fn is_by_one(&self) -> bool {
        match self.other {
            Other::Itself | Other::GroupCopy(_) => true,
            Other::Thread(_) => false,
        }
    }

    /// How many common loops go in step for the two.
    fn in_step(&self) -> usize {
        match (self.other, self.access) {
            (Other::Thread(level), Later::Op(access)) => {
                self.analysis.order.common(self.flight.copy, access, level)
            }
            (Other::Thread(_), Later::End) => 0,
            (Other::Itself | Other::GroupCopy(_), _) => {
                let [a, b] = self.chains();
                a.iter().zip(b).take_while(|(x, y)| x == y).count()
            }
        }
    }

    /// The region at this depth of a chain of loops; the kernel's own at zero.
    fn items(&self, chain: &[LoopId], depth: usize) -> &'a [Item] {
        match depth {
            0 => &self.kernel.body.items,
            _ => &self.kernel[chain[depth - 1]].body.items,
        }
    }

    /// The ways by the loop in which the access is ahead, no number of iterations known.
    fn coarse(&self) -> Vec<Way> {
        let [of_copy, of_access] = self.chains();
        let order = &self.analysis.order;
        let in_step = self.in_step();
        let open = |chain: &[LoopId], shared: usize| vec![Turns::AtLeast(0); chain.len() - shared];
        let mut ways = Vec::new();
        let later = order.index(self.flight.copy, in_step) < self.index_of_later(in_step);
        if later {
            ways.push(Way {
                common: in_step,
                ahead: None,
                leaves: open(of_copy, in_step),
                enters: open(of_access, in_step),
            });
        }
        for common in 0..in_step {
            ways.push(Way {
                common,
                ahead: Some(Turns::AtLeast(1)),
                leaves: open(of_copy, common + 1),
                enters: open(of_access, common + 1),
            });
        }
        ways
    }

    /// Splits the first number of iterations that can be told apart further.
    fn split(&self, way: &Way) -> Option<[Way; 2]> {
        let shared = way.shared();
        let [of_copy, of_access] = self.chains();
        let ahead = way.ahead.map(|_| of_copy[way.common]);
        let loops: Vec<LoopId> = ahead
            .into_iter()
            .chain(of_copy[shared..].iter().copied())
            .chain(of_access[shared..].iter().copied())
            .collect();
        let most = self.most_turns();
        let all: Vec<Turns> =
            way.ahead.iter().chain(&way.leaves).chain(&way.enters).copied().collect();
        let (index, n) =
            (0..).zip(loops.into_iter().zip(all)).find_map(|(index, (of, turns))| match turns {
                Turns::AtLeast(n) => (n < most && self.matters(of)).then_some((index, n)),
                Turns::Exactly(_) => None,
            })?;
        Some([Turns::Exactly(n), Turns::AtLeast(n + 1)].map(|turns| way.with(index, turns)))
    }

    /// Whether anything on the way happens in the loop.
    fn matters(&self, of: LoopId) -> bool {
        if has_phase(self.analysis, self.flight) {
            let is_of_phases = |op: OpId| {
                let effects = self.kernel[op].kind.effects();
                let is_copy = self.kind_of(op).is_none()
                    && matches!(self.kernel[op].kind, OpKind::AsyncCopy(_));
                !is_copy && effects.orders.is_some() || effects.ends.is_some()
            };
            return self.kernel.any_inside(&self.kernel[of].body, &is_of_phases);
        }
        let barriers = match self.other {
            Other::Thread(level) => self.analysis.order.has_separator(of, level),
            Other::GroupCopy(_) => self.analysis.order.has_separator(of, Level::Block),
            Other::Itself => false,
        };
        barriers || self.kernel.any_inside(&self.kernel[of].body, &|op| self.is_of_groups(op))
    }

    fn is_of_groups(&self, op: OpId) -> bool {
        let kind = self.kind_of(op);
        matches!(
            kind,
            Some(
                EventKind::Commit(_)
                    | EventKind::Wait { .. }
                    | EventKind::EventWait(_)
                    | EventKind::Store(_)
                    | EventKind::Forgets
            )
        )
    }

    /// The number of iterations, with a commit each, after which every wait of the kernel completes
    /// the copy.
    fn most_turns(&self) -> u32 {
        if has_phase(self.analysis, self.flight) {
            let turns = rounds_to_wait(self.analysis, self.flight.copy);
            return turns.min(MOST_TURNS.into()) as u32;
        }
        let pending = self.kernel.ops.keys().filter_map(|op| {
            let Some(EventKind::Wait { pending, .. }) = self.kind_of(op) else { return None };
            Some(self.kernel.exprs.as_const(pending).unwrap_or(3))
        });
        let events = self.kernel.ops.values().any(|op| matches!(op.kind, OpKind::EventWait(_)));
        let most = pending.chain(events.then_some(EVENT_TURNS)).max();
        let most = most.unwrap_or(0).min(u128::from(MOST_TURNS));
        (most as u32 + 2).min(MOST_TURNS)
    }

    /// Whether the way itself says that the innermost loop goes on: the issuer goes round it before
    /// it leaves it.
    fn goes_on_by_way(&self, way: &Way, path: &[(LoopId, Turn)]) -> bool {
        let Some((of, turn)) = path.last() else { return false };
        let leaves = matches!(turn, Turn::OfCopy(_)) && path.len() > way.shared();
        self.is_by_one() || leaves && self.stays_inside(*of)
    }

    /// Whether no thread returns in the loop: then one that is in it leaves it by its end.
    fn stays_inside(&self, of: LoopId) -> bool {
        let returns = |op: OpId| self.kernel[op].kind == OpKind::Exit(Ending::Return);
        !self.kernel.any_inside(&self.kernel[of].body, &returns)
    }

    fn frames(&self, instance: &mut Instance<'_>, way: &Way) -> [FrameId; 2] {
        let mut frames = [instance.root(Thread::One), instance.root(Thread::Two)];
        let [of_copy, of_access] = self.chains();
        for &of in &of_copy[..way.common] {
            let k = instance.iteration_symbol(of, None);
            frames = frames.map(|frame| instance.enter(frame, of, k));
        }
        if let Some(turns) = way.ahead {
            let of = of_copy[way.common];
            let k = instance.iteration_symbol(of, Some(Thread::One));
            let (Turns::Exactly(n) | Turns::AtLeast(n)) = turns;
            let exact = instance.shift_iteration(k, i64::from(n));
            let later = match turns {
                Turns::Exactly(_) => exact,
                Turns::AtLeast(_) => self.at_least(instance, of, exact),
            };
            frames[0] = instance.enter(frames[0], of, k);
            frames[1] = instance.enter(frames[1], of, later);
        }
        let shared = way.shared();
        for (&of, turns) in of_copy[shared..].iter().zip(&way.leaves) {
            let k = instance.iteration_symbol(of, Some(Thread::One));
            let outside = frames[0];
            frames[0] = instance.enter(outside, of, k);
            if !self.stays_inside(of) {
                continue;
            }
            let (Turns::Exactly(n) | Turns::AtLeast(n)) = *turns;
            for turn in 0..n {
                let on = self.cont(instance, outside, of, k, turn);
                instance.state(on);
            }
            if let Turns::Exactly(n) = *turns
                && self.matters(of)
            {
                let on = self.cont(instance, outside, of, k, n);
                let ends = instance.pool.not(on);
                instance.state(ends);
            }
        }
        for (&of, turns) in of_access[shared..].iter().zip(&way.enters) {
            let (Turns::Exactly(n) | Turns::AtLeast(n)) = *turns;
            let exact = instance.pool.constant(u128::from(n), 32);
            let k = match turns {
                Turns::Exactly(_) => exact,
                Turns::AtLeast(_) => self.at_least(instance, of, exact),
            };
            frames[1] = instance.enter(frames[1], of, k);
        }
        frames
    }

    /// An iteration of the second thread that is not before this one.
    fn at_least(&self, instance: &mut Instance<'_>, of: LoopId, first: ExprId) -> ExprId {
        let later = instance.iteration_symbol(of, Some(Thread::Two));
        let far = instance.pool.cmp(heddle_ir::CmpOp::Ule, first, later);
        instance.state(far);
        later
    }

    /// That the loop goes on after iteration `k + turn`.
    fn cont(
        &self,
        instance: &mut Instance<'_>,
        outside: FrameId,
        of: LoopId,
        k: ExprId,
        turn: u32,
    ) -> ExprId {
        let at = instance.shift_iteration(k, i64::from(turn));
        let inside = instance.enter(outside, of, at);
        instance.at(inside, self.kernel[of].cont)
    }
}
