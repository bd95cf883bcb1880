//! Asynchronous copies and their groups: what each form writes, reads and waits for.

use heddle_ir::AtomicOp;

use super::super::class::{BulkCompletion, BulkCopy, BulkKind, CacheLevel, Class, Tensor};
use super::super::instruction::Role;
use super::super::operand::{Address, Offset, Operand};
use super::super::types::{Space, Type};
use super::{check, instruction, roles};

const IN: BulkCopy = BulkCopy {
    kind: BulkKind::Copy,
    destination: Space::SharedCluster,
    source: Space::Global,
    completion: BulkCompletion::Mbarrier,
    tensor: None,
    multicast: false,
};
const OUT: BulkCopy = BulkCopy {
    destination: Space::Global,
    source: Space::SharedBlock,
    completion: BulkCompletion::Group,
    ..IN
};

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let bulk = Class::BulkCopy;
    let tiled = |dimensions| Some(Tensor { dimensions, tiled: true });
    let reduce = |op, ty| BulkKind::Reduce(Type::parse(ty).map(|ty| (op, ty)));
    vec![
        ("cp.async.ca.shared.global [$2], [$3], $4;", Class::CpAsync(CacheLevel::All)),
        (
            "cp.async.cg.shared.global.L2::128B [$2], [$3], $4, r0;",
            Class::CpAsync(CacheLevel::Global),
        ),
        ("cp.async.commit_group;", Class::CpAsyncCommit),
        ("cp.async.wait_group $4;", Class::CpAsyncWait),
        ("cp.async.wait_all;", Class::CpAsyncWait),
        (
            "cp.async.mbarrier.arrive.noinc.shared.b64 [$2];",
            Class::CpAsyncArrive { no_increment: true, space: Space::SharedBlock },
        ),
        (
            "cp.async.mbarrier.arrive.b64 [$3];",
            Class::CpAsyncArrive { no_increment: false, space: Space::Generic },
        ),
        ("cp.async.bulk.commit_group;", Class::BulkCommit),
        ("cp.async.bulk.wait_group $4;", Class::BulkWait { read_only: false }),
        ("cp.async.bulk.wait_group.read 0;", Class::BulkWait { read_only: true }),
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$2], [$3], r0, [r1], h0;",
            bulk(BulkCopy { multicast: true, ..IN }),
        ),
        (
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$2], [r1], r2, [r3];",
            bulk(BulkCopy { source: Space::SharedBlock, ..IN }),
        ),
        ("cp.async.bulk.global.shared::cta.bulk_group [$3], [$2], r0;", bulk(OUT)),
        (
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [$2], [$3, {r0, r1}], [r2], d0;",
            bulk(BulkCopy { tensor: tiled(2), ..IN }),
        ),
        (
            "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$2], [$3, {r0, r1, r2, r3}], [r4], {h0, h1};",
            bulk(BulkCopy { tensor: Some(Tensor { dimensions: 4, tiled: false }), ..IN }),
        ),
        (
            "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [$3, {r0, r1, r2}], [$2];",
            bulk(BulkCopy { tensor: tiled(3), ..OUT }),
        ),
        (
            "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [$3, {r0}], [$2];",
            bulk(BulkCopy { kind: BulkKind::Reduce(None), tensor: tiled(1), ..OUT }),
        ),
        (
            "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32 [$2], [r0], r1, [r2];",
            bulk(BulkCopy {
                kind: reduce(AtomicOp::SMax, "s32"),
                source: Space::SharedBlock,
                ..IN
            }),
        ),
        (
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [$3], [$2], r0;",
            bulk(BulkCopy { kind: reduce(AtomicOp::FAdd, "f16"), ..OUT }),
        ),
        ("cp.async.bulk.prefetch.L2.global [$3], r0;", Class::Hint),
        ("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [$3, {r0, r1}];", Class::Hint),
        ("prefetch.global.L2 [$3];", Class::Hint),
        ("prefetch.tensormap [$3];", Class::Hint),
        ("prefetchu.L1 [$3];", Class::Hint),
        ("applypriority.global.L2::evict_normal [$3], 128;", Class::Hint),
    ]
}

#[test]
fn asynchronous_copies() {
    check(&examples());
}

#[test]
fn the_third_and_fourth_operand_of_a_copy_are_told_apart() {
    let copy = |rest: &str| {
        roles(&format!("cp.async.ca.shared.global [$2], [$3], 4{rest};"))[3..].to_vec()
    };
    assert_eq!(copy(""), []);
    assert_eq!(copy(", r0"), [Role::SourceSize]);
    assert_eq!(copy(", p"), [Role::IgnoreSource]);
    let hinted = "cp.async.cg.shared.global.L2::cache_hint [$2], [$3], 16, d0;";
    assert_eq!(roles(hinted)[3..], [Role::CachePolicy]);
}

#[test]
fn a_tensor_has_coordinates() {
    let load = instruction(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$2], [$3, {r0, 5}], [r2];",
    );
    let Some(Operand::Address(Address { base, offset, coordinates })) = load.operand(Role::Source)
    else {
        panic!("no source in {load:?}")
    };
    assert_eq!((&**base, offset), (&Operand::Asm(3), &Offset::Bytes(0)));
    assert_eq!(coordinates.len(), 2);
    assert_eq!(coordinates[1], Operand::Int(5));
    assert!(load.operand(Role::Mbarrier).is_some());
}

#[test]
fn the_order_of_spaces_says_where_a_copy_goes() {
    let class = |text: &str| super::instruction(text).class;
    let written = "cp.async.bulk.global.shared::cta.bulk_group [$3], [$2], r0;";
    let moved = "cp.async.bulk.bulk_group.global.shared::cta [$3], [$2], r0;";
    assert_eq!(class(moved), class(written));
    assert_ne!(class(moved), Class::Unknown);
    assert_eq!(
        class("cp.async.bulk.bulk_group.shared::cta.global [$3], [$2], r0;"),
        Class::Unknown
    );
    assert_ne!(class("cvt.s32.u64 $0, $3;"), class("cvt.u64.s32 $1, $2;"));
}
