//! Functions of C's mathematical library, by name: PTX and NVVM call them as others do.
//!
//! **Does not**: know what they compute, or the names that CUDA alone has.

/// Functions of the host's libm that take and give what the device's do. Each also has a form for
/// `float`, with `f`.
const LIBM: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
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
    "fmod",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
    "memcpy",
    "memset",
    "memmove",
];

/// Whether the host has a function of this name.
pub fn is_host_function(name: &str) -> bool {
    LIBM.contains(&name) || name.strip_suffix('f').is_some_and(|it| LIBM.contains(&it))
}

/// Whether a function computes with floats, by libm's name.
pub fn is_mathematics(name: &str) -> bool {
    is_host_function(name) || matches!(name, "fmax" | "fmaxf" | "fmin" | "fminf")
}
