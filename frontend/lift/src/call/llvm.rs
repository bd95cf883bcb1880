//! LLVM's own intrinsics (LLVM language reference, "Intrinsic Functions").

use heddle_ir::{AccessKind, BinOp, CmpOp, Ending, ExprId, OpKind, UnOp};
use smallvec::SmallVec;

use super::{Call, is_type_suffix};
use crate::Lifter;
use crate::strength::Strength;
use crate::value::Val;
use heddle_llvm::TypeKind;

/// Float functions of their operands alone.
const PURE: &[&str] = &[
    "sqrt",
    "powi",
    "pow",
    "ldexp",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "exp10",
    "log",
    "log2",
    "log10",
    "fma",
    "fmuladd",
    "fabs",
    "minnum",
    "maxnum",
    "minimum",
    "maximum",
    "minimumnum",
    "maximumnum",
    "copysign",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "lround",
    "llround",
    "lrint",
    "llrint",
    "canonicalize",
    "is.fpclass",
    "fptosi.sat",
    "fptoui.sat",
    "convert.to.fp16",
    "convert.from.fp16",
    "vector.reduce.fadd",
    "vector.reduce.fmul",
    "vector.reduce.fmin",
    "vector.reduce.fmax",
];

impl<'m> Lifter<'m> {
    /// An intrinsic by its name after `llvm.`.
    pub(super) fn intrinsic(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        let stem = stem(name);
        match stem {
            "assume" => {
                let holds = self.arg(call, 0)?;
                if self.out.exprs().as_const(holds) != Some(1) {
                    self.emit(OpKind::Assume(holds), &[]);
                }
                return Some(Val::Nothing);
            }
            // `brkpt`: whoever looks lets the thread go on.
            "debugtrap" => return Some(Val::Nothing),
            "trap" | "ubsantrap" => {
                let truth = self.out.exprs().truth();
                self.leave(truth, Ending::Trap);
                return Some(Val::Nothing);
            }
            "memcpy" | "memcpy.inline" | "memmove" | "memset" | "memset.inline" => {
                return self.bulk(call, stem);
            }
            "is.constant" => {
                // Else it depends on what the compiler finds out later, for all threads alike.
                let known = call.args.first().is_some_and(|it| it.const_int().is_some());
                return Some(Val::Scalar(match known {
                    true => self.out.exprs().truth(),
                    false => self.decided_by_the_compiler("is.constant"),
                }));
            }
            "ptrmask" => {
                let (pointer, mask) = (self.arg(call, 0)?, self.arg(call, 1)?);
                let masked = self.out.exprs().and(pointer, mask);
                let TypeKind::Pointer(space) = call.inst.ty().kind() else { return None };
                return Some(Val::Pointer(self.pointer_from_number(masked, space)));
            }
            _ => {}
        }
        let args: Vec<Val> = call.args.iter().map(|&a| self.value(a)).collect();
        if PURE.contains(&stem) {
            return self.pure_value(stem, &args, call.inst.ty());
        }
        if let Some((signed, op)) = overflow(stem) {
            return self.with_overflow(op, signed, &args);
        }
        if let Some(op) = stem.strip_prefix("vector.reduce.") {
            return self.reduce_vector(op, &args);
        }
        self.per_element(call.inst.ty(), &args, &mut |lifter, lane, ty| {
            let numbers: Option<Vec<ExprId>> = lane
                .iter()
                .map(|v| match v {
                    Val::Scalar(e) => Some(*e),
                    Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing => None,
                })
                .collect();
            let result = lifter.integer_function(stem, &numbers?)?;
            let width = crate::value::scalar_width(ty)?;
            Some(Val::Scalar(lifter.out.exprs().resize(result, width)))
        })
    }

    /// Integer functions of one element.
    pub(super) fn integer_function(&mut self, name: &str, args: &[ExprId]) -> Option<ExprId> {
        let pool = self.out.exprs();
        Some(match (name, args) {
            ("smin", &[a, b]) => pool.binary(BinOp::SMin, a, b),
            ("smax", &[a, b]) => pool.binary(BinOp::SMax, a, b),
            ("umin", &[a, b]) => pool.binary(BinOp::UMin, a, b),
            ("umax", &[a, b]) => pool.binary(BinOp::UMax, a, b),
            ("abs", &[a, ..]) => {
                let negated = pool.unary(UnOp::Neg, a);
                pool.binary(BinOp::SMax, a, negated)
            }
            ("bitreverse", &[a]) => pool.unary(UnOp::Bitreverse, a),
            ("ctpop", &[a]) => pool.unary(UnOp::Popcount, a),
            ("ctlz", &[a, ..]) => pool.unary(UnOp::Clz, a),
            ("cttz", &[a, ..]) => pool.unary(UnOp::Ctz, a),
            ("bswap", &[a]) => return Some(self.swap_bytes(a)),
            ("fshl" | "fshr", &[high, low, by]) => {
                return Some(self.funnel(name == "fshl", high, low, by));
            }
            (
                "uadd.sat" | "usub.sat" | "sadd.sat" | "ssub.sat" | "ushl.sat" | "sshl.sat",
                &[a, b],
            ) => {
                return self.saturating(name, a, b);
            }
            ("ucmp" | "scmp", &[a, b]) => {
                let op = if name == "ucmp" { CmpOp::Ult } else { CmpOp::Slt };
                let (less, greater) = (pool.cmp(op, a, b), pool.cmp(op, b, a));
                let (minus, zero, one) =
                    (pool.constant(u128::MAX, 8), pool.constant(0, 8), pool.constant(1, 8));
                let rest = pool.select(greater, one, zero);
                let byte = pool.select(less, minus, rest);
                pool.cast(heddle_ir::CastOp::Sext, byte, 128)
            }
            _ => return None,
        })
    }

    fn swap_bytes(&mut self, a: ExprId) -> ExprId {
        let width = self.out.exprs().width(a);
        let mut result = self.out.exprs().constant(0, width);
        for low in (0..width).step_by(8) {
            let byte = self.slice(a, low, 8);
            let pool = self.out.exprs();
            let byte = pool.resize(byte, width);
            let by = pool.constant(u128::from(width - 8 - low), width);
            let moved = pool.binary(BinOp::Shl, byte, by);
            result = pool.or(result, moved);
        }
        result
    }

    /// A shift of two numbers side by side, by an amount modulo the width.
    pub(super) fn funnel(&mut self, left: bool, high: ExprId, low: ExprId, by: ExprId) -> ExprId {
        let pool = self.out.exprs();
        let width = pool.width(high);
        let bits = pool.constant(u128::from(width), width);
        let by = pool.binary(BinOp::URem, by, bits);
        let rest = pool.sub(bits, by);
        // A shift by the full width is zero here, as it has to be.
        let (from_high, from_low) = if left {
            (pool.binary(BinOp::Shl, high, by), pool.binary(BinOp::LShr, low, rest))
        } else {
            (pool.binary(BinOp::Shl, high, rest), pool.binary(BinOp::LShr, low, by))
        };
        pool.or(from_high, from_low)
    }

    fn saturating(&mut self, name: &str, a: ExprId, b: ExprId) -> Option<ExprId> {
        let pool = self.out.exprs();
        let width = pool.width(a);
        let (ones, zero) = (pool.constant(u128::MAX, width), pool.constant(0, width));
        Some(match name {
            "uadd.sat" => {
                let sum = pool.add(a, b);
                let wrapped = pool.ult(sum, a);
                pool.select(wrapped, ones, sum)
            }
            "usub.sat" => {
                let difference = pool.sub(a, b);
                let below = pool.ult(a, b);
                pool.select(below, zero, difference)
            }
            "sadd.sat" | "ssub.sat" => {
                let op = if name == "sadd.sat" { BinOp::Add } else { BinOp::Sub };
                let (result, wrapped) = self.signed_overflow(op, a, b)?;
                let pool = self.out.exprs();
                let largest = pool.constant((1u128 << (width - 1)) - 1, width);
                let smallest = pool.constant(1u128 << (width - 1), width);
                let negative = pool.slt(a, zero);
                let limit = pool.select(negative, smallest, largest);
                pool.select(wrapped, limit, result)
            }
            _ => pool.pure(name, &[a, b], width),
        })
    }

    fn with_overflow(&mut self, op: BinOp, signed: bool, args: &[Val]) -> Option<Val> {
        let &[Val::Scalar(a), Val::Scalar(b)] = args else { return None };
        let (result, wrapped) = if signed {
            self.signed_overflow(op, a, b)?
        } else {
            self.unsigned_overflow(op, a, b)?
        };
        Some(Val::Aggregate(vec![Val::Scalar(result), Val::Scalar(wrapped)]))
    }

    /// The wrapped result and whether it wrapped: found out at double the width.
    fn signed_overflow(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        self.overflow_by(heddle_ir::CastOp::Sext, op, a, b)
    }

    fn unsigned_overflow(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        if op == BinOp::Sub {
            let pool = self.out.exprs();
            return Some((pool.sub(a, b), pool.ult(a, b)));
        }
        self.overflow_by(heddle_ir::CastOp::Zext, op, a, b)
    }

    fn overflow_by(
        &mut self,
        cast: heddle_ir::CastOp,
        op: BinOp,
        a: ExprId,
        b: ExprId,
    ) -> Option<(ExprId, ExprId)> {
        let pool = self.out.exprs();
        let width = pool.width(a);
        let double = width.checked_mul(2).filter(|w| *w <= 128)?;
        let result = pool.binary(op, a, b);
        let (wide_a, wide_b) = (pool.cast(cast, a, double), pool.cast(cast, b, double));
        let (exact, widened) = (pool.binary(op, wide_a, wide_b), pool.cast(cast, result, double));
        Some((result, pool.ne(exact, widened)))
    }

    fn reduce_vector(&mut self, op: &str, args: &[Val]) -> Option<Val> {
        let op = match op {
            "add" => BinOp::Add,
            "mul" => BinOp::Mul,
            "and" => BinOp::And,
            "or" => BinOp::Or,
            "xor" => BinOp::Xor,
            "smin" => BinOp::SMin,
            "smax" => BinOp::SMax,
            "umin" => BinOp::UMin,
            "umax" => BinOp::UMax,
            _ => return None,
        };
        let [Val::Aggregate(parts)] = args else { return None };
        let mut result: Option<ExprId> = None;
        for part in parts {
            let Val::Scalar(e) = part else { return None };
            result = Some(match result {
                None => *e,
                Some(rest) => self.out.exprs().binary(op, rest, *e),
            });
        }
        result.map(Val::Scalar)
    }

    /// `memcpy`, `memmove`, `memset`: which bytes, and which values of a number of them that is
    /// known and small. All is read before anything is written.
    fn bulk(&mut self, call: &Call<'m>, stem: &str) -> Option<Val> {
        let size = self.arg(call, 2)?;
        let size = self.out.exprs().resize(size, 64);
        let volatile = self.constant_arg(call, 3) == Some(1);
        let is_some = self.out.exprs().as_const(size).is_some_and(|it| it > 0);
        let strength = |argument: u32| {
            let promised = call.inst.argument_attribute(argument, "align").filter(|_| is_some);
            let promised = promised.and_then(|it| u32::try_from(it.int_value()?).ok());
            Strength { order: None, volatile, align: 1 }.aligned(promised)
        };
        let lanes = self.out.exprs().as_const(size).map_or(&[][..], lanes);
        let stored: SmallVec<[ExprId; 2]> = if stem.starts_with("memset") {
            let byte = self.arg(call, 1)?;
            let pool = self.out.exprs();
            lanes
                .iter()
                .map(|&width| {
                    let ones = pool.constant(u128::MAX / 255, width);
                    let byte = pool.resize(byte, width);
                    pool.mul(byte, ones)
                })
                .collect()
        } else {
            let source = self.pointer(*call.args.get(1)?);
            let ops = self.access(&source, size, &AccessKind::Load, lanes, strength(1));
            (0..lanes.len()).map(|lane| self.joined_result(&ops, lane as u32)).collect()
        };
        let target = self.pointer(*call.args.first()?);
        self.access(&target, size, &AccessKind::Store(stored), &[], strength(0));
        Some(Val::Nothing)
    }
}

/// The widths of the words that a copy of this size consists of; none for one that is large.
fn lanes(bytes: u128) -> &'static [u8] {
    const WORDS: [u8; 16] = [32; 16];
    const HALVES: [u8; 8] = [16; 8];
    const BYTES: [u8; 8] = [8; 8];
    let of = |all: &'static [u8], each: u128| all.get(..usize::try_from(bytes / each).ok()?);
    let found = match bytes {
        _ if bytes.is_multiple_of(4) => of(&WORDS, 4),
        _ if bytes.is_multiple_of(2) => of(&HALVES, 2),
        _ => of(&BYTES, 1),
    };
    found.unwrap_or(&[])
}

/// Whether an intrinsic, by its name after `llvm.`, makes a value of its arguments and nothing
/// else.
pub(super) fn computes(name: &str) -> bool {
    let stem = stem(name);
    PURE.contains(&stem) || ["smin", "smax", "umin", "umax", "abs"].contains(&stem)
}

/// An intrinsic's name without the types it is made for.
fn stem(name: &str) -> &str {
    let mut at = name;
    while let Some((rest, last)) = at.rsplit_once('.') {
        if !is_type_suffix(last) {
            break;
        }
        at = rest;
    }
    at
}

fn overflow(stem: &str) -> Option<(bool, BinOp)> {
    let op = stem.strip_suffix(".with.overflow")?;
    let signed = op.starts_with('s');
    match op.get(1..)? {
        "add" => Some((signed, BinOp::Add)),
        "sub" => Some((signed, BinOp::Sub)),
        "mul" => Some((signed, BinOp::Mul)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_no_part_of_the_name() {
        assert_eq!(stem("smax.i32"), "smax");
        assert_eq!(stem("memcpy.p0.p3.i64"), "memcpy");
        assert_eq!(stem("fptosi.sat.i32.f32"), "fptosi.sat");
        assert_eq!(stem("fma.v4f32"), "fma");
        assert_eq!(stem("exp2.f64"), "exp2");
        assert_eq!(stem("assume"), "assume");
    }
}
