//! NVVM's intrinsics (`llvm/IR/IntrinsicsNVVM.td`) as rows beside those of the PTX table: what each
//! means, in the same classes, and which argument plays which role.
//!
//! **Promises**: an intrinsic of which a row speaks has the meaning of the instruction that LLVM
//! selects for it, so the lift, the native runs and the GPU side need not read its name.
//!
//! **Does not**: know arithmetic, whose names the consumers read, nor `mma`, `wmma` and
//! `movmatrix`, whose names the module `matrix` reads. What no consumer follows of a family may do
//! anything ([`super::Effect::Anything`]).

use heddle_ir::{BarrierAction, ClusterAction, CrossLaneKind, MemoryOrder, Reduction, Scope};

mod copy;
mod matrix;
mod memory;

use super::class::{Class, Proxy};
use super::instruction::Role;
use super::pattern::{self, Modifiers};
use super::special::Special;
use super::types::{Space, Type, TypeKind};

/// The special register that `llvm.nvvm.read.ptx.sreg.<name>` reads. Names that PTX writes with an
/// underscore have a dot in some versions of LLVM.
pub fn special_register(name: &str) -> Option<Special> {
    let name = match name.split_once('.') {
        Some((family @ ("cluster" | "lanemask"), rest)) => format!("%{family}_{rest}"),
        Some(_) | None if name == "warpsize" => "WARP_SZ".to_owned(),
        Some(_) | None => format!("%{name}"),
    };
    Special::parse(&name)
}

/// One row.
struct Row {
    /// The name after `llvm.nvvm.`; the language is that of the module `pattern`.
    pattern: &'static str,
    /// The role of each argument, in order.
    arguments: &'static [Role],
    /// What it means.
    class: fn(&Modifiers<'_>) -> Option<Class>,
}

/// An intrinsic, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Intrinsic {
    /// What it means.
    pub class: Class,
    /// The role of each argument, in order.
    pub arguments: &'static [Role],
    /// The bytes that a `cp.async` writes, which the name has.
    pub size: Option<u32>,
}

impl Intrinsic {
    /// The position of the argument that plays a role.
    pub fn argument(&self, role: Role) -> Option<usize> {
        self.arguments.iter().position(|it| *it == role)
    }
}

/// What the intrinsic of a name means, which is given without `llvm.nvvm.`.
pub fn intrinsic(name: &str) -> Option<Intrinsic> {
    let modifiers = Modifiers::split(name);
    let mut rows = [ROWS, copy::ROWS, memory::ROWS, matrix::ROWS].into_iter().flatten();
    let row = rows.find(|row| pattern::matches(row.pattern, &modifiers))?;
    let class = (row.class)(&modifiers)?;
    let sized = matches!(class, Class::CpAsync(_));
    let size = sized.then(|| modifiers.first(|word| word.parse().ok())).flatten();
    Some(Intrinsic { class, arguments: row.arguments, size })
}

/// Barriers, fences, exchanges of lanes, and what ends a thread.
const ROWS: &[Row] = &[
    Row {
        pattern: "barrier.cta.sync{.aligned}.all",
        arguments: &[Role::Id],
        class: |m| Some(block(m, BarrierAction::Sync, None)),
    },
    Row {
        pattern: "barrier.cta.sync{.aligned}.count",
        arguments: &[Role::Id, Role::Count],
        class: |m| Some(block(m, BarrierAction::Sync, None)),
    },
    Row {
        pattern: "barrier.cta.arrive{.aligned}.count",
        arguments: &[Role::Id, Role::Count],
        class: |m| Some(block(m, BarrierAction::Arrive, None)),
    },
    Row {
        pattern: "barrier.cta.red.popc|and|or{.aligned}.all",
        arguments: &[Role::Id, Role::Predicate],
        class: |m| Some(block(m, BarrierAction::Sync, Some(m.first(Reduction::from_name)?))),
    },
    Row {
        pattern: "barrier.cta.red.popc|and|or{.aligned}.count",
        arguments: &[Role::Id, Role::Count, Role::Predicate],
        class: |m| Some(block(m, BarrierAction::Sync, Some(m.first(Reduction::from_name)?))),
    },
    Row { pattern: "bar.warp.sync", arguments: &[Role::Mask], class: |_| Some(Class::WarpBarrier) },
    Row {
        pattern: "barrier.cluster.arrive{.relaxed}{.aligned}",
        arguments: &[],
        class: |m| {
            let order = if m.has("relaxed") { MemoryOrder::Relaxed } else { MemoryOrder::Release };
            Some(cluster(m, ClusterAction::Arrive, order))
        },
    },
    Row {
        pattern: "barrier.cluster.wait{.aligned}",
        arguments: &[],
        class: |m| Some(cluster(m, ClusterAction::Wait, MemoryOrder::Acquire)),
    },
    Row {
        pattern: "membar.cta|gl|sys",
        arguments: &[],
        class: |m| Some(fence(MemoryOrder::SeqCst, m.scope()?)),
    },
    Row {
        pattern: "fence.sc|acq_rel.SCOPE",
        arguments: &[],
        class: |m| {
            let order = if m.has("sc") { MemoryOrder::SeqCst } else { MemoryOrder::AcqRel };
            Some(fence(order, m.scope()?))
        },
    },
    Row {
        pattern: "fence.mbarrier_init.release.cluster",
        arguments: &[],
        class: |_| Some(Class::FenceMbarrierInit),
    },
    Row {
        pattern: "fence.proxy.alias",
        arguments: &[],
        class: |_| Some(Class::ProxyFence { proxy: Proxy::Alias, order: None }),
    },
    Row {
        pattern: "fence.proxy.async{.global|shared_cta|shared_cluster}",
        arguments: &[],
        class: |m| {
            let space = m.first(|name| match name {
                "global" => Some(Space::Global),
                "shared_cta" => Some(Space::SharedBlock),
                "shared_cluster" => Some(Space::SharedCluster),
                _ => None,
            });
            Some(Class::ProxyFence { proxy: Proxy::Async(space), order: None })
        },
    },
    Row {
        pattern: "fence.proxy.async_generic.acquire|release.sync_restrict.space.cta|cluster.scope.cluster",
        arguments: &[],
        class: |m| {
            let order = if m.has("acquire") { MemoryOrder::Acquire } else { MemoryOrder::Release };
            let space = if m.has("cta") { Space::SharedBlock } else { Space::SharedCluster };
            let proxy = Proxy::AsyncToGeneric(space);
            Some(Class::ProxyFence { proxy, order: Some((order, Scope::Cluster)) })
        },
    },
    Row {
        pattern: "fence.proxy.tensormap_generic.release.SCOPE",
        arguments: &[],
        class: |m| Some(tensormap(MemoryOrder::Release, m.scope()?)),
    },
    Row {
        pattern: "fence.proxy.tensormap_generic.acquire.SCOPE",
        arguments: &[Role::Address, Role::Size],
        class: |m| Some(tensormap(MemoryOrder::Acquire, m.scope()?)),
    },
    Row {
        pattern: "shfl.sync.up|down|bfly|idx.i32|f32|i32p|f32p",
        arguments: &[Role::Mask, Role::Value, Role::Lane, Role::Clamp],
        class: |m| lanes(m.first(shuffle)?, 32),
    },
    Row {
        pattern: "shfl.up|down|bfly|idx.i32|f32|i32p|f32p",
        arguments: &[Role::Value, Role::Lane, Role::Clamp],
        class: |m| lanes(m.first(shuffle)?, 32),
    },
    Row {
        pattern: "vote.all|any|uni|ballot.sync",
        arguments: &[Role::Mask, Role::Predicate],
        class: |m| lanes(m.first(vote)?, 1),
    },
    Row {
        pattern: "vote.all|any|uni|ballot",
        arguments: &[Role::Predicate],
        class: |m| lanes(m.first(vote)?, 1),
    },
    Row {
        pattern: "match.any.sync.i32|i64",
        arguments: &[Role::Mask, Role::Value],
        class: |m| lanes(CrossLaneKind::MatchAny, if m.has("i64") { 64 } else { 32 }),
    },
    Row {
        pattern: "match.all.sync.i32p|i64p",
        arguments: &[Role::Mask, Role::Value],
        class: |m| lanes(CrossLaneKind::MatchAll, if m.has("i64p") { 64 } else { 32 }),
    },
    Row {
        pattern: "redux.sync.add|umin|umax|min|max|and|or|xor",
        arguments: &[Role::Value, Role::Mask],
        class: |m| lanes(m.first(reduction)?, 32),
    },
    Row {
        pattern: "elect.sync",
        arguments: &[Role::Mask],
        class: |_| lanes(CrossLaneKind::Elect, 32),
    },
    Row { pattern: "activemask", arguments: &[], class: |_| lanes(CrossLaneKind::ActiveMask, 32) },
    Row {
        pattern: "setmaxnreg.inc|dec.sync.aligned.u32",
        arguments: &[Role::Registers],
        class: |m| Some(Class::SetMaxRegisters { increase: m.has("inc") }),
    },
    Row {
        pattern: "griddepcontrol.wait",
        arguments: &[],
        class: |_| Some(Class::GridDependency { wait: true }),
    },
    Row {
        pattern: "griddepcontrol.launch.dependents",
        arguments: &[],
        class: |_| Some(Class::GridDependency { wait: false }),
    },
    Row { pattern: "exit", arguments: &[], class: |_| Some(Class::Exit) },
];

fn block(m: &Modifiers<'_>, action: BarrierAction, reduce: Option<Reduction>) -> Class {
    Class::Barrier { action, reduce, aligned: m.has("aligned") }
}

fn cluster(m: &Modifiers<'_>, action: ClusterAction, order: MemoryOrder) -> Class {
    Class::ClusterBarrier { action, order, aligned: m.has("aligned") }
}

fn fence(order: MemoryOrder, scope: Scope) -> Class {
    Class::Fence { order, scope, restricted_to: None }
}

fn tensormap(order: MemoryOrder, scope: Scope) -> Class {
    Class::ProxyFence { proxy: Proxy::Tensormap, order: Some((order, scope)) }
}

fn lanes(kind: CrossLaneKind, bits: u8) -> Option<Class> {
    Some(Class::CrossLane { kind, ty: Type { kind: TypeKind::Bits, bits, lanes: 1 } })
}

fn shuffle(mode: &str) -> Option<CrossLaneKind> {
    Some(match mode {
        "idx" => CrossLaneKind::ShuffleIdx,
        "up" => CrossLaneKind::ShuffleUp,
        "down" => CrossLaneKind::ShuffleDown,
        "bfly" => CrossLaneKind::ShuffleBfly,
        _ => return None,
    })
}

fn vote(mode: &str) -> Option<CrossLaneKind> {
    Some(match mode {
        "all" => CrossLaneKind::VoteAll,
        "any" => CrossLaneKind::VoteAny,
        "uni" => CrossLaneKind::VoteUniform,
        "ballot" => CrossLaneKind::Ballot,
        _ => return None,
    })
}

fn reduction(op: &str) -> Option<CrossLaneKind> {
    Some(match op {
        "add" => CrossLaneKind::ReduceAdd,
        "umin" => CrossLaneKind::ReduceUMin,
        "umax" => CrossLaneKind::ReduceUMax,
        "min" => CrossLaneKind::ReduceSMin,
        "max" => CrossLaneKind::ReduceSMax,
        "and" => CrossLaneKind::ReduceAnd,
        "or" => CrossLaneKind::ReduceOr,
        "xor" => CrossLaneKind::ReduceXor,
        _ => return None,
    })
}
