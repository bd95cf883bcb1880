//! Counters that are waited for until all who add to them have.
//!
//! **What**: facts about two accesses, one before an addition to a counter, the other after a read
//! of it that finds as much as all threads together add.
//! **Method**: all writes to the object add one, outside of loops. Who adds is bounded by the
//! predicate: the first thread of a block or all threads, in all blocks, in one, or in those below
//! a number.
//! **Sound because**: the counter starts at zero, and each addition reads what the one before it
//! has left, so that a value of `n` comes after `n` additions. If no more are done in all, the
//! first side's is among them, and hands on what it released to the read (PTX ISA, section 8.9.2).
//! **Misses**: counters that are set back or count phases, and counters of a part of the blocks
//! that is not told by such a bound.
//! **Assumes**: the counter starts at zero and does not wrap around; each answer names it.

use heddle_diagnostics::Assumption;
use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind, NoWrap, OpId, Scope, Special};

use super::sides::{acquired, leader, released};
use super::words::Word;
use crate::checks::races::hand_over::access;
use crate::engine::instance::{FrameId, Instance};
use crate::facts::order::only_first_thread;
use crate::facts::thread::Thread;
use crate::facts::uniformity::Varies;

/// States when a counter orders the two accesses, if the word is one.
pub(super) fn state_counts(
    instance: &mut Instance<'_>,
    word: &Word,
    (earlier, from): (OpId, FrameId),
    later: (OpId, FrameId),
    scope: Scope,
) {
    let analysis = instance.analysis;
    let thread = instance.thread(from);
    let is_counter =
        word.writes.iter().all(|it| it.adds_one && analysis.order.chain(it.op).is_empty());
    if !is_counter {
        return;
    }
    let Some(most) = most_additions(instance, word) else { return };
    for by_first in [false, true] {
        for write in &word.writes {
            let ways = released(instance, (earlier, from), write.op, by_first, scope);
            let writer = if by_first { leader(instance, thread) } else { thread };
            let frame = instance.root(writer);
            let adds = instance.at(frame, analysis.kernel[write.op].pred);
            let place = access(instance, write.op).address.offset;
            let place = instance.at(frame, place);
            let reads = word.reads.iter().filter(|read| **read != write.op);
            for &read in reads {
                for acquired in acquired(instance, read, later, scope) {
                    if instance.pool.width(acquired.value) != 32 {
                        continue;
                    }
                    let value = instance.pool.cast(CastOp::Zext, acquired.value, WIDE);
                    let all_have = instance.pool.cmp(CmpOp::Ule, most, value);
                    let here = instance.pool.eq(place, acquired.offset);
                    let pairs = ways.iter().flat_map(|a| acquired.ways.iter().map(move |b| (a, b)));
                    for (release, acquire) in pairs.filter(|(a, b)| a.fenced.goes_with(b.fenced)) {
                        let parts = [&[adds, here, all_have][..], &acquired.given];
                        let parts = [parts[0], parts[1], &release.given, &acquire.given].concat();
                        let truth = instance.pool.truth();
                        let ordered =
                            parts.iter().fold(truth, |all, it| instance.pool.and(all, *it));
                        let fact = instance.pool.not(ordered);
                        instance.state(fact);
                        instance.rely_on(Assumption::CountersStartAtZero);
                        if let Some(volatile) = word.uses_volatile(analysis.kernel) {
                            instance.rely_on(volatile);
                        }
                    }
                }
            }
        }
    }
}

/// Bits that hold the product of all sizes of a launch: below 2^31 in three dimensions of the grid,
/// and at most 2^10 in three of the block.
const WIDE: u8 = 128;

/// How many additions all threads do together at most, in [`WIDE`] bits.
fn most_additions(instance: &mut Instance<'_>, word: &Word) -> Option<ExprId> {
    let mut sum = instance.pool.constant(0, WIDE);
    for write in &word.writes {
        let one = most_executions(instance, write.op);
        sum = instance.pool.binary_flagged(BinOp::Add, NoWrap::UNSIGNED, sum, one);
    }
    (!word.writes.is_empty()).then_some(sum)
}

/// How many threads execute an operation outside of loops at most, in [`WIDE`] bits.
fn most_executions(instance: &mut Instance<'_>, op: OpId) -> ExprId {
    let analysis = instance.analysis;
    let (kernel, launch) = (analysis.kernel, analysis.launch);
    let pred = kernel[op].pred;
    let mut product = blocks_below(instance, pred).unwrap_or_else(|| {
        let one = instance.pool.constant(1, WIDE);
        (0..3).fold(one, |product, d| {
            let size = instance.grid_size(d);
            let size = instance.pool.cast(CastOp::Zext, size, WIDE);
            instance.pool.binary_flagged(BinOp::Mul, NoWrap::UNSIGNED, product, size)
        })
    });
    if !only_first_thread(kernel, launch, pred) {
        for d in 0..3 {
            let size = match launch.block[d as usize].known() {
                Some(size) => instance.pool.constant(u128::from(size), 32),
                None => instance.pool.special(Special::Ntid(d)),
            };
            let size = instance.pool.cast(CastOp::Zext, size, WIDE);
            product = instance.pool.binary_flagged(BinOp::Mul, NoWrap::UNSIGNED, product, size);
        }
    }
    product
}

/// In a grid of one dimension, a bound of the blocks that a predicate leaves: one, or those below a
/// number that is the same for all threads.
fn blocks_below(instance: &mut Instance<'_>, pred: ExprId) -> Option<ExprId> {
    let analysis = instance.analysis;
    let (kernel, launch) = (analysis.kernel, analysis.launch);
    if launch.grid[1].known() != Some(1) || launch.grid[2].known() != Some(1) {
        return None;
    }
    let is_block = |id: ExprId| kernel[id].kind == ExprKind::Special(Special::Ctaid(0));
    let is_uniform = |id: ExprId| analysis.uniformity.variation(id).varies == Varies::Never;
    kernel.exprs.conjuncts(pred).into_iter().find_map(|part| match kernel[part].kind {
        ExprKind::Cmp(CmpOp::Eq, a, b) if is_block(a) && is_uniform(b) => {
            Some(instance.pool.constant(1, WIDE))
        }
        // A negative bound is a large number here, which no counter reaches.
        ExprKind::Cmp(CmpOp::Ult | CmpOp::Slt, a, b) if is_block(a) && is_uniform(b) => {
            let root = instance.root(Thread::One);
            let bound = instance.at(root, b);
            // Where the blocks do not come to the comparison, none of them adds, whatever it is.
            let bound = instance.pool.without_flags(bound);
            let has_value = instance.always_has_value(bound);
            has_value.then(|| instance.pool.cast(CastOp::Zext, bound, WIDE))
        }
        ExprKind::Cmp(..)
        | ExprKind::Const(_)
        | ExprKind::Base(_)
        | ExprKind::Sym(_)
        | ExprKind::Special(_)
        | ExprKind::Param(_)
        | ExprKind::Var(_)
        | ExprKind::Exit(..)
        | ExprKind::Result(..)
        | ExprKind::Undef(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Select(..)
        | ExprKind::Cast(..)
        | ExprKind::Pure(..) => None,
    })
}
