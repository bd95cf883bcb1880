//! Flags that clang wants where `nvcc` wants none.
//!
//! - Kernels that start kernels: `-fgpu-rdc`.
//! - Code of the other side: a host's function that calls what is for the device alone in the
//!   device's compilation, as under `#ifdef __CUDA_ARCH__`. It is not part of what is compiled, and
//!   with `-fgpu-defer-diag` clang says so only where it is.
//! - A macro `min` or `max`, and a header of the C++ library after it: `nvcc` has read what these
//!   macros break before the file, as `-include cmath` does.
//!
//! - Code of C++20, where no option names an edition: concepts, and names of the library that it
//!   brought; a negative number that is shifted left in a constant, which any edition takes there.
//! - A function of the source's own that has the name of one that clang has: it gets another one.
//! - A name of the C++ library that `nvcc` has read before the file, as `std::exchange`:
//!   `-include utility`.
//! - Functions of Microsoft's C library, as `fopen_s`: `-include heddle/microsoft.h`.
//! - OpenCL C without a type, as `__global * p`: `int` is meant, as in C before C99. And a pointer
//!   that is set to one of another type, or to a number, which other compilers only warn about.
//! - `extern __shared__ S s;` of a structure: `-fgpu-rdc`, with which clang takes it, too.
//! - `typedef unsigned long long uint64_t;` of a source that includes nothing, as those for NVRTC:
//!   the built-in headers leave that name to it.
//!
//! **Promises**: without such an error nothing is added, and where the flag does not help the first
//! error is shown.

use std::ffi::OsString;

use super::headers::OWN_INTEGER;
use super::{Compiled, Compiler, Request, dialect};
use crate::InputError;

/// Code of several files.
const RELOCATABLE: &str = "-fgpu-rdc";

/// Errors in functions that are not compiled are none.
const DEFERRED: &str = "-fgpu-defer-diag";

/// What `nvcc` has read of the C++ library before a file begins.
const LIBRARY: [&str; 2] = ["-include", "cmath"];
const UTILITY: [&str; 2] = ["-include", "utility"];

/// Functions of Microsoft's C library, and the built-in header that declares them.
const MICROSOFT: [&str; 2] = ["-include", "heddle/microsoft.h"];
const OF_MICROSOFT: [&str; 12] = [
    "_countof",
    "fopen_s",
    "printf_s",
    "scanf_s",
    "fprintf_s",
    "fscanf_s",
    "sscanf_s",
    "sprintf_s",
    "strcpy_s",
    "strcat_s",
    "memcpy_s",
    "localtime_s",
];

/// A type that is left out is `int`, and pointers are converted.
const OLDER: [&str; 3] = [
    "-Wno-error=implicit-int",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=int-conversion",
];

/// The edition that a build most often asks for beside the compiler's own.
const NEWER: &str = "-std=c++20";

/// The built-in header with names of integers, and the note of clang on a second definition.
const INTEGERS: &str = "heddle/libc.h:";
const EARLIER: &str = " note: previous definition is here";

/// Functions that clang has without a header, under another name.
const OWN: [&str; 1] = ["-D__rdtsc=heddle_own_rdtsc"];

/// Compiles a source, with the flag that it needs.
///
/// # Errors
/// Those of the compiler for the source as it stands.
pub(super) fn compile(
    request: &Request<'_>,
    compiler: &dyn Compiler,
) -> Result<Compiled, InputError> {
    type Wanted = fn(&str) -> bool;
    const FLAGS: [(&[&str], Wanted); 9] = [
        (&OWN, defines_builtin),
        (&[NEWER], is_newer),
        (&[RELOCATABLE], starts_kernels),
        (&[RELOCATABLE], has_external_shared),
        (&[DEFERRED], calls_other_side),
        (&LIBRARY, is_in_library),
        (&UTILITY, is_in_utility),
        (&MICROSOFT, calls_microsofts),
        (&OLDER, is_older),
    ];
    let mut last = dialect::compile(request, compiler);
    let mut options = request.options.clone();
    // A name may be defined by means of another one, which is reported first.
    while let Err(error) = &last {
        let own = own_integers(&error.output);
        if own.is_empty() || own.iter().any(|it| options.clang_args.contains(it)) {
            break;
        }
        options.clang_args.extend(own);
        last = dialect::compile(&Request { options: &options, ..*request }, compiler);
    }
    let mut left = FLAGS.to_vec();
    if options.clang_args.iter().any(|it| it.to_string_lossy().contains("std=")) {
        left.retain(|(flags, _)| *flags != [NEWER]);
    }
    while let Err(error) = &last {
        let Some(at) = left.iter().position(|(_, is_wanted)| is_wanted(&error.output)) else {
            break;
        };
        let (flags, is_wanted) = left.remove(at);
        let before = options.clang_args.len();
        options.clang_args.extend(flags.iter().map(OsString::from));
        let again = dialect::compile(&Request { options: &options, ..*request }, compiler);
        if again.as_ref().is_err_and(|error| is_wanted(&error.output)) {
            options.clang_args.truncate(before);
        } else {
            last = again;
        }
    }
    last
}

/// Whether the one thing that clang misses is the flag for code of several files.
fn starts_kernels(output: &str) -> bool {
    let mut errors = output.lines().filter(|line| line.contains(" error: "));
    let first = errors.next().is_some_and(|line| line.contains(RELOCATABLE));
    first && errors.all(|line| line.contains(RELOCATABLE))
}

/// Whether a variable in dynamic shared memory is no array.
fn has_external_shared(output: &str) -> bool {
    let of = |line: &str| line.contains(" error: __shared__ variable '");
    output.lines().any(|line| of(line) && line.ends_with("' cannot be 'extern'"))
}

/// The macros with which the built-in headers leave names of integers to a source that defines
/// these otherwise: the notes of clang show where ours are.
fn own_integers(output: &str) -> Vec<OsString> {
    let is_ours = |line: &str| line.contains(INTEGERS) && line.ends_with(EARLIER);
    let shown = output.lines().zip(output.lines().skip(1)).filter(|(note, _)| is_ours(note));
    let names = shown.filter_map(|(_, text)| text.trim_end().strip_suffix(';')?.rsplit(' ').next());
    let mut names: Vec<_> = names.filter(|it| it.ends_with("_t")).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|it| format!("-D{OWN_INTEGER}{it}").into()).collect()
}

/// Whether a function calls one of the other side.
fn calls_other_side(output: &str) -> bool {
    const SIDES: [&str; 2] = ["__device__ function", "__host__ function"];
    let of_both = |line: &str| SIDES.iter().all(|it| line.contains(it));
    output.lines().any(|line| line.contains(" to __") && of_both(line))
}

/// Whether the first error is in a header of the C++ library.
fn is_in_library(output: &str) -> bool {
    let first = output.lines().find(|line| line.contains(" error: "));
    first.is_some_and(|line| line.split(':').next().is_some_and(|path| path.contains("/c++/")))
}

/// Whether a name is missed that `<utility>` has.
fn is_in_utility(output: &str) -> bool {
    const NAMES: [&str; 2] = ["exchange", "as_const"];
    let missed = NAMES.map(|name| format!(" error: no member named '{name}' in namespace 'std'"));
    output.lines().any(|line| missed.iter().any(|it| line.contains(it)))
}

/// Whether a function of Microsoft's C library is missed.
fn calls_microsofts(output: &str) -> bool {
    let missed = OF_MICROSOFT.map(|name| format!(" error: use of undeclared identifier '{name}'"));
    output.lines().any(|line| missed.iter().any(|it| line.contains(it)))
}

/// Whether all that clang misses are types that C before C99 lets be left out, and conversions of
/// pointers.
fn is_older(output: &str) -> bool {
    const KINDS: [&str; 3] =
        ["[-Wimplicit-int]", "[-Wincompatible-pointer-types]", "[-Wint-conversion]"];
    let mut errors = output.lines().filter(|line| line.contains(" error: ")).peekable();
    errors.peek().is_some() && errors.all(|line| KINDS.iter().any(|it| line.ends_with(it)))
}

/// Whether a source defines a function that clang has.
fn defines_builtin(output: &str) -> bool {
    output.lines().any(|line| line.contains(" note: '__rdtsc' is a builtin with type"))
}

/// Whether a word is missed that C++20 has: one of the language, or one of the library. Or what it
/// takes in a constant.
fn is_newer(output: &str) -> bool {
    // A header of the newer library alone is empty in the older one, and declares no `std`.
    const WORDS: [&str; 6] =
        ["'concept'", "'requires'", "'consteval'", "'constinit'", "'std'", "'std::ranges'"];
    if output.lines().any(|line| line.contains(" note: left shift of negative value")) {
        return true;
    }
    let mut errors = output.lines().filter(|line| line.contains(" error: "));
    errors.any(|line| WORDS.iter().any(|it| line.contains(it)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_the_other_side_are_known_by_clangs_words() {
        for line in [
            "x.h:64:28: note: candidate function not viable: call to __device__ function from __host__ function",
            "k.cu:3:5: error: reference to __device__ function 'f' in __host__ function",
        ] {
            assert!(calls_other_side(line), "{line}");
        }
        assert!(!calls_other_side("k.cu:3:5: error: no matching function for call to 'f'"));
    }

    #[test]
    fn functions_of_microsofts_library_are_known_where_they_are_missed() {
        let missed =
            "k.cu:3:3: error: use of undeclared identifier 'fopen_s'; did you mean 'fopen'?";
        assert!(calls_microsofts(missed));
        assert!(!calls_microsofts(&missed.replace("fopen_s'", "fopen_sz'")));
    }

    #[test]
    fn types_that_are_left_out_are_all_that_is_missed() {
        let missed = "k.cl:1:9: error: type specifier missing, defaults to 'int' [-Wimplicit-int]";
        let pointer = "k.cl:1:9: error: incompatible pointer types [-Wincompatible-pointer-types]";
        assert!(is_older(&format!("{missed}\n{pointer}")) && !is_older(""));
        assert!(!is_older(&format!("{missed}\nk.cl:2:1: error: unknown type name 'T'")));
        let exchange = "k.cu:3:6: error: no member named 'exchange' in namespace 'std'; did you";
        assert!(is_in_utility(exchange) && !is_in_utility(&exchange.replace("std", "a")));
    }

    #[test]
    fn names_of_integers_are_read_from_clangs_notes() {
        let output = "k.cu:2:28: error: typedef redefinition with different types\n\
                      /heddle-include/heddle/libc.h:121:25: note: previous definition is here\n  \
                      121 | typedef __UINT64_TYPE__ uint64_t;\n      |            ^\n";
        let own = own_integers(output);
        assert_eq!(own, [OsString::from("-DHEDDLE_OWN_uint64_t")]);
        assert!(own_integers(&output.replace("/heddle-include/heddle", "/usr/include")).is_empty());
    }

    #[test]
    fn a_newer_edition_is_known_by_what_is_missed() {
        for line in [
            "x.h:3:1: error: unknown type name 'concept'",
            "x.h:3:15: error: no type named 'integral' in namespace 'std'",
            "k.cu:4:31: note: left shift of negative value -1",
        ] {
            assert!(is_newer(line), "{line}");
        }
        assert!(!is_newer("k.cu:3:5: error: no member named 'x' in 'std::vector<int>'"));
        assert!(!is_newer("k.cu:3:5: warning: 'concept' is a keyword of C++20"));
    }
}
