//! Rows of matrices, products of a warpgroup and of the tensor core, textures: what they touch.
//!
//! **Does not**: know `mma`, `wmma` and `movmatrix`; the module [`crate::matrix`] does, for
//! intrinsics and for PTX.

use super::Row;
use crate::class::{Class, Effect, TensorCore, Warpgroup};
use crate::instruction::Role;
use crate::pattern::Modifiers;
use crate::table;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "ldmatrix.sync.aligned{.ANY}*.p0|p3",
        arguments: &[Role::Address],
        class: of_instruction,
    },
    // The rows' values follow.
    Row {
        pattern: "stmatrix.sync.aligned{.ANY}*.p0|p3",
        arguments: &[Role::Address],
        class: of_instruction,
    },
    Row {
        pattern: "wgmma.fence.sync.aligned",
        arguments: &[],
        class: |_| Some(Class::Warpgroup(Warpgroup::Fence)),
    },
    Row {
        pattern: "wgmma.commit_group.sync.aligned",
        arguments: &[],
        class: |_| Some(Class::Warpgroup(Warpgroup::Commit)),
    },
    Row {
        pattern: "wgmma.wait_group.sync.aligned",
        arguments: &[Role::Pending],
        class: |_| Some(Class::Warpgroup(Warpgroup::Wait)),
    },
    Row {
        pattern: "tcgen05.commit{.shared}.cg1",
        arguments: &[Role::Mbarrier],
        class: |_| Some(Class::TensorCore(TensorCore::Commit)),
    },
    // Tensor memory and registers, and how these are ordered.
    Row {
        pattern: "tcgen05.ld|st|shift|wait|fence|dealloc|relinq{.ANY}*",
        arguments: &[],
        class: |_| Some(Class::Opaque(Effect::RegistersOnly)),
    },
    // Two blocks together, several barrier objects, products and copies.
    Row {
        pattern: "tcgen05|wgmma{.ANY}*",
        arguments: &[],
        class: |_| Some(Class::Opaque(Effect::Anything)),
    },
    Row {
        pattern: "tex|tld4{.ANY}*",
        arguments: &[],
        class: |_| Some(Class::Opaque(Effect::ReadsTexture)),
    },
];

/// The name is the instruction's; the pointer's space, which LLVM appends, is PTX's `.shared`.
fn of_instruction(m: &Modifiers<'_>) -> Option<Class> {
    let (space, words) = m.list().split_last()?;
    let mut opcode = format!("{}.{}", m.root, words.join("."));
    if *space == "p3" {
        opcode.push_str(".shared");
    }
    table::class_of(&opcode)
}
