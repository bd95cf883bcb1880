//! Links LLVM into the binary, the tests and the benchmarks of this package (`frontend/build.rs`
//! says why each final artefact does so for itself).

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    println!("cargo:rerun-if-changed=build.rs");
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX")
        .map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    println!("cargo:rustc-link-arg=-L{}", prefix.join("lib").display());
    println!("cargo:rustc-link-arg=-lLLVM-22");
    // The binary holds clang and LLVM; at fixed addresses the system need not relocate them at each
    // start.
    println!("cargo:rustc-link-arg-bins=-no-pie");
}
