//! Barriers of blocks, warps and clusters (PTX ISA 9.7.13).

use heddle_ir::{BarrierAction, ClusterAction, MemoryOrder, Reduction};

use super::super::class::Class;
use super::super::pattern::Modifiers;
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row { pattern: "bar.warp.sync", operands: "mask", class: |_| Some(Class::WarpBarrier) },
    Row {
        pattern: "bar|barrier{.cta}.sync{.aligned}",
        operands: "id count?",
        class: |m| Some(block(m, BarrierAction::Sync, None)),
    },
    Row {
        pattern: "bar|barrier{.cta}.arrive{.aligned}",
        operands: "id count",
        class: |m| Some(block(m, BarrierAction::Arrive, None)),
    },
    Row {
        pattern: "bar|barrier{.cta}.red.popc{.aligned}.u32",
        operands: "dest id count? predicate",
        class: |m| Some(block(m, BarrierAction::Sync, Some(Reduction::Popc))),
    },
    Row {
        pattern: "bar|barrier{.cta}.red.and{.aligned}.pred",
        operands: "dest id count? predicate",
        class: |m| Some(block(m, BarrierAction::Sync, Some(Reduction::And))),
    },
    Row {
        pattern: "bar|barrier{.cta}.red.or{.aligned}.pred",
        operands: "dest id count? predicate",
        class: |m| Some(block(m, BarrierAction::Sync, Some(Reduction::Or))),
    },
    Row {
        pattern: "barrier.cluster.arrive{.release|relaxed}{.aligned}",
        operands: "",
        class: |m| {
            let order = if m.has("relaxed") { MemoryOrder::Relaxed } else { MemoryOrder::Release };
            Some(Class::ClusterBarrier {
                action: ClusterAction::Arrive,
                order,
                aligned: m.has("aligned"),
            })
        },
    },
    Row {
        pattern: "barrier.cluster.wait{.acquire}{.aligned}",
        operands: "",
        class: |m| {
            let (action, order) = (ClusterAction::Wait, MemoryOrder::Acquire);
            Some(Class::ClusterBarrier { action, order, aligned: m.has("aligned") })
        },
    },
    Row {
        pattern: "griddepcontrol.wait",
        operands: "",
        class: |_| Some(Class::GridDependency { wait: true }),
    },
    Row {
        pattern: "griddepcontrol.launch_dependents",
        operands: "",
        class: |_| Some(Class::GridDependency { wait: false }),
    },
];

/// `bar` is the aligned form of `barrier`.
fn block(m: &Modifiers<'_>, action: BarrierAction, reduce: Option<Reduction>) -> Class {
    Class::Barrier { action, reduce, aligned: m.root == "bar" || m.has("aligned") }
}
