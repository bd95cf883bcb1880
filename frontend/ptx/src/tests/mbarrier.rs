//! Barrier objects: arrivals, expected bytes, tests and waits.

use heddle_ir::{MemoryOrder, Scope};

use super::super::class::{Class, MbarrierOp, MbarrierWhere, PhaseBy};
use super::super::instruction::Role;
use super::{check, roles};

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let at = |op, place| Class::Mbarrier { op, place };
    let block = |op| at(op, MbarrierWhere::Block);
    let arrive = |drop, expect_bytes, no_complete, order, scope| MbarrierOp::Arrive {
        drop,
        expect_bytes,
        no_complete,
        order,
        scope,
    };
    let plain = arrive(false, false, false, MemoryOrder::Release, Scope::Block);
    let test = |by, may_wait, order, scope| MbarrierOp::Test { by, may_wait, order, scope };
    vec![
        ("mbarrier.init.shared::cta.b64 [$2], $0;", block(MbarrierOp::Init)),
        ("mbarrier.inval.shared.b64 [$2];", block(MbarrierOp::Invalidate)),
        ("mbarrier.arrive.shared.b64 $1, [$2];", block(plain)),
        ("mbarrier.arrive.b64 _, [$3], 4;", at(plain, MbarrierWhere::Generic)),
        ("mbarrier.arrive.shared::cluster.b64 _, [r1];", at(plain, MbarrierWhere::Cluster)),
        (
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r1], 2;",
            at(
                arrive(false, false, false, MemoryOrder::Release, Scope::Cluster),
                MbarrierWhere::Cluster,
            ),
        ),
        (
            "mbarrier.arrive_drop.shared::cta.b64 d0, [$2];",
            block(arrive(true, false, false, MemoryOrder::Release, Scope::Block)),
        ),
        (
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$2], $4;",
            block(arrive(false, true, false, MemoryOrder::Release, Scope::Block)),
        ),
        (
            "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 $1, [$2], r0;",
            block(arrive(false, true, false, MemoryOrder::Relaxed, Scope::Block)),
        ),
        (
            "mbarrier.arrive.noComplete.release.cta.shared.b64 $1, [$2], 3;",
            block(arrive(false, false, true, MemoryOrder::Release, Scope::Block)),
        ),
        (
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$2], $4;",
            block(MbarrierOp::ExpectBytes(Scope::Block)),
        ),
        (
            "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [$2], $4;",
            at(MbarrierOp::CompleteBytes(Scope::Cluster), MbarrierWhere::Cluster),
        ),
        (
            "mbarrier.test_wait.shared.b64 p, [$2], $3;",
            block(test(PhaseBy::Token, false, MemoryOrder::Acquire, Scope::Block)),
        ),
        (
            "mbarrier.test_wait.parity.shared::cta.b64 p, [$2], r2;",
            block(test(PhaseBy::Parity, false, MemoryOrder::Acquire, Scope::Block)),
        ),
        (
            "mbarrier.try_wait.acquire.cluster.shared::cta.b64 p, [$2], $3;",
            block(test(PhaseBy::Token, true, MemoryOrder::Acquire, Scope::Cluster)),
        ),
        (
            "mbarrier.try_wait.parity.shared::cta.b64 p, [$2], r2, 0x989680;",
            block(test(PhaseBy::Parity, true, MemoryOrder::Acquire, Scope::Block)),
        ),
    ]
}

#[test]
fn barrier_objects() {
    check(&examples());
}

#[test]
fn an_arrival_may_leave_out_its_token_and_its_count() {
    assert_eq!(roles("mbarrier.arrive.shared.b64 _, [$2];"), [Role::Dest, Role::Mbarrier]);
    assert_eq!(
        roles("mbarrier.arrive.shared::cluster.b64 [$2], 2;"),
        [Role::Mbarrier, Role::Count]
    );
    let wait = "mbarrier.try_wait.parity.b64 p, [$3], r0, 100;";
    assert_eq!(roles(wait), [Role::Dest, Role::Mbarrier, Role::Parity, Role::SuspendHint]);
}
