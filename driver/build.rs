//! Links LLVM into the tests of this crate (`frontend/build.rs` says why each final artefact does
//! so for itself), and takes a hash of all sources that answers depend on, by which the cache knows
//! its own.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    println!("cargo:rerun-if-changed=build.rs");
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX")
        .map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    println!("cargo:rustc-link-arg=-L{}", prefix.join("lib").display());
    println!("cargo:rustc-link-arg=-lLLVM-22");
    sources();
}

/// What an answer goes by: each crate between a source and a report, and the versions of what they
/// use.
const SOURCES: [&str; 17] = [
    "../Cargo.lock",
    "../diagnostics/src",
    "../frontend/clang",
    "../frontend/execute/src",
    "../frontend/include",
    "../frontend/lift/src",
    "../frontend/llvm/src",
    "../frontend/ptx/src",
    "../frontend/src",
    "../interp/semantics/src",
    "../interp/src",
    "../interp/trace/src",
    "../ir/src",
    "../passes/src",
    "../progress/src",
    "../runtime/src",
    "../solver/src",
];

/// Hashes them, and the driver itself, into `HEDDLE_SOURCES`.
fn sources() {
    let mut files = Vec::new();
    for root in SOURCES.into_iter().chain(["src"]) {
        println!("cargo:rerun-if-changed={root}");
        list(Path::new(root), &mut files);
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        hasher.update(file.as_os_str().as_encoded_bytes());
        hasher.update(&std::fs::read(&file).expect("the sources are readable"));
    }
    println!("cargo:rustc-env=HEDDLE_SOURCES={}", hasher.finalize().to_hex());
}

fn list(path: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(path) else { return files.push(path.to_owned()) };
    for entry in entries {
        list(&entry.expect("the sources are readable").path(), files);
    }
}
