//! What an answer depends on, as a hash.
//!
//! **Invariant**: whatever can change a report is in the key. The options are taken apart field by
//! field, so that a new one does not compile until somebody has decided. The kernel goes in as it
//! is, numbers and unused parts included: the solver's search goes by them.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write};
use std::path::Path;

use heddle_diagnostics::SourceMap;
use heddle_passes::launch::LaunchRequest;

use crate::load::Lifted;
use crate::options::{CheckOptions, Replay};
use crate::source::{Source, Unit};

/// This program: its version, and a hash of all sources that it was built from.
const TOOL: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("HEDDLE_SOURCES"));

/// What clang and its driver read beside their command line and files, with what begins with one of
/// [`ENVIRONMENT_BEGINS`].
const ENVIRONMENT: [&str; 25] = [
    "CL",
    "COMPILER_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "CUDA_PATH",
    "C_INCLUDE_PATH",
    "EXTERNAL_INCLUDE",
    "GCC_EXEC_PREFIX",
    "HEDDLE_CLANG",
    "HOME",
    "INCLUDE",
    "LIBRARY_PATH",
    "OBJCPLUS_INCLUDE_PATH",
    "OBJC_INCLUDE_PATH",
    "PATH",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
    "UCRTVersion",
    "UniversalCRTSdkDir",
    "VCINSTALLDIR",
    "VCToolsInstallDir",
    "WindowsSDKVersion",
    "WindowsSdkDir",
    "XDG_CONFIG_HOME",
    "_CL_",
];
/// Variables of clang itself, of its driver, and the targets of systems that it compiles for.
const ENVIRONMENT_BEGINS: [&str; 5] = ["CCC_", "CC_", "CLANG_", "DEFAULT_", "LLVM_"];

/// What of the environment a compilation may depend on.
fn environment() -> Vec<(OsString, OsString)> {
    let is_read = |name: &OsStr| {
        let name = name.to_string_lossy();
        ENVIRONMENT.contains(&name.as_ref())
            || ENVIRONMENT_BEGINS.iter().any(|it| name.starts_with(it))
            || name.ends_with("_DEPLOYMENT_TARGET")
    };
    let mut all: Vec<_> = std::env::vars_os().filter(|(name, _)| is_read(name)).collect();
    all.sort();
    all
}

/// A hasher that text can be written to.
struct Hash(blake3::Hasher);

impl Hash {
    /// Starts with the tool and the folder that display paths are relative to.
    fn of(kind: &str, base: &Path) -> Hash {
        let mut hash = Hash(blake3::Hasher::new());
        hash.part(&kind);
        hash.part(&TOOL);
        hash.part(&base);
        hash
    }

    fn part(&mut self, part: &dyn fmt::Debug) {
        // Writing to a hasher cannot fail.
        let _infallible = write!(self, "{part:?}\0");
    }

    fn finish(self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// The key of one kernel's report under the launch it is checked with.
pub(super) fn of_kernel(
    lifted: &Lifted,
    request: &LaunchRequest,
    options: &CheckOptions,
    map: &SourceMap,
) -> String {
    // The request has what is taken from the launches.
    let Lifted { kernel, source: _, module, fault: _, launches: _, of_source } = lifted;
    let mut hash = Hash::of("kernel", map.base());
    method(&mut hash, options);
    hash.part(&options.limit.units(options.budget.units, *of_source));
    hash.part(request);
    // Places without a line are told by the module. Kernels of a header are the same in each
    // module.
    let placed = |id: heddle_ir::OriginId| kernel[id].span.is_some_and(|span| span.line > 0);
    let all_placed = kernel.ops.values().all(|it| placed(it.origin))
        && kernel.loops.values().all(|it| placed(it.origin))
        && kernel.origins.keys().any(placed);
    if !all_placed {
        hash.part(&map.display_path(*module));
    }
    hash.part(kernel);
    hash.finish()
}

/// The key of one source under all options; the content of its files is looked at apart. `None` for
/// what is no file.
pub(super) fn of_source(
    source: &Source,
    options: &CheckOptions,
    map: &SourceMap,
) -> Option<String> {
    let mut hash = Hash::of("unit", map.base());
    match source {
        Source::File(path) => hash.part(path),
        Source::Text { .. } | Source::Host { .. } => return None,
        Source::Unit(unit) => {
            let Unit { path, shown, language, compile: _, dropped: _ } = &**unit;
            hash.part(&(path, shown, language));
        }
    }
    hash.part(source.compile_options(&options.compile));
    method(&mut hash, options);
    hash.part(&(&options.kernels, options.allow_missing));
    hash.part(&options.launch);
    hash.part(&environment());
    Some(hash.finish())
}

/// A short name for a run over a project under these options, wherever it runs.
pub(super) fn of_run(project: &str, options: &CheckOptions) -> String {
    let mut hash = Hash::of("run", Path::new(""));
    hash.part(&project);
    method(&mut hash, options);
    hash.part(&(&options.kernels, options.allow_missing));
    hash.part(&options.launch);
    hash.finish()[..16].to_owned()
}

fn method(hash: &mut Hash, options: &CheckOptions) {
    let CheckOptions {
        compile: _,
        kernels: _,
        allow_missing: _,
        launch: _,
        benign_is_error,
        budget,
        limit,
        passes,
        also,
        replay,
        warp_sync,
        progress,
        infer,
        // Decisions are about a finished report.
        policy: _,
        // What ran into the limit is not kept.
        max_time: _,
        profile: _,
        // With it nothing is taken from the cache.
        why: _,
        jobs: _,
        cache: _,
    } = options;
    hash.part(&(benign_is_error, budget, limit, passes, also, replay, warp_sync, progress, infer));
}

/// Whether reports depend on nothing but what a key holds. Native replays depend on the machine.
pub(super) fn covers(options: &CheckOptions) -> bool {
    match options.replay {
        Replay::None | Replay::Interpreter => true,
        Replay::Jit => false,
    }
}
