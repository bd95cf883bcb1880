//! Matrix instructions (PTX ISA 9.7.14 to 9.7.16): what they touch, not what they compute.

use super::super::class::{Class, Effect, Product, Warpgroup};
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
    // Tensor memory, shared memory, barrier objects: what is touched differs from form to form.
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
