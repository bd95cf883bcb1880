//! Float functions by the name that LLVM, C, OpenCL or libdevice gives them.
//!
//! Computed at 32 and 64 bits, rounding to nearest even. Of functions whose last bits are the
//! implementation's choice (`sin`, `exp`, approximations) the value nearest to the true one is
//! taken, which each documented bound allows (CUDA C++ Programming Guide, mathematical functions;
//! OpenCL C, relative error as ULPs), and of fast forms (`__expf`) only where the guide bounds
//! their error: a run with it is one that some device may do. Nothing is proved from it. Not
//! computed (unknown): 16-bit operands (two formats share the width), results that are NaN (their
//! payload is not fixed), conversions out of range, sums with products where fusing the two
//! matters (`fmuladd`, and also written apart, as compilers contract these), and subnormal numbers
//! where the kernel was compiled to flush them.

/// The value of function `name` on operands of these bits and widths, at `width` bits.
/// Of subnormal numbers of 32 bits it is unknown where they may count as zeros (`flushes`).
pub(crate) fn evaluate(name: &str, args: &[(u128, u8)], width: u8, flushes: bool) -> Option<u128> {
    let is_subnormal = |bits: u128, width: u8| width == 32 && single(bits).is_subnormal();
    let (from_integer, to_integer) = (name.ends_with("itofp"), name.starts_with("fpto"));
    if flushes && !from_integer && args.iter().any(|(bits, width)| is_subnormal(*bits, *width)) {
        return None;
    }
    let value = kept(name, args, width)?;
    (!flushes || to_integer || !is_subnormal(value, width)).then_some(value)
}

/// A sum or difference of which one operand is the product of two floats, fused with it: rounded
/// once. `side` says which operand the product is.
pub(crate) fn fused(
    name: &str,
    [a, b]: [(u128, u8); 2],
    (other, side): ((u128, u8), usize),
    width: u8,
    flushes: bool,
) -> Option<u128> {
    let turned = |(bits, width): (u128, u8)| (bits ^ 1 << (width - 1), width);
    let args = match (name, side) {
        ("fsub", 0) => [a, b, turned(other)],
        ("fsub", _) => [turned(a), b, other],
        (_, _) => [a, b, other],
    };
    evaluate("fma", &args, width, flushes)
}

/// The value where subnormal numbers are kept.
fn kept(name: &str, args: &[(u128, u8)], width: u8) -> Option<u128> {
    if of_fast_form(name).is_some() {
        let numbers: Option<Vec<f64>> = args.iter().map(|arg| number(*arg)).collect();
        if !is_near(name, &numbers?) {
            return None;
        }
    }
    let name = plain(name);
    if let Some(condition) = name.strip_prefix("fcmp.") {
        return compare(condition, args).map(u128::from);
    }
    match (name, args) {
        ("sitofp", [(bits, from)]) => from_integer(heddle_ir::sign_extend(*bits, *from), width),
        ("uitofp", [(bits, from)]) if *from < 128 => from_integer(*bits as i128, width),
        ("fptosi", [value]) => {
            let number = number(*value)?.trunc();
            let limit = 2f64.powi(i32::from(width) - 1);
            let fits = number >= -limit && number < limit;
            fits.then(|| heddle_ir::mask(number as i128 as u128, width))
        }
        ("fptoui", [value]) => {
            let number = number(*value)?.trunc();
            let fits = number >= 0.0 && number < 2f64.powi(i32::from(width));
            fits.then_some(number as u128)
        }
        ("fpext", [(bits, 32)]) if width == 64 => from_f64(f64::from(single(*bits)), 64),
        ("fptrunc", [(bits, 64)]) if width == 32 => from_f32(double(*bits) as f32),
        // Which lane touches which line of a tile is nowhere specified: here each the one of its
        // number.
        ("matrix.turn", _) => Some(0),
        ("fneg", [(bits, 32 | 64)]) => Some(bits ^ (1 << (width - 1))),
        ("fabs", [(bits, 32 | 64)]) => Some(bits & !(1 << (width - 1))),
        ("copysign", [(a, 32 | 64), (b, _)]) => {
            let sign = 1 << (width - 1);
            Some(a & !sign | b & sign)
        }
        _ => arithmetic(name, args, width),
    }
}

/// `llvm.sqrt.f32`, `sqrtf`, `__nv_sqrtf` as `sqrt`.
fn plain(name: &str) -> &str {
    let name = of_fast_form(name).unwrap_or_else(|| {
        ["llvm.", "__nv_"].iter().find_map(|of| name.strip_prefix(of)).unwrap_or(name)
    });
    let name = name.strip_suffix(".f32").or_else(|| name.strip_suffix(".f64")).unwrap_or(name);
    match name.strip_suffix('f') {
        Some(double) if OF_C.contains(&double) => double,
        Some(_) | None => name,
    }
}

/// The function of which one is a fast form: `expf` of `__expf`, `native_exp`.
fn of_fast_form(name: &str) -> Option<&str> {
    let of_cuda = || name.strip_prefix("__").filter(|it| !it.starts_with("nv_"));
    ["__nv_fast_", "native_", "half_"].iter().find_map(|of| name.strip_prefix(of)).or_else(of_cuda)
}

/// Whether a fast form is near the function that it stands for (CUDA C++ Programming Guide,
/// intrinsic functions): powers by logarithms, angles of one turn, divisors that are not huge.
fn is_near(name: &str, args: &[f64]) -> bool {
    match (plain(name), args) {
        ("pow", [base, exponent]) => {
            *base > 0.0 && base.is_finite() && exponent.abs() <= LARGEST_EXPONENT
        }
        ("sin" | "cos" | "tan", [angle]) => angle.abs() <= std::f64::consts::PI,
        ("fdivide", [_, by]) => by.abs() <= 2f64.powi(126),
        _ => true,
    }
}

/// By what `powf` multiplies the error of a logarithm at most.
const LARGEST_EXPONENT: f64 = 64.0;

/// Functions of C that have another name for single precision.
const OF_C: [&str; 34] = [
    "acos", "asin", "atan", "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "exp", "exp10",
    "exp2", "expm1", "fabs", "fdivide", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "log",
    "log10", "log1p", "log2", "pow", "rint", "round", "rsqrt", "sin", "sinh", "sqrt", "tan",
    "tanh",
];

fn single(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

/// A float of 32 or 64 bits as a number; single precision fits into double without loss.
fn number((bits, width): (u128, u8)) -> Option<f64> {
    match width {
        32 => Some(f64::from(single(bits))),
        64 => Some(double(bits)),
        _ => None,
    }
}

fn from_f32(value: f32) -> Option<u128> {
    (!value.is_nan()).then(|| u128::from(value.to_bits()))
}

fn from_f64(value: f64, width: u8) -> Option<u128> {
    (width == 64 && !value.is_nan()).then(|| u128::from(value.to_bits()))
}

fn from_integer(value: i128, width: u8) -> Option<u128> {
    match width {
        32 => from_f32(value as f32),
        64 => from_f64(value as f64, 64),
        _ => None,
    }
}

fn compare(condition: &str, args: &[(u128, u8)]) -> Option<bool> {
    let [a, b] = args else { return None };
    let (a, b) = (number(*a)?, number(*b)?);
    let unordered = a.is_nan() || b.is_nan();
    Some(match condition {
        "false" => false,
        "true" => true,
        "ord" => !unordered,
        "uno" => unordered,
        "oeq" => a == b,
        "one" => !unordered && a != b,
        "olt" => a < b,
        "ole" => a <= b,
        "ogt" => a > b,
        "oge" => a >= b,
        "ueq" => unordered || a == b,
        "une" => unordered || a != b,
        "ult" => unordered || a < b,
        "ule" => unordered || a <= b,
        "ugt" => unordered || a > b,
        "uge" => unordered || a >= b,
        _ => return None,
    })
}

/// The functions that are the same at both widths.
macro_rules! functions {
    ($name:expr, $args:expr, $float:ty) => {
        match ($name, $args) {
            ("fadd", [a, b]) => a + b,
            ("fsub", [a, b]) => a - b,
            ("fmul", [a, b]) => a * b,
            ("fdiv" | "fdivide", [a, b]) => a / b,
            ("frem" | "fmod", [a, b]) => a % b,
            ("sqrt", [a]) => a.sqrt(),
            ("fma", [a, b, c]) => a.mul_add(*b, *c),
            ("fmuladd", [a, b, c]) => {
                let (fused, apart): ($float, $float) = (a.mul_add(*b, *c), a * b + c);
                if fused.to_bits() != apart.to_bits() {
                    return None;
                }
                fused
            }
            ("floor", [a]) => a.floor(),
            ("ceil", [a]) => a.ceil(),
            ("trunc", [a]) => a.trunc(),
            ("round", [a]) => a.round(),
            ("rint" | "nearbyint" | "roundeven", [a]) => a.round_ties_even(),
            // Zeros of different sign may come out either way.
            ("minnum" | "fmin" | "maxnum" | "fmax", [a, b])
                if a == b && a.to_bits() != b.to_bits() =>
            {
                return None;
            }
            ("minnum" | "fmin", [a, b]) => a.min(*b),
            ("maxnum" | "fmax", [a, b]) => a.max(*b),
            // -0 is below +0.
            ("minimumnum", [a, b]) if a == b => {
                if a.is_sign_negative() {
                    *a
                } else {
                    *b
                }
            }
            ("maximumnum", [a, b]) if a == b => {
                if a.is_sign_positive() {
                    *a
                } else {
                    *b
                }
            }
            ("minimumnum", [a, b]) => a.min(*b),
            ("maximumnum", [a, b]) => a.max(*b),
            ("minimum" | "maximum", [a, b]) if a.is_nan() || b.is_nan() => return None,
            ("minimum", [a, b]) if a == b => {
                if a.is_sign_negative() {
                    *a
                } else {
                    *b
                }
            }
            ("maximum", [a, b]) if a == b => {
                if a.is_sign_positive() {
                    *a
                } else {
                    *b
                }
            }
            ("minimum", [a, b]) => a.min(*b),
            ("maximum", [a, b]) => a.max(*b),
            _ => return None,
        }
    };
}

/// The functions that are not algebraic.
fn transcendental(name: &str, args: &[f64]) -> Option<f64> {
    Some(match (name, args) {
        ("acos", [a]) => a.acos(),
        ("asin", [a]) => a.asin(),
        ("atan", [a]) => a.atan(),
        ("atan2", [a, b]) => a.atan2(*b),
        ("cbrt", [a]) => a.cbrt(),
        ("cos", [a]) => a.cos(),
        ("cosh", [a]) => a.cosh(),
        ("exp", [a]) => a.exp(),
        ("exp10", [a]) => 10f64.powf(*a),
        ("exp2" | "ex2.approx", [a]) => a.exp2(),
        ("expm1", [a]) => a.exp_m1(),
        ("hypot", [a, b]) => a.hypot(*b),
        ("log", [a]) => a.ln(),
        ("log10", [a]) => a.log10(),
        ("log1p", [a]) => a.ln_1p(),
        ("log2" | "lg2.approx", [a]) => a.log2(),
        ("pow", [a, b]) => a.powf(*b),
        ("rsqrt", [a]) => 1.0 / a.sqrt(),
        ("sin", [a]) => a.sin(),
        ("sinh", [a]) => a.sinh(),
        ("tan", [a]) => a.tan(),
        ("tanh", [a]) => a.tanh(),
        _ => return None,
    })
}

fn arithmetic(name: &str, args: &[(u128, u8)], width: u8) -> Option<u128> {
    if args.iter().any(|(_, own)| *own != width) {
        return None;
    }
    let numbers: Option<Vec<f64>> = args.iter().map(|arg| number(*arg)).collect();
    if let Some(value) = transcendental(name, &numbers?) {
        return match width {
            32 => from_f32(value as f32),
            _ => from_f64(value, width),
        };
    }
    match width {
        32 => {
            let args: Vec<f32> = args.iter().map(|(bits, _)| single(*bits)).collect();
            from_f32(functions!(name, args.as_slice(), f32))
        }
        64 => {
            let args: Vec<f64> = args.iter().map(|(bits, _)| double(*bits)).collect();
            from_f64(functions!(name, args.as_slice(), f64), 64)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{evaluate, fused, kept};

    fn f32s(name: &str, args: &[f32]) -> Option<f32> {
        let args: Vec<(u128, u8)> = args.iter().map(|it| (u128::from(it.to_bits()), 32)).collect();
        kept(name, &args, 32).map(|bits| f32::from_bits(bits as u32))
    }

    #[test]
    fn arithmetic_rounds_at_its_own_width() {
        assert_eq!(f32s("fadd", &[16_777_216.0, 1.0]), Some(16_777_216.0));
        assert_eq!(f32s("fdiv", &[1.0, 3.0]), Some(1.0 / 3.0));
        assert_eq!(f32s("llvm.sqrt.f32", &[2.0]), Some(2f32.sqrt()));
        assert_eq!(f32s("fneg", &[0.0]).map(f32::to_bits), Some((-0.0f32).to_bits()));
        assert_eq!(kept("fadd", &[(0x3c00, 16), (0x3c00, 16)], 16), None);
    }

    #[test]
    fn functions_have_the_names_of_c_and_of_libdevice() {
        for name in ["fabsf", "__nv_fabsf", "llvm.fabs.f32", "fabs"] {
            assert_eq!(f32s(name, &[-2.0]), Some(2.0), "{name}");
        }
        assert_eq!(f32s("__nv_fast_fdividef", &[1.0, 4.0]), Some(0.25));
        assert_eq!(f32s("fmaxf", &[1.0, 4.0]), Some(4.0));
        assert_eq!(f32s("__expf", &[0.0]), Some(1.0));
        assert_eq!(f32s("__powf", &[2.0, 2.0]), Some(4.0));
        assert_eq!(f32s("powf", &[-2.0, 2.0]), Some(4.0));
        assert_eq!(f32s("__powf", &[-2.0, 2.0]), None);
        assert_eq!(f32s("__powf", &[f32::INFINITY, 0.0]), None);
        assert_eq!(f32s("__powf", &[1.0, f32::INFINITY]), None);
        assert_eq!(f32s("__nv_fast_fdividef", &[2f32.powi(127), 2f32.powi(127)]), None);
        assert_eq!(f32s("__sinf", &[100.0]), None);
        assert_eq!(f32s("rsqrtf", &[0.25]), Some(2.0));
        assert_eq!(f32s("powf", &[2.0, 10.0]), Some(1024.0));
        assert_eq!(f32s("logf", &[-1.0]), None);
        assert_eq!(f32s("erf", &[0.0]), None);
        assert_eq!(f32s("inf", &[0.0]), None);
    }

    #[test]
    fn what_ieee_leaves_open_is_unknown() {
        assert_eq!(f32s("fdiv", &[0.0, 0.0]), None);
        let (just_above, square) = (1.0 + f32::EPSILON, 1.0 + 2.0 * f32::EPSILON);
        assert_eq!(f32s("fmuladd", &[just_above, just_above, -square]), None);
        assert_eq!(f32s("fmuladd", &[2.0, 3.0, 4.0]), Some(10.0));
        assert_eq!(f32s("minnum", &[0.0, -0.0]), None);
        assert_eq!(f32s("minnum", &[f32::NAN, 2.0]), Some(2.0));
        assert_eq!(f32s("minimumnum", &[0.0, -0.0]).map(f32::to_bits), Some(1 << 31));
        assert_eq!(f32s("maximumnum", &[-0.0, 0.0]).map(f32::to_bits), Some(0));
        assert_eq!(f32s("maximumnum", &[f32::NAN, 2.0]), Some(2.0));
    }

    #[test]
    fn a_product_is_fused_with_its_sum_or_difference() {
        let of = |it: f32| (u128::from(it.to_bits()), 32);
        let (just_above, square) = (1.0 + f32::EPSILON, 1.0 + 2.0 * f32::EPSILON);
        let left = u128::from((f32::EPSILON * f32::EPSILON).to_bits());
        let args = [of(just_above); 2];
        assert_eq!(fused("fadd", args, (of(-square), 0), 32, false), Some(left));
        assert_eq!(fused("fsub", args, (of(square), 0), 32, false), Some(left));
        assert_eq!(fused("fsub", args, (of(square), 1), 32, false), Some(left ^ 1 << 31));
    }

    #[test]
    fn comparisons_know_nan() {
        let args = |a: f32, b: f32| [a, b].map(|it| (u128::from(it.to_bits()), 32));
        assert_eq!(kept("fcmp.olt", &args(1.0, 2.0), 1), Some(1));
        assert_eq!(kept("fcmp.olt", &args(f32::NAN, 2.0), 1), Some(0));
        assert_eq!(kept("fcmp.une", &args(f32::NAN, f32::NAN), 1), Some(1));
        assert_eq!(kept("fcmp.oeq", &args(0.0, -0.0), 1), Some(1));
    }

    #[test]
    fn conversions_stop_at_the_range() {
        let one_and_half = (u128::from(1.5f32.to_bits()), 32);
        assert_eq!(kept("fptosi", &[one_and_half], 32), Some(1));
        let big = (u128::from(3e9f32.to_bits()), 32);
        assert_eq!(kept("fptosi", &[big], 32), None);
        assert_eq!(kept("fptoui", &[big], 32), Some(3_000_000_000));
        assert_eq!(kept("sitofp", &[(0xff, 8)], 32), Some(u128::from((-1f32).to_bits())));
        let minus_two = u128::from((-2f64).to_bits());
        assert_eq!(kept("fptosi", &[(minus_two, 64)], 16), Some(0xfffe));
        let one = u128::from(1f32.to_bits());
        assert_eq!(kept("fpext", &[(one, 32)], 64), Some(u128::from(1f64.to_bits())));
    }

    #[test]
    fn subnormal_numbers_are_unknown_where_they_may_count_as_zeros() {
        let (small, one) = ((1u128, 32), (u128::from(1f32.to_bits()), 32));
        assert_eq!(evaluate("fadd", &[small, small], 32, false), Some(2));
        assert_eq!(evaluate("fadd", &[small, small], 32, true), None);
        let least = (u128::from(f32::MIN_POSITIVE.to_bits()), 32);
        let half = (u128::from(0.5f32.to_bits()), 32);
        assert_eq!(evaluate("fmul", &[least, half], 32, true), None);
        assert_eq!(evaluate("fmul", &[one, one], 32, true), Some(one.0));
        // Operands and results that are integers are no floats.
        assert_eq!(evaluate("uitofp", &[(1, 32)], 32, true), Some(one.0));
        assert_eq!(evaluate("fptoui", &[one], 32, true), Some(1));
    }
}
