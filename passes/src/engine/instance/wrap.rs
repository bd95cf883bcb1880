//! Index arithmetic that may leave the signed range: where runs in which it does are left out, and
//! whether a model does.
//!
//! **What**: the no-wrap flags that a question may assume, and whether a model of it wraps around.
//! **Method**: an operator counts as index arithmetic if an open size or argument reaches it
//! ([`crate::facts::analysis`]). Beside these flags a size without a sign
//! ([`crate::facts::unsigned`]) is below half its range.
//! **Sound because**: each flag that is added is recorded as [`Assumption::IndexInSignedRange`],
//! of what is cut to fewer bits as [`Assumption::CutIndexInSignedRange`]; the latter as
//! [`Assumption::UnsignedSizesBelowHalf`]. None is added where that leaves no run of the launch
//! that is as the program states.
//! **Misses**: nothing.
//! **Assumes**: what it records.

use heddle_diagnostics::Assumption;
use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, Special, ValueFrom, sign_extend,
};
use heddle_solver::{Answer, Budget, Model, Query, decide};
use rustc_hash::FxHashSet;

use super::{Instance, Meaning, evaluate};
use crate::facts::journal::Note;
use crate::facts::open_inputs::LARGE_FACTOR;

/// What happens where index arithmetic on open sizes and arguments leaves the signed range of its
/// width, and the compiler did not promise that it stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WrapAround {
    /// What the machine does.
    Happens,
    /// Such runs are left out, and those in which an unsigned size is 2^31 or more; the answer
    /// names it ([`Assumption::IndexInSignedRange`], [`Assumption::CutIndexInSignedRange`],
    /// [`Assumption::UnsignedSizesBelowHalf`]).
    Excluded,
    /// Runs in which such arithmetic leaves the unsigned range are left out. No answer may rest on
    /// it: it only tells whether other runs are worth looking for.
    ExcludedUnsigned,
}

impl Instance<'_> {
    /// The flags of an operator over `operands` that computes a kernel's expression, or a part of
    /// it: those the compiler gave, and that it stays in the signed range where that is assumed of
    /// index arithmetic.
    ///
    /// Index arithmetic is what adds, subtracts, multiplies or shifts left in 32 bits or more, and
    /// what an open size or argument reaches. A factor of 2^24 and more is a hash or an extraction
    /// of bits, whose wrap-around is meant; so is that of a shift beside an exclusive or, in a
    /// rotation, or before a shift back.
    pub(crate) fn in_range(
        &mut self,
        op: BinOp,
        flags: NoWrap,
        operands: (ExprId, ExprId),
        of: ExprId,
    ) -> NoWrap {
        let (a, b) = operands;
        let width = self.pool.width(a);
        let constants = [a, b].map(|it| self.pool.as_const(it).map(|c| sign_extend(c, width)));
        let index = match op {
            BinOp::Add | BinOp::Sub => true,
            BinOp::Mul => constants.iter().flatten().all(|c| c.unsigned_abs() < LARGE_FACTOR),
            BinOp::Shl => {
                constants[1].is_none_or(|by| by < i128::from(LARGE_FACTOR.ilog2()))
                    && !self.analysis.shifts_bits(of)
            }
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => false,
        };
        let computed = constants.iter().any(Option::is_none);
        if flags.signed || !index || !computed || width < 32 {
            return flags;
        }
        if self.wrap == WrapAround::ExcludedUnsigned {
            let unsigned =
                flags.unsigned || [a, b].iter().all(|it| self.excludes_unsigned(of, *it));
            return NoWrap { unsigned, ..flags };
        }
        let signed = self.excludes_wrap_around(of, width);
        if !signed {
            self.excuse(of, op, a, b);
        }
        NoWrap { signed, ..flags }
    }

    /// An argument that is not given. A size without a sign from 2^31 (2^63) on is in no run where
    /// wrap-around is left out: as an index it would leave the signed range too.
    pub(super) fn argument(&mut self, index: u32, param: ExprId) {
        if !self.analysis.is_unsigned_size(index) {
            return;
        }
        if !self.unsigned.contains(&param) {
            self.unsigned.push(param);
        }
        if self.wrap == WrapAround::Excluded {
            let fact = below_half(&mut self.pool, param);
            self.facts.push(fact);
            self.rely_on(Assumption::UnsignedSizesBelowHalf);
        }
    }

    /// Whether an operator computes a part of `blockIdx.x * blockDim.x + threadIdx.x`, of any
    /// dimension, or the size of the grid in threads.
    pub(super) fn linear_index(&self, op: BinOp, a: ExprId, b: ExprId) -> bool {
        let special = |id: ExprId| self.id_or_size(id);
        if op == BinOp::Mul {
            return matches!(
                (special(a), special(b)),
                (Some(Special::Ctaid(d)), Some(Special::Ntid(e)))
                | (Some(Special::Ntid(d)), Some(Special::Ctaid(e)))
                | (Some(Special::Nctaid(d)), Some(Special::Ntid(e)))
                | (Some(Special::Ntid(d)), Some(Special::Nctaid(e))) if d == e
            );
        }
        op == BinOp::Add
            && [(a, b), (b, a)].into_iter().any(|(product, tid)| {
                let ExprKind::Binary(BinOp::Mul, _, x, y) = self.pool[product].kind else {
                    return false;
                };
                let Some(Special::Tid(d)) = special(tid) else { return false };
                self.linear_index(BinOp::Mul, x, y)
                    && [x, y].into_iter().any(|it| special(it) == Some(Special::Ctaid(d)))
            })
    }

    /// The flags of such a part in 32 bits: all, but the size of the grid may be 2^31.
    pub(super) fn linear_flags(
        &mut self,
        op: BinOp,
        operands: (ExprId, ExprId),
        of: ExprId,
        (a, b): (ExprId, ExprId),
    ) -> NoWrap {
        let is_size = |id: ExprId| matches!(self.id_or_size(id), Some(Special::Nctaid(_)));
        match is_size(a) || is_size(b) {
            true => self.in_range(op, NoWrap::UNSIGNED, operands, of),
            false => NoWrap::BOTH,
        }
    }

    /// An id or a size of the launch, widened or not.
    fn id_or_size(&self, id: ExprId) -> Option<Special> {
        let inner =
            if let ExprKind::Cast(CastOp::Zext, inner) = self.pool[id].kind { inner } else { id };
        let ExprKind::Special(special) = self.pool[inner].kind else { return None };
        Some(special)
    }

    /// Whether runs are left out in which the computation of a kernel's expression leaves the
    /// signed range of `width` bits, to which it may be cut; the answer names it.
    pub(super) fn excludes_wrap_around(&mut self, of: ExprId, width: u8) -> bool {
        let excluded = self.wrap == WrapAround::Excluded && self.analysis.is_open(of);
        if excluded {
            self.rely_on(match self.is_cut(of, width) {
                true => Assumption::CutIndexInSignedRange,
                false => Assumption::IndexInSignedRange,
            });
        }
        excluded
    }

    /// Whether runs are left out in which the computation of a kernel's expression leaves the
    /// unsigned range, by an operand as well. Adding a negative constant is subtracting, which no
    /// flag of an addition says.
    pub(super) fn excludes_unsigned(&self, of: ExprId, operand: ExprId) -> bool {
        let width = self.pool.width(operand);
        let goes_down = self.pool.as_const(operand).is_some_and(|c| sign_extend(c, width) < 0);
        self.wrap == WrapAround::ExcludedUnsigned && !goes_down && self.analysis.is_open(of)
    }

    /// Records an operator to which [`WrapAround::Excluded`] would apply.
    pub(super) fn excuse(&mut self, of: ExprId, op: BinOp, a: ExprId, b: ExprId) {
        if self.wrap == WrapAround::Happens && self.analysis.is_open(of) {
            self.excusable.push((op, a, b));
        }
    }

    /// Whether [`WrapAround::Excluded`] would make a difference.
    pub(crate) fn could_leave_range(&self) -> bool {
        !self.excusable.is_empty()
    }

    /// Whether some run is left when those are left out in which index arithmetic wraps around.
    /// Tried with a few small numbers for all that is open: arithmetic that wraps around for each
    /// of them is not meant to stay in its range. Where something is said of the launch, or stated
    /// by the program, that none of these numbers satisfies, the solver is asked.
    pub(crate) fn may_stay_in_range(&mut self, budget: &Budget) -> bool {
        match self.small_numbers_stay_in_range() {
            (false, _) => false,
            (true, true) => true,
            (true, false) => self.some_stay_in_range(budget),
        }
    }

    /// Whether the launch may be as is said, what the program states may hold, and all arithmetic
    /// of two threads that are placed as asked may stay in the signed range.
    fn some_stay_in_range(&mut self, budget: &Budget) -> bool {
        let text = "is there a run of this launch in which no index arithmetic wraps around?";
        self.analysis.journal.note(|| Note::Text(text.to_owned()));
        let mut facts = self.facts[..self.of_launch].to_vec();
        facts.extend(&self.of_program);
        facts.extend(self.placement_facts());
        for (op, a, b) in self.excusable.clone() {
            let Some(fact) = in_signed_range(&mut self.pool, op, a, b) else { return false };
            facts.push(fact);
        }
        for param in self.unsigned.clone() {
            facts.push(below_half(&mut self.pool, param));
        }
        let ranges = self.ranges.clone();
        let query = Query { facts, ranges, small: Vec::new(), relevant: Vec::new() };
        let answer = decide(&self.pool, &query, &budget.divided(4));
        self.analysis.journal.solved(&self.pool, &query, &answer);
        matches!(answer, Answer::Sat(_))
    }

    /// Whether all arithmetic stays in the signed range for some of a few small numbers, and
    /// whether one of those satisfies what is said of the launch and what the program states.
    fn small_numbers_stay_in_range(&self) -> (bool, bool) {
        let mut leaves = Vec::new();
        let (mut seen, mut work) = (FxHashSet::default(), Vec::new());
        work.extend(self.excusable.iter().flat_map(|(_, a, b)| [*a, *b]));
        work.extend(self.stated());
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            match self.pool[at].kind.value_from() {
                ValueFrom::Launch | ValueFrom::Analysis(_) | ValueFrom::Nothing => leaves.push(at),
                ValueFrom::Operands
                | ValueFrom::Var(_)
                | ValueFrom::Exit(..)
                | ValueFrom::Result(..) => self.pool.for_each_operand(at, |it| work.push(it)),
            }
        }
        let models = [1, 2, 0, 3].map(|number| {
            let mut model = Model::new();
            for &leaf in &leaves {
                model.set_leaf(leaf, heddle_ir::mask(number, self.pool.width(leaf)));
            }
            model
        });
        let stay: Vec<_> = models.iter().filter(|model| self.stays_in_range(model)).collect();
        let is_as_said = |model: &&&Model| self.stated().all(|it| evaluate(self, model, it) == 1);
        (!stay.is_empty(), stay.iter().find(is_as_said).is_some())
    }

    /// What is said of the launch, and what the program states.
    fn stated(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.conditions.iter().chain(&self.of_program).copied()
    }

    /// Whether a model is one of the runs that [`WrapAround::Excluded`] leaves.
    fn stays_in_range(&self, model: &Model) -> bool {
        !self.has_large_unsigned(model)
            && self.excusable.iter().all(|&(op, a, b)| {
                let [x, y] = [a, b].map(|it| evaluate(self, model, it));
                ranges_left(op, x, y, self.pool.width(a), false).0 == Left::No
            })
    }

    /// Whether a size without a sign is 2^31 (2^63) or more in a model.
    fn has_large_unsigned(&self, model: &Model) -> bool {
        let is_large = |&it: &ExprId| evaluate(self, model, it) >> (self.pool.width(it) - 1) == 1;
        self.unsigned.iter().any(is_large)
    }

    /// Whether index arithmetic wraps around in a model: its result is another number than that
    /// of unlimited width, both as a signed and as an unsigned number; or it is computed from a
    /// number that is right as an unsigned one alone, and is right as a signed one alone, as in
    /// `5 * g + 3`, whose product is 2^32 - 1; or a number that is right as an unsigned one alone
    /// is then taken for a signed one, as in `int x = blockIdx.x * 256` before `x < w`. Otherwise
    /// an unsigned value from 2^31 is no wrap-around, nor is adding -1. Where a size without a
    /// sign is so large, a result is read as an unsigned number only.
    pub(crate) fn wraps_around(&self, model: &Model) -> bool {
        let is_read_signed = !self.has_large_unsigned(model);
        let left = |&(op, a, b): &(BinOp, ExprId, ExprId)| {
            let width = self.pool.width(a);
            let [x, y] = [a, b].map(|it| evaluate(self, model, it));
            let subtracts = self.pool.as_const(b).is_some_and(|c| sign_extend(c, width) < 0);
            ranges_left(op, x, y, width, subtracts)
        };
        let is_unsigned_alone = |operand: ExprId| {
            let ExprKind::Binary(op, _, a, b) = self.pool[operand].kind else { return false };
            let computed = (op, a, b);
            self.excusable.contains(&computed) && left(&computed).0 == Left::Yes
        };
        let wraps = self.excusable.iter().any(|it| {
            let (signed, unsigned) = left(it);
            unsigned == Left::Yes
                && (signed == Left::Yes
                    || !is_read_signed
                    || is_unsigned_alone(it.1)
                    || is_unsigned_alone(it.2))
        });
        wraps || self.taken_for_signed().any(|it| self.is_large_sum(model, it))
    }

    /// Whether a number from half the range on is a result that is right as an unsigned number
    /// alone, or a sum with one. Rounds of a loop are left out: a counter that comes so far has a
    /// question of its own.
    fn is_large_sum(&self, model: &Model, sum: ExprId) -> bool {
        let (mut seen, mut work) = (FxHashSet::default(), vec![sum]);
        while let Some(at) = work.pop() {
            let is_large = evaluate(self, model, at) >> (self.pool.width(at) - 1) == 1;
            if !is_large || !seen.insert(at) {
                continue;
            }
            work.extend(self.cuts.get(&at));
            let ExprKind::Binary(op, _, a, b) = self.pool[at].kind else { continue };
            let [x, y] = [a, b].map(|it| evaluate(self, model, it));
            let left = ranges_left(op, x, y, self.pool.width(a), false);
            if self.excusable.contains(&(op, a, b)) && left == (Left::Yes, Left::No) {
                return !self.counts_rounds(at);
            }
            if op == BinOp::Add {
                work.extend([a, b]);
            }
        }
        false
    }

    fn counts_rounds(&self, at: ExprId) -> bool {
        let mut counts = false;
        self.pool.for_each_below(at, |it| {
            if let ExprKind::Sym(symbol) = self.pool[it].kind {
                counts |= matches!(self.meaning(symbol), Meaning::Iteration(..));
            }
        });
        counts
    }

    /// The numbers in the facts that are compared with others as signed ones. One that is compared
    /// with a constant is none: whether it is negative is what the program asks.
    fn taken_for_signed(&self) -> impl Iterator<Item = ExprId> {
        let (mut seen, mut work) = (FxHashSet::default(), self.facts.clone());
        let (mut taken, mut tested) = (Vec::new(), FxHashSet::default());
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            if let ExprKind::Cmp(CmpOp::Slt | CmpOp::Sle, a, b) = self.pool[at].kind {
                match [a, b].iter().any(|it| self.pool.as_const(*it).is_some()) {
                    true => tested.extend([a, b]),
                    false => taken.extend([a, b]),
                }
            }
            self.pool.for_each_operand(at, |it| work.push(it));
        }
        taken.retain(|it| !tested.contains(it));
        taken.into_iter()
    }
}

/// That a number is below half its range: that it is the same number with and without a sign.
fn below_half(pool: &mut ExprPool, number: ExprId) -> ExprId {
    let width = pool.width(number);
    let half = pool.constant(1 << (width - 1), width);
    pool.ult(number, half)
}

/// That an operator stays in the signed range of its width; nothing where that is not stated.
fn in_signed_range(pool: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    if width > 64 {
        return None;
    }
    if op == BinOp::Shl {
        let limit = pool.constant(u128::from(width), width);
        let below = pool.ult(b, limit);
        let there = pool.binary(op, a, b);
        let back = pool.binary(BinOp::AShr, there, b);
        let same = pool.eq(back, a);
        return Some(pool.and(below, same));
    }
    let narrow = pool.binary(op, a, b);
    let [a, b, narrow] = [a, b, narrow].map(|it| pool.cast(CastOp::Sext, it, 2 * width));
    let wide = pool.binary(op, a, b);
    Some(pool.eq(wide, narrow))
}

/// Whether a result is out of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Left {
    Yes,
    No,
}

/// Whether the result of an operator is out of the signed, and of the unsigned range of its width.
/// `subtracts` says that the right summand is a negative constant, as in `u - 1`. Past 64 bits both
/// answers are yes, as nobody looks.
fn ranges_left(op: BinOp, x: u128, y: u128, width: u8, subtracts: bool) -> (Left, Left) {
    if width > 64 {
        return (Left::Yes, Left::Yes);
    }
    let (sx, sy) = (sign_extend(x, width), sign_extend(y, width));
    let (low, high, most) = (-(1i128 << (width - 1)), 1i128 << (width - 1), 1i128 << width);
    let (x, y) = (x as i128, y as i128);
    let shifted = |value: i128| 1i128.checked_shl(y as u32).and_then(|by| value.checked_mul(by));
    let (signed, unsigned) = match op {
        BinOp::Add if subtracts => (sx.checked_add(sy), x.checked_add(sy)),
        BinOp::Add => (sx.checked_add(sy), x.checked_add(y)),
        BinOp::Sub => (sx.checked_sub(sy), x.checked_sub(y)),
        BinOp::Mul => (sx.checked_mul(sy), x.checked_mul(y)),
        BinOp::Shl if y >= i128::from(width) => (None, None),
        BinOp::Shl => (shifted(sx), shifted(x)),
        BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => return (Left::No, Left::No),
    };
    let left = |result: Option<i128>, low: i128, high: i128| match result {
        Some(it) if (low..high).contains(&it) => Left::No,
        Some(_) | None => Left::Yes,
    };
    (left(signed, low, high), left(unsigned, 0, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_reading_of_the_operands_explains_is_a_wrap_around() {
        let wraps = |op, x: u32, y: u32| {
            let subtracts = op == BinOp::Add && (y as i32) < 0;
            ranges_left(op, x.into(), y.into(), 32, subtracts) == (Left::Yes, Left::Yes)
        };
        assert!(!wraps(BinOp::Add, 0x7000_0000, 0x7000_0000), "an unsigned sum below 2^32");
        assert!(!wraps(BinOp::Add, 5, 0xffff_ffff), "5 - 1");
        assert!(!wraps(BinOp::Add, 0, 0xffff_ffff), "0 - 1, signed");
        assert!(!wraps(BinOp::Add, 0x8000_0000, 0xffff_ffff), "2^31 - 1, unsigned");
        assert!(!wraps(BinOp::Mul, 0xffff_ffff, 3), "-1 * 3");
        assert!(wraps(BinOp::Mul, 3, 0x5555_5556), "3 * 0x55555556 is 2");
        assert!(wraps(BinOp::Shl, 1, 32), "past the width");
        assert!(wraps(BinOp::Shl, 0x00ff_ffff, 12), "bits are lost");
        assert!(!wraps(BinOp::Sub, 0, 1), "0 - 1, signed");
        assert!(!wraps(BinOp::Sub, 0x8000_0000, 0x9000_0000), "two negative numbers");
    }
}
