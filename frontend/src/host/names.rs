//! Names of functions, by their symbols.
//!
//! **Does not**: look into namespaces.

use heddle_lift::symbol::{demangled, name_and_rest, signature};

/// The templates of CUDA's runtime (`cuda_runtime.h`): what they take, where `T` is the template's
/// first argument and `_` anything.
const TEMPLATES: [(&str, &[&str]); 29] = [
    ("cudaMalloc", &["T**", "unsigned long"]),
    ("cudaHostAlloc", &["T**", "unsigned long", "unsigned int"]),
    ("cudaMallocHost", &["T**", "unsigned long", "unsigned int"]),
    ("cudaMallocAsync", &["T**", "unsigned long", "CUstream_st*"]),
    ("cudaMallocFromPoolAsync", &["T**", "unsigned long", "CUmemPoolHandle_st*", "CUstream_st*"]),
    ("cudaMallocPitch", &["T**", "unsigned long*", "unsigned long", "unsigned long"]),
    ("cudaMallocManaged", &["T**", "unsigned long", "unsigned int"]),
    ("cudaHostGetDevicePointer", &["T**", "void*", "unsigned int"]),
    ("cudaStreamAttachMemAsync", &["CUstream_st*", "_", "unsigned long", "unsigned int"]),
    ("cudaLaunchKernel", &["_", "dim3", "dim3", "void**", "unsigned long", "CUstream_st*"]),
    (
        "cudaLaunchCooperativeKernel",
        &["_", "dim3", "dim3", "void**", "unsigned long", "CUstream_st*"],
    ),
    ("cudaLaunch", &["_"]),
    ("cudaSetupArgument", &["_", "unsigned long"]),
    ("cudaGetSymbolSize", &["unsigned long*", "_"]),
    ("cudaGetSymbolAddress", &["void**", "_"]),
    (
        "cudaMemcpyToSymbol",
        &["_", "void const*", "unsigned long", "unsigned long", "cudaMemcpyKind"],
    ),
    ("cudaMemcpyFromSymbol", &["void*", "_", "unsigned long", "unsigned long", "cudaMemcpyKind"]),
    (
        "cudaMemcpyToSymbolAsync",
        &["_", "void const*", "unsigned long", "unsigned long", "cudaMemcpyKind", "CUstream_st*"],
    ),
    (
        "cudaMemcpyFromSymbolAsync",
        &["void*", "_", "unsigned long", "unsigned long", "cudaMemcpyKind", "CUstream_st*"],
    ),
    ("cudaFuncSetAttribute", &["_", "cudaFuncAttribute", "int"]),
    ("cudaFuncGetAttributes", &["cudaFuncAttributes*", "_"]),
    ("cudaFuncSetCacheConfig", &["_", "cudaFuncCache"]),
    ("cudaFuncSetSharedMemConfig", &["_", "cudaSharedMemConfig"]),
    ("cudaOccupancyMaxPotentialBlockSize", &["int*", "int*", "_", "unsigned long", "int"]),
    (
        "cudaOccupancyMaxPotentialBlockSizeWithFlags",
        &["int*", "int*", "_", "unsigned long", "int", "unsigned int"],
    ),
    ("cudaOccupancyMaxPotentialBlockSizeVariableSMem", &["int*", "int*", "_", "_", "int"]),
    ("cudaOccupancyMaxActiveBlocksPerMultiprocessor", &["int*", "_", "int", "unsigned long"]),
    (
        "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        &["int*", "_", "int", "unsigned long", "unsigned int"],
    ),
    ("cudaOccupancyAvailableDynamicSMemPerBlock", &["unsigned long*", "_", "int", "int"]),
];

/// The one that takes two types.
const OF_TWO: &str = "cudaOccupancyMaxPotentialBlockSizeVariableSMem";

/// The name of a function of the runtime: that of an instance of one of its templates, too. An
/// overload is a function of the program's own.
pub(super) fn plain(symbol: &str) -> &str {
    match name_and_rest(symbol) {
        Some((name, arguments)) if is_of_runtime(symbol, name, arguments) => name,
        Some(_) | None => symbol,
    }
}

/// Whether it is an instance of a template of the runtime. A program may have templates of the same
/// name, which take something else.
fn is_of_runtime(symbol: &str, name: &str, arguments: &str) -> bool {
    // Numbers and lists are no types.
    if !arguments.starts_with('I') || ["IL", "IX", "IJ"].iter().any(|it| arguments.starts_with(it))
    {
        return false;
    }
    let known = TEMPLATES.iter().filter(|it| it.0 == name);
    let mut known = known.map(|it| it.1).peekable();
    if known.peek().is_none() {
        return false;
    }
    let text = signature(symbol);
    let Some((types, taken)) = text.as_deref().and_then(|text| split(text, name)) else {
        return false;
    };
    if types.len() != 1 + usize::from(name == OF_TWO) {
        return false;
    }
    let fits = |wanted: &str, is: &str| match wanted.strip_prefix('T') {
        Some(rest) => is.strip_suffix(rest) == Some(types[0]),
        None => wanted == "_" || wanted == is,
    };
    known.any(|wanted| {
        wanted.len() == taken.len()
            && wanted.iter().zip(&taken).all(|(wanted, is)| fits(wanted, is))
    })
}

/// The arguments of a template and what it takes, of `type name<…>(…)`.
fn split<'a>(text: &'a str, name: &str) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
    let (_, rest) = text.split_once(&format!("{name}<"))?;
    let (types, rest) = list(rest)?;
    let (taken, rest) = list(rest.strip_prefix('(')?)?;
    rest.is_empty().then_some((types, taken))
}

/// The members of a list up to the bracket that ends it, and what comes after that.
fn list(text: &str) -> Option<(Vec<&str>, &str)> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' if depth > 0 => depth -= 1,
            '>' | ')' => {
                found.push(text[start..at].trim());
                return Some((found, &text[at + 1..]));
            }
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// The name of a function that is in no namespace, whatever it takes.
pub(super) fn name_of(symbol: &str) -> &str {
    name_and_rest(symbol).map_or(symbol, |(name, _)| name)
}

/// The name of a function as its own source has it, without what it is a member of.
pub(super) fn shown(symbol: &str) -> String {
    let whole = qualified(symbol);
    whole.rsplit("::").next().unwrap_or(&whole).to_owned()
}

/// The name of a function with what it is a member of. Numbers and types that a template is an
/// instance of are left out.
pub(super) fn qualified(symbol: &str) -> String {
    let whole = demangled(symbol);
    whole.split('<').next().unwrap_or(&whole).to_owned()
}

/// Whether a function is a member that is declared `const` (Itanium C++ ABI, 5.1.3: `K` among the
/// qualifiers of a nested name).
pub(super) fn is_const_member(symbol: &str) -> bool {
    symbol.strip_prefix("_ZN").is_some_and(|it| it.trim_start_matches(['r', 'V']).starts_with('K'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_of_the_runtime_are_known() {
        for (symbol, name) in [
            ("_Z10cudaMallocIiE9cudaErrorPPT_m", "cudaMalloc"),
            ("_Z10cudaMallocI7DevDataIfLi2EEE9cudaErrorPPT_m", "cudaMalloc"),
            ("_Z15cudaMallocPitchIiE9cudaErrorPPT_Pmmm", "cudaMallocPitch"),
            (
                "_Z18cudaMemcpyToSymbolIA4_iE9cudaErrorRKT_PKvmm14cudaMemcpyKind",
                "cudaMemcpyToSymbol",
            ),
            (
                "_Z20cudaFuncSetAttributeIFvPiEE9cudaErrorPT_17cudaFuncAttributei",
                "cudaFuncSetAttribute",
            ),
            (
                "_Z46cudaOccupancyMaxPotentialBlockSizeVariableSMemIPFvPiE1FE9cudaErrorS0_S0_T_T0_i",
                OF_TWO,
            ),
            ("_Z16cudaLaunchKernelIiE9cudaErrorPKT_4dim3S4_PPvmP11CUstream_st", "cudaLaunchKernel"),
            ("cudaMemcpy", "cudaMemcpy"),
        ] {
            assert_eq!(plain(symbol), name);
        }
        for (symbol, is_const) in [
            ("_ZNK6Buffer4dataEv", true),
            ("_ZNVK6Buffer4dataEv", true),
            ("_ZN6Buffer4dataEv", false),
            ("_ZN6Kernel4dataEv", false),
            ("_Z4dataPK6Buffer", false),
        ] {
            assert_eq!(is_const_member(symbol), is_const, "{symbol}");
        }
        assert_eq!([shown("a"), shown("_ZN5outer5innerEi")], ["a", "inner"]);
        for own in [
            "_Z10cudaMallocILi0EiE9cudaErrorPPT0_m",
            "_Z10cudaMallocIiLi0EE9cudaErrorPPT_m",
            "_Z10cudaMallocIiE9cudaErrorRT_m",
            "_Z10cudaMallocIiEvPPT_mi",
            "_Z10cudaMemcpyIiE9cudaErrorPT_i",
            "_Z21cudaDeviceSynchronizeILi1EE9cudaErrorv",
            "_Z10cudaMallocPPim",
        ] {
            assert_eq!(plain(own), own);
        }
    }
}
