//! Accesses, questions about addresses, and hints.
//!
//! **Does not**: know `prefetchu` and `pm.event.mask`, which the lift leaves out by their names and
//! runs refuse.

use heddle_ir::MemoryOrder;

use super::Row;
use crate::class::{Class, LoadStore, PureOp, Semantics};
use crate::instruction::Role;
use crate::pattern::Modifiers;
use crate::table::atomic_op;
use crate::types::{Space, Type, TypeKind};

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "atomic.add|exch|max|min|inc|dec|and|or|xor.gen.i|f.SCOPE.ANY.ANY",
        arguments: &[Role::Address, Role::Value],
        class: atomic,
    },
    Row {
        pattern: "atomic.cas.gen.i.SCOPE.ANY.ANY",
        arguments: &[Role::Address, Role::Value, Role::Second],
        class: atomic,
    },
    // The second argument is the alignment.
    Row {
        pattern: "ldg|ldu.global.i|f|p.ANY.ANY",
        arguments: &[Role::Address, Role::Rest],
        class: |m| {
            let (ty, elements) = m.first(made_for)?;
            let (semantics, space) = (Semantics::Weak, Space::Global);
            let non_coherent = true;
            Some(Class::Load(LoadStore { semantics, space, ty, elements, non_coherent }))
        },
    },
    Row {
        pattern: "isspacep.global|local|shared|const",
        arguments: &[Role::Value],
        class: |m| is_space(m.first(Space::parse)?),
    },
    Row {
        pattern: "isspacep.shared.cluster",
        arguments: &[Role::Value],
        class: |_| is_space(Space::SharedCluster),
    },
    Row { pattern: "mapa", arguments: &[Role::Value, Role::Second], class: map_to_block },
    Row {
        pattern: "mapa.shared.cluster",
        arguments: &[Role::Value, Role::Second],
        class: map_to_block,
    },
    Row { pattern: "getctarank", arguments: &[Role::Value], class: block_rank },
    Row { pattern: "getctarank.shared.cluster", arguments: &[Role::Value], class: block_rank },
    Row {
        pattern: "prefetch{.global|local}.L1|L2",
        arguments: &[Role::Address],
        class: |_| Some(Class::Hint),
    },
    Row {
        pattern: "prefetch.global.L2.evict.last|normal",
        arguments: &[Role::Address],
        class: |_| Some(Class::Hint),
    },
    Row {
        pattern: "prefetch.tensormap.ANY",
        arguments: &[Role::Address],
        class: |_| Some(Class::Hint),
    },
    Row {
        pattern: "applypriority{.global}.L2.evict.normal",
        arguments: &[Role::Address, Role::Size],
        class: |_| Some(Class::Hint),
    },
    Row { pattern: "nanosleep", arguments: &[Role::Value], class: |_| Some(Class::Sleep) },
];

/// Addresses are taken to have 64 bits, those of shared memory too.
const ADDRESS: Type = Type { kind: TypeKind::Unsigned, bits: 64, lanes: 1 };

/// `atomic.<op>.gen.<i|f>.<scope>.<type>.<pointer>`: a generic address, or one of its pointer's
/// space.
fn atomic(m: &Modifiers<'_>) -> Option<Class> {
    let (ty, elements) = m.first(made_for)?;
    let op = m.first(|name| atomic_op(name, ty))?;
    Some(Class::Atomic {
        op,
        order: MemoryOrder::Relaxed,
        scope: m.scope()?,
        space: Space::Generic,
        ty,
        elements,
    })
}

fn is_space(space: Space) -> Option<Class> {
    let ty = Type { kind: TypeKind::Predicate, bits: 1, lanes: 1 };
    Some(Class::Pure { op: PureOp::IsSpace(space), ty })
}

fn map_to_block(_: &Modifiers<'_>) -> Option<Class> {
    Some(Class::Pure { op: PureOp::MapToBlock, ty: ADDRESS })
}

fn block_rank(_: &Modifiers<'_>) -> Option<Class> {
    Some(Class::Pure { op: PureOp::BlockRank, ty: ADDRESS })
}

/// The type that an overloaded intrinsic is made for, as LLVM's names have it (`i32`, `v4f32`,
/// `p0`), and how many of it. Integers are signed: `max` and `min` of atomics are.
fn made_for(word: &str) -> Option<(Type, u8)> {
    let (elements, scalar) = match word.strip_prefix('v') {
        Some(vector) => {
            let end = vector.find(|it: char| !it.is_ascii_digit())?;
            (vector[..end].parse().ok()?, &vector[end..])
        }
        None => (1, word),
    };
    let number = |prefix: &str| scalar.strip_prefix(prefix)?.parse::<u8>().ok();
    let (kind, bits) = if let Some(bits) = number("i") {
        (TypeKind::Signed, bits)
    } else if let Some(bits) = number("f") {
        (TypeKind::Float, bits)
    } else if let Some(bits) = number("bf") {
        (TypeKind::OtherFloat, bits)
    } else {
        number("p")?;
        (TypeKind::Bits, 64)
    };
    Some((Type { kind, bits, lanes: 1 }, elements))
}
