//! Fences (PTX ISA 9.7.13).

use heddle_ir::{MemoryOrder, Scope};

use super::super::class::{Class, Proxy};
use super::super::pattern::Modifiers;
use super::super::types::Space;
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "membar.cta|gl|sys",
        operands: "",
        class: |m| {
            Some(Class::Fence {
                order: MemoryOrder::SeqCst,
                scope: m.scope()?,
                restricted_to: None,
            })
        },
    },
    Row {
        pattern: "fence{.sc|acq_rel|acquire|release}.SCOPE",
        operands: "",
        class: |m| {
            Some(Class::Fence {
                order: order(m).unwrap_or(MemoryOrder::AcqRel),
                scope: m.scope()?,
                restricted_to: None,
            })
        },
    },
    Row {
        pattern: "fence.acquire|release.sync_restrict::shared::cta|sync_restrict::shared::cluster.cluster",
        operands: "",
        class: |m| {
            let restricted_to = Some(restriction(m)?);
            Some(Class::Fence { order: order(m)?, scope: Scope::Cluster, restricted_to })
        },
    },
    Row {
        pattern: "fence.mbarrier_init.release.cluster",
        operands: "",
        class: |_| Some(Class::FenceMbarrierInit),
    },
    Row {
        pattern: "fence|membar.proxy.alias",
        operands: "",
        class: |_| Some(Class::ProxyFence { proxy: Proxy::Alias, order: None }),
    },
    Row {
        pattern: "fence|membar.proxy.async{.global|shared::cta|shared::cluster|shared}",
        operands: "",
        class: |m| Some(Class::ProxyFence { proxy: Proxy::Async(m.spaces().next()), order: None }),
    },
    Row {
        pattern: "fence.proxy.async::generic.acquire|release.sync_restrict::shared::cta|sync_restrict::shared::cluster.cluster",
        operands: "",
        class: |m| {
            let proxy = Proxy::AsyncToGeneric(restriction(m)?);
            Some(Class::ProxyFence { proxy, order: Some((order(m)?, Scope::Cluster)) })
        },
    },
    Row { pattern: "fence.proxy.tensormap::generic.release.SCOPE", operands: "", class: tensormap },
    Row {
        pattern: "fence.proxy.tensormap::generic.acquire.SCOPE",
        operands: "address size",
        class: tensormap,
    },
];

fn tensormap(m: &Modifiers<'_>) -> Option<Class> {
    Some(Class::ProxyFence { proxy: Proxy::Tensormap, order: Some((order(m)?, m.scope()?)) })
}

fn order(m: &Modifiers<'_>) -> Option<MemoryOrder> {
    m.first(|name| {
        Some(match name {
            "sc" => MemoryOrder::SeqCst,
            "acq_rel" => MemoryOrder::AcqRel,
            "acquire" => MemoryOrder::Acquire,
            "release" => MemoryOrder::Release,
            _ => return None,
        })
    })
}

fn restriction(m: &Modifiers<'_>) -> Option<Space> {
    m.first(|name| Space::parse(name.strip_prefix("sync_restrict::")?))
}
