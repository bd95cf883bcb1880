//! Each function of numbers that the built-in headers declare has vectors, or a reason why not.

use std::collections::BTreeSet;
use std::process::Command;

use crate::data::files;

/// The headers of such functions.
const HEADERS: [&str; 8] = [
    "integers.h",
    "simd.h",
    "conversions.h",
    "math.h",
    "special.h",
    "short_floats.h",
    "cuda_fp16.h",
    "cuda_bf16.h",
];

/// Functions without vectors, by name or by a start (`*`), each group with its reason.
const WITHOUT: &[(&str, &str)] = &[
    (
        "CUDA documents an error of some last bits: tests/dynamic/mathematics.rs has tables",
        "acos* asin* atan* cbrt* cos* cyl_bessel_* erf* exp* hypot* j0* j1* jn* lgamma* log* norm* pow* rcbrt* \
         rhypot* rnorm* rsqrt* sin* tan* tgamma* y0* y1* yn* __frsqrt_rn",
    ),
    (
        "a fast form, whose error CUDA documents",
        "__cosf __exp10f __expf __fdividef __log10f __log2f __logf __powf __sincosf __sinf __tanf __tanhf fdivide*",
    ),
    ("the name under which another function of these is called", "__nv_*"),
    ("a helper of the headers", "heddle_*"),
    ("gives a NaN, and nothing else", "nan nanf"),
    (
        "of 16 bits, by way of a function of 32 that is not exact",
        "hcos h2cos hexp* h2exp* hlog* h2log* hrsqrt h2rsqrt hsin h2sin htanh h2tanh",
    ),
    ("CUDA does not say how often it rounds", "__hcmadd"),
    (
        "moves lanes, or converts each by what has vectors",
        "__float22* __float2half2_rn __float2bfloat162_rn __half22float2 __bfloat1622float2 __half2double __half2half2 \
         __bfloat162bfloat162 __halves2* __high2* __highs2* __low2* __lowhigh2* __lows2* make_*",
    ),
    ("exchanges lanes, or is an atomic: tests/dynamic", "__shfl_* atomicAdd"),
    (
        "a constructor or an operator of conversion",
        "__half __half2 __half_raw __nv_bfloat16 __nv_bfloat162 __nv_bfloat16_raw bool long short",
    ),
];

/// Names of functions in a preprocessed text.
fn declared(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut of_ours = false;
    for line in text.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            let file = marker.split('"').nth(1).unwrap_or_default();
            of_ours = HEADERS.iter().any(|it| file.ends_with(&format!("/{it}")));
            continue;
        }
        if !of_ours {
            continue;
        }
        for part in line.split("__attribute__((").skip(1) {
            let Some((attributes, rest)) = part.split_once("))") else { continue };
            let Some((head, _)) = rest.split_once('(') else { continue };
            let is_ident = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let plain = head.chars().all(|it| is_ident(it) || " *&".contains(it));
            let name = head.trim().rsplit(|it| !is_ident(it)).next().unwrap_or_default();
            if attributes.contains("device") && plain && !name.is_empty() {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

#[test]
fn each_function_of_the_headers_has_vectors_or_a_reason() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("declared_{}.cu", std::process::id()));
    std::fs::write(&path, "#include <cuda_bf16.h>\n").expect("the folder is cargo's for tests");
    let clang = std::env::var("HEDDLE_CLANG").ok().filter(|it| !it.is_empty());
    let output = Command::new(clang.as_deref().unwrap_or("clang-22"))
        .args(["-E", "-x", "cuda", "--cuda-device-only", "-nocudalib", "-nocudainc"])
        .args(["--cuda-feature=+ptx88", "--cuda-gpu-arch=sm_80", "-Ifrontend/include"])
        .args(["-include", "frontend/include/heddle/device.h"])
        .arg(&path)
        .output()
        .expect("clang 22 is installed");
    let _gone = std::fs::remove_file(&path);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    let declared = declared(&String::from_utf8_lossy(&output.stdout));
    assert!(declared.len() > 700, "{}", declared.len());
    let mut have = BTreeSet::new();
    for row in files().into_iter().flat_map(|it| it.rows) {
        let words = |text: &str| {
            let is_ident = |c: char| c.is_ascii_alphanumeric() || c == '_';
            text.split(move |it| !is_ident(it)).map(str::to_owned).collect::<Vec<_>>()
        };
        have.extend(words(row.code.as_deref().unwrap_or(&row.name)));
    }
    let mut used = BTreeSet::new();
    let mut reason = |name: &str| {
        let patterns = WITHOUT.iter().flat_map(|(_, names)| names.split_whitespace());
        let fits = |it: &&str| match it.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *it,
        };
        let found: Vec<&str> = patterns.filter(fits).collect();
        used.extend(found.iter().copied());
        !found.is_empty()
    };
    let lacking: Vec<&String> =
        declared.iter().filter(|it| !have.contains(*it) && !reason(it)).collect();
    assert!(lacking.is_empty(), "neither vectors nor a reason: {lacking:?}");
    let idle: Vec<&str> = WITHOUT
        .iter()
        .flat_map(|(_, names)| names.split_whitespace())
        .filter(|it| !used.contains(it))
        .collect();
    assert!(idle.is_empty(), "reasons for what is not declared, or has vectors: {idle:?}");
}
