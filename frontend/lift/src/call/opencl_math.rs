//! OpenCL's functions of values: integers exactly, floats as pure functions by name; and vector
//! loads and stores (OpenCL C 3.0, sections 6.15.2 to 6.15.7).

use heddle_ir::{AccessKind, BinOp, CastOp, ExprId, NoWrap};
use smallvec::SmallVec;

use super::{Call, opencl_media};
use crate::Lifter;
use crate::mangled::{Kind, Mangled};
use crate::strength::Strength;
use crate::value::{Val, scalar_width};
use heddle_llvm::{Type, TypeKind};

/// Functions of floats alone. `native_` and `half_` forms are found by their prefix.
const PURE: &[&str] = &[
    "acos",
    "acosh",
    "acospi",
    "asin",
    "asinh",
    "asinpi",
    "atan",
    "atan2",
    "atanh",
    "atanpi",
    "atan2pi",
    "bitselect",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "cospi",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "log",
    "log2",
    "log10",
    "log1p",
    "logb",
    "mad",
    "maxmag",
    "minmag",
    "nan",
    "nextafter",
    "pow",
    "pown",
    "powr",
    "remainder",
    "rint",
    "rootn",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sinpi",
    "sqrt",
    "tan",
    "tanh",
    "tanpi",
    "tgamma",
    "trunc",
    "degrees",
    "radians",
    "mix",
    "step",
    "smoothstep",
    "sign",
    "isequal",
    "isnotequal",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "isordered",
    "isunordered",
    "signbit",
];

/// Functions of whole vectors.
const OF_VECTORS: &[&str] = &[
    "dot",
    "cross",
    "length",
    "distance",
    "normalize",
    "fast_length",
    "fast_distance",
    "fast_normalize",
];

impl<'m> Lifter<'m> {
    pub(super) fn opencl_math(&mut self, call: &Call<'m>, mangled: &Mangled) -> Option<Val> {
        let name = mangled.name.as_str();
        if !mangled.params.iter().all(|p| !p.pointer) || mangled.params.is_empty() {
            return None;
        }
        let ty = call.inst.ty();
        let args: Vec<Val> = call.args.iter().map(|&a| self.value(a)).collect();
        if let Some(target) = name.strip_prefix("convert_") {
            return self.convert(&args, mangled.first_kind(), target, ty);
        }
        if name == "any" || name == "all" {
            return self.sign_bits(&args, name == "any", ty);
        }
        if OF_VECTORS.contains(&name) {
            return self.of_vectors(name, &args, ty);
        }
        let kind = mangled.first_kind();
        if kind != Kind::Float {
            let exact = self.per_element(ty, &args, &mut |lifter, lane, _| {
                let numbers = numbers(lane)?;
                lifter.opencl_integer(name, kind == Kind::Signed, &numbers).map(Val::Scalar)
            });
            if exact.is_some() {
                return exact;
            }
        }
        if name == "select" {
            let vector = matches!(ty.kind(), TypeKind::Vector(..));
            return self.per_element(ty, &args, &mut |lifter, lane, _| {
                let numbers = numbers(lane)?;
                let &[a, b, c] = &numbers[..] else { return None };
                lifter.select_by(vector, a, b, c).map(Val::Scalar)
            });
        }
        if name == "shuffle" || name == "shuffle2" {
            return self.shuffle_lanes(&args, ty);
        }
        let min_max = ["min", "max", "clamp"].contains(&name) && kind == Kind::Float;
        let known = PURE.contains(&name)
            || opencl_media::NAMES.contains(&name)
            || name.starts_with("native_")
            || name.starts_with("half_")
            || min_max;
        if known { self.pure_value(name, &args, ty) } else { None }
    }

    /// An integer function of one element.
    fn opencl_integer(&mut self, name: &str, signed: bool, args: &[ExprId]) -> Option<ExprId> {
        let (min, max) =
            if signed { (BinOp::SMin, BinOp::SMax) } else { (BinOp::UMin, BinOp::UMax) };
        if let Some(exact) = self.opencl_media(name, signed, args) {
            return Some(exact);
        }
        let pool = self.out.exprs();
        Some(match (name, args) {
            ("min", &[a, b]) => pool.binary(min, a, b),
            ("max", &[a, b]) => pool.binary(max, a, b),
            ("clamp", &[x, low, high]) => {
                let above = pool.binary(max, x, low);
                pool.binary(min, above, high)
            }
            ("abs", &[a]) if !signed => a,
            ("abs", _) => return self.integer_function("abs", args),
            ("abs_diff", &[a, b]) => {
                let (high, low) = (pool.binary(max, a, b), pool.binary(min, a, b));
                pool.sub(high, low)
            }
            ("mul24", &[a, b]) => {
                let (a, b) = (self.low_24(a, signed), self.low_24(b, signed));
                self.out.exprs().mul(a, b)
            }
            ("mad24", &[a, b, c]) => {
                let (a, b) = (self.low_24(a, signed), self.low_24(b, signed));
                let product = self.out.exprs().mul(a, b);
                self.out.exprs().add(product, c)
            }
            ("mul_hi", &[a, b]) => return self.high_product(signed, a, b),
            ("mad_hi", &[a, b, c]) => {
                let high = self.high_product(signed, a, b)?;
                self.out.exprs().add(high, c)
            }
            ("hadd" | "rhadd", &[a, b]) => return self.half_sum(signed, name == "rhadd", a, b),
            ("rotate", &[a, by]) => return Some(self.funnel(true, a, a, by)),
            ("popcount", _) => return self.integer_function("ctpop", args),
            ("clz", _) => return self.integer_function("ctlz", args),
            ("ctz", _) => return self.integer_function("cttz", args),
            ("add_sat", _) => {
                return self.integer_function(if signed { "sadd.sat" } else { "uadd.sat" }, args);
            }
            ("sub_sat", _) => {
                return self.integer_function(if signed { "ssub.sat" } else { "usub.sat" }, args);
            }
            ("bitselect", &[a, b, c]) => {
                let not = pool.not(c);
                let (kept, taken) = (pool.and(a, not), pool.and(b, c));
                pool.or(kept, taken)
            }
            ("mad_sat", &[a, b, c]) => {
                let name = if signed { "mad_sat" } else { "mad_sat.unsigned" };
                pool.pure(name, &[a, b, c], pool.width(a))
            }
            ("upsample", &[high, low]) => {
                let width = pool.width(high);
                let double = width.checked_mul(2).filter(|w| *w <= 128)?;
                let (high, low) =
                    (pool.cast(CastOp::Zext, high, double), pool.cast(CastOp::Zext, low, double));
                let by = pool.constant(u128::from(width), double);
                let moved = pool.binary(BinOp::Shl, high, by);
                pool.or(moved, low)
            }
            _ => return None,
        })
    }

    /// The low 24 bits, which is all that `mul24` promises to look at; wider arguments give an
    /// unspecified result.
    fn low_24(&mut self, a: ExprId, signed: bool) -> ExprId {
        let pool = self.out.exprs();
        let width = pool.width(a);
        if width <= 24 {
            return a;
        }
        let low = pool.cast(CastOp::Trunc, a, 24);
        pool.cast(if signed { CastOp::Sext } else { CastOp::Zext }, low, width)
    }

    /// The upper half of a product.
    pub(super) fn high_product(&mut self, signed: bool, a: ExprId, b: ExprId) -> Option<ExprId> {
        let pool = self.out.exprs();
        let width = pool.width(a);
        let double = width.checked_mul(2).filter(|w| *w <= 128)?;
        let cast = if signed { CastOp::Sext } else { CastOp::Zext };
        let (a, b) = (pool.cast(cast, a, double), pool.cast(cast, b, double));
        let product = pool.mul(a, b);
        Some(self.slice(product, width, width))
    }

    fn half_sum(&mut self, signed: bool, round_up: bool, a: ExprId, b: ExprId) -> Option<ExprId> {
        let pool = self.out.exprs();
        let width = pool.width(a);
        let wide = width.checked_add(2).filter(|w| *w <= 128)?;
        let cast = if signed { CastOp::Sext } else { CastOp::Zext };
        let (a, b) = (pool.cast(cast, a, wide), pool.cast(cast, b, wide));
        let mut sum = pool.add(a, b);
        let one = pool.constant(1, wide);
        if round_up {
            sum = pool.add(sum, one);
        }
        let half = pool.binary(BinOp::AShr, sum, one);
        Some(pool.cast(CastOp::Trunc, half, width))
    }

    /// `select`: of vectors by the sign of the third operand, of scalars by whether it is not zero.
    fn select_by(&mut self, vector: bool, a: ExprId, b: ExprId, c: ExprId) -> Option<ExprId> {
        let pool = self.out.exprs();
        let width = pool.width(c);
        let zero = pool.constant(0, width);
        let second = if vector { pool.slt(c, zero) } else { pool.ne(c, zero) };
        Some(pool.select(second, b, a))
    }

    /// `any` and `all`: of the signs of the elements.
    fn sign_bits(&mut self, args: &[Val], any: bool, ty: Type<'m>) -> Option<Val> {
        let parts = match args {
            [Val::Aggregate(parts)] => numbers(parts)?,
            [Val::Scalar(e)] => vec![*e],
            _ => return None,
        };
        let pool = self.out.exprs();
        let mut result = if any { pool.falsity() } else { pool.truth() };
        for part in parts {
            let width = pool.width(part);
            let zero = pool.constant(0, width);
            let negative = pool.slt(part, zero);
            result = if any { pool.or(result, negative) } else { pool.and(result, negative) };
        }
        Some(Val::Scalar(pool.resize(result, scalar_width(ty)?)))
    }

    /// `convert_<type>`: between integers exactly, else by name.
    fn convert(&mut self, args: &[Val], from: Kind, target: &str, ty: Type<'m>) -> Option<Val> {
        let to_float = ["half", "float", "double"].iter().any(|t| target.starts_with(t));
        let saturating = target.contains("_sat");
        self.per_element(ty, args, &mut |lifter, lane, ty| {
            let &[a] = &numbers(lane)?[..] else { return None };
            let width = scalar_width(ty)?;
            let pool = lifter.out.exprs();
            if to_float || from == Kind::Float || saturating {
                return Some(Val::Scalar(pool.pure(&format!("convert_{target}"), &[a], width)));
            }
            let cast = if pool.width(a) > width {
                CastOp::Trunc
            } else if from == Kind::Signed {
                CastOp::Sext
            } else {
                CastOp::Zext
            };
            Some(Val::Scalar(pool.cast(cast, a, width)))
        })
    }

    /// A pure function that looks at all elements of its vectors for each element of its result.
    fn of_vectors(&mut self, name: &str, args: &[Val], ty: Type<'m>) -> Option<Val> {
        let mut all = Vec::new();
        for arg in args {
            match arg {
                Val::Scalar(e) => all.push(*e),
                Val::Aggregate(parts) => all.extend(numbers(parts)?),
                Val::Pointer(_) | Val::Nothing => return None,
            }
        }
        let TypeKind::Vector(count, element) = ty.kind() else {
            return Some(Val::Scalar(self.out.exprs().pure(name, &all, scalar_width(ty)?)));
        };
        let width = scalar_width(element)?;
        let lanes = (0..count)
            .map(|n| Val::Scalar(self.out.exprs().pure(&format!("{name}.{n}"), &all, width)));
        Some(Val::Aggregate(lanes.collect()))
    }

    /// `shuffle` and `shuffle2`: each element of the result is one of the sources', picked by a
    /// mask.
    fn shuffle_lanes(&mut self, args: &[Val], ty: Type<'m>) -> Option<Val> {
        let (Val::Aggregate(mask), sources) = args.split_last()? else { return None };
        let mut lanes = Vec::new();
        for source in sources {
            let Val::Aggregate(parts) = source else { return None };
            lanes.extend(numbers(parts)?);
        }
        if !lanes.len().is_power_of_two() {
            return None;
        }
        let mut picked = Vec::new();
        for which in numbers(mask)? {
            let pool = self.out.exprs();
            let width = pool.width(which);
            // Only as many low bits as there are elements are looked at.
            let low = pool.constant(lanes.len() as u128 - 1, width);
            let which = pool.and(which, low);
            let mut value = lanes[0];
            for (n, &lane) in lanes.iter().enumerate().skip(1) {
                let n = pool.constant(n as u128, width);
                let here = pool.eq(which, n);
                value = pool.select(here, lane, value);
            }
            picked.push(Val::Scalar(value));
        }
        matches!(ty.kind(), TypeKind::Vector(..)).then_some(Val::Aggregate(picked))
    }

    /// Functions with a second result behind a pointer (`sincos`, `fract`, `modf`, …): stored, but
    /// not modelled.
    pub(super) fn opencl_two_results(&mut self, call: &Call<'m>, mangled: &Mangled) -> Option<Val> {
        if !["sincos", "fract", "modf", "frexp", "lgamma_r", "remquo"]
            .contains(&mangled.name.as_str())
        {
            return None;
        }
        let pointer = self.pointer(*call.args.last()?);
        let element = mangled.params.last()?;
        let room = if element.lanes == 3 { 4 } else { element.lanes };
        let size = self.out.exprs().constant(u128::from(room * element.bytes), 64);
        self.access(&pointer, size, &AccessKind::Store(SmallVec::new()), &[], Strength::default());
        let args: Vec<Val> =
            call.args[..call.args.len() - 1].iter().map(|&a| self.value(a)).collect();
        self.pure_value(&mangled.name, &args, call.inst.ty())
    }

    /// `vload_halfN`, `vstore_halfN` and their aligned forms: what they touch; the numbers are not
    /// modelled.
    pub(super) fn opencl_halves(&mut self, call: &Call<'m>, mangled: &Mangled) -> Option<Val> {
        let name = mangled.name.as_str();
        let (load, rest) = match (name.strip_prefix("vload"), name.strip_prefix("vstore")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            (None, None) => return None,
        };
        let (aligned, rest) = match rest.strip_prefix("a_half") {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix("_half")?),
        };
        let count = rest.split('_').next().filter(|it| !it.is_empty());
        let count: u128 = count.map_or(Some(1), |it| it.parse().ok())?;
        let stride = if aligned && count == 3 { 4 } else { count };
        let first = usize::from(!load);
        let (offset, pointer_at) = (self.arg(call, first)?, *call.args.get(first + 1)?);
        let pool = self.out.exprs();
        let (offset, each) = (pool.resize(offset, 64), pool.constant(2 * stride, 64));
        let by = pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, offset, each);
        let size = pool.constant(2 * count, 64);
        let pointer = self.pointer(pointer_at);
        let pointer = self.advance(pointer, by, NoWrap::SIGNED);
        let kind = if load { AccessKind::Load } else { AccessKind::Store(SmallVec::new()) };
        self.access(&pointer, size, &kind, &[], Strength::default());
        Some(if load { self.undef_of(call.inst.ty()) } else { Val::Nothing })
    }

    /// `vloadN`, `vstoreN`: elements from `pointer + offset * N` on.
    pub(super) fn opencl_vector(&mut self, call: &Call<'m>, mangled: &Mangled) -> Option<Val> {
        let name = mangled.name.as_str();
        let loads = name.strip_prefix("vload").and_then(|n| n.parse::<u64>().ok());
        let stores = name.strip_prefix("vstore").and_then(|n| n.parse::<u64>().ok());
        let first = usize::from(stores.is_some());
        let (offset, pointer_at) = (self.arg(call, first)?, *call.args.get(first + 1)?);
        let vector = match (loads, stores) {
            (Some(_), _) => call.inst.ty(),
            (None, Some(_)) => call.args.first()?.ty(),
            (None, None) => return None,
        };
        let TypeKind::Vector(count, element) = vector.kind() else { return None };
        let bytes = u128::from(count) * u128::from(element.store_size(self.module)?);
        let pool = self.out.exprs();
        let (offset, bytes) = (pool.resize(offset, 64), pool.constant(bytes, 64));
        let by = pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, offset, bytes);
        let pointer = self.pointer(pointer_at);
        let pointer = self.advance(pointer, by, NoWrap::SIGNED);
        match stores {
            None => Some(self.load(&pointer, pointer_at, vector, Strength::default())),
            Some(_) => {
                let value = self.value(*call.args.first()?);
                self.store(&pointer, value, vector, Strength::default());
                Some(Val::Nothing)
            }
        }
    }
}

/// Whether a function makes numbers of numbers and nothing else.
pub(super) fn computes(mangled: &Mangled) -> bool {
    let name = mangled.name.as_str();
    let of_numbers = |it: &crate::mangled::Parameter| !it.pointer && it.kind != Kind::Other;
    let known = PURE.contains(&name)
        || OF_VECTORS.contains(&name)
        || opencl_media::NAMES.contains(&name)
        || ["native_", "half_", "convert_"].iter().any(|it| name.starts_with(it))
        || ["min", "max", "clamp", "select"].contains(&name);
    known && !mangled.params.is_empty() && mangled.params.iter().all(of_numbers)
}

fn numbers(values: &[Val]) -> Option<Vec<ExprId>> {
    values
        .iter()
        .map(|v| match v {
            Val::Scalar(e) => Some(*e),
            Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing => None,
        })
        .collect()
}
