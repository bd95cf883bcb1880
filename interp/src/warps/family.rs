//! Many runs at once: a parameter takes all values of a family, and values are known as functions
//! of the run.
//!
//! A run of the family is a point of whole numbers; the runs are the points in the convex hull of
//! some corners. A [`Slope`] says how much a value grows with each coordinate: the value is its
//! bits, plus slope times point, modulo two to its width.
//!
//! **Promises.** What comes out level is the same in all runs, and what has a slope is as it says
//! in each, wrap-around included: a comparison is decided only if it comes out alike everywhere,
//! and a widening or a quotient only if nothing wraps on its way. What cannot be told is unknown,
//! with the parameter as its cause.
//!
//! **Does not** know that overflow of signed numbers is undefined.

use heddle_ir::{BinOp, CastOp, CmpOp, UnOp, fold_binary, fold_unary, mask, sign_extend};

use crate::stop::Cause;

use super::value::{LANES, LEVEL, Slope, Value};

/// A parameter that takes many values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// The parameter, by its index.
    pub param: u32,
    /// Its value in the run at the origin.
    pub first: u64,
    /// How much it grows with each coordinate.
    pub slope: [i64; 3],
    /// The runs: whole points in the hull of these.
    pub corners: Vec<[i128; 3]>,
}

/// A lane's value in a run: bits at the origin, and slope.
type Affine = (u64, Slope);

/// What is asked of values in a family.
#[derive(Debug)]
pub(super) struct Runs<'a> {
    pub(super) corners: &'a [[i128; 3]],
    /// Of what is not told.
    pub(super) cause: Cause,
}

impl Runs<'_> {
    pub(super) fn unary(&self, op: UnOp, a: &Value, width: u8) -> Value {
        self.each(|lane| {
            let (bits, slope) = a.affine(lane)?;
            let new = fold_unary(op, u128::from(bits), width) as u64;
            match op {
                _ if slope == LEVEL => Ok((new, LEVEL)),
                // `!a` is `-1 - a`.
                UnOp::Not | UnOp::Neg => Ok((new, times(slope, -1, width).ok_or(self.cause)?)),
                UnOp::Popcount | UnOp::Clz | UnOp::Ctz | UnOp::Bitreverse => Err(self.cause),
            }
        })
    }

    pub(super) fn cast(&self, op: CastOp, a: &Value, from: u8, to: u8) -> Value {
        self.each(|lane| {
            let (bits, slope) = a.affine(lane)?;
            let open = self.cause;
            match op {
                CastOp::Trunc => Ok((mask(u128::from(bits), to) as u64, narrow(slope, to))),
                CastOp::Zext => {
                    self.unsigned((bits, slope), from).ok_or(open)?;
                    Ok((bits, slope))
                }
                CastOp::Sext => {
                    self.signed((bits, slope), from).ok_or(open)?;
                    let wide = sign_extend(u128::from(bits), from) as u128;
                    Ok((mask(wide, to) as u64, slope))
                }
            }
        })
    }

    pub(super) fn compare(&self, op: CmpOp, a: &Value, b: &Value, width: u8) -> Value {
        self.each(|lane| {
            let truth = self.relation(op, a.affine(lane)?, b.affine(lane)?, width);
            Ok((u64::from(truth.ok_or(self.cause)?), LEVEL))
        })
    }

    pub(super) fn select(&self, condition: &Value, a: &Value, b: &Value) -> Value {
        self.each(|lane| match condition.get(lane) {
            Ok(bit) => if bit & 1 == 1 { a } else { b }.affine(lane),
            Err(cause) => match (a.affine(lane), b.affine(lane)) {
                (Ok(x), Ok(y)) if x == y => Ok(x),
                _ => Err(cause),
            },
        })
    }

    pub(super) fn binary(&self, op: BinOp, a: &Value, b: &Value, width: u8) -> Value {
        self.each(|lane| {
            let (a, b) = (a.affine(lane), b.affine(lane));
            let absorbs = |it: &Result<Affine, Cause>, absorber| *it == Ok((absorber, LEVEL));
            let absorber = match op {
                BinOp::And | BinOp::Mul => Some(0),
                BinOp::Or => Some(mask(u128::MAX, width) as u64),
                BinOp::Add
                | BinOp::Sub
                | BinOp::Xor
                | BinOp::UDiv
                | BinOp::SDiv
                | BinOp::URem
                | BinOp::SRem
                | BinOp::Shl
                | BinOp::LShr
                | BinOp::AShr
                | BinOp::UMin
                | BinOp::UMax
                | BinOp::SMin
                | BinOp::SMax => None,
            };
            if let Some(absorber) = absorber.filter(|it| absorbs(&a, *it) || absorbs(&b, *it)) {
                return Ok((absorber, LEVEL));
            }
            self.computed(op, a?, b?, width).ok_or(self.cause)
        })
    }

    fn computed(&self, op: BinOp, a: Affine, b: Affine, width: u8) -> Option<Affine> {
        let folded = fold_binary(op, u128::from(a.0), u128::from(b.0), width) as u64;
        if a.1 == LEVEL && b.1 == LEVEL {
            return Some((folded, LEVEL));
        }
        let level_b = (b.1 == LEVEL).then_some(b.0);
        match op {
            BinOp::Add => Some((folded, plus(a.1, b.1, width)?)),
            BinOp::Sub => Some((folded, plus(a.1, times(b.1, -1, width)?, width)?)),
            BinOp::Mul => {
                let (slope, by) = if b.1 == LEVEL { (a.1, b.0) } else { (b.1, a.0) };
                let level = a.1 == LEVEL || b.1 == LEVEL;
                level.then_some(())?;
                Some((folded, times(slope, i128::from(by), width)?))
            }
            BinOp::Shl => {
                let by = level_b.filter(|it| *it < u64::from(width))?;
                Some((folded, times(a.1, 1 << by, width)?))
            }
            BinOp::UDiv => self.quotient(a, level_b?, width).map(|it| it.0),
            BinOp::URem => self.quotient(a, level_b?, width).map(|it| it.1),
            BinOp::LShr => {
                let by = level_b.filter(|it| *it < u64::from(width.min(63)))?;
                self.quotient(a, 1 << by, width).map(|it| it.0)
            }
            BinOp::SDiv | BinOp::SRem => {
                let by = level_b.filter(|it| sign_extend(u128::from(*it), width) > 0)?;
                let (low, high) = self.signed(a, width)?;
                let of = |a: Affine| {
                    let (quotient, rest) = self.quotient(a, by, width)?;
                    Some(if op == BinOp::SDiv { quotient } else { rest })
                };
                // Towards zero: what is below zero goes as its negative does.
                let negated = |(bits, slope): Affine| {
                    let bits = mask(u128::from(bits.wrapping_neg()), width) as u64;
                    Some((bits, times(slope, -1, width)?))
                };
                match (low >= 0, high <= 0) {
                    (true, _) => of(a),
                    (false, true) => of(negated(a)?).and_then(negated),
                    (false, false) => None,
                }
            }
            BinOp::AShr => {
                let by = level_b.filter(|it| *it < u64::from(width.min(63)))?;
                self.signed(a, width)?;
                let unit = 1i128 << by;
                let exact = a.1.iter().all(|it| i128::from(*it) % unit == 0);
                exact.then_some((folded, a.1.map(|it| it >> by)))
            }
            BinOp::And | BinOp::Or | BinOp::Xor => {
                let (x, by) = if b.1 == LEVEL { (a, b.0) } else { (b, a.0) };
                if a.1 != LEVEL && b.1 != LEVEL {
                    return None;
                }
                // The low bits that no slope touches are the same in all runs.
                let fixed = x.1.iter().fold(64, |all: u32, it| all.min(it.trailing_zeros()));
                let below = by.checked_shr(fixed).unwrap_or(0) == 0;
                let high = mask(u128::from(!0u64 << (fixed.min(63))), width) as u64;
                match (op == BinOp::And, below) {
                    (true, true) => Some((folded, LEVEL)),
                    (true, false) if by & high == high && fixed < 64 => Some((folded, x.1)),
                    (false, true) => Some((folded, x.1)),
                    (true | false, false) => None,
                }
            }
            BinOp::UMin | BinOp::SMin | BinOp::UMax | BinOp::SMax => {
                let is_unsigned = matches!(op, BinOp::UMin | BinOp::UMax);
                let less = if is_unsigned { CmpOp::Ule } else { CmpOp::Sle };
                let takes_less = matches!(op, BinOp::UMin | BinOp::SMin);
                let a_is_less = self.relation(less, a, b, width)?;
                Some(if a_is_less == takes_less { a } else { b })
            }
        }
    }

    /// Quotient and rest by a level divisor, unsigned.
    fn quotient(&self, a: Affine, by: u64, width: u8) -> Option<(Affine, Affine)> {
        let by = i128::from(by);
        let (low, high) = self.unsigned(a, width).filter(|_| by > 0)?;
        let bits = i128::from(a.0);
        // Coordinates by which whole divisors are added change the quotient alone, the others the
        // rest alone if that stays in place.
        let whole = a.1.map(|it| i128::from(it) % by == 0);
        let rest_slope: Slope = std::array::from_fn(|at| if whole[at] { 0 } else { a.1[at] });
        let (rest_low, rest_high) = self.range(bits % by, rest_slope)?;
        if rest_low >= 0 && rest_high < by {
            let slope =
                std::array::from_fn(
                    |at| {
                        if whole[at] { (i128::from(a.1[at]) / by) as i64 } else { 0 }
                    },
                );
            return Some((((bits / by) as u64, slope), ((bits % by) as u64, rest_slope)));
        }
        (low / by == high / by).then(|| {
            let quotient = low / by;
            ((quotient as u64, LEVEL), ((bits - quotient * by) as u64, a.1))
        })
    }

    /// Whether a comparison holds, where it comes out alike in all runs.
    fn relation(&self, op: CmpOp, a: Affine, b: Affine, width: u8) -> Option<bool> {
        match op {
            CmpOp::Eq => {
                let apart = plus(a.1, times(b.1, -1, width)?, width)?;
                if apart == LEVEL {
                    return Some(a.0 == b.0);
                }
                let fixed = apart.iter().fold(64, |all: u32, it| all.min(it.trailing_zeros()));
                if (a.0 ^ b.0) & ((1u64 << fixed.min(63)) - 1) != 0 {
                    return Some(false);
                }
                let signed = self.signed(a, width).is_some() && self.signed(b, width).is_some();
                let unsigned =
                    self.unsigned(a, width).is_some() && self.unsigned(b, width).is_some();
                let read = |it: u64| match (unsigned, signed) {
                    (true, _) => Some(i128::from(it)),
                    (false, true) => Some(sign_extend(u128::from(it), width)),
                    (false, false) => None,
                };
                let (low, high) = self.range(read(a.0)? - read(b.0)?, minus(a.1, b.1)?)?;
                if (low, high) == (0, 0) {
                    return Some(true);
                }
                (low > 0 || high < 0).then_some(false)
            }
            CmpOp::Ult | CmpOp::Ule => {
                self.unsigned(a, width)?;
                self.unsigned(b, width)?;
                let apart = i128::from(b.0) - i128::from(a.0);
                self.rises(op == CmpOp::Ult, apart, minus(b.1, a.1)?)
            }
            CmpOp::Slt | CmpOp::Sle => {
                self.signed(a, width)?;
                self.signed(b, width)?;
                let read = |it: u64| sign_extend(u128::from(it), width);
                self.rises(op == CmpOp::Slt, read(b.0) - read(a.0), minus(b.1, a.1)?)
            }
        }
    }

    /// Whether a difference is above zero, or not below where that suffices; where it is alike in
    /// all runs.
    fn rises(&self, strictly: bool, apart: i128, slope: Slope) -> Option<bool> {
        let (low, high) = self.range(apart, slope)?;
        let limit = i128::from(strictly);
        if low >= limit { Some(true) } else { (high < limit).then_some(false) }
    }

    /// The range of a value read as unsigned, if it does not wrap in any run.
    fn unsigned(&self, (bits, slope): Affine, width: u8) -> Option<(i128, i128)> {
        let (low, high) = self.range(i128::from(bits), slope)?;
        (low >= 0 && high < 1i128 << width).then_some((low, high))
    }

    /// As [`unsigned`](Runs::unsigned), read as signed.
    fn signed(&self, (bits, slope): Affine, width: u8) -> Option<(i128, i128)> {
        let (low, high) = self.range(sign_extend(u128::from(bits), width), slope)?;
        let limit = 1i128 << (width - 1);
        (low >= -limit && high < limit).then_some((low, high))
    }

    /// The least and the greatest of a linear function are at corners.
    fn range(&self, first: i128, slope: Slope) -> Option<(i128, i128)> {
        let mut range: Option<(i128, i128)> = None;
        for corner in self.corners {
            let mut at = first;
            for (coordinate, by) in corner.iter().zip(slope) {
                at = at.checked_add(coordinate.checked_mul(i128::from(by))?)?;
            }
            range = Some(range.map_or((at, at), |(low, high)| (low.min(at), high.max(at))));
        }
        range
    }

    fn each(&self, of: impl Fn(usize) -> Result<Affine, Cause>) -> Value {
        let mut out = Value::unknown(self.cause);
        for lane in 0..LANES {
            out.set_affine(lane, of(lane), self.cause);
        }
        out
    }
}

/// A slope modulo two to a width, the representative next to zero.
fn narrow(slope: Slope, width: u8) -> Slope {
    slope.map(|it| sign_extend(mask(i128::from(it) as u128, width), width) as i64)
}

fn plus(a: Slope, b: Slope, width: u8) -> Option<Slope> {
    let mut sum = LEVEL;
    for (at, sum) in sum.iter_mut().enumerate() {
        *sum = residue(i128::from(a[at]) + i128::from(b[at]), width);
    }
    Some(sum)
}

/// The difference as numbers.
fn minus(a: Slope, b: Slope) -> Option<Slope> {
    let mut out = LEVEL;
    for (at, out) in out.iter_mut().enumerate() {
        *out = a[at].checked_sub(b[at])?;
    }
    Some(out)
}

fn times(a: Slope, by: i128, width: u8) -> Option<Slope> {
    let mut out = LEVEL;
    for (at, out) in out.iter_mut().enumerate() {
        *out = residue(i128::from(a[at]).checked_mul(by)?, width);
    }
    Some(out)
}

fn residue(value: i128, width: u8) -> i64 {
    sign_extend(mask(value as u128, width), width) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every point of a small triangle, against the plain operators.
    #[test]
    fn every_run_is_as_the_slope_says() {
        let corners = [[0, 0, 0], [5, 0, 0], [0, 5, 0], [0, 0, 3], [5, 0, 3], [0, 5, 3]];
        let cause = Cause(1);
        let runs = Runs { corners: &corners, cause };
        let at = |(bits, slope): Affine, point: [i64; 3], width: u8| {
            let moved: i64 = slope.iter().zip(point).map(|(by, it)| by * it).sum();
            mask(i128::from(bits as i64).wrapping_add(i128::from(moved)) as u128, width)
        };
        let points =
            || (0..6).flat_map(|m| (0..6 - m).flat_map(move |j| (0..4).map(move |r| [m, j, r])));
        let mut state = 7u64;
        let mut dice = |limit: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % limit
        };
        let mut told = [0usize; 40];
        for _ in 0..60_000 {
            let width = [8, 16, 32, 64][dice(4) as usize];
            let mut draw = || {
                let bits = match dice(3) {
                    0 => dice(12),
                    1 => mask(u128::MAX - u128::from(dice(12)), width) as u64,
                    _ => mask(u128::from(dice(u64::MAX)), width) as u64,
                };
                let unit = [0, 1, 2, 4, 6, 16][dice(6) as usize];
                let slope = [0, 1, 2].map(|_| unit * (dice(5) as i64 - 2));
                (bits, if dice(3) == 0 { LEVEL } else { narrow(slope, width) })
            };
            let (a, b) = (draw(), draw());
            let level = |it: Affine| (it.0, it.1);
            let [x, y] = [a, b].map(|it| {
                let mut value = Value::unknown(cause);
                value.set_affine(3, Ok(level(it)), cause);
                value
            });
            let binary = [
                BinOp::Add,
                BinOp::Sub,
                BinOp::Mul,
                BinOp::UDiv,
                BinOp::SDiv,
                BinOp::URem,
                BinOp::SRem,
                BinOp::Shl,
                BinOp::LShr,
                BinOp::AShr,
                BinOp::And,
                BinOp::Or,
                BinOp::Xor,
                BinOp::UMin,
                BinOp::UMax,
                BinOp::SMin,
                BinOp::SMax,
            ];
            for (index, op) in binary.into_iter().enumerate() {
                let Ok(got) = runs.binary(op, &x, &y, width).affine(3) else { continue };
                told[index] += 1;
                for point in points() {
                    let (a, b) = (at(a, point, width), at(b, point, width));
                    let want = fold_binary(op, a, b, width);
                    assert_eq!(at(got, point, width), want, "{op:?} of {x:?} {y:?} at {point:?}");
                }
            }
            for (index, op) in
                [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle].into_iter().enumerate()
            {
                let Ok(got) = runs.compare(op, &x, &y, width).get(3) else { continue };
                told[20 + index] += 1;
                for point in points() {
                    let (a, b) = (at(a, point, width), at(b, point, width));
                    assert_eq!(got == 1, heddle_ir::fold_cmp(op, a, b, width), "{op:?} {point:?}");
                }
            }
            for (index, op) in [CastOp::Zext, CastOp::Sext, CastOp::Trunc].into_iter().enumerate() {
                let to = if op == CastOp::Trunc { width / 2 } else { 64 };
                let Ok(got) = runs.cast(op, &x, width, to).affine(3) else { continue };
                told[25 + index] += 1;
                for point in points() {
                    let want = heddle_ir::fold_cast(op, at(a, point, width), width, to);
                    assert_eq!(at(got, point, to), mask(want, to), "{op:?} at {point:?}");
                }
            }
            for (index, op) in [UnOp::Not, UnOp::Neg].into_iter().enumerate() {
                let Ok(got) = runs.unary(op, &x, width).affine(3) else { continue };
                told[28 + index] += 1;
                for point in points() {
                    let want = fold_unary(op, at(a, point, width), width);
                    assert_eq!(at(got, point, width), want, "{op:?} at {point:?}");
                }
            }
        }
        let used = (0..17).chain(20..30);
        assert!(used.into_iter().all(|it| told[it] > 500), "{told:?}");
    }
}
