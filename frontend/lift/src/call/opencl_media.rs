//! Functions of `cl_amd_media_ops` and `cl_amd_media_ops2`, which programs of AMD's use: those that
//! pick bits exactly, the others as pure functions by name.
//!
//! **Promises**: each is a function of its arguments (the two extensions' specifications).
//! **Does not**: compute sums of differences, blends or conversions.

use heddle_ir::{BinOp, CastOp, ExprId};

use crate::Lifter;

/// All of them.
pub(super) const NAMES: &[&str] = &[
    "amd_bfe",
    "amd_bfm",
    "amd_bitalign",
    "amd_bytealign",
    "amd_lerp",
    "amd_max3",
    "amd_median3",
    "amd_min3",
    "amd_mqsad",
    "amd_msad",
    "amd_pack",
    "amd_qsad",
    "amd_sad",
    "amd_sad4",
    "amd_sadd",
    "amd_sadhi",
    "amd_sadw",
    "amd_unpack0",
    "amd_unpack1",
    "amd_unpack2",
    "amd_unpack3",
];

/// The bits of a place or of a width that count.
const PLACE: u128 = 31;

impl Lifter<'_> {
    /// One element of those that pick bits of words.
    pub(super) fn opencl_media(
        &mut self,
        name: &str,
        signed: bool,
        args: &[ExprId],
    ) -> Option<ExprId> {
        if args.iter().any(|it| self.out.exprs().width(*it) != 32) {
            return None;
        }
        let word = |lifter: &mut Self, value| lifter.out.exprs().constant(value, 32);
        let and = |lifter: &mut Self, a, value| {
            let mask = word(lifter, value);
            lifter.out.exprs().and(a, mask)
        };
        Some(match (name, args) {
            // The lower word of the two, moved right by some of 31 bits.
            ("amd_bitalign", &[high, low, by]) => {
                let by = and(self, by, PLACE);
                self.funnel(false, high, low, by)
            }
            ("amd_bytealign", &[high, low, by]) => {
                let (bytes, three) = (and(self, by, 3), word(self, 3));
                let by = self.out.exprs().binary(BinOp::Shl, bytes, three);
                self.funnel(false, high, low, by)
            }
            ("amd_bfm", &[width, at]) => {
                let (width, at, one) =
                    (and(self, width, PLACE), and(self, at, PLACE), word(self, 1));
                let pool = self.out.exprs();
                let power = pool.binary(BinOp::Shl, one, width);
                let ones = pool.sub(power, one);
                pool.binary(BinOp::Shl, ones, at)
            }
            // So many bits from a place on, with the sign or zeros before them; none of no width.
            ("amd_bfe", &[from, at, width]) => {
                let (at, width) = (and(self, at, PLACE), and(self, width, PLACE));
                let pool = self.out.exprs();
                let (wide, top) = (CastOp::Zext, CastOp::Trunc);
                let cast = if signed { CastOp::Sext } else { CastOp::Zext };
                let (from, at, width) = (
                    pool.cast(cast, from, 64),
                    pool.cast(wide, at, 64),
                    pool.cast(wide, width, 64),
                );
                let moved = pool.binary(BinOp::LShr, from, at);
                // To the top of 64 bits and back: bits beyond the word are those of its sign.
                let bits = pool.constant(64, 64);
                let rest = pool.sub(bits, width);
                let high = pool.binary(BinOp::Shl, moved, rest);
                let shift = if signed { BinOp::AShr } else { BinOp::LShr };
                let back = pool.binary(shift, high, rest);
                let zero = pool.constant(0, 64);
                let none = pool.eq(width, zero);
                let picked = pool.select(none, zero, back);
                pool.cast(top, picked, 32)
            }
            _ => return None,
        })
    }
}
