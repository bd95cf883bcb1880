//! One value of each lane of a warp, known or with the cause why not.
//!
//! In a family of runs ([`super::family`]) a lane may be known as a function of the run: then it
//! has a [`Slope`]. Whoever does not ask for slopes ([`Value::affine`]) takes such a lane for
//! unknown.

use heddle_ir::{BinOp, CastOp, CmpOp, UnOp, fold_binary, fold_cast, fold_cmp, fold_unary, mask};

use crate::stop::Cause;

/// Lanes of the widest warp that is run here.
pub(super) const LANES: usize = heddle_semantics::WARP as usize;

/// How much a value grows with each coordinate of a run in its family, modulo two to its width.
pub(super) type Slope = [i64; 3];

/// The same in all runs.
pub(super) const LEVEL: Slope = [0; 3];

/// A value per lane, of up to 64 bits.
#[derive(Clone, Debug)]
pub(super) struct Value {
    bits: [u64; LANES],
    known: u32,
    cause: Cause,
    /// All lanes have the value of the first, and it is known and level.
    uniform: bool,
    /// Lanes that are not level.
    affine: Option<Box<AffineLanes>>,
}

#[derive(Clone, Debug)]
struct AffineLanes {
    lanes: u32,
    slopes: [Slope; LANES],
}

impl Value {
    pub(super) fn uniform(bits: u64) -> Value {
        Value {
            bits: [bits; LANES],
            known: u32::MAX,
            cause: Cause::KNOWN,
            uniform: true,
            affine: None,
        }
    }

    pub(super) fn unknown(cause: Cause) -> Value {
        Value { bits: [0; LANES], known: 0, cause, uniform: false, affine: None }
    }

    pub(super) fn of(bits: impl Fn(usize) -> u64) -> Value {
        let bits = std::array::from_fn(bits);
        Value { bits, known: u32::MAX, cause: Cause::KNOWN, uniform: false, affine: None }
    }

    pub(super) fn get(&self, lane: usize) -> Result<u64, Cause> {
        if self.level() >> lane & 1 == 1 { Ok(self.bits[lane]) } else { Err(self.cause) }
    }

    /// The lanes that are known and the same in all runs.
    fn level(&self) -> u32 {
        match &self.affine {
            None => self.known,
            Some(affine) => self.known & !affine.lanes,
        }
    }

    pub(super) fn is_affine(&self) -> bool {
        self.affine.is_some()
    }

    /// A lane in the first run of the family, with its slope.
    pub(super) fn affine(&self, lane: usize) -> Result<(u64, Slope), Cause> {
        if self.known >> lane & 1 == 0 {
            return Err(self.cause);
        }
        let slope = match &self.affine {
            Some(affine) if affine.lanes >> lane & 1 == 1 => affine.slopes[lane],
            Some(_) | None => LEVEL,
        };
        Ok((self.bits[lane], slope))
    }

    /// Sets one lane with its slope; `cause` is what whoever asks for a level value is told.
    pub(super) fn set_affine(
        &mut self,
        lane: usize,
        value: Result<(u64, Slope), Cause>,
        cause: Cause,
    ) {
        match value {
            Ok((bits, slope)) => {
                self.set(lane, Ok(bits));
                if slope != LEVEL {
                    let nothing = || Box::new(AffineLanes { lanes: 0, slopes: [LEVEL; LANES] });
                    let affine = self.affine.get_or_insert_with(nothing);
                    affine.lanes |= 1 << lane;
                    affine.slopes[lane] = slope;
                    self.cause = cause;
                }
            }
            Err(cause) => self.set(lane, Err(cause)),
        }
    }

    /// Sets one lane.
    pub(super) fn set(&mut self, lane: usize, value: Result<u64, Cause>) {
        self.uniform = false;
        if let Some(affine) = &mut self.affine {
            affine.lanes &= !(1 << lane);
            if affine.lanes == 0 {
                self.affine = None;
            }
        }
        match value {
            Ok(bits) => {
                self.bits[lane] = bits;
                self.known |= 1 << lane;
            }
            Err(cause) => {
                self.known &= !(1 << lane);
                self.cause = cause;
            }
        }
    }

    /// Takes over these lanes of another.
    pub(super) fn take(&mut self, lanes: u32, from: &Value) {
        if lanes == u32::MAX {
            self.clone_from(from);
            return;
        }
        for lane in ones(lanes) {
            self.set_affine(lane, from.affine(lane), from.cause);
        }
    }

    /// The lanes for which a one-bit value is one, and those for which it is not known.
    pub(super) fn holds(&self, lanes: u32) -> (u32, u32) {
        if self.uniform {
            return (if self.bits[0] & 1 == 1 { lanes } else { 0 }, 0);
        }
        let ones = (0..LANES).fold(0, |all, lane| all | ((self.bits[lane] & 1) as u32) << lane);
        let level = self.level();
        (ones & level & lanes, lanes & !level)
    }

    pub(super) fn cause(&self) -> Cause {
        self.cause
    }

    pub(super) fn unary(op: UnOp, a: &Value, width: u8) -> Value {
        a.map(|x| fold_unary(op, u128::from(x), width) as u64)
    }

    pub(super) fn cast(op: CastOp, a: &Value, from: u8, to: u8) -> Value {
        match op {
            CastOp::Zext if !a.is_affine() => a.clone(),
            CastOp::Zext => a.map(|x| x),
            CastOp::Trunc => a.map(|x| narrow(x, to)),
            CastOp::Sext => a.map(|x| fold_cast(op, u128::from(x), from, to) as u64),
        }
    }

    pub(super) fn compare(op: CmpOp, a: &Value, b: &Value, width: u8) -> Value {
        match op {
            CmpOp::Eq => Value::zip(a, b, |x, y| u64::from(x == y)),
            CmpOp::Ult => Value::zip(a, b, |x, y| u64::from(x < y)),
            CmpOp::Ule => Value::zip(a, b, |x, y| u64::from(x <= y)),
            CmpOp::Slt | CmpOp::Sle => Value::zip(a, b, |x, y| {
                u64::from(fold_cmp(op, u128::from(x), u128::from(y), width))
            }),
        }
    }

    pub(super) fn binary(op: BinOp, a: &Value, b: &Value, width: u8) -> Value {
        match op {
            BinOp::Add => Value::zip(a, b, |x, y| narrow(x.wrapping_add(y), width)),
            BinOp::Sub => Value::zip(a, b, |x, y| narrow(x.wrapping_sub(y), width)),
            BinOp::Mul => {
                absorbing(a, b, 0, Value::zip(a, b, |x, y| narrow(x.wrapping_mul(y), width)))
            }
            BinOp::And => absorbing(a, b, 0, Value::zip(a, b, |x, y| x & y)),
            BinOp::Or => absorbing(a, b, narrow(u64::MAX, width), Value::zip(a, b, |x, y| x | y)),
            BinOp::Xor => Value::zip(a, b, |x, y| x ^ y),
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => {
                Value::zip(a, b, |x, y| fold_binary(op, u128::from(x), u128::from(y), width) as u64)
            }
        }
    }

    pub(super) fn select(condition: &Value, a: &Value, b: &Value) -> Value {
        if condition.uniform {
            return if condition.bits[0] & 1 == 1 { a.clone() } else { b.clone() };
        }
        let mut out = Value::of(|_| 0);
        for lane in 0..LANES {
            let value = match condition.get(lane) {
                Ok(bit) => if bit & 1 == 1 { a } else { b }.get(lane),
                Err(cause) => match (a.get(lane), b.get(lane)) {
                    (Ok(x), Ok(y)) if x == y => Ok(x),
                    _ => Err(cause),
                },
            };
            out.set(lane, value);
        }
        out
    }

    fn map(&self, f: impl Fn(u64) -> u64) -> Value {
        if self.uniform {
            return Value::uniform(f(self.bits[0]));
        }
        let bits = std::array::from_fn(|lane| f(self.bits[lane]));
        Value { bits, known: self.level(), cause: self.cause, uniform: false, affine: None }
    }

    fn zip(a: &Value, b: &Value, f: impl Fn(u64, u64) -> u64) -> Value {
        if a.uniform && b.uniform {
            return Value::uniform(f(a.bits[0], b.bits[0]));
        }
        let bits = std::array::from_fn(|lane| f(a.bits[lane], b.bits[lane]));
        let known = a.level() & b.level();
        Value { bits, known, cause: a.cause.or(b.cause), uniform: false, affine: None }
    }
}

/// The result is known wherever one operand is the absorbing value.
fn absorbing(a: &Value, b: &Value, absorber: u64, mut out: Value) -> Value {
    if out.known != u32::MAX {
        for lane in ones(!out.known) {
            if a.get(lane) == Ok(absorber) || b.get(lane) == Ok(absorber) {
                out.set(lane, Ok(absorber));
            }
        }
    }
    out
}

fn narrow(bits: u64, width: u8) -> u64 {
    if width >= 64 { bits } else { mask(u128::from(bits), width) as u64 }
}

/// The positions of the ones, rising.
pub(super) fn ones(lanes: u32) -> impl Iterator<Item = usize> {
    let mut rest = lanes;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (lane < 32).then_some(lane as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_absorber_decides_is_known() {
        let nothing = Value::unknown(Cause(1));
        let mut bits = Value::uniform(0);
        bits.set(3, Ok(1));
        let both = Value::binary(BinOp::And, &bits, &nothing, 1);
        assert_eq!([both.get(0), both.get(3)], [Ok(0), Err(Cause(1))]);
        assert_eq!(both.holds(0b1001), (0, 0b1000));
        let chosen = Value::select(&nothing, &bits, &bits);
        assert_eq!(chosen.get(3), Ok(1));
    }

    #[test]
    fn lanes_compute_apart() {
        let lane = Value::of(|lane| lane as u64);
        let shifted = Value::binary(BinOp::Shl, &lane, &Value::uniform(2), 32);
        assert_eq!(shifted.get(7), Ok(28));
        let less = Value::compare(CmpOp::Ult, &shifted, &Value::uniform(8), 32);
        assert_eq!(less.holds(u32::MAX), (0b11, 0));
        assert_eq!(ones(0b1010).collect::<Vec<_>>(), [1, 3]);
    }
}
