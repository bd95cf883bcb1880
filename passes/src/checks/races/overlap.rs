//! When two accesses touch a common byte, as a predicate over their offsets and sizes.

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, ObjectId, ObjectKind, OpId};

use crate::engine::instance::{FrameId, Instance};
use crate::facts::analysis::Analysis;

/// So many distances, at most, are stated one by one.
const MOST_SHIFTS: i128 = 7;

/// That `[a, a + size_a)` and `[b, b + size_b)` meet. Offsets and sizes are 64 bits; the ranges do
/// not wrap, because an access stays inside its object.
///
/// Where both begin and end at multiples of a unit, as vectors do that are aligned as their
/// elements are, they meet where the distance is one of a few. Each is stated as an equation: the
/// algebra splits equations into digits, and bounds it does not.
pub(crate) fn overlap(
    pool: &mut ExprPool,
    (a, size_a): (ExprId, ExprId),
    (b, size_b): (ExprId, ExprId),
) -> ExprId {
    if let (Some(x), Some(y)) = (pool.as_const(size_a), pool.as_const(size_b))
        && x == y
        && x > 0
        && pool.is_multiple_of(a, x)
        && pool.is_multiple_of(b, x)
    {
        return pool.eq(a, b);
    }
    if let Some(meet) = shifted(pool, (a, size_a), (b, size_b)) {
        return meet;
    }
    let end_a = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, a, size_a);
    let end_b = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, b, size_b);
    let starts_before = pool.cmp(CmpOp::Slt, a, end_b);
    let ends_after = pool.cmp(CmpOp::Slt, b, end_a);
    pool.and(starts_before, ends_after)
}

/// [`overlap`] as the distances at which they meet, where these are few.
fn shifted(
    pool: &mut ExprPool,
    (a, size_a): (ExprId, ExprId),
    (b, size_b): (ExprId, ExprId),
) -> Option<ExprId> {
    let (size_a, size_b) = (pool.as_const(size_a)?, pool.as_const(size_b)?);
    let unit = [16, 8, 4, 2].into_iter().find(|unit| {
        size_a % unit == 0
            && size_b % unit == 0
            && pool.is_multiple_of(a, *unit)
            && pool.is_multiple_of(b, *unit)
    })?;
    let [units_a, units_b] = [size_a / unit, size_b / unit].map(|it| i128::try_from(it).ok());
    let (first, last) = (1 - units_a?, units_b? - 1);
    if last - first >= MOST_SHIFTS {
        return None;
    }
    let mut meet = pool.falsity();
    // `a` begins so many units after `b`.
    for units in first..=last {
        let by = pool.constant((units.unsigned_abs()) * unit, 64);
        let equal = match units < 0 {
            true => {
                let end = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, a, by);
                pool.eq(end, b)
            }
            false => {
                let end = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, b, by);
                pool.eq(a, end)
            }
        };
        meet = pool.or(meet, equal);
    }
    Some(meet)
}

/// Where the bytes of an object are, from where offsets count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// There are none before offset zero.
    starts: bool,
    /// How many there are from there on, at most.
    size: Option<u64>,
}

/// That an access of `size` bytes at `offset` lies in an object.
pub(crate) fn in_bounds(
    pool: &mut ExprPool,
    offset: ExprId,
    size: ExprId,
    object: Extent,
) -> ExprId {
    let starts = match object.starts {
        true => is_from_start(pool, offset),
        false => pool.truth(),
    };
    let Some(object_size) = object.size.filter(|it| *it > 0) else { return starts };
    let limit = pool.constant(u128::from(object_size), 64);
    let ends = ends_by(pool, (offset, size), limit);
    pool.and(starts, ends)
}

/// The same for a buffer that begins at offset zero and has so many bytes.
pub(crate) fn within(pool: &mut ExprPool, access: (ExprId, ExprId), limit: ExprId) -> ExprId {
    let starts = is_from_start(pool, access.0);
    let ends = ends_by(pool, access, limit);
    pool.and(starts, ends)
}

fn is_from_start(pool: &mut ExprPool, offset: ExprId) -> ExprId {
    let zero = pool.constant(0, 64);
    pool.cmp(CmpOp::Sle, zero, offset)
}

fn ends_by(pool: &mut ExprPool, (offset, size): (ExprId, ExprId), limit: ExprId) -> ExprId {
    let end = pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, offset, size);
    pool.cmp(CmpOp::Sle, end, limit)
}

/// More dynamic shared memory than any target gives a block.
const MOST_SHARED: u64 = 1 << 18;

/// Where the bytes of an object are, or a bound of that. Memory that another pointer of the launch
/// leads to, too, begins where the lower of the two points.
pub(super) fn extent_of(analysis: &Analysis<'_>, id: ObjectId) -> Extent {
    let object = &analysis.kernel[id];
    let starts = !analysis.launch.leads_into(id);
    let size = match object.kind {
        ObjectKind::DynamicShared => Some(analysis.launch.dynamic_shared.unwrap_or(MOST_SHARED)),
        ObjectKind::Param(_)
        | ObjectKind::ParamField(..)
        | ObjectKind::Pointee(_)
        | ObjectKind::Variable
        | ObjectKind::Alloca
        | ObjectKind::Unknown => object.size,
    };
    Extent { starts, size }
}

/// States that two accesses lie in the object, and touch a common byte; each as offset and size.
pub(super) fn state_meeting(
    instance: &mut Instance<'_>,
    object: ObjectId,
    accesses: [(ExprId, ExprId); 2],
) {
    let extent = extent_of(instance.analysis, object);
    for (offset, size_of_access) in accesses {
        let inside = in_bounds(&mut instance.pool, offset, size_of_access, extent);
        instance.state(inside);
    }
    let meet = overlap(&mut instance.pool, accesses[0], accesses[1]);
    instance.state(meet);
}

/// States that two accesses through pointers that lie in memory go through one pointer, and touch a
/// common byte behind it; each as offset, which is an address, and size.
///
/// **Sound because** pointers at different places lead to buffers of their own, by assumption, and
/// one place holds one pointer, as the kernel writes none of them.
pub(super) fn state_meeting_behind_pointers(
    instance: &mut Instance<'_>,
    ops: [OpId; 2],
    frames: [FrameId; 2],
    accesses: [(ExprId, ExprId); 2],
) {
    let kernel = instance.analysis.kernel;
    let through = |op: OpId| {
        let (pointer, _) = kernel.pointer_in_memory(kernel.access(op)?.address.offset)?;
        let ExprKind::Result(read, _) = kernel.exprs[pointer].kind else { return None };
        Some((pointer, kernel.access(read)?.address.offset))
    };
    let [Some(one), Some(two)] = ops.map(through) else { return };
    let places = [(one.1, frames[0]), (two.1, frames[1])].map(|(it, at)| instance.at(at, it));
    let same = instance.pool.eq(places[0], places[1]);
    instance.state(same);
    let starts = [(one.0, frames[0]), (two.0, frames[1])].map(|(it, at)| instance.at(at, it));
    let zero = instance.pool.constant(0, 64);
    let mut behind = accesses;
    for ((offset, _), start) in behind.iter_mut().zip(starts) {
        *offset = beyond(&mut instance.pool, *offset, start);
        let inside = instance.pool.cmp(CmpOp::Sle, zero, *offset);
        instance.state(inside);
    }
    let meet = overlap(&mut instance.pool, behind[0], behind[1]);
    instance.state(meet);
}

/// How far an address is beyond a pointer that it is computed from.
fn beyond(pool: &mut ExprPool, address: ExprId, pointer: ExprId) -> ExprId {
    if address == pointer {
        return pool.constant(0, 64);
    }
    if let ExprKind::Binary(BinOp::Add, _, a, b) = pool[address].kind {
        for (part, rest) in [(a, b), (b, a)] {
            if mentions(pool, part, pointer) {
                let part = beyond(pool, part, pointer);
                return pool.add(part, rest);
            }
        }
    }
    pool.sub(address, pointer)
}

/// Whether a sum has an expression among its terms.
fn mentions(pool: &ExprPool, sum: ExprId, term: ExprId) -> bool {
    sum == term
        || matches!(pool[sum].kind, ExprKind::Binary(BinOp::Add, _, a, b)
            if mentions(pool, a, term) || mentions(pool, b, term))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_accesses_of_one_size_meet_where_they_are_equal() {
        let mut pool = ExprPool::new();
        let (i, j) = (pool.param(0, 64), pool.param(1, 64));
        let four = pool.constant(4, 64);
        let (a, b) = (pool.mul(i, four), pool.mul(j, four));
        let equal = pool.eq(a, b);
        assert_eq!(overlap(&mut pool, (a, four), (b, four)), equal);
        let one = pool.constant(1, 64);
        let shifted = pool.add(b, one);
        assert_ne!(overlap(&mut pool, (a, four), (shifted, four)), equal);
    }

    #[test]
    fn accesses_of_all_sizes_meet_where_they_have_a_byte_in_common() {
        let sizes = [1u64, 2, 3, 4, 6, 8, 12, 16, 32, 48];
        let mut pool = ExprPool::new();
        for (size_a, size_b) in sizes.iter().flat_map(|a| sizes.map(|b| (*a, b))) {
            for (a, b) in (0..64u64).flat_map(|a| (0..64).map(move |b| (a, b))) {
                let [at_a, of_a, at_b, of_b] =
                    [a, size_a, b, size_b].map(|it| pool.constant(u128::from(it), 64));
                let meet = overlap(&mut pool, (at_a, of_a), (at_b, of_b));
                let truth = u128::from(a < b + size_b && b < a + size_a);
                assert_eq!(pool.as_const(meet), Some(truth), "{a}+{size_a} {b}+{size_b}");
            }
        }
    }
}
