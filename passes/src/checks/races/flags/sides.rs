//! The two sides of a hand-over by a flag: what stands between an access and the flag.
//!
//! **What**: the ways in which a thread, or the first thread of its block for it, releases what was
//! done before a write to the flag, and acquires after a read of it.
//! **Sound because**: each way names what must hold for it as expressions of the thread that does
//! it; what orders the two threads of a block is a barrier that plainly lies between. A barrier in
//! a loop is passed by all threads of the block that have not returned in the same rounds.
//! **Misses**: fences in loops that are not around the flag's write; parts that are left to another
//! thread than the first of the block.
//! **Assumes**: nothing.

use heddle_ir::{ExprId, ExprKind, LoopId, MemoryOrder, OpId, Orders, Proxy, Scope, Space};

use crate::checks::races::hand_over::{access, barrier_between};
use crate::engine::instance::{FrameId, Instance, Placement};
use crate::engine::parting::returns_apart;
use crate::facts::analysis::Analysis;
use crate::facts::strength::{Fenced, orders_by_itself};
use crate::facts::thread::Thread;

/// How one side of a hand-over may be done.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// What must hold for it.
    pub(super) given: Vec<ExprId>,
    /// How it is fenced.
    pub(super) fenced: Fenced,
}

/// What a side has read from the flag, and how it acquires.
pub(super) struct Acquired {
    pub(super) offset: ExprId,
    pub(super) value: ExprId,
    pub(super) given: Vec<ExprId>,
    pub(super) ways: Vec<Way>,
}

/// The first thread of a thread's block: one symbol for two threads of one block.
pub(super) fn leader(instance: &Instance<'_>, of: Thread) -> Thread {
    match instance.placement {
        Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
            of.leader()
        }
        Placement::SameBlock
        | Placement::SameWarp
        | Placement::SameThread
        | Placement::DifferentWarps => Thread::LeaderOfOne,
    }
}

/// Fences at a scope that go both ways, and whether each is sequentially consistent, so that it
/// counts for other threads. In OpenCL none does, a fence that goes one way is enough, it may be
/// for the memory of `flag` alone, and it has the flag's own scope.
fn fences(
    analysis: &Analysis<'_>,
    flag: OpId,
    way: MemoryOrder,
    scope: Scope,
) -> Vec<(OpId, bool)> {
    let kernel = analysis.kernel;
    let space = kernel.access(flag).map(|it| kernel[it.address.object].space);
    let is_fence = |(op, it): (OpId, &heddle_ir::Op)| {
        let Some(Orders::Fence(order, of, proxy)) = it.kind.effects().orders else { return None };
        let both_ways = matches!(order, MemoryOrder::AcqRel | MemoryOrder::SeqCst);
        if kernel.target.opencl {
            let of_flag = match proxy {
                None => true,
                Some(Proxy::OpenclGlobal) => space == Some(Space::Global),
                Some(Proxy::OpenclLocal) => space == Some(Space::Shared),
                Some(
                    Proxy::Alias
                    | Proxy::Async
                    | Proxy::AsyncGlobal
                    | Proxy::AsyncToGeneric
                    | Proxy::Tensormap
                    | Proxy::MbarrierInit
                    | Proxy::Restricted
                    | Proxy::OpenclImage
                    | Proxy::OpenclUnknown,
                ) => false,
            };
            let counts = (both_ways || order == way) && of_flag && of == Scope::Device;
            return counts.then_some((op, false));
        }
        let counts = both_ways && proxy.is_none() && of >= scope;
        counts.then_some((op, order == MemoryOrder::SeqCst))
    };
    kernel.ops.iter().filter_map(is_fence).collect()
}

/// The frame in which a write is done in the rounds of an access, by the access's thread or by the
/// first of its block: the loops around the write must all be around the access.
pub(super) fn writer(
    instance: &mut Instance<'_>,
    (earlier, frame): (OpId, FrameId),
    write: OpId,
    by_first: bool,
) -> Option<FrameId> {
    let order = &instance.analysis.order;
    let (around, around_earlier) = (order.chain(write), order.chain(earlier));
    if !around_earlier.starts_with(around) {
        return None;
    }
    let own = instance.outer(frame, around_earlier.len() - around.len());
    if !by_first {
        return Some(own);
    }
    let first = leader(instance, instance.thread(frame));
    Some(instance.same_rounds(own, first))
}

/// How a side may release: what stands between its access and a write to the flag, by the thread
/// itself or by the first of its block after a barrier.
pub(super) fn released(
    instance: &mut Instance<'_>,
    (earlier, frame): (OpId, FrameId),
    write: OpId,
    by_first: bool,
    scope: Scope,
) -> Vec<Way> {
    let analysis = instance.analysis;
    let order = &analysis.order;
    let mut ways = Vec::new();
    if !order.before(earlier, write) || by_first && !barrier_between(instance, earlier, write) {
        return ways;
    }
    let [own, by] =
        [false, by_first].map(|by_first| writer(instance, (earlier, frame), write, by_first));
    let (Some(own), Some(by)) = (own, by) else { return ways };
    let around = order.chain(write);
    let mut with = Vec::new();
    if by_first {
        let first = instance.thread(by);
        let in_step = in_step(instance, (earlier, write), around.len(), first);
        let Some(in_step) = in_step else { return ways };
        with = in_step;
    }
    if orders_by_itself(analysis.kernel, access(instance, write), MemoryOrder::Release) {
        ways.push(Way { given: with.clone(), fenced: Fenced::BY_ITSELF });
    }
    for (fence, strict) in fences(analysis, write, MemoryOrder::Release, scope) {
        let between = order.before(earlier, fence) && order.before(fence, write);
        if !between || order.chain(fence) != around {
            continue;
        }
        let pred = analysis.kernel[fence].pred;
        let given = |it: ExprId| [&with[..], &[it]].concat();
        if !by_first || barrier_between(instance, earlier, fence) {
            let given = given(instance.at(by, pred));
            ways.push(Way { given, fenced: Fenced { in_thread: true, strict } });
        }
        if by_first && barrier_between(instance, fence, write) {
            let given = given(instance.at(own, pred));
            ways.push(Way { given, fenced: Fenced { in_thread: false, strict } });
        }
    }
    ways
}

/// What a side has read from the flag before its access, by the thread itself, or by the first of
/// its block before a barrier, and how it acquires.
pub(super) fn acquired(
    instance: &mut Instance<'_>,
    read: OpId,
    (later, frame): (OpId, FrameId),
    scope: Scope,
) -> Vec<Acquired> {
    let analysis = instance.analysis;
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let is_value = |(_, it): &(ExprId, &heddle_ir::Expr)| it.kind == ExprKind::Result(read, 0);
    let Some((value, _)) = kernel.exprs.iter().find(is_value) else { return Vec::new() };
    if !order.before(read, later) {
        return Vec::new();
    }
    let (around, around_later) = (order.chain(read), order.chain(later));
    let shared = around.iter().zip(around_later).take_while(|(a, b)| a == b).count();
    // The read may stand in a loop of its own, which polls.
    if around.len() > shared + 1 {
        return Vec::new();
    }
    let polls = around.get(shared).copied();
    let own = instance.outer(frame, around_later.len() - shared);
    let mut all = vec![side(
        instance,
        (read, value),
        (own, polls),
        |instance, fence| {
            let chain = order.chain(fence);
            let fits = order.before(read, fence) && order.before(fence, later);
            let inside = chain.len() >= shared && around_later.starts_with(chain);
            (fits && inside)
                .then(|| (instance.outer(frame, around_later.len() - chain.len()), true))
        },
        scope,
    )];
    let first = leader(instance, instance.thread(frame));
    let in_step = in_step(instance, (read, later), shared, first);
    if let Some(in_step) = in_step.filter(|_| barrier_between(instance, read, later)) {
        let first = instance.same_rounds(own, first);
        let mut of_first = side(
            instance,
            (read, value),
            (first, polls),
            |instance, fence| {
                let fits = order.before(read, fence) && order.before(fence, later);
                let beside = order.chain(fence) == &around_later[..shared];
                if !fits || !beside {
                    None
                } else if barrier_between(instance, fence, later) {
                    Some((first, true))
                } else if barrier_between(instance, read, fence) {
                    Some((own, false))
                } else {
                    None
                }
            },
            scope,
        );
        of_first.given.extend(in_step);
        all.push(of_first);
    }
    all
}

/// What must hold for the first thread of the block to pass a barrier, in loops that both
/// operations are in, in the same rounds as the later one's thread: that it has not returned.
/// `None` where it may return in these loops without the others.
fn in_step(
    instance: &mut Instance<'_>,
    (read, later): (OpId, OpId),
    shared: usize,
    first: Thread,
) -> Option<Vec<ExprId>> {
    let analysis = instance.analysis;
    let order = &analysis.order;
    let mut given = Vec::new();
    let apart = if shared == 0 { Vec::new() } else { returns_apart(analysis) };
    for end in apart {
        let outside = order.chain(end).first() != order.chain(later).first();
        if outside && order.before(later, end) {
            continue;
        }
        if !order.chain(end).is_empty() || !order.before(end, read) {
            return None;
        }
        let root = instance.root(first);
        let returned = instance.at(root, analysis.kernel[end].pred);
        given.push(instance.pool.not(returned));
    }
    Some(given)
}

/// The read by the thread of a frame, in the last round of the loop that polls where there is one.
/// `fence_by` says in which frame a fence after the read counts, and whether the same thread does
/// it.
fn side<'a>(
    instance: &mut Instance<'a>,
    (read, value): (OpId, ExprId),
    (outside, polls): (FrameId, Option<LoopId>),
    fence_by: impl Fn(&Instance<'a>, OpId) -> Option<(FrameId, bool)>,
    scope: Scope,
) -> Acquired {
    let analysis = instance.analysis;
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let mut given = Vec::new();
    let frame = match polls {
        Some(of) => {
            given.push(instance.at(outside, kernel[of].pred));
            let last = instance.last_iteration(outside, of);
            instance.enter(outside, of, last)
        }
        None => outside,
    };
    given.push(instance.at(frame, kernel[read].pred));
    let mut ways = Vec::new();
    if orders_by_itself(analysis.kernel, access(instance, read), MemoryOrder::Acquire) {
        ways.push(Way { given: Vec::new(), fenced: Fenced::BY_ITSELF });
    }
    for (fence, strict) in fences(analysis, read, MemoryOrder::Acquire, scope) {
        let pred = kernel[fence].pred;
        let in_the_loop =
            polls.is_some() && order.chain(fence) == order.chain(read) && order.before(read, fence);
        if in_the_loop {
            let given = vec![instance.at(frame, pred)];
            ways.push(Way { given, fenced: Fenced { in_thread: true, strict } });
        } else if let Some((by, in_thread)) = fence_by(instance, fence) {
            let given = vec![instance.at(by, pred)];
            ways.push(Way { given, fenced: Fenced { in_thread, strict } });
        }
    }
    let place = access(instance, read).address.offset;
    Acquired { offset: instance.at(frame, place), value: instance.at(frame, value), given, ways }
}
