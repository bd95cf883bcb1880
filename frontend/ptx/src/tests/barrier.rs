//! Block, warp, named and cluster barriers: which threads they wait for.

use heddle_ir::{BarrierAction, ClusterAction, MemoryOrder, Reduction};

use super::super::class::Class;
use super::super::instruction::Role;
use super::{check, roles};

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let block = |action, reduce, aligned| Class::Barrier { action, reduce, aligned };
    let (sync, arrive) = (BarrierAction::Sync, BarrierAction::Arrive);
    let cluster = |action, order, aligned| Class::ClusterBarrier { action, order, aligned };
    vec![
        ("bar.sync 0;", block(sync, None, true)),
        ("bar.sync $2, $4;", block(sync, None, true)),
        ("bar.cta.sync $2;", block(sync, None, true)),
        ("barrier.sync $2, 128;", block(sync, None, false)),
        ("barrier.cta.sync.aligned 1, 64;", block(sync, None, true)),
        ("bar.arrive $2, $4;", block(arrive, None, true)),
        ("barrier.arrive 3, 96;", block(arrive, None, false)),
        ("bar.red.popc.u32 $0, 0, p;", block(sync, Some(Reduction::Popc), true)),
        ("bar.red.and.pred p, 1, 64, !q;", block(sync, Some(Reduction::And), true)),
        ("barrier.red.or.pred p, 1, q;", block(sync, Some(Reduction::Or), false)),
        ("bar.warp.sync 0xffffffff;", Class::WarpBarrier),
        (
            "barrier.cluster.arrive.relaxed.aligned;",
            cluster(ClusterAction::Arrive, MemoryOrder::Relaxed, true),
        ),
        ("barrier.cluster.arrive;", cluster(ClusterAction::Arrive, MemoryOrder::Release, false)),
        (
            "barrier.cluster.wait.acquire.aligned;",
            cluster(ClusterAction::Wait, MemoryOrder::Acquire, true),
        ),
        ("griddepcontrol.wait;", Class::GridDependency { wait: true }),
        ("griddepcontrol.launch_dependents;", Class::GridDependency { wait: false }),
    ]
}

#[test]
fn barriers() {
    check(&examples());
}

#[test]
fn a_reduction_tells_its_count_from_its_predicate() {
    assert_eq!(roles("bar.red.popc.u32 $0, 0, p;"), [Role::Dest, Role::Id, Role::Predicate]);
    assert_eq!(
        roles("bar.red.or.pred p, 1, 64, !q;"),
        [Role::Dest, Role::Id, Role::Count, Role::Predicate]
    );
}

#[test]
fn an_arrival_without_a_count_is_unknown() {
    check(&[("bar.arrive 1;", Class::Unknown)]);
}
