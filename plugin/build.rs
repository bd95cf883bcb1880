//! Compiles the shim against LLVM's headers.
//!
//! Nothing of LLVM is linked: the symbols are those of the process that loads the plugin, and a
//! second copy of LLVM in it would break both. The unit tests of this crate run in no such process,
//! so they alone get the shared library.

use std::path::PathBuf;

fn main() {
    for file in ["build.rs", "shim.cpp"] {
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX")
        .map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    let header = prefix.join("include/llvm/Plugins/PassPlugin.h");
    assert!(
        header.exists(),
        "{} is missing: install llvm-22-dev (`make install-deps`), or set LLVM_SYS_221_PREFIX",
        header.display()
    );
    let mut shim = cc::Build::new();
    shim.cpp(true).file("shim.cpp").include(prefix.join("include")).std("c++17").opt_level(1);
    shim.flag("-fno-rtti").flag("-fno-exceptions").flag("-fvisibility=hidden");
    // LLVM's headers warn under the flags that cc would add.
    shim.debug(false).warnings(false).cargo_warnings(false).compile("heddle_plugin_shim");
}
