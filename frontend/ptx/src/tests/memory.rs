//! Loads, stores, atomics and reductions: semantics, scope, space, width.

use heddle_ir::{AtomicOp, MemoryOrder, Scope};

use super::super::class::{Class, LoadStore, Semantics};
use super::super::instruction::Role;
use super::super::types::{Space, Type};
use super::{check, roles};

fn access(semantics: Semantics, space: Space, ty: &str, elements: u8) -> LoadStore {
    let ty = Type::parse(ty).expect("a type");
    LoadStore { semantics, space, ty, elements, non_coherent: false }
}

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let weak = |space, ty, elements| access(Semantics::Weak, space, ty, elements);
    let ordered = |order, scope, space, ty| access(Semantics::Ordered(order, scope), space, ty, 1);
    let nc = |ty, elements| {
        Class::Load(LoadStore { non_coherent: true, ..weak(Space::Global, ty, elements) })
    };
    let atomic = |op, order, scope, space, ty, elements| {
        let ty = Type::parse(ty).expect("a type");
        Class::Atomic { op, order, scope, space, ty, elements }
    };
    vec![
        ("ld.shared.u32 $0, [$2];", Class::Load(weak(Space::SharedBlock, "u32", 1))),
        ("ld.global.v4.f32 {f0, f1, f2, f3}, [$3+16];", Class::Load(weak(Space::Global, "f32", 4))),
        ("ld.param.b64 $1, [kernel_param_0];", Class::Load(weak(Space::Parameter, "b64", 1))),
        ("ld.weak.local.u8 r0, [$3];", Class::Load(weak(Space::Local, "u8", 1))),
        (
            "ld.volatile.global.u64 $1, [$3];",
            Class::Load(access(Semantics::Volatile, Space::Global, "u64", 1)),
        ),
        (
            "ld.acquire.gpu.u32 $0, [$3];",
            Class::Load(ordered(MemoryOrder::Acquire, Scope::Device, Space::Generic, "u32")),
        ),
        (
            "ld.relaxed.gpu.v2.u64 {$1, d0}, [$3];",
            Class::Load(access(
                Semantics::Ordered(MemoryOrder::Relaxed, Scope::Device),
                Space::Generic,
                "u64",
                2,
            )),
        ),
        (
            "ld.global.relaxed.sys.b32 $0, [$3];",
            Class::Load(ordered(MemoryOrder::Relaxed, Scope::System, Space::Global, "b32")),
        ),
        (
            "ld.mmio.relaxed.sys.global.u32 $0, [$3];",
            Class::Load(access(Semantics::Mmio, Space::Global, "u32", 1)),
        ),
        ("ld.global.nc.u32 $0, [$3];", nc("u32", 1)),
        ("ld.global.nc.L1::no_allocate.L2::256B.v2.s32 {$0, r1}, [$3];", nc("s32", 2)),
        ("ld.const.u32 $0, [$3];", Class::Load(weak(Space::Constant, "u32", 1))),
        ("st.shared::cluster.u32 [$2], r0;", Class::Store(weak(Space::SharedCluster, "u32", 1))),
        ("st.global.cg.v2.u32 [$3], {r0, r1};", Class::Store(weak(Space::Global, "u32", 2))),
        (
            "st.release.sys.u32 [$3], $2;",
            Class::Store(ordered(MemoryOrder::Release, Scope::System, Space::Generic, "u32")),
        ),
        (
            "st.relaxed.cta.shared.b8 [$2], r1;",
            Class::Store(ordered(MemoryOrder::Relaxed, Scope::Block, Space::SharedBlock, "b8")),
        ),
        (
            "st.volatile.u16 [$3], h0;",
            Class::Store(access(Semantics::Volatile, Space::Generic, "u16", 1)),
        ),
        (
            "atom.add.release.gpu.u32 $0, [$3], $2;",
            atomic(AtomicOp::Add, MemoryOrder::Release, Scope::Device, Space::Generic, "u32", 1),
        ),
        (
            "atom.acq_rel.cluster.shared::cluster.exch.b128 x, [$3], x;",
            atomic(
                AtomicOp::Exchange,
                MemoryOrder::AcqRel,
                Scope::Cluster,
                Space::SharedCluster,
                "b128",
                1,
            ),
        ),
        (
            "atom.global.min.s32 _, [$3], r0;",
            atomic(AtomicOp::SMin, MemoryOrder::Relaxed, Scope::Device, Space::Global, "s32", 1),
        ),
        (
            "atom.cas.acquire.cta.b32 $0, [$3], $2, r1;",
            atomic(
                AtomicOp::CompareExchange,
                MemoryOrder::Acquire,
                Scope::Block,
                Space::Generic,
                "b32",
                1,
            ),
        ),
        (
            "atom.shared.inc.u32 $0, [$2], 31;",
            atomic(
                AtomicOp::IncWrap,
                MemoryOrder::Relaxed,
                Scope::Device,
                Space::SharedBlock,
                "u32",
                1,
            ),
        ),
        (
            "red.release.gpu.global.add.s32 [$3], $2;",
            atomic(AtomicOp::Add, MemoryOrder::Release, Scope::Device, Space::Global, "s32", 1),
        ),
        (
            "red.global.add.noftz.f16x2 [$3], r0;",
            atomic(AtomicOp::FAdd, MemoryOrder::Relaxed, Scope::Device, Space::Global, "f16x2", 1),
        ),
        (
            "red.global.v4.add.f32 [$3], {f0, f1, f2, f3};",
            atomic(AtomicOp::FAdd, MemoryOrder::Relaxed, Scope::Device, Space::Global, "f32", 4),
        ),
    ]
}

#[test]
fn loads_stores_and_atomics() {
    check(&examples());
}

#[test]
fn what_contradicts_itself_is_unknown() {
    check(&[
        ("ld.relaxed.u32 $0, [$3];", Class::Unknown),
        ("ld.gpu.u32 $0, [$3];", Class::Unknown),
        ("ld.shared.global.u32 $0, [$3];", Class::Unknown),
        ("ld.shared.nc.u32 $0, [$3];", Class::Unknown),
        ("st.acquire.gpu.u32 [$3], r0;", Class::Unknown),
        ("atom.add.cas.u32 $0, [$3], r0;", Class::Unknown),
        ("atom.cas.b32 $0, [$3], r0;", Class::Unknown),
        ("red.async.relaxed.cluster.add.u32 [$3], r0;", Class::Unknown),
        ("ld.global.brand_new.u32 $0, [$3];", Class::Unknown),
    ]);
}

#[test]
fn the_expected_value_comes_before_the_new_one() {
    let cas = "atom.global.cas.b64 $1, [$3], d0, d1;";
    assert_eq!(roles(cas), [Role::Dest, Role::Address, Role::Value, Role::Second]);
    let hinted = "st.global.L2::cache_hint.u32 [$3], r0, d1;";
    assert_eq!(roles(hinted), [Role::Address, Role::Value, Role::CachePolicy]);
}
