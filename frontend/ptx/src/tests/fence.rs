//! Fences: order, scope and proxy.

use heddle_ir::{Order, Scope};

use super::super::class::{Class, Proxy};
use super::super::types::Space;
use super::check;

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let fence = |order, scope| Class::Fence { order, scope, restricted_to: None };
    let proxy = |proxy| Class::ProxyFence { proxy, order: None };
    vec![
        ("membar.cta;", fence(Order::SeqCst, Scope::Block)),
        ("membar.gl;", fence(Order::SeqCst, Scope::Device)),
        ("membar.sys;", fence(Order::SeqCst, Scope::System)),
        ("fence.sc.gpu;", fence(Order::SeqCst, Scope::Device)),
        ("fence.acq_rel.cluster;", fence(Order::AcqRel, Scope::Cluster)),
        ("fence.acquire.sys;", fence(Order::Acquire, Scope::System)),
        // As libcu++ prints them.
        ("fence.sys.sc;", fence(Order::SeqCst, Scope::System)),
        ("fence.gpu.acq_rel;", fence(Order::AcqRel, Scope::Device)),
        ("fence.cta.acquire;", fence(Order::Acquire, Scope::Block)),
        ("fence.cta;", fence(Order::AcqRel, Scope::Block)),
        (
            "fence.acquire.sync_restrict::shared::cluster.cluster;",
            Class::Fence {
                order: Order::Acquire,
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
                order: Some((Order::Release, Scope::Cluster)),
            },
        ),
        (
            "fence.proxy.tensormap::generic.release.gpu;",
            Class::ProxyFence {
                proxy: Proxy::Tensormap,
                order: Some((Order::Release, Scope::Device)),
            },
        ),
        (
            "fence.proxy.tensormap::generic.acquire.sys [$3], 128;",
            Class::ProxyFence {
                proxy: Proxy::Tensormap,
                order: Some((Order::Acquire, Scope::System)),
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
