//! Words that threads agree on: what locks and counters are made of.
//!
//! **What**: all writes to an object, that each of them is of one aligned word of a given size,
//! whether the word at one offset is the same memory for two threads, and the scope at which an
//! atomic on it is one for all threads that may come in between.
//! **Sound because**: two words of one size at multiples of that size are equal or have no byte in
//! common, so what is written to one leaves the others alone; and a write that is not listed here
//! makes the list be refused. Offsets whose low bits differ stay different whatever is added in
//! higher bits, wrap-around included.
//! **Misses**: writes whose offset is a multiple of the size for a reason that its expression does
//! not show.
//! **Assumes**: accesses stay in their objects, as every race check does.

use heddle_ir::{Access, Kernel, ObjectId, OpId, Scope, Space, TouchedBy};

use crate::engine::instance::{Placement, low_bits};
use crate::facts::analysis::Analysis;

/// Elements of up to two to this power bytes are told apart by members.
const MOST_LOW_BITS: u32 = 32;

/// All operations that may write an object, each an access to this very object; `None` if something
/// else may write it: an access that may go to another object as well, a copy, a barrier object, or
/// what is not modelled.
pub(super) fn writes_to(kernel: &Kernel, object: ObjectId) -> Option<Vec<(OpId, &Access)>> {
    let mut writes = Vec::new();
    for (id, op) in &kernel.ops {
        for touch in op.kind.effects().touches {
            let meets = touch.writes && touch.place.may_be(kernel, object);
            match touch.by {
                TouchedBy::Access(access) if meets => {
                    if access.address.object != object {
                        return None;
                    }
                    writes.push((id, access));
                }
                TouchedBy::Copy | TouchedBy::BarrierObject if meets => return None,
                TouchedBy::NotModelled => return None,
                TouchedBy::Access(_) | TouchedBy::Copy | TouchedBy::BarrierObject => {}
            }
        }
    }
    Some(writes)
}

/// All operations that may write bytes of an access, under the same condition: those to other
/// members of the elements of its object are left out.
pub(super) fn writes_to_word<'k>(
    kernel: &'k Kernel,
    access: &Access,
) -> Option<Vec<(OpId, &'k Access)>> {
    let mut writes = writes_to(kernel, access.address.object)?;
    writes.retain(|(_, it)| !are_members_apart(kernel, it, access));
    Some(writes)
}

/// The bytes of an access, where it is of one word: as many at each execution, at a multiple of
/// that.
pub(super) fn word_size(kernel: &Kernel, access: &Access) -> Option<u128> {
    let size = kernel.exprs.as_const(access.size).filter(|size| *size > 0)?;
    kernel.exprs.is_multiple_of(access.address.offset, size).then_some(size)
}

/// Whether two accesses are of different members of the elements of one array, whichever elements
/// these are: their offsets differ in low bits that are known of both, and neither goes on into the
/// next stretch of bytes with the same low bits.
pub(super) fn are_members_apart(kernel: &Kernel, one: &Access, other: &Access) -> bool {
    let pool = &kernel.exprs;
    let (Some(one_size), Some(other_size)) = (pool.as_const(one.size), pool.as_const(other.size))
    else {
        return false;
    };
    let [a, b] = [one, other].map(|it| low_bits(pool, it.address.offset));
    let stretch = 1_u128 << a.0.min(b.0).min(MOST_LOW_BITS);
    let [a, b] = [a, b].map(|(_, value)| value % stretch);
    let ends = [a.saturating_add(one_size), b.saturating_add(other_size)];
    ends.iter().all(|end| *end <= stretch) && (ends[0] <= b || ends[1] <= a)
}

/// Accesses to one object by the members of its elements that they reach: two that may have a byte
/// in common are in one part.
pub(super) fn parts<'k>(
    kernel: &'k Kernel,
    accesses: Vec<(OpId, &'k Access)>,
) -> Vec<Vec<(OpId, &'k Access)>> {
    let mut parts: Vec<Vec<(OpId, &Access)>> = Vec::new();
    for (op, access) in accesses {
        let reaches = |part: &Vec<(OpId, &Access)>| {
            part.iter().any(|(_, it)| !are_members_apart(kernel, it, access))
        };
        let (met, mut others): (Vec<_>, Vec<_>) = parts.into_iter().partition(reaches);
        let mut together: Vec<(OpId, &Access)> = met.into_iter().flatten().collect();
        together.push((op, access));
        others.push(together);
        parts = others;
    }
    // In the order of the program.
    parts.iter_mut().for_each(|part| part.sort_unstable_by_key(|(op, _)| *op));
    parts.sort_unstable_by_key(|part| part.first().map(|(op, _)| *op));
    parts
}

/// Whether one offset in the object is the same memory for two threads. Each block has shared
/// memory of its own, each thread local memory, and a generic address may lead to either.
pub(super) fn is_common(kernel: &Kernel, object: ObjectId, placement: Placement) -> bool {
    match kernel[object].space {
        Space::Global => true,
        Space::Shared => !placement.is_across(),
        Space::Local | Space::Generic | Space::Constant => false,
    }
}

/// The scope that makes an atomic on the object one for all threads that may use the word: threads
/// of other blocks may come in between two threads of one block, unless there are none or the
/// memory is the block's own.
pub(super) fn needed_scope(
    analysis: &Analysis<'_>,
    object: ObjectId,
    placement: Placement,
) -> Scope {
    let one_block = analysis.launch.grid.iter().all(|size| size.known() == Some(1));
    let own = analysis.kernel[object].space == Space::Shared || one_block;
    match placement {
        Placement::SameBlock
        | Placement::SameWarp
        | Placement::SameThread
        | Placement::DifferentWarps
            if own =>
        {
            Scope::Block
        }
        Placement::SameBlock
        | Placement::SameWarp
        | Placement::SameThread
        | Placement::DifferentWarps
        | Placement::DifferentBlocks
        | Placement::SameCluster
        | Placement::DifferentClusters => Scope::Device,
    }
}
