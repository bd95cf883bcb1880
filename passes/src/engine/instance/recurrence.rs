//! Loop variables of the two-thread reduction: their values in iteration `k`.
//!
//! **What**: for a variable with a recurrence, one expression over `k`, the first value and the
//! step.
//! **Method**: the closed form of the recurrence. Without one, a variable is followed step by step
//! up to a small constant `k`, and is an arbitrary symbol in all iterations but the first.
//! **Sound because** in every iteration that a thread reaches, the closed form is the variable's
//! value wherever `k` single steps are not poison, and is then not poison itself. Modulo 2 to the
//! power of the width this is arithmetic. For the no-wrap flags it is not: `k` single steps that do
//! not overflow leave `k * step`, or a shift by `k * by`, free to overflow. So a flag is claimed
//! only where it follows from those of the single steps:
//! - `init + k * step`, unsigned: both operators, because `k * step <= value` as numbers.
//! - `init + k * step`, signed: both, if `init` and `step` have the same sign, or if the product
//!   fits in any case. Else `k * step` may be as large as 2 to the power of the width, so the flags
//!   are under a condition on the signs, or absent.
//! - `init << k * by`: yes for `init` other than zero, where a fitting result fits on the way. Zero
//!   stays zero for any amount, and is shifted by nothing.
//! - A step that may itself be poison counts from iteration 1 on only.
//!
//! No decision is read off the form of an expression that was just built: constants fold, so any
//! operator may be gone.
//! **Misses**: variables that depend on others in other ways are arbitrary.
//! **Assumes**: loops run fewer than 2^31 iterations.

use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, LoopId, NoWrap, Special, VarId, mask, sign_extend,
};

use super::{FrameId, Instance};
use crate::facts::evolution::{Evolution, rotation};
use crate::facts::journal::Note;

/// A variable without a recurrence is followed through so many iterations, where their number is
/// known.
const UNROLLED: u128 = 64;

impl Instance<'_> {
    /// A loop variable in the frame's iteration: its closed form, or a symbol.
    pub(super) fn var(&mut self, frame: FrameId, id: ExprId, var: VarId) -> ExprId {
        let kernel = self.analysis.kernel;
        let it = &kernel[var];
        let Some((outside, of, k)) = self.frames[frame.0].inside else {
            return self.leaf(frame, id);
        };
        debug_assert_eq!(of, it.of, "a loop variable outside its loop");
        if self.pool.as_const(k) == Some(0) {
            return self.at(outside, it.init);
        }
        let width = it.width;
        self.analysis.journal.note(|| Note::Recurrence(var));
        match self.analysis.evolution(var) {
            Evolution::Invariant => self.at(outside, it.init),
            Evolution::Add(step, flags) => {
                let init = self.at(outside, it.init);
                let by = self.cut(outside, step, width);
                let fits = self.fits_times(by, width, k);
                let moved = self.moved(id, flags, (init, by), (k, fits));
                self.unless_first(k, step, init, moved)
            }
            Evolution::Rounds(step, flags) if !self.follows_rounds => {
                let init = self.at(outside, it.init);
                let value = self.leaf(frame, id);
                // Steps that leave the range in no addition lead one way.
                let by = self.analysis.kernel.exprs.as_const(step).filter(|_| flags.signed);
                if let Some(by) = by {
                    let up = sign_extend(by, width) >= 0;
                    let (low, high) = if up { (init, value) } else { (value, init) };
                    let goes_one_way = self.pool.cmp(CmpOp::Sle, low, high);
                    // The first value is computed by threads that come to the loop.
                    let come = self.come_to(outside, of);
                    let fact = self.pool.implies(come, goes_one_way);
                    self.state(fact);
                }
                value
            }
            Evolution::Rounds(step, flags) => {
                let init = self.at(outside, it.init);
                let by = self.at(outside, step);
                let times = self.times_until(outside, var, k);
                let moved = self.moved(id, flags, (init, by), (times, false));
                self.unless_first(k, step, init, moved)
            }
            Evolution::ShiftLeft(step, flags) => {
                let init = self.at(outside, it.init);
                let by = self.at(outside, step);
                let shifted = self.shifted(BinOp::Shl, flags, init, k, by);
                self.unless_first(k, step, init, shifted)
            }
            Evolution::Double(exponent, flags) => {
                let init = self.at(outside, it.init);
                let by = self.pool.constant(u128::from(exponent), 32);
                self.shifted(BinOp::Shl, flags, init, k, by)
            }
            Evolution::ShiftRight(step) => {
                let init = self.at(outside, it.init);
                let by = self.at(outside, step);
                let shifted = self.shifted(BinOp::LShr, NoWrap::NONE, init, k, by);
                self.unless_first(k, step, init, shifted)
            }
            Evolution::ShiftRightSigned(step) => {
                let init = self.at(outside, it.init);
                let by = self.at(outside, step);
                let shifted = self.shifted(BinOp::AShr, NoWrap::NONE, init, k, by);
                self.unless_first(k, step, init, shifted)
            }
            Evolution::HalveUnsigned(exponent) => {
                let init = self.at(outside, it.init);
                let by = self.pool.constant(u128::from(exponent), 32);
                self.shifted(BinOp::LShr, NoWrap::NONE, init, k, by)
            }
            Evolution::HalveSigned(exponent) => {
                let init = self.at(outside, it.init);
                self.halved(init, k, exponent)
            }
            Evolution::Toggle(mask) => {
                let init = self.at(outside, it.init);
                let mask = self.at(outside, mask);
                let flipped = self.pool.binary(BinOp::Xor, init, mask);
                let odd = self.is_odd(k);
                self.pool.select(odd, flipped, init)
            }
            Evolution::Reflect(around) => {
                let init = self.at(outside, it.init);
                let around = self.at(outside, around);
                let reflected = self.pool.sub(around, init);
                let odd = self.is_odd(k);
                self.pool.select(odd, reflected, init)
            }
            Evolution::Cycle { step, modulus } => {
                let init = self.at(outside, it.init);
                let init = self.pool.resize(init, 64);
                let k = self.pool.resize(k, 64);
                let step = self.pool.constant(u128::from(step), 64);
                let modulus = self.pool.constant(u128::from(modulus), 64);
                let moved = self.pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, k, step);
                let sum = self.pool.binary_flagged(BinOp::Add, NoWrap::BOTH, init, moved);
                let value = self.pool.binary(BinOp::URem, sum, modulus);
                self.pool.resize(value, width)
            }
            Evolution::LedIn { lead, modulus } => {
                let init = self.at(outside, it.init);
                let narrow = self.pool.resize(k, width);
                let before = self.pool.add(init, narrow);
                let k = self.pool.resize(k, 64);
                let lead = self.pool.constant(u128::from(lead), 64);
                let modulus = self.pool.constant(u128::from(modulus), 64);
                let since = self.pool.sub(k, lead);
                let round = self.pool.binary(BinOp::URem, since, modulus);
                let round = self.pool.resize(round, width);
                let leads = self.pool.ult(k, lead);
                self.pool.select(leads, before, round)
            }
            Evolution::Rotate => {
                let turns = rotation(kernel, var).unwrap_or_default();
                self.rotated(outside, id, k, &turns)
            }
            Evolution::Lag(_) if self.far_back(k) => self.leaf(frame, id),
            Evolution::Lag(next) => {
                let init = self.at(outside, it.init);
                let before = self.shift_iteration(k, -1);
                let earlier = self.enter(outside, of, before);
                let value = self.at(earlier, next);
                if self.never_first(k) {
                    return value;
                }
                let zero = self.pool.constant(0, 32);
                let first = self.pool.eq(k, zero);
                self.pool.select(first, init, value)
            }
            Evolution::Unknown if let Some(before) = self.follows(frame) => {
                self.at(before, it.next)
            }
            // In an iteration with a known number, step by step.
            Evolution::Unknown if self.few(k) => {
                let before = self.shift_iteration(k, -1);
                let earlier = self.enter(outside, of, before);
                self.at(earlier, it.next)
            }
            Evolution::Unknown => {
                let value = self.leaf(frame, id);
                if self.never_first(k) {
                    return value;
                }
                let init = self.at(outside, it.init);
                let zero = self.pool.constant(0, 32);
                let first = self.pool.eq(k, zero);
                self.pool.select(first, init, value)
            }
        }
    }

    /// That the frame's thread enters a loop directly inside, and those around.
    fn come_to(&mut self, outside: FrameId, of: LoopId) -> ExprId {
        let entered = self.at(outside, self.analysis.kernel[of].pred);
        let there = self.is_reached(outside);
        let mut all = self.pool.and(there, entered);
        let mut at = outside;
        while let Some((around, of, _)) = self.frames[at.0].inside {
            let entered = self.at(around, self.analysis.kernel[of].pred);
            all = self.pool.and(entered, all);
            at = around;
        }
        all
    }

    /// `init` with `step` added `k` times, which the kernel computes as `of`; the flags are those
    /// of one addition. With `k` is said whether `k` steps are a number of the width in any case.
    fn moved(
        &mut self,
        of: ExprId,
        flags: NoWrap,
        (init, step): (ExprId, ExprId),
        (k, fits): (ExprId, bool),
    ) -> ExprId {
        let width = self.pool.width(init);
        let step = self.pool.resize(step, width);
        // A narrow `k` is cut, which no signed product survives.
        let signed = width >= 32 && (flags.signed || self.excludes_wrap_around(of, width));
        let excluded = width >= 32 && [init, step].iter().all(|it| self.excludes_unsigned(of, *it));
        let unsigned = NoWrap { signed: false, unsigned: flags.unsigned || excluded };
        if !signed {
            let value = self.linear(unsigned, unsigned, init, step, k);
            if width >= 32 {
                let k = self.pool.resize(k, width);
                let way = self.pool.mul(k, step);
                self.excuse(of, BinOp::Mul, k, step);
                self.excuse(of, BinOp::Add, init, way);
            }
            return value;
        }
        let both = NoWrap { signed: true, unsigned: flags.unsigned };
        let signs = (self.sign(init), self.sign(step));
        let same = matches!(signs, (Some(one), Some(other)) if one == other);
        if same || fits {
            return self.linear(both, both, init, step, k);
        }
        // The way from a negative start by positive steps is below 2 to the power of the width.
        let climbs = NoWrap { signed: false, unsigned: signs.1 == Some(false) };
        let free = self.linear(climbs, NoWrap::NONE, init, step, k);
        if let (Some(_), Some(_)) = signs {
            return free;
        }
        let flagged = self.linear(both, both, init, step, k);
        let zero = self.pool.constant(0, width);
        let [start, by] = [init, step].map(|it| self.pool.slt(it, zero));
        let same = self.pool.eq(start, by);
        self.pool.select(same, flagged, free)
    }

    /// `init + k * step`.
    fn linear(
        &mut self,
        product: NoWrap,
        sum: NoWrap,
        init: ExprId,
        step: ExprId,
        k: ExprId,
    ) -> ExprId {
        let k = self.pool.resize(k, self.pool.width(init));
        let moved = self.pool.binary_flagged(BinOp::Mul, product, k, step);
        self.pool.binary_flagged(BinOp::Add, sum, init, moved)
    }

    /// Whether `k` times a constant step is a signed number of its width, for every `k` there can
    /// be.
    fn fits_times(&self, step: ExprId, width: u8, k: ExprId) -> bool {
        let most = mask(u128::MAX, width) >> 1;
        let Some(step) = self.pool.as_const(step) else { return false };
        let step = sign_extend(mask(step, width), width).unsigned_abs();
        self.most_iteration(k).checked_mul(step).is_some_and(|way| way <= most)
    }

    /// The highest number that an iteration may have.
    fn most_iteration(&self, k: ExprId) -> u128 {
        if let Some(k) = self.pool.as_const(k) {
            return k;
        }
        if let ExprKind::Sym(_) = self.pool[k].kind {
            return self.most(k).min(super::LAST_ITERATION.into());
        }
        let Some((base, c)) = self.plus_constant(k) else { return super::LAST_ITERATION.into() };
        let last = i128::from(super::LAST_ITERATION);
        let shifted = self.most_iteration(base) as i128 + sign_extend(c, 32);
        shifted.clamp(0, last) as u128
    }

    /// The upper end of a leaf's range.
    fn most(&self, leaf: ExprId) -> u128 {
        let all = mask(u128::MAX, self.pool.width(leaf));
        let ends = self.ranges.iter().filter(|(it, ..)| *it == leaf).map(|(.., high)| *high);
        ends.fold(all, u128::min)
    }

    /// Whether a value is negative, where that is known wherever it is not poison.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the sign of what is not listed is not known, whatever it is"
    )]
    fn sign(&self, id: ExprId) -> Option<bool> {
        let width = self.pool.width(id);
        let of = |id: ExprId| self.sign(id);
        let is_nonneg = |id: ExprId| of(id) == Some(false);
        match self.pool[id].kind {
            ExprKind::Const(value) => Some(sign_extend(value, width) < 0),
            ExprKind::Sym(_) | ExprKind::Param(_) => {
                (self.most(id) >> (width - 1) == 0).then_some(false)
            }
            ExprKind::Special(Special::Ntid(_) | Special::Nctaid(_)) => Some(false),
            ExprKind::Special(_) => (self.most(id) >> (width - 1) == 0).then_some(false),
            ExprKind::Cast(CastOp::Zext, _) => Some(false),
            ExprKind::Cast(CastOp::Sext, inner) => of(inner),
            // The flag says that the result is that of numbers.
            ExprKind::Binary(BinOp::Add, flags, a, b) if flags.signed => {
                let sign = of(a)?;
                (of(b)? == sign).then_some(sign)
            }
            ExprKind::Binary(BinOp::Mul, flags, a, b) if flags.signed => {
                (is_nonneg(a) && is_nonneg(b)).then_some(false)
            }
            ExprKind::Binary(BinOp::Shl, flags, a, _) if flags.signed => of(a),
            ExprKind::Binary(BinOp::AShr, _, a, _) => of(a),
            ExprKind::Binary(BinOp::And, _, a, b) => {
                (is_nonneg(a) || is_nonneg(b)).then_some(false)
            }
            ExprKind::Binary(BinOp::LShr | BinOp::UDiv | BinOp::URem, _, a, b) => {
                let shrinks = match (&self.pool[id].kind, self.pool.as_const(b)) {
                    (ExprKind::Binary(BinOp::LShr, ..), Some(by)) => by > 0,
                    (ExprKind::Binary(BinOp::UDiv, ..), Some(by)) => by > 1,
                    (ExprKind::Binary(BinOp::URem, ..), Some(by)) => {
                        by > 0 && by >> (width - 1) == 0
                    }
                    _ => false,
                };
                // Division by zero has all bits set.
                let divides = matches!(self.pool[id].kind, ExprKind::Binary(BinOp::UDiv, ..));
                (shrinks || !divides && is_nonneg(a)).then_some(false)
            }
            ExprKind::Select(_, a, b) => {
                let sign = of(a)?;
                (of(b)? == sign).then_some(sign)
            }
            _ => None,
        }
    }

    /// `init` shifted `k` times by `by`.
    fn shifted(&mut self, op: BinOp, flags: NoWrap, init: ExprId, k: ExprId, by: ExprId) -> ExprId {
        let amount = self.amount(self.pool.width(init), k, by);
        let amount = if flags == NoWrap::NONE {
            amount
        } else {
            let zero = self.pool.constant(0, self.pool.width(init));
            let is_zero = self.pool.eq(init, zero);
            self.pool.select(is_zero, zero, amount)
        };
        self.pool.binary_flagged(op, flags, init, amount)
    }

    /// `k * by`, as an amount to shift a value of `width` bits by. Past the width nothing is left,
    /// so the amount stays at or above the width instead of wrapping around.
    fn amount(&mut self, width: u8, k: ExprId, by: ExprId) -> ExprId {
        if self.pool.as_const(by) == Some(1) && width >= 32 {
            return self.pool.resize(k, width);
        }
        let saturated = |it: &mut Self, value: ExprId| {
            let most = it.pool.constant(u128::from(width), it.pool.width(value));
            it.pool.binary(BinOp::UMin, value, most)
        };
        let k = saturated(self, k);
        let by = saturated(self, by);
        // At most 128 * 128; the width itself fits in a value of that width.
        let by = self.pool.resize(by, 32);
        let amount = self.pool.mul(k, by);
        let amount = if width < 16 { saturated(self, amount) } else { amount };
        self.pool.resize(amount, width)
    }

    /// The turn of iteration `k`.
    fn rotated(
        &mut self,
        outside: FrameId,
        id: ExprId,
        k: ExprId,
        turns: &[(VarId, bool)],
    ) -> ExprId {
        let values: Vec<_> = turns
            .iter()
            .map(|(of, negated)| {
                let init = self.at(outside, self.analysis.kernel[*of].init);
                if *negated { self.pool.not(init) } else { init }
            })
            .collect();
        match values.as_slice() {
            [] => id,
            [only] => *only,
            [even, odd] => {
                let is_odd = self.is_odd(k);
                self.pool.select(is_odd, *odd, *even)
            }
            [first, rest @ ..] => {
                let period = self.pool.constant(values.len() as u128, 32);
                let turn = self.pool.binary(BinOp::URem, k, period);
                let mut value = *first;
                for (index, other) in rest.iter().enumerate() {
                    let index = self.pool.constant(index as u128 + 1, 32);
                    let its_turn = self.pool.eq(turn, index);
                    value = self.pool.select(its_turn, *other, value);
                }
                value
            }
        }
    }

    /// `init` divided `k` times by a power of two, towards zero: its magnitude shifted, under its
    /// sign. The magnitude of the least number is its own bits, read as unsigned.
    fn halved(&mut self, init: ExprId, k: ExprId, exponent: u32) -> ExprId {
        let width = self.pool.width(init);
        let by = self.pool.constant(u128::from(exponent), 32);
        let amount = self.amount(width, k, by);
        let down = self.pool.binary(BinOp::LShr, init, amount);
        let sign = self.sign(init);
        if sign == Some(false) {
            return down;
        }
        let zero = self.pool.constant(0, width);
        let magnitude = self.pool.sub(zero, init);
        let shifted = self.pool.binary(BinOp::LShr, magnitude, amount);
        let back = self.pool.sub(zero, shifted);
        if sign == Some(true) {
            return back;
        }
        let negative = self.pool.cmp(CmpOp::Slt, init, zero);
        self.pool.select(negative, back, down)
    }

    fn few(&self, k: ExprId) -> bool {
        self.pool.as_const(k).is_some_and(|k| k <= UNROLLED)
    }

    fn is_odd(&mut self, k: ExprId) -> ExprId {
        let Some((base, c)) = self.plus_constant(k) else {
            return self.pool.cast(CastOp::Trunc, k, 1);
        };
        let odd = self.pool.cast(CastOp::Trunc, base, 1);
        let flip = self.pool.constant(c & 1, 1);
        self.pool.binary(BinOp::Xor, odd, flip)
    }

    /// Whether `k` is some number less more than a few.
    fn far_back(&self, k: ExprId) -> bool {
        let is_far = |c: u128| c >= 1 << 31 && (c as u32 as i32) < -(UNROLLED as i32);
        self.plus_constant(k).is_some_and(|(_, c)| is_far(c))
    }

    /// Whether `k` is some number plus a positive constant.
    pub(super) fn never_first(&self, k: ExprId) -> bool {
        match self.pool.as_const(k) {
            Some(k) => k > 0,
            None => self.plus_constant(k).is_some_and(|(_, c)| c > 0 && c < 1 << 31),
        }
    }
}
