//! How what a block wrote is handed over to the last block, through the counter that both added to.
//!
//! **What**: the ways in which a write before an atomic of one block comes before a read after an
//! atomic of another block that read the first one's result: fences on both sides, barriers between
//! a fence and the atomic, or an atomic that releases and acquires by itself. Where both accesses
//! are volatile, the reader needs no fence.
//! **Sound because**: see `ticket.rs`, which states the facts that follow. Two volatile accesses of
//! one aligned word are strong for each other in PTX (sections 8.5 and 8.7), hence no race,
//! whatever orders them; that they are taken for one elsewhere (`flags.rs`) is for the sake of code
//! that waits for nobody, and the last block has waited.
//! **Misses**: fences inside loops.
//! **Assumes**: of volatile accesses, that they are relaxed atomics, which the answer names.

use heddle_diagnostics::Assumption;
use heddle_ir::{Access, AccessKind, ExprId, MemoryOrder, OpId, Orders, Scope};

use super::word::word_size;
use crate::engine::instance::Instance;
use crate::facts::order::{Level, Relation, implies};

/// One side of a hand-over: what an access and the counter's atomic have between them.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The access must be by the first thread of the block itself; else a barrier brings it there.
    by_first: bool,
    /// One thread does both the fence and the atomic, or the atomic has the order itself.
    in_thread: bool,
    /// The fence is sequentially consistent.
    strict: bool,
}

/// The ways in which a write of a block with a lower ticket comes before a read of one with a
/// higher: for each, whether the write and the read must be by the first thread of their block.
pub(super) fn handed_over(
    instance: &mut Instance<'_>,
    write: OpId,
    atomic: OpId,
    read: OpId,
) -> Vec<[bool; 2]> {
    if instance.analysis.order.ends_untold() {
        return Vec::new();
    }
    let opencl = instance.analysis.kernel.target.opencl;
    if write == atomic {
        let by_itself =
            orders_by_itself(instance, atomic, [MemoryOrder::Release, MemoryOrder::AcqRel])
                && orders_by_itself(instance, atomic, [MemoryOrder::Acquire, MemoryOrder::AcqRel]);
        let follows = instance.analysis.order.before(atomic, read);
        if !follows || (opencl && !by_itself) {
            return Vec::new();
        }
        return vec![[false, !barrier_between(instance, atomic, read)]];
    }
    let released = released(instance, write, atomic);
    let mut ways = ways(&released, &acquired(instance, atomic, read), opencl);
    if !opencl
        && instance.analysis.order.before(atomic, read)
        && are_strong(instance, [write, read])
    {
        let by_first = !barrier_between(instance, atomic, read);
        let unfenced = Side { by_first, in_thread: true, strict: true };
        for way in self::ways(&released, &[unfenced], opencl) {
            if !ways.contains(&way) {
                instance.rely_on(Assumption::VolatileIsRelaxed);
                ways.push(way);
            }
        }
    }
    ways
}

/// The ways that two sides make together: one thread on either does both fence and atomic, or both
/// fences are sequentially consistent.
fn ways(released: &[Side], acquired: &[Side], opencl: bool) -> Vec<[bool; 2]> {
    let mut ways = Vec::new();
    for released in released {
        for acquired in acquired {
            let in_thread = released.in_thread && acquired.in_thread;
            let strict = released.strict && acquired.strict && !opencl;
            let way = [released.by_first, acquired.by_first];
            if (in_thread || strict) && !ways.contains(&way) {
                ways.push(way);
            }
        }
    }
    ways
}

/// Whether two accesses are volatile ones of a word, of one size: where they meet, they touch the
/// same bytes. Of vectors each element is an access of its own (PTX ISA 8.2.2).
fn are_strong(instance: &Instance<'_>, ops: [OpId; 2]) -> bool {
    let kernel = instance.analysis.kernel;
    let [one, other] = ops.map(|op| {
        let access = kernel.access(op).filter(|it| it.volatile)?;
        let elements = match &access.kind {
            AccessKind::Load => kernel[op].results.len(),
            AccessKind::Store(values) => values.len(),
            AccessKind::Atomic(..) => return None,
        };
        word_size(kernel, access).filter(|size| *size <= 8 && elements == 1)
    });
    one.is_some() && one == other
}

/// What stands between a write and the ticket of its block.
fn released(instance: &Instance<'_>, write: OpId, atomic: OpId) -> Vec<Side> {
    let order = &instance.analysis.order;
    let kernel = instance.analysis.kernel;
    let mut sides = Vec::new();
    if order.before(write, atomic)
        && orders_by_itself(instance, atomic, [MemoryOrder::Release, MemoryOrder::AcqRel])
    {
        let by_first = !barrier_between(instance, write, atomic);
        sides.push(Side { by_first, in_thread: true, strict: false });
    }
    for (fence, strict) in fences(instance) {
        if !order.before(write, fence) || !order.before(fence, atomic) {
            continue;
        }
        let by_leader = does(instance, kernel[atomic].pred, fence);
        let by_writer = does(instance, guard(instance, write), fence);
        if by_leader && barrier_between(instance, write, fence) {
            sides.push(Side { by_first: false, in_thread: true, strict });
        }
        if by_writer && barrier_between(instance, fence, atomic) {
            sides.push(Side { by_first: false, in_thread: false, strict });
        }
        if by_leader || by_writer {
            sides.push(Side { by_first: true, in_thread: true, strict });
        }
    }
    sides
}

/// The same for the ticket and a read after it.
fn acquired(instance: &Instance<'_>, atomic: OpId, read: OpId) -> Vec<Side> {
    let order = &instance.analysis.order;
    let kernel = instance.analysis.kernel;
    let mut sides = Vec::new();
    if order.before(atomic, read)
        && orders_by_itself(instance, atomic, [MemoryOrder::Acquire, MemoryOrder::AcqRel])
    {
        let by_first = !barrier_between(instance, atomic, read);
        sides.push(Side { by_first, in_thread: true, strict: false });
    }
    for (fence, strict) in fences(instance) {
        if !order.before(atomic, fence) || !order.before(fence, read) {
            continue;
        }
        let by_leader = does(instance, kernel[atomic].pred, fence);
        let by_reader = does(instance, guard(instance, read), fence);
        if by_leader && barrier_between(instance, fence, read) {
            sides.push(Side { by_first: false, in_thread: true, strict });
        }
        if by_reader && barrier_between(instance, atomic, fence) {
            sides.push(Side { by_first: false, in_thread: false, strict });
        }
        if by_leader || by_reader {
            sides.push(Side { by_first: true, in_thread: true, strict });
        }
    }
    sides
}

/// Whether an atomic on global memory has one of two orders, or the strongest where the program
/// said so.
fn orders_by_itself(instance: &Instance<'_>, atomic: OpId, orders: [MemoryOrder; 2]) -> bool {
    let opencl = instance.analysis.kernel.target.opencl;
    access(instance, atomic).order.is_some_and(|(order, _)| {
        orders.contains(&order) || (opencl && order == MemoryOrder::SeqCst)
    })
}

/// Fences of the device or wider, outside all loops; with each, whether it is sequentially
/// consistent.
fn fences<'i>(instance: &'i Instance<'_>) -> impl Iterator<Item = (OpId, bool)> + 'i {
    let analysis = instance.analysis;
    analysis.kernel.ops.iter().filter_map(move |(op, it)| {
        let Some(Orders::Fence(order, scope, None)) = it.kind.effects().orders else {
            return None;
        };
        let both_ways = match order {
            MemoryOrder::AcqRel | MemoryOrder::SeqCst => true,
            MemoryOrder::Relaxed | MemoryOrder::Acquire | MemoryOrder::Release => false,
        };
        let counts = both_ways && scope >= Scope::Device && analysis.order.chain(op).is_empty();
        counts.then_some((op, order == MemoryOrder::SeqCst))
    })
}

/// Whether who meets a guard does a fence.
fn does(instance: &Instance<'_>, guard: ExprId, fence: OpId) -> bool {
    let kernel = instance.analysis.kernel;
    let pred = kernel[fence].pred;
    kernel.exprs.as_const(pred) == Some(1) || implies(kernel, guard, pred)
}

/// The predicate of an operation, or of the outermost loop around it.
pub(super) fn guard(instance: &Instance<'_>, op: OpId) -> ExprId {
    let kernel = instance.analysis.kernel;
    match instance.analysis.order.chain(op).first() {
        Some(outermost) => kernel[*outermost].pred,
        None => kernel[op].pred,
    }
}

/// Whether a barrier of the block plainly lies between two operations. Where a block is one warp, a
/// barrier of all its lanes is one.
pub(super) fn barrier_between(instance: &Instance<'_>, a: OpId, b: OpId) -> bool {
    let analysis = instance.analysis;
    let launch = analysis.launch;
    let threads: Option<u32> = launch.block.iter().map(|it| it.known()).product();
    let is_one_warp = threads.zip(launch.warp_size).is_some_and(|(all, warp)| all <= warp);
    let level = if is_one_warp { Level::Warp } else { Level::Block };
    analysis.order.obviously_ordered(analysis.kernel, a, b, Relation::Same, level)
}

pub(super) fn access<'k>(instance: &Instance<'k>, op: OpId) -> &'k Access {
    instance.analysis.kernel.access(op).expect("a ticket is the result of an access")
}
