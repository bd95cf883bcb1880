//! The room that a counter has: whether what a launch adds to it can fit.
//!
//! **What**: whether the assumption that a counter does not wrap around leaves a run, and whether
//! all additions of the launch together fill the counter exactly.
//! **Method**: where the launch, the trip counts and what is added are numbers, their product. Else
//! a run is looked for in which little is added: few blocks, where their number is open; arguments
//! and memory that the kernel does not write hold one small number, or rising ones; and then the
//! solver finds that no thread adds more than its share of the room, and that a loop whose trip
//! count is open is left in time: in no round that is late an addition is done, or, where others
//! have a say in it, a round in time can be the last with what they did while they did little, and
//! must be the last with all that they can have done later.
//! **Sound because**: in that run each addition is done at most as often as is counted here, by
//! at most the threads that are counted, and adds at most its share; so the sum fits. A counter
//! starts at zero, or where the kernel sets it, in the lower half of its room: to a constant that
//! is low, or to a value that the solver finds low in that run. What is added is at most half of
//! the room, so that the results of a counter which starts at zero are low numbers: the first that
//! is not would come after more additions than the shares allow. Results of one counter are
//! different numbers, so a thread gets small ones in few rounds, and has to leave with a large one:
//! a loop that only a small result ends is left by few threads, unless the counter wraps around.
//! That loops which others end do end is not shown: it is only not excluded.
//! **Misses**: runs with other contents of memory, or arguments that differ from each other; loops
//! that others end, where the kernel states what holds (`__builtin_assume`), or where others end
//! them with one value only.
//! **Assumes**: nothing.

use heddle_ir::{
    Access, AccessKind, AtomicOp, CmpOp, ExprId, ExprKind, Kernel, LoopId, OpId, OpKind, Space,
    Special,
};
use heddle_solver::Budget;

use crate::checks::races::word::{word_size, writes_to_word};
use crate::engine::answer::Asked;
use crate::engine::instance::{FrameId, Instance, Placement};
use crate::engine::sums::state_sums;
use crate::facts::analysis::Analysis;
use crate::facts::launch::Extent;
use crate::facts::thread::Thread;

/// Additions that are looked for at most, of each that a thread may do any number of times.
const ADDITIONS: u128 = 1 << 20;

/// Blocks in each dimension that is open, in the run that is looked for.
const FEW_BLOCKS: u128 = 16;

/// What others have written or counted while they did little.
const LITTLE: u128 = 1 << 10;

/// What is known of numbers that were counted and are read, stated.
pub(super) type OfCounts<'a> = &'a dyn Fn(&mut Instance<'_>);

/// What arguments and memory hold in the runs that are looked for.
const CONTENTS: [Contents; 6] = [
    Contents { arguments: 0, memory: Some(0) },
    Contents { arguments: 1, memory: Some(1) },
    Contents { arguments: 2, memory: Some(2) },
    Contents { arguments: 1, memory: None },
    Contents { arguments: 1024, memory: Some(0) },
    Contents { arguments: 1024, memory: None },
];

#[derive(Clone, Copy)]
struct Contents {
    arguments: u128,
    /// The number that all memory holds; where there is none, each place the bytes before it.
    memory: Option<u128>,
}

/// Whether all additions of the launch to the counter of one of them fill it exactly; `None` where
/// an assumption that it does not wrap around may leave no run.
pub(super) fn is_filled(
    instance: &Instance<'_>,
    atomic: OpId,
    counts: OfCounts<'_>,
    budget: &Budget,
) -> Option<bool> {
    let analysis = instance.analysis;
    let kernel = analysis.kernel;
    let access = kernel.access(atomic)?;
    let writes = writes_to_word(kernel, access)?;
    let highest = heddle_ir::mask(u128::MAX, u8::try_from(8 * word_size(kernel, access)?).ok()?);
    let additions: Vec<Addition<'_>> = writes
        .iter()
        .filter(|(_, it)| is_addition(it))
        .map(|(op, it)| Addition::of(analysis, *op, it))
        .collect();
    // What the kernel sets it to may be anything in the lower half.
    let is_set = additions.len() < writes.len();
    let room = if is_set { highest / 2 } else { highest };
    let is_open = |it: &&(OpId, &Access)| !is_addition(it.1) && !is_set_to_constants(kernel, it.1);
    let open: Vec<Addition<'_>> =
        writes.iter().filter(is_open).map(|(op, it)| Addition::of(analysis, *op, it)).collect();
    let starts_low = |contents: Option<Contents>| {
        open.iter().all(|it| {
            let mut sets = Looked::at(instance, it, contents, counts);
            sets.state_executed(it);
            sets.is_low(budget)
        })
    };
    let in_block = kernel[access.address.object].space == Space::Shared;
    let blocks = if in_block { Some(1) } else { product(analysis.launch.grid) };
    let exactly = product(analysis.launch.block).zip(blocks).and_then(|(threads, blocks)| {
        additions.iter().try_fold(0u128, |sum, it| {
            let times = threads.saturating_mul(blocks).saturating_mul(it.times()?);
            Some(sum.saturating_add(times.saturating_mul(it.step?)))
        })
    });
    if let Some(together) = exactly {
        let is_low_in = |it| is_run(instance, it, budget) && starts_low(Some(it));
        if !starts_low(None) && !CONTENTS.into_iter().any(is_low_in) {
            return None;
        }
        return (together <= room.saturating_add(1)).then_some(together > room);
    }
    let threads =
        threads_of_a_block(analysis).saturating_mul(if in_block { 1 } else { few(analysis) });
    // Then results are low, too, and compare alike with signs and without.
    let low: Vec<OpId> = additions.iter().filter(|_| !is_set).map(|it| it.op).collect();
    let share = highest / 2 / additions.len() as u128;
    let shares: Option<Vec<Share>> = additions.iter().map(|it| it.share(threads, share)).collect();
    let shares = shares?;
    let asks = analysis.launch.conditions().next().is_some()
        || !open.is_empty()
        || shares.iter().any(|it| it.round.is_some() || it.most.is_some());
    let fits = |contents: Contents| {
        let within = |(addition, share): (&Addition<'_>, &Share)| {
            let mut adds = Looked::at(instance, addition, Some(contents), counts);
            adds.state_executed(addition);
            let ends = || {
                let mut looked = Looked::at(instance, addition, Some(contents), counts);
                looked.may_end(share, budget) && looked.must_end_later(share, &low, budget)
            };
            adds.adds_its_share(share, budget) && (adds.is_never_late(share, budget) || ends())
        };
        is_run(instance, contents, budget)
            && starts_low(Some(contents))
            && additions.iter().zip(&shares).all(within)
    };
    (!asks || CONTENTS.into_iter().any(fits)).then_some(false)
}

/// An addition to a counter.
struct Addition<'a> {
    op: OpId,
    access: &'a Access,
    /// What it adds, where that is constant.
    step: Option<u128>,
    /// How often a thread does it at most, for the loops around it that have a bound.
    rounds: u128,
    /// The loops around it that have none.
    open: Vec<LoopId>,
}

/// What an addition may do, so that all together fit.
struct Share {
    /// The number of rounds in each of its loops without a bound.
    round: Option<u128>,
    /// The most that it adds, where that is not constant.
    most: Option<u128>,
}

impl<'a> Addition<'a> {
    fn of(analysis: &Analysis<'_>, op: OpId, access: &'a Access) -> Addition<'a> {
        let (mut rounds, mut open) = (1u128, Vec::new());
        for &of in analysis.order.chain(op) {
            match analysis.trips(of) {
                Some(limit) => rounds = rounds.saturating_mul(u128::from(limit.last) + 1),
                None => open.push(of),
            }
        }
        let step = constant_step(analysis.kernel, access);
        Addition { op, access, step, rounds, open }
    }

    /// How often a thread does it at most, where that is known.
    fn times(&self) -> Option<u128> {
        self.open.is_empty().then_some(self.rounds)
    }

    /// What it may do where this many threads together may add this much; `None` where doing it
    /// once is too much.
    fn share(&self, threads: u128, room: u128) -> Option<Share> {
        let once = threads.saturating_mul(self.rounds);
        let all = match self.step {
            Some(step) => room / once.saturating_mul(step),
            None if self.open.is_empty() => 1,
            None => (ADDITIONS / once).max(1),
        };
        let depth = u32::try_from(self.open.len()).ok()?;
        let fits = |round: &u128| round.checked_pow(depth).is_some_and(|it| it <= all);
        let round = (depth > 0).then(|| (0..=32).rev().map(|it| 1u128 << it).find(fits));
        let most = self.step.is_none().then(|| room / once.saturating_mul(all));
        let is_enough = all > 0 && round != Some(None);
        is_enough.then_some(Share { round: round.flatten(), most })
    }
}

fn product(sizes: [Extent; 3]) -> Option<u128> {
    sizes.iter().map(|it| it.known().map(u128::from)).product()
}

/// The blocks of a grid, few where their number is open.
fn few(analysis: &Analysis<'_>) -> u128 {
    analysis.launch.grid.iter().map(|it| it.known().map_or(FEW_BLOCKS, u128::from)).product()
}

/// The threads of a block, or the most that it can have.
pub(super) fn threads_of_a_block(analysis: &Analysis<'_>) -> u128 {
    product(analysis.launch.block).unwrap_or_else(|| u128::from(analysis.launch.max_threads))
}

/// Whether there is a launch with few blocks and these arguments.
fn is_run(instance: &Instance<'_>, contents: Contents, budget: &Budget) -> bool {
    let mut alone = instance.of_other_threads(Placement::SameThread);
    alone.root(Thread::One);
    let facts = in_run(&mut alone, Some(contents), &[]);
    matches!(alone.ask(&facts, budget), Asked::Sat(_))
}

/// A thread at an addition, or where a counter is set, in the run that is looked for.
struct Looked<'i> {
    alone: Instance<'i>,
    frame: FrameId,
    /// The iterations of the loops that have no bound, and whether there is another after it.
    rounds: Vec<(ExprId, ExprId)>,
    /// What is added or set, where it is one value.
    value: Option<ExprId>,
    facts: Vec<ExprId>,
}

impl<'i> Looked<'i> {
    fn at(
        instance: &Instance<'i>,
        addition: &Addition<'_>,
        contents: Option<Contents>,
        counts: OfCounts<'_>,
    ) -> Looked<'i> {
        let mut alone = instance.of_other_threads(Placement::SameThread);
        let kernel = alone.analysis.kernel;
        let mut frame = alone.root(Thread::One);
        let mut rounds = Vec::new();
        for &of in alone.analysis.order.chain(addition.op) {
            let k = alone.iteration_symbol(of, None);
            frame = alone.enter(frame, of, k);
            if addition.open.contains(&of) {
                rounds.push((k, alone.at(frame, kernel[of].cont)));
            }
        }
        let operands = match &addition.access.kind {
            AccessKind::Atomic(_, operands) if addition.step.is_none() => &operands[..],
            AccessKind::Store(values) => &values[..],
            AccessKind::Atomic(..) | AccessKind::Load => &[],
        };
        let value = match operands {
            [one] => Some(alone.at(frame, *one)),
            _ => None,
        };
        counts(&mut alone);
        let operands: Vec<(FrameId, ExprId)> = operands.iter().map(|it| (frame, *it)).collect();
        state_sums(&mut alone, &operands);
        let about: Vec<ExprId> = value.into_iter().chain(rounds.iter().map(|it| it.1)).collect();
        let facts = in_run(&mut alone, contents, &about);
        Looked { alone, frame, rounds, value, facts }
    }

    /// It does it.
    fn state_executed(&mut self, addition: &Addition<'_>) {
        self.alone.state_executed(addition.op, self.frame);
    }

    /// Whether it cannot be that a condition holds where it adds. What is never done in such a run
    /// adds nothing, if it is a run.
    fn is_never(&mut self, condition: ExprId, budget: &Budget) -> bool {
        if self.says_more() && !matches!(self.alone.ask(&self.facts, budget), Asked::Sat(_)) {
            return false;
        }
        let facts: Vec<ExprId> = self.facts.iter().copied().chain([condition]).collect();
        self.alone.ask(&facts, budget).held().is_some()
    }

    /// Whether the kernel states what holds.
    fn says_more(&self) -> bool {
        let says =
            |it: &OpKind| matches!(it, OpKind::Assume(_) | OpKind::Claim(_)) && !it.is_subscript();
        self.alone.analysis.kernel.ops.values().any(|it| says(&it.kind))
    }

    /// Whether what is set is in the lower half.
    fn is_low(&mut self, budget: &Budget) -> bool {
        let Some(value) = self.value else { return false };
        let zero = self.alone.pool.constant(0, self.alone.pool.width(value));
        let high = self.alone.pool.cmp(CmpOp::Slt, value, zero);
        self.is_never(high, budget)
    }

    fn adds_its_share(&mut self, share: &Share, budget: &Budget) -> bool {
        let Some(most) = share.most else { return true };
        let Some(value) = self.value else { return false };
        let width = self.alone.pool.width(value);
        let highest = heddle_ir::mask(u128::MAX, width);
        let most = self.alone.pool.constant(most.min(highest), width);
        let large = self.alone.pool.cmp(CmpOp::Ult, most, value);
        self.is_never(large, budget)
    }

    /// Whether it does not add in a late round of a loop without a bound.
    fn is_never_late(&mut self, share: &Share, budget: &Budget) -> bool {
        let Some(round) = share.round else { return true };
        let mut late = self.alone.pool.falsity();
        for (k, _) in self.rounds.clone() {
            let is_late = self.is_late(k, round);
            late = self.alone.pool.or(late, is_late);
        }
        self.is_never(late, budget)
    }

    /// Whether a round in time may be the last of each loop without a bound, while others did
    /// little.
    fn may_end(&mut self, share: &Share, budget: &Budget) -> bool {
        let Some(round) = share.round else { return true };
        if self.says_more() {
            return false;
        }
        let mut facts = self.facts.clone();
        for (k, cont) in self.rounds.clone() {
            let late = self.is_late(k, round);
            facts.extend([late, cont].map(|it| self.alone.pool.not(it)));
        }
        for value in self.said_by_others() {
            let pool = &mut self.alone.pool;
            let most = pool.constant(LITTLE, pool.width(value));
            facts.push(pool.cmp(CmpOp::Ule, value, most));
        }
        matches!(self.alone.ask(&facts, budget), Asked::Sat(_))
    }

    /// Whether a round in time must be the last of each loop without a bound that others end, once
    /// they did more than a thread can see in the rounds before it. The results of `low` are in the
    /// lower half.
    fn must_end_later(&mut self, share: &Share, low: &[OpId], budget: &Budget) -> bool {
        let Some(round) = share.round else { return true };
        let said = self.said_by_others();
        let seen = u128::try_from(said.len()).map_or(0, |it| (round - 1) / it.max(1));
        let mut later = self.facts.clone();
        for value in said {
            let pool = &mut self.alone.pool;
            let least = pool.constant(LITTLE.min(seen), pool.width(value));
            later.push(pool.cmp(CmpOp::Ule, least, value));
        }
        for ticket in self.alone.tickets().to_vec() {
            if low.contains(&ticket.op) {
                let pool = &mut self.alone.pool;
                let zero = pool.constant(0, pool.width(ticket.value));
                let high = pool.cmp(CmpOp::Slt, ticket.value, zero);
                later.push(pool.not(high));
            }
        }
        for (k, _) in self.rounds.clone() {
            let late = self.is_late(k, round);
            later.push(self.alone.pool.not(late));
        }
        self.rounds.clone().into_iter().all(|(_, cont)| {
            let facts: Vec<ExprId> = later.iter().copied().chain([cont]).collect();
            self.alone.ask(&facts, budget).held().is_some()
        })
    }

    fn is_late(&mut self, k: ExprId, round: u128) -> ExprId {
        let width = self.alone.pool.width(k);
        let round = round.min(heddle_ir::mask(u128::MAX, width));
        let round = self.alone.pool.constant(round, width);
        self.alone.pool.cmp(CmpOp::Ule, round, k)
    }

    /// What is read of memory that the kernel writes, and results of atomics.
    fn said_by_others(&self) -> Vec<ExprId> {
        let memory = &self.alone.analysis.memory;
        let reads = self.alone.reads().iter().filter(|it| memory.written(it.object));
        let tickets = self.alone.tickets().iter().map(|it| it.value);
        let all = reads.map(|it| it.value).chain(tickets);
        all.filter(|it| self.alone.pool.width(*it) > 10).collect()
    }
}

/// What holds in the run that is looked for.
fn in_run(
    instance: &mut Instance<'_>,
    contents: Option<Contents>,
    about: &[ExprId],
) -> Vec<ExprId> {
    let analysis = instance.analysis;
    let mut all = Vec::new();
    let Some(contents) = contents else { return all };
    let memory = &analysis.memory;
    let is_given = |it: &heddle_ir::ObjectId| !memory.written(*it);
    let reads = instance.reads().iter().filter(|it| is_given(&it.object));
    let mut given: Vec<_> = reads.map(|it| (it.value, Some(it.offset))).collect();
    for root in instance.facts().iter().copied().chain(about.iter().copied()) {
        instance.pool.for_each_below(root, |id| {
            if matches!(instance.pool[id].kind, ExprKind::Param(_)) {
                given.push((id, None));
            }
        });
    }
    for (it, offset) in given {
        let width = instance.pool.width(it);
        let is = match (contents.memory, offset) {
            (None, Some(offset)) => instance.pool.resize(offset, width),
            (Some(number), Some(_)) => instance.pool.constant(number, width),
            (_, None) => instance.pool.constant(contents.arguments, width),
        };
        all.push(instance.pool.eq(it, is));
    }
    let root = instance.root(Thread::One);
    for d in [0u8, 1, 2] {
        if analysis.launch.grid[usize::from(d)].known().is_none() {
            let blocks = instance.special(root, Special::Nctaid(d));
            let most = instance.pool.constant(FEW_BLOCKS, instance.pool.width(blocks));
            all.push(instance.pool.cmp(CmpOp::Ule, blocks, most));
        }
    }
    all
}

/// Whether a write sets what is there to constants. Whether they are low is asked of each write
/// before anything is taken for a counter.
fn is_set_to_constants(kernel: &Kernel, access: &Access) -> bool {
    let values = match &access.kind {
        AccessKind::Store(values) => values,
        AccessKind::Atomic(_, operands) => operands,
        AccessKind::Load => return false,
    };
    values.iter().all(|it| kernel.exprs.as_const(*it).is_some())
}

/// Whether a write adds to what is there.
pub(super) fn is_addition(access: &Access) -> bool {
    matches!(access.kind, AccessKind::Atomic(AtomicOp::Add | AtomicOp::IncWrap, _))
}

/// How often a thread does an operation at most.
pub(super) fn rounds(analysis: &Analysis<'_>, op: OpId) -> Option<u128> {
    let access = analysis.kernel.access(op)?;
    Addition::of(analysis, op, access).times()
}

/// What an addition of a constant adds.
pub(super) fn constant_step(kernel: &Kernel, access: &Access) -> Option<u128> {
    match &access.kind {
        AccessKind::Atomic(AtomicOp::Add, operands) => kernel.exprs.as_const(*operands.first()?),
        AccessKind::Atomic(AtomicOp::IncWrap, _) => Some(1),
        AccessKind::Atomic(..) | AccessKind::Load | AccessKind::Store(_) => None,
    }
}
