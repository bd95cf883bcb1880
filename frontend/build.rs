//! Links LLVM into the test binaries of this crate and of those in its folder that name LLVM.
//!
//! No crate of this workspace links LLVM as a library: all use the feature `no-llvm-linking`,
//! because features unify over a build and the plugin must link no LLVM at all (it lives in a
//! process that has one). So **each final artefact links for itself**, in a build script of its
//! own, which has to print the two lines below; what a build script prints as `rustc-link-arg` does
//! not reach the packages that depend on it.
//!
//! ```text
//! cargo:rustc-link-arg=-L<prefix>/lib      prefix: $LLVM_SYS_221_PREFIX, /usr/lib/llvm-22 in .cargo/config.toml
//! cargo:rustc-link-arg=-lLLVM-22           the shared library: half a megabyte of our own instead of a hundred
//! ```
//!
//! The plugin prints neither. A binary that depends on `heddle-clang` (frontend/clang) gets LLVM
//! from there, statically, together with clang; if it prints the two lines all the same, the linker
//! leaves the unneeded library out.

use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX")
        .map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    let libraries = prefix.join("lib");
    if !libraries.join("libLLVM-22.so").exists() {
        println!(
            "cargo:warning=no libLLVM-22.so in {}: install llvm-22-dev, or set LLVM_SYS_221_PREFIX",
            libraries.display()
        );
    }
    println!("cargo:rustc-link-arg=-L{}", libraries.display());
    println!("cargo:rustc-link-arg=-lLLVM-22");
}
