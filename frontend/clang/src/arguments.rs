// Arguments for clang's compiler proper (`clang -cc1`), as its driver would make them for a kernel
// file.
//
// Included by the library and by the build script: the precompiled header is only good for the
// arguments that it was made with.

/// Where the built-in headers stand, in memory.
const HEADERS: &str = "/heddle-include";

/// The architectures with a precompiled header, given to the macro `$each`; files for others read
/// the header as text.
macro_rules! precompiled {
    ($each:ident) => {
        $each!("sm_70", "sm_75", "sm_80", "sm_86", "sm_90")
    };
}

/// What the language, the target and the debug info depend on.
fn cuda_arguments(arch: &str, resources: &str) -> Vec<String> {
    let aux = if cfg!(target_arch = "aarch64") { "aarch64-unknown-linux-gnu" } else { "x86_64-pc-linux-gnu" };
    let digits = arch.trim_start_matches("sm_").trim_end_matches(['a', 'f']);
    let architecture_list = format!("-D__CUDA_ARCH_LIST__={digits}0");
    let mut arguments = vec!["-triple", "nvptx64-nvidia-cuda", "-aux-triple", aux, "-target-cpu", arch];
    arguments.extend(["-target-feature", "+ptx88", "-fcuda-is-device", "-fno-threadsafe-statics"]);
    arguments.extend(["-mrelocation-model", "static", "-mframe-pointer=all", "-fno-autolink"]);
    arguments.extend(["-fcxx-exceptions", "-fexceptions", "-fdeprecated-macro", "-fgnuc-version=4.2.1"]);
    arguments.extend(["-fskip-odr-check-in-gmf", &architecture_list]);
    arguments.extend(["-Wno-register", "-Wno-c++11-narrowing"]);
    arguments.extend(["-Wno-reserved-user-defined-literal"]);
    arguments.extend(["-Wno-missing-template-arg-list-after-template-kw"]);
    let wrappers = format!("{resources}/include/cuda_wrappers");
    arguments.extend(["-internal-isystem", &wrappers]);
    let mut arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    arguments.extend(common_arguments(resources));
    arguments
}

/// What all languages share: no pass runs, names and full debug info stay.
fn common_arguments(resources: &str) -> Vec<String> {
    // As in `frontend/src/compile/clang.rs`.
    let mut arguments = vec!["-fno-strict-return"];
    arguments.extend(["-O1", "-disable-llvm-passes", "-disable-llvm-verifier", "-disable-free"]);
    arguments.extend(["-debug-info-kind=limited", "-dwarf-version=2", "-debugger-tuning=gdb", "-ferror-limit", "19"]);
    arguments.extend(["-resource-dir", resources, "-D__HEDDLE_CONTRACTS__"]);
    arguments.into_iter().map(str::to_owned).collect()
}
