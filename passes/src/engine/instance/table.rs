//! What a load reads from a variable whose contents the program fixes.
//!
//! **What**: a load from a table of constants is a choice among its values, by the offset.
//! **Method**: all numbers that the table has at the offsets the load can have become one chain of
//! selects. The offsets are those of one residue modulo a power of two, which the offset's
//! arithmetic gives (`4 * i + 8` is 0 modulo 4).
//! **Sound because** the contents are the same in each launch ([`heddle_ir::Initial::Fixed`]),
//! residues modulo powers of two survive wrap-around, and outside the known bytes the value is a
//! function of the offset that nothing else is said of.
//! **Misses**: tables that read as more than [`MOST_VALUES`] stretches of equal values, and loads
//! after many others. Such a load is a function of the offset, and a model of that counts as a
//! guess, which only a replay with the real contents confirms.
//! **Assumes**: nothing; an offset outside the table reads anything.

use heddle_ir::{BinOp, CastOp, CmpOp, Data, ExprId, ExprKind, ExprPool};
use rustc_hash::FxHashMap;

/// Stretches of equal values that one load is a choice among.
const MOST_VALUES: usize = 256;

/// Terms of an offset that are looked at for its residue.
const DEPTH: u32 = 32;

/// The number of `width` bits at an offset (64 bits) of a table, and `otherwise` where the table
/// does not say.
pub(super) fn number_at(
    pool: &mut ExprPool,
    data: &Data,
    offset: ExprId,
    width: u8,
    otherwise: ExprId,
) -> Option<ExprId> {
    let size = u32::from(width.div_ceil(8));
    let (bits, value) = low_bits(pool, offset);
    let step = 1u64 << bits.min(32);
    let readings = data.readings(size, step, value as u64 & (step - 1), MOST_VALUES)?;
    let mut number = otherwise;
    for reading in readings.iter().rev() {
        let first = pool.constant(u128::from(reading.first), 64);
        let here = match reading.last - reading.first {
            0 => pool.cmp(CmpOp::Eq, offset, first),
            beyond => {
                let from_first = pool.binary(BinOp::Sub, offset, first);
                let beyond = pool.constant(u128::from(beyond), 64);
                pool.cmp(CmpOp::Ule, from_first, beyond)
            }
        };
        let value = pool.constant(heddle_ir::mask(reading.value, width), width);
        number = pool.select(here, value, number);
    }
    Some(number)
}

/// The low bits of a number, as far as they are the same in all runs.
#[derive(Clone, Copy, Debug)]
struct Residue {
    /// How many low bits are known.
    bits: u32,
    /// Their value; bits above are zero.
    value: u128,
}

impl Residue {
    const NOTHING: Residue = Residue { bits: 0, value: 0 };

    fn new(bits: u32, value: u128) -> Residue {
        let bits = bits.min(128);
        Residue { bits, value: if bits == 0 { 0 } else { heddle_ir::mask(value, bits as u8) } }
    }

    /// Low bits that are known to be zero.
    fn zeros(self) -> u32 {
        self.value.trailing_zeros().min(self.bits)
    }
}

/// How many low bits of a value are known, and these.
pub(crate) fn low_bits(pool: &ExprPool, id: ExprId) -> (u32, u128) {
    let Residue { bits, value } = residue(pool, id, DEPTH, &mut FxHashMap::default());
    (bits, value)
}

/// `known` has what was worked out, once for each term however many others it is in.
fn residue(
    pool: &ExprPool,
    id: ExprId,
    depth: u32,
    known: &mut FxHashMap<ExprId, Residue>,
) -> Residue {
    let width = u32::from(pool.width(id));
    let Some(depth) = depth.checked_sub(1) else { return Residue::NOTHING };
    if let Some(found) = known.get(&id) {
        return *found;
    }
    let mut below = |id: ExprId| residue(pool, id, depth, known);
    let found = match pool[id].kind {
        ExprKind::Const(value) => Residue::new(width, value),
        ExprKind::Binary(op, _, a, b) => of_binary(op, below(a), below(b), width),
        ExprKind::Select(_, a, b) => {
            let (a, b) = (below(a), below(b));
            let alike = (a.value ^ b.value).trailing_zeros();
            Residue::new(a.bits.min(b.bits).min(alike), a.value)
        }
        ExprKind::Cast(CastOp::Zext | CastOp::Sext | CastOp::Trunc, a) => below(a),
        ExprKind::Special(_)
        | ExprKind::Param(_)
        | ExprKind::Base(_)
        | ExprKind::Var(_)
        | ExprKind::Result(..)
        | ExprKind::Exit(..)
        | ExprKind::Undef(_)
        | ExprKind::Sym(_)
        | ExprKind::Unary(..)
        | ExprKind::Cmp(..)
        | ExprKind::Pure(..) => Residue::NOTHING,
    };
    let found = Residue::new(found.bits.min(width), found.value);
    known.insert(id, found);
    found
}

fn of_binary(op: BinOp, a: Residue, b: Residue, width: u32) -> Residue {
    let both = a.bits.min(b.bits);
    match op {
        BinOp::Add => Residue::new(both, a.value.wrapping_add(b.value)),
        BinOp::Sub => Residue::new(both, a.value.wrapping_sub(b.value)),
        BinOp::Mul => {
            let bits = (a.bits + b.zeros()).min(b.bits + a.zeros()).min(width);
            Residue::new(bits, a.value.wrapping_mul(b.value))
        }
        // The distance is known in full, and below the width.
        BinOp::Shl if b.bits >= width && b.value < u128::from(width) => {
            let by = b.value as u32;
            Residue::new((a.bits + by).min(width), a.value << by)
        }
        BinOp::And => {
            let zeros = a.zeros().max(b.zeros());
            if zeros > both {
                Residue::new(zeros, 0)
            } else {
                Residue::new(both, a.value & b.value)
            }
        }
        BinOp::Or => Residue::new(both, a.value | b.value),
        BinOp::Xor => Residue::new(both, a.value ^ b.value),
        BinOp::Shl
        | BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => Residue::NOTHING,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_ir::{ExprPool, Special};

    #[test]
    fn residues_follow_the_arithmetic() {
        let mut pool = ExprPool::default();
        let tid = pool.special(Special::Tid(0));
        let wide = pool.cast(CastOp::Zext, tid, 64);
        let known = |pool: &ExprPool, id| {
            let it = residue(pool, id, DEPTH, &mut FxHashMap::default());
            (it.bits, it.value)
        };
        let twelve = pool.constant(12, 64);
        let scaled = pool.mul(wide, twelve);
        assert_eq!(known(&pool, scaled), (2, 0));
        let five = pool.constant(5, 64);
        let sum = pool.add(scaled, five);
        assert_eq!(known(&pool, sum), (2, 1));
        let mask = pool.constant(!7 & u128::from(u64::MAX), 64);
        let cut = pool.and(wide, mask);
        assert_eq!(known(&pool, cut), (3, 0));
        assert_eq!(known(&pool, wide), (0, 0));
        let three = pool.constant(3, 64);
        let shifted = pool.binary(BinOp::Shl, sum, three);
        assert_eq!(known(&pool, shifted), (5, 8));
    }
}
