//! Fences: order, scope and proxy.

use heddle_ir::{MemoryOrder, Scope};

use super::super::class::{Class, Proxy};
use super::super::types::Space;
use super::check;

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let fence = |order, scope| Class::Fence { order, scope, restricted_to: None };
    let proxy = |proxy| Class::ProxyFence { proxy, order: None };
    vec![
        ("membar.cta;", fence(MemoryOrder::SeqCst, Scope::Block)),
        ("membar.gl;", fence(MemoryOrder::SeqCst, Scope::Device)),
        ("membar.sys;", fence(MemoryOrder::SeqCst, Scope::System)),
        ("fence.sc.gpu;", fence(MemoryOrder::SeqCst, Scope::Device)),
        ("fence.acq_rel.cluster;", fence(MemoryOrder::AcqRel, Scope::Cluster)),
        ("fence.acquire.sys;", fence(MemoryOrder::Acquire, Scope::System)),
        // As libcu++ prints them.
        ("fence.sys.sc;", fence(MemoryOrder::SeqCst, Scope::System)),
        ("fence.gpu.acq_rel;", fence(MemoryOrder::AcqRel, Scope::Device)),
        ("fence.cta.acquire;", fence(MemoryOrder::Acquire, Scope::Block)),
        ("fence.cta;", fence(MemoryOrder::AcqRel, Scope::Block)),
        (
            "fence.acquire.sync_restrict::shared::cluster.cluster;",
            Class::Fence {
                order: MemoryOrder::Acquire,
                scope: Scope::Cluster,
                restricted_to: Some(Space::SharedCluster),
            },
        ),
        ("fence.mbarrier_init.release.cluster;", Class::FenceMbarrierInit),
        ("fence.proxy.alias;", proxy(Proxy::Alias)),
        ("fence.proxy.async;", proxy(Proxy::Async(None))),
        ("fence.proxy.async.shared::cta;", proxy(Proxy::Async(Some(Space::SharedBlock)))),
        (
            "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;",
            Class::ProxyFence {
                proxy: Proxy::AsyncToGeneric(Space::SharedBlock),
                order: Some((MemoryOrder::Release, Scope::Cluster)),
            },
        ),
        (
            "fence.proxy.tensormap::generic.release.gpu;",
            Class::ProxyFence {
                proxy: Proxy::Tensormap,
                order: Some((MemoryOrder::Release, Scope::Device)),
            },
        ),
        (
            "fence.proxy.tensormap::generic.acquire.sys [$3], 128;",
            Class::ProxyFence {
                proxy: Proxy::Tensormap,
                order: Some((MemoryOrder::Acquire, Scope::System)),
            },
        ),
    ]
}

#[test]
fn fences() {
    check(&examples());
}

#[test]
fn a_fence_without_a_scope_is_unknown() {
    check(&[("fence.sc;", Class::Unknown), ("fence.proxy.new_kind;", Class::Unknown)]);
}
