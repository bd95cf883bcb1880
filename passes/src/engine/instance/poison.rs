//! Steps of loops that may have no value.
//!
//! **What**: whether a step of a recurrence may be poison, so that a variable is its first value in
//! iteration 0 and not one computed with the step, which nothing took.
//! **Method**: an operator with a flag, somewhere in what it is computed from, whose operands are
//! not small enough for the flag to hold in any case.
//! **Sound because** without such an operator there is no poison, and the bits of a sum, a product
//! and a left shift are bounded by those of the operands.
//! **Misses**: operands that are small for another reason.
//! **Assumes**: that the launch is one that its limits allow.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, NoWrap, Special, ValueFrom};
use rustc_hash::FxHashSet;

use super::Instance;

/// Operators one in another that are looked at for how many bits they have.
const DEPTH: u32 = 8;

impl Instance<'_> {
    /// `value`, computed with `step`; but `init` in iteration 0, where a poisonous step was not
    /// taken.
    pub(super) fn unless_first(
        &mut self,
        k: ExprId,
        step: ExprId,
        init: ExprId,
        value: ExprId,
    ) -> ExprId {
        if self.never_first(k) || !self.may_be_poison(step, self.pool.width(init)) {
            return value;
        }
        let zero = self.pool.constant(0, 32);
        let first = self.pool.eq(k, zero);
        self.pool.select(first, init, value)
    }

    /// Whether an operator whose flag may not hold is part of an expression of the kernel, which is
    /// cut to a width if it is wider.
    fn may_be_poison(&self, id: ExprId, width: u8) -> bool {
        let kernel = self.analysis.kernel;
        let mut work = vec![id];
        let mut seen = FxHashSet::default();
        // What is cut is computed anew from its numbers, with no flag of the kernel's.
        if let Some(numbers) = self.computed_from(id, width) {
            work = numbers;
        }
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let ExprKind::Cast(CastOp::Trunc, wide) = kernel[id].kind
                && let Some(numbers) = self.computed_from(wide, kernel.exprs.width(id))
            {
                work.extend(numbers);
                continue;
            }
            if let ExprKind::Binary(_, flags, ..) = kernel[id].kind
                && flags != NoWrap::NONE
            {
                let width = u32::from(kernel.exprs.width(id));
                let most = if flags.signed { width - 1 } else { width };
                if self.bits(id, DEPTH).is_none_or(|bits| bits > most) {
                    return true;
                }
            }
            match kernel[id].kind.value_from() {
                ValueFrom::Var(var) => work.extend([kernel[var].init, kernel[var].next]),
                ValueFrom::Exit(_, value) => work.push(value),
                ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Result(..)
                | ValueFrom::Nothing
                | ValueFrom::Analysis(_) => {
                    kernel.exprs.for_each_operand(id, |operand| work.push(operand));
                }
            }
        }
        false
    }

    /// How many bits an expression of the kernel has at most as a number without a sign, were it of
    /// any width; nothing where a difference or a division is part of it, or more than `depth`
    /// operators one in another.
    fn bits(&self, id: ExprId, depth: u32) -> Option<u32> {
        let (kernel, launch) = (self.analysis.kernel, self.analysis.launch);
        let length = |most: u32| Some(u32::BITS - most.leading_zeros());
        let width = Some(u32::from(kernel.exprs.width(id)));
        if let Some(value) = kernel.exprs.as_const(id) {
            return Some(u128::BITS - value.leading_zeros());
        }
        if let ExprKind::Cast(CastOp::Zext, inner) = kernel[id].kind {
            return self
                .bits(inner, depth.checked_sub(1)?)
                .or(Some(u32::from(kernel.exprs.width(inner))));
        }
        if let ExprKind::Special(Special::Tid(d) | Special::Ntid(d)) = kernel[id].kind {
            return length(launch.block[usize::from(d)].limit());
        }
        if let ExprKind::Special(Special::Ctaid(d) | Special::Nctaid(d)) = kernel[id].kind {
            return length(launch.grid[usize::from(d)].limit());
        }
        let ExprKind::Binary(op, _, a, b) = kernel[id].kind else { return width };
        let first = self.bits(a, depth.checked_sub(1)?)?;
        if op == BinOp::Shl {
            let by = u32::try_from(kernel.exprs.as_const(b)?).ok()?;
            return first.checked_add(by);
        }
        let second = self.bits(b, depth - 1)?;
        if op == BinOp::Mul {
            return Some(first + second);
        }
        if let BinOp::And | BinOp::Or | BinOp::Xor = op {
            return Some(first.max(second));
        }
        (op == BinOp::Add).then(|| first.max(second) + 1)
    }
}
