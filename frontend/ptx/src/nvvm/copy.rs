//! Barrier objects and asynchronous copies.
//!
//! **Does not**: say what copies of tensors and prefetches are: no consumer follows them.

use heddle_ir::{MemoryOrder, Scope};

use super::Row;
use crate::class::{
    BulkCompletion, BulkCopy, BulkKind, CacheLevel, Class, Effect, MbarrierOp, MbarrierWhere,
    PhaseBy, PureOp,
};
use crate::instruction::Role;
use crate::pattern::Modifiers;
use crate::types::{Space, Type, TypeKind};

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "mbarrier.init{.shared}",
        arguments: &[Role::Mbarrier, Role::Count],
        class: |m| Some(object(m, MbarrierOp::Init)),
    },
    Row {
        pattern: "mbarrier.inval{.shared}",
        arguments: &[Role::Mbarrier],
        class: |m| Some(object(m, MbarrierOp::Invalidate)),
    },
    Row {
        pattern: "mbarrier.arrive{.drop}{.shared}",
        arguments: &[Role::Mbarrier],
        class: |m| Some(arrive(m)),
    },
    Row {
        pattern: "mbarrier.arrive{.drop}.noComplete{.shared}",
        arguments: &[Role::Mbarrier, Role::Count],
        class: |m| Some(arrive(m)),
    },
    Row {
        pattern: "mbarrier.arrive{.drop}{.relaxed}.scope.cta|cluster.space.cta|cluster",
        arguments: &[Role::Mbarrier, Role::Count],
        class: |m| Some(arrive(m)),
    },
    Row {
        pattern: "mbarrier.arrive{.drop}.expect.tx{.relaxed}.scope.cta|cluster.space.cta|cluster",
        arguments: &[Role::Mbarrier, Role::Bytes],
        class: |m| Some(arrive(m)),
    },
    Row {
        pattern: "mbarrier.expect.tx.scope.cta|cluster.space.cta|cluster",
        arguments: &[Role::Mbarrier, Role::Bytes],
        class: |m| Some(object(m, MbarrierOp::ExpectBytes(scope(m)))),
    },
    Row {
        pattern: "mbarrier.complete.tx.scope.cta|cluster.space.cta|cluster",
        arguments: &[Role::Mbarrier, Role::Bytes],
        class: |m| Some(object(m, MbarrierOp::CompleteBytes(scope(m)))),
    },
    Row {
        pattern: "mbarrier.test.wait{.shared}",
        arguments: &[Role::Mbarrier, Role::Token],
        class: |m| Some(test(m)),
    },
    Row {
        pattern: "mbarrier.test|try.wait{.relaxed}.scope.cta|cluster.space.cta",
        arguments: &[Role::Mbarrier, Role::Token],
        class: |m| Some(test(m)),
    },
    Row {
        pattern: "mbarrier.test|try.wait.parity{.relaxed}.scope.cta|cluster.space.cta",
        arguments: &[Role::Mbarrier, Role::Parity],
        class: |m| Some(test(m)),
    },
    Row {
        pattern: "mbarrier.try.wait.tl{.relaxed}.scope.cta|cluster.space.cta",
        arguments: &[Role::Mbarrier, Role::Token, Role::SuspendHint],
        class: |m| Some(test(m)),
    },
    Row {
        pattern: "mbarrier.try.wait.parity.tl{.relaxed}.scope.cta|cluster.space.cta",
        arguments: &[Role::Mbarrier, Role::Parity, Role::SuspendHint],
        class: |m| Some(test(m)),
    },
    Row {
        pattern: "mbarrier.pending.count",
        arguments: &[Role::Token],
        class: |_| {
            let ty = Type { kind: TypeKind::Bits, bits: 64, lanes: 1 };
            Some(Class::Pure { op: PureOp::Uninterpreted, ty })
        },
    },
    Row {
        pattern: "cp.async.ca|cg.shared.global.4|8|16",
        arguments: &[Role::Address, Role::Source],
        class: |m| Some(Class::CpAsync(level(m))),
    },
    Row {
        pattern: "cp.async.ca|cg.shared.global.4|8|16.s",
        arguments: &[Role::Address, Role::Source, Role::SourceSize],
        class: |m| Some(Class::CpAsync(level(m))),
    },
    Row { pattern: "cp.async.commit.group", arguments: &[], class: |_| Some(Class::CpAsyncCommit) },
    Row {
        pattern: "cp.async.wait.group",
        arguments: &[Role::Pending],
        class: |_| Some(Class::CpAsyncWait),
    },
    Row { pattern: "cp.async.wait.all", arguments: &[], class: |_| Some(Class::CpAsyncWait) },
    Row {
        pattern: "cp.async.mbarrier.arrive{.noinc}{.shared}",
        arguments: &[Role::Mbarrier],
        class: |m| {
            let space = if m.has("shared") { Space::SharedBlock } else { Space::Generic };
            Some(Class::CpAsyncArrive { no_increment: m.has("noinc"), space })
        },
    },
    Row {
        pattern: "cp.async.bulk.commit.group",
        arguments: &[],
        class: |_| Some(Class::BulkCommit),
    },
    Row {
        pattern: "cp.async.bulk.wait.group{.read}",
        arguments: &[Role::Pending],
        class: |m| Some(Class::BulkWait { read_only: m.has("read") }),
    },
    Row {
        pattern: "cp.async.bulk.global.to.shared.cluster",
        arguments: &[
            Role::Address,
            Role::Mbarrier,
            Role::Source,
            Role::Size,
            Role::Multicast,
            Role::CachePolicy,
            Role::HasMulticast,
            Role::HasCachePolicy,
        ],
        class: |_| Some(bulk(Space::Global, Space::SharedCluster, true)),
    },
    Row {
        pattern: "cp.async.bulk.global.to.shared.cta",
        arguments: &[
            Role::Address,
            Role::Mbarrier,
            Role::Source,
            Role::Size,
            Role::CachePolicy,
            Role::HasCachePolicy,
        ],
        class: |_| Some(bulk(Space::Global, Space::SharedBlock, false)),
    },
    Row {
        pattern: "cp.async.bulk.shared.cta.to.cluster",
        arguments: &[Role::Address, Role::Mbarrier, Role::Source, Role::Size],
        class: |_| Some(bulk(Space::SharedBlock, Space::SharedCluster, false)),
    },
    Row {
        pattern: "cp.async.bulk.shared.cta.to.global",
        arguments: &[
            Role::Address,
            Role::Source,
            Role::Size,
            Role::CachePolicy,
            Role::HasCachePolicy,
        ],
        class: |_| Some(bulk(Space::SharedBlock, Space::Global, false)),
    },
    Row {
        pattern: "cp.async.bulk.shared.cta.to.global.bytemask",
        arguments: &[
            Role::Address,
            Role::Source,
            Role::Size,
            Role::CachePolicy,
            Role::HasCachePolicy,
            Role::ByteMask,
        ],
        class: |_| Some(bulk(Space::SharedBlock, Space::Global, false)),
    },
    // Tensors, and what else is copied asynchronously.
    Row { pattern: "cp{.ANY}*", arguments: &[], class: |_| Some(Class::Opaque(Effect::Anything)) },
];

/// A barrier object where the name says: `shared` and `space.cta` are the block's own memory.
fn object(m: &Modifiers<'_>, op: MbarrierOp) -> Class {
    let place = match m.after("space") {
        Some("cluster") => MbarrierWhere::Cluster,
        Some(_) => MbarrierWhere::Block,
        None if m.has("shared") => MbarrierWhere::Block,
        None => MbarrierWhere::Generic,
    };
    Class::Mbarrier { op, place }
}

fn arrive(m: &Modifiers<'_>) -> Class {
    let op = MbarrierOp::Arrive {
        drop: m.has("drop"),
        expect_bytes: m.has("expect"),
        no_complete: m.has("noComplete"),
        order: if m.has("relaxed") { MemoryOrder::Relaxed } else { MemoryOrder::Release },
        scope: scope(m),
    };
    object(m, op)
}

fn test(m: &Modifiers<'_>) -> Class {
    let op = MbarrierOp::Test {
        by: if m.has("parity") { PhaseBy::Parity } else { PhaseBy::Token },
        may_wait: m.has("try"),
        order: if m.has("relaxed") { MemoryOrder::Relaxed } else { MemoryOrder::Acquire },
        scope: scope(m),
    };
    object(m, op)
}

/// The scope that the name says, else the block.
fn scope(m: &Modifiers<'_>) -> Scope {
    match m.after("scope") {
        Some("cluster") => Scope::Cluster,
        Some(_) | None => Scope::Block,
    }
}

fn level(m: &Modifiers<'_>) -> CacheLevel {
    if m.has("ca") { CacheLevel::All } else { CacheLevel::Global }
}

fn bulk(source: Space, destination: Space, multicast: bool) -> Class {
    let completion = match destination {
        Space::Global => BulkCompletion::Group,
        Space::Generic
        | Space::SharedBlock
        | Space::SharedCluster
        | Space::Local
        | Space::Constant
        | Space::Parameter => BulkCompletion::Mbarrier,
    };
    let kind = BulkKind::Copy;
    Class::BulkCopy(BulkCopy { kind, destination, source, completion, tensor: None, multicast })
}
