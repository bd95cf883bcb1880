//! Fences between the two ways to memory: what threads write, and matrix products read.
//!
//! **What**: [`unfenced_write`] is a write of threads, to bytes that may be those of an operand,
//! for which no `fence.proxy.async` was found.
//! **Method**: a fence in the region of the product that stands before it with nothing between the
//! two by which a thread learns of writes, or writes itself, and that who multiplies executes; else
//! a fence in the region of the write, or in one around it, that stands after the write with no
//! barrier and no product between the two, and that who writes executes; else a block barrier that
//! each thread comes to after the product and before a write that stands after it in the text, in
//! no loop with it; else the solver has to show that the bytes are apart in all iterations.
//! **Sound because**: what threads write is seen by a product only if a fence of the two ways lies
//! on the path from the one to the other (PTX ISA, sections 8.6 and 9.7.15.4). A path to the
//! product ends in a thread that issues it: with the last wait, barrier or other order by which
//! that thread learns of the write, or with the write. A fence after that, which the thread
//! executes, lies on each path. A barrier that hands the write to another thread comes after a
//! fence of who wrote, and so does a product of the thread itself. A write after a block barrier
//! that each thread comes to after the product comes after the products of all threads, and is read
//! by none.
//! **Misses**: fences under conditions of their own, and fences before a loop of products.
//! **Assumes**: what the answer about the bytes does, which is asked for without assumptions.

use heddle_ir::{AsyncCopy, AsyncMechanism, Item, Kernel, OpId, OpKind, Proxy, TouchedBy};
use heddle_solver::Budget;

use crate::engine::instance::{Instance, Placement, WrapAround};
use crate::facts::analysis::Analysis;
use crate::facts::order::{Level, implies, is_for_all_lanes, may_return};
use crate::facts::thread::Thread;

/// What one question about the bytes may cost.
const CONFLICTS: u64 = 2_000;

/// A write that an operand may read without a fence.
pub(super) fn unfenced_write(analysis: &Analysis<'_>, operand: OpId) -> Option<OpId> {
    let kernel = analysis.kernel;
    let OpKind::AsyncCopy(copy) = &kernel[operand].kind else { return None };
    if !kernel.is_operand(operand) {
        return None;
    }
    let is_met = |op: OpId| {
        kernel[op].kind.effects().writes().any(|touch| {
            let by_threads = match touch.by {
                TouchedBy::Access(_) => true,
                TouchedBy::Copy => is_by_threads(kernel, op),
                TouchedBy::BarrierObject | TouchedBy::NotModelled => false,
            };
            by_threads && touch.place.may_be(kernel, copy.source.object)
        })
    };
    if is_fenced_by_reader(analysis, operand, &is_met) {
        return None;
    }
    let mut writes = kernel.ops.keys().filter(|op| is_met(*op));
    writes.find(|write| {
        !is_fenced(analysis, *write)
            && !is_later(analysis, *write, operand)
            && !are_apart(analysis, *write, operand)
    })
}

/// Whether a copy goes to memory the way that accesses of threads do.
fn is_by_threads(kernel: &Kernel, op: OpId) -> bool {
    let OpKind::AsyncCopy(copy) = &kernel[op].kind else { return false };
    match copy.mechanism {
        AsyncMechanism::CpAsync | AsyncMechanism::WorkGroupEvent => true,
        AsyncMechanism::BulkGroup
        | AsyncMechanism::BulkMbarrier
        | AsyncMechanism::Matrix
        | AsyncMechanism::Tensor => false,
    }
}

/// Whether who multiplies executes a fence before, with nothing in between that `writes`, or by
/// which a thread may learn of what others wrote.
fn is_fenced_by_reader(
    analysis: &Analysis<'_>,
    operand: OpId,
    writes: &dyn Fn(OpId) -> bool,
) -> bool {
    let kernel = analysis.kernel;
    let chain = analysis.order.chain(operand);
    let region = chain.last().map_or(&kernel.body, |of| &kernel[*of].body);
    let before = &region.items[..analysis.order.index(operand, chain.len())];
    let given = kernel[operand].pred;
    let is_quiet = |op: OpId| !writes(op) && teaches_nothing(kernel, op);
    for item in before.iter().rev() {
        match *item {
            Item::Op(op) if is_fence(kernel, op) => {
                let pred = kernel[op].pred;
                if kernel.exprs.as_const(pred) == Some(1) || implies(kernel, given, pred) {
                    return true;
                }
            }
            Item::Op(op) if !is_quiet(op) => return false,
            Item::Loop(of) if kernel.any_inside(&kernel[of].body, &|op| !is_quiet(op)) => {
                return false;
            }
            Item::Op(_) | Item::Loop(_) => {}
        }
    }
    false
}

/// Whether a thread that executes this knows no more of what others wrote than before.
fn teaches_nothing(kernel: &Kernel, op: OpId) -> bool {
    let is_of_products = match &kernel[op].kind {
        OpKind::AsyncCopy(AsyncCopy { mechanism, .. })
        | OpKind::AsyncCommit(mechanism)
        | OpKind::AsyncWait { mechanism, .. } => *mechanism == AsyncMechanism::Matrix,
        OpKind::Access(_)
        | OpKind::Barrier(_)
        | OpKind::Fence { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_)
        | OpKind::Opaque(_) => false,
    };
    let effects = kernel[op].kind.effects();
    let is_known = effects.writes().all(|touch| match touch.by {
        TouchedBy::Access(_) | TouchedBy::Copy | TouchedBy::BarrierObject => true,
        TouchedBy::NotModelled => false,
    });
    let is_silent = effects.orders.is_none() && effects.waits.is_none() && effects.ends.is_none();
    is_of_products || is_known && is_silent
}

/// Whether who writes executes a fence before any barrier and any product.
fn is_fenced(analysis: &Analysis<'_>, write: OpId) -> bool {
    let kernel = analysis.kernel;
    let order = &analysis.order;
    let chain = order.chain(write);
    if matches!(kernel[write].kind, OpKind::AsyncCopy(_)) {
        // When it has been done is for its wait.
        return false;
    }
    for depth in (0..=chain.len()).rev() {
        let region = match depth {
            0 => &kernel.body,
            _ => &kernel[chain[depth - 1]].body,
        };
        // Who writes does what this implies.
        let given = match chain.get(depth) {
            Some(of) => kernel[*of].pred,
            None => kernel[write].pred,
        };
        for item in &region.items[order.index(write, depth) + 1..] {
            match *item {
                Item::Op(op) if is_fence(kernel, op) => {
                    let pred = kernel[op].pred;
                    if kernel.exprs.as_const(pred) == Some(1) || implies(kernel, given, pred) {
                        return true;
                    }
                }
                Item::Op(op) if hands_on(kernel, op) => return false,
                Item::Loop(of)
                    if kernel.any_inside(&kernel[of].body, &|op| hands_on(kernel, op)) =>
                {
                    return false;
                }
                Item::Op(_) | Item::Loop(_) => {}
            }
        }
        // The next iteration comes before what follows the loop.
        if kernel.any_inside(region, &|op| hands_on(kernel, op)) {
            return false;
        }
    }
    false
}

/// Whether a write comes after the products of all threads, in all iterations of theirs.
fn is_later(analysis: &Analysis<'_>, write: OpId, operand: OpId) -> bool {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let chain = order.chain(operand);
    let in_one_loop = chain.first().is_some_and(|of| order.chain(write).first() == Some(of));
    // A thread that returns comes to no barrier after its product.
    if in_one_loop || !order.before(operand, write) || may_return(kernel) {
        return false;
    }
    (0..=chain.len()).any(|depth| {
        let at = order.index(operand, depth);
        let (items, end, given) = match depth {
            0 => (&kernel.body.items, order.index(write, 0), chain.first()),
            _ => {
                let items = &kernel[chain[depth - 1]].body.items;
                (items, items.len(), chain.get(depth))
            }
        };
        // Who multiplies does what this implies.
        let given = given.map_or(kernel[operand].pred, |of| kernel[*of].pred);
        let is_met = |op: OpId| {
            let pred = kernel[op].pred;
            order.separates(kernel, op, Level::Block)
                && is_for_all_lanes(kernel, op)
                && (kernel.exprs.as_const(pred) == Some(1) || implies(kernel, given, pred))
        };
        items[at + 1..end].iter().any(|item| match *item {
            Item::Op(op) => is_met(op),
            Item::Loop(_) => false,
        })
    })
}

fn is_fence(kernel: &Kernel, op: OpId) -> bool {
    matches!(kernel[op].kind, OpKind::Fence { proxy: Some(Proxy::Async), .. })
}

/// Whether an operation may tell another thread of a write, or be the product itself.
fn hands_on(kernel: &Kernel, op: OpId) -> bool {
    let effects = kernel[op].kind.effects();
    let orders = effects.orders.is_some() && !is_fence(kernel, op);
    orders || effects.ends.is_some() || kernel.is_operand(op)
}

/// Whether a write and an operand are of other bytes, in whatever iterations they are.
fn are_apart(analysis: &Analysis<'_>, write: OpId, operand: OpId) -> bool {
    let kernel = analysis.kernel;
    let OpKind::AsyncCopy(copy) = &kernel[operand].kind else { return false };
    let read = copy.read.unwrap_or(copy.size);
    let (to, size) = match (&kernel[write].kind, kernel.access(write)) {
        (_, Some(access)) => (access.address, access.size),
        (OpKind::AsyncCopy(copy), None) => (copy.destination, copy.size),
        (_, None) => return false,
    };
    if to.object != copy.source.object {
        // Distinct objects are apart, and one that is not known may be any.
        return false;
    }
    let mut instance = Instance::new(analysis, Placement::SameBlock, WrapAround::Happens);
    let mut ends = Vec::new();
    let both = [(Thread::One, write, to, size), (Thread::Two, operand, copy.source, read)];
    for (thread, op, address, size) in both {
        let mut frame = instance.root(thread);
        for &of in analysis.order.chain(op) {
            let k = instance.iteration_symbol(of, Some(thread));
            frame = instance.enter(frame, of, k);
        }
        instance.state_executed(op, frame);
        let start = instance.at(frame, address.offset);
        let size = instance.at(frame, size);
        let end = instance.pool.add(start, size);
        ends.push((start, end));
    }
    instance.state_placement();
    for overlap in [(ends[0].0, ends[1].1), (ends[1].0, ends[0].1)] {
        let overlap = instance.pool.ult(overlap.0, overlap.1);
        instance.state(overlap);
    }
    let budget = Budget { instances: 0, conflicts: CONFLICTS, ..Budget::default() };
    instance.ask(&[], &budget).held().is_some_and(|held| held.relies().is_empty())
}
