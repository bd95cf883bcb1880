//! What cannot be checked is refused in one message, with its place where MLIR knows one.

use std::process::Command;

use crate::{file, heddle, text};

const KERNEL: &str = "gpu.module @m {
  gpu.func @k(%out: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %out[%t] : memref<?xf32>
    gpu.return
  }
}
";

#[test]
fn bad_files_get_one_message_each() {
    let with =
        |line: &str| KERNEL.replace("    gpu.return", &format!("    {line}\n    gpu.return"));
    for (name, text_of, message) in [
        ("empty.mlir", String::new(), "the input is empty"),
        (
            "host.mlir",
            "func.func @main() {\n  return\n}\n".to_owned(),
            "line 1, column 1: there is no `gpu.module` in it: `@main` is for the host",
        ),
        (
            "nothing.mlir",
            "module {}\n".to_owned(),
            "there is no `gpu.module` in it, and no function",
        ),
        (
            "no_kernel.mlir",
            KERNEL.replace(" kernel {", " {"),
            "line 1, column 1: this `gpu.module` has no kernel",
        ),
        (
            "unknown.mlir",
            with("foo.bar"),
            "line 6, column 5: Dialect `foo' not found for custom op",
        ),
        ("cut.mlir", KERNEL[..120].to_owned(), "line 4, column "),
        (
            "type.mlir",
            KERNEL.replace("1.0 : f32", "1.0 : f64"),
            "line 5, column 18: use of value '%f' expects different type",
        ),
        ("c.mlir", "int main() {}\n".to_owned(), "line 1, column 1: custom op 'int' is unknown"),
        ("zero.mlir", "gpu.module\0".to_owned(), "line 1, column 1: this is no text"),
        ("bytes.mlir", "ML\u{f}R".to_owned(), "line 1, column "),
        (
            "amd.mlir",
            with("rocdl.barrier"),
            "line 6, column 5: MLIR does not lower `rocdl.barrier` to LLVM IR for NVIDIA GPUs",
        ),
        (
            "subgroup.mlir",
            with("%s = gpu.subgroup_reduce add %f : (f32) -> f32"),
            "line 6, column 10: MLIR does not lower `gpu.subgroup_reduce`",
        ),
        (
            "linalg.mlir",
            with("linalg.fill ins(%f : f32) outs(%out : memref<?xf32>)"),
            "line 6, column 5: MLIR does not lower `linalg.fill`",
        ),
    ] {
        let path = file(name, text_of.as_bytes());
        let output = heddle(&["check", "--block", "64", &path.to_string_lossy()]);
        let said = text(&output);
        assert!(said.contains(message), "{name}: {said}");
        assert_eq!(said.matches("error[").count(), 1, "{name}: {said}");
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
    }
}

#[test]
fn mlir_that_is_cut_off_or_changed_is_read_or_refused() {
    let kernels = std::fs::read_dir("tests/kernels/mlir").expect("tests/kernels/mlir");
    let mut paths: Vec<_> = kernels.flatten().map(|it| it.path()).collect();
    paths.sort();
    let (mut random, mut read) = (1_u64, 0);
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % bound.max(1)
    };
    for (number, path) in paths.iter().cycle().take(84).enumerate() {
        let mut bytes = std::fs::read(path).expect("a kernel");
        if number < paths.len() {
            bytes.truncate(below(bytes.len()));
        } else {
            let at = below(bytes.len());
            bytes[at] = b"{}[]()<>%@#!:0159xf\n\""[below(21)];
        }
        let path = file("changed.mlir", &bytes);
        let output = heddle(&["lift", &path.to_string_lossy()]);
        let said = text(&output);
        read += usize::from(output.status.success());
        let complains = output.status.success()
            || output.status.code() == Some(2) && said.matches("error[HD0901]").count() == 1;
        let crashed = ["stopped by a signal", "panicked", "no valid LLVM IR"];
        let is_fine = complains && !crashed.iter().any(|it| said.contains(it));
        assert!(is_fine, "{said}\n{}", String::from_utf8_lossy(&bytes));
    }
    assert!(read > 3, "only {read} were MLIR still");
}

#[test]
fn without_the_program_the_message_says_how_to_build_it() {
    let path = file("missing.mlir", KERNEL.as_bytes());
    let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["check", "--block", "64"])
        .arg(path)
        .env("HEDDLE_MLIR", "no/such/heddle-mlir")
        .output()
        .expect("heddle starts");
    let said = text(&output);
    assert!(
        said.contains("`HEDDLE_MLIR` names `no/such/heddle-mlir`, which is not there"),
        "{said}"
    );
    assert!(said.contains("build it with `make mlir`"), "{said}");
    assert_eq!(output.status.code(), Some(2), "{said}");
}
