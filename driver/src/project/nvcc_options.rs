//! nvcc's options: how each is written, and what becomes of it in clang's device compilation.
//!
//! Source: "NVIDIA CUDA Compiler Driver NVCC", section "NVCC Command Options", CUDA 13.0 and earlier.
//! Names stand without dashes: nvcc takes long names with one dash as well, and `=` as well as a space before a value.

/// Whether an option has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// None.
    Nothing,
    /// One word, behind `=` or in the next word; for names of one letter also joined.
    Value,
}

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Each value of the list goes behind this option of clang.
    Each(&'static str),
    /// The value goes behind this, in the same word.
    Joined(&'static str),
    /// These words stand for it.
    Becomes(&'static [&'static str]),
    /// `-rdc=true`.
    RelocatableCode,
    /// `-arch`.
    Arch,
    /// `-gencode`.
    GenCode,
    /// `-x`.
    Language,
    /// A file with more options.
    OptionsFile,
    /// Options of the host compiler, which also preprocesses the device side.
    HostOptions,
    /// From here on, options that nvcc does not know are the host compiler's.
    ForwardUnknown,
    /// It goes, for this reason.
    Dropped(&'static str),
}

const OUTPUT: &str = "the output is Heddle's own";
const DEPENDENCIES: &str = "no dependency file is written";
const CODE: &str = "for ptxas, which does not run";
const OPTIMISER: &str = "no optimiser runs before the check";
const LINKING: &str = "nothing is linked";
const WARNINGS: &str = "warnings are the build's to give";
const ROUNDING: &str = "about the rounding of numbers, on which no property depends";
const HOST: &str = "for the host compiler";
const NVCC: &str = "about how nvcc does its work";

/// Names, long first, with their form and effect.
pub(super) const OPTIONS: &[(&[&str], Takes, Effect)] = {
    use Effect::*;
    use Takes::{Nothing, Value};
    &[
        // What the code is.
        (&["define-macro", "D"], Value, Each("-D")),
        (&["undefine-macro", "U"], Value, Each("-U")),
        (&["include-path", "I"], Value, Each("-I")),
        (&["system-include", "isystem"], Value, Each("-isystem")),
        (&["pre-include", "include"], Value, Each("-include")),
        (&["std"], Value, Joined("-std=")),
        (&["ftemplate-depth"], Value, Joined("-ftemplate-depth=")),
        (&["x"], Value, Language),
        (&["expt-relaxed-constexpr"], Nothing, Becomes(&["-D__CUDACC_RELAXED_CONSTEXPR__"])),
        (
            &["extended-lambda", "expt-extended-lambda"],
            Nothing,
            Becomes(&["-D__CUDACC_EXTENDED_LAMBDA__"]),
        ),
        (
            &["extensible-whole-program", "ewp"],
            Nothing,
            Becomes(&["-fgpu-rdc", "-D__CUDACC_EWP__"]),
        ),
        (&["device-debug", "G"], Nothing, Becomes(&["-D__CUDACC_DEBUG__"])),
        (&["use_fast_math"], Nothing, Becomes(&["-D__USE_FAST_MATH__"])),
        (&["relocatable-device-code", "rdc"], Value, RelocatableCode),
        (
            &["device-c", "dc", "device-w", "dw"],
            Nothing,
            Becomes(&["-fgpu-rdc", "-D__CUDACC_RDC__"]),
        ),
        // For which machine.
        (&["gpu-architecture", "arch"], Value, Arch),
        (&["generate-code", "gencode"], Value, GenCode),
        (&["gpu-code", "code"], Value, Dropped("the architecture compiled for is that of `-arch`")),
        (&["machine", "m"], Value, Dropped("all targets have 64 bits")),
        (&["m64"], Nothing, Dropped("all targets have 64 bits")),
        // More options.
        (&["options-file", "optf"], Value, OptionsFile),
        (&["compiler-options", "Xcompiler"], Value, HostOptions),
        (&["forward-unknown-to-host-compiler", "forward-unknown-opts"], Nothing, ForwardUnknown),
        // All else goes.
        (&["output-file", "o", "output-directory", "odir", "keep-dir"], Value, Dropped(OUTPUT)),
        (
            &["objdir-as-tempdir", "objtemp", "keep", "save-temps", "clean-targets"],
            Nothing,
            Dropped(OUTPUT),
        ),
        (
            &[
                "compile",
                "c",
                "link",
                "lib",
                "cuda",
                "fatbin",
                "cubin",
                "ptx",
                "preprocess",
                "E",
                "run",
            ],
            Nothing,
            Dropped(OUTPUT),
        ),
        (&["optix-ir", "ltoir", "device-link", "dlink", "gen-opt-lto"], Nothing, Dropped(OUTPUT)),
        (
            &["dependency-output", "MF", "dependency-target-name", "MT"],
            Value,
            Dropped(DEPENDENCIES),
        ),
        (
            &["generate-dependencies", "M", "generate-nonsystem-dependencies", "MM"],
            Nothing,
            Dropped(DEPENDENCIES),
        ),
        (
            &[
                "generate-dependencies-with-compile",
                "MD",
                "generate-nonsystem-dependencies-with-compile",
                "MMD",
            ],
            Nothing,
            Dropped(DEPENDENCIES),
        ),
        (&["generate-dependency-targets", "MP"], Nothing, Dropped(DEPENDENCIES)),
        (
            &["input-drive-prefix", "idp", "dependency-drive-prefix", "ddp", "drive-prefix", "dp"],
            Value,
            Dropped(DEPENDENCIES),
        ),
        (
            &[
                "library",
                "l",
                "library-path",
                "L",
                "archiver-binary",
                "arbin",
                "cudart",
                "cudadevrt",
            ],
            Value,
            Dropped(LINKING),
        ),
        (
            &[
                "linker-options",
                "Xlinker",
                "archive-options",
                "Xarchive",
                "nvlink-options",
                "Xnvlink",
            ],
            Value,
            Dropped(LINKING),
        ),
        (
            &[
                "host-linker-script",
                "target-directory",
                "target-dir",
                "libdevice-directory",
                "ldir",
            ],
            Value,
            Dropped(LINKING),
        ),
        (
            &[
                "no-device-link",
                "nodlink",
                "shared",
                "augment-host-linker-script",
                "dlink-time-opt",
                "dlto",
                "lto",
                "forward-unknown-to-host-linker",
                "host-relocatable-link",
            ],
            Nothing,
            Dropped(LINKING),
        ),
        (
            &[
                "ptxas-options",
                "Xptxas",
                "entries",
                "e",
                "maxrregcount",
                "jump-table-density",
                "jtd",
                "split-compile",
                "split-compile-extended",
                "device-stack-protector",
                "ofast-compile",
                "Ofc",
            ],
            Value,
            Dropped(CODE),
        ),
        (
            &[
                "generate-line-info",
                "lineinfo",
                "source-in-ptx",
                "src-in-ptx",
                "no-compress",
                "extra-device-vectorization",
                "compile-as-tools-patch",
                "keep-device-functions",
                "relocatable-ptx",
                "disable-optimizer-constants",
                "resource-usage",
                "res-usage",
            ],
            Nothing,
            Dropped(CODE),
        ),
        (
            &[
                "compress-mode",
                "static-global-template-stub",
                "stub",
                "device-entity-has-hidden-visibility",
                "visibility",
            ],
            Value,
            Dropped(CODE),
        ),
        (&["optimize", "O", "dopt", "optimization-info", "opt-info"], Value, Dropped(OPTIMISER)),
        (
            &["restrict"],
            Nothing,
            Dropped("pointer arguments are taken not to overlap, and a proof says so"),
        ),
        (&["debug", "g", "profile", "pg"], Nothing, Dropped(HOST)),
        (&["compiler-bindir", "ccbin"], Value, Dropped(HOST)),
        (
            &[
                "allow-unsupported-compiler",
                "no-exceptions",
                "noeh",
                "no-host-device-initializer-list",
                "nohdinitlist",
                "no-align-double",
                "no-host-device-move-forward",
                "nohdmoveforward",
            ],
            Nothing,
            Dropped(HOST),
        ),
        (&["default-stream"], Value, Dropped(HOST)),
        (&["ftz", "prec-div", "prec-sqrt", "fmad"], Value, Dropped(ROUNDING)),
        (
            &[
                "ftemplate-backtrace-limit",
                "diag-error",
                "diag-suppress",
                "diag-warn",
                "Werror",
                "brief-diagnostics",
                "brief-diag",
            ],
            Value,
            Dropped(WARNINGS),
        ),
        (
            &[
                "disable-warnings",
                "w",
                "Wno-deprecated-gpu-targets",
                "Wno-deprecated-declarations",
                "Wreorder",
                "Wdefault-stream-launch",
                "Wmissing-launch-bounds",
                "Wext-lambda-captures-this",
                "display-error-number",
                "no-display-error-number",
                "err-no",
                "suppress-stack-size-warning",
                "suppress-debug-info",
                "pedantic-errors",
            ],
            Nothing,
            Dropped(WARNINGS),
        ),
        (
            &[
                "threads",
                "t",
                "time",
                "run-args",
                "frandom-seed",
                "fdevice-time-trace",
                "jobserver",
            ],
            Value,
            Dropped(NVCC),
        ),
        (
            &[
                "dryrun",
                "verbose",
                "v",
                "dont-use-profile",
                "noprof",
                "use-local-env",
                "fdevice-syntax-only",
                "list-gpu-code",
                "list-gpu-arch",
                "device-int128",
            ],
            Nothing,
            Dropped(NVCC),
        ),
    ]
};

/// The row of an option, by a name without dashes.
pub(super) fn row(name: &str) -> Option<(Takes, Effect)> {
    OPTIONS
        .iter()
        .find(|(names, ..)| names.contains(&name))
        .map(|(_, takes, effect)| (*takes, *effect))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_row() {
        let mut names: Vec<_> = OPTIONS.iter().flat_map(|(names, ..)| names.iter()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
