//! Matrix instructions: loads and stores touch memory, multiplications do not.

use super::super::class::{Class, Effect, Product, TensorCore, Warpgroup};
use super::super::types::Space;
use super::check;

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let opaque = Class::Opaque;
    let product = |columns, element_bits, sparse| {
        Class::Warpgroup(Warpgroup::Product(Product { columns, element_bits, sparse }))
    };
    vec![
        (
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r0, r1, r2, r3}, [$2];",
            Class::LoadMatrix { space: Space::SharedBlock, row_bytes: 16, rows: 32 },
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {$0}, [$2+512];",
            Class::LoadMatrix { space: Space::SharedBlock, row_bytes: 16, rows: 8 },
        ),
        (
            "stmatrix.sync.aligned.m8n8.x2.shared.b16 [$2], {r0, r1};",
            Class::StoreMatrix { space: Space::SharedBlock, row_bytes: 16, rows: 16 },
        ),
        (
            "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {r0, r1, r2, r3}, [$2];",
            Class::LoadMatrix { space: Space::SharedBlock, row_bytes: 16, rows: 32 },
        ),
        (
            "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64 {r0, r1}, [$2];",
            Class::LoadMatrix { space: Space::SharedBlock, row_bytes: 16, rows: 16 },
        ),
        (
            "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {r0, r1, r2, r3}, [$2];",
            Class::LoadMatrix { space: Space::SharedBlock, row_bytes: 16, rows: 32 },
        ),
        (
            "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [$2], {r0};",
            Class::StoreMatrix { space: Space::SharedBlock, row_bytes: 16, rows: 8 },
        ),
        ("movmatrix.sync.aligned.m8n8.trans.b16 $0, $2;", opaque(Effect::RegistersOnly)),
        (
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {f0,f1,f2,f3}, {r0,r1,r2,r3}, {r4,r5}, {f0,f1,f2,f3};",
            opaque(Effect::RegistersOnly),
        ),
        (
            "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {r0,r1}, {r2,r3}, {r4,r5}, {r6,r7};",
            opaque(Effect::RegistersOnly),
        ),
        (
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {f0, f1, f2, f3}, $3, d1, p, 1, 1, 0, 1;",
            product(8, 16, false),
        ),
        (
            "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {f0, f1, f2, f3}, d0, d1, p, 1, 1;",
            product(256, 32, false),
        ),
        (
            "wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 {f0, f1, f2, f3}, d0, d1, $3, 0, p, 1, 1, 0, 1;",
            product(16, 16, true),
        ),
        ("wgmma.fence.sync.aligned;", Class::Warpgroup(Warpgroup::Fence)),
        ("wgmma.commit_group.sync.aligned;", Class::Warpgroup(Warpgroup::Commit)),
        ("wgmma.wait_group.sync.aligned $4;", Class::Warpgroup(Warpgroup::Wait)),
        (
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$2], 64;",
            Class::TensorCore(TensorCore::Alloc),
        ),
        ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 r0, 64;", opaque(Effect::RegistersOnly)),
        (
            "tcgen05.mma.cta_group::1.kind::f16 [r0], d0, d1, r1, p;",
            Class::TensorCore(TensorCore::Product { halves: true, plain: true, sparse: false }),
        ),
        ("tcgen05.mma.cta_group::2.kind::f16 [r0], d0, d1, r1, p;", opaque(Effect::Anything)),
        (
            "tcgen05.cp.cta_group::1.32x128b.warpx4 [r0], d0;",
            Class::TensorCore(TensorCore::Copy { rows: 32, row_bytes: 16 }),
        ),
        (
            "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$2];",
            Class::TensorCore(TensorCore::Commit),
        ),
        (
            "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [$2], h0;",
            opaque(Effect::Anything),
        ),
        (
            "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;",
            opaque(Effect::RegistersOnly),
        ),
        ("tcgen05.ld.sync.aligned.32x32b.x1.b32 r0, [r1];", opaque(Effect::RegistersOnly)),
        ("tcgen05.st.sync.aligned.32x32b.x1.b32 [r1], r0;", opaque(Effect::RegistersOnly)),
        ("tcgen05.shift.cta_group::1.down [r0];", opaque(Effect::RegistersOnly)),
        ("tcgen05.wait::ld.sync.aligned;", opaque(Effect::RegistersOnly)),
        ("tcgen05.fence::after_thread_sync;", opaque(Effect::RegistersOnly)),
    ]
}

#[test]
fn matrix_instructions() {
    check(&examples());
}

#[test]
fn modifiers_stand_in_any_order() {
    let rows = |rows| Class::LoadMatrix { space: Space::SharedBlock, row_bytes: 16, rows };
    check(&[
        ("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {r0, r1, r2, r3}, [$2];", rows(32)),
        ("ldmatrix.sync.aligned.x1.trans.m8n8.shared.b16 {r0}, [$2];", rows(8)),
        (
            "stmatrix.x2.sync.aligned.trans.m8n8.shared.b16 [$2], {r0, r1};",
            Class::StoreMatrix { space: Space::SharedBlock, row_bytes: 16, rows: 16 },
        ),
        // Without a shape, and with two.
        ("ldmatrix.sync.aligned.x4.shared.b16 {r0, r1, r2, r3}, [$2];", Class::Unknown),
        ("ldmatrix.sync.aligned.m8n8.m8n8.x4.b16 {r0, r1, r2, r3}, [$2];", Class::Unknown),
    ]);
}
