//! What sums over the threads of a block tell of two threads.
//!
//! **What**: facts about sums that places, or what atomics add, are computed from: the later of
//! two prefix sums is at least the earlier one and what one thread contributes, and at most that
//! and the largest contributions of those in between; a total is at least each of its parts.
//! **Method**: a block is run once with values that nobody knows ([`run`]), after Chong, Donaldson,
//! Kelly, Ketema and Qadeer (A Sound and Complete Abstraction for Reasoning about Parallel Prefix
//! Sums), of which this keeps what each thread contributes. Each fact is an instance of a law that
//! was looked at for all threads of the block ([`crate::facts::sums`]).
//! **Sound because** the sums do not wrap around, and the law holds for each two threads.
//! **Misses**: blocks of an open size; sums in loops, and after loops with barriers of which nobody
//! knows how often they run.
//! **Assumes**: as [`run`] does. What threads contribute has a value wherever the sum has one, as
//! it is part of it; and the sum is part of where an access is, or of what an atomic adds.

mod interval;
mod run;

use heddle_ir::{AccessKind, BinOp, CmpOp, ExprId, Family, Kernel, OpId, OpKind, Space};
use rustc_hash::{FxHashMap, FxHashSet};

use self::run::Machine;
use super::instance::{FrameId, Instance};
use crate::facts::analysis::Analysis;
use crate::facts::sums::{Bound, Law, Range, Sum, Sums, Whose};

/// Sums that are looked at in one question.
const MOST: usize = 8;

/// Blocks with more threads are not run.
const MOST_THREADS: u32 = 1024;

/// A sum in a frame, and that it is computed there.
#[derive(Clone, Copy)]
struct Place {
    frame: FrameId,
    sum: ExprId,
    given: ExprId,
}

/// States what sums tell of values that two threads, or the leaders of their blocks, compute.
pub(crate) fn state_sums(instance: &mut Instance<'_>, roots: &[(FrameId, ExprId)]) {
    let analysis = instance.analysis;
    let sums = analysis.sums.get_or_init(|| sums_of(analysis));
    if sums.is_empty() {
        return;
    }
    let truth = instance.pool.truth();
    let mut places = Vec::new();
    for &(frame, root) in roots {
        find(instance, sums, (frame, root, truth), &mut places);
    }
    for ticket in instance.tickets().to_vec() {
        let Some(access) = analysis.kernel.access(ticket.op) else { continue };
        let AccessKind::Atomic(_, operands) = &access.kind else { continue };
        let executed = instance.executed_in(ticket.frame, ticket.op);
        let given = instance.and_is_there(executed, instance.thread(ticket.frame));
        for operand in operands.iter().chain([&access.address.offset]) {
            find(instance, sums, (ticket.frame, *operand, given), &mut places);
        }
    }
    places.truncate(MOST);
    for (index, one) in places.iter().enumerate() {
        state_own(instance, sums, *one);
        for two in &places[..index] {
            state_both(instance, sums, *one, *two);
            state_both(instance, sums, *two, *one);
        }
    }
}

/// The outermost sums that an expression is computed from.
fn find(
    instance: &mut Instance<'_>,
    sums: &Sums,
    (frame, root, given): (FrameId, ExprId, ExprId),
    places: &mut Vec<Place>,
) {
    let analysis = instance.analysis;
    let exprs = &analysis.kernel.exprs;
    let (mut seen, mut work) = (FxHashSet::default(), vec![root]);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match sums.get(id) {
            Some(sum) => {
                if !places.iter().any(|it| it.frame == frame && it.sum == id) {
                    let is_known = is_among(instance, frame, sum.threads);
                    let mut given = instance.pool.and(given, is_known);
                    for &(condition, holds) in &sum.given {
                        let here = instance.at(frame, condition);
                        let here = if holds { here } else { instance.pool.not(here) };
                        given = instance.pool.and(given, here);
                    }
                    places.push(Place { frame, sum: id, given });
                }
            }
            None => exprs.for_each_operand(id, |operand| work.push(operand)),
        }
    }
}

/// That the thread of a frame is one of these.
fn is_among(instance: &mut Instance<'_>, frame: FrameId, (from, to): Range) -> ExprId {
    let linear = instance.linear_tid(instance.thread(frame));
    let [from, to] = [from, to].map(|it| instance.pool.constant(u128::from(it), 32));
    let begun = instance.pool.cmp(CmpOp::Ule, from, linear);
    let ends = instance.pool.ult(linear, to);
    instance.pool.and(begun, ends)
}

/// The sum without what all threads add.
fn value(instance: &mut Instance<'_>, sum: &Sum, place: Place) -> ExprId {
    let all = instance.at(place.frame, place.sum);
    let width = instance.pool.width(all);
    let constant = instance.pool.constant(sum.constant, width);
    let mut rest = instance.pool.sub(all, constant);
    for &agreed in &sum.agreed {
        let added = contribution(instance, agreed, place, width);
        rest = instance.pool.sub(rest, added);
    }
    rest
}

/// What the thread of a place contributes of a value.
fn contribution(
    instance: &mut Instance<'_>,
    (value, times): (ExprId, u128),
    place: Place,
    width: u8,
) -> ExprId {
    let value = instance.at(place.frame, value);
    let value = instance.pool.resize(value, width);
    let times = instance.pool.constant(times, width);
    instance.pool.mul(value, times)
}

/// The number of the group of a place's thread.
fn group(instance: &mut Instance<'_>, size: u32, place: Place) -> ExprId {
    let thread = instance.thread(place.frame);
    let linear = instance.linear_tid(thread);
    let size = instance.pool.constant(u128::from(size), 32);
    instance.pool.binary(BinOp::UDiv, linear, size)
}

fn state_own(instance: &mut Instance<'_>, sums: &Sums, place: Place) {
    let Some(sum) = sums.get(place.sum) else { return };
    let own = sum.own();
    let found = value(instance, sum, place);
    let width = instance.pool.width(found);
    let mut least = instance.pool.constant(0, width);
    for has in &own.has {
        let contributed = contribution(instance, *has, place, width);
        least = instance.pool.add(least, contributed);
    }
    let fact = instance.pool.cmp(CmpOp::Ule, least, found);
    state(instance, place.given, fact);
    if let Some(most) = own.most {
        let number = group(instance, sum.group, place);
        state_at_most(instance, place.given, found, most, [number, number]);
    }
}

/// States that a value is at most a number that grows with two groups.
fn state_at_most(
    instance: &mut Instance<'_>,
    given: ExprId,
    found: ExprId,
    most: Bound,
    groups: [ExprId; 2],
) {
    let width = instance.pool.width(found);
    let mut limit = instance.pool.constant(heddle_ir::mask(most.more as u128, width), width);
    let [first, second] = groups.map(|it| instance.pool.resize(it, width));
    let by = |instance: &mut Instance<'_>, times: u128, group: ExprId| {
        let times = instance.pool.constant(times, width);
        instance.pool.mul(group, times)
    };
    let more = by(instance, most.by_second, second);
    limit = instance.pool.add(limit, more);
    let less = by(instance, most.by_first, first);
    limit = instance.pool.sub(limit, less);
    let fact = instance.pool.cmp(CmpOp::Ule, found, limit);
    state(instance, given, fact);
}

fn state_both(instance: &mut Instance<'_>, sums: &Sums, one: Place, two: Place) {
    let threads = [one, two].map(|it| instance.thread(it.frame));
    let in_one_block =
        !instance.placement.is_across() || threads[0].member() == threads[1].member();
    let (Some(first), Some(second)) = (sums.get(one.sum), sums.get(two.sum)) else { return };
    if !in_one_block {
        return;
    }
    let given = instance.pool.and(one.given, two.given);
    for law in sums.laws(one.sum, two.sum) {
        state_law(instance, &law, [(first, one), (second, two)], given);
    }
}

fn state_law(
    instance: &mut Instance<'_>,
    law: &Law,
    [(sum, one), (other, two)]: [(&Sum, Place); 2],
    given: ExprId,
) {
    let (found, of_other) = (value(instance, sum, one), value(instance, other, two));
    let width = instance.pool.width(found);
    if instance.pool.width(of_other) != width {
        return;
    }
    let groups = [one, two].map(|it| group(instance, sum.group, it));
    let mut given = given;
    if law.whose != Whose::Any {
        let lower = instance.pool.ult(groups[0], groups[1]);
        given = instance.pool.and(given, lower);
    }
    if law.whose == Whose::LowerInWarp {
        let warps = [one, two].map(|it| group(instance, 32, it));
        let same = instance.pool.eq(warps[0], warps[1]);
        given = instance.pool.and(given, same);
    }
    let mut least = found;
    for &(value, times, side) in &law.with {
        let contributed = contribution(instance, (value, times), [one, two][side], width);
        least = instance.pool.add(least, contributed);
    }
    let fact = instance.pool.cmp(CmpOp::Ule, least, of_other);
    state(instance, given, fact);
    if let Some(beyond) = law.beyond {
        let rest = instance.pool.sub(of_other, least);
        state_at_most(instance, given, rest, beyond, groups);
    }
}

fn state(instance: &mut Instance<'_>, given: ExprId, fact: ExprId) {
    let fact = instance.pool.implies(given, fact);
    instance.state(fact);
}

/// The places of two accesses, in their frames.
pub(crate) fn places_of(
    instance: &Instance<'_>,
    ops: [OpId; 2],
    frames: [FrameId; 2],
) -> Vec<(FrameId, ExprId)> {
    let place = |(op, frame): (OpId, FrameId)| {
        let access = instance.analysis.kernel.access(op)?;
        Some((frame, access.address.offset))
    };
    ops.into_iter().zip(frames).filter_map(place).collect()
}

/// Runs a block, where its size is known and something in it adds up over threads.
fn sums_of(analysis: &Analysis<'_>) -> Sums {
    let kernel = analysis.kernel;
    let block = analysis.launch.block.map(|it| it.known());
    let [Some(x), Some(y), Some(z)] = block else { return Sums::default() };
    let threads = u64::from(x) * u64::from(y) * u64::from(z);
    let clusters = kernel.launch.cluster.is_some_and(|it| it.iter().any(|size| *size > 1));
    // OpenCL's last work-group may have fewer threads.
    let target = &kernel.target;
    let is_opencl = target.opencl || target.family == Family::Spirv;
    let uneven = is_opencl && analysis.launch.may_be_uneven();
    if threads < 2 || threads > u64::from(MOST_THREADS) || clusters || uneven || !may_sum(kernel) {
        return Sums::default();
    }
    let mut machine = Machine::new(analysis, [x, y, z]);
    if !machine.run() {
        return Sums::default();
    }
    let mut sums = FxHashMap::default();
    let (mut seen, mut work) = (FxHashSet::default(), asked_for(kernel));
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let values = machine.values(id);
        let facts = (kernel, &analysis.uniformity);
        let sum = values.and_then(|it| Sum::of(facts, id, &it, &machine.keys));
        match sum {
            Some(sum) => _ = sums.insert(id, Sum { given: machine.assumed.clone(), ..sum }),
            None => kernel.exprs.for_each_operand(id, |operand| work.push(operand)),
        }
    }
    Sums::new(sums)
}

/// Whether values of several threads come together anywhere.
fn may_sum(kernel: &Kernel) -> bool {
    let in_shared = |op: OpId| {
        let access = kernel.access(op).filter(|it| it.writes());
        access.is_some_and(|it| kernel[it.address.object].space == Space::Shared)
    };
    let exchanges = |op: OpId| matches!(kernel[op].kind, OpKind::CrossLane(_));
    kernel.ops.keys().any(|op| exchanges(op) || in_shared(op))
}

/// Where accesses are, and what atomics add.
fn asked_for(kernel: &Kernel) -> Vec<ExprId> {
    let mut all = Vec::new();
    for op in kernel.ops.keys() {
        let Some(access) = kernel.access(op) else { continue };
        all.push(access.address.offset);
        if let AccessKind::Atomic(_, operands) = &access.kind {
            all.extend(operands);
        }
    }
    all
}
