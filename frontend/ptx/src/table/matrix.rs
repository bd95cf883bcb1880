//! Matrix instructions (PTX ISA 9.7.14 to 9.7.16): what they touch, not what they compute.

use super::super::class::{Class, Effect, Product, TensorCore, Warpgroup};
use super::super::pattern::Modifiers;
use super::super::types::Space;
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "ldmatrix.sync.aligned.m8n8.x1|x2|x4{.trans}{.shared|shared::cta}.b16",
        operands: "dest address",
        class: |m| Some(Class::LoadMatrix { space: space(m), row_bytes: 16, rows: rows(m)? }),
    },
    Row {
        pattern: "stmatrix.sync.aligned.m8n8.x1|x2|x4{.trans}{.shared|shared::cta}.b16",
        operands: "address value",
        class: |m| Some(Class::StoreMatrix { space: space(m), row_bytes: 16, rows: rows(m)? }),
    },
    // Narrow elements: a row still fills 16 bytes, padding counted, and a matrix of `m16n16` has
    // two times eight rows.
    Row {
        pattern: "ldmatrix.sync.aligned.m16n16.x1|x2.trans{.shared|shared::cta}.b8",
        operands: "dest address",
        class: |m| {
            let rows = rows(m)?.checked_mul(2)?;
            Some(Class::LoadMatrix { space: space(m), row_bytes: 16, rows })
        },
    },
    Row {
        pattern: "ldmatrix.sync.aligned.m16n16.x1|x2.trans{.shared|shared::cta}.b8x16.b6x16_p32|b4x16_p64",
        operands: "dest address",
        class: |m| {
            let rows = rows(m)?.checked_mul(2)?;
            Some(Class::LoadMatrix { space: space(m), row_bytes: 16, rows })
        },
    },
    Row {
        pattern: "ldmatrix.sync.aligned.m8n16.x1|x2|x4{.shared|shared::cta}.b8x16.b6x16_p32|b4x16_p64",
        operands: "dest address",
        class: |m| Some(Class::LoadMatrix { space: space(m), row_bytes: 16, rows: rows(m)? }),
    },
    Row {
        pattern: "stmatrix.sync.aligned.m16n8.x1|x2|x4.trans{.shared|shared::cta}.b8",
        operands: "address value",
        class: |m| Some(Class::StoreMatrix { space: space(m), row_bytes: 16, rows: rows(m)? }),
    },
    Row {
        pattern: "movmatrix.sync.aligned.m8n8.trans.b16",
        operands: "dest rest",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row {
        pattern: "mma.sync|sp|sp::ordered_metadata{.ANY}*",
        operands: "dest rest*",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row {
        pattern: "wmma.mma{.ANY}*",
        operands: "dest rest*",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row { pattern: "wgmma.mma_async{.ANY}*", operands: "dest rest*", class: product },
    Row {
        pattern: "wgmma.fence.sync.aligned",
        operands: "",
        class: |_| Some(Class::Warpgroup(Warpgroup::Fence)),
    },
    Row {
        pattern: "wgmma.commit_group.sync.aligned",
        operands: "",
        class: |_| Some(Class::Warpgroup(Warpgroup::Commit)),
    },
    Row {
        pattern: "wgmma.wait_group.sync.aligned",
        operands: "pending",
        class: |_| Some(Class::Warpgroup(Warpgroup::Wait)),
    },
    Row {
        pattern: "tcgen05.alloc.cta_group::1|cta_group::2.sync.aligned{.shared::cta}.b32",
        operands: "address rest",
        class: |_| Some(Class::TensorCore(TensorCore::Alloc)),
    },
    Row {
        pattern: "tcgen05.dealloc.cta_group::1|cta_group::2.sync.aligned.b32",
        operands: "rest rest",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row {
        pattern: "tcgen05.relinquish_alloc_permit.cta_group::1|cta_group::2.sync.aligned",
        operands: "",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row { pattern: "tcgen05.mma{.ANY}*", operands: "rest*", class: tensor_product },
    Row {
        pattern: "tcgen05.cp.cta_group::1.128x256b|4x256b|128x128b|64x128b|32x128b{.ANY}*",
        operands: "rest rest",
        class: |m| {
            let (rows, bits) = m.first(|name| {
                let (rows, bits) = name.strip_suffix('b')?.split_once('x')?;
                Some((rows.parse().ok()?, bits.parse::<u16>().ok()?))
            })?;
            Some(Class::TensorCore(TensorCore::Copy { rows, row_bytes: bits / 8 }))
        },
    },
    Row {
        pattern: "tcgen05.commit.cta_group::1.mbarrier::arrive::one{.shared::cluster}.b64",
        operands: "mbarrier",
        class: |_| Some(Class::TensorCore(TensorCore::Commit)),
    },
    // Tensor memory and registers, and how these are ordered.
    Row {
        pattern: "tcgen05.ld{.ANY}*",
        operands: "dest rest*",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row {
        pattern: "tcgen05.st{.ANY}*",
        operands: "rest*",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row {
        pattern: "tcgen05.shift.cta_group::1.down",
        operands: "rest",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row {
        pattern: "tcgen05.wait::ld|wait::st.sync.aligned",
        operands: "",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    Row {
        pattern: "tcgen05.fence::before_thread_sync|fence::after_thread_sync",
        operands: "",
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    // Two blocks together, and several barrier objects.
    Row {
        pattern: "tcgen05{.ANY}*",
        operands: "any",
        class: |_| Some(Class::Opaque(Effect::Anything)),
    },
];

/// A row of an operand that is not sparse fills 32 bytes, whatever its elements are.
fn product(m: &Modifiers<'_>) -> Option<Class> {
    let sparse = m.first(|name| name.starts_with("sp").then_some(())).is_some();
    let (columns, depth) = m.first(|name| {
        let (columns, depth) = name.strip_prefix("m64n")?.split_once('k')?;
        Some((columns.parse::<u16>().ok()?, depth.parse::<u16>().ok()?))
    })?;
    let bits = if sparse { 512 } else { 256 };
    let element_bits = u8::try_from(bits / depth.max(1)).ok()?;
    let known = columns > 0 && columns <= 256 && columns % 8 == 0 && element_bits > 0;
    let product = Product { columns, element_bits, sparse };
    known.then_some(Class::Warpgroup(Warpgroup::Product(product)))
}

/// A product of one block.
fn tensor_product(m: &Modifiers<'_>) -> Option<Class> {
    if m.has("cta_group::2") {
        return None;
    }
    let kind = m.first(|name| name.strip_prefix("kind::").map(str::to_owned))?;
    let product = TensorCore::Product {
        halves: kind == "f16",
        plain: !kind.starts_with("mx"),
        sparse: m.has("sp"),
    };
    Some(Class::TensorCore(product))
}

fn space(m: &Modifiers<'_>) -> Space {
    m.spaces().next().unwrap_or(Space::Generic)
}

/// Eight rows to a matrix, one to a lane.
fn rows(m: &Modifiers<'_>) -> Option<u8> {
    m.first(|name| {
        Some(match name {
            "x1" => 8,
            "x2" => 16,
            "x4" => 32,
            _ => return None,
        })
    })
}
