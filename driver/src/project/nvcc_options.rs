//! nvcc's options: how each is written, and what becomes of it in clang's device compilation.
//!
//! Source: `nvcc --help` of CUDA 13.5, "NVIDIA CUDA Compiler Driver NVCC" for earlier ones, and for
//! what options mean to the device side the commands that `nvcc --dryrun` prints. Names stand
//! without dashes: nvcc wants one before a short name and two before a long one; no name means two
//! things, so the number is not looked at.
//!
//! **Promises**: each name of `nvcc --help` has a row, with its form (a test holds it). An option
//! that changes what the device side is compiled from has an effect or is an error; what is
//! [`Effect::Dropped`] changes no answer.

/// Whether an option has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// None.
    Nothing,
    /// One word, after `=` or in the next word; for names of one letter also joined.
    Value,
}

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Each value of the list goes after this option of clang.
    Each(&'static str),
    /// The value goes after this, in the same word.
    Joined(&'static str),
    /// These words stand for it.
    Becomes(&'static [&'static str]),
    /// These words stand for it if it has this value.
    If(&'static str, &'static [&'static str]),
    /// `-m`: there is but one width.
    Machine,
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
    /// Clang has nothing like it, and the code means something else without: an error, with the way
    /// out.
    Refused(&'static str),
}

const OUTPUT: &str = "the output is Heddle's own";
const DEPENDENCIES: &str = "no dependency file is written";
const CODE: &str = "for ptxas, which does not run";
const OPTIMISER: &str = "no optimiser runs before the check";
const LINKING: &str = "nothing is linked";
const WARNINGS: &str = "warnings are the build's to give";
const ROUNDING: &str = "about the rounding of numbers, on which no property depends";
const HOST: &str = "for the host compiler";
/// Why code for tiles is refused.
const TILES: &str =
    "clang does not compile CUDA Tile; name the other files of the project after `-p`";
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
        (
            &["relocatable-device-code", "rdc"],
            Value,
            If("true", &["-fgpu-rdc", "-D__CUDACC_RDC__"]),
        ),
        (&["device-c", "dc"], Nothing, Becomes(&["-fgpu-rdc", "-D__CUDACC_RDC__"])),
        (&["default-stream"], Value, If("per-thread", &["-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"])),
        (&["safety-compatibility", "safety-compat"], Nothing, Becomes(&["-D__NV_LEGACY_LAUNCH"])),
        (&["stdlib"], Value, Joined("-stdlib=")),
        (
            &["enable-tile", "tile-only", "tilebc", "tilecubin", "tilefatbin"],
            Nothing,
            Refused(TILES),
        ),
        // For which machine.
        (&["gpu-architecture", "arch"], Value, Arch),
        (&["generate-code", "gencode"], Value, GenCode),
        (&["gpu-code", "code"], Value, Dropped("the architecture compiled for is that of `-arch`")),
        (&["machine", "m"], Value, Machine),
        (
            &["m32"],
            Nothing,
            Refused("code of 32 bits is not compiled; build with `-m64`, as all nvcc since 12 do"),
        ),
        (&["m64"], Nothing, Dropped("all targets have 64 bits")),
        // More options.
        (&["options-file", "optf"], Value, OptionsFile),
        (&["compiler-options", "Xcompiler"], Value, HostOptions),
        (&["forward-unknown-to-host-compiler", "forward-unknown-opts"], Nothing, ForwardUnknown),
        // All else goes.
        (&["output-file", "o", "output-directory", "odir", "keep-dir"], Value, Dropped(OUTPUT)),
        (
            &["objdir-as-tempdir", "objtemp", "keep", "save-temps", "clean-targets", "clean"],
            Nothing,
            Dropped(OUTPUT),
        ),
        (
            &[
                "compile",
                "c",
                "device-w",
                "dw",
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
        (
            &["optix-ir", "ltoir", "device-link", "dlink", "gen-opt-lto", "concat"],
            Nothing,
            Dropped(OUTPUT),
        ),
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
                "nvprune-options",
                "Xnvprune",
            ],
            Value,
            Dropped(LINKING),
        ),
        (
            &[
                "host-linker-script",
                "hls",
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
                "aug-hls",
                "dlink-time-opt",
                "dlto",
                "lto",
                "forward-unknown-to-host-linker",
                "relocatable-link",
                "r",
                "prune",
            ],
            Nothing,
            Dropped(LINKING),
        ),
        (
            &[
                "cicc-options",
                "Xcicc",
                "fatbin-options",
                "Xfatbin",
                "tileiras-options",
                "Xtileiras",
                "tile-preview",
                "apply-controls",
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
                "Ofast-compile",
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
                "astoolspatch",
                "simt-only",
                "skip-ptx-semantics-check",
                "keep-device-functions",
                "relocatable-ptx",
                "reloc-ptx",
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
                "device-entity-has-hidden-visibility",
            ],
            Value,
            Dropped(CODE),
        ),
        (&["optimize", "O", "dopt", "optimization-info", "opt-info"], Value, Dropped(OPTIMISER)),
        (&["use_fast_math"], Nothing, Dropped(ROUNDING)),
        (&["fdevice-sanitize"], Value, Dropped("instrumentation comes after the check")),
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
                "utf-8",
            ],
            Nothing,
            Dropped(HOST),
        ),
        (&["ftz", "prec-div", "prec-sqrt", "fmad"], Value, Dropped(ROUNDING)),
        (
            &[
                "cudafe-options",
                "Xcudafe",
                "ftemplate-backtrace-limit",
                "fmax-errors",
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
                "no-err-no",
                "Wconversion",
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
                "fdevice-time-trace-granularity",
            ],
            Value,
            Dropped(NVCC),
        ),
        (
            &[
                "dryrun",
                "verbose",
                "v",
                "verbose2",
                "v2",
                "jobserver",
                "qpp-config",
                "force-cl-env-setup",
                "dont-use-profile",
                "noprof",
                "use-local-env",
                "fdevice-syntax-only",
                "list-gpu-code",
                "code-ls",
                "list-gpu-arch",
                "arch-ls",
                "help",
                "h",
                "version",
                "V",
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

    /// Each name of `nvcc --help` of CUDA 13.5; `=` where it has a value. (Of `-MF` the help does
    /// not say that it has one.)
    const HELP: &str = "\
        cuda cubin fatbin ptx optix-ir ltoir enable-tile tile-preview= tile-only simt-only tilebc tilecubin \
        tilefatbin tileiras-options= Xtileiras= preprocess E generate-dependencies M \
        generate-nonsystem-dependencies MM generate-dependencies-with-compile MD \
        generate-nonsystem-dependencies-with-compile MMD dependency-output= MF= generate-dependency-targets MP \
        compile c device-c dc device-w dw device-link dlink link lib run output-file= o= pre-include= \
        include= objdir-as-tempdir objtemp library= l= define-macro= D= undefine-macro= U= include-path= I= \
        system-include= isystem= library-path= L= output-directory= odir= compiler-bindir= ccbin= \
        allow-unsupported-compiler archiver-binary= arbin= cudart= cudadevrt= libdevice-directory= ldir= \
        target-directory= target-dir= use-local-env force-cl-env-setup profile pg debug g device-debug G \
        generate-line-info lineinfo optimization-info= opt-info= optimize= O= Ofast-compile= Ofc= dopt= \
        dlink-time-opt dlto lto gen-opt-lto ftemplate-backtrace-limit= ftemplate-depth= no-exceptions noeh \
        shared x= std= stdlib= no-host-device-initializer-list nohdinitlist no-host-device-move-forward \
        nohdmoveforward expt-relaxed-constexpr extended-lambda expt-extended-lambda machine= m= m64 \
        apply-controls= compiler-options= Xcompiler= linker-options= Xlinker= archive-options= Xarchive= \
        ptxas-options= Xptxas= nvlink-options= Xnvlink= nvprune-options= Xnvprune= \
        static-global-template-stub= device-entity-has-hidden-visibility= forward-unknown-to-host-compiler \
        forward-unknown-to-host-linker forward-unknown-opts dont-use-profile noprof dryrun verbose v \
        verbose2 v2 threads= t= fmax-errors= split-compile= split-compile-extended= fdevice-syntax-only \
        fdevice-time-trace= fdevice-time-trace-granularity= keep keep-dir= save-temps clean-targets clean \
        time= run-args= input-drive-prefix= idp= dependency-drive-prefix= ddp= drive-prefix= dp= \
        dependency-target-name= MT= no-align-double no-device-link nodlink gpu-architecture= arch= gpu-code= \
        code= generate-code= gencode= relocatable-device-code= rdc= entries= e= maxrregcount= use_fast_math \
        ftz= prec-div= prec-sqrt= fmad= extra-device-vectorization prune default-stream= disable-warnings w \
        keep-device-functions source-in-ptx src-in-ptx restrict Wreorder Wdefault-stream-launch \
        Wmissing-launch-bounds Wext-lambda-captures-this Wno-deprecated-declarations \
        Wno-deprecated-gpu-targets Wconversion Werror= resource-usage res-usage extensible-whole-program ewp \
        no-compress qpp-config compile-as-tools-patch astoolspatch list-gpu-code code-ls list-gpu-arch \
        arch-ls display-error-number err-no no-display-error-number no-err-no diag-error= diag-suppress= \
        diag-warn= host-linker-script= hls= augment-host-linker-script aug-hls relocatable-link r \
        brief-diagnostics= brief-diag= jump-table-density= jtd= relocatable-ptx reloc-ptx \
        device-stack-protector= compress-mode= concat frandom-seed= fdevice-sanitize= jobserver \
        skip-ptx-semantics-check utf-8 safety-compatibility safety-compat help h version V options-file= \
        optf=";

    #[test]
    fn each_name_of_the_help_has_a_row_of_its_form() {
        for word in HELP.split_whitespace() {
            let name = word.trim_end_matches('=');
            let takes = if name == word { Takes::Nothing } else { Takes::Value };
            let found = row(name).map(|(takes, _)| takes);
            assert_eq!(found, Some(takes), "`{name}`: write its row as nvcc's help has it");
        }
    }

    #[test]
    fn each_name_has_one_row() {
        let mut names: Vec<_> = OPTIONS.iter().flat_map(|(names, ..)| names.iter()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
