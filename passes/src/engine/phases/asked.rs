//! The questions about phases, each asked of one or two threads in iterations that a number names.
//!
//! **What**: [`Claims`] asks; a method says yes only if its negation cannot be.
//! **Method**: the two-thread reduction, in frames for the iteration that a phase stands for
//! ([`at_number`]).
//! **Sound because**: the facts that are stated hold for each thread that comes there.
//! **Misses**: what the solver does not show within a small budget. **Assumes**: what the answers
//! name, which is collected.

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{Address, BinOp, CmpOp, ExprId, LoopId, NoWrap, OpId, Special};
use heddle_solver::Budget;
use heddle_trace::BARRIER_OBJECT_BYTES;

use super::rings::{Action, Ringed, Rough, Slot};
use crate::engine::answer::Held;
use crate::engine::instance::{FrameId, Instance, Placement, WrapAround};
use crate::facts::analysis::Analysis;
use crate::facts::phases::{Members, Step, WARPGROUP};
use crate::facts::thread::Thread;

/// What one question may cost. Only a proof counts, so no instances are tried.
fn budget() -> Budget {
    Budget { instances: 0, conflicts: 4_000, ..Budget::default() }
}

/// Warps of the largest block, and threads of a warp.
const MOST_WARPS: u32 = 32;
const WARP: u32 = 32;

/// What is asked, and what the answers took for granted.
pub(super) struct Claims<'a> {
    pub(super) analysis: &'a Analysis<'a>,
    /// Where barrier objects are, of all rings.
    pub(super) slots: Vec<Slot>,
    pub(super) relies: BTreeSet<Assumption>,
}

impl<'a> Claims<'a> {
    pub(super) fn instance(&self, placement: Placement) -> Instance<'a> {
        Instance::new(self.analysis, placement, WrapAround::Happens)
    }

    /// Whether what was stated cannot be.
    pub(super) fn never(&mut self, mut instance: Instance<'a>) -> bool {
        instance.state_placement();
        let held: Option<Held> = instance.ask(&[], &budget()).held();
        if let Some(held) = &held {
            self.relies.extend(held.relies().iter().cloned());
        }
        held.is_some()
    }

    /// Whether one thread of a block executes an operation in one iteration.
    pub(super) fn is_by_one(&mut self, step: &Step) -> bool {
        let mut instance = self.instance(Placement::SameBlock);
        let j = number(&mut instance);
        for thread in [Thread::One, Thread::Two] {
            state_step(&mut instance, thread, step, 0, j);
        }
        self.never(instance)
    }

    /// Whether one and the same thread of each block executes an operation in these iterations: the
    /// first thread of some warp.
    pub(super) fn is_done(&mut self, step: &Step, rounds: &[u64]) -> bool {
        if self.analysis.order.ends_untold() {
            return false;
        }
        (0..MOST_WARPS).any(|warp| rounds.iter().all(|k| self.is_done_by(step, *k, warp * WARP)))
    }

    /// Whether the thread with this `x`, of the first row, exists and executes an operation in an
    /// iteration.
    fn is_done_by(&mut self, step: &Step, round: u64, x: u32) -> bool {
        // Asked apart: of a thread that is not there anything can be shown.
        let mut instance = self.instance(Placement::SameThread);
        let threads = instance.special(instance.root(Thread::One), Special::Ntid(0));
        let at = instance.pool.constant(u128::from(x), 32);
        let is_missing = instance.pool.cmp(CmpOp::Ule, threads, at);
        instance.state(is_missing);
        if !self.never(instance) {
            return false;
        }
        let kernel = self.analysis.kernel;
        let mut instance = self.instance(Placement::SameThread);
        let root = instance.root(Thread::One);
        for (d, at) in [(0, x), (1, 0), (2, 0)] {
            let tid = instance.tid(Thread::One, d);
            let at = instance.pool.constant(u128::from(at), 32);
            let is_it = instance.pool.eq(tid, at);
            instance.state(is_it);
        }
        let mut needs = Vec::new();
        let mut frame = root;
        if let Some(of) = step.of {
            needs.push(instance.at(root, kernel[of].pred));
            for k in 0..=round {
                if k > 0 {
                    needs.push(instance.at(frame, kernel[of].cont));
                }
                let k = instance.pool.constant(u128::from(k), 32);
                frame = instance.enter(root, of, k);
            }
        }
        needs.push(instance.at(frame, kernel[step.op].pred));
        let lacks = needs.into_iter().fold(instance.pool.falsity(), |lacks, it| {
            let not = instance.pool.not(it);
            instance.pool.or(lacks, not)
        });
        instance.state(lacks);
        self.never(instance)
    }

    /// Accesses to variables with barrier objects that touch none of these.
    pub(super) fn clear(&mut self, slots: &[Slot]) -> Vec<OpId> {
        let kernel = self.analysis.kernel;
        let mut clear = Vec::new();
        for op in kernel.ops.keys() {
            let Some(access) = kernel.access(op) else { continue };
            let Address { object, offset } = access.address;
            let mut of_object = slots.iter().filter(|(of, _)| *of == object).peekable();
            if of_object.peek().is_some()
                && of_object.all(|(_, slot)| self.is_apart(op, offset, access.size, *slot))
            {
                clear.push(op);
            }
        }
        clear
    }

    /// Whether what an operation touches, in the variable of a barrier object, is not the object.
    pub(super) fn is_apart(&mut self, op: OpId, offset: ExprId, size: ExprId, slot: u64) -> bool {
        let mut instance = self.instance(Placement::SameThread);
        let frame = anywhere(&mut instance, op);
        instance.state_executed(op, frame);
        let start = instance.at(frame, offset);
        let size = instance.at(frame, size);
        let end = instance.pool.binary_flagged(BinOp::Add, NoWrap::BOTH, start, size);
        let low = instance.pool.constant(u128::from(slot), 64);
        let high = instance.pool.constant(u128::from(slot) + u128::from(BARRIER_OBJECT_BYTES), 64);
        for overlap in [instance.pool.ult(start, high), instance.pool.ult(low, end)] {
            instance.state(overlap);
        }
        self.never(instance)
    }

    /// Whether a thread that waits for a phase has waited for the one before it at the object.
    pub(super) fn leaves_none_out(&mut self, it: &Ringed, length: i64) -> bool {
        let Some(of) = it.step.of else { return true };
        if it.few.as_ref().is_some_and(|few| few.iter().all(|k| (*k as i64) < length)) {
            return true;
        }
        let mut instance = self.instance(Placement::SameThread);
        let k = number(&mut instance);
        let later = instance.shift_iteration(k, length);
        // Nobody has to have waited for phase -1.
        if it.choices[0] < 0 {
            let first = instance.pool.signed(i128::from(-it.choices[0]), 32);
            let matters = instance.pool.cmp(CmpOp::Ule, first, k);
            instance.state(matters);
        }
        let frames = [k, later].map(|k| {
            let root = instance.root(Thread::One);
            instance.enter(root, of, k)
        });
        self.state_there(&mut instance, &it.step, frames[1]);
        let before = instance.at(frames[0], it.step.guard);
        let left_out = instance.pool.not(before);
        instance.state(left_out);
        self.never(instance)
    }

    /// Whether a thread that waits for a phase after a loop has waited for the one before it at the
    /// object in the loop, if there is one.
    pub(super) fn ends_in_order(&mut self, ring: &Rough, it: &Ringed, length: i64) -> bool {
        let Some(of) = it.step.of else { return false };
        let in_loop = |other: &&Ringed| {
            other.action == Action::Wait && other.step.of == Some(of) && !other.step.last
        };
        ring.steps.iter().filter(in_loop).any(|other| {
            let back = length + other.choices[0] - it.choices[0];
            if other.choices[0] > 0 || back < 0 || !self.leaves_none_out(other, length) {
                return false;
            }
            let mut instance = self.instance(Placement::SameThread);
            let root = instance.root(Thread::One);
            for given in [it.step.guard, self.analysis.kernel[of].pred] {
                let given = instance.at(root, given);
                instance.state(given);
            }
            let left = instance.last_iteration(root, of);
            let back_to = instance.pool.constant(back as u128, 32);
            let exists = instance.pool.cmp(CmpOp::Ule, back_to, left);
            instance.state(exists);
            let k = instance.shift_iteration(left, -back);
            let there = instance.enter(root, of, k);
            let does = instance.at(there, other.step.guard);
            let not = instance.pool.not(does);
            instance.state(not);
            self.never(instance)
        })
    }

    /// States that a thread comes to a step in its loop, and does it.
    pub(super) fn state_there(&self, instance: &mut Instance<'a>, step: &Step, frame: FrameId) {
        if let Some(of) = step.of {
            instance.state_in_iteration(frame, 1, of);
        }
        let done = instance.at(frame, step.guard);
        instance.state(done);
    }

    /// Whether the first of two steps comes before the other in an iteration.
    pub(super) fn is_before(&self, first: &Step, then: &Step) -> bool {
        let order = &self.analysis.order;
        if first.of != then.of {
            return false;
        }
        match (first.last, then.last) {
            (false, true) => true,
            (true, false) => false,
            (both, _) => {
                let depth = usize::from(first.of.is_some() && !both);
                order.index(first.op, depth) < order.index(then.op, depth)
            }
        }
    }

    /// Whether a thread that does one step does the other `lag` iterations later; asked of phases
    /// from the number `from` on.
    pub(super) fn goes_with(
        &mut self,
        step: &Step,
        other: &Step,
        lag: i64,
        from: Option<i64>,
    ) -> bool {
        if other.last {
            return false;
        }
        let mut instance = self.instance(Placement::SameThread);
        let k = number(&mut instance);
        state_step(&mut instance, Thread::One, step, 0, k);
        if let Some(from) = from.filter(|from| *from > 0) {
            let from = instance.pool.constant(from as u128, 32);
            let late = instance.pool.cmp(CmpOp::Ule, from, k);
            instance.state(late);
        }
        let there = match (step.of == other.of, other.of) {
            (true, Some(of)) => {
                let root = instance.root(Thread::One);
                let k = instance.shift_iteration(k, lag);
                instance.enter(root, of, k)
            }
            (true, None) => instance.root(Thread::One),
            (false, _) => return false,
        };
        let does = instance.at(there, other.guard);
        let not = instance.pool.not(does);
        instance.state(not);
        self.never(instance)
    }

    /// Whether a thread that does a step in an iteration of a loop has done another one before the
    /// loop.
    pub(super) fn goes_with_outside(&mut self, step: &Step, k: i64, other: &Step) -> bool {
        let order = &self.analysis.order;
        if other.of.is_some() || order.index(other.op, 0) >= order.index(step.op, 0) {
            return false;
        }
        let mut instance = self.instance(Placement::SameThread);
        let k = instance.pool.signed(i128::from(k), 32);
        state_step(&mut instance, Thread::One, step, 0, k);
        let root = instance.root(Thread::One);
        let does = instance.at(root, other.guard);
        let not = instance.pool.not(does);
        instance.state(not);
        self.never(instance)
    }

    /// Whether a step is not done in the first iterations.
    pub(super) fn waits_until(&mut self, step: &Step, first: i64) -> bool {
        let mut instance = self.instance(Placement::SameThread);
        let k = number(&mut instance);
        state_step(&mut instance, Thread::One, step, 0, k);
        let first = instance.pool.signed(i128::from(first), 32);
        let early = instance.pool.ult(k, first);
        instance.state(early);
        self.never(instance)
    }

    /// Whether the number of a thread that arrives is below the count.
    pub(super) fn is_below(&mut self, ring: &Rough, it: &Ringed, members: Members) -> bool {
        let mut instance = self.instance(Placement::SameThread);
        let j = number(&mut instance);
        state_step(&mut instance, Thread::One, &it.step, 0, j);
        let Some(below) = is_member(&mut instance, Thread::One, members, ring.count) else {
            return true;
        };
        let beyond = instance.pool.not(below);
        instance.state(beyond);
        self.never(instance)
    }

    /// Whether two threads that arrive for one phase have numbers of their own.
    pub(super) fn is_one_each(
        &mut self,
        a: &(Ringed, i64),
        b: &(Ringed, i64),
        members: Members,
    ) -> bool {
        if let Members::Threads(_) = members {
            return true;
        }
        let mut instance = self.instance(Placement::SameBlock);
        let j = number(&mut instance);
        for (thread, (it, shift)) in [(Thread::One, a), (Thread::Two, b)] {
            state_step(&mut instance, thread, &it.step, *shift, j);
        }
        let group = match members {
            Members::Warps(_) => Some(WARP),
            Members::Warpgroups(_) => Some(WARPGROUP),
            Members::One | Members::Threads(_) => None,
        };
        if let Some(size) = group {
            let [x, y] = [Thread::One, Thread::Two].map(|it| group_of(&mut instance, it, size));
            let same = instance.pool.eq(x, y);
            instance.state(same);
        }
        self.never(instance)
    }
}

/// A number of a phase, or of an iteration.
pub(super) fn number(instance: &mut Instance<'_>) -> ExprId {
    instance.index_symbol(32, 0x7fff_ffff)
}

/// A thread in the iteration of a loop that phase `j` stands for, which is stated to exist.
pub(super) fn at_number(
    instance: &mut Instance<'_>,
    thread: Thread,
    of: Option<LoopId>,
    shift: i64,
    j: ExprId,
) -> FrameId {
    let root = instance.root(thread);
    let first = instance.pool.signed(i128::from(shift), 32);
    match of {
        Some(of) => {
            if shift > 0 {
                let exists = instance.pool.cmp(CmpOp::Ule, first, j);
                instance.state(exists);
            }
            let k = instance.shift_iteration(j, -shift);
            instance.enter(root, of, k)
        }
        None => {
            let is_it = instance.pool.eq(first, j);
            instance.state(is_it);
            root
        }
    }
}

/// States that a thread does a step for phase `j`. Of a wait that polls, in a loop of its own, the
/// guard says that it was answered.
pub(super) fn state_step(
    instance: &mut Instance<'_>,
    thread: Thread,
    step: &Step,
    shift: i64,
    j: ExprId,
) {
    let levels = usize::from(step.of.is_some() && !step.last);
    let polls = instance.analysis.order.chain(step.op).len() > levels;
    let frame = match step.of.filter(|_| step.last) {
        None => at_number(instance, thread, step.of, shift, j),
        Some(of) => {
            let root = instance.root(thread);
            let entered = instance.at(root, instance.analysis.kernel[of].pred);
            instance.state(entered);
            let left = instance.last_iteration(root, of);
            let number = instance.shift_iteration(left, shift);
            let is_it = instance.pool.eq(number, j);
            instance.state(is_it);
            root
        }
    };
    if !polls {
        return instance.state_executed(step.op, frame);
    }
    if let Some(of) = step.of.filter(|_| !step.last) {
        instance.state_in_iteration(frame, 1, of);
    }
    let done = instance.at(frame, step.guard);
    instance.state(done);
}

/// A thread in some iterations of all loops around an operation.
pub(super) fn anywhere(instance: &mut Instance<'_>, op: OpId) -> FrameId {
    let mut frame = instance.root(Thread::One);
    for &of in instance.analysis.order.chain(op) {
        let k = instance.iteration_symbol(of, Some(Thread::One));
        frame = instance.enter(frame, of, k);
    }
    frame
}

/// The index of a thread's warp in its block.
fn warp(instance: &mut Instance<'_>, thread: Thread) -> ExprId {
    group_of(instance, thread, WARP)
}

fn warpgroup(instance: &mut Instance<'_>, thread: Thread) -> ExprId {
    group_of(instance, thread, WARPGROUP)
}

fn group_of(instance: &mut Instance<'_>, thread: Thread, size: u32) -> ExprId {
    let linear = instance.linear_tid(thread);
    let size = instance.pool.constant(u128::from(size), 32);
    instance.pool.binary(BinOp::UDiv, linear, size)
}

/// That a thread is one of those that arrive, or of their warps, where more than one does.
pub(crate) fn is_member(
    instance: &mut Instance<'_>,
    thread: Thread,
    members: Members,
    count: ExprId,
) -> Option<ExprId> {
    let (index, first) = match members {
        Members::One => return None,
        Members::Threads(first) => (instance.linear_tid(thread), first),
        Members::Warps(first) => (warp(instance, thread), first / WARP),
        Members::Warpgroups(first) => (warpgroup(instance, thread), first / WARPGROUP),
    };
    let first = instance.pool.constant(u128::from(first), 32);
    let own = instance.pool.sub(index, first);
    let root = instance.root(thread);
    let count = instance.at(root, count);
    let count = instance.pool.resize(count, 32);
    Some(instance.pool.ult(own, count))
}
