//! Rust: the plugin in `rustc`, which brings an LLVM of its own. The kernels need no library
//! (`#![no_core]`), since that of `nvptx64-nvidia-cuda` is not installed with `rustc`.

use std::path::Path;
use std::process::{Command, Output};

use crate::hosts::plugin;

/// A crate with one kernel, whose body ends on line 18.
fn source(body: &str) -> String {
    format!(
        r#"//! A kernel, and what it needs of a core library.
#![feature(no_core, lang_items, abi_ptx, link_llvm_intrinsics)]
#![no_core]
#![crate_type = "rlib"]
#[lang = "pointee_sized"] trait PointeeSized {{}}
#[lang = "meta_sized"] trait MetaSized: PointeeSized {{}}
#[lang = "sized"] trait Sized: MetaSized {{}}
#[lang = "copy"] trait Copy {{}}
impl Copy for i32 {{}}
unsafe extern "C" {{
    #[link_name = "llvm.nvvm.read.ptx.sreg.tid.x"]
    safe fn thread() -> i32;
}}
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn k(out: *mut i32) {{
    match thread() {{
        0 => *out = 1,
        _ => {{ {body} }}
    }}
}}
"#
    )
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// What `rustc` says of a kernel, and the module that it writes.
fn compiled(name: &str, body: &str, with_plugin: bool) -> (Output, Option<String>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (folder.join(format!("{name}.rs")), folder.join(format!("{name}.ll")));
    std::fs::write(&input, source(body)).expect("the folder for tests is writable");
    _ = std::fs::remove_file(&output);
    let mut command = rustc();
    command.env("RUSTC_BOOTSTRAP", "1").args(["-Awarnings", "--emit=llvm-ir", "-g"]);
    command.args(["--target", "nvptx64-nvidia-cuda", "-C", "target-cpu=sm_80"]);
    if with_plugin {
        command.arg(format!("-Zllvm-plugins={}", plugin().display()));
    }
    let done = command.arg("-o").arg(&output).arg(&input).output().expect("rustc starts");
    (done, std::fs::read_to_string(output).ok())
}

#[test]
fn a_kernel_in_rust_is_checked_as_rustc_compiles_it() {
    let version = rustc().arg("-vV").output().expect("rustc starts").stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    assert!(version.contains("LLVM version: 22."), "the plugin is for LLVM 22: {version}");
    let (refused, module) = compiled("rust_race", "*out = thread()", true);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && module.is_none(), "{said}");
    for part in [
        "rust_race.rs:17:14: in function k",
        "HD0101: threads of one block race on `out`",
        "rust_race.rs:18:16",
    ] {
        assert!(said.contains(part), "`{part}` is not in {said}");
    }
    let (taken, module) = compiled("rust_fine", "", true);
    let said = String::from_utf8_lossy(&taken.stderr).into_owned();
    assert!(taken.status.success() && said.is_empty(), "{said}");
    let (_, plain) = compiled("rust_fine", "", false);
    assert_eq!(module, plain, "the plugin changes the module");
}
