//! Functions of CUDA's libdevice, by their names: a toolkit's headers call them, and their bodies
//! are not linked.
//!
//! Functions of integers have their exact meaning, and those that hand a second result back through
//! a pointer store there. The rest are functions of their arguments of which nothing more is known.

use heddle_ir::{AccessKind, BinOp, CastOp, ExprId, UnOp};
use smallvec::smallvec;

use super::Call;
use crate::Lifter;
use crate::strength::Strength;
use crate::value::{Val, scalar_width};

/// Functions that store results through pointers: the name without `f`, the first such argument,
/// how many, and the bytes of one where it is an integer.
const STORES: &[(&str, usize, usize, Option<u8>)] = &[
    ("sincos", 1, 2, None),
    ("sincospi", 1, 2, None),
    ("fast_sincos", 1, 2, None),
    ("frexp", 1, 1, Some(4)),
    ("modf", 1, 1, None),
    ("remquo", 2, 1, Some(4)),
];

impl<'m> Lifter<'m> {
    /// A function by its name after `__nv_`.
    pub(super) fn libdevice(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        let args: Vec<Val> = call.args.iter().map(|&a| self.value(a)).collect();
        let numbers: Option<Vec<ExprId>> = args.iter().map(as_number).collect();
        if let (Some(numbers), Some(width)) = (numbers, scalar_width(call.inst.ty()))
            && let Some(result) = self.exact_libdevice(name, &numbers)
        {
            return Some(Val::Scalar(self.out.exprs().resize(result, width)));
        }
        self.stores_results(call, name, &args).or_else(|| {
            // Functions of the driver's own, as they stand in the module.
            self.pure_value(&call.name, &args, call.inst.ty())
        })
    }

    /// Functions of integers (libdevice user's guide).
    fn exact_libdevice(&mut self, name: &str, args: &[ExprId]) -> Option<ExprId> {
        // Somebody else's function may have the name.
        let pool = self.out.exprs();
        if !args.windows(2).all(|pair| pool.width(pair[0]) == pool.width(pair[1])) {
            return None;
        }
        let named = match name {
            "abs" | "llabs" => "abs",
            "brev" | "brevll" => "bitreverse",
            "clz" | "clzll" => "ctlz",
            "popc" | "popcll" => "ctpop",
            "min" | "llmin" => "smin",
            "max" | "llmax" => "smax",
            "umin" | "ullmin" => "umin",
            "umax" | "ullmax" => "umax",
            _ => return self.composed(name, args),
        };
        self.integer_function(named, args)
    }

    /// Those that LLVM has no intrinsic for.
    fn composed(&mut self, name: &str, args: &[ExprId]) -> Option<ExprId> {
        let pool = self.out.exprs();
        Some(match (name, args) {
            ("ffs" | "ffsll", &[a]) => {
                let width = pool.width(a);
                let (zero, one) = (pool.constant(0, width), pool.constant(1, width));
                let first = pool.unary(UnOp::Ctz, a);
                let counted = pool.add(first, one);
                let none = pool.eq(a, zero);
                pool.select(none, zero, counted)
            }
            ("mulhi" | "mul64hi", &[a, b]) => return self.high_product(true, a, b),
            ("umulhi" | "umul64hi", &[a, b]) => return self.high_product(false, a, b),
            ("mul24", &[a, b]) => self.product_of_24(CastOp::Sext, a, b),
            ("umul24", &[a, b]) => self.product_of_24(CastOp::Zext, a, b),
            ("sad" | "usad", &[a, b, c]) => {
                let less = if name == "sad" { pool.slt(a, b) } else { pool.ult(a, b) };
                let (up, down) = (pool.sub(b, a), pool.sub(a, b));
                let distance = pool.select(less, up, down);
                pool.add(distance, c)
            }
            ("hadd" | "rhadd" | "uhadd" | "urhadd", &[a, b]) => {
                let cast = if name.starts_with('u') { CastOp::Zext } else { CastOp::Sext };
                let width = pool.width(a);
                let (a, b) = (pool.cast(cast, a, 64), pool.cast(cast, b, 64));
                let sum = pool.add(a, b);
                let round = pool.constant(u128::from(name.contains("rhadd")), 64);
                let sum = pool.add(sum, round);
                let one = pool.constant(1, 64);
                let half = pool.binary(BinOp::AShr, sum, one);
                pool.resize(half, width)
            }
            (
                "float_as_int" | "float_as_uint" | "int_as_float" | "uint_as_float"
                | "double_as_longlong" | "longlong_as_double",
                &[a],
            ) => a,
            _ => return None,
        })
    }

    /// The product of the low 24 bits of two numbers, its low 32 bits.
    fn product_of_24(&mut self, cast: CastOp, a: ExprId, b: ExprId) -> ExprId {
        let pool = self.out.exprs();
        let [a, b] = [a, b].map(|it| {
            let low = pool.cast(CastOp::Trunc, it, 24);
            pool.cast(cast, low, 32)
        });
        pool.mul(a, b)
    }

    /// `__nv_sincosf(x, &s, &c)` and its like.
    fn stores_results(&mut self, call: &Call<'m>, name: &str, args: &[Val]) -> Option<Val> {
        let is = |stem: &str| name == stem || name.strip_suffix('f') == Some(stem);
        let &(stem, first, count, bytes) = STORES.iter().find(|(stem, ..)| is(stem))?;
        let float = if name == stem { 8 } else { 4 };
        let bytes = bytes.unwrap_or(float);
        let numbers: Vec<ExprId> = args.iter().filter_map(as_number).collect();
        let size = self.out.exprs().constant(u128::from(bytes), 64);
        for (n, &target) in call.args.get(first..first + count)?.iter().enumerate() {
            let pointer = self.pointer(target);
            let function = format!("{}.{}", call.name, n + 1);
            let value = self.out.exprs().pure(&function, &numbers, bytes * 8);
            let kind = AccessKind::Store(smallvec![value]);
            self.access(&pointer, size, &kind, &[], Strength::default());
        }
        Some(match scalar_width(call.inst.ty()) {
            Some(width) => Val::Scalar(self.out.exprs().pure(&call.name, &numbers, width)),
            None => Val::Nothing,
        })
    }
}

fn as_number(value: &Val) -> Option<ExprId> {
    match value {
        Val::Scalar(e) => Some(*e),
        Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing => None,
    }
}
