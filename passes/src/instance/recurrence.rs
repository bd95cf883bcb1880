//! Loop variables and loop ends of the two-thread reduction.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, LoopId, NoWrap, VarId};

use super::{FrameId, Instance, Placement};
use crate::evolution::{Evolution, rotation};
use crate::trips::TripLimit;

/// A variable without a recurrence is followed through so many iterations, where their number is known.
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
        match self.analysis.evolution(var) {
            Evolution::Invariant => self.at(outside, it.init),
            Evolution::Add(step, flags) => {
                let init = self.at(outside, it.init);
                let step = self.at(outside, step);
                let step = self.pool.resize(step, width);
                let k = self.pool.resize(k, width);
                let signed = width >= 32 && (flags.signed || self.assume_no_wrap);
                let flags = NoWrap { signed, unsigned: flags.unsigned };
                let moved = self.pool.binary_flagged(BinOp::Mul, flags, k, step);
                self.pool.binary_flagged(BinOp::Add, flags, init, moved)
            }
            Evolution::ShiftLeft(by, flags) => {
                let by = self.at(outside, by);
                self.shifted(BinOp::Shl, flags, outside, it.init, k, by)
            }
            Evolution::Double(exponent, flags) => {
                let by = self.pool.constant(u128::from(exponent), width);
                self.shifted(BinOp::Shl, flags, outside, it.init, k, by)
            }
            Evolution::ShiftRight(by) => {
                let by = self.at(outside, by);
                self.shifted(BinOp::LShr, NoWrap::NONE, outside, it.init, k, by)
            }
            Evolution::ShiftRightSigned(by) => {
                let by = self.at(outside, by);
                self.shifted(BinOp::AShr, NoWrap::NONE, outside, it.init, k, by)
            }
            Evolution::HalveSigned(exponent) => self.halved(outside, it.init, k, exponent),
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
            // In an iteration with a known number, step by step.
            Evolution::Unknown if self.few(k) => {
                let before = self.shift_iteration(k, -1);
                let earlier = self.enter(outside, of, before);
                self.at(earlier, it.next)
            }
            Evolution::Unknown => self.leaf(frame, id),
        }
    }

    /// `init` shifted `k` times by `by`.
    fn shifted(
        &mut self,
        op: BinOp,
        flags: NoWrap,
        outside: FrameId,
        init: ExprId,
        k: ExprId,
        by: ExprId,
    ) -> ExprId {
        let init = self.at(outside, init);
        let width = self.pool.width(init);
        // Past the width nothing is left; stopping there keeps the product of counts from wrapping.
        let most = self.pool.constant(u128::from(width), 32);
        let amount = match self.pool.as_const(by) {
            Some(1) if width >= 32 => self.pool.resize(k, width),
            _ => {
                let k = self.pool.binary(BinOp::UMin, k, most);
                let k = self.pool.resize(k, width);
                let most = self.pool.constant(u128::from(width), width);
                let by = self.pool.binary(BinOp::UMin, by, most);
                self.pool.mul(k, by)
            }
        };
        self.pool.binary_flagged(op, flags, init, amount)
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

    /// `init` divided `k` times by a power of two, towards zero.
    fn halved(&mut self, outside: FrameId, init: ExprId, k: ExprId, exponent: u32) -> ExprId {
        let init_value = self.at(outside, init);
        let width = self.pool.width(init_value);
        let by = self.pool.constant(u128::from(exponent), width);
        let down = self.shifted(BinOp::LShr, NoWrap::NONE, outside, init, k, by);
        let zero = self.pool.constant(0, width);
        let negative = self.pool.slt(init_value, zero);
        if self.pool.as_const(negative) == Some(0) || self.small(init_value) {
            return down;
        }
        let magnitude = self.pool.sub(zero, init_value);
        let amount = match self.pool[down].kind {
            ExprKind::Binary(BinOp::LShr, _, _, amount) => amount,
            _ => return down,
        };
        let shifted = self.pool.binary(BinOp::LShr, magnitude, amount);
        let back = self.pool.sub(zero, shifted);
        self.pool.select(negative, back, down)
    }

    /// Whether a value is plainly not negative: a shifted or divided or masked or widened number.
    fn small(&self, id: ExprId) -> bool {
        let exprs = &self.pool;
        match exprs[id].kind {
            ExprKind::Binary(BinOp::LShr | BinOp::UDiv, _, _, b) => {
                exprs.as_const(b).is_some_and(|b| {
                    b > 1 || matches!(exprs[id].kind, ExprKind::Binary(BinOp::LShr, ..) if b > 0)
                })
            }
            ExprKind::Cast(CastOp::Zext, _) | ExprKind::Special(_) => true,
            _ => false,
        }
    }

    fn few(&self, k: ExprId) -> bool {
        self.pool.as_const(k).is_some_and(|k| k <= UNROLLED)
    }

    fn is_odd(&mut self, k: ExprId) -> ExprId {
        match self.pool[k].kind {
            ExprKind::Binary(BinOp::Add, _, base, c) if self.pool.as_const(c).is_some() => {
                let odd = self.pool.cast(CastOp::Trunc, base, 1);
                let flip = self.pool.cast(CastOp::Trunc, c, 1);
                self.pool.binary(BinOp::Xor, odd, flip)
            }
            _ => self.pool.cast(CastOp::Trunc, k, 1),
        }
    }

    /// Whether `k` is some number less more than a few.
    fn far_back(&self, k: ExprId) -> bool {
        match self.pool[k].kind {
            ExprKind::Binary(BinOp::Add, _, _, c) => self
                .pool
                .as_const(c)
                .is_some_and(|c| c >= 1 << 31 && (c as u32 as i32) < -(UNROLLED as i32)),
            _ => false,
        }
    }

    /// Whether `k` is some number plus a positive constant.
    fn never_first(&self, k: ExprId) -> bool {
        match self.pool[k].kind {
            ExprKind::Const(k) => k > 0,
            ExprKind::Binary(BinOp::Add, _, _, c) => {
                self.pool.as_const(c).is_some_and(|c| c > 0 && c < 1 << 31)
            }
            _ => false,
        }
    }

    /// The number of the last iteration that the frame's thread runs of a loop directly inside. States that
    /// the loop goes on before it and not after it.
    pub fn last_iteration(&mut self, outside: FrameId, of: LoopId) -> ExprId {
        let kernel = self.analysis.kernel;
        let agree = self.placement != Placement::DifferentBlocks
            && self.analysis.uniformity.trips_block_uniform(kernel, of);
        let thread = (!agree).then_some(self.thread(outside));
        let key = (of, self.iterations(outside), thread);
        if let Some(&known) = self.exit_index.get(&key) {
            return known;
        }
        if let Some(TripLimit { last, exact: true }) = self.analysis.trips(of) {
            let k = self.pool.constant(u128::from(last), 32);
            self.exit_index.insert(key, k);
            return k;
        }
        let k = self.iteration_symbol(of, thread);
        self.exit_index.insert(key, k);
        let it = &kernel[of];
        let inside = self.enter(outside, of, k);
        let goes_on = self.at(inside, it.cont);
        let ends = self.pool.not(goes_on);
        let reached = self.reached(outside, of, k);
        let entered = self.at(outside, it.pred);
        let last = self.pool.and(ends, reached);
        let fact = self.pool.implies(entered, last);
        self.state(fact);
        k
    }

    /// That iteration `k` is reached by a thread which entered: it is the first, or the one before went on.
    pub fn reached(&mut self, outside: FrameId, of: LoopId, k: ExprId) -> ExprId {
        if self.pool.as_const(k) == Some(0) {
            return self.pool.truth();
        }
        let cont = self.analysis.kernel[of].cont;
        let before = self.shift_iteration(k, -1);
        let earlier = self.enter(outside, of, before);
        let went_on = self.at(earlier, cont);
        if self.never_first(k) {
            return went_on;
        }
        let zero = self.pool.constant(0, 32);
        let first = self.pool.eq(k, zero);
        self.pool.or(first, went_on)
    }
}
