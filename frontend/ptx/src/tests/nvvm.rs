//! Rows of intrinsics.

use heddle_ir::{BarrierAction, ClusterAction, CrossLaneKind, Order, Reduction, Scope};

use crate::{Axis, Class, Intrinsic, Proxy, Role, Space, Special, intrinsic, special_register};

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
    let (action, order) = (ClusterAction::Arrive, Order::Relaxed);
    assert_eq!(relaxed, Class::ClusterBarrier { action, order, aligned: true });
    assert_eq!(class("bar.warp.sync"), Class::WarpBarrier);
}

#[test]
fn a_fence_of_a_proxy_is_no_fence() {
    let fence = |order, scope| Class::Fence { order, scope, restricted_to: None };
    assert_eq!(class("membar.gl"), fence(Order::SeqCst, Scope::Device));
    assert_eq!(class("fence.acq_rel.cluster"), fence(Order::AcqRel, Scope::Cluster));
    assert_eq!(class("fence.mbarrier_init.release.cluster"), Class::FenceMbarrierInit);
    let proxy = |proxy, order| Class::ProxyFence { proxy, order };
    assert_eq!(class("fence.proxy.async"), proxy(Proxy::Async(None), None));
    let to_generic =
        class("fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster");
    let order = Some((Order::Release, Scope::Cluster));
    assert_eq!(to_generic, proxy(Proxy::AsyncToGeneric(Space::SharedBlock), order));
    let order = Some((Order::Acquire, Scope::System));
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
    for name in
        ["redux.sync.fmin", "read.ptx.sreg.tid.x", "mbarrier.init", "fence.sc", "shfl.sync.idx"]
    {
        assert_eq!(intrinsic(name), None, "{name}");
    }
}
