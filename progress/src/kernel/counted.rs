//! Loops that end by what they count themselves, whatever other blocks do.
//!
//! **What**: a loop that goes on only where a counter is short of a bound, and that moves the
//! counter towards the bound in each iteration, waits for nobody. The counter is a loop variable,
//! or memory that the loop adds to and whose old value it gets, as that of a queue of tasks;
//! through shared memory where one thread takes the task for all.
//! **Method**: one conjunct of what the loop goes on for compares the counter to a value that no
//! iteration changes: one from outside of the loop, or read by plain loads from memory that the
//! kernel does not write.
//! **Sound because**: a variable that moves by a constant in each iteration passes its bound, or
//! meets it where it moves by one, unless it wraps around before. It does not where it moves by one
//! and goes on only strictly below a bound of its own width, nor where the compiler promises it.
//! Memory that all writes in loops move the same way passes the bound as well, if by one: then it
//! has each number in turn. By more it does unless it never would: all additions are of that
//! number. Whether the loop's own addition is done depends on nothing that an iteration changes, so
//! nobody else decides it.
//! **Misses**: counters that move by sizes, are halved, or are masked; bounds that change.
//! **Assumes**: distinct pointer arguments are distinct memory.

use heddle_ir::{
    AccessKind, AtomicOp, BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, LoopId, NoWrap, OpId,
    OpKind, Space, UnOp, ValueFrom,
};

use super::flow::Flow;

/// Whether the loop goes on only where a counter of its own is short of a bound.
pub(super) fn is_counted(flow: &Flow<'_>, of: LoopId) -> bool {
    let kernel = flow.kernel;
    let goes_on = kernel.exprs.conjuncts(kernel[of].cont);
    goes_on.iter().any(|it| {
        if let ExprKind::Unary(UnOp::Not, inner) = kernel[*it].kind {
            return meets(flow, of, &goes_on, inner);
        }
        let ExprKind::Cmp(op, low, high) = kernel[*it].kind else { return false };
        op != CmpOp::Eq
            && (is_fixed(flow, of, high) && ends(flow, of, &goes_on, (op, high), low, Way::Up)
                || is_fixed(flow, of, low) && ends(flow, of, &goes_on, (op, low), high, Way::Down))
    })
}

/// Which way a counter moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// How a loop variable moves in each iteration after which the loop goes on.
#[derive(Clone, Copy)]
struct Step {
    /// By how much, as a signed number.
    by: i128,
    promised: NoWrap,
}

/// Whether a value moves this way until it is past a bound.
fn ends(
    flow: &Flow<'_>,
    of: LoopId,
    goes_on: &[ExprId],
    (op, bound): (CmpOp, ExprId),
    value: ExprId,
    way: Way,
) -> bool {
    let kernel = flow.kernel;
    let signed = matches!(op, CmpOp::Slt | CmpOp::Sle);
    if let Some(by) = added(flow, of, value) {
        return if way == Way::Up { by > 0 } else { by < 0 };
    }
    let widened = if let ExprKind::Cast(CastOp::Sext, inner) = kernel[value].kind {
        signed.then_some(inner)
    } else {
        None
    };
    let counter = widened.unwrap_or(value);
    let Some(Step { by, promised }) = step(kernel, of, goes_on, counter) else { return false };
    let towards = if way == Way::Up { by > 0 } else { by < 0 };
    // Strictly short of a bound of its width, there is room for one more.
    let strict = matches!(op, CmpOp::Slt | CmpOp::Ult)
        || kernel.exprs.as_const(bound).is_some_and(|it| has_room(kernel, bound, it, signed, way));
    let by_one = by.abs() == 1 && strict && widened.is_none();
    towards && (by_one || signed && promised.signed)
}

/// Whether a bound that is still counted is not the last number there is on its side.
fn has_room(kernel: &Kernel, bound: ExprId, value: u128, signed: bool, way: Way) -> bool {
    let width = u32::from(kernel[bound].width);
    let top = 1_u128 << (width - 1);
    let last = match (signed, way) {
        (true, Way::Up) => top - 1,
        (true, Way::Down) => top,
        (false, Way::Up) => top | (top - 1),
        (false, Way::Down) => 0,
    };
    value != last
}

/// Whether a condition is that a variable which moves by one meets a value.
fn meets(flow: &Flow<'_>, of: LoopId, goes_on: &[ExprId], condition: ExprId) -> bool {
    let kernel = flow.kernel;
    let ExprKind::Cmp(CmpOp::Eq, a, b) = kernel[condition].kind else { return false };
    [(a, b), (b, a)].into_iter().any(|(value, other)| {
        let by_one = |it: Step| it.by.abs() == 1;
        is_fixed(flow, of, other) && step(kernel, of, goes_on, value).is_some_and(by_one)
    })
}

/// How a value that is a variable of the loop, or what that will be, moves.
fn step(kernel: &Kernel, of: LoopId, goes_on: &[ExprId], value: ExprId) -> Option<Step> {
    kernel[of].vars.iter().find_map(|var| {
        let next = where_it_goes_on(kernel, goes_on, kernel[*var].next);
        let is_var = |it: ExprId| kernel[it].kind == ExprKind::Var(*var);
        if !is_var(value) && where_it_goes_on(kernel, goes_on, value) != next {
            return None;
        }
        let ExprKind::Binary(op, promised, a, b) = kernel[next].kind else { return None };
        let signed = |it: ExprId| {
            let shift = 128 - u32::from(kernel[it].width);
            kernel.exprs.as_const(it).map(|it| ((it << shift) as i128) >> shift)
        };
        let by = if op == BinOp::Add && is_var(a) {
            signed(b)?
        } else if op == BinOp::Add && is_var(b) {
            signed(a)?
        } else if op == BinOp::Sub && is_var(a) {
            signed(b)?.checked_neg()?
        } else {
            return None;
        };
        (by != 0).then_some(Step { by, promised })
    })
}

/// A value where the loop goes on: with choices that this decides made.
fn where_it_goes_on(kernel: &Kernel, goes_on: &[ExprId], mut value: ExprId) -> ExprId {
    while let ExprKind::Select(condition, yes, no) = kernel[value].kind {
        let denied = |it: &ExprId| kernel[*it].kind == ExprKind::Unary(UnOp::Not, condition);
        value = match (goes_on.contains(&condition), goes_on.iter().any(denied)) {
            (true, _) => yes,
            (false, true) => no,
            (false, false) => return value,
        };
    }
    value
}

/// Whether no iteration of a loop changes a value, and nobody else does.
fn is_fixed(flow: &Flow<'_>, of: LoopId, value: ExprId) -> bool {
    let kernel = flow.kernel;
    if flow.scopes.invariant(of, value) {
        return true;
    }
    match kernel[value].kind.value_from() {
        ValueFrom::Result(op, _) => {
            let OpKind::Access(it) = &kernel[op].kind else { return false };
            let plain = it.kind == AccessKind::Load && !it.volatile && it.order.is_none();
            plain
                && is_fixed(flow, of, it.address.offset)
                && flow.writers_of(it.address.object).next().is_none()
        }
        ValueFrom::Operands => {
            let mut all = true;
            kernel.exprs.for_each_operand(value, |it| all &= is_fixed(flow, of, it));
            all
        }
        ValueFrom::Launch
        | ValueFrom::Var(_)
        | ValueFrom::Exit(..)
        | ValueFrom::Nothing
        | ValueFrom::Analysis(_) => false,
    }
}

/// What a loop adds to memory in each iteration, where a value is what was there before and
/// everything else moves the memory the same way, or finitely often.
fn added(flow: &Flow<'_>, of: LoopId, value: ExprId) -> Option<i128> {
    let kernel = flow.kernel;
    let ExprKind::Result(read, 0) = kernel[value].kind else { return None };
    let by = addend(kernel, read).map(|_| read).or_else(|| handed_out(flow, of, read))?;
    let access = kernel.access(by)?;
    let own = addend(kernel, by)?;
    let here = flow.around(by).last() == Some(&of) && flow.scopes.invariant(of, kernel[by].pred);
    let alike = |it: OpId| addend(kernel, it) == Some(own);
    let same_way = |it: OpId| {
        let is_same = |other: i128| other.signum() == own.signum();
        flow.around(it).is_empty() || addend(kernel, it).is_some_and(is_same)
    };
    // By one it comes by each number; by more only where all go the same steps.
    let others = match own.abs() {
        0 => false,
        1 => flow.writers_of(access.address.object).all(same_way),
        _ => flow.writers_of(access.address.object).all(alike),
    };
    (here && others).then_some(own)
}

/// What an atomic adds, where it is a constant.
fn addend(kernel: &Kernel, op: OpId) -> Option<i128> {
    let AccessKind::Atomic(kind, operands) = &kernel.access(op)?.kind else { return None };
    let [operand] = operands.as_slice() else { return None };
    let shift = 128 - u32::from(kernel[*operand].width);
    let value = ((kernel.exprs.as_const(*operand)? << shift) as i128) >> shift;
    if *kind == AtomicOp::Sub {
        value.checked_neg()
    } else {
        (*kind == AtomicOp::Add).then_some(value)
    }
}

/// The atomic whose result a load of the block's memory gets, which one thread puts there in each
/// iteration.
fn handed_out(flow: &Flow<'_>, of: LoopId, read: OpId) -> Option<OpId> {
    let kernel = flow.kernel;
    let load = kernel.access(read).filter(|it| it.kind == AccessKind::Load)?;
    let mut writers = flow.writers_of(load.address.object);
    let (writer, None) = (writers.next()?, writers.next()) else { return None };
    let store = kernel.access(writer)?;
    let AccessKind::Store(values) = &store.kind else { return None };
    let [value] = values.as_slice() else { return None };
    let ExprKind::Result(from, 0) = kernel[*value].kind else { return None };
    let is_shared = kernel[load.address.object].space == Space::Shared;
    let same_place = store.address == load.address && store.size == load.size;
    let together = kernel[writer].pred == kernel[from].pred
        && [read, writer].iter().all(|it| flow.around(*it).last() == Some(&of))
        && flow.scopes.invariant(of, load.address.offset);
    (is_shared && same_place && together).then_some(from)
}
