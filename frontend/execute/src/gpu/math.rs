//! Mathematical functions on the device: LLVM's where NVPTX has an instruction, `libdevice`'s where
//! a toolkit is given.
//!
//! **Does not**: approximate anything itself; what neither defines is refused by name afterwards.

use std::path::Path;

use crate::jit::Unsupported;
use heddle_llvm::Module;

/// Functions that NVPTX has instructions for, by libm's names for `double`, as LLVM's intrinsics.
const INSTRUCTIONS: &[(&str, &str)] = &[
    ("sqrt", "sqrt"),
    ("fabs", "fabs"),
    ("floor", "floor"),
    ("ceil", "ceil"),
    ("trunc", "trunc"),
    ("rint", "rint"),
    ("nearbyint", "nearbyint"),
    ("round", "round"),
    ("fma", "fma"),
    ("fmin", "minnum"),
    ("fmax", "maxnum"),
    ("copysign", "copysign"),
];

/// Functions that CUDA's headers define by another one of `libdevice`, which has the same type
/// where `long` has 64 bits.
const BY_OTHERS: &[(&str, &str)] = &[("lrint", "llrint"), ("lround", "llround")];

/// Where a toolkit keeps its mathematics.
const LIBDEVICE: &str = "nvvm/libdevice/libdevice.10.bc";

/// LLVM's intrinsics that NVPTX cannot select and `libdevice` defines.
const NOT_SELECTED: &[&str] = &[
    "exp", "exp2", "exp10", "log", "log10", "log2", "pow", "sin", "cos", "tan", "asin", "acos",
    "atan", "atan2", "sinh", "cosh", "tanh",
];

/// Gives functions the name under which something defines them, and links the toolkit's
/// definitions.
///
/// # Errors
/// The toolkit has no `libdevice`.
pub(super) fn define(module: &mut Module, toolkit: Option<&Path>) -> Result<(), Unsupported> {
    let declared: Vec<String> = module
        .functions()
        .filter(|it| it.is_declaration() && !it.users().is_empty())
        .map(|it| it.name())
        .collect();
    for name in &declared {
        let Some((base, float)) = known(name) else { continue };
        if let Some((_, intrinsic)) = INSTRUCTIONS.iter().find(|(it, _)| *it == base) {
            let bits = if float { 32 } else { 64 };
            module.rename(name, &format!("llvm.{intrinsic}.f{bits}"));
        } else if toolkit.is_some() {
            let base = BY_OTHERS.iter().find(|(it, _)| *it == base).map_or(&*base, |it| it.1);
            module.rename(name, &format!("__nv_{base}{}", if float { "f" } else { "" }));
        }
    }
    let Some(toolkit) = toolkit else {
        for (name, intrinsic) in declared.iter().filter_map(|it| Some((it, directed(it)?))) {
            module.rename(name, &intrinsic);
        }
        return Ok(());
    };
    let path = toolkit.join(LIBDEVICE);
    let bitcode = std::fs::read(&path).map_err(|error| {
        Unsupported::new(format!("`{}` cannot be read: {error}", path.display()))
    })?;
    module
        .link(&bitcode)
        .map_err(|why| Unsupported::new(format!("`{}` cannot be linked: {why}", path.display())))
}

/// The intrinsic of an instruction that names its rounding, of libdevice's `__nv_fadd_rz`. PTX says
/// `rp` and `rm` for up and down. A difference has no intrinsic.
fn directed(name: &str) -> Option<String> {
    let (stem, suffix) = name.strip_prefix("__nv_")?.rsplit_once('_')?;
    let mode = match suffix {
        "rn" => "rn",
        "rz" => "rz",
        "ru" => "rp",
        "rd" => "rm",
        _ => return None,
    };
    let conversion = match stem {
        "int2float" => Some("i2f"),
        "uint2float" => Some("ui2f"),
        "ll2float" => Some("ll2f"),
        "ull2float" => Some("ull2f"),
        "ll2double" => Some("ll2d"),
        "ull2double" => Some("ull2d"),
        "double2float" => Some("d2f"),
        _ => None,
    };
    if let Some(conversion) = conversion {
        return Some(format!("llvm.nvvm.{conversion}.{mode}"));
    }
    let (operation, ty) = match stem {
        "fmaf" => ("fma", 'f'),
        "fma" => ("fma", 'd'),
        _ => (stem.get(1..)?, stem.chars().next()?),
    };
    let known = ["add", "mul", "div", "rcp", "sqrt", "fma"].contains(&operation);
    (known && matches!(ty, 'f' | 'd')).then(|| format!("llvm.nvvm.{operation}.{mode}.{ty}"))
}

/// libm's name of a function for `double`, and whether this is the one for `float`: of `expf`,
/// `_Z3expf`, `llvm.exp.f32`.
fn known(name: &str) -> Option<(String, bool)> {
    if let Some(rest) = name.strip_prefix("llvm.") {
        let (base, ty) = rest.split_once('.')?;
        return (NOT_SELECTED.contains(&base) && ["f32", "f64"].contains(&ty))
            .then(|| (base.to_owned(), ty == "f32"));
    }
    if let Some(base) = heddle_lift::mangled::unmangled(name) {
        let types = name.get(name.find(base)? + base.len()..)?;
        return Some((base.to_owned(), types.starts_with('f')));
    }
    if name.contains('.') || name.starts_with('_') || ["vprintf", "malloc", "free"].contains(&name)
    {
        return None;
    }
    // `erf` ends in an f of its own.
    match name.strip_suffix('f').filter(|it| *it != "er") {
        Some(base) => Some((base.to_owned(), true)),
        None => Some((name.to_owned(), false)),
    }
}

/// Whether LLVM has an intrinsic of this name that NVPTX cannot select.
pub(super) fn is_not_selected(base: &str) -> bool {
    NOT_SELECTED.contains(&base)
}
