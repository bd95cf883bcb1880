//! Compiles the device library (`device/`) to bitcode for NVPTX, with clang alone: no CUDA is
//! needed.
//!
//! The bitcode goes into this crate (`gpu::LIBRARY`), so that a run needs neither clang nor the
//! source. It names no architecture: whoever links it chooses one from sm_70 on.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=device");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX")
        .map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let status = Command::new(prefix.join("bin/clang"))
        .args(["--target=nvptx64-nvidia-cuda", "-march=sm_70", "-Xclang", "-target-feature"])
        .args(["-Xclang", "+ptx80", "-ffreestanding", "-fno-ident", "-O2", "-Wall", "-Werror"])
        .args(["-emit-llvm", "-c", "device/heddle.c", "-o"])
        .arg(out.join("heddle_device.bc"))
        .status()
        .expect("clang 22 is installed (`make install-deps`)");
    assert!(status.success(), "the device library does not compile");
}
