//! Rows of intrinsics.

use heddle_ir::{
    AtomicOp, BarrierAction, ClusterAction, CrossLaneKind, MemoryOrder, Reduction, Scope,
};

use crate::table::class_of;
use crate::{
    Axis, Class, Effect, Intrinsic, LoadStore, Proxy, Role, Space, Special, TypeKind, intrinsic,
    special_register,
};

fn class(name: &str) -> Class {
    intrinsic(name).unwrap_or_else(|| panic!("no row for {name}")).class
}

#[test]
fn barriers_name_their_arguments() {
    let block = |action, reduce, aligned| Class::Barrier { action, reduce, aligned };
    let sync = BarrierAction::Sync;
    assert_eq!(class("barrier.cta.sync.aligned.all"), block(sync, None, true));
    assert_eq!(class("barrier.cta.sync.count"), block(sync, None, false));
    assert_eq!(class("barrier.cta.arrive.count"), block(BarrierAction::Arrive, None, false));
    let reduced = intrinsic("barrier.cta.red.popc.aligned.count").expect("a row");
    assert_eq!(reduced.class, block(sync, Some(Reduction::Popc), true));
    assert_eq!(
        [Role::Id, Role::Count, Role::Predicate].map(|it| reduced.argument(it)),
        [Some(0), Some(1), Some(2)]
    );
    assert_eq!(intrinsic("barrier.cta.red.and.all").and_then(|it| it.argument(Role::Count)), None);
    let relaxed = class("barrier.cluster.arrive.relaxed.aligned");
    let (action, order) = (ClusterAction::Arrive, MemoryOrder::Relaxed);
    assert_eq!(relaxed, Class::ClusterBarrier { action, order, aligned: true });
    assert_eq!(class("bar.warp.sync"), Class::WarpBarrier);
}

#[test]
fn a_fence_of_a_proxy_is_no_fence() {
    let fence = |order, scope| Class::Fence { order, scope, restricted_to: None };
    assert_eq!(class("membar.gl"), fence(MemoryOrder::SeqCst, Scope::Device));
    assert_eq!(class("fence.acq_rel.cluster"), fence(MemoryOrder::AcqRel, Scope::Cluster));
    assert_eq!(class("fence.mbarrier_init.release.cluster"), Class::FenceMbarrierInit);
    let proxy = |proxy, order| Class::ProxyFence { proxy, order };
    assert_eq!(class("fence.proxy.async"), proxy(Proxy::Async(None), None));
    let to_generic =
        class("fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster");
    let order = Some((MemoryOrder::Release, Scope::Cluster));
    assert_eq!(to_generic, proxy(Proxy::AsyncToGeneric(Space::SharedBlock), order));
    let order = Some((MemoryOrder::Acquire, Scope::System));
    assert_eq!(class("fence.proxy.tensormap_generic.acquire.sys"), proxy(Proxy::Tensormap, order));
}

#[test]
fn exchanges_have_the_kinds_of_their_instructions() {
    let kind = |name: &str| match class(name) {
        Class::CrossLane { kind, .. } => kind,
        class => panic!("{name} is {class:?}"),
    };
    assert_eq!(kind("shfl.sync.down.i32"), CrossLaneKind::ShuffleDown);
    assert_eq!(kind("shfl.bfly.f32"), CrossLaneKind::ShuffleBfly);
    assert_eq!(kind("vote.all.sync"), CrossLaneKind::VoteAll);
    assert_eq!(kind("vote.ballot"), CrossLaneKind::Ballot);
    assert_eq!(kind("match.all.sync.i64p"), CrossLaneKind::MatchAll);
    assert_eq!(kind("redux.sync.min"), CrossLaneKind::ReduceSMin);
    assert_eq!(kind("redux.sync.umin"), CrossLaneKind::ReduceUMin);
    assert_eq!(kind("elect.sync"), CrossLaneKind::Elect);
    assert_eq!(kind("activemask"), CrossLaneKind::ActiveMask);
    let of = |it: Intrinsic| [Role::Mask, Role::Value].map(|role| it.argument(role));
    assert_eq!(intrinsic("redux.sync.add").map(of), Some([Some(1), Some(0)]));
    assert_eq!(intrinsic("shfl.up.i32").map(of), Some([None, Some(0)]));
}

/// Intrinsics, each with the opcode that LLVM selects for it.
const SELECTED: &[(&str, &str)] = &[
    ("mbarrier.init.shared", "mbarrier.init.shared.b64"),
    ("mbarrier.inval", "mbarrier.inval.b64"),
    ("mbarrier.arrive", "mbarrier.arrive.b64"),
    ("mbarrier.arrive.drop.shared", "mbarrier.arrive_drop.shared.b64"),
    ("mbarrier.arrive.noComplete", "mbarrier.arrive.noComplete.b64"),
    (
        "mbarrier.arrive.relaxed.scope.cluster.space.cluster",
        "mbarrier.arrive.relaxed.cluster.shared::cluster.b64",
    ),
    (
        "mbarrier.arrive.drop.expect.tx.scope.cta.space.cluster",
        "mbarrier.arrive_drop.expect_tx.release.cta.shared::cluster.b64",
    ),
    (
        "mbarrier.expect.tx.scope.cluster.space.cta",
        "mbarrier.expect_tx.relaxed.cluster.shared::cta.b64",
    ),
    (
        "mbarrier.complete.tx.scope.cta.space.cluster",
        "mbarrier.complete_tx.relaxed.cta.shared::cluster.b64",
    ),
    ("mbarrier.test.wait.shared", "mbarrier.test_wait.shared.b64"),
    (
        "mbarrier.test.wait.parity.relaxed.scope.cluster.space.cta",
        "mbarrier.test_wait.parity.relaxed.cluster.shared::cta.b64",
    ),
    (
        "mbarrier.try.wait.parity.tl.scope.cta.space.cta",
        "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64",
    ),
    ("mbarrier.pending.count", "mbarrier.pending_count.b64"),
    ("cp.async.ca.shared.global.8", "cp.async.ca.shared.global"),
    ("cp.async.cg.shared.global.16.s", "cp.async.cg.shared.global"),
    ("cp.async.commit.group", "cp.async.commit_group"),
    ("cp.async.wait.all", "cp.async.wait_all"),
    ("cp.async.mbarrier.arrive.noinc.shared", "cp.async.mbarrier.arrive.noinc.shared.b64"),
    ("cp.async.bulk.wait.group.read", "cp.async.bulk.wait_group.read"),
    (
        "cp.async.bulk.global.to.shared.cluster",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster",
    ),
    (
        "cp.async.bulk.global.to.shared.cta",
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes",
    ),
    (
        "cp.async.bulk.shared.cta.to.cluster",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
    ),
    (
        "cp.async.bulk.shared.cta.to.global.bytemask",
        "cp.async.bulk.global.shared::cta.bulk_group.cp_mask",
    ),
    ("atomic.min.gen.i.sys.i64.p1", "atom.sys.min.s64"),
    ("atomic.add.gen.f.cta.f32.p0", "atom.cta.add.f32"),
    ("isspacep.const", "isspacep.const"),
    ("isspacep.shared", "isspacep.shared"),
    ("isspacep.shared.cluster", "isspacep.shared::cluster"),
    ("mapa", "mapa.u64"),
    ("getctarank.shared.cluster", "getctarank.shared::cluster.u64"),
    ("prefetch.global.L2.evict.last", "prefetch.global.L2::evict_last"),
    ("prefetch.tensormap.p0", "prefetch.tensormap"),
    ("applypriority.L2.evict.normal", "applypriority.L2::evict_normal"),
    ("nanosleep", "nanosleep.u32"),
    ("griddepcontrol.launch.dependents", "griddepcontrol.launch_dependents"),
    (
        "ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3",
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
    ),
    ("ldmatrix.sync.aligned.m16n16.x2.trans.b8.p0", "ldmatrix.sync.aligned.m16n16.x2.trans.b8"),
    (
        "stmatrix.sync.aligned.m16n8.x1.trans.b8.p3",
        "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8",
    ),
    ("wgmma.fence.sync.aligned", "wgmma.fence.sync.aligned"),
    ("wgmma.wait_group.sync.aligned", "wgmma.wait_group.sync.aligned"),
    (
        "tcgen05.commit.shared.cg1",
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64",
    ),
    ("tcgen05.wait.st", "tcgen05.wait::st.sync.aligned"),
    ("tex.unified.1d.v4f32.f32", "tex.1d.v4.f32.f32"),
];

#[test]
fn an_access_has_the_type_that_its_intrinsic_is_made_for() {
    let atomic = |name: &str| match class(name) {
        Class::Atomic { op, scope, ty, elements, .. } => (op, scope, ty.kind, ty.bits, elements),
        class => panic!("{name} is {class:?}"),
    };
    let (signed, float) = (TypeKind::Signed, TypeKind::Float);
    assert_eq!(
        atomic("atomic.max.gen.i.cta.i64.p0"),
        (AtomicOp::SMax, Scope::Block, signed, 64, 1)
    );
    assert_eq!(
        atomic("atomic.add.gen.f.sys.f64.p1"),
        (AtomicOp::FAdd, Scope::System, float, 64, 1)
    );
    assert_eq!(
        atomic("atomic.cas.gen.i.sys.i32.p3"),
        (AtomicOp::CompareExchange, Scope::System, signed, 32, 1)
    );
    assert_eq!(
        intrinsic("atomic.cas.gen.i.cta.i32.p0").and_then(|it| it.argument(Role::Second)),
        Some(2)
    );
    let load = |name: &str| match class(name) {
        Class::Load(LoadStore { ty, elements, .. }) => (ty.kind, ty.bits, elements),
        class => panic!("{name} is {class:?}"),
    };
    assert_eq!(load("ldu.global.f.v4f32.p1"), (float, 32, 4));
    assert_eq!(load("ldu.global.f.bf16.p0"), (TypeKind::OtherFloat, 16, 1));
    assert_eq!(load("ldu.global.p.p0.p1"), (TypeKind::Bits, 64, 1));
}

#[test]
fn an_intrinsic_means_what_the_instruction_means_that_it_becomes() {
    for (name, opcode) in SELECTED {
        assert_eq!(Some(class(name)), class_of(opcode), "{name}");
    }
}

#[test]
fn arguments_of_copies_and_barrier_objects_have_their_roles() {
    let at = |name: &str, role: Role| intrinsic(name).and_then(|it| it.argument(role));
    let multicast = "cp.async.bulk.global.to.shared.cluster";
    let roles = [Role::Mbarrier, Role::Source, Role::Multicast, Role::HasMulticast];
    assert_eq!(roles.map(|role| at(multicast, role)), [Some(1), Some(2), Some(4), Some(6)]);
    assert_eq!(at("cp.async.bulk.shared.cta.to.global", Role::Mbarrier), None);
    let arrival = "mbarrier.arrive.scope.cta.space.cta";
    assert_eq!(at(arrival, Role::Count), Some(1));
    assert_eq!(at("mbarrier.arrive", Role::Count), None);
    assert_eq!(at("mbarrier.arrive.expect.tx.scope.cta.space.cta", Role::Bytes), Some(1));
    assert_eq!(at("mbarrier.try.wait.tl.scope.cta.space.cta", Role::SuspendHint), Some(2));
    let sizes = ["cp.async.ca.shared.global.8", "cp.async.cg.shared.global.16.s", arrival];
    let size = |name: &str| intrinsic(name).and_then(|it| it.size);
    assert_eq!(sizes.map(size), [Some(8), Some(16), None]);
}

#[test]
fn what_no_row_describes_of_a_family_may_do_anything() {
    for name in
        ["cp.async.bulk.tensor.g2s.tile.2d", "cp.async.bulk.prefetch.L2", "tcgen05.alloc.cg1"]
    {
        assert_eq!(class(name), Class::Opaque(Effect::Anything), "{name}");
    }
}

#[test]
fn special_registers_are_those_of_ptx() {
    assert_eq!(special_register("tid.y"), Some(Special::Tid(Axis::Y)));
    assert_eq!(special_register("cluster.ctarank"), Some(Special::ClusterCtarank));
    assert_eq!(special_register("cluster_nctarank"), Some(Special::ClusterNctarank));
    assert_eq!(special_register("cluster.ctaid.x"), Some(Special::ClusterCtaid(Axis::X)));
    assert_eq!(special_register("lanemask.lt"), Some(Special::LanemaskLt));
    assert_eq!(special_register("warpsize"), Some(Special::WarpSize));
    assert_eq!(special_register("tid"), None);
}

#[test]
fn what_has_no_row_is_left_to_others() {
    for name in [
        "redux.sync.fmin",
        "read.ptx.sreg.tid.x",
        "prefetchu.L1",
        "mma.m16n8k16.row.col.f32.f32",
        "wmma.m16n16k16.load.a.row.f16.p3",
        "ldmatrix.sync.aligned.m8n8.x4.b16.p7",
        "mbarrier.test.wait.parity",
        "fence.sc",
        "shfl.sync.idx",
    ] {
        assert_eq!(intrinsic(name), None, "{name}");
    }
}
