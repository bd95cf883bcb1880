//! Matrix instructions (PTX ISA 9.7.14 to 9.7.16): what they touch, not what they compute.

use super::super::class::{Class, Effect};
use super::super::pattern::Modifiers;
use super::super::types::Space;
use super::Row;

pub(super) const ROWS: &[Row] = &[
    // Without the forms of narrow elements.
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
    Row {
        pattern: "tex|tld4|txq|suq|suld{.ANY}*",
        operands: "dest rest*",
        class: |_| Some(Class::Opaque(Effect::ReadsTexture)),
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
