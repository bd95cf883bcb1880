//! Runs the compilers, with the plugin or without; and: each of them shows a finding, at its place.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a compiler printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Beside this test, where cargo put it just before.
pub(crate) fn plugin() -> PathBuf {
    let test = std::env::current_exe().expect("this test has a path");
    let plugin = test.with_file_name("libheddle.so");
    assert!(plugin.exists(), "{} is missing: cargo builds it with this test", plugin.display());
    plugin
}

/// A folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugin").join(name);
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

pub(crate) fn run(program: &str, arguments: &[&str]) -> Ran {
    let mut command = Command::new(program);
    // The backtrace of a panic that a test asks for says nothing.
    command.args(arguments).env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}; `make install-deps` installs it"));
    Ran {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// clang's arguments for CUDA without a toolkit.
fn cuda() -> Vec<String> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("frontend/include");
    let device = include.join("heddle/device.h");
    let fixed = ["-x", "cuda", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib"];
    let mut arguments: Vec<String> = fixed.map(str::to_owned).into();
    arguments.extend(
        [
            "-Wno-unknown-cuda-version",
            "-Wno-unused-command-line-argument",
            "--cuda-feature=+ptx88",
            "-idirafter",
        ]
        .map(str::to_owned),
    );
    arguments.extend([
        include.display().to_string(),
        "-include".to_owned(),
        device.display().to_string(),
    ]);
    arguments
}

/// clang on a CUDA file, with these arguments beside those for CUDA.
pub(crate) fn clang(arguments: &[&str]) -> Ran {
    let cuda = cuda();
    let all: Vec<&str> = cuda.iter().map(String::as_str).chain(arguments.iter().copied()).collect();
    run("clang-22", &all)
}

/// The device side with the plugin, to PTX in `out`; `-mllvm` goes before each of `options`.
pub(crate) fn device(source: &str, out: &Path, arguments: &[&str], options: &[&str]) -> Ran {
    let plugin = format!("-fpass-plugin={}", plugin().display());
    let out = out.display().to_string();
    let mut all = vec!["--cuda-device-only", "-S", "-o", &out, &plugin];
    all.extend(arguments);
    for option in options {
        all.extend(["-mllvm", option]);
    }
    all.push(source);
    clang(&all)
}

/// The device side's IR as clang hands it to the optimiser, with debug info.
pub(crate) fn device_ir(source: &str, name: &str) -> String {
    let out = folder(name).join("module.ll").display().to_string();
    let flags =
        ["--cuda-device-only", "-O1", "-g", "-Xclang", "-disable-llvm-passes", "-emit-llvm"];
    let ran = clang(&[flags.as_slice(), &["-S", "-o", &out, source]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    out
}

/// opt with the plugin; the module goes nowhere.
pub(crate) fn opt(input: &str, pipeline: &str, arguments: &[&str]) -> Ran {
    let plugin = format!("-load-pass-plugin={}", plugin().display());
    let pipeline = format!("-passes={pipeline}");
    let mut all = vec![plugin.as_str(), &pipeline, "-disable-output"];
    all.extend(arguments);
    all.push(input);
    run("opt-22", &all)
}

/// A kernel with a race between the lines 8 and 10.
pub(crate) const RACE: &str = "tests/demo/neighbour.cu";
/// A kernel proved for each launch.
pub(crate) const PROVED: &str = "tests/kernels/exchange/proved_reuse_after_barrier.cu";

#[test]
fn clang_fails_at_the_race_at_each_level_of_optimisation() {
    let out = folder("levels").join("out.s");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let _old = std::fs::remove_file(&out);
        let ran = device(RACE, &out, &[level, "-g"], &[]);
        assert_eq!(ran.code, Some(1), "{level}: {}", ran.err);
        assert!(
            ran.err.contains("tests/demo/neighbour.cu:8:11: error: HD0101: "),
            "{level}: {}",
            ran.err
        );
        assert!(ran.err.contains("(2) read of `slot["), "{level}: {}", ran.err);
        assert!(ran.err.contains("at tests/demo/neighbour.cu:10:15"), "{level}: {}", ran.err);
        assert!(!out.exists(), "{level}: a failed compilation leaves no output");
    }
}

#[test]
fn without_debug_info_clang_shows_the_kernel() {
    let out = folder("bare").join("out.s");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let ran = device(RACE, &out, &[level], &[]);
        assert_eq!(ran.code, Some(1), "{level}: {}", ran.err);
        assert!(
            ran.err.contains("tests/demo/neighbour.cu:4:17: error: HD0101: "),
            "{level}: {}",
            ran.err
        );
        assert!(ran.err.contains("-gline-tables-only"), "{level}: {}", ran.err);
    }
    // Asking for the remarks makes clang keep lines and columns.
    let ran = device(RACE, &out, &["-O2", "-Rpass-analysis=heddle"], &[]);
    assert!(
        ran.code == Some(1) && ran.err.contains("neighbour.cu:8:11: error: HD0101: "),
        "{}",
        ran.err
    );
}

#[test]
fn opt_and_llc_fail_at_the_race_too() {
    let ir = device_ir(RACE, "race");
    for pipeline in ["heddle", "heddle<races,launch=256>", "default<O2>", "function(sroa),heddle"] {
        let ran = opt(&ir, pipeline, &[]);
        assert_eq!(ran.code, Some(1), "{pipeline}: {}", ran.err);
        assert!(
            ran.err.contains("error: tests/demo/neighbour.cu:8:11: in function _Z9neighbourPii"),
            "{pipeline}: {}",
            ran.err
        );
        assert!(ran.err.contains("HD0101: "), "{pipeline}: {}", ran.err);
    }
    let load = format!("-load-pass-plugin={}", plugin().display());
    let ran = run("llc-22", &[&load, &ir, "-o", "/dev/null"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(
        ran.err.contains("tests/demo/neighbour.cu:8:11:") && ran.err.contains("HD0101: "),
        "{}",
        ran.err
    );
}

#[test]
fn a_proved_kernel_compiles_in_silence() {
    let folder = folder("proved");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let ran = device(PROVED, &folder.join("out.s"), &[level], &[]);
        assert!(
            ran.code == Some(0) && ran.err.is_empty() && ran.out.is_empty(),
            "{level}: {ran:?}"
        );
    }
    let ir = device_ir(PROVED, "proved");
    let ran = opt(&ir, "heddle", &[]);
    assert!(ran.code == Some(0) && ran.err.is_empty() && ran.out.is_empty(), "{ran:?}");
    let load = format!("-load-pass-plugin={}", plugin().display());
    let ran = run("llc-22", &[&load, &ir, "-o", "/dev/null"]);
    assert!(ran.code == Some(0) && ran.err.is_empty() && ran.out.is_empty(), "{ran:?}");
}

#[test]
fn opencl_for_spirv_is_checked_too() {
    let plugin = format!("-fpass-plugin={}", plugin().display());
    let folder = folder("opencl");
    let source = folder.join("k.cl").display().to_string();
    let race = "kernel void k(global int *out, local int *s) {\n  s[get_local_id(0)] = 1;\n  out[get_global_id(0)] = s[get_local_id(0) ^ 1];\n}\n";
    std::fs::write(&source, race).expect("the folder can be written");
    let out = folder.join("k.bc").display().to_string();
    let fixed =
        ["-x", "cl", "-cl-std=CL1.2", "-target", "spirv64", "-O1", "-g", "-emit-llvm", "-c"];
    let ran = run("clang-22", &[fixed.as_slice(), &[&plugin, "-o", &out, &source]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("k.cl:2:22: error: HD010"), "{}", ran.err);
}
