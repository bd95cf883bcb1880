//! Relaxed arrivals at the barrier of a cluster that release all the same.
//!
//! **Claim.** A fence of the cluster or wider orders what the thread did before it before the
//! arrival, which who waits observes (PTX ISA 9.7.13.4, "use memory fence prior to arrive for
//! relaxed barrier"): between the two the thread must touch nothing. A fence of initialisations
//! (`fence.mbarrier_init.release.cluster`) orders these alone, so nothing else may have been
//! touched before the arrival.
//! **Misses**: fences and arrivals in different loops, or under different conditions.

use heddle_ir::{Barrier, Kernel, LoopId, MbarrierAction, MemoryOrder, OpId, OpKind, Proxy, Scope};

/// Whether what a thread did is released by its relaxed arrival, as by one that releases.
pub(super) fn releases(kernel: &Kernel, arrival: OpId) -> bool {
    let mut before: Vec<(OpId, Vec<LoopId>)> = Vec::new();
    let mut around_arrival = None;
    kernel.for_each_op(|op, around| {
        if op == arrival {
            around_arrival = Some(around.to_vec());
        }
        if around_arrival.is_none() {
            before.push((op, around.to_vec()));
        }
    });
    let Some(around) = around_arrival else { return false };
    let with_it = |op: OpId| is_done_with(kernel, op, arrival);
    let mut last = before.iter().rev().filter(|(op, _)| !is_harmless(&kernel[*op].kind));
    let is_fenced = last.next().is_some_and(|(op, of)| {
        *of == around && with_it(*op) && is_fence_of_cluster(&kernel[*op].kind)
    });
    is_fenced || is_fenced_start(kernel, &before)
}

/// Whether a thread that does one operation also does the other.
fn is_done_with(kernel: &Kernel, op: OpId, other: OpId) -> bool {
    let pred = kernel[op].pred;
    pred == kernel[other].pred || kernel.exprs.as_const(pred) == Some(1)
}

fn is_harmless(kind: &OpKind) -> bool {
    let effects = kind.effects();
    effects.touches.is_empty() && effects.orders.is_none()
}

fn is_fence_of_cluster(kind: &OpKind) -> bool {
    let OpKind::Fence { order, scope, proxy: None } = kind else { return false };
    matches!(order, MemoryOrder::AcqRel | MemoryOrder::SeqCst) && *scope >= Scope::Cluster
}

/// Whether nothing was touched yet but barrier objects, which were initialised and then fenced.
fn is_fenced_start(kernel: &Kernel, before: &[(OpId, Vec<LoopId>)]) -> bool {
    let mut initialised = Vec::new();
    for (op, around) in before {
        let it = &kernel[*op].kind;
        if let OpKind::Fence { proxy: Some(Proxy::MbarrierInit), .. } = it {
            initialised.retain(|init| !is_done_with(kernel, *op, *init));
        } else if let OpKind::Barrier(Barrier::Mbarrier { action, .. }) = it
            && matches!(action, MbarrierAction::Init(_))
            && around.is_empty()
        {
            initialised.push(*op);
        } else if !is_harmless(it) && !matches!(it, OpKind::Fence { .. }) {
            return false;
        }
    }
    initialised.is_empty() && !before.is_empty()
}
