//! Which bytes of shared memory are sure to be written before a thread reads them.
//!
//! **What**: [`state_unwritten`] states, of a few bytes that the first thread of an instance reads,
//! that none of some writes is sure to have been done before. Where that cannot hold, each run has
//! written the bytes.
//! **Method**: that a write comes before is "there is a thread, and there are iterations of the
//! loops around the write, such that …". For each write a few threads and iterations are named as
//! terms of what is read: its address is solved for them ([`mod@solve`]). Of each it is stated that
//! one of these does not hold: the thread exists; it comes to these iterations and executes the
//! write there; the write covers the bytes; it is ordered before the read.
//! **Sound because**: the terms are instances of "there is", so that wrong ones lose proofs and
//! nothing else. A loop is in iteration `n` if its test holds in *each* iteration below `n`, whose
//! negation has a number of its own in the question, for each thread and iterations named. Ordered
//! are: what the same thread does earlier; and what another one does before a barrier that the
//! reading thread has passed, in loops around both that run equally often for all threads, since
//! all threads that have not returned have met there ([`crate::facts::order`]). What is stated of
//! the other thread has no symbol of a thread that is not named, no fact that only threads in that
//! loop give, and no promise of the compiler that the reading thread has not itself kept
//! ([`heddle_ir::ExprPool::substituted`]).
//! **Misses**: order by named barriers of a part of the block, barrier objects, fences, flags and
//! locks; copies; compare-and-swap, which need not write; stores through unknown pointers; writes
//! in all but the same and the last iteration of loops around both; strides that are no constant
//! and no size of the block.
//! **Assumes**: barriers are uniform; what an instance does.

use heddle_diagnostics::Assumption;
use heddle_ir::{
    AccessKind, AtomicOp, BinOp, CmpOp, ExprId, ExprKind, Item, Kernel, LoopId, ObjectId, OpId,
    Special,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::instance::{FrameId, Instance, Meaning};
use crate::facts::analysis::Analysis;
use crate::facts::launch::BarrierModel;
use crate::facts::order::{Level, flag, is_for_all_lanes, is_return, may_return, orders};
use crate::facts::thread::Thread;
use solve::{Choice, solve};

mod linear;
mod solve;

/// Threads and iterations that are looked at in one question.
const MOST_TERMS: usize = 32;
/// No loop runs so often.
const ITERATIONS: u128 = 1 << 31;

/// A write to one object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write {
    pub(crate) op: OpId,
    pub(crate) size: u64,
}

/// Bytes that a thread reads by an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) op: OpId,
    pub(crate) frame: FrameId,
    /// The first of them, 64 bits.
    pub(crate) start: ExprId,
    pub(crate) size: u64,
}

/// The writes to an object of which the bytes are known.
pub(crate) fn writes_to(kernel: &Kernel, object: ObjectId) -> Vec<Write> {
    let write = |op: OpId| {
        let access = kernel.access(op)?;
        let writes = match &access.kind {
            AccessKind::Load => false,
            AccessKind::Store(values) => !values.is_empty(),
            AccessKind::Atomic(how, _) => {
                !matches!(how, AtomicOp::CompareExchange | AtomicOp::CompareExchangeWeak)
            }
        };
        // Rows that a warp writes are written by other lanes than the one that says where.
        let is_plain = writes && access.address.object == object && !access.by_warp;
        let size = u64::try_from(kernel.exprs.as_const(access.size)?).ok()?;
        (is_plain && size > 0).then_some(Write { op, size })
    };
    kernel.ops.keys().filter_map(write).collect()
}

/// Whose write, and in which iteration of the innermost loop around both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Way {
    by: Thread,
    /// How many loops are around both.
    depth: usize,
    /// The iteration before the read's.
    earlier: bool,
}

/// States that no write is sure to come before the bytes are read.
pub(crate) fn state_unwritten(instance: &mut Instance<'_>, read: Reading, writes: &[Write]) {
    // The other thread's ids and their bounds are there before anything is looked at.
    for d in [0, 1, 2] {
        _ = instance.tid(Thread::Two, d);
    }
    let kept = computed(instance);
    let mut left = MOST_TERMS;
    for write in writes {
        for way in ways(instance.analysis, read.op, write.op) {
            let candidate = Candidate { read, write: *write, way, kept: &kept };
            for covered in candidate.terms(instance).unwrap_or_default() {
                if left == 0 {
                    return;
                }
                left -= 1;
                let not = instance.pool.not(covered);
                instance.state(not);
            }
        }
    }
}

/// Whether other threads than the one that reads are looked at, and what else that rests on.
fn others_are_followed(analysis: &Analysis<'_>) -> bool {
    let excuses = analysis.launch.barriers == BarrierModel::ExitedOk;
    let returns = excuses && may_return(analysis.kernel);
    !analysis.order.ends_untold() && (!returns || analysis.order.regular().timely)
}

fn ways(analysis: &Analysis<'_>, read: OpId, write: OpId) -> Vec<Way> {
    let Analysis { kernel, order, uniformity, .. } = analysis;
    let (of_read, of_write) = (order.chain(read), order.chain(write));
    let depth = of_read.iter().zip(of_write).take_while(|(x, y)| x == y).count();
    let before = order.index(write, depth) < order.index(read, depth);
    let together = of_read[..depth].iter().all(|of| uniformity.block_uniform(kernel[*of].cont));
    let by_warp = kernel.access(read).is_some_and(|access| access.by_warp);
    let own = (!by_warp).then_some(Thread::One);
    let other = (together && others_are_followed(analysis)).then_some(Thread::Two);
    let mut all = Vec::new();
    for by in own.into_iter().chain(other) {
        all.extend(before.then_some(Way { by, depth, earlier: false }));
        all.extend((depth > 0).then_some(Way { by, depth, earlier: true }));
    }
    all
}

/// What the reading thread has computed for certain: below the facts, but in no arm of a choice.
fn computed(instance: &Instance<'_>) -> FxHashSet<ExprId> {
    let pool = &instance.pool;
    let mut work: Vec<ExprId> =
        instance.facts().iter().flat_map(|fact| pool.conjuncts(*fact)).collect();
    let mut seen = FxHashSet::default();
    while let Some(id) = work.pop() {
        let is_logic = |of: BinOp| matches!(of, BinOp::And | BinOp::Or) && pool.width(id) == 1;
        let chooses = matches!(pool[id].kind, ExprKind::Select(..))
            || matches!(pool[id].kind, ExprKind::Binary(of, ..) if is_logic(of));
        if !chooses && seen.insert(id) {
            pool.for_each_operand(id, |it| work.push(it));
        }
    }
    seen
}

/// A write that may come before a read.
struct Candidate<'c> {
    read: Reading,
    write: Write,
    way: Way,
    kept: &'c FxHashSet<ExprId>,
}

/// What must hold for the write to be done, as the thread of the write computes it.
struct Built {
    conditions: Vec<ExprId>,
    offset: ExprId,
    /// Numbers of iterations that are to be chosen.
    rounds: Vec<ExprId>,
}

impl Candidate<'_> {
    /// For each choice of a thread and its iterations: that it has written the bytes before;
    /// `None` where that is not followed.
    fn terms(&self, instance: &mut Instance<'_>) -> Option<Vec<ExprId>> {
        let known = instance.facts().len();
        let built = self.build(instance)?;
        let of_itself = self.way.by == Thread::One;
        let is_its_own = of_itself && built.rounds.is_empty() && !self.way.earlier;
        if instance.facts().len() != known && !is_its_own {
            return None;
        }
        let mut ids = Vec::new();
        if !of_itself {
            for d in [0, 1, 2] {
                let [own, other] = [Thread::One, Thread::Two].map(|it| instance.tid(it, d));
                if instance.pool.as_const(other).is_none() {
                    ids.push((other, own, d));
                }
            }
        }
        let mut all: Vec<ExprId> = Vec::new();
        let choices = solve(&mut instance.pool, &ids, &built.rounds, &built, self.read.start);
        for mut choice in choices {
            // What is built has numbers and values of its own, which each choice has for itself:
            // where a loop of one thread stops says nothing of where that of another one does.
            let known = instance.facts().len();
            let again = self.build(instance)?;
            if instance.facts().len() != known && !is_its_own {
                return None;
            }
            for (old, new) in built.rounds.iter().zip(&again.rounds) {
                let chosen = choice[old];
                choice.insert(*new, chosen);
            }
            let mut is_apart = true;
            for of in ids.iter().map(|(id, ..)| id).chain(&built.rounds) {
                let pool = &instance.pool;
                pool.for_each_below(choice[of], |it| is_apart &= !built.rounds.contains(&it));
            }
            let term = self.term(instance, &again, &ids, &choice).filter(|_| is_apart);
            if let Some(term) = term
                && !all.contains(&term)
            {
                all.push(term);
            }
        }
        Some(all)
    }

    fn term(
        &self,
        instance: &mut Instance<'_>,
        built: &Built,
        ids: &[(ExprId, ExprId, u8)],
        choice: &Choice,
    ) -> Option<ExprId> {
        let launch = instance.analysis.launch;
        let pool = &mut instance.pool;
        let mut of = FxHashMap::default();
        let mut all = pool.truth();
        for &(id, _, d) in ids {
            let chosen = choice[&id];
            let size = match launch.block[d as usize].known() {
                Some(size) => pool.constant(u128::from(size), 64),
                None => {
                    let size = pool.special(Special::Ntid(d));
                    pool.resize(size, 64)
                }
            };
            let exists = pool.ult(chosen, size);
            all = pool.and(all, exists);
            of.insert(id, pool.resize(chosen, 32));
        }
        for round in &built.rounds {
            let chosen = choice[round];
            let most = pool.constant(ITERATIONS, 64);
            let exists = pool.ult(chosen, most);
            all = pool.and(all, exists);
            of.insert(*round, pool.resize(chosen, 32));
        }
        for condition in &built.conditions {
            let holds = pool.substituted(*condition, &of, self.kept);
            all = pool.and(all, holds);
        }
        let offset = pool.substituted(built.offset, &of, self.kept);
        let past = pool.sub(self.read.start, offset);
        let most = pool.constant(u128::from(self.write.size - self.read.size), 64);
        let covers = pool.cmp(CmpOp::Ule, past, most);
        all = pool.and(all, covers);
        is_of_first(instance, all).then_some(all)
    }

    fn build(&self, instance: &mut Instance<'_>) -> Option<Built> {
        let Candidate { read, write, way, .. } = self;
        if write.size < read.size {
            return None;
        }
        let kernel = instance.analysis.kernel;
        let chain: Vec<LoopId> = instance.analysis.order.chain(write.op).to_vec();
        let mut conditions = Vec::new();
        let mut frame = instance.root(way.by);
        for (depth, &of) in chain[..way.depth].iter().enumerate() {
            let mut k = instance.iteration(read.frame, of)?;
            if way.by == Thread::Two {
                conditions.push(instance.at(frame, kernel[of].pred));
            }
            if way.earlier && depth + 1 == way.depth {
                let zero = instance.pool.constant(0, 32);
                conditions.push(instance.pool.ne(k, zero));
                k = instance.shift_iteration(k, -1);
            }
            frame = instance.enter(frame, of, k);
        }
        let mut frames = vec![frame];
        let mut rounds = Vec::new();
        for &of in &chain[way.depth..] {
            conditions.push(instance.at(frame, kernel[of].pred));
            let [round, before] = [0, 1].map(|_| instance.index_symbol(32, ITERATIONS - 1));
            let earlier = instance.enter(frame, of, before);
            let goes_on = instance.at(earlier, kernel[of].cont);
            let is_before = instance.pool.ult(before, round);
            conditions.push(instance.pool.implies(is_before, goes_on));
            frame = instance.enter(frame, of, round);
            frames.push(frame);
            rounds.push(round);
        }
        conditions.push(instance.at(frame, kernel[write.op].pred));
        if way.by == Thread::Two {
            conditions.push(self.ordered(instance, &frames)?);
        }
        let offset = kernel.access(write.op)?.address.offset;
        let offset = instance.at(frame, offset);
        Some(Built { conditions, offset, rounds })
    }

    /// That a barrier lies between the write and the read; `frames` are those of the write, from
    /// inside the loops around both to inside all around it.
    fn ordered(&self, instance: &mut Instance<'_>, frames: &[FrameId]) -> Option<ExprId> {
        let Analysis { kernel, order, launch, .. } = instance.analysis;
        let Candidate { read, write, way, .. } = self;
        let (of_read, of_write) = (order.chain(read.op), order.chain(write.op));
        let items = |chain: &[LoopId], depth: usize| -> &[Item] {
            match depth {
                0 => &kernel.body.items,
                _ => &kernel[chain[depth - 1]].body.items,
            }
        };
        let mut between: Vec<(OpId, FrameId)> = Vec::new();
        let mut add = |items: &[Item], frame: FrameId| {
            for item in items {
                if let Item::Op(op) = *item {
                    between.push((op, frame));
                }
            }
        };
        let depth = way.depth;
        let (i, j) = (order.index(write.op, depth), order.index(read.op, depth));
        let here = instance.outer(read.frame, of_read.len() - depth);
        let common = items(of_read, depth);
        if way.earlier {
            let outside = instance.outer(here, 1);
            let of = of_read[depth - 1];
            let k = instance.iteration(here, of)?;
            let k = instance.shift_iteration(k, -1);
            let before = instance.enter(outside, of, k);
            add(&common[i + 1..], before);
            add(&common[..j], here);
        } else {
            add(&common[i + 1..j], here);
        }
        for inner in depth + 1..=of_read.len() {
            let frame = instance.outer(read.frame, of_read.len() - inner);
            add(&items(of_read, inner)[..order.index(read.op, inner)], frame);
        }
        for inner in depth + 1..=of_write.len() {
            let index = order.index(write.op, inner);
            add(&items(of_write, inner)[index + 1..], frames[inner - depth]);
        }
        let object = kernel.access(read.op)?.address.object;
        let bits = flag(kernel, object);
        let (mut ordered, mut rests_on_return) = (instance.pool.falsity(), false);
        for (op, frame) in between {
            let of_block = order.separates(kernel, op, Level::Block);
            let of_warp = !of_block
                && launch.warp_size.is_some()
                && order.separates(kernel, op, Level::Warp)
                && is_for_all_lanes(kernel, op);
            if !of_block && !of_warp || orders(kernel, op, bits) != Some(true) {
                continue;
            }
            let mut passed = instance.at(frame, kernel[op].pred);
            if of_warp {
                let warp = launch.warp_size.unwrap_or(1);
                let warp = instance.pool.constant(u128::from(warp), 32);
                let [one, two] = [Thread::One, Thread::Two].map(|it| {
                    let linear = instance.linear_tid(it);
                    instance.pool.binary(BinOp::UDiv, linear, warp)
                });
                let together = instance.pool.eq(one, two);
                passed = instance.pool.and(passed, together);
            }
            ordered = instance.pool.or(ordered, passed);
            rests_on_return |= may_return(kernel) && !is_met_by_all(instance.analysis, op);
        }
        if instance.pool.as_const(ordered) == Some(0) {
            return None;
        }
        if rests_on_return {
            instance.rely_on(Assumption::ExitsOrder);
        }
        Some(ordered)
    }
}

/// Whether all threads of a block execute a barrier alike, so that none has returned before it.
fn is_met_by_all(analysis: &Analysis<'_>, op: OpId) -> bool {
    let Analysis { kernel, order, uniformity, .. } = analysis;
    let around = order.chain(op).iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
    let ends = |it: OpId| is_return(kernel, it) && order.before(it, op);
    around.chain([kernel[op].pred]).all(|it| uniformity.block_uniform(it))
        && kernel
            .ops
            .keys()
            .filter(|it| ends(*it))
            .all(|it| uniformity.block_uniform(kernel[it].pred))
}

/// Whether an expression speaks of no thread but the first one.
fn is_of_first(instance: &Instance<'_>, id: ExprId) -> bool {
    let mut all = true;
    instance.pool.for_each_below(id, |it| {
        if let ExprKind::Sym(symbol) = instance.pool[it].kind {
            all &= match instance.meaning(symbol) {
                Meaning::Tid(thread, _) => thread == Thread::One,
                Meaning::Ctaid(thread, _)
                | Meaning::ClusterRank(thread)
                | Meaning::Iteration(_, thread)
                | Meaning::Leaf(_, thread) => thread.is_none_or(|it| it == Thread::One),
                Meaning::Member => true,
            };
        }
    });
    all
}
