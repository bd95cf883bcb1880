//! Loads, stores and atomics (PTX ISA 9.7.9, 9.7.13).
//!
//! Modifiers are taken in any order, as the assembler does: headers in use write
//! `atom.add.release.gpu.u32`.

use heddle_ir::{AtomicOp, MemoryOrder, Scope};

use super::super::class::{Class, LoadStore, Semantics};
use super::super::pattern::{self, Modifiers};
use super::super::types::{Space, Type, TypeKind};
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "ld{.weak|volatile|relaxed|acquire|mmio|nc|SCOPE|SPACE|CACHE|VEC}*.TYPE",
        operands: "dest address cache_policy@L2::cache_hint",
        class: |m| {
            let access = plain(m, "acquire")?;
            // Non-coherent loads exist for global memory only, and are weak.
            let fits = !access.non_coherent
                || (access.space == Space::Global && access.semantics == Semantics::Weak);
            fits.then_some(Class::Load(access))
        },
    },
    Row {
        pattern: "st{.weak|volatile|relaxed|release|mmio|SCOPE|SPACE|CACHE|VEC}*.TYPE",
        operands: "address value cache_policy@L2::cache_hint",
        class: |m| plain(m, "release").map(Class::Store),
    },
    Row {
        pattern: ATOM,
        operands: "dest address value cache_policy@L2::cache_hint",
        class: |m| atomic(m, false),
    },
    Row {
        pattern: ATOM,
        operands: "dest address value second cache_policy@L2::cache_hint",
        class: |m| atomic(m, true),
    },
    Row {
        pattern: "red{.relaxed|release|SCOPE|SPACE|add|and|or|xor|inc|dec|min|max|noftz|VEC|L2::cache_hint}*.TYPE",
        operands: "address value cache_policy@L2::cache_hint",
        class: |m| atomic(m, false),
    },
];

const ATOM: &str = "atom{.relaxed|acquire|release|acq_rel|SCOPE|SPACE|add|and|or|xor|exch|cas|inc|dec|min|max|noftz|VEC|L2::cache_hint}*.TYPE";

/// What `ld` and `st` have in common; `strong` is the ordered form that the instruction has.
fn plain(m: &Modifiers<'_>, strong: &str) -> Option<LoadStore> {
    let space = m.at_most_one(Space::parse)?.unwrap_or(Space::Generic);
    let elements = m.at_most_one(pattern::vector)?.unwrap_or(1);
    let scope = m.at_most_one(pattern::scope)?;
    m.at_most_one(|name| match name {
        "weak" | "volatile" | "relaxed" => Some(()),
        _ => (name == strong).then_some(()),
    })?;
    let semantics = if m.has("mmio") {
        (m.has("relaxed") && scope == Some(Scope::System)).then_some(Semantics::Mmio)?
    } else if m.has("relaxed") {
        Semantics::Ordered(MemoryOrder::Relaxed, scope?)
    } else if m.has(strong) {
        let order = if strong == "acquire" { MemoryOrder::Acquire } else { MemoryOrder::Release };
        Semantics::Ordered(order, scope?)
    } else if scope.is_some() {
        return None;
    } else if m.has("volatile") {
        Semantics::Volatile
    } else {
        Semantics::Weak
    };
    let ty = in_memory(m)?;
    let non_coherent = m.has("nc");
    Some(LoadStore { semantics, space, ty, elements, non_coherent })
}

/// The type, if values of it have a size in memory.
fn in_memory(m: &Modifiers<'_>) -> Option<Type> {
    let ty = m.at_most_one(Type::parse)??;
    ty.bytes().map(|_| ty)
}

fn atomic(m: &Modifiers<'_>, two_values: bool) -> Option<Class> {
    let ty = in_memory(m)?;
    let op = m.at_most_one(|name| atomic_op(name, ty))??;
    if (op == AtomicOp::CompareExchange) != two_values {
        return None;
    }
    let order = m.at_most_one(|name| {
        Some(match name {
            "relaxed" => MemoryOrder::Relaxed,
            "acquire" => MemoryOrder::Acquire,
            "release" => MemoryOrder::Release,
            "acq_rel" => MemoryOrder::AcqRel,
            _ => return None,
        })
    })?;
    Some(Class::Atomic {
        op,
        order: order.unwrap_or(MemoryOrder::Relaxed),
        scope: m.at_most_one(pattern::scope)?.unwrap_or(Scope::Device),
        space: m.at_most_one(Space::parse)?.unwrap_or(Space::Generic),
        ty,
        elements: m.at_most_one(pattern::vector)?.unwrap_or(1),
    })
}

/// What `.add`, `.min` and the like compute on a type.
pub(crate) fn atomic_op(name: &str, ty: Type) -> Option<AtomicOp> {
    let by_sign = |signed, unsigned, float| match ty.kind {
        TypeKind::Signed => Some(signed),
        TypeKind::Unsigned => Some(unsigned),
        TypeKind::Float | TypeKind::OtherFloat => Some(float),
        TypeKind::Bits | TypeKind::Predicate => None,
    };
    match name {
        "add" => by_sign(AtomicOp::Add, AtomicOp::Add, AtomicOp::FAdd),
        "min" => by_sign(AtomicOp::SMin, AtomicOp::UMin, AtomicOp::FMin),
        "max" => by_sign(AtomicOp::SMax, AtomicOp::UMax, AtomicOp::FMax),
        "and" => Some(AtomicOp::And),
        "or" => Some(AtomicOp::Or),
        "xor" => Some(AtomicOp::Xor),
        "exch" => Some(AtomicOp::Exchange),
        "cas" => Some(AtomicOp::CompareExchange),
        "inc" => Some(AtomicOp::IncWrap),
        "dec" => Some(AtomicOp::DecWrap),
        _ => None,
    }
}
