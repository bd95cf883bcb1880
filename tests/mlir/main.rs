//! MLIR files: what is no GPU code is refused in one message, and findings stand where MLIR's
//! locations say. The kernels of `tests/kernels/mlir` are checked with all others.

mod bad;
mod commands;
mod emit;
mod kept;
mod pipeline;
mod places;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// `heddle`, with what stands after it.
fn heddle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).args(arguments).output().expect("heddle starts")
}

/// What it printed.
fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// A file with this text.
fn file(name: &str, text: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder for tests is writable");
    path
}

#[test]
fn the_program_that_reads_mlir_is_built() {
    let kernel = "tests/kernels/mlir/proved_store_to_own_element.mlir";
    let output = heddle(&["check", "--grid", "1", "--block", "64", kernel]);
    assert!(output.status.success(), "`make mlir` builds it: {}", text(&output));
}
