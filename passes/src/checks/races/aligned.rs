//! What the alignment that accesses promise says of two that meet.
//!
//! **What**: `*(int4 *)(row + m * n + 8 * i)` is sixteen bytes at an address that is a multiple of
//! sixteen, though nothing in `m * n` shows it: a load or store at another address is undefined in
//! LLVM, and a fault on a GPU (PTX ISA 6.4.1). Two such accesses to one object touch the same
//! sixteen bytes, or none in common.
//! **Method**: the accesses of a site lie around an *anchor*, a place in their object whose address
//! is a multiple of a power of two. Where two sites meet, the distance of their anchors is a
//! multiple of the smaller power, and less than their bytes reach: of a few such distances, often
//! zero alone, one is the case.
//! **Sound because** a thread that does one of the site's accesses did the access that promises: it
//! is the first of them, or stands before them in the same region under the same predicate; and
//! both anchors are counted from one start, the object's, wherever that is. That the start is a
//! multiple itself, as allocations begin, is stated only to find a run ([`residues`]).
//! A promise that no launch keeps is none to go by (`aligned/kept.rs`).
//! **Misses**: promises under another predicate, in another region, or of what comes later.
//! **Assumes**: accesses are at the addresses that they promise ([`Assumption::Aligned`]).

mod kept;

use heddle_diagnostics::Assumption;
use heddle_ir::{BinOp, ExprId, ExprKind, ExprPool, Kernel, OpId, UnOp, sign_extend};

pub(super) use self::kept::Promises;
use super::site::Site;
use crate::engine::instance::{FrameId, Instance};
use crate::facts::analysis::Analysis;

/// So many distances, at most, are stated one by one.
const MOST_DISTANCES: i128 = 7;
/// Operations that lowest bits are followed through, at most, one inside the other.
const DEPTH: u32 = 10;

/// The accesses of a site around a place of which something is promised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    /// The offset in the object that the place is counted from, in bytes.
    from: ExprId,
    /// How far the place lies beyond that offset, in bytes.
    after: i128,
    /// The address of the place is a multiple of this, a power of two.
    by: i128,
    /// The bytes that the accesses touch begin and end so far from the place, at most.
    reach: [i128; 2],
}

impl Anchor {
    /// The anchor of a site of one object, where its accesses have one.
    pub(super) fn of(analysis: &Analysis<'_>, site: &Site) -> Option<Anchor> {
        let Analysis { kernel, order, aligned, .. } = analysis;
        if aligned.is_empty() {
            return None;
        }
        let (from, _) = offset(kernel, site.op)?;
        let mut reach: Option<[i128; 2]> = None;
        for &(op, _) in &site.members {
            let (same, after) = offset(kernel, op)?;
            let size = kernel.exprs.as_const(kernel.access(op)?.size)?;
            let end = after + i128::try_from(size).ok()?;
            if same != from {
                return None;
            }
            reach = Some(reach.map_or([after, end], |[a, b]| [a.min(after), b.max(end)]));
        }
        let object = kernel.access(site.op)?.address.object;
        // Whoever does one of the accesses did this one.
        let is_done = |op: OpId| {
            let stand = |op: OpId| (kernel[op].pred, order.chain(op));
            let is_first = |&(it, _): &(OpId, i128)| it == op || order.before(op, it);
            stand(op) == stand(site.op) && site.members.iter().all(is_first)
        };
        let promised = |op: &OpId| {
            let access = kernel.access(*op).filter(|it| it.address.object == object)?;
            let (of, after) = offset(kernel, *op)?;
            (of == from && is_done(*op)).then_some((i128::from(access.align), after))
        };
        // The first of those that promise most.
        let (by, after) = aligned.iter().filter_map(promised).rev().max_by_key(|it| it.0)?;
        let reach = reach?.map(|it| it - after);
        Some(Anchor { from, after, by, reach })
    }
}

/// An offset as another one and a constant.
fn offset(kernel: &Kernel, op: OpId) -> Option<(ExprId, i128)> {
    let exprs = &kernel.exprs;
    let whole = kernel.access(op)?.address.offset;
    if let ExprKind::Binary(BinOp::Add, _, from, constant) = exprs[whole].kind
        && let Some(constant) = exprs.as_const(constant)
    {
        return Some((from, sign_extend(constant, exprs.width(whole))));
    }
    Some((whole, 0))
}

/// States which distances two anchors may have whose sites meet in one object, where
/// these are few.
pub(super) fn state_distance(
    instance: &mut Instance<'_>,
    [(a, frame_a), (b, frame_b)]: [(Anchor, FrameId); 2],
) {
    let step = a.by.min(b.by);
    // The place of `a` is less than this before and after that of `b`.
    let before = a.reach[1] - b.reach[0];
    let after = b.reach[1] - a.reach[0];
    let (first, last) = ((-before).div_euclid(step) + 1, (after - 1).div_euclid(step));
    if last - first >= MOST_DISTANCES {
        return;
    }
    let [at_a, at_b] = [(a, frame_a), (b, frame_b)].map(|(it, at)| instance.at(at, it.from));
    let pool = &mut instance.pool;
    let mut one_of = pool.falsity();
    for steps in first..=last {
        let distance = pool.signed(steps * step + b.after - a.after, 64);
        let there = pool.add(at_b, distance);
        let equal = pool.eq(at_a, there);
        one_of = pool.or(one_of, equal);
    }
    instance.state(one_of);
    instance.rely_on(Assumption::Aligned);
}

/// That a number of bytes is a multiple of a power of two: its lowest bits are zero.
fn is_multiple(instance: &mut Instance<'_>, bytes: ExprId, by: i128) -> ExprId {
    let pool = &mut instance.pool;
    let bits = by.trailing_zeros() as u8;
    if bits == 0 {
        return pool.truth();
    }
    let rest = lowest(pool, bytes, bits, DEPTH);
    let zero = pool.constant(0, bits);
    pool.eq(rest, zero)
}

/// The lowest bits of a value, from those of its operands where they alone decide them; else cut
/// off as they are. What is odd whatever an argument is, `(n | 1) * t`, is so at once.
fn lowest(pool: &mut ExprPool, value: ExprId, bits: u8, depth: u32) -> ExprId {
    let kind = pool[value].kind.clone();
    let of = |pool: &mut ExprPool, it: ExprId| lowest(pool, it, bits, depth - 1);
    if depth == 0 || pool.width(value) <= bits {
        return pool.resize(value, bits);
    }
    if let ExprKind::Cast(_, a) = kind {
        return of(pool, a);
    }
    if let ExprKind::Unary(op @ (UnOp::Neg | UnOp::Not), a) = kind {
        let a = of(pool, a);
        return pool.unary(op, a);
    }
    if let ExprKind::Select(c, a, b) = kind {
        let [a, b] = [a, b].map(|it| of(pool, it));
        return pool.select(c, a, b);
    }
    if let ExprKind::Binary(op, _, a, b) = kind
        && let BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor = op
    {
        let [a, b] = [a, b].map(|it| of(pool, it));
        return pool.binary(op, a, b);
    }
    if let ExprKind::Binary(BinOp::Shl, _, a, by) = kind
        && let Some(by) = pool.as_const(by).filter(|by| *by < u128::from(bits))
    {
        let (a, by) = (of(pool, a), pool.constant(by, bits));
        return pool.binary(BinOp::Shl, a, by);
    }
    pool.resize(value, bits)
}

/// That the places are at multiples from where their object starts, too: what a run should have.
pub(super) fn residues(instance: &mut Instance<'_>, anchors: &[(Anchor, FrameId)]) -> Vec<ExprId> {
    let residue = |&(anchor, frame): &(Anchor, FrameId)| {
        let from = instance.at(frame, anchor.from);
        let after = instance.pool.signed(anchor.after, 64);
        let place = instance.pool.add(from, after);
        is_multiple(instance, place, anchor.by)
    };
    anchors.iter().map(residue).collect()
}
