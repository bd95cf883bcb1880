//! Matrix instructions (PTX ISA 9.7.14 to 9.7.16): what they touch, not what they compute.

use super::super::class::{Class, Effect};
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
    Row {
        pattern: "wgmma.mma_async{.ANY}*",
        operands: "dest rest*",
        class: |_| Some(Class::Opaque(Effect::ReadsSharedLater)),
    },
    Row {
        pattern: "wgmma.fence|commit_group.sync.aligned",
        operands: "",
        class: |_| Some(Class::Opaque(Effect::OrdersMatrix)),
    },
    Row {
        pattern: "wgmma.wait_group.sync.aligned",
        operands: "pending",
        class: |_| Some(Class::Opaque(Effect::OrdersMatrix)),
    },
    // Tensor memory, shared memory, barrier objects: what is touched differs from form to form.
    Row {
        pattern: "tcgen05{.ANY}*",
        operands: "any",
        class: |_| Some(Class::Opaque(Effect::Anything)),
    },
];

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
