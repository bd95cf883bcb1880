//! Which loops of a kernel wait for other blocks.
//!
//! A loop *polls* if whether it goes on depends on what an access inside it reads from global
//! memory, where the access is one that other blocks may be meant to answer: an atomic, a volatile
//! load, a load with an order. The dependence is followed through registers, loop variables and
//! memory of the block, so a queue whose item goes through shared memory is found.
//!
//! Also found: polling with plain loads (the compiler may hoist them), polling of shared memory
//! inside a block, operations without a model that a loop's end depends on. A retry after a failed
//! compare-and-swap is told apart: it waits for nobody, since a failure means that another thread
//! got on, and each thread gets on finitely often. Nor does a search for a free place wait
//! ([`is_probe`]), nor a loop that ends by what it counts itself ([`is_counted`]).
//!
//! **Misses**: loops whose end depends on plain loads whose address changes (they walk data), and
//! waiting in barrier objects, which the check of named barriers is about.

use heddle_ir::{
    Access, AccessKind, AtomicOp, Barrier, BinOp, CmpOp, Ending, ExprId, ExprKind, Item, Kernel,
    LoopId, ObjectKind, OpId, OpKind, Orders, Place, Region, Space, Touch, TouchedBy, UnOp,
};

use super::counted::is_counted;
use super::flow::Flow;
use super::probes::is_probe;

/// The loops of a kernel that poll, and its barriers among all blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polls {
    /// The loops, outer ones first.
    pub loops: Vec<Poll>,
    /// Barriers that all blocks of the grid wait at.
    pub grid_barriers: Vec<OpId>,
}

/// A loop whose end depends on what it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    /// The loop.
    pub of: LoopId,
    /// The operations inside it whose results decide whether it goes on.
    pub reads: Vec<OpId>,
    /// What it polls, and how.
    pub kind: PollKind,
}

/// What a loop polls, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollKind {
    /// Global memory.
    Global,
    /// Global memory, by a compare-and-swap that is tried again with the value it saw.
    Retry,
    /// Global memory that the kernel writes, by plain loads from one address.
    Plain,
    /// Shared memory, with no block barrier in the loop.
    Shared,
    /// Something that is not modelled.
    Unmodelled,
}

impl Polls {
    /// Finds them. Costs little where no loop has an atomic, volatile or ordered access.
    pub fn of(kernel: &Kernel) -> Self {
        let grid_barriers = kernel
            .ops
            .iter()
            .filter(|(_, op)| op.kind == OpKind::Barrier(Barrier::Grid))
            .map(|(id, _)| id)
            .collect();
        if kernel.loops.is_empty() {
            return Self { loops: Vec::new(), grid_barriers };
        }
        let flow = Flow::of(kernel);
        let mut loops = Vec::new();
        collect(&kernel.body, kernel, &mut |of| loops.extend(poll(&flow, of)));
        let mut polls = Self { loops, grid_barriers };
        polls.doubt_retries(&flow);
        polls
    }

    /// Whether no loop and no barrier waits for another block.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty() && self.grid_barriers.is_empty()
    }

    /// The loops that wait for others.
    pub fn waiting(&self) -> impl Iterator<Item = &Poll> {
        self.loops.iter().filter(|poll| poll.kind != PollKind::Retry)
    }

    /// A retry ends because its location changes finitely often: each change is that of a retry
    /// that ends with it, or of a loop that ends anyway. Not so if something else in a loop that
    /// waits, or retries, changes it.
    fn doubt_retries(&mut self, flow: &Flow<'_>) {
        loop {
            let is_open = |poll: &Poll| {
                let objects = poll.reads.iter().filter_map(|op| flow.kernel.access(*op));
                let mut objects = objects.map(|access| access.address.object);
                let repeats = |op: OpId| self.repeats(flow, op);
                objects.any(|object| flow.writers_of(object).any(repeats))
            };
            let retries = |poll: &Poll| poll.kind == PollKind::Retry;
            let Some(at) = self.loops.iter().position(|it| retries(it) && is_open(it)) else {
                return;
            };
            self.loops[at].kind = PollKind::Global;
        }
    }

    /// Whether an operation stands in loops of which nothing says that they end, other than that
    /// it is the one by which a retry ends.
    fn repeats(&self, flow: &Flow<'_>, op: OpId) -> bool {
        let around = flow.around(op);
        let mut polls = self.loops.iter().filter(|poll| around.contains(&poll.of));
        match (polls.next(), polls.next()) {
            (None, _) => false,
            (Some(poll), None) => poll.kind != PollKind::Retry || poll.reads != [op],
            (Some(_), Some(_)) => true,
        }
    }
}

fn collect(region: &Region, kernel: &Kernel, visit: &mut dyn FnMut(LoopId)) {
    for item in &region.items {
        if let Item::Loop(of) = *item {
            visit(of);
            collect(&kernel[of].body, kernel, visit);
        }
    }
}

fn poll(flow: &Flow<'_>, of: LoopId) -> Option<Poll> {
    let kernel = flow.kernel;
    if kernel.exprs.as_const(kernel[of].cont) == Some(0) || is_counted(flow, of) {
        return None;
    }
    let mut inside: Vec<OpId> = Vec::new();
    for condition in std::iter::once(kernel[of].cont).chain(ends_in(flow, of)) {
        let behind = flow.behind(condition).into_iter();
        inside.extend(behind.filter(|op| flow.around(*op).contains(&of)));
    }
    inside.sort_unstable();
    inside.dedup();
    let kinds = inside.iter().map(|op| kind_of(flow, of, *op));
    let found: Vec<(OpId, PollKind)> =
        inside.iter().copied().zip(kinds).filter_map(|(op, kind)| Some((op, kind?))).collect();
    // What is in the way of an answer comes first.
    let order = [PollKind::Unmodelled, PollKind::Shared, PollKind::Plain, PollKind::Global];
    let kind = order.into_iter().find(|kind| found.iter().any(|(_, it)| it == kind))?;
    let mut reads: Vec<OpId> =
        found.iter().filter(|(_, it)| *it == kind).map(|(op, _)| *op).collect();
    reads.sort_unstable();
    let retries = kind == PollKind::Global && is_retry(flow, of, &reads);
    Some(Poll { of, reads, kind: if retries { PollKind::Retry } else { kind } })
}

/// When threads end in a loop, which may be all by which it ends.
fn ends_in(flow: &Flow<'_>, of: LoopId) -> Vec<ExprId> {
    let kernel = flow.kernel;
    let ends = kernel.ops.iter().filter(|(_, op)| op.kind == OpKind::Exit(Ending::Return));
    ends.filter(|(id, _)| flow.around(*id).contains(&of)).map(|(_, op)| op.pred).collect()
}

/// How an operation that decides whether a loop goes on makes it poll; `None` if it does not.
fn kind_of(flow: &Flow<'_>, of: LoopId, op: OpId) -> Option<PollKind> {
    let kernel = flow.kernel;
    match &kernel[op].kind {
        // What the block copies decides, and from where it is copied is not followed.
        OpKind::Access(it) if matches!(&it.kind, AccessKind::Store(values) if values.is_empty()) => {
            Some(PollKind::Unmodelled)
        }
        OpKind::AsyncCopy(_) => Some(PollKind::Unmodelled),
        OpKind::Access(it) => {
            let asks =
                it.volatile || it.order.is_some() || matches!(it.kind, AccessKind::Atomic(..));
            match kernel[it.address.object].space {
                Space::Global | Space::Generic | Space::Shared
                    if asks && is_probe(flow, of, op) =>
                {
                    None
                }
                Space::Global | Space::Generic if asks => Some(PollKind::Global),
                Space::Global | Space::Generic => {
                    is_plain_poll(flow, of, it).then_some(PollKind::Plain)
                }
                Space::Shared if asks && !has_barrier(flow, of) => Some(PollKind::Shared),
                Space::Shared | Space::Constant | Space::Local => None,
            }
        }
        OpKind::Opaque(opaque) => {
            let reads_global =
                opaque.touches.reads.iter().any(|at| flow.is_shared_by_blocks(at.object))
                    || opaque.touches.reads_spaces.iter().any(|space| space.may_be(Space::Global));
            (reads_global || opaque.may_synchronize).then_some(PollKind::Unmodelled)
        }
        OpKind::Barrier(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_) => None,
    }
}

/// A load of one place that the loop itself does not write and the kernel does.
fn is_plain_poll(flow: &Flow<'_>, of: LoopId, it: &Access) -> bool {
    let object = it.address.object;
    let kernel = flow.kernel;
    let named = kernel[object].kind != ObjectKind::Unknown;
    let writes = |op: OpId| {
        kernel[op].kind.effects().writes().any(|touch| match touch.place {
            Place::At(at) => at.object == object,
            Place::Anywhere(_) => touch.place.may_be(kernel, object),
        })
    };
    // What only may be the place, as an element chosen by an index, is not taken for it.
    let writes_there = |op: OpId| {
        let effects = kernel[op].kind.effects();
        let mut writes = effects.writes();
        flow.around(op).contains(&of) && writes.any(|touch| is_same_place(kernel, it, touch))
    };
    named
        && flow.scopes.invariant(of, it.address.offset)
        && kernel.ops.keys().any(writes)
        && !kernel.ops.keys().any(writes_there)
}

/// Whether a write is of bytes that an access reads, whatever the values.
fn is_same_place(kernel: &Kernel, read: &Access, write: &Touch<'_>) -> bool {
    let (Place::At(at), TouchedBy::Access(other)) = (&write.place, write.by) else { return false };
    if at.object != read.address.object {
        return false;
    }
    let constant = |expr| kernel.exprs.as_const(expr);
    let [written, own] = [(at.offset, other.size), (read.address.offset, read.size)];
    match (constant(written.0), constant(written.1), constant(own.0), constant(own.1)) {
        (Some(start), Some(size), Some(own), Some(own_size)) => {
            start < own.saturating_add(own_size) && own < start.saturating_add(size)
        }
        _ => written.0 == own.0,
    }
}

/// Whether the threads of the block, or of other blocks, meet in the loop.
fn has_barrier(flow: &Flow<'_>, of: LoopId) -> bool {
    flow.kernel.ops.iter().any(|(id, op)| match op.kind.effects().orders {
        Some(Orders::Barrier(Barrier::Warp { .. })) => false,
        Some(Orders::Barrier(_)) => flow.around(id).contains(&of),
        Some(Orders::Fence(..) | Orders::Access(..) | Orders::Copies | Orders::NotModelled)
        | None => false,
    })
}

/// Whether the loop goes on only where its one compare-and-swap failed, and then expects the value
/// that was seen.
fn is_retry(flow: &Flow<'_>, of: LoopId, reads: &[OpId]) -> bool {
    let kernel = flow.kernel;
    let [op] = reads else { return false };
    let Some(Access {
        address, kind: AccessKind::Atomic(AtomicOp::CompareExchange, operands), ..
    }) = kernel.access(*op)
    else {
        return false;
    };
    let innermost = flow.around(*op).last() == Some(&of);
    let [expected, _] = operands.as_slice() else { return false };
    let ExprKind::Var(var) = kernel[*expected].kind else { return false };
    innermost
        && kernel.exprs.as_const(kernel[*op].pred) == Some(1)
        && flow.scopes.invariant(of, address.offset)
        && kernel[var].of == of
        && kernel[kernel[var].next].kind == ExprKind::Result(*op, 0)
        && implies_failure(kernel, kernel[of].cont, *op, *expected)
}

/// Whether a condition holds only where the result of the operation is not the value it expected.
fn implies_failure(kernel: &Kernel, condition: ExprId, op: OpId, expected: ExprId) -> bool {
    if let ExprKind::Binary(BinOp::And, _, a, b) = kernel[condition].kind {
        return [a, b].into_iter().any(|it| implies_failure(kernel, it, op, expected));
    }
    let ExprKind::Unary(UnOp::Not, inner) = kernel[condition].kind else { return false };
    let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[inner].kind else { return false };
    let is_result = |it: ExprId| kernel[it].kind == ExprKind::Result(op, 0);
    (is_result(a) && b == expected) || (is_result(b) && a == expected)
}
