//! Compiles the shim, precompiles the CUDA headers, and links clang and LLVM statically.
//!
//! What is linked here **does** reach the binary that depends on this crate: libraries do, link
//! arguments do not. Such a binary holds one copy of LLVM, so it must not ask for `-lLLVM-22` as
//! well (`frontend/build.rs` says who does), and should be linked with `-no-pie`
//! (`cargo:rustc-link-arg-bins=-no-pie` in its own build script): without it the system has to
//! relocate a hundred megabytes at each start, which is most of what a separate clang costs.

use std::path::{Path, PathBuf};
use std::process::Command;

include!("src/arguments.rs");

macro_rules! names {
    ($($arch:literal),*) => {
        [$($arch),*]
    };
}

fn main() {
    for file in [
        "build.rs",
        "shim.cpp",
        "bodies.cpp",
        "bodies.h",
        "launches.cpp",
        "launches.h",
        "reads.cpp",
        "reads.h",
        "returns.cpp",
        "returns.h",
        "unseen.cpp",
        "unseen.h",
        "src/arguments.rs",
        "../include",
    ] {
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX")
        .map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    let resources = prefix.join("lib/clang/22");
    println!("cargo:rustc-env=HEDDLE_CLANG_RESOURCES={}", resources.display());
    shim(&prefix);
    for arch in precompiled!(names) {
        precompile(&prefix, &resources, arch);
    }
    link(&prefix.join("lib"));
}

fn shim(prefix: &Path) {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .files(["shim.cpp", "bodies.cpp", "launches.cpp", "reads.cpp", "returns.cpp", "unseen.cpp"])
        .include(prefix.join("include"))
        .std("c++17")
        .opt_level(1)
        .debug(false);
    build.flag("-fno-rtti").flag("-fno-exceptions").warnings(false).cargo_warnings(false);
    build.define("HEDDLE_HEADERS", format!("\"{HEADERS}\"").as_str());
    // The archive must come before the libraries that it needs.
    build.compile("heddle_clang_shim");
}

/// Makes a precompiled header whose files have the names that they will have in memory.
fn precompile(prefix: &Path, resources: &Path, arch: &str) {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let include = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../include");
    let overlay = out.join("overlay.yaml");
    let external = include.canonicalize().expect("the headers are part of the repository");
    let yaml = format!(
        "{{ 'version': 0, 'case-sensitive': true, 'use-external-names': false, 'roots': [ {{ 'type': 'directory-remap', \
         'name': '{HEADERS}', 'external-contents': '{}' }} ] }}\n",
        external.display()
    );
    std::fs::write(&overlay, yaml).expect("the output folder can be written");
    let status = Command::new(prefix.join("bin/clang"))
        .arg("-cc1")
        .args(cuda_arguments(arch, &resources.display().to_string()))
        .arg("-ivfsoverlay")
        .arg(&overlay)
        .args(["-emit-pch", "-fno-pch-timestamp", "-x", "cuda", "-o"])
        .arg(out.join(format!("{arch}.pch")))
        .arg(format!("{HEADERS}/heddle/device.h"))
        .status()
        .expect("clang 22 is installed (`make install-deps`)");
    assert!(status.success(), "the built-in CUDA headers do not compile for {arch}");
}

fn link(libraries: &Path) {
    println!("cargo:rustc-link-search=native={}", libraries.display());
    let mut names: Vec<String> = std::fs::read_dir(libraries)
        .expect("llvm-22-dev is installed (`make install-deps`)")
        .filter_map(|entry| {
            Some(
                entry
                    .ok()?
                    .file_name()
                    .to_str()?
                    .strip_prefix("lib")?
                    .strip_suffix(".a")?
                    .to_owned(),
            )
        })
        .filter(|name| wanted(name))
        .collect();
    names.sort();
    assert!(
        names.iter().any(|n| n == "clangFrontend"),
        "libclang-22-dev is needed (`make install-deps`)"
    );
    for name in names {
        println!("cargo:rustc-link-lib=static:-bundle={name}");
    }
    for name in ["z", "zstd"] {
        // Debian's LLVM can compress debug info; the libraries come with it, their `.so` links need
        // not.
        println!("cargo:rustc-link-lib=dylib:+verbatim=lib{name}.so.1");
    }
    println!("cargo:rustc-link-lib=dylib=stdc++");
}

/// All of LLVM (the linker takes what is used), and of clang what a compilation uses.
fn wanted(name: &str) -> bool {
    const CLANG: [&str; 18] = [
        "APINotes",
        "AST",
        "ASTMatchers",
        "Analysis",
        "AnalysisFlowSensitive",
        "AnalysisLifetimeSafety",
        "Basic",
        "CodeGen",
        "Driver",
        "Edit",
        "Frontend",
        "Lex",
        "Options",
        "Parse",
        "Rewrite",
        "Sema",
        "Serialization",
        "Support",
    ];
    match name.strip_prefix("clang") {
        Some(part) => CLANG.contains(&part),
        None => name.starts_with("LLVM") && !name.contains("Polly"),
    }
}
