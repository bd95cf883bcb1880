//! Barrier objects (PTX ISA 9.7.13).

use heddle_ir::{MemoryOrder, Scope};

use super::super::class::{Class, MbarrierOp, MbarrierWhere, PhaseBy};
use super::super::pattern::Modifiers;
use super::super::types::Space;
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "mbarrier.init{.shared|shared::cta}.b64",
        operands: "mbarrier count",
        class: |m| with(m, MbarrierOp::Init),
    },
    Row {
        pattern: "mbarrier.inval{.shared|shared::cta}.b64",
        operands: "mbarrier",
        class: |m| with(m, MbarrierOp::Invalidate),
    },
    Row {
        pattern: "mbarrier.arrive|arrive_drop{.release|relaxed}{.cta|cluster}{.SPACE}.b64",
        operands: "dest? mbarrier count?",
        class: arrive,
    },
    Row {
        pattern: "mbarrier.arrive|arrive_drop.expect_tx{.release|relaxed}{.cta|cluster}{.SPACE}.b64",
        operands: "dest? mbarrier bytes",
        class: arrive,
    },
    Row {
        pattern: "mbarrier.arrive|arrive_drop.noComplete{.release}{.cta}{.SPACE}.b64",
        operands: "dest mbarrier count",
        class: arrive,
    },
    Row {
        pattern: "mbarrier.expect_tx{.relaxed}{.cta|cluster}{.SPACE}.b64",
        operands: "mbarrier bytes",
        class: |m| with(m, MbarrierOp::ExpectBytes(scope(m))),
    },
    Row {
        pattern: "mbarrier.complete_tx{.relaxed}{.cta|cluster}{.SPACE}.b64",
        operands: "mbarrier bytes",
        class: |m| with(m, MbarrierOp::CompleteBytes(scope(m))),
    },
    Row {
        pattern: "mbarrier.test_wait{.acquire|relaxed}{.cta|cluster}{.shared|shared::cta}.b64",
        operands: "dest mbarrier token",
        class: |m| test(m, PhaseBy::Token),
    },
    Row {
        pattern: "mbarrier.test_wait.parity{.acquire|relaxed}{.cta|cluster}{.shared|shared::cta}.b64",
        operands: "dest mbarrier parity",
        class: |m| test(m, PhaseBy::Parity),
    },
    Row {
        pattern: "mbarrier.try_wait{.acquire|relaxed}{.cta|cluster}{.shared|shared::cta}.b64",
        operands: "dest mbarrier token suspend_hint?",
        class: |m| test(m, PhaseBy::Token),
    },
    Row {
        pattern: "mbarrier.try_wait.parity{.acquire|relaxed}{.cta|cluster}{.shared|shared::cta}.b64",
        operands: "dest mbarrier parity suspend_hint?",
        class: |m| test(m, PhaseBy::Parity),
    },
];

fn with(m: &Modifiers<'_>, op: MbarrierOp) -> Option<Class> {
    let place = match m.spaces().next() {
        None => MbarrierWhere::Generic,
        Some(Space::SharedBlock) => MbarrierWhere::Block,
        Some(Space::SharedCluster) => MbarrierWhere::Cluster,
        Some(
            Space::Generic | Space::Global | Space::Local | Space::Constant | Space::Parameter,
        ) => return None,
    };
    Some(Class::Mbarrier { op, place })
}

fn arrive(m: &Modifiers<'_>) -> Option<Class> {
    let op = MbarrierOp::Arrive {
        drop: m.has("arrive_drop"),
        expect_bytes: m.has("expect_tx"),
        no_complete: m.has("noComplete"),
        order: if m.has("relaxed") { MemoryOrder::Relaxed } else { MemoryOrder::Release },
        scope: scope(m),
    };
    with(m, op)
}

fn test(m: &Modifiers<'_>, by: PhaseBy) -> Option<Class> {
    let order = if m.has("relaxed") { MemoryOrder::Relaxed } else { MemoryOrder::Acquire };
    with(m, MbarrierOp::Test { by, may_wait: m.has("try_wait"), order, scope: scope(m) })
}

fn scope(m: &Modifiers<'_>) -> Scope {
    m.scope().unwrap_or(Scope::Block)
}
