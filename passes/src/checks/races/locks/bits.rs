//! Locks that are one bit of a word: set by an atomic or, cleared by an atomic and.
//!
//! **What**: sections like those of locks, from `atomicOr(w, m) & m` that finds the bit clear to
//! `atomicAnd(w, ~m)`.
//! **Method**: each write to the object, but those of other members of an array's elements, is an
//! acquire or a release of this form, of one aligned word, all of one size. What `m` is may vary;
//! by its form it has one bit.
//! **Sound because**: a bit changes from clear to set only by an acquire that then succeeds, and to
//! clear only by a release of just this bit, which only the thread does whose acquire succeeded. So
//! at most one thread holds it. Between a release and the next acquire that succeeds, only
//! read-modify-writes write the word, those of other bits among them, so the acquire reads from the
//! release through them (PTX ISA, section 8.9.2). What is in a section is the same as for locks
//! (`locks/held.rs`).
//! **Misses**: words that hold data beside the bit, bits whose place is not cut to the word in the
//! program, several bits that are one lock.
//! **Assumes**: nothing of its own.

use heddle_ir::{
    Access, AccessKind, AtomicOp, BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, LoopId,
    MemoryOrder, ObjectId, OpId, UnOp,
};

use super::{Release, Section, Words, holds, is_strict, sets_before, strength};
use crate::checks::races::word::{are_members_apart, word_size, writes_to};
use crate::facts::analysis::Analysis;
use crate::facts::counts::upper;

/// The sections of an object whose words are locks by bits; none if it is used as anything else.
pub(super) fn sections_of_bits(analysis: &Analysis<'_>, object: ObjectId) -> Option<Vec<Section>> {
    let kernel = analysis.kernel;
    let writes = writes_to(kernel, object)?;
    let (acquires, others): (Vec<_>, Vec<_>) =
        writes.into_iter().partition(|(_, it)| operand_of(it, AtomicOp::Or).is_some());
    let size = word_size(kernel, acquires.first()?.1)?;
    let mut sections = Vec::new();
    for (op, access) in &acquires {
        if word_size(kernel, access) != Some(size) {
            return None;
        }
        sections.push(section(analysis, *op, access)?);
    }
    let taken: Vec<OpId> = acquires.iter().map(|(op, _)| *op).collect();
    for (op, access) in others {
        let beside = |(_, it): &(OpId, &Access)| are_members_apart(kernel, it, access);
        if sets_before(analysis, object, op, &taken) || acquires.iter().all(beside) {
            continue;
        }
        let kept = operand_of(access, AtomicOp::And)?;
        if word_size(kernel, access) != Some(size) {
            return None;
        }
        let at = analysis.order.index(op, analysis.order.chain(op).len());
        let (order, scope) = strength(kernel, access)?;
        let section = sections
            .iter_mut()
            .filter(|it| {
                it.chain == analysis.order.chain(op)
                    && it.from < at
                    && it.offset == access.address.offset
                    && it.bit.is_some_and(|bit| is_all_but(kernel, kept, bit))
                    && holds(kernel, kernel[op].pred, it.entered)
            })
            .max_by_key(|it| it.from)?;
        if section.release.is_some() {
            return None;
        }
        let releases =
            matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel) || is_strict(kernel, order);
        section.release = Some(Release { op, at, pred: kernel[op].pred, releases });
        section.scope = section.scope.min(scope);
    }
    Some(sections)
}

/// The operand of an atomic of one kind.
fn operand_of(access: &Access, wanted: AtomicOp) -> Option<ExprId> {
    match &access.kind {
        AccessKind::Atomic(op, operands) if *op == wanted => operands.first().copied(),
        AccessKind::Atomic(..) | AccessKind::Load | AccessKind::Store(_) => None,
    }
}

/// The section that setting a bit opens: after the loop that repeats it until the bit was clear, or
/// where that is asked for.
fn section(analysis: &Analysis<'_>, op: OpId, access: &Access) -> Option<Section> {
    let kernel = analysis.kernel;
    let (order, scope) = access.order?;
    let bit = operand_of(access, AtomicOp::Or).filter(|it| is_one_bit(analysis, *it))?;
    let chain = analysis.order.chain(op);
    let opened = |chain: &[LoopId], entered| Section {
        lock: Words::all(access.address.object),
        offset: access.address.offset,
        bit: Some(bit),
        acquire: op,
        chain: chain.to_vec(),
        from: analysis.order.index(op, chain.len()),
        entered,
        acquires: matches!(order, MemoryOrder::Acquire | MemoryOrder::AcqRel)
            || is_strict(kernel, order),
        scope,
        release: None,
        shared: false,
    };
    if let Some((&repeats, around)) = chain.split_last()
        && kernel.exprs.as_const(kernel[op].pred) == Some(1)
        && found(kernel, kernel[repeats].cont, op, bit) == Some(Bit::Set)
        && [access.address.offset, bit].iter().all(|it| analysis.scopes.home(*it) != Some(repeats))
    {
        return Some(opened(around, kernel[repeats].pred));
    }
    let is_clear = |id: &ExprId| found(kernel, *id, op, bit) == Some(Bit::Clear);
    let succeeded = kernel.exprs.iter().map(|(id, _)| id).find(is_clear)?;
    Some(opened(chain, succeeded))
}

/// What an acquire found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bit {
    Clear,
    Set,
}

/// What a condition says that an acquire found, if that is all it says.
fn found(kernel: &Kernel, condition: ExprId, op: OpId, bit: ExprId) -> Option<Bit> {
    let constant = |id: ExprId| kernel.exprs.as_const(id);
    let is_word = |id: ExprId| kernel[id].kind == ExprKind::Result(op, 0);
    let kind = &kernel[condition].kind;
    if let ExprKind::Unary(UnOp::Not, inner) = *kind {
        return Some(match found(kernel, inner, op, bit)? {
            Bit::Clear => Bit::Set,
            Bit::Set => Bit::Clear,
        });
    }
    if let ExprKind::Cast(CastOp::Trunc, word) = *kind {
        let lowest = constant(bit) == Some(1) && kernel.exprs.width(condition) == 1;
        return (is_word(word) && lowest).then_some(Bit::Set);
    }
    let ExprKind::Cmp(compares, value, zero) = *kind else { return None };
    if constant(zero) != Some(0) {
        return None;
    }
    if compares == CmpOp::Slt && is_word(value) {
        let highest = 1 << (kernel.exprs.width(value) - 1);
        return (constant(bit) == Some(highest)).then_some(Bit::Set);
    }
    let ExprKind::Binary(BinOp::And, _, a, b) = kernel[value].kind else { return None };
    let of_bit = is_word(a) && b == bit || is_word(b) && a == bit;
    (compares == CmpOp::Eq && of_bit).then_some(Bit::Clear)
}

/// Whether a value has just one bit, by its form: a power of two, or one that is shifted by a
/// number that is below the width by its own form.
fn is_one_bit(analysis: &Analysis<'_>, value: ExprId) -> bool {
    let kernel = analysis.kernel;
    if let Some(constant) = kernel.exprs.as_const(value) {
        return constant.is_power_of_two();
    }
    let ExprKind::Binary(BinOp::Shl, _, one, by) = kernel[value].kind else { return false };
    let width = u128::from(kernel.exprs.width(value));
    kernel.exprs.as_const(one) == Some(1) && upper(kernel, analysis.launch, by) < width
}

/// Whether a value has all bits but one.
fn is_all_but(kernel: &Kernel, value: ExprId, bit: ExprId) -> bool {
    let all = heddle_ir::mask(u128::MAX, kernel.exprs.width(value));
    if let (Some(value), Some(bit)) = (kernel.exprs.as_const(value), kernel.exprs.as_const(bit)) {
        return value == all & !bit;
    }
    if let ExprKind::Unary(UnOp::Not, inner) = kernel[value].kind {
        return inner == bit;
    }
    let ExprKind::Binary(BinOp::Xor, _, a, b) = kernel[value].kind else { return false };
    let ones = |id: ExprId| kernel.exprs.as_const(id) == Some(all);
    a == bit && ones(b) || b == bit && ones(a)
}
